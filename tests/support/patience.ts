/**
 * Gives the look for reasons of an empty answer more time than users have to wait: tests share a busy
 * machine.
 *
 * @module
 */

import { BUDGET } from "../../src/reasons/empty_search.ts";

Object.assign(BUDGET, {
  ...{ least: 3000, most: 3000, kept: 3000, quick: Infinity },
  ...{ hook: 3000, hookReasons: 3000, hookEnd: 60_000 },
});
