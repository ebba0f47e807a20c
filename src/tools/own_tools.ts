/**
 * The tools of this package, by name: those that are offered unless a host asks for others, and the rest.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { GLOB, GlobTool } from "./glob_tool.ts";
import { GREP, GrepTool } from "./grep_tool.ts";
import { READ_FILE, ReadFileTool } from "./read_file_tool.ts";
import { RESOLVE_PATH, ResolvePathTool } from "./resolve_path_tool.ts";
import type { Tool } from "./tool.ts";
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
