/**
 * Caches the entries of directories between searches.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { Fingerprint } from "./fingerprint.ts";
import { CompactEntries } from "./compact_entries.ts";
import type { DirectoryRules, Entries, ListingStore } from "../walk/listing.ts";
import { listingEvidence } from "../walk/provisional.ts";
import type { SearchTrust } from "./search_trust.ts";
import { CHANGE_PRECISION_MS } from "../workspace/verification.ts";

/** The exclude file of a git repository, and the list of what it tracks. */
const EXCLUDE = platform.join(platform.sep, ".git", "info", "exclude");
const INDEX = platform.join(platform.sep, ".git", "index");

interface ListingRecord {
  identity: Fingerprint;
  found: Entries;
  /** The epoch in which it was checked last. */
  epoch: number;
  /** Whether its entries are proven to be those of the directory. */
  isProven: boolean;
}

/** Approximate bytes of a cached directory and of each of its entries. */
const DIRECTORY_BYTES = 1000;
const ENTRY_BYTES = 56;
/** The most ways to walk that have a number. */
const MAX_KEYS = 1000;

/** Caches listings; each is checked against the directory before use. */
export class ListingCache {
  readonly #kept = new Map<string, ListingRecord>();
  readonly #maxBytes: number;
  readonly #changePrecision: number;
  readonly #keys = new Map<string, number>();
  #nextKey = 1;
  readonly #rulesAbove = new Map<string, { texts: string; rules: DirectoryRules }>();
  #bytes = 0;

  /**
   * @param maxBytes its size, at most
   * @param changePrecision as {@linkcode Fingerprint.isStable} takes it
   */
  constructor(maxBytes: number, changePrecision = CHANGE_PRECISION_MS) {
    this.#maxBytes = maxBytes;
    this.#changePrecision = changePrecision;
  }

  /** The cache as one search sees it. */
  seenBy(trust: SearchTrust): ListingStore {
    return {
      epoch: trust.epoch,
      keyOf: (options) => this.keyOf(options),
      rulesAbove: (...rules) => this.rulesAbove(...rules),
      entriesOf: (path, list) => this.entriesOf(path, list, trust),
    };
  }

  /**
   * A number that stands for a way to walk.
   *
   * @param options the walk's options as JSON
   */
  keyOf(options: string): number {
    const known = this.#keys.get(options);
    if (known !== undefined) return known;
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    this.#keys.set(options, this.#nextKey);
    return this.#nextKey++;
  }

  /**
   * The rules that a walk begins with. As long as their texts are the same, they are the same object, so that
   * results made with them stay valid.
   *
   * @param key the directory that it begins in, or what there are no rules for yet
   * @param texts the files that they come from, with their contents
   */
  rulesAbove(key: string, texts: string, build: () => DirectoryRules): DirectoryRules {
    const known = this.#rulesAbove.get(key);
    if (known?.texts === texts) return known.rules;
    if (this.#rulesAbove.size === MAX_KEYS) this.#rulesAbove.clear();
    const rules = build();
    this.#rulesAbove.set(key, { texts, rules });
    return rules;
  }

  /** Drops what a changed path affects: its listing, its parent's, and that of a repository it gives rules. */
  drop(path: string): void {
    this.#delete(path);
    this.#delete(platform.dirname(path));
    if (path.endsWith(EXCLUDE)) this.#delete(path.slice(0, -EXCLUDE.length));
    // git writes it often, mostly with the same paths: whether they are is looked at before the rules are
    // made anew, and with them all that was kept of the repository.
    if (path.endsWith(INDEX)) this.#doubtRules(path.slice(0, -INDEX.length));
  }

  #doubtRules(path: string): void {
    const found = this.#kept.get(path)?.found;
    if (found?.ruled !== undefined) found.ruled.epoch = 0;
  }

  #delete(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#kept.delete(path);
    this.#bytes -= listingBytes(kept.found);
  }

  /**
   * The entries of a directory.
   *
   * @param path the directory
   * @param list lists it, if it is not cached or has changed
   * @param trust the search's
   * @throws what `Deno.lstatSync` or `list` throw
   */
  entriesOf(path: string, list: () => Entries, trust: SearchTrust): Entries {
    const now = Date.now();
    const kept = this.#kept.get(path);
    if (kept?.isProven) {
      kept.found.isTrusted = trust.epoch !== 0 && kept.epoch === trust.epoch;
      if (kept.found.isTrusted) return kept.found;
    }
    const info = Deno.lstatSync(path);
    if (kept?.isProven && kept.identity.isSame(info)) {
      if (trust.gained !== 0) this.#prove(path, kept, trust);
      return kept.found;
    }
    this.#delete(path);
    const listed = list();
    const identity = new Fingerprint(info);
    const total = this.#bytes + listingBytes(listed);
    const isStable = info.isDirectory && identity.isStable(now, this.#changePrecision);
    if (!isStable || total > this.#maxBytes) return listed;
    const found = { ...listed, entries: new CompactEntries(listed.entries) };
    const added = { identity, found, epoch: 0, isProven: false };
    this.#kept.set(path, added);
    this.#bytes = total;
    this.#prove(path, added, trust);
    return found;
  }

  /** Uses a listing from the end of the search on, if it is proven that no other directory was listed. */
  #prove(path: string, kept: ListingRecord, { gained: epoch, findings }: SearchTrust): void {
    findings.add({
      ...listingEvidence(path, kept.found),
      accept: () => {
        kept.isProven = true;
        kept.epoch = epoch;
      },
      reject: () => {
        if (this.#kept.get(path) === kept && !kept.isProven) this.#delete(path);
      },
    });
  }
}

function listingBytes({ entries }: Entries): number {
  return DIRECTORY_BYTES + ENTRY_BYTES * entries.length;
}
