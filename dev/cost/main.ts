/**
 * `deno task cost`: counts the tokens and characters of usual answers beside those of ripgrep, and what
 * becomes of calls that are not quite right; prints the tables and writes them into the guide to costs, and
 * draws its picture. Writes what keys may be called into the guide to the tools, and which names are blocked
 * into the one to permissions.
 *
 * @module
 */

import "../../tests/support/patience.ts"; // A busy machine must not change what is counted.
import { publish } from "../../tests/support/publish.ts";
import { CHECKOUT } from "../../tests/support/run.ts";
import { characters, tokens } from "./measures.ts";
import { blockedNamesList, keysList, malformedCallsTable } from "./tables.ts";
import { answersTable, definitionsTable, drawAnswers, usualAnswers } from "./tool_tables.ts";

const usual = await usualAnswers();
const answers = answersTable(usual, tokens);

for (
  const [file, name, table] of [
    ["docs/costs.md", "answers", answers],
    ["docs/costs.md", "definitions", definitionsTable(tokens)],
    ["docs/costs.md", "answers_in_characters", answersTable(usual, characters)],
    ["docs/costs.md", "definitions_in_characters", definitionsTable(characters)],
    ["docs/costs.md", "malformed_calls", await malformedCallsTable()],
    ["docs/tools.md", "keys", keysList()],
    ["docs/permissions.md", "names", blockedNamesList()],
  ] as const
) {
  console.log(table + "\n");
  await publish(file, name, table);
}
await Deno.writeTextFile(`${CHECKOUT}docs/tokens.svg`, drawAnswers(answers));
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "docs"] }).output();
