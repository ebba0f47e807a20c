/**
 * An MCP client: starts `pathgrep mcp` for a workspace, lists its tools and calls one.
 *
 *     npm install pathgrep @modelcontextprotocol/sdk
 *     node mcp_client.ts WORKSPACE PATTERN
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import process from "node:process";
import { fileURLToPath } from "node:url";

const [root = ".", pattern = "TODO"] = process.argv.slice(2);
// The installed package itself: npx would look for it anew at each start.
const launcher = new URL("pathgrep.cjs", import.meta.resolve("pathgrep/package.json"));

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(launcher), "mcp", "--workspace", root],
  }),
);
try {
  const { tools } = await client.listTools();
  console.log(tools.map(({ name }) => name).join(" "));
  const call = { name: "grep", arguments: { pattern } };
  const { content } = await client.callTool(call) as CallToolResult;
  for (const part of content) if (part.type === "text") console.log(part.text);
} finally {
  await client.close();
}
