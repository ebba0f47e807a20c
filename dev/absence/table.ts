/**
 * The tables of the guide and the sentence of the README.
 *
 * @module
 */

import { table } from "../cost/tables.ts";
import { type Circumstance, OURS, type Tool, TOOLS } from "./circumstance.ts";
import type { Verdict } from "./judge.ts";
import { CIRCUMSTANCES, type Results } from "./run.ts";

/** All results, by the name of the circumstance. */
export type AllResults = ReadonlyMap<string, Results>;

/** What stands in a cell. */
export type Cell = Verdict | "by design";

/** What a tool's answer is worth; a silence that has a reason is told apart. */
export function cellOf(row: Circumstance, tool: Tool, results: AllResults): Cell {
  const { verdict } = results.get(row.name)!.get(tool)!;
  return verdict === "silent" && row.byDesign?.tools.includes(tool) ? "by design" : verdict;
}

/** A table of each kind of circumstance, with a column for each tool. */
export function circumstanceTables(tools: readonly Tool[], results: AllResults): string {
  return CIRCUMSTANCES.map(([kind, rows]) => {
    const head = ["circumstance", "where it was met", ...tools.map(named)];
    const lines = rows.map((row) => [
      row.name.replaceAll("|", "\\|"),
      link(row.source),
      ...tools.map((tool) => cellOf(row, tool, results)),
    ]);
    return `### ${kind}\n\n${table([head, ...lines])}`;
  }).join("\n\n");
}

/** Why a tool is silent by design. */
export function reasonsTable(): string {
  const rows = CIRCUMSTANCES.flatMap(([, rows]) => rows).flatMap(({ name, byDesign }) =>
    byDesign === undefined ? [] : [[
      name.replaceAll("|", "\\|"),
      byDesign.tools.length === OURS.length ? "all three" : byDesign.tools.map(named).join(", "),
      byDesign.why,
    ]]
  );
  return table([["circumstance", "silent", "why"], ...rows]);
}

const SUMS: readonly (readonly [name: string, cell: Cell])[] = [
  ["found", "found"],
  ["said", "said"],
  ["silent", "silent"],
  ["silent by design", "by design"],
  ["trap: right", "right"],
  ["trap: wrongly alarmed", "alarmed"],
];

/** How often each tool did what. */
export function sumsTable(tools: readonly Tool[], results: AllResults): string {
  const rows = CIRCUMSTANCES.flatMap(([, rows]) => rows);
  const count = (tool: Tool, cell: Cell) =>
    rows.filter((row) => cellOf(row, tool, results) === cell).length;
  return table([
    ["", ...tools.map(named)],
    ...SUMS.map(([name, cell]) => [name, ...tools.map((tool) => `${count(tool, cell)}`)]),
  ]);
}

/** The same for the README, in a sentence. */
export function sumsSentence(results: AllResults): string {
  const rows = CIRCUMSTANCES.flatMap(([, rows]) => rows);
  const traps = rows.filter(({ trap }) => trap).length;
  const count = (tool: Tool, ...cells: Cell[]) =>
    rows.filter((row) => cells.includes(cellOf(row, tool, results))).length;
  const [first, ...rest] = TOOLS.map((tool) =>
    [named(tool), count(tool, "found", "said")] as const
  );
  const alarms = TOOLS.filter((tool) => count(tool, "alarmed") > 0).map(named);
  const [tool, times] = first!;
  return `In [${
    rows.length - traps
  } everyday circumstances][docs/absence.md] in which a first search misses ` +
    `what is there, ${tool} shows it or says where or why it is missed in ${times}, ` +
    `${
      rest.map(([tool, times]) => `${tool} in ${times}`).join(", ")
    }. In ${traps} traps, in which ` +
    `nothing is missing, ${
      alarms.length === 0 ? "none" : alarms.join(" and ")
    } gives a false alarm.`;
}

function named(tool: Tool): string {
  return tool.split(" + ").map((name) => `\`${name}\``).join(" and ");
}

function link(source: string): string {
  if (source.startsWith("https://")) return `[manual](${source})`;
  const [repository, number] = source.split("#");
  return `[${source}](https://github.com/${repository}/issues/${number})`;
}
