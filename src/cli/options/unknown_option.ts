/**
 * Errors and notes about a command line that was not understood, or not as it was meant.
 *
 * @module
 */
import type { NoteOrText } from "../../notes/words.ts";
import { PathgrepError } from "../../util/errors.ts";
import { didYouMean, shellWord } from "../../util/text.ts";
import type { Command } from "../host.ts";
import { COMMANDS, SEARCH } from "../commands/command_table.ts";
import { decoderOf } from "../../system/platform.ts";
import { optionsBySpelling, type Settings } from "./settings.ts";

/** An option that a command does not have, and the argument in which it was met. */
export interface UnknownOption {
  readonly given: string;
  readonly argument: string;
}

/** A word with one dash before it, and an attached value. */
const ONE_DASH = /^-([a-z][a-z0-9-]{2,})(=.*)?$/s;
/** What an option looks like: `--name`, `--name=value`, joined letters. */
const OPTION = /^--?[A-Za-z0-9.][\w.-]*(?:=.*)?$/s;

/**
 * The error for an unknown option: it names the nearest known one, or the command that has it, and how
 * to give a pattern or a path that begins with a dash.
 */
export function unknownOption({ given, argument }: UnknownOption, command: Command): PathgrepError {
  const long = meantLong(argument, command);
  if (long !== undefined) {
    return new PathgrepError("invalid_input", `unknown option ${argument}: ${long}`, {
      hint: operandAdvice(command, argument),
    });
  }
  const others = COMMANDS.filter((other) =>
    other !== command && optionsBySpelling(other.options).has(given)
  );
  const operand = operandAdvice(command, argument);
  if (others.length > 0) {
    const names = others.map((other) => other.name).join(", ");
    return new PathgrepError(
      "invalid_input",
      `option ${given} does not belong to the command ${command.name}, but to ${names}`,
      operand === undefined ? {} : { hint: operand },
    );
  }
  if (operand !== undefined && !OPTION.test(argument)) {
    return new PathgrepError("invalid_input", `unknown option ${given}`, { hint: operand });
  }
  const known = [...optionsBySpelling(command.options)]
    .filter(([spelling, option]) => spelling.startsWith("--") && !("instead" in option))
    .map(([spelling]) => spelling);
  const advice = given.startsWith("--") ? didYouMean(given, known) : "";
  const list = `\`pathgrep ${command.name} --help\` lists the options`;
  return new PathgrepError("invalid_input", `unknown option ${given}${advice}`, {
    hint: operand === undefined ? list : `${list}; ${operand}`,
  });
}

/** What stands for an option of `find`, which has one dash before a word. */
const OF_FIND: Readonly<Record<string, string>> = {
  name: "use -g GLOB",
  iname: "use --iglob GLOB",
  path: "use -g GLOB, with a / in it",
  wholename: "use -g GLOB, with a / in it",
  ipath: "use --iglob GLOB, with a / in it",
  regex: "use -g GLOB",
  iregex: "use --iglob GLOB",
  maxdepth: "use --max-depth N",
  type: "--type NAME has two dashes, for a type such as ts; only files are searched anyway",
  mindepth: "use -g '*/**' for what is below the first level",
  prune: "use --exclude GLOB",
  print: "paths are printed anyway, by `pathgrep files` or with -l",
  print0: "use -0",
  newer: "use --sort modified, the newest first",
  mtime: "use --sort modified, the newest first",
};
/** What a word with one dash means: a long option, which has two, or one of `find`. */
function meantLong(argument: string, command: Command): string | undefined {
  const [, name = "", value] = ONE_DASH.exec(argument) ?? [];
  if (name === "") return undefined;
  const option = optionsBySpelling(command.options).get(`--${name}`);
  if (Object.hasOwn(OF_FIND, name)) return OF_FIND[name];
  if (option === undefined) return undefined;
  if ("instead" in option) return option.instead;
  return `a long option has two dashes, --${name}${value ?? ""}`;
}

/** How to give an operand that begins with a dash, where the command takes any. */
function operandAdvice(command: Command, argument: string): string | undefined {
  if (command === SEARCH) return `-e ${shellWord(argument)} searches for that text`;
  if (!command.operands.includes("PATH")) return undefined;
  return `-- ${shellWord(argument)} is the path of that name`;
}

/** Adds to an error about an option how to search for it, if nothing else can be the pattern. */
export function misreadOption(error: PathgrepError, settings: Settings): PathgrepError {
  const { listFiles, patternFiles, query } = settings;
  if (listFiles || patternFiles.length > 0 || query.pattern.length > 0) return error;
  const { hint, ...details } = error.details;
  const advice = "-e PATTERN searches for a text that begins with a dash";
  const hints = { ...details, hint: hint === undefined ? advice : `${hint}; ${advice}` };
  return new PathgrepError(error.code, error.message, hints, error);
}

/** Joined letters up to `-E`, and what follows it. */
const LETTER_E = /^-[A-Za-z0-9.]*?E=?(?<attached>.*)$/s;

/** The notes on a command line that came to an error. */
export function readingNotes(args: readonly string[], settings: Settings): NoteOrText[] {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const labels = options.flatMap((argument, index) => {
    const attached = LETTER_E.exec(argument)?.groups?.["attached"];
    const label = attached === "" ? options[index + 1] : attached;
    return label !== undefined && isEncoding(label) ? [label] : [];
  });
  const notes = labels.map((label) =>
    ({ reason: "encoding_not_extended", values: { label } }) as const
  );
  return [...settings.notes, ...notes];
}

function isEncoding(label: string): boolean {
  try {
    return decoderOf(label) !== undefined;
  } catch {
    return false;
  }
}
