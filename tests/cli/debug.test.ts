/** `PATHGREP_DEBUG=1`: what was excluded by which rule, and where an unexpected error comes from. */
import assert from "node:assert/strict";
import { Resident } from "../resident/resident.ts";
import { CLI, pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const ON = { PATHGREP_DEBUG: "1" };
const PREFIX = "pathgrep: debug: ";

/** The lines of a debugged process without their prefix and with relative paths, in order. */
function linesIn(stderr: string, root: string): string[] {
  const lines = stderr.trimEnd().split("\n");
  for (const line of lines) assert.ok(line.startsWith(PREFIX), line);
  return lines.map((line) => line.slice(PREFIX.length).replace(`${root}/`, "").replace(root, "."))
    .sort();
}

const TREE = {
  ".gitignore": "*.log\nbuild/\n",
  ".aiignore": "private/\n",
  ".env": "needle\n",
  "a.ts": "needle\n",
  "a.log": "needle\n",
  "binary": new Uint8Array([0x6e, 0]),
  "build/x": "needle\n",
  "latin": new Uint8Array([0x6e, 0xe9, 0x0a]),
  "large.txt": "x".repeat(3000),
  "link": { symlink: "a.ts" },
  "private/secret-name": "needle\n",
  "src/.gitignore": "/gen\n",
  "src/gen/b.ts": "needle\n",
  "src/c.ts": "needle\n",
  "src/id_rsa": "needle\n",
  "tree/.git": "gitdir: ../.git/worktrees/tree\n",
  "tree/d.ts": "needle\n",
};

Deno.test("each thing that a walk leaves out is named with its rule, and nothing else changes", async () => {
  await using tree = await tempTree(TREE);
  const args = ["needle", "--max-file-size", "2000", "--stats"];
  const timeless = (stdout: string) => stdout.replace(/"elapsed_ms":\d+/, "");
  const plain = await pathgrep(args, { cwd: tree.root });
  const debugged = await pathgrep(args, { cwd: tree.root, env: ON });
  assert.equal(plain.stderr, "");
  assert.equal(timeless(debugged.stdout), timeless(plain.stdout));
  assert.equal(debugged.code, plain.code);
  assert.deepEqual(linesIn(debugged.stderr, tree.root), [
    ".: 2 entries blocked",
    "a.log: .gitignore:1: *.log",
    "binary: binary: it contains a NUL byte",
    "build: .gitignore:2: build/",
    "large.txt: larger than --max-file-size",
    "latin: not UTF-8",
    "link: a symbolic link",
    "src/gen: src/.gitignore:1: /gen",
    "src: 1 entry blocked",
    "tree: a git worktree",
  ]);
  for (const name of ["secret-name", "private", ".env", "id_rsa"]) {
    assert.ok(!debugged.stderr.includes(name), name);
  }
});

test.slow("the options that leave something out are named", async () => {
  await using tree = await tempTree({
    ".hidden": "needle\n",
    ".ssh/config": "needle\n",
    "a.ts": "needle\n",
    "b.js": "needle\n",
    "c.md": "needle\n",
    "dist/d.ts": "needle\n",
    "src/deep/e.ts": "needle\n",
    "\x1b[31m.txt": "needle\n",
  });
  const cases: [string[], string[]][] = [
    [["-g", "*.ts"], [
      ".hidden: does not match --include",
      ".: 1 entry blocked",
      "\\x1b[31m.txt: does not match --include",
      "b.js: does not match --include",
      "c.md: does not match --include",
    ]],
    [["--exclude", "dist", "-g", "!*.{md,js}"], [
      ".: 1 entry blocked",
      "b.js: --include: !*.{md,js}",
      "c.md: --include: !*.{md,js}",
      "dist: --exclude: dist",
    ]],
    [["-g", "/src/**"], [
      ".hidden: does not match --include",
      ".: 1 entry blocked",
      "\\x1b[31m.txt: does not match --include",
      "a.ts: does not match --include",
      "b.js: does not match --include",
      "c.md: does not match --include",
      "dist: nothing below it matches --include",
    ]],
    [["-t", "ts", "-t", "js", "-T", "js"], [
      ".hidden: its type is not that of --type",
      ".: 1 entry blocked",
      "\\x1b[31m.txt: its type is not that of --type",
      "b.js: its type is excluded by --type-not",
      "c.md: its type is not that of --type",
    ]],
    [["--no-hidden", "--max-depth", "2"], [
      ".: 1 entry blocked",
      ".hidden: hidden",
      "src/deep: deeper than --max-depth",
    ]],
    [["--deny", "b.*"], [".: 2 entries blocked"]],
  ];
  for (const [args, expected] of cases) {
    for (const command of [["needle"], ["files"]]) {
      const { stderr } = await pathgrep([...command, ...args], { cwd: tree.root, env: ON });
      assert.deepEqual(linesIn(stderr, tree.root), expected.toSorted(), args.join(" "));
      assert.ok(!stderr.includes(".ssh"));
    }
  }
});

test.slow("what is kept from agents is not named by any other rule either", async () => {
  await using tree = await tempTree({
    ".aiignore": ".secret-*\nsecret-*\n",
    ".gitignore": "secret-*\n.env\n",
    ".secret-a": "",
    "secret-b": "",
    "secret-c/x": "",
    "secret-d": { symlink: "a" },
    ".env": "",
    "secret-e/open/x": "needle\n",
    "secret-e/inner": "",
    "a": "needle\n",
  });
  const { code } = await new Deno.Command("mkfifo", { args: [tree.path("secret-f")] }).output();
  assert.equal(code, 0);
  for (
    const args of [
      ["--no-hidden"],
      ["--max-depth", "1"],
      ["-g", "a"],
      ["--follow"],
      ["--no-ignore"],
      ["--no-ignore", "--allow", "secret-*/open/**"],
      ["--allow", "secret-*/open/**", "-g", "nothing"],
    ]
  ) {
    const { stderr } = await pathgrep(["needle", ...args], { cwd: tree.root, env: ON });
    assert.ok(!/secret-[a-df]|inner|\.env/.test(stderr), `${args}: ${stderr}`);
    if (!args.includes("--allow")) assert.ok(!stderr.includes("secret"), `${args}: ${stderr}`);
    assert.match(stderr, /: \d entries blocked\n/);
  }
});

test.slow("the walks of other threads and of other engines are reported, too", async () => {
  await using tree = await tempTree({
    ".gitignore": "*.log\n",
    "a.log": "",
    "d/b.log": "",
    "c": "",
  });
  const lines = ["a.log: .gitignore:1: *.log", "d/b.log: .gitignore:1: *.log"];
  const { stderr } = await pathgrep(["needle", "--engine", "grep"], { cwd: tree.root, env: ON });
  assert.deepEqual(linesIn(stderr, tree.root), lines);
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "grep", arguments: { pattern: "needle" } } },
  ];
  const stdin = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const served = await pathgrep(["mcp"], { cwd: tree.root, env: ON, stdin: stdin.join("") });
  assert.deepEqual(linesIn(served.stderr, tree.root), lines);
  assert.equal(served.rows().length, 2);
});

test.slow("a pipe that ends late has no walk logged but that of the answer", async () => {
  await using tree = await tempTree({ ".gitignore": "*.log\n", "a.log": "", "b": "needle\n" });
  const script = (input: string) => `(sleep $2; ${input}) | "$0" run --quiet -A "$1" needle`;
  // When the program begins to read depends on the machine.
  for (let pause = 0.02; pause < 0.25; pause += 0.015) {
    for (const input of [":", "echo needle"]) {
      const words = ["-c", script(input), Deno.execPath(), CLI, String(pause)];
      const { stdout, stderr } = await spawn("sh", words, { cwd: tree.root, env: ON });
      const isOfInput = stdout.includes("(stdin)");
      const log = isOfInput ? "" : `${PREFIX}${tree.path("a.log")}: .gitignore:1: *.log\n`;
      assert.equal(stderr, log, `${input} after ${pause} s: ${stdout}`);
    }
  }
});

Deno.test("an unexpected error has its stack on standard error", async () => {
  await using tree = await tempTree({ "a": "needle\n" });
  const run = (env: Record<string, string>) =>
    spawn("sh", ["-c", `"$0" run --quiet -A "$1" needle >/dev/full`, Deno.execPath(), CLI], {
      cwd: tree.root,
      env: { NO_COLOR: "1", ...env },
    });
  const plain = await run({});
  assert.match(plain.stderr, /^pathgrep: search failed: No space left on device.*\n$/);
  const debugged = await run(ON);
  assert.equal(debugged.code, 2);
  assert.match(
    debugged.stderr,
    /^pathgrep: debug: Error: No space left on device.*\n(?:pathgrep: debug: {5}at .*\n)+pathgrep: search failed: No space left/,
  );
  // What is expected has none.
  const outside = await pathgrep(["needle", ".."], { cwd: tree.root, env: ON });
  assert.equal(outside.json().code, "path_outside_workspace");
  assert.equal(outside.stderr, "");
});

test.slow("it is off where the variable is empty or 0, or Deno may not read it, and nobody is asked", async () => {
  await using tree = await tempTree({ ".gitignore": "*.log\n", "a.log": "", "b": "needle\n" });
  for (
    const [value, permissions] of [
      ["", ["-A"]],
      ["0", ["-A"]],
      ["1", [`--allow-read=${tree.root}`]],
      ["1", [`--allow-read=${tree.root}`, "--allow-env=PATH"]],
    ] as const
  ) {
    const { code, stderr } = await pathgrep(["needle"], {
      cwd: tree.root,
      env: { PATHGREP_DEBUG: value },
      permissions,
    });
    assert.deepEqual([code, stderr], [0, ""], `${value} ${permissions}`);
  }
  const { stderr } = await pathgrep(["needle"], {
    cwd: tree.root,
    env: ON,
    permissions: [`--allow-read=${tree.root}`, "--allow-env=PATHGREP_DEBUG"],
  });
  assert.deepEqual(linesIn(stderr, tree.root), ["a.log: .gitignore:1: *.log"]);
});

test.slow("a command that is debugged searches by itself where a resident search runs", async () => {
  await using resident = await Resident.on({
    ".gitignore": "*.log\n",
    "a.log": "",
    "b": "needle\n",
  });
  await resident.start();
  const { root } = resident.tree;
  const run = (env: Record<string, string>) =>
    pathgrep(["needle", "--stats"], {
      cwd: root,
      env: { XDG_RUNTIME_DIR: resident.runtime, ...env },
    });
  const [plain, debugged] = [await run({}), await run(ON)];
  assert.equal(plain.json().stats.resident, true);
  assert.equal(plain.stderr, "");
  assert.equal(debugged.json().stats.resident, undefined);
  assert.deepEqual(linesIn(debugged.stderr, root), ["a.log: .gitignore:1: *.log"]);
});

Deno.test("the help names the variable", async () => {
  const { stdout } = await pathgrep(["--help"]);
  assert.match(
    stdout,
    /\nEnvironment:\n {2}PATHGREP_DEBUG=1 +print to standard error which rule excluded each\s+file/,
  );
});
