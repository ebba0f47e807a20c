/**
 * Patterns from files: `-f FILE`, as grep and ripgrep have it.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import type { Note } from "../notes/words.ts";
import { runSearch } from "../search/search.ts";
import type { SearchResult } from "../answer/result.ts";
import { resolvePath } from "../tools/resolve_path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Host } from "./host.ts";
import type { Settings } from "./options/settings.ts";

const STDIN = "-";
/** Patterns of all files, and their characters, at most. */
const MAX_PATTERNS = 10_000;
const MAX_CHARS = 1 << 22;

/**
 * The lines of every `-f FILE`, and the time that is spent then. They are read as a search reads files, so that
 * what a search may not read, or cannot decode, is an error here too. Empty lines, which would match
 * everything, are excluded with a note.
 *
 * @throws {PathgrepError} when a file cannot be read, or holds no pattern
 */
export async function patternsOfFiles(
  settings: Settings,
  operands: readonly string[],
  host: Host,
): Promise<{ patterns: string[]; spent: number }> {
  const { notes, patternFiles } = settings;
  if (patternFiles.includes(STDIN) && operands.includes(STDIN)) {
    throw new PathgrepError("invalid_input", "-f - and the path - both read standard input", {
      hint: "write the patterns to a file in the workspace, or use -e PATTERN for each",
    });
  }
  const workspace = await host.openWorkspace(settings);
  const files = new Set(patternFiles);
  const patterns: string[] = [];
  let { spent } = settings;
  let [lines, chars] = [0, 0];
  for (const file of files) {
    const started = performance.now();
    const read = await readPatterns(file, { ...settings, spent }, workspace, host);
    spent += Math.trunc(performance.now() - started);
    const all = "matches" in read ? read.matches.map(({ line }) => line) : [];
    lines += all.length;
    for (const { length } of all) chars += length;
    if (read.truncated || lines > MAX_PATTERNS || chars > MAX_CHARS) {
      const what = files.size === 1 ? `-f ${file} contains` : "the files of -f contain";
      const most = chars > MAX_CHARS ? `${MAX_CHARS} characters` : `${MAX_PATTERNS} lines`;
      throw new PathgrepError("invalid_input", `${what} more than ${most}`, {
        hint: "join some of the patterns with `|`, or search with some of them at a time",
      });
    }
    const given = all.filter((pattern) => pattern !== "");
    if (given.length === 0) {
      throw new PathgrepError("invalid_input", `-f ${file} contains no pattern`, {
        hint: read.notes?.join("; ") ?? "write one pattern per line",
      });
    }
    notes.push(...emptyNotes(file, all.length - given.length), ...read.notes ?? []);
    patterns.push(...given);
  }
  return { patterns, spent };
}

/** The search for every line of a file, or of standard input. */
async function readPatterns(
  file: string,
  { notes, query: { allow, deny, encoding, text, timeout }, spent }: Settings,
  workspace: Workspace,
  host: Host,
): Promise<SearchResult> {
  let path = file;
  if (file !== STDIN) {
    const found = await resolvePath(workspace, file, { as: "file", field: "-f", allow, deny });
    path = found.path;
    notes.push(...found.notes ?? []);
  }
  const query = { pattern: "^", path, allow, deny, encoding, text, timeout, maxLineLength: 0 };
  return await runSearch({ ...query, maxResults: MAX_PATTERNS, onOverflow: "truncate" }, {
    ...{ workspace, audience: { caller: "shell" }, isAbortable: false, wantsTotal: false, spent },
    signal: host.signal,
    stdin: () => host.stdin(),
  }).catch((thrown) => {
    throw unread(file, PathgrepError.from(thrown));
  });
}

function emptyNotes(file: string, count: number): Note[] {
  if (count === 0) return [];
  if (count === 1) return [{ reason: "empty_pattern", values: { file } }];
  return [{ reason: "empty_patterns", values: { file, count } }];
}

/** The error for a file that was not read; for one that does not end, only that fact. */
function unread(file: string, error: PathgrepError): PathgrepError {
  if (error.code !== "search_timed_out") return error;
  return new PathgrepError(error.code, error.message, {
    files_searched: 0,
    hint: `-f ${file} did not end in time; close it, or raise --timeout`,
  }, error);
}
