/**
 * The tool `grep`: search file contents.
 *
 * @module
 */

import {
  PAGE_FIELDS,
  PATH_DESCRIPTION,
  SEARCH_OUTPUT,
  type ToolDefinition,
} from "./tool_definition.ts";
import type { SearchQuery } from "../search/query.ts";
import { type Fields, inputSchema, type ValuesOf } from "./fields.ts";
import { page } from "./page.ts";
import { printable } from "../visible.ts";
import { textsOf } from "./texts_of.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import { ToolContext, type ToolOptions } from "./tool_context.ts";

const FIELDS = {
  pattern: {
    type: "string",
    required: true,
    notEmpty: true,
    description: "JavaScript regular expression, matched line by line.",
  },
  path: { type: "string", description: PATH_DESCRIPTION },
  include: {
    type: "string",
    blankIsAbsent: true,
    description: "Glob of files to search, such as *.ts or src/**/*.{ts,tsx}; commas separate " +
      "several, ! before one excludes.",
  },
  exclude: { type: "string", blankIsAbsent: true, description: "Glob of files not to search." },
  type: {
    type: "string",
    blankIsAbsent: true,
    description: "File type by ripgrep's name, such as ts, py or rust.",
  },
  output_mode: {
    type: "string",
    choices: ["content", "file", "count"],
    description: "content (default): matching lines; file: paths of files that match; count: " +
      "matching lines per file.",
  },
  case_insensitive: { type: "boolean", description: "Ignore letter case." },
  fixed_strings: { type: "boolean", description: "The pattern is plain text." },
  whole_word: { type: "boolean", description: "Match whole words only." },
  multiline: { type: "boolean", description: "Let a match span lines." },
  context: { type: "integer", minimum: 0, description: "Lines to show around each match." },
  before: { type: "integer", minimum: 0, description: "Lines to show before each match." },
  after: { type: "integer", minimum: 0, description: "Lines to show after each match." },
  ...PAGE_FIELDS,
} as const satisfies Fields;

/** What models are told about `grep`. */
export const GREP: ToolDefinition<typeof FIELDS> = {
  name: "grep",
  title: "Search file contents",
  description:
    "Search the contents of files in the workspace. Ignored and sensitive files are left out of a " +
    "directory. Without max_results, more than 1000 entries are an error.",
  fields: FIELDS,
  outputSchema: SEARCH_OUTPUT,
};

/**
 * Searches file contents.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { GrepTool, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "// TODO: more\n");
 * const grep = new GrepTool({ workspace: await Workspace.open(root) });
 * assert.equal(grep.describe({ pattern: "TODO", path: "a.ts" }), "'TODO' in a.ts");
 * const answer = await grep.execute({ pattern: "TODO", output_mode: "count" });
 * assert.equal("count" in answer && answer.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class GrepTool implements Tool {
  /** The name that the model calls. */
  readonly name: string = GREP.name;
  /** What it does, for the model. */
  readonly description: string = GREP.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of what it answers, errors apart. */
  readonly outputSchema: object = GREP.outputSchema;
  readonly #context: ToolContext;

  /**
   * Makes the tool for a workspace.
   *
   * @param options the workspace, and who is asked
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** `'pattern' in src/a.ts`, or in a directory, with the files it is narrowed to. */
  describe(input: unknown): string {
    const { pattern = "", path, include = "" } = textsOf(input);
    const { name, isFile } = this.#context.place(path);
    const files = isFile || include.trim() === "" ? "" : ` (${include})`;
    return printable(`'${pattern}' in ${name}${files}`);
  }

  /** Searches. Never throws: a failure is the error's JSON object. */
  execute(input: unknown, options: ToolCallOptions = {}): Promise<object> {
    const context = this.#context;
    return context.answer(GREP, input, options, async (values, options) => {
      const query = queryOf(values);
      const answer = await context.search(
        { ...context.limits, ...query, ...page(values) },
        options,
      );
      if (answer.count > 0 || values.offset !== undefined) return answer;
      const { otherSearches, withOtherReading } = await import("./other_readings.ts");
      // Nobody is asked for a path again, and nobody waits long.
      const { signal, workspace } = options;
      const { timeout } = context.limits;
      const changes = otherSearches(values);
      return await withOtherReading(answer, changes, timeout, async (change, timeout) => {
        const other = queryOf({ ...values, ...change });
        const { count } = await context.search(
          {
            ...context.limits,
            ...other,
            outputMode: "file",
            maxResults: 1,
            onOverflow: "truncate",
            timeout,
          },
          { signal, workspace, tool: GREP.name },
        );
        return count > 0;
      });
    });
  }
}

/** The search that an input asks for, but for its page. */
function queryOf(values: ValuesOf<typeof FIELDS>): SearchQuery {
  return {
    pattern: values.pattern,
    path: values.path,
    include: values.include,
    exclude: values.exclude,
    type: values.type,
    outputMode: values.output_mode,
    caseInsensitive: values.case_insensitive,
    fixedStrings: values.fixed_strings,
    wholeWord: values.whole_word,
    multiline: values.multiline,
    context: values.context,
    before: values.before,
    after: values.after,
  };
}
