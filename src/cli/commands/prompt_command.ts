/**
 * `pathgrep prompt`: what an agent's system prompt may say about paths.
 *
 * @module
 */
import { systemPrompt } from "../../tools/system_prompt.ts";
import { refuseOperands, type RunCommand } from "./command.ts";

export const run: RunCommand = (_settings, operands, _commands, host) => {
  refuseOperands("prompt", operands);
  host.stdout.write(systemPrompt() + "\n");
  return Promise.resolve(0);
};
