/**
 * Reads a rule file: an ignore file, or an exclusion file for agents.
 *
 * @module
 */

import {
  escapedLine,
  EXCLUSION_FILES,
  MAX_RULE_CHARS,
  SETTINGS_FILES,
} from "../glob/ignore_rules.ts";
import { PathgrepError } from "../util/errors.ts";
import * as platform from "../util/path.ts";
import { isNotFound, isNotPermitted, lstat, readFile, realPath } from "../system/files.ts";
import { mayRead } from "../system/permissions.ts";
import { canonicalPath, LOOP } from "./canonical.ts";
import { isWithin, relativePath } from "./paths.ts";
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
export function readIncludedFile(
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
      return roots.some((root) => isWithin(root, file)) ? file : undefined;
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
  const root = roots.find((root) => isWithin(root, path));
  return root === undefined || isSensitive(relativePath(root, path)) || isBlocked(path);
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
