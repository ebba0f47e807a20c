/**
 * Random tests that remember: what a fuzz run finds is kept as a case, and every run tries the cases
 * first.
 *
 * @module
 */

import fc from "fast-check";

/** Inputs that once failed, by property; each is the list of the property's arguments. */
type Findings = Record<string, unknown[][]>;

const FILE = new URL("../../testdata/findings.json", import.meta.url);

/** Set by the fuzz task: new findings are written to the file. */
export const KEEP_VARIABLE = "PATHGREP_KEEP_FINDINGS";

async function kept(): Promise<Findings> {
  return JSON.parse(await Deno.readTextFile(FILE));
}

/**
 * Holds a property on the cases kept for it and on random input.
 *
 * @param name under which its cases are kept
 * @param numRuns how many random inputs are tried
 */
export async function assertHolds<Arguments extends [unknown, ...unknown[]]>(
  name: string,
  property: fc.IAsyncProperty<Arguments>,
  numRuns: number,
): Promise<void> {
  const findings = await kept();
  const examples = (findings[name] ?? []) as Arguments[];
  const report = fc.readConfigureGlobal().reporter;
  let counterexample: Arguments | null = null;
  try {
    await fc.assert(property, {
      numRuns: numRuns + examples.length,
      examples,
      reporter: (details) => {
        counterexample = details.counterexample;
        if (report !== undefined) report(details as fc.RunDetails<unknown>);
        else if (details.failed) {
          throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
        }
      },
    });
  } catch (error) {
    if (counterexample !== null && Deno.env.has(KEEP_VARIABLE)) {
      const known = examples.map((example) => JSON.stringify(example));
      if (known.includes(JSON.stringify(counterexample))) throw error;
      findings[name] = [...examples, counterexample];
      await Deno.writeTextFile(FILE, JSON.stringify(findings, undefined, 2) + "\n");
    }
    throw error;
  }
}
