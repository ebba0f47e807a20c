/**
 * The npm package as users get it: packed, installed by npm, and started by Node.js in directories of every
 * kind.
 *
 * @module
 */

import assert from "node:assert/strict";
import { buildPackage, DENO_VERSION } from "../../npm/build.ts";
import { CLIENTS, connect } from "../mcp/clients.ts";
import { Resident } from "../resident/resident.ts";
import { CHECKOUT } from "../support/run.ts";
import { test, testNeeding } from "../support/needs.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { largeProject, snapshot, UNTRUSTED } from "./directories.ts";
import { INITIALIZE } from "./machine.ts";
import { installedPackage, installGlobally, npm, packedPackage } from "./npm_package.ts";
import { npmRegistry } from "./npm_registry.ts";
import { VERSION } from "./registry.ts";

const needleIn = (file: string) => `${file}:1:needle\n`;
const SEARCH = ["needle", "a.txt", "--format", "text"];

test.slow("the package has the bundle, its maps, a launcher and papers, and depends on Deno alone", async () => {
  const packed = await packedPackage();
  const { stdout } = await spawn("tar", ["-tzf", packed.file]);
  const files = stdout.trim().split("\n").map((path) => path.slice("package/".length)).sort();
  const papers = ["LICENSE", "README.md", "package.json", "pathgrep.cjs"];
  assert.deepEqual(files.filter((path) => !path.startsWith("lib/")), papers);
  const modules = files.filter((path) => path.endsWith(".js"));
  assert.deepEqual(
    files.filter((path) => path.startsWith("lib/") && !path.endsWith(".map")),
    modules,
  );
  assert.ok(modules.length <= 31, `Deno reads all ${modules.length} before it starts`);
  const read = (path: string) => Deno.readTextFile(`${packed.directory}/${path}`);
  const sources: string[] = [];
  for (const path of modules) {
    const map = JSON.parse(await read(`${path}.map`)) as { sources: string[] };
    sources.push(...map.sources);
    // Nothing tells of the machine that built it.
    assert.ok(!(await read(path) + JSON.stringify(map)).includes(CHECKOUT), path);
  }
  // What is imported is there.
  const entry = `${packed.directory}/lib/cli.js`;
  const info = await spawn(Deno.execPath(), ["info", "--json", "--no-config", entry]);
  const graph = JSON.parse(info.stdout).modules as { specifier: string; error?: string }[];
  const imported = graph.map(({ specifier }) => specifier).filter((name) => !/^node:/.test(name));
  assert.deepEqual(
    imported.sort(),
    modules.map((path) => `file://${packed.directory}/${path}`).sort(),
  );
  assert.deepEqual(graph.filter(({ error }) => error !== undefined), []);
  assert.ok(sources.includes("src/search/search.ts") && sources.includes("cli.ts"));
  assert.deepEqual(
    sources.filter((path) => /^(?!src\/|npm\/|cli\.ts$|deno\.json$)/.test(path)),
    [],
  );
  const { repository, description, keywords, license, ...manifest } = JSON.parse(
    await read("package.json"),
  );
  // Nothing runs when it is installed, and no manager leaves it in an archive.
  assert.deepEqual(manifest, {
    name: "pathgrep",
    version: VERSION,
    type: "module",
    bin: { pathgrep: "pathgrep.cjs" },
    main: "pathgrep.cjs",
    preferUnplugged: true,
    engines: { node: ">=18" },
    dependencies: { deno: DENO_VERSION },
  });
  assert.ok(description.length > 0 && keywords.includes("mcp-server"));
  assert.equal(license, "MIT");
  assert.match(repository.url, /^git\+https:.*\/pathgrep\.git$/);
});

test.slow("the same sources make the same package", async () => {
  await using tree = await tempTree();
  const { directory } = await packedPackage();
  await buildPackage(tree.path("again"));
  const { code, stdout } = await spawn("diff", ["-r", directory, "again"], { cwd: tree.root });
  assert.equal(code, 0, stdout);
});

/** Code that must not run, where npm's Deno would be in a project. */
const PLANTED = 'require("fs").writeFileSync("PLANTED", "");\n';
const DENO = { name: "deno", version: DENO_VERSION, main: "install_api.cjs" };
const MORE: Readonly<Record<string, Record<string, TreeEntry>>> = {
  "a deno of its own": {
    "package.json": JSON.stringify({ name: "app", dependencies: { deno: DENO_VERSION } }),
    "node_modules/deno/package.json": JSON.stringify(DENO),
    "node_modules/deno/install_api.cjs": PLANTED,
    "node_modules/deno/bin.cjs": PLANTED,
    "node_modules/.bin/deno": "#!/bin/sh\ntouch PLANTED\n",
    "node_modules/pathgrep/package.json": JSON.stringify({ name: "pathgrep", main: "x.cjs" }),
    "node_modules/pathgrep/x.cjs": PLANTED,
  },
  "a .env, a .npmrc and a Deno directory": {
    ".env": "DENO_V8_FLAGS=--no-such-flag\nNODE_OPTIONS=--require ./planted.cjs\n",
    ".npmrc": "node-options=--require ./planted.cjs\nregistry=http://127.0.0.1:1/\n",
    "planted.cjs": PLANTED,
    ".deno/": null,
  },
};

test.slow("the installed command obeys nothing in the directory it starts in, nor changes it", async (t) => {
  const installed = await installedPackage();
  const { project } = installed;
  for (const [name, files] of Object.entries({ ...UNTRUSTED, ...MORE })) {
    await t.step(`in a directory with ${name}`, async () => {
      await Deno.remove(project, { recursive: true });
      for (const [path, entry] of Object.entries({ "a.txt": "needle\n", ...files })) {
        await installed.tree.write({ [`project/${path}`]: entry });
      }
      const before = snapshot(project);
      const found = await installed.run(SEARCH);
      assert.deepEqual([found.code, found.stdout], [0, needleIn("a.txt")], found.stderr);
      assert.equal(found.stderr, "");
      const served = await installed.run(["mcp"], { stdin: INITIALIZE });
      assert.equal(JSON.parse(served.stdout).result.serverInfo.name, "pathgrep", served.stderr);
      const rg = await installed.run(["needle", "--engine", "rg"], { env: { PATH: nodeAlone() } });
      assert.match(rg.stdout, /rg is not installed; install ripgrep/, "npm is not asked for it");
      assert.deepEqual(snapshot(project), before);
    });
  }
  await Deno.remove(project, { recursive: true });
  await installed.tree.write({ "project/a.txt": "needle\n" });
});

/** Where Node.js and `env` are. ripgrep is elsewhere, or nowhere. */
function nodeAlone(): string {
  return "/usr/bin:/bin";
}

test.slow("of the environment, what is meant for Deno does not count, and it works without a home", async () => {
  const installed = await installedPackage();
  const before = snapshot(installed.project);
  const clean = (...variables: string[]) =>
    spawn("env", ["-i", `PATH=${nodeAlone()}`, ...variables, installed.pathgrep, ...SEARCH], {
      cwd: installed.project,
    });
  for (
    const variables of [
      [],
      ["HOME="],
      ["HOME=relative", "XDG_CACHE_HOME=cache", "DENO_DIR=cache"],
      ["HOME=/nonexistent", "DENO_DIR=cache", "DENO_COVERAGE_DIR=coverage"],
      ["DENO_V8_FLAGS=--no-such-flag", "DENO_PERMISSION_BROKER_PATH=/nonexistent"],
      ["DENO_TRACE_PERMISSIONS=1", "DENO_UNSTABLE_SLOPPY_IMPORTS=1", "RUST_LOG=trace"],
    ]
  ) {
    const { code, stdout, stderr } = await clean(...variables);
    assert.deepEqual([code, stdout, stderr], [0, needleIn("a.txt"), ""], variables.join(" "));
    assert.deepEqual(snapshot(installed.project), before, variables.join(" "));
  }
});

testNeeding("root", "setpriv").slow(
  "it works for a user whom the system does not know",
  async () => {
    const installed = await installedPackage();
    for (const path of [installed.tree.root, `${installed.tree.root}/..`]) {
      await Deno.chmod(path, 0o755);
    }
    const user = ["setpriv", "--reuid=54321", "--clear-groups", installed.pathgrep, ...SEARCH];
    const { code, stdout, stderr } = await spawn("env", ["-i", `PATH=${nodeAlone()}`, ...user], {
      cwd: installed.project,
    });
    assert.deepEqual([code, stdout, stderr], [0, needleIn("a.txt"), ""]);
  },
);

test.slow("it is found by npx in a project, in a package of a monorepo, and in the registry", async (t) => {
  const packed = await packedPackage();
  await using tree = await tempTree({
    "app/package.json": JSON.stringify({ name: "app", private: true, workspaces: ["packages/*"] }),
    "app/packages/one/package.json": JSON.stringify({ name: "one", type: "commonjs" }),
    "app/packages/one/a.txt": "needle\n",
    "app/a.txt": "needle\n",
    "empty/a.txt": "needle\n",
  });
  const app = tree.path("app");
  await npm(["install", "--save-dev", packed.file], app);
  for (const cwd of [app, `${app}/packages/one`]) {
    await t.step(`in ${cwd.slice(tree.root.length)}`, async () => {
      for (const command of [[`${app}/node_modules/.bin/pathgrep`], ["npx", "pathgrep"]]) {
        const [program = "", ...args] = command;
        const found = await spawn(program, [...args, ...SEARCH], { cwd });
        assert.deepEqual([found.code, found.stdout], [0, needleIn("a.txt")], found.stderr);
      }
    });
  }
  await t.step("from the registry, with an empty cache", async () => {
    await using registry = await npmRegistry();
    const cwd = tree.path("empty");
    const found = await spawn("npx", ["-y", "pathgrep", ...SEARCH], {
      cwd,
      env: { npm_config_cache: tree.path("cache"), npm_config_registry: registry.url },
    });
    assert.deepEqual([found.code, found.stdout], [0, needleIn("a.txt")], found.stderr);
    assert.deepEqual(snapshot(cwd), ["a.txt: needle\n"]);
  });
});

test.slow("npx itself asks the registry that the directory's .npmrc names", async () => {
  const asked: string[] = [];
  await using registry = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => {
      asked.push(new URL(url).pathname);
      return new Response(null, { status: 404 });
    },
  );
  const { run } = await installedPackage();
  await using tree = await tempTree({
    ".npmrc": `registry=http://127.0.0.1:${registry.addr.port}/\n`,
    "a.txt": "needle\n",
  });
  assert.equal((await run(SEARCH, { cwd: tree.root })).code, 0);
  assert.equal(asked.length, 0, "the installed command does not");
  await spawn("npx", ["-y", "pathgrep", ...SEARCH], {
    cwd: tree.root,
    env: { npm_config_cache: tree.path("../cache"), npm_config_fetch_retries: "0" },
  });
  assert.ok(asked.includes("/pathgrep"), asked.join(" "));
});

test.slow("it works where npm runs no scripts", async () => {
  const installed = await installGlobally("--ignore-scripts");
  const found = await installed.run(SEARCH);
  assert.deepEqual([found.code, found.stdout], [0, needleIn("a.txt")], found.stderr);
});

test.slow("it says what to do where Deno or the directory is missing, or it is imported", async () => {
  const packed = await packedPackage();
  const launcher = `${packed.directory}/pathgrep.cjs`;
  const alone = await spawn("node", [launcher, "x"]);
  assert.deepEqual([alone.code, alone.stdout], [2, ""]);
  assert.match(
    alone.stderr,
    /^pathgrep: Deno cannot be started: .*\n {2}install pathgrep again, .*--include=optional\n {2}there is .*\n$/,
  );
  await using tree = await tempTree({ "app/index.mjs": 'import "pathgrep";\n', "gone/": null });
  const gone = 'cd gone && rmdir ../gone && exec "$0" needle';
  const { pathgrep } = await installedPackage();
  const lost = await spawn("bash", ["-c", gone, pathgrep], { cwd: tree.root });
  assert.deepEqual([lost.code, lost.stdout], [2, ""]);
  assert.match(lost.stderr, /^pathgrep: the current directory cannot be found: .*\n$/);
  // Agents take a hook's failure for a refusal.
  const hook = await spawn("node", [launcher, "hook", "--nope"]);
  assert.deepEqual([hook.code, hook.stdout], [0, ""]);
  assert.match(hook.stderr, /^pathgrep: Deno cannot be started: /);
  await Deno.mkdir(tree.path("gone"));
  const lostHook = await spawn("bash", [
    "-c",
    gone.replace("needle", "--workspace= hook"),
    pathgrep,
  ], {
    cwd: tree.root,
  });
  assert.deepEqual([lostHook.code, lostHook.stdout], [0, ""]);
  await npm(["install", packed.file], tree.path("app"));
  for (const args of [["index.mjs"], ["-e", 'require("pathgrep")']]) {
    const imported = await spawn("node", args, { cwd: tree.path("app") });
    assert.equal(imported.code, 1);
    assert.match(imported.stderr, /^Error: pathgrep is a command, .* deno add jsr:@x\/pathgrep$/m);
  }
});

test.slow("it passes statuses and streams on, and ends when nobody reads", async () => {
  const installed = await installedPackage();
  const { run, pathgrep, project } = installed;
  assert.deepEqual((await run(["needle", "-q"])).code, 0);
  assert.deepEqual((await run(["absent", "-q"])).code, 1);
  const failed = await run(["needle", "gone.txt", "--format", "text"]);
  assert.deepEqual([failed.code, failed.stdout], [2, ""]);
  assert.match(failed.stderr, /^pathgrep: path resolution failed: Path does not exist/);
  assert.equal((await run(["needle", "-c", "-", "--format=text"], { stdin: "needle\n" })).code, 0);
  assert.equal((await run(["--version"])).stdout, `pathgrep ${VERSION}\n`);
  const pipe =
    `yes needle | '${pathgrep}' needle - --format jsonl | head -n 1; echo \${PIPESTATUS[1]}`;
  const closed = await spawn("bash", ["-c", pipe], { cwd: project, limit: 20_000 });
  assert.match(closed.stdout, /^\{.*\}\n0\n$/);
  assert.equal(closed.stderr, "");
});

test.slow("the official MCP clients use it as a server", async (t) => {
  const installed = await installedPackage();
  for (const client of CLIENTS) {
    await t.step(client, async () => {
      await using connection = await connect(client, {
        program: [installed.pathgrep],
        cwd: installed.project,
      });
      const { entries } = await connection.call("grep", { pattern: "needle" });
      assert.deepEqual(entries, ["a.txt", "1:needle"]);
      const missed = await connection.call("grep", { pattern: "needle", path: "A.txt" });
      assert.ok(missed.isError);
    });
  }
});

test.slow("a bundle asks the server that the sources have started, and the other way round", async () => {
  const installed = await installedPackage();
  await using resident = await Resident.on({ "a.txt": "needle\n" });
  const env = { XDG_RUNTIME_DIR: resident.runtime };
  const options = { cwd: resident.tree.root, env };
  const isServed = (stdout: string) => JSON.parse(stdout).stats.resident === true;
  const search = ["needle", "--stats"];
  assert.ok(!isServed((await installed.run(search, options)).stdout), "none runs");
  const { pid } = await resident.start();
  const found = await installed.run(search, options);
  assert.ok(isServed(found.stdout), found.stdout + found.stderr);
  assert.equal(JSON.parse((await installed.run(["serve", "--status"], options)).stdout).pid, pid);
  assert.equal(JSON.parse((await installed.run(["doctor"], options)).stdout).resident.pid, pid);
  assert.equal((await installed.run(["serve", "--stop"], options)).code, 0);
  await resident.ended();
  const started = await installed.run(["serve", "--background"], options);
  assert.equal(started.code, 0, started.stdout + started.stderr);
  while (!(await resident.status()).ready);
  assert.ok(isServed((await resident.run(search)).stdout));
});

test.slow("with permission to read the workspace alone, the bundle searches on several threads", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree(largeProject());
  const workspace = tree.root;
  const flags = ["run", "--no-config", "--no-prompt", `--allow-read=${workspace}`];
  const search = ["needle", "-l", "--max-results=9999", "--stats", "--workspace", workspace];
  let threads = 0;
  // On a busy machine the main thread may be done before a worker is ready.
  for (let run = 0; run < 5 && threads < 2; run++) {
    const { code, stdout, stderr } = await spawn(
      Deno.execPath(),
      [...flags, `${directory}/lib/cli.js`, ...search],
    );
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(JSON.parse(stdout).count, 6500);
    threads = JSON.parse(stdout).stats.threads;
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
});
