/**
 * Watches directory trees, so that what was found to be unchanged need not be asked about again.
 *
 * A change made before {@linkcode TreeWatch.trust} was called is in its answer, because the system
 * tells of changes in order: a file is made beside the trees, and when word of it comes, word of all
 * that was done before has come. When there are new directories, all are watched anew, and nothing is
 * trusted that was looked at before that; nor is it when word may have been lost.
 *
 * Each directory is watched by itself. `Deno.watchFs` with `recursive` follows links: out of the trees,
 * and to where changes are told by other paths than ours.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import * as platform from "../util/path.ts";
import { isWithin } from "../workspace/paths.ts";

/** What need not be looked at again: all that was looked at in this epoch, but for what has changed. */
export interface Trust {
  /** Counts from 1; what was found in an earlier one has to be looked at again. */
  epoch: number;
  /** Paths of which something changed in this epoch, in order. */
  changes: readonly string[];
}

/** Word of a file that was made is waited for so many milliseconds. */
const WORD_MS = 500;
/** Attempts to find a moment in which no directory is made or moved. */
const ROUNDS = 3;
/** So many changes are noted one by one. */
const MAX_CHANGES = 1000;
/** The system gives word of so many changes at once, and some more, before any can be lost. */
const MAX_BURST = 500;

/**
 * A watch over some directories and all below them.
 *
 * Deno makes one of all watches of a process, in which a directory has one path, the last one that it
 * was watched by; when it has moved, the end of a watch by its old path ends that by its new one. So
 * there is one at a time, and it ends before it begins anew.
 */
export class TreeWatch {
  static #only: TreeWatch | undefined;
  readonly #roots: readonly string[];
  readonly #scratch: string | undefined;
  #watcher: Deno.FsWatcher | undefined;
  /** Which directories the roots were when the watch began. */
  #ids: (string | undefined)[] = [];
  /** Where files are made to get word of them. */
  #directory = "";
  #state: "new" | "open" | "closed" = "new";
  #problem: string | undefined;
  #epoch = 1;
  #changes: string[] = [];
  /** Words since the last file that was made, and since the one before it. */
  #burst = 0;
  #lastBurst = 0;
  /** The directories that are watched. */
  #watched: ReadonlySet<string> = new Set();
  /** Whether there are others by now. */
  #isOutgrown = true;
  /** Ends when the watcher does. */
  #listening: Promise<void> = Promise.resolve();
  /** Names that came since word was last waited for, and before that. */
  #newNames = new Set<string>();
  #oldNames: ReadonlySet<string> = new Set();
  /** Names that were gone when word of them came. */
  readonly #unseen = new Set<string>();
  /** Under way to watch all directories there are. */
  #watching: Promise<void> | undefined;
  #made = 0;
  readonly #awaited = new Map<string, (hasCome: boolean) => void>();

  /**
   * A watch that has not begun.
   *
   * @param roots canonical paths of directories
   * @param scratch an existing directory outside of them, in which files are made and removed
   * @default a temporary directory
   * @throws {PathgrepError} `invalid_input` when `scratch` lies in a root
   */
  constructor(roots: readonly string[], scratch?: string) {
    this.#roots = roots;
    this.#scratch = scratch;
    if (scratch !== undefined && this.#isInRoot(platform.resolve(scratch))) {
      throw new PathgrepError("invalid_input", `scratch must be outside the workspace: ${scratch}`);
    }
  }

  #isInRoot(path: string): boolean {
    return this.#roots.some((root) => isWithin(root, path));
  }

  /** Why nothing is watched, if that is so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * What need not be looked at again now.
   *
   * @param confines where a search may look
   * @param signal ends the waiting for the system's word
   * @param deadline milliseconds since the epoch, which end it too
   * @returns nothing when that cannot be told, or the search may look at what is not watched
   */
  async trust(
    confines: readonly string[],
    signal: AbortSignal,
    deadline: number,
  ): Promise<Trust | undefined> {
    if (!confines.every((path) => this.#isInRoot(path))) return undefined;
    if (this.#state === "new") this.#attempt(() => this.#start());
    if (this.#state === "open" && !this.#areSameRoots()) {
      this.#end("another directory has taken the place of a root");
    }
    for (let round = 0; round < ROUNDS && this.#state === "open"; round++) {
      if (this.#isOutgrown) await (this.#watching ??= this.#watchAnew());
      if (this.#isOutgrown) continue;
      const hasCome = await this.#allWordHasCome(signal, deadline);
      if (signal.aborted) return undefined;
      if (!hasCome || this.#unseen.size > 0) this.#forget();
      if (!hasCome) return undefined;
      this.#oldNames = this.#newNames;
      this.#newNames = new Set();
      if (!this.#isOutgrown) return { epoch: this.#epoch, changes: this.#changes.slice() };
    }
    return undefined;
  }

  /** Ends the watch where that fails. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#end(reasonOf(error));
    }
  }

  #end(problem: string): void {
    this.#problem ??= problem;
    this.close();
  }

  async #watchAnew(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    watcher?.close();
    for (const tell of this.#awaited.values()) tell(false);
    await this.#listening;
    if (this.#state === "open") this.#attempt(() => this.#watchAll());
    this.#watching = undefined;
  }

  /** Whether the roots are still the directories that are watched. */
  #areSameRoots(): boolean {
    return this.#roots.every((root, index) => idOf(root) === this.#ids[index]);
  }

  /** Ends the watch. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#removeScratch();
    await this.#listening;
    if (TreeWatch.#only === this) TreeWatch.#only = undefined;
  }

  #removeScratch(): void {
    const directory = this.#directory;
    this.#directory = "";
    try {
      if (directory !== "") Deno.removeSync(directory, { recursive: true });
    } catch {
      // Temporary directories are cleaned up by others as well.
    }
  }

  #start(): void {
    if (Deno.build.os !== "linux") return this.#end("only Linux tells of changes in order");
    const write = this.#scratch === undefined
      ? { name: "write" } as const
      : { name: "write", path: this.#scratch } as const;
    if (Deno.permissions.querySync(write).state !== "granted") {
      return this.#end(
        "a file has to be made outside of it at each search, which needs --allow-write",
      );
    }
    // The system tells of it by its real path, and a link may lead into the workspace.
    this.#directory = Deno.realPathSync(Deno.makeTempDirSync({
      prefix: "pathgrep-",
      ...(this.#scratch === undefined ? {} : { dir: this.#scratch }),
    }));
    if (this.#isInRoot(this.#directory)) {
      return this.#end("its scratch directory lies in the workspace; give another one as scratch");
    }
    if (TreeWatch.#only !== undefined) {
      return this.#end("another searcher of this process watches its workspace already");
    }
    TreeWatch.#only = this;
    this.#ids = this.#roots.map(idOf);
    this.#state = "open";
    this.#watchAll();
  }

  /** Watches every directory that there is, instead of those that are watched so far. */
  #watchAll(): void {
    const directories = directoriesIn(this.#roots);
    let watcher: Deno.FsWatcher;
    try {
      // Deno goes through them at each change, up to the first that holds it.
      const inOrder = new Set([this.#directory, ...this.#roots, ...directories]);
      watcher = Deno.watchFs([...inOrder], { recursive: false });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return; // gone since: the next round tries again
      throw error;
    }
    this.#watcher = watcher;
    this.#watched = directories;
    // What was made since they were listed is not watched, and nobody tells of it.
    this.#isOutgrown = directoriesIn(this.#roots).symmetricDifference(directories).size > 0;
    this.#forget();
    this.#listening = this.#listen(watcher);
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const event of watcher) if (watcher === this.#watcher) this.#hear(event);
    } catch (error) {
      if (watcher === this.#watcher) this.#end(reasonOf(error));
    }
  }

  #hear({ kind, paths, flag }: Deno.FsEvent): void {
    if (flag === "rescan" || ++this.#burst + this.#lastBurst > MAX_BURST) this.#forget();
    if (kind === "access") return;
    const [first, second] = paths;
    if (first !== undefined && isWithin(this.#directory, first)) {
      return this.#awaited.get(first)?.(true);
    }
    this.#changes.push(...paths);
    // Word of what others watch comes too, by links as well.
    const isOurs = (path: string) =>
      this.#watched.has(path) || this.#watched.has(platform.dirname(path));
    if (!paths.every(isOurs)) this.#forget();
    if (second !== undefined) this.#unseen.delete(first!); // what was there has come by another name
    else if (kind === "remove") this.#unseen.add(first!); // so Deno calls all that is gone, new or not
    else if (first !== undefined) {
      const info = infoOf(first);
      if (info?.isDirectory && (kind !== "modify" || !this.#watched.has(first))) {
        this.#isOutgrown = true;
      }
      if (kind !== "modify") this.#hearOfNew(first, info);
    }
    if (this.#changes.length > MAX_CHANGES) this.#forget();
  }

  /** It may be another name of a file, by which that was changed. */
  #hearOfNew(path: string, info: Deno.FileInfo | undefined): void {
    if (info === undefined) this.#unseen.add(path);
    // Nor is it told what it was if something else has come in its place.
    const isReplaced = this.#newNames.has(path) || this.#oldNames.has(path);
    if (isReplaced || info?.isFile && (info.nlink ?? 2) > 1) this.#forget();
    this.#newNames.add(path);
  }

  /** Trusts nothing that was found so far. */
  #forget(): void {
    this.#epoch++;
    this.#changes = [];
    this.#unseen.clear();
    this.#newNames.clear();
  }

  /** Waits until word of all changes made so far has come; `false` when it does not come. */
  async #allWordHasCome(signal: AbortSignal, deadline: number): Promise<boolean> {
    const path = `${this.#directory}/${++this.#made}`;
    this.#lastBurst = this.#burst;
    this.#burst = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => this.#awaited.get(path)?.(false);
    try {
      const word = new Promise<boolean>((resolve) => {
        this.#awaited.set(path, resolve);
        // At the deadline itself there would still be time.
        timer = setTimeout(giveUp, Math.min(WORD_MS, deadline + 1 - Date.now()));
        signal.addEventListener("abort", giveUp);
      });
      try {
        Deno.openSync(path, { write: true, createNew: true }).close();
      } catch (error) {
        this.#end(`no file can be made in scratch any more: ${(error as Error).message}`);
        return false;
      }
      const hasCome = await word;
      Deno.removeSync(path);
      return hasCome;
    } catch {
      return false; // closed
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      this.#awaited.delete(path);
    }
  }
}

/** Directories and all below them, as far as they can be read. */
function directoriesIn(roots: readonly string[]): Set<string> {
  const directories = new Set<string>();
  const toList = [...roots];
  for (let path = toList.pop(); path !== undefined; path = toList.pop()) {
    if (directories.has(path)) continue;
    let entries: Iterable<Deno.DirEntry>;
    try {
      entries = Deno.readDirSync(path);
    } catch {
      continue; // gone, or not to be read: then nothing in it is kept
    }
    directories.add(path);
    for (const { name, isDirectory } of entries) {
      if (isDirectory) toList.push(platform.join(path, name));
    }
  }
  return directories;
}

/** Why the system refused to watch, without the paths that it was about. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/ about \[.*$/su, "");
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

function idOf(path: string): string | undefined {
  const info = infoOf(path);
  return info && `${info.dev}:${info.ino}`;
}
