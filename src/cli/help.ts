/**
 * Help texts, and the words that complete a command line for the scripts of `pathgrep completions`: both are
 * made from the command and option tables.
 *
 * @module
 */
import type { Command } from "./host.ts";
import { COMMANDS, SEARCH } from "./commands/command_table.ts";
import { commandIndex, parseArguments } from "./options/argument_parser.ts";
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

/** How the last argument can be completed. */
interface Completion {
  /** Words with their meaning; of `--option=value`, only the value. */
  words: readonly (readonly [word: string, meaning?: string])[];
  /** Which paths complete it as well. @default none */
  paths?: "files" | "directories";
}

/** The lines that scripts read: which paths complete it, then each word, a tab and its meaning. */
export async function complete(words: readonly string[]): Promise<string> {
  const completion = await completionOf(rejoined(words));
  const lines = completion.words.map((word) => word.join("\t"));
  return [completion.paths ?? "", ...lines].join("\n") + "\n";
}

/** The arguments as they were typed: bash splits them at `=`. */
function rejoined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const isAttached = words[at] === "=" && whole.at(-1)?.startsWith("--");
    if (isAttached) whole.push(`${whole.pop()}=${words[++at] ?? ""}`);
    else whole.push(words[at]!);
  }
  return whole;
}

async function completionOf(words: readonly string[]): Promise<Completion> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const { command, operands } = await parseArguments(before);
  const listed = command.options.filter(({ unlisted }) => unlisted !== true)
    .flatMap(({ options }) => options);
  const [attached] = /^--[\w-]+(?==)/.exec(current) ?? [];
  const valued = listed.find((option) => spellings(option).includes(attached ?? before.at(-1)!));
  if (valued !== undefined && "value" in valued) {
    const { alone, name, choices = [] } = valued.value;
    if (attached !== undefined || alone === undefined) {
      if (name === "DIR") return { words: [], paths: "directories" };
      if (name === "FILE") return { words: [], paths: "files" };
      const values = valued.name.startsWith("type")
        ? (await import("../walk/file_types.ts")).typeNames()
        : choices;
      return { words: values.map((value) => [value]) };
    }
  }
  const paths = command.operands.includes("PATH") ? { paths: "files" as const } : {};
  if (before.includes("--")) return { words: [], ...paths };
  if (current.startsWith("-")) {
    // fish would match letters anywhere in an option.
    const named = listed.filter((option) => "help" in option).flatMap((option) =>
      spellings(option).filter((spelling) => spelling.startsWith(current))
        .map((spelling) => [spelling, option.help] as const)
    );
    return { words: named };
  }
  const isFirst = commandIndex(before) === before.length;
  if (isFirst) return { words: COMMANDS.map(({ name, summary }) => [name, summary]), ...paths };
  const choices = operands.length === 0 ? command.choices ?? [] : [];
  return { words: choices.map((choice) => [choice]), ...paths };
}

function spellings({ name, short }: Option): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
