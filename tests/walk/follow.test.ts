/** Links that are followed: levels are counted from the nearest way. */
import assert from "node:assert/strict";
import { type FileResult, search, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a directory that a link reaches by a longer way keeps its own levels", async () => {
  await using tree = await tempTree({
    "p1/x/y/l": { symlink: "../../../p2" },
    "p2/x/y/l": { symlink: "../../../p1" },
    "p1/sub/deep.txt": "foo\n",
    "p2/sub/deep.txt": "foo\n",
  });
  const workspace = await Workspace.open(tree.root);
  for (let maxDepth = 3; maxDepth < 9; maxDepth++) {
    const query = { pattern: "foo", outputMode: "file", follow: true, maxDepth } as const;
    const { files } = await search({ ...query, paths: "relative" }, { workspace }) as FileResult;
    assert.deepEqual(files, ["p1/sub/deep.txt", "p2/sub/deep.txt"], `depth ${maxDepth}`);
  }
});
