/**
 * The workspace: the directories that a caller cannot leave.
 *
 * Words of this folder and of `paths/`: a *root* is a directory of the workspace; a *canonical* path has every link
 * resolved. To *locate* a path is to follow it and to say whether it is found, missing, outside or
 * blocked. A *repair* corrects a path that does not exist as given; a *suggestion* is only shown.
 * *Verification* proves that what was read lies where its path says.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import { infoAt, lstat, notFound, realPath, stat } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";
import { type CanonicalPath, canonicalPath, listedPath, pathError } from "../paths/canonical.ts";
import {
  type ExcludedBy,
  exclusionReason,
  type ExclusionRoots,
  Exclusions,
  rulesAbove,
} from "../exclusions/exclusions.ts";
import { asGivenAndTrimmed, isWithin, relativePath } from "../util/path.ts";
import { isSensitive } from "../exclusions/sensitive.ts";
import {
  type AllowedRoots,
  identityOf,
  inPlace,
  isInWorkspace,
  isIt,
} from "../paths/verification.ts";
import { valueAt } from "../util/collections.ts";

/**
 * One or more root directories. A path is in the workspace if its canonical form is a root or lies below
 * one.
 *
 * Needs `--allow-read` for the roots.
 *
 * @example
 * ```ts
 * import { Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * const workspace = await Workspace.open(root);
 * assert.equal(await workspace.isPathWithin("src/a.ts"), true);
 * assert.equal(await workspace.isPathWithin("../elsewhere"), false);
 * await Deno.remove(root);
 * ```
 */
export class Workspace {
  /** The canonical absolute paths of the roots, in the order given, each once. */
  readonly roots: readonly string[];
  /**
   * The roots below which names are blocked: those of the workspace that this one is a part of.
   *
   * @internal
   * @ignore
   */
  readonly ceiling: readonly string[];
  /**
   * The roots from which rule files count: those, and its own.
   *
   * @internal
   * @ignore
   */
  get ruleRoots(): readonly string[] {
    return [...new Set([...this.ceiling, ...this.roots])];
  }
  /** Roots by the paths they were opened with, where these are not canonical. */
  readonly #names: ReadonlyMap<string, string>;
  #labels: ReadonlyMap<string, string> | undefined;
  /**
   * The roots, outermost first, with their identities when they were opened.
   *
   * @internal
   * @ignore
   */
  readonly allowedRoots: AllowedRoots;

  /** @ignore */
  private constructor(
    roots: ReadonlyMap<string, string | undefined>,
    names: ReadonlyMap<string, string>,
    ceiling: readonly string[] = [...roots.keys()],
  ) {
    this.roots = [...roots.keys()];
    this.ceiling = ceiling;
    this.#names = names;
    const allowedRoots = this.roots.toSorted((a, b) => a.length - b.length);
    this.allowedRoots = { allowedRoots, identities: allowedRoots.map((root) => roots.get(root)) };
  }

  /**
   * Opens a workspace.
   *
   * @param roots directories, absolute or relative to the current directory
   * @throws {PathgrepError} `invalid_input` without roots, `INVALID_FILE_PATH` for an empty path,
   * `path_not_found`, `path_access_denied`, `path_unsupported` for a root that is not a directory
   */
  // deno-lint-ignore require-await
  static async open(roots: string | readonly string[]): Promise<Workspace> {
    const given = Array.isArray(roots) ? roots : [roots];
    if (given.length === 0) {
      throw new PathgrepError("invalid_input", "a workspace needs at least one root directory");
    }
    const canonical = new Map<string, string | undefined>();
    const names = new Map<string, string>();
    for (const raw of given) {
      const path = checkedPath(raw, "workspace");
      if (path === "") throw new PathgrepError("INVALID_FILE_PATH", "workspace is empty");
      const { name, root, identity } = openRootAsGiven(path, raw);
      if (!canonical.has(root)) canonical.set(root, identity);
      if (name !== root) names.set(name, root);
    }
    return new Workspace(canonical, names);
  }

  /**
   * A part of this workspace, in which everything stays blocked that is blocked in the whole.
   *
   * @param roots canonical directories in this workspace, at least one
   * @internal
   * @ignore
   */
  narrowedTo(roots: readonly string[]): Workspace {
    const identities = roots.map((root) => [root, this.#identityBelow(root)] as const);
    return new Workspace(new Map(identities), this.#names, this.ceiling);
  }

  /**
   * Where the rules of exclusion files and ignore files start, read anew.
   *
   * @internal
   * @ignore
   */
  exclusionRoots(): ExclusionRoots {
    return { roots: this.ruleRoots, above: rulesAbove(this.ruleRoots) };
  }

  /** The identity of a directory in this workspace; one that matches nothing if it is not there. */
  #identityBelow(root: string): string | undefined {
    const { allowedRoots, identities } = this.allowedRoots;
    const index = allowedRoots.indexOf(root);
    if (index >= 0) return identities[index];
    const found = this.canonical(root);
    return found.exists && found.path === root ? identityOf(found.info) : NOWHERE;
  }

  /**
   * Whether a path leads into the workspace; it need not exist.
   *
   * @param path absolute, or relative to the first root; surrounding white space is dropped where nothing
   * is called so
   * @returns `false` also for a text that is not a path (it contains a NUL character) and for a
   * path that cannot be followed to its end (a directory that may not be read, a loop of symbolic
   * links)
   */
  // deno-lint-ignore require-await
  async isPathWithin(path: string): Promise<boolean> {
    try {
      const readings = asGivenAndTrimmed(checkedPath(path, "path"));
      const leads = readings.map((reading) =>
        this.canonical(platform.resolve(this.roots[0]!, reading))
      );
      const found = leads.find(({ exists, path }) => exists && this.contains(path));
      return this.contains((found ?? leads.at(-1)!).path);
    } catch {
      return false;
    }
  }

  /**
   * Checks that no root has been replaced by another directory.
   *
   * @throws {PathgrepError} `search_failed`; `path_access_denied` if none may be read any more
   * @internal
   * @ignore
   */
  checkRoots(): void {
    const { allowedRoots, identities } = this.allowedRoots;
    const present = allowedRoots.map((root) => {
      const info = infoAt(root);
      return info && identityOf(info);
    });
    // The other roots are still searched.
    if (present.every((found) => found === undefined)) allowedRoots.forEach(checkReadable);
    const replaced = present.findIndex((found, index) =>
      found !== undefined && found !== identities[index]
    );
    if (replaced >= 0) {
      throw new PathgrepError(
        "search_failed",
        `the workspace root ${allowedRoots[replaced]} has been replaced by another directory`,
        { hint: "open the workspace again, or restart pathgrep" },
      );
    }
  }

  /** Whether a canonical path is in the workspace. */
  contains(canonical: string): boolean {
    return this.rootOf(canonical) !== undefined;
  }

  /** The innermost root that holds a canonical path. */
  rootOf(canonical: string): string | undefined {
    return innermost(this.roots, canonical);
  }

  /**
   * Follows an absolute path to its canonical form. What is found in the workspace is verified to be
   * there, and so are the targets of links. A path that is replaced meanwhile counts as missing.
   *
   * @param mayBar what no link may lead through @default nothing
   * @throws {PathgrepError} as `canonicalPath` does; `path_not_found` if links were replaced meanwhile
   * @internal
   * @ignore
   */
  canonical(absolute: string, mayBar?: IsBarred): CanonicalPath {
    const path = this.#underRoots(platform.resolve(absolute));
    const isBarred = mayBar && askedOnce(mayBar);
    for (let attempt = 1;; attempt++) {
      const since = Date.now();
      const way = followed(path, this.roots, isBarred);
      if ("found" in way && this.#isProven(path, way.found, since, isBarred)) return way.found;
      if ("failure" in way && this.#isLasting(path, way, isBarred)) throw way.failure;
      if (attempt < MAX_ATTEMPTS) continue;
      const root = this.rootOf(path);
      if (root !== undefined) checkReadable(root);
      if ("found" in way && way.found.path === path) return { exists: false, path };
      throw pathError(notFound(), path);
    }
  }

  /** Whether a path is proven to lead where it was found to lead, or leads outside. */
  #isProven(
    path: string,
    found: CanonicalPath,
    since: number,
    isBarred: IsBarred | undefined,
  ): boolean {
    if (!this.contains(found.path)) return true;
    if (found.path !== path) return this.#isLasting(path, { found }, isBarred, found.path);
    // A missing path reveals no more than the caller wrote.
    if (!found.exists) return true;
    const { info } = found;
    const where = { walk: this.allowedRoots, since };
    return inPlace([path], where, () => isIt(info, infoAt(path))).length > 0;
  }

  /** Whether following a path gives the same result again and again, with the root in its place. */
  #isLasting(path: string, way: Way, isBarred: IsBarred | undefined, end = path): boolean {
    const root = this.rootOf(end);
    if (root === undefined) return true; // nothing is revealed about a path that ends outside
    const expected = endOf(way);
    const isSame = () => endOf(followed(path, this.roots, isBarred)) === expected;
    return isInWorkspace(root, this.allowedRoots, isSame);
  }

  /** Replaces the path that a root was opened with by the root itself. */
  #underRoots(path: string): string {
    for (const [name, root] of this.#names) {
      if (isWithin(name, path)) return platform.join(root, platform.relative(name, path));
    }
    return path;
  }

  /**
   * A canonical path as answers show it: relative to its root. With several roots, the root's name comes
   * first, with as many of its parents as it takes to tell the roots apart. Anything that is not an
   * absolute path, such as `(stdin)`, stays as it is.
   */
  display(canonical: string): string {
    if (!platform.isAbsolute(canonical)) return canonical;
    const root = this.rootOf(canonical);
    if (root === undefined) return canonical;
    const relative = relativePath(root, canonical);
    if (this.roots.length === 1) return relative;
    const label = this.labels.get(root)!;
    return relative === "." ? label || canonical : `${label}/${relative}`;
  }

  /**
   * A rule file as answers name it. One that is above a root has its path from there, `../.gitignore`: the
   * names of directories above are nobody's business.
   *
   * @internal
   * @ignore
   */
  displayRuleFile(file: string): string {
    const below = this.roots.map((root) => [root, relativePath(root, file)] as const)
      .filter(([, path]) => ABOVE.test(path)).sort(([, a], [, b]) => a.length - b.length);
    if (this.contains(file) || below.length === 0) return this.display(file);
    const [root, path] = below[0]!;
    return this.roots.length === 1 ? path : `${this.labels.get(root)}/${path}`;
  }

  /**
   * Why a root is blocked, as notes say it.
   *
   * @internal
   * @ignore
   */
  rootBlockedReason(by: boolean | ExcludedBy): string {
    const isAbove = typeof by === "object" && by.file !== undefined && !this.contains(by.file);
    if (!isAbove) return "it is blocked in another root";
    return `it is ${exclusionReason(by, (file) => this.displayRuleFile(file))}`;
  }

  /**
   * The label of each root in relative paths.
   *
   * @internal
   * @ignore
   */
  get labels(): ReadonlyMap<string, string> {
    if (this.#labels !== undefined) return this.#labels;
    const exclusions = new Exclusions(this.exclusionRoots()); // reads each file once
    return this.#labels = rootLabels(
      this.roots,
      (root, below) => mayExist(root, below, innermost(this.ceiling, root) ?? root, exclusions),
    );
  }
}

/** Whether a path in a root exists or may exist. Nothing blocked or behind a link is looked at. */
function mayExist(root: string, below: string, ceiling: string, exclusions: Exclusions): boolean {
  // Nothing in a root that is blocked can be meant.
  if (exclusions.ruleFor(root) !== undefined) return false;
  let at = root;
  for (const segment of below.split("/")) {
    at = platform.join(at, segment);
    if (isSensitive(relativePath(ceiling, at)) || exclusions.ruleFor(at) !== undefined) {
      return true;
    }
    try {
      if (lstat(at).isSymlink) return true;
    } catch {
      return false;
    }
  }
  return true;
}

type IsBarred = (path: string) => boolean;

/** Checks each place once: a path is followed several times, to verify where it leads. */
function askedOnce(isBarred: IsBarred): IsBarred {
  const known = new Map<string, boolean>();
  return (place) => valueAt(known, place, isBarred);
}

type Way = { found: CanonicalPath } | { failure: PathgrepError };

function followed(path: string, roots: readonly string[], isBarred: IsBarred | undefined): Way {
  try {
    return { found: canonicalPath(path, roots, isBarred) };
  } catch (thrown) {
    return { failure: PathgrepError.from(thrown) };
  }
}

function endOf(way: Way): string {
  if ("failure" in way) return JSON.stringify(way.failure);
  const { exists, path } = way.found;
  return JSON.stringify(exists ? [path, way.found.info.dev, way.found.info.ino] : [path]);
}

/** The way from a root to a rule file of a directory above it. */
const ABOVE = /^(?:\.\.\/)+(?:\.git\/info\/)?[^/]+$/u;
/** A path that is replaced while it is followed is followed once more. */
const MAX_ATTEMPTS = 2;
/** An identity that no directory has. */
const NOWHERE = "";

export function innermost(directories: readonly string[], path: string): string | undefined {
  let found: string | undefined;
  for (const directory of directories) {
    if (isWithin(directory, path) && directory.length > (found?.length ?? -1)) found = directory;
  }
  return found;
}

/** @throws {PathgrepError} `path_access_denied` for a root that may no longer be read */
function checkReadable(root: string): void {
  try {
    lstat(root);
  } catch (error) {
    const failure = pathError(error, root);
    if (failure.code === "path_access_denied") throw failure;
  }
}

/** A root that exists as given is the one that is meant; otherwise surrounding white space is dropped. */
function openRootAsGiven(given: string, raw: string): ReturnType<typeof openRoot> {
  const [first, trimmed] = asGivenAndTrimmed(given);
  try {
    return openRoot(first, raw);
  } catch (thrown) {
    if (trimmed === undefined || PathgrepError.from(thrown).code !== "path_not_found") throw thrown;
    return openRoot(trimmed, raw);
  }
}

function openRoot(
  given: string,
  raw: string,
): { name: string; root: string; identity: string | undefined } {
  let name = given;
  let root = given;
  let info: FileInfo;
  try {
    root = name = platform.resolve(given);
    root = listedPath(realPath(name));
    info = stat(root);
  } catch (error) {
    throw pathError(error, root).with({ path: raw });
  }
  if (info.isDirectory) return { name, root, identity: identityOf(info) };
  throw new PathgrepError("path_unsupported", `Path is not a directory: ${root}`, {
    path: raw,
    resolved_path: root,
    hint: "a workspace root must be a directory",
  });
}

/** No system accepts a longer path, and suggestions for one would take long. */
const MAX_PATH_CHARS = 32_768;

/**
 * Checks what callers of the library forget: the workspace among the options, and a signal that is one.
 *
 * @throws {PathgrepError} `invalid_input`
 */
export function checkOptions(options: unknown): asserts options is { workspace: Workspace } {
  const { workspace, signal } = (options ?? {}) as { workspace?: unknown; signal?: unknown };
  if (!(workspace instanceof Workspace)) {
    const got = typeof workspace === "object" ? shown(workspace) : typeof workspace;
    throw new PathgrepError("invalid_input", `workspace must be a Workspace, got ${got}`, {
      hint: "open one: { workspace: await Workspace.open(DIRECTORY) }",
    });
  }
  if (signal != null && typeof (signal as AbortSignal).addEventListener !== "function") {
    throw new PathgrepError("invalid_input", `signal must be an AbortSignal, got ${shown(signal)}`);
  }
}

/**
 * Checks a path as the caller gave it. Surrounding white space stays, since names may begin and end with
 * it: {@linkcode asGivenAndTrimmed} has both readings. A blank path is empty.
 *
 * @throws {PathgrepError} `invalid_input` if it is not a string, holds a NUL character or half of a
 * surrogate pair, which Deno would replace, or is longer than any path can be
 */
export function checkedPath(raw: unknown, field: string): string {
  if (typeof raw !== "string") {
    throw new PathgrepError("invalid_input", `${field} must be a string, got ${typeof raw}`);
  }
  const refuse = (problem: string, hint: string) => {
    throw new PathgrepError("invalid_input", `${field} ${problem}`, { hint });
  };
  if (raw.includes("\0")) refuse("contains a NUL character", "remove it from the path");
  if (!raw.isWellFormed()) {
    refuse("contains half of a surrogate pair", "write the path in Unicode characters");
  }
  const trimmed = raw.trim();
  if (trimmed.length > MAX_PATH_CHARS) {
    const problem = `is ${trimmed.length} characters long, more than ${MAX_PATH_CHARS}`;
    refuse(problem, "use one path in its shortest form");
  }
  return trimmed === "" || raw.length > MAX_PATH_CHARS ? trimmed : raw;
}

/**
 * A label for each of several roots: its base name, with as many directories above it as distinguish it
 * from the other roots and from what is in them. No label is a prefix of another, so that a
 * relative path that begins with a label leads to one root.
 *
 * @param roots canonical paths, each once
 * @param isTaken whether a path below a root exists or may exist: a label of that name is ambiguous
 */
export function rootLabels(
  roots: readonly string[],
  isTaken: (root: string, below: string) => boolean,
): Map<string, string> {
  const labels = roots.map((root) => new Label(root));
  const isInRoot = ({ root: own, text }: Label) =>
    roots.some((root) => platform.join(root, text) !== own && isTaken(root, text));
  for (let isDone = false; !isDone;) {
    // All at once: of two labels that are the same, both change.
    const ambiguous = labels.flatMap((label) => {
      const rivals = labels.filter((other) => other !== label && other.beginsWith(label.text));
      // White space that a path begins with is dropped.
      const isMisread = label.text !== label.text.trimStart();
      return rivals.length > 0 || isMisread || isInRoot(label) ? [{ label, rivals }] : [];
    });
    isDone = true;
    for (const { label, rivals } of ambiguous) {
      // A label that is the whole path already cannot change; the others have to.
      if (label.extend() || rivals.filter((rival) => rival.extend()).length > 0) isDone = false;
    }
  }
  return new Map(labels.map(({ root, text }) => [root, text]));
}

class Label {
  readonly root: string;
  readonly #segments: readonly string[];
  #length = 1;

  constructor(root: string) {
    this.root = root;
    this.#segments = root.split(platform.sep).filter((segment) => segment !== "");
  }

  get text(): string {
    return this.#segments.slice(-this.#length).join("/");
  }

  beginsWith(other: string): boolean {
    return this.text === other || this.text.startsWith(`${other}/`);
  }

  /** Adds the directory above; `false` if there is none. */
  extend(): boolean {
    if (this.#length >= this.#segments.length) return false;
    this.#length++;
    return true;
  }
}
