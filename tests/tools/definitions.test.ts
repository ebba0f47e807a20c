/**
 * Tool definitions, held against the published rules of each kind of host.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  type DefinitionOptions,
  systemPrompt,
  toolDefinitions,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/own_tools.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

type Schema = {
  type?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  additionalProperties?: unknown;
  minimum?: unknown;
  items?: Schema;
  anyOf?: Schema[];
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
  "only_matching",
  "max_count",
  "sort",
  "no_ignore",
  "follow",
  "encoding",
  "search_binary",
  "max_output_chars",
  "response_format",
];
const KEYS: Record<string, string[]> = {
  grep: GREP_KEYS,
  glob: ["pattern", "path", "max_results", "offset", "paths", "max_output_chars"],
  resolve_path: ["path", "as"],
};
/** The names that every one of these hosts takes. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/;

function keysOf(schema: Schema): string[] {
  return Object.keys(schema.properties!);
}

function assertKeys(schema: Schema, tool: unknown): void {
  assert.deepEqual(keysOf(schema).sort(), KEYS[String(tool)]!.toSorted());
}

/** A schema and all that it consists of. */
function* partsOf(schema: Schema): Generator<Schema> {
  yield schema;
  const parts = [...Object.values(schema.properties ?? {}), ...schema.anyOf ?? []];
  for (const part of parts) yield* partsOf(part);
  if (schema.items !== undefined) yield* partsOf(schema.items);
}

/** How many objects and lists stand in one another. */
function depthOf({ properties = {}, items, anyOf = [] }: Schema): number {
  const parts = [...Object.values(properties), ...anyOf, ...items === undefined ? [] : [items]];
  return 1 + Math.max(0, ...parts.map(depthOf));
}

Deno.test("json-schema: closed input schemas with the contract's keys, of which one is required", async () => {
  await using t = await tempTree({});
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const definitions = toolDefinitions("json-schema");
  assert.deepEqual(definitions.map(({ name }) => name), ["grep", "glob"]);
  for (const { name, description, inputSchema, outputSchema } of definitions) {
    const schema = inputSchema as Schema;
    const required = name === "resolve_path" ? "path" : "pattern";
    assertKeys(schema, name);
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

Deno.test("what an input schema takes, the tool takes as it is; what it refuses, the tool refuses or reads with a note", async () => {
  await using t = await tempTree({ "a.ts": "x\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
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
    ["x"],
    ["x", "y"],
    ["x", ""],
    ["x", 1],
    Array(20).fill("x"),
    Array(21).fill("x"),
  ];
  for (const { name, inputSchema } of toolDefinitions("json-schema")) {
    const schema = fromJsonSchema(inputSchema as Parameters<typeof fromJsonSchema>[0]);
    const keys = [...keysOf(inputSchema as Schema), "unknown"];
    for (const key of keys) {
      for (const value of values) {
        const input = { [name === "resolve_path" ? "path" : "pattern"]: "x", [key]: value };
        const { issues } = await schema["~standard"].validate(input);
        const answer = await registry.execute(String(name), input) as Record<string, unknown>;
        // Other notes tell why the answer is empty.
        const isRead = `${answer["notes"]}`.includes(" read as ");
        const isAsGiven = answer["code"] !== "invalid_input" && !isRead;
        // To the schema, the name of a file type or of an encoding is any text.
        if (["type", "encoding"].includes(key) && issues === undefined) continue;
        assert.equal(isAsGiven, issues === undefined, `${name} ${JSON.stringify([input, answer])}`);
      }
    }
  }
});

Deno.test("mcp: each definition is a Tool of the protocol, read-only, and an object where it has an output", () => {
  for (const structured of [false, true]) {
    for (const definition of toolDefinitions("mcp", { structured, tools: OWN_TOOL_NAMES })) {
      assert.deepEqual(ToolSchema.parse(definition), definition, "nothing is dropped");
      const { annotations, outputSchema } = definition as Record<string, Schema>;
      assert.equal(annotations!["readOnlyHint"], true);
      assert.equal(annotations!["openWorldHint"], false);
      assert.equal(outputSchema?.type, structured ? "object" : undefined);
    }
  }
});

Deno.test("mcp: what plain text decides is no key of it, and both keys are read all the same", async () => {
  const keys = (structured: boolean) =>
    toolDefinitions("mcp", { structured }).map(({ inputSchema }) => keysOf(inputSchema as Schema));
  const [grep, glob] = keys(true);
  const decided = ["paths", "response_format"];
  assert.deepEqual(
    keys(false),
    [grep, glob].map((keys) => keys!.filter((key) => !decided.includes(key))),
  );
  assert.ok(decided.every((key) => grep!.includes(key)));
  await using t = await tempTree({ "a.ts": "needle\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const call = { pattern: "needle", paths: "relative", response_format: "concise" };
  const { text } = await registry.execute("grep", call) as { text?: string };
  assert.equal(text, "a.ts\n1:needle\n");
});

Deno.test("mcp: clients are told to load the tools at once and to keep long answers, unless meta is off", () => {
  for (const { _meta } of toolDefinitions("mcp")) {
    assert.deepEqual(_meta, {
      "anthropic/alwaysLoad": true,
      "anthropic/maxResultSizeChars": 500_000,
    });
  }
  for (const definition of toolDefinitions("mcp", { meta: false })) {
    assert.ok(!("_meta" in definition));
  }
  for (const format of ["json-schema", "anthropic", "openai", "gemini"] as const) {
    assert.ok(!JSON.stringify(toolDefinitions(format)).includes("_meta"));
    assert.deepEqual(
      toolDefinitions(format, { meta: false, structured: true }),
      toolDefinitions(format),
    );
  }
});

Deno.test("definitions and registry have the tools that are named, in that order, and else all but resolve_path", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const names = (tools?: readonly string[]) => {
    const listed = ToolRegistry.of({ workspace }, { tools }).list().map(({ name }) => name);
    for (const format of ["json-schema", "mcp", "anthropic", "gemini"] as const) {
      assert.deepEqual(toolDefinitions(format, { tools }).map(({ name }) => name), listed);
    }
    return listed;
  };
  assert.deepEqual(names(), OWN_TOOL_NAMES.filter((name) => name !== "resolve_path"));
  assert.deepEqual(names(["resolve_path", "grep"]), ["resolve_path", "grep"]);
  assert.deepEqual(names(["glob", "glob"]), ["glob"]);
  const known = `the tools are ${OWN_TOOL_NAMES.join(", ")}`;
  for (
    const [tools, message] of [
      [[], "tools is an empty list"],
      [["grep", "Grep"], 'unknown tool "Grep"'],
      [[""], 'unknown tool ""'],
    ] as const
  ) {
    const error = { code: "invalid_input", message, details: { hint: known } };
    assert.throws(() => toolDefinitions("mcp", { tools }), error);
    assert.throws(() => ToolRegistry.of({ workspace }, { tools }), error);
  }
});

Deno.test("a call to a tool of ours that is not offered is one to an unknown tool, with advice", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: ["grep", "glob"],
  });
  assert.deepEqual(await registry.execute("resolve_path", { path: "a.ts" }), {
    error: 'invalid input: unknown tool "resolve_path"; use glob',
    code: "invalid_input",
    hint: "the tools are grep, glob",
  });
});

Deno.test("anthropic: name, description and input_schema, and no other key", () => {
  for (const definition of toolDefinitions("anthropic")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "input_schema"]);
    assert.match(String(definition["name"]), TOOL_NAME);
    const schema = definition["input_schema"] as Schema;
    assert.equal(schema.type, "object");
    for (const combinator of ["oneOf", "allOf", "anyOf"]) assert.ok(!(combinator in schema));
    assertKeys(schema, definition["name"]);
    // The API refuses other names of properties with an error of its own.
    for (const key of keysOf(schema)) assert.match(key, /^[a-zA-Z0-9_.-]{1,64}$/);
  }
});

Deno.test("openai: strict mode's rules hold: closed, every key required, optional ones nullable", () => {
  // https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas"
  const keywords = [
    ...["type", "description", "enum", "properties", "required", "additionalProperties", "anyOf"],
    ...["items", "minItems", "maxItems", "minimum", "maximum"],
  ];
  for (const definition of toolDefinitions("openai")) {
    assert.deepEqual(Object.keys(definition), ["type", "function"]);
    assert.equal(definition["type"], "function");
    const { name, description, strict, parameters } = definition["function"] as Schema;
    assert.match(String(name), TOOL_NAME);
    assert.ok(String(description).length <= 1024);
    assert.equal(strict, true);
    const schema = parameters as Schema;
    assert.equal(schema.type, "object");
    assert.ok(!("anyOf" in schema), "the root is no union");
    assert.ok(depthOf(schema) <= 10);
    assertKeys(schema, name);
    for (const part of partsOf(schema)) {
      for (const keyword of Object.keys(part)) assert.ok(keywords.includes(keyword), keyword);
      if (part.type !== "object") continue;
      assert.equal(part.additionalProperties, false);
      assert.deepEqual(part.required, keysOf(part));
    }
    for (const [key, field] of Object.entries(schema.properties!)) {
      const isRequired = key === (name === "resolve_path" ? "path" : "pattern");
      const types = [field, ...field.anyOf ?? []].flatMap(({ type }) => type);
      assert.equal(types.includes("null"), !isRequired, key);
      if (field.enum !== undefined) assert.equal(field.enum.includes(null), !isRequired);
    }
  }
});

Deno.test("openai: a call with null for every optional key, as strict mode makes it, is answered", async () => {
  await using t = await tempTree({ "a.ts": "x\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  for (const definition of toolDefinitions("openai")) {
    const { name, parameters } = definition["function"] as Schema;
    const input = Object.fromEntries(
      Object.entries((parameters as Schema).properties!).map(([key, field]) => [
        key,
        Array.isArray(field.type) && field.type.includes("null") ? null : "x",
      ]),
    );
    if (name === "resolve_path") input["path"] = "a.ts";
    const answer = await registry.execute(String(name), input) as Record<string, unknown>;
    assert.equal(answer["error"], undefined, JSON.stringify(answer));
  }
});

Deno.test("gemini: only keywords and types of its Schema, and no additionalProperties", () => {
  // https://ai.google.dev/api/caching#Schema
  const keywords = [
    ...["type", "description", "enum", "properties", "required", "nullable", "anyOf"],
    ...["items", "minItems", "maxItems", "minimum", "maximum"],
  ];
  const types = ["STRING", "INTEGER", "BOOLEAN", "OBJECT", "ARRAY"];
  for (const definition of toolDefinitions("gemini")) {
    assert.deepEqual(Object.keys(definition), ["name", "description", "parameters"]);
    assert.match(String(definition["name"]), TOOL_NAME);
    const schema = definition["parameters"] as Schema;
    assertKeys(schema, definition["name"]);
    for (const part of partsOf(schema)) {
      for (const keyword of Object.keys(part)) assert.ok(keywords.includes(keyword), keyword);
      if (part.anyOf === undefined) assert.ok(types.includes(String(part.type)), `${part.type}`);
      if (part.enum !== undefined) assert.equal(part.type, "STRING");
      for (const value of part.enum ?? []) assert.ok(typeof value === "string" && value !== "");
      assert.equal(part.items !== undefined, part.type === "ARRAY");
      if (part.type !== "OBJECT") continue;
      assert.ok(keysOf(part).length > 0, "an object says what it holds");
      for (const key of part.required!) assert.ok(keysOf(part).includes(key));
    }
  }
});

Deno.test("definitions and prompt are short: in characters, about four of which are a token", () => {
  const sizes = { "json-schema": 8200, mcp: 8300, anthropic: 5200, openai: 5800, gemini: 4900 };
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
  const mcp = ["tools", "--format", "mcp"];
  const asked: [args: string[], options: DefinitionOptions][] = [
    [["--structured"], { structured: true }],
    [["--no-meta"], { meta: false }],
    [["--tools", "glob, resolve_path"], { tools: ["glob", "resolve_path"] }],
    [["--tools", "glob", "--tools=grep"], { tools: ["glob", "grep"] }],
  ];
  for (const [args, options] of asked) {
    assert.deepEqual((await pathgrep([...mcp, ...args])).json(), toolDefinitions("mcp", options));
  }
  for (const names of ["read", "grep,,glob", "grep glob"]) {
    const ran = await pathgrep(["tools", "--tools", names]);
    assert.equal(ran.code, 2);
    assert.match(ran.json().error, /unknown tool/);
    assert.match(ran.json().hint, /the tools are grep, glob, .*resolve_path/);
  }
  assert.match((await pathgrep(["tools", "--tools", ""])).json().error, /NAMES that is not empty/);
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
  await using t = await tempTree({ "a.ts": "needle\n" });
  const least = { cwd: t.root, permissions: ["--no-prompt", `--allow-read=${t.root}`] };
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
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
  const elsewhere = await pathgrep(["call", "glob", "--workspace", t.root, "--deny", "*.ts"], {
    permissions: ["-A"],
    stdin: '{"pattern":"*"}',
  });
  assert.deepEqual(elsewhere.json().files, []);
});

Deno.test("pathgrep call without a tool, or with what is no JSON, is invalid_input", async () => {
  await using t = await tempTree({});
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
    const ran = await pathgrep(args, { cwd: t.root, stdin });
    assert.equal(ran.code, 2);
    assert.equal(ran.json().code, "invalid_input");
    assert.match(ran.json().error, sentence);
  }
});
