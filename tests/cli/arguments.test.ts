/**
 * How the command line reads its arguments, and what it says about those it does not take.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
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

for (
  const [args, expected] of [
    [["-A", "-1"], /-A got "-1"/],
    [["--sortr", "path"], /--sortr got "path"; expected modified, the newest first; .*not supp/],
    [["--include", ""], /--include got ""; expected a non-empty GLOB$/],
    [["--workspace", " "], /--workspace got " "; expected a non-empty DIR$/],
    [["--stats=yes"], /--stats takes no value, got "yes"$/],
  ] as const
) {
  Deno.test(`${args.join(" ")} is an error that says what came and what is accepted`, async () => {
    assert.match((await refusal("foo", ...args)).error, expected);
  });
}

for (
  const [option, advice] of [
    ["-z", /--everything.*xz -dc FILE \| pathgrep PATTERN -/],
    ["--pre", /pdftotext FILE - \| pathgrep PATTERN -/],
    ["--null-data", /tr '\\0' '\\n' < FILE \| pathgrep PATTERN -/],
    ["--multiline-dotall", /\(\?s\)/],
    ["--binary", /--text/],
    ["--debug", /--stats/],
    ["--replace", /never changed/],
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
    const [explained] = whole.split("\nExamples:\n"); // examples are whole command lines
    for (const line of explained!.split("\n")) assert.ok([...line].length <= 80, line);
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
    [["-i", "--no-ignore-case", "foo", "a.ts"], ["a.ts:1", "a.ts:4"]],
    [["-i", "--case-sensitive", "foo", "a.ts"], ["a.ts:1", "a.ts:4"]],
    [["-g=*.md", "foo"], ["b.md:1"]],
    [["--color", "foo", "b.md"], ["b.md:1"]],
    [["--color=always", "--format=json", "foo", "b.md"], ["b.md:1"]],
    [["-j", "4", "foo", "b.md"], ["b.md:1"]],
  ] as const
) {
  Deno.test(`pathgrep ${args.join(" ")} finds what it should`, async () => {
    await using tree = await tempTree(FILES);
    assert.deepEqual(await found(tree.root, ...args), expected);
  });
}

Deno.test("a command's name that is not the first argument is a pattern, with a note", async () => {
  await using tree = await tempTree(FILES);
  const { json } = await pathgrep(["-i", "files"], { cwd: tree.root });
  assert.equal(json().count, 1);
  assert.match(json().notes[0], /the command files must be the first argument/);
});
