/**
 * What comes of calls that are well meant and not quite right.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Answer, openShop, textOf } from "../../dev/cost/make_call.ts";
import { MALFORMED_CALLS, type MalformedCall } from "../../dev/cost/malformed_calls.ts";

/** Everything in the next call that was not in this one stands where the fix does. */
function assertCarried({ name, input, fix }: MalformedCall, answer: Answer): void {
  const text = textOf(answer[fix!.place]);
  const before = typeof input === "object" && input !== null ? input as Answer : {};
  for (const [key, value] of Object.entries(fix!.then as Answer)) {
    if (key === fix!.own || before[key] === value) continue;
    if (JSON.stringify(input).includes(String(value))) continue;
    const forms = [value === true ? key : String(value), JSON.stringify(value)];
    assert.ok(forms.some((form) => text.includes(form)), `${name}: ${value} in ${text}`);
  }
}

for (const [kind, calls] of Object.entries(MALFORMED_CALLS)) {
  Deno.test(`a wrong ${kind}: each call is answered, or its error says what to send, and that call is answered`, async () => {
    await using shop = await openShop();
    for (const call of calls) {
      const answer = await shop.call(call.tool, call.input);
      const said = `${call.name}: ${JSON.stringify(answer)}`;
      assert.equal(shop.outcome(call, answer), call.outcome, said);
      if (call.fix === undefined) {
        assert.deepEqual(shop.found(answer), call.finds, said);
        continue;
      }
      assertCarried(call, answer);
      const next = await shop.call(call.fix.tool ?? call.tool, call.fix.then);
      assert.ok(!("error" in next), `${said}\nthen ${JSON.stringify(next)}`);
      assert.deepEqual(shop.found(next), call.finds, said);
    }
  });
}

Deno.test("no two of the calls are the same, and each kind has many", () => {
  const all = Object.values(MALFORMED_CALLS).flat();
  assert.ok(all.length >= 60);
  assert.equal(
    new Set(all.map(({ tool, input }) => JSON.stringify([tool, input]))).size,
    all.length,
  );
});

Deno.test("most of the calls are answered as they are", () => {
  const { "habit of another agent": habits = [], ...others } = MALFORMED_CALLS;
  const answered = (calls: readonly MalformedCall[]) =>
    calls.filter(({ outcome }) => outcome !== "fix").length;
  assert.ok(answered(Object.values(others).flat()) >= 97);
  assert.ok(habits.length >= 60 && answered(habits) >= 60);
});
