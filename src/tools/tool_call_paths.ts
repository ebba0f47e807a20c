/**
 * Rewrites the paths in the call of any tool to canonical absolute ones.
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import { Guard, lookAt } from "../guard/guard.ts";
import { type IsBlocked, locate, type PathUse } from "../paths/locate.ts";
import { findInWorkspace, locationError } from "../paths/missing_path.ts";
import { checkedPath, type Workspace } from "../paths/workspace.ts";

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
    const map = (raw: string) => {
      if (raw.trim() === "") return raw;
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
export function optionTexts(option: string, given: unknown = []): readonly string[] {
  const texts = typeof given === "string" ? [given] : given;
  if (Array.isArray(texts) && texts.every((text) => typeof text === "string")) return texts;
  throw new PathgrepError(
    "invalid_input",
    `${option} must be a string or an array of strings, got ${shown(given)}`,
  );
}

/**
 * The keys of an object through which a field may be reached, each with the names that follow: a
 * dot leads into an object or is part of a name. If a call has both, both count, since only the
 * tool knows which one it reads.
 *
 * @param names the field's, split at its dots
 */
export function* keysTo(
  object: object,
  names: readonly string[],
): Generator<[key: string, rest: readonly string[]]> {
  for (let end = 1; end <= names.length; end++) {
    const key = names.slice(0, end).join(".");
    if (Object.hasOwn(object, key)) yield [key, names.slice(end)];
  }
}

/** How deep nested arrays are searched for paths: V8's stack is limited. */
const MAX_DEPTH = 100;

/** A copy with every string of a field, in arrays too, mapped. */
function mapAt(
  value: unknown,
  names: readonly string[],
  map: (text: string) => string,
  depth = 0,
): unknown {
  if (Array.isArray(value)) {
    if (depth === MAX_DEPTH) {
      throw new PathgrepError("invalid_input", `arrays are nested more than ${MAX_DEPTH} deep`);
    }
    // A subclass could have further properties.
    return Array.from(value, (item) => mapAt(item, names, map, depth + 1));
  }
  if (names.length === 0) {
    if (typeof value === "string") return map(value);
    if (value === undefined || value === null) return value;
    throw notAPath(value);
  }
  if (typeof value === "function") throw notAPath(value); // it could have properties, too
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  // Not the keys of the value: a getter may have removed one by now.
  for (const [key, rest] of keysTo(copy, names)) copy[key] = mapAt(copy[key], rest, map, depth);
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
