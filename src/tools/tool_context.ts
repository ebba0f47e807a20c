/**
 * What the tools of this package have in common: a workspace, checked input, and errors as answers.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import { PERMISSION_TIMEOUT, timedRequester } from "../guard/timed_requester.ts";
import type { SearchQuery } from "../search/query.ts";
import type { SearchResult } from "../search/result.ts";
import { search, type SearchOptions } from "../search/search.ts";
import { sensitiveIn } from "../workspace/locate.ts";
import { findInWorkspace } from "../workspace/search_target.ts";
import { checkedPath, type Workspace } from "../workspace/workspace.ts";
import type { ToolDefinition } from "./tool_definition.ts";
import type { Fields, ValuesOf } from "./fields.ts";
import { readInput } from "./read_input.ts";
import type { ToolCallOptions } from "./tool.ts";

/** What a tool works with. */
export interface ToolOptions {
  /** The directories that it stays inside of. */
  workspace: Workspace;
  /** Is asked about paths outside of the workspace. @default nobody: they are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** Milliseconds until an unanswered question means deny; 0: no limit. @default 120000 */
  permissionTimeout?: number | undefined;
  /** Searches, such as a `Searcher` that keeps its workers. @default a search at a time */
  searcher?: {
    /** Carries out one search. */
    search(query: SearchQuery, options?: Omit<SearchOptions, "workspace">): Promise<SearchResult>;
  } | undefined;
  /** Globs that lift the guard. @default none */
  allow?: readonly string[] | undefined;
  /** Globs that the guard blocks besides its own table. @default none */
  deny?: readonly string[] | undefined;
  /** Milliseconds until a search fails; 0: no limit. @default 30000 */
  timeout?: number | undefined;
}

/** What a tool answers its calls with. */
export class ToolContext {
  readonly workspace: Workspace;
  /** What guards and limits every search. */
  readonly limits: Pick<ToolOptions, "allow" | "deny" | "timeout">;
  readonly #requester: PermissionRequester | undefined;
  readonly #searcher: ToolOptions["searcher"];

  constructor(options: ToolOptions) {
    const { permissionRequester, permissionTimeout = PERMISSION_TIMEOUT } = options;
    const { allow, deny, timeout, searcher, workspace } = options;
    this.workspace = workspace;
    this.limits = { allow, deny, timeout };
    this.#searcher = searcher;
    this.#requester = permissionRequester && timedRequester(permissionRequester, permissionTimeout);
  }

  /**
   * Checks a call's input and answers it. Never throws.
   *
   * @param run answers; gets the options as a search takes them
   */
  async answer<F extends Fields>(
    { name, fields }: ToolDefinition<F>,
    input: unknown,
    options: ToolCallOptions,
    run: (values: ValuesOf<F>, options: SearchOptions) => Promise<object>,
  ): Promise<object> {
    try {
      const values = await readInput(name, fields, input);
      if (options.signal?.aborted) throw new PathgrepError("cancelled", "cancelled");
      return await run(values, {
        ...options,
        permissionRequester: options.permissionRequester ?? this.#requester,
        workspace: this.workspace,
        tool: name,
      });
    } catch (thrown) {
      return PathgrepError.from(thrown).toJSON();
    }
  }

  /** Searches with the kept searcher, or with one for this call. */
  search(query: SearchQuery, options: SearchOptions): Promise<SearchResult> {
    return this.#searcher?.search(query, options) ?? search(query, options);
  }

  /** Where a path in an input leads, as the user is shown it. */
  place(path = ""): { name: string; isFile: boolean } {
    if (path.trim() === "") return { name: "the workspace", isFile: false };
    try {
      const given = checkedPath(path, "path");
      const { location } = findInWorkspace(this.workspace, given, sensitiveIn(this.workspace));
      if (location.state === "found") {
        return { name: this.workspace.display(location.path), isFile: location.info.isFile };
      }
    } catch {
      // What is wrong with it, the call itself will say.
    }
    return { name: path.trim(), isFile: false };
  }
}
