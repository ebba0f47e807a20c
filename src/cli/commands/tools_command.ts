/**
 * `pathgrep tools`: the definitions of the tools.
 *
 * @module
 */
import { toolDefinitions } from "../../tools/definition_formats.ts";
import { refuseOperands, type RunCommand } from "./command.ts";

export const run: RunCommand = ({ definitions }, operands, _commands, host) => {
  refuseOperands("tools", operands);
  host.stdout.write(JSON.stringify(toolDefinitions(definitions), null, 2) + "\n");
  return Promise.resolve(0);
};
