/**
 * A tool as data, apart from any workspace: the one source of every dialect of definitions.
 *
 * @module
 */

import type { Fields, JsonSchema } from "./fields.ts";

/** What a model and its host are told about a tool. */
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

/** What a search target's `path` accepts, for models. */
export const PATH_DESCRIPTION =
  "The path to search within: a directory (searched recursively) or a file (only that file is searched). " +
  "Absolute or relative to the workspace. If omitted, all workspace directories are searched.";

/** Fields that page an answer. */
export const PAGE_FIELDS = {
  max_results: {
    type: "integer",
    minimum: 1,
    description: "Entries in the answer, at most; when there are more, next_offset is given.",
  },
  offset: {
    type: "integer",
    minimum: 0,
    description: "Entries to skip: the next_offset of the answer before.",
  },
  paths: {
    type: "string",
    choices: ["absolute", "relative"],
    description:
      "How files are named in the answer: absolute (default) or relative to the workspace.",
  },
} as const satisfies Fields;

/** The keys of every search answer. */
const FRAME = {
  pattern: { type: "string" },
  base_path: { type: "string", description: "The canonical path that was searched." },
  base_paths: { type: "array", items: { type: "string" } },
} as const;

const TAIL = {
  count: { type: "integer", minimum: 0 },
  truncated: { type: "boolean", description: "There are more entries." },
  next_offset: { type: "integer", minimum: 0 },
  notes: { type: "array", items: { type: "string" } },
} as const;

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
          line_number: { type: "integer", minimum: 1 },
          line: { type: "string" },
          column: { type: "integer", minimum: 1 },
          before: { type: "array", items: { type: "string" } },
          after: { type: "array", items: { type: "string" } },
          line_truncated: { type: "boolean" },
        },
        required: ["file", "line_number", "line"],
        additionalProperties: false,
      },
    },
    counts: {
      type: "array",
      items: {
        type: "object",
        properties: { file: { type: "string" }, count: { type: "integer", minimum: 0 } },
        required: ["file", "count"],
        additionalProperties: false,
      },
    },
    ...TAIL,
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
