/**
 * Checks a tool's input: a closed object, nothing coerced, and errors that say all that is wrong.
 *
 * @module
 */

import type { BaseIssue, BaseSchema } from "valibot";
import { PathgrepError, shown } from "../util/errors.ts";
import { type Field, type Fields, mapFields, requiredKeys, type ValuesOf } from "./fields.ts";
import { adviceOnKey, valueFor } from "./foreign.ts";
import { didYouMean, nearest } from "../util/closest.ts";

/** Loaded with the first call: not every program that imports a tool calls it. */
type Valibot = typeof import("valibot");
type Schema = BaseSchema<unknown, unknown, BaseIssue<unknown>>;

/** More than this helps nobody. */
const MAX_PROBLEMS = 8;

const schemas = new WeakMap<Fields, Schema>();

/**
 * The values of an input; keys that are absent, `null` or, where that is allowed, blank are left out.
 *
 * @throws {PathgrepError} `invalid_input`, naming each key, what came and what is accepted
 */
export async function readInput<F extends Fields>(
  tool: string,
  fields: F,
  input: unknown,
): Promise<ValuesOf<F>> {
  const valibot = await import("valibot");
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid(
      `the input must be an object, got ${shown(input)}${shape(input, fields)}`,
      fields,
    );
  }
  let schema = schemas.get(fields);
  if (schema === undefined) schemas.set(fields, schema = inputChecker(valibot, fields));
  const result = valibot.safeParse(schema, input);
  if (!result.success) throw problems(tool, fields, input, result.issues);
  const values = Object.entries(result.output as Record<string, unknown>)
    .filter(([key, value]) =>
      value !== null && value !== undefined && !isBlank(fields[key]!, value)
    );
  return Object.fromEntries(values) as ValuesOf<F>;
}

/** What to send instead of an input that is no object. */
function shape(input: unknown, fields: Fields): string {
  if (Array.isArray(input)) return " (send one object per call)";
  if (typeof input !== "string" || input.trim() === "") return "";
  const isJson = /^\s*[{[]/u.test(input);
  return isJson
    ? " (send the object itself, not its JSON text)"
    : ` (send ${shown({ [requiredKeys(fields)[0]!]: input })})`;
}

function inputChecker(v: Valibot, fields: Fields): Schema {
  const entries = mapFields(fields, (field): Schema => {
    const schema = fieldChecker(v, field);
    return field.required ? schema : v.nullish(schema);
  });
  // Without a prototype, or `toString` would count as a known key.
  return v.strictObject(Object.assign(Object.create(null) as typeof entries, entries));
}

function fieldChecker(v: Valibot, field: Field): Schema {
  switch (field.type) {
    case "boolean":
      return v.boolean();
    case "integer":
      return v.pipe(v.number(), v.safeInteger(), v.minValue(field.minimum));
    case "string":
      if ("choices" in field) return v.picklist(field.choices);
      return field.notEmpty ? v.pipe(v.string(), v.nonEmpty()) : v.string();
  }
}

function isBlank(field: Field, value: unknown): boolean {
  return "blankIsAbsent" in field && typeof value === "string" && value.trim() === "";
}

/** One error for all that is wrong. */
function problems(
  tool: string,
  fields: Fields,
  input: object,
  issues: readonly BaseIssue<unknown>[],
): PathgrepError {
  const values = new Map(Object.entries(input));
  const unknown = [...values.keys()].filter((key) => !Object.hasOwn(fields, key));
  const wrong = issues.map((issue) => issue.path?.[0]?.key as string)
    .filter((key) => Object.hasOwn(fields, key));
  const bad = [...unknown, ...new Set(wrong)];
  const sentences = bad.slice(0, MAX_PROBLEMS).map((key) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field === undefined
      ? unknownKey(tool, key, values.get(key), Object.keys(fields))
      : wrongValue(tool, key, field, values.get(key));
  });
  const detail = sentences.join("; ") + (bad.length > MAX_PROBLEMS ? "; and more" : "");
  return unknown.length > 0 ? invalid(detail, fields) : new PathgrepError("invalid_input", detail);
}

function unknownKey(tool: string, key: string, value: unknown, keys: readonly string[]): string {
  const advice = adviceOnKey(tool, key, value, keys);
  const sent = advice === undefined ? didYouMean(key, keys) : ` (${advice})`;
  return `unknown key ${shown(key)} with the value ${shown(value)}${sent}`;
}

function wrongValue(tool: string, key: string, field: Field, value: unknown): string {
  if (value === undefined || (value === null && field.required)) {
    return `${key} is missing; it must be ${accepted(field)}`;
  }
  if (value === "" && "notEmpty" in field) return `${key} is empty; it must be ${accepted(field)}`;
  return `${key} must be ${accepted(field)}, got ${shown(value)}${advice(tool, key, field, value)}`;
}

/** What to send instead, where it can be told. */
function advice(tool: string, key: string, field: Field, value: unknown): string {
  if ("choices" in field) return adviceOnChoice(key, field.choices, value);
  if (field.type === "string") return Array.isArray(value) ? joined(tool, key, value) : "";
  const sent = field.type === "integer" ? wholeNumber(value, field.minimum) : truth(value);
  if (sent !== undefined) {
    return ` (send ${sent}${typeof value === "string" ? " without quotes" : ""})`;
  }
  return "";
}

function adviceOnChoice(key: string, choices: readonly string[], value: unknown): string {
  if (typeof value === "string") {
    const ours = valueFor(key, value, choices) ?? nearest(value, choices);
    if (ours !== undefined) return ` (use ${ours})`;
  }
  // `paths` of others is a list of paths.
  const isPath = Array.isArray(value) || (typeof value === "string" && value !== "");
  return key === "paths" && isPath ? " (a directory or a file goes into path)" : "";
}

/** How the keys that take several values in one text separate them. */
const SEPARATORS: Readonly<Record<string, string>> = {
  "grep.pattern": "|",
  "grep.include": ",",
  "grep.exclude": ",",
  "glob.pattern": ",",
};

function joined(tool: string, key: string, values: readonly unknown[]): string {
  if (values.length === 0) return "";
  if (!values.every((value) => typeof value === "string" && value.trim() !== "")) return "";
  const separator = values.length === 1 ? "" : SEPARATORS[`${tool}.${key}`];
  return separator === undefined
    ? " (send one of them per call)"
    : ` (send ${shown(values.join(separator))})`;
}

/** The whole number that a text stands for. */
function wholeNumber(value: unknown, minimum: number): string | undefined {
  const digits = typeof value === "string" ? /^\s*(\d+)(?:\.0*)?\s*$/u.exec(value)?.[1] : undefined;
  return digits !== undefined && Number(digits) >= minimum ? digits : undefined;
}

/** What a word or a number says of a flag. */
function truth(value: unknown): boolean | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const word = String(value).trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}

/** What a field accepts, in words. */
function accepted(field: Field): string {
  if ("choices" in field) return `one of ${field.choices.join(", ")}`;
  if (field.type === "integer") return `a whole number from ${field.minimum}`;
  if (field.type === "boolean") return "true or false";
  return "notEmpty" in field ? "a string that is not empty" : "a string";
}

/** An error that lists the keys. */
function invalid(detail: string, fields: Fields): PathgrepError {
  const required = requiredKeys(fields);
  const optional = Object.keys(fields).filter((key) => !required.includes(key));
  return new PathgrepError("invalid_input", detail, {
    hint: `required: ${required.join(", ")}; optional: ${optional.join(", ")}`,
  });
}
