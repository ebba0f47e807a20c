/**
 * What directories hold, kept from one search to the next.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { Identity } from "./fingerprint.ts";
import type { IgnoreRules } from "../walk/ignore.ts";
import type { Listing, WalkSkips } from "../walk/listing.ts";

/** The rules that git keeps for the directory of a repository. */
const EXCLUDE = platform.join(platform.sep, ".git", "info", "exclude");

/** What was found in a directory. */
export interface Entries {
  readonly entries: readonly Deno.DirEntry[];
  /** Names of the ignore files among them. */
  readonly ignoreFiles: readonly string[];
  /** Whether nothing in the directory has changed since the last search that looked. */
  isTrusted?: boolean;
  /** What the last walk made of the ignore files, in an epoch of {@linkcode KeptListings.epoch}. */
  ruled?: { inherited: IgnoreRules; texts: string; rules: IgnoreRules; epoch: number };
  /** What the last walk took in. */
  taken?: {
    /** See {@linkcode KeptListings.keyOf}. */
    key: number;
    base: number;
    depth: number;
    rules: IgnoreRules;
    listing: Listing;
    skips: WalkSkips;
  };
}

interface Kept {
  identity: Identity;
  found: Entries;
  /** In which it was looked at last. */
  epoch: number;
}

/** So many ways to walk are told apart. */
const MAX_KEYS = 1000;

/** Listings, each checked against the directory before it is trusted. */
export class KeptListings {
  readonly #kept = new Map<string, Kept>();
  readonly #maxEntries: number;
  readonly #keys = new Map<string, number>();
  #nextKey = 1;
  readonly #rulesAbove = new Map<string, { texts: string; rules: IgnoreRules }>();
  #entries = 0;
  /** What was looked at in this epoch is trusted without another look; 0: nothing is. */
  epoch = 0;

  /** @param maxEntries entries that are kept, at most */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
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
   * The rules above a directory that a walk begins in; the same ones as long as their texts are the same,
   * so that what was made with them still counts.
   *
   * @param base the directory
   * @param texts where they come from, and what is written there
   */
  rulesAbove(base: string, texts: string, build: () => IgnoreRules): IgnoreRules {
    const known = this.#rulesAbove.get(base);
    if (known?.texts === texts) return known.rules;
    if (this.#rulesAbove.size === MAX_KEYS) this.#rulesAbove.clear();
    const rules = build();
    this.#rulesAbove.set(base, { texts, rules });
    return rules;
  }

  /** Forgets what a changed path has to do with: what it lists, what lists it, whom it gives rules. */
  drop(path: string): void {
    this.#delete(path);
    this.#delete(platform.dirname(path));
    if (path.endsWith(EXCLUDE)) this.#delete(path.slice(0, -EXCLUDE.length));
  }

  #delete(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#kept.delete(path);
    this.#entries -= kept.found.entries.length;
  }

  /**
   * What a directory holds.
   *
   * @param path the directory
   * @param list lists it, when it is not known any more
   * @throws what `Deno.lstatSync` or `list` throw
   */
  entriesOf(path: string, list: () => Entries): Entries {
    const now = Date.now();
    const kept = this.#kept.get(path);
    if (kept !== undefined) {
      kept.found.isTrusted = this.epoch !== 0 && kept.epoch === this.epoch;
      if (kept.found.isTrusted) return kept.found;
    }
    const info = Deno.lstatSync(path);
    if (kept?.identity.isSame(info)) {
      kept.epoch = this.epoch;
      return kept.found;
    }
    this.#delete(path);
    const found = list();
    const identity = new Identity(info);
    const total = this.#entries + found.entries.length;
    if (info.isDirectory && identity.isSettled(now) && total <= this.#maxEntries) {
      this.#kept.set(path, { identity, found, epoch: this.epoch });
      this.#entries = total;
    }
    return found;
  }
}
