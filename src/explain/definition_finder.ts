/**
 * Finds the lines that define what is searched for.
 *
 * @module
 */

import { loadMatcher, PatternMatcher } from "../regex/matcher.ts";
import type { Match, PatternPlan } from "../regex/pattern_plan.ts";
import type { HitLine } from "../scan/hit_lines.ts";
import type { SearchJob } from "../scan/job.ts";
import { SearchPulse } from "../scan/search_sink.ts";
import { escapeRegExp } from "../util/text.ts";
import type { Pulse } from "../util/pulse.ts";
import { MAX_CHARS, scanned } from "./definitions.ts";
import type { SourceLanguage } from "./languages.ts";

/** Lines of a head, among which its name is. */
const HEAD_LINES = 4;
/** The lines after a head that show whether it is one. */
const LINES_AHEAD = 60;
/** A word that may open a definition, or the end of a line that may be its head. */
export const MAY_DEFINE =
  /\b(?:class|const|data|defp?|defmodule|enum|extension|fn|func?|function|impl|interface|let|macro|module|namespace|object|protocol|record|static|struct|sub|trait|type|union|va[lr])\b|[({:,)>=]\s*$/;

/** Creates a finder for what the pattern of a search matches. */
export async function loadFinder(
  job: Pick<SearchJob, "plan" | "deadline" | "timeout">,
  signal: AbortSignal | undefined,
): Promise<DefinitionFinder> {
  await loadMatcher(job.plan);
  return new DefinitionFinder(job.plan, new SearchPulse(job, () => signal?.aborted === true));
}

export class DefinitionFinder {
  readonly #matcher: PatternMatcher;

  /** @param plan one whose engines are loaded */
  constructor(plan: PatternPlan, pulse: Pulse) {
    this.#matcher = new PatternMatcher(plan, pulse);
  }

  /** Whether a line that may define something has a match that is no part of a longer word. */
  hasWord(line: string): boolean {
    const splits = (at: number) => /[\w$]{2}/.test(line.slice(Math.max(0, at - 1), at + 1));
    return line.length <= MAX_CHARS &&
      this.#matchesIn(line).some(({ start, end }) => !splits(start) && !splits(end));
  }

  /**
   * Those of some entries that open a definition in whose name a match lies, step by step, and whether it is
   * the whole name.
   */
  *namedIn(
    lines: readonly string[],
    entries: readonly HitLine[],
    language: SourceLanguage,
    pulse: Pulse,
  ): Generator<undefined, [HitLine, boolean][]> {
    const end = Math.min(lines.length, entries.at(-1)!.number + LINES_AHEAD);
    const scanner = yield* scanned(lines, end, language, pulse);
    const names = new Map<number, RegExp>();
    for (const { line, opening: { name } } of scanner?.finish() ?? []) {
      if (name === "") continue;
      const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`, "dg");
      const at = lines.slice(line, line + HEAD_LINES).findIndex((text) => text.search(word) >= 0);
      if (at >= 0) names.set(line + at, word);
    }
    const holds = (a: Match, b: Match) => a.start <= b.start && b.end <= a.end;
    return entries.flatMap((entry): [HitLine, boolean][] => {
      const line = lines[entry.number - 1]!;
      const name = names.get(entry.number - 1);
      const named = name === undefined
        ? []
        : [...line.matchAll(name)].map(({ index, 0: text }) => ({
          start: index,
          end: index + text.length,
        }));
      const found = named.flatMap((one) =>
        this.#matchesIn(line).filter((match) => holds(one, match) || holds(match, one))
          .map((match) => holds(match, one)).toArray()
      );
      return found.length > 0 ? [[entry, found.includes(true)]] : [];
    });
  }

  *#matchesIn(line: string): Generator<Match> {
    for (let from = 0; from <= line.length;) {
      const match = this.#matcher.locateInLine(line, from);
      if (match === undefined) return;
      yield match;
      from = Math.max(match.end, match.start + 1);
    }
  }
}
