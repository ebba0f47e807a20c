/**
 * Random tests that can be repeated. In the everyday run all of them draw from one seed, so that none
 * fails by chance; `deno task fuzz` draws new seeds. Whatever fails says how to run it again.
 *
 * `SEED` in the environment is the seed of a run, `RUNS` multiplies the inputs that it tries. What a run
 * has found goes to `testdata/found.jsonl`, from where every later run tries it first.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { SLOW } from "./needs.ts";
import { fromRow, rowsOf, toRow } from "./testdata.ts";

const EVERYDAY_SEED = 1;
/** What this run draws from. */
export const SEED = Number(Deno.env.get("SEED") ?? EVERYDAY_SEED);
/** Tests with generators of their own multiply their rounds by it. */
export const RUNS = Number(Deno.env.get("RUNS") ?? 1);
assert.ok(Number.isSafeInteger(SEED), "SEED is a whole number");
assert.ok(Number.isSafeInteger(RUNS) && RUNS > 0, "RUNS is a positive whole number");

/** What sets how much a run tries, and belongs to the line that repeats it. */
const SIZES = ["RUNS", "CHANGES", "COMPARISONS", "TREES"];

/** Of the inputs of a property, how many may go undecided before it stops drawing others for them. */
const UNDECIDED_SHARE = 0.25;

/** What a run has found: the arguments of a property, or the seed of a test that draws by itself. */
export interface Found {
  /** `folder/file.test.ts: name` */
  test: string;
  input?: unknown[];
  seed?: number;
}

/** The rows of `testdata/found.jsonl`. */
export const FOUND: readonly Found[] = rowsOf("found.jsonl");

/**
 * Holds a property for the inputs that were found to fail once and for random ones, as `fc.assert` does.
 *
 * @param t the context of the test, which names it
 */
export function assertHolds<Inputs extends [unknown, ...unknown[]]>(
  t: Deno.TestContext,
  property: fc.IProperty<Inputs>,
  parameters?: fc.Parameters<Inputs>,
): void;
export function assertHolds<Inputs extends [unknown, ...unknown[]]>(
  t: Deno.TestContext,
  property: fc.IAsyncProperty<Inputs>,
  parameters?: fc.Parameters<Inputs>,
): Promise<void>;
export function assertHolds<Inputs extends [unknown, ...unknown[]]>(
  t: Deno.TestContext,
  property: fc.IProperty<Inputs> | fc.IAsyncProperty<Inputs>,
  { numRuns = 100, examples = [], ...rest }: fc.Parameters<Inputs> = {},
): void | Promise<void> {
  const inputs = FOUND.filter(({ test, input }) => test === idOf(t) && input !== undefined)
    .map(({ input }) => input as Inputs);
  const tried = [...examples, ...inputs];
  const parameters: fc.Parameters<Inputs> = {
    ...rest,
    seed: SEED,
    numRuns: RUNS * numRuns + tried.length,
    maxSkipsPerRun: UNDECIDED_SHARE,
    examples: tried,
    reporter: (details) => report(t, details),
  };
  return fc.assert(property as fc.IAsyncProperty<Inputs>, parameters);
}

function report<Inputs>(t: Deno.TestContext, details: fc.RunDetails<Inputs>): void {
  const { failed, counterexample, numSkips, numRuns } = details;
  if (numSkips > 0) undecided(`${numSkips} of ${numRuns + numSkips} inputs of ${idOf(t)}`);
  if (!failed || counterexample === null) return;
  const found = { test: idOf(t), input: counterexample };
  const isKnown = FOUND.some(({ input }) => isDeepStrictEqual(input, counterexample));
  const canKeep = !isKnown && isDeepStrictEqual(fromRow(toRow(found)), found);
  throw new Error(
    `${fc.defaultReportMessage(details)}\n\n${howToRepeat(t, SEED)}` +
      (canKeep
        ? `\nTo try it first from now on, add to testdata/found.jsonl:\n${toRow(found)}`
        : ""),
    { cause: details.errorInstance },
  );
}

/**
 * What an oracle says within its time. An input that it has not decided is passed over for another one.
 *
 * @param answer `undefined` when there was no time for one
 */
export function decided<Answer>(answer: Answer | undefined): Answer {
  fc.pre(answer !== undefined);
  return answer;
}

/**
 * Says what a test has not decided: how fast a machine is makes no test fail. A quiet run shows nothing
 * that tests print, so this goes past the console.
 */
export function undecided(what: string): void {
  const line = `undecided: ${what}`;
  try {
    Deno.writeTextFileSync("/dev/stderr", `${line}\n`, { append: true, create: false });
  } catch {
    console.warn(line);
  }
}

/** Values drawn from the seed of a test. */
export function drawn<Value>(arbitrary: fc.Arbitrary<Value>, seed: number, count: number): Value[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

/** Whole numbers from 0 and below a limit, the same for the same seed (mulberry32). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/**
 * A test that draws by itself: `Deno.test(name, seeded(async (seed) => …))`. It runs with the seeds that
 * were found to fail once and with the one of the run.
 */
export function seeded(
  body: (seed: number) => void | Promise<void>,
): (t: Deno.TestContext) => Promise<void> {
  return async (t) => {
    const found = FOUND.filter(({ test }) => test === idOf(t)).flatMap(({ seed }) => seed ?? []);
    for (const seed of [...found, SEED]) {
      try {
        await body(seed);
      } catch (error) {
        throw new Error(howToRepeat(t, seed), { cause: error });
      }
    }
  };
}

/**
 * Holds that random inputs met often enough what a test is about. That is a question about what draws
 * them, so only the everyday seed is asked, whose answer is always the same.
 */
export function assertOften(times: number, least: number, what: string): void {
  if (SEED === EVERYDAY_SEED) assert.ok(times >= least, `${what}: ${times}, at least ${least}`);
}

/** A test's file and name, whether it is slow or not. */
function idOf(t: Deno.TestContext): string {
  return `${fileOf(t)}: ${t.name.replace(SLOW, "")}`;
}

function fileOf({ origin }: Deno.TestContext): string {
  const tests = new URL("../", import.meta.url).href;
  return origin.startsWith(tests) ? origin.slice(tests.length) : origin;
}

function howToRepeat(t: Deno.TestContext, seed: number): string {
  const file = fileOf(t);
  const path = file.includes("://") ? new URL(file).pathname : `tests/${file}`;
  const sizes = SIZES.filter((name) => Deno.env.has(name))
    .map((name) => ` ${name}=${Deno.env.get(name)}`).join("");
  const filter = `--filter='${t.name.replaceAll("'", `'\\''`)}'`;
  return "To repeat it:\n" +
    `SEED=${seed}${sizes} deno test -A --no-check --preload=tests/support/preload.ts ${path} ${filter}`;
}
