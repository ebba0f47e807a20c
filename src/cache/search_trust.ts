/**
 * What one search takes from a cache unchecked, and what it adds to that. Searches that run at once differ
 * in this: one may read directories that nobody watches, or have begun before a change.
 *
 * @module
 */

import type { FindingSink } from "../walk/provisional.ts";

/** What one search trusts. */
export interface SearchTrust {
  /** What was checked in this epoch needs no check; 0: everything does. */
  readonly epoch: number;
  /** The epoch in which later searches trust what this one checks; 0: they do not. */
  readonly gained: number;
  /** Proves that what was read is where its path says: only then is it trusted, or a listing cached. */
  readonly findings: FindingSink;
}

/** That of a search that checks everything, and whose findings nobody proves. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, gained: 0, findings: { add: () => {} } };
