/**
 * Wraps a tool's executor so that it gets canonical paths.
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import { checkOptions, type Workspace } from "../paths/workspace.ts";
import { printable } from "../util/escape.ts";
import {
  keysTo,
  optionTexts,
  PATH_FIELDS,
  resolveToolCallPaths,
  type ToolCallPathOptions,
} from "./tool_call_paths.ts";

/** The options of {@linkcode withResolvedPaths}. */
export interface ResolvedPathsOptions extends ToolCallPathOptions {
  /**
   * The path fields that a call must have. In any other field, and in arrays, a blank path counts
   * as absent.
   */
  required?: readonly string[];
  /** Takes the line `Resolved path 'x' to 'y'` for each path, control characters escaped. @default nothing is logged */
  log?: (line: string) => void;
}

/**
 * A tool's own failure, with the call as the tool saw it.
 *
 * @example
 * ```ts
 * import { ToolCallError } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const error = new ToolCallError(new Error("disk full"), { file_path: "/project/a.md" });
 * assert.match(error.message, /^Tool execution failed: disk full\n\nInput: .*a\.md/s);
 * ```
 */
export class ToolCallError extends Error {
  /** The parameters as the tool got them: its paths are resolved. */
  readonly input: object;

  /**
   * Wraps what a tool threw.
   *
   * @param cause what the tool threw
   * @param input the parameters as the tool got them
   */
  constructor(cause: unknown, input: object) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Tool execution failed: ${reason}\n\nInput: ${shownInput(input)}`, { cause });
    this.name = "ToolCallError";
    this.input = input;
  }
}

/**
 * Wraps an executor: makes the paths of a call canonical and absolute, logs them, and passes the call on.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param workspace the roots that every path must stay in
 * @param execute the tool's own executor
 * @param options which parameters are paths, what they must fulfil, and a log
 * @returns an executor of the same form. It rejects with a `PathgrepError` for a path, whose `input`
 * detail is the call as it came, and with a {@linkcode ToolCallError} for a failure of the tool
 *
 * @example
 * ```ts
 * import { withResolvedPaths, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const show = (params: { file_path: string }) => Deno.readTextFile(params.file_path);
 * const safeShow = withResolvedPaths(await Workspace.open(root), show);
 * await Deno.writeTextFile(`${root}/a.md`, "hello");
 * assert.equal(await safeShow({ file_path: "a.md\n" }), "hello");
 * await assert.rejects(safeShow({ file_path: "../a.md" }), /escapes project root/);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function withResolvedPaths<P extends object, Rest extends unknown[], Result>(
  workspace: Workspace,
  execute: (params: P, ...rest: Rest) => Result | Promise<Result>,
  options: ResolvedPathsOptions = {},
): (params: P, ...rest: Rest) => Promise<Result> {
  checkOptions({ workspace });
  if (typeof execute !== "function") {
    throw new PathgrepError("invalid_input", `execute must be a function, got ${shown(execute)}`);
  }
  const { log, onResolve, required = [], ...pathOptions } = options;
  return async (params, ...rest) => {
    const rewritten = await resolveToolCallPaths(workspace, params, {
      ...pathOptions,
      onResolve(field, raw, resolved) {
        log?.(`Resolved path '${printable(raw)}' to '${printable(resolved)}'`);
        onResolve?.(field, raw, resolved);
      },
    });
    const input = withoutBlanks(rewritten, options.fields);
    for (const field of optionTexts("required", required)) {
      if (isGiven(input, field.split("."))) continue;
      throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`, { field, input: params });
    }
    try {
      return await execute(input, ...rest);
    } catch (thrown) {
      const isAbort = thrown instanceof Error && thrown.name === "AbortError";
      throw isAbort ? thrown : new ToolCallError(thrown, input);
    }
  };
}

function withoutBlanks<P extends object>(params: P, fields: readonly string[] = PATH_FIELDS): P {
  let pruned: unknown = { ...params };
  for (const field of optionTexts("fields", fields)) pruned = prunedAt(pruned, field.split("."));
  return pruned as P;
}

function prunedAt(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => names.length > 0 || !isBlankText(item))
      .map((item) => prunedAt(item, names));
  }
  if (names.length === 0 || typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const [key, rest] of keysTo(value, names)) {
    if (rest.length === 0 && isBlankText(copy[key])) delete copy[key];
    else copy[key] = prunedAt(copy[key], rest);
  }
  return copy;
}

function isBlankText(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/** Whether there is something in a field, in every object of an array and by every key to it. */
function isGiven(value: unknown, names: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isGiven(item, names));
  if (typeof value !== "object" || value === null) return names.length === 0 && value != null;
  if (names.length === 0) return true;
  const keys = [...keysTo(value, names)];
  const object = value as Record<string, unknown>;
  return keys.length > 0 && keys.every(([key, rest]) => isGiven(object[key], rest));
}

/** Long enough to show the paths; the text that a tool was to write does not belong in an error. */
const MAX_INPUT_CHARS = 1000;

function shownInput(input: object): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(input, null, 4);
  } catch {
    // a BigInt, or a circle
  }
  // Where JSON has no text for the input, the paths still show.
  json ??= JSON.stringify(
    Object.fromEntries(Object.entries(input).filter(([, value]) => typeof value === "string")),
    null,
    4,
  );
  return json.length > MAX_INPUT_CHARS ? `${json.slice(0, MAX_INPUT_CHARS)}…` : json;
}
