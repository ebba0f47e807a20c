/**
 * Makes the trees and asks the tools.
 *
 * @module
 */

import { sh } from "../../tests/support/spawn.ts";
import { tempTree } from "../../tests/support/tree.ts";
import { BYTES } from "./bytes.ts";
import { type Circumstance, OURS, type Tool } from "./circumstance.ts";
import { type Verdict, verdictOn } from "./judge.ts";
import { LEFT_OUT } from "./left_out.ts";
import { ask, type Asked, environment, type Manner, type Place, Server } from "./tools.ts";
import { TRAPS } from "./traps.ts";
import { FILTERED, WRITTEN } from "./written.ts";

/** The circumstances, by what is in the way. */
export const CIRCUMSTANCES: readonly (readonly [kind: string, rows: readonly Circumstance[]])[] = [
  ["Left out of the search", LEFT_OUT],
  ["Bytes", BYTES],
  ["Written otherwise", WRITTEN],
  ["Filters, paths and size", FILTERED],
  ["Traps", TRAPS],
];

/** An answer, and what it is worth. */
export interface Result extends Asked {
  verdict: Verdict;
}

/** What the tools answer in a circumstance. */
export type Results = ReadonlyMap<Tool, Result>;

const AUTHOR =
  "export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e";

/** Makes the tree of a circumstance and asks each tool in it. */
export async function resultsIn(
  circumstance: Circumstance,
  tools: readonly Tool[],
  manner: Manner & { server: Server },
): Promise<Results> {
  const { files, setup = "git add -A; git commit -qm all", cwd = "" } = circumstance;
  await using tree = await tempTree({ "../home/": null, ...files });
  const home = `${tree.base}/home`;
  const settings = Object.entries(environment(home)).map(([name, value]) => `${name}='${value}'`);
  await sh(`export ${settings.join(" ")}; ${AUTHOR}; git init -q; ${setup}`, tree.root);
  const place = { ...manner, cwd: tree.path(cwd), home };
  const results = new Map<Tool, Result>();
  for (const tool of tools) results.set(tool, await resultOf(tool, circumstance, place));
  return results;
}

/** How often a tool of this project is asked that is silent: a busy machine may leave it no time. */
const MAX_ATTEMPTS = 3;

async function resultOf(tool: Tool, circumstance: Circumstance, place: Place): Promise<Result> {
  const isFinal = place.hasOwnTime || !OURS.includes(tool) ||
    circumstance.byDesign?.tools.includes(tool);
  for (let attempt = isFinal ? MAX_ATTEMPTS : 1;; attempt++) {
    const asked = await ask(tool, circumstance.ask, place);
    const verdict = verdictOn(circumstance, asked);
    if (verdict !== "silent" || attempt === MAX_ATTEMPTS) return { ...asked, verdict };
  }
}

/** Trees in which is searched at the same time. */
const AT_ONCE = 2;

/** The results in all circumstances, by their names. */
export async function allResults(
  tools: readonly Tool[],
  manner: Manner = {},
): Promise<Map<string, Results>> {
  const rows = CIRCUMSTANCES.flatMap(([, rows]) => rows);
  const results = new Map<string, Results>();
  const left = rows.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    await using server = await Server.start(manner);
    for (const row of left) {
      results.set(row.name, await resultsIn(row, tools, { ...manner, server }));
    }
  }));
  return results;
}
