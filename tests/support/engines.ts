/**
 * Runs one query on every engine, in this process.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type EngineName,
  PathgrepError,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";

/** Every engine, the reference first. */
export const ENGINES = ["js", "rg", "git", "grep"] as const satisfies readonly EngineName[];

/** An answer: the result, or the error as it is sent. */
export type EngineAnswer = SearchResult | Record<string, unknown>;

/** Answers one query with one engine, whole. */
export async function answerOf(
  engine: EngineName,
  root: string,
  query: SearchQuery,
): Promise<EngineAnswer> {
  try {
    const workspace = await Workspace.open(root);
    return await search({ ...query, engine, stats: true }, { workspace });
  } catch (error) {
    assert.ok(error instanceof PathgrepError, String(error));
    // An engine that is missing has not been compared with the others.
    assert.notEqual(error.code, "engine_unavailable", error.message);
    return error.toJSON();
  }
}

/** What must be the same on every engine: all but the stats and the notes that name an engine. */
export function comparable(answer: EngineAnswer): EngineAnswer {
  const { stats: _, notes, ...rest } = answer as Record<string, unknown>;
  const others = ((notes ?? []) as string[]).filter((note) => !note.startsWith("engine "));
  return others.length === 0 ? rest : { ...rest, notes: others };
}

/** The engine that did answer, whichever was asked. */
export function engineIn(answer: EngineAnswer): string | undefined {
  return (answer as SearchResult).stats?.engine;
}

/**
 * The answer that all engines give. Fails, naming the engine, when they differ. How much there is that a
 * page has no room for, and how much was skipped, is not compared if any of them could not count it in time.
 */
export async function sameAnswer(root: string, query: SearchQuery): Promise<EngineAnswer> {
  return same(await answersOf(root, query), query);
}

/**
 * The same for a pattern that may keep V8 busy for ever: nothing if an engine ran out of time, since what
 * was read until then is not the same everywhere.
 */
export async function sameAnswerInTime(
  root: string,
  query: SearchQuery,
): Promise<EngineAnswer | undefined> {
  const answers = await answersOf(root, query);
  const isLate = answers.some((answer) => "code" in answer && answer.code === "search_timed_out");
  if (isLate) return undefined;
  if (new Set(answers.map((answer) => "top_directories" in answer)).size === 1) {
    return same(answers, query);
  }
  // Not all could count what there is too much of, for which they propose narrower searches.
  same(answers.map(withoutProposals), query);
  return undefined;
}

function withoutProposals(answer: EngineAnswer): EngineAnswer {
  const { top_directories: _, top_types: _1, narrower_calls: _2, hint: _3, ...rest } =
    answer as Record<string, unknown>;
  return rest;
}

async function answersOf(root: string, query: SearchQuery): Promise<EngineAnswer[]> {
  return await Promise.all(
    ENGINES.map(async (engine) => comparable(await answerOf(engine, root, query))),
  );
}

function same(answers: readonly EngineAnswer[], query: SearchQuery): EngineAnswer {
  const isCounted = answers.every((answer) => !("total_at_least" in answer));
  const [reference, ...others] = isCounted ? answers : answers.map(withoutTotal);
  others.forEach((answer, index) => {
    assert.equal(
      JSON.stringify(answer),
      JSON.stringify(reference),
      `${ENGINES[index + 1]} differs from js for ${JSON.stringify(query)}`,
    );
  });
  return reference!;
}

function withoutTotal(answer: EngineAnswer): EngineAnswer {
  const { total: _, total_files: __, total_at_least: ___, notes = [], ...rest } =
    answer as SearchResult;
  // How much was skipped is counted together with the total.
  const others = notes.filter((note) => !/^(?:at least )?\d/.test(note));
  return others.length === 0 ? rest : { ...rest, notes: others };
}
