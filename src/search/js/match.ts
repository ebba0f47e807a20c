/**
 * A match in a text.
 *
 * @module
 */

/** Where a match is: UTF-16 offsets into the text. */
export interface Match {
  start: number;
  end: number;
}
