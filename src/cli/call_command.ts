/**
 * `pathgrep call`: call a tool as an agent does.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { openWorkspace } from "./open_workspace.ts";
import { stdout } from "./output.ts";
import { jsonLine } from "./render_json.ts";
import type { Settings } from "./settings.ts";

/** Calls the tool that its one operand names; 2 when the answer is an error. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  const [tool, ...more] = operands;
  if (tool === undefined || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      tool === undefined ? "TOOL is missing" : `call takes one TOOL, got ${operands.length}`,
      { hint: "usage: pathgrep call TOOL, its input as JSON on standard input" },
    );
  }
  const { allow, deny, timeout } = settings.query;
  const workspace = await openWorkspace(settings);
  const registry = ToolRegistry.of({ workspace, allow, deny, timeout });
  const isKnown = registry.get(tool) !== undefined;
  const answer = await registry.execute(tool, isKnown ? await readJson() : undefined);
  stdout.write(
    settings.format === "text" ? JSON.stringify(answer, null, 2) + "\n" : jsonLine(answer),
  );
  return "error" in answer ? 2 : 0;
}

async function readJson(): Promise<unknown> {
  const text = await new Response(Deno.stdin.readable).text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = text.trim() === "" ? "it is empty" : (error as SyntaxError).message;
    throw new PathgrepError("invalid_input", `standard input must be JSON: ${reason}`, {
      hint: 'send the tool\'s input, such as {"pattern": "TODO"}',
    });
  }
}
