/**
 * `deno task fuzz [--seconds N] [--seed N] [FILE…]`: runs every random test of the suite again and again
 * with new seeds, and races, for as long as it is given (without `--seconds` each once).
 *
 * It prints each seed, so that a run can be repeated; fast-check shrinks what it finds, and findings of the
 * properties in `tests/hostile/` are kept in `testdata/findings.json`, from where the suite tries them
 * first. Findings of other tests belong into these as cases of their own.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { KEEP_VARIABLE } from "./findings.ts";
import { COUNT_LINE, SEED_VARIABLE } from "./fuzz_setup.ts";
import { race } from "./races.ts";

const TESTS = new URL("../", import.meta.url).pathname;
const SETUP = new URL("fuzz_setup.ts", import.meta.url).pathname;
/** Seconds of one race among the tests. */
const RACE_SECONDS = 20;

/** The test files that try random input. */
async function* randomTests(directory: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(directory)) {
    const path = `${directory}${entry.name}`;
    if (entry.isDirectory) yield* randomTests(`${path}/`);
    else if (
      entry.name.endsWith(".test.ts") && /from "fast-check"/.test(await Deno.readTextFile(path))
    ) yield path;
  }
}

/** Runs one file with one seed, and says how many inputs it tried; `undefined` when it failed. */
async function runFile(file: string, seed: number): Promise<number | undefined> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", `--preload=${SETUP}`, file],
    env: { [SEED_VARIABLE]: String(seed), [KEEP_VARIABLE]: "1" },
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (code === 0) return Number(new RegExp(`${COUNT_LINE} (\\d+)`).exec(output)?.[1]);
  console.log(output);
  return undefined;
}

const { values, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "0" }, seed: { type: "string" } },
  allowPositionals: true,
});
const end = performance.now() + Number(values.seconds) * 1000;
const files = positionals.length > 0 ? positionals : await Array.fromAsync(randomTests(TESTS));
let seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
let inputs = 0;
let searches = 0;
let failures = 0;
do {
  for (const file of files.toSorted()) {
    console.log(`seed ${seed}: ${file.replace(TESTS, "tests/")}`);
    const tried = await runFile(file, seed);
    if (tried === undefined) failures++;
    else inputs += tried;
  }
  if (positionals.length === 0) {
    console.log(`seed ${seed}: a race of ${RACE_SECONDS} seconds`);
    const report = await race(RACE_SECONDS, seed);
    searches += report.searches;
    failures += report.failures.length;
    for (const failure of report.failures) console.log(failure);
  }
  seed = (seed + 1) % 2 ** 31;
} while (performance.now() < end);
console.log(`${inputs} random inputs, ${searches} searches in races, ${failures} failures`);
Deno.exit(failures === 0 ? 0 : 1);
