/**
 * Tool definitions, held against the published rules of each kind of host.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import {
  type DefinitionOptions,
  systemPrompt,
  toolDefinitions,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
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
  [key: string]: unknown;
};

const GREP_KEYS = [
  "pattern",
  "more_patterns",
  "path",
  "more_paths",
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
  "invert",
  "files_without_match",
  "only_matching",
  "max_count",
  "sort",
  "no_ignore",
  "show_function",
  "follow",
  "everything",
  "encoding",
  "search_binary",
  "max_output_chars",
  "response_format",
];
const KEYS: Record<string, string[]> = {
  grep: GREP_KEYS,
  glob: ["pattern", "path", "max_results", "offset", "paths", "max_output_chars"],
  read_file: [
    "path",
    "more_paths",
    "offset",
    "limit",
    "encoding",
    "outline",
    "everything",
    "max_output_chars",
  ],
  resolve_path: ["path", "as"],
};
/** The tools that cannot do without a path, and have no pattern. */
const OF_PATHS = ["read_file", "resolve_path"];

function keysOf(schema: Schema): string[] {
  return Object.keys(schema.properties!);
}

function assertKeys(schema: Schema, tool: unknown): void {
  assert.deepEqual(keysOf(schema).sort(), KEYS[String(tool)]!.toSorted());
}

Deno.test("json-schema: closed input schemas with the contract's keys, of which one is required", async () => {
  await using t = await tempTree({});
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const definitions = toolDefinitions("json-schema");
  assert.deepEqual(definitions.map(({ name }) => name), ["grep", "glob", "read_file"]);
  for (const { name, description, inputSchema, outputSchema } of definitions) {
    const schema = inputSchema as Schema;
    const required = OF_PATHS.includes(String(name)) ? "path" : "pattern";
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
    if (OF_PATHS.includes(String(name))) continue;
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
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
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
    Array(19).fill("x"),
    Array(20).fill("x"),
    Array(21).fill("x"),
  ];
  const isListRead = (tool: string, key: string) =>
    tool !== "resolve_path" && ["pattern", "path"].includes(key);
  for (
    const { name, inputSchema } of toolDefinitions("json-schema", { tools: OWN_TOOL_NAMES })
  ) {
    const schema = fromJsonSchema(inputSchema as Parameters<typeof fromJsonSchema>[0]);
    const keys = [...keysOf(inputSchema as Schema), "unknown"];
    for (const key of keys) {
      for (const value of values) {
        const path = name === "resolve_path" || key === "more_paths" ? { path: "." } : {};
        const input = {
          ...(name === "resolve_path" ? {} : { pattern: "x" }),
          ...path,
          [key]: value,
        };
        const { issues } = await schema["~standard"].validate(input);
        const answer = await registry.execute(String(name), input) as Record<string, unknown>;
        // Other notes tell why the answer is empty.
        const isRead = `${answer["notes"]}`.includes(" interpreted as ");
        const isAsGiven = answer["code"] !== "invalid_input" && !isRead;
        // A list in place of a text is read without a note.
        if (Array.isArray(value) && isListRead(String(name), key) && isAsGiven) continue;
        // To the schema, the name of a file type or of an encoding is any text.
        if (["type", "encoding"].includes(key) && issues === undefined) continue;
        assert.equal(isAsGiven, issues === undefined, `${name} ${JSON.stringify([input, answer])}`);
      }
    }
  }
});

Deno.test("mcp: what plain text decides is no key of it, and both keys are read all the same", async () => {
  const keys = (structured: boolean) =>
    toolDefinitions("mcp", { structured }).map(({ inputSchema }) => keysOf(inputSchema as Schema));
  const [grep, ...others] = keys(true);
  const decided = ["paths", "response_format"];
  assert.deepEqual(
    keys(false),
    [grep, ...others].map((keys) => keys!.filter((key) => !decided.includes(key))),
  );
  assert.ok(decided.every((key) => grep!.includes(key)));
  await using t = await tempTree({ "a.ts": "needle\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const call = { pattern: "needle", paths: "relative", response_format: "concise" };
  const { text } = await registry.execute("grep", call) as { text?: string };
  assert.equal(text, "a.ts\n1:needle\n");
});

Deno.test("mcp: clients are asked to load the tools at once and to accept long answers, unless meta is off", () => {
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

Deno.test("definitions and prompt are short: in characters, about four of which are a token", () => {
  const sizes = { "json-schema": 15_800, mcp: 5400, anthropic: 5400, openai: 5500, gemini: 5200 };
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
  assert.match((await pathgrep(["tools", "--tools", ""])).json().error, /non-empty NAMES/);
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
