/**
 * A searcher that stays, beside what agents do without one: spawning `rg --json` and parsing its
 * lines. Run by `compare.ts`, in a process of its own; answers one line of JSON.
 *
 * Arguments: the tree's path, what is kept (`none`, `verified`, `watched`), pairs (0: only some searches, for
 * the memory), then the pattern with its options as ripgrep takes them.
 *
 * @module
 */

import { parseArguments } from "../../src/cli/options/argument_parser.ts";
import { Searcher, Workspace } from "../../mod.ts";

/** Searches before the first that counts: the first starts workers and fills what is kept. */
const WARM_UP = 4;

const [path, cache, pairs, ...pattern] = Deno.args as [
  string,
  "none" | "verified" | "watched",
  string,
];
const { settings, operands } = await parseArguments(pattern);
const query = { ...settings.query, pattern: operands, maxResults: 100_000_000 };
await using searcher = new Searcher({ workspace: await Workspace.open(path), cache });

async function ours(): Promise<number> {
  const start = performance.now();
  await searcher.search(query);
  return performance.now() - start;
}

/** What only this needs is imported here, so that it is no part of the memory that is measured. */
async function theirs(): Promise<number> {
  const { rgPath } = await import("../../tests/support/oracles.ts");
  const { linesFound, RIPGREP_FLAGS } = await import("./measure.ts");
  const rg = await rgPath();
  const start = performance.now();
  const { stdout } = await new Deno.Command(rg, { args: [...RIPGREP_FLAGS, ...pattern, path] })
    .output();
  linesFound(new TextDecoder().decode(stdout));
  return performance.now() - start;
}

for (let run = 0; run < WARM_UP; run++) await ours();
const ratios: number[] = [];
const times: number[] = [];
for (let pair = 0; pair < Number(pairs); pair++) {
  const time = await ours();
  times.push(time);
  ratios.push(time / await theirs());
}
console.log(JSON.stringify({ ratios, times }));
