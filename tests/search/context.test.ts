/** Context that would fill the memory. */
import assert from "node:assert/strict";
import { type ContentResult, search, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("more than 1000 lines of context are read as 1000, with a note", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
  await using tree = await tempTree({ "a.txt": lines.join("\n") });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "^line 2500$", context: 3000 };
  const result = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(result.matches[0]!.before, lines.slice(1499, 2499));
  assert.deepEqual(result.matches[0]!.after, lines.slice(2500, 3500));
  assert.deepEqual(result.notes, [
    "context of 3000 lines was read as 1000; read the file itself for more",
  ]);
});
