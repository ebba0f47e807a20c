/**
 * Tools for the Claude Agent SDK: an MCP server in the agent's own process.
 *
 *     npm install pathgrep @anthropic-ai/claude-agent-sdk @modelcontextprotocol/sdk
 *
 * @module
 */
import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { toolDefinitions, ToolRegistry, type Workspace } from "pathgrep";

/** Returns the server, for `query({ prompt, options: { mcpServers: { pathgrep: server } } })`. */
export function searchServer(workspace: Workspace): McpSdkServerConfigWithInstance {
  const registry = ToolRegistry.of({ workspace });
  const instance = new McpServer({ name: "pathgrep", version: "1.0.0" }, {
    capabilities: { tools: {} },
  });
  // The SDK's `tool` drops keys that the schema lacks; pathgrep reads them, or says what to use.
  instance.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolDefinitions("mcp"),
  }));
  instance.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const answer = await registry.execute(params.name, params.arguments, { signal });
    const text = JSON.stringify(answer);
    return { content: [{ type: "text", text }], isError: "error" in answer };
  });
  return { type: "sdk", name: "pathgrep", instance };
}
