/**
 * Ignore rules above a directory that is named: if it is ignored itself they do not count in it; of rules
 * that leave out all that it holds, and not itself, the others count.
 *
 * @module
 */

import assert from "node:assert/strict";
import { listFiles, Workspace } from "../../mod.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const TREE = {
  "a.js": "",
  "build/q.js": "",
  "build/q.map": "",
  "build/node_modules/p/i.js": "",
  "build/out/deep/z.js": "",
  "build/out/deep/z.map": "",
  "build/out/z.js": "",
};

/** What is listed when a directory of the tree is named. */
async function listed({ root }: Tree, path: string): Promise<string[]> {
  const workspace = await Workspace.open(root);
  const { files } = await listFiles({ path, paths: "relative" }, { workspace });
  return files.filter((file) => !file.endsWith("ignore"));
}

/** The same of ripgrep. */
async function rgListed({ root }: Tree, path: string): Promise<string[]> {
  const args = ["--files", "--no-config", "--hidden", "--no-require-git", "--no-ignore-global"];
  const { stdout } = await new Deno.Command(await rgPath(), { args: [...args, path], cwd: root })
    .output();
  return new TextDecoder().decode(stdout).split("\n").filter((file) =>
    file !== "" && !file.endsWith("ignore")
  ).sort();
}

const NO_MAPS = "node_modules/\n*.map\n";
const ALL = ["build/out/deep/z.js", "build/out/z.js", "build/q.js"];
const DEEP = ["build/out/deep/z.js"];

/** Rules of the root, the same to ripgrep's mind without what hides the directory, and what is left. */
const CASES: [rules: string, rest: string, path: string, files: string[]][] = [
  ["build/*\n", "", "build", ALL],
  ["build/**\n", "", "build", ALL],
  ["/build/**/*\n", "", "build", ALL],
  ["*\n!/build/\n", "!/build/\n", "build", ALL],
  ["build/*\n!build/q.js\n", "!build/q.js\n", "build", ALL],
  ["build/*/\nbuild/*\n", "build/*/\n", "build", ["build/q.js"]],
  ["build/*\n!build/*/\nbuild/*/\n", "build/*/\n", "build", ["build/q.js"]],
  ["build/*\nbuild/out/*\n", "build/out/*\n", "build", ["build/q.js"]],
  // Deeper directories.
  ["build/*/*\n", "", "build/out", ALL.slice(0, 2)],
  ["out/**\n", "", "build/out/deep", DEEP],
  ["build/*/*\n", "build/*/*\n", "build", ["build/q.js"]],
  // Something is left, so that every rule counts.
  ["*\n!*/\n!*.js\n", "*\n!*/\n!*.js\n", "build", ALL],
  ["build/*\n!build/*\n", "build/*\n!build/*\n", "build", ALL],
  ["build/*\n!build/*/\n", "build/*\n!build/*/\n", "build", ALL.slice(0, 2)],
  ["*\n!*/\n!*.js\nbuild/**\n", "*\n!*/\n!*.js\n", "build", ALL],
];

Deno.test("an ignore file above a named directory that is a link is not read", async () => {
  await using tree = await tempTree({
    "rules": "a.txt\n",
    ".gitignore": { symlink: "rules" },
    "sub/a.txt": "",
  });
  const workspace = await Workspace.open(tree.root);
  const { files } = await listFiles({ path: "sub", paths: "relative" }, { workspace });
  assert.deepEqual(files, ["sub/a.txt"]);
});

Deno.test("of the rules above a named directory, those that hide all of it are passed over", async () => {
  for (const [rules, rest, path, files] of CASES) {
    await using tree = await tempTree({ ...TREE, ".gitignore": rules + NO_MAPS });
    assert.deepEqual(await listed(tree, path), files, JSON.stringify([rules, path]));
    await tree.write({ ".gitignore": rest + NO_MAPS });
    assert.deepEqual(await listed(tree, path), files, JSON.stringify([rest, path]));
    assert.deepEqual(await rgListed(tree, path), files, JSON.stringify([rest, path]));
  }
});

/** Rules of the root that ignore the directory, or one above it. */
const IGNORED: [rules: string, path: string][] = [
  ["build/\n", "build"],
  ["/build\n", "build"],
  ["*\n", "build"],
  ["**/*\n", "build"],
  ["build/*\n*\n", "build"],
  ["*\n!*.js\n", "build"],
  ["build/\n", "build/out"],
  ["build/*\n", "build/out"],
  ["build/**\n", "build/out/deep"],
  ["node_modules/\n", "build/node_modules/p"],
  ["node_modules\n", "build/node_modules"],
];

Deno.test("a named directory that is ignored itself is searched whole, but for what it ignores", async () => {
  for (const [rules, path] of IGNORED) {
    await using tree = await tempTree({
      ...TREE,
      ".gitignore": rules + NO_MAPS,
      ".ignore": "z.*\n",
      ".git/info/exclude": "q.*\n",
    });
    const all = Object.keys(TREE).filter((file) => file.startsWith(`${path}/`)).sort();
    assert.deepEqual(await listed(tree, path), all, JSON.stringify([rules, path]));
    const own = await listed(tree, path);
    await tree.write({ [`${path}/.gitignore`]: "*.map\ni.js\n" });
    assert.deepEqual(
      await listed(tree, path),
      own.filter((file) => !/\.map$|\bi\.js$/.test(file)),
      JSON.stringify([rules, path]),
    );
  }
});

Deno.test("rules between an ignored directory and a named one in it do not count", async () => {
  await using tree = await tempTree({
    ...TREE,
    ".gitignore": "build/\n",
    "build/.gitignore": "*.js\n",
    "build/out/.ignore": "*.map\n",
  });
  assert.deepEqual(await listed(tree, "build/out/deep"), [
    "build/out/deep/z.js",
    "build/out/deep/z.map",
  ]);
  assert.deepEqual(await listed(tree, "build/out"), ["build/out/deep/z.js", "build/out/z.js"]);
  // From above, what the directory says of itself counts.
  assert.deepEqual(await listed(tree, "."), ["a.js"]);
});

Deno.test("rules that hide all of a named directory, but not itself, are passed over at every level", async () => {
  await using tree = await tempTree({
    ...TREE,
    ".ignore": "!build\nbuild/**\n!build/out\n",
    ".gitignore": `*\n!*/\n!*.js\n${NO_MAPS}`,
    "build/.gitignore": "*\n!deep/\n",
    "build/.ignore": "!out\nout/*\nz.*\n",
    "build/out/deep/k.js": "",
  });
  assert.deepEqual(await listed(tree, "build/out"), ["build/out/deep/k.js"]);
  // What the directory says of itself counts.
  assert.deepEqual(await listed(tree, "build"), []);
  assert.deepEqual(await listed(tree, "."), ["a.js"]);
});

Deno.test("a named directory is listed however many rules hide all of it", async () => {
  for (const rule of ["*\n", "/build/*\n"]) {
    await using tree = await tempTree({ ...TREE, ".gitignore": rule.repeat(13_000) + NO_MAPS });
    assert.deepEqual(
      await listed(tree, "build"),
      rule === "*\n" ? Object.keys(TREE).slice(1).sort() : ALL,
    );
  }
});

Deno.test("of one root in another, the outer one's rules hold in both, however they are ordered", async () => {
  await using tree = await tempTree({
    ".gitignore": "*.log\n",
    "sub/x.log": "",
    "sub/y.txt": "",
  });
  for (const roots of [[tree.root, tree.path("sub")], [tree.path("sub"), tree.root]]) {
    const workspace = await Workspace.open(roots);
    for (const path of ["", tree.path("sub")]) {
      const { files } = await listFiles({ include: "sub/*,*.{log,txt}", path }, { workspace });
      assert.deepEqual(files, [tree.path("sub/y.txt")]);
    }
  }
});
