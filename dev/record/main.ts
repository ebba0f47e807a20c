/**
 * `deno task record BEFORE [AFTER]`: asks two checkouts the same drawn questions, and prints what they answer
 * differently. AFTER is this checkout where it is not given. Nothing is printed but a last line where all
 * answers are the same.
 *
 * `--count 3000`, `--seed 1`; `--show 2` prints as many cases of each difference; `--case N` prints both
 * answers to one case.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { answersOf, type Recorded } from "./answers.ts";
import { type Case, drawCases } from "./cases.ts";
import { differencesOf } from "./differences.ts";
import { makeWorld } from "./world.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    count: { type: "string", default: "3000" },
    seed: { type: "string", default: "1" },
    show: { type: "string", default: "1" },
    case: { type: "string" },
  },
});
const [before, after = new URL("../..", import.meta.url).pathname] = positionals;
if (before === undefined) {
  console.error(
    "usage: deno task record BEFORE [AFTER] [--count N] [--seed N] [--show N] [--case N]",
  );
  Deno.exit(2);
}
const [seed, count, show] = [values.seed, values.count, values.show].map(Number) as [
  number,
  number,
  number,
];
const only = values.case === undefined ? undefined : Number(values.case);
const drawn = drawCases(seed, count);
const cases = only === undefined ? drawn : [drawn[only]!];

await using world = await makeWorld(seed);
const [answersBefore, answersAfter] = await Promise.all([before, after].map(async (checkout) => {
  const path = await Deno.realPath(checkout);
  return await answersOf(path, world.root, cases, checkout === before ? progress : undefined);
})) as [Recorded[], Recorded[]];

if (only !== undefined) {
  console.log(
    JSON.stringify({ case: cases[0], before: answersBefore[0], after: answersAfter[0] }, null, 2),
  );
  Deno.exit();
}
const found = new Map<string, number[]>();
let different = 0;
for (const index of cases.keys()) {
  const places = differencesOf(answersBefore[index]!, answersAfter[index]!);
  if (places.length > 0) different++;
  for (const place of places) found.getOrInsertComputed(place, () => []).push(index);
}
for (const [place, indices] of [...found].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`${String(indices.length).padStart(5)}  ${place}`);
  for (const index of indices.slice(0, show)) {
    console.log(`         ${index}: ${said(cases[index]!)}`);
  }
}
console.log(`${different} of ${cases.length} answers differ`);
Deno.exit(different === 0 ? 0 : 1);

function said(one: Case): string {
  return one.by === "command"
    ? `${one.workspace}$ pathgrep ${one.args.map((word) => JSON.stringify(word)).join(" ")}`
    : `${one.workspace}: ${one.by} ${one.tool} ${JSON.stringify(one.input)}`;
}

function progress(answered: number): void {
  if (answered % 100 === 0) console.error(`${answered} of ${cases.length}`);
}
