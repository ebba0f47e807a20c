/**
 * Loaded before a file of random tests by the fuzz task: gives fast-check the run's seed, and says at the
 * end how many inputs were tried.
 *
 * @module
 */

import fc from "fast-check";

/** The seed of fast-check for this run. */
export const SEED_VARIABLE = "PATHGREP_FUZZ_SEED";
/** Begins the line that says how many inputs were tried. */
export const COUNT_LINE = "random inputs tried:";

const seed = Deno.env.get(SEED_VARIABLE);
if (seed !== undefined) {
  let inputs = 0;
  fc.configureGlobal({
    seed: Number(seed),
    reporter: (details) => {
      inputs += details.numRuns;
      if (details.failed) {
        throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
      }
    },
  });
  globalThis.addEventListener("unload", () => console.error(COUNT_LINE, inputs));
}
