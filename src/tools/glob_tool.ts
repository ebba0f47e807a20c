/**
 * The tool `glob`: list files by name.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { FileResult } from "../search/result.ts";
import { listFiles, type SearchOptions } from "../search/search.ts";
import { suggestionsFor } from "../workspace/suggestions.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  LIST_OUTPUT,
  PAGE_FIELDS,
  PATH_DESCRIPTION,
  type ToolDefinition,
} from "./tool_definition.ts";
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
    description:
      "Glob, such as *.ts (names at any depth) or src/**/*.{ts,tsx} (from path); commas " +
      "separate several, ! before one excludes.",
  },
  path: { type: "string", description: PATH_DESCRIPTION },
  ...PAGE_FIELDS,
} as const satisfies Fields;

/** What models are told about `glob`. */
export const GLOB: ToolDefinition<typeof FIELDS> = {
  name: "glob",
  title: "Find files by name",
  description:
    "List the files in the workspace whose names match a glob, sorted by path. Ignored and sensitive " +
    "files are left out. Without max_results, more than 1000 files are an error.",
  fields: FIELDS,
  outputSchema: LIST_OUTPUT,
};

/**
 * Lists files by name.
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
 * assert.deepEqual("files" in answer && answer.files, ["a.ts"]);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class GlobTool implements Tool {
  /** The name that the model calls. */
  readonly name: string = GLOB.name;
  /** What it does, for the model. */
  readonly description: string = GLOB.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of what it answers, errors apart. */
  readonly outputSchema: object = GLOB.outputSchema;
  readonly #context: ToolContext;

  /**
   * Makes the tool for a workspace.
   *
   * @param options the workspace, and who is asked
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** `'*.ts' in src`. */
  describe(input: unknown): string {
    const { pattern = "", path } = textsOf(input);
    return printable(`'${pattern}' in ${this.#context.place(path).name}`);
  }

  /** Lists. Never throws: a failure is the error's JSON object. */
  execute(input: unknown, options: ToolCallOptions = {}): Promise<object> {
    const context = this.#context;
    return context.answer(GLOB, input, options, async (values, options) => {
      const answer = await list(context, values, options, context.limits.timeout);
      if (answer.count > 0 || values.offset !== undefined) return answer;
      const { otherGlobs, withOtherReading } = await import("./other_readings.ts");
      // Nobody is asked for a path again, and nobody waits long.
      const { signal, workspace } = options;
      const changes = [...otherGlobs(values.pattern, values.path), ...near(values, workspace)]
        .map((pattern) => ({ pattern }));
      const { timeout } = context.limits;
      return await withOtherReading(answer, changes, timeout, async (change, timeout) => {
        const other = { ...values, ...change, max_results: 1 };
        const search = { signal, workspace, tool: GLOB.name };
        return (await list(context, other, search, timeout)).count > 0;
      });
    });
  }
}

async function list(
  { limits, workspace }: ToolContext,
  values: ValuesOf<typeof FIELDS>,
  options: SearchOptions,
  timeout: number | undefined,
): Promise<FileResult> {
  const { pattern, path = "" } = values;
  const absolute = path.trim() === "" ? belowRoot(pattern, workspace) : undefined;
  const result = await listFiles(
    {
      ...limits,
      include: absolute?.rest ?? pattern,
      path: absolute?.root ?? path,
      ...page(values),
      timeout,
    },
    options,
    true,
  );
  if (absolute === undefined) return result;
  const note = `pattern was read as ${JSON.stringify(absolute.rest)} in ${absolute.root}`;
  return { ...result, pattern, notes: [note, ...result.notes ?? []] };
}

/** The path that the name of a file may have been meant for. */
function near({ pattern, path = "" }: ValuesOf<typeof FIELDS>, workspace: Workspace): string[] {
  if (path.trim() !== "" || /^\s*!|[*?[{]/u.test(pattern)) return [];
  return suggestionsFor(workspace, pattern, { use: "file" }).slice(0, 1)
    .map((suggestion) => suggestion.replace(/[*?[\]{}!,\\]/gu, "\\$&"));
}

/** An absolute glob below a root, as that root and the rest. */
function belowRoot(
  pattern: string,
  { roots }: Workspace,
): { root: string; rest: string } | undefined {
  const glob = pattern.trim();
  const root = roots.find((root) => glob.startsWith(root + platform.sep));
  return root === undefined ? undefined : { root, rest: glob.slice(root.length + 1) };
}
