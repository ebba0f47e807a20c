/**
 * Reads a command line.
 *
 * It is a loop of our own because `parseArgs` of `node:util` adds a third to the time that the
 * program takes to start, and leaves all that is particular here (values, names, errors) to do.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import type { Command } from "../commands/command.ts";
import { COMMANDS, SEARCH } from "../commands/command_table.ts";
import type { Flag, Option, OptionValue } from "./option.ts";
import { spellings } from "../spellings.ts";
import { defaultSettings, type Settings } from "../settings.ts";

/** A command line, read and checked. */
export interface ParsedArguments {
  command: Command;
  settings: Settings;
  /** Arguments that are not options, in order. */
  operands: string[];
  /** The first thing wrong; the rest was read all the same, so that its `--format` is known. */
  error?: PathgrepError;
}

/**
 * Reads the arguments. A first argument that names a command is that command.
 *
 * @param args the arguments after the program's name
 */
export async function parseArguments(args: readonly string[]): Promise<ParsedArguments> {
  const named = COMMANDS.find(({ name }) => name === args[0]);
  const command = named ?? SEARCH;
  const parsed: ParsedArguments = { command, settings: defaultSettings(), operands: [] };
  const unknown = readArguments(named ? args.slice(1) : args, parsed);
  if (unknown !== undefined && parsed.error === undefined) {
    const { unknownOption } = await import("./unknown_option.ts");
    parsed.error = unknownOption(unknown, command);
  }
  const [first] = parsed.operands;
  const isPattern = named === undefined && parsed.settings.query.pattern.length === 0;
  if (isPattern && !args.includes("--") && COMMANDS.some(({ name }) => name === first)) {
    parsed.settings.notes.push(
      `"${first}" was read as the pattern: the command ${first} must be the first argument`,
    );
  }
  return parsed;
}

/** Fills in what the arguments say; returns the first option that the command does not have. */
function readArguments(args: readonly string[], parsed: ParsedArguments): string | undefined {
  const { settings, operands } = parsed;
  const table = spellings(parsed.command);
  let unknown: string | undefined;

  /** Reads one option; says whether it took the argument after its own as its value. */
  function readOption(given: string, attached: string | undefined, next: string | undefined) {
    const { option, on } = lookUp(table, given);
    if (option === undefined) {
      unknown ??= given;
    } else if ("instead" in option) {
      fail(`option ${given} is not supported: ${option.instead}`);
    } else if ("set" in option) {
      if (attached === undefined) option.set(settings, on);
      else fail(`option ${given} takes no value, got ${JSON.stringify(attached)}`);
    } else {
      return readValue(given, option.value, attached, next);
    }
    return false;
  }

  function readValue(
    given: string,
    value: OptionValue,
    attached: string | undefined,
    next: string | undefined,
  ): boolean {
    if (attached === undefined && value.optional && !value.choices?.includes(next ?? "")) {
      return false;
    }
    const text = attached ?? next;
    if (text === undefined) {
      fail(`option ${given} needs a value: ${value.accepts}`);
    } else if (!value.take(settings, text)) {
      fail(`option ${given} got ${JSON.stringify(text)}; accepted is ${value.accepts}`);
    }
    return attached === undefined;
  }

  function fail(detail: string): void {
    parsed.error ??= new PathgrepError("invalid_input", detail);
  }

  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const next = args[index + 1];
    if (argument === "--") {
      operands.push(...args.slice(index + 1));
      break;
    } else if (argument.startsWith("--")) {
      const equals = argument.indexOf("=");
      const name = equals < 0 ? argument : argument.slice(0, equals);
      if (readOption(name, equals < 0 ? undefined : argument.slice(equals + 1), next)) index++;
    } else if (argument.startsWith("-") && argument !== "-") {
      if (readLetters(argument, next)) index++;
    } else {
      operands.push(argument);
    }
  }
  return unknown;

  /** Reads joined letters, the last of which may have its value attached: `-iC2`, `-5`. */
  function readLetters(argument: string, next: string | undefined): boolean {
    for (let rest = argument.slice(1); rest !== "";) {
      const digits = /^[1-9]\d*/.exec(rest)?.[0];
      if (digits !== undefined) {
        // grep's `-5` is `-C5`.
        readOption("-C", digits, undefined);
        rest = rest.slice(digits.length);
        continue;
      }
      const letter = String.fromCodePoint(rest.codePointAt(0)!);
      rest = rest.slice(letter.length);
      const { option } = lookUp(table, `-${letter}`);
      if (option !== undefined && "value" in option) {
        // ripgrep drops the `=` of `-C=2`; a pattern may well begin with one.
        if (letter !== "e") rest = rest.replace(/^=/, "");
        return readOption(`-${letter}`, rest === "" ? undefined : rest, next);
      }
      readOption(`-${letter}`, undefined, undefined);
      if (unknown !== undefined) return false;
    }
    return false;
  }
}

/** Finds an option under its spelling; `--no-NAME` undoes the flag NAME, NAME the flag `no-NAME`. */
function lookUp(
  table: ReadonlyMap<string, Option>,
  given: string,
): { option: Option | undefined; on: boolean } {
  const option = table.get(given);
  if (option !== undefined || !given.startsWith("--")) return { option, on: true };
  const opposite = given.startsWith("--no-") ? `--${given.slice(5)}` : `--no-${given.slice(2)}`;
  const undone = table.get(opposite);
  return { option: isFlag(undone) ? undone : undefined, on: false };
}

function isFlag(option: Option | undefined): option is Flag {
  return option !== undefined && "set" in option;
}
