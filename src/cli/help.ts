/**
 * Help texts, made from the command and option tables.
 *
 * @module
 */
import type { Command } from "./commands/command.ts";
import { COMMANDS, SEARCH } from "./commands/command_table.ts";
import type { Option, RefusedOption } from "./options/option.ts";

/** Columns of names. */
const NAMES = 28;
const SCREEN_COLUMNS = 80;
const STANDARD_INPUT = "PATH `-` is standard input. `… | pathgrep PATTERN` needs no `-`.";
const STATUS = "Exit status: 0 matches found, 1 no match, 2 error.";
/** A command with more options shows only {@linkcode USEFUL} ones on one screen. */
const MANY_OPTIONS = 20;
const USEFUL = new Set(
  (
    "regexp ignore-case fixed-strings word-regexp multiline include type no-ignore " +
    "files-with-matches count only-matching context max-count max-results on-overflow offset " +
    "paths timeout engine workspace format help"
  ).split(" "),
);

/** The most useful of a command's help on one screen. */
export function briefHelp({ name, operands, summary, options }: Command): string {
  const isSearch = name === SEARCH.name;
  const program = isSearch ? "pathgrep" : `pathgrep ${name}`;
  const lines = [
    `${program}: ${summary}`,
    `Usage: ${[program, "[OPTIONS]", operands].join(" ").trimEnd()}`,
  ];
  if (isSearch) {
    const others = COMMANDS.filter((command) => command !== SEARCH);
    const names = others.map(({ name }) => name).join(" ");
    lines.push(`Commands: ${names}`, STANDARD_INPUT);
  }
  const listed = options.filter(({ unlisted }) => unlisted !== true);
  const areMany = listed.flatMap(({ options }) => options).length > MANY_OPTIONS;
  for (const { title, options } of listed) {
    const shown = options.filter((option) => !areMany || USEFUL.has(option.name));
    const explained = shown.flatMap((option) => "instead" in option ? [] : [briefLine(option)]);
    if (explained.length > 0) lines.push("", `${title}:`, ...explained);
  }
  lines.push(
    "",
    ...isSearch ? [STATUS] : [],
    `\`${program} --help\` lists ${areMany ? "all options" : "examples too"}.`,
  );
  return lines.join("\n") + "\n";
}

/** An option on one line, with as much of its help as there is room for. */
function briefLine(option: Exclude<Option, RefusedOption>): string {
  const names = usage(option);
  const room = SCREEN_COLUMNS - Math.max(NAMES, names.length + 4);
  let help = "";
  for (const part of option.help.split("; ")) {
    const longer = help === "" ? part : `${help}; ${part}`;
    if (longer.length <= room) help = longer;
  }
  return `  ${names.padEnd(NAMES - 4)}  ${help}`.trimEnd();
}

export function wholeHelp(command: Command): string {
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
    lines.push("", "`pathgrep COMMAND --help` explains a command.", STANDARD_INPUT);
  }
  for (const group of command.options) {
    if (group.unlisted === true) continue;
    const listed = group.options.filter((option) => "help" in option);
    lines.push("", `${group.title}:`);
    for (const option of listed) lines.push(explained(usage(option), option.help));
  }
  lines.push("", "Examples:");
  for (const [commandLine, meaning] of command.examples) {
    lines.push(`  ${`${program} ${commandLine}`.trimEnd()}`, `      ${meaning}`);
  }
  if (isSearch) {
    const debugs = "which rule excluded each file, and the stack trace of an unexpected error";
    const debug = explained("PATHGREP_DEBUG=1", `print to standard error ${debugs}`);
    const format = explained("PATHGREP_FORMAT=text", "the default of --format");
    lines.push("", "Environment:", debug, format, "", STATUS);
  }
  return lines.join("\n") + "\n";
}

/** An option as it is written: `-m, --max-count N`, `--sort path|modified|none`, `--show-function[=…]`. */
function usage(option: Option): string {
  const letter = option.short === undefined ? "    " : `-${option.short}, `;
  if (!("value" in option)) return `${letter}--${option.name}`;
  const { alone, choices, name } = option.value;
  const value = choices?.join("|") ?? name;
  return `${letter}--${option.name}${alone === undefined ? ` ${value}` : `[=${value}]`}`;
}

/** What is explained, and beside it or below it the meaning, in lines that fit on a screen. */
function explained(what: string, meaning: string): string {
  const rows = what.length + 4 > NAMES ? [`  ${what}`] : [];
  let row = rows.length === 0 ? `  ${what}` : "";
  for (const word of meaning.split(" ")) {
    const longer = row.length < NAMES ? row.padEnd(NAMES) + word : `${row} ${word}`;
    if (longer.length <= SCREEN_COLUMNS || row.length < NAMES) {
      row = longer;
      continue;
    }
    rows.push(row);
    row = " ".repeat(NAMES) + word;
  }
  return [...rows, row].join("\n");
}
