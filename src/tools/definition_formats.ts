/**
 * Tool definitions as each kind of host wants them, all from one source.
 *
 * @module
 */

import type { ToolDefinition } from "./tool_definition.ts";
import type { DefinitionFormat } from "../search/query_options.ts";
import {
  closedObject,
  type Field,
  type Fields,
  fieldSchema,
  inputSchema,
  type JsonSchema,
  mapFields,
  requiredKeys,
} from "./fields.ts";
import { ownTools } from "./own_tools.ts";

/** Which definitions are wanted, and how much they say. */
export interface DefinitionOptions {
  /** Names of tools, in the order wanted. @default those of `ToolRegistry.of` */
  tools?: readonly string[] | undefined;
  /**
   * In `mcp`: whether answers are structured, as with `pathgrep mcp --structured`, not plain text.
   * @default false
   */
  structured?: boolean | undefined;
  /** In `mcp`: whether `_meta` has keys of clients. @default true */
  meta?: boolean | undefined;
}

/**
 * The definitions of all tools, ready to be sent: about 1170 tokens for Anthropic and Gemini, 1350 for
 * OpenAI, 1900 for MCP, which has output schemas.
 *
 * - `json-schema`: name, description, input and output schema
 * - `mcp`: an entry of `tools/list`
 * - `anthropic`: an entry of `tools` of the Messages API
 * - `openai`: an entry of `tools` of the Chat Completions API, in strict mode
 * - `gemini`: an entry of `functionDeclarations`
 *
 * @example
 * ```ts
 * import { toolDefinitions } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const names = toolDefinitions("anthropic").map((tool) => tool["name"]);
 * assert.deepEqual(names, ["grep", "glob"]);
 * ```
 */
export function toolDefinitions(
  format: DefinitionFormat,
  options: DefinitionOptions = {},
): Record<string, unknown>[] {
  return ownTools(options.tools).map(({ definition }) => WRITERS[format](definition, options));
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
    function: { name, description, strict: true, parameters: strictSchema(fields) },
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
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...(meta ? { _meta: CLIENT_KEYS } : {}),
  };
}

/** OpenAI's strict mode wants every key required: an optional one may be `null`. */
function strictSchema(fields: Fields): JsonSchema {
  const properties = mapFields(fields, (field) => {
    const schema = withoutLengths(field);
    if (field.required) return schema;
    const nullable = { ...schema, type: [schema["type"], "null"].flat() };
    return "choices" in field ? { ...nullable, enum: [...field.choices, null] } : nullable;
  });
  return closedObject(properties, Object.keys(fields));
}

/**
 * Gemini's `Schema` writes its types in capitals and cannot express closed objects. A field has one
 * type, so one that may be a list is a list.
 */
function geminiSchema(fields: Fields): JsonSchema {
  return {
    type: "OBJECT",
    properties: mapFields(fields, (field) => ({
      ...withoutLengths(field),
      ...("maxItems" in field
        ? { type: "ARRAY", items: { type: "STRING" } }
        : { type: field.type.toUpperCase() }),
    })),
    required: requiredKeys(fields),
  };
}

/**
 * Neither of the two accepts lengths of texts and lists or a plain `default`; the check of the
 * input does not need them.
 */
function withoutLengths(field: Field): JsonSchema {
  const { minLength: _, minItems: _1, maxItems: _2, default: _3, ...schema } = fieldSchema(field);
  return "items" in schema ? { ...schema, items: { type: "string" } } : schema;
}
