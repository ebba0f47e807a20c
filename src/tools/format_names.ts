/**
 * The formats of tool definitions, by name.
 *
 * @module
 */

/** Who reads the definitions. */
export type DefinitionFormat = "json-schema" | "mcp" | "anthropic" | "openai" | "gemini";

/** Every format of definitions. */
export const DEFINITION_FORMATS: readonly DefinitionFormat[] = [
  "json-schema",
  "mcp",
  "anthropic",
  "openai",
  "gemini",
];
