/**
 * `deno task cost`: counts the characters of usual answers beside those of ripgrep, and what becomes of
 * calls that are not quite right; prints the tables and writes them into the guide to costs, what keys may
 * be called into the guide to the tools, and which names are blocked into the one to permissions.
 *
 * @module
 */

import { publish } from "../support/publish.ts";
import { answersTable, blockedNamesTable, keysTable, malformedCallsTable } from "./tables.ts";
import { definitionsTable, readingTable, toolAnswersTable } from "./tool_tables.ts";

for (
  const [file, name, table] of [
    ["docs/costs.md", "cost", await answersTable()],
    ["docs/costs.md", "tools", await toolAnswersTable()],
    ["docs/costs.md", "reading", await readingTable()],
    ["docs/costs.md", "definitions", definitionsTable()],
    ["docs/costs.md", "malformed_calls", await malformedCallsTable()],
    ["docs/tools.md", "keys", keysTable()],
    ["docs/permissions.md", "names", blockedNamesTable()],
  ] as const
) {
  console.log(table + "\n");
  await publish(file, name, table);
}
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "docs"] }).output();
