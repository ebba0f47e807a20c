/**
 * What the search of another program leaves out, and why: the same search by this program, with the
 * other one's defaults, and the reasons for what it does not show.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import type { Note } from "../notes/words.ts";
import * as platform from "../util/path.ts";
import { JsEngine } from "../engines/js.ts";
import { absenceIn } from "../reasons/absence.ts";
import { notesOn } from "../reasons/cause_notes.ts";
import type { EmptySearch } from "../reasons/empty_search.ts";
import { EXCLUDE, GIT_IGNORE, IGNORE_FILES } from "../glob/ignore_rules.ts";
import { Guard } from "../guard/guard.ts";
import { isNullable, type PatternNode } from "../regex/ast.ts";
import { locationError } from "../paths/missing_path.ts";
import { relativePath } from "../paths/paths.ts";
import type { IgnoreHabits } from "../scan/listing.ts";
import { readAs } from "../scan/type_names.ts";
import { pathByEnding } from "../search/path_by_ending.ts";
import { planPatterns, prepare, type PreparedSearch } from "../search/prepare.ts";
import { parseQuery } from "../search/query_parser.ts";
import { scan } from "../search/scan.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import type { ForeignSearch } from "./command_line.ts";
import { causesBy, type RunPlace } from "./foreign_causes.ts";
import { notRead } from "./programs.ts";

/** Where another program searches, and how long this one may look into it. */
export interface Surroundings extends RunPlace {
  /** Milliseconds for everything; 0: no limit. @default 30000 */
  timeout?: number | undefined;
  /** Milliseconds for the reasons, where the program is known to have found nothing: it is not asked again. */
  forReasons?: number;
  allow?: readonly string[];
  deny?: readonly string[];
  signal?: AbortSignal | undefined;
}

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
  const { workspace, timeout, allow = [], deny = [], signal } = where;
  if (foreign.unknownTypes.length > 0) {
    return { notes: foreign.unknownTypes.map(typeNote), shown: new Set() };
  }
  const guard = new Guard({ workspace, allow, deny });
  const { paths, files, absent } = operandsOf(foreign, where, guard);
  const notes = await Promise.all(absent.map((path) => absenceNote(path, where, guard)));
  if (foreign.paths.length > 0 && paths.length === 0) return { notes, shown: new Set() };
  const isNamed = files > 0 && files === paths.length;
  const settings = parseQuery({
    outputMode: foreign.query.filesWithoutMatch ? "file" : "count",
    ...foreign.query,
    // What is named is read, and binary files, too.
    ...(foreign.caller === "rg" && isNamed ? { text: true } : {}),
    ...{ path: paths, maxResults: 0, timeout, allow, deny },
  });
  const pool = new WorkerPool();
  try {
    const options = { workspace, signal, caller: foreign.caller };
    const plan = await planPatterns(settings, options);
    const prepared = await prepare(settings, plan, { engine: new JsEngine(pool), pool }, options);
    const ignoresTracked = foreign.untracked || foreign.caller !== "git grep";
    const findsEmpty = foreign.caller !== "git grep" && foreign.caller !== "ugrep";
    if (!findsEmpty && isNullable(prepared.job.plan.locate.tree)) {
      throw notRead("a pattern that an empty line matches");
    }
    const { invert, wholeLine, wholeWord } = settings;
    if (invert && !wholeLine && !wholeWord && takesEveryLine(prepared.job.plan.locate.tree)) {
      return { notes: [...notes, { reason: "every_line", values: {} }], shown: new Set() };
    }
    const walk = { ...prepared.job.walk, ignoresTracked, habits: habitsOf(foreign) };
    const search = { ...prepared, job: { ...prepared.job, walk } };
    const shown = new Set<string>();
    const causesOf = causesBy(foreign, where, walk, shown);
    const hits = where.forReasons === undefined ? await filesFound(search) : [];
    if (signal?.aborted) throw cancelled(signal);
    for (const path of hits) causesOf([], path);
    // What the guard blocks is not kept from the other program.
    const explained: EmptySearch = {
      ...{ ...search, workspace, signal },
      elapsed: where.forReasons ?? performance.now() - search.started,
      beside: {
        directory: where.directory,
        isRecursive: foreign.recursive,
        said: foreign.said,
        causesOf,
        readings: foreign.readings,
        get found() {
          return shown.size > 0;
        },
      },
    };
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

/** How each program obeys ignore files. */
const IGNORE_HABITS: Readonly<Record<ForeignSearch["caller"], IgnoreHabits>> = {
  rg: { files: IGNORE_FILES, knowsRepositories: true, selects: true },
  "git grep": { files: [GIT_IGNORE, EXCLUDE], knowsRepositories: true, selects: false },
  // Only where it is the one of Claude Code, which is ugrep.
  "GNU grep": { files: [GIT_IGNORE], knowsRepositories: false, selects: false },
  ugrep: { files: [GIT_IGNORE], knowsRepositories: false, selects: false },
};

function habitsOf({ caller, ignoreFile }: ForeignSearch): IgnoreHabits {
  const habits = IGNORE_HABITS[caller];
  return ignoreFile === undefined ? habits : { ...habits, files: [ignoreFile] };
}

/** The files in which a search finds something. */
async function filesFound(search: PreparedSearch): Promise<string[]> {
  const { collector, timeout } = await scan(search);
  if (timeout !== undefined) throw timeout;
  return collector.finish().map(({ path }) => path);
}

/**
 * The paths that exist, how many of them are files, and those that do not exist.
 *
 * @throws {PathgrepError} for one that is blocked, before anything shows whether it exists
 */
function operandsOf(
  { caller, paths, open, recursive, query }: ForeignSearch,
  { workspace, directory }: Surroundings,
  guard: Guard,
) {
  const found: string[] = [];
  const absent: string[] = [];
  let files = 0;
  for (const [index, given] of paths.entries()) {
    const path = openedAt(directory, given, guard);
    const location = guard.follow(path);
    if (location.state === "blocked") {
      throw locationError(workspace, given, location, {
        field: "path",
        use: "search",
        isAtShell: true,
      });
    }
    if (location.state === "outside") throw notRead(`${given}, a path outside the workspace,`);
    const isAbsent = location.state === "missing";
    // What comes before `--` is a revision, whatever exists.
    if (caller === "git grep" && index < open && (isAbsent || open < paths.length)) {
      throw notRead(`${given}, which may be a revision,`);
    }
    if (isAbsent) {
      absent.push(given);
      continue;
    }
    // It follows no link.
    if (caller === "git grep" && location.path !== path) {
      throw notRead(`${given}, a symbolic link,`);
    }
    const { isDirectory } = location.info;
    if (isDirectory && !recursive) throw notRead(`the directory ${given} without -r`);
    if (!isDirectory) files++;
    found.push(location.path);
  }
  const isFiltered = [query.include, query.exclude].some((globs) => (globs ?? []).length > 0);
  if (files > 0 && isFiltered && caller !== "rg") throw notRead("a glob with a named file");
  return { paths: paths.length === 0 ? [directory] : found, files, absent };
}

/** The path that the system opens: `..` behind a link is above where that leads. */
function openedAt(directory: string, given: string, guard: Guard): string {
  let path = platform.isAbsolute(given) ? "/" : directory;
  for (const name of given.split("/")) {
    if (name === "..") {
      const above = guard.follow(path);
      // What is not there has nothing above it.
      if (above.state !== "found") return path;
      path = platform.dirname(above.path);
    } else path = platform.join(path, name);
  }
  return path;
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
    const { target } = await guard.admit(relativePath(root, path), {
      tool: "grep",
      field: "path",
      findByEnding: (given) => pathByEnding(given, { workspace, guard, signal }),
    });
    if (target.kind === "all-workspaces") return missing({});
    return missing({
      instead: display(target.kind === "file" ? target.filePath : target.searchDir),
    });
  } catch (thrown) {
    const { details } = PathgrepError.from(thrown);
    return missing({ similar: ((details["suggestions"] ?? []) as readonly string[]).map(display) });
  }
}
