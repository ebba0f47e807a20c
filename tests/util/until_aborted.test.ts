import assert from "node:assert/strict";
import { untilAborted } from "../../src/util/pulse.ts";

const never = new Promise<never>(() => {});

Deno.test("a wait that was aborted before it began ends at once, with the signal's reason", async () => {
  const reason = new Error("given up");
  await assert.rejects(untilAborted(never, AbortSignal.abort(reason)), reason);
});

Deno.test("a wait ends with whatever comes first: its outcome or the abort", async () => {
  const controller = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(1), controller.signal), 1);
  assert.equal(await untilAborted(Promise.resolve(2), undefined), 2);
  const failure = new Error("failed");
  await assert.rejects(untilAborted(Promise.reject(failure), controller.signal), failure);
  const waiting = untilAborted(never, controller.signal);
  const reason = new Error("given up");
  controller.abort(reason);
  await assert.rejects(waiting, reason);
});
