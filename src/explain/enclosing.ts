/**
 * Names what the matches of an answer stand in: the heads of functions and types, headings, sections.
 *
 * Files of the answer are read once more, after the search; the search itself pays nothing. A file is
 * verified like everything that is shown, and has to hold still what the answer shows of it.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { trimmedText } from "../util/lines.ts";
import type { Pulse } from "../util/pulse.ts";
import { isInWorkspace, isNamed } from "../paths/verification.ts";
import { cutAround, detached, marked } from "../scan/cut.ts";
import { TextStream } from "../scan/decoder.ts";
import { type HitLine, isEntry } from "../scan/hit_lines.ts";
import { type FileHit, type SearchJob, STDIN } from "../scan/job.ts";
import { SearchPulse } from "../scan/search_pulse.ts";
import { enclosingLines } from "./definitions.ts";
import { languageOf, type SourceLanguage } from "./languages.ts";

/** What encloses a match further down in a file, or in an answer by `auto`, is not looked for. */
const MAX_BYTES = 1 << 22;

/** Adds to the entries of one answer what encloses them. */
export class Encloser {
  readonly #job: Readonly<SearchJob>;
  readonly #pulse: Pulse;
  /** Whether time ran out: the answer is complete without it. */
  #isOver = false;
  /** Bytes that are still to be read, at most. */
  #left: number;

  /** @param isAuto whether nobody asked for it: then it may take no longer than a search does */
  constructor(job: Readonly<SearchJob>, signal: AbortSignal | undefined, isAuto = false) {
    this.#job = job;
    this.#pulse = new SearchPulse(job, () => signal?.aborted === true);
    this.#left = isAuto ? MAX_BYTES : Infinity;
  }

  /** {@linkcode steps} taken all at once. */
  enclosed(hit: FileHit): FileHit {
    const steps = this.steps(hit);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  }

  /** Returns, after steps that take a part of a second, a hit with what surely encloses its entries. */
  *steps(hit: FileHit): Generator<undefined, FileHit> {
    const language = hit.path === STDIN.file || hit.isPart ? undefined : languageOf(hit.path);
    if (language === undefined || this.#isOver || !hit.lines.some(isEntry)) return hit;
    try {
      const text = this.#textOf(hit);
      if (text === undefined) return hit;
      return { ...hit, lines: yield* this.#linesIn(text, hit.lines, language) };
    } catch (thrown) {
      if (thrown instanceof PathgrepError) this.#isOver = true;
      return hit;
    }
  }

  *#linesIn(
    text: string,
    shown: HitLine[],
    language: SourceLanguage,
  ): Generator<undefined, HitLine[]> {
    const lines = text.split("\n").map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!shown.every((line) => this.#isIn(lines, line))) return shown;
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

  /** Whether a file holds a line that the answer shows, as far as it shows it. */
  #isIn(lines: readonly string[], { number, text }: HitLine): boolean {
    const { trims, marksCuts } = this.#job.lines;
    const count = text.split("\n").length;
    const whole = lines.slice(number - 1, number - 1 + count).join("\n");
    const held = trims ? trimmedText(whole) : whole;
    return held.includes(text) || marksCuts === true && held.includes(text.replace(/^…|…$/g, ""));
  }

  #shown(line: string): string {
    const { marksCuts, maxLineLength, trims } = this.#job.lines;
    const cut = cutAround(line, 0, maxLineLength);
    const text = marksCuts ? marked(cut) : cut.text;
    return detached(trims ? trimmedText(text) : text);
  }

  /** The text of a file, or its first part, as the search has read it; nothing if it is another by now. */
  #textOf({ path, encoding }: FileHit): string | undefined {
    if (this.#left <= 0 || !Deno.lstatSync(path).isFile) return undefined;
    using file = Deno.openSync(path);
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
    if ("skip" in decoded) return undefined;
    return isInWorkspace(path, this.#job.walk, () => isNamed(info, path))
      ? decoded.text
      : undefined;
  }
}
