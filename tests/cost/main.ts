/**
 * `deno task cost`: counts the characters of usual answers beside those of ripgrep, and what becomes of
 * calls that are not quite right; prints the tables and writes them into the guide to costs, and draws its
 * picture. Writes what keys may be called into the guide to the tools, and which names are blocked into
 * the one to permissions.
 *
 * @module
 */

import { publish } from "../support/publish.ts";
import { CHECKOUT } from "../support/run.ts";
import { blockedNamesList, keysList, malformedCallsTable } from "./tables.ts";
import { answersTable, definitionsTable, drawAnswers } from "./tool_tables.ts";

const answers = await answersTable();

for (
  const [file, name, table] of [
    ["docs/costs.md", "answers", answers],
    ["docs/costs.md", "definitions", definitionsTable()],
    ["docs/costs.md", "malformed_calls", await malformedCallsTable()],
    ["docs/tools.md", "keys", keysList()],
    ["docs/permissions.md", "names", blockedNamesList()],
  ] as const
) {
  console.log(table + "\n");
  await publish(file, name, table);
}
await Deno.writeTextFile(`${CHECKOUT}docs/characters.svg`, drawAnswers(answers));
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "docs"] }).output();
