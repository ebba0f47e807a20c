/**
 * Which engine carries a search out.
 *
 * @module
 */

import type { Engine } from "../engine.ts";
import type { WorkerPool } from "../js/pool.ts";
import type { EngineName } from "../query.ts";
import { JsEngine } from "./js.ts";

/**
 * The engine of a name.
 *
 * @param name `auto` is `js`, always (see below)
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
  rg: async () => (await import("./rg.ts")).rg,
  git: async () => (await import("./git.ts")).git,
  grep: async () => (await import("./grep.ts")).grep,
} as const;
