/**
 * Reports what an engine or one of its threads skipped, and the first of each kind.
 *
 * @module
 */

import { debug } from "../util/debug.ts";
import { basename, compareByBytes, dirname, isWithin, sep } from "../util/path.ts";
import {
  type BlockedRules,
  NOTED,
  type PassStart,
  PassTurn,
  type PendingDirectory,
  USUALLY_IGNORED,
  type WalkListing,
} from "../walk/listing.ts";
import { entryAt, inPlace, Proof } from "../paths/verification.ts";
import {
  type EngineReport,
  type IgnoredEntry,
  MAX_BLOCKED_RULES,
  MAX_DIRECTORIES,
  MAX_EXCLUDED,
  MAX_LINKS,
  MAX_NAMED_FILES,
  MAX_NAMED_IGNORED,
  type SearchJob,
  type SkipCounts,
  type SkippedKind,
  type SkippedPath,
} from "./job.ts";

let words: typeof import("../notes/table.ts") | undefined;

/** Loads the words of a log, if there is one; call it before creating a {@linkcode SkipReport}. */
export async function loadLog(isLogged = false): Promise<void> {
  if (isLogged) words ??= await import("../notes/table.ts");
}

/** Follows a directory's path in place of a name in it that is not UTF-8. */
export const UNDECODABLE_NAME = `${sep}\0`;
const MAX_NAMED_WORKTREES = 3;
/** What becomes of files that a further pass reads in another way. */
const NOT_READ: readonly string[] = ["binary", "not_utf8", "too_large"];

export class SkipReport {
  readonly #job: SearchJob;
  readonly #report: EngineReport;
  #namesHeld = 0;
  /** How many binary files are to be named. */
  readonly #named = { binary: 0, archives: 0 };

  constructor(job: SearchJob, report: EngineReport) {
    this.#job = job;
    this.#report = report;
  }

  /** Whether the next binary file that a walk has met is named, not only counted: there may be many. */
  namesBinary(isArchive: boolean): boolean {
    if (this.#job.walk.isLogged) return true;
    return this.#job.wantsScope === true &&
      this.#named[isArchive ? "archives" : "binary"]++ < MAX_NAMED_FILES;
  }

  /**
   * Reports a file or directory.
   *
   * @param isNamed whether the caller named it, so that a note says why it was not searched
   * @param isPart whether the answer has entries of what comes before
   * @param isArchive whether what is binary is an archive
   */
  skip(
    path: string,
    reason: SkippedPath["reason"],
    isNamed = false,
    isPart = false,
    isArchive = false,
  ): void {
    this.#report.skipped[reason]++;
    if (isArchive) this.#report.archives++;
    if (isNamed) this.#report.notSearched.push({ path, reason, isPart });
    this.log(path, reason);
    if (!isNamed) keepFirst(this.#report, isArchive ? "archives" : reason, [path]);
  }

  log(path: string, reason: SkippedPath["reason"]): void {
    if (!this.#job.walk.isLogged || reason === "vanished") return;
    debug(words!.logLines([{ path, reason }]));
  }

  /**
   * Reports that something in a directory vanished or was replaced, once for each directory: how much it
   * was could reveal what lies outside of the workspace. For the same reason its place is the directory,
   * whatever was met there first.
   */
  vanish(directory: string): void {
    const { vanishedIn } = this.#report;
    if (vanishedIn.has(directory)) return;
    vanishedIn.add(directory);
    this.skip(directory + sep, "vanished");
  }

  /** Reports what was excluded in a directory, after it has been listed. */
  addListing(directory: PendingDirectory, listing: WalkListing): void {
    const { path, depth } = directory;
    const { blockedBy, entries, gits, ignored, links, log = [], skips } = listing;
    const { wantsExcluded, wantsScope, walk, since } = this.#job;
    if (wantsExcluded) this.#addExcluded(directory, listing);
    if (skips.vanished > 0) this.vanish(dirname(path));
    if (log.length > 0) {
      const proof = new Proof(walk, since);
      proof.addListing(path, entries, () => debug(words!.logLines(log)));
      proof.settle();
    }
    const report = this.#report;
    addSkips(report, { ...skips, vanished: 0 });
    // Of a directory that is listed again, only more counts than before.
    report.gits += Math.min(gits, skips.blocked);
    if (skips.worktrees > 0) addWorktrees(report, [path]);
    for (const reason of NOTED) {
      if (skips[reason] === 0 || reason === "vanished") continue;
      // What could not be read in a directory that could be listed is a name.
      const isName = reason === "unreadable" && entries !== undefined;
      keepFirst(report, reason, [path + (isName ? UNDECODABLE_NAME : sep)]);
    }
    if (!wantsScope) return;
    if (blockedBy !== undefined) addRules(report, blockedBy);
    const prefix = path.endsWith(sep) ? path : path + sep;
    if (skips.ignored > 0) this.#addIgnored(prefix, depth, ignored);
    if (links === undefined) return;
    const named = links.map((name) => prefix + name);
    report.links = firstByPath([...report.links, ...named], MAX_LINKS);
  }

  /** Remembers a file that was met or named, and not read as text. */
  addExcludedFile(path: string, state: string): void {
    if (!this.#job.wantsExcluded || !NOT_READ.includes(state)) return;
    const directory = dirname(path);
    const last = this.#report.excluded.at(-1);
    if (last?.path === directory && last.names !== undefined) {
      last.names.push(...this.#held([basename(path)]));
    } else this.#addStart({ path: directory, base: 0, depth: 0 }, "names", [basename(path)]);
  }

  #addExcluded(directory: PendingDirectory, { excluded, usual, skips }: WalkListing): void {
    const { rules: _, ...start } = directory;
    if (skips.worktrees > 0) this.#addStart(start);
    if (excluded.length > 0) this.#addStart(start, "only", excluded);
    if (usual.length > 0) {
      this.#addStart({ ...start, turn: PassTurn.UsuallyIgnored }, "only", usual);
    }
  }

  #addStart(start: PassStart, key?: "only" | "names", names: readonly string[] = [""]): void {
    const held = this.#held(names);
    if (held.length === 0) return;
    this.#report.excluded.push({ turn: PassTurn.Start, ...start, ...(key && { [key]: held }) });
  }

  /** The names for which there is room. */
  #held(names: readonly string[]): string[] {
    const held = names.slice(0, Math.max(0, MAX_EXCLUDED - this.#namesHeld));
    this.#namesHeld += names.length;
    if (held.length < names.length) this.#report.isExcludedCut = true;
    return held;
  }

  #addIgnored(prefix: string, depth: number, names: readonly string[]): void {
    for (const name of names) {
      keepTopmost(this.#report, { path: prefix + name, depth, isUsual: USUALLY_IGNORED.has(name) });
    }
  }
}

export function mergeReports(into: EngineReport, from: EngineReport): void {
  into.threads += from.threads;
  into.filesSearched += from.filesSearched;
  into.bytesSearched += from.bytesSearched;
  const known = from.vanishedIn.intersection(into.vanishedIn);
  for (const directory of from.vanishedIn) into.vanishedIn.add(directory);
  addSkips(into, { ...from.skipped, vanished: from.skipped.vanished - known.size });
  into.notSearched.push(...from.notSearched);
  for (const [kind, paths] of Object.entries(from.firstSkipped)) {
    keepFirst(into, kind as SkippedKind, paths);
  }
  into.archives += from.archives;
  into.links = firstByPath([...into.links, ...from.links], MAX_LINKS);
  for (const keys of from.filteredBy) into.filteredBy.add(keys);
  into.excluded.push(...from.excluded);
  into.isExcludedCut ||= from.isExcludedCut;
  addWorktrees(into, from.worktrees);
  addDirectories(into, from.directories, from.directoriesNamed);
  for (const kind of from.archiveKinds) into.archiveKinds.add(kind);
  into.gits += from.gits;
  addRules(into, from.blockedBy);
  for (const entry of from.ignored) keepTopmost(into, entry);
  into.notes.push(...from.notes);
}

function keepFirst(
  { firstSkipped }: EngineReport,
  kind: SkippedKind,
  paths: readonly string[],
): void {
  firstSkipped[kind] = firstByPath([...firstSkipped[kind] ?? [], ...paths], MAX_NAMED_FILES);
}

/** The first of some paths by their bytes. */
function firstByPath(paths: string[], most: number): string[] {
  return [...new Set(paths)].sort(compareByBytes).slice(0, most);
}

function addWorktrees(report: EngineReport, paths: readonly string[]): void {
  report.worktrees = firstByPath([...report.worktrees, ...paths], MAX_NAMED_WORKTREES);
}

/** Adds directories that a finder names, of which the first by path are kept. */
export function addDirectories(
  report: EngineReport,
  paths: readonly string[],
  count = paths.length,
): void {
  report.directoriesNamed += count;
  report.directories = firstByPath([...report.directories, ...paths], MAX_DIRECTORIES);
}

/** Adds an entry to those that are unusual and nearest to the base, in order. */
function keepTopmost({ ignored }: EngineReport, entry: IgnoredEntry): void {
  const order = (other: IgnoredEntry) =>
    Number(other.isUsual) - Number(entry.isUsual) || other.depth - entry.depth ||
    compareByBytes(other.path, entry.path);
  const at = ignored.findIndex((other) => order(other) >= 0);
  if (at < 0) ignored.push(entry);
  else if (order(ignored[at]!) !== 0) ignored.splice(at, 0, entry);
  if (ignored.length > MAX_NAMED_IGNORED) ignored.pop();
}

function addRules({ blockedBy }: EngineReport, rules: BlockedRules): void {
  for (const [key, by] of rules) if (blockedBy.size < MAX_BLOCKED_RULES) blockedBy.set(key, by);
}

function addSkips(into: EngineReport, skips: Partial<SkipCounts>): void {
  for (const [reason, count] of Object.entries(skips)) {
    into.skipped[reason as keyof SkipCounts] += count;
  }
}

/**
 * Leaves in a report only names, other than of links, that are proven to be where their paths say: the walk notes
 * what it meets. Where a name is gone, the innermost directory above it stands for it.
 */
export function proveNames(report: EngineReport, job: Pick<SearchJob, "walk" | "since">): void {
  const inPlaceAs = (names: readonly string[], kind?: "isDirectory") =>
    inPlace(names, job, (path) => {
      const entry = entryAt(path);
      return entry !== undefined && (kind === undefined || entry[kind]);
    });
  const placeNow = (path: string) => {
    let end = [UNDECODABLE_NAME, sep].find((end) => path.endsWith(end)) ?? "";
    for (let at = path.slice(0, path.length - end.length); at !== dirname(at); at = dirname(at)) {
      if (inPlaceAs([at], end === "" ? undefined : "isDirectory").length > 0) return at + end;
      end ||= sep;
    }
    return "";
  };
  const { firstSkipped, blockedBy } = report;
  for (const reason of NOTED) {
    firstSkipped[reason] &&= [...new Set(firstSkipped[reason].map(placeNow))];
  }
  report.worktrees = inPlaceAs(report.worktrees);
  report.directories = inPlaceAs(report.directories, "isDirectory");
  const ignored = new Set(inPlaceAs(report.ignored.map(({ path }) => path)));
  report.ignored = report.ignored.filter(({ path }) => ignored.has(path));
  const isInRoots = (file: string) => job.walk.allowedRoots.some((root) => isWithin(root, file));
  const ofRules = [...blockedBy.values()].flatMap(({ path, file = path }) => [path, file]);
  const proven = new Set(inPlaceAs(ofRules));
  for (const [key, { path, file = path }] of blockedBy) {
    if (!proven.has(path) || isInRoots(file) && !proven.has(file)) blockedBy.delete(key);
  }
}
