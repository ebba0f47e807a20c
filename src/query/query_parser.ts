/**
 * Checks a query against the table of its options, and fills in the defaults.
 *
 * @module
 */

import { didYouMean, nearest } from "../util/text.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import type { Query, QueryValues, SearchQuery } from "./query.ts";
import { QUERY_KEYS, QUERY_OPTIONS, type QueryKey, type QueryOption } from "./query_options.ts";
import { decoderOf } from "../system/platform.ts";

/**
 * @throws {PathgrepError} `invalid_input`, naming the key, what came and what is accepted
 */
export function parseQuery(given: SearchQuery, more: Partial<Query> = {}): Query {
  const query = querySnapshot(given);
  const anyEncoding = query.everything === true && query.encoding === undefined;
  for (const [key, value] of Object.entries(query)) checkKey(key, value);
  const { pattern, path, paths, context: _, ...values } = filled(query);
  if (pattern.length === 0) {
    throw invalidQuery("pattern is missing; give the text or expression to search for");
  }
  const empty = pattern.indexOf("");
  // Whole lines without a character are something to search for.
  if (empty >= 0 && !values.wholeLine) {
    const which = pattern.length === 1 ? "" : ` ${empty + 1} of ${pattern.length}`;
    throw invalidQuery(`pattern${which} is empty; give the text or expression to search for`);
  }
  if (values.filesWithoutMatch && query.outputMode === "content") {
    throw invalidQuery("filesWithoutMatch has no lines to show; use outputMode file or count");
  }
  if (query.outputMode === "values") {
    const { before, after, invert, filesWithoutMatch } = values;
    const others = { context: before + after > 0, invert, filesWithoutMatch };
    const [other] = Object.entries(others).flatMap(([key, isGiven]) => isGiven ? [key] : []);
    if (other !== undefined) {
      throw invalidQuery(`output mode values shows no lines and no files; omit ${other}`);
    }
    values.onlyMatching = true;
  }
  return Object.freeze({
    ...values,
    outputMode: query.outputMode ?? (values.filesWithoutMatch ? "file" : values.outputMode),
    patterns: pattern,
    paths: path,
    encoding: encodingOfLabel(values.encoding)!,
    isSorted: query.sort !== undefined,
    relativePaths: paths === "relative",
    includeKey: "include",
    places: [],
    within: undefined,
    explain: values.explain === "auto",
    anyEncoding,
    lifted: liftedIn(query),
    maxFileSize: values.maxFileSize || Infinity,
    maxResults: values.maxResults || Infinity,
    onOverflow: query.offset === undefined ? values.onOverflow : "truncate",
    isListing: false,
    ...more,
  });
}

/** What `everything` means where nothing else is said. */
const OF_EVERYTHING: Partial<Record<QueryKey, unknown>> = {
  ignore: false,
  text: true,
  follow: true,
  maxFileSize: 0,
  hidden: true,
};

/** What `everything` has to be sent with, since the query says otherwise, which would win. */
function liftedIn(query: SearchQuery): Partial<SearchQuery> {
  const all = { ...OF_EVERYTHING, encoding: undefined };
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) =>
      query[key as QueryKey] !== undefined && query[key as QueryKey] !== value
    ),
  );
}

/**
 * The values of a query as they are now, inherited ones too. What is checked is used, whatever a getter
 * returns next and whoever changes a list.
 *
 * @throws {PathgrepError} `invalid_input` for what is not an object
 */
export function querySnapshot<Q extends Partial<SearchQuery>>(query: Q): Q {
  if (typeof query !== "object" || query === null) throw invalidQuery(`a query must be an object`);
  const values: Record<string, unknown> = { ...query };
  for (const key of QUERY_KEYS) {
    const value = Object.hasOwn(values, key) ? values[key] : query[key];
    if (value !== undefined) values[key] = Array.isArray(value) ? Array.from(value) : value;
  }
  return values as Q;
}

function filled(query: SearchQuery): QueryValues {
  const values: Partial<Record<QueryKey, unknown>> = {};
  for (const key of QUERY_KEYS) {
    const option: QueryOption = QUERY_OPTIONS[key];
    const value = query[key] ?? (query.everything ? OF_EVERYTHING[key] : undefined);
    if (option.kind === "strings") {
      values[key] = typeof value === "string" ? [value] : value ?? [];
    } else {
      const fallback = "fallback" in option ? values[option.fallback!] : undefined;
      values[key] = wordFor(option, value) ?? value ?? fallback ?? option.default;
    }
  }
  return values as QueryValues;
}

function wordFor(option: QueryOption, value: unknown): string | undefined {
  if (option.kind !== "choice" || typeof value !== "boolean") return undefined;
  return option.booleans?.[value ? 0 : 1];
}

function checkKey(key: string, value: unknown): void {
  if (!Object.hasOwn(QUERY_OPTIONS, key)) {
    throw invalidQuery(
      `unknown key ${shown(key)}${didYouMean(key, QUERY_KEYS)}; known keys are ${
        QUERY_KEYS.join(", ")
      }`,
    );
  }
  if (value === undefined) return;
  const option: QueryOption = QUERY_OPTIONS[key as QueryKey];
  const accepted = whatElse(option, value);
  if (accepted === undefined) return;
  const error = invalidQuery(`${key} must be ${accepted}, got ${shown(value)}`);
  const near = option.kind === "label" ? labelsNear(value, option.labels) : [];
  throw near.length === 0 ? error : error.with({ suggestions: near });
}

/** What an option accepts, in words, when it does not accept the value. */
function whatElse(option: QueryOption, value: unknown): string | undefined {
  switch (option.kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "strings": {
      const values = Array.isArray(value) ? Array.from(value) : [value]; // `every` passes over holes
      return values.every((item) => typeof item === "string")
        ? undefined
        : "a string or an array of strings";
    }
    case "whole":
    case "bytes":
      return Number.isSafeInteger(value) && value as number >= option.min
        ? undefined
        : `a whole number from ${option.min}`;
    case "label":
      return typeof value === "string" && encodingOfLabel(value) !== undefined
        ? undefined
        : "a label of the Encoding Standard, such as gbk";
    case "choice":
      return option.choices.includes((wordFor(option, value) ?? value) as string)
        ? undefined
        : `one of ${option.choices.join(", ")}`;
  }
}

function labelsNear(value: unknown, labels: readonly string[]): string[] {
  if (typeof value !== "string") return [];
  const word = value.trim().toLowerCase();
  const meant = Object.hasOwn(CODE_PAGES, word) ? CODE_PAGES[word] : undefined;
  if (meant !== undefined) return [meant];
  const lettersOf = (label: string) => label.replace(/[-_ ]/gu, "");
  const same = labels.filter((label) => lettersOf(label) === lettersOf(word));
  if (same.length > 0) return same;
  return labels.filter((label) => nearest(word, [label]) !== undefined).slice(0, MAX_NEAR);
}

const MAX_NEAR = 5;
/** Names of code pages that are not labels. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  "ansi": "windows-1252",
  "cp437": "ibm866",
  "cp932": "shift_jis",
  "cp936": "gbk",
  "cp949": "euc-kr",
  "cp950": "big5",
  "mac-roman": "macintosh",
  "macroman": "macintosh",
  "utf16": "utf-16",
};

/** The name of an encoding, given one of its labels. */
function encodingOfLabel(label: string): string | undefined {
  try {
    return decoderOf(label).encoding;
  } catch {
    return undefined;
  }
}

const invalidQuery = (detail: string) => new PathgrepError("invalid_input", detail);

/** Whether every glob of a query means the same below a directory as above it. */
export function isPathFree(
  { include, exclude }: Pick<Query, "include" | "exclude">,
): boolean {
  return [...include, ...exclude].every((glob) => /^!?(?:\*\*\/)?[^/]*$/.test(glob));
}
