/**
 * What the search of another program leaves out, and why: the same search by this program, with the
 * other one's defaults, and the reasons for what it does not show.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import type { Note } from "../notes/words.ts";
import * as platform from "../util/path.ts";
import { absenceIn } from "../reasons/absence.ts";
import { notesOn } from "../reasons/cause_notes.ts";
import { Guard } from "../guard/guard.ts";
import type { PatternNode } from "../regex/ast.ts";
import { relativePath } from "../util/path.ts";
import { readAs } from "../walk/file_types.ts";
import { pathByEnding } from "../walk/walk_names.ts";
import type { PreparedSearch } from "../search/prepare.ts";
import { scan } from "../search/scan.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import type { ForeignSearch } from "./command_line.ts";
import { operandsOf, prepareForeign, type Surroundings } from "./foreign_search.ts";

export interface Missed {
  notes: Note[];
  /** The files in which the other program itself finds something. */
  shown: Set<string>;
}

/**
 * Looks for what a search leaves out.
 *
 * @throws {PathgrepError} `invalid_input` or `invalid_pattern` for what is not read, every `path_…` and
 * `permission_…` code, `search_timed_out`, `cancelled`
 */
export async function missedBy(foreign: ForeignSearch, where: Surroundings): Promise<Missed> {
  const { workspace, allow = [], deny = [], signal } = where;
  if (foreign.unknownTypes.length > 0) {
    return { notes: foreign.unknownTypes.map(typeNote), shown: new Set() };
  }
  const guard = new Guard({ workspace, allow, deny });
  const operands = operandsOf(foreign, where, guard);
  const notes = await Promise.all(operands.absent.map((path) => absenceNote(path, where, guard)));
  if (foreign.paths.length > 0 && operands.paths.length === 0) return { notes, shown: new Set() };
  const pool = new WorkerPool();
  try {
    const { search, shown } = await prepareForeign(foreign, where, operands, pool);
    const { invert, wholeLine, wholeWord } = search.query;
    if (invert && !wholeLine && !wholeWord && takesEveryLine(search.job.plan.locate.tree)) {
      return { notes: [...notes, { reason: "every_line", values: {} }], shown };
    }
    const hits = where.forReasons === undefined ? await filesFound(search) : [];
    if (signal?.aborted) throw cancelled(signal);
    for (const path of hits) search.beside.causesOf([], path);
    const elapsed = where.forReasons ?? performance.now() - search.started;
    const explained = { ...search, elapsed };
    const reasons = notesOn({ ...explained, ...await absenceIn(explained) });
    return { notes: [...notes, ...reasons], shown };
  } finally {
    pool.close();
  }
}

function typeNote({ value, said }: ForeignSearch["unknownTypes"][number]): Note {
  const { type, extension } = readAs(value) ?? {};
  const glob = extension === undefined ? undefined : `-g '*.${extension}'`;
  const instead = type === undefined ? glob : said.replace(value, type);
  return { reason: "type_unknown", values: { given: said, ...(instead && { instead }) } };
}

/** Whether a pattern certainly matches every line: the empty text, wherever that is, or one end. */
function takesEveryLine(node: PatternNode): boolean {
  const takesNothing = (node: PatternNode): boolean => {
    switch (node.type) {
      case "sequence":
        return node.items.every(takesNothing);
      case "alternation":
        return node.branches.some(takesNothing);
      case "repeat":
        return node.min === 0 || takesNothing(node.item);
      case "capture":
        return takesNothing(node.item);
      default:
        return false;
    }
  };
  return takesNothing(node) || node.type === "anchor" && /(?:Start|End)$/.test(node.kind);
}

/** The files in which a search finds something. */
async function filesFound(search: PreparedSearch): Promise<string[]> {
  const { collector, timeout } = await scan(search);
  if (timeout !== undefined) throw timeout;
  return collector.handOut().map(({ path }) => path);
}

async function absenceNote(
  given: string,
  { workspace, directory, signal }: Surroundings,
  guard: Guard,
): Promise<Note> {
  const path = platform.resolve(directory, given);
  const missing = (values: { instead?: string; similar?: readonly string[] }): Note => {
    return { reason: "path_missing", values: { path: given, ...values } };
  };
  const root = workspace.rootOf(path) ?? workspace.roots[0]!;
  // From where the program runs.
  const display = (found: string) =>
    workspace.roots.length > 1
      ? found
      : platform.relative(directory, platform.resolve(root, found)).replaceAll(platform.sep, "/");
  try {
    const { places, isEveryRoot } = await guard.admit(relativePath(root, path), {
      tool: "grep",
      field: "path",
      findByEnding: (given) => pathByEnding(given, { workspace, guard, signal }),
    });
    return missing(isEveryRoot ? {} : { instead: display(places[0]!.path) });
  } catch (thrown) {
    const { details } = PathgrepError.from(thrown);
    return missing({ similar: ((details["suggestions"] ?? []) as readonly string[]).map(display) });
  }
}
