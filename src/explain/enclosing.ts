/**
 * Finds what encloses the matches of an answer: the heads of functions and types, headings, sections.
 *
 * Files of the answer are read once more, after the search; the search itself pays nothing. A file is
 * verified like everything that is shown, and must still contain what the answer shows of it.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { trimmedText } from "../util/text.ts";
import { dirname } from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { cutAround, detached, type HitLine, isEntry, marked } from "../scan/hit_lines.ts";
import { TextStream } from "../scan/decoder.ts";
import { type FileHit, type SearchJob, STDIN } from "../scan/job.ts";
import { Proof } from "../paths/verification.ts";
import { SearchPulse } from "../scan/search_sink.ts";
import type { DefinitionFinder } from "./definition_finder.ts";
import { isCode, languageOf, type SourceLanguage } from "./languages.ts";
import { enclosingLines } from "./outline.ts";
import { lstat, openFile } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";

/** Matches further down in a file, or in an answer by `auto`, get no enclosing lines. */
const MAX_BYTES = 1 << 22;
/** Characters of a head that are shown. */
export const HEAD_CHARS = 500;
/** Files that are proven together to be where their paths say: a single one takes 0.3 ms. */
const HITS_PER_PROOF = 100;

interface FileText {
  readonly text: string;
  /** Identifies the file. */
  readonly info: FileInfo;
}

/** A file that was read once more. */
interface ReadAgain {
  readonly lines: readonly string[];
  readonly language: SourceLanguage;
  readonly info: FileInfo;
}

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
        if (this.#isOver) break;
        yield* this.#read(hit, (found) => enclosed[index] = found);
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
   * Returns, after steps as those, the entries that open a definition in whose name a match lies: the first
   * ones, at most `most`.
   */
  *definitions(
    hits: readonly FileHit[],
    finder: DefinitionFinder,
    most: number,
  ): Generator<undefined, Set<HitLine>> {
    const found = new Set<HitLine>();
    try {
      for (const hit of hits) {
        const entries = hit.lines.filter((line) => isEntry(line) && finder.mayDefine(line.text));
        if (found.size >= most || this.#isOver) break;
        if (entries.length === 0) continue;
        const file = this.#fileOf({ ...hit, lines: entries });
        if (file === undefined) continue;
        const own = yield* finder.namedIn(file.lines, entries, file.language, this.#pulse);
        yield;
        this.#proof.addFile(hit.path, dirname(hit.path), file.info, () => {
          for (const entry of own) if (found.size < most) found.add(entry);
        });
        this.#proof.settle();
      }
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      this.#isOver = true;
    }
    return found;
  }

  *#read(hit: FileHit, accept: (found: FileHit) => void): Generator<undefined, void> {
    const file = this.#fileOf(hit);
    if (file === undefined) return;
    const found = { ...hit, lines: yield* this.#linesIn(file.lines, hit.lines, file.language) };
    yield;
    this.#proof.addFile(hit.path, dirname(hit.path), file.info, () => accept(found));
  }

  /** The lines of a file that still contains what the answer shows, if its language is known. */
  #fileOf(hit: FileHit): ReadAgain | undefined {
    const { path, isPart, lines: shown } = hit;
    const language = path === STDIN.file || isPart ? undefined : languageOf(path);
    if (language === undefined || !shown.some(isEntry)) return undefined;
    if (this.#isOfCode && !isCode(language)) return undefined;
    let read: FileText | undefined;
    try {
      read = this.#textOf(hit);
    } catch {
      // It is gone, or may not be read.
    }
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
    const entries = shown.filter(isEntry);
    const found = yield* enclosingLines(
      lines,
      entries.map(({ number }) => number - 1),
      language,
      this.#pulse,
    );
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
  #textOf({ path, encoding }: FileHit): FileText | undefined {
    if (this.#left <= 0 || !lstat(path).isFile) return undefined;
    using file = openFile(path);
    const info = file.statSync();
    const bytes = new Uint8Array(Math.min(info.size + 1, MAX_BYTES, this.#left));
    let length = 0;
    for (let read; (read = file.readSync(bytes.subarray(length))) !== null && read > 0;) {
      length += read;
    }
    this.#left -= length;
    const isWhole = length < bytes.length;
    const decoded = new TextStream(encoding, this.#job.isAnyText).decode(
      bytes.subarray(0, length),
      isWhole,
    );
    return "skip" in decoded ? undefined : { ...decoded, info };
  }
}
