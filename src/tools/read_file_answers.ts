/**
 * The answers of `read_file`, with as much as there is room for: lines, an outline, and those for several paths.
 *
 * @module
 */

import { HEAD_CHARS, outlineOf } from "../outline/enclosing.ts";
import { languageOf } from "../outline/languages.ts";
import type { NoteOrText } from "../notes/words.ts";
import { cutAround } from "../read/hit_lines.ts";
import { SearchPulse } from "../run/search_sink.ts";
import { QUERY_OPTIONS } from "../query/query_options.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type { OutlineAnswer, OutlineLine, ReadFileAnswer } from "../answer/result.ts";
import { mostThatFit } from "../answer/result_builder.ts";
import type { InternalSearchOptions } from "../search/search_context.ts";
import { PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import type { FileAnswer } from "./plain_text.ts";

const maxLineLength: number = QUERY_OPTIONS.maxLineLength.default;

/** The lines that were read, with their notes as sentences. */
type LinesShown = Omit<LinesRead, "notes" | "text" | "chars"> & {
  notes: readonly string[];
  /** Of the whole file, if it has one. */
  outline?: readonly OutlineLine[] | undefined;
};

/** The part of an answer that is kept for the outline of what follows it. */
const REST_PART = 1 / 8;
/** Characters of a first line for which there is no room as it is; halved until there is. */
const SHORT_LINE = 1000;

/**
 * The answer with as many lines as there is room for.
 *
 * @param cutMark what stands where a line was cut
 * @throws {PathgrepError} `search_too_broad` if there is none for a single character
 */
export function fittedLines(
  read: LinesShown,
  room: AnswerRoom,
  cutMark: string,
): ReadFileAnswer {
  const { start, cut, lines } = read;
  const marked = { ...read, lines: [...lines] };
  for (const number of cut) marked.lines[number - start] += cutMark;
  const most = mostLines(marked, room);
  if (most > 0 || lines.length === 0) return pageOfLines(marked, most, room);
  const [first = ""] = lines;
  for (let length = SHORT_LINE; length > 0; length >>= 1) {
    const line = Array.from(first.slice(0, 2 * length)).slice(0, length).join("") + cutMark;
    const short = linesAnswer({ ...read, lines: [line], cut: [start] }, 1, length);
    if (room.sizeOf(short) <= room.budget) return short;
  }
  throw new PathgrepError("search_too_broad", `answer exceeds ${room.budget} characters`, {
    hint: "raise max_output_chars",
  });
}

function mostLines(read: LinesShown, { budget, sizeOf }: AnswerRoom): number {
  return mostThatFit(read.lines.length, (count) => sizeOf(linesAnswer(read, count)) <= budget);
}

/** A number of lines and, if there are others, the outline of these. */
function pageOfLines(read: LinesShown, end: number, room: AnswerRoom): ReadFileAnswer {
  const page = linesAnswer(read, end);
  // Who names the last line knows what it wants.
  const isCut = page.truncated && (read.last === undefined || end < read.lines.length);
  if (!isCut || read.outline === undefined) return page;
  const whole = withRest(page, restOf(read.outline, page.next_offset!));
  if (room.sizeOf(whole) <= room.budget) return whole;
  const fewer = mostLines(read, { ...room, budget: room.budget * (1 - REST_PART) });
  if (fewer === 0) return page;
  const shorter = linesAnswer(read, fewer);
  const rest = restOf(read.outline, shorter.next_offset!);
  const fits = (count: number) =>
    room.sizeOf(withRest(shorter, rest.slice(0, count))) <= room.budget;
  return withRest(shorter, rest.slice(0, mostThatFit(rest.length, fits)));
}

function withRest({ notes, ...page }: ReadFileAnswer, rest: OutlineLine[]): ReadFileAnswer {
  const kept = rest.length > 0 && { outline_of_rest: rest };
  return { ...page, ...kept, ...(notes && { notes }) };
}

/** @param limit the characters that long lines are cut to */
function linesAnswer(read: LinesShown, count: number, limit = maxLineLength): ReadFileAnswer {
  const { file, start, total, cut } = read;
  const next = start + count;
  const cutLines = cut.filter((number) => number < next);
  const notes = [...read.notes, ...(cutLines.length === 0 ? [] : [cutNote(cutLines, limit)])];
  return {
    file,
    start_line: start,
    line_count: count,
    total_lines: total,
    lines: read.lines.slice(0, count),
    ...(next <= total ? { truncated: true, next_offset: next } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

const MAX_NAMED_LINES = 5;

function cutNote(numbers: readonly number[], limit = maxLineLength): string {
  const named = numbers.slice(0, MAX_NAMED_LINES).join(", ");
  const more = numbers.length - MAX_NAMED_LINES;
  return (numbers.length === 1
    ? `line ${named} was`
    : `lines ${named}${more > 0 ? ` and ${more} more` : ""} were`) +
    ` cut after ${limit} characters; grep shows the rest around a match`;
}

/** The most lines of what follows a page. */
const MOST_OF_REST = 40;

/** The lines of a file that open something, and what is to be said of them. */
export interface FileOutline {
  readonly lines: readonly OutlineLine[];
  readonly notes: readonly NoteOrText[];
}

/** Outlines a file that was read, in time that others have their turns in. */
export async function outlineFor(
  { file, text, total, chars }: Pick<LinesRead, "file" | "text" | "total" | "chars">,
  { workspace, signal }: Pick<InternalSearchOptions, "workspace" | "signal">,
): Promise<FileOutline> {
  const language = languageOf(file);
  if (language === undefined) {
    return { lines: [], notes: [{ reason: "outline_unknown", values: {} }] };
  }
  const pulse = new SearchPulse(
    { deadline: Infinity, timeout: Infinity },
    () => signal?.aborted === true,
  );
  const slices = new Slices(workspace.roots[0]!);
  const steps = text && outlineOf(text, language, pulse);
  let step = await slices.run(() => steps?.next());
  while (step?.done === false) step = await slices.run(() => steps!.next());
  const outline = step?.value;
  if (outline === undefined) {
    return { lines: [], notes: [{ reason: "outline_generated", values: { lines: total, chars } }] };
  }
  const lines = outline.entries.map(({ line, end, depth, head }) => ({
    line_number: line,
    ...(end !== undefined && { end_line: end }),
    depth,
    line: cutAround(head, 0, HEAD_CHARS).text,
  }));
  const { doubted } = outline;
  return {
    lines,
    notes: doubted > 0 ? [{ reason: "outline_doubted", values: { count: doubted } }] : [],
  };
}

/** The outline of what begins at a line: as deep as there are few enough lines. */
function restOf(lines: readonly OutlineLine[], next: number): OutlineLine[] {
  const rest = lines.filter(({ line_number }) => line_number >= next);
  for (let depth = Math.max(0, ...rest.map(({ depth }) => depth)); depth > 0; depth--) {
    const some = rest.filter((line) => line.depth <= depth);
    if (some.length <= MOST_OF_REST) return some;
  }
  return rest.filter(({ depth }) => depth === 0).slice(0, MOST_OF_REST);
}

/** The room for an answer. */
export interface AnswerRoom {
  budget: number;
  /** The characters that the answer takes up where it goes. */
  sizeOf(answer: object): number;
}

/**
 * The answer with as much of the outline as there is room for.
 *
 * @throws {PathgrepError} `search_too_broad` if there is none for a line
 */
export function fittedOutline(
  { file, total, start, last = Infinity }: Pick<LinesRead, "file" | "total" | "start" | "last">,
  outline: readonly OutlineLine[],
  notes: readonly string[],
  { budget, sizeOf }: AnswerRoom,
): OutlineAnswer {
  const wanted = outline.filter(({ line_number: at }) => at >= start && at <= last);
  const answer = (count: number): OutlineAnswer => ({
    file,
    total_lines: total,
    outline: wanted.slice(0, count),
    ...(count < wanted.length && { truncated: true, next_offset: wanted[count]!.line_number }),
    ...(notes.length > 0 && { notes: [...notes] }),
  });
  const most = mostThatFit(wanted.length, (count) => sizeOf(answer(count)) <= budget);
  if (most > 0 || wanted.length === 0) return answer(most);
  throw new PathgrepError("search_too_broad", `answer exceeds ${budget} characters`, {
    hint: "raise max_output_chars",
  });
}

/** Characters of an answer besides those of its files, and between these. */
const FRAME_CHARS = 100;
const SEPARATOR_CHARS = 2;
/** With less, not even why there is no answer has room. */
const MIN_SHARE = 200;
/** An answer that leaves less of its share than this many characters, or this part, may have been cut to it. */
const SLACK_CHARS = 500;
const SLACK = 0.1;

/**
 * Reads several paths. Each has the same share of the budget; what some do not need, the others have.
 *
 * @param read reads one of them within a number of characters; never throws
 */
export async function readSeveral(
  paths: readonly string[],
  read: (path: string, budget: number) => Promise<FileAnswer>,
  { budget, sizeOf: sizeOfAnswer }: AnswerRoom,
): Promise<FileAnswer[]> {
  const sizeOf = (answer: FileAnswer) => sizeOfAnswer(answer) + SEPARATOR_CHARS;
  const room = budget - FRAME_CHARS;
  const share = Math.floor(room / paths.length) - SEPARATOR_CHARS;
  if (share < MIN_SHARE) {
    throw new PathgrepError(
      "search_too_broad",
      `${paths.length} paths need more than ${budget} characters`,
      { hint: "raise max_output_chars, or send fewer paths" },
    );
  }
  const slack = Math.max(SLACK_CHARS, share * SLACK);
  const answers: FileAnswer[] = [];
  for (const path of paths) answers.push(await read(path, share));
  const cut = answers.keys().filter((at) => sizeOf(answers[at]!) > share - slack).toArray();
  let left = room - answers.reduce((sum: number, answer) => sum + sizeOf(answer), 0);
  for (const [done, at] of cut.entries()) {
    const more = Math.floor(left / (cut.length - done));
    if (more <= 0) break;
    const before = sizeOf(answers[at]!);
    answers[at] = await read(paths[at]!, share + more);
    left -= sizeOf(answers[at]!) - before;
  }
  return fitting(paths, answers, sizeOf, room, budget);
}

/** The answers that there is room for: an error may need more than its share. */
function fitting(
  paths: readonly string[],
  answers: readonly FileAnswer[],
  sizeOf: (answer: FileAnswer) => number,
  room: number,
  budget: number,
): FileAnswer[] {
  return answers.map((answer, at) => {
    const size = sizeOf(answer);
    if ((room -= size) >= 0) return answer;
    room += size;
    const path = paths[at]!;
    const error = new PathgrepError("search_too_broad", `answer exceeds ${budget} characters`, {
      path,
      hint: "read this path in a call of its own",
    }).toJSON();
    room -= sizeOf(error);
    return error;
  });
}
