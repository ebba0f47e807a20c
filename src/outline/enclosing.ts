/**
 * Finds what encloses the matches of an answer: the heads of functions and types, headings, sections; the
 * lines that define what is searched for; and the outline of a file.
 *
 * Files of the answer are read once more, after the search; the search itself pays nothing. A file is
 * verified like everything that is shown, and must still contain what the answer shows of it.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { escapeRegExp, trimmedText } from "../util/text.ts";
import { dirname } from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { cutAround, detached, type HitLine, isEntry, marked } from "../read/hit_lines.ts";
import { TextStream } from "../read/decoder.ts";
import { type FileHit, type SearchJob, STDIN } from "../run/job.ts";
import { Proof } from "../paths/verification.ts";
import { SearchPulse } from "../run/search_sink.ts";
import { isCode, languageOf, type SourceLanguage } from "./languages.ts";
import { lstat, openFile } from "../system/files.ts";
import { loadMatcher, PatternMatcher } from "../regex/matcher.ts";
import type { Match, PatternPlan } from "../regex/pattern_plan.ts";
import { type Definition, MAX_CHARS, scanned, type Scanner } from "./definitions.ts";

/** Matches further down in a file, or in an answer by `auto`, get no enclosing lines. */
const MAX_BYTES = 1 << 22;
/** Characters of a head that are shown. */
export const HEAD_CHARS = 500;
/** Files that are proven together to be where their paths say: a single one takes 0.3 ms. */
const HITS_PER_PROOF = 100;

/** Adds to the entries of one answer what encloses them. */
export class Encloser {
  readonly #job: Readonly<SearchJob>;
  readonly #pulse: Pulse;
  readonly #proof: Proof;
  /** Whether time ran out: the answer is complete without it. */
  #isOver = false;
  /** Bytes that are still to be read, at most. */
  #left: number;
  /** Whether only code has heads. */
  readonly #isOfCode: boolean;

  /** @param isAuto whether it was not requested explicitly: then it may take no longer than the search */
  constructor(job: Readonly<SearchJob>, signal: AbortSignal | undefined, isAuto = false) {
    this.#job = job;
    this.#pulse = new SearchPulse(job, () => signal?.aborted === true);
    this.#proof = new Proof(job.walk, Date.now(), this.#pulse);
    this.#left = isAuto ? MAX_BYTES : Infinity;
    this.#isOfCode = isAuto;
  }

  /** {@linkcode steps} for one hit, all at once. */
  enclosed(hit: FileHit): FileHit {
    const steps = this.steps([hit]);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value[0]!;
  }

  /** Returns, after steps that take a part of a second, hits with what surely encloses their entries. */
  *steps(hits: readonly FileHit[]): Generator<undefined, FileHit[]> {
    const enclosed = [...hits];
    try {
      for (const [index, hit] of hits.entries()) {
        const file = this.#isOver ? undefined : this.#fileOf(hit);
        if (file === undefined) continue;
        const lines = yield* this.#linesIn(file.lines, hit.lines, file.language);
        yield;
        this.#proof.addFile(hit.path, dirname(hit.path), file.info, () => {
          enclosed[index] = { ...hit, lines };
        });
        if (this.#proof.pending >= HITS_PER_PROOF) this.#proof.settle();
      }
      this.#proof.settle();
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      this.#isOver = true;
    }
    return enclosed;
  }

  /**
   * Returns, after steps as those, at most `most` entries that open a definition in whose name a match lies:
   * the first ones that are called what matches, and the first whose names are longer.
   */
  *definitions(
    hits: readonly FileHit[],
    finder: DefinitionFinder,
    most: number,
  ): Generator<undefined, Set<HitLine>[]> {
    const whole = new Set<HitLine>();
    const part = new Set<HitLine>();
    const candidates: (FileHit & { hasWord: boolean })[] = [];
    try {
      for (const hit of hits) {
        const lines = hit.lines.filter((line) => isEntry(line) && MAY_DEFINE.test(line.text));
        if (lines.length === 0) continue;
        candidates.push({ ...hit, lines, hasWord: lines.some(({ text }) => finder.hasWord(text)) });
        yield;
      }
      // There may be no room to read all.
      candidates.sort((a, b) => Number(b.hasWord) - Number(a.hasWord));
      for (const hit of candidates) {
        if (this.#isOver || (hit.hasWord ? whole.size : whole.size + part.size) >= most) break;
        const file = this.#fileOf(hit);
        if (file === undefined) continue;
        const own = yield* finder.namedIn(file.lines, hit.lines, file.language, this.#pulse);
        yield;
        this.#proof.addFile(hit.path, dirname(hit.path), file.info, () => {
          for (const [entry, isWhole] of own) (isWhole ? whole : part).add(entry);
        });
        this.#proof.settle();
      }
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      this.#isOver = true;
    }
    const kept = [...whole].slice(0, most);
    return [new Set(kept), new Set([...part].slice(0, most - kept.length))];
  }

  /** The lines of a file that still contains what the answer shows, if its language is known. */
  #fileOf(hit: FileHit) {
    const { path, isPart, lines: shown } = hit;
    const language = path === STDIN.file || isPart ? undefined : languageOf(path);
    if (language === undefined || !shown.some(isEntry)) return undefined;
    if (this.#isOfCode && !isCode(language)) return undefined;
    const read = this.#textOf(hit);
    if (read === undefined) return undefined;
    const lines = read.text.split("\n")
      .map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!shown.every((line) => this.#isIn(lines, line))) return undefined;
    return { lines, language, info: read.info };
  }

  *#linesIn(
    lines: readonly string[],
    shown: HitLine[],
    language: SourceLanguage,
  ): Generator<undefined, HitLine[]> {
    const entries = shown.filter(isEntry).map(({ number }) => number - 1);
    const found = yield* enclosingLines(lines, entries, language, this.#pulse);
    let next = 0;
    return shown.map((line) => {
      const enclosing = isEntry(line) ? found[next++]! : [];
      if (enclosing.length === 0) return line;
      const named = enclosing.map((at) => ({ number: at + 1, text: this.#shown(lines[at]!) }));
      return { ...line, enclosing: named };
    });
  }

  /** Whether a file still contains a line as the answer shows it. */
  #isIn(lines: readonly string[], { number, text }: HitLine): boolean {
    const { trims, marksCuts } = this.#job.lines;
    const count = text.split("\n").length;
    const whole = lines.slice(number - 1, number - 1 + count).join("\n");
    const held = trims ? trimmedText(whole) : whole;
    return held.includes(text) || marksCuts === true && held.includes(text.replace(/^…|…$/g, ""));
  }

  #shown(line: string): string {
    const { marksCuts, maxLineLength, trims } = this.#job.lines;
    const cut = cutAround(line, 0, Math.min(maxLineLength || HEAD_CHARS, HEAD_CHARS));
    const text = marksCuts ? marked(cut) : cut.text;
    return detached(trims ? trimmedText(text) : text);
  }

  /** The text of a file, or its first part, as the search has read it; nothing if it is another by now. */
  #textOf({ path, encoding }: FileHit) {
    try {
      if (this.#left <= 0 || !lstat(path).isFile) return undefined;
      using file = openFile(path);
      const info = file.statSync();
      const bytes = new Uint8Array(Math.min(info.size + 1, MAX_BYTES, this.#left));
      let length = 0;
      for (let read; (read = file.readSync(bytes.subarray(length))) !== null && read > 0;) {
        length += read;
      }
      this.#left -= length;
      const stream = new TextStream(encoding, this.#job.isAnyText);
      const decoded = stream.decode(bytes.subarray(0, length), length < bytes.length);
      return "skip" in decoded ? undefined : { ...decoded, info };
    } catch {
      return undefined; // It is gone, or may not be read.
    }
  }
}

/** Lines of a head, among which its name is. */
const HEAD_LINES = 4;
/** The lines after a head that show whether it is one, and after the last match that show what it stands in. */
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

class DefinitionFinder {
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

/** The most lines shown for one match. */
const MAX_ENCLOSING = 3;

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
function* enclosingLines(
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
