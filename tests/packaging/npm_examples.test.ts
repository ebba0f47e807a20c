/**
 * The npm package and the examples for it on a machine that has Node.js and npm alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import ts from "typescript";
import { CHECKOUT } from "../support/run.ts";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn, type Spawned } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { INSTALLED, PACKAGE, packedPackage } from "./npm_package.ts";

const EXAMPLES = `${CHECKOUT}examples/node/`;
const test = testNeeding("nodes");
const NODES = await nodeDirectories();
/** Long enough for npm to fetch the SDKs on a slow day. */
const LIMIT_MS = 240_000;

interface Machine {
  readonly tree: Tree;
  /** Runs `node` or `npm`, which has to succeed, with the Node.js of an index of {@linkcode NODES}. */
  run(node: number, words: readonly string[], directory: string): Promise<Spawned>;
}

async function makeMachine(): Promise<Machine> {
  const tree = await tempTree({
    "project/src/lib.rs": "//! TODO: describe\npub fn answer() -> u32 {\n    42\n}\n",
    "empty/": null,
    "examples/": null,
  });
  globalThis.addEventListener("unload", () => Deno.removeSync(tree.base, { recursive: true }));
  const npm = (await spawn("sh", ["-c", "command -v npm"])).stdout.trim();
  for (const [index, node] of NODES.entries()) {
    await tree.write({
      [`bin${index}/node`]: { symlink: `${node}/node` },
      [`bin${index}/npm`]: { symlink: await Deno.realPath(npm) },
    });
  }
  return {
    tree,
    async run(node, [program, ...args], directory) {
      const PATH = tree.path(`bin${node}`);
      const options = { cwd: tree.path(directory), env: { PATH }, limit: LIMIT_MS };
      const done = await spawn(`${PATH}/${program}`, args, options);
      assert.equal(done.code, 0, done.stdout + done.stderr);
      return done;
    },
  };
}

let made: Promise<Machine> | undefined;

/** The machine with the examples, the SDKs that they name and the packed package, for all tests. */
function withExamples(): Promise<Machine> {
  return made ??= (async () => {
    const { file } = await packedPackage();
    const machine = await makeMachine();
    for (const { name } of Deno.readDirSync(EXAMPLES)) {
      await Deno.copyFile(EXAMPLES + name, machine.tree.path(`examples/${name}`));
    }
    const calls = `${CHECKOUT}tests/packaging/sdk_calls.ts`;
    await Deno.copyFile(calls, machine.tree.path("examples/calls.ts"));
    // Without optional packages: one is a whole agent.
    const flags = ["--omit=optional", "--ignore-scripts", "--prefer-offline", "--fetch-retries=5"];
    await machine.run(0, ["npm", "ci", ...flags], "examples");
    await machine.run(0, ["npm", "install", "--no-save", ...flags, file], "examples");
    return machine;
  })();
}

test.slow("npm needs one small file for it, and installs nothing else", async () => {
  const { file } = await packedPackage();
  const { tree, run } = await withExamples();
  await run(0, ["npm", "install", "--offline", file], "empty");
  const installed = [...Deno.readDirSync(tree.path("empty/node_modules"))].map(({ name }) => name);
  assert.deepEqual(installed.sort(), [".bin", ".package-lock.json", INSTALLED]);
  const { size } = await Deno.stat(file);
  assert.ok(size < 800_000, `${size} bytes to fetch`);
});

/** What the type checker says of files beside the SDKs, with the types of Node.js. */
function problemsIn(tree: Tree, files: readonly string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(files.map((name) => tree.path(`examples/${name}`)), {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noUnusedLocals: true, noUnusedParameters: true, noEmit: true, types: ["node"] },
    // What Node.js runs as it is.
    ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    typeRoots: [tree.path("examples/node_modules/@types")],
    module: ts.ModuleKind.NodeNext,
    ...options,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  );
}

test.slow("the examples for Node.js pass the type checker with the types of their SDKs", async () => {
  const { tree } = await withExamples();
  const files = [...Deno.readDirSync(tree.path("examples"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".ts"));
  assert.ok(files.length > 4);
  // The SDKs' own types are not without problems.
  const options = { skipLibCheck: true, target: ts.ScriptTarget.ES2024 };
  assert.deepEqual(problemsIn(tree, files, options), []);
});

test.slow("the library's types need those of Node.js, and none of a browser", async () => {
  const { tree } = await withExamples();
  await tree.write({ "examples/all.mts": 'export * from "pathgrep";\n' });
  const options = { lib: ["lib.es2022.d.ts"], target: ts.ScriptTarget.ES2022 };
  assert.deepEqual(problemsIn(tree, ["all.mts"], options), []);
});

test.slow("the tools of each SDK answer as the library does, whatever a model sends", async () => {
  const { tree, run } = await withExamples();
  for (const node of NODES.keys()) {
    const { stdout } = await run(node, ["node", "calls.ts", tree.path("project")], "examples");
    assert.equal(
      stdout,
      "grep path_not_found grep invalid_input invalid_input invalid_input glob read_file\n",
    );
  }
});

test.slow("the example of an MCP client for Node.js lists the tools and calls one", async () => {
  const { tree, run } = await withExamples();
  for (const node of NODES.keys()) {
    const words = ["node", "mcp_client.ts", tree.path("project"), "TODO"];
    const { stdout, stderr } = await run(node, words, "examples");
    const [tools, file, line] = stdout.split("\n");
    assert.deepEqual([tools, file, line, stderr], [
      ...["grep glob read_file", "src/lib.rs", "1://! TODO: describe"],
      "",
    ]);
  }
});

Deno.test("the examples for Node.js name their packages in one version, and the lock file agrees", async () => {
  const read = async (name: string) => JSON.parse(await Deno.readTextFile(EXAMPLES + name));
  const { devDependencies, ...others } = await read("package.json");
  assert.deepEqual(others, { name: "pathgrep-examples", private: true, type: "module" });
  const { packages } = await read("package-lock.json");
  assert.deepEqual(packages[""].devDependencies, devDependencies);
  const isKnown = (name: string) => name === PACKAGE || name in devDependencies;
  for (const { name } of Deno.readDirSync(EXAMPLES)) {
    if (!name.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(EXAMPLES + name);
    const [, install = ""] = /npm install (.*)$/m.exec(text)!;
    const imported = [...text.matchAll(/ from "(?!node:)((?:@[\w-]+\/)?[\w-]+)/g)];
    const packages = [...install.split(" "), ...imported.map(([, specifier]) => specifier!)];
    assert.deepEqual(packages.filter((wanted) => !isKnown(wanted)), [], name);
    for (const [, specifier] of imported) assert.ok(install.includes(specifier!), specifier);
  }
});
