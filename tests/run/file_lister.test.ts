/** Files that are listed: those that are named, and the end of a listing that nobody waits for. */
import assert from "node:assert/strict";
import { listFiles, PathgrepError, Workspace } from "../../mod.ts";
import { runListing } from "../../src/search/search.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a file that is named is listed whatever its size, and once", async () => {
  await using tree = await tempTree({ "a.txt": "too long\n", "b.txt": "short", "c.txt": "longer" });
  const workspace = await Workspace.open(tree.root);
  const files = async (query: Parameters<typeof listFiles>[0]) => {
    const answer = await listFiles({ maxFileSize: 5, paths: "relative", ...query }, { workspace });
    return answer.files;
  };
  assert.deepEqual(await files({}), ["b.txt"]);
  assert.deepEqual(await files({ path: "a.txt" }), ["a.txt"]);
  for (const follow of [false, true]) {
    assert.deepEqual(await files({ path: ["b.txt", "."], follow }), ["b.txt"]);
    assert.deepEqual(await files({ path: [".", "a.txt", "b.txt"], follow }), ["a.txt", "b.txt"]);
  }
});

Deno.test("a listing that nobody waits for anymore ends", async () => {
  const workspace = await Workspace.open("/");
  const ender = new AbortController();
  const onProgress = () => ender.abort();
  const listing = runListing({ maxResults: 10 }, {
    workspace,
    signal: ender.signal,
    onProgress,
  });
  await assert.rejects(
    listing,
    (error) => error instanceof PathgrepError && error.code === "cancelled",
  );
});
