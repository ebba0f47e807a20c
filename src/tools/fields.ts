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

export interface TextField extends FieldBase {
  readonly type: "string";
  /** Whether the empty text is refused. @default false */
  readonly notEmpty?: true;
  /** Whether blank text counts as absent. @default false */
  readonly blankIsAbsent?: true;
}

export interface ListField extends TextField {
  /** Items of the list, at most; it has one at least. */
  readonly maxItems: number;
}

export interface ChoiceField extends FieldBase {
  readonly type: "string";
  readonly choices: readonly string[];
}

export interface WholeField extends FieldBase {
  readonly type: "integer";
  readonly minimum: number;
  /** @default no limit */
  readonly maximum?: number;
  /** What holds when it is not given, where the schema says so. */
  readonly default?: number;
}

export interface FlagField extends FieldBase {
  readonly type: "boolean";
}

export type Field = TextField | ListField | ChoiceField | WholeField | FlagField;

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { choices: readonly (infer Choice)[] } ? Choice
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

/** The JSON schema of an object that has no other properties. */
export function closedObject(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

export function fieldSchema(field: Field): JsonSchema {
  const { type, description } = field;
  if ("choices" in field) return { type, enum: [...field.choices], description };
  if ("minimum" in field) {
    const { minimum, maximum, default: value } = field;
    return {
      type,
      minimum,
      ...(maximum === undefined ? {} : { maximum }),
      ...(value === undefined ? {} : { default: value }),
      description,
    };
  }
  const text = "notEmpty" in field ? { type, minLength: 1 } : { type };
  if (!("maxItems" in field)) return { ...text, description };
  const { maxItems } = field;
  return { ...text, type: [type, "array"], items: text, minItems: 1, maxItems, description };
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
      return value.length > 0 && value.length <= field.maxItems &&
        value.every((item) => fitsText(field, item));
  }
}

/** Whether a field accepts a value as its text, or as an item of its list. */
export function fitsText(field: TextField | ChoiceField, value: unknown): boolean {
  if (typeof value !== "string") return false;
  return "choices" in field ? field.choices.includes(value) : !field.notEmpty || value !== "";
}

export function requiredKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]!.required);
}

export function mapFields<T>(fields: Fields, make: (field: Field) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, make(field)]));
}
