/**
 * The tool `resolve_path`: say which path is meant, without reading anything.
 *
 * @module
 */

import { closedObject, type Fields, inputSchema, type ToolDefinition } from "./tool_definition.ts";
import type { ErrorAnswer } from "../util/errors.ts";
import { printable } from "../util/text.ts";
import { type ResolvedPath, resolvePath } from "./resolve_path.ts";
import { textsOf } from "./input_parser.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import { ToolContext, type ToolOptions } from "./tool_context.ts";

const FIELDS = {
  path: {
    type: "string",
    required: true,
    description: "The path, absolute or relative to the workspace.",
  },
  as: {
    type: "string",
    choices: ["search", "file", "dir", "project"],
    description:
      "What it is for: search (default), an existing file, a working dir, or project for " +
      "a file yet to be written.",
  },
} as const satisfies Fields;

export const RESOLVE_PATH: ToolDefinition<typeof FIELDS> = {
  name: "resolve_path",
  title: "Resolve a path",
  description: "Resolve a path to the absolute path that file-modifying tools want. When it is " +
    "wrong, the error suggests paths that exist.",
  fields: FIELDS,
  outputSchema: closedObject({
    input: { type: "string" },
    path: { type: "string", description: "Absolute and canonical." },
    kind: { type: "string", enum: ["file", "directory", "all-workspaces"] },
    relative: { type: "string" },
    notes: { type: "array", items: { type: "string" } },
  }, ["input", "path", "kind", "relative"]),
};

/**
 * Resolves a path to the canonical one in the workspace.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { ResolvePathTool, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.writeTextFile(`${root}/a.ts`, "");
 * const tool = new ResolvePathTool({ workspace: await Workspace.open(root) });
 * const answer = await tool.execute({ path: "a.ts:12" });
 * assert.equal("error" in answer ? answer.error : answer.path, `${root}/a.ts`);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class ResolvePathTool implements Tool {
  /** The name by which the model calls it. */
  readonly name: string = RESOLVE_PATH.name;
  /** What it does, for the model. */
  readonly description: string = RESOLVE_PATH.description;
  /** The closed JSON schema of its input. */
  readonly inputSchema: object = inputSchema(FIELDS);
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: object = RESOLVE_PATH.outputSchema;
  readonly #context: ToolContext;

  /**
   * Creates the tool for a workspace.
   *
   * @param options the workspace, limits, and who is asked for permission
   */
  constructor(options: ToolOptions) {
    this.#context = new ToolContext(options);
  }

  /** Describes a call: `resolve src/a.ts`. */
  describe(input: unknown): string {
    return printable(`resolve ${this.#context.place(textsOf(RESOLVE_PATH, input)["path"]).name}`);
  }

  /** Resolves. Never throws: resolves to an error's JSON object on failure. */
  execute(input: unknown, options: ToolCallOptions = {}): Promise<ResolvedPath | ErrorAnswer> {
    const { limits: { allow, deny }, workspace } = this.#context;
    return this.#context.answer(
      RESOLVE_PATH,
      input,
      options,
      ({ path, as }, { permissionRequester, signal }) =>
        resolvePath(workspace, path, { as, allow, deny, permissionRequester, signal }),
    );
  }
}
