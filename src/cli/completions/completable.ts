/**
 * What a shell can complete: the command table, without what is specific to a shell.
 *
 * @module
 */
import { typeList } from "../../scan/file_types.ts";
import type { Command } from "../commands/command.ts";
import { COMMON_OPTIONS } from "../options/option_table.ts";
import type { Flag, OptionValue, ValueOption } from "../options/option.ts";

/** An option as it is completed. */
export interface CompletedOption {
  /** The long name, without dashes. */
  readonly name: string;
  /** The letter. */
  readonly short: string | undefined;
  readonly help: string;
  /** What follows it, if anything does. */
  readonly value?: {
    /** What it is called. */
    readonly name: string;
    /** The words that it can be; none when it is free. */
    readonly words: readonly string[];
    readonly isDirectory: boolean;
  };
}

/** A command as it is completed. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The words that its operand can be; none when it is free. */
  readonly words: readonly string[];
  /** Whether paths may be among its operands. */
  readonly takesPaths: boolean;
}

/** The options with a value that may stand before a command. */
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
  const value = {
    name: option.value.name,
    words: wordsOf(name, option.value),
    isDirectory: option.value.name === "DIR",
  };
  return { name, short, help, value };
}

function wordsOf(option: string, { choices }: OptionValue): readonly string[] {
  if (option !== "type" && option !== "type-not") return choices ?? [];
  return typeList().trimEnd().split("\n").map((line) => line.slice(0, line.indexOf(":")));
}
