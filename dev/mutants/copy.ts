/**
 * A copy of the checkout, in which tests are run with a mutant in the source.
 *
 * @module
 */

import { type Mutant, mutated } from "./draw.ts";
import type { Stage } from "./tests_of.ts";

/** What is not needed to run tests, or is not the project's. */
const LEFT_OUT = new Set([".git", "node_modules"]);
/** A mutant may take this many times the time that tests take without it, and a little more. */
const SLOWDOWN = 3;
const GRACE_MS = 15_000;
/** How often tests may fail without a mutant before they prove nothing: a busy machine is no defect. */
const MAX_FAILURES = 3;
const OPTIONS = [
  "--quiet",
  "--no-check",
  "--fail-fast",
  // A mutant that collects without end fails before it takes the machine's memory.
  "--v8-flags=--max-old-space-size=1500",
];

/** What became of a mutant: no test failed, or one of a stage did, or it took too long. */
export interface Outcome {
  readonly outcome: "lived" | "noticed" | "hung";
  /** The test that noticed it. */
  readonly by?: string;
  readonly seconds: number;
}

/**
 * Milliseconds that each stage takes without a mutant, which all copies share. Tests that fail without
 * one have no time.
 */
export type CleanTimes = Map<string, Promise<number | undefined>>;

/** How tests ended. */
interface Result {
  readonly end: "passed" | "failed" | "hung";
  /** The name of the test that failed. */
  readonly failed?: string;
}

/** A copy of the checkout. */
export class Copy implements Disposable {
  readonly #root = Deno.makeTempDirSync({ prefix: "pathgrep_mutants_" });
  readonly #checkout: string;
  readonly #cleanTimes: CleanTimes;
  readonly #grace: number;
  #group: number | undefined;

  /**
   * @param checkout what is copied, ending in a slash
   * @param grace milliseconds that a mutant may take beyond three times what the tests take without it
   */
  constructor(checkout: string, cleanTimes: CleanTimes, grace: number = GRACE_MS) {
    this.#grace = grace;
    this.#checkout = checkout;
    this.#cleanTimes = cleanTimes;
    copyTree(checkout, this.#root);
  }

  /**
   * Runs the stages up to the one that notices the mutant. On a busy machine a test fails by chance: what
   * fails has to fail again alone, and to pass without the mutant.
   */
  async try(mutant: Mutant, stages: readonly Stage[]): Promise<Outcome> {
    const path = `${this.#root}/${mutant.file}`;
    const source = await Deno.readTextFile(this.#checkout + mutant.file);
    const change = mutated(source, mutant);
    let seconds = 0;
    for (const stage of stages) {
      const cleanTime = await this.#cleanTime(stage);
      if (cleanTime === undefined) continue;
      const test = async (text: string, filter = stage.filter): Promise<Result> => {
        await Deno.writeTextFile(path, text);
        const start = performance.now();
        const result = await this.#test({ ...stage, filter }, SLOWDOWN * cleanTime + this.#grace);
        seconds += (performance.now() - start) / 1000;
        await Deno.writeTextFile(path, source);
        return result;
      };
      let result = await test(change);
      if (result.end === "failed" && (await test(change, result.failed)).end === "passed") {
        result = await test(change);
      }
      if (result.end === "passed" || (await test(source, result.failed)).end !== "passed") continue;
      const by = [stage.file, result.failed ?? []].flat().join(": ");
      return { outcome: result.end === "hung" ? "hung" : "noticed", by, seconds };
    }
    return { outcome: "lived", seconds };
  }

  /** Checks that a stage passes without a mutant. */
  #cleanTime(stage: Stage): Promise<number | undefined> {
    const key = `${stage.file} ${stage.filter}`;
    const known = this.#cleanTimes.get(key);
    if (known !== undefined) return known;
    const time = async () => {
      for (let failures = 0; failures < MAX_FAILURES; failures++) {
        const start = performance.now();
        if ((await this.#test(stage)).end === "passed") return performance.now() - start;
      }
      console.error(`left out, since its tests fail without a mutant: ${stage.file}`);
      return undefined;
    };
    const promise = time();
    this.#cleanTimes.set(key, promise);
    return promise;
  }

  async #test({ file, filter }: Stage, limit?: number): Promise<Result> {
    const preload = `--preload=${this.#root}/tests/support/preload.ts`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", ...OPTIONS, preload, "--filter", filter, file],
      cwd: this.#root,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      detached: true, // a process group, so that what the tests start ends with them
    }).spawn();
    this.#group = -child.pid;
    let isOverdue = false;
    const timer = limit === undefined ? undefined : setTimeout(() => {
      isOverdue = true;
      this.#end();
    }, limit);
    const { success, stdout } = await child.output();
    clearTimeout(timer);
    this.#end();
    if (isOverdue) return { end: "hung" };
    if (success) return { end: "passed" };
    return { end: "failed", failed: failedFirst(new TextDecoder().decode(stdout)) };
  }

  /** Ends the tests under way, and whatever they left running. */
  #end(): void {
    try {
      if (this.#group !== undefined) Deno.kill(this.#group, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    this.#group = undefined;
  }

  [Symbol.dispose](): void {
    this.#end();
    Deno.removeSync(this.#root, { recursive: true });
  }
}

/** The name of the test that failed. The runner's last list has `name ... step => ./tests/a.test.ts:1:2`. */
function failedFirst(output: string): string {
  const [, line = "the runner"] = /\n FAILURES \n\n(.*)/.exec(output) ?? [];
  return line.split(/ \.\.\. | => /)[0]!;
}

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    if (LEFT_OUT.has(name)) continue;
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else if (isFile) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}
