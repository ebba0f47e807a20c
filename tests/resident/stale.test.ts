/**
 * A resident search is never stale: after every few of many random changes, the next answer is ripgrep's.
 * `CHANGES` in the environment says how many changes.
 */
import assert from "node:assert/strict";
import { Changer, ripgrepFiles, ripgrepLines } from "../support/changes.ts";
import { numbersFrom, seeded } from "../support/draw.ts";
import { settled } from "../support/tree.ts";
import { Resident } from "./resident.ts";
import { test } from "../support/needs.ts";

const CHANGES = Number(Deno.env.get("CHANGES") ?? 400);
/** How many changes come before a search, by turns: few, or as many as a checkout makes. */
const BURSTS = [4, 1, 4, 2, 4, 4, 7, 4, 4, 60];
const CHANGES_PER_PAUSE = 200;
/** Searches of which one is a whole command, the others what a client is answered. */
const SEARCHES_PER_COMMAND = 20;
const ARGS = ["needle", "--max-results", "0", "--format", "jsonl", "--stats"];

test.slow(
  `${CHANGES} random changes, and no answer of a server is stale`,
  seeded(async (seed) => {
    await using resident = await Resident.on({});
    const { root } = resident.tree;
    const changer = new Changer(root, numbersFrom(seed));
    for (let index = 0; index < 60; index++) {
      const directory = `${root}/d${index % 4}/d${index % 3}`;
      await Deno.mkdir(directory, { recursive: true });
      await Deno.writeTextFile(`${directory}/f${index}.txt`, changer.content());
    }
    const status = await resident.start();
    let sincePause = Infinity;
    for (let made = 0, searches = 1; made < CHANGES; searches++) {
      // Only what has not changed for a second is kept.
      if (sincePause >= CHANGES_PER_PAUSE) {
        await settled();
        sincePause = 0;
      }
      const burst = BURSTS[searches % BURSTS.length]!;
      for (let index = 0; index < burst; index++) changer.change();
      made += burst;
      sincePause += burst;
      const { stdout } = searches % SEARCHES_PER_COMMAND === 0
        ? await resident.run(ARGS)
        : await resident.ask(status, ARGS);
      const rows = stdout.trimEnd().split("\n").map((row) => JSON.parse(row));
      assert.equal(rows.pop().stats.resident, true);
      const lines = rows.map(({ file, line_number, line }) => `${file}:${line_number}:${line}`);
      const expected = await ripgrepLines(root);
      assert.deepEqual(lines.sort(), expected, `after ${made} changes`);
      const listing = await resident.ask(status, ["files", "--max-results", "0", "--stats"]);
      const { files, stats } = JSON.parse(listing.stdout);
      assert.equal(stats.resident, true);
      const listed = await ripgrepFiles(root);
      assert.deepEqual(files.sort(), listed, `listed after ${made} changes`);
    }
  }),
);
