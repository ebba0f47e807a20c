/** What fails at random says how it is repeated, and what was found is tried again. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { CHECKOUT } from "./run.ts";
import { assertHolds, decided, drawn, FOUND, numbersFrom, seeded } from "./draw.ts";

/** The context of a test by its name in `testdata/found.jsonl`. */
function contextOf(file: string, name: string): Deno.TestContext {
  return { name, origin: new URL(`../${file}`, import.meta.url).href } as Deno.TestContext;
}

const small = fc.property(fc.nat(1000), (number) => assert.ok(number < 500));

/** The error that a random test ends with. */
async function errorOf(test: () => void | Promise<void>): Promise<Error> {
  try {
    await test();
  } catch (error) {
    return error as Error;
  }
  assert.fail("it holds");
}

Deno.test("a property that fails prints the line that repeats it and the row that keeps it", async () => {
  const t = contextOf("util/x.test.ts", 'it\'s "small"');
  const { message, cause } = await errorOf(() => assertHolds(t, small));
  assert.match(
    message,
    /^SEED=\d+ deno test -A --no-check --preload=tests\/support\/preload\.ts tests\/util\/x\.test\.ts --filter='it'\\''s "small"'$/m,
  );
  assert.match(message, /^\{"test":"util\/x\.test\.ts: it's \\"small\\"","input":\[500\]\}$/m);
  assert.ok(cause instanceof assert.AssertionError);
  assert.equal((await errorOf(() => assertHolds(t, small))).message, message, "the same again");
});

Deno.test("bytes that were found are kept as JSON, other values without text for it are not", async () => {
  const t = contextOf("util/x.test.ts", "x");
  const failing = async (value: unknown) => {
    const fail = fc.property(fc.constant(value), () => assert.fail("no"));
    return (await errorOf(() => assertHolds(t, fail))).message;
  };
  assert.match(await failing(Uint8Array.of(0x61, 0xff)), /"input":\[\{"bytes":"a\xff"\}\]\}$/m);
  assert.doesNotMatch(await failing(undefined), /testdata/);
});

Deno.test("a test that draws by itself prints the same line and has the same numbers again", async () => {
  const draws: number[][] = [];
  const test = seeded((seed) => {
    const below = numbersFrom(seed);
    draws.push([below(10), below(1000), ...drawn(fc.nat(), seed, 3)]);
    assert.fail("no");
  });
  for (const _ of [1, 2]) {
    const { message } = await errorOf(() => test(contextOf("util/x.test.ts", "x")));
    assert.match(message, /^SEED=\d+ deno test .* tests\/util\/x\.test\.ts --filter='x'$/m);
  }
  assert.deepEqual(draws[0], draws[1]);
});

Deno.test("what no oracle decides in time fails no test", (t) => {
  let asked = 0;
  const late = fc.property(fc.nat(), () => {
    asked++;
    decided(undefined);
  });
  assertHolds(t, late, { numRuns: 40 });
  assert.equal(asked, 11);
});

Deno.test("each row of testdata/found.jsonl is tried by the test that it names", async () => {
  assert.ok(FOUND.length > 0);
  for (const { test, input, seed } of FOUND) {
    const [file, name] = test.split(": ", 2) as [string, string];
    const source = await Deno.readTextFile(`${CHECKOUT}tests/${file}`);
    const calls = ["Deno.test", "test.slow"].map((call) => `${call}("${name}`);
    assert.ok(calls.some((call) => source.includes(call)) && source.includes("/draw.ts"), test);
    assert.equal(input === undefined, seed !== undefined, test);
  }
  const { test, input } = FOUND.find(({ input }) => input !== undefined)!;
  const [file, name] = test.split(": ") as [string, string];
  const seen: unknown[] = [];
  const each = fc.property(fc.nat(), fc.nat(), (...values) => void seen.push(values));
  assertHolds(contextOf(file, name), each, { numRuns: 1 });
  assert.deepEqual(seen[0], input);
});
