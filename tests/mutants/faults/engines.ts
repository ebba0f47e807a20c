/**
 * Faults in the engines.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const CONFORMANCE = "tests/engines/conformance.test.ts";
const SAFETY = "tests/alone/spawn_safety.test.ts";
const LISTING = "tests/engines/file_lister.test.ts";
const OVER_APPROXIMATION = "tests/engines/over_approximation.test.ts";

/** Faults in `src/engines/`. */
export const ENGINE_FAULTS: readonly Fault[] = [
  ...faultsIn("src/engines/locate_program.ts", [SAFETY], [
    { find: `if (isInside(other, roots)) {`, replace: `if (false) {`, filter: "ripgrep from npm" },
    { find: `const isSafe = platform.isAbsolute(directory) &&`, replace: `const isSafe = true &&` },
    {
      find: `isWithin(root, path) || canonical !== "unknown" && isWithin(root, canonical)`,
      replace: `isWithin(root, path)`,
    },
    {
      find: `isWithin(root, path) || canonical !== "unknown" && isWithin(root, canonical)`,
      replace: `canonical !== "unknown" && isWithin(root, canonical)`,
    },
    {
      find: `return isBlind && !isPlanted ? { command: name, isPlanted } : { isPlanted };`,
      replace: `return isBlind ? { command: name, isPlanted } : { isPlanted };`,
    },
    {
      find: `return Deno.permissions.querySync({ name: "run", command }).state === "granted";`,
      replace: `return Deno.permissions.querySync({ name: "run", command }).state !== "denied";`,
    },
  ]),
  ...faultsIn("src/engines/run_program.ts", [SAFETY], [
    { find: `clearEnv: true,`, replace: `clearEnv: false,` },
    { find: `cwd: Deno.build.os === "windows" ? "C:\\\\" : "/",`, replace: `` },
    { find: `if (strict && chunk.length > room) throw`, replace: `if (false) throw` },
    {
      find: `options.signal.addEventListener("abort", onAbort, { once: true });`,
      replace: ``,
      hangs: true,
    },
  ]),
  ...faultsIn("src/engines/git.ts", [SAFETY, CONFORMANCE], [
    { find: `    GIT_LITERAL_PATHSPECS: "1",\n`, replace: `` },
    {
      find: `    GIT_DIR: NOWHERE,\n`,
      replace: ``,
      tests: [SAFETY],
      why: "git starts in `/` and needs no repository: it guards against one that is there",
    },
    { find: `    "--no-index",\n`, replace: `` },
  ]),
  ...faultsIn("src/engines/grep.ts", [SAFETY, CONFORMANCE], [
    {
      find: `    "-D",\n    "skip",\n`,
      replace: ``,
      tests: [SAFETY],
      filter: "for a pipe",
      hangs: true,
    },
  ]),
  ...faultsIn("src/engines/rg.ts", ["tests/hostile/exchanged_answers.test.ts"], [
    { find: `    "--max-depth=0",\n    "--no-ignore",\n`, replace: `` },
    { find: `    "--no-ignore",\n`, replace: `` },
  ]),
  ...faultsIn("src/engines/filter_engine.ts", [CONFORMANCE, SAFETY], [
    { find: `|| !isFiltered) {`, replace: `) {` },
    {
      find: `if (withoutMatch) return { unfit: "it asks for files without a match" };`,
      replace: ``,
    },
    {
      find: `if (loose === "nothing") return { patterns: [NOT_ASCII_TEXT] };`,
      replace: `if (loose === "nothing") return { patterns: ["x", NOT_ASCII_TEXT] };`,
      why: "a wider filter: what it leaves is read and matched anyway",
    },
    {
      find: `return { patterns: [pattern, NOT_ASCII_TEXT] };`,
      replace: `return { patterns: [pattern] };`,
    },
    {
      find: `const isTooLarge = !named && bytes > job.maxFileSize;`,
      replace: `const isTooLarge = false;`,
    },
    {
      find: `if (signal !== null || stderr !== "" || code > 1) return undefined;`,
      replace: `if (signal !== null || code > 1) return undefined;`,
    },
    { find: `if ((code === 1) !== isEmpty) return undefined;`, replace: `` },
    { find: `found.some((one) => !asked.has(one))`, replace: `false` },
    {
      find: `if (run.signal === null && isAboutFiles(run, files)) {`,
      replace: `if (isAboutFiles(run, files)) {`,
    },
    {
      find: `if (isCutOff(sink, path)) return;`,
      replace: ``,
      why: "the JavaScript engine passes over the file: it saves work only",
    },
  ]),
  ...faultsIn("src/engines/file_lister.ts", [LISTING], [
    {
      find: `if (!isNamed && info.size > this.#job.maxFileSize) return`,
      replace: `if (info.size > this.#job.maxFileSize) return`,
    },
    {
      find: `return !this.filtersNamed || filter.accepts(name, name);`,
      replace: `return true;`,
      tests: ["tests/search/query.test.ts"],
    },
    {
      find: `const walker = new Walker({ ...job.walk, named }, use?.listings, look);`,
      replace: `const walker = new Walker({ ...job.walk, named: [] }, use?.listings, look);`,
    },
    {
      find: `if (signal.aborted) throw PathgrepError.from(signal.reason);`,
      replace: ``,
      hangs: true,
    },
  ]),
  ...faultsIn("src/engines/over_approximation.ts", [OVER_APPROXIMATION], [
    {
      find: `return !repeated && (node.kind === "lineStart" || node.kind === "lineEnd")`,
      replace: `return (node.kind === "lineStart" || node.kind === "lineEnd")`,
    },
    {
      find: `if (isNever(item)) return min === 0 ? EMPTY : NEVER;`,
      replace: `if (isNever(item)) return NEVER;`,
    },
    {
      find: `if (isNullable(loose)) return "everything";`,
      replace: ``,
      tests: [OVER_APPROXIMATION, CONFORMANCE],
    },
  ]),
  ...faultsIn("src/engines/js.ts", [
    "tests/search/abort.test.ts",
    "tests/contract/errors.test.ts",
  ], [
    {
      find: `if (this.#signal.aborted) throw PathgrepError.from(this.#signal.reason);`,
      replace: ``,
      hangs: true,
    },
    {
      find: `    checkTime(this.#job, false);\n    this.#team`,
      replace: `    this.#team`,
      tests: ["tests/cli/time_limit.test.ts"],
      why: "every thread looks at the limit itself, also while it waits for work",
    },
    {
      find: `      worker.stop();\n`,
      replace: ``,
      why: "nobody runs the thread again: its work is dropped with it",
    },
    {
      find: `        if (team.isStarted || !mayShare) continue;`,
      replace: `        if (!mayShare) continue;`,
      why: "calling the same workers in twice calls none",
    },
    {
      find: `if (this.#failure !== undefined) throw this.#failure;`,
      replace: ``,
      tests: ["tests/parallel/threads.test.ts"],
      hangs: true,
    },
  ]),
];
