/**
 * Keeps answers and errors to a number of characters. An answer first loses its enclosing lines, then context,
 * then the parts of long lines far from the match, and then entries, which are on the next page.
 *
 * @module
 */

import type { Voice } from "../notes/table.ts";
import { type HitLine, isEntry, LinePage } from "../read/hit_lines.ts";
import { PathgrepError } from "../util/errors.ts";
import { counted } from "../util/text.ts";
import type { Query } from "../query/query.ts";
import type { AnswerScope, Reduction, SearchResult } from "./result.ts";
import {
  type AnswerForm,
  type AnswerFrame,
  buildResult,
  entriesOfFiles,
  jsonForm,
  mostThatFit,
  SHORT_LINE_CHARS,
  type ShownFile,
  written,
} from "./result_builder.ts";

/** The limits of an answer's size. */
export interface AnswerBudget {
  chars: number;
  /** Whether a longer answer is shortened; otherwise it is an error. */
  mayShorten: boolean;
  /** @default its JSON */
  form: AnswerForm | undefined;
}

/** The parts of a budget that the frame of an answer may take, and each of its long values. */
const FRAME_PART = 1 / 2;
const VALUE_PART = 1 / 8;

/** The room of an error, however small the budget of an answer is. */
const MIN_ERROR_CHARS = 1000;
const ELLIPSIS = "…";
/** Characters that an error may take up besides its JSON: its type in `jsonl`, the end of its line. */
const ERROR_MARGIN = 16;
/** Characters of JSON between an error and the partial answer in it. */
const KEY_CHARS = `,"partial":`.length;

interface Page {
  files: readonly ShownFile[];
  frame: AnswerFrame;
}

/**
 * The page of an answer that its budget has room for.
 *
 * @throws {PathgrepError} `search_too_broad` when the budget is exceeded and the answer may not be
 * shortened, or when there is no room for a single entry
 */
export function fitAnswer(
  whole: Page,
  query: Query,
  budget: AnswerBudget,
  voice: Voice,
): Page {
  const isLong = budget.form?.entries !== undefined && entriesOfFiles(whole.files) > FEW_ENTRIES;
  if (isLong) whole = { ...whole, files: whole.files.map(withoutVeryLongLines) };
  const fitting = new Fitting(query, budget);
  const { engineNotes } = whole.frame;
  const quiet = { ...whole, frame: { ...whole.frame, engineNotes: [] } };
  const page = reducedPage(quiet, fitting, budget, voice);
  const noted = { ...page, frame: { ...page.frame, engineNotes } };
  return fitting.fits(noted) ? noted : page;
}

/** What an answer loses, in this order; `undefined` if it has nothing of the kind. */
const REDUCTIONS: readonly [Reduction, (page: Page, fitting: Fitting) => Page | undefined][] = [
  ["notes", (page, fitting) => fitting.withShortFrame(page)],
  ["not_shown", withoutNotShown],
  ["enclosing", withoutEnclosing],
  ["context", withoutContext],
  ["lines", withShortLines],
];

function reducedPage(
  whole: Page,
  fitting: Fitting,
  { chars, mayShorten }: AnswerBudget,
  voice: Voice,
): Page {
  if (fitting.fits(whole)) return whole;
  if (fitting.mayDropEnclosing) {
    whole = withoutEnclosing(whole) ?? whole;
    if (fitting.fits(whole)) return whole;
  }
  const name = voice.nameOf("maxOutputChars");
  if (!mayShorten) {
    const narrower = "narrow the pattern, path or include; use output mode file or count";
    throw tooLong(chars, `${narrower}; page with offset; or raise ${name}`);
  }
  const reduced: Reduction[] = [];
  let page: Page = { ...whole, frame: { ...whole.frame, reduced } };
  for (const [what, reduce] of REDUCTIONS) {
    const smaller = reduce(page, fitting);
    if (smaller === undefined) continue;
    reduced.push(what);
    page = smaller;
    if (fitting.fits(page)) return page;
  }
  const some = withFewerEntries(page, reduced, fitting);
  if (some !== undefined) return some;
  throw tooLong(chars, `no entry fits; raise ${name} or use output mode file or count`);
}

/** The entries that fit, or at least a part of the first one. */
function withFewerEntries(page: Page, reduced: Reduction[], fitting: Fitting): Page | undefined {
  const entries = entriesOfFiles(page.files);
  const cut = { ...page.frame, truncated: true };
  const { topDirectories } = fitting.leavesRoom(cut) ? cut : { topDirectories: undefined };
  const first = (count: number, limit?: number): Page => {
    const isAll = count === entries;
    const kept = firstEntries(page.files, count);
    const files = limit === undefined
      ? kept
      : kept.map((file) => withLines(file, (line) => withStart(line, limit)));
    const isShort = limit === undefined || reduced.includes("lines");
    const parts: Reduction[] = [
      ...reduced,
      ...(isShort ? [] : ["lines" as const]),
      ...(isAll ? [] : ["entries" as const]),
    ];
    const frame = { ...(isAll ? page.frame : cut), topDirectories, reduced: parts };
    return { files, frame };
  };
  const most = mostThatFit(entries, (count) => fitting.fits(first(count)));
  if (most > 0) return first(most);
  // Characters that are long in JSON: better a truncated entry than a page that cannot advance.
  for (let limit = SHORT_LINE_CHARS; (limit >>= 1) > 0;) {
    const start = first(1, limit);
    if (fitting.fits(start)) return start;
  }
  return undefined;
}

/** Writes pages of one answer to see whether there is room for them. */
class Fitting {
  readonly #query: Query;
  readonly #chars: number;
  readonly #form: AnswerForm;

  constructor(query: Query, { chars, form = jsonForm() }: AnswerBudget) {
    this.#query = query;
    this.#chars = chars;
    this.#form = form;
  }

  /** Whether enclosing lines are shown only if there is room. */
  get mayDropEnclosing(): boolean {
    return this.#query.showFunction === "auto";
  }

  fits({ files, frame }: Page, room: number = this.#chars): boolean {
    const { weigh = ({ length }) => length } = this.#form;
    const answer = buildResult(files, frame, this.#query, this.#form.entries?.([]));
    for (const piece of this.#form.write(answer, files)) {
      if ((room -= weigh(piece)) < 0) return false;
    }
    return true;
  }

  /** A page with short values in its frame, if that takes too much of the room. */
  withShortFrame({ files, frame }: Page): Page | undefined {
    if (this.leavesRoom(frame)) return undefined;
    return { files, frame: shortFrame(frame, this.#query, this.#chars * VALUE_PART) };
  }

  leavesRoom(frame: AnswerFrame): boolean {
    return this.fits({ files: [], frame }, this.#chars * FRAME_PART);
  }
}

function withoutNotShown({ files, frame }: Page): Page | undefined {
  const { notShown } = frame;
  if (notShown === undefined || notShown.rows.length === 0) return undefined;
  return { files, frame: { ...frame, notShown: { rows: [], isInPart: notShown.isInPart } } };
}

function withoutEnclosing(page: Page): Page | undefined {
  const isEnclosed = ({ enclosing }: HitLine) => enclosing !== undefined;
  if (!page.files.some(({ lines }) => lines?.some(isEnclosed))) return undefined;
  const files = page.files.map((file) => withLines(file, ({ enclosing: _, ...line }) => line));
  return { ...page, files };
}

function withoutContext(page: Page): Page | undefined {
  if (page.files.every(({ context }) => context === undefined)) return undefined;
  const files = page.files.map(({ context: _, ...file }) => ({
    ...file,
    ...(file.lines && { lines: file.lines.filter(isEntry) }),
  }));
  return { ...page, files };
}

/** Text of more entries has the short forms of lines over this many characters. */
const FEW_ENTRIES = 20;
const LONG_LINE_CHARS = 200;

function withoutVeryLongLines(file: ShownFile): ShownFile {
  const isVeryLong = ({ text }: HitLine) => text.length > LONG_LINE_CHARS && !text.includes("\n");
  return withLines(file, (line) => isVeryLong(line) ? withShortText(line) : line);
}

function withShortLines(page: Page): Page | undefined {
  const isLong = ({ lines }: ShownFile) => lines?.some(({ short }) => short !== undefined);
  if (!page.files.some(isLong)) return undefined;
  return { ...page, files: page.files.map((file) => withLines(file, withShortText)) };
}

function withLines(file: ShownFile, change: (line: HitLine) => HitLine): ShownFile {
  return file.lines === undefined ? file : { ...file, lines: file.lines.map(change) };
}

function withShortText(line: HitLine): HitLine {
  const { short, column: _, ...rest } = line;
  return short === undefined ? line : { ...rest, ...short, isCut: true };
}

/** An entry with the start of its line, which the match is not far from. */
function withStart(line: HitLine, limit: number): HitLine {
  const characters = Array.from(line.text);
  if (characters.length <= limit) return line;
  const { column } = line;
  const short = { text: characters.slice(0, limit).join(""), ...(column && { column }) };
  return withShortText({ ...line, short });
}

function firstEntries(files: readonly ShownFile[], count: number): ShownFile[] {
  const first: ShownFile[] = [];
  for (const file of files) {
    if (count <= 0) break;
    const { context = { before: 0, after: 0 }, lines } = file;
    const entries = entriesOfFiles([file]);
    first.push(
      lines && entries > count
        ? { ...file, lines: new LinePage(0, count, context).take(lines), more: undefined }
        : file,
    );
    count -= entries;
  }
  return first;
}

function shortFrame(frame: AnswerFrame, query: Query, chars: number): AnswerFrame {
  const notes: string[] = [];
  let room = chars;
  for (const note of frame.notes) {
    const short = clipped(note, chars);
    room -= JSON.stringify(short).length;
    if (room < 0 && notes.length > 0) break;
    notes.push(short);
  }
  const left = frame.notes.length - notes.length;
  if (left > 0) notes.push(counted(left, "more note"));
  const { basePaths, directories, scope } = frame;
  return {
    ...frame,
    notes,
    topDirectories: undefined,
    directories: directories && fewerNames(directories, chars),
    scope: scope && shortScope(scope, chars),
    pattern: clipped(query.patterns.join("\n"), chars),
    basePaths: JSON.stringify(basePaths).length > chars ? basePaths.slice(0, 1) : basePaths,
  };
}

function fewerNames({ names, more }: { names: readonly string[]; more: number }, chars: number) {
  const kept = names.filter((name) => (chars -= jsonChars(name)) >= 0);
  return { names: kept, more: more + names.length - kept.length };
}

/** A scope that names only so many entries as there is room for: a part of a path names another. */
function shortScope(scope: AnswerScope, chars: number): AnswerScope {
  const { left_out: { ignored = [], ignored_more: more = 0, names, ...others } = {} } = scope;
  const kept = ignored.filter((path) => (chars -= jsonChars(path)) >= 0);
  const isNamed = (chars -= jsonChars(names)) >= 0;
  if (kept.length === ignored.length && isNamed) return scope;
  const ignoredMore = more + ignored.length - kept.length;
  const left_out = {
    ...(kept.length > 0 && { ignored: kept }),
    ...(ignoredMore > 0 && { ignored_more: ignoredMore }),
    ...others,
    ...(isNamed && { names }),
  };
  return { ...scope, left_out };
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
    // At most by half: the next value may be as long, and the message has to say what is wrong.
    const shorter = shorterValue(value, Math.max(size / 2, size - over));
    if (key === "") message = String(shorter ?? ELLIPSIS);
    else if (shorter === undefined) delete details[key];
    else details[key] = shorter;
    fitted = new PathgrepError(error.code, message, details, error);
  }
  return fitted;
}

/**
 * The error of a search whose time ran out, with what was found until then: shaped and capped as the answer
 * would have been, without entries that were streamed.
 */
export async function withPartial(
  error: PathgrepError,
  { maxOutputChars, patterns }: Query,
  form: AnswerForm | undefined,
  build: (budget: AnswerBudget) => Promise<SearchResult>,
): Promise<PathgrepError> {
  const named = error.with({ pattern: patterns.join("\n") });
  const short = maxOutputChars === Infinity ? named : fitError(named, maxOutputChars / 2);
  const chars = maxOutputChars - charsOfError(short) - KEY_CHARS;
  try {
    const partial = await build({ chars, mayShorten: true, form });
    return new PathgrepError(short.code, short.message, { ...short.details, partial }, short);
  } catch {
    return error; // there is no room for a single entry
  }
}

/** The characters that an error takes up, at most, wherever it goes. */
function charsOfError(error: PathgrepError): number {
  return written(error).length + ERROR_MARGIN;
}

/** A text clipped to `chars` characters of JSON, or the first half of a list, where that is shorter. */
function shorterValue(value: unknown, chars: number): unknown {
  if (typeof value === "string") return chars < ERROR_MARGIN ? undefined : clipped(value, chars);
  return Array.isArray(value) && value.length > 1 ? value.slice(0, value.length >> 1) : undefined;
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

function tooLong(chars: number, hint: string): PathgrepError {
  return new PathgrepError("search_too_broad", `answer exceeds ${chars} characters`, { hint });
}
