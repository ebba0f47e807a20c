/**
 * Chooses the engine that executes a search.
 *
 * @module
 */

import type { Engine, EngineName } from "./engine.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import { JsEngine } from "./js.ts";

/**
 * The engine of a name. `auto` is `js` whatever is installed: the programs are faster by a quarter at
 * best, on small trees, and slower by as much or more elsewhere.
 *
 * Whole command in ms, best of 3 on 2 cores, file mode:
 *
 * | tree | pattern | js | rg | grep | git |
 * | --- | --- | --- | --- | --- | --- |
 * | 900 files, 16 MB | `zqxjkv` | 147 | 169 | 164 | 179 |
 * | 2,300 files, 12 MB | `zqxjkv` | 233 | 206 | 171 | 245 |
 * | 46,600 files, 194 MB | `zqxjkv` | 693 | 1069 | 962 | 5752 |
 * | 72,400 files, 658 MB | `zqxjkv` | 1888 | 2313 | 2092 | 10159 |
 * | 72,400 files, 658 MB | `[a-z]+Sync\(` | 1920 | 3464 | 2364 | 7912 |
 *
 * A program saves JavaScript the reading, but costs a `stat` and an argument per file, and a process per
 * call.
 *
 * @param roots the canonical roots of the workspace; programs in them are not run
 * @throws {PathgrepError} `engine_unavailable`
 */
export async function engineFor(
  name: EngineName | "auto",
  pool: WorkerPool,
  roots: readonly string[],
): Promise<Engine> {
  const js = new JsEngine(pool);
  if (name === "auto" || name === "js") return js;
  const { FilterEngine } = await import("./filter_engine.ts");
  const { locateProgram } = await import("./locate_program.ts");
  const program = await PROGRAMS[name]();
  return new FilterEngine(program, await locateProgram(program, roots), js);
}

const PROGRAMS = {
  rg: async () => (await import("./rg.ts")).rg,
  git: async () => (await import("./git.ts")).git,
  grep: async () => (await import("./grep.ts")).grep,
} as const;
