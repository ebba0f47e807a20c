/**
 * A search tool that coding agents can trust. It keeps a caller inside its workspace, searches
 * there with JavaScript regular expressions, and answers in JSON.
 *
 * Run as the main module (`deno run --no-config -A jsr:@x/pathgrep PATTERN`), this is the command line,
 * which starts sooner as `jsr:@x/pathgrep/cli`.
 *
 * @example
 * ```ts
 * import { search, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "export const answer = 42;\n");
 * const result = await search({ pattern: "answer" }, { workspace: await Workspace.open(root) });
 * assert.equal(result.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 *
 * @module
 */

export {
  type ErrorAnswer,
  type ErrorCode,
  type ErrorDetails,
  PathgrepError,
} from "./src/util/errors.ts";
export { Workspace } from "./src/workspace/workspace.ts";
export {
  resolveProjectPath,
  resolveWorkingDirectory,
  WORKING_DIRECTORY_DESCRIPTION,
  type WorkingDirectory,
} from "./src/workspace/project_path.ts";
export {
  type ResolvedSearchTarget,
  resolveTextSearchTarget,
} from "./src/search/text_search_target.ts";
export {
  PATH_FIELDS,
  type ResolvedPathsOptions,
  resolveToolCallPaths,
  ToolCallError,
  type ToolCallPathOptions,
  withResolvedPaths,
} from "./src/tools/tool_call_paths.ts";
export type { Tool, ToolCallOptions } from "./src/tools/tool.ts";
export type { ToolOptions } from "./src/tools/tool_context.ts";
export { GrepTool } from "./src/tools/grep_tool.ts";
export { GlobTool } from "./src/tools/glob_tool.ts";
export type { ResolvedPath } from "./src/tools/resolve_path.ts";
export { ReadFileTool } from "./src/tools/read_file_tool.ts";
export { ResolvePathTool } from "./src/tools/resolve_path_tool.ts";
export { ToolRegistry } from "./src/tools/registry.ts";
export {
  type DefinitionIn,
  type DefinitionOptions,
  type ObjectSchema,
  systemPrompt,
  toolDefinitions,
} from "./src/tools/definition_formats.ts";
export type { DefinitionFormat } from "./src/query/query_options.ts";
export { Guard, type GuardOptions } from "./src/guard/guard.ts";
export type {
  PermissionAnswer,
  PermissionRequest,
  PermissionRequester,
} from "./src/guard/requester.ts";
export type {
  EngineName,
  OutputMode,
  OutputModeOf,
  SearchQuery,
  SearchQueryOf,
  SortOrder,
} from "./src/query/query.ts";
export type {
  AnswerScope,
  ConciseResult,
  ContentResult,
  CountEntry,
  CountResult,
  EnclosingLine,
  FileResult,
  LeftOut,
  LineEntry,
  MatchEntry,
  NamesLeftOut,
  NotShown,
  OutlineAnswer,
  OutlineLine,
  ReadFileAnswer,
  ReadFilesAnswer,
  Reduction,
  ResultHead,
  ResultTail,
  SearchEntryOf,
  SearchResult,
  SearchResultOf,
  SearchStats,
  SearchSummary,
  ValueEntry,
  ValuesResult,
} from "./src/answer/result.ts";
export { listFiles, search, searchEntries } from "./src/search/search.ts";
export type {
  SearchEntriesOptions,
  SearchOptions,
  SearchProgress,
} from "./src/search/search_context.ts";
export { Searcher, type SearcherOptions } from "./src/search/searcher.ts";

if (import.meta.main) {
  const { runCommandLine } = await import("./src/cli/main.ts");
  await runCommandLine();
}
