/**
 * Patterns from files: `-f FILE`, as grep and ripgrep have it.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import { runSearch } from "../search/search.ts";
import { resolvePath } from "../tools/resolve_path.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Host } from "./host.ts";
import type { Settings } from "./options/settings.ts";

const STDIN = "-";
/** Patterns of all files, and their characters, at most. */
const MAX_PATTERNS = 10_000;
const MAX_CHARS = 1 << 22;

/**
 * Adds the lines of every `-f FILE` to the patterns. They are read as a search reads files, so that
 * what a search may not read, or cannot decode, is an error here too. Empty lines, which would match
 * everything, are excluded with a note.
 *
 * @throws {PathgrepError} when a file cannot be read, or holds no pattern
 */
export async function addPatternsOfFiles(
  settings: Settings,
  workspace: Workspace,
  host: Host,
): Promise<void> {
  const { patternFiles, query } = settings;
  const { allow, deny, encoding, text, timeout } = query;
  if (patternFiles.includes(STDIN) && query.path.includes(STDIN)) {
    throw new PathgrepError("invalid_input", "-f - and the path - both read standard input", {
      hint: "write the patterns to a file in the workspace, or use -e PATTERN for each",
    });
  }
  const files = new Set(patternFiles);
  let [lines, chars] = [0, 0];
  for (const file of files) {
    const started = performance.now();
    let path = file;
    if (file !== STDIN) {
      const found = await resolvePath(workspace, file, { as: "file", field: "-f", allow, deny });
      path = found.path;
      settings.notes.push(...found.notes ?? []);
    }
    const read = await runSearch({
      ...{ pattern: "^", path, allow, deny, encoding, text, timeout },
      maxLineLength: 0,
      maxResults: MAX_PATTERNS,
      onOverflow: "truncate",
    }, {
      ...{ workspace, caller: "shell", wantsTotal: false, spent: settings.spent },
      signal: host.signal,
      stdin: () => host.stdin(),
    }).catch((thrown) => {
      throw unread(file, PathgrepError.from(thrown));
    });
    settings.spent += Math.trunc(performance.now() - started);
    const patterns = "matches" in read ? read.matches.map(({ line }) => line) : [];
    lines += patterns.length;
    for (const { length } of patterns) chars += length;
    if (read.truncated || lines > MAX_PATTERNS || chars > MAX_CHARS) {
      const what = files.size === 1 ? `-f ${file} contains` : "the files of -f contain";
      const most = chars > MAX_CHARS ? `${MAX_CHARS} characters` : `${MAX_PATTERNS} lines`;
      throw new PathgrepError("invalid_input", `${what} more than ${most}`, {
        hint: "join some of the patterns with `|`, or search with some of them at a time",
      });
    }
    const given = patterns.filter((pattern) => pattern !== "");
    const empty = patterns.length - given.length;
    if (given.length === 0) {
      throw new PathgrepError("invalid_input", `-f ${file} contains no pattern`, {
        hint: read.notes?.join("; ") ?? "write one pattern per line",
      });
    }
    if (empty > 0) {
      const values = { file, count: empty };
      settings.notes.push({ reason: empty === 1 ? "empty_pattern" : "empty_patterns", values });
    }
    settings.notes.push(...read.notes ?? []);
    query.pattern.push(...given);
  }
}

/** The error for a file that was not read; for one that does not end, only that fact. */
function unread(file: string, error: PathgrepError): PathgrepError {
  if (error.code !== "search_timed_out") return error;
  return new PathgrepError(error.code, error.message, {
    files_searched: 0,
    hint: `-f ${file} did not end in time; close it, or raise --timeout`,
  }, error);
}
