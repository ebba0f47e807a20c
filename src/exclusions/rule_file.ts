/**
 * Reads rule files: ignore files, and what a team keeps from its agents, which is exclusion files with what they
 * include and in a root the settings of Claude Code; and the file `.git` of a submodule or a linked worktree,
 * which says where git keeps its repository.
 *
 * @module
 */

import { Glob } from "../glob/glob.ts";
import {
  escapedLine,
  EXCLUSION_FILES,
  MAX_RULE_CHARS,
  type RuleLine,
  ruleLines,
  type RuleText,
  SETTINGS_FILES,
} from "../glob/ignore_rules.ts";
import { isNotFound, isNotPermitted, lstat, readFile, realPath } from "../system/files.ts";
import { mayRead, readVariable } from "../system/platform.ts";
import { PathgrepError } from "../util/errors.ts";
import { valueAt } from "../util/collections.ts";
import * as platform from "../util/path.ts";
import { canonicalPath, LOOP } from "../paths/canonical.ts";
import { isSensitive } from "./sensitive.ts";

/** Most of what is in settings is not rules. */
const MAX_SETTINGS_CHARS = 8 * MAX_RULE_CHARS;

const NEWLINE = 10;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Returns the rules of a file. A link that leads out of the roots, or something that is not a file, has none.
 *
 * An exclusion file may be a link, since agents follow such links; an ignore file may not, since
 * git does not follow them.
 *
 * @param file its absolute path
 * @param roots canonical directories
 * @param isBlocked targets that a link may not have besides sensitive names: their lines would be shown as rules
 * @param directory a directory above the file that is known to be canonical: showing that takes the
 * square of its depth
 * @returns `null` if the file is too large or, for an exclusion file, unreadable or not text
 */
export function readRuleFile(
  file: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean = () => false,
  directory?: string,
): string | null | undefined {
  const isSettings = SETTINGS_FILES.some((name) => file.endsWith(platform.normalize(`/${name}`)));
  const isExclusion = isSettings || isExclusionFile(platform.basename(file));
  const canonical = canonicalFile(file, roots, isExclusion, isBlocked, directory);
  return typeof canonical === "string" ? readRules(canonical, isExclusion, isSettings) : canonical;
}

/**
 * Returns the rules of a file that an exclusion file includes, by the same rules as those of a link to it.
 * Nothing if it is not a file in the roots, or is blocked.
 */
function readIncludedFile(
  file: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean,
): string | null | undefined {
  try {
    if (isWithheld(file, roots, isBlocked)) return undefined;
    const canonical = unlessWithheld(file, roots, isBlocked);
    return canonical && readRules(canonical, true, false);
  } catch {
    return undefined;
  }
}

function readRules(
  canonical: string,
  isExclusion: boolean,
  isSettings: boolean,
): string | null | undefined {
  try {
    const info = lstat(canonical);
    if (!info.isFile) return undefined;
    if (info.size > (isSettings ? MAX_SETTINGS_CHARS : MAX_RULE_CHARS)) return null;
    const bytes = readFile(canonical);
    // What is not text is no JSON either.
    if (isSettings) return new TextDecoder().decode(bytes);
    return isExclusion ? decodedWhole(bytes) : decodedByLine(bytes);
  } catch (error) {
    return isExclusion && !isNotFound(error) ? null : undefined;
  }
}

/**
 * The bytes of another file that decides what is ignored; nothing if it is no plain file in the canonical
 * roots, a link is on the way to it, or it is larger than `maxBytes`.
 */
export function readPlainFile(
  file: string,
  roots: readonly string[],
  maxBytes: number,
): Uint8Array | undefined {
  try {
    if (canonicalFile(file, roots, false, () => false, undefined) !== file) return undefined;
    const { isFile, size } = lstat(file);
    return isFile && size <= maxBytes ? readFile(file) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text of a file, also in UTF-16, which some shells write; `null` if it is not text.
 *
 * @throws {TypeError} if it has another encoding, in which names would not have the same letters
 */
function decodedWhole(bytes: Uint8Array): string | null {
  const mark = bytes[0]! << 8 | bytes[1]!;
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  return text.includes("\0") ? null : text;
}

/** The text of an ignore file, of which lines may not be UTF-8; see {@linkcode escapedLine}. */
function decodedByLine(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\ufffd")) return text;
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines: string[] = [];
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  for (let start = isMarked ? BYTE_ORDER_MARK.length : 0; start <= bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    try {
      lines.push(strict.decode(line));
    } catch {
      lines.push(escapedLine(line));
    }
    start = end + 1;
  }
  return lines.join("\n");
}

export function isExclusionFile(name: string): boolean {
  return EXCLUSION_FILES.includes(name);
}

/**
 * The path that a rule file leads to. Nothing if a link leads out of the roots or to something blocked, at
 * its end or on the way; `null` for an exclusion file that may not be looked at.
 */
function canonicalFile(
  file: string,
  roots: readonly string[],
  isExclusion: boolean,
  isBlocked: (path: string) => boolean,
  directory: string | undefined,
): string | null | undefined {
  try {
    const { isSymlink } = lstat(file);
    if (isSymlink && !isExclusion) return undefined;
    if (!isSymlink && isLinkFree(file, directory)) {
      return roots.some((root) => platform.isWithin(root, file)) ? file : undefined;
    }
    return unlessWithheld(file, roots, isBlocked);
  } catch (error) {
    return isExclusion && isBarred(error, file) ? null : undefined;
  }
}

/** Where the path of a rule file leads; nothing if that, or a link on the way, is outside or blocked. */
function unlessWithheld(
  file: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean,
): string | undefined {
  const found = canonicalPath(file, roots, (path) => isWithheld(path, roots, isBlocked));
  return found.exists && !isWithheld(found.path, roots, isBlocked) ? found.path : undefined;
}

function isWithheld(
  path: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean,
): boolean {
  const root = roots.find((root) => platform.isWithin(root, path));
  return root === undefined || isSensitive(platform.relativePath(root, path)) || isBlocked(path);
}

function isLinkFree(file: string, directory: string | undefined): boolean {
  if (directory === undefined) return realPath(file) === file;
  let path = platform.dirname(file);
  while (path !== directory && !lstat(path).isSymlink) path = platform.dirname(path);
  return path === directory;
}

/** Whether there may be a file that must not be read, though its directory may. */
function isBarred(error: unknown, file: string): boolean {
  // Links that are too long, or not UTF-8, may lead the system to a file.
  if (error instanceof PathgrepError) return error.details.hint?.startsWith(LOOP) !== true;
  return isNotPermitted(error) && mayRead(platform.dirname(file));
}

/** Each file that is included counts at least this much of {@linkcode MAX_RULE_CHARS}: 32 are the most. */
const MIN_INCLUDED_CHARS = MAX_RULE_CHARS / 32;

const EVERYTHING = "/**";

/**
 * Returns the rules of an exclusion file, as {@linkcode readRuleFile} does.
 *
 * @param directory canonical
 * @param roots canonical directories; settings count in these alone
 * @param isBlocked whether the lines of a file must not become rules
 * @param includes whether other files may be included
 */
export function readExclusionFile(
  directory: string,
  name: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean,
  includes = true,
): RuleText {
  const isSettings = SETTINGS_FILES.includes(name);
  if (isSettings && !roots.includes(directory)) return undefined;
  const text = readRuleFile(platform.join(directory, name), roots, isBlocked, directory);
  if (typeof text !== "string") return text;
  if (isSettings) return deniedReads(text, directory);
  if (name !== ".clineignore" || !text.includes("!include ")) return text;
  return withIncluded(text, directory, (file) => {
    return includes ? readIncludedFile(file, roots, isBlocked) : undefined;
  });
}

/** The rules of a file and of those that it includes, one level deep; `null` if they are too many. */
function withIncluded(
  text: string,
  directory: string,
  read: (file: string) => string | null | undefined,
): RuleLine[] | null {
  let left = MAX_RULE_CHARS;
  const lines: RuleLine[] = [];
  for (const rule of ruleLines(text)) {
    const name = includedBy(rule);
    const file = name && platform.resolve(directory, name);
    const included = file && left > 0 ? read(file) : undefined;
    if (file !== undefined) left -= Math.max(included?.length ?? 0, MIN_INCLUDED_CHARS);
    if (left < 0) return null;
    if (file === undefined) lines.push(rule);
    else if (typeof included !== "string") lines.push({ ...rule, pattern: "" });
    else {
      const from = platform.relative(directory, file).replaceAll(platform.sep, "/");
      for (const line of ruleLines(included)) {
        const pattern = includedBy(line) === undefined ? line.pattern : "";
        lines.push({ ...line, pattern, file: from });
      }
    }
  }
  return lines;
}

function includedBy({ pattern }: RuleLine): string | undefined {
  return /^!include +(?<name>.+)$/su.exec(pattern)?.groups?.["name"];
}

/** The rules `Read(PATH)` that settings deny, as those of an ignore file in the root. */
function deniedReads(json: string, root: string): RuleLine[] {
  let denied: unknown;
  try {
    denied = JSON.parse(json)?.permissions?.deny;
  } catch {
    return [{ line: 1, pattern: "" }];
  }
  if (!Array.isArray(denied)) return [];
  const lines = linesOfStrings(json);
  return denied.flatMap((rule: unknown) => {
    const path = typeof rule === "string" ? /^Read\((.+)\)$/su.exec(rule)?.[1] : undefined;
    // These deny the tool, not paths.
    if (path === undefined || path === "**" || path === "*") return [];
    const line = lines.get(rule as string) ?? 1;
    return patternsIn(root, path).map((pattern) => ({ line, pattern }));
  });
}

/** On which line each string stands in JSON, the first time after `"deny"`. */
function linesOfStrings(json: string): Map<string, number> {
  const lines = new Map<string, number>();
  const start = json.indexOf('"deny"', json.indexOf('"permissions"'));
  let line = 1;
  let end = 0;
  for (const { 0: quoted, index } of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gsu)) {
    line += json.slice(end, index).split("\n").length - 1;
    end = index;
    if (index > start) valueAt(lines, JSON.parse(quoted), () => line);
  }
  return lines;
}

/** A path of a rule of Claude Code's, as patterns of an ignore file in the root. */
function patternsIn(root: string, path: string): string[] {
  if (path.startsWith("//")) return patternsBelow(platform.parse(root).root, path, root);
  if (/^~(?:\/|$)/u.test(path)) {
    return homesFor(root).flatMap((home) => patternsBelow(home, path.slice(1), root));
  }
  const pattern = path.replace(/^(?:\.\/+)+/u, "");
  return [["", ".", "/"].includes(pattern) ? EVERYTHING : pattern];
}

/** Where `~` may lead: a home that cannot be looked up may be any directory above the root. */
function homesFor(root: string): string[] {
  const homes = ["HOME", "USERPROFILE"].flatMap((variable) => readVariable(variable) || []);
  if (homes.length > 0 && homes.every(mayRead)) return homes.map(whereItIs);
  for (let path = root; !homes.includes(path); path = platform.dirname(path)) homes.push(path);
  return homes;
}

function whereItIs(path: string): string {
  try {
    return realPath(path);
  } catch {
    return platform.resolve(path);
  }
}

/** A pattern that starts at one directory, as patterns that start at another. */
function patternsBelow(from: string, pattern: string, root: string): string[] {
  const segments = pattern.split("/").filter((segment, index, all) =>
    segment !== "" && segment !== "." && (segment !== "**" || all[index - 1] !== "**")
  );
  const asPattern = (rest: readonly string[]) =>
    rest.length === 0 ? EVERYTHING : `/${rest.join("/")}${pattern.endsWith("/") ? "/" : ""}`;
  if (!platform.isWithin(from, root)) {
    if (!platform.isWithin(root, from)) return [];
    const names = platform.relativePath(root, from).replace(/[*?[\]\\!#]/gu, "\\$&").split("/");
    return [asPattern([...names, ...segments])];
  }
  const names = from === root ? [] : platform.relativePath(from, root).split("/");
  /** How many segments the directories so far may have matched. */
  let matched = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const count of matched) { // also those that are added
      const segment = segments[count];
      if (segment === undefined) return [EVERYTHING]; // it names a directory above
      if (segment === "**") {
        matched.add(count + 1);
        next.add(count);
      } else if (Glob.parse(segment, { dialect: "gitignore" }).matches(name)) next.add(count + 1);
    }
    matched = next;
  }
  return Array.from(matched, (count) => asPattern(segments.slice(count)));
}

const GITDIR = "gitdir: ";

export interface GitDirectories {
  /** The directory of the worktree itself, with its index. */
  readonly own: string;
  /** The directory that all worktrees of the repository share, with `info/exclude`. */
  readonly common: string;
  /** The directory with the `.git` that they lie in; nothing if none is on the way. */
  readonly home: string | undefined;
}

/** Where the `.git` file of a canonical directory leads; nothing if it is not in the canonical roots. */
export function gitDirectoriesOf(
  directory: string,
  roots: readonly string[],
): GitDirectories | undefined {
  const text = readRuleFile(platform.join(directory, ".git"), roots, undefined, directory)
    ?.toWellFormed() ?? "";
  if (!text.startsWith(GITDIR)) return undefined;
  // By hand: a regular expression would look for the end of each run of line ends anew.
  let end = text.length;
  while (end > GITDIR.length && "\r\n".includes(text[end - 1]!)) end--;
  const written = text.slice(GITDIR.length, end);
  if (written === "" || /[\n\0]/u.test(written)) return undefined;
  const own = platform.resolve(directory, written);
  const segments = own.split(/[\\/]/u);
  const at = repositoryIn(segments);
  return {
    own,
    common: segments.at(-2) === "worktrees" ? platform.dirname(platform.dirname(own)) : own,
    home: at < 1 ? undefined : segments.slice(0, at).join(platform.sep) || platform.sep,
  };
}

/** Which segment of a path is the repository: what is above it may have any name, and a bare one ends so. */
function repositoryIn(segments: readonly string[]): number {
  const exact = segments.indexOf(".git");
  return exact < 0 ? segments.findIndex((name) => name.endsWith(".git")) : exact;
}

/**
 * Whether a directory with a `.git` file is a linked worktree. Not a submodule, nor one of its worktrees,
 * which are no copies of what is around them.
 */
export function isLinkedWorktree(directory: string, roots: readonly string[]): boolean {
  const found = gitDirectoriesOf(directory, roots);
  if (found === undefined || found.own === found.common) return false;
  const segments = found.own.split(/[\\/]/u);
  return segments.indexOf("modules", repositoryIn(segments) + 1) < 0;
}
