/**
 * Searches of a tree that another process changes all the while.
 *
 * @module
 */

import assert from "node:assert/strict";
import { seeded, undecided } from "../support/draw.ts";
import { race } from "./races.ts";
import { test } from "../support/needs.ts";

const SECONDS = 8;
/** Searches that have to find something. */
const FINDING = 50;

test.slow(
  "searches of a tree in change give nothing from outside, and none fails as a whole",
  seeded(async (seed) => {
    const { searches, found, failures } = await race(SECONDS, seed, FINDING);
    assert.deepEqual(failures, []);
    if (found < FINDING) undecided(`${found} of ${searches} searches found something`);
  }),
);
