/**
 * The answer of a tool as the result of an MCP call.
 *
 * @module
 */

import type { CallToolResult } from "./sdk_types.ts";

/**
 * The result for an answer: its JSON as text and, unless only text is wanted, as structure. An error must
 * not come as structure: it has another schema.
 */
export function callResult(answer: object, isTextOnly: boolean): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: JSON.stringify(answer) }];
  if ("error" in answer) return { content, isError: true };
  if (isTextOnly) return { content };
  return { content, structuredContent: answer as Record<string, unknown> };
}
