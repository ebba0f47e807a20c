/**
 * The answer of `read_file`: as many of the lines that were read as there is room for.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { written } from "../search/measure.ts";
import { QUERY_OPTIONS } from "../search/query_options.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type { ReadFileAnswer } from "../search/result.ts";
import { weigherFor } from "./answer_size.ts";

const maxLineLength: number = QUERY_OPTIONS.maxLineLength.default;

/** What an answer takes up where it goes. */
export interface LinesForm {
  /** The characters of an answer without its lines. */
  frame(answer: ReadFileAnswer): number;
  /** Those of one line. */
  line(line: string, number: number): number;
  /** What stands where a line was cut. */
  cutMark: string;
}

/** The sizes of an answer that is JSON. */
export function jsonForm(budget: number): LinesForm {
  const weigh = weigherFor(budget);
  return {
    frame: (answer) => weigh(written(answer)),
    line: (line) => weigh(written(line)) + 1,
    cutMark: "",
  };
}

/** The lines that were read, with their notes as sentences. */
type LinesShown = Omit<LinesRead, "notes"> & { notes: readonly string[] };

interface LinesRoom extends LinesForm {
  /** Characters of the whole answer. */
  budget: number;
  /** Those that the answer begins with. */
  notes: readonly string[];
}

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
  const end = all.lines.findIndex((line, index) => (used += room.line(line, start + index)) > left);
  if (end !== 0) return end < 0 ? all : linesAnswer(marked, end);
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
