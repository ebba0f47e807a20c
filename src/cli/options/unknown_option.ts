/**
 * What to say about an option that a command does not have.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import type { Command } from "../commands/command.ts";
import { COMMANDS } from "../commands/command_table.ts";
import { didYouMean } from "../../util/closest.ts";
import { optionsBySpelling } from "./option.ts";

/** The error for an unknown option: it names the nearest known one, or the command that has it. */
export function unknownOption(given: string, command: Command): PathgrepError {
  const others = COMMANDS.filter((other) =>
    other !== command && optionsBySpelling(other.options).has(given)
  );
  if (others.length > 0) {
    const names = others.map((other) => other.name).join(", ");
    return new PathgrepError(
      "invalid_input",
      `option ${given} does not belong to the command ${command.name}, but to ${names}`,
    );
  }
  const known = [...optionsBySpelling(command.options)]
    .filter(([spelling, option]) => spelling.startsWith("--") && !("instead" in option))
    .map(([spelling]) => spelling);
  const advice = given.startsWith("--") ? didYouMean(given, known) : "";
  return new PathgrepError(
    "invalid_input",
    `unknown option ${given}${advice}`,
    { hint: `\`pathgrep ${command.name} --help\` lists the options` },
  );
}
