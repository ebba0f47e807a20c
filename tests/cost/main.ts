/**
 * `deno task cost`: counts the characters of usual answers beside those of ripgrep, and what becomes of
 * calls that are not quite right; prints both tables and writes them into the README.
 *
 * @module
 */

import { publish } from "../support/publish.ts";
import { answersTable, slipsTable } from "./tables.ts";

for (
  const [name, table] of [["cost", await answersTable()], ["slips", await slipsTable()]] as const
) {
  console.log(table + "\n");
  await publish("README.md", name, table);
}
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "README.md"] }).output();
