/**
 * Caches the entries of directories between searches.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { Fingerprint } from "./fingerprint.ts";
import { CompactEntries } from "./compact_entries.ts";
import type { DirectoryRules, Entries, ListingStore } from "../walk/listing.ts";
import { type Findings, listingEvidence } from "../walk/provisional.ts";

/** The exclude file of a git repository. */
const EXCLUDE = platform.join(platform.sep, ".git", "info", "exclude");

interface Kept {
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
export class ListingCache implements ListingStore {
  readonly #kept = new Map<string, Kept>();
  readonly #maxBytes: number;
  readonly #keys = new Map<string, number>();
  #nextKey = 1;
  readonly #rulesAbove = new Map<string, { texts: string; rules: DirectoryRules }>();
  #bytes = 0;
  /** Listings checked in this epoch are not checked again; 0: all are. */
  epoch = 0;
  #gained = 0;
  #findings: Findings | undefined;

  /** @param maxBytes its size, at most */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Begins a search.
   *
   * @param epoch listings checked in it are not checked again; 0: all are
   * @param gained the epoch of what is checked from now on, or 0
   * @param findings says whether what was listed is where its path says: only then is it kept
   */
  begin(epoch: number, gained: number, findings: Findings): void {
    this.epoch = epoch;
    this.#gained = gained;
    this.#findings = findings;
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
   * The ignore rules above a directory that a walk begins in. As long as their texts are the same, they are
   * the same object, so that results made with them stay valid.
   *
   * @param base the directory
   * @param texts the files that they come from, with their contents
   */
  rulesAbove(base: string, texts: string, build: () => DirectoryRules): DirectoryRules {
    const known = this.#rulesAbove.get(base);
    if (known?.texts === texts) return known.rules;
    if (this.#rulesAbove.size === MAX_KEYS) this.#rulesAbove.clear();
    const rules = build();
    this.#rulesAbove.set(base, { texts, rules });
    return rules;
  }

  /** Drops what a changed path affects: its listing, its parent's, and that of a repository it gives rules. */
  drop(path: string): void {
    this.#delete(path);
    this.#delete(platform.dirname(path));
    if (path.endsWith(EXCLUDE)) this.#delete(path.slice(0, -EXCLUDE.length));
  }

  #delete(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#kept.delete(path);
    this.#bytes -= bytesOf(kept.found);
  }

  /**
   * The entries of a directory.
   *
   * @param path the directory
   * @param list lists it, if it is not cached or has changed
   * @throws what `Deno.lstatSync` or `list` throw
   */
  entriesOf(path: string, list: () => Entries): Entries {
    const now = Date.now();
    const kept = this.#kept.get(path);
    if (kept?.isProven) {
      kept.found.isTrusted = this.epoch !== 0 && kept.epoch === this.epoch;
      if (kept.found.isTrusted) return kept.found;
    }
    const info = Deno.lstatSync(path);
    if (kept?.isProven && kept.identity.isSame(info)) {
      if (this.#gained !== 0) this.#prove(path, kept);
      return kept.found;
    }
    this.#delete(path);
    const listed = list();
    const identity = new Fingerprint(info);
    const total = this.#bytes + bytesOf(listed);
    if (!info.isDirectory || !identity.isStable(now) || total > this.#maxBytes) return listed;
    const found = { ...listed, entries: new CompactEntries(listed.entries) };
    const added = { identity, found, epoch: 0, isProven: false };
    this.#kept.set(path, added);
    this.#bytes = total;
    this.#prove(path, added);
    return found;
  }

  /** Uses a listing from the end of the search on, if it is proven that no other directory was listed. */
  #prove(path: string, kept: Kept): void {
    const epoch = this.#gained;
    this.#findings?.add({
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

function bytesOf({ entries }: Entries): number {
  return DIRECTORY_BYTES + ENTRY_BYTES * entries.length;
}
