/**
 * The npm package's launcher: what Node.js permits each command, and which signals end it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { encode, spawn } from "../support/spawn.ts";
import { INITIALIZE } from "./machine.ts";
import { hookEvent, installedPackage, installGlobally } from "./npm_package.ts";

const test = testNeeding("nodes");
const NODES = await nodeDirectories();

/** Tries what Node.js may forbid, on the main thread and on another, and writes what it permits. */
const TRYING = `
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { isMainThread, parentPort, Worker } = require("node:worker_threads");
const tries = {
  read: () => fs.lstatSync("/"),
  write: () => fs.writeFileSync(process.env.PLACE, ""),
  run: () => { if (spawnSync("true").error) throw spawnSync("true").error; },
  load: () => process.dlopen({ exports: {} }, "/nonexistent.node"),
  thread: () => isMainThread && new Worker(__filename).on("message", (text) =>
    console.log("thread: " + text)),
};
const granted = Object.keys(tries).filter((name) => {
  try {
    tries[name]();
  } catch (error) {
    return !["ERR_ACCESS_DENIED", "ERR_DLOPEN_DISABLED"].includes(error.code);
  }
  return true;
});
if (isMainThread) exports.start = () => console.log(granted.join(" "));
else parentPort.postMessage(granted.join(" "));
`;

test.slow("mcp and hook may read and have threads, which may no more, and nothing else", async () => {
  const { tree, pathgrep } = await installGlobally();
  await tree.write({ "prefix/lib/node_modules/pathgrep/lib/load.cjs": TRYING });
  const confined = "read thread\nthread: read thread\n";
  const free = "read write run load thread\nthread: read write run load thread\n";
  const PLACE = tree.path("written");
  // Nothing that the environment permits counts.
  const options = "--permission --allow-fs-read=* --allow-fs-write=* --allow-child-process";
  for (const node of NODES) {
    const rows = [["mcp", confined], ["hook", confined], ["--workspace . mcp", confined]] as const;
    for (const [args, granted] of rows) {
      for (const NODE_OPTIONS of ["", options]) {
        const words = [pathgrep, ...args.split(" ")];
        const env = { PLACE, NODE_OPTIONS };
        const done = await spawn(`${node}/node`, words, { env, stdin: hookEvent("rg Needle") });
        assert.equal(done.stdout, granted, done.stderr);
        if (NODE_OPTIONS === "") assert.equal(done.stderr, "");
      }
    }
    const done = await spawn(`${node}/node`, [pathgrep, "needle"], { env: { PLACE } });
    assert.equal(done.stdout, free);
  }
});

test.slow("it searches where nothing but the directory and the package may be read", async () => {
  const { tree, project, pathgrep } = await installedPackage();
  const program = await Deno.realPath(pathgrep);
  const reads = [project, tree.path("prefix")].map((path) => `--allow-fs-read=${path}`);
  for (const node of NODES) {
    for (const [workspace, code] of [[project, 0], [tree.root, 2]] as const) {
      const words = ["--permission", ...reads, program, "needle", "--workspace", workspace];
      const done = await spawn(`${node}/node`, words, { cwd: project });
      assert.equal(done.code, code, done.stdout + done.stderr);
      if (code === 2) assert.ok(done.stdout.includes(`without --allow-fs-read=${workspace}`));
    }
  }
});

test.slow("a signal ends it, and the shell sees which", async () => {
  const { pathgrep, project } = await installedPackage();
  for (const node of NODES) {
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
      const server = new Deno.Command(`${node}/node`, {
        args: [pathgrep, "mcp"],
        cwd: project,
        ...{ stdin: "piped", stdout: "piped", stderr: "null" },
      }).spawn();
      const writer = server.stdin.getWriter();
      await writer.write(encode(INITIALIZE));
      const reader = server.stdout.getReader();
      await reader.read();
      server.kill(signal);
      const status = await server.status;
      assert.deepEqual([status.signal, status.code], [signal, code]);
      await writer.close().catch(() => {});
      await reader.cancel();
    }
  }
});

test.slow("each command works", async () => {
  const { run, tree, project } = await installedPackage();
  await tree.write({ "project/.ignore": "ignored\n", "project/ignored": "needle\n" });
  const rows: [args: string, output: RegExp, stdin?: string][] = [
    ["needle --paths relative", /"file":"a.txt"/],
    ["files --paths relative", /"a.txt"/],
    ["call grep", /"count":1/, '{"pattern": "needle"}'],
    ["resolve A.txt --field x", /"suggestions":\["a.txt"\]/],
    ["why -- rg needle", /ignored/],
    ["hook", /"additionalContext":".*letter case/, hookEvent("rg Needle", project)],
    ["tools", /"name": "grep"/],
    ["prompt", /path/],
    ["completions bash", /complete /],
    ["completions zsh", /compdef/],
    ["completions fish", /complete /],
    ["__complete --sor", /^--sort\t/m],
    ["needle --engine git --stats", /"engine":"git"/],
    ["needle --engine grep --stats", /"engine":"grep"/],
    ["serve --status", /"running":false/],
    ["--format json --workspace=. serve --status", /"running":false/],
  ];
  for (const [args, output, stdin] of rows) {
    const { stdout, stderr } = await run(args.split(" "), { stdin });
    assert.match(stdout, output, args + stderr);
    assert.equal(stderr, "", args);
  }
  const preferred = await run(["-c", "needle"], { env: { PATHGREP_FORMAT: "text" } });
  assert.equal(preferred.stdout, "a.txt:1\n");
  const { permissions, engines, warnings, least_privilege } = JSON.parse(
    (await run(["doctor"])).stdout,
  );
  assert.deepEqual([warnings, least_privilege], [undefined, undefined], "those are of Deno");
  assert.equal(engines.git.available, true);
  assert.equal(permissions.read, "granted");
  const configured = await run(["why", "--", "rg", "needle"], {
    env: { RIPGREP_CONFIG_PATH: "x" },
  });
  assert.equal(configured.code, 2, "what rg would read as its options is not known");
});
