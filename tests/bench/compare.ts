/**
 * `deno task bench`: pathgrep and ripgrep side by side, in turn, on the same machine; the answers are
 * held against each other first. Prints a table of the ratios of wall times, medians of pairs with
 * their spread, and of the peak memory, and writes it where the documentation shows it.
 *
 * Arguments: the number of pairs (default 11), then names of rows (default all, and only then the
 * table is written).
 *
 * @module
 */

import {
  bareLine,
  commandLines,
  linesFound,
  median,
  peakMegabytes,
  run,
  withServer,
} from "./measure.ts";
import { besideOthers } from "./others.ts";
import { theStart } from "./start.ts";
import { deepTree, generatedTree, logFile, packageTree, type Tree } from "./trees.ts";
import { publish } from "../support/publish.ts";
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
/** Names that stand in few files or in none. */
const NAMES = [
  ...["isPlainObject", "parseISO", "emitHelper", "transpileModule", "lightBlue", "hydrateRoot"],
  ...["useSlider", "notInAnyFile", "resolveProps", "toThenable", "addBusinessDays", "intlFormat"],
  ...["getOwnNonIndex", "formatDistanceStrict", "breakpointUp", "zonedDate", "absentName"],
  ...["neverWritten", "unfindable", "noSuchSymbol"],
];
const LOG_PATTERNS = [["needle_in_haystack"], ["ERR-[0-9]+"]];

/** Milliseconds that a server has to index what it has read. */
const INDEX_MS = 10_000;

/** One line of the table. */
interface Row {
  name: string;
  /** Of our wall time to ripgrep's, one per pair; of several patterns each. */
  ratios: number[][];
  /** Of the wall time of a program that only reads the files to ripgrep's, one per pair. */
  bare: number[];
  /** Our wall time in milliseconds, the median over everything. */
  ms: number;
  ourPeak: number | undefined;
  theirPeak: number | undefined;
}

const pairs = Number(Deno.args[0] ?? 11);
const wanted = Deno.args.slice(1);

/** Whole processes, each pattern in turn. */
async function cold(name: string, tree: Tree, patterns: string[][], file?: string): Promise<Row> {
  const row = emptyRow(name);
  const times: number[] = [];
  const bare = bareLine(tree, file);
  for (const pattern of patterns) {
    const [ours, theirs] = await commandLines(tree, pattern, file);
    const found = [
      linesFound((await run(ours)).output()),
      linesFound((await run(theirs)).output()),
    ];
    report(pattern, found[0]!, found[1]!);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const { ms } = await run(ours);
      times.push(ms);
      const { ms: theirMs } = await run(theirs);
      ratios.push(ms / theirMs);
      if (pattern === patterns[0]) row.bare.push((await run(bare)).ms / theirMs);
    }
    row.ratios.push(ratios);
    row.ourPeak = larger(row.ourPeak, await peakMegabytes(ours));
    row.theirPeak = larger(row.theirPeak, await peakMegabytes(theirs));
    console.error(`  ${median(ratios).toFixed(2)}  ${pattern.join(" ")}`);
  }
  row.ms = median(times);
  return row;
}

/** Whole commands that a resident search answers. */
async function served(name: string, tree: Tree): Promise<Row> {
  return await withServer(tree, async (status) => {
    await new Promise((resolve) => setTimeout(resolve, INDEX_MS));
    const row = await cold(name, tree, PATTERNS);
    row.bare = [];
    row.ourPeak = (await status()).memory_bytes / 1e6;
    return row;
  });
}

/** A searcher that stays, beside spawning ripgrep and parsing what it prints. */
async function warm(name: string, tree: Tree, cache: string): Promise<Row> {
  const row = emptyRow(name);
  const script = fileURLToPath(new URL("./warm.ts", import.meta.url));
  const times: number[] = [];
  for (const pattern of PATTERNS) {
    const line = (count: number) =>
      [Deno.execPath(), "run", "-A", script, tree.path, cache, String(count), ...pattern] as const;
    const result = JSON.parse((await run(line(pairs))).output());
    row.ratios.push(result.ratios);
    times.push(...result.times);
    row.ourPeak = larger(row.ourPeak, await peakMegabytes(line(0)));
    console.error(`  ${median(result.ratios).toFixed(2)}  ${pattern.join(" ")}`);
  }
  row.ms = median(times);
  return row;
}

function emptyRow(name: string): Row {
  return { name, ratios: [], bare: [], ms: 0, ourPeak: undefined, theirPeak: undefined };
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

/** The time over the size: files, or megabytes. */
async function curve(): Promise<string> {
  const rows: string[] = ["| files | ms | ms per 1,000 files |", "| ---: | ---: | ---: |"];
  for (const files of [12_500, 25_000, 50_000, 100_000, 200_000]) {
    const tree = await generatedTree(files);
    const [ours] = await commandLines(tree, ["isPlainObject"]);
    await run(ours);
    const times: number[] = [];
    for (let count = 0; count < 5; count++) times.push((await run(ours)).ms);
    const ms = median(times);
    rows.push(`| ${files} | ${ms.toFixed(0)} | ${(ms / files * 1000).toFixed(1)} |`);
  }
  rows.push("", "| MB in one file | ms | ms per 100 MB |", "| ---: | ---: | ---: |");
  for (const megabytes of [62.5, 125, 250, 500]) {
    const tree = await logFile(megabytes * 1e6);
    const [ours] = await commandLines(tree, ["needle_in_haystack"], "server.log");
    await run(ours);
    const times: number[] = [];
    for (let count = 0; count < 5; count++) times.push((await run(ours)).ms);
    const ms = median(times);
    rows.push(`| ${megabytes} | ${ms.toFixed(0)} | ${(ms / megabytes * 100).toFixed(1)} |`);
  }
  return rows.join("\n");
}

/** Several patterns in one call beside one of them: our time to our time, in pairs. */
async function several(): Promise<string> {
  const tree = await packageTree("large");
  const timeOf = async (names: readonly string[]) => {
    const [ours] = await commandLines(tree, names.flatMap((name) => ["-e", name]));
    return (await run(ours)).ms;
  };
  const rows = ["| patterns | time / one pattern's | spread |", "| ---: | ---: | --- |"];
  for (const count of [2, 8, 20]) {
    const names = NAMES.slice(0, count);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      ratios.push(await timeOf(names) / await timeOf([names[pair % count]!]));
    }
    const spread = `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`;
    rows.push(`| ${count} | ${median(ratios).toFixed(2)} | ${spread} |`);
  }
  return rows.join("\n");
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, ratios, bare, ms, ourPeak, theirPeak }) => {
    const medians = ratios.map(median);
    const all = ratios.flat();
    const spread = `${Math.min(...all).toFixed(2)} – ${Math.max(...all).toFixed(2)}`;
    const peaks = [ourPeak, theirPeak].map((peak) => peak === undefined ? "" : peak.toFixed(0));
    const floor = bare.length === 0 ? "" : median(bare).toFixed(2);
    const figures = [median(medians).toFixed(2), spread, floor, ms.toFixed(0), ...peaks];
    return `| ${name} | ${figures.join(" | ")} |`;
  });
  return [
    "| | time / ripgrep's | spread | only reading | ms | peak MB | ripgrep's |",
    "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

const ROWS: Record<string, () => Promise<Row>> = {
  huge: () => packages("huge"),
  large: () => packages("large"),
  small: () => packages("small"),
  tiny: () => packages("tiny"),
  async generated() {
    const tree = await generatedTree(200_000);
    return await cold(`command, ${tree.files} generated files`, tree, SOME_PATTERNS);
  },
  async deep() {
    const tree = await deepTree(500);
    return await cold(`command, ${tree.files} directories, one in the other`, tree, SOME_PATTERNS);
  },
  async log() {
    const tree = await logFile(5e8);
    return await cold("command, one file of 500 MB", tree, LOG_PATTERNS, "server.log");
  },
  async serve_medium() {
    const tree = await packageTree("medium");
    return await served(`command with \`serve\`, ${tree.files} files`, tree);
  },
  async serve_large() {
    const tree = await packageTree("large");
    return await served(`command with \`serve\`, ${tree.files} files`, tree);
  },
  async serve_huge() {
    const tree = await packageTree("huge");
    return await served(`command with \`serve\`, ${tree.files} files`, tree);
  },
  async serve_generated() {
    const tree = await generatedTree(200_000);
    return await served(`command with \`serve\`, ${tree.files} generated files`, tree);
  },
  async warm() {
    return await warm("`Searcher`, files read again", await packageTree("large"), "none");
  },
  async verified() {
    const tree = await packageTree("large");
    return await warm('`Searcher`, `cache: "verified"`', tree, "verified");
  },
  async watched() {
    const tree = await packageTree("large");
    return await warm('`Searcher`, `cache: "watched"`', tree, "watched");
  },
};

async function packages(size: Parameters<typeof packageTree>[0]): Promise<Row> {
  const tree = await packageTree(size);
  const kilobytes = (tree.bytes / tree.files / 1000).toFixed(1);
  return await cold(
    `command, ${tree.files} files of npm packages, ${kilobytes} KB each`,
    tree,
    PATTERNS,
  );
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(ROWS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(name);
  rows.push(await measure());
}
const table = tableOf(rows);
console.log(table);
const isWhole = wanted.length === 0;
const others = isWhole || wanted.includes("others")
  ? await besideOthers(await packageTree("large"), pairs)
  : "";
console.log(others);
const patterns = isWhole || wanted.includes("patterns") ? await several() : "";
console.log(patterns);
const start = isWhole || wanted.includes("start") ? await theStart() : "";
console.log(start);
if (isWhole) {
  await publish("docs/performance.md", "start", start);
  await publish("docs/performance.md", "bench", table);
  await publish("docs/performance.md", "others", others);
  await publish("docs/performance.md", "patterns", patterns);
  await publish("docs/performance.md", "curve", await curve());
}
