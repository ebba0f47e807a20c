/**
 * Searches of a tree that another process changes all the while.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type EngineName,
  PathgrepError,
  Searcher,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

/** What a race came to. */
export interface RaceReport {
  searches: number;
  /** Searches that found something. */
  found: number;
  /** How often each error came back. */
  errors: Record<string, number>;
  /** Searches that failed without a reason to. */
  failures: string[];
}

/** What a path may be by the time it is looked at: gone, a link to outside, or barred. */
const FAIR_FOR_A_PATH = ["path_not_found", "path_outside_workspace", "path_access_denied"];

const AT_ONCE = 4;

/** How much longer a race goes on, in milliseconds, where a busy machine has found little. */
const EXTRA_MS = 60_000;

/**
 * Races for some seconds, and on until enough searches have found something. Fails if anything from
 * outside comes back.
 *
 * @param least searches that are enough
 */
export async function race(seconds: number, seed: number, least: number): Promise<RaceReport> {
  const entries: Record<string, string> = {
    "ws/a.txt": "PLAIN\n",
    "outside/ignore": "*\n",
  };
  for (let directory = 0; directory < 4; directory++) {
    for (let file = 0; file < 12; file++) {
      entries[`ws/d${directory}/${file}.txt`] = "PLAIN\n";
      entries[`outside/d${directory}/${file}.txt`] = "SECRET\n";
    }
  }
  await using tree = await tempTree(entries);
  const mutator = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `${CHECKOUT}tests/hostile/mutator.ts`, tree.root, `${seed}`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const report: RaceReport = { searches: 0, found: 0, errors: {}, failures: [] };
  try {
    const workspace = await Workspace.open(tree.path("ws"));
    await using searcher = new Searcher({ workspace });
    const end = performance.now() + seconds * 1000;
    const isOver = () => {
      const late = performance.now() - end;
      return late >= 0 && (report.found >= least || late >= EXTRA_MS);
    };
    const runs = Array.from({ length: AT_ONCE }, async (_, lane) => {
      for (let round = lane; !isOver(); round += AT_ONCE) {
        await searchOnce(searcher, queryOf(round), report, tree.path("ws"));
      }
    });
    await Promise.all(runs);
  } finally {
    await tree.write({ stop: "" });
    await mutator.status;
    // Whatever was barred last must not bar its removal.
    await new Deno.Command("chmod", { args: ["-R", "u+rwX", tree.path("ws")] }).output();
  }
  return report;
}

/** One of many ways to ask, by number. */
function queryOf(round: number): SearchQuery {
  const engines: readonly EngineName[] = ["js", "js", "js", "js", "rg", "js", "git", "js", "grep"];
  const paths = ["", "", "", "d0", "d1/3.txt", ["d2", "d0/1.txt"], "", ["d0", "d1", "d2", "d3"]];
  return {
    pattern: "PLAIN|SECRET",
    path: paths[round % paths.length],
    engine: engines[round % engines.length],
    outputMode: (["content", "content", "file", "count"] as const)[round % 4],
    context: round % 3 === 0 ? 2 : 0,
    follow: round % 5 === 0,
    sort: round % 7 === 0 ? "modified" : "path",
    multiline: round % 11 === 0,
    onOverflow: "truncate",
  };
}

async function searchOnce(
  searcher: Searcher,
  query: SearchQuery,
  report: RaceReport,
  root: string,
): Promise<void> {
  report.searches++;
  try {
    const result = await searcher.search(query);
    const text = JSON.stringify({ ...result, pattern: "" });
    assert.ok(!text.includes("SECRET"), `${JSON.stringify(query)} gave ${text}`);
    assert.ok(!text.includes("/outside"), `${JSON.stringify(query)} named ${text}`);
    const entries = result.output_mode === "content"
      ? result.matches
      : result.output_mode === "count"
      ? result.counts
      : result.output_mode === "file"
      ? result.files.map((file) => ({ file }))
      : [];
    for (const { file } of entries) assert.ok(file.startsWith(`${root}/`), file);
    if (entries.length > 0) report.found++;
  } catch (error) {
    if (!(error instanceof PathgrepError)) throw error;
    report.errors[error.code] = (report.errors[error.code] ?? 0) + 1;
    if (query.path === "" || !FAIR_FOR_A_PATH.includes(error.code)) {
      report.failures.push(`${JSON.stringify(query)}: ${error.code} ${error.message}`);
    }
  }
}
