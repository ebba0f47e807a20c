/** Waits without timers. */
import assert from "node:assert/strict";
import { turn, within } from "../../src/util/pulse.ts";

Deno.test("a promise that settles in time is what it would be anyway", async () => {
  assert.equal(await within(60_000, Promise.resolve(7)), 7);
  assert.equal(await within(Infinity, turn().then(() => "later")), "later");
  await assert.rejects(within(60_000, Promise.reject(new Error("no"))), /^Error: no$/);
});

Deno.test("a promise that takes longer is given up", async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(resolve, 60_000, 7); // a wait alone keeps no process alive
  const started = performance.now();
  assert.equal(await within(20, promise), undefined);
  assert.ok(performance.now() - started >= 19);
  clearTimeout(timer);
});

for (const path of [undefined, Deno.cwd(), "/is/not/there"]) {
  Deno.test(`others get their turn, with ${path === undefined ? "a timer" : `the path ${path}`}`, async () => {
    const turns: string[] = [];
    const other = Deno.stat(Deno.cwd()).then(() => turns.push("other"));
    for (let time = 0; time < 1000 && turns.length === 0; time++) await turn(path);
    assert.deepEqual(turns, ["other"]);
    await other;
  });
}
