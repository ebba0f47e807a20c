/**
 * The time of a further pass.
 *
 * @module
 */

/**
 * Milliseconds: as many as the search took, but at least and at most so many; in a process that stays,
 * always the same. Tests that are not about time give it more, since they share a busy machine.
 */
export const BUDGET = { least: 150, most: 500, kept: 100 };
