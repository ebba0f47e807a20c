/**
 * The time of a further pass, and when there is one beside matches.
 *
 * @module
 */

/**
 * Milliseconds: as many as the search took, within `least` and `most`; in a process that stays, `kept`. Beside
 * matches, a search that took more than `quick` looks for others in tools alone; a hook has `hook` for both.
 * Where nothing was found, it has `hookReasons`, and ends by `hookEnd`, with some of the two seconds left for
 * start and end. Tests that are not about time give more, since they share a busy machine.
 */
export const BUDGET = {
  ...{ least: 150, most: 500, kept: 100, quick: 200 },
  ...{ hook: 150, hookReasons: 1000, hookEnd: 1600 },
};
