/**
 * The tools as an MCP server, for clients of protocol 2025 and 2026.
 *
 * @module
 */

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ProtocolEra,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import manifest from "../../deno.json" with { type: "json" };
import { PathgrepError } from "../util/errors.ts";
import type { WorkerPool } from "../search/js/pool.ts";
import { searchWith } from "../search/search.ts";
import { toolDefinitions } from "../tools/definition_formats.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { systemPrompt } from "../tools/system_prompt.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import { offersForms, pushRequester, ReplyRequester } from "./elicitation.ts";
import { progressReporter } from "./progress_notifications.ts";
import { sessionWorkspace } from "./roots.ts";

/** What a server is made of. */
export interface McpServerOptions extends Pick<ToolOptions, "allow" | "deny" | "timeout"> {
  /** The roots of the command line; none: the client's, or the current directory. */
  roots: readonly string[];
  /** Whether the user may be asked about paths outside of the workspace. */
  mayAsk: boolean;
  /** The workers that searches share. */
  pool: WorkerPool;
}

/** How long a client may take to say its roots. */
const ROOTS_TIMEOUT_MS = 10_000;

/** A server for one client of a protocol era. */
export function createServer(era: ProtocolEra, options: McpServerOptions): Server {
  const server = new Server(
    { name: "pathgrep", title: "pathgrep", version: manifest.version },
    { capabilities: { tools: {} }, instructions: systemPrompt() },
  );
  let tools: Promise<ToolRegistry> | undefined;
  const openTools = () => {
    const opened = tools ??= registryFor(server, era, options);
    opened.catch(() => {
      if (tools === opened) tools = undefined; // the next call tries again
    });
    return opened;
  };
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    tools = undefined;
  });
  server.setRequestHandler("tools/list", () => ({ tools: toolDefinitions("mcp") as Tool[] }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const replies = era === "modern" && options.mayAsk ? replyRequester(context) : undefined;
    try {
      const answer = await (await openTools()).execute(params.name, params.arguments ?? {}, {
        signal: context.mcpReq.signal,
        permissionRequester: replies,
        onProgress: progressReporter(context),
      });
      return replies?.reply ?? toolResult(answer);
    } catch (thrown) {
      return toolResult(PathgrepError.from(thrown).toJSON());
    }
  });
  return server;
}

/** The tools for the workspace that the client has now. */
async function registryFor(
  server: Server,
  era: ProtocolEra,
  { roots, mayAsk, pool, ...limits }: McpServerOptions,
): Promise<ToolRegistry> {
  const capabilities = era === "legacy" ? server.getClientCapabilities() : undefined;
  const clientRoots = capabilities?.roots === undefined ? [] : await listRoots(server, roots);
  const workspace = await sessionWorkspace(roots, clientRoots, limits);
  return ToolRegistry.of({
    ...limits,
    workspace,
    permissionRequester: mayAsk && offersForms(capabilities) ? pushRequester(server) : undefined,
    searcher: { search: (query, call) => searchWith(pool, query, { ...call, workspace }) },
  });
}

/** The client's roots. When it does not say them, a workspace that was given will do. */
async function listRoots(server: Server, given: readonly string[]): Promise<string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
    return roots.map(({ uri }) => uri);
  } catch (thrown) {
    if (given.length > 0) return [];
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new PathgrepError("search_failed", `the client did not say its roots: ${reason}`, {
      hint: "call again, or start the server with --workspace DIR",
    });
  }
}

/** Someone to ask, if the client of this call can show forms. */
function replyRequester({ mcpReq }: ServerContext): ReplyRequester | undefined {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return offersForms(capabilities) ? new ReplyRequester(mcpReq.inputResponses) : undefined;
}

/** An answer as MCP sends it. An error must not come as structured content: it has another schema. */
function toolResult(answer: object): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: JSON.stringify(answer) }];
  if ("error" in answer) return { content, isError: true };
  return { content, structuredContent: answer as Record<string, unknown> };
}
