/**
 * The tools of an agent, by name.
 *
 * @module
 */

import { sentences } from "../notes/words.ts";
import { debugFailure } from "../util/debug.ts";
import { type ErrorAnswer, PathgrepError, shown } from "../util/errors.ts";
import { likelyTool, toolReadAs } from "./aliases.ts";
import { nearest } from "../util/text.ts";
import { ownTools } from "./own_tools.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import type { ToolOptions } from "./tool_context.ts";

/**
 * Tools by name: those of this package, and any others.
 *
 * @example
 * ```ts
 * import { ToolRegistry, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * const registry = ToolRegistry.of({ workspace: await Workspace.open(root) });
 * const answer = await registry.execute("find_files", { pattern: "*.ts" });
 * assert.deepEqual(answer, {
 *   error: 'invalid input: unknown tool "find_files"; use glob',
 *   code: "invalid_input",
 *   hint: "the tools are grep, glob, read_file",
 * });
 * await Deno.remove(root);
 * ```
 */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  /**
   * Creates a registry.
   *
   * @param tools the first tools, in the order in which `list` returns them
   */
  constructor(tools: Iterable<Tool> = []) {
    if (typeof tools?.[Symbol.iterator] !== "function") {
      throw new PathgrepError(
        "invalid_input",
        `tools must be a list of tools, got ${shown(tools)}`,
        {
          hint: "ToolRegistry.of({ workspace }) makes those of this package",
        },
      );
    }
    for (const tool of tools) this.register(tool);
  }

  /**
   * Creates a registry of `grep`, `glob` and `read_file`, or of the named tools of this package.
   *
   * @param which `tools`: the names, such as `resolve_path`, in the order in which they are listed
   * @throws {PathgrepError} `invalid_input` for an empty list, and for a name that none of them has
   */
  static of(
    options: ToolOptions,
    { tools }: { tools?: readonly string[] | undefined } = {},
  ): ToolRegistry {
    return new ToolRegistry(ownTools(tools).map(({ make }) => make(options)));
  }

  /**
   * Adds a tool.
   *
   * @throws {PathgrepError} `invalid_input` if a tool of that name is already registered
   */
  register(tool: Tool): this {
    if (this.#tools.has(tool.name)) {
      const problem = `a tool named ${JSON.stringify(tool.name)} is already registered`;
      throw new PathgrepError("invalid_input", problem);
    }
    this.#tools.set(tool.name, tool);
    return this;
  }

  /** Returns the tool of a name. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Returns every tool, in the order of registration. */
  list(): Tool[] {
    return [...this.#tools.values()];
  }

  /**
   * Executes a call. A name that can only mean one of the tools is read as that tool, with a note.
   * Never throws: for an unknown tool, too, the answer is an error's JSON object.
   */
  async execute(
    name: string,
    input: unknown,
    options: ToolCallOptions = {},
  ): Promise<object | ErrorAnswer> {
    const tool = this.#tools.get(name);
    if (tool !== undefined) {
      try {
        return await tool.execute(input, options);
      } catch (thrown) { // by a tool of others
        const error = PathgrepError.from(thrown);
        debugFailure(error);
        return error.toJSON();
      }
    }
    const names = [...this.#tools.keys()];
    const given = String(name);
    const shown = JSON.stringify(given.slice(0, 80));
    const meant = toolReadAs(given, names);
    if (meant !== undefined) {
      const note = { reason: "tool_read", values: { tool: shown, read: meant } } as const;
      const notes = [...options.notes ?? [], ...sentences([note])];
      return await this.execute(meant, input, { ...options, notes });
    }
    const ours = likelyTool(given, names) ?? nearest(given, names);
    const advice = ours === undefined ? "" : `; use ${ours}`;
    return new PathgrepError("invalid_input", `unknown tool ${shown}${advice}`, {
      hint: `the tools are ${names.join(", ")}`,
    }).toJSON();
  }
}
