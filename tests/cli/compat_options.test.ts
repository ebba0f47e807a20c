/** Options that people and agents know from ripgrep do here what they do there. */
import assert from "node:assert/strict";
import { Guard, Workspace } from "../../mod.ts";
import { anyCase } from "../../src/glob/glob_paths.ts";
import { runLines } from "../support/command_lines.ts";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";

const FILES = {
  "a.txt": "a foo foo\n  \tb foo\n",
  "sub/B.MD": "Foo and foo\n",
  "sub/c.ts": "const foo = 1;\n",
  "two\nlines.txt": "foo\n",
};

async function textOf(tree: Tree, ...args: string[]): Promise<string> {
  const { stdout } = await pathgrep(["--format", "text", ...args], { cwd: tree.root });
  return stdout;
}

/** What ripgrep writes for the same command line. */
async function ripgrep(tree: Tree, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: ["--no-config", "--no-require-git", "--hidden", "--sort=path", "-nH", ...args],
    cwd: tree.root,
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("text with ripgrep's layout options is what ripgrep writes", async () => {
  await using tree = await tempTree(FILES);
  const lines = [
    ["-0", "foo"],
    ["--null", "-l", "foo"],
    ["-Z0", "-c", "foo"],
    ["-0", "-C1", "foo", "a.txt"],
    ["-0", "--heading", "foo"],
    ["--no-filename", "foo"],
    ["--no-filename", "-c", "foo"],
    ["-I", "-H", "foo", "a.txt", "sub"],
    ["--no-filename", "--with-filename", "foo", "sub"],
    ["--with-filename", "-I", "foo"],
    ["--trim", "foo", "a.txt", "sub"],
    ["--trim", "-C1", "and|b", "a.txt", "sub"],
    ["--count-matches", "foo", "a.txt", "sub"],
    ["--vimgrep", "foo", "a.txt", "sub"],
    ["--vimgrep", "-i", "foo", "sub/B.MD"],
    ["--vimgrep", "--trim", "\\s+f|o", "a.txt", "sub"],
    ["--iglob", "*.md", "foo"],
    ["--iglob", "*.[m-q]d", "foo"],
    ["--iglob", "!*.Md", "-l", "foo", "sub"],
    ["-t", "ts", "-t", "md", "foo", "sub"],
  ];
  const answers = await runLines(lines.map((args) => ["--format", "text", ...args]), tree.root);
  for (const [index, args] of lines.entries()) {
    const expected = await ripgrep(tree, ...args.map((arg) => arg === "-Z0" ? "-0" : arg));
    assert.ok(expected !== "", `ripgrep finds nothing: ${args.join(" ")}`);
    assert.equal(answers[index]!.stdout, expected, args.join(" "));
  }
});

Deno.test("types may stand in one list", async () => {
  await using tree = await tempTree(FILES);
  const listed = await pathgrep(["-l", "-t", "ts, txt", "foo"], { cwd: tree.root });
  const { files } = JSON.parse(listed.stdout);
  assert.deepEqual(files, ["a.txt", "sub/c.ts", "two\nlines.txt"].map((file) => tree.path(file)));
  const refused = await pathgrep(["-T", "ts,nothing", "foo"], { cwd: tree.root });
  assert.match(refused.stdout, /invalid input: .*nothing/);
});

Deno.test("--files lists what a search would read", async () => {
  await using tree = await tempTree(FILES);
  const { stdout, code } = await pathgrep(["--files", "-g", "*.ts", "sub"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).files, [tree.path("sub/c.ts")]);
});

Deno.test("colours come when they are asked for, and never when they are not", async () => {
  await using tree = await tempTree(FILES);
  const plain = await textOf(tree, "foo", "sub/c.ts");
  assert.equal(plain, "sub/c.ts:1:const foo = 1;\n");
  assert.equal(await textOf(tree, "--color", "never", "foo", "sub/c.ts"), plain);
  assert.equal(await textOf(tree, "--color=auto", "foo", "sub/c.ts"), plain);
  const coloured = await textOf(tree, "--color", "always", "foo", "sub/c.ts");
  assert.ok(coloured.includes("\x1b[1;31mfoo\x1b[0m"), coloured);
  for (const ansi of [["--color", "ansi"], ["--color=ansi"]]) {
    assert.equal(await textOf(tree, ...ansi, "foo", "sub/c.ts"), coloured);
  }
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replace(/\x1b\[[\d;]*m/g, ""), plain);
});

Deno.test("JSON lines lose the white space that they begin with, when that is asked for", async () => {
  await using tree = await tempTree(FILES);
  for (const format of ["json", "jsonl"]) {
    const args = ["--trim", "--format", format, "-B1", "b foo", "a.txt"];
    const { stdout } = await pathgrep(args, { cwd: tree.root });
    assert.match(stdout, /"line":"b foo","before":\["a foo foo"\]/);
  }
  await tree.write({ "t.txt": " \tfoo\u2028   bar\rx\r   baz\n  foo\n" });
  for (const options of [[], ["-U"]]) {
    const { stdout } = await pathgrep(["--trim", ...options, "foo[^]*?", "t.txt"], {
      cwd: tree.root,
    });
    const [first, second] = JSON.parse(stdout).matches;
    assert.equal(first.line, "foo\u2028   bar\rx\r   baz");
    assert.equal(second.line, "foo");
  }
});

Deno.test("patterns come from files of the workspace and from standard input", async () => {
  await using tree = await tempTree({
    ...FILES,
    "patterns": "\ufeffand\r\nb f\n",
    "blank": "\nand\n\n",
    "none": "\n",
    ".env": "and\n",
    "link": { symlink: "/etc/hostname" },
  });
  const run = async (args: string[], stdin = "") => {
    const { stdout } = await pathgrep([...args, "a.txt", "sub"], { cwd: tree.root, stdin });
    return JSON.parse(stdout);
  };
  const lines = ({ matches }: { matches: { line: string }[] }) => matches.map(({ line }) => line);
  const both = await run(["-f", "patterns"]);
  assert.equal(both.pattern, "and\nb f");
  await Deno.mkdir(tree.path("lists"), { recursive: true });
  await Deno.writeTextFile(tree.path("lists/short.txt"), "and\n");
  const short = await run(["-f", "short.txt"]);
  assert.equal(short.pattern, "and");
  assert.match(
    short.notes.join(),
    /path "short\.txt" was interpreted as the only path with this ending/,
  );
  assert.equal(short.notes.length, 1);
  assert.deepEqual(lines(both), ["  \tb foo", "Foo and foo"]);
  assert.deepEqual(lines(await run(["-f", "blank", "-e", "b f"])), lines(both));
  assert.match((await run(["-f", "blank"])).notes[0], /^2 empty lines of -f blank were ignored/);
  assert.deepEqual(lines(await run(["-f", "-"], "and\n")), ["Foo and foo"]);
  for (
    const [file, code] of [
      ["none", "invalid_input"],
      ["missing", "path_not_found"],
      ["sub", "path_unsupported"],
      [".env", "permission_denied_by_policy"],
      ["/etc/hostname", "path_outside_workspace"],
      ["link", "path_outside_workspace"],
    ]
  ) {
    assert.equal((await run(["-f", file!])).code, code, file);
  }
  assert.equal((await run(["-f", "-", "-"], "and\n")).code, "invalid_input");
  assert.deepEqual(lines(await run(["-f", "-", "-f", "-"], "and\n")), ["Foo and foo"]);
  assert.equal(
    (await run(["-f", "-"], "and\n".repeat(10_001))).error,
    "invalid input: -f - contains more than 10000 lines",
  );
  // What all files hold together counts.
  const long = "x".repeat(1 << 20);
  for (const [name, text] of [["many", "and\n".repeat(6000)], ["long", `${long}\n`.repeat(3)]]) {
    await Deno.writeTextFile(tree.path(name!), text!);
  }
  assert.equal(
    (await run(["-f", "many", "-f", "./many"])).error,
    "invalid input: the files of -f contain more than 10000 lines",
  );
  assert.equal(
    (await run(["-f", "long", "-f", "./long"])).error,
    "invalid input: the files of -f contain more than 4194304 characters",
  );
  assert.match((await run(["-f", "-"], "a\0b\nand\n")).hint, /binary .*; use --text$/);
  assert.deepEqual(lines(await run(["-a", "-f", "-"], "a\0b\nand\n")), ["Foo and foo"]);
});

Deno.test("no cap on entries is asked for with 0", async () => {
  await using tree = await tempTree({ "a.txt": "x\n".repeat(1500) });
  const { stdout } = await pathgrep(["--max-results", "0", "x"], { cwd: tree.root });
  assert.equal(JSON.parse(stdout).count, 1500);
});

Deno.test("text shows where a line was cut, and JSON does not", async () => {
  const line = `${"x".repeat(100)}foo${"y".repeat(100)}`;
  await using tree = await tempTree({ "a.txt": `${line}\n${"foo".padEnd(50, "z")}\n` });
  const args = ["-M", "20", "-C1", "foo", "a.txt"];
  const [first, second] = (await textOf(tree, ...args)).split("\n");
  assert.match(first!, /^a\.txt:1:…x{5}fooy{12}…$/);
  assert.match(second!, /^a\.txt:2:fooz{17}…$/);
  assert.match(await textOf(tree, "-M", "20", "-A1", "xfooy", "a.txt"), /^a\.txt-2-fooz{17}…$/m);
  const { stdout } = await pathgrep(args, { cwd: tree.root });
  assert.ok(!stdout.includes("…"));
});

Deno.test("a pattern that may have been meant as a command is searched for, with a note", async () => {
  await using tree = await tempTree(FILES);
  const meant: [line: string, note: RegExp | undefined][] = [
    ["help", /"help" was interpreted as the pattern: `pathgrep --help`/],
    ["version", /`pathgrep --version`/],
    ["serach", /the command is search/],
    ["docter", /the command is doctor/],
    ["mpc", /the command is mcp/],
    // Here an error says it, since the operand is no path.
    ["help files", /`pathgrep files --help` explains the command/],
    ["complettions bash", /the command is completions/],
    ...["file", "tool", "foo", "call-me", "map", "mac"].map((line): [string, undefined] => [
      line,
      undefined,
    ]),
  ];
  const answers = await runLines(meant.map(([line]) => line.split(" ")), tree.root);
  for (const [index, [line, note]] of meant.entries()) {
    const { notes = [] } = JSON.parse(answers[index]!.stdout);
    if (note === undefined) assert.deepEqual(notes, [], line);
    else assert.match(notes[0], note);
  }
});

Deno.test("an error tells how the command line was read, in text before what to do", async () => {
  await using tree = await tempTree(FILES);
  const lines = [
    ["-r", "bar", "foo"],
    ["-nEutf-8", "foo"],
    ["-E", "Latin1", "foo", "nowhere"],
    ["-E", "--", "latin1", "nowhere"],
    ["-E", "foo", "nowhere"],
  ];
  const texts = lines.map((line) => ["--format", "text", ...line]);
  const answers = await runLines([...lines, ...texts], tree.root);
  const [replaced, joined, apart, ended, other] = answers.map(({ stdout }) => stdout).slice(0, 5)
    .map((stdout) => JSON.parse(stdout).notes?.[0]);
  assert.match(replaced, /^-r was ignored: .*nothing is replaced$/);
  assert.match(joined, /--encoding utf-8 names an encoding/);
  assert.match(apart, /--encoding Latin1 names an encoding/);
  assert.deepEqual([ended, other], [undefined, undefined]);
  assert.match(
    answers[5]!.stderr,
    /^pathgrep: .*does not exist\n {2}-r was ignored: .*; list what is there .*\n$/,
  );
});

Deno.test("globs of countless brackets or slashes are read at once, in either letter case", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const started = performance.now();
  const brackets = "[".repeat(300_000);
  assert.equal(anyCase(brackets), brackets);
  assert.equal(anyCase("[F]1.t[x"), "[Ff]1.[Tt][[Xx]");
  assert.equal(anyCase("[[:digit:]x][![:alpha:]]"), "[[:digit:]xX][![:alpha:]]");
  const slashes = "/".repeat(30_000);
  new Guard({ workspace, deny: Array(20).fill(`${slashes}a`) });
  assertSoon(started);
});

Deno.test("every long option of ripgrep works or says what to do, in both commands that read files", async () => {
  await using tree = await tempTree(FILES);
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: ["--generate", "complete-bash"],
  }).output();
  const script = new TextDecoder().decode(stdout);
  const all = new Set(script.match(/(?<=[\s"])--[a-z][a-z0-9-]+(?=[\s"])/g));
  assert.ok(all.size > 140, `${all.size} options`);
  const answers = await runLines([...all].map((option) => [option]), tree.root);
  for (const [index, option] of [...all].entries()) {
    const { stdout, stderr } = answers[index]!;
    assert.doesNotMatch(stdout + stderr, /unknown option|does not belong/, option);
  }
  const both = ["--no-require-git", "--no-ignore-global", "--ignore-file", "--one-file-system"];
  for (const { stdout } of await runLines(both.map((option) => ["files", option]), tree.root)) {
    assert.doesNotMatch(stdout, /unknown option|does not belong/);
  }
});

Deno.test("the opposite of what is refused is accepted, if there is such an option", async () => {
  await using tree = await tempTree(FILES);
  const opposites = [
    ...["--no-search-zip", "--no-pre", "--no-byte-offset", "--no-one-file-system"],
    ...["--ignore-vcs", "--ignore-dot", "--ignore-parent", "--no-ignore-file-case-insensitive"],
    ...["--encoding=auto", "--no-encoding", "--no-glob-case-insensitive", "--no-multiline-dotall"],
  ];
  const plain = await textOf(tree, "foo");
  for (const option of opposites) assert.equal(await textOf(tree, option, "foo"), plain, option);
  const refused: readonly (readonly [option: string, said: RegExp])[] = [
    ["--ignore-file-case-insensitive", /not supported: .*--iglob/],
    ["--hostname-bin", /not supported: .*--hyperlinks/],
    ["--pcre2-version", /not supported: .*`pathgrep doctor`/],
    ["--no-pcre2-unicode", /not supported: .*ASCII already/],
    ["--no-context-separator", /not supported: .*--format json/],
    ["--group-separator", /not supported: .*--format json/],
    // Guessed names.
    ...["--path", "--dir", "--directory"].map((name) => [name, /: .*after the pattern/] as const),
    ...["--ext", "--extension"].map((name) => [name, /: use -g '\*\.EXT' or -t TYPE/] as const),
    ...["--limit", "--head-limit", "--max-matches"].map((name) =>
      [name, /--max-results N/] as const
    ),
    // No program has these.
    ["--no-limit", /unknown option --no-limit/],
    ["--no-path", /unknown option --no-path/],
    ["--no-such-thing", /unknown option --no-such-thing/],
  ];
  for (const [option, said] of refused) {
    const { code, stdout } = await pathgrep([option, "foo"], { cwd: tree.root });
    assert.equal(code, 2, option);
    assert.match(JSON.parse(stdout).error, said);
  }
});
