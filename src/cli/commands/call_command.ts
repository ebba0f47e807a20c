/**
 * `pathgrep call`: call a tool as an agent does.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import { toolReadAs } from "../../tools/aliases.ts";
import { mayHoldInput } from "../../tools/input_normalizer.ts";
import { runListing, runSearch } from "../../search/search.ts";
import { OWN_TOOL_NAMES, ToolRegistry } from "../../tools/registry.ts";
import { omitNoteOnRulesAbove } from "../../tools/tool_context.ts";
import type { RunCommand } from "../host.ts";
import { jsonLine } from "../printers/answer_printer.ts";

/** Calls the tool that its one operand names; 2 when the answer is an error. */
export const run: RunCommand = async (settings, operands, _, host) => {
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
