/**
 * The fields of `grep` and `glob` that are options of the query, made from the table of these, and
 * the query that their values ask for. The wire has snake_case, the library camelCase; they meet here.
 *
 * @module
 */

import { isOnByDefault, moreKey, wireKey } from "../search/callers.ts";
import type { SearchQuery } from "../query/query.ts";
import {
  QUERY_KEYS,
  QUERY_OPTIONS,
  type QueryKey,
  type QueryOption,
  type ToolName,
} from "../query/query_options.ts";
import type {
  ChoiceField,
  Field,
  FlagField,
  MoreField,
  TextField,
  ValuesOf,
  WholeField,
} from "./tool_definition.ts";

type Table = typeof QUERY_OPTIONS;

type SnakeCase<Key extends string> = Key extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : "";

/** The key on the wire of an option; one that is on unless turned off is turned off there. */
type WireKey<Key extends QueryKey> = Table[Key] extends
  { tool: { name: infer Name extends string } } ? Name
  : Table[Key] extends { default: true } ? `no_${SnakeCase<Key>}`
  : SnakeCase<Key>;

type FieldOf<Option> =
  & (Option extends { kind: "boolean" } ? FlagField
    : Option extends { kind: "choice"; choices: infer Choices } ? ChoiceField & { choices: Choices }
    : Option extends { tool: { maxItems: number } } ? TextField & { maxItems: number }
    : Option extends { kind: "strings" | "label" } ? TextField
    : WholeField)
  & (Option extends { tool: { required: true } } ? { required: true } : unknown);

type KeyOf<Tool extends ToolName> = {
  [Key in QueryKey]: Table[Key] extends { tool: { of: readonly (infer Name)[] } }
    ? Tool extends Name ? Key : never
    : never;
}[QueryKey];

export type QueryFields<Tool extends ToolName> = {
  readonly [Key in KeyOf<Tool> as WireKey<Key>]: FieldOf<Table[Key]>;
};

export function queryFields<Tool extends ToolName>(tool: Tool): QueryFields<Tool> {
  const fields = toolKeys(tool).flatMap((key): [key: string, field: Field][] => {
    const option: QueryOption = QUERY_OPTIONS[key];
    const { more, maxItems } = option.tool!;
    const first: [string, Field] = [wireKey(key), fieldOf(option)];
    if (maxItems === undefined) return [first];
    const description = more?.of.includes(tool) ? more.description : undefined;
    return [first, [moreKey(first[0]), moreField(first[0], maxItems, description)]];
  });
  return Object.fromEntries(fields) as QueryFields<Tool>;
}

/** A field for further texts of a key, which has so many in all; without a description, no schema has it. */
export function moreField(continues: string, maxItems: number, description?: string): MoreField {
  return {
    type: "array",
    continues,
    maxItems: maxItems - 1,
    ...(description === undefined ? { description: "", unlisted: true } : { description }),
  };
}

/**
 * The query that a tool's input asks for. With `max_results` or `offset` a longer answer is cut to that
 * page, without either it is an error.
 */
export function queryOf<Tool extends ToolName>(
  tool: Tool,
  values: ValuesOf<QueryFields<Tool>>,
): Pick<SearchQuery, KeyOf<Tool> | "onOverflow"> {
  const given = values as Partial<Record<string, unknown>>;
  const isPaged = given["max_results"] !== undefined; // an offset says so by itself
  const query: Partial<Record<QueryKey, unknown>> = { onOverflow: isPaged ? "truncate" : "error" };
  for (const key of toolKeys(tool)) {
    const { tool }: QueryOption = QUERY_OPTIONS[key];
    const value = given[wireKey(key)] ?? tool!.default;
    query[key] = isOnByDefault(key) && value !== undefined ? !value : value;
  }
  return query as Pick<SearchQuery, KeyOf<Tool> | "onOverflow">;
}

/** The names of a tool's keys on the command line, in snake_case; a letter keeps its dash. */
export function flagsOf(tool: string): Map<string, string[]> {
  const flags = new Map<string, string[]>();
  for (const key of toolKeys(tool as ToolName)) {
    const { flag, tool }: QueryOption = QUERY_OPTIONS[key];
    if (flag === undefined) continue;
    const { name, short, aliases = [] } = flag;
    // A key has another name where the flag's says something else in a tool.
    const names = tool!.name === undefined ? [name, ...aliases] : [];
    const long = names.filter((name) => !/^-[^-]/.test(name));
    flags.set(wireKey(key), [
      ...short === undefined ? [] : [`-${short}`],
      ...long.map((name) => name.replace(/^--/, "").replaceAll("-", "_")),
    ]);
  }
  return flags;
}

function toolKeys(tool: ToolName): QueryKey[] {
  return QUERY_KEYS.filter((key) => (QUERY_OPTIONS[key] as QueryOption).tool?.of.includes(tool));
}

function fieldOf(option: QueryOption): Field {
  const { of: _, name: _name, more: _more, default: _default, ...field } = option
    .tool!;
  switch (option.kind) {
    case "strings":
    case "label":
      return { type: "string", ...field };
    case "boolean":
      return { type: "boolean", ...field };
    case "whole":
    case "bytes":
      return { type: "integer", minimum: option.min, ...field };
    case "choice":
      return { type: "string", choices: option.choices, ...field };
  }
}
