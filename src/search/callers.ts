/**
 * The names of options for each kind of caller: flags at the shell, keys in tools and in the library.
 *
 * @module
 */

import {
  QUERY_OPTIONS,
  type QueryKey,
  type QueryOption,
  type ToolName,
} from "../query/query_options.ts";
import type { Change } from "../query/query.ts";
import type { Voice } from "../notes/table.ts";
import { shellWord } from "../util/text.ts";

/** The programs whose searches are explained. */
export type BesideCaller = "rg" | "GNU grep" | "git grep" | "ugrep";

/** Who reads an answer: the command line, a tool's caller, a program, or the user of another one. */
export type Caller = "shell" | ToolName | "library" | BesideCaller;

/** How the command line of another program names filters. */
type FiltersSaid = Readonly<Partial<Record<QueryKey, string>>>;

/** The names of another program's options and operands. */
const BESIDE_OPTIONS: Readonly<Record<BesideCaller, Partial<Record<QueryKey, string>>>> = {
  rg: {
    pattern: "the pattern",
    path: "the path",
    caseInsensitive: "-i",
    hidden: "--hidden",
    ignore: "--no-ignore",
    text: "-a",
    follow: "--follow",
    encoding: "-E",
    maxDepth: "--max-depth",
    maxFileSize: "--max-filesize",
    include: "-g",
    type: "-t",
    typeNot: "-T",
  },
  "GNU grep": {
    pattern: "the pattern",
    path: "the path",
    caseInsensitive: "-i",
    text: "-a",
    follow: "-R",
    include: "--include",
    exclude: "--exclude",
  },
  "git grep": {
    pattern: "the pattern",
    path: "the path",
    caseInsensitive: "-i",
    ignore: "--no-exclude-standard",
    text: "-a",
  },
  ugrep: {
    pattern: "the pattern",
    path: "the path",
    caseInsensitive: "-i",
    hidden: "--hidden",
    ignore: "--no-ignore-files",
    text: "-a",
    follow: "-R",
    include: "--include",
    exclude: "--exclude",
  },
};

/** Whether an answer is about the search of another program. */
function isBeside(caller: Caller): caller is BesideCaller {
  return Object.hasOwn(BESIDE_OPTIONS, caller);
}

/** Whether the pattern and glob of a change mean the same to another program. */
function canBeWritten({ pattern, include }: Change, caller: BesideCaller): boolean {
  const isPlain = [pattern ?? []].flat().every((text) => /^\w[\w-]*$/.test(String(text)));
  const isName = include === undefined || caller === "rg" || /^[^{}/[\],]*$/.test(String(include));
  return isPlain && isName;
}

/** Options that are added to a command line, where others are omitted. */
const ADDED: readonly QueryKey[] = ["caseInsensitive", "hidden", "ignore", "text", "follow"];

/** How to change the command line of another program. */
function besideAdvice(change: Change, caller: BesideCaller, said: FiltersSaid = {}): string {
  return changedKeys(change).map((key) => {
    const [name, value] = [optionName(key, caller)!, change[key]];
    const texts = [value].flat().map((text) => shellWord(String(text)));
    if (ADDED.includes(key)) return `add ${name}`;
    if (key === "pattern") return `search for ${texts.join(" or ")}`;
    if (key === "path") return value === undefined ? "omit the path" : `search ${texts[0]}`;
    if (key === "encoding") return `add ${name} ${texts[0]}`;
    if (value === undefined || key === "maxFileSize") return `omit ${optionsIn(said[key]) || name}`;
    return `use ${name} ${texts[0]}`;
  }).join(" and ");
}

/** The names of the options in a part of a command line. */
function optionsIn(said = ""): string {
  const names = said.replace(/'[^']*'/g, "").match(/(?<![^ ])--?[\w-]+/g);
  return [...new Set(names)].join(" and ");
}

/** The key on the wire of an option; one that is on unless turned off is turned off there. */
export function wireKey(key: QueryKey): string {
  const { tool }: QueryOption = QUERY_OPTIONS[key];
  if (tool?.name !== undefined) return tool.name;
  const snakeCase = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return isOnByDefault(key) ? `no_${snakeCase}` : snakeCase;
}

/** The key on the wire for further texts of a key. */
export function moreKey(wireKey: string): string {
  return `more_${wireKey}s`;
}

export function isOnByDefault(key: QueryKey): boolean {
  const option: QueryOption = QUERY_OPTIONS[key];
  return option.kind === "boolean" && option.default;
}

/** The caller's name of an option, if there is one. */
function optionName(key: QueryKey, caller: Caller): string | undefined {
  const { flag, tool }: QueryOption = QUERY_OPTIONS[key];
  if (isBeside(caller)) return BESIDE_OPTIONS[caller][key];
  switch (caller) {
    case "library":
      return key;
    case "shell":
      if (isOperand(key)) return key.toUpperCase();
      return flag && `--${flag.name}`;
    default:
      // What `glob` searches for is a glob of files.
      if (caller === "glob" && key === "include") return "pattern";
      return tool?.of.includes(caller) ? wireKey(key) : undefined;
  }
}

/** Whether a caller has each option of a change, and its values are read literally. */
function canSend(change: Change, caller: Caller): boolean {
  // A blank path is no path.
  if (typeof change.path === "string" && change.path.trim() === "") return false;
  const isWritable = !isBeside(caller) || canBeWritten(change, caller);
  return isWritable && changedKeys(change).every((key) => optionName(key, caller) !== undefined);
}

/** Tells a caller to make a change: `send …` (`use …` at the shell, `pass …` in the library), `omit …`, or both. */
function changeAdvice(change: Change, caller: Caller, said?: FiltersSaid): string {
  if (isBeside(caller)) return besideAdvice(change, caller, said);
  const { left = [], sent } = Object.groupBy(
    changedKeys(change),
    (key) => change[key] === undefined ? "left" : "sent",
  );
  const names = left.map((key) => optionName(key, caller));
  const verb = caller === "library" ? "pass" : "send";
  return [
    ...(left.length === 0 ? [] : [`omit ${names.join(" and ")}`]),
    ...(sent === undefined
      ? []
      : caller === "shell"
      ? [`use ${sent.map((key) => atShell(key, change[key])).join(" and ")}`]
      : [`${verb} ${JSON.stringify(Object.fromEntries(valuesSent(sent, change, caller)))}`]),
  ].join(" and ");
}

/**
 * How notes speak to a caller.
 *
 * @param said how the command line of another program names its filters
 */
export function voiceOf(caller: Caller, said?: FiltersSaid): Voice {
  const kind = caller === "shell" ? "" : caller === "library" ? "the option " : "the key ";
  return {
    kind,
    nameOf: (key) => optionName(key as QueryKey, caller),
    advice: (...changes) =>
      changes.filter((change) => canSend(change, caller))
        .map((change) => changeAdvice(change, caller, said)).join(", or "),
    canSend: (change) => canSend(change, caller),
    sent: (change) => sentAs(change, caller),
    adds: caller === "shell",
    paging: optionName("maxResults", caller) +
      (caller === "shell" ? " N --on-overflow truncate, then --offset N" : " and offset"),
    lister: caller === "shell" ? "`pathgrep files`" : "the glob tool",
    allowing: caller === "shell" ? " with --allow" : "",
    filter: (key, globs) => {
      if (isBeside(caller)) return said?.[key as QueryKey] ?? key;
      const name = optionName(key as QueryKey, caller) ?? key;
      return caller === "shell"
        ? globs.map((glob) => `${name} ${shellWord(glob)}`).join(" ")
        : `${name} ${globs.map((glob) => JSON.stringify(glob)).join(", ")}`;
    },
  };
}

/** A change as data: keys and values or, at the shell, its options. */
function sentAs(change: Change, caller: Caller): Record<string, unknown> | string {
  const keys = changedKeys(change);
  return caller === "shell"
    ? keys.map((key) => optionFor(key, change[key])).join(" ")
    : Object.fromEntries(valuesSent(keys, change, caller));
}

/** How an option is written on a command line that may have it otherwise. */
function optionFor(key: QueryKey, value: unknown): string {
  if (key === "path") return [value].flat().map((path) => shellWord(String(path))).join(" ");
  if (key === "pattern") {
    return [value].flat().map((one) => `-e ${shellWord(String(one))}`).join(" ");
  }
  const name = optionName(key, "shell")!;
  if (value === undefined) return toggled(name);
  if (typeof value !== "boolean") return `${name} ${shellWord(String(value))}`;
  const { kind, default: usual }: QueryOption & { default?: unknown } = QUERY_OPTIONS[key];
  return kind === "boolean" && value === usual ? toggled(name) : name;
}

function toggled(name: string): string {
  return name.startsWith("--no-") ? `--${name.slice("--no-".length)}` : `--no-${name.slice(2)}`;
}

function valuesSent(
  keys: readonly QueryKey[],
  change: Change,
  caller: Caller,
): (readonly [string, unknown])[] {
  return keys.flatMap((key) => {
    const name = optionName(key, caller)!;
    const value = caller === "library"
      ? change[key]
      : isOnByDefault(key)
      ? !change[key]
      : change[key] ?? null; // which tools read as absent
    const { tool }: QueryOption = QUERY_OPTIONS[key];
    if (!Array.isArray(value) || !tool?.more?.of.some((name) => name === caller)) {
      return [[name, value]];
    }
    const [first, ...more] = value;
    return [[name, first], ...(more.length === 0 ? [] : [[moreKey(name), more] as const])];
  });
}

/** Whether the command line has no option for it. */
function isOperand(key: QueryKey): boolean {
  return key === "pattern" || key === "path";
}

function atShell(key: QueryKey, value: unknown): string {
  const name = optionName(key, "shell")!;
  if (Array.isArray(value)) return value.map((one) => `-e ${shellWord(one)}`).join(" ");
  if (isOperand(key)) return `${shellWord(String(value))} as ${name}`;
  return typeof value === "boolean" ? name : `${name} ${shellWord(String(value))}`;
}

function changedKeys(change: Change): QueryKey[] {
  return Object.keys(change) as QueryKey[];
}
