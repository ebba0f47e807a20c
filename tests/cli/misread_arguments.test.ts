/** Arguments that can be read in two ways: commands after options, and patterns that look like options. */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const FILES = {
  "files/a.txt": "fn main() -> Result\nfiles and tools\n--no-such --label --color=x -webkit-box\n",
  "b.md": "x\n",
};

for (
  const [line, expected] of [
    ["--format text files", "b.md\nfiles/a.txt\n"],
    ["--format=text files files", "files/a.txt\n"],
    ["--workspace files --format text files", "a.txt\n"],
    ["--workspace files --format text resolve a.txt", /\/files\/a\.txt\n$/],
    ["--format anthropic tools", /"input_schema"/],
    ["--format json prompt", /path/],
    ["--workspace . completions fish", /complete -c pathgrep/],
    ["--help files", /^pathgrep files: /],
    ["-h serve", /^pathgrep serve: /],
    ["--format text search files", /^files\/a\.txt:2:/],
    // These are patterns: options of the search alone come before them, or `-e`, or `--`.
    ["--format text -i files", /^files\/a\.txt:2:files and tools\n$/],
    ["-l --format text tools", "files/a.txt\n"],
    ["--format text -e tools files", /^files\/a\.txt:2:/],
    ["--format text -- files", /^files\/a\.txt:2:/],
    ["--format text result -i", /^files\/a\.txt:1:/],
  ] as const
) {
  Deno.test(`a command may follow what every command takes: ${line}`, async () => {
    await using tree = await tempTree(FILES);
    const { code, stdout } = await pathgrep(line.split(" "), { cwd: tree.root });
    assert.equal(code, 0, stdout);
    if (typeof expected === "string") assert.equal(stdout, expected);
    else assert.match(stdout, expected);
  });
}

Deno.test("a command that follows options says so where it could have been a pattern", async () => {
  await using tree = await tempTree(FILES);
  const run = async (...args: string[]) => (await pathgrep(args, { cwd: tree.root })).json();
  const note = '"files" was interpreted as the command; -e files searches for the word';
  assert.deepEqual((await run("--format", "json", "files", "files")).notes, [note]);
  assert.equal((await run("--format", "json", "files")).notes, undefined);
  assert.equal((await run("files", "files")).notes, undefined);
  const refused = await run("--workspace", ".", "tools", "files");
  assert.equal(refused.error, "invalid input: tools takes no operands, got files");
  assert.match(refused.hint, /`pathgrep -e tools` searches for the word/);
  const call = await run("--workspace", ".", "call");
  assert.match(call.error, /TOOL is missing/);
});

for (
  const [pattern, error, hint] of [
    ["-> Result", "unknown option ->", "-e '-> Result' searches for that text"],
    ["->", "unknown option ->", "-e '->' searches for that text"],
    ["--> x", "unknown option --> x", "-e '--> x' searches for that text"],
    ["- [ ] todo", "unknown option - ", "-e '- [ ] todo' searches for that text"],
    ["--[a-z]+", "unknown option --[a-z]+", "-e '--[a-z]+' searches for that text"],
    ["--no-such", /^unknown option --no-such/, /lists the options; -e --no-such searches/],
    ["--status", /does not belong to the command search/, "-e --status searches for that text"],
    ["--label", /is not supported/, /-e PATTERN searches for a text that begins with a dash/],
    ["--include", /needs a value/, /-e PATTERN searches for a text/],
    ["--sort=x", /expected/, /-e PATTERN searches for a text/],
    ["-i", "pattern is missing", /-e PATTERN for one that begins with a dash/],
  ] as const
) {
  Deno.test(`a pattern that is read as an option can be given with -e: ${pattern}`, async () => {
    await using tree = await tempTree(FILES);
    const refused = await pathgrep([pattern], { cwd: tree.root });
    assert.equal(refused.code, 2);
    const { error: category, hint: told } = refused.json();
    const said = category.replace("invalid input: ", "");
    if (typeof error === "string") assert.equal(said, error);
    else assert.match(said, error);
    if (typeof hint === "string") assert.equal(told, hint);
    else assert.match(told, hint);
    const { code } = await pathgrep(["-F", "-e", pattern], { cwd: tree.root });
    assert.ok(code < 2);
    const { stderr } = await pathgrep(["--format", "text", pattern], { cwd: tree.root });
    assert.match(stderr, /-e /);
  });
}

Deno.test("what is no pattern is not taken for one", async () => {
  await using tree = await tempTree(FILES);
  const hintOf = async (...args: string[]) =>
    (await pathgrep(args, { cwd: tree.root })).json().hint;
  assert.equal(await hintOf("x", "--label"), undefined);
  assert.equal(await hintOf("-e", "x", "--sort=x"), undefined);
  assert.equal(await hintOf("--files", "--sort=x"), undefined);
  assert.equal(await hintOf("tools", "--x"), "`pathgrep tools --help` lists the options");
  assert.match(await hintOf("resolve", "-> a"), /^-- '-> a' is the path of that name$/);
  assert.match(
    await hintOf("files", "--dir.d"),
    /lists the options; -- --dir\.d is the path of that name/,
  );
});

Deno.test("letters that end in a pattern of their own say how they were read", async () => {
  await using tree = await tempTree(FILES);
  const notesOf = async (...args: string[]) =>
    (await pathgrep(args, { cwd: tree.root })).json().notes;
  const explain = ["--explain", "never"];
  assert.deepEqual(await notesOf("-webkit-box", ...explain), [
    "-webkit-box was interpreted as -w -e bkit-box; -e -webkit-box searches for that text",
  ]);
  assert.deepEqual(await notesOf("-ie(FN|x", ...explain), [
    "'-ie(FN|x' was interpreted as -i -e '(FN|x'; -e '-ie(FN|x' searches for that text",
  ]);
  assert.equal(await notesOf("-efn", ...explain), undefined);
  assert.equal(await notesOf("-ie", "fn", ...explain), undefined);
});
