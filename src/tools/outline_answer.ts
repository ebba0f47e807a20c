/**
 * The outline of a file as an answer of `read_file`, and that of what a page of it has no room for.
 *
 * @module
 */

import { cutAround } from "../scan/hit_lines.ts";
import { SearchPulse } from "../scan/search_sink.ts";
import { HEAD_CHARS } from "../explain/enclosing.ts";
import { languageOf } from "../explain/languages.ts";
import { outlineOf } from "../explain/outline.ts";
import type { NoteOrText } from "../notes/words.ts";
import { mostThatFit } from "../search/result_builder.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type { OutlineAnswer, OutlineLine } from "../search/result.ts";
import type { InternalSearchOptions } from "../search/search_context.ts";
import { PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";

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
export function restOf(lines: readonly OutlineLine[], next: number): OutlineLine[] {
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
