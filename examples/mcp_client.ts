/**
 * An MCP client: starts `pathgrep mcp` for a workspace, lists its tools and calls one.
 *
 *     deno run -A examples/mcp_client.ts WORKSPACE PATTERN
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [root = ".", pattern = "TODO"] = Deno.args;
const program = new URL("../cli.ts", import.meta.url).href; // published: jsr:@x/pathgrep/cli

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: Deno.execPath(),
    args: [
      ...["run", "--no-config", "--no-prompt", "--allow-read", program],
      ...["mcp", "--workspace", root],
    ],
    env: Deno.env.toObject(), // by default it gets little of it, and not DENO_DIR
  }),
);
try {
  const { tools } = await client.listTools();
  console.log(tools.map(({ name }) => name).join(" "));
  const { content } = await client.callTool({ name: "grep", arguments: { pattern } });
  for (const part of content) if (part.type === "text") console.log(part.text);
} finally {
  await client.close();
}
