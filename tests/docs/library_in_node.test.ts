/**
 * The guide to the library is true of Node.js, too.
 *
 * @module
 */

import * as esbuild from "esbuild";
import assert from "node:assert/strict";
import { npm, PACKAGE, packedPackage } from "../packaging/npm_package.ts";
import { CHECKOUT } from "../support/run.ts";
import { inDocs } from "../node/files.ts";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { examples } from "./markdown.ts";

const test = testNeeding("nodes");
const [OLDEST = "", NEWEST = ""] = await nodeDirectories();

/** A project, and the npm package where programs beside it find it. */
async function projectWithPackage(): Promise<Tree> {
  const { file } = await packedPackage();
  const tree = await tempTree({}, "project");
  await npm(["install", "--offline", file], tree.base);
  return tree;
}

test.slow("each program of the guide to the library prints in Node.js what it does in Deno", async (t) => {
  await using tree = await projectWithPackage();
  const { run } = examples(
    await Deno.readTextFile(`${CHECKOUT}docs/library.md`),
    "docs/library.md",
  );
  const [setup, ...programs] = run.filter(({ language }) => language !== "js");
  await sh(setup!.text, tree.root);
  assert.ok(programs.length > 3);
  for (const { text, output, place } of programs) {
    const source = text.replace("@x/pathgrep", PACKAGE);
    // Node.js 22 has no `await using`.
    const { code } = await esbuild.transform(source, { loader: "ts", target: "node22" });
    for (
      const [node, name, program] of [[OLDEST, "a.mjs", code], [NEWEST, "a.mts", source]] as const
    ) {
      await t.step(`${place} in ${name}`, async () => {
        await tree.write({ [`../${name}`]: program });
        const { stdout, stderr } = await spawn(`${node}/node`, [tree.path(`../${name}`)], {
          cwd: tree.root,
          limit: 60_000,
        });
        const shown = output!.text.replaceAll("/home/you/project", tree.root);
        assert.equal(stdout.replaceAll("'", '"'), shown, stderr); // as Deno quotes
        assert.equal(stderr, "");
      });
    }
  }
  await esbuild.stop();
});

test.slow("the program in the README of the npm package runs as it is", async () => {
  await using tree = await projectWithPackage();
  const readme = "npm/README.md";
  const { run } = examples(await Deno.readTextFile(CHECKOUT + readme), readme);
  const program = run.find(({ language }) => language === "js")!;
  await tree.write({ "src/a.ts": "// TODO\n// FIXME\n", "../a.mjs": program.text });
  for (const node of [OLDEST, NEWEST]) {
    const done = await spawn(`${node}/node`, [tree.path("../a.mjs")], { cwd: tree.root });
    assert.deepEqual([done.stdout, done.stderr], ["2\n", ""]);
  }
});

const SEARCHES = `
import { Searcher, Workspace } from "pathgrep";
const workspace = await Workspace.open(process.cwd());
const searcher = new Searcher({ workspace, cache: process.argv[2] });
const { count, notes, stats } = await searcher.search({ pattern: "needle", stats: true });
console.log(JSON.stringify([count, stats.threads > 1, notes ?? []]));
await searcher[Symbol.asyncDispose]();
`;

test.slow("what the guide to the library says that differs in Node.js does", async () => {
  await using tree = await projectWithPackage();
  await tree.write({ "a.txt": "needle\n", "../program/a.mjs": SEARCHES });
  const program = tree.path("../program/a.mjs");
  const packages = tree.path("../node_modules");
  const granted = [program, packages, tree.root].map((path) => `--allow-fs-read=${path}`);
  const start = ["--permission", "--disable-warning=SecurityWarning"];
  for (const node of [OLDEST, NEWEST]) {
    const run = async (flags: readonly string[], cache: string) =>
      await spawn(`${node}/node`, [...flags, program, cache], { cwd: tree.root, limit: 60_000 });
    const watched = JSON.parse((await run([], "watched")).stdout);
    assert.match(
      watched[2].join(),
      /^the workspace is not watched: only Deno .*; files are checked/,
    );
    const threads = await run([...start, ...granted, "--allow-worker"], "verified");
    assert.deepEqual([threads.stdout, threads.stderr], ["[1,true,[]]\n", ""]);
    const alone = await run([...start, ...granted], "none");
    assert.deepEqual([alone.stdout, alone.stderr], ["[1,false,[]]\n", ""]);
    for (const flag of granted.slice(1)) {
      const without = await run([...start, ...granted.filter((each) => each !== flag)], "none");
      assert.notEqual(without.code, 0, `without ${flag}`);
    }
  }
});

Deno.test("there are as many tests as the guide to the library says", async () => {
  const guide = await Deno.readTextFile(`${CHECKOUT}docs/library.md`);
  const [, said = ""] = /all, over ([\d,]+)/.exec(guide)!;
  const calls = ["-rhE", String.raw`^ *(Deno\.)?test(\.slow)?\(`, "--include=*.test.ts", "tests"];
  const { stdout } = await spawn("grep", calls, { cwd: CHECKOUT });
  assert.ok(stdout.split("\n").length > Number(said.replaceAll(",", "")));
  // `deno task test:node` holds the numbers for Node.js.
  assert.deepEqual(Object.keys(await inDocs()), ["22", "24", "bun"]);
});
