/**
 * `pathgrep mcp`: serve the tools to an MCP client.
 *
 * @module
 */
import { Workspace } from "../../paths/workspace.ts";
import { ownTools } from "../../tools/registry.ts";
import { refuseOperands } from "../host.ts";
import { stderr, stdout } from "../output.ts";
import type { Settings } from "../options/settings.ts";
import { standardInput } from "../../system/platform.ts";

/** Megabytes of the cache unless `--cache-mb` says otherwise. */
const CACHE_MB = 64;

export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  // From here on standard output is the protocol's, and errors go to standard error.
  stdout.failed = true;
  refuseOperands("mcp", operands);
  const { cacheMb, structured, meta, prompt, query: { allow, deny, timeout }, workspace } =
    settings;
  const tools = settings.tools.length > 0 ? settings.tools : undefined;
  ownTools(tools); // an unknown one is an error before a client connects
  const ceiling = workspace.length > 0 ? await Workspace.open(workspace) : undefined;
  if (standardInput.isTerminal()) {
    stderr.write(
      "pathgrep: serving MCP on standard input; an MCP client should start it; Ctrl-C stops it\n",
    );
  }
  const { serveMcp } = await import("../../mcp/server.ts");
  await serveMcp((cacheMb ?? CACHE_MB) * 2 ** 20, {
    ceiling,
    mayAsk: prompt === "auto",
    structured,
    tools,
    meta,
    allow,
    deny,
    timeout,
  });
  return 0;
}
