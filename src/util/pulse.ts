/**
 * The only way to end work that may take long.
 *
 * @module
 */

export interface Pulse {
  /**
   * Counts work done.
   *
   * @param steps roughly one for each character, entry or state looked at
   * @throws {PathgrepError} `search_timed_out`, `cancelled` once the search has to end
   */
  beat(steps: number): void;
}

/** Never ends anything. */
export const ENDLESS: Pulse = { beat() {} };
