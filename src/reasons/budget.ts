/**
 * The time of a further pass, and when there is one beside matches.
 *
 * @module
 */

/**
 * Milliseconds: as many as the search took, but at least and at most so many; in a process that stays,
 * always the same. Beside matches, only a tool is told of others if the search took more than `quick`. Tests that
 * are not about time give it more, since they share a busy machine.
 */
export const BUDGET = { least: 150, most: 500, kept: 100, quick: 200 };
