/**
 * Reads an input that does not fit the schema, wherever it can be read in only one way. The rest stays as it is,
 * so that validation reports what is wrong with it.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import {
  isEnvelope,
  isLineRange,
  isWholeFile,
  isWrapper,
  meaningOf,
  valueReadAs,
} from "./aliases.ts";
import { accepts, type Field, type Fields, requiredKeys } from "./tool_definition.ts";

/** The most keys of a call, and their characters: each unknown key is compared with all known ones. */
const MAX_KEYS = 100;
const MAX_KEY_CHARS = 4_000;

export interface NormalizedInput {
  input: unknown;
  /** On everything that was read differently than given. */
  notes: readonly Note[];
  /** Contradictions, a sentence each. */
  conflicts: readonly string[];
  /** The given names of keys that were renamed. */
  names: ReadonlyMap<string, string>;
}

interface ReadValue {
  /** `undefined` if it says that there is no value. */
  value: unknown;
}

/** @throws {PathgrepError} `invalid_input` for more keys than it takes a moment to read */
export function normalizeInput(tool: string, fields: Fields, input: unknown): NormalizedInput {
  const notes: Note[] = [];
  const whole = unwrapped(tool, fields, input, notes);
  const reader = new Reader(tool, fields, notes);
  const read = isObject(whole) ? reader.read(whole) : whole;
  return { input: read, notes, conflicts: reader.conflicts, names: reader.names };
}

class Reader {
  readonly #tool: string;
  readonly #fields: Fields;
  readonly #notes: Note[];
  readonly conflicts: string[] = [];
  readonly names = new Map<string, string>();

  constructor(tool: string, fields: Fields, notes: Note[]) {
    this.#tool = tool;
    this.#fields = fields;
    this.#notes = notes;
  }

  /** Renames the keys of the input to ours; unknown keys stay as they are. */
  read(input: object): Record<string, unknown> {
    const values = new Map<string, unknown>();
    const foreign: [key: string, value: unknown][] = [];
    for (const [key, value] of Object.entries(input)) {
      if (!Object.hasOwn(this.#fields, key) || this.#isListOfPaths(key, value)) {
        foreign.push([key, value]);
      } else if (!isAbsent(this.#fields[key]!, value)) values.set(key, this.#own(key, value));
    }
    for (const [key, value] of foreign) {
      if (this.#take(key, value, values)) continue;
      if (isPlaceholder(value)) this.#notes.push({ reason: "key_absent", values: { key } });
      else values.set(key, value);
    }
    this.#endLine(values);
    if (Object.hasOwn(this.#fields, "limit")) this.#readRange(values);
    for (const key of Object.keys(this.#fields)) this.#join(key, values);
    return Object.fromEntries(values);
  }

  /** Whether `paths`, which here says how paths are shown, contains what it does in other tools. */
  #isListOfPaths(key: string, value: unknown): boolean {
    const field = this.#fields[key];
    if (key !== "paths" || field === undefined || !("choices" in field)) return false;
    return Array.isArray(value) && value.length > 0 &&
      value.every((path) =>
        typeof path === "string" && valueReadAs(key, unquoted(path), field.choices) === undefined
      );
  }

  /** Drops the line break at the end of a pattern whose matches end before it. */
  #endLine(values: Map<string, unknown>): void {
    const pattern = values.get("pattern");
    if (this.#tool !== "grep" || typeof pattern !== "string" || values.get("multiline") === true) {
      return;
    }
    const line = pattern.replace(/\r?\n$/u, "");
    if (line === pattern || line === "" || line.includes("\n")) return;
    values.set("pattern", line);
    this.#notes.push({ reason: "pattern_line_break", values: {} });
  }

  /** Moves the texts of a key such as `more_patterns` behind those of the key that they continue. */
  #join(key: string, values: Map<string, unknown>): void {
    const field = this.#fields[key]!;
    const more = values.get(key);
    if (field.type !== "array" || more === undefined || !accepts(field, more)) return;
    const { continues } = field;
    const first = values.get(continues);
    const texts = [first, more].flat();
    const most = field.maxItems + 1;
    if (texts.length === 1) {
      values.delete(key);
    } else if (first === undefined || typeof first === "string" && first.trim() === "") {
      this.conflicts.push(
        `${key} is given without ${continues} (send its first item as ${continues})`,
      );
    } else if (!accepts(this.#fields[continues]!, first)) {
      return; // the check says what is wrong with it
    } else if (texts.length > most) {
      this.conflicts.push(
        `${continues} and ${key} have ${texts.length} items; at most ${most} are accepted`,
      );
    } else {
      values.set(continues, texts);
      values.delete(key);
    }
  }

  /** Reads a range of lines as its first and last one, and drops the wish for the whole of a file. */
  #readRange(values: Map<string, unknown>): void {
    for (const [name, given] of [...values]) {
      if (isLineRange(name)) this.#lineRange(name, given, values);
      else if (isWholeFile(name)) this.#wholeFile(name, given, values);
    }
  }

  #lineRange(name: string, given: unknown, values: Map<string, unknown>): void {
    values.delete(name);
    const range = lineRange(given);
    if (range === undefined) {
      this.conflicts.push(
        `${shown(name)} must be two line numbers, such as [1, 20] or "1-20", got ${shown(given)}`,
      );
      return;
    }
    const { offset, end_line } = range;
    const isNew = Object.entries(range).every(([key, line]) =>
      line === undefined || this.#settle(name, given, key, line, values)
    );
    if (!isNew) return;
    this.#notes.push(
      end_line === undefined
        ? { reason: "key_as_lines_from", values: { key: name, first: offset } }
        : { reason: "key_as_lines", values: { key: name, first: offset, last: end_line } },
    );
  }

  #wholeFile(name: string, given: unknown, values: Map<string, unknown>): void {
    const isWhole = truth(given);
    if (isWhole === undefined && given !== null) return;
    values.delete(name);
    const isPart = ["offset", "limit", "end_line"].some((key) => values.has(key));
    if (isWhole && isPart) {
      this.conflicts.push(
        `${shown(name)} with the value ${
          shown(given)
        } asks for the whole file, and offset or limit ` +
          "for a part of it (send one of them)",
      );
    } else this.#ignore(name, "offset and limit say what is read");
  }

  #ignore(key: string, why: string): void {
    this.#notes.push({ reason: "key_ignored", values: { key, why } });
  }

  #own(key: string, given: unknown): unknown {
    const reading = this.#readingOf(key, given);
    const field = this.#fields[key]!;
    if (reading === undefined || reading.value === given) {
      if (field.type === "integer" && "unlisted" in field && accepts(field, given)) {
        const values = { key, meaning: field.description };
        this.#notes.push({ reason: "meaning_of_key", values });
      }
      return given;
    }
    this.#notes.push({ reason: "value_read", values: { key, given, read: reading.value } });
    return reading.value;
  }

  /** Moves the value of another key to our key, if it can only mean that. */
  #take(name: string, given: unknown, values: Map<string, unknown>): boolean {
    const meaning = name === "paths"
      ? { key: "path" }
      : meaningOf(this.#tool, name, given, truth(given), this.#fields);
    if (meaning === undefined) return false;
    if ("needless" in meaning) {
      this.#ignore(name, meaning.needless);
      return true;
    }
    const { key } = meaning;
    const ours = values.get(key);
    const reading = "value" in meaning ? meaning : this.#readingOf(key, given);
    if (reading === undefined) {
      if (ours !== undefined) return false;
      values.set(key, given); // the check says what is wrong with it
      this.names.set(key, name);
      return true;
    }
    const { value } = reading;
    if (!this.#settle(name, given, key, value, values)) return true;
    const differs = given !== null && !isSameJson(value, given);
    const reason = differs ? "key_and_value_read" : "key_read";
    const note = { key: name, read: key, value };
    this.#notes.push({ reason, values: note });
    return true;
  }

  /** Gives a key the value that another one means; false, and a conflict, where it has another value. */
  #settle(
    name: string,
    given: unknown,
    key: string,
    value: unknown,
    values: Map<string, unknown>,
  ): boolean {
    const ours = values.get(key);
    if (ours === undefined) {
      if (value === undefined) return true;
      values.set(key, value);
      this.names.set(key, name);
    } else if (value === undefined ? this.#turnsOff(name, ours) : !isSameJson(value, ours)) {
      this.conflicts.push(
        `${shown(name)} with the value ${shown(given)} means ${key}, which ` +
          `${shown(this.names.get(key) ?? key)} gives as ${shown(ours)} (send one of them)`,
      );
      return false;
    }
    return true;
  }

  /** The one value of a key that may be meant; none where there may be several. */
  #readingOf(key: string, given: unknown): ReadValue | undefined {
    const field = this.#fields[key]!;
    const named = { tool: this.#tool, key, field, given };
    if (isAbsent(field, given)) return ABSENT;
    for (const read of READERS) {
      const reading = read(named);
      if (reading !== undefined) return isAbsent(field, reading.value) ? ABSENT : reading;
    }
    return undefined;
  }

  #turnsOff(name: string, value: unknown): boolean {
    const on = meaningOf(this.#tool, name, true, true, this.#fields);
    return on !== undefined && "value" in on && isSameJson(on.value, value);
  }
}

/** Whether a value of one of our keys is as good as none. */
function isAbsent(field: Field, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "string" && value.trim() === "" && "blankIsAbsent" in field;
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** One of our keys with the value that came for it. */
interface Given {
  readonly tool: string;
  readonly key: string;
  readonly field: Field;
  readonly given: unknown;
}

const ABSENT: ReadValue = { value: undefined };

/** Keys in which 0 means no limit, as on the command line. */
const LIMITS = ["max_results"];
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** Keys in which the text `null` names nothing that is there: no type, no encoding, no further texts. */
const NULLABLE = ["type", "encoding", "more_patterns", "more_paths"];
/** Keys whose text may hold several values, separated by commas. */
const TAKES_COMMAS = ["include", "exclude", "type"];
/** Keys that hold globs: quotes around the whole glob are not part of a name. */
const GLOBS = ["grep.include", "grep.exclude", "glob.pattern"];

/** What a value is read as, by the first of these that can read it. */
const READERS: readonly ((named: Given) => ReadValue | undefined)[] = [
  ({ key, given }) => TAKES_COMMAS.includes(key) ? joinedByCommas(listOfJson(given)) : undefined,
  ({ tool, key, given }) => {
    if (!GLOBS.includes(`${tool}.${key}`) || typeof given !== "string") return undefined;
    return { value: isQuotedOnce(given) ? unquoted(given) : given };
  },
  ({ key, field, given }) => {
    if (field.type !== "integer" || field.minimum === 0 || !isZero(given)) return undefined;
    return LIMITS.includes(key) ? { value: NO_LIMIT } : ABSENT;
  },
  ({ key, field, given }) => {
    if (!NULLABLE.includes(key) || field.type === "array" && typeof given !== "string") return;
    return isNullWord(unquoted(String(given))) ? ABSENT : undefined;
  },
  ({ field, given }) => accepts(field, given) ? { value: given } : undefined,
  ({ field, given }) => {
    if (field.type !== "array" || typeof given !== "string") return undefined;
    return given === "" ? ABSENT : { value: listOfJson(given) ?? [given] };
  },
  readItems,
  readOne,
];

/** What a field of a type may take for what came, which is a text without its quotes if it was one. */
const OF_TYPE: Partial<
  Record<Field["type"] | "choice", (value: unknown, named: Given) => unknown>
> = {
  boolean: truth,
  integer: (value) => typeof value === "string" ? wholeNumber(value) : undefined,
  choice: (value, { key, field }) =>
    typeof value === "string" && "choices" in field
      ? valueReadAs(key, value, field.choices)
      : undefined,
};

/** The only item of a list, or all of them in one text. */
function readItems({ given, ...named }: Given): ReadValue | undefined {
  if (!Array.isArray(given)) return undefined;
  const [first, ...rest] = given;
  if (first === undefined || rest.length > 0 || Array.isArray(first)) {
    return TAKES_COMMAS.includes(named.key) ? joinedByCommas(given) : undefined;
  }
  return accepts(named.field, first) && first !== null
    ? { value: first }
    : readOne({ ...named, given: first });
}

function readOne(named: Given): ReadValue | undefined {
  const { field, given } = named;
  const reader = OF_TYPE["choices" in field ? "choice" : field.type];
  if (reader === undefined) return undefined;
  const value = typeof given === "string" ? unquoted(given) : given;
  const isNothing = typeof value === "string" && (value === "" || isNullWord(value));
  if (isNothing && field.required !== true) return ABSENT;
  const read = reader(value, named);
  return read !== undefined && accepts(field, read) ? { value: read } : undefined;
}

/** What a model puts where it has nothing to say. */
function isPlaceholder(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || value === undefined || Array.isArray(value) && value.length === 0;
}

/** Two lines as a list or as `1-20`; the last may be -1, or larger than any, for the end of the file. */
function lineRange(given: unknown): { offset: number; end_line?: number } | undefined {
  const numbers = typeof given === "string"
    ? jsonIn(given) ?? /^\s*L?(\d+)\s*-\s*L?(\d+)\s*$/iu.exec(given)?.slice(1)
    : given;
  if (!Array.isArray(numbers) || numbers.length !== 2) return undefined;
  const [first, last] = numbers.map((line) =>
    typeof line === "string" && /^\s*\d+\s*$/u.test(line) ? Number(line) : line
  );
  if (!Number.isSafeInteger(first) || first < 0) return undefined;
  const offset = Math.max(first, 1);
  if (last === -1 || last > Number.MAX_SAFE_INTEGER) return { offset };
  return Number.isSafeInteger(last) && last > 0 ? { offset, end_line: last } : undefined;
}

function isZero(value: unknown): boolean {
  const [one = value, ...others] = Array.isArray(value) ? value : [];
  if (others.length > 0) return false;
  return typeof one === "string" ? wholeNumber(unquoted(one)) === 0 : one === 0;
}

function isQuotedOnce(text: string): boolean {
  return /^(?:"[^"'`]+"|'[^"'`]+'|`[^"'`]+`)$/u.test(text.trim());
}

/** Values as one text; nothing where a comma is part of one. */
function joinedByCommas(values: readonly unknown[] | undefined): ReadValue | undefined {
  const isPlain = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" &&
    !value.replace(/\{[^{}]*\}/gu, "").includes(",");
  if (!values?.every(isPlain)) return undefined;
  return values.length === 0 ? ABSENT : { value: values.join(",") };
}

/** The values of a list that was written as its JSON. */
function listOfJson(given: unknown): unknown[] | undefined {
  if (typeof given !== "string" || !/^\s*\[\s*["\]]/u.test(given)) return undefined;
  const list = jsonIn(given);
  return Array.isArray(list) ? list : undefined;
}

export function isNullWord(text: string): boolean {
  return ["null", "none", "undefined", "nil"].includes(text.trim().toLowerCase());
}

function unquoted(text: string): string {
  const word = text.trim();
  const quote = word.charAt(0);
  const isQuoted = word.length > 1 && /["'`]/u.test(quote) && word.endsWith(quote);
  return isQuoted ? word.slice(1, -1).trim() : word;
}

function wholeNumber(text: string): number | undefined {
  return /^\+?\d{1,16}(?:\.0*)?$/u.test(text) ? Number(text) : undefined;
}

/** What a value says of a flag. */
function truth(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const word = String(value).trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}

/** The most nested wrappings that are removed. */
const MAX_WRAPPINGS = 5;

/** @throws {PathgrepError} `invalid_input` for so many keys that reading them keeps others waiting */
function checkKeys(given: unknown): void {
  if (typeof given !== "object" || Array.isArray(given)) return;
  let count = 0;
  let chars = 0;
  for (const key in given) {
    count++;
    chars += key.length;
    if (count <= MAX_KEYS && chars <= MAX_KEY_CHARS) continue;
    throw new PathgrepError(
      "invalid_input",
      `the call has more than ${MAX_KEYS} keys, or keys of more than ${MAX_KEY_CHARS} characters`,
      { hint: "send only keys of the tool's input schema" },
    );
  }
}

/**
 * The object that an input stands for, taken out of its JSON, its list or its wrapper; the input itself
 * where there is none. `notes` gets one for each wrapping.
 */
function unwrapped(tool: string, fields: Fields, input: unknown, notes: Note[]): unknown {
  let inner = input;
  checkKeys(inner);
  for (let wrappings = 0; wrappings < MAX_WRAPPINGS; wrappings++) {
    const [next, note] = unwrappedOnce(tool, fields, inner) ?? [];
    if (note === undefined) break;
    inner = next;
    checkKeys(inner);
    notes.push(note);
  }
  if (isObject(inner)) return inner;
  notes.length = 0;
  return input; // the check speaks of what came
}

/** An input without its outermost wrapping, with a note; nothing if it has none. */
function unwrappedOnce(
  tool: string,
  fields: Fields,
  input: unknown,
): [inner: unknown, note: Note] | undefined {
  if (typeof input === "string") {
    const value = jsonIn(input);
    if (value !== undefined) return [value, { reason: "input_json", values: {} }];
    const [key, ...others] = requiredKeys(fields);
    return isWord(input) && others.length === 0
      ? [{ [key!]: input.trim() }, { reason: "input_as_key", values: { key: key! } }]
      : undefined;
  }
  if (Array.isArray(input)) {
    return input.length === 1 && isObject(input[0])
      ? [input[0], { reason: "input_list", values: {} }]
      : undefined;
  }
  if (!isObject(input)) return undefined;
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const wrappers = given.filter(([key]) => isWrapper(key) && !Object.hasOwn(fields, key));
  const [wrapper] = wrappers;
  if (wrapper === undefined || wrappers.length > 1) return undefined;
  const isAlone = given.every(([key, value]) => key === wrapper[0] || isEnvelope(tool, key, value));
  const [key, value] = wrapper;
  const holdsInput = isObject(value) || typeof value === "string" && jsonIn(value) !== undefined;
  return isAlone && holdsInput ? [value, { reason: "input_wrapped", values: { key } }] : undefined;
}

/** The object or list that a text is the JSON of, with or without a code fence around it. */
function jsonIn(text: string): unknown {
  let json = text.trim();
  if (json.startsWith("```") && json.endsWith("```") && json.length > 6) {
    json = json.slice(3, -3).replace(/^[a-zA-Z]*\s/u, "").trim();
  }
  if (!/^[{["]/u.test(json)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    const isNested = typeof value === "string" && /^[\s]*[{[`]/u.test(value);
    return isObject(value) || Array.isArray(value) || isNested ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text that is not JSON may be an input: JSON in a code fence, or one word. */
export function mayHoldInput(text: string): boolean {
  return jsonIn(text) !== undefined || isWord(text);
}

const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)$/u;

/** More than one word may be anything: other keys, a sentence around the input. */
function isWord(text: string): boolean {
  const word = text.trim();
  return /^[\p{L}\p{N}_.$/-]+$/u.test(word) && !JSON_WORD.test(word);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
