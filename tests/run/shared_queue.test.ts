import assert from "node:assert/strict";
import { SharedQueue } from "../../src/run/queues.ts";

/** One queue as two threads see it, the second of which is idle. */
function pair(): [SharedQueue, SharedQueue] {
  const first = new SharedQueue();
  first.clear();
  first.join();
  const second = new SharedQueue(first.memory);
  assert.ok(second.enter());
  return [first, second];
}

Deno.test("a search that was stopped stays stopped, whatever another thread says", () => {
  const [first, second] = pair();
  first.phase = "count";
  assert.equal(second.phase, "count");
  first.phase = "stop";
  second.phase = "keep";
  assert.equal(first.phase, "stop");
});

Deno.test("nobody joins a search that is over, or takes work of it", () => {
  const [first, second] = pair();
  first.push([{ base: 0, directory: "/ws", depth: 0, files: [] } as never]);
  first.offerParts(2);
  assert.equal(first.close(), 1, "threads that had work");
  assert.equal(new SharedQueue(first.memory).enter(), false);
  assert.equal(second.pop(), undefined);
  assert.equal(second.takePart(0, true), undefined);
});

Deno.test("a search for one thread alone is entered by nobody else, busy or idle", () => {
  const [first] = pair();
  assert.equal(new SharedQueue(first.memory).enter(true), false);
  const other = new SharedQueue();
  other.clear();
  assert.ok(new SharedQueue(other.memory).enter(true));
  assert.equal(new SharedQueue(other.memory).enter(true), false);
  assert.ok(new SharedQueue(other.memory).enter());
});

Deno.test("each part of a walk is taken once, a thread's own first", () => {
  const [first, second] = pair();
  first.offerParts(3);
  assert.deepEqual(second.takePart(1, false), { index: 1, of: 3 });
  assert.equal(second.takePart(1, false), undefined);
  const others = [second.takePart(1, true), second.takePart(1, true)];
  assert.deepEqual(others.map((part) => part?.index).sort(), [0, 2]);
  assert.equal(second.takePart(1, true), undefined);
});

Deno.test("a search is finished when no thread has work and none lies on the queue", () => {
  const [first, second] = pair();
  const item = { base: 0, directory: "/ws", depth: 0, files: [] } as never;
  assert.equal(first.isFinished, false);
  assert.deepEqual(first.push([item]), []);
  first.idle();
  assert.equal(first.isFinished, false);
  assert.deepEqual(second.pop(), item);
  assert.equal(second.isFinished, false);
  second.idle();
  assert.equal(second.isFinished, true);
});
