/**
 * The error class of pathgrep and its codes (`docs/errors.md` has the full table).
 *
 * An error is data first: the command line, the tools and the MCP server all report what
 * {@linkcode PathgrepError.toJSON} returns, and build texts from it.
 *
 * @module
 */

/**
 * The kind of an error, for callers to switch on. An empty path has two codes: the library throws
 * `INVALID_FILE_PATH`, and answers of tools and of the command line say `path_empty`.
 */
export type ErrorCode =
  | "invalid_input"
  | "invalid_pattern"
  | "permission_denied_by_policy"
  | "permission_denied_by_user"
  | "path_outside_workspace"
  | "INVALID_FILE_PATH"
  | "path_empty"
  | "path_not_found"
  | "path_access_denied"
  | "path_unsupported"
  | "search_too_broad"
  | "search_timed_out"
  | "search_failed"
  | "engine_unavailable"
  | "cancelled";

/** The most characters of a value that an error shows. */
const MAX_SHOWN = 80;
/** Causes in a chain that are reported: it may be a circle. */
export const MAX_CAUSES = 10;

/** The category of each code, which comes before the colon of an error sentence. */
const CATEGORY: Record<ErrorCode, string> = {
  invalid_input: "invalid input",
  invalid_pattern: "invalid pattern",
  permission_denied_by_policy: "permission denied by policy",
  permission_denied_by_user: "permission denied by user",
  path_outside_workspace: "path resolution failed",
  INVALID_FILE_PATH: "path resolution failed",
  path_empty: "path resolution failed",
  path_not_found: "path resolution failed",
  path_access_denied: "path resolution failed",
  path_unsupported: "path resolution failed",
  search_too_broad: "search too broad",
  search_timed_out: "",
  search_failed: "search failed",
  engine_unavailable: "engine unavailable",
  cancelled: "",
};

/** The details of an error; its JSON has only keys with a value. */
export interface ErrorDetails {
  /** The pattern searched for. */
  pattern?: string | undefined;
  /** The path as the caller gave it. */
  path?: string | undefined;
  /** The path that the given one was resolved to. */
  resolved_path?: string | undefined;
  /** Paths that can be used as they are, relative to the workspace root. */
  suggestions?: readonly string[] | undefined;
  /** What to do next, in a sentence. */
  hint?: string | undefined;
  /** Further facts, such as `files_searched` or `top_directories`. */
  [key: string]: unknown;
}

/** The JSON object of a {@linkcode PathgrepError}, which tools return as their answer. */
export interface ErrorAnswer extends ErrorDetails {
  /** The sentence, after its category and a colon. */
  error: string;
  /** The kind of the error, for callers to switch on. */
  code: Exclude<ErrorCode, "INVALID_FILE_PATH">;
}

/**
 * Every failure that pathgrep reports.
 *
 * `message` is the sentence without its category; {@linkcode PathgrepError.toJSON} gives both.
 *
 * @example
 * ```ts
 * import { PathgrepError } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const error = new PathgrepError("invalid_input", "pattern is empty");
 * assert.deepEqual(error.toJSON(), {
 *   error: "invalid input: pattern is empty",
 *   code: "invalid_input",
 * });
 * ```
 */
export class PathgrepError extends Error {
  /** The kind of the error; `INVALID_FILE_PATH` for an empty path. */
  readonly code: ErrorCode;
  /** The details of the error. */
  readonly details: ErrorDetails;

  /**
   * Creates an error.
   *
   * @param code the kind of the error
   * @param detail the sentence, without its category
   * @param details further keys of the JSON object
   * @param options the error's `cause`, which its JSON does not show; another error hands on its own
   */
  constructor(
    code: ErrorCode,
    detail: string,
    details: ErrorDetails = {},
    options: ErrorOptions = {},
  ) {
    super(detail, options);
    this.name = "PathgrepError";
    this.code = code;
    this.details = details;
  }

  /** A copy with more details; existing ones take precedence. */
  with(details: ErrorDetails): PathgrepError {
    return new PathgrepError(this.code, this.message, { ...details, ...this.details }, this);
  }

  /**
   * The error as it is reported: `{"error": "<category>: <sentence>", "code": …}` plus its details. The
   * code is that of the error, except that `INVALID_FILE_PATH` becomes `path_empty`.
   */
  toJSON(): ErrorAnswer {
    const category = CATEGORY[this.code];
    const json: ErrorAnswer = {
      error: category === "" ? this.message : `${category}: ${this.message}`,
      code: this.code === "INVALID_FILE_PATH" ? "path_empty" : this.code,
    };
    for (const [key, value] of Object.entries(this.details)) {
      if (value !== undefined) json[key] = value;
    }
    return json;
  }

  /**
   * Converts a thrown value: an `AbortError` is `cancelled`, any other value `search_failed`. Where
   * something failed and then its disposal, the first failure counts. What was thrown is the `cause`.
   */
  static from(thrown: unknown): PathgrepError {
    if (thrown instanceof PathgrepError) return thrown;
    if (isSuppressed(thrown)) return PathgrepError.from(thrown.suppressed);
    if (thrown instanceof Error && thrown.name === "AbortError") {
      return new PathgrepError("cancelled", "cancelled", {}, { cause: thrown });
    }
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return new PathgrepError("search_failed", detail, {}, { cause: thrown });
  }
}

/** The class is not there in Node.js 22, where other code throws one of the same name. */
function isSuppressed(thrown: unknown): thrown is Error & { suppressed: unknown } {
  return thrown instanceof Error && thrown.name === "SuppressedError";
}

/**
 * The cause of an error as any thread can receive it: an `Error` with the message, stack and causes of the
 * one thrown. Its class and its other properties, which may not be cloneable, stay behind.
 */
export function cloneableCause(cause: unknown, depth = 0): Error | undefined {
  if (cause === undefined || depth === MAX_CAUSES) return undefined;
  if (!(cause instanceof Error)) return new Error(String(cause));
  const clone = new Error(cause.message, { cause: cloneableCause(cause.cause, depth + 1) });
  clone.stack = cause.stack ?? String(cause);
  return clone;
}

/** @param signal the one that was aborted: its reason is the cause */
export function cancelled({ reason }: { readonly reason?: unknown } = {}): PathgrepError {
  const isCancelled = reason instanceof PathgrepError && reason.code === "cancelled";
  return isCancelled ? reason : new PathgrepError("cancelled", "cancelled", {}, { cause: reason });
}

/** @param timeout the limit in milliseconds */
export function timedOut(timeout: number, details: ErrorDetails = {}): PathgrepError {
  return new PathgrepError("search_timed_out", `search timed out after ${timeout} ms`, details);
}

/** A value as an error shows it: the start of its JSON, or its type if it has none. */
export function shown(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? typeof value;
  } catch {
    text = typeof value;
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
