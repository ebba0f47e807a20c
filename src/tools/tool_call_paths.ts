/**
 * Rewrites the paths in the call of any tool to canonical absolute ones, by itself or around the tool's
 * executor.
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import { Guard, lookAt } from "../guard/guard.ts";
import { type IsBlocked, locate, type PathUse } from "../workspace/locate.ts";
import { findInWorkspace, locationError } from "../workspace/missing_path.ts";
import { printable } from "../util/text.ts";
import { checkedPath, checkOptions, type Workspace } from "../workspace/workspace.ts";

/**
 * The parameters that are taken for paths by default.
 *
 * @example
 * ```ts
 * import { PATH_FIELDS, type ToolCallPathOptions } from "@x/pathgrep";
 *
 * const options: ToolCallPathOptions = { fields: [...PATH_FIELDS, "edits.file_path"] };
 * ```
 */
export const PATH_FIELDS: readonly string[] = ["file_path", "path", "dir_path", "working_dir"];

/** The options of {@linkcode resolveToolCallPaths}. */
export interface ToolCallPathOptions {
  /**
   * The parameters that contain paths or arrays of paths. A dot leads into an object or an array of
   * objects, as in `edits.file_path`, or is part of the name: both are rewritten.
   * @default PATH_FIELDS
   */
  fields?: readonly string[];
  /** Whether paths must exist: all of them, or those in these fields. @default false */
  mustExist?: boolean | readonly string[];
  /**
   * Whether to repair a path that does not exist, as `resolveTextSearchTarget` does, but never to the only
   * path that ends the same way or to one without the prefix of a diff. Leave it off for tools that write:
   * a repaired path can hit the wrong file. @default false
   */
  repair?: boolean;
  /**
   * Globs that unblock matching names inside the workspace (never `.git`) and, absolute, let paths
   * outside it through. @default none
   */
  allow?: readonly string[];
  /** Globs that block more names than the built-in table; they override `allow`. @default none */
  deny?: readonly string[];
  /** Called with each path that was rewritten. */
  onResolve?: (field: string, raw: string, resolved: string) => void;
}

/**
 * Returns a copy of a tool call's parameters with its paths made canonical and absolute. Relative
 * paths belong to the first root that has them, those of `dir_path` and `working_dir` to the first
 * root. A path field that is blank, `null` or `undefined` stays as it is, unchecked, and so does every
 * other parameter.
 *
 * Paths that a search may not read, such as `.env`, `.git` and those that `.aiignore` excludes, are refused.
 * The user is not asked, and permissions granted for the session do not count, since a tool may write.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param workspace the roots that every path must stay in
 * @param params the call's parameters
 * @param options which parameters are paths, and what they must fulfil
 * @throws {PathgrepError} `path_outside_workspace`, `path_not_found` and the other `path_…` codes;
 * `permission_denied_by_policy` for a blocked name and for a path that an exclusion file such as
 * `.aiignore` excludes;
 * `invalid_input` for a path that is not a string, or is in arrays more than 100 deep. The details
 * are `field`, `path`, `resolved_path` and `input`, the parameters as they came
 *
 * @example
 * ```ts
 * import { resolveToolCallPaths, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const workspace = await Workspace.open(root);
 * const params = await resolveToolCallPaths(workspace, { file_path: "docs/a.md", limit: 3 });
 * assert.deepEqual(params, { file_path: `${root}/docs/a.md`, limit: 3 });
 * await Deno.remove(root);
 * ```
 */
// deno-lint-ignore require-await
export async function resolveToolCallPaths<T extends object>(
  workspace: Workspace,
  params: T,
  options: ToolCallPathOptions = {},
): Promise<T> {
  return rewritten(workspace, params, options, (blank) => blank);
}

/** A copy of parameters with their paths resolved, and what is to be there for each blank one. */
function rewritten<T extends object>(
  workspace: Workspace,
  params: T,
  options: ToolCallPathOptions,
  forBlank: (blank: string) => unknown,
): T {
  if (typeof params !== "object" || params === null) {
    throw new PathgrepError("invalid_input", `params must be an object, got ${shown(params)}`);
  }
  let resolved: unknown = { ...params };
  const guard = new Guard({
    workspace,
    allow: optionTexts("allow", options.allow),
    deny: optionTexts("deny", options.deny),
  });
  const isBlocked = guard.blocker();
  for (const field of optionTexts("fields", options.fields ?? PATH_FIELDS)) {
    const map = (raw: unknown) => {
      if (raw === undefined || raw === null) return raw;
      if (typeof raw !== "string") throw notAPath(raw);
      if (raw.trim() === "") return forBlank(raw);
      const given = checkedPath(raw, field);
      const path = resolveField({ workspace, guard, isBlocked }, field, given, options);
      options.onResolve?.(field, raw, path);
      return path;
    };
    try {
      resolved = mapAt(resolved, field.split("."), map);
    } catch (thrown) {
      throw PathgrepError.from(thrown).with({ field, input: params });
    }
  }
  return resolved as T;
}

/**
 * The texts of an option, which may also be a single text.
 *
 * @throws {PathgrepError} `invalid_input` for anything else, which would leave paths unchecked
 */
function optionTexts(option: string, given: unknown = []): readonly string[] {
  const texts = typeof given === "string" ? [given] : given;
  if (Array.isArray(texts) && texts.every((text) => typeof text === "string")) return texts;
  throw new PathgrepError(
    "invalid_input",
    `${option} must be a string or an array of strings, got ${shown(given)}`,
  );
}

/** How deep nested arrays are searched for paths: V8's stack is limited. */
const MAX_DEPTH = 100;

/** What a text is mapped to that is to be left out of its object or array. */
const OMITTED = Symbol("omitted");

/**
 * A copy with every value of a field, in arrays too, mapped; where there is none, `undefined` is. A dot in a
 * field's name leads into an object or is part of a key: if a call has both, both count, since only the tool
 * knows which one it reads.
 *
 * @param names the field's, split at its dots
 */
function mapAt(
  value: unknown,
  names: readonly string[],
  map: (value: unknown) => unknown,
  depth = 0,
): unknown {
  if (Array.isArray(value)) {
    if (depth === MAX_DEPTH) {
      throw new PathgrepError("invalid_input", `arrays are nested more than ${MAX_DEPTH} deep`);
    }
    if (value.length === 0) map(undefined);
    // A subclass could have further properties.
    return Array.from(value, (item) => mapAt(item, names, map, depth + 1))
      .filter((item) => item !== OMITTED);
  }
  if (names.length === 0) return map(value);
  if (typeof value === "function") throw notAPath(value); // it could have properties, too
  if (typeof value !== "object" || value === null) {
    map(undefined);
    return value;
  }
  const copy: Record<string, unknown> = { ...value };
  let isThere = false;
  for (let end = 1; end <= names.length; end++) {
    const key = names.slice(0, end).join(".");
    if (!Object.hasOwn(copy, key)) continue;
    isThere = true;
    copy[key] = mapAt(copy[key], names.slice(end), map, depth);
    if (copy[key] === OMITTED) delete copy[key];
  }
  if (!isThere) map(undefined);
  return copy;
}

/** Nobody knows what a tool would make of it: to many, 0 is standard input. */
function notAPath(value: unknown): PathgrepError {
  const got = typeof value === "object"
    ? "an object"
    : typeof value === "number"
    ? String(value)
    : shown(value);
  return new PathgrepError("invalid_input", `a path must be a string, got ${got}`, {
    hint: "send the path as a string, or omit the field",
  });
}

function resolveField(
  { workspace, guard, isBlocked }: { workspace: Workspace; guard: Guard; isBlocked: IsBlocked },
  field: string,
  given: string,
  { mustExist = false, repair = false }: ToolCallPathOptions,
): string {
  const exists = typeof mustExist === "boolean"
    ? mustExist
    : optionTexts("mustExist", mustExist).includes(field);
  const use = useOf(field);
  let location = repair
    ? findInWorkspace(workspace, given, isBlocked, use).location
    : locate(workspace, given, isBlocked, use);
  const { path, state } = location;
  if (state === "found" || (state === "missing" && !exists)) return path;
  if (state === "outside" && guard.allowsOutside(path)) {
    if (!location.isBlocked) {
      if (exists) lookAt(path, given);
      return path;
    }
    location = { state: "blocked", path, by: undefined };
  }
  throw locationError(workspace, given, location, { field, use, isBlocked });
}

/** What a field's paths are for, as far as its name shows. */
function useOf(field: string): PathUse {
  const name = field.slice(field.lastIndexOf(".") + 1);
  return name === "dir_path" || name === "working_dir" ? "dir" : "project";
}

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
    const input = rewritten(workspace, params, {
      ...pathOptions,
      onResolve(field, raw, resolved) {
        log?.(`Resolved path '${printable(raw)}' to '${printable(resolved)}'`);
        onResolve?.(field, raw, resolved);
      },
    }, () => OMITTED);
    for (const field of optionTexts("required", required)) {
      if (isGiven(input, field)) continue;
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

/** Whether there is something in a field, in every object of an array and by every key to it. */
function isGiven(input: object, field: string): boolean {
  let isEverywhere = true;
  mapAt(input, field.split("."), (value) => isEverywhere &&= value != null);
  return isEverywhere;
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
