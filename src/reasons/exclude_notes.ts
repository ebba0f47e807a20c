/**
 * Excludes that exclude nothing, and the glob that may have been meant: an include that matches nothing
 * shows in an empty answer, but an exclude would go unnoticed.
 *
 * @module
 */

import { anyCase } from "../glob/glob_paths.ts";
import { splitGlobs } from "../glob/glob_parser.ts";
import type { Note } from "../notes/words.ts";
import { NO_FILTER } from "../scan/file_filter.ts";
import { PathFilter } from "./causes.ts";
import type { EmptySearch } from "./empty_search.ts";
import { isInclude } from "./filter_problem.ts";
import { conventionGlobs } from "./spellings.ts";
import { FurtherPass } from "./further_pass.ts";
import { alternativeGlobs, anywhereGlobs, inOtherForms } from "./query_alternatives.ts";

/** Milliseconds to look for files that excludes match. */
const MAX_MS = 50;
/** Files that are matched between two looks at the clock. */
const FILES_PER_TURN = 64;

/**
 * A note for each exclude that matches nothing, though another reading of it would; none if time is up.
 *
 * @param known notes on the query, which may name such an exclude already
 * @throws {PathgrepError} `cancelled`
 */
export async function excludeNotes(
  search: EmptySearch,
  known: readonly string[],
): Promise<Note[]> {
  const { job, settings } = search;
  const { exclude, include, includeKey, within } = settings;
  const parts = (lists: readonly string[]) => lists.flatMap(splitGlobs).map((glob) => glob.trim());
  const asked = [
    ...parts(exclude).map((glob) => ({ glob, mark: "", key: "exclude" })),
    ...parts(include).filter((glob) => /^!(?!\()/u.test(glob))
      .map((glob) => ({ glob: glob.slice(1), mark: "!", key: includeKey })),
  ].filter(({ glob, mark }) => !known.some((note) => note.includes(`'${mark}${glob}'`)));
  if (asked.length === 0) return [];
  const pass = new FurtherPass(search, MAX_MS);
  try {
    const listed = await pass.list({ ...NO_FILTER, within });
    if (listed === undefined) return [];
    const { bases, filter } = job.walk;
    const filters = new PathFilter(filter, bases);
    const excluded = async (glob: string, isOther: boolean): Promise<number | undefined> => {
      if (!isInclude(settings, glob)) return 0;
      const paths = new PathFilter({ ...filter, ...NO_FILTER, exclude: [glob] }, bases);
      let count = 0;
      for (const [index, path] of listed.entries()) {
        if (index % FILES_PER_TURN === 0 && await pass.inTurn(() => true) !== true) {
          return undefined;
        }
        // Another reading counts for what it would exclude besides.
        if (isOther && !filters.takes(path)) continue;
        if (!paths.takes(path)) count++;
      }
      return count;
    };
    const notes: Note[] = [];
    for (const { glob, mark, key } of asked) {
      if (await excluded(glob, false) !== 0) continue;
      for (const other of otherExcludes(glob)) {
        const files = await excluded(other, true);
        if (files === undefined) return notes;
        if (files === 0) continue;
        const values = { field: key, glob: mark + glob, instead: mark + other, files };
        notes.push({ reason: "excludes_nothing", values });
        break;
      }
    }
    return notes;
  } finally {
    pass.close();
  }
}

/** Other readings of an exclude, likely ones first; none that names only resemble. */
function otherExcludes(glob: string): string[] {
  const readings = [
    ...anywhereGlobs(glob),
    ...inOtherForms([glob]).flatMap(({ texts }) => texts),
    ...[glob.toLowerCase(), anyCase(glob)],
    ...conventionGlobs(glob),
    // Of backslashes and braces, the notes on how globs are read say what they do.
    ...(/[\\{]/u.test(glob) ? [] : alternativeGlobs(glob)).filter((other) =>
      other !== `*${glob}*` && other !== `${glob}/**`
    ),
  ];
  return [...new Set(readings)].filter((other) => other !== glob);
}
