/**
 * `pathgrep completions`: scripts that complete command lines, made from the command table.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import type { Command } from "./command.ts";
import { completedCommands } from "../completions/completable.ts";
import { bashScript } from "../completions/bash.ts";
import { fishScript } from "../completions/fish.ts";
import { zshScript } from "../completions/zsh.ts";
import { stdout } from "../output.ts";
import type { Settings } from "../options/settings.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Writes the script for the shell that its one operand names. */
export function run(
  _settings: Settings,
  operands: readonly string[],
  commands: readonly Command[],
): Promise<number> {
  const [shell = "", ...more] = operands;
  if (!Object.hasOwn(SCRIPTS, shell) || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      `completions takes bash, zsh or fish, got ${operands.join(" ") || "nothing"}`,
      { hint: "for example: source <(pathgrep completions bash)" },
    );
  }
  stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS](completedCommands(commands)));
  return Promise.resolve(0);
}
