/** In a directory of the table of sensitive names, only what `--allow` names is searched: on any thread. */
import assert from "node:assert/strict";
import type { PendingDirectory } from "../../src/walk/listing.ts";
import { Walker } from "../../src/walk/walker.ts";
import { tempTree } from "../support/tree.ts";

const ALLOW = [".ssh/*/open/**"];

function walkerOf(root: string): Walker {
  return new Walker({
    bases: [root],
    named: [],
    mayRepeat: false,
    allowedRoots: [root],
    identities: [],
    policy: { roots: [root], allow: ALLOW, deny: [] },
    filter: { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] },
    ignore: true,
    hidden: true,
    follow: false,
    maxDepth: Infinity,
  });
}

/** The files of a walk; with `isHandedOver`, each directory comes from another thread, without its rules. */
function filesOf(root: string, isHandedOver: boolean): string[] {
  const files: string[] = [];
  const first = walkerOf(root);
  const pending: PendingDirectory[] = first.start();
  for (let directory; (directory = pending.pop()) !== undefined;) {
    const { rules: _, ...bare } = directory;
    const listing = isHandedOver ? walkerOf(root).list(bare) : first.list(directory);
    for (const name of listing.files) {
      files.push(`${directory.path}/${name}`.slice(root.length + 1));
    }
    pending.push(...listing.directories);
  }
  return files.sort();
}

Deno.test("a directory that another thread lists lets in no more than one of this thread", async () => {
  await using tree = await tempTree({
    ".ssh/notes.txt": "",
    ".ssh/a/notes.txt": "",
    ".ssh/a/deep/er/notes.txt": "",
    ".ssh/a/open/shown.txt": "",
    ".ssh/a/open/deep/shown.txt": "",
    "src/.ssh/a/open/notes.txt": "",
    "src/shown.txt": "",
  });
  const expected = [".ssh/a/open/deep/shown.txt", ".ssh/a/open/shown.txt", "src/shown.txt"];
  assert.deepEqual(filesOf(tree.root, false), expected);
  assert.deepEqual(filesOf(tree.root, true), expected);
});
