/**
 * The tool `read_file`: lines of one file, or what is in a directory.
 *
 * @module
 */

import { sentences } from "../notes/words.ts";
import type { ErrorAnswer } from "../util/errors.ts";
import { ESCAPES_NOTE, isEscaped, printable } from "../util/text.ts";
import { QUERY_OPTIONS } from "../query/query_options.ts";
import { written } from "../answer/result_builder.ts";
import type { DirectoriesMet, LinesRead } from "../search/read_lines.ts";
import type {
  FileResult,
  OutlineAnswer,
  ReadFileAnswer,
  ReadFilesAnswer,
} from "../answer/result.ts";
import { isWithin } from "../util/path.ts";
import { escapedGlob } from "../glob/glob_paths.ts";
import {
  closedObject,
  type Fields,
  inputSchema,
  LIST_OUTPUT,
  type ToolDefinition,
  type ValuesOf,
} from "./tool_definition.ts";
import { bytesOfText, weigherFor } from "./answer_size.ts";
import { parseInput, textsOf } from "./input_parser.ts";
import { moreField } from "./query_fields.ts";
import type { InternalCallOptions, Tool, ToolCallOptions } from "./tool.ts";
import { type CallOptions, ToolContext, type ToolOptions } from "./tool_context.ts";

/** What one path is answered with. */
type OnePathAnswer = ReadFileAnswer | OutlineAnswer | FileResult;

const { minimum, maximum } = QUERY_OPTIONS.maxOutputChars.tool;
/** Paths of one call, at most. */
const MAX_PATHS = 20;

const FIELDS = {
  path: {
    type: "string",
    required: true,
    maxItems: MAX_PATHS,
    description:
      "Absolute or relative to the workspace; with lines: src/a.ts:120-160. A directory is listed.",
  },
  more_paths: moreField("path", MAX_PATHS, "More paths, each with its lines."),
  offset: { type: "integer", minimum: 1, description: "First line, from 1." },
  limit: { type: "integer", minimum: 1, description: "Maximum lines (default 2000)." },
  end_line: { type: "integer", minimum: 1, description: "the last line", unlisted: true },
  encoding: {
    type: "string",
    blankIsAbsent: true,
    description: "Such as gbk, if not UTF-8.",
  },
  outline: { type: "boolean", description: "Only definitions and their lines." },
  everything: { type: "boolean", description: "Binary, gzip and other encodings too." },
  max_output_chars: {
    type: "integer",
    minimum,
    maximum,
    description: "Maximum characters (default 40000).",
  },
} as const satisfies Fields;

const OUTLINE = {
  type: "array",
  items: closedObject({
    line_number: { type: "integer" },
    end_line: { type: "integer" },
    depth: { type: "integer" },
    line: { type: "string" },
  }, ["line_number", "depth", "line"]),
};

export const READ_FILE: ToolDefinition<typeof FIELDS> = {
  name: "read_file",
  title: "Read a file",
  description: "Read files, or lines of them.",
  fields: FIELDS,
  outputSchema: closedObject({
    file: { type: "string" },
    start_line: { type: "integer" },
    line_count: { type: "integer" },
    total_lines: { type: "integer", description: "Lines in the whole file." },
    lines: { type: "array", items: { type: "string" } },
    truncated: { type: "boolean" },
    next_offset: { type: "integer" },
    outline: OUTLINE,
    outline_of_rest: OUTLINE,
    notes: { type: "array", items: { type: "string" } },
    // Of a directory.
    ...LIST_OUTPUT["properties"] as object,
    // Paths of what is in a directory, or the answers for several paths.
    files: { type: "array", items: {} },
  }, []),
};

/**
 * Reads lines of a file in the workspace: every file that `grep` can search, and no other. Of a directory, it
 * answers as `glob` does to a pattern for what is in it.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { ReadFileTool, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "one\ntwo\nthree\n");
 * const tool = new ReadFileTool({ workspace: await Workspace.open(root) });
 * assert.equal(tool.describe({ path: "a.ts", offset: 2, limit: 2 }), "read a.ts:2-3");
 * const answer = await tool.execute({ path: "a.ts:2-3" });
 * assert.deepEqual("lines" in answer && answer.lines, ["two", "three"]);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class ReadFileTool implements Tool {
  /** The name by which the model calls it. */
  readonly name: string = READ_FILE.name;
  /** What it does, for the model. */
  readonly description: string = READ_FILE.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: object = READ_FILE.outputSchema;
  readonly #context: ToolContext;

  /**
   * Creates the tool for a workspace.
   *
   * @param options the workspace, limits, and who is asked for permission
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** Describes a call: `read src/a.ts`, or `read src/a.ts:120-160`. */
  describe(input: unknown): string {
    const { path = [""] } = textsOf(READ_FILE, input);
    const { offset, limit, end_line } = numbersIn(input);
    const isPart = limit !== undefined || end_line !== undefined;
    const shown = path.map((one) => {
      const { name, lines } = this.#context.place([one]);
      const first = offset ?? lines?.first ?? (isPart ? 1 : undefined);
      const last = end_line ?? (limit === undefined ? lines?.last : first! + limit - 1);
      return first === undefined ? name : `${name}:${first}${last === undefined ? "" : `-${last}`}`;
    });
    return printable(`read ${shown.join(", ")}`);
  }

  /** Reads. Never throws: resolves to an error's JSON object on failure. */
  execute(
    input: unknown,
    options: ToolCallOptions = {},
  ): Promise<ReadFileAnswer | OutlineAnswer | FileResult | ReadFilesAnswer | ErrorAnswer> {
    return this.#context.answer<typeof FIELDS, OnePathAnswer | ReadFilesAnswer>(
      READ_FILE,
      input,
      options,
      async (values, options) => {
        const [path = "", ...more] = [values.path].flat();
        return more.length === 0
          ? await this.#read({ ...values, path }, options)
          : await this.#readAll([path, ...more], values, options);
      },
    );
  }

  async #readAll(
    paths: readonly string[],
    values: ValuesOf<typeof FIELDS>,
    { budget, text, ...options }: CallOptions,
  ): Promise<ReadFilesAnswer> {
    const { readSeveral } = await import("./read_file_answers.ts");
    const form = text === undefined ? "json" : "text";
    const ofOne = { ...options, form, notes: [], isPart: true } as InternalCallOptions;
    const read = (path: string, budget: number) =>
      this.#context.answer<typeof FIELDS, OnePathAnswer>(
        READ_FILE,
        { ...values, path },
        ofOne,
        (values, options) =>
          this.#read({ ...values, path: [values.path].flat()[0]! }, { ...options, budget }),
      );
    const weigh = weigherFor(budget, text && bytesOfText);
    const write = text === undefined ? written : (await import("./plain_text.ts")).fileText;
    const sizeOf = (answer: object) => weigh(write(answer));
    const files = await readSeveral(paths, read, { budget, sizeOf });
    return { files } as ReadFilesAnswer;
  }

  async #read(
    values: ValuesOf<typeof FIELDS> & { path: string },
    options: CallOptions,
  ): Promise<OnePathAnswer> {
    const { limits, workspace } = this.#context;
    const { readLines } = await import("../search/read_lines.ts");
    const { fittedLines, fittedOutline, outlineFor } = await import("./read_file_answers.ts");
    const { end_line: last, ...wanted } = values;
    const { budget, text } = options;
    const query = { ...limits, ...wanted, last, maxChars: budget };
    const read = await readLines(query, options);
    if ("directories" in read) return await this.#list(read, values, options);
    const file = text === undefined ? read.file : workspace.display(read.file);
    const isSendable = (path: string) => {
      const { name, lines } = this.#context.place([path]);
      return name === file && lines !== undefined;
    };
    if (text !== undefined) text.wanted = { ...read, isSendable };
    const outline = values.outline || mayBeCut(read, budget)
      ? await outlineFor(read, options)
      : { lines: [], notes: [] };
    const shown = values.outline ? outline.lines.map(({ line }) => line) : read.lines;
    const isNoted = text !== undefined && [file, ...shown].some(isEscaped);
    const own = [
      ...sentences([...read.notes, ...values.outline ? outline.notes : []]),
      ...isNoted ? [ESCAPES_NOTE] : [],
    ];
    return values.outline
      ? fittedOutline({ ...read, file }, outline.lines, own, options)
      : fittedLines(
        { ...read, file, outline: outline.lines, notes: own },
        options,
        text === undefined ? "" : "…",
      );
  }

  /** Lists directories where a file was to be read: their entries, numbered from 1 like lines. */
  async #list(
    { directories, notes }: DirectoriesMet,
    { offset = 1, limit, everything }: ValuesOf<typeof FIELDS>,
    options: CallOptions,
  ): Promise<FileResult> {
    const { limits, workspace } = this.#context;
    if (options.text !== undefined) options.text.firstOffset = 1;
    const name = escapedGlob(workspace.display(directories[0] ?? ""));
    const outside = directories.filter((path) =>
      !workspace.roots.some((root) => isWithin(root, path))
    );
    const answer = await this.#context.listFiles({
      ...{ ...limits, path: directories, include: "/*", maxFileSize: 0, onOverflow: "truncate" },
      ...{ everything, offset: offset - 1, maxResults: limit, maxOutputChars: options.budget - 1 },
    }, {
      ...{ ...options, audience: { ...options.audience, caller: "glob" } },
      ...{ includeKey: "pattern", patternShown: `${name}/*` },
      notes: [...options.notes ?? [], ...notes],
      // Who was asked for a directory outside is not asked again.
      ...outside.length > 0 && {
        permissionRequester: {
          request: ({ resolvedPath }) =>
            Promise.resolve(outside.includes(resolvedPath) ? "allow" : "deny"),
        },
      },
    });
    const { next_offset: next } = answer;
    // Text has said so.
    return next === undefined || options.text ? answer : { ...answer, next_offset: next + 1 };
  }
}

/** Whether an answer may end before what it was asked for; who names the last line has asked for no more. */
function mayBeCut({ start, lines, last, total }: LinesRead, budget: number): boolean {
  const isAll = last !== undefined || start + lines.length > total;
  return !isAll || lines.reduce((sum, line) => sum + line.length + 1, 0) > budget / 2;
}

/** The lines that the keys of a call name; none if it is not valid. */
function numbersIn(input: unknown): { offset?: number; limit?: number; end_line?: number } {
  try {
    return parseInput(READ_FILE.name, FIELDS, input).values;
  } catch {
    return {}; // the call itself will say what is wrong with it
  }
}
