/**
 * `deno task bench`: pathgrep and ripgrep side by side, whole processes in turn, on real trees from
 * npm packages. Prints the ratio of the two wall times, as median and spread over the pairs.
 *
 * Arguments: the number of pairs (default 11), then names of rows (default all).
 *
 * @module
 */

import { fromFileUrl, installTrees, type Tree } from "./trees.ts";
import { rgPath } from "../support/oracles.ts";

/** What makes ripgrep read the same files as pathgrep does. */
const RIPGREP_FLAGS = [
  "--no-config",
  "--hidden",
  "-g",
  "!.git",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--json",
];

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

const cli = fromFileUrl(new URL("../../cli.ts", import.meta.url));
const rg = await rgPath();
const pairs = Number(Deno.args[0] ?? 11);
const wanted = Deno.args.slice(1);

/** Runs a command to its end; wall milliseconds and how many lines it found. */
async function run(command: string, args: string[]): Promise<{ ms: number; lines: Set<string> }> {
  const start = performance.now();
  const { code, stdout } = await new Deno.Command(command, { args, stderr: "inherit" }).output();
  const ms = performance.now() - start;
  if (code > 1) throw new Error(`${command} ${args.join(" ")} failed with ${code}`);
  return { ms, lines: linesFound(new TextDecoder().decode(stdout)) };
}

/** `path:line` of every match, from pathgrep's rows or ripgrep's. */
function linesFound(text: string): Set<string> {
  const found = new Set<string>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const row = JSON.parse(line);
    if (row.type !== "match") continue;
    found.add(`${row.file ?? row.data.path.text}:${row.line_number ?? row.data.line_number}`);
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** One pattern on one tree: the answers are held against each other first, then timed in turn. */
async function compare(tree: Tree, pattern: string[]): Promise<number[]> {
  const ours = [
    "run",
    "-A",
    cli,
    ...pattern,
    "--workspace",
    tree.path,
    "--format",
    "jsonl",
    "--max-results",
    "100000000",
  ];
  const theirs = [...RIPGREP_FLAGS, "--max-filesize", "1048576", ...pattern, tree.path];
  const [a, b] = [await run(Deno.execPath(), ours), await run(rg, theirs)];
  const missing = [...b.lines].filter((line) => !a.lines.has(line));
  const extra = [...a.lines].filter((line) => !b.lines.has(line));
  if (missing.length + extra.length > 0) {
    const some = [...missing.slice(0, 3), ...extra.slice(0, 3)].join("\n  ");
    console.log(`  answers differ: ${missing.length} missing, ${extra.length} extra\n  ${some}`);
  }
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    ratios.push((await run(Deno.execPath(), ours)).ms / (await run(rg, theirs)).ms);
  }
  return ratios;
}

console.log(`ratio of wall times, pathgrep / ripgrep; median of ${pairs} pairs (min - max)`);
for (const tree of await installTrees()) {
  if (wanted.length > 0 && !wanted.includes(tree.name)) continue;
  console.log(`\n${tree.name}: ${tree.files} files, ${Math.round(tree.bytes / 1e6)} MB`);
  const medians: number[] = [];
  for (const pattern of PATTERNS) {
    const ratios = await compare(tree, pattern);
    medians.push(median(ratios));
    const spread = `${Math.min(...ratios).toFixed(2)} - ${Math.max(...ratios).toFixed(2)}`;
    console.log(`  ${median(ratios).toFixed(2)}  (${spread})  ${pattern.join(" ")}`);
  }
  console.log(`  ${median(medians).toFixed(2)}  median of the patterns`);
}
