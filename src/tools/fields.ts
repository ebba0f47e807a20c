/**
 * The input of a tool as a table of fields. Schemas of every dialect, validation and error messages
 * are made from it.
 *
 * @module
 */

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
