/**
 * The directories and file systems that a watch covers: where changes are reported, and those that it may have missed.
 *
 * @module
 */

import { CHANGE_PRECISION_MS, StandstillProof } from "../paths/verification.ts";
import {
  infoAt,
  makeTemporaryFile,
  openFile,
  readDirectory,
  readTextFile,
  realPath,
  removeFile,
  UndecodableNames,
} from "../system/files.ts";
import type { DirEntry, FileHandle, FileInfo } from "../system/types.ts";
import * as platform from "../util/path.ts";
import { Slices } from "../util/pulse.ts";

/**
 * File systems that only this system changes. A network file system, or one that a container or virtual
 * machine shares with its host, is also changed from elsewhere, without a report here.
 */
const LOCAL: ReadonlySet<string> = new Set(
  ("bcachefs btrfs ecryptfs erofs exfat ext2 ext3 ext4 f2fs iso9660 jfs msdos nilfs2 ntfs3 overlay " +
    "ramfs reiserfs squashfs tmpfs ubifs udf vfat xfs zfs").split(" "),
);

const MOUNT = /^(?:\S+ ){4}(?<place>\S+) .* - (?<type>\S+) /;

/**
 * The type of a file system of some canonical directories, or of one in them, whose changes are not
 * all reported; nothing if there is none, or Deno does not let us know.
 */
export function unreportedType(roots: readonly string[]): string | undefined {
  let mounts: { place: string; type: string }[];
  try {
    mounts = mountsIn(readTextFile("/proc/self/mountinfo"));
  } catch {
    return undefined; // it needs every permission
  }
  for (const root of roots) {
    // The last mount at a place is the one that is seen.
    const holders = mounts.filter(({ place }) => platform.isWithin(place, root));
    const holder = holders.toSorted((a, b) => a.place.length - b.place.length).at(-1);
    const inside = mounts.filter(({ place }) => platform.isWithin(root, place));
    for (const mount of [...inside, ...(holder === undefined ? [] : [holder])]) {
      if (!LOCAL.has(mount.type)) return mount.type;
    }
  }
  return undefined;
}

function mountsIn(table: string): { place: string; type: string }[] {
  return table.split("\n").flatMap((line) => {
    const { place, type } = MOUNT.exec(line)?.groups ?? {};
    if (place === undefined || type === undefined) return [];
    const unescaped = place.replace(
      /\\([0-7]{3})/g,
      (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return [{ place: unescaped, type }];
  });
}

/**
 * A file that is watched and then unlinked: nobody else can change it, and nothing is left behind
 * however the process ends.
 */
export class Marker {
  /** The canonical path that it had, by which its changes are reported. */
  readonly path: string;
  readonly #file: FileHandle;
  #isClosed = false;
  /** Whether a change is yet to be reported. */
  #isAwaited = true;
  #reported = Promise.withResolvers<boolean>();
  /** Whether the last change was reported. The first is the loss of its name. */
  #last: Promise<boolean> = this.#reported.promise;

  /** Makes the file in a directory; in the temporary one, if none is given. */
  constructor(directory: string | undefined) {
    const options = directory === undefined ? {} : { dir: directory };
    let path: string | undefined;
    try {
      path = makeTemporaryFile({ prefix: "pathgrep-", ...options });
      this.path = realPath(path);
      this.#file = openFile(this.path, { write: true });
    } catch (error) {
      if (path !== undefined) remove(path);
      throw new Error(`cannot create a file in scratch: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Unlinks the file; never throws, since that would hide why a watch could not start. */
  unlink(): void {
    remove(this.path);
  }

  /**
   * Changes the file once its last change was reported, since the system merges two at once. Resolves
   * to whether the change was reported; never, when the report was lost.
   */
  change(): Promise<boolean> {
    return this.#last = this.#last.then(() => this.touch()).catch(() => false);
  }

  /** Changes the file at once. Resolves to whether that was reported, or a change before it. */
  touch(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    if (!this.#isAwaited) this.#reported = Promise.withResolvers();
    this.#isAwaited = true;
    this.#file.utimeSync(0, 0);
    return this.#reported.promise;
  }

  hear(): void {
    this.#isAwaited = false;
    this.#reported.resolve(true);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reported.resolve(false);
    this.#file.close();
  }
}

function remove(path: string): void {
  try {
    removeFile(path);
  } catch {
    // It is gone with its directory.
  }
}

/**
 * Deno looks at a directory once for each segment of its path, and again at each of those, before it watches
 * it: 1,900 directories, each in the one before, blocked a process for over a minute. This many looks, at paths
 * deeper than any in common trees, take half a second.
 */
const MAX_LOOKS = 20_000_000;
const DEEP = 40;

/** Returns directories and all readable ones below them. */
export async function directoriesIn(roots: readonly string[]): Promise<Set<string>> {
  const directories = new Set<string>();
  const toList = [...roots];
  const slices = new Slices(roots[0]!);
  for (let path = toList.pop(); path !== undefined; path = toList.pop()) {
    if (directories.has(path)) continue;
    await slices.pause();
    let entries: Iterable<DirEntry>;
    try {
      entries = readDirectory(path);
    } catch {
      continue; // gone or unreadable: then nothing in it is cached
    }
    directories.add(path);
    const undecodable = new UndecodableNames();
    for (const entry of entries) {
      if (entry.isDirectory && undecodable.opens(path + platform.sep, entry)) {
        toList.push(platform.join(path, entry.name));
      }
    }
  }
  return directories;
}

/** Whether watching some directories would block the process for long, because of the length of their paths. */
export function areTooDeep(directories: ReadonlySet<string>): boolean {
  let looks = 0;
  for (const path of directories) {
    const depth = path.length > DEEP ? path.split(platform.sep).length : 0;
    if (depth > DEEP) looks += depth ** 2;
  }
  return looks > MAX_LOOKS;
}

/** Detects whether directories above some roots were swapped or became unreadable. */
export class DirectoriesAbove {
  readonly #roots: readonly string[];
  readonly #paths: readonly string[];
  readonly #changePrecision: number;
  /** Their last known state; nothing while a further change might go unnoticed. */
  #state: string | undefined;

  /** @param roots canonical directories */
  constructor(roots: readonly string[], changePrecision = CHANGE_PRECISION_MS) {
    this.#roots = roots;
    this.#changePrecision = changePrecision;
    const paths = new Set<string>();
    for (const root of roots) {
      let path = root;
      while (path !== platform.dirname(path)) paths.add(path = platform.dirname(path));
    }
    this.#paths = [...paths];
  }

  /**
   * Whether a directory may have become unreadable since the last call, if only for a moment: while
   * it is, Deno drops the reports of all changes below it. A name that changes in the directory
   * after that hides it. Looking further would cost a new watch for each name in, say, a home
   * directory.
   *
   * @param now milliseconds since the epoch
   */
  mayHaveBeenBarred(now = Date.now()): boolean {
    const before = this.#state;
    const settled = now - this.#changePrecision;
    let isSettled = true;
    const states = this.#paths.map((path) => {
      const info: Partial<FileInfo> = infoAt(path) ?? {};
      const { ino, mode, uid, gid, ctime, mtime } = info;
      const changed = ctime?.getTime() ?? Infinity;
      // A changed name sets both times.
      if (changed <= (mtime?.getTime() ?? 0)) return [ino, mode, uid, gid];
      isSettled &&= changed < settled;
      return [ino, mode, uid, gid, changed];
    });
    const state = JSON.stringify(states);
    this.#state = isSettled ? state : undefined;
    return state !== before;
  }

  /**
   * Whether the roots are the same directories as at a time in milliseconds since the epoch: a watch
   * is bound to what is at their paths.
   */
  areInPlaceSince(since: number): boolean {
    const allowedRoots = { allowedRoots: this.#roots, identities: [] };
    const roots = new Set(this.#roots);
    const proof = new StandstillProof(since, allowedRoots, roots, this.#changePrecision);
    return this.#roots.every((root) => proof.isRootInPlace(root));
  }
}
