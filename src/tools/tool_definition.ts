/**
 * A tool as data, apart from any workspace: the one source of every dialect of definitions.
 *
 * @module
 */

import { closedObject, type Fields, type JsonSchema } from "./fields.ts";

export interface ToolDefinition<F extends Fields = Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: F;
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: JsonSchema;
}

const TEXTS = { type: "array", items: { type: "string" } } as const;
const COUNT = { type: "integer" } as const;
const NUMBERS = { type: "array", items: { type: "integer" } } as const;

const FRAME = {
  pattern: { type: "string" },
  base_path: { type: "string" },
  base_paths: TEXTS,
} as const;

const TAIL = {
  count: { type: "integer" },
  truncated: { type: "boolean" },
  next_offset: { type: "integer" },
  total: { type: "integer", description: "The count without truncation." },
  total_files: { type: "integer" },
  total_at_least: { type: "integer" },
  reduced: TEXTS,
  pattern_counts: NUMBERS,
  scope: closedObject({
    searched: COUNT,
    matched: COUNT,
    left_out: closedObject({
      ignored: TEXTS,
      ignored_more: COUNT,
      blocked: COUNT,
      blocked_rules: TEXTS,
      blocked_rules_more: COUNT,
      binary: COUNT,
      too_large: COUNT,
      not_utf8: COUNT,
      unreadable: COUNT,
      worktrees: COUNT,
    }, []),
  }, ["searched", "matched"]),
  notes: TEXTS,
} as const;

/** The answer of `grep`: one of three lists, by `output_mode`. */
export const SEARCH_OUTPUT: JsonSchema = closedObject({
  ...FRAME,
  output_mode: { type: "string", enum: ["content", "file", "count"] },
  files: TEXTS,
  matches: {
    type: "array",
    items: closedObject({
      file: { type: "string" },
      line_number: { type: "integer" },
      line: { type: "string" },
      column: { type: "integer" },
      before: TEXTS,
      after: TEXTS,
      line_truncated: { type: "boolean" },
      patterns: NUMBERS,
      enclosing: {
        type: "array",
        items: closedObject({ line_number: COUNT, line: { type: "string" } }, [
          "line_number",
          "line",
        ]),
      },
      encoding: { type: "string" },
    }, ["file", "line_number", "line"]),
  },
  text: { type: "string", description: "When concise, instead of a list." },
  counts: {
    type: "array",
    items: closedObject({
      file: { type: "string" },
      count: { type: "integer" },
      patterns: NUMBERS,
      encoding: { type: "string" },
    }, ["file", "count"]),
  },
  ...TAIL,
}, ["pattern", "base_path", "output_mode", "count"]);

/** The answer of `glob`: the shape of `grep` in file mode. */
export const LIST_OUTPUT: JsonSchema = closedObject(
  { ...FRAME, output_mode: { type: "string", enum: ["file"] }, files: TEXTS, ...TAIL },
  ["pattern", "base_path", "output_mode", "files", "count"],
);
