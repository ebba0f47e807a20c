/**
 * The commands and options that shells complete, in a form of no particular shell.
 *
 * @module
 */
import { fileTypes } from "../../scan/file_types.ts";
import type { Command } from "../commands/command.ts";
import { COMMON_OPTIONS } from "../options/option_table.ts";
import type { Flag, ValueOption } from "../options/option.ts";

export interface CompletedOption {
  /** The long name, without dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly help: string;
  readonly value?: {
    readonly name: string;
    /** The words that it can be; none when it is free. */
    readonly words: readonly string[];
    readonly isDirectory: boolean;
    /** It may be omitted, and stands behind a `=` if it is not. */
    readonly isAttached: boolean;
  };
}

export interface CompletedCommand extends Pick<Command, "name" | "summary"> {
  readonly options: readonly CompletedOption[];
  /** The words that its operand can be; none when it is free. */
  readonly words: readonly string[];
  readonly takesPaths: boolean;
}

/** The options with a value that may precede a command. */
export const LEADING_OPTIONS: readonly string[] = COMMON_OPTIONS.options
  .flatMap((option) => "value" in option ? [`--${option.name}`] : []);

/** Every command with the options that its help lists; the first is what runs without a name. */
export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map(({ name, summary, operands, choices = [], options }) => ({
    name,
    summary,
    words: choices,
    takesPaths: operands.includes("PATH"),
    options: options.filter((group) => group.unlisted !== true)
      .flatMap((group) => group.options)
      .filter((option) => "help" in option)
      .map(completed),
  }));
}

function completed(option: Flag | ValueOption): CompletedOption {
  const { help, name, short } = option;
  if (!("value" in option)) return { name, short, help };
  const { value } = option;
  const words = name === "type" || name === "type-not"
    ? [...fileTypes().keys()]
    : value.choices ?? [];
  return {
    name,
    short,
    help,
    value: {
      name: value.name,
      words,
      isDirectory: value.name === "DIR",
      isAttached: value.alone !== undefined,
    },
  };
}
