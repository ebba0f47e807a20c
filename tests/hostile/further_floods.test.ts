/**
 * Floods of what is excluded: whatever it is, an answer takes its time for what it does not show, and no more,
 * within bounded memory.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, type SearchResult, Workspace } from "../../mod.ts";
import { bombOf } from "../support/gzip.ts";
import { test } from "../support/needs.ts";
import { assertSoon } from "../support/soon.ts";
import { memoryTree, tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { measured, MEGABYTE } from "./measured.ts";

/** Resident bytes of any search, as SECURITY.md states them. */
const BOUND = 256 * MEGABYTE;
/** Excluded files. */
const FILES = Deno.env.has("FLOOD_FIGURES") ? 1_000_000 : 100_000;
/** The most links to one file that every file system has. */
const LINKS = 5000;

/** An answer with matches and an empty one, each in time and memory. */
async function assertBounded(tree: Tree): Promise<void> {
  for (const [pattern, count] of [["needle", 1], ["absent", 0]] as const) {
    const started = performance.now();
    const { code, out, peak } = await measured(tree.root, [pattern]);
    assertSoon(started);
    assert.equal(code, count === 0 ? 1 : 0, out.slice(0, 500));
    const answer = JSON.parse(out);
    assert.equal(answer.count, count);
    const { not_shown: rows = [] } = answer;
    for (const { matches, more } of rows) {
      assert.ok(matches <= 1000 && (more !== true || matches === 1000));
    }
    assert.ok(peak < BOUND, `${pattern}: ${peak} bytes`);
  }
}

test.slow("a flood of ignored files is looked into for a while, and as much as memory may hold", async () => {
  await using tree = await memoryTree({ "a.ts": "needle\n", ".gitignore": "gen/\n" });
  for (let directory = 0; directory < FILES / LINKS; directory++) {
    const below = tree.path(`gen/d${directory}`);
    await Deno.mkdir(below, { recursive: true });
    // A file has so many names.
    const first = `${below}/f.ts`;
    await Deno.writeTextFile(first, "needle\nhay\n");
    for (let file = 1; file < LINKS; file++) Deno.linkSync(first, `${below}/f${file}.ts`);
  }
  await assertBounded(tree);
});

test.slow("gzip files that unpack to gigabytes are unpacked as far as their limit", async () => {
  const bomb = bombOf(256, "needle\n");
  const entries: Record<string, TreeEntry> = { "a.ts": "needle\n" };
  for (let file = 0; file < 40; file++) entries[`logs/${file}.log.gz`] = bomb;
  await using tree = await tempTree(entries);
  await assertBounded(tree);
});

test.slow("links in circles lead to each place once, and with everything, too", async () => {
  const entries: Record<string, TreeEntry> = { "src/a.ts": "needle\n" };
  for (let from = 0; from < 12; from++) {
    entries[`lib/d${from}/f.ts`] = "needle\n";
    for (let to = 0; to < 12; to++) entries[`lib/d${from}/to${to}`] = { symlink: `../d${to}` };
    entries[`src/to${from}`] = { symlink: `../lib/d${from}` };
  }
  await using tree = await tempTree(entries);
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const ask = async (input: object) =>
    await grep.execute({ pattern: "needle", path: "src", ...input }) as SearchResult;
  const started = performance.now();
  const [row] = (await ask({})).scope!.not_shown!;
  assert.deepEqual([row!.cause, row!.files, row!.matches], ["link", 12, 12]);
  assert.equal((await ask({ everything: true })).count, 13);
  const { scope } = await ask({ pattern: "absent", everything: true });
  assert.deepEqual(scope, { searched: 13, matched: 0, everything: true });
  assertSoon(started);
});
