/**
 * Help texts, made from the command and option tables.
 *
 * @module
 */
import type { Command } from "./commands/command.ts";
import { COMMANDS, SEARCH } from "./commands/command_table.ts";
import type { Option, OptionGroup } from "./options/option.ts";

/** The width of the column that names what is explained. */
const NAMES = 34;

/** The help text of a command; that of the search also lists the other commands. */
export function helpText(command: Command): string {
  const isSearch = command === SEARCH;
  const program = isSearch ? "pathgrep" : `pathgrep ${command.name}`;
  const lines = [
    isSearch
      ? "pathgrep: search the files of a workspace, and nothing outside of it"
      : `${program}: ${command.summary}`,
    "",
    `Usage: ${[program, "[OPTIONS]", command.operands].join(" ").trimEnd()}`,
  ];
  if (isSearch) {
    lines.push("", "Commands:");
    for (const { name, operands, summary } of COMMANDS) {
      lines.push(explained(`${name} ${operands}`.trimEnd(), summary));
    }
    lines.push("", "`pathgrep COMMAND --help` explains a command. PATH `-` is standard input.");
  }
  for (const group of command.options) {
    if (group.unlisted !== true) lines.push("", `${group.title}:`, ...optionLines(group));
  }
  lines.push("", "Examples:");
  for (const [commandLine, meaning] of command.examples) {
    lines.push(`  ${`${program} ${commandLine}`.trimEnd()}`, `      ${meaning}`);
  }
  if (isSearch) {
    lines.push("", "Exit status: 0 matches found, 1 no match, 2 error.");
  }
  return lines.join("\n") + "\n";
}

function optionLines({ options }: OptionGroup): string[] {
  return options.flatMap((option) => {
    if ("instead" in option) return [];
    return [explained(usage(option), option.help)];
  });
}

/** An option as it is written: `-m, --max-count N`, `--sort path|modified|none`. */
function usage(option: Option): string {
  const names = option.short === undefined
    ? `    --${option.name}`
    : `-${option.short}, --${option.name}`;
  if (!("value" in option)) return names;
  return `${names} ${option.value.choices?.join("|") ?? option.value.name}`;
}

function explained(what: string, meaning: string): string {
  if (what.length + 3 > NAMES) return `  ${what}\n${" ".repeat(NAMES)}${meaning}`;
  return `  ${what.padEnd(NAMES - 2)}${meaning}`;
}
