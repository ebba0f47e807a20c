/**
 * What the tools accept: closed schemas, nothing coerced, and errors that carry the fix.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { assertErrorShape, tree } from "../support/acceptance.ts";

type Json = Record<string, unknown>;

async function registryOn(root: string): Promise<ToolRegistry> {
  return ToolRegistry.of({ workspace: await Workspace.open(root) });
}

/** The error that a call must answer, in the form of every error. */
async function refused(registry: ToolRegistry, tool: string, input: unknown): Promise<Json> {
  const answer = await registry.execute(tool, input) as Json;
  assert.equal(answer["code"], "invalid_input", JSON.stringify(answer));
  assertErrorShape(answer);
  return answer;
}

Deno.test("null on an optional key means absent, and nothing else does", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.ws);
  const plain = await registry.execute("grep", { pattern: "needle" });
  const keys = Object.keys(
    (registry.get("grep")!.inputSchema as { properties: Json }).properties,
  ).filter((key) => key !== "pattern");
  assert.equal(keys.length, 15);
  const nulls = Object.fromEntries(keys.map((key) => [key, null]));
  assert.deepEqual(await registry.execute("grep", { pattern: "needle", ...nulls }), plain);
  for (const key of keys) {
    assert.deepEqual(
      await registry.execute("grep", { pattern: "needle", [key]: undefined }),
      plain,
    );
  }
  const missing = await refused(registry, "grep", { pattern: null });
  assert.match(String(missing["error"]), /pattern is missing/);
});

Deno.test("blank path and blank globs mean everything, as when they are left out", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.ws);
  const plain = await registry.execute("grep", { pattern: "needle" });
  const blank = { path: " ", include: "", exclude: "", type: " " };
  assert.deepEqual(await registry.execute("grep", { pattern: "needle", ...blank }), plain);
});

Deno.test("no value is coerced: each wrong type names the key, what came and what is accepted", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.ws);
  const wrong: [key: string, value: unknown, sentence: RegExp][] = [
    ["max_results", "10", /max_results must be a whole number from 1, got "10" \(send 10 without/],
    ["max_results", 0, /max_results must be a whole number from 1, got 0$/],
    ["max_results", 1.5, /max_results must be a whole number from 1, got 1\.5$/],
    ["offset", -1, /offset must be a whole number from 0, got -1$/],
    ["context", true, /context must be a whole number from 0, got true$/],
    ["case_insensitive", "true", /case_insensitive must be true or false, got "true" \(send true/],
    ["case_insensitive", 1, /case_insensitive must be true or false, got 1 \(send true\)$/],
    ["case_insensitive", "no", /case_insensitive must be true or false, got "no" \(send false w/],
    ["max_results", "10.0", /max_results must be a whole number from 1, got "10\.0" \(send 10 w/],
    ["max_results", "0", /max_results must be a whole number from 1, got "0"$/],
    [
      "output_mode",
      "lines",
      /output_mode must be one of content, file, count, got "lines" \(use c/,
    ],
    ["output_mode", "", /output_mode must be one of content, file, count, got ""$/],
    ["paths", "abs", /paths must be one of absolute, relative, got "abs" \(use absolute\)$/],
    ["include", ["*.ts", "*.js"], /include must be a string, got .* \(send "\*\.ts,\*\.js"\)$/],
    [
      "paths",
      ["src"],
      /paths must be one of absolute, relative, got .* \(a directory or a file goes/,
    ],
    ["pattern", ["a", "b"], /pattern must be a string .*, got .* \(send "a\|b"\)$/],
    ["path", ["src"], /path must be a string, got .* \(send "src"\)$/],
    ["path", ["src", "docs"], /path must be a string, got .* \(send one of them per call\)$/],
    ["path", 5, /path must be a string, got 5$/],
    ["pattern", "", /pattern is empty; it must be a string that is not empty$/],
    ["pattern", 5, /pattern must be a string that is not empty, got 5$/],
    ["pattern", { regex: "x" }, /pattern must be a string that is not empty, got \{"regex":"x"\}$/],
  ];
  for (const [key, value, sentence] of wrong) {
    const { error } = await refused(registry, "grep", { pattern: "needle", [key]: value });
    assert.match(String(error), sentence);
  }
});

Deno.test("what is not an object is refused, and its JSON text is told apart", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  for (const input of [undefined, null, 5, true, [], ["needle"], () => {}]) {
    const { error } = await refused(registry, "grep", input);
    assert.match(String(error), /the input must be an object, got /);
  }
  const advice: [input: unknown, advice: string][] = [
    ['{"pattern":"x"}', "send the object itself, not its JSON text"],
    ["needle", 'send {"pattern":"needle"}'],
    [[{ pattern: "needle" }], "send one object per call"],
  ];
  for (const [input, said] of advice) {
    const { error } = await refused(registry, "grep", input);
    assert.ok(String(error).endsWith(`(${said})`), `${error}`);
  }
});

Deno.test("a missing pattern is an error that names it, and all problems are named at once", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  for (const tool of ["grep", "glob"]) {
    assert.match(String((await refused(registry, tool, {}))["error"]), /pattern is missing/);
  }
  const { error } = await refused(registry, "resolve_path", {});
  assert.match(String(error), /path is missing/);
  const all = await refused(registry, "grep", { glob: "*.ts", max_results: "5", multiline: "no" });
  for (const part of [/use include/, /pattern is missing/, /max_results must/, /multiline must/]) {
    assert.match(String(all["error"]), part);
  }
  assert.match(String(all["hint"]), /^required: pattern; optional: path, include, /);
});

Deno.test("keys known from other tools are answered with ours, and never taken", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.ws);
  const foreign: Record<string, string> = {
    glob: "include",
    head_limit: "max_results",
    dir_path: "path",
    "-i": "case_insensitive",
    "-A": "after",
    "-B": "before",
    "-C": "context",
    ignore_case: "case_insensitive",
    query: "pattern",
    regex: "pattern",
    file_path: "path",
    directory: "path",
    include_pattern: "include",
    limit: "max_results",
    maxResults: "max_results",
    outputMode: "output_mode",
    mode: "output_mode",
    literal: "fixed_strings",
    context_lines: "context",
    skip: "offset",
    Pattern: "pattern",
    "case-insensitive": "case_insensitive",
  };
  for (const [key, ours] of Object.entries(foreign)) {
    const { error } = await refused(registry, "grep", { pattern: "needle", [key]: 1 });
    assert.ok(
      String(error).includes(`unknown key "${key}" with the value 1 (use ${ours})`),
      `${error}`,
    );
  }
  for (const key of ["include", "name", "glob_pattern"]) {
    const { error } = await refused(registry, "glob", { [key]: "*.ts" });
    assert.match(String(error), /\(use pattern\)/);
  }
});

Deno.test("flags known from other tools are answered with our key and the value that means the same", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  const foreign: [key: string, value: unknown, advice: string][] = [
    ["-n", true, "leave it out: every line has its number"],
    ["recursive", true, "leave it out: directories are searched recursively"],
    ["case_sensitive", true, "use case_insensitive with the value false"],
    ["caseSensitive", false, "use case_insensitive with the value true"],
    ["is_regex", false, "use fixed_strings with the value true"],
    ["-l", true, 'use output_mode with the value "file"'],
    ["-c", true, 'use output_mode with the value "count"'],
    ["-l", false, "leave it out, or use output_mode"],
    ["relative_paths", true, 'use paths with the value "relative"'],
    ["input", { pattern: "x" }, "send what is in it as the input itself"],
    ["arguments", '{"pattern":"x"}', "send what is in it as the input itself"],
  ];
  for (const [key, value, advice] of foreign) {
    const { error } = await refused(registry, "grep", { [key]: value });
    assert.ok(String(error).includes(` (${advice}); pattern is missing`), `${error}`);
  }
});

Deno.test("values known from other tools are answered with ours", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  const foreign: [tool: string, key: string, value: string, ours: string][] = [
    ["grep", "output_mode", "files_with_matches", "file"],
    ["grep", "output_mode", "files", "file"],
    ["grep", "output_mode", "File", "file"],
    ["grep", "output_mode", "count_matches", "count"],
    ["grep", "output_mode", "contnet", "content"],
    ["grep", "paths", "full", "absolute"],
    ["resolve_path", "as", "directory", "dir"],
  ];
  for (const [tool, key, value, ours] of foreign) {
    const { error } = await refused(registry, tool, { pattern: "x", path: ".", [key]: value });
    assert.ok(String(error).includes(`got "${value}" (use ${ours})`), `${error}`);
  }
});

Deno.test("a misspelt key is answered with the nearest one, and a strange one with the list", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  const slips = {
    patern: "pattern",
    inclde: "include",
    max_result: "max_results",
    ouput_mode: "output_mode",
    case_insensitve: "case_insensitive",
  };
  for (const [slip, key] of Object.entries(slips)) {
    const { error } = await refused(registry, "grep", { pattern: "x", [slip]: "x" });
    assert.ok(String(error).includes(`(did you mean ${key}?)`), `${error}`);
  }
  const strange = await refused(registry, "grep", { pattern: "x", explanation: "to see" });
  assert.match(String(strange["error"]), /unknown key "explanation" with the value "to see"$/);
  assert.match(String(strange["hint"]), /optional: path, include/);
});

Deno.test("keys of every object's prototype are unknown keys like any other", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const input = JSON.parse(`{"pattern":"x","${key}":{"path":"/etc"}}`);
    const { error } = await refused(registry, "grep", input);
    assert.ok(String(error).includes(`unknown key "${key}"`), `${error}`);
  }
});

Deno.test("an unknown tool is an error that names ours", async () => {
  await using t = await tree({});
  const registry = await registryOn(t.ws);
  const names = {
    search_file_content: "grep",
    Grep: "grep",
    grepp: "grep",
    ripgrep: "grep",
    find_files: "glob",
    Glob: "glob",
    resolvePath: "resolve_path",
    "functions.grep": "grep",
    "mcp__pathgrep__resolve_path": "resolve_path",
    "default_api:glob": "glob",
  };
  for (const [name, ours] of Object.entries(names)) {
    const { error, hint } = await refused(registry, name, {});
    assert.ok(
      String(error).endsWith(`(use ${ours})`) || String(error).endsWith(`use ${ours}`),
      `${error}`,
    );
    assert.equal(hint, "the tools are grep, glob, resolve_path");
  }
  for (const name of ["", "constructor", "frobnicate"]) await refused(registry, name, {});
});

Deno.test("no input makes a tool throw, nor describing it", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.ws);
  const keys = fc.constantFrom("pattern", "path", "include", "max_results", "as", "x", "__proto__");
  const values = fc.oneof(
    fc.constantFrom<unknown>("needle", "a.ts", "../x", "a\0b", "[", "(", "", "\ud800", -1, 1e308),
    fc.anything(),
  );
  const inputs = fc.oneof(fc.anything(), fc.dictionary(keys, values));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("grep", "glob", "resolve_path"),
      inputs,
      async (name, input) => {
        assert.equal(typeof registry.get(name)!.describe(input), "string");
        const answer = await registry.execute(name, input) as Json;
        if ("error" in answer) assertErrorShape(answer);
      },
    ),
    { numRuns: 300 },
  );
  const hostile = {
    get pattern(): string {
      throw new TypeError("a getter");
    },
  };
  for (const { name } of registry.list()) {
    assert.equal(typeof registry.get(name)!.describe(hostile), "string");
    assert.ok("error" in await registry.execute(name, hostile));
  }
});
