/**
 * Gives the look for reasons all the time that it needs, so that a busy machine changes no table: loaded before
 * a program, or by a test.
 *
 * @module
 */

import { BUDGET } from "../../src/reasons/empty_search.ts";

const AMPLE_MS = 30_000;

Object.assign(BUDGET, {
  ...{ least: AMPLE_MS, most: AMPLE_MS, kept: AMPLE_MS, hook: AMPLE_MS },
  quick: Infinity,
});
