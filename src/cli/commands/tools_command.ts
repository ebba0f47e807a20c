/**
 * `pathgrep tools`: the definitions of the tools.
 *
 * @module
 */
import { toolDefinitions } from "../../tools/definition_formats.ts";
import { refuseOperands } from "./no_operands.ts";
import { stdout } from "../output.ts";
import type { Settings } from "../options/settings.ts";

/** Writes the definitions: one JSON array. */
export function run({ definitions }: Settings, operands: readonly string[]): Promise<number> {
  refuseOperands("tools", operands);
  stdout.write(JSON.stringify(toolDefinitions(definitions), null, 2) + "\n");
  return Promise.resolve(0);
}
