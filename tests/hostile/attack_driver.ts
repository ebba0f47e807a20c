/**
 * Runs the catalogue of attacks in one process, under whatever permissions that has, and writes an
 * answer a line. Arguments: the world's base, then the engines.
 *
 * @module
 */

import {
  type EngineName,
  listFiles,
  PathgrepError,
  ReadFileTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  search,
  Searcher,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { ANYTHING, type Attack, attacks } from "./attacks.ts";
import { TWINS } from "./world.ts";

/** One line of the driver's output. */
export interface AttackReport {
  attack: string;
  twin: (typeof TWINS)[number];
  /** The engine, or the function that resolved the path. */
  by: string;
  answer: unknown;
}

/** What came of it: a value, or an error as it is sent. Nothing else may be thrown. */
async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error instanceof PathgrepError ? error.toJSON() : { thrown: String(error) };
  }
}

/** Searchers with their workers, by their roots. */
const shared = new Map<string, { workspace: Workspace; searcher: Searcher }>();

/** What searches: a searcher or, for an attack on the environment, what shares nothing with others. */
async function open({ env }: Attack, roots: string[]) {
  const key = roots.join("\0");
  const known = env === undefined ? shared.get(key) : undefined;
  if (known !== undefined) return known;
  const workspace = await Workspace.open(roots);
  if (env !== undefined) {
    return {
      workspace,
      searcher: { search: (query: SearchQuery) => search(query, { workspace }) },
    };
  }
  const opened = { workspace, searcher: new Searcher({ workspace }) };
  shared.set(key, opened);
  return opened;
}

async function carryOut(attack: Attack, base: string, engines: readonly EngineName[]) {
  const answers: { by: string; answer: unknown }[] = [];
  const note = async (by: string, run: () => Promise<unknown>) => {
    answers.push({ by, answer: await outcome(run) });
  };
  const roots = (attack.roots ?? ["ws"]).map((root) => `${base}/${root}`);
  let opened: Awaited<ReturnType<typeof open>>;
  try {
    opened = await open(attack, roots);
  } catch (error) {
    await note("Workspace.open", () => Promise.reject(error));
    return answers;
  }
  const { workspace, searcher } = opened;
  const query = { pattern: ANYTHING, maxFileSize: 10_000_000, stats: true, ...attack.query };
  for (const engine of engines) await note(engine, () => searcher.search({ ...query, engine }));
  const { path, allow = [], deny = [], ...rest } = attack.query;
  if (typeof path !== "string") return answers;
  if (Object.keys(rest).length === 0) {
    const tool = new ReadFileTool({ workspace, allow: [allow].flat(), deny: [deny].flat() });
    await note("read_file", () => tool.execute({ path }));
  }
  await note("listFiles", () => listFiles({ path }, { workspace }));
  await note("resolveTextSearchTarget", () => resolveTextSearchTarget(workspace, path));
  await note("resolveProjectPath", () => resolveProjectPath(workspace.roots[0]!, path));
  await note("resolveWorkingDirectory", () => resolveWorkingDirectory(workspace, path));
  await note("resolveToolCallPaths", () => resolveToolCallPaths(workspace, { file_path: path }));
  await note("isPathWithin", () => workspace.isPathWithin(path));
  return answers;
}

if (import.meta.main) {
  const [base, ...engines] = Deno.args;
  const { state } = Deno.permissions.querySync({ name: "env" });
  const done = new Set<string>();
  for (const twin of TWINS) {
    for (const attack of attacks(base!, twin)) {
      const asked = JSON.stringify(attack);
      if (done.has(asked)) continue; // it does not aim at the twins
      done.add(asked);
      const before: [string, string | undefined][] = [];
      if (state === "granted") {
        for (const [name, value] of Object.entries(attack.env ?? {})) {
          before.push([name, Deno.env.get(name)]);
          Deno.env.set(name, value);
        }
      }
      // What does not exist is no engine's business: the first tells as much as all.
      const asking = twin === TWINS[0] ? engines : engines.slice(0, 1);
      for (const answer of await carryOut(attack, base!, asking as EngineName[])) {
        console.log(JSON.stringify({ attack: attack.name, twin, ...answer }));
      }
      for (const [name, value] of before) {
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
    }
  }
  for (const { searcher } of shared.values()) await searcher[Symbol.asyncDispose]();
}
