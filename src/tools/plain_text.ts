/**
 * Answers as one plain text: entries as in a concise answer, a blank line, and a summary: how many entries
 * there are, what was searched, how to get the next page. No line of a file can be mistaken for those: it begins with
 * its number, and a name has no line end.
 *
 * @module
 */

import type { StandingNote } from "../notes/words.ts";
import { scopeLine } from "../reasons/answer_scope.ts";
import {
  type AnswerForm,
  areDirectories,
  type DirectoryCount,
  REDUCED,
} from "../answer/result_builder.ts";
import { voiceOf } from "../search/callers.ts";
import type { SearchQuery } from "../query/query.ts";
import type { LinesRead } from "../search/read_lines.ts";
import type {
  AnswerScope,
  OutlineAnswer,
  OutlineLine,
  ReadFileAnswer,
  Reduction,
  SearchResult,
} from "../answer/result.ts";
import type { Audience } from "../search/search_context.ts";
import { conciseForm, conciseStyle, textOf } from "../answer/text_lines.ts";
import {
  counted,
  escapeControls,
  escapedLines,
  ESCAPES_NOTE,
  isEscaped,
  quotedName,
  shortened,
} from "../util/text.ts";
import { bytesOfText, weigherFor } from "./answer_size.ts";
import type { ResolvedPath } from "./resolve_path.ts";
import type { TextAnswer } from "./tool.ts";

/** A search result with its entries as text, and what only the text says. */
type TextResult = SearchResult & {
  text: string;
  /** Files on this page. */
  files_shown: number;
  directories?: readonly string[];
  directories_more?: number;
  top_directories?: readonly DirectoryCount[];
  /** What is not shown. */
  not_shown_line?: string;
};

/** The lines that a call of `read_file` asks for. */
interface LinesWanted extends Pick<LinesRead, "isNamed" | "last"> {
  /** Whether a path with lines leads to them. */
  isSendable: (path: string) => boolean;
}

/** The part of a text that its scope may take, and all of its patterns together. */
const PART = 1 / 4;
/** Characters of a pattern beside its count, at most. */
const MAX_PATTERN_CHARS = 60;

/** One call that is answered with plain text. */
export class TextCall {
  readonly #said: ReadonlySet<string>;
  /** By their text. */
  readonly #standing = new Map<string, StandingNote>();
  #budget = Infinity;
  #query: Partial<SearchQuery> = {};
  #isListing = false;
  /** The number of the first entry. */
  firstOffset = 0;
  /** The lines that `read_file` is asked for. */
  wanted: LinesWanted | undefined;

  /** @param said topics of standing notes that are omitted */
  constructor(said: ReadonlySet<string> = new Set()) {
    this.#said = said;
  }

  /** Takes standing notes and returns those that the answer has. */
  readonly standing = (notes: readonly StandingNote[]): string[] => {
    for (const note of notes) this.#standing.set(note.text, note);
    return notes.filter(({ topic }) => !this.#said.has(topic)).map(({ text }) => text);
  };

  /** Prepares a query to be answered as text: its settings, and the form that keeps to the budget. */
  ask<Query extends Partial<SearchQuery>>(
    query: Query,
    budget: number,
    isListing: boolean,
  ): { query: Query; audience: Partial<Audience> } {
    this.#query = query;
    this.#isListing = isListing;
    this.#budget = budget;
    return {
      query: { ...query, onOverflow: "truncate", paths: query.paths ?? "relative" },
      audience: {
        ...{ form: this.#form(), lines: { marksCuts: true }, showsEscapes: true },
        // Who pages knows what there is.
        countsPlaces: query.maxResults === undefined && query.offset === undefined,
        standingNotes: this.standing,
        saysNotShown: true,
      },
    };
  }

  #form(): AnswerForm {
    const { onlyMatching = false } = this.#query;
    const style = conciseStyle(onlyMatching);
    const below = (answer: TextResult) =>
      [...this.#searchLines(answer), ...escapedLines(answer.notes ?? [])].join("\n");
    return {
      weigh: weigherFor(this.#budget, bytesOfText),
      *write(answer, files) {
        yield* textOf(files, style);
        if (files.length > 0) yield "\n";
        yield below({ ...answer, text: "", files_shown: files.length });
      },
      entries: (files) => ({ text: [...textOf(files, style)].join(""), files_shown: files.length }),
      partial: conciseForm(weigherFor(this.#budget), onlyMatching),
    };
  }

  /** The text of an answer that is no error. */
  answer(answer: object): TextAnswer {
    const { notes = [] } = answer as { notes?: readonly string[] };
    const text = "base_path" in answer
      ? this.#searchText(answer as TextResult)
      : "files" in answer
      ? (answer as { files: FileAnswer[] }).files.map(fileText).join("\n\n")
      : "outline" in answer
      ? outlineLines(answer as OutlineAnswer)
      : "lines" in answer
      ? fileLines(answer as ReadFileAnswer, this.wanted)
      : pathLines(answer as ResolvedPath);
    const own = notes.filter((note) => !this.#standing.has(note));
    if ("kind" in answer && isEscaped((answer as ResolvedPath).path)) own.push(ESCAPES_NOTE);
    const standing = notes.flatMap((note) => this.#standing.get(note) ?? []);
    return {
      text,
      ...(own.length === 0 ? {} : { notes: own }),
      ...(standing.length === 0 ? {} : { standing_notes: standing }),
    };
  }

  /** An answer as it reaches the model. */
  readonly written = (answer: object): string => wholeText(this.answer(answer));

  #searchText(result: TextResult): string {
    const { text } = result;
    return `${text}${text === "" ? "" : "\n"}${this.#searchLines(result).join("\n")}`;
  }

  /** What stands below the entries, notes apart. */
  #searchLines(result: TextResult): string[] {
    const { next_offset, pattern_counts, reduced = [], scope, top_directories = [] } = result;
    const { not_shown_line: notShown } = result;
    const summary = [
      this.#howMany(result),
      scope && this.#scopeOf(scope),
      next_offset && `next page: offset ${next_offset + this.firstOffset}`,
    ];
    return [
      ...directoriesLine(result),
      summary.filter(Boolean).join("; "),
      ...(pattern_counts === undefined ? [] : [this.#byPattern(pattern_counts, result)]),
      ...(top_directories.length < 2 ? [] : [mostIn(top_directories)]),
      ...(notShown === undefined ? [] : [escapeControls(notShown)]),
      ...reducedLines(reduced, this.#budget),
    ];
  }

  #scopeOf(scope: AnswerScope): string {
    const line = escapeControls(
      scopeLine(scope, this.#isListing, voiceOf(this.#isListing ? "glob" : "grep")),
    );
    // The number of listed files is known already.
    return shortened(this.#isListing ? line.replace(/^[^;]*(?:; )?/, "") : line, this.#part);
  }

  get #part(): number {
    return Math.floor(this.#budget * PART);
  }

  #matches(count: number): string {
    return this.#query.invert
      ? countedOrNo(count, "line without a match", "lines without a match")
      : countedOrNo(count, "match", "matches");
  }

  #howMany(result: TextResult): string {
    const { output_mode, count, files_shown, next_offset } = result;
    const { offset = 0, filesWithoutMatch } = this.#query;
    const [one, many] = areDirectories(result) ? ["directory", "directories"] : ["file", "files"];
    const files = (count: number) => countedOrNo(count, one!, many!);
    const which = this.#isListing ? "" : filesWithoutMatch ? " without a match" : " with matches";
    if (count === 0) return this.#none(files(0));
    if (output_mode === "values") return valuesOn(result, offset, this.#matches(count));
    if (offset > 0 || next_offset !== undefined) {
      if (output_mode === "count") return this.#countsOn(result, offset);
      return rangeOn(result, offset, files, `${many}`, which);
    }
    return output_mode === "file"
      ? files(count) + which
      : `${this.#matches(count)} in ${files(files_shown)}`;
  }

  #none(noFiles: string): string {
    const { offset = 0, filesWithoutMatch } = this.#query;
    if (offset > 0) return "no entries on this page";
    if (this.#isListing) return noFiles;
    return filesWithoutMatch ? "no files without a match" : this.#matches(0);
  }

  #countsOn(result: TextResult, offset: number): string {
    const { count, files_shown, next_offset, total, total_at_least: least, total_files } = result;
    const end = next_offset ?? offset + files_shown;
    const page = `files ${offset + 1}-${end}`;
    if (least !== undefined) return `${page}, with at least ${this.#matches(least)} in all`;
    return total === undefined
      ? `${page} of ${end}, with ${this.#matches(count)} on this page`
      : `${page} of ${total_files}, with ${this.#matches(total)} in all`;
  }

  /** How much each of several patterns matches. */
  #byPattern(counts: readonly number[], { next_offset, total_at_least }: TextResult): string {
    const { offset = 0, pattern = "" } = this.#query;
    const patterns = [pattern].flat();
    const room = Math.min(MAX_PATTERN_CHARS, Math.floor(this.#part / counts.length));
    const parts = counts.map((count, index) =>
      `${count} for "${shortened(escapeControls(patterns[index] ?? ""), room)}"`
    );
    const isPage = total_at_least !== undefined || next_offset === undefined && offset > 0;
    return `${isPage ? "on this page " : ""}${parts.join(", ")}`;
  }
}

/** Which matches or files a page has. */
function rangeOn(
  { output_mode, count, files_shown, next_offset, scope, ...totals }: TextResult,
  offset: number,
  files: (count: number) => string,
  many: string,
  which: string,
): string {
  const end = next_offset ?? offset + (output_mode === "content" ? count : files_shown);
  const { total, total_files, total_at_least: least } = totals;
  const all = total ?? (least ? `at least ${least}` : end);
  const page = `${offset + 1}-${end} of ${all}`;
  if (output_mode === "file") return `${many} ${page}${which}`;
  // The last page has no totals of its own.
  const inAll = total_files ?? (next_offset === undefined ? scope?.matched : undefined);
  return `matches ${page}` + (inAll === undefined ? "" : ` in ${files(inAll)}`);
}

/** Which values a page has, with so many matches. */
function valuesOn(result: TextResult, offset: number, matches: string): string {
  const { files_shown: shown, next_offset, total, total_at_least: least, scope } = result;
  if (offset === 0 && next_offset === undefined) {
    const files = scope === undefined ? "" : ` in ${counted(scope.matched, "file")}`;
    return `${countedOrNo(shown, "value", "values")}, ${matches}${files}`;
  }
  const all = total ?? (least ? `at least ${least}` : offset + shown);
  return `values ${offset + 1}-${offset + shown} of ${all}, with ${matches} on this page`;
}

/** The directories that a listing has beside files. */
function directoriesLine(result: TextResult): string[] {
  const { directories, directories_more: more } = result;
  if (directories === undefined || areDirectories(result)) return [];
  const names = directories.map((name) => escapeControls(quotedName(name)));
  const rest = more === undefined ? [] : [`${more} more`];
  return [`directories: ${[...names, ...rest].join(", ")}`];
}

function countedOrNo(count: number, one: string, many: string): string {
  return count === 0 ? `no ${many}` : counted(count, one, many);
}

function mostIn(directories: readonly DirectoryCount[]): string {
  const parts = directories.map(({ path, count }) =>
    `${escapeControls(quotedName(path))} (${count})`
  );
  return `most in ${parts.join(", ")}`;
}

/** What was omitted besides entries, which the numbers of the page show. */
function reducedLines(reduced: readonly Reduction[], budget: number): string[] {
  const done = reduced.filter((what) => what !== "entries").map((what) => REDUCED[what]);
  return done.length === 0 ? [] : [`to fit max_output_chars ${budget}: ${done.join(", ")}`];
}

/** A line of a file with its number. */
function numberedLine(number: number, line: string): string {
  return `${number}:${escapeControls(line)}\n`;
}

function fileLines(answer: ReadFileAnswer, wanted: LinesWanted | undefined): string {
  const { start_line: start, line_count, total_lines, lines } = answer;
  const file = escapeControls(quotedName(answer.file));
  const text = lines.map((line, index) => numberedLine(start + index, line)).join("");
  const which = line_count === 0
    ? "no lines"
    : line_count === total_lines
    ? countedOrNo(line_count, "line", "lines")
    : `lines ${start}-${start + line_count - 1}`;
  const summary = `${file}: ${which}` +
    (line_count === total_lines ? "" : ` of ${total_lines}`) +
    nextLines(answer.next_offset, answer.file, wanted);
  const { outline_of_rest: rest } = answer;
  const below = rest === undefined ? "" : `\n\n${rest.map(headLine).join("")}`.trimEnd();
  return `${text}${text === "" ? "" : "\n"}${summary}${below}`;
}

/** A line of an outline: `12-48 class Parser {`, below what holds it. */
function headLine({ line_number: first, end_line: last, depth, line }: OutlineLine): string {
  const range = last === undefined || last === first ? `${first}` : `${first}-${last}`;
  return `${"  ".repeat(depth)}${range} ${escapeControls(line.trim())}\n`;
}

function outlineLines({ file, total_lines, outline, next_offset: next }: OutlineAnswer): string {
  const text = outline.map(headLine).join("");
  const more = next === undefined ? "" : `; next page: offset ${next}`;
  const summary = `${escapeControls(quotedName(file))}: outline of ${
    counted(total_lines, "line")
  }${more}`;
  return `${text}${text === "" ? "" : "\n"}${summary}`;
}

/** How to get the lines that follow: where the path names lines, `offset` beside them would contradict it. */
function nextLines(
  next: number | undefined,
  file: string,
  { last, isNamed, isSendable }: Partial<LinesWanted> = {},
): string {
  if (next === undefined || last !== undefined && next > last) return "";
  const path = `${file}:${next}${last === undefined ? "" : `-${last}`}`;
  if (isNamed && !isEscaped(path) && isSendable?.(path)) {
    return `; next page: path ${quotedName(path)}`;
  }
  const limit = last === undefined ? "" : `, limit ${last - next + 1}`;
  return `; next page: offset ${next}${limit}${isNamed ? ", with the path without its lines" : ""}`;
}

function pathLines({ path, kind, relative }: ResolvedPath): string {
  return `${kind}: ${escapeControls(path)}\nrelative: ${escapeControls(relative)}`;
}

/** The answer of a tool with its notes as one text. */
export function wholeText({ text, notes = [], standing_notes = [] }: TextAnswer): string {
  const all = [...notes, ...standing_notes.map(({ text }) => text)];
  return [text, ...escapedLines(all)].join("\n");
}

/** An answer for one path of several: a {@linkcode TextAnswer}, an error, or in JSON any answer. */
export type FileAnswer = object | TextAnswer;

/** An answer for one path as text: an error is JSON, as it is alone. */
export function fileText(answer: FileAnswer): string {
  return "error" in answer ? JSON.stringify(answer) : wholeText(answer as TextAnswer);
}
