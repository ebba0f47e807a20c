/**
 * The interface of a tool: a name, a description, a schema, and a call that never throws.
 *
 * @module
 */

import type { PermissionRequester } from "../guard/requester.ts";
import type { ErrorAnswer } from "../util/errors.ts";
import type { StandingNote } from "../notes/words.ts";
import type { SearchProgress } from "../search/search_context.ts";

/** The options of one tool call. */
export interface ToolCallOptions {
  /** Ends the call with the error `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Asks the user about paths outside the workspace. @default the tool's own requester */
  permissionRequester?: PermissionRequester | undefined;
  /** Called as the call proceeds. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
  /** The first notes of the answer. @default none */
  notes?: readonly string[] | undefined;
}

/** What the MCP server may add to a call of a tool of this package. */
export interface InternalCallOptions extends ToolCallOptions {
  /**
   * What is answered: JSON's keys, or a {@linkcode TextAnswer}, which is the first 1000 entries where JSON is
   * an error. An error is the same object in both. @default "json"
   */
  form?: "json" | "text" | undefined;
  /** Whether the answer is a part of another, which has the session's notes. @default false */
  isPart?: boolean | undefined;
  /** With the form `text`: topics of standing notes that the model has; they are omitted. @default none */
  saidTopics?: ReadonlySet<string> | undefined;
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
  /** The name by which the model calls it. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The JSON schema of its input. */
  readonly inputSchema: object;
  /** Describes a call in a few words, for the user. Never throws. */
  describe(input: unknown): string;
  /**
   * Executes a call. Never throws: it resolves to an error's JSON object on failure, which `"error" in answer`
   * tells from an answer.
   */
  execute(input: unknown, options?: ToolCallOptions): Promise<object | ErrorAnswer>;
}
