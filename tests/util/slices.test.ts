/**
 * Searches on one thread take turns: what is slow keeps neither the event loop nor quick work waiting, and
 * is not kept waiting for ever itself.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Slices } from "../../src/util/slices.ts";
import { test } from "../support/needs.ts";

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** Slow work that has shown that it is. */
async function slowSlices(): Promise<Slices> {
  const slices = new Slices("/");
  await slices.run(() => work(60));
  return slices;
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

test.slow("between slow slices quick ones have as much time, however many there are", async () => {
  const slow = await slowSlices();
  const quick = new Slices("/");
  const order: string[] = [];
  await Promise.all([
    ...Array.from({ length: 3 }, () =>
      slow.run(() => {
        work(60);
        order.push("slow");
      })),
    ...Array.from({ length: 40 }, () =>
      quick.run(() => {
        work(10);
        order.push("quick");
      })),
  ]);
  // About six, but what is slow on a busy machine gives others more.
  const [first, second] = order.flatMap((kind, index) => kind === "slow" ? [index] : []);
  const between = second! - first! - 1;
  assert.ok(between > 0, `none between: ${order}`);
  assert.ok(between < 40, `all between: ${order}`);
});

Deno.test("after a slow slice the event loop has a while for itself", async () => {
  const slow = await slowSlices();
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
