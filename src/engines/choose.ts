/**
 * Which engine carries a search out.
 *
 * @module
 */

import type { Engine } from "../search/engine.ts";
import type { WorkerPool } from "../search/js/pool.ts";
import type { EngineName } from "../search/query.ts";
import { JsEngine } from "../search/engines/js.ts";

/**
 * The engine of a name. `auto` is `js` whatever else there is: the programs win by a quarter at best, on
 * small trees and on patterns that are slow in V8, and lose by as much or more elsewhere.
 *
 * Whole command in ms, best of 3 on 2 cores, files only; `(\w+)\s*=\s*\1\.\w+\(` stands for patterns that
 * are slow in V8:
 *
 * | tree | pattern | js | rg | grep | git |
 * | --- | --- | --- | --- | --- | --- |
 * | 900 files, 16 MB | `zqxjkv` | 147 | 169 | 164 | 179 |
 * | 2,300 files, 12 MB | `zqxjkv` | 233 | 206 | 171 | 245 |
 * | 46,600 files, 194 MB | `zqxjkv` | 693 | 1069 | 962 | 5752 |
 * | 72,400 files, 658 MB | `zqxjkv` | 1888 | 2313 | 2092 | 10159 |
 * | 72,400 files, 658 MB | `[a-z]+Sync\(` | 1920 | 3464 | 2364 | 7912 |
 * | 72,400 files, 658 MB | the slow one | 3811 | 3577 | 3467 | 11426 |
 *
 * (In the last row git was given all of the pattern; it now gets the part that is linear.)
 *
 * A program saves reading in JavaScript, but costs a size and a name per file and a start per call.
 *
 * @param name the engine asked for
 * @param pool the workers that the JavaScript engine uses
 * @param roots the canonical roots of the workspace: no program in them is run
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
  return await FilterEngine.create(await PROGRAMS[name](), js, roots);
}

/** The programs, loaded when asked for. */
const PROGRAMS = {
  rg: async () => (await import("../search/engines/rg.ts")).rg,
  git: async () => (await import("./git.ts")).git,
  grep: async () => (await import("./grep.ts")).grep,
} as const;
