/**
 * Large files that are binary by their first bytes, on every engine and from the cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, Searcher, type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a NUL among the first bytes of a file makes it binary, however large it is", async () => {
  const rest = "x".repeat(3000);
  await using tree = await tempTree({
    "a.txt": "needle\n",
    "b/program": `\0${rest}`,
    "b/late": `${"y".repeat(8191)}\0${rest}`,
    "c/later": `${"y".repeat(8192)}\0${rest}`,
    // In UTF-16 with its mark, every other byte is a NUL.
    "c/marked": new Uint8Array([0xff, 0xfe, ...[...rest].flatMap(() => [0x78, 0])]),
  });
  const query = { pattern: "needle", maxFileSize: 2000 } as const;
  const large = "files over 2000 bytes were not searched, the first is";
  const asked = async (more: Partial<SearchQuery>) => {
    const { stats, notes } = await sameStats(tree.root, { ...query, ...more });
    return [stats!.skipped, notes?.map((note) => note.split(";")[0])];
  };
  assert.deepEqual(await asked({}), [{ binary: 2, too_large: 2 }, [`2 ${large} c/later`]]);
  assert.deepEqual(await asked({ text: true }), [{ too_large: 4 }, [`4 ${large} b/late`]]);
  assert.deepEqual(await asked({ encoding: "utf-16le" }), [{ too_large: 4 }, [
    `4 ${large} b/late`,
  ]]);
  assert.deepEqual(await asked({ encoding: "gbk" }), [{ binary: 2, too_large: 2 }, [
    `2 ${large} c/later`,
  ]]);
  // A Searcher says so from what it has kept, whatever was asked before.
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  for (const maxFileSize of [0, 2000, 9000, 2000, 20_000, 2000]) {
    for (const text of [false, true]) {
      const kept = await searcher.search({ ...query, maxFileSize, text, stats: true });
      const fresh = await search({ ...query, maxFileSize, text, stats: true }, { workspace });
      assert.deepEqual(kept.stats!.skipped, fresh.stats!.skipped, `${maxFileSize} ${text}`);
      assert.deepEqual(kept.notes, fresh.notes);
    }
  }
});

/** The answer that all engines give, with its stats. */
async function sameStats(root: string, query: SearchQuery): Promise<SearchResult> {
  await sameAnswer(root, query);
  return await search({ ...query, stats: true }, { workspace: await Workspace.open(root) });
}
