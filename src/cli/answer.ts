/**
 * Runs a search or a listing with all that the command line adds: the workspace, who is asked for
 * permissions, progress, standard input, and the format of the answer.
 *
 * @module
 */
import type { PermissionRequester } from "../guard/requester.ts";
import type { SearchResult } from "../search/result.ts";
import type { SearchOptions } from "../search/search.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openWorkspace } from "./open_workspace.ts";
import { stderr, stdout } from "./output.ts";
import type { Progress } from "./progress_line.ts";
import { JsonRenderer, RowRenderer } from "./render_json.ts";
import { type Renderer, rowOf } from "./printers/answer_printer.ts";
import type { CliQuery, Settings } from "./settings.ts";

/**
 * Asks and writes the answer.
 *
 * @param ask the search or listing
 * @returns the count of the answer
 */
export async function answer(
  settings: Settings,
  ask: (query: CliQuery, options: SearchOptions) => Promise<SearchResult>,
): Promise<number> {
  const { format, query } = settings;
  const workspace = await openWorkspace(settings);
  const requester = requesterFor(settings);
  const progress = stderr.isTerminal && !settings.quiet ? await startProgress() : undefined;
  const renderer = settings.quiet ? undefined : await rendererFor(settings, workspace);
  const reader = new AbortController();
  let entries = 0;
  const options: SearchOptions = {
    workspace,
    signal: reader.signal,
    stdin: () => Deno.stdin.readable,
    measure: renderer?.measure,
    permissionRequester: requester,
    onProgress: (report) => {
      renderer?.tick?.();
      progress?.show(report);
    },
    notes: settings.notes,
  };
  // A spawned engine has a process group of its own, which Ctrl-C at the terminal does not reach.
  const spawns = query.engine !== undefined && query.engine !== "auto" && query.engine !== "js";
  const interrupt = () => reader.abort();
  if (spawns) Deno.addSignalListener("SIGINT", interrupt);
  if (renderer?.row !== undefined) {
    const write = renderer.row;
    options.onEntry = (entry) => {
      entries++;
      progress?.erase();
      write(rowOf(entry));
      if (stdout.closed) reader.abort();
    };
  }
  try {
    // Text has relative names, and links that need the whole path.
    const paths = format === "text" ? "absolute" : query.paths;
    const result = await ask({ ...query, paths }, options);
    progress?.end();
    renderer?.end(result);
    return result.count;
  } catch (error) {
    progress?.end();
    renderer?.flush?.();
    if (stdout.closed) return entries;
    throw error;
  } finally {
    if (spawns) Deno.removeSignalListener("SIGINT", interrupt);
  }
}

async function rendererFor(settings: Settings, workspace: Workspace): Promise<Renderer> {
  switch (settings.format) {
    case "json":
      return new JsonRenderer(stdout);
    case "jsonl":
      return new RowRenderer(stdout);
    case "text":
      return await textRenderer(settings, workspace);
  }
}

async function textRenderer(
  { query, heading, hyperlinks }: Settings,
  workspace: Workspace,
): Promise<Renderer> {
  const { TextRenderer, usesColours } = await import("./render_text.ts");
  const colours = usesColours(stdout);
  const highlight = colours && query.pattern.length > 0
    ? (await import("./printers/highlight.ts")).highlighterFor(query)
    : undefined;
  const link = colours && hyperlinks === "auto"
    ? (await import("./printers/hyperlink.ts")).linker()
    : undefined;
  const nameOf = query.paths === "absolute"
    ? (path: string) => path
    : (path: string) => workspace.display(path);
  const columns = query.column ?? false;
  return new TextRenderer(stdout, stderr, { colours, columns, heading, highlight, nameOf, link });
}

/** Someone to ask, if a person sits at the terminal; the question itself is loaded when it comes. */
function requesterFor(settings: Settings): PermissionRequester | undefined {
  if (settings.prompt === "never" || !stderr.isTerminal || !Deno.stdin.isTerminal()) {
    return undefined;
  }
  return {
    async request(request) {
      const { askOnTerminal } = await import("./permission_prompt.ts");
      const { PERMISSION_TIMEOUT, timedRequester } = await import("../guard/timed_requester.ts");
      return await timedRequester({ request: askOnTerminal }, PERMISSION_TIMEOUT).request(request);
    },
  };
}

async function startProgress(): Promise<Progress> {
  const { Progress } = await import("./progress_line.ts");
  return new Progress(stderr);
}
