/**
 * `deno task absence`: asks each tool sixty everyday questions, and writes what becomes of them into
 * `docs/absence.md` and the README.
 *
 * `--row WORDS` asks only where the name of the circumstance has these words, and prints what was asked and what
 * each tool answered. `--own-time` gives pathgrep the time that it has in use: then a busy machine may change the
 * table.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { publish } from "../../tests/support/publish.ts";
import { CHECKOUT } from "../../tests/support/run.ts";
import { TOOLS } from "./circumstance.ts";
import { allResults, CIRCUMSTANCES, resultsIn } from "./run.ts";
import { circumstanceTables, reasonsTable, sumsSentence, sumsTable } from "./table.ts";
import { isInstalled, Server } from "./tools.ts";

const GUIDE = "docs/absence.md";
const { values: { row: words, "own-time": hasOwnTime } } = parseArgs({
  options: { "row": { type: "string" }, "own-time": { type: "boolean", default: false } },
});
const missing = TOOLS.filter((tool) => !isInstalled(tool));

if (words !== undefined) {
  await printRows(words);
} else if (missing.length > 0) {
  console.error(`the tables have a column for ${missing.join(" and ")}: install it first`);
  Deno.exit(1);
} else {
  const results = await allResults(TOOLS, { hasOwnTime });
  const sums = sumsTable(TOOLS, results);
  console.log(sums);
  await publish(GUIDE, "circumstances", circumstanceTables(TOOLS, results));
  await publish(GUIDE, "reasons", reasonsTable());
  await publish(GUIDE, "sums", sums);
  await publish("README.md", "absence", sumsSentence(results));
  await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", GUIDE, "README.md"],
    cwd: CHECKOUT,
  }).output();
}

async function printRows(words: string): Promise<void> {
  const rows = CIRCUMSTANCES.flatMap(([, rows]) => rows)
    .filter(({ name }) => name.includes(words));
  await using server = await Server.start({ hasOwnTime });
  for (const row of rows) {
    const results = await resultsIn(row, TOOLS.filter(isInstalled), { hasOwnTime, server });
    console.log(`${row.name}: ${row.file ?? "nowhere"}`);
    for (const [tool, { verdict, question, shown, said }] of results) {
      console.log(`\n${tool}: ${verdict}\n> ${question}`);
      for (const part of [shown, said]) if (part.trim() !== "") console.log(part.trim());
    }
  }
}
