/**
 * The files that a repository tracks, read from its index once an ignore rule asks for one of them.
 *
 * @module
 */

import type { TrackedPaths } from "../glob/ignore_rules.ts";
import { infoAt } from "../system/files.ts";
import { GitIndex } from "./git_index.ts";
import { isWithin } from "../paths/paths.ts";
import { readPlainFile } from "../paths/rule_file.ts";
import { CHANGE_PRECISION_MS } from "../paths/verification.ts";

/** The index of half a million files. In a larger repository every ignore rule counts. */
const MAX_INDEX_BYTES = 1 << 26;
/** File systems lag by some milliseconds. */
const WRITE_PRECISION_MS = 20;

interface ReadIndex {
  file: string;
  state: string;
  index: GitIndex;
}

/** The last one, as long as someone has it: the search for the reasons of an empty answer walks anew. */
let lastRead: WeakRef<ReadIndex> | undefined;

/** What a repository tracks; nothing if its index is missing, broken or too large. */
export class TrackedFiles implements TrackedPaths {
  readonly #file: string;
  readonly #roots: readonly string[];
  /** The state of the file that was read; nothing while a further change might go unnoticed. */
  #state: string | undefined;
  /** `null`: it was asked for, and there is none. */
  #index: GitIndex | null | undefined;
  /** Keeps {@linkcode lastRead} while this is in use. */
  #last: ReadIndex | undefined;

  /** @param roots canonical directories outside of which the index is not read */
  constructor(file: string, roots: readonly string[]) {
    this.#file = file;
    this.#roots = roots;
  }

  has(path: string, isDirectory: boolean): boolean {
    if (this.#index === undefined) this.#read();
    return this.#index?.has(path, isDirectory) ?? false;
  }

  /** Whether all its answers still hold: the files are the same, or nothing was asked yet. */
  isCurrent(): boolean {
    const before = this.#index;
    if (before === undefined) return true;
    if (this.#state !== undefined && fileState(this.#file) === this.#state) return true;
    this.#read();
    const now = this.#index;
    return before === null || now === null || now === undefined
      ? before === now
      : before.equals(now);
  }

  #read(): void {
    this.#state = fileState(this.#file);
    // Another workspace may have read files outside of this one.
    const mayRead = this.#roots.some((root) => isWithin(root, this.#file));
    const known = mayRead ? lastRead?.deref() : undefined;
    if (known?.file === this.#file && known.state === this.#state) {
      this.#last = known;
      this.#index = known.index;
      return;
    }
    const bytes = readPlainFile(this.#file, this.#roots, MAX_INDEX_BYTES);
    const index = bytes && GitIndex.parse(bytes);
    this.#index = index ?? null;
    if (index === undefined || this.#state === undefined) return;
    this.#last = { file: this.#file, state: this.#state, index };
    lastRead = new WeakRef(this.#last);
  }
}

/** Distinguishes a file from itself after a change; nothing while the times might be the same. */
export function fileState(file: string): string | undefined {
  const now = Date.now();
  const info = infoAt(file);
  if (info === undefined) return "none";
  const { dev, ino, size, mtime, ctime } = info;
  const [written, changed] = [mtime?.getTime() ?? now, ctime?.getTime() ?? now];
  const isSettled = written + WRITE_PRECISION_MS < now && changed + CHANGE_PRECISION_MS < now;
  return isSettled ? [dev, ino, size, written, changed].join() : undefined;
}
