/**
 * What a search takes from a cache without a check, and what it adds.
 *
 * @module
 */

import type { Proof } from "../scan/proof.ts";

export interface SearchTrust {
  /** What was checked in this epoch needs no check, and what is checked now is trusted in it; 0: nothing is. */
  readonly epoch: number;
  /** Proves that what was read is where its path says: only then is it trusted, or a listing cached. */
  readonly proof: Pick<Proof, "addFile" | "addListing">;
}

/** The trust of a search that checks everything and proves nothing. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, proof: { addFile() {}, addListing() {} } };
