/**
 * What `deno task compile` puts into the program. The compiler itself fetches its runtime from the
 * network and is not run here: the release workflow runs it, and the program, on every system.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const { imports, tasks } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`)) as {
  imports: Record<string, string>;
  tasks: Record<string, string>;
};
const words = tasks["compile"]!.split(" ");

/** One module of the graph, as `deno info --json` shows it. */
interface Module {
  specifier: string;
  error?: string;
  dependencies?: { specifier: string; code?: { specifier?: string; error?: string } }[];
}

/** The modules that are embedded: those that the entry point and each `--include` lead to. */
function embedded(): Promise<Map<string, Module>> {
  const included = words.filter((_, index) => words[index - 1] === "--include");
  return modulesOf(...included, words.at(-1)!);
}

/** The modules that entry points lead to, by their addresses. */
async function modulesOf(...entries: string[]): Promise<Map<string, Module>> {
  const graph = new Map<string, Module>();
  for (const entry of entries) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: CHECKOUT,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: Module[] };
    for (const module of modules) graph.set(module.specifier, module);
  }
  return graph;
}

/** Every module of the checkout's sources. AssemblyScript is none. */
async function sources(directory = "src"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(CHECKOUT + directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) found.push(...await sources(path));
    else if (/(?<!\.as)\.ts$/.test(name)) found.push(path);
  }
  return found;
}

Deno.test("what is loaded late is embedded: rare commands, and the workers' modules", async () => {
  const [graph, library] = await Promise.all([embedded(), modulesOf("mod.ts")]);
  const files = await sources();
  assert.ok(files.length > 50);
  let workers = 0;
  for (const path of files) {
    const address = `file://${CHECKOUT}${path}`;
    assert.ok(graph.has(address) || library.has(address), `${path} is used`);
    const text = await Deno.readTextFile(CHECKOUT + path);
    for (const [, name] of text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)) {
      workers++;
      assert.ok(graph.has(new URL(name!, address).href), `${name} of ${path}`);
    }
  }
  assert.ok(workers > 0);
  for (const { specifier, error, dependencies = [] } of graph.values()) {
    assert.equal(error, undefined, specifier);
    for (const { code } of dependencies) assert.equal(code?.error, undefined, specifier);
  }
});

test.slow("of npm packages the program embeds what MCP needs, in the version of deno.json, and no more", async () => {
  await using tree = await tempTree();
  // Any program stands in for the runtime that the compiler would fetch: what is embedded is the same.
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: words.slice(1).map((word) => word === "pathgrep" ? tree.path(word) : word),
    cwd: CHECKOUT,
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  const npm = said.split("\n").filter((line) => /^│/.test(line)).join("\n");
  const packages = [...npm.matchAll(/─┬? (@?[a-z][\w./-]*?)(?:\/\*| \()/g)].map(([, name]) =>
    name!
  );
  assert.deepEqual(packages, ["localhost", "@modelcontextprotocol", "core", "server", "zod/4.6.7"]);
  const included = words.filter((_, index) => words[index - 1] === "--include");
  assert.ok(included.includes(imports["@modelcontextprotocol/server"]!));
});

Deno.test("the programs for other systems are compiled just as that for this one", () => {
  const { compile, "compile:target": target } = tasks;
  assert.equal(
    target,
    compile!.replace("--output pathgrep", "--target $TARGET --output pathgrep-$TARGET"),
  );
});

test.slow("with the permissions of the program every engine and command works", async () => {
  const permissions = words.filter((word) => /^(-A|--allow-|--no-prompt)/.test(word));
  assert.ok(permissions.length > 0);
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const run = (args: string[], stdin = "") =>
    pathgrep(args, { cwd: tree.root, permissions, stdin });
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
