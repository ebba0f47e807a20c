/**
 * Calls each tool of the examples for Node.js and holds the answers against those of the library. It runs
 * beside the examples.
 *
 * Argument: a project with `src/lib.rs` that has a TODO.
 *
 * @module
 */
import { deepEqual } from "node:assert/strict";
import process from "node:process";
import type { Tool as AnthropicTool } from "@anthropic-ai/sdk/resources";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { RunContext } from "@openai/agents";
import { asSchema, generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { ChatCompletionTool } from "openai/resources";
import { toolDefinitions, ToolRegistry, Workspace } from "pathgrep";
import * as aiSdk from "./ai_sdk.ts";
import { searchServer } from "./claude_agent_sdk.ts";
import * as openaiAgents from "./openai_agents.ts";

type Run = (name: string, input: object, signal?: AbortSignal) => Promise<unknown>;

// Their own types of a definition.
const anthropic: AnthropicTool[] = toolDefinitions("anthropic");
const openai: ChatCompletionTool[] = toolDefinitions("openai");
const mcp: McpTool[] = toolDefinitions("mcp");
const schemas = anthropic.map(({ name, input_schema }) => [name, input_schema]);
deepEqual(openai.length, mcp.length);

const open = () => Workspace.open(process.argv[2]!);
const registry = ToolRegistry.of({ workspace: await open() });

const tools = aiSdk.searchTools(await open());
deepEqual(
  Object.entries(tools).map(([name, { inputSchema }]) => [name, asSchema(inputSchema).jsonSchema]),
  schemas,
);
const agentTools = new Map(openaiAgents.searchTools(await open()).map((tool) => [tool.name, tool]));
deepEqual(
  [...agentTools.values()].map(({ name, parameters }) => [name, parameters]),
  schemas.map(([name, schema]) => [name, { ...Object(schema), additionalProperties: true }]),
);
const [ours, theirs] = InMemoryTransport.createLinkedPair();
await searchServer(await open()).instance.connect(ours);
const client = new Client({ name: "tests", version: "1" });
await client.connect(theirs);
deepEqual((await client.listTools()).tools, mcp);

const sdks: Record<string, Run> = {
  ai: async (name, input, abortSignal) =>
    await tools[name]!.execute!(input, {
      ...{ toolCallId: "1", messages: [], context: undefined },
      ...(abortSignal && { abortSignal }),
    }),
  openai: async (name, input, signal) => {
    const details = signal && { signal };
    return await agentTools.get(name)!.invoke(new RunContext(), JSON.stringify(input), details);
  },
  claude: async (name, input) => {
    const done = await client.callTool({ name, arguments: { ...input } }) as CallToolResult;
    const [part] = done.content;
    const answer = JSON.parse(part?.type === "text" ? part.text : "");
    deepEqual(done.isError, "error" in answer);
    return answer;
  },
};
const calls: [name: string, input: object][] = [
  ["grep", { pattern: "TODO", context: 1 }],
  ["grep", { pattern: "TODO", path: "Lib.rs" }],
  ["grep", { pattern: "TODO", glob: "*.rs" }],
  ["grep", { pattern: "TODO", files: "*.rs" }],
  ["grep", { pattern: "TODO", max_results: "ten" }],
  ["grep", {}],
  ["glob", { pattern: "*.rs" }],
  ["read_file", { path: "src/lib.rs" }],
];
const seen = [];
for (const [name, input] of calls) {
  const answer = await registry.execute(name, input);
  for (const [sdk, run] of Object.entries(sdks)) deepEqual(await run(name, input), answer, sdk);
  seen.push("error" in answer ? answer.code : name);
}
const ended = AbortSignal.abort();
for (const sdk of ["ai", "openai"]) {
  const answer = await sdks[sdk]!("grep", { pattern: "TODO" }, ended);
  deepEqual(Object(answer).code, "cancelled", sdk);
}
await client.close();

// The AI SDK's own loop, with a model that calls a tool and ends.
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const rest = { finishReason: { unified: "stop" as const, raw: undefined }, usage, warnings: [] };
const [[toolName, input] = ["", {}]] = calls;
const call = {
  type: "tool-call" as const,
  toolCallId: "1",
  toolName,
  input: JSON.stringify(input),
};
const model = new MockLanguageModelV4({
  doGenerate: [
    { ...rest, content: [call], finishReason: { unified: "tool-calls", raw: undefined } },
    { ...rest, content: [{ type: "text", text: "done" }] },
  ],
});
await generateText({ model, tools, stopWhen: isStepCount(2), prompt: "" });
const sent = model.doGenerateCalls[1]!.prompt.at(-1)!.content[0]!;
deepEqual(
  typeof sent === "object" && sent.type === "tool-result" && sent.output,
  { type: "json", value: await registry.execute(toolName, input) },
);
console.log(seen.join(" "));
