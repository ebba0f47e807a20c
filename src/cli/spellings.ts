/**
 * Every way to write the options of a command.
 *
 * @module
 */
import type { Command } from "./commands/command.ts";
import type { Option } from "./options/option.ts";

/** A command's options by each of their spellings, with its dashes. */
export function spellings(command: Command): Map<string, Option> {
  const table = new Map<string, Option>();
  for (const { options } of command.options) {
    for (const option of options) {
      table.set(`--${option.name}`, option);
      if (option.short !== undefined) table.set(`-${option.short}`, option);
      for (const alias of option.aliases ?? []) table.set(alias, option);
    }
  }
  return table;
}
