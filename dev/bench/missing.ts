/**
 * What it takes to say what an answer lacks: the same searches with and without, in turn. A command, and a search
 * in a process that stays.
 *
 * @module
 */

import process from "node:process";
import { Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { BUDGET } from "../../src/reasons/empty_search.ts";
import { CLI, median } from "./measure.ts";
import { timesOf } from "./start.ts";
import { treeWithDependencies } from "./trees.ts";

/** Milliseconds that a searcher has to index what it has read. */
const INDEX_MS = 10_000;
const ABSENT = "not_in_any_of_these_files";
/** A word, and a phrase that may be broken over lines, of every file. */
const [WORD, PHRASE] = ["RangeError", "new RangeError"];

/** The searches, and what is excluded from them: `src` holds nothing that is not searched. */
const ROWS: readonly (readonly [what: string, pattern: string, path: string])[] = [
  ["nothing found", ABSENT, ""],
  ["matches, and nothing excluded", WORD, "src"],
  ["matches, and dependencies excluded", WORD, ""],
  ["a phrase in every file", PHRASE, ""],
];

/** The table: of each search, the processor time of all threads, which is the same where others work, too. */
export async function theCostOfMissing(pairs: number): Promise<string> {
  Object.assign(BUDGET, { kept: 10_000, quick: Infinity }); // how long the whole look takes
  const tree = await treeWithDependencies(20_000);
  const workspace = await Workspace.open(tree.path);
  await using searcher = new Searcher({ workspace, cache: "watched" });
  const lines: string[] = [];
  const add = async (
    kind: string,
    time: (row: (typeof ROWS)[number], explain: boolean) => Promise<number>,
  ) => {
    for (const row of ROWS) {
      const found = [false, true].map((): number[] => []);
      for (let pair = 0; pair <= pairs; pair++) {
        const times = [await time(row, false), await time(row, true)];
        if (pair > 0) times.forEach((each, index) => found[index]!.push(each)); // the first warms up
      }
      const [without = 0, with_ = 0] = found.map(median);
      lines.push(`| ${kind}: ${row[0]} | ${without.toFixed(0)} | ${with_.toFixed(0)} |`);
    }
  };
  await add("a command", async ([, pattern, path], explain) => {
    const flags = `--explain ${explain ? "auto" : "never"} --resident never -c --max-results 0`;
    const words = ["run", "--no-config", "-A", CLI, ...flags.split(" "), pattern, path].filter(
      Boolean,
    );
    return (await timesOf([Deno.execPath(), ...words, "--workspace", tree.path])).processor;
  });
  const ask = async ([, pattern, path]: (typeof ROWS)[number], explain: boolean) => {
    const query: SearchQuery = { pattern, path, explain, outputMode: "count", maxResults: 0 };
    const before = process.cpuUsage();
    await searcher.search(query);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  for (const row of ROWS) await ask(row, true);
  await new Promise((resolve) => setTimeout(resolve, INDEX_MS));
  await add("in a process that stays", ask);
  return [
    "| ms of processor time | without | with it |",
    "| --- | ---: | ---: |",
    ...lines,
  ].join("\n");
}
