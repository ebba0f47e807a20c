/**
 * What the contract's black-box tests stand on: command lines, and the shape that every answer must have.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep, type Run, type RunOptions } from "./run.ts";

/** One entry of content mode. */
export interface Match {
  file: string;
  line_number: number;
  line: string;
  column?: number;
  before?: string[];
  after?: string[];
  line_truncated?: boolean;
  patterns?: number[];
}

/** A result or an error, as JSON. */
export interface Answer {
  pattern?: string;
  base_path?: string;
  base_paths?: string[];
  output_mode?: string;
  files?: string[];
  matches?: Match[];
  counts?: { file: string; count: number; patterns?: number[] }[];
  count?: number;
  truncated?: boolean;
  next_offset?: number;
  total?: number;
  total_files?: number;
  total_at_least?: number;
  reduced?: string[];
  pattern_counts?: number[];
  notes?: string[];
  stats?: Record<string, unknown>;
  error?: string;
  code?: string;
  path?: string;
  resolved_path?: string;
  suggestions?: string[];
  hint?: string;
  [key: string]: unknown;
}

const RESULT_KEYS = [
  "pattern",
  "base_path",
  "base_paths",
  "output_mode",
  "files",
  "directories",
  "directories_more",
  "matches",
  "counts",
  "count",
  "truncated",
  "next_offset",
  "total",
  "total_files",
  "total_at_least",
  "reduced",
  "pattern_counts",
  "scope",
  "not_shown",
  "in_part",
  "notes",
  "stats",
];
const MATCH_KEYS = [
  ...["file", "line_number", "line", "column", "before", "after", "line_truncated", "patterns"],
];

/** Each error code's sentence, up to where the details begin. */
export const ERROR_SENTENCES: Readonly<Record<string, RegExp>> = {
  invalid_input: /^invalid input: \S/,
  invalid_pattern: /^invalid pattern: \S/,
  permission_denied_by_policy: /^permission denied by policy: \S/,
  permission_denied_by_user: /^permission denied by user: \S/,
  path_outside_workspace: /^path resolution failed: \S+ .* escapes project root \//s,
  path_empty: /^path resolution failed: \S+ is empty$/,
  path_not_found: /^path resolution failed: Path does not exist: \//,
  path_access_denied: /^path resolution failed: Permission denied: /,
  path_unsupported:
    /^path resolution failed: (Path is (neither a file nor a directory|not a file|a binary file|not UTF-8 text)|.*is not a directory): \//,
  search_too_broad: /^search too broad: \S/,
  search_timed_out: /^search timed out after \d+ ms$/,
  search_failed: /^search failed: \S/,
  engine_unavailable: /^engine unavailable: \S/,
  cancelled: /^cancelled$/,
};

/** Holds the keys that are there against an order. */
function assertKeyOrder(value: object, order: readonly string[], what: string): void {
  const keys = Object.keys(value);
  const known = order.filter((key) => keys.includes(key));
  assert.deepEqual(keys, known, `${what}: keys and their order`);
}

/** Checks the shape of one error object; a `jsonl` row may be typed as one. */
export function assertErrorShape(row: Answer): void {
  const { type, ...answer } = row;
  assert.ok(type === undefined || type === "error");
  assert.deepEqual(Object.keys(answer).slice(0, 2), ["error", "code"]);
  const sentence = ERROR_SENTENCES[answer.code ?? ""];
  assert.ok(sentence !== undefined, `an error code of the contract: ${answer.code}`);
  assert.match(answer.error ?? "", sentence);
  if (answer.suggestions !== undefined && answer.code?.startsWith("path_")) {
    for (const suggestion of answer.suggestions) {
      assert.ok(!suggestion.startsWith("/"), `relative to the root: ${suggestion}`);
    }
  }
}

/** Checks the shape of one search result. */
export function assertResultShape(answer: Answer): void {
  assertKeyOrder(answer, RESULT_KEYS, "result");
  const lists = [answer.files, answer.matches, answer.counts].filter((list) => list !== undefined);
  assert.equal(lists.length, 1, "one list of entries");
  const expected = answer.counts
    ? answer.counts.reduce((sum, entry) => sum + entry.count, 0)
    : (answer.files ?? answer.matches ?? []).length;
  assert.equal(answer.count, expected, "count");
  for (const match of answer.matches ?? []) assertKeyOrder(match, MATCH_KEYS, "match");
  const isMarked = answer.pattern_counts === undefined ? [] : ["patterns"];
  for (const entry of answer.counts ?? []) {
    assert.deepEqual(Object.keys(entry), ["file", "count", ...isMarked]);
  }
  for (const match of answer.matches ?? []) assert.equal("patterns" in match, isMarked.length > 0);
  for (const optional of ["truncated", "notes", "base_paths", "stats", "next_offset"]) {
    if (optional in answer) {
      const value = answer[optional];
      assert.ok(value !== false && value !== null, `${optional} only with something to say`);
      if (Array.isArray(value)) assert.ok(value.length > 0, `${optional} is not empty`);
    }
  }
  assert.equal(answer.truncated === true, typeof answer.next_offset === "number");
  const isTotal = typeof answer.total === "number" && typeof answer.total_files === "number";
  assert.equal(answer.truncated === true, isTotal || typeof answer.total_at_least === "number");
}

/** Parses stdout, which must be one JSON object and nothing else. */
export function parseOne(ran: Run): Answer {
  let value: unknown;
  try {
    value = JSON.parse(ran.stdout);
  } catch {
    assert.fail(`stdout is not one JSON value (exit ${ran.code}):\n${ran.stdout}\n${ran.stderr}`);
  }
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value));
  return value as Answer;
}

/**
 * Runs a search in `json` format and holds its answer and exit status against the contract's shape.
 */
export async function answer(args: readonly string[], options: RunOptions): Promise<Answer> {
  const ran = await pathgrep(args, options);
  const parsed = parseOne(ran);
  if (parsed.error !== undefined) {
    assertErrorShape(parsed);
    assert.equal(ran.code, 2, "an error exits with 2");
  } else {
    assertResultShape(parsed);
    assert.equal(ran.code, parsed.count === 0 ? 1 : 0, `exit status for ${ran.stdout}`);
  }
  return parsed;
}

/** Runs a search that must succeed. */
export async function found(args: readonly string[], options: RunOptions): Promise<Answer> {
  const parsed = await answer(args, options);
  assert.equal(parsed.error, undefined);
  return parsed;
}

/** Runs a search that must fail with `code`. */
export async function fails(
  code: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Answer> {
  const parsed = await answer(args, options);
  assert.equal(parsed.code, code, JSON.stringify(parsed));
  return parsed;
}

/** Runs another command (`resolve`, `files`, …) and gives its JSON object, exit status checked. */
export async function command(args: readonly string[], options: RunOptions): Promise<Answer> {
  const ran = await pathgrep(args, options);
  const parsed = parseOne(ran);
  if (parsed.error !== undefined) assertErrorShape(parsed);
  assert.equal(ran.code, parsed.error === undefined ? 0 : 2, `exit status for ${ran.stdout}`);
  return parsed;
}

/** The entries of a content-mode answer as `file:line:text`, files relative to `root`. */
export function lines(result: Answer, root: string): string[] {
  assert.ok(result.matches !== undefined, JSON.stringify(result));
  return result.matches.map((m) => `${relative(m.file, root)}:${m.line_number}:${m.line}`);
}

/** The different files of an answer in order of appearance, relative to `root`. */
export function files(result: Answer, root: string): string[] {
  const all = result.files ?? (result.matches ?? result.counts ?? []).map((entry) => entry.file);
  return [...new Set(all)].map((file) => relative(file, root));
}

/** An absolute path below `root`, relative to it. */
export function relative(file: string, root: string): string {
  assert.ok(file.startsWith(`${root}/`), `${file} is below ${root}`);
  return file.slice(root.length + 1);
}

/** The prefix of a command that loses root's right to read what its mode forbids. */
export function withoutReadOverride(): string[] {
  if (Deno.uid() !== 0) return [];
  const caps = "-dac_override,-dac_read_search";
  return ["setpriv", `--bounding-set=${caps}`, `--inh-caps=${caps}`];
}

/** Deno's cache directory, for a process that gets another home. */
export async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
