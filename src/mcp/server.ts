/**
 * The tools as an MCP server, for clients of protocol 2025 and 2026.
 *
 * @module
 */

import type {
  ClientCapabilities,
  ProtocolEra,
  ServerContext,
  StandardSchemaV1,
  Tool,
} from "./sdk_types.ts";
import manifest from "../../deno.json" with { type: "json" };
import { debugFailure } from "../util/debug.ts";
import { PathgrepError } from "../util/errors.ts";
import { atWork } from "../util/heap.ts";
import type { WorkerPool } from "../parallel/worker_pool.ts";
import { searchWith } from "../search/search.ts";
import { toolDefinitions } from "../tools/definition_formats.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { systemPrompt } from "../tools/system_prompt.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { callResult } from "./call_result.ts";
import { offersForms, pushRequester, ReplyRequester } from "./elicitation.ts";
import { progressReporter } from "./progress_notifications.ts";
import { sessionWorkspace } from "./roots.ts";
import { CLIENT_CAPABILITIES_META_KEY, Server } from "./sdk.ts";
import type { SessionWatch } from "./session_watch.ts";

/** What a server is made of. */
export interface McpServerOptions extends Pick<ToolOptions, "allow" | "deny" | "timeout"> {
  /** That of the command line, for all sessions; none: the client's roots, or the current directory. */
  ceiling: Workspace | undefined;
  /** Whether the user may be asked about paths outside of the workspace. */
  mayAsk: boolean;
  /** Whether answers are sent only as text, without structured content. */
  isTextOnly: boolean;
  /** The workers that searches share. */
  pool: WorkerPool;
  /** Reports changes to them. */
  watch: SessionWatch;
}

/** How long a client may take to say its roots. */
const ROOTS_TIMEOUT_MS = 10_000;

/** Takes the URIs of a list of roots, whatever they are: the SDK's own check fails the whole list. */
const ROOT_URIS: StandardSchemaV1<unknown, string[]> = {
  "~standard": {
    version: 1,
    vendor: "pathgrep",
    validate(list: unknown) {
      const { roots } = Object(list) as { roots?: unknown };
      if (!Array.isArray(roots)) return { issues: [{ message: "there is no list of roots" }] };
      const uris = roots.map((root) => (Object(root) as { uri?: unknown }).uri);
      return { value: uris.map((uri) => typeof uri === "string" ? uri : "") };
    },
  },
};

/** A server for one client of a protocol era. */
export function createServer(era: ProtocolEra, options: McpServerOptions): Server {
  const server = new Server(
    { name: "pathgrep", title: "pathgrep", version: manifest.version },
    { capabilities: { tools: {} }, instructions: systemPrompt() },
  );
  let session: Promise<ToolRegistry> | undefined;
  const openSession = () => {
    const opened = session ??= sessionFor(server, era, options);
    opened.catch(() => {
      if (session === opened) session = undefined; // the next call tries again
    });
    return opened;
  };
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    session = undefined;
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

/** The tools for the workspace that the client has now. */
async function sessionFor(
  server: Server,
  era: ProtocolEra,
  { ceiling, mayAsk, pool, watch, isTextOnly: _, ...limits }: McpServerOptions,
): Promise<ToolRegistry> {
  const capabilities = era === "legacy" ? server.getClientCapabilities() : undefined;
  const clientRoots = capabilities?.roots === undefined
    ? []
    : await listRoots(server, ceiling !== undefined);
  const { workspace, notes } = await sessionWorkspace(ceiling, clientRoots, limits);
  return ToolRegistry.of({
    ...limits,
    workspace,
    notes,
    permissionRequester: mayAsk && offersForms(capabilities) ? pushRequester(server) : undefined,
    searcher: {
      async search(query, call) {
        using _work = atWork();
        try {
          return await searchWith(pool, query, { ...call, workspace });
        } finally {
          watch.follow(workspace.roots);
        }
      },
    },
  });
}

/** The client's roots. When it does not say them, a workspace that was given will do. */
async function listRoots(server: Server, hasCeiling: boolean): Promise<string[]> {
  try {
    return await server.request({ method: "roots/list" }, ROOT_URIS, { timeout: ROOTS_TIMEOUT_MS });
  } catch (thrown) {
    if (hasCeiling) return [];
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new PathgrepError("search_failed", `the client did not say its roots: ${reason}`, {
      hint: "call again, or start the server with --workspace DIR",
    }, { cause: thrown });
  }
}

/** Plain text has no schema. */
function definitionsFor({ isTextOnly }: McpServerOptions): Tool[] {
  const tools = toolDefinitions("mcp");
  if (isTextOnly) { for (const tool of tools) delete tool["outputSchema"]; }
  return tools as Tool[];
}

/** Someone to ask, if the client of this call can show forms. */
function replyRequester({ mcpReq }: ServerContext): ReplyRequester | undefined {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return offersForms(capabilities) ? new ReplyRequester(mcpReq.inputResponses) : undefined;
}
