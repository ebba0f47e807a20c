/**
 * What the npm package loads before it works: of its own modules and of Node.js'.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { packedPackage } from "./npm_package.ts";

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
