/**
 * How the time of a search grows: over files, over the size of one file and over patterns.
 *
 * @module
 */

import { Searcher, Workspace } from "../../mod.ts";
import type { Figures } from "./figures.ts";
import { commandLines, median, rounded, run } from "./measure.ts";
import { generatedTree, logFile, packageTree, type Tree } from "./trees.ts";

/** Names that stand in few files or in none. */
const NAMES = [
  ...["isPlainObject", "parseISO", "emitHelper", "transpileModule", "lightBlue", "hydrateRoot"],
  ...["useSlider", "notInAnyFile", "resolveProps", "toThenable", "addBusinessDays", "intlFormat"],
  ...["getOwnNonIndex", "formatDistanceStrict", "breakpointUp", "zonedDate", "absentName"],
  ...["neverWritten", "unfindable", "noSuchSymbol"],
];
const RUNS = 5;
/** What the workers take to index 200,000 files, and more. */
const INDEX_MS = 20_000;

/** Milliseconds over sizes, and over patterns how many times as long as one of them. */
export async function growth(pairs: number): Promise<Figures["growth"]> {
  const command: [number, number][] = [];
  const watched: [number, number][] = [];
  for (const files of [12_500, 25_000, 50_000, 100_000, 200_000]) {
    const tree = await generatedTree(files);
    command.push([files, await commandMs(tree, ["isPlainObject"])]);
    watched.push([files, await watchedMs(tree, "isPlainObject")]);
  }
  const file: [number, number][] = [];
  for (const megabytes of [62.5, 125, 250, 500]) {
    const tree = await logFile(megabytes * 1e6);
    file.push([megabytes, await commandMs(tree, ["needle_in_haystack"], "server.log")]);
  }
  return { command, watched, file, patterns: await several(pairs) };
}

async function commandMs(tree: Tree, pattern: readonly string[], file?: string): Promise<number> {
  const [ours] = await commandLines(tree, pattern, file);
  return await medianMs(async () => (await run(ours)).ms);
}

/** A search in a process that watches the tree and has it indexed. */
async function watchedMs({ path }: Tree, pattern: string): Promise<number> {
  const workspace = await Workspace.open(path);
  await using searcher = new Searcher({ workspace, cache: "watched" });
  const time = async () => {
    const start = performance.now();
    await searcher.search({ pattern, explain: "never" });
    return performance.now() - start;
  };
  await time();
  await new Promise((resolve) => setTimeout(resolve, INDEX_MS));
  return await medianMs(time);
}

async function medianMs(time: () => Promise<number>): Promise<number> {
  await time(); // reads from the disk
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) times.push(await time());
  return rounded(median(times), 0);
}

/** Several patterns in one call beside one of them, in pairs. */
async function several(pairs: number): Promise<[number, number][]> {
  const tree = await packageTree("large");
  const timeOf = async (names: readonly string[]) => {
    const [ours] = await commandLines(tree, names.flatMap((name) => ["-e", name]));
    return (await run(ours)).ms;
  };
  const points: [number, number][] = [[1, 1]];
  for (const count of [2, 8, 20]) {
    const names = NAMES.slice(0, count);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      ratios.push(await timeOf(names) / await timeOf([names[pair % count]!]));
    }
    points.push([count, rounded(median(ratios), 2)]);
  }
  return points;
}
