/**
 * The commands about tools: `call` calls one as an agent does, `mcp` serves them, `tools` prints their
 * definitions, and `prompt` what an agent's system prompt may say about paths.
 *
 * @module
 */
import { Workspace } from "../../workspace/workspace.ts";
import { runListing, runSearch } from "../../search/search.ts";
import { standardInput } from "../../system/platform.ts";
import { toolReadAs } from "../../tools/aliases.ts";
import { systemPrompt, toolDefinitions } from "../../tools/definition_formats.ts";
import { mayHoldInput } from "../../tools/input_normalizer.ts";
import { OWN_TOOL_NAMES, ownTools, ToolRegistry } from "../../tools/registry.ts";
import { omitNoteOnRulesAbove } from "../../tools/tool_context.ts";
import { PathgrepError } from "../../util/errors.ts";
import { refuseOperands, type RunCommand } from "../host.ts";
import { stderr, stdout } from "../output.ts";
import { jsonLine } from "../printers/answer_printer.ts";

/** Calls the tool that its one operand names; 2 when the answer is an error. */
export const runCall: RunCommand = async (settings, operands, host) => {
  const [tool, ...more] = operands;
  if (tool === undefined || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      tool === undefined ? "TOOL is missing" : `call takes one TOOL, got ${operands.length}`,
      { hint: "usage: pathgrep call TOOL, its input as JSON on standard input" },
    );
  }
  const { allow, deny, timeout } = settings.query;
  const workspace = await host.openWorkspace(settings);
  omitNoteOnRulesAbove(workspace);
  const { pool, signal } = host;
  const { spent } = settings;
  const registry = ToolRegistry.of({
    ...{ workspace, allow, deny, timeout },
    permissionRequester: host.requester(settings),
    searcher: {
      search: (query, call) => runSearch(query, { ...call, pool, workspace, spent }),
      listFiles: (query, call) => runListing(query, { ...call, pool, workspace, spent }),
    },
  }, { tools: OWN_TOOL_NAMES });
  const isKnown = toolReadAs(tool, registry.list().map(({ name }) => name)) !== undefined;
  const input = isKnown ? inputIn(await host.readInput()) : undefined;
  const answer = await registry.execute(tool, input, signal === undefined ? {} : { signal });
  host.stdout.write(
    settings.format === "text" ? JSON.stringify(answer, null, 2) + "\n" : jsonLine(answer),
  );
  return "error" in answer ? 2 : 0;
};

/** The tool's input: a value, or a text that the tool reads as it reads a model's. */
function inputIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (mayHoldInput(text)) return text;
    const reason = text.trim() === "" ? "it is empty" : (error as SyntaxError).message;
    throw new PathgrepError("invalid_input", `standard input must be JSON: ${reason}`, {
      hint: 'pass the tool\'s input, such as {"pattern": "TODO"}',
    });
  }
}

/** Megabytes of the cache unless `--cache-mb` says otherwise. */
const CACHE_MB = 64;

/** Serves the tools until the client hangs up. */
export const runMcp: RunCommand = async (settings, operands) => {
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
};

export const runTools: RunCommand = (settings, operands, host) => {
  refuseOperands("tools", operands);
  const { definitions, tools, structured, meta } = settings;
  const options = { tools: tools.length > 0 ? tools : undefined, structured, meta };
  host.stdout.write(JSON.stringify(toolDefinitions(definitions, options), null, 2) + "\n");
  return Promise.resolve(0);
};

export const runPrompt: RunCommand = (_settings, operands, host) => {
  refuseOperands("prompt", operands);
  host.stdout.write(systemPrompt() + "\n");
  return Promise.resolve(0);
};
