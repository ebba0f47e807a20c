/**
 * A tool as data, apart from any workspace: its input as a table of fields, and the shapes of answers. Schemas
 * of every dialect, validation and error messages are made from it.
 *
 * @module
 */

import { NAMED_KINDS } from "../notes/table.ts";

export interface ToolDefinition<F extends Fields = Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: F;
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: JsonSchema;
}

interface FieldBase {
  /** For the model. */
  readonly description: string;
  readonly required?: true;
}

/** A text. Other accepted types are never published, since hosts want a single type. */
export interface TextField extends FieldBase {
  readonly type: "string";
  /** Whether the empty text is refused. @default false */
  readonly notEmpty?: true;
  /** Whether blank text counts as absent. @default false */
  readonly blankIsAbsent?: true;
  /** Items that a list in its place may have; it has one at least. @default none is read */
  readonly maxItems?: number;
}

/** Further texts for a text that may be a list. */
export interface MoreField extends FieldBase {
  readonly type: "array";
  /** The key of the first text. */
  readonly continues: string;
  readonly maxItems: number;
  /** Whether it is read, but in no schema. @default false */
  readonly unlisted?: true;
}

export interface ChoiceField extends FieldBase {
  readonly type: "string";
  readonly choices: readonly string[];
}

export interface WholeField extends FieldBase {
  readonly type: "integer";
  readonly minimum: number;
  /** Whether it is read, but in no schema. @default false */
  readonly unlisted?: true;
  /** @default no limit */
  readonly maximum?: number;
}

export interface FlagField extends FieldBase {
  readonly type: "boolean";
}

export type Field = TextField | MoreField | ChoiceField | WholeField | FlagField;

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { type: "array" } ? undefined // is part of another value
  : F extends { choices: readonly (infer Choice)[] } ? Choice
  : F extends { maxItems: number } ? string | readonly string[]
  : F extends { type: "string" } ? string
  : F extends { type: "integer" } ? number
  : boolean;

/** The checked values of fields; a key that is absent or `null` is not there. */
export type ValuesOf<F extends Fields> =
  & { [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]> }
  & { [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]> };

export type JsonSchema = { readonly [key: string]: unknown };

export function inputSchema(fields: Fields): JsonSchema {
  return closedObject(mapFields(fields, fieldSchema), requiredKeys(fields));
}

/** The keys that schemas have. */
export function listedKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => !("unlisted" in fields[key]!));
}

/** The JSON schema of an object that has no other properties. */
export function closedObject(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

export function fieldSchema(field: Field): JsonSchema {
  const { type, description } = field;
  if ("choices" in field) return { type, enum: [...field.choices], description };
  if ("minimum" in field) {
    const { minimum, maximum } = field;
    return { type, minimum, ...(maximum === undefined ? {} : { maximum }), description };
  }
  if (field.type === "array") {
    const { maxItems } = field;
    return { type, items: { type: "string", minLength: 1 }, maxItems, description };
  }
  return { type, ...("notEmpty" in field ? { minLength: 1 } : {}), description };
}

/** Whether a field accepts a value; `null` is an absent one. */
export function accepts(field: Field, value: unknown): boolean {
  if (value === undefined || value === null) return field.required !== true;
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value) && Number(value) >= field.minimum &&
        Number(value) <= (field.maximum ?? Infinity);
    case "string":
      if (!("maxItems" in field && Array.isArray(value))) return fitsText(field, value);
      return value.length > 0 && value.length <= field.maxItems! &&
        value.every((item) => fitsText(field, item));
    case "array":
      return Array.isArray(value) && value.length <= field.maxItems &&
        value.every((item) => fitsText(field, item));
  }
}

/** Whether a field accepts a value as its text, or as an item of its list. */
export function fitsText(field: TextField | MoreField | ChoiceField, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if ("choices" in field) return field.choices.includes(value);
  return value !== "" || (field.type === "string" && !field.notEmpty);
}

export function requiredKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]!.required);
}

/** Maps each field that is in schemas. */
export function mapFields<T>(fields: Fields, make: (field: Field) => T): Record<string, T> {
  return Object.fromEntries(listedKeys(fields).map((key) => [key, make(fields[key]!)]));
}

/** The types of an answer's keys. */
const TYPES = {
  text: { type: "string" },
  number: { type: "integer" },
  flag: { type: "boolean" },
  texts: { type: "array", items: { type: "string" } },
  numbers: { type: "array", items: { type: "integer" } },
} as const;

/** A part of an answer, from its keys and their types; `!` is after those that are always there. */
function answerShape(keys: string, others: JsonSchema = {}): JsonSchema {
  const rows = keys.split(" ").map((key) => key.split(":") as [string, keyof typeof TYPES]);
  const properties = rows.map(([key, type]) => {
    const name = key.replace("!", "");
    return [name, others[name] ?? TYPES[type]];
  });
  const required = rows.map(([key]) => key).filter((key) => key.endsWith("!"));
  return closedObject(
    Object.fromEntries(properties),
    required.map((key) => key.slice(0, -1)),
  );
}

const SENT =
  "pattern:text more_patterns:texts path:text more_paths:texts no_ignore:flag search_binary:flag " +
  "follow:flag encoding:text multiline:flag fixed_strings:flag everything:flag";
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const LEFT_OUT = answerShape(
  "ignored:texts ignored_more:number blocked:number blocked_rules:texts blocked_rules_more:number " +
    "binary:number archives:number archive_kinds:texts too_large:number not_utf8:number unreadable:number " +
    "vanished:number links:number worktrees:number names",
  { names: answerShape(NAMED_KINDS.map((kind) => `${kind}:texts`).join(" ")) },
);
const FRAME = "pattern!:text base_path!:text base_paths:texts";
const TAIL = "count!:number truncated:flag next_offset:number total total_files:number " +
  "total_at_least:number reduced:texts pattern_counts:numbers scope notes:texts";
const OF_TAIL = {
  total: { type: "integer", description: "The count without truncation." },
  scope: answerShape(
    "searched!:number matched!:number everything:flag left_out not_shown in_part:flag",
    {
      left_out: LEFT_OUT,
      not_shown: list(answerShape(
        "cause!:text matches!:number more:flag files!:number first!:text send!",
        { send: answerShape(SENT) },
      )),
    },
  ),
};

/** The answer of `grep`: one of four lists, by `output_mode`. */
export const SEARCH_OUTPUT: JsonSchema = answerShape(
  `${FRAME} output_mode! files:texts matches text counts values ${TAIL}`,
  {
    ...OF_TAIL,
    output_mode: { type: "string", enum: ["content", "file", "count", "values"] },
    matches: list(answerShape(
      "file!:text line_number!:number line!:text column:number before:texts after:texts " +
        "line_truncated:flag patterns:numbers enclosing encoding:text",
      { enclosing: list(answerShape("line_number!:number line!:text")) },
    )),
    text: { type: "string", description: "When concise, instead of a list." },
    counts: list(answerShape("file!:text count!:number patterns:numbers encoding:text")),
    values: list(answerShape("value!:text count!:number files!:number patterns:numbers")),
  },
);

/** The answer of `glob`: the shape of `grep` in file mode. */
export const LIST_OUTPUT: JsonSchema = answerShape(
  `${FRAME} output_mode! files!:texts directories:texts directories_more:number ${TAIL}`,
  { ...OF_TAIL, output_mode: { type: "string", enum: ["file"] } },
);
