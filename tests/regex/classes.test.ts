/** Character classes: what V8 makes of them under the flag `v`, and what long ones cost. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { assertHolds } from "../support/draw.ts";
import { entriesOf, isValid, plan } from "./support.ts";

/** Classes in strict JavaScript. */
const { cls: someClass } = fc.letrec<{ cls: string; operand: string; inside: string }>((tie) => ({
  cls: fc.tuple(fc.constantFrom("[", "[^"), tie("inside")).map(([open, rest]) => `${open}${rest}]`),
  inside: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.array(
      fc.oneof(
        tie("operand"),
        fc.constantFrom("a-c", "A-K", "0-9", "é-ü"),
      ),
      { minLength: 1, maxLength: 3 },
    ).map((items) => items.join("")),
    fc.tuple(
      fc.constantFrom("&&", "--"),
      fc.array(tie("operand"), { minLength: 2, maxLength: 3 }),
    ).map(([operation, operands]) => operands.join(operation)),
  ),
  operand: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "k", "K", "s", "ſ", "é", "_", "\\w", "\\D", "\\p{Lu}", "\\p{Ll}"),
    tie("cls"),
  ),
}));

const CHARS = Array.from("abckszABCKSZ019_-&[]éÉſ\u212a😀");

Deno.test("a class is what V8 takes it for, in each letter case", (t) => {
  assertHolds(
    t,
    fc.property(someClass.filter(isValid), (cls) => {
      for (
        const [pattern, flags, options] of [
          [`^${cls}$`, "v", {}],
          [`^${cls}$`, "vi", { caseInsensitive: true }],
          [`^(?i:${cls})(?-i:)$`, "vi", {}],
        ] as const
      ) {
        const expression = new RegExp(`^${cls}$`, flags);
        for (const char of CHARS) {
          assert.equal(entriesOf(pattern, char, options).length > 0, expression.test(char), char);
        }
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("brackets without end and classes of thousands of operations are read in time", () => {
  const before = performance.now();
  const many = 2_000;
  for (
    const pattern of [
      "[[(]".repeat(many),
      "[".repeat(many) + "(" + "]".repeat(many) + "x",
      "[a]&&".repeat(many),
      `[${"[a]--".repeat(many)}b]`,
      `[${"[a]".repeat(many)}]`,
      `[${"\\w&&\\W--".repeat(200)}b]`,
    ]
  ) {
    try {
      plan(pattern);
      plan(pattern, { caseInsensitive: true });
    } catch (error) {
      assert.match(`${error}`, /too large|nested more|unclosed/, pattern.slice(0, 20));
    }
  }
  assert.ok(performance.now() - before < 3_000, `${performance.now() - before} ms`);
});
