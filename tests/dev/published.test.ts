/**
 * The tables of what answers cost, what becomes of calls and what keys may be called: as they are now.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { published } from "../support/publish.ts";
import { characters, tokens } from "../../dev/cost/measures.ts";
import { blockedNamesList, keysList, malformedCallsTable } from "../../dev/cost/tables.ts";
import {
  answersTable,
  definitionsTable,
  drawAnswers,
  usualAnswers,
} from "../../dev/cost/tool_tables.ts";
import { test } from "../support/needs.ts";

/** A table or a list without the white space and the dashes that lay it out. */
function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").replace(/(?<=\| :?)-+/g, "-");
}

async function assertPublished(file: string, name: string, table: string): Promise<void> {
  const shown = published(await Deno.readTextFile(CHECKOUT + file), name);
  assert.ok(shown !== undefined, `${file} has the part ${name}`);
  assert.deepEqual(plain(shown), plain(table), "`deno task cost` writes it anew");
}

Deno.test("the guide's tokens and characters per answer and definition are those of the tools, and so is its picture", async () => {
  const usual = await usualAnswers();
  const table = answersTable(usual, tokens);
  await assertPublished("docs/costs.md", "answers", table);
  await assertPublished("docs/costs.md", "answers_in_characters", answersTable(usual, characters));
  await assertPublished("docs/costs.md", "definitions", definitionsTable(tokens));
  const definitions = definitionsTable(characters);
  await assertPublished("docs/costs.md", "definitions_in_characters", definitions);
  const picture = await Deno.readTextFile(`${CHECKOUT}docs/tokens.svg`);
  assert.equal(picture, drawAnswers(table), "`deno task cost` draws it anew");
});

test.slow("the guide's counts of calls are those of the calls, and none is left alone", async () => {
  const table = await malformedCallsTable();
  await assertPublished("docs/costs.md", "malformed_calls", table);
  assert.match(table, /\n\| all \| (?:\d+ \| ){4}0 \|$/);
});

Deno.test("the guide to the tools lists every name that a key is read by", async () => {
  await assertPublished("docs/tools.md", "keys", keysList());
});

Deno.test("the guide to permissions lists every name that is blocked", async () => {
  await assertPublished("docs/permissions.md", "names", blockedNamesList());
});
