/**
 * Caches the entries of directories between searches, with what walks derive from them.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { CHECKS_ALL, Fingerprint, type SearchTrust } from "./file_cache.ts";
import { SETTINGS_FILES } from "../glob/ignore_rules.ts";
import { Directories, type Entries } from "../walk/directories.ts";
import type { DirectoryRules } from "../walk/listing.ts";
import type { RuleSources } from "../walk/rule_sources.ts";
import { CHANGE_PRECISION_MS } from "../paths/verification.ts";
import { lstat } from "../system/files.ts";
import type { DirectoryEntries, DirEntry } from "../system/types.ts";

/** The list of the files that a git repository tracks. */
const INDEX = ".git/index";
/** How the path of that list ends, and that of a repository's exclude file. */
const INDEX_END = platform.join(platform.sep, ".git", "index");
const EXCLUDE_END = platform.join(platform.sep, ".git", "info", "exclude");

/** Approximate bytes of a cached directory and of each of its entries. */
const DIRECTORY_BYTES = 1000;
const ENTRY_BYTES = 56;
/** The most results that are cached by name. */
const MAX_NAMED = 1000;

interface Derived {
  inputs: readonly unknown[];
  result: unknown;
}

/** A directory as it was listed; a changed directory gets a new object. */
class CachedDirectory implements Entries {
  readonly entries: DirectoryEntries;
  readonly ruleFiles: readonly string[];
  readonly hasGit: boolean;
  readonly hasGitFile: boolean;
  readonly path: string;
  readonly identity: Fingerprint;
  /** The epoch in which it was checked last. */
  epoch = 0;
  /** Whether its entries are proven to be those of the directory. */
  isProven = false;
  /** What a walk derived from its rule files, and the epoch in which they need not be read again. */
  ruled?: {
    inherited: DirectoryRules;
    sources: RuleSources;
    rules: DirectoryRules;
    epoch: number;
  };

  derived?: Derived;

  constructor(path: string, identity: Fingerprint, { entries, ...found }: Entries) {
    this.path = path;
    this.identity = identity;
    this.entries = new CompactEntries(entries);
    this.ruleFiles = found.ruleFiles;
    this.hasGit = found.hasGit;
    this.hasGitFile = found.hasGitFile;
  }
}

/** Caches directories; each is checked against the disk before use. */
export class DirectoryCache extends Directories {
  readonly #cached = new Map<string, CachedDirectory>();
  readonly #named = new Map<string, Derived>();
  readonly #maxBytes: number;
  readonly #changePrecision: number;
  #bytes = 0;
  #trust: SearchTrust = CHECKS_ALL;

  constructor(maxBytes: number, changePrecision = CHANGE_PRECISION_MS) {
    super();
    this.#maxBytes = maxBytes;
    this.#changePrecision = changePrecision;
  }

  begin(trust: SearchTrust): void {
    this.#trust = trust;
  }

  /** Drops what a changed path affects: its listing, its parent's, and that of a repository whose rules it holds. */
  drop(path: string): void {
    this.#delete(path);
    this.#delete(platform.dirname(path));
    if (path.endsWith(EXCLUDE_END)) this.#delete(path.slice(0, -EXCLUDE_END.length));
    // git writes it often, mostly with the same paths: the next search compares them before the rules, and
    // all that is cached of the repository, are made anew.
    if (path.endsWith(INDEX_END)) {
      const ruled = this.#cached.get(path.slice(0, -INDEX_END.length))?.ruled;
      if (ruled !== undefined) ruled.epoch = 0;
    }
  }

  #delete(path: string): void {
    const cached = this.#cached.get(path);
    if (cached === undefined) return;
    this.#cached.delete(path);
    this.#bytes -= bytesOf(cached);
  }

  /** @throws what `lstat` and `readDirectory` throw */
  override entriesOf(path: string): Entries {
    const now = Date.now();
    const cached = this.#cached.get(path);
    if (cached !== undefined && this.#isTrusted(cached)) return cached;
    const info = lstat(path);
    if (cached?.isProven && cached.identity.isSame(info)) {
      if (this.#trust.epoch !== 0) this.#prove(cached);
      return cached;
    }
    this.#delete(path);
    const listed = super.entriesOf(path);
    const identity = new Fingerprint(info);
    const total = this.#bytes + bytesOf(listed);
    const isStable = info.isDirectory && identity.isStable(now, this.#changePrecision);
    if (!isStable || total > this.#maxBytes) return listed;
    const added = new CachedDirectory(path, identity, listed);
    this.#cached.set(path, added);
    this.#bytes = total;
    this.#prove(added);
    return added;
  }

  #isTrusted({ isProven, epoch }: CachedDirectory): boolean {
    return isProven && epoch !== 0 && epoch === this.#trust.epoch;
  }

  /** Uses a listing after the end of the search if it is proven to be that of the directory. */
  #prove(cached: CachedDirectory): void {
    const { epoch, proof } = this.#trust;
    const accept = () => {
      cached.isProven = true;
      cached.epoch = epoch;
    };
    const reject = () => {
      if (this.#cached.get(cached.path) === cached && !cached.isProven) this.#delete(cached.path);
    };
    proof.addListing(cached.path, cached.entries, accept, reject);
  }

  override rulesOf(
    ...[found, inherited, read, extend]: Parameters<Directories["rulesOf"]>
  ): DirectoryRules {
    if (!(found instanceof CachedDirectory)) return extend(read());
    const { epoch } = this.#trust;
    const ruled = found.ruled?.inherited === inherited ? found.ruled : undefined;
    if (ruled !== undefined && this.#isTrusted(found) && ruled.epoch === epoch) return ruled.rules;
    const sources = read();
    const isSame = ruled !== undefined && saySame(ruled.sources, sources);
    // A change is reported by one of its names only.
    const isReported = epoch !== 0 && !found.hasGitFile &&
      [...found.ruleFiles, INDEX].every((name) => hasOneName(found.path, name)) &&
      !readsElsewhere(found, sources);
    found.ruled = {
      inherited,
      sources: isSame ? ruled.sources : sources,
      rules: isSame ? ruled.rules : extend(sources),
      epoch: isReported ? epoch : 0,
    };
    return found.ruled.rules;
  }

  override derived<T>(about: string | Entries, inputs: readonly unknown[], compute: () => T): T {
    if (about instanceof CachedDirectory) {
      return (about.derived = derivedFrom(about.derived, inputs, compute)).result as T;
    }
    if (typeof about !== "string") return compute();
    const derived = derivedFrom(this.#named.get(about), inputs, compute);
    if (this.#named.size === MAX_NAMED) this.#named.clear();
    this.#named.set(about, derived);
    return derived.result as T;
  }
}

function derivedFrom(
  known: Derived | undefined,
  inputs: readonly unknown[],
  compute: () => unknown,
): Derived {
  let isSame = known !== undefined;
  for (let index = 0; isSame && index < inputs.length; index++) {
    isSame = inputs[index] === known!.inputs[index];
  }
  return isSame ? known! : { inputs, result: compute() };
}

/** Whether rule files have the same contents and their repository tracks the same files. */
function saySame(before: RuleSources, now: RuleSources): boolean {
  return JSON.stringify(before) === JSON.stringify(now) &&
    before.repository?.tracked?.isCurrent() !== false;
}

/** Whether rules of a directory lie in others: in settings, or in what an exclusion file includes. */
function readsElsewhere({ ruleFiles }: Entries, { texts }: RuleSources): boolean {
  return ruleFiles.some((name) => SETTINGS_FILES.includes(name)) ||
    Object.values(texts).some(Array.isArray);
}

function bytesOf({ entries }: Entries): number {
  return DIRECTORY_BYTES + ENTRY_BYTES * entries.length;
}

/** Whether a rule file, if it exists, has only one name. */
function hasOneName(directory: string, name: string): boolean {
  const file = platform.join(directory, name);
  try {
    // The directory of an exclude file may be a link.
    if (name.startsWith(".git/") && lstat(platform.dirname(file)).isSymlink) return false;
    const { isSymlink, nlink } = lstat(file);
    return !isSymlink && (nlink ?? 1) < 2;
  } catch {
    return true;
  }
}

/** What follows the name of anything but a file. A name never contains a slash. */
const DIRECTORY = "/";
const LINK = "//";
const OTHER = "///";

/**
 * Entries as a list of names, each with a mark for its type. Deno's own, each a hash table, take eight
 * times the memory.
 */
export class CompactEntries implements DirectoryEntries {
  readonly #marked: readonly string[];

  constructor(entries: Iterable<DirEntry>) {
    this.#marked = Array.from(entries, (entry) => entry.name + markOf(entry));
  }

  get length(): number {
    return this.#marked.length;
  }

  *[Symbol.iterator](): Generator<DirEntry> {
    for (const marked of this.#marked) {
      const at = marked.indexOf("/");
      const name = at < 0 ? marked : marked.slice(0, at);
      const mark = at < 0 ? "" : marked.slice(at);
      yield {
        name,
        isFile: mark === "",
        isDirectory: mark === DIRECTORY,
        isSymlink: mark === LINK,
      };
    }
  }
}

function markOf({ isFile, isDirectory, isSymlink }: DirEntry): string {
  if (isFile) return "";
  if (isDirectory) return DIRECTORY;
  return isSymlink ? LINK : OTHER;
}
