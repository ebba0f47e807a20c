/**
 * Reads a command line.
 *
 * It is a loop of our own because `parseArgs` of `node:util` adds a third to the time that the
 * program takes to start, and leaves all that is particular here (values, names, errors) to do.
 *
 * @module
 */
import { distance, nearest } from "../../util/text.ts";
import { PathgrepError } from "../../util/errors.ts";
import type { CommandLine } from "../host.ts";
import { COMMANDS, SEARCH } from "../commands/command_table.ts";
import {
  defaultSettings,
  flag,
  type Option,
  optionsBySpelling,
  type OptionValue,
} from "./settings.ts";
import { COMMON_OPTIONS } from "./option_table.ts";
import type { UnknownOption } from "./unknown_option.ts";

/**
 * Reads the arguments after the program's name. The first is the command if it names one; only options
 * that every command takes may precede it.
 */
export async function parseArguments(args: readonly string[]): Promise<CommandLine> {
  const at = commandIndex(args);
  const named = COMMANDS.find(({ name }) => name === args[at]);
  const command = named ?? SEARCH;
  const settings = defaultSettings();
  const parsed: CommandLine = { command, settings, operands: [] };
  const reader = new ArgumentReader(parsed);
  reader.read(named ? args.toSpliced(at, 1) : args);
  const { unknown } = reader;
  if (unknown !== undefined || parsed.error !== undefined) {
    const { misreadOption, unknownOption } = await import("./unknown_option.ts");
    if (parsed.error === undefined) parsed.error = unknownOption(unknown!, command);
    else if (command === SEARCH && parsed.operands.length === 0) {
      parsed.error = misreadOption(parsed.error, settings);
    }
  }
  if (args.some((argument) => argument.includes(REPLACEMENT))) checkDecoded(parsed);
  if (named === undefined && !args.includes("--")) noteMeantCommand(parsed);
  if (named !== undefined && named !== SEARCH && at > 0 && parsed.operands.length > 0) {
    settings.notes.push({ reason: "as_command", values: { word: named.name } });
  }
  return parsed;
}

/** Where the name of a command stands, if there is one: after options that every command takes. */
export function commandIndex(args: readonly string[]): number {
  if (!args[0]?.startsWith("-")) return 0;
  const table = optionsBySpelling([COMMON_OPTIONS]);
  let at = 0;
  for (let argument; (argument = args[at])?.startsWith("-");) {
    const [name = ""] = argument.split("=", 1);
    const option = table.get(name);
    if (option === undefined) break;
    at += "value" in option && name === argument ? 2 : 1;
  }
  return at;
}

/** Adds the note on a pattern that may have been meant as a command. */
function noteMeantCommand({ operands, settings: { notes, query } }: CommandLine): void {
  const [word] = operands;
  const advice = query.pattern.length > 0 ? undefined : adviceOn(operands);
  if (word === undefined || advice === undefined) return;
  notes.push({ reason: "as_pattern", values: { word, advice } });
}

function adviceOn([pattern = "", ...paths]: readonly string[]): string | undefined {
  const names = COMMANDS.map(({ name }) => name);
  if (names.includes(pattern)) return `the command ${pattern} must be the first argument`;
  if (pattern === "help" && names.includes(paths[0] ?? "")) {
    return `\`pathgrep ${paths[0]} --help\` explains the command`;
  }
  if (pattern === "help" || pattern === "version") {
    return paths.length === 0 ? `\`pathgrep --${pattern}\` shows the ${pattern}` : undefined;
  }
  // `file` and `tool` are words of their own.
  const isPart = names.some((name) => name.startsWith(pattern) || pattern.startsWith(name));
  const command = isPart ? undefined : nearest(pattern, names);
  if (command === undefined || distance(pattern, command) > 1) return undefined;
  // Many a short word is one letter away from `mcp`, but few have its letters.
  const isSwapped = pattern.length === command.length &&
    [...pattern].every((letter) => command.includes(letter));
  return pattern.length >= 4 || isSwapped ? `the command is ${command}` : undefined;
}

/** Options of `find` that are not names of ours. */
const FROM_FIND = /^(?:i?(?:name|path|regex)|wholename|m(?:ax|in)depth|prune|print0?|newer|mtime)$/;

/** What Deno decodes bytes to that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** Deno cannot distinguish bytes that are not UTF-8 from a replacement character that was meant. */
function checkDecoded(parsed: CommandLine): void {
  const { notes, workspace } = parsed.settings;
  notes.push({ reason: "replacement_character", values: {} });
  const root = workspace.find((path) => path.includes(REPLACEMENT));
  if (root === undefined) return;
  parsed.error ??= new PathgrepError(
    "invalid_input",
    `--workspace ${root} contains U+FFFD, which may stand for bytes that are not UTF-8`,
    { hint: "start pathgrep in that directory" },
  );
}

class ArgumentReader {
  /** The first option that the command does not have. */
  unknown: UnknownOption | undefined;
  readonly #parsed: CommandLine;
  readonly #table: ReadonlyMap<string, Option>;
  #argument = "";

  constructor(parsed: CommandLine) {
    this.#parsed = parsed;
    this.#table = optionsBySpelling(parsed.command.options);
  }

  read(args: readonly string[]): void {
    const { operands } = this.#parsed;
    for (let index = 0; index < args.length; index++) {
      const argument = this.#argument = args[index]!;
      const next = args[index + 1];
      if (argument === "--") {
        operands.push(...args.slice(index + 1));
        return;
      }
      if (argument.startsWith("--")) {
        const [name = "", ...rest] = argument.split("=");
        const attached = rest.length === 0 ? undefined : rest.join("=");
        if (this.#readOption(name, attached, next)) index++;
      } else if (argument.startsWith("-") && argument !== "-") {
        if (this.#isWord(argument)) this.unknown ??= { given: argument, argument };
        else if (this.#readLetters(next)) index++;
      } else if (this.#parsed.command.endsAtOperand) {
        operands.push(...args.slice(index));
        return;
      } else {
        operands.push(argument);
      }
    }
  }

  /** Whether an argument is a long option with one dash, or one of `find`; its letters make no sense. */
  #isWord(argument: string): boolean {
    const name = /^-([a-z][a-z0-9-]{3,})(?:=|$)/.exec(argument)?.[1];
    if (name === undefined || name === "help") return false;
    return this.#table.has(`--${name}`) || FROM_FIND.test(name);
  }

  /** Reads joined letters, the last of which may have its value attached: `-iC2`, `-5`. */
  #readLetters(next: string | undefined): boolean {
    for (let rest = this.#argument.slice(1); rest !== "";) {
      const digits = /^[1-9]\d*/.exec(rest)?.[0];
      if (digits !== undefined) {
        // grep's `-5` is `-C5`.
        this.#readOption("-C", digits, undefined);
        rest = rest.slice(digits.length);
        continue;
      }
      const letter = String.fromCodePoint(rest.codePointAt(0)!);
      rest = rest.slice(letter.length);
      const { option } = lookUp(this.#table, `-${letter}`);
      if (option !== undefined && "value" in option) {
        // ripgrep drops the `=` of `-C=2`; a pattern may well begin with one.
        if (letter !== "e") rest = rest.replace(/^=/, "");
        else this.#notePattern(rest);
        return this.#readOption(`-${letter}`, rest === "" ? undefined : rest, next);
      }
      this.#readOption(`-${letter}`, undefined, undefined);
      if (this.unknown !== undefined) return false;
    }
    return false;
  }

  /** Adds a note where a pattern was found in the middle of an argument. */
  #notePattern(pattern: string): void {
    const argument = this.#argument;
    if (pattern === "" || argument.startsWith("-e")) return;
    const values = { argument, before: argument.slice(0, -pattern.length - 1), pattern };
    this.#parsed.settings.notes.push({ reason: "joined_pattern", values });
  }

  /** Reads one option; returns whether it took the argument after its own as its value. */
  #readOption(given: string, attached: string | undefined, next: string | undefined): boolean {
    const { option, on } = lookUp(this.#table, given);
    if (option === undefined) {
      this.unknown ??= { given, argument: this.#argument };
    } else if ("instead" in option) {
      this.#fail(`option ${given} is not supported: ${option.instead}`);
    } else if ("set" in option) {
      if (attached === undefined) option.set(this.#parsed.settings, on);
      else this.#fail(`option ${given} takes no value, got ${JSON.stringify(attached)}`);
    } else {
      return this.#readValue(given, option.value, attached, next);
    }
    return false;
  }

  #readValue(
    given: string,
    value: OptionValue,
    attached: string | undefined,
    next: string | undefined,
  ): boolean {
    if (attached === undefined && value.optional && !value.choices?.includes(next ?? "")) {
      return false;
    }
    const { alone } = value;
    const text = attached ?? alone ?? next;
    if (text === undefined) {
      this.#fail(`option ${given} needs a value: ${value.accepts}`);
    } else if (!value.take(this.#parsed.settings, text)) {
      this.#fail(`option ${given} got ${JSON.stringify(text)}; expected ${value.accepts}`);
    }
    return attached === undefined && alone === undefined;
  }

  #fail(detail: string): void {
    this.#parsed.error ??= new PathgrepError("invalid_input", detail);
  }
}

/** The opposite of a refused option, which pathgrep does anyway. */
const AS_EVER = flag("--as-ever", () => {});

/** Finds an option under its spelling; `--no-NAME` undoes the flag NAME, NAME the flag `no-NAME`. */
function lookUp(
  table: ReadonlyMap<string, Option>,
  given: string,
): { option: Option | undefined; on: boolean } {
  const option = table.get(given);
  if (option !== undefined || !given.startsWith("--")) return { option, on: true };
  const opposite = given.startsWith("--no-") ? `--${given.slice(5)}` : `--no-${given.slice(2)}`;
  const undone = table.get(opposite);
  if (undone !== undefined && "instead" in undone && undone.isGuess !== true) {
    return { option: AS_EVER, on: true };
  }
  return { option: undone !== undefined && "set" in undone ? undone : undefined, on: false };
}
