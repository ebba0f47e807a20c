/**
 * The npm package as users get it: packed, installed by npm, and started by Node.js in directories of every
 * kind.
 *
 * @module
 */

import * as esbuild from "esbuild";
import assert from "node:assert/strict";
import ts from "typescript";
import { buildPackage } from "../../npm/build.ts";
import { manifests } from "../../npm/manifests.ts";
import { CLIENTS, connect } from "../mcp/clients.ts";
import { Resident } from "../resident/resident.ts";
import { CHECKOUT } from "../support/run.ts";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { largeProject, snapshot, UNTRUSTED } from "./directories.ts";
import { INITIALIZE } from "./machine.ts";
import { INSTALLED, installedPackage, npm, PACKAGE, packedPackage } from "./npm_package.ts";
import { npmRegistry } from "./npm_registry.ts";
import { VERSION } from "./registry.ts";

const needleIn = (file: string) => `${file}:1:needle\n`;
const SEARCH = ["needle", "a.txt", "--format", "text"];

const test = testNeeding("nodes");
const [OLDEST = "", NEWEST = ""] = await nodeDirectories();

test.slow("the package has a library with its types, a command, papers and the plugin, and needs no other", async () => {
  const packed = await packedPackage();
  const { stdout } = await spawn("tar", ["-tzf", packed.file]);
  const files = stdout.trim().split("\n").map((path) => path.slice("package/".length)).sort();
  const plugin = Object.keys(await manifests()).filter((path) => path.startsWith("plugin/"));
  assert.deepEqual(
    files.filter((path) => !/^lib\/[\w-]+\.[cm]?js$|^types\/[\w/]+\.d\.ts$/.test(path)),
    [
      ...["LICENSE", "README.md", "package.json", "pathgrep.cjs"],
      ...plugin.map((path) => path.slice("plugin/".length)),
    ].sort(),
  );
  const read = (path: string) => Deno.readTextFile(`${packed.directory}/${path}`);
  const texts = await Promise.all(files.map(read));
  // Nothing tells of the machine that built it.
  for (const [index, text] of texts.entries()) assert.ok(!text.includes(CHECKOUT), files[index]);
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  assert.ok(bytes < 3_000_000, `${bytes} bytes`);
  const { repository, description, keywords, license, ...manifest } = JSON.parse(
    await read("package.json"),
  );
  // Nothing runs when it is installed.
  assert.deepEqual(manifest, {
    name: PACKAGE,
    version: VERSION,
    mcpName: "io.github.OWNER/pathgrep",
    type: "module",
    bin: { pathgrep: "pathgrep.cjs" },
    exports: {
      ".": { types: "./types/mod.d.ts", default: "./lib/mod.js" },
      "./package.json": "./package.json",
    },
    engines: { node: ">=22" },
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

/** Code that must not run, where npm's packages would be in a project. */
const PLANTED = 'require("fs").writeFileSync("PLANTED", "");\n';
const MORE: Readonly<Record<string, Record<string, TreeEntry>>> = {
  "packages of the names that it could ask for": Object.fromEntries(
    [PACKAGE, "deno", "@modelcontextprotocol/server", `node_modules/${PACKAGE}`].flatMap((
      name,
    ) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, main: "x.cjs", bin: "x.cjs" })],
      [`node_modules/${name}/x.cjs`, PLANTED],
      [`node_modules/${name}/pathgrep.cjs`, PLANTED],
      [`node_modules/${name}/lib/load.cjs`, PLANTED],
    ]).concat([["node_modules/.bin/node", "#!/bin/sh\ntouch PLANTED\n"]]),
  ),
  "a .env, a .npmrc and a configuration of Node.js": {
    ".env": "NODE_OPTIONS=--require ./planted.cjs\n",
    ".npmrc": "node-options=--require ./planted.cjs\nregistry=http://127.0.0.1:1/\n",
    "node.config.json": JSON.stringify({ nodeOptions: { require: ["./planted.cjs"] } }),
    "planted.cjs": PLANTED,
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
      // Neither is npm asked for it, nor Deno for a permission.
      assert.match(rg.stdout, /rg is not installed; install ripgrep, [^;]*, or use the js engine"/);
      assert.deepEqual(snapshot(project), before);
    });
  }
  await Deno.remove(project, { recursive: true });
  await installed.tree.write({ "project/a.txt": "needle\n" });
});

/** Where Node.js and `env` are. ripgrep is elsewhere, or nowhere. */
function nodeAlone(): string {
  return `${OLDEST}:/usr/bin:/bin`;
}

test.slow("it works without a home and a temporary directory", async () => {
  const installed = await installedPackage();
  const before = snapshot(installed.project);
  for (const variables of [[], ["HOME="], ["HOME=relative", "TMPDIR=cache"]]) {
    const words = ["-i", `PATH=${nodeAlone()}`, ...variables, installed.pathgrep, ...SEARCH];
    const { code, stdout, stderr } = await spawn("env", words, { cwd: installed.project });
    assert.deepEqual([code, stdout, stderr], [0, needleIn("a.txt"), ""], variables.join(" "));
    assert.deepEqual(snapshot(installed.project), before, variables.join(" "));
  }
});

testNeeding("root", "setpriv", "nodes").slow(
  "it works for a user whom the system does not know",
  async () => {
    const installed = await installedPackage();
    for (const path of [installed.tree.root, `${installed.tree.root}/..`]) {
      await Deno.chmod(path, 0o755);
    }
    // Where anybody may read it; a process that this one starts meanwhile would hold it open.
    await spawn("cp", [`${OLDEST}/node`, installed.tree.path("node")]);
    const launcher = installed.tree.path("prefix/lib/node_modules/pathgrep/pathgrep.cjs");
    const user = ["--reuid=54321", "--clear-groups", installed.tree.path("node"), launcher];
    const { code, stdout, stderr } = await spawn("setpriv", [...user, ...SEARCH], {
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
  const PATH = `${OLDEST}:${Deno.env.get("PATH")}`;
  await npm(["install", "--save-dev", packed.file], app);
  for (const cwd of [app, `${app}/packages/one`]) {
    await t.step(`in ${cwd.slice(tree.root.length)}`, async () => {
      for (const command of [[`${app}/node_modules/.bin/pathgrep`], ["npx", "pathgrep"]]) {
        const [program = "", ...args] = command;
        const found = await spawn(program, [...args, ...SEARCH], { cwd, env: { PATH } });
        assert.deepEqual([found.code, found.stdout], [0, needleIn("a.txt")], found.stderr);
      }
    });
  }
  await t.step("from the registry, with an empty cache", async () => {
    await using registry = await npmRegistry();
    const cwd = tree.path("empty");
    const found = await spawn("npx", ["-y", "pathgrep", ...SEARCH], {
      cwd,
      env: { PATH, npm_config_cache: tree.path("cache"), npm_config_registry: registry.url },
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
  assert.ok(asked.map(decodeURIComponent).includes(`/${PACKAGE}`), asked.join(" "));
});

test.slow("one line says that Node.js is too old, or that the directory is gone", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree({
    "gone/": null,
    "old.cjs": `const versions = { ...process.versions, node: "20.20.2" };
      Object.defineProperty(process, "versions", { value: versions });\n`,
  });
  const old = ["--require", tree.path("old.cjs")];
  const line = "pathgrep: it needs Node.js 22 or later, and this is 20.20.2\n";
  // Agents take a hook's failure for a refusal.
  for (const [command, code] of [["mcp", 2], ["needle", 2], ["hook", 0]] as const) {
    const started = await spawn(`${OLDEST}/node`, [...old, `${directory}/pathgrep.cjs`, command]);
    assert.deepEqual(started, { ...started, code, stdout: "", stderr: line });
  }
  const imported = await spawn(`${OLDEST}/node`, [...old, `${directory}/lib/mod.js`]);
  assert.match(imported.stderr, /^Error: pathgrep needs Node\.js 22 or later, and this is 20/m);
  const { run } = await installedPackage();
  for (const [command, code] of [["needle", 2], ["hook", 0]] as const) {
    const gone = `cd gone && rmdir ../gone && exec "$0" "$1" ${command}`;
    const words = ["-c", gone, `${OLDEST}/node`, `${directory}/pathgrep.cjs`];
    const lost = await spawn("bash", words, { cwd: tree.root });
    assert.deepEqual([lost.code, lost.stdout], [code, ""]);
    assert.match(lost.stderr, /^pathgrep: the current directory cannot be found: .*\n$/);
    await Deno.mkdir(tree.path("gone"));
  }
  const served = await run(["serve", "--format", "text"]);
  assert.deepEqual([served.code, served.stdout], [2, ""]);
  assert.match(served.stderr, /^pathgrep: invalid input: serve needs Deno, and this is Node\.js\n/);
});

test.slow("it gives statuses, reads its input, and ends when nobody reads", async () => {
  const installed = await installedPackage();
  const { run, pathgrep, project } = installed;
  assert.deepEqual((await run(["needle", "-q"])).code, 0);
  assert.deepEqual((await run(["absent", "-q"])).code, 1);
  const failed = await run(["needle", "gone.txt", "--format", "text"]);
  assert.deepEqual([failed.code, failed.stdout], [2, ""]);
  assert.match(failed.stderr, /^pathgrep: \/.*\/gone\.txt does not exist\n/);
  assert.equal((await run(["needle", "-c", "-", "--format=text"], { stdin: "needle\n" })).code, 0);
  assert.equal((await run(["--version"])).stdout, `pathgrep ${VERSION}\n`);
  const pipe =
    `yes needle | ${OLDEST}/node '${pathgrep}' needle - --format jsonl | head -n 1; echo \${PIPESTATUS[1]}`;
  const closed = await spawn("bash", ["-c", pipe], { cwd: project, limit: 20_000 });
  assert.match(closed.stdout, /^\{.*\}\n0\n$/);
  assert.equal(closed.stderr, "");
});

test.slow("the official MCP clients use it as a server", async (t) => {
  const installed = await installedPackage();
  const prefix = ["--prefix", installed.tree.path("prefix")];
  const { stdout: root } = await npm(["root", "-g", ...prefix], installed.tree.root);
  for (const client of CLIENTS) {
    await t.step(client, async () => {
      await using connection = await connect(client, {
        program: [`${NEWEST}/node`, `${root.trim()}/pathgrep/pathgrep.cjs`],
        cwd: installed.project,
      });
      const { entries } = await connection.call("grep", { pattern: "needle" });
      assert.deepEqual(entries, ["a.txt", "1:needle"]);
      const missed = await connection.call("grep", { pattern: "needle", path: "A.txt" });
      assert.ok(missed.isError);
    });
  }
});

test.slow("a search asks the server that Deno has started", async () => {
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
  assert.equal((await installed.run(["serve", "--stop"], options)).code, 0);
  await resident.ended();
});

test.slow("it searches on several threads, and in a bundle with the file that one note asks for", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree({
    ...largeProject(),
    "../app.mjs": `import { search, Searcher, Workspace } from ${
      JSON.stringify(`${directory}/lib/mod.js`)
    };
      const workspace = await Workspace.open(process.argv[2]);
      const query = { pattern: "needle", outputMode: "file", maxResults: 9999, stats: true };
      const found = [await search(query, { workspace })];
      const searcher = new Searcher({ workspace, cache: "verified" });
      for (let run = 0; run < 5; run++) found.push(await searcher.search(query));
      console.log(JSON.stringify(found.map(({ count, stats, notes = [] }) =>
        [count, stats.threads, notes])));
      await searcher[Symbol.asyncDispose]();\n`,
  });
  const app = tree.path("../app.mjs");
  for (const node of [OLDEST, NEWEST]) {
    const { stdout, stderr } = await spawn(`${node}/node`, [app, tree.root]);
    const found = JSON.parse(stdout || "[]") as [number, number, string[]][];
    assert.deepEqual(found.map(([count, , notes]) => [count, notes]), Array(6).fill([6500, []]));
    if (navigator.hardwareConcurrency > 1) {
      assert.ok(found.some(([, threads]) => threads > 1), stdout + stderr);
    }
  }
  const source = await Deno.readTextFile(app);
  const inFunction = source.replace(/^(import .*$)([^]*)/m, "$1\n(async () => {$2})();");
  // What bundlers make of a module, as its author has it and for Node.js' older format.
  for (
    const [format, name, text] of [["esm", "a.mjs", source], ["cjs", "a.cjs", inFunction]] as const
  ) {
    await tree.write({
      "../source.mjs": text,
      [`../${format}/package.json`]: '{ "type": "commonjs" }', // of the file beside the bundle, too
    });
    const outfile = tree.path(`../${format}/${name}`);
    await esbuild.build({
      ...{ bundle: true, platform: "node", logLevel: "error", format, outfile },
      entryPoints: [tree.path("../source.mjs")],
    });
    const searches = async () => {
      const { stdout, stderr } = await spawn(`${OLDEST}/node`, [outfile, tree.root]);
      assert.equal(stderr, "");
      return JSON.parse(stdout) as [number, number, string[]][];
    };
    const [first, ...others] = await searches();
    assert.deepEqual(first!.slice(0, 2), [6500, 1]);
    assert.match(first![2].join("\n"), /^searches run on one thread: .* pathgrep_worker\.mjs/);
    assert.deepEqual(others, Array(5).fill([6500, 1, []]));
    // As the note says.
    const program = "pathgrep_worker.mjs";
    await Deno.copyFile(`${directory}/lib/${program}`, tree.path(`../${format}/${program}`));
    const found = await searches();
    assert.deepEqual(found.map(([count, , notes]) => [count, notes]), Array(6).fill([6500, []]));
    if (navigator.hardwareConcurrency > 1) {
      assert.ok(found.some(([, threads]) => threads > 1), format);
    }
  }
  await esbuild.stop();
});

test.slow("where files are to be watched, each is checked, and each answer says so", async () => {
  const { directory } = await packedPackage();
  await using tree = await tempTree({
    "a.txt": "needle\n",
    "../scratch/": null,
    "../app.mjs": `import fs from "node:fs";
      import { Searcher, Workspace } from ${JSON.stringify(`${directory}/lib/mod.js`)};
      const [root, scratch] = process.argv.slice(2);
      const workspace = await Workspace.open(root);
      const searcher = new Searcher({ workspace, cache: "watched", scratch });
      const counts = [];
      for (let run = 0; run < 5; run++) {
        const { count, notes } = await searcher.search({ pattern: "needle", paths: "relative" });
        counts.push([count, notes]);
        fs.appendFileSync(root + "/a.txt", "needle\\n");
      }
      console.log(JSON.stringify(counts));
      await searcher[Symbol.asyncDispose]();\n`,
  });
  const note = "the workspace is not watched: only Deno reports changes in order; " +
    "files are checked instead";
  for (const node of [OLDEST, NEWEST]) {
    await tree.write({ "a.txt": "needle\n" });
    const words = [tree.path("../app.mjs"), tree.root, tree.path("../scratch")];
    const { stdout, stderr } = await spawn(`${node}/node`, words);
    assert.deepEqual(JSON.parse(stdout || "[]"), [1, 2, 3, 4, 5].map((n) => [n, [note]]), stderr);
    assert.deepEqual([...Deno.readDirSync(tree.path("../scratch"))], []);
  }
});

/** What an application does with the library, checked with its types. */
const APPLICATION = `
import { PathgrepError, search, ToolRegistry, Workspace } from "pathgrep";

async function main(): Promise<void> {
  const workspace = await Workspace.open(".");
  const found = await search(
    { pattern: "needle", path: "a.txt", outputMode: "file" },
    { workspace },
  );
  // @ts-expect-error -- it is a list of names
  const wrong: number = found.files;
  const failure: unknown = await search({ pattern: "(" }, { workspace }).catch((error) => error);
  const answer = await ToolRegistry.of({ workspace }).execute("grep", { pattern: "needle" });
  console.log(found.count, failure instanceof PathgrepError, typeof answer, typeof wrong);
}
main();
`;

test.slow("a program imports the library with its types, or requires it", async () => {
  const { file } = await packedPackage();
  await using tree = await tempTree({
    "app/package.json": '{ "type": "commonjs" }',
    "app/a.txt": "needle\n",
    "app/application.mts": APPLICATION,
  });
  const app = tree.path("app");
  await npm(["install", file], app);
  assert.deepEqual(
    [...Deno.readDirSync(`${app}/node_modules`)].map(({ name }) => name).sort(),
    [".bin", ".package-lock.json", INSTALLED],
  );
  const program = ts.createProgram([`${app}/application.mts`], {
    ...{ strict: true, exactOptionalPropertyTypes: true, types: [], outDir: `${app}/built` },
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  });
  program.emit();
  const problems = ts.getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(problems, []);
  const built = await Deno.readTextFile(`${app}/built/application.mjs`);
  const required = built.replace(/import (\{.*\}) from ("[^"]+")/, "const $1 = require($2)");
  await tree.write({ "app/built/application.cjs": required });
  for (const node of [OLDEST, NEWEST]) {
    for (const name of ["application.mjs", "application.cjs"]) {
      const { stdout, stderr } = await spawn(`${node}/node`, [`built/${name}`], { cwd: app });
      assert.deepEqual([stdout, stderr], ["1 true object object\n", ""], name);
    }
  }
});
