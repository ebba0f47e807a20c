/**
 * The tools as an MCP server, for clients of protocol 2025 and 2026.
 *
 * @module
 */

import type { ClientCapabilities, ProtocolEra, ServerContext, Tool } from "./sdk_types.ts";
import manifest from "../../deno.json" with { type: "json" };
import { debugFailure } from "../util/debug.ts";
import { PathgrepError } from "../util/errors.ts";
import { atWork } from "../util/heap.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import { runListing, searchWith } from "../search/search.ts";
import type { SearchProgress } from "../search/search_context.ts";
import { toolDefinitions } from "../tools/definition_formats.ts";
import { OWN_TOOL_NAMES } from "../tools/own_tools.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { systemPrompt } from "../tools/system_prompt.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import type { Workspace } from "../paths/workspace.ts";
import { callResult } from "./call_result.ts";
import { ClientRoots, type NamedRoots } from "./client_roots.ts";
import { offersForms, pushRequester, ReplyRequester } from "./elicitation.ts";
import { sessionWorkspace } from "./roots.ts";
import { CLIENT_CAPABILITIES_META_KEY, Server } from "./sdk.ts";
import type { SearchCache } from "../cache/search_cache.ts";

export interface McpServerOptions extends Pick<ToolOptions, "allow" | "deny" | "timeout"> {
  /** The command line's, for all sessions. @default the client's roots, or the current directory */
  ceiling: Workspace | undefined;
  mayAsk: boolean;
  /** Whether answers have no structured content. */
  isTextOnly: boolean;
  pool: WorkerPool;
  cache: SearchCache;
  /** Aborts when the client can send nothing more. */
  inputEnd: AbortSignal;
}

export function createServer(era: ProtocolEra, options: McpServerOptions): Server {
  const server = new Server(
    { name: "pathgrep", title: "pathgrep", version: manifest.version },
    { capabilities: { tools: {} }, instructions: systemPrompt() },
  );
  const roots = new ClientRoots(server, options.inputEnd);
  let session: { roots: string; tools: Promise<ToolRegistry> } | undefined;
  const openSession = async () => {
    const capabilities = era === "legacy" ? server.getClientCapabilities() : undefined;
    const named = capabilities?.roots === undefined ? { uris: [] } : await roots.list();
    // A client that answers with errors is asked each time; its session and permissions stay.
    const key = JSON.stringify(named);
    if (session?.roots === key) return session.tools;
    const opened = { roots: key, tools: sessionFor(server, capabilities, named, options) };
    opened.tools.catch(() => {
      if (session === opened) session = undefined; // the next call tries again
    });
    session = opened;
    return opened.tools;
  };
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    session = undefined;
    roots.onChange();
  });
  server.setRequestHandler("tools/list", () => ({ tools: definitionsFor(options) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    const replies = era === "modern" && options.mayAsk ? replyRequester(context) : undefined;
    let answer: object;
    try {
      const tools = await openSession();
      answer = await tools.execute(name, input, {
        signal: context.mcpReq.signal,
        permissionRequester: replies,
        onProgress: progressReporter(context),
      });
    } catch (thrown) {
      const error = PathgrepError.from(thrown);
      debugFailure(error);
      answer = error.toJSON();
    }
    return replies?.reply ?? callResult(answer, options.isTextOnly);
  });
  return server;
}

async function sessionFor(
  server: Server,
  capabilities: ClientCapabilities | undefined,
  named: NamedRoots,
  { ceiling, mayAsk, pool, cache, isTextOnly: _, inputEnd: __, ...limits }: McpServerOptions,
): Promise<ToolRegistry> {
  const { workspace, notes } = await sessionWorkspace(ceiling, named, limits);
  const whileAtWork = async <Answer>(answer: () => Promise<Answer>) => {
    using _work = atWork();
    try {
      return await answer();
    } finally {
      cache.follow(workspace.roots);
    }
  };
  return ToolRegistry.of({
    ...limits,
    workspace,
    notes,
    permissionRequester: mayAsk && offersForms(capabilities) ? pushRequester(server) : undefined,
    searcher: {
      search: (query, call) => whileAtWork(() => searchWith(pool, query, { ...call, workspace })),
      listFiles: (query, call) =>
        whileAtWork(() => runListing(query, { ...call, pool, workspace })),
    },
  }, { tools: OWN_TOOL_NAMES });
}

/** Plain text has no schema. */
function definitionsFor({ isTextOnly }: McpServerOptions): Tool[] {
  const tools = toolDefinitions("mcp", { structured: true, tools: OWN_TOOL_NAMES });
  for (const tool of isTextOnly ? tools : []) delete tool["outputSchema"];
  return tools as Tool[];
}

function replyRequester({ mcpReq }: ServerContext): ReplyRequester | undefined {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return offersForms(capabilities) ? new ReplyRequester(mcpReq.inputResponses) : undefined;
}

/** Milliseconds between two progress notifications. */
const INTERVAL_MS = 100;

/** Reports the progress of a call to the client, if it asked for that. */
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
