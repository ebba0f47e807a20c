/**
 * Help texts, made from the command and option tables.
 *
 * @module
 */
import type { Command } from "./host.ts";
import { COMMANDS, SEARCH } from "./commands/command_table.ts";
import type { Flag, Option, ValueOption } from "./options/settings.ts";

/** Columns of names. */
const NAMES = 28;
const SCREEN_COLUMNS = 80;
const STANDARD_INPUT = "PATH `-` is standard input. `… | pathgrep PATTERN` needs no `-`.";
const AIM = "search the files of a workspace, and nothing outside of it";
const OTHERS = COMMANDS.slice(1).map(({ name }) => name).join(" ");
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

/** A command's help: in full, or the most useful of it on one screen. */
export function helpText(command: Command, isFull: boolean): string {
  const isSearch = command === SEARCH;
  const program = isSearch ? "pathgrep" : `pathgrep ${command.name}`;
  const aim = isSearch && isFull ? AIM : command.summary;
  const lines = [`${program}: ${aim}`, ...isFull ? [""] : []];
  lines.push(`Usage: ${[program, "[OPTIONS]", command.operands].join(" ").trimEnd()}`);
  if (isSearch) lines.push(...isFull ? commandLines() : [`Commands: ${OTHERS}`, STANDARD_INPUT]);
  const listed = command.options.filter(({ unlisted }) => unlisted !== true);
  const areMany = listed.flatMap(({ options }) => options).length > MANY_OPTIONS;
  for (const { title, options } of listed) {
    const shown = options.filter((option) => "help" in option)
      .filter(({ name }) => isFull || !areMany || USEFUL.has(name));
    if (shown.length > 0) lines.push("", `${title}:`, ...shown.map(isFull ? fullLines : briefLine));
  }
  if (isFull) {
    lines.push("", "Examples:");
    for (const [commandLine, meaning] of command.examples) {
      lines.push(`  ${`${program} ${commandLine}`.trimEnd()}`, `      ${meaning}`);
    }
    if (isSearch) lines.push("", "Environment:", ...ENVIRONMENT, "", STATUS);
  } else {
    const more = `\`${program} --help\` lists ${areMany ? "all options" : "examples too"}.`;
    lines.push("", ...isSearch ? [STATUS] : [], more);
  }
  return lines.join("\n") + "\n";
}

function commandLines(): string[] {
  const commands = COMMANDS.map(({ name, operands, summary }) =>
    explained(`${name} ${operands}`.trimEnd(), summary)
  );
  const more = "`pathgrep COMMAND --help` explains a command.";
  return ["", "Commands:", ...commands, "", more, STANDARD_INPUT];
}

function fullLines(option: Flag | ValueOption): string {
  return explained(usage(option), option.help);
}

/** An option on one line, with as much of its help as there is room for. */
function briefLine(option: Flag | ValueOption): string {
  const names = usage(option);
  const room = SCREEN_COLUMNS - Math.max(NAMES, names.length + 4);
  let help = "";
  for (const part of option.help.split("; ")) {
    const longer = help === "" ? part : `${help}; ${part}`;
    if (longer.length <= room) help = longer;
  }
  return `  ${names.padEnd(NAMES - 4)}  ${help}`.trimEnd();
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

const DEBUG =
  "print to standard error which rule excluded each file, and the stack trace of an unexpected error";
const ENVIRONMENT = [
  explained("PATHGREP_DEBUG=1", DEBUG),
  explained("PATHGREP_FORMAT=text", "the default of --format"),
];
