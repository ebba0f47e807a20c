/**
 * Tools for OpenAI's Agents SDK.
 *
 *     npm install pathgrep @openai/agents zod
 *
 * @module
 */
import { tool } from "@openai/agents";
import { ToolRegistry, type Workspace } from "pathgrep";

/** A schema as the SDK's types have it. */
interface InputSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** Returns the tools, for `new Agent({ name, tools, instructions: systemPrompt() })`. */
export function searchTools(workspace: Workspace) {
  const registry = ToolRegistry.of({ workspace });
  return registry.list().map(({ name, description, inputSchema }) =>
    tool({
      name,
      description,
      strict: false, // strictly, every call would have every key
      parameters: { ...inputSchema as InputSchema, additionalProperties: true as const },
      execute: (input, _context, details) =>
        registry.execute(name, input, { signal: details?.signal }),
    })
  );
}
