/**
 * An aborted search leaves no thread behind: the process that made it ends by itself.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempTree } from "../support/tree.ts";

const MOD = new URL("../../mod.ts", import.meta.url).href;
/** Aborts searches at many moments, then has nothing left to do. */
const program = (root: string): string => `
import { Searcher, Workspace } from ${JSON.stringify(MOD)};
const workspace = await Workspace.open(${JSON.stringify(root)});
await using searcher = new Searcher({ workspace });
const query = { pattern: "foo", outputMode: "count", maxResults: 100_000 };
for (let after = 40; after < 200; after += 8) {
  const ender = new AbortController();
  const timer = setTimeout(() => ender.abort(), after);
  await searcher.search(query, { signal: ender.signal }).catch(() => {});
  clearTimeout(timer);
}`;

Deno.test("a process that aborted searches at many moments ends by itself", async () => {
  const files = Array.from({ length: 40 * 75 }, (_, index) => {
    return [`${index % 40}/${index}.txt`, "foo bar\n".repeat(2000)] as const;
  });
  await using tree = await tempTree(Object.fromEntries(files));
  const main = `${await Deno.makeTempDir({ dir: tree.root })}/main.ts`;
  await Deno.writeTextFile(main, program(tree.root));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", main],
    signal: AbortSignal.timeout(30_000),
    stdout: "inherit",
    stderr: "inherit",
  });
  const { code, signal } = await child.spawn().status;
  assert.equal(signal, null, "it did not end");
  assert.equal(code, 0);
});
