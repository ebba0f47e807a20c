/**
 * Tool definitions, held against the published rules of each kind of host.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { systemPrompt, toolDefinitions, ToolRegistry, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run_cli.ts";
import { tree } from "../support/acceptance.ts";

type Schema = {
  type?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  additionalProperties?: unknown;
  minimum?: unknown;
  [key: string]: unknown;
};

const GREP_KEYS = [
  "pattern",
  "path",
  "include",
  "exclude",
  "type",
  "output_mode",
  "case_insensitive",
  "fixed_strings",
  "whole_word",
  "multiline",
  "context",
  "before",
  "after",
  "max_results",
  "offset",
  "paths",
];
const KEYS: Record<string, string[]> = {
  grep: GREP_KEYS,
  glob: ["pattern", "path", "max_results", "offset", "paths"],
  resolve_path: ["path", "as"],
};
/** The names that every one of these hosts takes. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/;

function keysOf(schema: Schema): string[] {
  return Object.keys(schema.properties!);
}

Deno.test("json-schema: closed input schemas with the contract's keys, of which one is required", async () => {
  await using t = await tree({});
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  const definitions = toolDefinitions("json-schema");
  assert.deepEqual(definitions.map(({ name }) => name), ["grep", "glob", "resolve_path"]);
  for (const { name, description, inputSchema, outputSchema } of definitions) {
    const schema = inputSchema as Schema;
    const required = name === "resolve_path" ? "path" : "pattern";
    assert.deepEqual(keysOf(schema), KEYS[String(name)]);
    assert.deepEqual(schema.required, [required]);
    assert.equal(schema.additionalProperties, false);
    assert.equal((outputSchema as Schema).type, "object");
    const tool = registry.get(String(name))!;
    assert.deepEqual(tool.inputSchema, inputSchema);
    assert.equal(tool.description, description);
    assert.ok(String(description).length > 20);
    for (const field of Object.values(schema.properties!)) assert.ok(field.description);
  }
});

Deno.test("the description of path is the contract's, in every definition that searches", () => {
  for (const { name, inputSchema } of toolDefinitions("json-schema")) {
    if (name === "resolve_path") continue;
    assert.equal(
      (inputSchema as Schema).properties!["path"]!.description,
      "The path to search within: a directory (searched recursively) or a file (only that file is " +
        "searched). Absolute or relative to the workspace. If omitted, all workspace directories are " +
        "searched.",
    );
  }
});

Deno.test("what an input schema takes, the tool takes, and what it refuses, the tool refuses", async () => {
  await using t = await tree({ "a.ts": "x\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  const values: unknown[] = [
    "x",
    "",
    "content",
    "file",
    "absolute",
    0,
    1,
    2.5,
    -1,
    "1",
    true,
    {},
    [],
  ];
  for (const { name, inputSchema } of toolDefinitions("json-schema")) {
    const schema = fromJsonSchema(inputSchema as Parameters<typeof fromJsonSchema>[0]);
    const keys = [...keysOf(inputSchema as Schema), "unknown"];
    for (const key of keys) {
      for (const value of values) {
        const input = { [name === "resolve_path" ? "path" : "pattern"]: "x", [key]: value };
        const { issues } = await schema["~standard"].validate(input);
        const answer = await registry.execute(String(name), input) as Record<string, unknown>;
        const isRefused = answer["code"] === "invalid_input";
        // To the schema, the name of a file type is any text.
        if (key === "type" && issues === undefined) continue;
        assert.equal(isRefused, issues !== undefined, `${name} ${JSON.stringify([input, answer])}`);
      }
    }
  }
});

Deno.test("mcp: each definition is a Tool of the protocol, read-only, with an object as its output", () => {
  for (const definition of toolDefinitions("mcp")) {
    assert.deepEqual(ToolSchema.parse(definition), definition, "nothing is dropped");
    const { annotations, outputSchema } = definition as Record<string, Schema>;
    assert.equal(annotations!["readOnlyHint"], true);
    assert.equal(annotations!["openWorldHint"], false);
    assert.equal(outputSchema!.type, "object");
  }
});

Deno.test("anthropic: name, description and input_schema, and no other key", () => {
  for (const definition of toolDefinitions("anthropic")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "input_schema"]);
    assert.match(String(definition["name"]), TOOL_NAME);
    const schema = definition["input_schema"] as Schema;
    assert.equal(schema.type, "object");
    for (const combinator of ["oneOf", "allOf", "anyOf"]) assert.ok(!(combinator in schema));
  }
});

Deno.test("openai: strict mode's rules hold: closed, every key required, optional ones nullable", () => {
  // https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas"
  const keywords = ["type", "description", "enum", "minimum"];
  for (const definition of toolDefinitions("openai")) {
    assert.deepEqual(Object.keys(definition), ["type", "function"]);
    assert.equal(definition["type"], "function");
    const { name, description, strict, parameters } = definition["function"] as Schema;
    assert.match(String(name), TOOL_NAME);
    assert.ok(String(description).length <= 1024);
    assert.equal(strict, true);
    const schema = parameters as Schema;
    assert.equal(schema.type, "object");
    assert.equal(schema.additionalProperties, false);
    assert.deepEqual(schema.required, keysOf(schema));
    assert.deepEqual(keysOf(schema), KEYS[String(name)]);
    for (const [key, field] of Object.entries(schema.properties!)) {
      for (const keyword of Object.keys(field)) assert.ok(keywords.includes(keyword), keyword);
      const isRequired = key === (name === "resolve_path" ? "path" : "pattern");
      assert.equal(Array.isArray(field.type) && field.type.includes("null"), !isRequired, key);
      if (field.enum !== undefined) assert.equal(field.enum.includes(null), !isRequired);
    }
  }
});

Deno.test("openai: a call with null for every optional key, as strict mode makes it, is answered", async () => {
  await using t = await tree({ "a.ts": "x\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  for (const definition of toolDefinitions("openai")) {
    const { name, parameters } = definition["function"] as Schema;
    const input = Object.fromEntries(
      Object.entries((parameters as Schema).properties!).map(([key, field]) => [
        key,
        Array.isArray(field.type) ? null : "x",
      ]),
    );
    if (name === "resolve_path") input["path"] = "a.ts";
    const answer = await registry.execute(String(name), input) as Record<string, unknown>;
    assert.equal(answer["error"], undefined, JSON.stringify(answer));
  }
});

Deno.test("gemini: only keywords and types of its Schema, and no additionalProperties", () => {
  // https://ai.google.dev/api/caching#Schema
  const keywords = ["type", "description", "enum", "properties", "required", "minimum"];
  const types = ["STRING", "INTEGER", "BOOLEAN", "OBJECT"];
  const check = (schema: Schema) => {
    for (const keyword of Object.keys(schema)) assert.ok(keywords.includes(keyword), keyword);
    assert.ok(types.includes(String(schema.type)), String(schema.type));
    for (const value of schema.enum ?? []) assert.equal(typeof value, "string");
    Object.values(schema.properties ?? {}).forEach(check);
  };
  for (const definition of toolDefinitions("gemini")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "parameters"]);
    assert.match(String(definition["name"]), TOOL_NAME);
    const schema = definition["parameters"] as Schema;
    check(schema);
    assert.deepEqual(keysOf(schema), KEYS[String(definition["name"])]);
    for (const key of schema.required!) assert.ok(keysOf(schema).includes(key));
  }
});

Deno.test("definitions and prompt are short: in characters, about four of which are a token", () => {
  const sizes = { "json-schema": 6200, mcp: 6700, anthropic: 4000, openai: 4500, gemini: 4000 };
  for (const [format, most] of Object.entries(sizes)) {
    const size = JSON.stringify(toolDefinitions(format as keyof typeof sizes)).length;
    assert.ok(size <= most, `${format}: ${size} characters`);
  }
  assert.ok(systemPrompt().length <= 800, `${systemPrompt().length} characters`);
});

Deno.test("the prompt asks for the full path, with a right and a wrong example of each form", () => {
  const prompt = systemPrompt();
  assert.match(prompt, /full path from the workspace root, relative or absolute/);
  assert.match(prompt, /bare file name is ambiguous/);
  assert.match(prompt, /Relative\. RIGHT: "[^/"][^"]*\/[^"]*"\. WRONG: "[^/"]+"/);
  assert.match(prompt, /Absolute\. RIGHT: ".*\/.*"\. WRONG: "\/[^"]*"/);
  assert.match(prompt, /File-modifying tools want absolute paths/);
});

Deno.test("pathgrep tools writes a JSON array in each format, json-schema by default", async () => {
  const least = { permissions: ["--no-prompt"] };
  for (const format of ["json-schema", "mcp", "anthropic", "openai", "gemini"] as const) {
    const ran = await pathgrep(["tools", "--format", format], least);
    assert.equal(ran.code, 0, ran.stdout);
    assert.deepEqual(ran.json(), toolDefinitions(format));
  }
  assert.deepEqual((await pathgrep(["tools"], least)).json(), toolDefinitions("json-schema"));
  const wrong = await pathgrep(["tools", "--format", "yaml"], least);
  assert.equal(wrong.code, 2);
  assert.match(wrong.json().error, /json-schema, mcp, anthropic, openai or gemini/);
});

Deno.test("pathgrep prompt writes the paragraph", async () => {
  const ran = await pathgrep(["prompt"], { permissions: ["--no-prompt"] });
  assert.equal(ran.code, 0);
  assert.equal(ran.stdout, systemPrompt() + "\n");
});

Deno.test("pathgrep call reads JSON from stdin, answers as the tool does, and needs the workspace only", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const least = { cwd: t.ws, permissions: ["--no-prompt", `--allow-read=${t.ws}`] };
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  const calls: [tool: string, input: object, code: number][] = [
    ["grep", { pattern: "needle" }, 0],
    ["grep", { pattern: "absent" }, 0],
    ["grep", { pattern: "needle", path: "a.tss" }, 2],
    ["glob", { pattern: "*" }, 0],
    ["resolve_path", { path: "a.ts:1" }, 0],
    ["no_such_tool", {}, 2],
  ];
  for (const [tool, input, code] of calls) {
    const ran = await pathgrep(["call", tool], { ...least, stdin: JSON.stringify(input) });
    assert.deepEqual(ran.json(), await registry.execute(tool, input));
    assert.equal(ran.code, code, ran.stdout);
    assert.equal(ran.stderr, "");
  }
  const elsewhere = await pathgrep(["call", "glob", "--workspace", t.ws, "--deny", "*.ts"], {
    permissions: ["-A"],
    stdin: '{"pattern":"*"}',
  });
  assert.deepEqual(elsewhere.json().files, []);
});

Deno.test("pathgrep call without a tool, or with what is no JSON, is invalid_input", async () => {
  await using t = await tree({});
  const wrong: [args: string[], stdin: string, sentence: RegExp][] = [
    [["call"], "{}", /TOOL is missing/],
    [["call", "grep", "glob"], "{}", /call takes one TOOL/],
    [["call", "grep"], "", /standard input must be JSON: it is empty/],
    [["call", "grep"], "pattern=x", /standard input must be JSON: /],
    [["call", "grep"], "[]", /the input must be an object, got \[\]/],
    [["tools", "grep"], "", /tools takes no operands/],
    [["prompt", "x"], "", /prompt takes no operands/],
  ];
  for (const [args, stdin, sentence] of wrong) {
    const ran = await pathgrep(args, { cwd: t.ws, stdin });
    assert.equal(ran.code, 2);
    assert.equal(ran.json().code, "invalid_input");
    assert.match(ran.json().error, sentence);
  }
});
