/**
 * The result of a search for a match.
 *
 * @module
 */

/** A match: UTF-16 offsets into the text. */
export interface Match {
  start: number;
  end: number;
}
