/**
 * `pathgrep tools`: the definitions of the tools; `pathgrep prompt`: what an agent's system prompt may say
 * about paths.
 *
 * @module
 */
import { systemPrompt, toolDefinitions } from "../../tools/definition_formats.ts";
import { refuseOperands, type RunCommand } from "../host.ts";

export const run: RunCommand = (settings, operands, _commands, host) => {
  refuseOperands("tools", operands);
  const { definitions, tools, structured, meta } = settings;
  const options = { tools: tools.length > 0 ? tools : undefined, structured, meta };
  host.stdout.write(JSON.stringify(toolDefinitions(definitions, options), null, 2) + "\n");
  return Promise.resolve(0);
};

export const runPrompt: RunCommand = (_settings, operands, _commands, host) => {
  refuseOperands("prompt", operands);
  host.stdout.write(systemPrompt() + "\n");
  return Promise.resolve(0);
};
