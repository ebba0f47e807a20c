/**
 * The sources of the rules of a directory: its rule files, and the repository that starts in it. What this
 * tracks git never ignores: that is read from its index once an ignore rule asks for one of them.
 *
 * @module
 */

import { EXCLUDE, type RuleText, type RuleTexts, type TrackedPaths } from "../glob/ignore_rules.ts";
import {
  type GitDirectories,
  gitDirectoriesOf,
  isExclusionFile,
  readExclusionFile,
  readPlainFile,
  readRuleFile,
} from "../exclusions/rule_file.ts";
import { CHANGE_PRECISION_MS } from "../paths/verification.ts";
import { infoAt } from "../system/files.ts";
import * as platform from "../util/path.ts";
import type { WalkOptions } from "./listing.ts";

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
class TrackedFiles implements TrackedPaths {
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
    const mayRead = this.#roots.some((root) => platform.isWithin(root, this.#file));
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
function fileState(file: string): string | undefined {
  const now = Date.now();
  const info = infoAt(file);
  if (info === undefined) return "none";
  const { dev, ino, size, mtime, ctime } = info;
  const [written, changed] = [mtime?.getTime() ?? now, ctime?.getTime() ?? now];
  const isSettled = written + WRITE_PRECISION_MS < now && changed + CHANGE_PRECISION_MS < now;
  return isSettled ? [dev, ino, size, written, changed].join() : undefined;
}

/** No system opens a longer path. */
const MAX_PATH_BYTES = 4096;
/** Names of version 4 are written as what they share with the one before: hostile ones would multiply. */
const MAX_NAME_BYTES = 1 << 26;

const SIGNATURE = 0x44495243; // "DIRC"
const HEADER_BYTES = 12;
/** Bytes of SHA-1 and of SHA-256: the index does not say which its repository uses. */
const HASH_BYTES = [20, 32] as const;
/** Where an entry has its mode, and its hash. */
const MODE_OFFSET = 24;
const HASH_OFFSET = 40;
const EXTENDED = 0x4000;
const TYPE_BITS = 0xf000;
const REGULAR_FILE = 0x8000;
/** An extension whose name begins in lower case changes what the entries mean. */
const LOWER_CASE = 0x20000000;
/** One of those: some entries are directories, with a slash at their ends. */
const SPARSE = 0x73646972; // "sdir"

const encoder = new TextEncoder();

export class GitIndex {
  /** The bytes of all paths, one after another, in their order. */
  readonly #names: Uint8Array;
  /** Where each begins, and the last one ends. */
  readonly #starts: Uint32Array;
  /** 1 for a link, a submodule, or a directory that is not checked out. */
  readonly #areOdd: Uint8Array;

  private constructor({ names, starts, areOdd }: IndexEntries) {
    this.#names = names;
    this.#starts = starts;
    this.#areOdd = areOdd;
  }

  /**
   * Reads an index of version 2, 3 or 4; nothing if it is broken, or partly in another file. Its
   * checksum does not count: git itself may leave it out.
   */
  static parse(bytes: Uint8Array): GitIndex | undefined {
    for (const hashBytes of HASH_BYTES) {
      try {
        const entries = readIndexEntries(bytes, hashBytes);
        if (entries !== undefined) return new GitIndex(entries);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error; // it ends too early
      }
    }
    return undefined;
  }

  /**
   * Whether it lists a file or, for a directory, something in it; the path is `/`-separated, from the
   * repository.
   */
  has(path: string, isDirectory: boolean): boolean {
    const name = encoder.encode(isDirectory ? `${path}/` : path);
    if (!isDirectory) return this.#isAt(this.#rankOf(name), name);
    if (this.#startsAt(this.#rankOf(name), name)) return true;
    const own = name.subarray(0, -1);
    const rank = this.#rankOf(own);
    return this.#isAt(rank, own) && this.#areOdd[rank] === 1;
  }

  equals(other: GitIndex): boolean {
    return areSameBytes(this.#names, other.#names) &&
      areSameBytes(this.#areOdd, other.#areOdd) &&
      areSameBytes(new Uint8Array(this.#starts.buffer), new Uint8Array(other.#starts.buffer));
  }

  /** How many paths come before a name. */
  #rankOf(name: Uint8Array): number {
    let low = 0;
    let high = this.#areOdd.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [start, end] = [this.#starts[middle]!, this.#starts[middle + 1]!];
      if (compareBytes(this.#names, start, end, name, 0, name.length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isAt(rank: number, name: Uint8Array): boolean {
    const length = this.#starts[rank + 1]! - this.#starts[rank]!;
    return length === name.length && this.#startsAt(rank, name);
  }

  #startsAt(rank: number, name: Uint8Array): boolean {
    if (rank >= this.#areOdd.length) return false;
    const start = this.#starts[rank]!;
    const end = Math.min(start + name.length, this.#starts[rank + 1]!);
    return compareBytes(this.#names, start, end, name, 0, name.length) === 0;
  }
}

interface IndexEntries {
  names: Uint8Array;
  starts: Uint32Array;
  areOdd: Uint8Array;
}

/** The entries if their hashes have a length; nothing if they do not, or the index cannot be read. */
function readIndexEntries(bytes: Uint8Array, hashBytes: number): IndexEntries | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (view.getUint32(0) !== SIGNATURE || version < 2 || version > 4) return undefined;
  const flagsOffset = HASH_OFFSET + hashBytes;
  if (count * (flagsOffset + 2) > bytes.length) return undefined;
  const starts = new Uint32Array(count + 1);
  const areOdd = new Uint8Array(count);
  const names = new OrderedNames(bytes);
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    areOdd[entry] = Number((view.getUint32(at + MODE_OFFSET) & TYPE_BITS) !== REGULAR_FILE);
    const isExtended = (view.getUint16(at + flagsOffset) & EXTENDED) !== 0;
    if (isExtended && version === 2) return undefined;
    const afterFlags = at + flagsOffset + (isExtended ? 4 : 2);
    const dropped = version === 4 ? readOffset(bytes, afterFlags) : undefined;
    const from = dropped?.next ?? afterFlags;
    const to = bytes.indexOf(0, from);
    starts[entry] = names.end;
    if (to < 0 || !names.add(dropped?.value, from, to)) return undefined;
    // Up to version 3, one to eight NULs make the length of an entry a multiple of eight.
    at = version === 4 ? to + 1 : at + ((to - at + 8) & ~7);
  }
  starts[count] = names.end;
  return at <= bytes.length - hashBytes && isWhole(view, at, bytes.length - hashBytes)
    ? { names: names.all, starts, areOdd }
    : undefined;
}

/** The names of an index, one after the other. Lookups depend on their order. */
class OrderedNames {
  readonly #index: Uint8Array;
  #bytes: Uint8Array;
  /** Where the last name begins. */
  #last = 0;
  end = 0;

  constructor(index: Uint8Array) {
    this.#index = index;
    this.#bytes = new Uint8Array(index.length);
  }

  get all(): Uint8Array {
    return this.#bytes.slice(0, this.end);
  }

  /**
   * Adds a name from the index.
   *
   * @param dropped how many bytes at the end of the last name it does not begin with @default all
   * @returns whether git writes such a name there
   */
  add(dropped: number | undefined, from: number, to: number): boolean {
    const { end } = this;
    const shared = dropped === undefined ? 0 : end - this.#last - dropped;
    const length = shared + to - from;
    if (shared < 0 || length === 0 || length > MAX_PATH_BYTES) return false;
    if (end + length > this.#bytes.length) {
      if (end + length > MAX_NAME_BYTES) return false;
      const larger = new Uint8Array(2 * (end + length));
      larger.set(this.#bytes.subarray(0, end));
      this.#bytes = larger;
    }
    const bytes = this.#bytes;
    bytes.copyWithin(end, this.#last, this.#last + shared);
    for (let i = from, out = end + shared; i < to; i++) bytes[out++] = this.#index[i]!;
    const isInOrder = compareBytes(bytes, this.#last, end, bytes, end, end + length) <= 0;
    this.#last = end;
    this.end += length;
    return isInOrder;
  }
}

/** A number as git writes offsets, seven bits to a byte; the first bit says that more follow. */
function readOffset(bytes: Uint8Array, at: number): { value: number; next: number } {
  let byte = bytes[at++]!;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && value <= MAX_PATH_BYTES) {
    byte = bytes[at++]!;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

/** Whether the extensions after the entries leave them what they are: a part may be in another file. */
function isWhole(view: DataView, at: number, end: number): boolean {
  while (at + 8 <= end) {
    const name = view.getUint32(at);
    if ((name & LOWER_CASE) !== 0 && name !== SPARSE) return false;
    at += 8 + view.getUint32(at + 4);
  }
  return at === end;
}

function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < length; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

function areSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return compareBytes(a, 0, a.length, b, 0, b.length) === 0;
}

export interface RuleSources {
  readonly texts: RuleTexts;
  /** The repository that begins there, with the path of its index if that may be read. */
  readonly repository?: {
    readonly index: string | undefined;
    readonly tracked: TrackedFiles | undefined;
  };
}

type RuleSourceOptions = Pick<WalkOptions, "allowedRoots" | "ignore" | "ignoresTracked"> & {
  /** Canonical directories from which exclusion files count. */
  readonly exclusionRoots: readonly string[];
  /** The names of those that count. */
  readonly files: readonly string[];
};

export class RuleSourceReader {
  readonly #options: RuleSourceOptions;
  readonly #isWithheld: (path: string) => boolean;
  #unsettled = 0;

  /** @param isWithheld whether the lines of a file must not be shown as rules */
  constructor(options: RuleSourceOptions, isWithheld: (path: string) => boolean) {
    this.#options = options;
    this.#isWithheld = isWithheld;
  }

  /** @param hasGit whether it holds a `.git` @default looks */
  read(directory: string, names: readonly string[], hasGit?: boolean): RuleSources {
    const { allowedRoots, exclusionRoots, files, ignore, ignoresTracked } = this.#options;
    const gitPath = platform.join(directory, ".git");
    const git = ignore && hasGit !== false ? infoAt(gitPath) : undefined;
    const elsewhere = git?.isFile ? this.#elsewhere(directory) : undefined;
    const texts: Record<string, RuleText> = {};
    for (const name of names) {
      if (!files.includes(name)) continue;
      const file = platform.join(directory, name);
      texts[name] = isExclusionFile(name)
        ? readExclusionFile(directory, name, exclusionRoots, this.#isWithheld)
        : readRuleFile(file, allowedRoots, this.#isWithheld, directory);
      if (name !== EXCLUDE || texts[name] !== undefined || elsewhere === undefined) continue;
      const exclude = platform.join(elsewhere.common, "info", "exclude");
      texts[exclude] = readRuleFile(exclude, allowedRoots, this.#isWithheld);
    }
    if (git === undefined) return { texts };
    if (ignoresTracked) return { texts, repository: { index: undefined, tracked: undefined } };
    const gitDirectory = git.isDirectory ? gitPath : elsewhere?.own;
    const index = gitDirectory && platform.join(gitDirectory, "index");
    const tracked = index === undefined ? undefined : new TrackedFiles(index, allowedRoots);
    return { texts, repository: { index, tracked } };
  }

  /** Where a file `.git` leads. Another directory may be blocked, and its lines would show as rules. */
  #elsewhere(directory: string): GitDirectories | undefined {
    const found = gitDirectoriesOf(directory, this.#options.allowedRoots);
    return found?.home === undefined || this.#isWithheld(found.home) ? undefined : found;
  }

  /** What changes with what a repository tracks. */
  stateOf({ repository }: RuleSources): string | undefined {
    const index = repository?.index;
    return index === undefined ? undefined : fileState(index) ?? `unsettled ${++this.#unsettled}`;
  }
}
