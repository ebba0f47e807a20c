/**
 * `pathgrep why`: what it says of other programs' searches, and that they find what it says once they are
 * changed as it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { rgPath } from "../support/oracles.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

const FILES: Record<string, TreeEntry> = {
  ".gitignore": "dist/\n*.log\n",
  "src/config.ts": "export function ParseConfig() {}\nconst MAX_SIZE = 42;\n",
  "src/plain.txt": "alpha\nfoo(bar)\ngamma\n",
  "dist/out.js": "built = true;\n",
  "debug.log": "kept in spite of the rules\n",
  ".github/ci.yml": "runs-on: ubuntu\n",
  "blob.dat": "\0\ndeeply buried\n",
  "big.txt": `${"x".repeat(2000)}\nfar down\n`,
  "loose.md": "not tracked\n",
};

async function repository(): Promise<Tree> {
  const t = await tempTree(FILES);
  await sh("git init -q && git add -f .gitignore src debug.log .github blob.dat big.txt", t.root);
  return t;
}

/** Whether a program finds something in a file. */
async function finds([name = "", ...args]: readonly string[], file: string, root: string) {
  const program = name === "rg" ? await rgPath() : name;
  const env = { LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", RIPGREP_CONFIG_PATH: "" };
  const { stdout } = await spawn(program, args, { cwd: root, env });
  return stdout.includes(file);
}

/** A search, the note on it, and the same search as the note would have it, with the file it finds. */
const CASES: readonly (readonly [search: string[], note: RegExp, then: string[], file: string])[] =
  [
    [
      ["rg", "-n", "parseConfig", "src"],
      /^1 match in src\/config\.ts differs in letter case; add -i$/,
      ["rg", "-n", "parseConfig", "src", "-i"],
      "ParseConfig",
    ],
    [
      ["rg", "-S", "maxSize"],
      /^1 match in src\/config\.ts uses another naming convention; search for MAX_SIZE$/,
      ["rg", "-S", "MAX_SIZE"],
      "src/config.ts",
    ],
    [
      ["rg", "built"],
      /^1 match in dist\/out\.js is excluded by the ignore rule "dist\/" in \.gitignore:1; add --no-ignore, or search dist$/,
      ["rg", "built", "--no-ignore"],
      "dist/out.js",
    ],
    [
      // Git tracks it, which ripgrep does not ask.
      ["rg", "in spite"],
      /^1 match in debug\.log is excluded by the ignore rule "\*\.log" in \.gitignore:2; add --no-ignore, or search debug\.log$/,
      ["rg", "in spite", "debug.log", "-H"],
      "debug.log",
    ],
    [
      ["rg", "ubuntu"],
      /^1 match in \.github\/ci\.yml is in hidden files or directories; add --hidden$/,
      ["rg", "ubuntu", "--hidden"],
      ".github/ci.yml",
    ],
    [
      ["rg", "buried"],
      /^1 match in blob\.dat is in a binary file \(with a NUL byte\); add -a$/,
      ["rg", "buried", "-a"],
      "blob.dat",
    ],
    [
      ["rg", "--max-filesize=1K", "far down"],
      /^1 match in big\.txt is in files over 1024 bytes; drop --max-filesize, or search big\.txt$/,
      ["rg", "far down"],
      "big.txt",
    ],
    [
      ["rg", "-g", "*.TS", "ParseConfig"],
      /^-g '\*\.TS' matches no file: letter case matters; use -g '\*\.ts', which finds 1 match in src\/config\.ts$/,
      ["rg", "-g", "*.ts", "ParseConfig"],
      "src/config.ts",
    ],
    [
      ["rg", "alpha\\|omega"],
      /^1 match in src\/plain\.txt is found by another reading of the pattern; write \| \+ \( \) \{ \} without a backslash$/,
      ["rg", "alpha|omega"],
      "src/plain.txt",
    ],
    [
      ["grep", "-rn", "alpha|omega", "."],
      /^1 match in src\/plain\.txt is found by another reading of the pattern; add -E$/,
      ["grep", "-rn", "alpha|omega", ".", "-E"],
      "src/plain.txt",
    ],
    [
      ["grep", "-rnE", "= \\d+", "src"],
      /^1 match in src\/config\.ts is found by another reading of the pattern; use -P$/,
      ["grep", "-rnP", "= \\d+", "src"],
      "src/config.ts",
    ],
    [
      ["grep", "-rIn", "buried", "."],
      /^1 match in blob\.dat is in a binary file \(with a NUL byte\); add -a$/,
      ["grep", "-rn", "buried", ".", "-a"],
      "blob.dat",
    ],
    [
      ["grep", "-rn", "--include=*.{ts,js}", "ParseConfig", "."],
      /^--include='\*\.\{ts,js\}' matches no file: braces are literal there; use --include for each alternative$/,
      ["grep", "-rn", "--include=*.ts", "--include=*.js", "ParseConfig", "."],
      "src/config.ts",
    ],
    [
      ["git", "grep", "-n", "not tracked"],
      /^1 match in loose\.md is in an untracked file; add --untracked$/,
      ["git", "grep", "-n", "--untracked", "not tracked"],
      "loose.md",
    ],
    [
      ["git", "grep", "-n", "built"],
      /^1 match in dist\/out\.js is excluded by .* and is in an untracked file; add --untracked --no-exclude-standard$/,
      ["git", "grep", "-n", "--untracked", "--no-exclude-standard", "built"],
      "dist/out.js",
    ],
  ];

for (const [search, note, then, file] of CASES) {
  Deno.test(`${search.join(" ")}: what is advised finds it`, async () => {
    await using t = await repository();
    const { code, json, stdout } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.equal(code, 0, stdout);
    const { notes } = json();
    assert.ok(notes.some((one: string) => note.test(one)), stdout);
    assert.equal(await finds(search, file, t.root), false);
    assert.equal(await finds(then, file, t.root), true);
  });
}

Deno.test("a path that does not exist comes with those that are meant", async () => {
  await using t = await repository();
  const { code, json } = await pathgrep(["why", "rg", "alpha", "src/plan.txt"], { cwd: t.root });
  assert.equal(code, 0);
  assert.deepEqual(json().notes, ["src/plan.txt does not exist; similar paths: src/plain.txt"]);
});

Deno.test("without a note the status is 1, and in text each note is a line", async () => {
  await using t = await repository();
  const none = await pathgrep(["why", "--", "rg", "nowhere at all"], { cwd: t.root });
  assert.deepEqual([none.code, none.json()], [1, { notes: [] }]);
  const text = ["why", "--format", "text", "rg", "parseConfig"];
  const one = await pathgrep(text, { cwd: t.root });
  assert.equal(one.stdout, "1 match in src/config.ts differs in letter case; add -i\n");
  const empty = await pathgrep(["why", "--format=text", "rg", "nowhere"], { cwd: t.root });
  assert.deepEqual([empty.code, empty.stdout], [1, ""]);
});

Deno.test("a search that finds something is told what it excludes, not what it means", async () => {
  await using t = await tempTree({
    "a.ts": "needle\n",
    "b.js": "needle\n",
    ".c.ts": "needle\n",
    "d.ts": "Needle\n",
  });
  const { json } = await pathgrep(["why", "rg", "-g", "!*.js", "needle"], { cwd: t.root });
  assert.deepEqual(json().notes, [
    "1 match in d.ts differs in letter case; add -i",
    "1 match in .c.ts is in hidden files or directories; add --hidden",
  ]);
});

Deno.test("an empty alternative matches everything, as it does in ripgrep", async () => {
  await using t = await tempTree({ "a.txt": "text\n", ".b": "more\n" });
  const { code, json } = await pathgrep(["why", "rg", "a||b"], { cwd: t.root });
  assert.deepEqual([code, json()], [1, { notes: [] }]);
});

Deno.test("what cannot be read exactly is left alone, and the part is named", async () => {
  await using t = await repository();
  const cases: [command: string[], part: RegExp][] = [
    [["rg", "--pre", "cat", "x"], /--pre is not supported/],
    [["rg", "-z", "x"], /-z is not supported/],
    [["rg", "--hid", "x"], /--hid is not supported/],
    [["rg", "-f", "list", "x"], /-f is not supported/],
    [["rg", "-U", "x"], /-U is not supported/],
    [["rg", "(?x) a", "."], /\(\?x in the pattern is not supported/],
    [["rg", "a(?=b)"], /\(\?= in the pattern is not supported/],
    [["rg", "[a&&b]"], /&& in the pattern is not supported/],
    [["rg", "x", "-g", "/src/**"], /-g \/src\/\*\* is not supported/],
    [["rg", "x", "src", "-g", "src/*.ts"], /the place in .* is not supported/],
    [["rg", "x", "-"], /standard input is not supported/],
    [["rg", "x", "/etc"], /a path outside the workspace, is not supported/],
    [["rg", "x", "../other"], /a path outside the workspace, is not supported/],
    [["rg", "-m0", "x"], /-m 0 is not supported/],
    [["rg", "-A", "foo", "bar"], /-A foo is not supported/],
    [["rg", "--files"], /--files is not supported/],
    [["rg", "x", "-A"], /-A without a value is not supported/],
    [["grep", "x", "src"], /the directory src without -r is not supported/],
    [["grep", "x"], /standard input is not supported/],
    [["grep", "-rf", "list", "."], /-f is not supported/],
    [["grep", "-rz", "x", "."], /-z is not supported/],
    [["./rg", "x"], /\.\/rg is not supported/],
    [["grep", "-r", "--exclude-", "x", "y", "."], /--exclude- is not supported/],
    [["grep", "-r", "--no", "x", "."], /--no is not supported/],
    [["grep", "-r", "[[.a.]]", "."], /\[\. in the pattern is not supported/],
    [["grep", "-rE", "a**", "."], /a repetition of a repetition/],
    [["grep", "-rP", "\\Kx", "."], /\\K in the pattern is not supported/],
    [["grep", "-r", "--include=*.ts", "--exclude=a*", "x", "."], /--include with --exclude/],
    [["git", "grep", "x", "HEAD"], /HEAD, which may be a revision, is not supported/],
    [["git", "grep", "--cached", "x"], /--cached is not supported/],
    [["git", "grep", "x", "-i"], /-i after an operand is not supported/],
    [["git", "grep", "x", "--", ":(top)src"], /the pathspec :\(top\)src is not supported/],
    [["git", "log"], /a git command other than `git grep` is not supported/],
    [["ugrep", "-r", "\\d", "."], /an escape or a class in a ugrep pattern is not supported/],
    [["ls"], /ls is not supported/],
    [["constructor"], /constructor is not supported/],
    [[], /an empty command is not supported/],
  ];
  for (const [command, part] of cases) {
    const { code, stdout } = await pathgrep(["why", "--", ...command], { cwd: t.root });
    assert.equal(code, 2, `${command.join(" ")}: ${stdout}`);
    assert.match(JSON.parse(stdout).error, part, command.join(" "));
  }
});

Deno.test("ripgrep's configuration file changes what it searches: then nothing is said", async () => {
  await using t = await repository();
  const env = { RIPGREP_CONFIG_PATH: "/dev/null" };
  const run = async (...command: string[]) =>
    await pathgrep(["why", "--", ...command], { cwd: t.root, env });
  const refused = await run("rg", "parseConfig");
  assert.equal(refused.code, 2);
  assert.match(refused.json().error, /RIPGREP_CONFIG_PATH/);
  assert.equal((await run("rg", "--no-config", "parseConfig")).code, 0);
  assert.equal((await run("grep", "-r", "parseConfig", ".")).code, 0);
});

Deno.test("what git's configuration says of grep is not guessed", async () => {
  await using t = await repository();
  await sh("git config grep.patternType perl", t.root);
  const { code, json } = await pathgrep(["why", "git", "grep", "parseConfig"], { cwd: t.root });
  assert.equal(code, 2);
  assert.match(json().error, /git's configuration is not supported/);
});

Deno.test("what the guard blocks is in no note", async () => {
  await using t = await tempTree({ ".env": "SECRET=needle\n", "secret.pem": "needle\n" });
  const { code, stdout } = await pathgrep(["why", "rg", "needle"], { cwd: t.root });
  assert.deepEqual([code, JSON.parse(stdout)], [1, { notes: [] }]);
  const named = await pathgrep(["why", "rg", "needle", ".env"], { cwd: t.root });
  assert.equal(named.code, 2);
  assert.match(named.json().error, /permission denied by policy/);
});
