/**
 * What a tool is, to an agent: a name, a description, a schema, and a call that never throws.
 *
 * @module
 */

import type { PermissionRequester } from "../guard/requester.ts";
import type { ErrorAnswer } from "../util/errors.ts";
import type { StandingNote } from "../search/result.ts";
import type { SearchProgress } from "../search/search_context.ts";

/** How one call of a tool is executed. */
export interface ToolCallOptions {
  /** Ends the call with the error `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Asked about paths outside the workspace. @default the tool's own requester */
  permissionRequester?: PermissionRequester | undefined;
  /** Called with progress. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
  /** Sentences that the answer's notes begin with. @default none */
  notes?: readonly string[] | undefined;
}

/** What the MCP server may add to a call of a tool of this package. */
export interface InternalCallOptions extends ToolCallOptions {
  /**
   * What is answered: JSON's keys, or a {@linkcode TextAnswer}, which is the first 1000 entries where JSON is
   * an error. An error is the same object in both. @default "json"
   */
  form?: "json" | "text" | undefined;
  /** With the form `text`: subjects of standing notes that the model has; they are omitted. @default none */
  saidSubjects?: ReadonlySet<string> | undefined;
}

/** What a tool answers in the form `text`: with its notes, a line each, it keeps to `max_output_chars`. */
export interface TextAnswer {
  /** The answer as a model reads it: entries, and what was searched; its last line has no end. */
  text: string;
  /** Sentences on this call. */
  notes?: readonly string[];
  /** Sentences that do not depend on the call, such as on files that no search reads. */
  standing_notes?: readonly StandingNote[];
}

/**
 * A tool that a model can call.
 *
 * @example
 * ```ts
 * import { GrepTool, type Tool, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * const tool: Tool = new GrepTool({ workspace: await Workspace.open(root) });
 * const answer = await tool.execute({ pattern: "TODO", max_results: "ten" });
 * assert.ok("error" in answer);
 * assert.equal(answer.code, "invalid_input");
 * await Deno.remove(root);
 * ```
 */
export interface Tool {
  /** The name that the model calls. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The JSON schema of its input. */
  readonly inputSchema: object;
  /** What a call would do, in a few words, for the user. Never throws. */
  describe(input: unknown): string;
  /**
   * Executes a call. Never throws: a failure is the error's JSON object, and `"error" in answer` tells it
   * from an answer, which has no such key.
   */
  execute(input: unknown, options?: ToolCallOptions): Promise<object | ErrorAnswer>;
}
