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
import { GLOB } from "./glob_tool.ts";
import { GREP } from "./grep_tool.ts";
import { RESOLVE_PATH } from "./resolve_path_tool.ts";

const DEFINITIONS: readonly ToolDefinition[] = [GREP, GLOB, RESOLVE_PATH];

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
 * assert.deepEqual(names, ["grep", "glob", "resolve_path"]);
 * ```
 */
export function toolDefinitions(format: DefinitionFormat): Record<string, unknown>[] {
  return DEFINITIONS.map((definition) => WRITERS[format](definition));
}

const WRITERS: Readonly<
  Record<DefinitionFormat, (definition: ToolDefinition) => Record<string, unknown>>
> = {
  "json-schema": ({ name, description, fields, outputSchema }) => ({
    name,
    description,
    inputSchema: inputSchema(fields),
    outputSchema,
  }),
  mcp: ({ name, title, description, fields, outputSchema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(fields),
    outputSchema,
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }),
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
