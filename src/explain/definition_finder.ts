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
import { scanned } from "./definitions.ts";
import type { SourceLanguage } from "./languages.ts";

/** Lines of a head, among which its name is. */
const HEAD_LINES = 4;
/** The lines after a head that show whether it is one. */
const LINES_AHEAD = 60;
/** A word that may open a definition, or the end of a line that may be its head. */
const MAY_DEFINE =
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

  /** Whether a line is worth a look at its file. */
  mayDefine(line: string): boolean {
    return MAY_DEFINE.test(line);
  }

  /** Those of some entries that open a definition in whose name a match lies, step by step. */
  *namedIn(
    lines: readonly string[],
    entries: readonly HitLine[],
    language: SourceLanguage,
    pulse: Pulse,
  ): Generator<undefined, HitLine[]> {
    const end = Math.min(lines.length, entries.at(-1)!.number + LINES_AHEAD);
    const scanner = yield* scanned(lines, end, language, pulse);
    const names = new Map<number, RegExp>();
    for (const { line, opening: { name } } of scanner?.finish() ?? []) {
      if (name === "") continue;
      const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`, "dg");
      const at = lines.slice(line, line + HEAD_LINES).findIndex((text) => text.search(word) >= 0);
      if (at >= 0) names.set(line + at, word);
    }
    return entries.filter(({ number }) => {
      const name = names.get(number - 1);
      return name !== undefined && this.#matches(lines[number - 1]!, name);
    });
  }

  /** Whether a match lies in a name of a line, or has it in it. */
  #matches(line: string, name: RegExp): boolean {
    const named = [...line.matchAll(name)].map(({ index, 0: text }): Match => ({
      start: index,
      end: index + text.length,
    }));
    for (let from = 0; from <= line.length;) {
      const match = this.#matcher.locateInLine(line, from);
      if (match === undefined) return false;
      const holds = (a: Match, b: Match) => a.start <= b.start && b.end <= a.end;
      if (named.some((one) => holds(one, match) || holds(match, one))) return true;
      from = Math.max(match.end, match.start + 1);
    }
    return false;
  }
}
