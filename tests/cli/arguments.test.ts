/**
 * How the command line reads its arguments, and what it says about those it does not take.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

/** Runs a command line that must fail as `invalid_input`, and returns its error. */
async function refusal(...args: string[]): Promise<{ error: string; hint?: string }> {
  const { code, stderr, json } = await pathgrep(args);
  assert.equal(code, 2);
  assert.equal(stderr, "");
  const error = json();
  assert.equal(error.code, "invalid_input");
  return error;
}

Deno.test("an unknown option is an error that names the nearest known one", async () => {
  const { error, hint } = await refusal("--incldue", "*.ts", "foo");
  assert.equal(error, "invalid input: unknown option --incldue (did you mean --include?)");
  assert.match(hint!, /--help/);
});

Deno.test("an abbreviated option is an error that names the whole one", async () => {
  assert.match((await refusal("--max-cou=3", "foo")).error, /did you mean --max-count\?/);
});

Deno.test("an option that is refused itself is not proposed for an unknown one", async () => {
  assert.doesNotMatch((await refusal("--directories=recurse", "foo")).error, /did you mean/);
});

Deno.test("an option unlike any other is an error without a guess", async () => {
  assert.equal(
    (await refusal("--quite-something-else", "foo")).error,
    "invalid input: unknown option --quite-something-else",
  );
});

Deno.test("an unknown letter among joined ones is an error that names it", async () => {
  assert.match((await refusal("-iKn", "foo")).error, /unknown option -K/);
});

Deno.test("an option of another command is an error that names the command", async () => {
  assert.match((await refusal("--as", "dir", "foo")).error, /--as .* to resolve/);
  assert.match((await refusal("resolve", "-i", "foo")).error, /-i .* to search/);
});

Deno.test("a missing value is an error that names the option and what is accepted", async () => {
  assert.equal(
    (await refusal("foo", "--max-count")).error,
    "invalid input: option --max-count needs a value: a whole number from 1",
  );
  assert.match((await refusal("foo", "-iA")).error, /option -A needs a value/);
});

for (
  const [args, expected] of [
    [["--engine", "perl"], /--engine got "perl"; accepted is auto, js, rg, git or grep$/],
    [["--format=xml"], /--format got "xml"; accepted is json, jsonl or text$/],
    [["--output-mode", "lines"], /--output-mode got "lines"; accepted is content, file or count$/],
    [["-C", "x"], /-C got "x"; accepted is a whole number from 0$/],
    [["-A", "-1"], /-A got "-1"/],
    [["--offset", "1.5"], /--offset got "1.5"/],
    [["--max-results", "-1"], /--max-results got "-1"; accepted is a whole number from 0$/],
    [["--sortr", "path"], /--sortr got "path"; accepted is modified, the newest first; .*not supp/],
    [["--max-count", "0"], /--max-count got "0"/],
    [["--max-results="], /--max-results got ""/],
    [["--timeout", "1e3"], /--timeout got "1e3"/],
    [["--timeout", "99999999999999999999"], /--timeout got/],
    [["--max-file-size", "big"], /--max-file-size got "big"; .*bytes, also with K, M or G$/],
    [["--sort", "created"], /--sort got "created"; accepted is path, modified or none$/],
    [["--include", ""], /--include got ""; accepted is a GLOB that is not empty$/],
    [["--workspace", " "], /--workspace got " "; accepted is a DIR that is not empty$/],
    [["--stats=yes"], /--stats takes no value, got "yes"$/],
  ] as const
) {
  Deno.test(`${args.join(" ")} is an error that says what came and what is accepted`, async () => {
    assert.match((await refusal("foo", ...args)).error, expected);
  });
}

for (
  const [option, advice] of [
    ["-z", /gzip -dc FILE \| pathgrep PATTERN -/],
    ["--pre", /pdftotext FILE - \| pathgrep PATTERN -/],
    ["--null-data", /tr '\\0' '\\n' < FILE \| pathgrep PATTERN -/],
    ["--multiline-dotall", /\(\?s\)/],
    ["--binary", /--text/],
    ["--debug", /--stats/],
    ["--replace", /only read/],
    ["--type-add", /-g GLOB/],
    ["--head-limit", /--max-results/],
    ["--passthru", /-C N/],
    ["--basic-regexp", /JavaScript/],
  ] as const
) {
  Deno.test(`${option}, which is not supported, says what to use instead`, async () => {
    const { error } = await refusal("foo", option, "x");
    assert.match(error, new RegExp(`^invalid input: option ${option} is not supported: `));
    assert.match(error, advice);
  });
}

Deno.test("a search without a pattern is an error that shows how to call it", async () => {
  const { error, hint } = await refusal();
  assert.equal(error, "invalid input: pattern is missing");
  assert.match(hint!, /PATTERN/);
});

Deno.test("an error in the arguments is written in the format that comes after it", async () => {
  const text = await pathgrep(["--bogus", "foo", "--format", "text"]);
  assert.equal(text.code, 2);
  assert.equal(text.stdout, "");
  assert.match(text.stderr, /^pathgrep: invalid input: unknown option --bogus\n.*\n$/);

  const rows = await pathgrep(["--bogus", "foo", "--format=jsonl"]);
  assert.equal(rows.code, 2);
  assert.equal(rows.stderr, "");
  assert.equal(rows.rows().length, 1);
  assert.equal(rows.rows()[0].type, "error");
  assert.equal(rows.rows()[0].code, "invalid_input");
});

Deno.test("--help explains every option and command on standard output", async () => {
  const { code, stdout, stderr } = await pathgrep(["--help"]);
  assert.equal(code, 0);
  assert.equal(stderr, "");
  for (const shown of ["-g, --include GLOB", "--on-overflow error|truncate", "resolve PATH"]) {
    assert.ok(stdout.includes(shown), shown);
  }
  assert.match(stdout, /Examples:/);
  assert.ok(!stdout.includes("--no-config"));
});

Deno.test("-h explains the most useful options of each command on one screen", async () => {
  const { stdout: all } = await pathgrep(["-h"]);
  const commands = /^Commands: (.*)$/m.exec(all)![1]!.split(" ");
  assert.ok(commands.includes("serve"));
  for (const command of ["", ...commands]) {
    const args = command === "" ? [] : [command];
    const { code, stdout } = await pathgrep([...args, "-h"]);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(code, 0);
    assert.ok(lines.length <= 50, `${command}: ${lines.length} lines`);
    for (const line of lines) assert.ok([...line].length <= 80, line);
    const { stdout: whole } = await pathgrep([...args, "--help"]);
    assert.ok(whole.length > stdout.length, command);
    const names = stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm);
    for (const [, name] of names) assert.ok(whole.includes(name!), name);
  }
});

Deno.test("--help after a command explains that command, whatever else is wrong", async () => {
  const { code, stdout } = await pathgrep(["resolve", "--bogus", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /^pathgrep resolve: /);
  assert.match(stdout, /--as search\|file\|dir\|project/);
  assert.ok(!stdout.includes("--max-count"));
});

Deno.test("--version says the version of deno.json", async () => {
  const manifest = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  for (const args of [["--version"], ["-V"], ["files", "--version"]]) {
    assert.equal((await pathgrep(args)).stdout, `pathgrep ${manifest.version}\n`);
  }
});

Deno.test("--type-list lists ripgrep's types", async () => {
  const { code, stdout } = await pathgrep(["--type-list"]);
  assert.equal(code, 0);
  assert.match(stdout, /^ts: /m);
});

Deno.test("help, version and types need no permission at all", async () => {
  for (const option of ["--help", "--version", "--type-list"]) {
    const { code, stderr } = await pathgrep([option], { permissions: ["--no-prompt"] });
    assert.equal(code, 0, option);
    assert.equal(stderr, "", option);
  }
});

/** A tree in which the words of the tests below stand. */
const FILES = {
  "a.ts": "one foo\nTwo FOO\nthree\nfoobar\n",
  "b.md": "foo\n-x dash\nfiles\n",
};

/** The lines that a search finds, as `file:line`. */
async function found(root: string, ...args: string[]): Promise<string[]> {
  const separator = args.indexOf("--") < 0 ? args.length : args.indexOf("--");
  const { code, stdout, json } = await pathgrep(
    args.toSpliced(separator, 0, "--paths=relative"),
    { cwd: root },
  );
  assert.ok(code < 2, stdout);
  return json().matches.map((match: { file: string; line_number: number }) =>
    `${match.file}:${match.line_number}`
  );
}

for (
  const [args, expected] of [
    [["foo"], ["a.ts:1", "a.ts:4", "b.md:1"]],
    [["search", "foo"], ["a.ts:1", "a.ts:4", "b.md:1"]],
    [["-i", "foo", "a.ts"], ["a.ts:1", "a.ts:2", "a.ts:4"]],
    [["foo", "-i", "a.ts"], ["a.ts:1", "a.ts:2", "a.ts:4"]],
    [["-iw", "foo", "a.ts"], ["a.ts:1", "a.ts:2"]],
    [["--ignore-case", "--word-regexp", "foo", "a.ts"], ["a.ts:1", "a.ts:2"]],
    [["-i", "--no-ignore-case", "foo", "a.ts"], ["a.ts:1", "a.ts:4"]],
    [["-i", "--case-sensitive", "foo", "a.ts"], ["a.ts:1", "a.ts:4"]],
    [["-S", "foo", "a.ts"], ["a.ts:1", "a.ts:2", "a.ts:4"]],
    [["-S", "FOO", "a.ts"], ["a.ts:2"]],
    [["-x", "foo"], ["b.md:1"]],
    [["-v", "foo", "b.md"], ["b.md:2", "b.md:3"]],
    [["-m1", "foo"], ["a.ts:1", "b.md:1"]],
    [["--max-count=1", "foo"], ["a.ts:1", "b.md:1"]],
    [["-g*.md", "foo"], ["b.md:1"]],
    [["-g=*.md", "foo"], ["b.md:1"]],
    [["--glob", "*.md", "foo"], ["b.md:1"]],
    [["--exclude", "*.md", "foo"], ["a.ts:1", "a.ts:4"]],
    [["-tts", "foo"], ["a.ts:1", "a.ts:4"]],
    [["-T", "ts", "foo"], ["b.md:1"]],
    [["-e", "-x"], ["b.md:2"]],
    [["-e-x"], ["b.md:2"]],
    [["--regexp=-x"], ["b.md:2"]],
    [["-e", "Two", "-e", "three"], ["a.ts:2", "a.ts:3"]],
    [["-e", "foo", "b.md"], ["b.md:1"]],
    [["--", "-x"], ["b.md:2"]],
    [["foo", "--", "b.md"], ["b.md:1"]],
    [["-e", "files"], ["b.md:3"]],
    [["search", "files"], ["b.md:3"]],
    [["-nHEPI", "--hidden", "--no-heading", "--color", "never", "foo", "b.md"], ["b.md:1"]],
    [["--color", "foo", "b.md"], ["b.md:1"]],
    [["--color=always", "foo", "b.md"], ["b.md:1"]],
    [["-j", "4", "foo", "b.md"], ["b.md:1"]],
  ] as const
) {
  Deno.test(`pathgrep ${args.join(" ")} finds what it should`, async () => {
    await using tree = await tempTree(FILES);
    assert.deepEqual(await found(tree.root, ...args), expected);
  });
}

Deno.test("-iC1 and -1 join letters, values and context", async () => {
  await using tree = await tempTree(FILES);
  for (const args of [["-iC1"], ["-i", "-C=1"], ["-i1"], ["-i", "-A1", "-B", "1"]]) {
    const { json } = await pathgrep([...args, "two", "a.ts"], { cwd: tree.root });
    assert.deepEqual(json().matches, [{
      file: tree.path("a.ts"),
      line_number: 2,
      line: "Two FOO",
      before: ["one foo"],
      after: ["three"],
    }]);
  }
});

Deno.test("of -l, -c and --output-mode the last one wins", async () => {
  await using tree = await tempTree(FILES);
  const mode = async (...args: string[]) =>
    (await pathgrep([...args, "foo"], { cwd: tree.root })).json().output_mode;
  assert.equal(await mode("-l", "-c"), "count");
  assert.equal(await mode("-c", "-l"), "file");
  assert.equal(await mode("-lc", "--output-mode", "content"), "content");
});

Deno.test("-L gives the files without a match", async () => {
  await using tree = await tempTree({ ...FILES, "c.txt": "nothing\n" });
  const { code, json } = await pathgrep(["-L", "foo"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.deepEqual(json().files, [tree.path("c.txt")]);
});

Deno.test("-o gives the matched text", async () => {
  await using tree = await tempTree(FILES);
  const { json } = await pathgrep(["-o", "fo+", "a.ts"], { cwd: tree.root });
  assert.deepEqual(json().matches.map(({ line }: { line: string }) => line), ["foo", "foo"]);
});

Deno.test("-r and -R are ignored with a note", async () => {
  await using tree = await tempTree(FILES);
  for (const option of ["-r", "-R"]) {
    const { json } = await pathgrep([option, "foo", "--stats"], { cwd: tree.root });
    const result = json();
    assert.equal(result.count, 3);
    assert.match(result.notes[0], new RegExp(`^${option} was ignored`));
    assert.deepEqual(Object.keys(result).slice(-3), ["count", "notes", "stats"]);
  }
});

Deno.test("a command's name that is not the first argument is a pattern, with a note", async () => {
  await using tree = await tempTree(FILES);
  const { json } = await pathgrep(["-i", "files"], { cwd: tree.root });
  assert.equal(json().count, 1);
  assert.match(json().notes[0], /the command files must be the first argument/);
});
