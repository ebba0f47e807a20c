/**
 * What comes of calls that are well meant and not quite right.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Answer, openShop, textOf } from "./make_call.ts";
import { type Slip, SLIPS } from "./malformed_calls.ts";

/** Everything in the next call that was not in this one stands where the fix does. */
function assertCarried({ slip, input, fix }: Slip, answer: Answer): void {
  const text = textOf(answer[fix!.place]);
  const before = typeof input === "object" && input !== null ? input as Answer : {};
  for (const [key, value] of Object.entries(fix!.then as Answer)) {
    if (key === fix!.own || before[key] === value) continue;
    if (JSON.stringify(input).includes(String(value))) continue;
    const forms = [value === true ? key : String(value), JSON.stringify(value)];
    assert.ok(forms.some((form) => text.includes(form)), `${slip}: ${value} in ${text}`);
  }
}

for (const [kind, slips] of Object.entries(SLIPS)) {
  Deno.test(`a wrong ${kind}: each call is answered, or told what to send, and that call is`, async () => {
    await using shop = await openShop();
    for (const slip of slips) {
      const answer = await shop.call(slip.tool, slip.input);
      const said = `${slip.slip}: ${JSON.stringify(answer)}`;
      assert.equal(shop.outcome(slip, answer), slip.outcome, said);
      if (slip.fix === undefined) {
        assert.deepEqual(shop.found(answer), slip.finds, said);
        continue;
      }
      assertCarried(slip, answer);
      const next = await shop.call(slip.fix.tool ?? slip.tool, slip.fix.then);
      assert.ok(!("error" in next), `${said}\nthen ${JSON.stringify(next)}`);
      assert.deepEqual(shop.found(next), slip.finds, said);
    }
  });
}

Deno.test("no two of the calls are the same, and each kind has many", () => {
  const all = Object.values(SLIPS).flat();
  assert.ok(all.length >= 60);
  assert.equal(
    new Set(all.map(({ tool, input }) => JSON.stringify([tool, input]))).size,
    all.length,
  );
});
