/**
 * What options are called where an answer goes: flags at the shell, keys in tools and in the library.
 *
 * @module
 */

import { QUERY_OPTIONS, type QueryKey, type QueryOption, type ToolName } from "./query_options.ts";
import type { SearchQuery } from "./query.ts";
import { shellWord } from "../util/escape.ts";

/** Who reads an answer: the command line, a tool's caller, or a program. */
export type Caller = "shell" | ToolName | "library";

/** Changes to the options of a call; an option that is `undefined` is to be left out. */
export type Change = Partial<Record<QueryKey, SearchQuery[QueryKey]>>;

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

/** What a caller calls an option, if it has that. */
export function optionName(key: QueryKey, caller: Caller): string | undefined {
  const { flag, tool }: QueryOption = QUERY_OPTIONS[key];
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

/** Whether a caller has a name for each option of a change, and what it sends is read literally. */
export function canSend(change: Change, caller: Caller): boolean {
  // A blank path is no path.
  if (typeof change.path === "string" && change.path.trim() === "") return false;
  return changedKeys(change).every((key) => optionName(key, caller) !== undefined);
}

/** What a caller is to do for a change: `send …`, `leave out …`, or both. */
export function changeAdvice(change: Change, caller: Caller): string {
  const { left = [], sent } = Object.groupBy(
    changedKeys(change),
    (key) => change[key] === undefined ? "left" : "sent",
  );
  const names = left.map((key) => optionName(key, caller));
  return [
    ...(left.length === 0 ? [] : [`leave out ${names.join(" and ")}`]),
    ...(sent === undefined ? [] : [`send ${asSent(sent, change, caller)}`]),
  ].join(" and ");
}

function asSent(keys: readonly QueryKey[], change: Change, caller: Caller): string {
  if (caller === "shell") return keys.map((key) => atShell(key, change[key])).join(" and ");
  const values = keys.flatMap((key) => {
    const name = optionName(key, caller)!;
    const value = caller !== "library" && isOnByDefault(key) ? !change[key] : change[key];
    const { tool }: QueryOption = QUERY_OPTIONS[key];
    if (!Array.isArray(value) || !tool?.more?.of.some((name) => name === caller)) {
      return [[name, value]];
    }
    const [first, ...more] = value;
    return [[name, first], ...(more.length === 0 ? [] : [[moreKey(name), more]])];
  });
  return JSON.stringify(Object.fromEntries(values));
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
