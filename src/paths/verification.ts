/**
 * Verifies that what was read is where its path says, inside the allowed roots. Whatever is renamed
 * or linked during a search, it shows nothing from elsewhere.
 *
 * Deno has no calls that work on an open directory: each call follows a path anew, and a directory on
 * the way may be replaced by another just for that call. Two proofs exclude this. The first holds for
 * many paths at once: no directory on the way has changed since before they were read. If that cannot be
 * shown, because something in the tree did change or Deno may not read above the root, the second checks
 * again and again, in random order, that the path leads where it should and still names the same thing.
 * An attacker would have to replace a directory in step with each of these calls.
 *
 * Everything that a walk or a reader finds passes through {@linkcode Proof} before it leaves the thread.
 *
 * @module
 */

import { entriesIfAny, infoAt, lstat, readDirectory, realPath } from "../system/files.ts";
import { isGranted, mayRead } from "../system/platform.ts";
import type { DirectoryEntries, DirEntry, FileInfo } from "../system/types.ts";
import { valueAt } from "../util/collections.ts";
import * as platform from "../util/path.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";

export type FileId = Pick<FileInfo, "dev" | "ino">;

/** The roots that must contain everything that is shown; plain data. */
export interface AllowedRoots {
  /** Canonical directories and files. */
  readonly allowedRoots: readonly string[];
  /** The identity of each when it was admitted; see {@linkcode identityOf}. */
  readonly identities: readonly (string | undefined)[];
}

/** A file or directory that was read by its path. */
export interface Evidence {
  readonly path: string;
  /** The directory that contains it; a directory that was listed is its own. */
  readonly directory: string;
  isSame(): boolean;
}

/** Deno truncates change times to seconds; file systems lag by some milliseconds. */
export const CHANGE_PRECISION_MS = 1100;

/**
 * Rounds of checks, by the number of items in one directory. With more items the directory is checked
 * more often in each round, and one difference rejects all of them.
 */
const ROUNDS: readonly { upTo: number; rounds: number; stride: number }[] = [
  { upTo: 3, rounds: 8, stride: 2 },
  { upTo: 15, rounds: 5, stride: 8 },
  { upTo: 255, rounds: 4, stride: 8 },
  { upTo: 1023, rounds: 2, stride: 32 },
  { upTo: Infinity, rounds: 1, stride: 32 },
];

/**
 * Identifies a file or directory for good. Inode numbers are reused, so the time of birth is included.
 * `undefined` on systems without inode numbers.
 */
export function identityOf(
  { dev, ino, birthtime }: FileId & Pick<FileInfo, "birthtime">,
): string | undefined {
  return ino === null ? undefined : `${dev}:${ino}:${birthtime?.getTime()}`;
}

/** The identity of what a path names; `""` if nothing, `undefined` if Deno would have to ask. */
export function identityAt(path: string): string | undefined {
  if (!mayRead(path)) return undefined;
  const info = infoAt(path);
  return info === undefined ? "" : identityOf(info);
}

/** Whether something is the file or directory with an id, and not a link to it. */
export function isIt(id: FileId, info: FileInfo | undefined): boolean {
  return info !== undefined && !info.isSymlink && id.dev === info.dev && id.ino === info.ino;
}

/** Whether a path lies where it says, in the allowed roots, and still names the same thing (`isSame`). */
export function isInWorkspace(
  path: string,
  allowedRoots: AllowedRoots,
  isSame: () => boolean,
): boolean {
  const root = rootOf(path, allowedRoots);
  return root !== undefined && holdInRounds([{ isSame }], path, root);
}

/**
 * The names of some that are proven to be in the roots, and are there still: an answer shows no others.
 *
 * @param since milliseconds since the epoch, before the first of them was read
 */
export function inPlace(
  names: readonly string[],
  { walk, since }: { walk: AllowedRoots; since: number },
  isThere: (path: string) => boolean = (path) => infoAt(path) !== undefined,
): string[] {
  const items = names.map((name) => {
    const directory = walk.allowedRoots.includes(name) ? name : platform.dirname(name);
    return { path: directory, directory, isSame: () => isThere(name), name };
  });
  const proven = new Set(verify(items, since, walk).proven.map(({ name }) => name));
  return names.filter((name) => proven.has(name) && isThere(name));
}

/** What is at a path, or is listed there where the path itself is denied, or no path. */
export function entryAt(path: string): Pick<DirEntry, "isDirectory" | "isSymlink"> | undefined {
  const name = platform.basename(path);
  return infoAt(path) ?? entriesIfAny(platform.dirname(path)).find((entry) => entry.name === name);
}

/**
 * Splits items into those that are proven to be where their paths say, and the others.
 *
 * @param since milliseconds since the epoch, before the first item was read
 * @param pulse beaten before a path is checked, which takes the square of its depth; what it throws ends
 * the verification
 */
export function verify<T extends Evidence>(
  items: readonly T[],
  since: number,
  allowedRoots: AllowedRoots,
  pulse: Pulse = ENDLESS,
): { proven: T[]; unproven: T[] } {
  const proven: T[] = [];
  const unproven: T[] = [];
  const directories = new Set(items.map(({ directory }) => directory));
  const proof = new StandstillProof(since, allowedRoots, directories);
  /** Items that are yet to be proven, by the path that is in doubt. */
  const doubtful = new Map<string, { root: Root; items: T[] }>();
  let directory: string | undefined;
  let doubt: string | undefined;
  for (const item of items) {
    if (item.directory !== directory) {
      directory = item.directory;
      doubt = proof.doubtAbout(directory);
    }
    if (doubt === undefined) {
      proven.push(item);
      continue;
    }
    const root = rootOf(item.path, allowedRoots);
    if (root === undefined) {
      unproven.push(item);
      continue;
    }
    valueAt(doubtful, doubt, () => ({ root, items: [] })).items.push(item);
  }
  for (const [path, { root, items }] of doubtful) {
    (holdInRounds(items, path, root, pulse) ? proven : unproven).push(...items);
  }
  return { proven, unproven };
}

interface Root {
  path: string;
  identity: string | undefined;
}

function rootOf(path: string, { allowedRoots, identities }: AllowedRoots): Root | undefined {
  const index = allowedRoots.findIndex((root) => platform.isWithin(root, path));
  return index < 0 ? undefined : { path: allowedRoots[index]!, identity: identities[index] };
}

/** Whether a path is canonical right now, and its root the same as before. */
function isInPlace(path: string, root: Root): boolean {
  try {
    if (realPath(path) !== path) return false;
    return root.identity === undefined || identityOf(lstat(root.path)) === root.identity;
  } catch {
    return false;
  }
}

/** Checks items and the path to them in turns; any difference rejects all of them. */
function holdInRounds(
  items: readonly Pick<Evidence, "isSame">[],
  path: string,
  root: Root,
  pulse: Pulse = ENDLESS,
): boolean {
  const { length } = items;
  const { rounds, stride } = ROUNDS.find(({ upTo }) => length <= upTo)!;
  // Intervals are random, so that nobody can replace directories in step with the checks.
  for (let round = 0; round < rounds; round++) {
    let untilPath = 0;
    const start = below(length);
    for (let step = 0; step < length; step++) {
      if (untilPath-- === 0) {
        pulse.beat(path.length);
        for (let check = below(2); check >= 0; check--) if (!isInPlace(path, root)) return false;
        untilPath = below(stride);
      }
      const item = items[(start + step) % length]!;
      for (let check = length > ROUNDS[0]!.upTo ? 0 : below(2); check >= 0; check--) {
        if (!item.isSame()) return false;
      }
    }
  }
  return isInPlace(path, root);
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}

/**
 * Proves for many directories at once that no name in them or on the way to them has changed since a
 * point in time. Then what was found by these names in the meantime is what they name.
 *
 * A directory's change time cannot be set back. It is updated when a name in the directory changes and
 * when the directory itself is renamed. So the name of a directory in its parent has not changed if
 * either of the two has not.
 */
export class StandstillProof {
  readonly #allowedRoots: AllowedRoots;
  /** A time of change up to this is that of a change before. */
  readonly #stillSince: number;
  /** The state of each directory: unchanged, changed, or not a directory. */
  readonly #found = new Map<string, "still" | "changed" | "none">();
  /** Whether a directory is in place, with no name on the way to it changed. */
  readonly #inPlace = new Map<string, boolean>();
  readonly #rootsInPlace = new Map<string, boolean>();

  /**
   * @param since milliseconds since the epoch
   * @param changePrecision milliseconds within which two changes may have one time of change
   */
  constructor(
    since: number,
    allowedRoots: AllowedRoots,
    directories: ReadonlySet<string>,
    changePrecision = CHANGE_PRECISION_MS,
  ) {
    this.#stillSince = since - changePrecision;
    this.#allowedRoots = allowedRoots;
    const paths = new Set<string>();
    const canLookAbove = isGranted({ name: "read" });
    for (const directory of directories) {
      const root = rootOf(directory, allowedRoots)?.path;
      if (root === undefined) continue;
      for (let path = directory; !paths.has(path); path = platform.dirname(path)) {
        paths.add(path);
        if (path === root && !canLookAbove) break;
      }
    }
    // The innermost first: what is found out about a directory holds if those above it have not changed
    // by the time that they are checked.
    for (const path of [...paths].sort((a, b) => b.length - a.length)) this.#check(path);
  }

  #check(path: string): void {
    this.#found.set(path, "none");
    try {
      const info = lstat(path);
      const { allowedRoots, identities } = this.#allowedRoots;
      const identity = identities[allowedRoots.indexOf(path)];
      if (!info.isDirectory || identity !== undefined && identity !== identityOf(info)) return;
      const isStill = info.ctime !== null && info.ctime.getTime() <= this.#stillSince;
      this.#found.set(path, isStill ? "still" : "changed");
    } catch {
      // It is gone, or may not be read.
    }
  }

  /**
   * The path that is not proven: nothing if no name in a directory or on the way to it has changed; the
   * root if only the way to the root is in doubt; else the directory itself.
   */
  doubtAbout(directory: string): string | undefined {
    const root = rootOf(directory, this.#allowedRoots)?.path;
    if (root === undefined) return directory;
    if (this.#found.get(directory) !== "still" || !this.#isInPlace(directory, root)) {
      return directory;
    }
    return this.isRootInPlace(root) ? undefined : root;
  }

  #isInPlace(directory: string, root: string): boolean {
    return valueAt(this.#inPlace, directory, () =>
      this.#found.get(directory) !== "none" &&
      (directory === root ||
        this.#isHeld(directory) && this.#isInPlace(platform.dirname(directory), root)));
  }

  /** Whether a directory has stayed in its parent. */
  #isHeld(directory: string): boolean {
    return this.#found.get(directory) === "still" ||
      this.#found.get(platform.dirname(directory)) === "still";
  }

  /** Whether no name on the way to a root has changed. */
  isRootInPlace(root: string): boolean {
    return valueAt(this.#rootsInPlace, root, () => {
      for (let path = root;; path = platform.dirname(path)) {
        if ((this.#found.get(path) ?? "none") === "none") return false;
        if (path === platform.dirname(path)) return true;
        if (!this.#isHeld(path)) return false;
      }
    });
  }
}

interface Finding extends Evidence {
  readonly accept: () => void;
  readonly reject: () => void;
}

const nothing = () => {};

/** Holds findings back until they are proven to be where their paths say, many at once. */
export class Proof {
  readonly #allowedRoots: AllowedRoots;
  readonly #since: number;
  readonly #pulse: Pulse;
  #findings: Finding[] = [];

  /** @param since milliseconds since the epoch, before any directory was listed */
  constructor(allowedRoots: AllowedRoots, since: number, pulse: Pulse = ENDLESS) {
    this.#allowedRoots = allowedRoots;
    this.#since = since;
    this.#pulse = pulse;
  }

  /**
   * Adds something found in a file: its path has to name that file still. Without an id, the path was
   * not accessible, and must still not be.
   */
  addFile(
    path: string,
    directory: string,
    id: FileId | undefined,
    accept: () => void,
    reject = nothing,
  ): void {
    // Of what is not accessible, only the directory can be shown to be in place.
    const [place, isSame] = id === undefined
      ? [directory, () => infoAt(path) === undefined]
      : [path, () => isIt(id, infoAt(path))];
    this.#findings.push({ path: place, directory, isSame, accept, reject });
  }

  /**
   * Adds something found among the names in a directory: it has to list them still. Without entries,
   * it could not be listed, and must still not be.
   */
  addListing(
    path: string,
    entries: DirectoryEntries | undefined,
    accept: () => void,
    reject = nothing,
  ): void {
    // What Deno denies can only be shown to be so in the directory above.
    const isDenied = entries === undefined && !mayRead(path);
    const directory = isDenied ? platform.dirname(path) : path;
    const isSame = () => listsTheSame(path, entries);
    this.#findings.push({ path: directory, directory, isSame, accept, reject });
  }

  /** How many findings are held back. */
  get pending(): number {
    return this.#findings.length;
  }

  /** Accepts the findings that are proven and rejects the rest; does neither if the pulse throws. */
  settle(): void {
    if (this.#findings.length === 0) return;
    const { proven, unproven } = verify(
      this.#findings,
      this.#since,
      this.#allowedRoots,
      this.#pulse,
    );
    this.#findings = [];
    for (const finding of proven) finding.accept();
    for (const finding of unproven) finding.reject();
  }

  abandon(): void {
    for (const finding of this.#findings.splice(0)) finding.reject();
  }
}

function listsTheSame(path: string, entries: DirectoryEntries | undefined): boolean {
  const listed = entries?.[Symbol.iterator]();
  try {
    for (const { name, isFile, isDirectory } of readDirectory(path)) {
      const known: DirEntry | undefined = listed?.next().value;
      if (known?.name !== name || known.isFile !== isFile || known.isDirectory !== isDirectory) {
        return false;
      }
    }
  } catch {
    return entries === undefined;
  }
  return listed?.next().done === true;
}
