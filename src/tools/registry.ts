/**
 * The tools of an agent, by name: those of this package that are offered unless a host asks for others, and the rest.
 *
 * @module
 */

import { sentences } from "../notes/words.ts";
import { debugFailure } from "../util/debug.ts";
import { type ErrorAnswer, PathgrepError, shown } from "../util/errors.ts";
import { nearest } from "../util/text.ts";
import { likelyTool, toolReadAs } from "./aliases.ts";
import { GLOB, GlobTool } from "./glob_tool.ts";
import { GREP, GrepTool } from "./grep_tool.ts";
import { READ_FILE, ReadFileTool } from "./read_file_tool.ts";
import { RESOLVE_PATH, ResolvePathTool } from "./resolve_path_tool.ts";
import type { Tool, ToolCallOptions } from "./tool.ts";
import type { ToolOptions } from "./tool_context.ts";
import type { ToolDefinition } from "./tool_definition.ts";

export interface OwnTool {
  readonly definition: ToolDefinition;
  make(options: ToolOptions): Tool;
}

const OWN_TOOLS: readonly OwnTool[] = [
  { definition: GREP, make: (options) => new GrepTool(options) },
  { definition: GLOB, make: (options) => new GlobTool(options) },
  { definition: READ_FILE, make: (options) => new ReadFileTool(options) },
  { definition: RESOLVE_PATH, make: (options) => new ResolvePathTool(options) },
];

/** Every name, in the order in which they are listed. */
export const OWN_TOOL_NAMES: readonly string[] = OWN_TOOLS.map(({ definition }) => definition.name);

/** What is offered by default: models get absolute paths from these. */
const DEFAULT_TOOLS = OWN_TOOL_NAMES.filter((name) => name !== RESOLVE_PATH.name);

/**
 * The tools of these names, in the order of the names.
 *
 * @throws {PathgrepError} `invalid_input` for no name, and for one that no tool has
 */
export function ownTools(names: readonly string[] = DEFAULT_TOOLS): OwnTool[] {
  const hint = `the tools are ${OWN_TOOL_NAMES.join(", ")}`;
  if (names.length === 0) {
    throw new PathgrepError("invalid_input", "tools is an empty list", { hint });
  }
  return [...new Set(names)].map((name) => {
    const tool = OWN_TOOLS.find(({ definition }) => definition.name === name);
    if (tool !== undefined) return tool;
    throw new PathgrepError("invalid_input", `unknown tool ${JSON.stringify(name)}`, { hint });
  });
}

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
