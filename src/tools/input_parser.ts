/**
 * Reads and validates a tool's input: a closed object, and errors that name all problems.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import {
  accepts,
  type Field,
  type Fields,
  fitsText,
  listedKeys,
  type MoreField,
  requiredKeys,
  type TextField,
  type ToolDefinition,
  type ValuesOf,
} from "./tool_definition.ts";
import { adviceOnKey, likelyValue } from "./aliases.ts";
import { normalizeInput } from "./input_normalizer.ts";
import { didYouMean, nearest } from "../util/text.ts";

const MAX_PROBLEMS = 8;
/** Characters of all texts of a call, at most: what a server plans without keeping others waiting. */
const MAX_TEXT_CHARS = 40_000;

/**
 * The values of an input, without keys that are absent, `null` or, where that is allowed, blank. What the
 * schema does not allow is accepted if it can mean only one thing; `notes` say how it was read.
 *
 * @throws {PathgrepError} `invalid_input`, naming each key, what came and what is accepted
 */
export function parseInput<F extends Fields>(
  tool: string,
  fields: F,
  given: unknown,
): { values: ValuesOf<F>; notes: readonly Note[] } {
  const { input, notes, conflicts, names } = normalizeInput(tool, fields, given);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const problem = `the input must be an object, got ${shown(input)}${shape(input, fields)}`;
    throw invalidInput(problem, fields);
  }
  const values = new Map(Object.entries(input));
  const unknown = [...values.keys()].filter((key) => !Object.hasOwn(fields, key));
  const wrong = Object.keys(fields).filter((key) => !accepts(fields[key]!, values.get(key)));
  const problems = [
    ...conflicts,
    ...unknown.slice(0, MAX_PROBLEMS).map((key) => unknownKey(tool, key, values.get(key), fields)),
    ...wrong.map((key) => wrongValue(key, names.get(key), fields[key]!, values.get(key))),
  ];
  const texts = [...values.values()].flat().filter((value) => typeof value === "string");
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  if (problems.length === 0 && chars > MAX_TEXT_CHARS) {
    throw new PathgrepError(
      "invalid_input",
      `the call has ${chars} characters of text; at most ${MAX_TEXT_CHARS} are accepted`,
      { hint: "send shorter patterns, globs and paths, or several calls" },
    );
  }
  if (problems.length > 0) {
    const detail = problems.slice(0, MAX_PROBLEMS).join("; ") +
      (conflicts.length + unknown.length + wrong.length > MAX_PROBLEMS ? "; and more" : "");
    // With advice on each key, a list of keys is not needed.
    const isStrange = unknown.some((key) => adviceOnUnknown(tool, key, fields) === "");
    throw isStrange ? invalidInput(detail, fields) : new PathgrepError("invalid_input", detail);
  }
  return { values: Object.fromEntries(values) as ValuesOf<F>, notes };
}

/**
 * An input's values that are texts or lists of them, by key, each as a list; none when it cannot be read.
 * Never throws.
 */
export function textsOf(
  { name, fields }: ToolDefinition,
  given: unknown,
): Partial<Record<string, readonly string[]>> {
  try {
    const { input } = normalizeInput(name, fields, given);
    if (typeof input !== "object" || input === null) return {};
    const lists = Object.entries(input).map(([key, value]) => [key, [value].flat()] as const);
    return Object.fromEntries(
      lists.filter(([, values]) =>
        values.length > 0 && values.every((value) => typeof value === "string")
      ),
    );
  } catch {
    return {}; // a getter that throws
  }
}

/** What to send instead of an input that is not an object. */
function shape(input: unknown, fields: Fields): string {
  if (Array.isArray(input)) return " (send one object per call)";
  if (typeof input !== "string" || input.trim() === "") return "";
  return /^\s*[{[]/u.test(input)
    ? " (send the object itself, not its JSON text)"
    : ` (send an object with ${requiredKeys(fields)[0]!})`;
}

function unknownKey(tool: string, key: string, value: unknown, fields: Fields): string {
  return `unknown key ${shown(key)} with the value ${shown(value)}${
    adviceOnUnknown(tool, key, fields)
  }`;
}

function adviceOnUnknown(tool: string, key: string, fields: Fields): string {
  const advice = adviceOnKey(tool, key, fields);
  return advice === undefined ? didYouMean(key, listedKeys(fields)) : ` (${advice})`;
}

/** @param name what the key was called, unless it was called so */
function wrongValue(key: string, name: string | undefined, field: Field, value: unknown): string {
  if (value === undefined || (value === null && field.required)) {
    return `${key} is missing; it must be ${accepted(field)}`;
  }
  const called = name === undefined ? key : `${shown(name)}, interpreted as ${key},`;
  if (value === "" && "notEmpty" in field) {
    return `${called} is empty; it must be ${accepted(field)}`;
  }
  if ("maxItems" in field && Array.isArray(value)) return wrongItems(called, field, value);
  return `${called} must be ${accepted(field)}, got ${shown(value)}${
    adviceOnValue(key, field, value)
  }`;
}

/** What is wrong with a list, and with which item of it. */
function wrongItems(
  called: string,
  field: TextField | MoreField,
  items: readonly unknown[],
): string {
  const { length } = items;
  const must = `it must be ${accepted(field)}`;
  if (length === 0) return `${called} is an empty list; ${must}`;
  if (length > field.maxItems!) return `${called} has ${length} items; ${must}`;
  const index = items.findIndex((item) => !fitsText(field, item));
  return `${called} has ${shown(items[index])} as item ${index + 1}; ${must}`;
}

function adviceOnValue(key: string, field: Field, value: unknown): string {
  if ("choices" in field) return adviceOnChoice(key, field.choices, value);
  return field.type === "string" && Array.isArray(value) && value.length > 0
    ? " (send one of them per call)"
    : "";
}

function adviceOnChoice(key: string, choices: readonly string[], value: unknown): string {
  if (typeof value === "string") {
    const ours = likelyValue(key, value, choices) ?? nearest(value, choices);
    if (ours !== undefined) return ` (use ${ours})`;
    if (key === "output_mode" && /without/iu.test(value)) {
      return " (send files_without_match: true)";
    }
  }
  // `paths` of others is a list of paths.
  const isPath = Array.isArray(value) || (typeof value === "string" && value !== "");
  return key === "paths" && isPath ? " (a directory or a file goes into path)" : "";
}

function accepted(field: Field): string {
  if ("choices" in field) return `one of ${field.choices.join(", ")}`;
  if (field.type === "integer") {
    const end = field.maximum === undefined ? "" : ` to ${field.maximum}`;
    return `a whole number from ${field.minimum}${end}`;
  }
  if (field.type === "boolean") return "true or false";
  if (field.type === "array") {
    return `a list of at most ${field.maxItems} non-empty strings`;
  }
  const text = "notEmpty" in field ? "a non-empty string" : "a string";
  return "maxItems" in field ? `${text}, or a list of 1 to ${field.maxItems} of them` : text;
}

/** An error that lists the keys. */
function invalidInput(detail: string, fields: Fields): PathgrepError {
  const required = requiredKeys(fields);
  const optional = listedKeys(fields).filter((key) => !required.includes(key));
  return new PathgrepError("invalid_input", detail, {
    hint: `required: ${required.join(", ")}; optional: ${optional.join(", ")}`,
  });
}
