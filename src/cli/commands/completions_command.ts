/**
 * `pathgrep completions`: scripts that complete command lines, made from the command table.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import type { RunCommand } from "./command.ts";
import { completedCommands } from "../completions/completable.ts";
import { bashScript } from "../completions/bash.ts";
import { fishScript } from "../completions/fish.ts";
import { zshScript } from "../completions/zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const run: RunCommand = (_settings, operands, commands, host) => {
  const [shell = "", ...more] = operands;
  if (!Object.hasOwn(SCRIPTS, shell) || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      `completions takes bash, zsh or fish, got ${operands.join(" ") || "nothing"}`,
      { hint: "`pathgrep completions --help` says where the script of each belongs" },
    );
  }
  host.stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS](completedCommands(commands)));
  return Promise.resolve(0);
};
