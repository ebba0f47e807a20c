/**
 * The answer of `read_file`: as many of the lines that were read as there is room for.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { mostThatFit } from "../search/result_builder.ts";
import { QUERY_OPTIONS } from "../search/query_options.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type { OutlineLine, ReadFileAnswer } from "../search/result.ts";
import { type AnswerRoom, restOf } from "./outline_answer.ts";

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
