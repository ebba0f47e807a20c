/**
 * The parts of the README that `deno task readme` writes: the figures, which are those of the guides, and the
 * links, which begin with the one address of the repository.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Figures } from "../bench/figures.ts";
import { table } from "../cost/tables.ts";

/** Of the answers in the guide to costs: that of `rg --heading -n`. */
const RIPGREP_COLUMN = 7;

/** The table of the figures that decide, from the guide to costs and the record of the bench. */
export function figuresTable(costs: string, { rows }: Figures): string {
  const tokens = (name: string, cell: RegExp, theirs?: number) => {
    const cells = cellsOf(costs, cell);
    return [`tokens of ${name}`, cells[1]!, theirs === undefined ? "" : cells[theirs]!];
  };
  const files = (row: string) => rows[row]!.files.toLocaleString("en");
  const time = (
    name: string,
    row: string,
  ) => [`time ${name}`, `${rows[row]!.ratio.toFixed(2)}×`, "1×"];
  const { peak, theirPeak } = rows["huge"]!;
  return table([
    ["", "pathgrep", "`rg`"],
    tokens("an answer with context: `throw new`", /^`throw new`, context 2$/, RIPGREP_COLUMN),
    tokens("an answer with a bundle: `cartTotal`", /^`cartTotal`, a bundle/, RIPGREP_COLUMN),
    tokens("the tools' definitions, per conversation", /^`mcp`$/),
    time('in a process that stays, `cache: "watched"`', "watched"),
    time("in a process that stays, files read again", "warm"),
    time(`of a command beside \`pathgrep serve\`, ${files("serve_large")} files`, "serve_large"),
    time(`of a command that starts cold, ${files("huge")} files`, "huge"),
    time(`of a command that starts cold, ${files("tiny")} small files`, "tiny"),
    [`peak memory of a command, ${files("huge")} files`, `${peak} MB`, `${theirPeak} MB`],
  ]);
}

/** What the README says in its prose about calls that are not quite right. */
export const CALLS = /of \d+ calls as models make them, \d+ are answered and \d+ corrected/;

/** The same with the numbers that the guide has. */
export function callsSentence(costs: string): string {
  const sums = cellsOf(costs, /^all$/).map(Number);
  const [, calls, atOnce, noted, corrected, alone] = sums;
  assert.equal(alone, 0);
  return `of ${calls} calls as models make them, ${
    atOnce! + noted!
  } are answered and ${corrected} corrected`;
}

/** The cells of a row of a document's tables, by its first. */
function cellsOf(document: string, cell: RegExp): string[] {
  const rows = document.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((text) => text.trim()));
  return rows.find(([first]) => cell.test(first!)) ?? assert.fail(`no row ${cell}`);
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
