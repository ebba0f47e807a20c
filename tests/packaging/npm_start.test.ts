/**
 * What the npm package loads before it works: of its own modules and of Node.js'.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { hookEvent, packedPackage } from "./npm_package.ts";

const test = testNeeding("nodes");
const NODES = await nodeDirectories();

/** Writes at the end which modules of Node.js its own start had not loaded. */
const LOADED = `const own = process.moduleLoadList.length;
process.on("exit", () => require("fs").writeFileSync(process.env.LOADED,
  process.moduleLoadList.slice(own).map((name) => name.split(" ").pop()).join("\\n")));\n`;

test.slow("a search of one file loads no streams, sockets, threads or ciphers of Node.js", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree({ "a.txt": "needle\n", "../loaded.cjs": LOADED });
  const file = tree.path("../loaded");
  const launcher = `${directory}/pathgrep.cjs`;
  // A directory of sockets without any, as a server leaves it behind.
  await tree.write({ "../cache/pathgrep/": null });
  const env = { LOADED: file, XDG_CACHE_HOME: tree.path("../cache"), XDG_RUNTIME_DIR: "" };
  for (const node of NODES) {
    const words = ["--require", tree.path("../loaded.cjs"), launcher, "needle", "a.txt"];
    const { stdout } = await spawn(`${node}/node`, words, { cwd: tree.root, env });
    assert.equal(JSON.parse(stdout).count, 1);
    const loaded = (await Deno.readTextFile(file)).split("\n");
    const slow =
      /^(?:stream|net|tty|worker_threads|child_process|crypto|internal\/(?:webstreams|crypto)\/.*)$/;
    assert.deepEqual(loaded.filter((name) => slow.test(name)), [], node);
  }
});

test.slow("it works in the first versions of Node.js 22, which give modules by no function", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree({
    "a.txt": "needle\n",
    "../first.cjs": "delete process.getBuiltinModule;\n",
    "../app.mjs": `import { search, Workspace } from ${JSON.stringify(`${directory}/lib/mod.js`)};
      const workspace = await Workspace.open(process.argv[2]);
      console.log((await search({ pattern: "needle" }, { workspace })).count);\n`,
  });
  const first = ["--require", tree.path("../first.cjs")];
  const rows: [words: string[], output: RegExp][] = [
    [[`${directory}/pathgrep.cjs`, "needle", "a.txt"], /"count":1/],
    [[`${directory}/pathgrep.cjs`, "(a+)+b", "a.txt", "--engine", "grep"], /"count":0|"error"/],
    [[tree.path("../app.mjs"), tree.root], /^1$/m],
  ];
  for (const [words, output] of rows) {
    const done = await spawn(`${NODES[0]}/node`, [...first, ...words], { cwd: tree.root });
    assert.match(done.stdout, output, done.stderr);
    assert.equal(done.stderr, "");
  }
});

/** Copies only these files of the package. */
async function copyOf(tree: Tree, files: RegExp): Promise<string> {
  const { directory } = await packedPackage();
  for (const { name } of Deno.readDirSync(`${directory}/lib`)) {
    if (files.test(name)) {
      await tree.write({
        [`package/lib/${name}`]: await Deno.readTextFile(`${directory}/lib/${name}`),
      });
    }
  }
  for (const name of ["package.json", "pathgrep.cjs"]) {
    await tree.write({ [`package/${name}`]: await Deno.readTextFile(`${directory}/${name}`) });
  }
  return tree.path("package/pathgrep.cjs");
}

test.slow("a search of one file loads one file, and no other command's", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  // Threads are looked for, but not started.
  const launcher = await copyOf(tree, /^(?:load|command-\w+)\.cjs$|worker/);
  const command = [...Deno.readDirSync(tree.path("package/lib"))].find(({ name }) =>
    name.startsWith("command-")
  )!;
  const { size } = Deno.statSync(tree.path(`package/lib/${command.name}`));
  assert.ok(size < 320_000, `${size} bytes`);
  for (const node of NODES) {
    const run = (...args: string[]) =>
      spawn(`${node}/node`, [launcher, ...args], { cwd: tree.root });
    const found = await run("needle", "a.txt");
    assert.deepEqual([JSON.parse(found.stdout).count, found.stderr], [1, ""]);
  }
});

test.slow("a hook starts nothing more unless its event is about a search", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const launcher = await copyOf(tree, /^hook_start\.cjs$/);
  const searches = ["rg Needle", "grep -rn Needle ."];
  const others = [
    hookEvent("ls -la"),
    hookEvent("rg Needle | sh"),
    "",
    "no JSON",
    "[]",
    "\u{FEFF}{}",
  ];
  const [large] = searches.map((line) => hookEvent(line) + " ".repeat(1 << 20));
  for (const node of NODES) {
    const run = (stdin: string) =>
      spawn(`${node}/node`, [launcher, "hook"], { stdin, cwd: tree.root });
    for (const event of [...others, large!]) {
      const done = await run(event);
      assert.deepEqual([done.code, done.stdout, done.stderr], [0, "", ""], event.slice(0, 99));
    }
    for (const line of searches) {
      const { code, stderr } = await run(hookEvent(line));
      assert.deepEqual([code, /load\.cjs/.test(stderr)], [0, true], "which this copy lacks");
    }
  }
});

test.slow("a hook that gets no event ends by itself", async () => {
  const { directory } = await packedPackage();
  for (const node of NODES) {
    const child = new Deno.Command(`${node}/node`, {
      args: [`${directory}/pathgrep.cjs`, "hook"],
      ...{ stdin: "piped", stdout: "null", stderr: "null" },
    }).spawn();
    assert.equal((await child.status).code, 0);
    await child.stdin.close().catch(() => {});
  }
});

const SEARCH = ["needle", "a.txt"];

/** Runs a command with this cache directory. */
async function runCached(tree: Tree, args: readonly string[], env: Record<string, string> = {}) {
  const { directory } = await packedPackage();
  return await spawn(`${NODES[0]}/node`, [`${directory}/pathgrep.cjs`, ...args], {
    cwd: tree.path("project"),
    env: { XDG_CACHE_HOME: tree.path("cache"), NODE_DISABLE_COMPILE_CACHE: "", ...env },
    stdin: "",
  });
}

const modeOf = (path: string) => Deno.lstatSync(path).mode! & 0o777;

test.slow("what a search has compiled is kept for the user alone, and used by the next", async () => {
  await using tree = await tempTree({ "project/a.txt": "needle\n", "cache/": null });
  await Deno.chmod(tree.path("cache"), 0o700);
  for (const args of [["--version"], ["mcp"], ["hook"], ["needle", "gone.txt"], ["tools"]]) {
    if (args[1] === undefined) await runCached(tree, args);
  }
  assert.deepEqual([...Deno.readDirSync(tree.path("cache"))], [], "only a search keeps anything");
  const first = await runCached(tree, SEARCH);
  const kept = tree.path("cache/pathgrep/compiled");
  const [{ name } = { name: "" }, ...others] = Deno.readDirSync(kept);
  assert.deepEqual(others, []);
  const file = `${kept}/${name}`;
  assert.deepEqual(
    [tree.path("cache/pathgrep"), kept, file].map(modeOf),
    [0o700, 0o700, 0o600],
  );
  const { ino, size } = Deno.lstatSync(file);
  assert.deepEqual((await runCached(tree, SEARCH)).stdout, first.stdout);
  assert.equal(Deno.lstatSync(file).ino, ino, "it is used as it is");
  await Deno.writeTextFile(file, "no code");
  assert.deepEqual((await runCached(tree, SEARCH)).stdout, first.stdout);
  assert.ok(Deno.lstatSync(file).size > size / 2, "what V8 refuses is compiled again");
  // Those of other versions go, the oldest first.
  await Deno.remove(file);
  for (const old of [1, 2, 3, 4, 5]) {
    await Deno.writeTextFile(`${kept}/${old}`, "");
    await Deno.utime(`${kept}/${old}`, old, old);
  }
  await runCached(tree, SEARCH);
  assert.deepEqual([...Deno.readDirSync(kept)].map(({ name }) => name).sort(), [
    "3",
    "4",
    "5",
    name,
  ]);
});

/** What makes a cache another user's, or nobody's. */
const UNSAFE: Readonly<Record<string, (cache: string) => Promise<unknown>>> = {
  "is there": (cache) => Deno.remove(cache, { recursive: true }),
  "may be written by others": (cache) => Deno.chmod(cache, 0o777),
  "has a directory that others may enter": (cache) => Deno.chmod(`${cache}/pathgrep`, 0o755),
  "has one below it": (cache) => Deno.chmod(`${cache}/pathgrep/compiled`, 0o770),
  "has a link in its place": async (cache) => {
    await Deno.rename(`${cache}/pathgrep`, `${cache}/elsewhere`);
    await Deno.symlink("elsewhere", `${cache}/pathgrep`);
  },
};

test.slow("nothing is kept or used where another user may write, nor where that is not wanted", async (t) => {
  for (const [name, change] of Object.entries(UNSAFE)) {
    await t.step(`no cache ${name}`, async () => {
      await using tree = await tempTree({
        "project/a.txt": "needle\n",
        "cache/pathgrep/compiled/": null,
      });
      for (const path of ["cache", "cache/pathgrep", "cache/pathgrep/compiled"]) {
        await Deno.chmod(tree.path(path), 0o700);
      }
      await change(tree.path("cache"));
      const before = await spawn("find", ["cache", "-ls"], { cwd: tree.root });
      assert.match((await runCached(tree, SEARCH)).stdout, /"count":1/);
      assert.equal(
        (await spawn("find", ["cache", "-ls"], { cwd: tree.root })).stdout,
        before.stdout,
      );
    });
  }
  await t.step("where the environment forbids it, or names no directory", async () => {
    const { directory } = await packedPackage();
    await using tree = await tempTree({ "project/a.txt": "needle\n", "cache/": null });
    await Deno.chmod(tree.path("cache"), 0o700);
    const home = tree.path("project");
    const rows: Record<string, string>[] = [
      { NODE_DISABLE_COMPILE_CACHE: "1" },
      { XDG_CACHE_HOME: "../cache", HOME: "" },
      { XDG_CACHE_HOME: "", HOME: home },
      { NODE_OPTIONS: ["", directory, home].join(" --allow-fs-read=") + " --permission" },
    ];
    for (const env of rows) {
      assert.match((await runCached(tree, SEARCH, env)).stdout, /"count":1/);
    }
    const found = [...Deno.readDirSync(tree.path("cache")), ...Deno.readDirSync(home)];
    assert.deepEqual(found.map(({ name }) => name), ["a.txt"]);
  });
});

testNeeding("root", "nodes").slow("nothing is used that another user has made", async () => {
  await using tree = await tempTree({ "project/a.txt": "needle\n", "cache/": null });
  await Deno.chmod(tree.path("cache"), 0o700);
  await runCached(tree, SEARCH);
  const kept = tree.path("cache/pathgrep/compiled");
  const [{ name } = { name: "" }] = Deno.readDirSync(kept);
  for (const path of [tree.path("cache"), tree.path("cache/pathgrep"), kept]) {
    await Deno.writeTextFile(`${kept}/${name}`, "no code");
    await Deno.chown(path, 54321, 54321);
    assert.match((await runCached(tree, SEARCH)).stdout, /"count":1/);
    assert.equal(await Deno.readTextFile(`${kept}/${name}`), "no code", path);
    await Deno.chown(path, 0, 0);
  }
});
