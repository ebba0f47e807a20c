/**
 * The parts of the README that `deno task readme` writes: the figures, which stand in the guides, and the
 * links, which begin with the one address of the repository.
 *
 * @module
 */

import assert from "node:assert/strict";
import { table } from "../cost/tables.ts";

/** The documents by their paths. */
export type Documents = Readonly<Record<string, string>>;

const COSTS = "docs/costs.md";
const PERFORMANCE = "docs/performance.md";

/** A row of a guide's tables. */
interface Row {
  file: string;
  /** Its first cell; a number in parentheses is the `#` of the figure's name. */
  cell: RegExp;
  /** Which of the rows that match. @default 0 */
  index?: number;
}

/** A figure: its name, its row, the column of ours and that of ripgrep's, and its unit. */
type Figure = readonly [name: string, row: Row, ours: number, theirs?: number, unit?: string];

const COLD = /^command, (\d+) files of npm packages/;
const LARGEST: Row = { file: PERFORMANCE, cell: COLD };
const SMALLEST: Row = { file: PERFORMANCE, cell: COLD, index: -1 };
const SERVED: Row = {
  file: PERFORMANCE,
  cell: /^(?:command with `serve`, )?(\d+) files$/,
  index: 1,
};
const WATCHED: Row = { file: PERFORMANCE, cell: /^`Searcher`, `cache: "watched"`$/ };
const READ_AGAIN: Row = { file: PERFORMANCE, cell: /^`Searcher`, files read again$/ };
const CONTEXT: Row = { file: COSTS, cell: /^`throw new`, context 2$/ };
const BUNDLE: Row = { file: COSTS, cell: /^`cartTotal`, a bundle/ };
const DEFINITIONS: Row = { file: COSTS, cell: /^`mcp`$/ };

/** Columns of the tables that the figures come from. */
const [PLAIN_TEXT, RIPGREP_CHARACTERS, ALL_TOOLS] = [1, 6, 1];
const [RATIO, PEAK, RIPGREP_PEAK] = [1, 5, 6];

const CHARACTERS: readonly Figure[] = [
  ["characters of an answer with context: `throw new`", CONTEXT, PLAIN_TEXT, RIPGREP_CHARACTERS],
  ["characters of an answer with a bundle: `cartTotal`", BUNDLE, PLAIN_TEXT, RIPGREP_CHARACTERS],
  ["characters of the tools' definitions, per conversation", DEFINITIONS, ALL_TOOLS],
];
const TIMES: readonly Figure[] = [
  ['time in a process that stays, `cache: "watched"`', WATCHED, RATIO],
  ["time in a process that stays, files read again", READ_AGAIN, RATIO],
  ["time of a command beside `pathgrep serve`, # files", SERVED, RATIO],
  ["time of a command that starts cold, # files", LARGEST, RATIO],
  ["time of a command that starts cold, # small files", SMALLEST, RATIO],
];
const MEMORY: Figure = ["peak memory of a command, # files", LARGEST, PEAK, RIPGREP_PEAK, " MB"];

/** The table of the figures that decide. */
export function figuresTable(documents: Documents): string {
  const line = ([name, row, ours, theirs, unit = ""]: Figure): string[] => {
    const cells = cellsOf(documents, row);
    const count = Number(row.cell.exec(cells[0]!)![1]).toLocaleString("en");
    return [
      name.replace("#", count),
      ...[ours, theirs].map((column) => column === undefined ? "" : cells[column]! + unit),
    ];
  };
  const times = TIMES.map(line).map(([name, ratio]) => [name!, `${ratio}×`, "1×"]);
  return table([["", "pathgrep", "`rg`"], ...CHARACTERS.map(line), ...times, line(MEMORY)]);
}

/** What the README says in its prose about calls that are not quite right. */
export const CALLS = /of \d+ calls as models make them, \d+ are answered and \d+ are told/;

/** The same with the numbers that the guide has. */
export function callsSentence(documents: Documents): string {
  const sums = cellsOf(documents, { file: COSTS, cell: /^all$/ }).map(Number);
  const [, calls, atOnce, noted, told, alone] = sums;
  assert.equal(alone, 0);
  return `of ${calls} calls as models make them, ${
    atOnce! + noted!
  } are answered and ${told} are told`;
}

/** The cells of a row of a document's tables. */
function cellsOf(documents: Documents, { file, cell, index = 0 }: Row): string[] {
  const rows = documents[file]!.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((text) => text.trim()));
  return rows.filter(([first]) => cell.test(first!)).at(index) ?? assert.fail(`no row ${cell}`);
}

/** The labels of the links that a text refers to: paths in the repository. */
export function linkLabels(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "");
  const labels = Array.from(prose.matchAll(/\]\[([^\]]+)\]/g), ([, label]) => label!);
  return [...new Set(labels)].sort();
}

/** Where the repository is: the README says it, and nothing else. */
export function repositoryOf(readme: string): string {
  return /^\[repository\]: (https:\/\/\S+[^/])$/m.exec(readme)![1]!;
}

/** The definitions of the changelog's links: what is new in each version. */
export function versionLinks(repository: string, changelog: string): string {
  const versions = Array.from(changelog.matchAll(/^## \[(\d.*)\]/gm), ([, version]) => version!);
  const unreleased = `[Unreleased]: ${repository}/compare/v${versions[0]}...HEAD`;
  const lines = versions.map((name) => `[${name}]: ${repository}/releases/tag/v${name}`);
  return [unreleased, ...lines].join("\n");
}

/** The definitions of the README's links, the first of which says where the repository is. */
export function linkDefinitions(markdown: string): string {
  const repository = repositoryOf(markdown);
  const lines = linkLabels(markdown).map((label) => `[${label}]: ${addressOf(repository, label)}`);
  return [`[repository]: ${repository}`, ...lines].join("\n");
}

function addressOf(repository: string, path: string): string {
  if (/^(actions|releases)\b/.test(path)) return `${repository}/${path}`;
  if (path.endsWith(".svg")) return `${repository}/raw/main/${path}`;
  return `${repository}/${/\.|^LICENSE$/.test(path) ? "blob" : "tree"}/main/${path}`;
}
