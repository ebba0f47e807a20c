/**
 * Watches directory trees, so that unchanged files and listings need no check.
 *
 * A change made before {@linkcode TreeWatch.trust} was called is in its answer, because the system
 * reports changes in order: a marker beside the trees is changed, and once that is reported, all earlier
 * changes have been. When there are new directories, all are watched anew, and nothing that was
 * checked before is trusted. The same goes when reports may have been lost.
 *
 * Each directory is watched by itself. `Deno.watchFs` with `recursive` follows links, even out of
 * the trees, and then reports changes under paths other than ours.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import * as platform from "../util/path.ts";
import { infoAt, isNotFound, watch } from "../system/files.ts";
import { IS_DENO, isGranted, mayRead, OS } from "../system/platform.ts";
import type { FileEvent, FileWatcher } from "../system/types.ts";
import { untilAborted, within } from "../util/pulse.ts";
import {
  areTooDeep,
  DirectoriesAbove,
  directoriesIn,
  Marker,
  unreportedType,
} from "./watched_directories.ts";

/** What needs no check: everything checked in this epoch, except what has changed. */
export interface Trust {
  /** Above 0, and grows; what was checked in an earlier one needs a check. */
  epoch: number;
  /** Paths that changed in this epoch, in order. */
  changes: readonly string[];
}

/** Milliseconds within which a change of the marker is reported. */
const REPORT_MS = 500;
/** Attempts to find a moment in which no directory is created or moved. */
const ROUNDS = 3;
const MAX_CHANGES = 1000;
/** The system can hold more reports than this before it loses any. */
const MAX_BURST = 500;
/** With more reports than this within that many milliseconds, no watch is restarted. */
const MAX_CALM = 50;
const CALM_MS = 20;
/** After names have changed above a root and in it, a watch cannot be proven for this long. */
const REST_MS = 1000;

/**
 * A watch over some directories and all below them.
 *
 * Deno merges all watches of a process into one, in which a directory has one path: the last one
 * that it was watched by. When a directory has moved, ending the watch by its old path also ends
 * the one by its new path. So there is one watch at a time, and it ends before the next one begins.
 */
export class TreeWatch {
  static #only: TreeWatch | undefined;
  /** Epochs of all watches: a watch does not trust what another one has checked. */
  static #epochs = 0;
  readonly #roots: readonly string[];
  readonly #scratch: string | undefined;
  readonly #waits: boolean;
  #watcher: FileWatcher | undefined;
  #marker: Marker | undefined;
  /** A second marker, which shows whether anything is reported when reports of the first may be lost. */
  #pulse: Marker | undefined;
  #state: "new" | "open" | "closed" = "new";
  /** Why nothing is watched, if that is so. */
  problem: string | undefined;
  #epoch = ++TreeWatch.#epochs;
  #changes: string[] = [];
  /** Reports since the last change of the marker, and between the two changes before. */
  #burst = 0;
  #heard = 0;
  #lastBurst = 0;
  readonly #above: DirectoriesAbove;
  #watched: ReadonlySet<string> = new Set();
  /** Whether there may be new ones by now. */
  #isOutgrown = true;
  /** When a watch may be restarted, on the `performance.now()` clock. */
  #restsUntil = 0;
  #listening: Promise<void> = Promise.resolve();
  /** Names that appeared since reports were last awaited, and before that. */
  #newNames = new Set<string>();
  #oldNames: ReadonlySet<string> = new Set();
  /** Names that were gone when they were reported. */
  readonly #unseen = new Set<string>();
  /**
   * Whether the system reports nothing: its thread opens what has changed, and waits at a named pipe.
   * `Deno.watchFs` would then wait for it, and the event loop with it.
   */
  static #isSilent = false;
  #watching: Promise<void> | undefined;

  /**
   * Creates a watch that has not begun.
   *
   * @param roots canonical paths of directories
   * @param scratch an existing directory outside of them, in which files are made and removed at once; if
   * none is given, a temporary one
   * @param waits whether a search waits until all directories are watched, which takes as long as to list
   * them; otherwise nothing is trusted until then
   * @param changePrecision milliseconds within which two changes may have one time of change
   * @throws {PathgrepError} `invalid_input` when `scratch` lies in a root
   */
  constructor(
    roots: readonly string[],
    scratch: string | undefined,
    waits: boolean,
    changePrecision?: number,
  ) {
    this.#roots = roots;
    this.#scratch = scratch;
    this.#waits = waits;
    this.#above = new DirectoriesAbove(roots, changePrecision);
    if (scratch !== undefined && this.#isInRoot(platform.resolve(scratch))) {
      throw new PathgrepError("invalid_input", `scratch must be outside the workspace: ${scratch}`);
    }
  }

  #isInRoot(path: string): boolean {
    return this.#roots.some((root) => platform.isWithin(root, path));
  }

  /**
   * Returns what needs no check now.
   *
   * @param allowedRoots where a search may look
   * @param signal ends the wait for the system's reports
   * @param deadline milliseconds since the epoch, which end it too
   * @returns nothing if that is not known, or the search may read what is not watched
   */
  async trust(
    allowedRoots: readonly string[],
    signal: AbortSignal,
    deadline: number,
  ): Promise<Trust | undefined> {
    if (!allowedRoots.every((path) => this.#isInRoot(path))) return undefined;
    if (TreeWatch.#isSilent || this.#state === "closed") return undefined;
    if (this.#above.mayHaveBeenBarred()) {
      this.#isOutgrown = true;
      this.#forget();
    }
    // Changes without pause are no reason to wait any longer: then all is checked.
    if (this.#watcher !== undefined) deadline = Math.min(deadline, Date.now() + REPORT_MS);
    const watching = this.watchAll();
    if (this.#isOutgrown && !this.#waits) return undefined;
    await inTime(watching, signal, deadline);
    const isOver = () => signal.aborted || Date.now() >= deadline;
    for (let round = 0; round < ROUNDS && this.#state === "open"; round++) {
      if (this.#isOutgrown) await inTime(this.watchAll(), signal, deadline);
      if (isOver()) return undefined;
      if (this.#isOutgrown) continue;
      if (!await this.#awaitReports(signal, deadline)) return undefined;
      if (!this.#isOutgrown) return { epoch: this.#epoch, changes: this.#changes.slice() };
    }
    return undefined;
  }

  /** Watches all directories there are. Resolves once that is done, or has turned out to be impossible. */
  async watchAll(): Promise<void> {
    if (this.#state === "new") await this.#attempt(() => this.#start());
    if (this.#state !== "open" || !this.#isOutgrown || performance.now() < this.#restsUntil) return;
    await (this.#watching ??= this.#restart());
  }

  /** Ends the watch if an action fails. */
  async #attempt(action: () => Promise<void> | void): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#end(refusalReason(error));
    }
  }

  #end(problem: string): void {
    this.problem ??= problem;
    this.close();
  }

  async #restart(): Promise<void> {
    const isFirst = this.#watcher === undefined;
    if (!isFirst && !await this.#isCalm()) {
      this.#watching = undefined;
      return;
    }
    const watcher = this.#watcher;
    this.#watcher = undefined;
    watcher?.close();
    this.#closeMarkers();
    await this.#listening;
    if (this.#state === "open") await this.#attempt(() => this.#watchDirectories());
    this.#watching = undefined;
  }

  /**
   * Whether there are few changes now. The system's thread does not respond while reports keep coming, and
   * Deno, and with it the event loop, waits for it to start or end a watch.
   */
  async #isCalm(): Promise<boolean> {
    if (!await this.#isReporting()) return false;
    const before = this.#heard;
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    return this.#heard - before <= MAX_CALM && await this.#isReporting();
  }

  /** Whether the system reports anything; see {@linkcode TreeWatch.#isSilent}. */
  async #isReporting(): Promise<boolean> {
    const isReported = await within(REPORT_MS, this.#pulse?.touch() ?? Promise.resolve(false));
    if (isReported === undefined) TreeWatch.#isSilent = true;
    return isReported ?? false;
  }

  async close(): Promise<void> {
    this.#state = "closed";
    if (this.#watcher !== undefined && !TreeWatch.#isSilent) await this.#isReporting();
    if (TreeWatch.#isSilent) {
      // To close it would wait for the system's thread; it is closed when that reports something again.
      this.#pulse?.touch();
      return;
    }
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#closeMarkers();
    await this.#watching;
    await this.#listening;
    if (TreeWatch.#only === this) TreeWatch.#only = undefined;
  }

  #closeMarkers(): void {
    this.#marker?.close();
    this.#pulse?.close();
  }

  #start(): void {
    if (!IS_DENO) return this.#end("only Deno reports changes in order; files are checked instead");
    if (OS !== "linux") return this.#end("only Linux reports changes in order");
    const write = this.#scratch === undefined
      ? { name: "write" } as const
      : { name: "write", path: this.#scratch } as const;
    if (!isGranted(write)) {
      return this.#end("it needs --allow-write to create a file outside the workspace");
    }
    if (!mayRead("/")) {
      return this.#end(
        "links that lead out of it are reported only with --allow-read for everything",
      );
    }
    if (TreeWatch.#only !== undefined) {
      return this.#end("another Searcher in this process already watches its workspace");
    }
    if (TreeWatch.#isSilent) return this.#end("the system reports no changes");
    const type = unreportedType(this.#roots);
    if (type !== undefined) {
      return this.#end(`a file system of type ${type} does not report all changes`);
    }
    TreeWatch.#only = this;
    this.#state = "open";
  }

  async #watchDirectories(): Promise<void> {
    const since = Date.now();
    this.#above.mayHaveBeenBarred(); // whatever was before
    const directories = await directoriesIn(this.#roots);
    if (this.#state !== "open") return;
    if (areTooDeep(directories)) return this.#end("its directories are nested too deeply");
    const marker = this.#marker = new Marker(this.#scratch);
    let pulse: Marker | undefined;
    let watcher: FileWatcher;
    try {
      pulse = this.#pulse = new Marker(this.#scratch);
      // A link may lead into the workspace.
      if (this.#isInRoot(marker.path)) {
        this.#end("its scratch directory is in the workspace; pass another one as scratch");
        return;
      }
      // Deno tries them in order at each change, up to the first that contains it. It compares a
      // change with where a link leads: without `/`, links out of the trees are not reported.
      const inOrder = new Set([marker.path, pulse.path, ...this.#roots, ...directories, "/"]);
      watcher = watch([...inOrder]);
    } catch (error) {
      if (isNotFound(error)) return; // gone since: the next round tries again
      throw error;
    } finally {
      marker.unlink();
      pulse?.unlink();
    }
    this.#watcher = watcher;
    this.#watched = directories;
    // Directories made since they were listed are not watched, and not reported.
    const present = await directoriesIn(this.#roots);
    if (watcher !== this.#watcher) return; // closed since
    const areInPlace = this.#above.areInPlaceSince(since);
    if (!areInPlace) this.#restsUntil = performance.now() + REST_MS;
    this.#isOutgrown = present.symmetricDifference(directories).size > 0 || !areInPlace;
    this.#forget();
    this.#listening = this.#listen(watcher);
  }

  async #listen(watcher: FileWatcher): Promise<void> {
    try {
      for await (const event of watcher) if (watcher === this.#watcher) this.#hear(event);
    } catch (error) {
      if (watcher === this.#watcher) this.#end(refusalReason(error));
    }
  }

  #hear({ kind, paths, flag }: FileEvent): void {
    if (TreeWatch.#isSilent) {
      TreeWatch.#isSilent = false;
      this.#isOutgrown = true;
      if (this.#state === "closed") return void this.close(); // now that it can be
    }
    this.#heard++;
    if (flag === "rescan" || ++this.#burst + this.#lastBurst > MAX_BURST) this.#forget();
    if (kind === "access") return;
    const [first, second] = paths;
    const marker = [this.#marker, this.#pulse].find((one) => one?.path === first);
    if (marker !== undefined) return marker.hear();
    this.#changes.push(...paths);
    // Reports for other watches of this process arrive here as well, also through links.
    const isOurs = (path: string) =>
      this.#watched.has(path) || this.#watched.has(platform.dirname(path));
    if (!paths.every(isOurs)) this.#forget();
    if (second !== undefined) this.#unseen.delete(first!); // what was there has come by another name
    else if (kind === "remove") this.#unseen.add(first!); // Deno says so of new paths that are gone, too
    else if (first !== undefined && kind === "modify") this.#hearOfOld(first);
    else if (first !== undefined) this.#hearOfNew(first);
    if (this.#changes.length > MAX_CHANGES) this.#forget();
  }

  /** Handles a change: while a directory was unreadable, changes below it were not reported. */
  #hearOfOld(path: string): void {
    if (!infoAt(path)?.isDirectory) return;
    if (!this.#watched.has(path)) this.#isOutgrown = true;
    this.#forget();
  }

  /** Handles a name that is new: it may be another name of a file, by which the file was changed. */
  #hearOfNew(path: string): void {
    const info = infoAt(path);
    if (info?.isDirectory) this.#isOutgrown = true;
    if (info === undefined) this.#unseen.add(path);
    // Nor is it known what was there if something else has replaced it.
    const isReplaced = this.#newNames.has(path) || this.#oldNames.has(path);
    if (isReplaced || info?.isFile && (info.nlink ?? 2) > 1) this.#forget();
    this.#newNames.add(path);
  }

  /** Starts an epoch: nothing that was checked before is trusted. */
  #forget(): void {
    this.#epoch = ++TreeWatch.#epochs;
    this.#changes = [];
    this.#unseen.clear();
    this.#newNames.clear();
  }

  /** Waits until all changes made so far are reported; `false` if that does not happen, or nobody waits. */
  async #awaitReports(signal: AbortSignal, deadline: number): Promise<boolean> {
    this.#lastBurst = this.#burst;
    this.#burst = 0;
    const left = deadline + 1 - Date.now(); // at the deadline itself there would still be time
    const change = this.#marker?.change() ?? Promise.resolve(false);
    const isReported = await within(
      Math.max(0, Math.min(REPORT_MS, left)),
      untilAborted(change, signal).catch(() => false),
    );
    // Or the report is late or lost: then the next change that is reported shows it.
    if (isReported === undefined && left >= REPORT_MS) TreeWatch.#isSilent = true;
    if (signal.aborted) return false;
    if (!isReported || this.#unseen.size > 0) this.#forget();
    if (!isReported) return false;
    this.#oldNames = this.#newNames;
    this.#newNames = new Set();
    return true;
  }
}

/** Why the system refused to watch, without the paths that it was about. */
function refusalReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/ about \[.*$/su, "");
}

/** Resolves with a promise, or when there is no time left for it. */
async function inTime(
  promise: Promise<void>,
  signal: AbortSignal,
  deadline: number,
): Promise<void> {
  const done = untilAborted(promise, signal).catch((error) => {
    if (!signal.aborted) throw error;
  });
  await within(Math.max(0, deadline - Date.now()), done);
}
