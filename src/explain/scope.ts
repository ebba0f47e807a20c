/**
 * The parts of the workspace that are searched again to explain an empty answer: what was requested, what
 * was excluded from it, and the rest.
 *
 * @module
 */

import { dirname } from "../util/path.ts";
import type { LeftOutEntry } from "../scan/listing.ts";
import type { IgnoredBy } from "../scan/walk_rules.ts";
import type { Cause } from "./causes.ts";
import type { FileInfo } from "../system/types.ts";

export interface Scope {
  directories: readonly string[];
  files: readonly string[];
  /** Whether the caller named it: the paths of its files do not count, and what is read may be cached. */
  isAsked: boolean;
  /** Directories that are not entered, and of which nothing is reported. */
  apart: readonly string[];
  ignore: boolean;
  maxFileSize: number;
  encoding?: string;
  isAnyText?: boolean;
  /** Why nothing of it was searched. */
  causes: readonly Cause[];
  /** The excluded entries, for causes that name the entry which contains a match. */
  entries: ReadonlyMap<string, LeftOutEntry>;
  /** The directories that paths are relative to when they are matched. */
  bases: readonly string[];
  /** The rule that excludes an entry, and whether it is a worktree, which is excluded in any case. */
  rules: (entry: LeftOutEntry) => { rule: IgnoredBy | undefined; isWorktree: boolean };
  /** The link that it was reached by. */
  link?: { path: string; target: string };
}

/** What a link leads to that was not followed; a rule may exclude the link all the same. */
export function scopeBehind(
  scope: Scope,
  entry: LeftOutEntry,
  { path: target, info: { isDirectory, isFile } }: { path: string; info: FileInfo },
): Scope {
  const { path } = entry;
  const ignored: LeftOutEntry = { path, isDirectory, reason: "ignored" };
  const { rule, isWorktree } = scope.rules(ignored);
  const causes: Cause[] = [];
  // An ignored directory that is also a worktree is reported as both.
  if (scope.ignore && rule !== undefined) causes.push({ kind: "ignored", entry: ignored });
  else if (isWorktree) causes.push({ kind: "worktree", entry: { ...ignored, path: target } });
  return {
    ...scope,
    directories: isDirectory ? [target] : [],
    files: isFile ? [target] : [], // a pipe is not opened
    isAsked: false,
    causes: [...scope.causes, ...causes, { kind: "link", entry }],
    link: { path, target },
  };
}

/** The path by which a search that follows links would have reached a file, or has reached it. */
export function askedPath({ entries, link }: Scope, path: string): string {
  if (link !== undefined) return link.path + path.slice(link.target.length);
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const followed = entries.get(entryKey("ignored", at))?.link;
    if (followed !== undefined) return followed + path.slice(at.length);
  }
  return path;
}

/** The limit for files of a scope that were skipped for their bytes: what was named has none. */
export function sizeLimit(
  { files, isAsked }: Scope,
  skipped: readonly string[],
): Partial<Pick<Scope, "maxFileSize">> {
  const areNamed = isAsked && skipped.every((path) => files.includes(path));
  return areNamed ? { maxFileSize: Infinity } : {};
}

/** The entries of a scope with others. */
export function withEntries({ entries }: Scope, more: readonly LeftOutEntry[]): Scope["entries"] {
  return new Map([
    ...entries,
    ...more.map((entry) => [entryKey(entry.reason, entry.path), entry] as const),
  ]);
}

/** The entry that was excluded for the same reason as another and holds a path. */
export function holderOf(path: string, { entries }: Scope, one: LeftOutEntry): LeftOutEntry {
  for (let at = path;; at = dirname(at)) {
    const entry = entries.get(entryKey(one.reason, at));
    if (entry !== undefined) return entry;
    if (at === dirname(at)) return one;
  }
}

const entryKey = (reason: LeftOutEntry["reason"], path: string) => `${reason} ${path}`;
