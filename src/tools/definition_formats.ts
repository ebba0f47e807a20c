/**
 * Tool definitions as each kind of host wants them, all from one source, and what a host may add to its system
 * prompt.
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import {
  type Fields,
  fieldSchema,
  inputSchema,
  type JsonSchema,
  mapFields,
  requiredKeys,
  type ToolDefinition,
} from "./tool_definition.ts";
import type { DefinitionFormat } from "../query/query_options.ts";
import { ownTools } from "./registry.ts";

/** Which tools to define, and what their definitions contain. */
export interface DefinitionOptions {
  /** Names of tools, in order. @default those of `ToolRegistry.of` */
  tools?: readonly string[] | undefined;
  /**
   * In `mcp`: whether answers are structured, as with `pathgrep mcp --structured`, not plain text.
   * @default false
   */
  structured?: boolean | undefined;
  /** In `mcp`: whether to add `_meta` with keys for clients. @default true */
  meta?: boolean | undefined;
}

/** A definition in a format, as the types of its host's SDK want it. */
export type DefinitionIn<Format extends DefinitionFormat> =
  & Record<string, unknown>
  & {
    "json-schema": { name: string; description: string };
    mcp: { name: string; description: string; inputSchema: ObjectSchema };
    anthropic: { name: string; description: string; input_schema: ObjectSchema };
    openai: {
      type: "function";
      function: { name: string; description: string; strict: false; parameters: ObjectSchema };
    };
    gemini: { name: string; description: string };
  }[Format];

/** The JSON schema of an object. */
export interface ObjectSchema extends Record<string, unknown> {
  /** That of every input. */
  type: "object";
}

/**
 * Returns the definitions of tools for a host: about 1000 tokens in each format, twice as many with output
 * schemas. Every property has one type, which all hosts accept; the tools read more than that.
 *
 * - `json-schema`: name, description, input and output schema
 * - `mcp`: an entry of `tools/list`, as `pathgrep mcp` sends it
 * - `anthropic`: an entry of `tools` of the Messages API
 * - `openai`: an entry of `tools` of the Chat Completions API; not strict, since strict mode wants every
 *   key in every call
 * - `gemini`: an entry of `functionDeclarations`
 *
 * @param format the host's format
 * @param options which tools, and what `mcp` says of them
 * @throws {PathgrepError} `invalid_input` for an empty list of tools, and for a name that no tool has
 *
 * @example
 * ```ts
 * import { toolDefinitions } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const names = toolDefinitions("anthropic").map(({ name }) => name);
 * assert.deepEqual(names, ["grep", "glob", "read_file"]);
 * ```
 */
export function toolDefinitions<Format extends DefinitionFormat>(
  format: Format,
  options: DefinitionOptions = {},
): DefinitionIn<Format>[] {
  if (!Object.hasOwn(WRITERS, format ?? "")) {
    const formats = Object.keys(WRITERS).join(", ");
    throw new PathgrepError(
      "invalid_input",
      `format must be one of ${formats}, got ${shown(format)}`,
    );
  }
  return ownTools(options.tools).map(({ definition }) =>
    WRITERS[format](definition, options) as DefinitionIn<Format>
  );
}

type DefinitionWriter = (
  definition: ToolDefinition,
  options: DefinitionOptions,
) => Record<string, unknown>;

const WRITERS: Readonly<Record<DefinitionFormat, DefinitionWriter>> = {
  "json-schema": ({ name, description, fields, outputSchema }) => ({
    name,
    description,
    inputSchema: inputSchema(fields),
    outputSchema,
  }),
  mcp: mcpDefinition,
  anthropic: ({ name, description, fields }) => ({
    name,
    description,
    input_schema: inputSchema(fields),
  }),
  openai: ({ name, description, fields }) => ({
    type: "function",
    function: { name, description, strict: false, parameters: inputSchema(fields) },
  }),
  gemini: ({ name, description, fields }) => ({
    name,
    description,
    parameters: geminiSchema(fields),
  }),
};

/** Keys of the input that plain text decides. */
const NOT_IN_TEXT = ["paths", "response_format"];

/** What clients may do with a tool: have it at hand from the start, and keep long answers whole. */
const CLIENT_KEYS = { "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000 };

function mcpDefinition(
  { name, title, description, fields, outputSchema }: ToolDefinition,
  { structured = false, meta = true }: DefinitionOptions,
): Record<string, unknown> {
  const shown = Object.entries(fields).filter(([key]) => structured || !NOT_IN_TEXT.includes(key));
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(Object.fromEntries(shown)),
    ...(structured ? { outputSchema } : {}),
    annotations: { readOnlyHint: true, openWorldHint: false },
    ...(meta ? { _meta: CLIENT_KEYS } : {}),
  };
}

/** Gemini's `Schema` writes types in capitals, and can express neither closed objects nor every length. */
function geminiSchema(fields: Fields): JsonSchema {
  return {
    type: "OBJECT",
    properties: mapFields(fields, (field) => {
      const { minLength: _, maxItems: _1, ...schema } = fieldSchema(field);
      const items = field.type === "array" ? { items: { type: "STRING" } } : {};
      return { ...schema, type: field.type.toUpperCase(), ...items };
    }),
    required: requiredKeys(fields),
  };
}

/**
 * Returns a paragraph on paths for a host's system prompt, about 140 tokens.
 *
 * @example
 * ```ts
 * import { systemPrompt } from "@x/pathgrep";
 *
 * const prompt = `You are a coding agent.\n\n${systemPrompt()}`;
 * ```
 */
export function systemPrompt(): string {
  return `Paths in tool calls: give the full path from the workspace root, relative or absolute. A bare \
file name is ambiguous: files of that name may exist in several directories.
- Relative. RIGHT: "src/utils/paths.ts". WRONG: "paths.ts" (in which directory?).
- Absolute. RIGHT: "<workspace root>/src/utils/paths.ts". WRONG: "/paths.ts" (not below the workspace root).
Search tools take a directory or a file; omit the path to search the whole workspace. File-modifying \
tools want absolute paths: put the workspace root before a relative one. When an error has suggestions, \
use one of them as it is.`;
}
