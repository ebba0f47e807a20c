/**
 * `pathgrep search`: search files for a pattern; `pathgrep files`: list what a search would read; with all that
 * the command line adds: the workspace, who is asked for permissions, progress, standard input, and the format of
 * the answer.
 *
 * @module
 */

import type { Workspace } from "../../workspace/workspace.ts";
import type { SearchResult } from "../../answer/result.ts";
import type { AnswerForm, ShownFile } from "../../answer/result_builder.ts";
import { runListing, runSearch } from "../../search/search.ts";
import type { InternalSearchOptions } from "../../search/search_context.ts";
import {
  addSignalListener,
  exit,
  isGranted,
  kill,
  NO_COLOR,
  OS,
  PID,
  removeSignalListener,
} from "../../system/platform.ts";
import { PathgrepError } from "../../util/errors.ts";
import { escapeControls } from "../../util/text.ts";
import type { Host, RunCommand } from "../host.ts";
import type { CliQuery, Settings } from "../options/settings.ts";
import { isPiped, type Output, Progress } from "../output.ts";
import { type AnswerPrinter, JsonlPrinter, JsonPrinter } from "../printers/answer_printer.ts";
import type { Linker } from "../printers/hyperlink.ts";

/** Searches; the first operand is the pattern, unless `-e` or `-f` gave it. */
export const run: RunCommand = async (settings, operands, host) => {
  const { listFiles, patternFiles, query } = settings;
  if (listFiles) return await runFiles(settings, operands, host);
  const { patterns, spent } = patternFiles.length === 0
    ? { patterns: [], ...settings }
    : await (await import("../pattern_files.ts")).patternsOfFiles(settings, operands, host);
  const given = [...query.pattern, ...patterns];
  const [pattern, path] = given.length > 0
    ? [given, operands]
    : [operands.slice(0, 1), operands.slice(1)];
  if (pattern.length === 0) {
    throw new PathgrepError("invalid_input", "pattern is missing", {
      hint:
        "usage: pathgrep [OPTIONS] PATTERN [PATH…], -e PATTERN for one that begins with a dash; " +
        "`pathgrep --help` lists the options",
    });
  }
  const asked = await askedQuery(settings, pattern, path, host);
  return await printAnswer({ ...settings, query: asked, spent }, runSearch, host);
};

/** Lists the files below the operands, or below every root; 1 when there are none, as `rg --files`. */
export const runFiles: RunCommand = async (settings, operands, host) => {
  const ask: Ask = ({ pattern: _, ...query }, options) =>
    runListing(query, { ...options, audience: { ...options.audience!, tool: "files" } });
  const query = await askedQuery(settings, [], operands, host);
  return await printAnswer({ ...settings, query }, ask, host);
};

/** The query of a command line: what its options say, its operands, and what its output takes. */
async function askedQuery(
  { foldedGlobs, format, query, quiet }: Settings,
  pattern: readonly string[],
  path: readonly string[],
  { stdout }: Host,
): Promise<CliQuery> {
  const { anyCase } = foldedGlobs.length === 0 ? {} : await import("../../glob/glob_paths.ts");
  const include = [...query.include, ...foldedGlobs.map((glob) => anyCase!(glob))];
  const explain = quiet ? "never" : query.explain ?? "auto";
  const given = { ...query, pattern: [...pattern], path: [...path], include, explain };
  if (!quiet) return format === "text" ? { ...given, ...capOfText(query, stdout) } : given;
  if (query.outputMode === "values") {
    const problem = "output mode values and --quiet contradict each other; omit one of them";
    throw new PathgrepError("invalid_input", problem);
  }
  delete given.maxOutputChars;
  // The first file decides, whichever comes first.
  return { ...given, outputMode: "file", sort: "none", onOverflow: "truncate", maxResults: 1 };
}

/** Text has no cap unless the query sets one: a person reads the first entries, a program all. */
function capOfText(
  { maxResults = 0, offset, onOverflow }: CliQuery,
  { isTerminal }: Output,
): Partial<CliQuery> {
  if (onOverflow !== undefined || offset !== undefined) return {};
  return isTerminal ? { onOverflow: "truncate" } : { maxResults };
}

/** The exit status that shells give a program that SIGINT ended. */
const INTERRUPTED = 130;

type Ask = (query: CliQuery, options: InternalSearchOptions) => Promise<SearchResult>;

/** Runs a search or listing and writes its answer; 0 if it has entries, 1 if not. */
async function printAnswer(settings: Settings, ask: Ask, host: Host): Promise<number> {
  const { stdout } = host;
  const { format, query, quiet } = settings;
  const workspace = await host.openWorkspace(settings);
  const progress = quiet ? undefined : progressOn(host);
  const printer = quiet ? undefined : await printerFor(settings, workspace, host);
  const ender = new AbortController();
  let files = 0;
  const onFile = (file: ShownFile) => {
    if (stdout.closed) return;
    files++;
    progress?.erase();
    printer?.file?.(file);
    if (quiet || stdout.closed) ender.abort(); // without an answer, one file decides the exit status
  };
  const options: InternalSearchOptions = {
    ...shellOptions(settings, host, ender, printer?.form),
    workspace,
    onIdle: () => {
      printer?.out?.flush();
      if (stdout.closed) ender.abort();
    },
    onProgress: (report) => {
      printer?.out?.tick();
      progress?.show(report);
    },
    onFile: quiet || printer?.file ? onFile : undefined,
  };
  using _ = interruptsOf(query.engine, ender);
  try {
    // Text has relative names, and links that need the whole path.
    const paths = format === "text" ? "absolute" : query.paths;
    const result = await ask({ ...query, paths }, options);
    progress?.end();
    printer?.end(result);
    return result.count > 0 ? 0 : 1;
  } catch (error) {
    progress?.end();
    printer?.out?.flush();
    if (stdout.closed || quiet && files > 0) return files > 0 ? 0 : 1;
    throw withOptions(error);
  }
}

/** The options of a search that settings and host say. */
function shellOptions(
  settings: Settings,
  host: Host,
  { signal }: AbortController,
  form: AnswerForm | undefined,
): Omit<InternalSearchOptions, "workspace"> {
  const { note, pool } = host;
  const isText = settings.format === "text";
  return {
    audience: {
      ...{ caller: "shell", form, saysNotShown: isText },
      lines: {
        // In text format, what is trimmed may be part of a match.
        ...{ trims: settings.trim && !isText, marksCuts: isText, byteColumns: isText },
        everyColumn: settings.text.everyMatch,
      },
    },
    pool,
    isResident: pool !== undefined,
    // Only the end of the output's reader aborts: not worth a thread.
    isAbortable: false,
    signal: host.signal === undefined ? signal : AbortSignal.any([signal, host.signal]),
    stdin: () => host.stdin(),
    permissionRequester: host.requester(settings),
    spent: settings.spent,
    notes: note === undefined ? settings.notes : [...settings.notes, note],
  };
}

function progressOn({ stdout, stderr, terminal }: Host): Progress | undefined {
  if (!stderr.isTerminal) return undefined;
  if (terminal === undefined && !stdout.isTerminal && isPiped()) return undefined;
  return new Progress(stderr);
}

/**
 * Until disposed of, Ctrl-C aborts a search with a spawned engine, which has its own process group; the
 * disposal ends this process as the signal would have. With `js` nothing may catch the signal: a slow
 * pattern would hold up the program's end.
 */
function interruptsOf(engine: CliQuery["engine"], search: AbortController): Disposable {
  if (engine === undefined || engine === "auto" || engine === "js") {
    return { [Symbol.dispose]() {} };
  }
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    search.abort();
  };
  addSignalListener("SIGINT", interrupt);
  return {
    [Symbol.dispose]() {
      removeSignalListener("SIGINT", interrupt);
      if (!isInterrupted) return;
      // A shell ends its loop only if the signal ended the program, which Deno may not let it do.
      if (isGranted({ name: "run" }) && OS !== "windows") kill(PID, "SIGINT");
      exit(INTERRUPTED);
    },
  };
}

/** An error with the options that would have admitted a path outside the workspace. */
function withOptions(error: unknown): unknown {
  const isOutside = error instanceof PathgrepError && error.code === "path_outside_workspace";
  if (!isOutside) return error;
  const { hint = "", ...details } = error.details;
  const advice = `${hint}; to search outside, name each root with --workspace DIR, or grant an ` +
    "absolute path with --allow GLOB";
  return new PathgrepError(error.code, error.message, { ...details, hint: advice }, error);
}

async function printerFor(
  settings: Settings,
  workspace: Workspace,
  host: Host,
): Promise<AnswerPrinter> {
  const { stdout } = host;
  switch (settings.format) {
    case "json":
      return new JsonPrinter(stdout);
    case "jsonl":
      return new JsonlPrinter(stdout);
    case "text":
      return await textPrinter(settings, workspace, host);
  }
}

async function textPrinter(
  { query, text, trim }: Settings,
  workspace: Workspace,
  { stdout, stderr, terminal }: Host,
): Promise<AnswerPrinter> {
  const { TextPrinter, usesColours } = await import("../printers/text_printer.ts");
  const colours = usesColours(stdout, text.color, terminal?.noColor ?? NO_COLOR);
  const highlight = (colours || text.everyMatch) && query.pattern.length > 0
    ? await (await import("../printers/highlight.ts")).highlighterFor(query)
    : undefined;
  const link = colours && stdout.isTerminal && text.hyperlinks === "auto"
    ? await linkerOn(terminal)
    : undefined;
  // After a NUL a program reads, which needs the very name.
  const isRaw = text.nul && !stdout.isTerminal;
  // Each line of a file names it.
  const last = { path: "", name: "" };
  const nameOf = (path: string) => {
    if (path !== last.path) {
      const name = query.paths === "absolute" ? path : workspace.display(path);
      Object.assign(last, { path, name: isRaw ? name : escapeControls(name) });
    }
    return last.name;
  };
  return new TextPrinter(stdout, stderr, {
    ...{ ...text, colours, highlight, nameOf, link, trim, marksGroups: true },
    ...{ columns: query.column ?? false, onlyMatching: query.onlyMatching ?? false },
  });
}

/** Makes links for the terminal of a client or, where none is given, for that of this process. */
async function linkerOn(terminal: Host["terminal"]): Promise<Linker | undefined> {
  const { linker, linkOrigin } = await import("../printers/hyperlink.ts");
  const origin = terminal === undefined ? linkOrigin() : terminal.linkOrigin;
  return origin === undefined ? undefined : linker(origin);
}
