/**
 * What runs on one thread takes turns, and so does the event loop.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Slices } from "../../src/util/pulse.ts";

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

Deno.test("a slice answers what it answers, or fails as it fails, and others go on", async () => {
  const slices = new Slices("/");
  assert.equal(await slices.run(() => 7), 7);
  const failure = new Error("no");
  await assert.rejects(
    slices.run(() => {
      throw failure;
    }),
    failure,
  );
  assert.equal(await slices.run(() => 8), 8);
});

Deno.test("slices run one after the other, in the order in which they were asked for", async () => {
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((n) => new Slices("/").run(() => order.push(n))));
  assert.deepEqual(order, [1, 2, 3]);
});

Deno.test("after a slow slice the event loop has a while for itself", async () => {
  const slow = new Slices("/");
  let rounds = 0;
  let isDone = false;
  const turn = async () => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      rounds++;
    }
  };
  const turning = turn();
  const before: number[] = [];
  for (let n = 0; n < 6; n++) {
    await slow.run(() => {
      work(60);
      before.push(rounds);
    });
  }
  isDone = true;
  await turning;
  const rests = before.slice(1).map((count, index) => count - before[index]!);
  // Without it there is one round at most.
  assert.ok(rests.reduce((sum, count) => sum + count) > rests.length + 2, `${rests} rounds`);
});
