/**
 * `pathgrep mcp`: serve the tools to an MCP client.
 *
 * @module
 */
import { Workspace } from "../workspace/workspace.ts";
import { refuseOperands } from "./commands/no_operands.ts";
import { stdout } from "./output.ts";
import type { Settings } from "./settings.ts";

/** Serves until the client closes standard input. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  // From here on standard output is the protocol's, and errors go to standard error.
  stdout.failed = true;
  refuseOperands("mcp", operands);
  const { prompt, query: { allow, deny, timeout }, workspace } = settings;
  if (workspace.length > 0) await Workspace.open(workspace);
  const { serve } = await import("../mcp/stdio.ts");
  await serve({ roots: workspace, mayAsk: prompt === "auto", allow, deny, timeout });
  return 0;
}
