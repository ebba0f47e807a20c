/**
 * What an option is: its names, its value and what it sets. Parsing, help, completions and error
 * messages are all made from this description.
 *
 * @module
 */
import type { Settings } from "./settings.ts";

export interface OptionValue {
  /** What the value is called in help, such as `GLOB`. */
  readonly name: string;
  /** What is accepted, for error messages. */
  readonly accepts: string;
  /** The accepted values, where they can be listed. */
  readonly choices?: readonly string[];
  /** The value may be omitted: as a separate argument, only one of the choices counts as one. */
  readonly optional?: true;
  /** What stands for an omitted value; then only an attached one counts: `--name=value`. */
  readonly alone?: string;
  /** Checks the text and sets what it stands for; `false` when it is not accepted. */
  take(settings: Settings, text: string): boolean;
}

interface OptionNames {
  /** The long name, without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Further spellings, with their dashes. */
  readonly aliases?: readonly string[];
}

/** An option without a value; `--no-NAME` undoes it. */
export interface Flag extends OptionNames {
  readonly help: string;
  set(settings: Settings, on: boolean): void;
}

export interface ValueOption extends OptionNames {
  readonly help: string;
  readonly value: OptionValue;
}

/** A spelling from ripgrep or grep that means something pathgrep does not do. */
export interface RefusedOption extends OptionNames {
  /** What to use instead, in a sentence. */
  readonly instead: string;
  /** Whether no program has it: then the opposite is refused, too. */
  readonly isGuess?: true;
}

export type Option = Flag | ValueOption | RefusedOption;

/** Options that belong together, under one title in the help text. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
  /** Accepted, but absent from help and completions. */
  readonly unlisted?: true;
}

/** Options by each of their spellings, with its dashes. */
export function optionsBySpelling(groups: readonly OptionGroup[]): Map<string, Option> {
  const table = new Map<string, Option>();
  for (const { options } of groups) {
    for (const option of options) {
      table.set(`--${option.name}`, option);
      if (option.short !== undefined) table.set(`-${option.short}`, option);
      for (const alias of option.aliases ?? []) table.set(alias, option);
    }
  }
  return table;
}

/** Any text but the empty one. */
export function text(name: string, set: (settings: Settings, value: string) => void): OptionValue {
  return {
    name,
    accepts: `a non-empty ${name}`,
    take(settings, value) {
      if (value.trim() === "") return false;
      set(settings, value);
      return true;
    },
  };
}

/** A value that counts as not given where it is blank. */
export function orNothing(value: OptionValue): OptionValue {
  const take: OptionValue["take"] = (settings, text) =>
    text.trim() === "" || value.take(settings, text);
  return { ...value, take };
}

export function whole(
  name: string,
  least: number,
  set: (settings: Settings, value: number) => void,
): OptionValue {
  return {
    name,
    accepts: `a whole number from ${least}`,
    take(settings, value) {
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      if (!(number >= least && Number.isSafeInteger(number))) return false;
      set(settings, number);
      return true;
    },
  };
}

/** Names of units of time, each with its milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, msec: 1, millisecond: 1, milliseconds: 1 },
  ...{ s: 1000, sec: 1000, secs: 1000, second: 1000, seconds: 1000 },
  ...{ min: 60_000, mins: 60_000, minute: 60_000, minutes: 60_000, m: 60_000 },
  ...{ h: 3_600_000, hour: 3_600_000, hours: 3_600_000 },
};

/**
 * The milliseconds of a time with its unit, as in `5s`, `500ms` and `1.5min`; nothing without a unit.
 */
export function timeWithUnit(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?|\.\d+)\s?([a-z]+)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  return factor === undefined ? undefined : Math.round(Number(number) * factor * 1000) / 1000;
}

/** A time in milliseconds, or with another unit. */
export function milliseconds(
  name: string,
  set: (settings: Settings, value: number) => void,
): OptionValue {
  const plain = whole(name, 0, set);
  return {
    name,
    accepts: plain.accepts,
    take: (settings, text) =>
      plain.take(settings, text) || plain.take(settings, String(timeWithUnit(text))),
  };
}

export function size(name: string, set: (settings: Settings, value: number) => void): OptionValue {
  const units: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
  return {
    name,
    accepts: "a whole number of bytes, also with K, M or G",
    take(settings, value) {
      const [, digits = "", unit = ""] = /^(\d+)([KMG]?)(?:iB)?$/i.exec(value) ?? [];
      const number = digits === "" ? NaN : Number(digits) * units[unit.toUpperCase()]!;
      if (!Number.isSafeInteger(number)) return false;
      set(settings, number);
      return true;
    },
  };
}

export function choice<Word extends string>(
  name: string,
  choices: readonly Word[],
  set: (settings: Settings, value: Word) => void,
): OptionValue {
  return {
    name,
    accepts: `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`,
    choices,
    take(settings, value) {
      const word = choices.find((word) => word === value);
      if (word === undefined) return false;
      set(settings, word);
      return true;
    },
  };
}
