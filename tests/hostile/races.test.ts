/**
 * Searches of a tree that another process changes all the while.
 *
 * @module
 */

import assert from "node:assert/strict";
import { race } from "./races.ts";

const SECONDS = 8;
const SEARCHES = 50;

Deno.test("searches of a tree in change give nothing from outside, and none fails as a whole", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    const { searches, found, failures } = await race(SECONDS, seed, SEARCHES);
    assert.deepEqual(failures, []);
    assert.ok(
      searches >= SEARCHES && found > searches / 10,
      `${found} of ${searches} found something`,
    );
  } catch (error) {
    throw new Error(`with the mutator's seed ${seed}`, { cause: error });
  }
});
