/**
 * Every published schema of every tool, held against what all hosts accept, and each form of definition
 * against the published rules of its vendor. One property that a vendor does not know fails every request
 * of a session, whichever tool it is about.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { type DefinitionFormat, toolDefinitions } from "../../mod.ts";
import { DEFINITION_FORMATS } from "../../src/query/query_options.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";

interface Schema {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

type Definition = Readonly<Record<string, unknown>>;

/** The definitions of every tool in a format, in each form that it has. */
function definitionsIn(format: DefinitionFormat): Definition[] {
  return [false, true].flatMap((structured) =>
    toolDefinitions(format, { structured, tools: OWN_TOOL_NAMES })
  );
}

/** The schemas of a definition, of input and output, under whatever key it has them. */
function schemasOf(definition: Definition): Schema[] {
  const { inputSchema, outputSchema, input_schema, parameters, function: wrapped } = definition;
  const inner = wrapped === undefined ? [] : schemasOf(wrapped as Definition);
  const own = [inputSchema, outputSchema, input_schema, parameters];
  return [...own.filter((schema) => schema !== undefined) as Schema[], ...inner];
}

/** A schema and all that it is made of, with the way there. */
function* partsOf(schema: Schema, way: string): Generator<[part: Schema, way: string]> {
  yield [schema, way];
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    yield* partsOf(part, `${way}.${key}`);
  }
  // Of read_file's files: names of what is in a directory, or answers.
  const isOfAny = way.endsWith("read_file.files") && isDeepStrictEqual(schema.items, {});
  if (schema.items !== undefined && !isOfAny) yield* partsOf(schema.items, `${way}[]`);
}

/** The keywords that schemas are made of; whatever else a host knows, these are known to all. */
const KEYWORDS = [
  ...["type", "description", "properties", "required", "additionalProperties", "enum", "items"],
  ...["minimum", "maximum", "minLength", "maxItems"],
];
const TYPES = ["string", "integer", "boolean", "object", "array"];

/** What some host would refuse in a schema. */
function faultsIn(schema: Schema, way = ""): string[] {
  return [...partsOf(schema, way)].flatMap(([part, way]) => {
    const { type, items, properties, required = [] } = part;
    const isKnown = typeof type === "string" && TYPES.includes(type.toLowerCase());
    const kind = String(type).toLowerCase();
    return [
      ...(isKnown ? [] : [`${way} has the type ${JSON.stringify(type)}`]),
      ...Object.keys(part).filter((keyword) => !KEYWORDS.includes(keyword))
        .map((keyword) => `${way} has ${keyword}`),
      ...(kind === "array" === (items !== undefined) ? [] : [`${way} and items`]),
      ...(kind === "object" === (properties !== undefined) ? [] : [`${way} and properties`]),
      ...required.filter((key) => properties?.[key] === undefined)
        .map((key) => `${way} requires ${key}`),
      ...(part.enum ?? []).filter((value) => typeof value !== "string" || value === "")
        .map((value) => `${way} has ${JSON.stringify(value)} in enum`),
    ];
  });
}

Deno.test("every schema, in every format and at every depth, is one type and keywords that all hosts know", () => {
  let parts = 0;
  for (const format of DEFINITION_FORMATS) {
    for (const definition of definitionsIn(format)) {
      for (const schema of schemasOf(definition)) {
        assert.deepEqual(faultsIn(schema, `${format} ${definition["name"]}`), []);
        parts += [...partsOf(schema, "")].length;
      }
    }
  }
  assert.ok(parts > 400, `${parts} parts`);
});

Deno.test("a schema that some host refuses is noticed, at every depth", () => {
  const wrong: [part: Schema, fault: string][] = [
    [
      { type: ["string", "array"], items: { type: "string" } },
      '.a has the type ["string","array"]',
    ],
    [{ type: "string", nullable: true }, ".a has nullable"],
    [{ anyOf: [{ type: "string" }] }, ".a has the type undefined"],
    [{ type: "array" }, ".a and items"],
    [{ type: "array", items: { type: "array" } }, ".a[] and items"],
    [{ type: "object" }, ".a and properties"],
    [{ type: "object", properties: {}, required: ["b"] }, ".a requires b"],
    [{ type: "string", enum: ["x", null] }, ".a has null in enum"],
  ];
  for (const [part, fault] of wrong) {
    const faults = faultsIn({ type: "object", properties: { a: part } });
    assert.ok(faults.includes(fault), faults.join());
  }
});

/** How many objects and lists are within one another. */
function depthOf({ properties = {}, items }: Schema): number {
  const parts = [...Object.values(properties), ...items === undefined ? [] : [items]];
  return 1 + Math.max(0, ...parts.map(depthOf));
}

Deno.test("json-schema: closed objects of known keywords, under the names that drafts 7 and 2020-12 share", () => {
  // https://json-schema.org/draft/2020-12/json-schema-validation: `type` is one of seven names, `required`
  // has each name once, and `enum` each value; `maxItems` and `minLength` are not negative.
  for (const definition of definitionsIn("json-schema")) {
    assert.deepEqual(Object.keys(definition), [
      "name",
      "description",
      "inputSchema",
      "outputSchema",
    ]);
    for (const schema of schemasOf(definition)) {
      for (const [part, way] of partsOf(schema, String(definition["name"]))) {
        for (const list of [part.required ?? [], part.enum ?? []]) {
          assert.equal(new Set(list).size, list.length, way);
        }
        for (const limit of [part["maxItems"] ?? 1, part["minLength"] ?? 1]) {
          assert.ok(Number.isInteger(limit) && Number(limit) >= 0, way);
        }
        if (part.type === "object") assert.equal(part["additionalProperties"], false, way);
      }
    }
  }
});

Deno.test("mcp: each definition is a Tool of the protocol, read-only, with an object for input and output", () => {
  // https://modelcontextprotocol.io/specification/2025-11-25/server/tools: a name has 1 to 128 letters,
  // digits, `_`, `-` and `.`; `inputSchema` is a schema of an object, and so is `outputSchema`.
  // https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations: `destructiveHint`
  // and `idempotentHint` say something only of tools that are not read-only.
  // https://modelcontextprotocol.io/specification/2025-11-25/basic#_meta: a key of `_meta` may begin with a
  // prefix and a slash.
  for (const definition of definitionsIn("mcp")) {
    assert.deepEqual(ToolSchema.parse(definition), definition, "nothing is dropped");
    assert.match(String(definition["name"]), /^[A-Za-z0-9_.-]{1,128}$/);
    for (const schema of schemasOf(definition)) assert.equal(schema.type, "object");
    assert.deepEqual(definition["annotations"], { readOnlyHint: true, openWorldHint: false });
    for (const key of Object.keys(definition["_meta"] as object)) {
      assert.match(key, /^[a-z]+\/[A-Za-z]+$/);
    }
  }
  // https://code.claude.com/docs/en/mcp: descriptions of tools are cut at 2 KB, and
  // `anthropic/maxResultSizeChars` counts up to 500,000.
  for (const { description, _meta } of definitionsIn("mcp")) {
    assert.ok(String(description).length <= 2048);
    assert.ok(Number((_meta as Schema)["anthropic/maxResultSizeChars"]) <= 500_000);
  }
});

Deno.test("anthropic: name, description and input_schema, and no combinator at its top", () => {
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools: a name is 1 to 64 letters,
  // digits, `_` and `-`; `input_schema` is a JSON Schema of an object.
  // https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes: no `$ref` anywhere, no
  // `oneOf`, `anyOf` and `allOf` at the top, and names of properties of 1 to 64 letters, digits, `_`, `.`
  // and `-`.
  for (const definition of definitionsIn("anthropic")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "input_schema"]);
    assert.match(String(definition["name"]), /^[a-zA-Z0-9_-]{1,64}$/);
    const schema = definition["input_schema"] as Schema;
    assert.equal(schema.type, "object");
    assert.doesNotMatch(JSON.stringify(schema), /"(?:\$ref|\$defs|oneOf|anyOf|allOf)":/);
    for (const key of Object.keys(schema.properties!)) assert.match(key, /^[a-zA-Z0-9_.-]{1,64}$/);
  }
});

Deno.test("openai: a function that is not strict, so optional keys are neither required nor nullable", () => {
  // https://platform.openai.com/docs/api-reference/chat/create (tools): a function's name has at most 64
  // letters, digits, `_` and `-`; `parameters` is a JSON Schema object; `strict` is false by default.
  // https://platform.openai.com/docs/guides/function-calling#strict-mode: strict mode wants every key
  // required, so that an optional one has to be nullable, a type beside its own.
  // https://platform.openai.com/docs/guides/structured-outputs#supported-schemas: the root is an object,
  // and no `anyOf`; at most 10 levels.
  for (const definition of definitionsIn("openai")) {
    assert.deepEqual(Object.keys(definition), ["type", "function"]);
    assert.equal(definition["type"], "function");
    const { name, description, strict, parameters, ...rest } = definition["function"] as Schema;
    assert.deepEqual(rest, {});
    assert.match(String(name), /^[a-zA-Z0-9_-]{1,64}$/);
    assert.ok(String(description).length <= 1024);
    assert.equal(strict, false);
    const schema = parameters as Schema;
    assert.equal(schema.type, "object");
    assert.ok(depthOf(schema) <= 10);
    assert.deepEqual(schema.required, [
      name === "resolve_path" || name === "read_file" ? "path" : "pattern",
    ]);
    assert.ok(!JSON.stringify(schema).includes("null"));
  }
});

Deno.test("gemini: keywords and types of its Schema alone, in capitals, and no additionalProperties", () => {
  // https://ai.google.dev/api/caching#FunctionDeclaration: a name has at most 63 letters, digits, `_` and
  // `-`, and begins with a letter or `_` (https://firebase.google.com/docs/reference/js/ai.functiondeclaration).
  // https://ai.google.dev/api/caching#Schema: a subset of OpenAPI 3.0's: `type` is one value of an enum;
  // `enum` is of strings; `items` is the schema of an `ARRAY`. `minLength` and `maxItems` are numbers written
  // as text there, so they are left out.
  // https://ai.google.dev/gemini-api/docs/function-calling: `parameters` is an `OBJECT` with properties.
  const keywords = [
    "type",
    "description",
    "enum",
    "properties",
    "required",
    "items",
    "minimum",
    "maximum",
  ];
  const types = TYPES.map((type) => type.toUpperCase());
  for (const definition of definitionsIn("gemini")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "parameters"]);
    assert.match(String(definition["name"]), /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/);
    const schema = definition["parameters"] as Schema;
    assert.equal(schema.type, "OBJECT");
    assert.ok(Object.keys(schema.properties!).length > 0, "an object says what it holds");
    for (const [part, way] of partsOf(schema, String(definition["name"]))) {
      for (const keyword of Object.keys(part)) {
        assert.ok(keywords.includes(keyword), `${way} ${keyword}`);
      }
      assert.ok(types.includes(String(part.type)), `${way} ${part.type}`);
      if (part.enum !== undefined) assert.equal(part.type, "STRING", way);
    }
  }
});
