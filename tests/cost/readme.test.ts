/**
 * The README's tables of what answers cost and what becomes of calls: what is counted now.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/acceptance.ts";
import { published } from "../support/publish.ts";
import { answersTable, slipsTable } from "./tables.ts";

const readme = await Deno.readTextFile(`${CHECKOUT}README.md`);

/** A table without the white space and the dashes that align its columns. */
function cells(table: string): string[] {
  return table.trim().split("\n").map((row) => row.replace(/ +/g, " ").replace(/-+/g, "-"));
}

function assertPublished(name: string, table: string): void {
  const shown = published(readme, name);
  assert.ok(shown !== undefined, `the README has the table ${name}`);
  assert.deepEqual(cells(shown), cells(table), "`deno task cost` writes the table anew");
}

Deno.test("the README's characters per answer are those of the answers", async () => {
  assertPublished("cost", await answersTable());
});

Deno.test("the README's counts of calls are those of the calls, and none is left alone", async () => {
  const table = await slipsTable();
  assertPublished("slips", table);
  assert.match(table, /\n\| all \| (?:\d+ \| ){4}0 \|$/);
});
