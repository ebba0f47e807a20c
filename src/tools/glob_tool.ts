/**
 * The tool `glob`: find files and directories by name.
 *
 * @module
 */

import { type Fields, inputSchema, LIST_OUTPUT, type ToolDefinition } from "./tool_definition.ts";
import { MAX_ITEMS } from "../query/query_options.ts";
import { moreField, queryFields, queryOf } from "./query_fields.ts";
import type { ErrorAnswer } from "../util/errors.ts";
import type { FileResult } from "../answer/result.ts";
import { printable } from "../util/text.ts";
import { textsOf } from "./input_parser.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import { ToolContext, type ToolOptions } from "./tool_context.ts";

const FIELDS = {
  pattern: {
    type: "string",
    required: true,
    notEmpty: true,
    maxItems: MAX_ITEMS,
    description:
      "Glob: *.ts (at any depth) or src/**/*.ts (from path); src/*/ for directories; commas separate several, ! excludes.",
  },
  more_patterns: moreField("pattern", MAX_ITEMS),
  ...queryFields("glob"),
} as const satisfies Fields;

export const GLOB: ToolDefinition<typeof FIELDS> = {
  name: "glob",
  title: "Find files by name",
  description:
    "Find files and directories by name. Better than find and ls: respects ignore files, corrects paths, " +
    "says why nothing was found.",
  fields: FIELDS,
  outputSchema: LIST_OUTPUT,
};

/**
 * Finds files and directories by name.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { GlobTool, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "");
 * const glob = new GlobTool({ workspace: await Workspace.open(root) });
 * const answer = await glob.execute({ pattern: "**\/*.ts", paths: "relative" });
 * assert.deepEqual("error" in answer ? answer.error : answer.files, ["a.ts"]);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class GlobTool implements Tool {
  /** The name by which the model calls it. */
  readonly name: string = GLOB.name;
  /** What it does, for the model. */
  readonly description: string = GLOB.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: object = GLOB.outputSchema;
  readonly #context: ToolContext;

  /**
   * Creates the tool for a workspace.
   *
   * @param options the workspace, limits, and who is asked for permission
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** Describes a call: `'*.ts' in src`. */
  describe(input: unknown): string {
    const { pattern = [""], path } = textsOf(GLOB, input);
    return printable(`'${pattern.join("', '")}' in ${this.#context.place(path).name}`);
  }

  /** Lists. Never throws: resolves to an error's JSON object on failure. */
  execute(input: unknown, options: ToolCallOptions = {}): Promise<FileResult | ErrorAnswer> {
    const context = this.#context;
    return context.answer(GLOB, input, options, (values, options) => {
      const { pattern, path } = values;
      const query = {
        ...{ ...context.limits, ...queryOf("glob", values) },
        ...{ include: pattern, path, maxFileSize: 0 },
      };
      return context.listFiles({ ...query, explain: true }, { ...options, includeKey: "pattern" });
    });
  }
}
