/**
 * The answer of `read_file`: as many of the lines that were read as there is room for.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { written } from "../search/form.ts";
import { QUERY_OPTIONS } from "../search/query_options.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type { OutlineAnswer, OutlineLine, ReadFileAnswer } from "../search/result.ts";
import { restOf } from "./outline_answer.ts";
import { weigherFor } from "./answer_size.ts";

const maxLineLength: number = QUERY_OPTIONS.maxLineLength.default;

/** What an answer takes up where it goes. */
export interface LinesForm {
  /** The characters of an answer without its lines. */
  frame(answer: ReadFileAnswer | OutlineAnswer): number;
  /** Those of one line. */
  line(line: string, number: number): number;
  /** Those of a line of an outline. */
  head(line: OutlineLine): number;
  /** What stands where a line was cut. */
  cutMark: string;
}

/** The sizes of an answer that is JSON. */
export function jsonLinesForm(budget: number): LinesForm {
  const weigh = weigherFor(budget);
  return {
    frame: (answer) => weigh(written(answer)),
    line: (line) => weigh(written(line)) + 1,
    head: (line) => weigh(written(line)) + 1,
    cutMark: "",
  };
}

/** The lines that were read, with their notes as sentences. */
type LinesShown = Omit<LinesRead, "notes" | "text" | "chars"> & {
  notes: readonly string[];
  /** Of the whole file, if it has one. */
  outline?: readonly OutlineLine[] | undefined;
};

interface LinesRoom extends LinesForm {
  /** Characters of the whole answer. */
  budget: number;
  /** Those that the answer begins with. */
  notes: readonly string[];
}

/** The part of an answer that is kept for the outline of what follows it. */
const REST_PART = 1 / 8;
/** Characters of a first line for which there is no room as it is; halved until there is. */
const SHORT_LINE = 1000;

/**
 * The answer with as many lines as there is room for.
 *
 * @throws {PathgrepError} `search_too_broad` if there is none for a single character
 */
export function fittedLines(read: LinesShown, room: LinesRoom): ReadFileAnswer {
  const { start, cut } = read;
  const marked = { ...read, lines: [...read.lines] };
  for (const number of cut) marked.lines[number - start] += room.cutMark;
  const all = linesAnswer(marked, read.lines.length);
  const shortened = cut.length > 0 ? [] : [cutNote([start])];
  const left = room.budget - room.frame({
    ...all,
    lines: [],
    truncated: true,
    next_offset: read.total,
    notes: [...room.notes, ...all.notes ?? [], ...shortened],
  });
  let used = 0;
  const sizes = all.lines.map((line, index) => used += room.line(line, start + index));
  const page = pageOfLines(marked, sizes, left, room);
  if (page.line_count > 0 || sizes.length === 0) return page;
  const [first = ""] = read.lines;
  for (let length = SHORT_LINE; length > 0; length >>= 1) {
    const line = Array.from(first.slice(0, 2 * length)).slice(0, length).join("") + room.cutMark;
    if (room.line(line, start) <= left) {
      return linesAnswer({ ...read, lines: [line], cut: [start] }, 1, length);
    }
  }
  throw new PathgrepError("search_too_broad", `answer exceeds ${room.budget} characters`, {
    hint: "raise max_output_chars",
  });
}

/** The lines for which there is room and, if there are others, the outline of these. */
function pageOfLines(
  read: LinesShown,
  sizes: readonly number[],
  left: number,
  { budget, head }: LinesRoom,
): ReadFileAnswer {
  const within = (room: number) => sizes.findLastIndex((size) => size <= room) + 1;
  const end = within(left);
  const page = linesAnswer(read, end);
  // Who names the last line knows what it wants.
  const isCut = page.truncated && (read.last === undefined || end < sizes.length);
  if (!isCut || read.outline === undefined) return page;
  const used = (count: number) => sizes[count - 1] ?? 0;
  const restFor = (next: number, room: number) =>
    restOf(read.outline!, next).filter((line) => (room -= head(line)) >= 0);
  const whole = restFor(page.next_offset!, Infinity);
  const size = whole.reduce((sum, line) => sum + head(line), 0);
  if (whole.length === 0 || size <= left - used(end)) return withRest(page, whole);
  const room = Math.floor(budget * REST_PART);
  const fewer = within(left - room);
  if (fewer === 0) return page;
  const shorter = linesAnswer(read, fewer);
  return withRest(shorter, restFor(shorter.next_offset!, left - used(fewer)));
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
