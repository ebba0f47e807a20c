/**
 * Two views of the definitions in a text: those that enclose given lines, and all of them as an outline.
 *
 * @module
 */

import type { Pulse } from "../util/pulse.ts";
import { type Definition, scanned, type Scanner } from "./definitions.ts";
import type { SourceLanguage } from "./languages.ts";

/** The most lines shown for one match. */
const MAX_ENCLOSING = 3;
/** The lines after the last match that may show what it stands in. */
const LINES_AHEAD = 60;

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
 * Finds the lines that enclose others, step by step: outermost first, from 0.
 *
 * @param lines the lines of a text
 * @param wanted lines of it, from 0, in order
 */
export function* enclosingLines(
  lines: readonly string[],
  wanted: readonly number[],
  language: SourceLanguage,
  pulse: Pulse,
): Generator<undefined, number[][]> {
  const end = Math.min(lines.length, wanted.at(-1)! + LINES_AHEAD);
  const scanner = yield* scanned(lines, end, language, pulse);
  if (scanner === undefined) return wanted.map(() => []);
  const around = new Nesting(scanner, scanner.finish());
  return wanted.map((line) =>
    [...new Set(around.at(line).map((definition) => definition.line))].slice(-MAX_ENCLOSING)
  );
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

/** Finds what holds lines, which come in order. */
class Nesting {
  readonly #scanner: Scanner;
  readonly #definitions: readonly Definition[];
  readonly #open: Definition[] = [];
  #next = 0;

  /** @param definitions what the scanner has found */
  constructor(scanner: Scanner, definitions: readonly Definition[]) {
    this.#scanner = scanner;
    this.#definitions = definitions;
  }

  /** The definitions that surely hold a line, outermost first. */
  at(line: number): Definition[] {
    const open = this.#open;
    for (let next; (next = this.#definitions[this.#next]) && next.line < line; this.#next++) {
      this.#leave(next.line);
      open.push(next);
    }
    this.#leave(line);
    return open.filter((definition) =>
      definition.end > line && this.#scanner.holds(definition, line)
    );
  }

  #leave(line: number): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.end <= line) this.#open.pop();
  }
}
