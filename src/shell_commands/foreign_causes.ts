/**
 * Why another program does not show a match, by its rules in place of this program's.
 *
 * @module
 */

import type { Cause } from "../reasons/causes.ts";
import { Policy } from "../guard/policy.ts";
import { isWithin, relativePath } from "../paths/paths.ts";
import { readPlainFile } from "../paths/rule_file.ts";
import { innermost, type Workspace } from "../paths/workspace.ts";
import { utf16Of } from "../scan/decoder.ts";
import { GitIndex } from "../scan/tracked_files.ts";
import type { WalkOptions } from "../scan/listing.ts";
import { WalkRules } from "../scan/walk_rules.ts";
import * as platform from "../util/path.ts";
import { infoAt, lstat } from "../system/files.ts";
import { ENDLESS } from "../util/pulse.ts";
import type { ForeignSearch } from "./command_line.ts";
import { notRead } from "./programs.ts";

/** Where another program searches. */
export interface RunPlace {
  workspace: Workspace;
  /** The canonical directory in which it runs. */
  directory: string;
}

/** The index of half a million files. */
const MAX_INDEX_BYTES = 1 << 26;
const MAX_TEXT_BYTES = 1 << 20;
/** The ignore files of git: below `.git` it is `info/exclude`. */
const GIT_RULES = [".gitignore", "exclude"];
const FILTERS: readonly Cause["kind"][] = ["include", "includeCase", "exclude", "type", "typeNot"];

/** Translates the causes for a file; what the program shows without any is added to `shown`. */
export function causesBy(
  foreign: ForeignSearch,
  where: RunPlace,
  walk: WalkOptions,
  shown: Set<string>,
): (causes: readonly Cause[], path: string, bases: readonly string[]) => readonly Cause[] {
  const { caller, admitted, endsLines, isAscii, takesDirectories, untracked } = foreign;
  const { roots } = where.workspace;
  const isTracked = caller === "git grep" ? trackedIn(where) : undefined;
  const rules = new WalkRules(walk, new Policy(walk.policy), ENDLESS);
  /** Of ripgrep, what an ignore file keeps is not hidden. */
  const isKept = (path: string) => {
    const base = walk.bases.findIndex((base) => path !== base && isWithin(base, path));
    return base >= 0 && rules.isMentioned(path, base) &&
      rules.ignoredBy(path, false, base) === undefined;
  };
  const isHidden = (path: string, base: string) => {
    const names = relativePath(base, path).split("/");
    const hidden = names.map((_, index) => platform.join(base, ...names.slice(0, index + 1)))
      .filter((_, index) => /^\../.test(names[index]!));
    return !hidden.every(isKept);
  };
  const counts = (cause: Cause, path: string, base: string, isFiltered: boolean) => {
    const isAdmitted = !isFiltered && admitted.some((kind) => kind === cause.kind);
    switch (cause.kind) {
      case "ignored":
        if (isAdmitted && cause.path === path) return false;
        return caller === "rg" || cause.rule === undefined ||
          GIT_RULES.includes(platform.basename(cause.rule.file));
      case "hidden":
        if (caller !== "rg") return true;
        return isHidden(isAdmitted ? platform.dirname(path) : path, base);
      case "not_utf8":
        return caller === "ugrep" || isAscii === false;
      default:
        return cause.kind !== "worktrees";
    }
  };
  const isKnown = (own: readonly Cause[], causes: readonly Cause[], path: string) => {
    const has = (kind: Cause["kind"]) => causes.some((cause) => cause.kind === kind);
    if (has("not_utf8") && isAscii === undefined) return false;
    if (takesDirectories && own.some(({ kind }) => kind === "ignored" || kind === "hidden")) {
      return false;
    }
    // To these programs UTF-16 is no text; ripgrep reads anything that is named as text.
    const isUtf8 = caller === "GNU grep" || caller === "git grep";
    const isOther = walk.bases.length === 0 && has("elsewhere");
    if (own.length === 0 || !isUtf8 && !endsLines && !isOther) return true;
    const bytes = readPlainFile(path, roots, MAX_TEXT_BYTES) ?? new Uint8Array();
    const utf16 = utf16Of(bytes);
    if (isUtf8 && utf16 !== undefined) return false;
    const text = new TextDecoder(utf16).decode(bytes);
    if (isAscii === undefined && text.includes("\ufffd")) return false;
    return !(endsLines && text.includes("\r") || isOther && /[\0\ufffd]/.test(text));
  };
  return (causes, path, bases) => {
    const isFiltered = causes.some(({ kind }) => FILTERS.includes(kind));
    const base = innermost(bases, path) ?? platform.dirname(path);
    const own = causes.filter((cause) => counts(cause, path, base, isFiltered));
    const tracked = isTracked?.(path);
    // Of a file that a rule of another program ignores, git's own are not known.
    const isKnownToGit = tracked ?? isTracked === undefined;
    if (!isKnownToGit && (tracked === undefined || own.length < causes.length)) return [];
    if (tracked === false && !untracked) own.push({ kind: "untracked" });
    if (!isKnown(own, causes, path)) return [];
    if (own.length === 0) shown.add(path);
    return own;
  };
}

/** Whether the repository of a directory tracks a file; nothing for one in a repository of its own. */
function trackedIn({ workspace, directory }: RunPlace): (path: string) => boolean | undefined {
  const root = workspace.rootOf(directory);
  for (let at = directory; root !== undefined; at = platform.dirname(at)) {
    const inGit = (name: string) => platform.join(at, ".git", name);
    const read = (name: string, maxBytes = MAX_TEXT_BYTES) =>
      readPlainFile(inGit(name), workspace.roots, maxBytes);
    const bytes = read("index", MAX_INDEX_BYTES);
    const index = bytes && GitIndex.parse(bytes);
    // There is none before a file is added for the first time.
    const isNew = infoAt(inGit("index")) === undefined && read("HEAD") !== undefined;
    if (index !== undefined || isNew) {
      if (/^\s*\[(?:grep|include)/mi.test(new TextDecoder().decode(read("config")))) {
        throw notRead("a grep section in git's configuration");
      }
      return (path) =>
        index?.has(relativePath(at, path), false) || (isInNested(path, at) ? undefined : false);
    }
    if (at === root) break;
  }
  throw notRead("a repository whose index is not in the workspace");
}

/** Whether a path lies in a repository inside another one. */
function isInNested(path: string, repository: string): boolean {
  for (let at = platform.dirname(path); isWithin(repository, at); at = platform.dirname(at)) {
    if (at === repository) return false;
    try {
      lstat(platform.join(at, ".git"));
      return true;
    } catch {
      // It is none.
    }
  }
  return true;
}
