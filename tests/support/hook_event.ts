/**
 * The event with which Claude Code tells its hooks of a command that has ended.
 *
 * @module
 */

import type { Spawned } from "./spawn.ts";

/** The event as JSON, of a command that was run in a directory. */
export function hookEvent(command: string, cwd: string, { code, stdout, stderr }: Spawned): string {
  const call = { cwd, tool_name: "Bash", tool_input: { command } };
  const event = code === 0
    ? { hook_event_name: "PostToolUse", tool_response: { stdout, stderr, interrupted: false } }
    : { hook_event_name: "PostToolUseFailure", error: `Exit code ${code}\n${stdout}${stderr}` };
  return JSON.stringify({ ...call, ...event });
}
