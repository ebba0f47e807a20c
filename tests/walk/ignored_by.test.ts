/**
 * The rule that leaves out an entry of a walk can be told: its file, line and text.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Walker } from "../../src/walk/walker.ts";
import { tempTree } from "../support/tree.ts";

/** A walker of some directories of a tree. */
function walkerOf(root: string, bases: readonly string[], ignore = true): Walker {
  return new Walker({
    bases,
    named: [],
    mayRepeat: false,
    allowedRoots: [root],
    identities: [undefined],
    policy: { roots: [root], allow: [], deny: [] },
    filter: { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] },
    ignore,
    hidden: true,
    follow: false,
    maxDepth: Infinity,
  });
}

Deno.test("an ignored file is reported with the line and file that ignore it or a directory above it", async () => {
  await using tree = await tempTree({
    ".gitignore": "# generated\n\ndist/\n*.log\n!keep.log\n*.tmp  \r\n",
    ".ignore": "secret\n",
    ".git/info/exclude": "*.orig\n",
    "a.log": "",
    "sub/.gitignore": "/b.*\n",
    "sub/b.txt": "",
    "sub/dist/x/y.js": "",
  });
  const walker = walkerOf(tree.root, [tree.root]);
  const told = (path: string, isDirectory = false) => {
    const by = walker.ignoredBy(tree.path(path), isDirectory, 0);
    return by && [by.path, by.file].map((path) => path.slice(tree.root.length + 1))
      .concat(String(by.line), by.pattern).join(" ");
  };
  assert.equal(told("a.log"), "a.log .gitignore 4 *.log");
  assert.equal(told("keep.log"), undefined);
  assert.equal(told("sub/keep.log"), undefined);
  assert.equal(told("x.tmp"), "x.tmp .gitignore 6 *.tmp");
  assert.equal(told("sub/b.txt"), "sub/b.txt sub/.gitignore 1 /b.*");
  assert.equal(told("b.txt"), undefined);
  assert.equal(told("sub/dist/x/y.js"), "sub/dist .gitignore 3 dist/");
  assert.equal(told("sub/dist", true), "sub/dist .gitignore 3 dist/");
  assert.equal(told("sub/dist"), undefined, "a file of that name");
  assert.equal(told("sub/secret"), "sub/secret .ignore 1 secret");
  assert.equal(told("sub/c.orig"), "sub/c.orig .git/info/exclude 1 *.orig");
  assert.equal(walker.ignoredBy(tree.root, true, 0), undefined);
});

Deno.test("below a named directory, the rules that apply there are reported", async () => {
  await using tree = await tempTree({
    ".gitignore": "dist/\n*.map\n",
    "dist/.gitignore": "*.tmp\n",
    "dist/x/a.map": "",
    "src/a.map": "",
  });
  const walker = walkerOf(tree.root, [tree.path("dist"), tree.path("src")]);
  const [dist, src] = [0, 1];
  assert.equal(walker.ignoredBy(tree.path("dist/x/a.map"), false, dist), undefined);
  assert.deepEqual(walker.ignoredBy(tree.path("dist/x/a.tmp"), false, dist), {
    path: tree.path("dist/x/a.tmp"),
    file: tree.path("dist/.gitignore"),
    line: 1,
    pattern: "*.tmp",
  });
  assert.equal(walker.ignoredBy(tree.path("src/a.map"), false, src)?.line, 2);
  const regardless = walkerOf(tree.root, [tree.root], false);
  assert.equal(regardless.ignoredBy(tree.path("src/a.map"), false, 0), undefined);
});
