/**
 * `deno task bench`: pathgrep and ripgrep side by side, in turn, on the same machine; the answers are
 * held against each other first. Records the ratios of wall times, medians of pairs with their
 * spread, and the peak memory in `figures.json`, and draws the plots of the guide from it.
 *
 * Arguments: the number of pairs (default 11), then what is to be measured (default all): rows, `growth`,
 * `missing`, `others`, `start`. What is not named stays as it was recorded, so name parts only on the machine on
 * which the rest was measured.
 *
 * @module
 */

import {
  bareLine,
  type CommandLine,
  commandLines,
  IN_DENO,
  inNodeJs,
  linesFound,
  listingLines,
  machine,
  median,
  namesFound,
  peakMegabytes,
  rounded,
  run,
  withServer,
} from "./measure.ts";
import { type BenchRow, publishFigures, readFigures } from "./figures.ts";
import { growth } from "./growth.ts";
import { KEPT } from "./git_trees.ts";
import { besideOthers } from "./others.ts";
import { theCostOfMissing } from "./missing.ts";
import { theStart } from "./start.ts";
import { generatedTree, gitTree, logFile, oneFile, packageTree, type Tree } from "./trees.ts";
import { publish } from "../../tests/support/publish.ts";
import { CHECKOUT } from "../../tests/support/run.ts";
import { fileURLToPath } from "node:url";

/** Usual patterns: literals, words, alternations, classes; rare, common and absent. */
const PATTERNS = [
  ["isPlainObject"],
  ["TODO|FIXME"],
  ["-w", "throw"],
  ["-i", "deprecated"],
  ["[a-z]+Sync\\("],
  ["function\\s+\\w+Error"],
  ["^export default "],
  ["not_in_any_of_these_files"],
];
const SOME_PATTERNS = PATTERNS.slice(0, 3);
/** The sizes of repositories. */
const REPOSITORIES = [350, 1000, 3000, 10_000];
const LOG_PATTERNS = [["needle_in_haystack"], ["ERR-[0-9]+"]];

/** Milliseconds that a server has to index what it has read. */
const INDEX_MS = 10_000;
/** Milliseconds after the last command before its memory is measured: by then it has been trimmed. */
const REST_MS = 5000;

/** What is measured of one row. */
interface Measured {
  /** Of our wall time to ripgrep's, one per pair; of several patterns each. */
  ratios: number[][];
  /** Of the wall time of a program that only reads the files to ripgrep's, one per pair. */
  bare: number[];
  /** Our wall times in milliseconds. */
  times: number[];
  /** The same less the time of a search in one file, to ripgrep's, one per pair. */
  beyondStart: number[];
  /** Wall times of ripgrep in milliseconds. */
  theirTimes: number[];
  peak: number | undefined;
  theirPeak: number | undefined;
}

const pairs = Number(Deno.args[0] ?? 11);

/** Whole processes, each pattern in turn. */
async function cold(
  tree: Tree,
  patterns: string[][],
  file?: string,
  start = IN_DENO,
  one?: CommandLine,
): Promise<Measured> {
  const row = nothing();
  const bare = start === IN_DENO ? bareLine(tree, file) : undefined;
  for (const pattern of patterns) {
    const [ours, theirs] = await commandLines(tree, pattern, file, start);
    const found = [
      linesFound((await run(ours)).output()),
      linesFound((await run(theirs)).output()),
    ];
    report(pattern, found[0]!, found[1]!);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const { ms } = await run(ours);
      row.times.push(ms);
      const { ms: theirMs } = await run(theirs);
      ratios.push(ms / theirMs);
      row.theirTimes.push(theirMs);
      if (one) row.beyondStart.push((ms - (await run(one)).ms) / theirMs);
      if (bare && pattern === patterns[0]) row.bare.push((await run(bare)).ms / theirMs);
    }
    row.ratios.push(ratios);
    row.peak = larger(row.peak, await peakMegabytes(ours));
    row.theirPeak = larger(row.theirPeak, await peakMegabytes(theirs));
    console.error(`  ${median(ratios).toFixed(2)}  ${pattern.join(" ")}`);
  }
  return row;
}

/** A search in a repository and, beside it, the start: the same in one file. */
async function inRepository(tree: Tree): Promise<Measured> {
  const [one] = await commandLines(await oneFile(), ["needle"], "a.txt");
  return await cold(tree, PATTERNS, undefined, IN_DENO, one);
}

/** The files of a repository, listed. */
async function listed(tree: Tree): Promise<Measured> {
  const row = nothing();
  const [ours, theirs] = await listingLines(tree);
  const [one] = await listingLines(await oneFile());
  const found = namesFound((await run(ours)).output(), tree);
  const others = [...found].filter((name) => !name.endsWith(KEPT));
  report(["files"], new Set(others), namesFound((await run(theirs)).output(), tree));
  const ratios: number[] = [];
  for (let pair = 0; pair < 3 * pairs; pair++) {
    const [{ ms }, { ms: theirMs }] = [await run(ours), await run(theirs)];
    row.times.push(ms);
    row.theirTimes.push(theirMs);
    ratios.push(ms / theirMs);
    row.beyondStart.push((ms - (await run(one)).ms) / theirMs);
  }
  console.error(`  ${median(ratios).toFixed(2)}`);
  const [peak, theirPeak] = [await peakMegabytes(ours), await peakMegabytes(theirs)];
  return { ...row, ratios: [ratios], peak, theirPeak };
}

/** Whole commands that a resident search answers. */
async function served(tree: Tree): Promise<Measured> {
  return await withServer(tree, async (status) => {
    await new Promise((resolve) => setTimeout(resolve, INDEX_MS));
    const row = await cold(tree, PATTERNS);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { ...row, bare: [], peak: (await status()).memory_bytes / 1e6 };
  });
}

/** A searcher that stays, beside spawning ripgrep and parsing what it prints. */
async function warm(tree: Tree, cache: string): Promise<Measured> {
  const row = nothing();
  const script = fileURLToPath(new URL("./warm.ts", import.meta.url));
  for (const pattern of PATTERNS) {
    const line = (count: number) =>
      [Deno.execPath(), "run", "-A", script, tree.path, cache, String(count), ...pattern] as const;
    const { ratios, times } = JSON.parse((await run(line(pairs))).output());
    row.ratios.push(ratios);
    row.times.push(...times);
    row.peak = larger(row.peak, await peakMegabytes(line(0)));
    console.error(`  ${median(ratios).toFixed(2)}  ${pattern.join(" ")}`);
  }
  return row;
}

function nothing(): Measured {
  return {
    ratios: [],
    bare: [],
    times: [],
    beyondStart: [],
    theirTimes: [],
    peak: undefined,
    theirPeak: undefined,
  };
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? a ?? b : Math.max(a, b);
}

/** Says so when the answers differ: then the times mean nothing. */
function report(pattern: string[], ours: Set<string>, theirs: Set<string>): void {
  const missing = theirs.difference(ours);
  const extra = ours.difference(theirs);
  if (missing.size + extra.size === 0) return;
  const some = [...missing].slice(0, 3).concat([...extra].slice(0, 3)).join("\n  ");
  console.error(
    `answers to ${
      pattern.join(" ")
    } differ: ${missing.size} missing, ${extra.size} extra\n  ${some}`,
  );
}

/** A row of the record. */
function rowOf(
  { files, bytes }: Tree,
  { ratios, bare, times, beyondStart, theirTimes, peak, theirPeak }: Measured,
): BenchRow {
  const all = ratios.flat();
  return {
    files,
    kilobytes: rounded(bytes / files / 1000, 1),
    ratio: rounded(median(ratios.map(median)), 2),
    spread: [rounded(Math.min(...all), 2), rounded(Math.max(...all), 2)],
    ...bare.length > 0 && { bare: rounded(median(bare), 2) },
    ms: rounded(median(times), 0),
    ...beyondStart.length > 0 && {
      beyondStart: rounded(median(beyondStart), 2),
      theirMs: rounded(median(theirTimes), 1),
    },
    ...peak !== undefined && { peak: rounded(peak, 0) },
    ...theirPeak !== undefined && { theirPeak: rounded(theirPeak, 0) },
  };
}

type Rows = Record<
  string,
  [makeTree: () => Promise<Tree>, measure: (tree: Tree) => Promise<Measured>]
>;

const command = (tree: Tree) => cold(tree, PATTERNS);
const inNode = async (tree: Tree) => await cold(tree, PATTERNS, undefined, await inNodeJs());
const huge = () => packageTree("huge");
const large = () => packageTree("large");
const generated = () => generatedTree(200_000);
const ROWS: Rows = {
  huge: [huge, command],
  large: [large, command],
  small: [() => packageTree("small"), command],
  tiny: [() => packageTree("tiny"), command],
  ...Object.fromEntries(
    REPOSITORIES.flatMap((files): [string, Rows[string]][] => [
      [`git_${files}`, [() => gitTree(files), inRepository]],
      [`files_${files}`, [() => gitTree(files), listed]],
    ]),
  ),
  generated: [generated, (tree) => cold(tree, SOME_PATTERNS)],
  log: [() => logFile(5e8), (tree) => cold(tree, LOG_PATTERNS, "server.log")],
  node_huge: [huge, inNode],
  node_large: [large, inNode],
  node_small: [() => packageTree("small"), inNode],
  node_tiny: [() => packageTree("tiny"), inNode],
  serve_medium: [() => packageTree("medium"), served],
  serve_large: [large, served],
  serve_huge: [huge, served],
  serve_generated: [generated, served],
  warm: [large, (tree) => warm(tree, "none")],
  verified: [large, (tree) => warm(tree, "verified")],
  watched: [large, (tree) => warm(tree, "watched")],
};

const PAGE = "docs/performance.md";
const figures = await readFigures();
/** What is measured, by its name: each is recorded at once. */
const parts: Record<string, () => Promise<void>> = {
  ...Object.fromEntries(
    Object.entries(ROWS).map(([name, [makeTree, measure]]) => [name, async () => {
      const tree = await makeTree();
      figures.rows[name] = rowOf(tree, await measure(tree));
    }]),
  ),
  async growth() {
    figures.growth = await growth(pairs);
  },
  others: async () => await publish(PAGE, "others", await besideOthers(await large(), pairs)),
  missing: async () => await publish(PAGE, "missing", await theCostOfMissing(pairs)),
  start: async () => await publish(PAGE, "start", await theStart()),
};
const wanted = Deno.args.length > 1 ? Deno.args.slice(1) : Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  throw new Error(`no ${unknown.join(", ")}: there are ${Object.keys(parts).join(", ")}`);
}
figures.machine = await machine();
for (const name of wanted) {
  console.error(name);
  await parts[name]!();
  await publishFigures(figures);
}
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", CHECKOUT + PAGE] }).output();
