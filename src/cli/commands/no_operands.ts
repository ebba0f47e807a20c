/**
 * Refuses operands where a command takes none.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";

/** @throws {PathgrepError} `invalid_input` when there is an operand */
export function refuseOperands(command: string, operands: readonly string[]): void {
  if (operands.length === 0) return;
  throw new PathgrepError(
    "invalid_input",
    `${command} takes no operands, got ${operands.join(" ")}`,
    {
      hint: `\`pathgrep ${command} --help\` lists the options; ` +
        `\`pathgrep -e ${command}\` searches for the word`,
    },
  );
}
