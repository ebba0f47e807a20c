/**
 * The outline of a file: the lines that open definitions and sections, and where each of these ends.
 *
 * It is another view of what names the lines around a match, and names as few lines wrongly.
 *
 * @module
 */

import type { Pulse } from "../util/pulse.ts";
import { Nesting, scanned } from "./definitions.ts";
import type { SourceLanguage } from "./languages.ts";

/** A line that opens something. */
export interface OutlineEntry {
  /** From 1. */
  readonly line: number;
  /** The last line of what it opens, from 1, where that is sure. */
  readonly end?: number;
  /** How many entries hold it. */
  readonly depth: number;
  /** The line itself. */
  readonly head: string;
  /** What it names; empty where that has no name. */
  readonly name: string;
}

export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** Lines that look like heads, but stand in texts and comments: they are no entries. */
  readonly doubted: number;
}

/**
 * Outlines a file, step by step; `undefined` where a line is too long for what people write.
 *
 * @param lines the lines of its text
 */
export function* outlineOf(
  lines: readonly string[],
  language: SourceLanguage,
  pulse: Pulse,
): Generator<undefined, Outline | undefined> {
  const scanner = yield* scanned(lines, lines.length, language, pulse);
  if (scanner === undefined) return undefined;
  const definitions = scanner.finish();
  const around = new Nesting(scanner, definitions);
  const entries = definitions.flatMap(({ line, last, opening }, index): OutlineEntry[] => {
    if (definitions[index - 1]?.line === line) return [];
    const depth = new Set(around.at(line).map((holder) => holder.line)).size;
    const end = last === undefined ? {} : { end: last + 1 };
    return [{ line: line + 1, ...end, depth, head: lines[line]!, name: opening.name }];
  });
  return { entries, doubted: scanner.doubted };
}
