/**
 * The package as users get it: published by `deno publish` to a registry on loopback, and run from
 * there with an empty cache each time. What it needs from npm comes from npm.
 *
 * @module
 */

import * as esbuild from "esbuild";
import assert from "node:assert/strict";
import { importsOf } from "../docs/imports.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { CHECKOUT } from "../support/run.ts";
import { largeProject } from "./directories.ts";
import { machine, type Ran, SPECIFIER } from "./machine.ts";
import { EXPORTS, publishedPackage, VERSION } from "./registry.ts";
import { test, testNeeding } from "../support/needs.ts";

/** The command line, as the documentation names it. */
const CLI = `${SPECIFIER}/cli`;

test.slow("deno publish takes the package as it is, without a warning, with the library, the command line and their papers", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: CHECKOUT,
    env: { NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  assert.deepEqual(said.match(/^warning.*\n.*/gm), null);
  const shipped = [...said.matchAll(/^ +file:\/\/(.*) \([\d.]+[KM]?B\)$/gm)].map(([, path]) =>
    path!.slice(CHECKOUT.length)
  );
  for (const path of ["mod.ts", "cli.ts", "deno.json", "README.md", "LICENSE", "CHANGELOG.md"]) {
    assert.ok(shipped.includes(path), path);
  }
  const others = shipped.filter((path) => path.includes("/"));
  assert.ok(others.length > 50, "the sources are there");
  assert.deepEqual(others.filter((path) => !/^src\/[^.]+(\.as)?\.ts$/.test(path)), []);
});

test.slow("from a registry, with an empty cache", async (t) => {
  await using registry = await publishedPackage();

  await t.step("the command line runs with -A, under each of its names", async () => {
    await using user = await machine(registry, { "src/a.ts": "const needle = 1;\n" });
    for (const name of [CLI, SPECIFIER, `${SPECIFIER}@${VERSION}/cli`]) {
      const found = await user.run(["deno", "run", "-A", name, "needle"]);
      assert.equal(found.code, 0, found.stderr);
      assert.equal(found.stderr, "");
      assert.deepEqual(found.json().matches, [{
        file: user.tree.path("project/src/a.ts"),
        line_number: 1,
        line: "const needle = 1;",
      }]);
      assert.equal((await user.run(["deno", "run", "-A", name, "absent"])).code, 1);
    }
    const version = await user.run(["deno", "run", "-A", SPECIFIER, "--version"]);
    assert.equal(version.stdout, `pathgrep ${VERSION}\n`);
  });

  await t.step(
    "reading the workspace is enough, and once cached no network is needed",
    async () => {
      await using user = await machine(registry, largeProject());
      const workspace = user.tree.path("project");
      const args = ["needle", "-l", "--max-results=9999", "--workspace", workspace, "--stats"];
      const least = ["deno", "run", "--no-prompt", "--cached-only", `--allow-read=${workspace}`];
      assert.equal((await user.run(["deno", "cache", CLI])).code, 0);
      let threads = 0;
      // On a busy machine the main thread may be done before a worker is ready.
      for (let run = 0; run < 5 && threads < 2; run++) {
        const found = await user.run([...least, CLI, ...args]);
        assert.equal(found.code, 0, found.stdout + found.stderr);
        assert.equal(found.stderr, "");
        assert.equal(found.json().count, 6500);
        threads = found.json().stats.threads;
      }
      if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
    },
  );

  await t.step("an agent imports the library and needs no more than the workspace", async () => {
    await using user = await machine(registry, {
      "a.ts": "needle\n",
      "agent.ts": `import { GrepTool, search, Workspace } from "${SPECIFIER}";
const workspace = await Workspace.open(".");
const query = { pattern: "n.edle", include: "a.ts" };
const { count } = await search(query, { workspace });
const answer = await new GrepTool({ workspace }).execute({ ...query, paths: "relative" });
console.log(JSON.stringify([count, answer]));
`,
    });
    const workspace = user.tree.path("project");
    const ran = await user.run(
      ["deno", "run", "--check", "--no-prompt", `--allow-read=${workspace}`, "agent.ts"],
    );
    assert.equal(ran.code, 0, ran.stderr);
    const [count, answer] = ran.json();
    assert.equal(count, 1);
    assert.deepEqual(answer.matches, [{ file: "a.ts", line_number: 1, line: "needle" }]);
  });

  await t.step("the MCP server answers on standard input and output", async () => {
    await using user = await machine(registry, { "a.ts": "needle\n" });
    const message = (id: number | undefined, method: string, params: object = {}) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
    const { code, stdout, stderr } = await user.run(
      ["deno", "run", "--no-prompt", `--allow-read=${user.tree.path("project")}`, CLI, "mcp"],
      message(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }) + message(undefined, "notifications/initialized") +
        message(2, "tools/call", { name: "grep", arguments: { pattern: "needle" } }),
    );
    assert.equal(code, 0, stderr);
    const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    const byId = (id: number) => answers.find((answer) => answer.id === id).result;
    assert.equal(byId(1).serverInfo.name, "pathgrep");
    assert.match(byId(2).content[0].text, /^a\.ts\n1:needle\n\n1 match in 1 file/);
  });

  await t.step("deno install -g makes it a command", async () => {
    await using user = await machine(registry, { "a.ts": "needle\n" });
    const installed = await user.run(
      [
        "deno",
        "install",
        "-g",
        "-A",
        "-n",
        "pathgrep",
        "--root",
        user.tree.path("root"),
        CLI,
      ],
    );
    assert.equal(installed.code, 0, installed.stderr);
    const found = await user.run([user.tree.path("root/bin/pathgrep"), "needle", "--format=text"]);
    assert.equal(found.stdout, "a.ts:1:needle\n");
    assert.equal(found.code, 0);
  });
});

/** The most modules that are evaluated: every one of them makes each start longer. */
const MAX_MODULES = { library: 137, fileSearch: 109 };

test.slow("the published package evaluates few modules, and the library none of the command line's", async () => {
  const mark = (path: string, text: string) => `console.log("evaluated ${path}");\n${text}`;
  await using registry = await publishedPackage(mark);
  await using user = await machine(registry, {
    "a.txt": "needle\n",
    "agent.ts": `import { search } from "${SPECIFIER}";\nconsole.log(typeof search);\n`,
  });
  const evaluated = ({ stdout }: Ran) =>
    [...stdout.matchAll(/^evaluated (.*)$/gm)].map(([, path]) => path!);

  const imported = await user.run(["deno", "run", "--no-prompt", "agent.ts", "needle"]);
  assert.equal(imported.code, 0, imported.stderr);
  const modules = evaluated(imported);
  assert.ok(modules.includes("/mod.ts") && modules.includes("/src/search/search.ts"));
  assert.deepEqual(modules.filter((path) => /^\/(cli\.ts|src\/(cli|mcp)\/)/.test(path)), []);
  assert.ok(modules.length <= MAX_MODULES.library, `${modules.length}: ${modules.join(" ")}`);

  const run = await user.run(["deno", "run", "--no-prompt", SPECIFIER, "--version"]);
  assert.ok(
    evaluated(run).includes("/src/cli/main.ts"),
    "running mod.ts is running the command line",
  );

  const found = await user.run(["deno", "run", "--allow-read=.", CLI, "needle", "a.txt"]);
  assert.equal(found.code, 0, found.stderr);
  const used = evaluated(found);
  assert.ok(used.length <= MAX_MODULES.fileSearch, `${used.length}: ${used.join(" ")}`);
});

/**
 * The files of the package that JSR makes for npm: of each module that `exports` lead to, types included,
 * one in JavaScript beside it.
 */
async function filesForNpm(): Promise<Record<string, string | Uint8Array>> {
  await using registry = await publishedPackage();
  const graph = await importsOf(...Object.values(EXPORTS).map((path) => path.slice("./".length)));
  const files: Record<string, string | Uint8Array> = {};
  for (const [path, bytes] of registry.files) {
    const name = path.slice(1);
    files[name] = bytes;
    if (!graph.has(name)) continue;
    files[name] = new TextDecoder().decode(bytes)
      .replaceAll(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"');
    // Without `using`, which Node.js 22 lacks.
    const { code } = await esbuild.transform(files[name], { loader: "ts", target: "node22" });
    files[name.replace(/ts$/, "js")] = code;
  }
  await esbuild.stop();
  const exports = Object.entries(EXPORTS).map(([key, path]) => [key, path.replace(/ts$/, "js")]);
  return {
    ...files,
    "package.json": JSON.stringify({ type: "module", exports: Object.fromEntries(exports) }),
  };
}

testNeeding("nodes").slow(
  "Node.js runs what JSR makes of the library for npm, with its threads",
  async () => {
    const files = Object.entries(await filesForNpm());
    await using tree = await tempTree({
      ...largeProject(),
      ...Object.fromEntries(
        files.map(([path, file]) => [`../node_modules/@jsr/pathgrep/${path}`, file]),
      ),
      "../app.mjs": `import { Searcher, Workspace } from "@jsr/pathgrep";
      const searcher = new Searcher({ workspace: await Workspace.open(process.argv[2]) });
      const query = { pattern: "needle", outputMode: "file", maxResults: 9999, stats: true };
      const { count, stats, notes } = await searcher.search(query);
      console.log(count, stats.threads > 0, notes);
      await searcher[Symbol.asyncDispose]();\n`,
    });
    for (const node of await nodeDirectories()) {
      const words = [tree.path("../app.mjs"), tree.root];
      const { stdout, stderr } = await spawn(`${node}/node`, words, { limit: 60_000 });
      assert.deepEqual([stdout, stderr], ["6500 true undefined\n", ""]);
    }
  },
);
