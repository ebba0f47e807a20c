/**
 * Watches directory trees, so that what was found to be unchanged need not be asked about again.
 *
 * A change made before {@linkcode TreeWatch.trust} was called is in its answer, because the system
 * tells of changes in order: a file is made beside the trees, and when word of it comes, word of all
 * that was done before has come. A directory is watched from when the system's word of it is handled,
 * so nothing is trusted that was looked at before that. When word may have been lost, nothing is
 * trusted until it was looked at once more.
 *
 * @module
 */

import { PathgrepError } from "../errors.ts";
import * as platform from "../path.ts";
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
/** Attempts to find a moment in which no directory is made. */
const ROUNDS = 3;
/** So many changes are noted one by one. */
const MAX_CHANGES = 1000;
/** The system gives word of so many changes at once, and some more, before any can be lost. */
const MAX_BURST = 500;

/** A watch over some directories and all below them. */
export class TreeWatch {
  readonly #roots: readonly string[];
  readonly #scratch: string | undefined;
  #watcher: Deno.FsWatcher | undefined;
  /** Which directories the roots were when the watch began. */
  #ids: (string | undefined)[] = [];
  /** Where files are made to get word of them. */
  #directory = "";
  #isOpened = false;
  #problem: string | undefined;
  #epoch = 1;
  #changes: string[] = [];
  /** Words since the last file that was made, and since the one before it. */
  #burst = 0;
  #lastBurst = 0;
  /** Directories that were made or moved, so far. */
  #structure = 0;
  #made = 0;
  readonly #awaited = new Map<string, () => void>();

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

  /**
   * Begins to watch, the first time.
   *
   * @returns why nothing is watched, if that is so
   */
  open(): string | undefined {
    if (this.#isOpened) return this.#problem;
    this.#isOpened = true;
    try {
      this.#problem = this.#start();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.close();
    }
    return this.#problem;
  }

  /** What need not be looked at again now; nothing when that cannot be told. */
  async trust(): Promise<Trust | undefined> {
    if (this.#watcher !== undefined && !this.#areSameRoots()) {
      this.#problem = "another directory has taken the place of a root";
      this.close();
    }
    for (let round = 0; round < ROUNDS && this.#watcher !== undefined; round++) {
      const structure = this.#structure;
      if (!await this.#allWordHasCome()) {
        this.#forget();
        return undefined;
      }
      if (this.#structure === structure) {
        return { epoch: this.#epoch, changes: this.#changes.slice() };
      }
    }
    return undefined;
  }

  /** Whether the roots are still the directories that are watched. */
  #areSameRoots(): boolean {
    return this.#roots.every((root, index) => idOf(root) === this.#ids[index]);
  }

  /** Ends the watch. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    const directory = this.#directory;
    this.#directory = "";
    try {
      if (directory !== "") Deno.removeSync(directory, { recursive: true });
    } catch (error) {
      // Temporary directories are cleaned up by others as well.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #start(): string | undefined {
    if (Deno.build.os !== "linux") return "only Linux tells of changes in order";
    const write = this.#scratch === undefined
      ? { name: "write" } as const
      : { name: "write", path: this.#scratch } as const;
    if (Deno.permissions.querySync(write).state !== "granted") {
      return "a file has to be made outside of it at each search, which needs --allow-write";
    }
    // The system tells of it by its real path, and a link may lead into the workspace.
    this.#directory = Deno.realPathSync(Deno.makeTempDirSync({
      prefix: "pathgrep-",
      ...(this.#scratch === undefined ? {} : { dir: this.#scratch }),
    }));
    if (this.#isInRoot(this.#directory)) {
      this.close();
      return "its scratch directory lies in the workspace; give another one as scratch";
    }
    this.#ids = this.#roots.map(idOf);
    this.#watcher = Deno.watchFs([...this.#roots, this.#directory]);
    this.#listen(this.#watcher);
    return undefined;
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const event of watcher) this.#hear(event);
    } catch {
      this.close();
    }
  }

  #hear({ kind, paths, flag }: Deno.FsEvent): void {
    if (flag === "rescan" || ++this.#burst + this.#lastBurst > MAX_BURST) this.#forget();
    for (const path of paths) {
      if (isWithin(this.#directory, path)) {
        this.#awaited.get(path)?.();
      } else if (kind !== "access") {
        this.#changes.push(path);
        if (kind !== "modify" && kind !== "remove") this.#hearOfNew(path);
      }
    }
    if (this.#changes.length > MAX_CHANGES) this.#forget();
  }

  /** A directory is not watched yet, and a file may be known by another name. */
  #hearOfNew(path: string): void {
    try {
      const { isDirectory, nlink } = Deno.lstatSync(path);
      if (isDirectory) this.#structure++;
      if (isDirectory || nlink !== null && nlink > 1) this.#forget();
    } catch {
      // It is gone: what held it has changed.
    }
  }

  /** Trusts nothing that was found so far. */
  #forget(): void {
    this.#epoch++;
    this.#changes = [];
  }

  /** Waits until word of all changes made so far has come; `false` when it does not come. */
  async #allWordHasCome(): Promise<boolean> {
    const path = `${this.#directory}/${++this.#made}`;
    this.#lastBurst = this.#burst;
    this.#burst = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const word = new Promise<boolean>((resolve) => {
        this.#awaited.set(path, () => resolve(true));
        timer = setTimeout(() => resolve(false), WORD_MS);
      });
      try {
        Deno.openSync(path, { write: true, createNew: true }).close();
      } catch (error) {
        this.#problem = `no file can be made in scratch any more: ${(error as Error).message}`;
        this.close();
        return false;
      }
      const hasCome = await word;
      Deno.removeSync(path);
      return hasCome;
    } catch {
      return false; // closed
    } finally {
      clearTimeout(timer);
      this.#awaited.delete(path);
    }
  }
}

function idOf(path: string): string | undefined {
  try {
    const { dev, ino } = Deno.lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
