/**
 * The npm package in Bun: packed, installed by Bun, and started by it where there is no Node.js.
 *
 * @module
 */

import assert from "node:assert/strict";
import { hookEvent, packedPackage } from "../packaging/npm_package.ts";
import { INITIALIZE } from "../packaging/machine.ts";
import { testNeeding } from "../support/needs.ts";
import { BUN_VERSION, bunDirectory } from "../support/nodes.ts";
import { spawn, type SpawnOptions } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const test = testNeeding("nodes");

const PROGRAM = `import { PathgrepError, Searcher, Workspace } from "pathgrep";
const required = require("pathgrep");
const workspace = await Workspace.open(process.cwd());
await using searcher = new Searcher({ workspace, cache: "watched" });
const { count, notes } = await searcher.search({ pattern: "needle", path: "a.txt" });
const signal = AbortSignal.abort();
const error = await searcher.search({ pattern: "p" }, { signal }).catch((error) => error);
const refused = await searcher.search({ pattern: "(a)\\\\1" }).catch((error) => error);
console.log(JSON.stringify([
  count, notes, error instanceof PathgrepError, error.code, refused.code,
  required.PathgrepError === PathgrepError,
]));
`;

/** Runs Bun beside the package that it has installed. */
async function installed(tree: Tree) {
  const { file } = await packedPackage();
  const program = `${await bunDirectory()}/bun`;
  const env = { PATH: "/usr/bin:/bin", HOME: tree.path(".."), XDG_CACHE_HOME: "" };
  await tree.write({ "a.txt": "needle\n", "package.json": '{ "name": "app" }', "app.ts": PROGRAM });
  const run = async (args: readonly string[], options?: SpawnOptions) =>
    await spawn(program, args, { cwd: tree.root, limit: 60_000, env, ...options });
  const added = await run(["add", file]);
  assert.equal(added.code, 0, added.stderr);
  return {
    run,
    pathgrep: (args: readonly string[], options?: SpawnOptions) =>
      run(["--bun", "run", "pathgrep", ...args], options),
  };
}

test.slow("in Bun, the installed package is a library, a command, a server and a hook", async (t) => {
  await using tree = await tempTree();
  await Deno.mkdir(tree.path("../.cache"), { mode: 0o700 });
  const { run, pathgrep } = await installed(tree);
  await t.step(
    "the library is imported and required",
    async () => {
      const { stdout, stderr } = await run(["app.ts"]);
      const [count, notes, ...rest] = JSON.parse(stdout);
      assert.equal(count, 1, stderr);
      assert.match(notes.join(), /^the workspace is not watched: only Deno .*; files are checked/);
      assert.deepEqual(rest, [true, "cancelled", "invalid_pattern", true]);
    },
  );
  await t.step("the command searches, and gives statuses", async () => {
    const found = await pathgrep(["needle", "a.txt", "--format", "text"]);
    assert.deepEqual([found.code, found.stdout], [0, "a.txt:1:needle\n"], found.stderr);
    const counted = await pathgrep(["^(?:n|e)+", "--format", "text", "-c", "a.txt"]);
    assert.equal(counted.stdout, "a.txt:1\n", counted.stderr);
    assert.equal((await pathgrep(["absent", "a.txt", "-q"])).code, 1);
    const refused = await pathgrep(["(e)\\1", "a.txt", "--format", "text"]);
    assert.match(refused.stderr, /^pathgrep: invalid pattern: Bun may miss .*Node\.js or Deno$/ms);
    const served = await pathgrep(["serve", "--format", "text"]);
    assert.match(served.stderr, /^pathgrep: invalid input: serve needs Deno, and this is Bun\n/m);
    assert.equal(JSON.parse((await pathgrep(["doctor"])).stdout).versions.bun, BUN_VERSION);
  });
  await t.step("the server answers", async () => {
    const { stdout, stderr } = await pathgrep(["mcp"], { stdin: INITIALIZE });
    assert.equal(JSON.parse(stdout).result.serverInfo.name, "pathgrep", stderr);
  });
  await t.step("the hook says what a search missed", async () => {
    const stdin = hookEvent("rg NEEDLE a.txt", tree.root);
    const hooked = await pathgrep(["hook"], { stdin });
    assert.equal(hooked.code, 0);
    assert.match(hooked.stdout, /letter case/, hooked.stderr);
    const other = await pathgrep(["hook"], { stdin: hookEvent("ls", tree.root) });
    assert.deepEqual([other.code, other.stdout], [0, ""]);
  });
  await t.step("one line says that Bun is too old", async () => {
    await tree.write({
      "../old.cjs": `const versions = { ...process.versions, bun: "1.3.14" };
        Object.defineProperty(process, "versions", { value: versions });\n`,
    });
    const launcher = tree.path("node_modules/pathgrep/pathgrep.cjs");
    const old = ["--preload", tree.path("../old.cjs")];
    const line = "it needs Bun 1.4 or later, and this is 1.3.14\n";
    for (const [command, code] of [["mcp", 2], ["needle", 2], ["hook", 0]] as const) {
      const started = await run([...old, launcher, command]);
      assert.deepEqual([started.code, started.stderr], [code, `pathgrep: ${line}`]);
    }
    const imported = await run([...old, "app.ts"]);
    assert.match(imported.stderr, /pathgrep needs Bun 1\.4 or later, and this is 1\.3\.14/);
  });
  await t.step("nothing that it compiles is kept", () => {
    assert.throws(() => Deno.statSync(tree.path("../.cache/pathgrep")), Deno.errors.NotFound);
  });
});
