/**
 * Keeps answers and errors to a number of characters. An answer first loses context, then what is
 * far from the match in long lines, and then entries, which are on the next page.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { escapeControlsInJson } from "../util/escape.ts";
import type { HeldEntry } from "../searcher/line_searcher.ts";
import { type Caller, optionName } from "./callers.ts";
import type { SearchSettings } from "./query.ts";
import type { MatchEntry, Reduction, SearchResult } from "./result.ts";
import {
  type AnswerEntry,
  type AnswerFrame,
  type AnswerMeasure,
  buildResult,
  SHORT_LINE_CHARS,
} from "./result_builder.ts";

/** What an answer has room for. */
export interface AnswerBudget {
  /** Characters. */
  chars: number;
  /** Whether a longer answer is shortened; otherwise it is an error. */
  mayShorten: boolean;
  /** The characters of an answer where it goes. @default its JSON */
  measure?: AnswerMeasure | undefined;
  /** Who reads it: errors say what options are called there. @default "library" */
  caller?: Caller | undefined;
}

/** An answer as JSON; every entry but the last has a comma. */
const PLAIN_JSON: AnswerMeasure = {
  frame: (result) => JSON.stringify(result).length - (result.count > 0 ? 1 : 0),
  entries: () => (entry) => JSON.stringify(entry).length + 1,
};

/** The parts of a budget that the frame of an answer may take, and each of its long values. */
const FRAME_PART = 1 / 2;
const VALUE_PART = 1 / 8;

/** An error has this much room, however small the budget of an answer is. */
const MIN_ERROR_CHARS = 1000;
/** What takes the place of text that was left out. */
const ELLIPSIS = "…";
/** Characters that an error may take up besides its JSON: its type in `jsonl`, the end of its line. */
const ERROR_MARGIN = 16;

/**
 * The answer, within its budget.
 *
 * @param held its entries, as they were held
 * @throws {PathgrepError} `search_too_broad` when the budget is exceeded and the answer may not be
 * shortened, or when there is no room for a single entry
 */
export function fitAnswer(
  held: readonly AnswerEntry[],
  frame: AnswerFrame,
  settings: SearchSettings,
  budget: AnswerBudget,
): SearchResult {
  const { engineNotes } = frame;
  const result = fitWithout(held, { ...frame, engineNotes: [] }, settings, budget);
  if (engineNotes.length === 0) return result;
  const { notes = [], stats, ...rest } = result;
  const noted = { ...rest, notes: [...engineNotes, ...notes], ...(stats && { stats }) };
  return sizeOfResult(noted, budget.measure ?? PLAIN_JSON) <= budget.chars ? noted : result;
}

/** The characters that an answer takes up. */
function sizeOfResult(result: SearchResult, measure: AnswerMeasure): number {
  const size = measure.entries();
  const { entries, frame } = result.output_mode === "content"
    ? { entries: result.matches, frame: { ...result, matches: [] } }
    : result.output_mode === "file"
    ? { entries: result.files, frame: { ...result, files: [] } }
    : { entries: result.counts, frame: { ...result, counts: [] } };
  return entries.reduce<number>((sum, entry) => sum + size(entry), measure.frame(frame));
}

function fitWithout(
  held: readonly AnswerEntry[],
  frame: AnswerFrame,
  settings: SearchSettings,
  { chars, mayShorten, measure = PLAIN_JSON, caller = "library" }: AnswerBudget,
): SearchResult {
  // Measured with its longest numbers.
  frame = { ...frame, shown: frame.shown ?? held.length };
  const whole = buildResult(held.map(plain), frame, settings);
  const roomIn = (frame: AnswerFrame) =>
    chars - measure.frame({ ...buildResult([], frame, settings), count: whole.count });
  /**
   * How many entries there is room for; -1: not even for the frame. One more entry may need less
   * room than it takes up, since it replaces context.
   */
  const fitting = (entries: readonly AnswerEntry[]) => {
    let room = roomIn(frame);
    if (room < 0) return -1;
    const sizeOf = measure.entries();
    let end = 0;
    for (const [index, entry] of entries.entries()) {
      room -= sizeOf(entry);
      if (room >= 0) end = index + 1;
    }
    return end;
  };
  const result = (entries: readonly AnswerEntry[]) => buildResult(entries, frame, settings);
  if (fitting(held.map(plain)) === held.length) return whole;
  if (!mayShorten) throw tooLong(chars, hintToShorten(caller));
  const isTruncated = frame.truncated;
  const reduced: Reduction[] = [];
  frame = { ...frame, reduced };
  if (chars - roomIn(frame) > chars * FRAME_PART) {
    frame = shortFrame(frame, settings, chars * VALUE_PART);
    reduced.push("notes");
  }
  if (fitting(held.map(plain)) === held.length) return result(held.map(plain));
  const steps: [what: Reduction, apply: (entry: HeldMatch) => HeldMatch][] = [
    ["context", withoutContext],
    ["lines", withShortLine],
  ];
  let shorter = held;
  for (const [what, apply] of steps) {
    const next = shorter.map((entry) => isMatch(entry) ? apply(entry) : entry);
    if (next.every((entry, index) => entry === shorter[index])) continue;
    shorter = next;
    reduced.push(what);
    const plainly = shorter.map(plain);
    if (fitting(plainly) === plainly.length) return result(plainly);
  }
  reduced.push("entries");
  frame = { ...frame, truncated: true, shown: held.length };
  let page = shorter.map(plain);
  let end = fitting(page);
  // Characters that are long in JSON: rather a part of the first entry than no way to the next.
  for (let limit = SHORT_LINE_CHARS; end === 0 && (limit >>= 1) > 0;) {
    page = page.slice(0, 1).map((entry) => isMatch(entry) ? withStart(entry, limit) : entry);
    end = fitting(page);
    if (!reduced.includes("lines")) reduced.splice(-1, 0, "lines");
  }
  if (end <= 0) throw tooLong(chars, hintForRoom(caller));
  if (end === held.length) reduced.pop();
  frame = { ...frame, shown: end, truncated: isTruncated || end < held.length };
  return result(page.slice(0, end));
}

type HeldMatch = MatchEntry & HeldEntry;

function isMatch(entry: AnswerEntry): entry is HeldMatch {
  return typeof entry === "object" && "line" in entry;
}

/** An entry as it is sent. */
function plain(entry: AnswerEntry): AnswerEntry {
  if (!isMatch(entry) || entry.short === undefined) return entry;
  const { short: _, ...rest } = entry;
  return rest;
}

function withoutContext(entry: HeldMatch): HeldMatch {
  if (entry.before === undefined && entry.after === undefined) return entry;
  const { before: _, after: __, ...rest } = entry;
  return rest;
}

function withShortLine(entry: HeldMatch): HeldMatch {
  if (entry.short === undefined) return entry;
  const { short, file, line_number, line: _, column: __, line_truncated: ___, ...rest } = entry;
  return { file, line_number, ...short, line_truncated: true, ...rest };
}

/** An entry with the start of its line, which the match is not far from. */
function withStart(entry: HeldMatch, limit: number): HeldMatch {
  const characters = Array.from(entry.line);
  if (characters.length <= limit) return entry;
  const { column } = entry;
  const short = { line: characters.slice(0, limit).join(""), ...(column && { column }) };
  return withShortLine({ ...entry, short });
}

/** A frame whose values are short. */
function shortFrame(frame: AnswerFrame, settings: SearchSettings, chars: number): AnswerFrame {
  const notes: string[] = [];
  let room = chars;
  for (const note of frame.notes) {
    const short = clipped(note, chars);
    room -= JSON.stringify(short).length;
    if (room < 0 && notes.length > 0) break;
    notes.push(short);
  }
  const left = frame.notes.length - notes.length;
  if (left > 0) notes.push(`${left} more ${left === 1 ? "note" : "notes"}`);
  const { basePaths } = frame;
  return {
    ...frame,
    notes,
    pattern: clipped(settings.patterns.join("\n"), chars),
    basePaths: JSON.stringify(basePaths).length > chars ? basePaths.slice(0, 1) : basePaths,
  };
}

/**
 * An error whose longest values are shortened until it keeps to a budget.
 *
 * @param budget the characters of its JSON
 */
export function fitError(error: PathgrepError, budget: number): PathgrepError {
  const chars = Math.max(budget, MIN_ERROR_CHARS);
  let { message } = error;
  const details: Record<string, unknown> = { ...error.details };
  let fitted = error;
  for (let over; (over = charsOfError(fitted) - chars) > 0;) {
    const values: [string, unknown][] = [["", message], ...Object.entries(details)];
    const sized = values.map(([key, value]) => ({ key, value, size: jsonChars(value) }));
    const { key, value, size } = sized.reduce((a, b) => b.size > a.size ? b : a);
    if (key === "" && size < ERROR_MARGIN) break;
    // At most half of the room: the next value may be as long, and the sentence has to say what is
    // wrong.
    const shorter = shorterValue(value, Math.max(size / 2, size - over));
    if (key === "") message = String(shorter ?? ELLIPSIS);
    else if (shorter === undefined) delete details[key];
    else details[key] = shorter;
    fitted = new PathgrepError(error.code, message, details, error);
  }
  return fitted;
}

/** The characters that an error takes up, at most, wherever it goes. */
export function charsOfError(error: PathgrepError): number {
  return escapeControlsInJson(JSON.stringify(error)).length + ERROR_MARGIN;
}

/**
 * A shorter form of a value: a text clipped to `chars` characters of JSON, or the first half of a list.
 *
 * @returns `undefined` if there is no shorter form
 */
function shorterValue(value: unknown, chars: number): unknown {
  if (typeof value === "string") {
    return chars < ERROR_MARGIN ? undefined : clipped(value, chars);
  }
  if (!Array.isArray(value) || value.length < 2) return undefined;
  return value.slice(0, value.length >> 1);
}

function jsonChars(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/** The beginning of a text that takes at most `chars` characters as JSON. */
function clipped(text: string, chars: number): string {
  let short = text;
  let end = Math.floor(chars);
  while (jsonChars(short) > chars && end > 0) {
    short = text.slice(0, end - 1) + ELLIPSIS;
    end = Math.floor(end * Math.min(0.9, chars / jsonChars(short)));
  }
  return short;
}

const hintToShorten = (caller: Caller) =>
  "narrow the pattern, path or include; use output mode file or count; page with offset; or raise " +
  optionName("maxOutputChars", caller);
const hintForRoom = (caller: Caller) =>
  `no entry fits; raise ${optionName("maxOutputChars", caller)} or use output mode file or count`;

function tooLong(chars: number, hint: string): PathgrepError {
  return new PathgrepError("search_too_broad", `answer exceeds ${chars} characters`, { hint });
}
