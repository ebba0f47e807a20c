/**
 * What a host may add to its system prompt.
 *
 * @module
 */

/**
 * Returns a paragraph on paths for a host's system prompt, about 140 tokens.
 *
 * @example
 * ```ts
 * import { systemPrompt } from "@x/pathgrep";
 *
 * const prompt = `You are a coding agent.\n\n${systemPrompt()}`;
 * ```
 */
export function systemPrompt(): string {
  return `Paths in tool calls: give the full path from the workspace root, relative or absolute. A bare \
file name is ambiguous: files of that name may exist in several directories.
- Relative. RIGHT: "src/utils/paths.ts". WRONG: "paths.ts" (in which directory?).
- Absolute. RIGHT: "<workspace root>/src/utils/paths.ts". WRONG: "/paths.ts" (not below the workspace root).
Search tools take a directory or a file; omit the path to search the whole workspace. File-modifying \
tools want absolute paths: put the workspace root before a relative one. When an error has suggestions, \
use one of them as it is.`;
}
