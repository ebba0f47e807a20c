/**
 * Tools for Vercel's AI SDK.
 *
 *     npm install pathgrep ai
 *
 * @module
 */
import { jsonSchema, tool, type ToolSet } from "ai";
import { ToolRegistry, type Workspace } from "pathgrep";

/** Returns the tools, for `generateText({ model, tools, system: systemPrompt(), prompt })`. */
export function searchTools(workspace: Workspace): ToolSet {
  const registry = ToolRegistry.of({ workspace });
  return Object.fromEntries(
    registry.list().map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: (input, { abortSignal }) => registry.execute(name, input, { signal: abortSignal }),
      }),
    ]),
  );
}
