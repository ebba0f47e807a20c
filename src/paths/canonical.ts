/**
 * Resolves paths to their canonical form: all symbolic links up to the deepest existing ancestor, and names as
 * their directories list them, since many file systems ignore letter case or Unicode normalization, also when
 * Linux mounts them.
 *
 * This follows the links itself, unlike `Deno.realPath`, because a link still leads somewhere if
 * its target does not exist, and that place has to be in the workspace.
 *
 * @module
 */

import {
  entriesIfAny,
  isLinkLoop,
  isNotPermitted,
  isPermissionDenied,
  isUndecodable,
  lstat,
  readLink,
  realPath,
} from "../system/files.ts";
import { IS_DENO, mayRead, OS, permissionStatus, READ_FLAG, RUNTIME } from "../system/platform.ts";
import type { FileInfo } from "../system/types.ts";
import { PathgrepError } from "../util/errors.ts";
import { valueAt } from "../util/collections.ts";
import * as platform from "../util/path.ts";
import { CHANGE_PRECISION_MS, identityAt, identityOf } from "./verification.ts";

/** Finds the names by which directories list their entries. Each directory is listed at most once. */
class ListedSpellings {
  readonly #listings = new Map<string, NameListing>();

  /**
   * The name by which a directory lists an entry.
   *
   * @param name a name by which the entry is found
   * @param identity of what was found, if it is known
   */
  of(directory: string, name: string, identity: string | undefined): string {
    if (!identity) return name;
    const isEntry = (other: string) => identityAt(platform.join(directory, other)) === identity;
    if (!SHORT_NAME.test(name) && !otherSpellings(name).some(isEntry)) return name;
    const listing = valueAt(this.#listings, directory, listingOf);
    // Where it is listed, the other spelling is another name of the same file.
    if (listing.names.has(name)) return name;
    // File systems fold more than JavaScript knows.
    return listing.likeIt(name).find(isEntry) ?? listing.identifiedBy(identity) ?? name;
  }
}

/** An absolute path without links, with the names that its directories list. Never makes Deno ask. */
export function listedPath(path: string): string {
  if (OS === "windows") return path; // Deno.realPath gives these names
  const listed = new ListedSpellings();
  return path.split("/").filter((name) => name !== "").reduce((directory, name) => {
    const identity = identityAt(platform.join(directory, name));
    return platform.join(directory, listed.of(directory, name, identity));
  }, "/");
}

/** A name that NTFS and FAT may make up for a longer one. */
const SHORT_NAME = /~\d/;

/** Listings of directories that may not have changed since, by path; few names need one. */
const cached = new Map<string, NameListing>();
let cachedNames = 0;
const MAX_CACHED_NAMES = 1 << 19;

/** The listing of a directory: many links may lead to names of one that takes long to list. */
function listingOf(directory: string): NameListing {
  const known = cached.get(directory);
  if (known?.isCurrent()) return known;
  const listing = new NameListing(directory);
  cachedNames += listing.names.size - (known?.names.size ?? 0);
  if (cachedNames > MAX_CACHED_NAMES) {
    cached.clear();
    cachedNames = listing.names.size;
  }
  cached.set(directory, listing);
  return listing;
}

class NameListing {
  readonly names: ReadonlySet<string>;
  readonly #directory: string;
  /** Changes with the directory; nothing if a change may go unnoticed. */
  readonly #version: string | undefined;
  #folded: Map<string, string[]> | undefined;
  #identified: Map<string | undefined, string> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#version = versionOf(directory, Date.now());
    this.names = new Set(entriesIfAny(directory).map(({ name }) => name));
  }

  isCurrent(): boolean {
    return this.#version !== undefined && this.#version === versionOf(this.#directory);
  }

  likeIt(name: string): readonly string[] {
    this.#folded ??= Map.groupBy(this.names, foldName);
    return this.#folded.get(foldName(name)) ?? [];
  }

  identifiedBy(identity: string): string | undefined {
    this.#identified ??= new Map(
      Array.from(this.names, (name) => [identityAt(platform.join(this.#directory, name)), name]),
    );
    return this.#identified.get(identity);
  }
}

/**
 * A text that changes with the names in a directory.
 *
 * @param since if it changed within the precision of its time before then, another change may not show
 */
function versionOf(directory: string, since = Infinity): string | undefined {
  if (!mayRead(directory)) return undefined;
  try {
    const info = lstat(directory);
    const changed = info.ctime?.getTime() ?? Infinity;
    return changed + CHANGE_PRECISION_MS > since
      ? undefined
      : `${identityOf(info)} ${changed} ${info.mtime?.getTime()}`;
  } catch {
    return undefined;
  }
}

/** Names that find the same entry if the file system equates names. */
function otherSpellings(name: string): string[] {
  const spellings = [name.normalize("NFC"), name.normalize("NFD"), ...inOtherCase(name)];
  return [...new Set(spellings)].filter((spelling) => spelling !== name);
}

/** Alphabets of which a file system folds all letters or none; of others, it may fold only some. */
const ALPHABETS = [/[A-Za-z]/g, /[Α-ΡΣ-Ωα-ρσ-ω]/g, /[А-Яа-я]/g];

/** Names of which one at least finds the entry where letter case does not count for it. */
function inOtherCase(name: string): string[] {
  const alphabet = ALPHABETS.find((letters) => name.search(letters) >= 0);
  if (alphabet !== undefined) return [name.replace(alphabet, swapCase)];
  const chars = [...name];
  return chars.map((char, index) => chars.with(index, swapCase(char)).join(""));
}

function swapCase(letter: string): string {
  const upper = letter.toUpperCase();
  return upper === letter ? letter.toLowerCase() : upper;
}

function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

/** The limit of Linux. */
const MAX_LINKS = 40;
/** How an error's hint begins when there is nothing at the end of the links. */
export const LOOP = "its symbolic links form a loop";
/** The most segments of a path and of the links on its way: a chain of links can have 80,000. */
const MAX_STEPS = 1024;

/** Where a path leads: to something that exists, or to where it would be. */
export type CanonicalPath =
  | { exists: true; path: string; info: FileInfo }
  | { exists: false; path: string };

/**
 * Follows a path to its canonical form: that of its deepest existing ancestor, with the rest appended
 * as given.
 *
 * Reveals nothing outside the trusted directories: a path there that cannot be read is treated as
 * missing. Never makes Deno ask for a permission there.
 *
 * @param path a normalized absolute path
 * @param trusted canonical directories in which failures are reported
 * @param isBarred places that no link may lead through: a path that gets there through a link, and
 * then meets another link or leaves by `..`, ends there as a missing path @default nowhere
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported` (a loop of links)
 */
export function canonicalPath(
  path: string,
  trusted: readonly string[],
  isBarred: (path: string) => boolean = () => false,
): CanonicalPath {
  return new LinkFollower(path, trusted, isBarred).follow();
}

/**
 * Follows one path, segment by segment.
 *
 * The order of the checks keeps a path from telling anything about places that it may not reach. `..`
 * is taken without a look at what it leaves; only the bar is asked, since where a link in a barred place
 * leads would show. Of any other segment, whether it lies outside is noted before it is looked up, so
 * that a link which leads out and back in is outside whatever it meets there. Next it is spelled as its
 * directory lists it, because the bar is about listed names. Then the bar is asked, before it counts
 * whether there is anything: a missing name and a link in a barred place have to look the same. Only
 * then does a missing segment end the path, and is a link read.
 */
class LinkFollower {
  readonly #path: string;
  readonly #trusted: readonly string[];
  readonly #isBarred: (path: string) => boolean;
  readonly #listed = new ListedSpellings();
  /** A path without links. */
  #current: string;
  /** The segments that are yet to be followed. */
  #pending: string[];
  /** What is at the current place, if that is known. */
  #info: FileInfo | undefined;
  #links = 0;
  #wasInside: boolean;
  /** The first path outside the trusted directories that a link led to. */
  #outside: string | undefined;

  constructor(path: string, trusted: readonly string[], isBarred: (path: string) => boolean) {
    this.#path = path;
    this.#trusted = trusted;
    this.#isBarred = isBarred;
    ({ current: this.#current, pending: this.#pending } = startingPoint(path, trusted));
    this.#wasInside = this.#isTrusted(this.#current);
  }

  follow(): CanonicalPath {
    for (let steps = 1; this.#pending.length > 0; steps++) {
      const segment = this.#pending.shift()!;
      if (steps > MAX_STEPS) return this.#givenUp(this.#current, "its symbolic links are too long");
      const end = segment === ".." ? this.#ascend() : this.#descend(segment);
      if (end !== undefined) return end;
    }
    const current = this.#current;
    const info = this.#info ??
      (this.#isElsewhere ? undefined : lookedUp(current, () => this.#isTrusted(current)));
    if (info === undefined) return this.#missing(current);
    // Windows knows files by short names, too.
    const spelling = OS === "windows" ? realPath(current) : current;
    return this.#confirmed({ exists: true, path: spelling, info });
  }

  /** Like `#descend`, returns the end of the path if this is it. */
  #ascend(): CanonicalPath | undefined {
    if (this.#isShut(this.#current)) return this.#missing(this.#current);
    this.#current = platform.dirname(this.#current);
    this.#info = undefined;
    return undefined;
  }

  #descend(segment: string): CanonicalPath | undefined {
    const { place, info } = this.#lookUp(segment);
    // Asking at each directory on the way would cost the square of its depth.
    if ((info === undefined || info.isSymlink) && this.#isShut(place)) {
      const up = this.#pending.indexOf("..");
      const rest = up < 0 ? this.#pending : this.#pending.slice(0, up);
      // The same path whatever there is.
      return this.#missing(platform.join(place, ...rest));
    }
    if (info === undefined) {
      const missing = platform.join(place, ...this.#pending);
      if (!this.#pending.includes("..")) return this.#missing(missing);
      // Above the missing directory there may be more links.
      this.#startAt(missing, []);
      return undefined;
    }
    if (info.isSymlink) return this.#followLink(place, segment);
    this.#current = place;
    this.#info = info;
    return undefined;
  }

  /** What is at the next segment, under the name that its directory lists. */
  #lookUp(segment: string): { place: string; info: FileInfo | undefined } {
    const place = platform.join(this.#current, segment);
    const isInside = this.#isTrusted(place);
    const isAbove = !isInside && this.#trusted.some((root) => platform.isWithin(place, root));
    if (this.#wasInside && !isInside && !isAbove) this.#outside ??= place;
    this.#wasInside ||= isInside;
    const isReported = () => isInside && !this.#isShut(place);
    const mayLook = isInside || !this.#isElsewhere && mayRead(place);
    const info = mayLook ? lookedUp(place, isReported, this.#pending) : undefined;
    if (!isInside || info === undefined) return { place, info };
    const name = this.#listed.of(this.#current, segment, identityOf(info));
    return { place: platform.join(this.#current, name), info };
  }

  #followLink(link: string, segment: string): CanonicalPath | undefined {
    const target = readTarget(link);
    if (target === UNDECODABLE) {
      return this.#givenUp(link, "a symbolic link on the way leads to a name that is not UTF-8");
    }
    if (++this.#links > MAX_LINKS) return this.#givenUp(link, LOOP);
    if (target === undefined) {
      this.#pending.unshift(segment); // replaced in the meantime: check again
    } else if (platform.isAbsolute(target)) {
      this.#startAt(target, this.#pending);
    } else {
      this.#pending.unshift(...segments(target));
      this.#info = undefined;
    }
    return undefined;
  }

  /** Goes on from an absolute path, and then by the segments after it. */
  #startAt(path: string, after: readonly string[]): void {
    const { current, pending } = startingPoint(path, this.#trusted);
    this.#current = current;
    this.#pending = [...pending, ...after];
    this.#info = undefined;
  }

  get #isElsewhere(): boolean {
    return isOnOtherShare(this.#current, this.#trusted);
  }

  #isTrusted(place: string): boolean {
    return this.#trusted.some((root) => platform.isWithin(root, place));
  }

  /** Whether a place is shut to links, and one has led here. */
  #isShut(place: string): boolean {
    return this.#links > 0 && this.#isTrusted(place) && this.#isBarred(place);
  }

  /** Ends at a place where following ends: with an error, if the place is not outside. */
  #givenUp(place: string, problem: string): CanonicalPath {
    if (!this.#isTrusted(place) || this.#outside !== undefined) {
      return { exists: false, path: this.#outside ?? place };
    }
    throw notAFile(this.#path, `${problem}; name the file or directory that was meant`);
  }

  #missing(path: string): CanonicalPath {
    return this.#confirmed({ exists: false, path });
  }

  /** A link that leads out and back in counts as outside: it would reveal what exists on the way. */
  #confirmed(canonical: CanonicalPath): CanonicalPath {
    return this.#outside !== undefined && this.#isTrusted(canonical.path)
      ? { exists: false, path: this.#outside }
      : canonical;
  }
}

/** Starts at a trusted directory if possible: Deno may not be allowed to read above it. */
function startingPoint(
  path: string,
  trusted: readonly string[],
): { current: string; pending: string[] } {
  const current = trusted.find((root) => isSpelledBelow(path, root)) ?? platform.parse(path).root;
  return { current, pending: segments(path.slice(current.length)) };
}

/** Whether a path is spelled below a directory; `..` is left to links. Windows ignores letter case. */
function isSpelledBelow(path: string, directory: string): boolean {
  const start = path.slice(0, directory.length);
  const isSame = start === directory ||
    platform.sep === "\\" && start.toLowerCase() === directory.toLowerCase();
  return isSame && (path.length === directory.length || path[directory.length] === platform.sep);
}

/** The server and share that a path of Windows is on, or a device. */
const SHARE = /^[\\/]{2}[^\\/]+[\\/]+[^\\/]*/u;

/** Whether a path is on a share on which nothing is trusted: to look there signs in to its server. */
function isOnOtherShare(path: string, trusted: readonly string[]): boolean {
  const share = platform.sep === "\\" ? SHARE.exec(path)?.[0] : undefined;
  return share !== undefined && !trusted.some((root) => platform.isWithin(share, root));
}

function segments(path: string): string[] {
  return path.split(platform.sep === "\\" ? /[\\/]/ : "/")
    .filter((part) => part !== "" && part !== ".");
}

/**
 * @param report whether a failure is an error, unless it is that nothing is there
 * @param below the segments that are yet to be followed, for errors
 */
function lookedUp(
  path: string,
  report: () => boolean,
  below: readonly string[] = [],
): FileInfo | undefined {
  try {
    return lstat(path);
  } catch (error) {
    // The `..` of a link may lead to a path that the caller did not write.
    const resolved = below.includes("..") ? path : platform.join(path, ...below);
    const failure = pathError(error, resolved, path);
    if (failure.code === "path_not_found" || !report()) return undefined;
    throw failure;
  }
}

/** Stands for a link's target that is not UTF-8, which Deno does not give. */
const UNDECODABLE = Symbol();

function readTarget(path: string): string | typeof UNDECODABLE | undefined {
  try {
    return readLink(path);
  } catch (error) {
    return isUndecodable(error) ? UNDECODABLE : undefined;
  }
}

function notAFile(path: string, hint?: string, options: ErrorOptions = {}): PathgrepError {
  const message = `Path is neither a file nor a directory: ${path}`;
  return new PathgrepError("path_unsupported", message, {
    resolved_path: path,
    ...(hint === undefined ? {} : { hint }),
  }, options);
}

/** The flag that denies a path: for the topmost denied directory above it, or for the path itself. */
function denialOf(path: string): string | undefined {
  let denied: string | undefined;
  for (let at = path;; at = platform.dirname(at)) {
    const isDenied = permissionStatus({ name: "read", path: at }).state === "denied";
    const isTop = at === platform.dirname(at);
    if (isDenied) denied = isTop ? "--deny-read" : `--deny-read=${at}`;
    if (!isDenied || isTop) return denied;
  }
}

/** The part of a path that `--allow-read` can name: to Deno, a comma always ends a path. */
export function grantable(path: string): string {
  let granted = path;
  while (granted.includes(",")) granted = platform.dirname(granted);
  return granted;
}

/**
 * The error for a path that does not exist, or that the operating system or the runtime denies.
 *
 * @param refused the path at which it failed, on the way to `resolved`
 */
export function pathError(error: unknown, resolved: string, refused = resolved): PathgrepError {
  const options = { cause: error };
  const denied = (reason: string, hint: string) => {
    const message = `Permission denied: ${resolved}${reason}`;
    return new PathgrepError(
      "path_access_denied",
      message,
      { resolved_path: resolved, hint },
      options,
    );
  };
  if (isNotPermitted(error)) {
    const denial = IS_DENO ? denialOf(refused) : undefined;
    if (denial !== undefined) {
      const hint = "search elsewhere; or start it again without that flag, or answer Deno's " +
        "question with yes if it asked one";
      return denied(` (Deno denies it: ${denial})`, hint);
    }
    const flag = `${READ_FLAG}=${IS_DENO ? grantable(refused) : refused}`;
    return denied(` (${RUNTIME} was started without ${flag})`, `start it again with ${flag}`);
  }
  if (isPermissionDenied(error)) {
    const hint = "the operating system refuses to read it; check the owner and mode of it and of " +
      "the directories above it";
    return denied("", hint);
  }
  if (isUndecodable(error)) {
    const hint = "it is, or leads to, a name that is not UTF-8; rename that";
    return notAFile(resolved, hint, options);
  }
  if (isLinkLoop(error)) return notAFile(resolved, undefined, options);
  const message = `Path does not exist: ${resolved}`;
  return new PathgrepError("path_not_found", message, { resolved_path: resolved }, options);
}
