/**
 * File systems whose changes the system reports.
 *
 * @module
 */

import { isWithin } from "../util/path.ts";
import { readTextFile } from "../system/files.ts";

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
    const holders = mounts.filter(({ place }) => isWithin(place, root));
    const holder = holders.toSorted((a, b) => a.place.length - b.place.length).at(-1);
    const inside = mounts.filter(({ place }) => isWithin(root, place));
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
