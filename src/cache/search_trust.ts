/**
 * What a search takes from a cache unchecked, and what it adds to that.
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

/** That of a search that checks everything, and whose findings nobody proves. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, proof: { addFile() {}, addListing() {} } };
