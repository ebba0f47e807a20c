/**
 * The tools as an MCP server, for clients of protocol 2025 and 2026, on standard input and output.
 *
 * @module
 */

import manifest from "../../deno.json" with { type: "json" };
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ProtocolEra,
  Server,
  type ServerContext,
  serveStdio,
  type Tool,
} from "./sdk.ts";
import { debugFailure } from "../util/debug.ts";
import { PathgrepError } from "../util/errors.ts";
import { atWork } from "../system/heap.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import { runListing, runSearch } from "../search/search.ts";
import type { SearchProgress } from "../search/search_context.ts";
import { toolDefinitions } from "../tools/definition_formats.ts";
import { ToolRegistry } from "../tools/registry.ts";
import type { InternalCallOptions, TextAnswer } from "../tools/tool.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { offersForms, pushRequester, ReplyRequester } from "./elicitation.ts";
import { ClientRoots, CODEX_STATE, namedIn, type NamedRoots, sessionWorkspace } from "./roots.ts";
import { SearchCache } from "../cache/search_cache.ts";
import { LineTransport } from "./line_transport.ts";
import { wholeText } from "../tools/plain_text.ts";
import { type StandingNote, standingNotes } from "../notes/words.ts";

export interface McpServerOptions extends Pick<ToolOptions, "allow" | "deny" | "timeout"> {
  /** The command line's, for all sessions. @default the client's roots, or the current directory */
  ceiling: Workspace | undefined;
  mayAsk: boolean;
  /** Whether answers are structured, not plain text. */
  structured: boolean;
  /** The names of the tools. @default those of `ToolRegistry.of` */
  tools: readonly string[] | undefined;
  /** Whether definitions have `_meta` keys for clients. */
  meta: boolean;
  pool: WorkerPool;
  cache: SearchCache;
  /** Aborts when the client can send nothing more. */
  inputEnd: AbortSignal;
}

export function createServer(era: ProtocolEra, options: McpServerOptions): Server {
  const server = new Server(
    { name: "pathgrep", title: "pathgrep", version: manifest.version },
    {
      capabilities: { tools: {}, experimental: { [CODEX_STATE]: {} } },
      instructions: INSTRUCTIONS,
    },
  );
  const { structured, tools: listed, meta } = options;
  const said = new Set<string>();
  const openSession = sessionOpener(server, era, options);
  const definitions = toolDefinitions("mcp", { tools: listed, structured, meta }) as Tool[];
  server.setRequestHandler("tools/list", () => ({ tools: definitions }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    const replies = era === "modern" && options.mayAsk ? replyRequester(context) : undefined;
    const { signal } = context.mcpReq;
    let answer: object;
    let notes: readonly string[] = [];
    try {
      const session = await openSession(context.mcpReq._meta);
      ({ notes } = session);
      const call: InternalCallOptions = {
        signal,
        form: structured ? "json" : "text",
        saidTopics: said,
        permissionRequester: replies,
        onProgress: progressReporter(context),
      };
      answer = await session.tools.execute(name, input, call);
    } catch (thrown) {
      const error = PathgrepError.from(thrown);
      debugFailure(error);
      answer = error.toJSON();
    }
    const question = replies?.reply;
    if (question !== undefined) return question;
    if (structured) return structuredResult(answer);
    // Nobody gets the answer to a call that was cancelled.
    return textResult(answer, notes, signal.aborted ? new Set(said) : said);
  });
  return server;
}

/** When to use the tools, and how. */
const INSTRUCTIONS =
  `Use these tools rather than grep, rg, find, ls, cat or sed in a shell: they stay in the \
workspace, respect its ignore files, keep secrets out, and say what was excluded and why an answer is empty. Give \
the full path from the workspace root, relative or absolute: "src/utils/paths.ts", not "paths.ts", which is \
ambiguous, nor "/paths.ts". Omit path to search the whole workspace. Tools that change files want absolute \
paths. When an error has suggestions, use one of them as it is.`;

interface Session {
  tools: ToolRegistry;
  /** Notes of every answer. */
  notes: readonly string[];
}

/** What opens the session of a server's client, and another one where its roots have changed. */
function sessionOpener(
  server: Server,
  era: ProtocolEra,
  options: McpServerOptions,
): (meta: object | undefined) => Promise<Session> {
  const roots = new ClientRoots(server, options.inputEnd);
  let session: { roots: string; opened: Promise<Session> } | undefined;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    session = undefined;
    roots.onChange();
  });
  return async (meta) => {
    const capabilities = era === "legacy" ? server.getClientCapabilities() : undefined;
    const named = capabilities?.roots === undefined ? namedIn(meta) : await roots.list();
    // A client that answers with errors is asked each time; its session and permissions stay.
    const key = JSON.stringify(named);
    if (session?.roots === key) return session.opened;
    const next = { roots: key, opened: openedFor(server, capabilities, named, options) };
    next.opened.catch(() => {
      if (session === next) session = undefined; // the next call tries again
    });
    session = next;
    return next.opened;
  };
}

async function openedFor(
  server: Server,
  capabilities: ClientCapabilities | undefined,
  named: NamedRoots,
  { ceiling, mayAsk, pool, cache, allow, deny, timeout, tools }: McpServerOptions,
): Promise<Session> {
  const limits = { allow, deny, timeout };
  const { workspace, notes } = await sessionWorkspace(ceiling, named, limits);
  const whileAtWork = async <Answer>(answer: () => Promise<Answer>) => {
    using _work = atWork();
    try {
      return await answer();
    } finally {
      cache.follow(workspace.roots);
    }
  };
  const registry = ToolRegistry.of({
    ...limits,
    workspace,
    notes,
    permissionRequester: mayAsk && offersForms(capabilities) ? pushRequester(server) : undefined,
    searcher: {
      search: (query, call) => whileAtWork(() => runSearch(query, { ...call, pool, workspace })),
      listFiles: (query, call) =>
        whileAtWork(() => runListing(query, { ...call, pool, workspace })),
    },
  }, { tools });
  return { tools: registry, notes };
}

function replyRequester({ mcpReq }: ServerContext): ReplyRequester | undefined {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return offersForms(capabilities) ? new ReplyRequester(mcpReq.inputResponses) : undefined;
}

/** Milliseconds between two progress notifications. */
const INTERVAL_MS = 100;

/** Reports the progress of a call to the client, if it requested that. */
function progressReporter(
  { mcpReq }: ServerContext,
): ((progress: SearchProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let reported = -1; // progress has to grow
  let next = 0;
  const report = ({ filesSearched: progress }: SearchProgress) => {
    const now = performance.now();
    if (progress <= reported || now < next) return;
    reported = progress;
    next = now + INTERVAL_MS;
    mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, message: `${progress} files searched` },
    }).catch(() => {}); // the client is gone, which the transport notices by itself
  };
  report({ filesSearched: 0 });
  return report;
}

/** Serves until standard input ends and its requests are answered. The process has to end then. */
export async function serveMcp(
  cacheBytes: number,
  options: Omit<McpServerOptions, "pool" | "cache" | "inputEnd">,
): Promise<void> {
  keepConsoleOffStdout();
  const cache = new SearchCache(cacheBytes);
  const pool = new WorkerPool({ isKept: true, store: cache });
  const transport = new LineTransport();
  // Threads that start would delay the first answer, and a search waits for no more of them than it needs.
  transport.answered.then(() => pool.start());
  const { inputEnd } = transport;
  serveStdio(({ era }) => createServer(era, { ...options, pool, cache, inputEnd }), {
    transport,
    onerror: (error) => console.error(`pathgrep: ${error.message}`),
  });
  await transport.closed;
  // The watch ends with the process: ending it here would wait as long as changes keep coming.
  pool.close();
}

/** Standard output is the protocol's: what a dependency may print goes to standard error. */
function keepConsoleOffStdout(): void {
  const methods = "log info debug dir dirxml table group groupCollapsed count timeEnd timeLog";
  const print = console.error.bind(console);
  Object.assign(console, Object.fromEntries(methods.split(" ").map((name) => [name, print])));
}

/** The most topics of standing notes that a session remembers: in a long session they may change often. */
const MAX_SAID = 1000;

/**
 * The result for an answer as JSON: as text and as structured content. An error has no structured content,
 * since it has another schema.
 */
export function structuredResult(answer: object): CallToolResult {
  if ("error" in answer) return errorResult(answer);
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer as Record<string, unknown>,
  };
}

/**
 * The result for an answer as plain text; an error is JSON. Standing notes that were reported before are
 * omitted, and those of this result count as reported: it must be sent next.
 *
 * @param standing the session's own notes, which an error has among others
 * @param said the topics of the session's standing notes so far
 */
function textResult(
  answer: object,
  standing: readonly string[],
  said: Set<string>,
): CallToolResult {
  if ("error" in answer) {
    const { notes: all = [], ...error } = answer as { notes?: readonly string[] };
    const ofSession = standingNotes(standing.filter((note) => all.includes(note)));
    const known = new Set(unsaid(ofSession, said).map(({ text }) => text));
    const notes = all.filter((note) => known.has(note) || !standing.includes(note));
    return errorResult({ ...error, ...(notes.length > 0 ? { notes } : {}) });
  }
  const { standing_notes = [], ...own } = answer as TextAnswer;
  const text = wholeText({ ...own, standing_notes: unsaid(standing_notes, said) });
  return { content: [{ type: "text", text }] };
}

function errorResult(error: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(error) }], isError: true };
}

/** The notes on topics that were not reported before; they count as reported now. */
function unsaid(notes: readonly StandingNote[], said: Set<string>): StandingNote[] {
  const fresh = notes.filter(({ topic }) => !said.has(topic));
  if (said.size + fresh.length > MAX_SAID) said.clear();
  for (const { topic } of fresh) said.add(topic);
  return fresh;
}
