/**
 * What one search trusts of a cache without a look, and what it adds to that. Searches that are under way
 * together differ in it: one may read what is not watched, or began before a change.
 *
 * @module
 */

import type { Findings } from "../walk/provisional.ts";

/** What one search trusts. */
export interface SearchTrust {
  /** What was checked in this epoch needs no check; 0: everything does. */
  readonly epoch: number;
  /** The epoch in which the search checks, so that later ones trust that; 0: none does. */
  readonly gained: number;
  /** Says whether what was read is where its path says: only then is it trusted, or a listing kept. */
  readonly findings: Findings;
}

/** Of a search that trusts nothing, and whose findings are not proven. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, gained: 0, findings: { add: () => {} } };
