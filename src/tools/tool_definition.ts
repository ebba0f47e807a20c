/**
 * A tool as data, apart from any workspace: the one source of every dialect of definitions.
 *
 * @module
 */

import type { Fields, JsonSchema } from "./fields.ts";

/** How a tool is described to a model and its host. */
export interface ToolDefinition<F extends Fields = Fields> {
  /** The name that the model calls. */
  readonly name: string;
  /** A name for people. */
  readonly title: string;
  /** What it does, for the model. */
  readonly description: string;
  /** Its input. */
  readonly fields: F;
  /** The JSON schema of what it answers, errors apart. */
  readonly outputSchema: JsonSchema;
}

/** The keys of every search answer. */
const FRAME = {
  pattern: { type: "string" },
  base_path: { type: "string" },
  base_paths: { type: "array", items: { type: "string" } },
} as const;

const TAIL = {
  count: { type: "integer" },
  truncated: { type: "boolean" },
  next_offset: { type: "integer" },
  total: { type: "integer", description: "What count would be without the cut." },
  total_files: { type: "integer" },
  total_at_least: { type: "integer" },
  reduced: { type: "array", items: { type: "string" } },
  notes: { type: "array", items: { type: "string" } },
} as const;

/** Indices or counts of several patterns. */
const PATTERNS: JsonSchema = { type: "array", items: { type: "integer" } };

const FILES: JsonSchema = { type: "array", items: { type: "string" } };

/** The answer of `grep`: one of three lists, by `output_mode`. */
export const SEARCH_OUTPUT: JsonSchema = {
  type: "object",
  properties: {
    ...FRAME,
    output_mode: { type: "string", enum: ["content", "file", "count"] },
    files: FILES,
    matches: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: { type: "string" },
          line_number: { type: "integer" },
          line: { type: "string" },
          column: { type: "integer" },
          before: { type: "array", items: { type: "string" } },
          after: { type: "array", items: { type: "string" } },
          line_truncated: { type: "boolean" },
          patterns: PATTERNS,
          encoding: { type: "string" },
        },
        required: ["file", "line_number", "line"],
        additionalProperties: false,
      },
    },
    text: { type: "string", description: "When concise, in place of a list." },
    counts: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: { type: "string" },
          count: { type: "integer" },
          patterns: PATTERNS,
          encoding: { type: "string" },
        },
        required: ["file", "count"],
        additionalProperties: false,
      },
    },
    ...TAIL,
    pattern_counts: PATTERNS,
  },
  required: ["pattern", "base_path", "output_mode", "count"],
  additionalProperties: false,
};

/** The answer of `glob`: the shape of `grep` in file mode. */
export const LIST_OUTPUT: JsonSchema = {
  type: "object",
  properties: { ...FRAME, output_mode: { type: "string", enum: ["file"] }, files: FILES, ...TAIL },
  required: ["pattern", "base_path", "output_mode", "files", "count"],
  additionalProperties: false,
};
