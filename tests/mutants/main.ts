/**
 * Puts small faults into a copy of the source, one at a time, and tells which of them the tests do not
 * notice: `deno task mutants`.
 *
 *     --only PREFIX    faults in files whose path begins so, such as src/guard
 *     --list           print the faults, check that each still applies, and run nothing
 *     --results FILE   where results are kept (default: pathgrep-mutants.json in the temporary directory);
 *                      faults that were noticed before are not tried again
 *     --timeout S      seconds that one of a fault's test files or folders may take (default: 120);
 *                      where the fault may make it hang, a quarter of that
 *
 * Exits with 1 when a fault does not apply, when one lives without a reason why it is harmless, or
 * when fewer than 90 % are noticed.
 *
 * @module
 */

import { parseArgs, stripVTControlCharacters } from "node:util";
import { fileURLToPath } from "node:url";
import type { Fault } from "./fault.ts";
import { FAULTS } from "./faults.ts";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const decoder = new TextDecoder();
const MIN_NOTICED = 0.9;
/** What is not needed to run tests, or is not the project's. */
const LEFT_OUT = new Set([".git", "node_modules"]);

type Outcome = "noticed" | "lived" | "timed out" | "tests fail without it";

/** Outcomes by fault, kept in a file so that an interrupted run goes on where it ended. */
class Results {
  readonly #file: string;
  readonly #outcomes: Record<string, Outcome>;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#outcomes = JSON.parse(Deno.readTextFileSync(file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      this.#outcomes = {};
    }
  }

  of(fault: Fault): Outcome | undefined {
    return this.#outcomes[keyOf(fault)];
  }

  set(fault: Fault, outcome: Outcome): void {
    this.#outcomes[keyOf(fault)] = outcome;
    Deno.writeTextFileSync(this.#file, JSON.stringify(this.#outcomes, null, 1));
  }
}

function keyOf({ file, find, replace }: Fault): string {
  return JSON.stringify([file, find, replace]);
}

/** The source with a fault in it. */
function withFault({ file, find, replace }: Fault): string {
  const source = Deno.readTextFileSync(CHECKOUT + file);
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`stands ${parts.length - 1} times in ${file}: ${find}`);
  return parts.join(replace);
}

/** The faults that cannot be put in any more, in words. */
function problems(faults: readonly Fault[]): string[] {
  return faults.flatMap((fault) => {
    try {
      for (const test of fault.tests) Deno.statSync(CHECKOUT + test);
      if (fault.find === fault.replace) return [`changes nothing: ${fault.find}`];
      withFault(fault);
      return [];
    } catch (error) {
      return [`${fault.file}: ${error instanceof Error ? error.message : error}`];
    }
  });
}

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    if (LEFT_OUT.has(name)) continue;
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else if (isFile) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

/** A copy of the checkout in which tests are run. */
class Copy implements Disposable {
  readonly #directory = Deno.makeTempDirSync({ prefix: "pathgrep_mutants_" });
  readonly #root = `${this.#directory}/tree`;
  readonly #timeout: number;
  readonly #sound = new Map<string, boolean>();
  #group: number | undefined;

  /** @param timeout milliseconds that one test file or folder may take */
  constructor(timeout: number) {
    this.#timeout = timeout;
    copyTree(CHECKOUT, this.#root);
  }

  /** Runs the tests of a fault up to the one that notices it. */
  async try(fault: Fault): Promise<Outcome> {
    const path = `${this.#root}/${fault.file}`;
    for (const tests of fault.tests) {
      Deno.writeTextFileSync(path, withFault(fault));
      const timeout = fault.hangs ? this.#timeout / 4 : this.#timeout;
      const result = await this.#test(tests, fault.filter, timeout).finally(() =>
        Deno.copyFileSync(CHECKOUT + fault.file, path)
      );
      if (result === "passed") continue;
      if (!await this.#areSound(tests, fault.filter)) return "tests fail without it";
      return result === "failed" || fault.hangs ? "noticed" : "timed out";
    }
    return "lived";
  }

  /** Whether tests pass without any fault. */
  async #areSound(tests: string, filter = ""): Promise<boolean> {
    const key = `${tests} ${filter}`;
    let areSound = this.#sound.get(key);
    if (areSound === undefined) {
      areSound = await this.#test(tests, filter) === "passed";
      this.#sound.set(key, areSound);
    }
    return areSound;
  }

  async #test(
    tests: string,
    filter = "",
    timeout = this.#timeout,
  ): Promise<"passed" | "failed" | "timed out"> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--quiet", "--no-check", "--fail-fast", "--filter", filter, tests],
      cwd: this.#root,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      detached: true, // a process group, so that what the tests start ends with them
    }).spawn();
    this.#group = -child.pid;
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      this.end();
    }, timeout);
    const { success, stdout } = await child.output();
    clearTimeout(timer);
    this.end();
    if (isOverdue) return "timed out";
    // A filter that fits no test proves nothing.
    const isProof = /\b[1-9]\d* (passed|failed)/.test(
      stripVTControlCharacters(decoder.decode(stdout)),
    );
    return success && isProof ? "passed" : "failed";
  }

  /** Ends the tests under way, and whatever they left running. */
  end(): void {
    try {
      if (this.#group !== undefined) Deno.kill(this.#group, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    this.#group = undefined;
  }

  [Symbol.dispose](): void {
    this.end();
    Deno.removeSync(this.#directory, { recursive: true });
  }
}

/** A fault in a line. */
function shown({ file, find, replace }: Fault): string {
  const line = (text: string) => text.replace(/\s+/g, " ").trim();
  return `${file}: ${line(find)} -> ${line(replace) || "(nothing)"}`;
}

/** Prints what became of faults; whether it is good enough. */
function report(faults: readonly Fault[], results: Results): boolean {
  const noticed = faults.filter((fault) => results.of(fault) === "noticed").length;
  let isGood = noticed >= faults.length * MIN_NOTICED;
  console.log(`\n${noticed} of ${faults.length} faults were noticed`);
  for (const fault of faults) {
    const outcome = results.of(fault);
    if (outcome === "noticed") {
      if (fault.why !== undefined) console.log(`noticed, and not harmless: ${shown(fault)}`);
      continue;
    }
    const isHarmless = outcome === "lived" && fault.why !== undefined;
    console.log(`${outcome}: ${shown(fault)}${isHarmless ? `\n    harmless: ${fault.why}` : ""}`);
    isGood &&= isHarmless;
  }
  return isGood;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      only: { type: "string", default: "" },
      list: { type: "boolean", default: false },
      results: { type: "string" },
      timeout: { type: "string", default: "120" },
    },
  });
  const faults = FAULTS.filter(({ file }) => file.startsWith(values.only));
  const wrong = problems(faults);
  if (values.list) {
    for (const fault of faults) console.log(shown(fault));
    console.log(`${faults.length} faults`);
  }
  for (const problem of wrong) console.error(`does not apply: ${problem}`);
  if (wrong.length > 0) return 1;
  if (values.list) return 0;
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const results = new Results(values.results ?? `${temporary}/pathgrep-mutants.json`);
  using copy = new Copy(Number(values.timeout) * 1000);
  const stop = () => {
    copy[Symbol.dispose]();
    Deno.exit(130);
  };
  Deno.addSignalListener("SIGINT", stop);
  Deno.addSignalListener("SIGTERM", stop);
  for (const [index, fault] of faults.entries()) {
    if (results.of(fault) === "noticed") continue;
    const started = performance.now();
    const outcome = await copy.try(fault);
    results.set(fault, outcome);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${index + 1}/${faults.length} ${outcome} (${seconds} s) ${shown(fault)}`);
  }
  Deno.removeSignalListener("SIGINT", stop);
  Deno.removeSignalListener("SIGTERM", stop);
  return report(faults, results) ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
