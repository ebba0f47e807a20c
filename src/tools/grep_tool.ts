/**
 * The tool `grep`: search file contents.
 *
 * @module
 */

import {
  type Fields,
  inputSchema,
  SEARCH_OUTPUT,
  type ToolDefinition,
  type ValuesOf,
} from "./tool_definition.ts";
import { budgetIn, weigherFor } from "./answer_size.ts";
import { type ErrorAnswer, PathgrepError } from "../util/errors.ts";
import { queryFields, queryOf } from "./query_fields.ts";
import type { ConciseResult, SearchResult } from "../answer/result.ts";
import { escapedLines, printable } from "../util/text.ts";
import { textsOf } from "./input_parser.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import { ToolContext, type ToolOptions } from "./tool_context.ts";

const FIELDS = {
  ...queryFields("grep"),
  response_format: {
    type: "string",
    choices: ["detailed", "concise"],
    description: "concise: text instead of a list: a path, then line:text and line-context.",
  },
} as const satisfies Fields;

export const GREP: ToolDefinition<typeof FIELDS> = {
  name: "grep",
  title: "Search file contents",
  description:
    "Find lines by regular expression. Better than grep in a shell: corrects paths, says what was " +
    "excluded and why nothing was found.",
  fields: FIELDS,
  outputSchema: SEARCH_OUTPUT,
};

/** What an entry is: of files without a match a file, as with `-L` on the command line. */
function modeOf({ files_without_match, output_mode = "file" }: ValuesOf<typeof FIELDS>) {
  if (files_without_match !== true) return {};
  if (output_mode === "file") return { outputMode: "file" } as const;
  const problem = `files_without_match lists files, and output_mode is ${output_mode}`;
  throw new PathgrepError("invalid_input", `${problem}; omit one of them`);
}

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
 * if ("error" in answer) throw new Error(answer.error);
 * assert.equal(answer.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class GrepTool implements Tool {
  /** The name by which the model calls it. */
  readonly name: string = GREP.name;
  /** What it does, for the model. */
  readonly description: string = GREP.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: object = GREP.outputSchema;
  readonly #context: ToolContext;

  /**
   * Creates the tool for a workspace.
   *
   * @param options the workspace, limits, and who is asked for permission
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** Describes a call: `'pattern' in src/a.ts`, or `'pattern' in src (*.ts)`. */
  describe(input: unknown): string {
    const { pattern = [""], path, include: [include = ""] = [] } = textsOf(GREP, input);
    const { name, isFile } = this.#context.place(path);
    const files = isFile || include.trim() === "" ? "" : ` (${include})`;
    return printable(`'${pattern.join("', '")}' in ${name}${files}`);
  }

  /** Searches. Never throws: resolves to an error's JSON object on failure. */
  execute(
    input: unknown,
    options: ToolCallOptions = {},
  ): Promise<SearchResult | ConciseResult | ErrorAnswer> {
    const context = this.#context;
    return context.answer(GREP, input, options, async (values, options) => {
      const query = {
        ...context.limits,
        ...queryOf("grep", values),
        ...modeOf(values),
        explain: true,
      };
      const isConcise = values.response_format === "concise" && options.text === undefined;
      if (!isConcise) return await context.search(query, options);
      const { conciseForm } = await import("../answer/text_lines.ts");
      const { only_matching = false, paths = "relative" } = values;
      const form = conciseForm(weigherFor(budgetIn(values)), only_matching);
      const shown = { form, lines: { marksCuts: true }, showsEscapes: true };
      const asText = { ...options, audience: { ...options.audience, ...shown } };
      const { notes, ...result } = await context.search({ ...query, paths }, asText);
      return { ...result, ...(notes && { notes: escapedLines(notes) }) } as SearchResult;
    });
  }
}
