/**
 * What `deno task compile` puts into the program. The compiler itself fetches its runtime from the
 * network and is not run here: the release workflow runs it, and the program, on every system.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";
import { buildProgram } from "../../npm/bundle.ts";
import { largeProject } from "./directories.ts";

const { tasks } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`)) as {
  tasks: Record<string, string>;
};
const [build, compile] = tasks["compile"]!.split(" && ");
const words = compile!.split(" ");

let built: Promise<string> | undefined;

/** The directory of the bundle, built once. */
function program(): Promise<string> {
  return built ??= (async () => {
    const tree = await tempTree();
    globalThis.addEventListener("unload", () => Deno.removeSync(tree.root, { recursive: true }));
    await buildProgram(tree.path("program"));
    return tree.path("program");
  })();
}

test.slow("the program is made of the bundle, all of it, and of nothing from npm", async () => {
  assert.equal(build, "deno task program");
  assert.equal(words.at(-1), "dist/program/cli.js");
  const directory = await program();
  await using tree = await tempTree({ "dist/": null });
  await spawn("cp", ["-r", directory, tree.path("dist/program")]);
  // Any program stands in for the runtime that the compiler would fetch: what is embedded is the same.
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: words.slice(1),
    cwd: tree.root,
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  const [, list = ""] = said.split("Embedded Files\n");
  const embedded = [...list.matchAll(/^[├└]─[─┬] (\S+) \([\d.]+[KM]?B\)$/gm)].map(([, name]) =>
    name!
  );
  const modules = [...Deno.readDirSync(tree.path("dist/program"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".js"));
  assert.ok(modules.length > 10);
  assert.deepEqual(embedded.sort(), modules.sort(), said);
  assert.deepEqual(list.split("\n").filter((line) => /^│/.test(line)), []);
});

test.slow("in the bundle is all that the sources are made of", async () => {
  const directory = await program();
  const bundled = new Set<string>();
  for (const { name } of Deno.readDirSync(directory)) {
    if (!name.endsWith(".map")) continue;
    const map = await Deno.readTextFile(`${directory}/${name}`);
    for (const source of (JSON.parse(map) as { sources: string[] }).sources) bundled.add(source);
  }
  // The worker's modules are a text in it, and others have types only.
  const worker = await Deno.readTextFile(`${CHECKOUT}src/run/worker.ts`);
  assert.match(worker, /import\("\.\/search_worker\.ts"\)/);
  for (const path of await commandModules()) assert.ok(bundled.has(path), path);
});

test.slow("a search or a listing evaluates nothing of other commands", async () => {
  const directory = await program();
  await using tree = await tempTree({ "a.txt": "needle\n" });
  await spawn("cp", ["-r", directory, tree.path("../lib")]);
  const names = [...Deno.readDirSync(tree.path("../lib"))].map(({ name }) => name);
  const others = names.filter((name) => /^(commands|mcp|rest)-\w+\.js$/.test(name));
  assert.equal(others.length, 3, names.join(" "));
  for (const name of others) await Deno.writeTextFile(tree.path(`../lib/${name}`), "throw 1;\n");
  const lines = [["needle"], ["files"], ["--files"], ["needle", "--format", "text"], [
    "files",
    "-0",
  ]];
  for (const line of lines) {
    const args = ["run", "-A", "--no-config", tree.path("../lib/cli.js"), ...line];
    const { code, stdout, stderr } = await spawn(Deno.execPath(), args, { cwd: tree.root });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /a\.txt/);
  }
});

test.slow("with permission to read the workspace alone, the bundle searches on several threads", async () => {
  const directory = await program();
  await using tree = await tempTree(largeProject());
  const workspace = tree.root;
  const flags = ["run", "--no-config", "--no-prompt", `--allow-read=${workspace}`];
  const search = ["needle", "-l", "--max-results=9999", "--stats", "--workspace", workspace];
  let threads = 0;
  // On a busy machine the main thread may be done before a worker is ready.
  for (let run = 0; run < 5 && threads < 2; run++) {
    const { code, stdout, stderr } = await spawn(
      Deno.execPath(),
      [...flags, `${directory}/cli.js`, ...search],
    );
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(JSON.parse(stdout).count, 6500);
    threads = JSON.parse(stdout).stats.threads;
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
});

/** The modules of commands. */
async function commandModules(): Promise<string[]> {
  const table = await Deno.readTextFile(`${CHECKOUT}src/cli/commands/command_table.ts`);
  const names = [...table.matchAll(/import\("\.\/(\w+\.ts)"\)/g)].map(([, name]) => name!);
  assert.ok(names.length > 8);
  return names.map((name) => `src/cli/commands/${name}`);
}

Deno.test("the programs for other systems are compiled just as that for this one", () => {
  assert.equal(
    tasks["compile:target"],
    tasks["compile"]!.replace("--output pathgrep", "--target $TARGET --output pathgrep-$TARGET"),
  );
});

test.slow("with the permissions of the program every engine and command works", async () => {
  const permissions = words.filter((word) => /^(-A|--allow-|--no-(prompt|config)$)/.test(word));
  assert.ok(permissions.length > 0);
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const module = `${await program()}/cli.js`;
  const run = (args: string[], stdin = "") =>
    pathgrep(args, { cwd: tree.root, permissions, stdin, module });
  for (const engine of ["js", "rg", "git", "grep"]) {
    const { code, json, stderr } = await run(["needle", "--engine", engine, "--stats"]);
    assert.equal(code, 0);
    assert.equal(stderr, "");
    assert.equal(json().stats.engine, engine);
  }
  const called = await run(["call", "grep"], '{"pattern": "needle"}');
  assert.equal(called.json().count, 1, called.stdout);
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const served = await run(["mcp"], `${JSON.stringify(request)}\n`);
  assert.equal(served.json().result.serverInfo.name, "pathgrep", served.stderr);
  const doctor = await run(["doctor"]);
  assert.equal(doctor.code, 0);
  assert.equal(doctor.stderr, "");
});
