/**
 * Changes the source by rule, one place at a time in a copy of the checkout, runs the tests that go with
 * it, and lists the mutants that no test notices: `deno task mutants`.
 *
 *     --only PLACE     a folder or file, such as src/guard; may be repeated (default: src)
 *     --count N        how many mutants are drawn (default: 60)
 *     --seed N         which: the same seed draws the same from the same source (default: 1)
 *     --jobs N         how many are tried at once (default: 2)
 *     --results FILE   where outcomes are written as JSON; those that it holds already are not tried again
 *     --again          tries those that lived once more
 *     --list           prints what is drawn, and runs nothing
 *
 * Exits with 1 when a mutant lives without a reason in `reasons.json`, or fewer than 85 % are noticed.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { type CleanTimes, Copy, type Outcome } from "./copy.ts";
import { draw, findMutants, type Mutant } from "./draw.ts";
import reasons from "./reasons.json" with { type: "json" };
import { reasonFor, report, shown } from "./report.ts";
import { stagesOf } from "./tests_of.ts";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const MIN_NOTICED = 0.85;

type Recorded = Outcome & Pick<Mutant, "before" | "after">;

/** Outcomes by the mutants' names, in a file so that a run can go on where it ended. */
class Results {
  readonly #file: string | undefined;
  readonly #outcomes: Record<string, Recorded>;

  constructor(file: string | undefined) {
    this.#file = file;
    try {
      this.#outcomes = file === undefined ? {} : JSON.parse(Deno.readTextFileSync(file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      this.#outcomes = {};
    }
  }

  /** What became of a mutant, unless its lines have changed since. */
  of({ id, before, after }: Mutant): Outcome | undefined {
    const recorded = this.#outcomes[id];
    return recorded?.before === before && recorded.after === after ? recorded : undefined;
  }

  add({ id, before, after }: Mutant, outcome: Outcome): void {
    this.#outcomes[id] = { ...outcome, before, after };
    if (this.#file !== undefined) {
      Deno.writeTextFileSync(this.#file, `${JSON.stringify(this.#outcomes, null, 1)}\n`);
    }
  }
}

/** Tries mutants, several at once, each in the next copy that is free. */
async function tryAll(mutants: readonly Mutant[], results: Results, jobs: number): Promise<void> {
  const cleanTimes: CleanTimes = new Map();
  using copies = new DisposableStack();
  const stop = () => {
    copies.dispose();
    Deno.exit(130);
  };
  Deno.addSignalListener("SIGINT", stop);
  Deno.addSignalListener("SIGTERM", stop);
  const waiting = [...mutants.entries()];
  const work = async (copy: Copy) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, mutant] = next;
      const outcome = await copy.try(mutant, stagesOf(CHECKOUT, mutant.file));
      results.add(mutant, outcome);
      const how = `${outcome.outcome} after ${outcome.seconds.toFixed(1)} s`;
      console.log(`${index + 1}/${mutants.length} ${how}: ${shown(mutant)}`);
    }
  };
  const all = Array.from({ length: jobs }, () => copies.use(new Copy(CHECKOUT, cleanTimes)));
  await Promise.all(all.map(work));
  Deno.removeSignalListener("SIGINT", stop);
  Deno.removeSignalListener("SIGTERM", stop);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: ["src"] },
      count: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      jobs: { type: "string", default: "2" },
      results: { type: "string" },
      again: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
  });
  const found = await findMutants(CHECKOUT, ...values.only);
  const drawn = draw(found, Number(values.count), Number(values.seed));
  console.log(`${drawn.length} of ${found.length} mutants`);
  if (values.list) {
    for (const mutant of drawn) console.log(shown(mutant));
    return 0;
  }
  const results = new Results(values.results);
  const untried = drawn.filter((mutant) => {
    const outcome = results.of(mutant)?.outcome;
    return outcome === undefined || values.again && outcome === "lived";
  });
  await tryAll(untried, results, Number(values.jobs));
  const tried = drawn.map((mutant) => ({ mutant, outcome: results.of(mutant)!.outcome }));
  console.log(`\n${report(tried, reasons)}`);
  const lived = tried.filter(({ outcome }) => outcome === "lived");
  const isExplained = lived.every(({ mutant }) => reasonFor(mutant, reasons) !== undefined);
  return isExplained && lived.length <= (1 - MIN_NOTICED) * drawn.length ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
