/**
 * What the tools accept: closed schemas, what can be read in one way only, and errors that carry the fix.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { GrepTool, ToolRegistry, Workspace } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { assertErrorShape } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds } from "../support/draw.ts";
import { assertSoon } from "../support/soon.ts";

type Json = Record<string, unknown>;

async function registryOn(root: string): Promise<ToolRegistry> {
  return ToolRegistry.of({ workspace: await Workspace.open(root) }, { tools: OWN_TOOL_NAMES });
}

/** The error that a call must answer, in the form of every error. */
async function refused(registry: ToolRegistry, tool: string, input: unknown): Promise<Json> {
  const answer = await registry.execute(tool, input) as Json;
  assert.equal(answer["code"], "invalid_input", JSON.stringify(answer));
  assertErrorShape(answer);
  return answer;
}

/** A call that is read, and a near neighbour of it that has to be refused. */
interface Slip {
  tool?: string;
  /** What came. */
  input: unknown;
  /** The call that it is read as. */
  as: Json;
  /** What the notes say of it. */
  note: RegExp;
  /** What is refused, and in which words. */
  neighbour: unknown;
  error: RegExp;
}

/** Makes each call and the one that it is read as, and its neighbour. */
async function assertRead(root: string, slips: readonly Slip[]): Promise<void> {
  const registry = await registryOn(root);
  for (const { tool = "grep", input, as, note, neighbour, error } of slips) {
    const { notes, ...answer } = await registry.execute(tool, input) as Json;
    const { notes: _, ...plain } = await registry.execute(tool, as) as Json;
    assert.equal(plain["error"], undefined, JSON.stringify(plain));
    assert.deepEqual(answer, plain, JSON.stringify(input));
    assert.match(String(notes), note);
    const { describe } = registry.get(tool)!;
    assert.equal(
      describe.call(registry.get(tool), input),
      describe.call(registry.get(tool), as),
    );
    assert.match(String((await refused(registry, tool, neighbour))["error"]), error);
  }
}

/** A call of `grep` with a key. */
const needle = (more: Json): Json => ({ pattern: "needle", ...more });

/** What `grep` finds differs by each of its keys. */
const WORLD = {
  "a.ts": "needle\nneedles Needle\n",
  "b.js": "the needle (x)\nneedle\n",
  "src/c.md": "needle\n",
  "docs/d.md": "a\nneedle\nb\n",
  "dist/e.ts": "needle\n",
  ".gitignore": "dist\n",
};

Deno.test("null on an optional key means absent, and nothing else does", async () => {
  await using t = await tempTree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.root);
  let count = 0;
  for (const { name, inputSchema } of registry.list()) {
    const { properties, required } = inputSchema as { properties: Json; required: [string] };
    const [first] = required;
    const call = { [first]: first === "path" ? "a.ts" : "needle" };
    const plain = await registry.execute(name, call);
    const keys = [...Object.keys(properties).filter((key) => key !== first)];
    if (name === "glob") keys.push("more_patterns", "more_paths");
    const nulls = Object.fromEntries(keys.map((key) => [key, null]));
    assert.deepEqual(await registry.execute(name, { ...call, ...nulls }), plain);
    for (const key of keys) {
      assert.deepEqual(await registry.execute(name, { ...call, [key]: undefined }), plain);
    }
    const { error } = await refused(registry, name, { [first]: null });
    assert.ok(String(error).startsWith(`invalid input: ${first} is missing`), `${error}`);
    count += keys.length;
  }
  assert.ok(count >= 30);
});

Deno.test("blank path and blank globs mean everything, as when they are omitted", async () => {
  await using t = await tempTree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.root);
  const plain = await registry.execute("grep", { pattern: "needle" });
  const blank = { path: " ", include: "", exclude: "", type: " " };
  assert.deepEqual(await registry.execute("grep", { pattern: "needle", ...blank }), plain);
});

Deno.test("a value is read where it can mean one thing only, and not where it can mean two", async () => {
  await using t = await tempTree(WORLD);
  const read = (key: string, given: unknown, value: unknown, other: unknown, error: RegExp) => ({
    input: needle({ [key]: given }),
    as: needle(value === undefined ? {} : { [key]: value }),
    note: new RegExp(`^${key} .* was interpreted as ${value === undefined ? "absent" : ""}`),
    neighbour: needle({ [key]: other }),
    error,
  });
  const whole = /max_results must be a whole number from 1, got /;
  const truth = /case_insensitive must be true or false, got /;
  const mode = /output_mode must be one of content, file, count, values, got /;
  await assertRead(t.root, [
    read("max_results", "2", 2, "-1", whole),
    read("max_results", "2 ", 2, "2 files", whole),
    read("max_results", "2.0", 2, "2.5", whole),
    read("max_results", "+2", 2, "-2", whole),
    read("max_results", '"2"', 2, "two", whole),
    read("max_results", [2], 2, [2, 3], whole),
    read("max_results", ["2"], 2, [], whole),
    read("max_results", "null", undefined, "nothing", whole),
    read("max_results", "None", undefined, "-", whole),
    read("max_results", "none", undefined, "0x2", whole),
    read("max_results", "2", 2, true, whole),
    read("max_results", "2", 2, 2.5, whole),
    read("max_results", "2", 2, "1e3", whole),
    read("max_results", "2", 2, "1,000", whole),
    read("case_insensitive", "true", true, "maybe", truth),
    read("case_insensitive", "True", true, "t", truth),
    read("case_insensitive", " yes ", true, "y/n", truth),
    read("case_insensitive", "false", false, "insensitive", truth),
    read("case_insensitive", 1, true, 2, truth),
    read("case_insensitive", [true], true, [true, false], truth),
    read("case_insensitive", "undefined", undefined, {}, truth),
    read(
      "output_mode",
      "files_with_matches",
      "file",
      "files_without_match",
      /one of content, file, count, values, got .* \(send files_without_match: true\)$/,
    ),
    read("output_mode", "filesWithMatches", "file", "contnet", /\(use content\)$/),
    read("output_mode", "COUNT", "count", "count:true", mode),
    read("output_mode", " file\n", "file", "files and lines", mode),
    read("output_mode", "", undefined, "-", mode),
    read("max_results", " ", undefined, "_", whole),
    read("output_mode", ["count"], "count", ["count", "file"], mode),
    read("output_mode", "null", undefined, "json", mode),
    read("sort", "mtime", "modified", "size", /sort must be one of path, modified, none/),
    read("paths", "rel", "relative", "src", /\(a directory or a file goes into path\)$/),
    read("include", '["*.ts", "*.md"]', "*.ts,*.md", ["*.ts", ["*.md"]], /include must be/),
    read("include", ["*.ts"], "*.ts", [5], /include must be a string, got \[5\]/),
    read("include", ["*.ts", "*.md"], "*.ts,*.md", ["a,b.ts", "*.md"], /include must be a string/),
    read("exclude", ["*.{ts,js}"], "*.{ts,js}", ["*.ts", ""], /exclude must be a string, got/),
    read("exclude", [""], undefined, [{}], /exclude must be a string, got/),
    read("include", [], undefined, [[]], /include must be a string, got/),
    read("type", ["ts", "js"], "ts,js", ["ts", "no such"], /no such/),
    read("type", ["ts"], "ts", { name: "ts" }, /type must be a string, got/),
  ]);
  const registry = await registryOn(t.root);
  const wrong: [key: string, value: unknown, sentence: RegExp][] = [
    ["path", 5, /path must be a string.*, got 5$/],
    ["pattern", "", /pattern is empty; it must be a non-empty string.*/],
    ["pattern", 5, /pattern must be a non-empty string.*.*, got 5$/],
    ["pattern", { regex: "x" }, /pattern must be a non-empty string.*, got \{"regex":"x"\}$/],
    ["offset", -1, /offset must be a whole number from 0, got -1$/],
  ];
  for (const [key, value, sentence] of wrong) {
    const { error } = await refused(registry, "grep", needle({ [key]: value }));
    assert.match(String(error), sentence);
  }
});

Deno.test("quotes around a whole glob are none of a name, and quotes in it are", async () => {
  await using t = await tempTree({ ...WORLD, '"odd".txt': "needle\n" });
  const registry = await registryOn(t.root);
  const quoted: [tool: string, key: string, given: string, read: string][] = [
    ["grep", "include", '"*.ts"', "*.ts"],
    ["grep", "exclude", " '*.ts' ", "*.ts"],
    ["glob", "pattern", "`src/*`", "src/*"],
  ];
  for (const [tool, key, given, read] of quoted) {
    const call = { pattern: "needle" };
    const { notes, ...answer } = await registry.execute(tool, { ...call, [key]: given }) as Json;
    assert.match(String(notes), new RegExp(`^${key} .* was interpreted as `));
    assert.deepEqual(answer, await registry.execute(tool, { ...call, [key]: read }));
  }
  const odd = await registry.execute("glob", { pattern: '"odd".*' }) as Json;
  assert.deepEqual([odd["count"], odd["notes"]], [1, undefined]);
});

Deno.test("paths in paths are read as path, and a line break ends a pattern of one line", async () => {
  await using t = await tempTree(WORLD);
  await assertRead(t.root, [
    {
      input: needle({ paths: ["src"] }),
      as: needle({ path: "src" }),
      note: /"paths" was interpreted as path/,
      neighbour: needle({ paths: ["relative"], path: "src", offset: -1 }),
      error: /offset must be/,
    },
    {
      input: needle({ paths: ["src"] }),
      as: needle({ path: "src" }),
      note: /"paths" was interpreted as path/,
      neighbour: needle({ paths: ["src"], path: "docs" }),
      error: /"paths" with the value .* means path, which "path" gives as "docs"/,
    },
    ...["\n", "\r\n"].map((end) => ({
      input: { pattern: `needle${end}` },
      as: { pattern: "needle" },
      note: /pattern was interpreted without the line break at its end/,
      neighbour: { pattern: "" },
      error: /pattern is empty/,
    })),
  ]);
  const registry = await registryOn(t.root);
  const spanning = await registry.execute("grep", { pattern: "the\n", multiline: true }) as Json;
  assert.deepEqual([spanning["count"], spanning["pattern"]], [0, "the\n"]);
  const two = await registry.execute("grep", { pattern: "a\nneedle\n" }) as Json;
  assert.equal(two["pattern"], "a\nneedle\n");
});

Deno.test("what a model puts where it has nothing to say counts as absent, and its neighbours do not", async () => {
  await using t = await tempTree({ ...WORLD, "none": "needle\n" });
  const absent = (more: Json, neighbour: Json, error: RegExp): Slip => ({
    input: needle(more),
    as: needle({}),
    note: / was interpreted as (?:encoding )?absent/,
    neighbour: needle(neighbour),
    error,
  });
  await assertRead(t.root, [
    absent({ unknown: null }, { unknown: {} }, /unknown key "unknown" with the value \{\}/),
    absent({ unknown: "" }, { unknown: "null" }, /unknown key "unknown"/),
    absent({ unknown: [] }, { unknown: [""] }, /unknown key "unknown"/),
    absent({ cursor: "", page: null }, { cursor: "1" }, /unknown key "cursor".*use offset/),
    absent({ query: "" }, { query: "hay" }, /means pattern/),
    absent({ max_count: 0 }, { max_count: -1 }, /max_count must be/),
    absent({ max_output_chars: "0" }, { max_output_chars: 1 }, /max_output_chars must be/),
    absent({ type: "null" }, { type: "nul" }, /unknown file type 'nul'/),
    absent({ type: ["none"] }, { type: ["ts", "none"] }, /unknown file type 'none'/),
    absent({ encoding: "None" }, { encoding: "no" }, /encoding must be a label/),
    absent({ charset: "undefined" }, { charset: "nil-8" }, /encoding must be a label/),
    absent({ more_paths: "null" }, { more_paths: [null] }, /more_paths has null as item 1/),
    absent({ more_patterns: "null" }, { more_patterns: [""] }, /more_patterns has "" as item 1/),
  ]);
  const registry = await registryOn(t.root);
  const plain = await registry.execute("grep", needle({})) as Json;
  for (const include of ["null", ["undefined"], '"null"']) {
    for (const path of [undefined, "", "null"]) {
      const { notes, ...answer } = await registry.execute(
        "grep",
        needle({ include, path }),
      ) as Json;
      assert.match(String(notes), /include ".*" was interpreted as absent: no file has that name/);
      assert.deepEqual(answer, plain);
    }
  }
  const named = await registry.execute("grep", needle({ include: "none", paths: "rel" })) as Json;
  assert.deepEqual((named["matches"] as Json[]).map(({ file }) => file), ["none"]);
  const both = await registry.execute("grep", needle({ path: ["src", "null"] })) as Json;
  assert.deepEqual([both["count"], both["notes"]], [1, ['path "null" was interpreted as absent']]);
});

Deno.test("a glob, several paths and a null are read where only that can be meant", async () => {
  await using t = await tempTree({
    ...WORLD,
    ".netrc": "needle\n",
  });
  const registry = await registryOn(t.root);
  const read: [path: string, as: Json][] = [
    ["src/*.md", { include: "src/*.md" }],
    ["*.md", { include: "*.md" }],
    ["**/*.{ts,md}", { include: "**/*.{ts,md}" }],
    ["src, docs", { path: ["src", "docs"] }],
    ["src docs/d.md", { path: ["src", "docs/d.md"] }],
    ['["src", "docs"]', { path: ["src", "docs"] }],
    ["null", {}],
    ["None", {}],
    ["undefined", {}],
  ];
  for (const [path, as] of read) {
    const { notes, ...answer } = await registry.execute("grep", needle({ path })) as Json;
    assert.match(String(notes), /^path ".*" was (?:read|interpreted) /, path);
    assert.deepEqual(answer, await registry.execute("grep", needle(as)), path);
  }
  const absolute = await registry.execute("grep", needle({ path: `${t.root}/src/*.md` })) as Json;
  assert.deepEqual([absolute["count"], absolute["base_path"]], [1, t.root]);
  const refusals: [tool: string, input: Json][] = [
    ...[
      ...["src/c.md#top", "src/c.md:first", "[c.md](c.txt)", "<src/x.md>", "c/src/c.md", "~"],
      ...["nil/x", "src docs none", "src,.netrc", "my%2 notes", "${HOME}/src", "*.c,*.md"],
      ...["../*.md", "src/{a,b", "src/*.md,docs/*.md", "no"],
    ].map((path) => ["grep", needle({ path })] as [string, Json]),
    ["resolve_path", { path: "null" }],
    ["resolve_path", { path: "<src>", as: "dir" }],
  ];
  for (const [tool, input] of refusals) {
    const answer = await registry.execute(tool, input) as Json;
    assert.match(String(answer["code"]), /^path_/, JSON.stringify([input, answer]));
    assert.equal(answer["notes"], undefined);
  }
  await t.write({ "docs/null": "needle\n", "more/null": "needle\n" });
  const ambiguous = await registry.execute("grep", needle({ path: "null" })) as Json;
  assert.equal(ambiguous["code"], "path_not_found");
});

Deno.test("text that looks like a number, a flag or a null is text where text is wanted", async () => {
  await using t = await tempTree({ "a.txt": "null true 10 undefined\n", "null": "10\n" });
  const registry = await registryOn(t.root);
  for (const pattern of ["null", "true", "10", "undefined"]) {
    const answer = await registry.execute("grep", { pattern, include: "a.txt" }) as Json;
    assert.deepEqual([answer["count"], answer["notes"]], [1, undefined]);
  }
  const named = await registry.execute("grep", { pattern: "10", path: "null" }) as Json;
  assert.deepEqual([named["base_path"], named["notes"]], [t.path("null"), undefined]);
  const listed = await registry.execute("glob", { pattern: "null" }) as Json;
  assert.deepEqual(listed["files"], [t.path("null")]);
});

Deno.test("a max_results of 0 is no limit, as on the command line, whatever it is called", async () => {
  const lines = Array.from({ length: 1500 }, (_, n) => `needle ${n}\n`).join("");
  await using t = await tempTree({ "a.txt": lines, "b.txt": "needle\n" });
  const wide = { max_output_chars: 1_000_000, paths: "relative" };
  await assertRead(t.root, [
    ...[{ max_results: 0 }, { max_results: "0" }, { head_limit: [0] }, { limit: "0.0" }].map((
      zero,
    ) => ({
      input: needle({ ...wide, ...zero }),
      as: needle({ ...wide, max_results: 1_000_000 }),
      note: /no limit$/,
      neighbour: needle({ max_results: -1 }),
      error: /max_results must be a whole number from 1, got -1/,
    })),
    {
      tool: "glob",
      input: { pattern: "*.txt", limit: 0 },
      as: { pattern: "*.txt" },
      note: /"limit" was interpreted as max_results no limit$/,
      neighbour: { pattern: "*.txt", limit: 0, max_results: 1 },
      error: /"limit" with the value 0 means max_results, which "max_results" gives as 1/,
    },
    {
      input: needle({ path: "b.txt", limit: 0 }),
      as: needle({ path: "b.txt" }),
      note: /no limit$/,
      neighbour: needle({ path: "b.txt", limit: false }),
      error: /must be a whole number from 1, got false/,
    },
  ]);
  const registry = await registryOn(t.root);
  const all = await registry.execute("grep", needle({ ...wide, max_results: 0 })) as Json;
  assert.equal(all["count"], 1501);
  const page = await registry.execute("grep", needle({ max_results: 0, offset: 100 })) as Json;
  assert.equal(page["truncated"], true);
  assert.equal(page["total"], 1501);
});

Deno.test("an input is read out of its JSON, a list of one and what is wrapped around it", async () => {
  await using t = await tempTree(WORLD);
  const call = { pattern: "needle", path: "src" };
  const json = JSON.stringify(call);
  const slip = (input: unknown, note: RegExp, neighbour: unknown, error: RegExp): Slip => ({
    input,
    as: call,
    note,
    neighbour,
    error,
  });
  const text = /the input was parsed from a string of JSON/;
  const notObject = /the input must be an object, got /;
  const unknown = /unknown key "/;
  await assertRead(t.root, [
    slip(json, text, '"needle"', notObject),
    slip(` \n${json}\n`, text, json.slice(0, -1), notObject),
    slip("```json\n" + json + "\n```", text, "```sh\nneedle\n```", notObject),
    slip("```\n" + json + "\n```", text, `Call it with ${json}`, notObject),
    slip(JSON.stringify(json), text, JSON.stringify("needle"), notObject),
    slip([call], /from a list of one/, [call, call], notObject),
    slip(`[${json}]`, /from a list of one/, `[${json},${json}]`, notObject),
    slip([call], /from a list of one/, ["needle"], notObject),
    {
      ...slip("needle", /the input was interpreted as pattern/, "5", notObject),
      as: { pattern: "needle" },
    },
    {
      ...slip("a.ts", /the input was interpreted as path/, "null", notObject),
      tool: "resolve_path",
      as: { path: "a.ts" },
    },
    slip({ arguments: call }, /from its key "arguments"/, { arguments: call, path: "." }, unknown),
    slip({ input: json }, /from its key "input"/, { input: "needle" }, unknown),
    slip({ parameters: call }, /from its key "parameters"/, { options: call }, unknown),
    slip({ params: { args: call } }, /"params".*"args"/, { params: call, args: call }, unknown),
    slip({ name: "grep", arguments: json }, /"arguments"/, {
      name: "read_file",
      arguments: json,
    }, unknown),
    slip(
      { type: "function", function: { name: "grep", arguments: json }, id: "call_1" },
      /"function".*"arguments"/,
      { type: "ts", function: { name: "grep", arguments: json } },
      unknown,
    ),
    slip({ tool: "functions.grep", input: call }, /"input"/, { tool: 5, input: call }, unknown),
  ]);
  const registry = await registryOn(t.root);
  for (const input of [undefined, null, 5, true, [], () => {}, "5", "null", "[]", "```\n```"]) {
    assert.match(String((await refused(registry, "grep", input))["error"]), notObject);
  }
  let deep: unknown = call;
  for (let level = 0; level < 1000; level++) deep = { input: deep };
  await refused(registry, "grep", deep);
  const advice: [input: unknown, advice: string][] = [
    ['{"pattern":"x"', "send the object itself, not its JSON text"],
    ["5", "send an object with pattern"],
    [[{ pattern: "needle" }, {}], "send one object per call"],
  ];
  for (const [input, said] of advice) {
    const { error } = await refused(registry, "grep", input);
    assert.ok(String(error).endsWith(`(${said})`), `${error}`);
  }
});

Deno.test("a missing pattern is an error that names it, and all problems are named at once", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
  for (const tool of ["grep", "glob"]) {
    assert.match(String((await refused(registry, tool, {}))["error"]), /pattern is missing/);
  }
  const { error } = await refused(registry, "resolve_path", {});
  assert.match(String(error), /path is missing/);
  const all = await refused(registry, "grep", { files: "*.ts", max_results: "x", multiline: "y" });
  for (const part of [/use include/, /pattern is missing/, /max_results must/, /multiline must/]) {
    assert.match(String(all["error"]), part);
  }
  assert.equal(all["hint"], undefined, "each says what to send");
});

Deno.test("another tool's key is read as ours where ours is absent, and contradicts it where it is not", async () => {
  await using t = await tempTree(WORLD);
  const keys: [key: string, ours: string, value: unknown, other: unknown][] = [
    ["glob", "include", "*.ts", "*.md"],
    ["include_pattern", "include", "*.ts", "*.md"],
    ["-g", "include", "*.ts", "*.md"],
    ["excludePattern", "exclude", "*.ts", "*.md"],
    ["head_limit", "max_results", 2, 3],
    ["limit", "max_results", 2, 3],
    ["maxResults", "max_results", 2, 3],
    ["max-results", "max_results", 2, 3],
    ["MaxResults", "max_results", 2, 3],
    ["--max-results", "max_results", 2, 3],
    ["-m", "max_count", 1, 2],
    ["max_matches_per_file", "max_count", 1, 2],
    ["dir_path", "path", "src", "docs"],
    ["directory", "path", "src", "docs"],
    ["filePath", "path", "src/c.md", "docs"],
    ["SearchPath", "path", "src", "docs"],
    ["-i", "case_insensitive", true, false],
    ["ignoreCase", "case_insensitive", true, false],
    ["case-insensitive", "case_insensitive", true, false],
    ["-A", "after", 1, 2],
    ["-B", "before", 1, 2],
    ["-C", "context", 1, 2],
    ["context_lines", "context", 1, 2],
    ["-o", "only_matching", true, false],
    ["-v", "invert", true, false],
    ["invert_match", "invert", true, false],
    ["--invert-match", "invert", true, false],
    ["-L", "files_without_match", true, false],
    ["--files-without-match", "files_without_match", true, false],
    ["filesWithoutMatch", "files_without_match", true, false],
    ["excludeGlobs", "exclude", "*.ts", "*.md"],
    ["paths", "path", ["src", "docs"], "src"],
    ["outputMode", "output_mode", "file", "count"],
    ["mode", "output_mode", "count", "file"],
    ["literal", "fixed_strings", true, false],
    ["-w", "whole_word", true, false],
    ["skip", "offset", 1, 2],
    ["includeIgnoredFiles", "no_ignore", true, false],
    ["file_type", "type", "ts", "js"],
  ];
  await assertRead(
    t.root,
    keys.map(([key, ours, value, other]) => ({
      input: needle({ [key]: value }),
      as: needle({ [ours]: value }),
      note: new RegExp(`^"${key}" was interpreted as ${ours}$`),
      neighbour: needle({ [key]: value, [ours]: other }),
      error: new RegExp(`"${key}" with the value .* means ${ours}, which "${ours}" gives as `),
    })),
  );
  const lists: Slip[] = [["grep", "patterns"], ["grep", "queries"], ["glob", "patterns"]].map((
    [tool, key],
  ) => ({
    tool: tool!,
    input: { [key!]: ["needle", "*.ts"].slice(tool === "glob" ? 1 : 0, tool === "glob" ? 2 : 1) },
    as: { pattern: tool === "glob" ? "*.ts" : "needle" },
    note: new RegExp(`^"${key}" was interpreted as pattern`),
    neighbour: { [key!]: ["needle"], pattern: ["needle", "hay"] },
    error: new RegExp(`"${key}" with the value .* means pattern, which "pattern" gives as `),
  }));
  const patterns: Slip[] = ["query", "regex", "Pattern", "search_pattern", "search_query"].map((
    key,
  ) => ({
    input: { [key]: "needle" },
    as: { pattern: "needle" },
    note: new RegExp(`"${key}" was interpreted as pattern`),
    neighbour: { [key]: "needle", pattern: "other" },
    error: /means pattern, which "pattern" gives as "other"/,
  }));
  const globs: Slip[] = ["include", "glob_pattern", "filePattern", "query", "searchQuery"].map((
    key,
  ) => ({
    tool: "glob",
    input: { [key]: "*.ts" },
    as: { pattern: "*.ts" },
    note: new RegExp(`"${key}" was interpreted as pattern`),
    neighbour: { regex: ".*\\.ts" },
    error: /unknown key "regex"/,
  }));
  const path: Slip = {
    tool: "resolve_path",
    input: { file_path: "a.ts" },
    as: { path: "a.ts" },
    note: /"file_path" was interpreted as path/,
    neighbour: { file_path: "a.ts", path: "b.js" },
    error: /means path, which "path" gives as "b.js"/,
  };
  await assertRead(t.root, [...lists, ...patterns, ...globs, path]);
});

Deno.test("what is given twice in the same way contradicts nothing, and two other keys may contradict each other", async () => {
  await using t = await tempTree(WORLD);
  const registry = await registryOn(t.root);
  const plain = await registry.execute("grep", needle({ include: "*.ts", max_results: 2 })) as Json;
  for (
    const more of [
      { glob: "*.ts", include: "*.ts", max_results: 2, head_limit: "2" },
      { glob: "*.ts", include: null, max_results: 2, limit: null },
      { glob: "*.ts", include: " ", maxResults: "2", head_limit: 2 },
      { glob: ["*.ts"], includes: "*.ts", max_results: [2], limit: 2 },
    ]
  ) {
    const { notes, ...answer } = await registry.execute("grep", needle(more)) as Json;
    assert.ok((notes as string[]).length > 0);
    assert.deepEqual(answer, plain);
  }
  const contrary: [more: Json, error: RegExp][] = [
    [{ glob: "*.ts", includes: "*.md" }, /"includes" .* means include, which "glob" gives as/],
    [{ limit: 1, head_limit: 2 }, /"head_limit" .* means max_results, which "limit" gives as 1/],
    [{ case_sensitive: true, "-i": true }, /"-i" .* means case_insensitive, which "case_sens/],
    [{ "-l": true, output_mode: "count" }, /"-l" .* means output_mode, which .* gives as "count"/],
    [{ "-l": false, output_mode: "file" }, /"-l" .* means output_mode, which .* gives as "file"/],
    [{ regex: "other" }, /unknown key|means pattern/],
  ];
  for (const [more, error] of contrary) {
    assert.match(String((await refused(registry, "grep", needle(more)))["error"]), error);
  }
});

Deno.test("a flag of another tool is read as the value of ours that it means", async () => {
  await using t = await tempTree(WORLD);
  const flag = (more: Json, as: Json, note: RegExp, neighbour: Json, error: RegExp): Slip => ({
    input: needle(more),
    as: needle(as),
    note,
    neighbour: needle(neighbour),
    error,
  });
  await assertRead(t.root, [
    flag({ case_sensitive: false }, { case_insensitive: true }, /as case_insensitive true$/, {
      case_sensitive: "smart",
    }, /omit it, or use case_insensitive/),
    flag({ caseSensitive: true }, {}, /as case_insensitive false$/, { case: true }, /unknown key/),
    flag({ isRegex: "false" }, { fixed_strings: true }, /as fixed_strings true$/, {
      isRegex: "partly",
    }, /unknown key "isRegex"/),
    flag({ regex: true }, {}, /as fixed_strings false$/, { regex: 1 }, /unknown key "regex"/),
    flag({ "-l": true }, { output_mode: "file" }, /as output_mode "file"$/, {
      "-l": "a",
    }, /unknown key "-l"/),
    flag({ names_only: false }, {}, /as output_mode absent$/, { "-L": "src" }, /-L.* must be true/),
    flag({ "-c": true }, { output_mode: "count" }, /as output_mode "count"$/, {
      count: true,
    }, /unknown key "count"/),
    flag({ respect_git_ignore: false }, { no_ignore: true }, /as no_ignore true$/, {
      respect_git_ignore: "some",
    }, /unknown key "respect_git_ignore"/),
    flag({ "-n": true }, {}, /^"-n" was ignored: every line has its number$/, {
      "-n": 5,
    }, /omit it: every line/),
    flag({ dot: true }, {}, /^"dot" was ignored: hidden files are searched$/, {
      dot: false,
    }, /omit it: hidden files are searched/),
    flag({ recursive: true }, {}, /^"recursive" was ignored: directories are/, {
      recursive: false,
    }, /omit it: directories are searched recursively/),
    flag({ explanation: "to see" }, {}, /^"explanation" was ignored: it is a comment$/, {
      explanations: "to see",
    }, /unknown key "explanations"/),
    {
      tool: "glob",
      input: { pattern: "*.ts", case_sensitive: true, respect_git_ignore: true },
      as: { pattern: "*.ts" },
      note: /"case_sensitive" was ignored: that is the default,"respect_git_ignore" was ignored/,
      neighbour: { pattern: "*.ts", case_sensitive: false },
      error: /unknown key "case_sensitive"/,
    },
  ]);
});

Deno.test("keys and values that may mean two things are answered with those of ours that may be meant", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
  const keys: [tool: string, key: string, value: unknown, ours: string][] = [
    ["grep", "filter", "*.ts", "include"],
    ["grep", "files", "a.ts", "include"],
    ["grep", "text", "x", "pattern"],
    ["grep", "ignore", "dist", "exclude"],
    ["grep", "exclude_dir", "dist", "exclude"],
    ["grep", "page", 2, "offset, the number of entries to skip, and max_results"],
    ["glob", "page", 2, "offset, the number of entries to skip, and max_results"],
    ["read_file", "page", 2, "offset, the first line, and limit"],
    ["read_file", "end", 2, "end_line"],
    ["grep", "dotall", true, "multiline, and begin the pattern with (?s)"],
    ["grep", "page_size", 5, "max_results"],
    ["grep", "max_matches", 2, "max_results"],
    ["grep", "filename", "a.ts", "path"],
    ["glob", "name", "a.ts", "pattern"],
    ["resolve_path", "kind", "file", "as"],
  ];
  for (const [tool, key, value, ours] of keys) {
    const { error } = await refused(registry, tool, { pattern: "x", path: ".", [key]: value });
    assert.ok(
      String(error).includes(
        `unknown key "${key}" with the value ${JSON.stringify(value)} (use ${ours})`,
      ),
      `${error}`,
    );
  }
  const values: [tool: string, key: string, value: string, ours: string][] = [
    ["grep", "output_mode", "list", "file"],
    ["grep", "output_mode", "contnet", "content"],
    ["grep", "paths", "full", "absolute"],
    ["resolve_path", "as", "write", "project"],
  ];
  for (const [tool, key, value, ours] of values) {
    const { error } = await refused(registry, tool, { pattern: "x", path: ".", [key]: value });
    assert.ok(String(error).includes(`got "${value}" (use ${ours})`), `${error}`);
  }
});

Deno.test("an error speaks of the key that came, and keeps the notes", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
  const { error } = await refused(registry, "grep", needle({ head_limit: "many" }));
  assert.match(
    String(error),
    /"head_limit", interpreted as max_results, must be a whole number from 1, got "many"$/,
  );
  const missing = await registry.execute("grep", { query: "x", path: "absent" }) as Json;
  assert.equal(missing["code"], "path_not_found");
  assert.deepEqual(missing["notes"], ['"query" was interpreted as pattern']);
});

Deno.test("a misspelt key is answered with the nearest one, and a strange one with the list", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
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
  const strange = await refused(registry, "grep", { pattern: "x", deadline: "soon" });
  assert.match(String(strange["error"]), /unknown key "deadline" with the value "soon"$/);
  const hint = String(strange["hint"]);
  assert.match(hint, /^required: pattern; optional: more_patterns, path, more_paths, include, /);
  const beside = await refused(registry, "grep", { pattern: "x", deadline: "soon", files: "*.ts" });
  assert.equal(beside["hint"], hint);
  const glob = await refused(registry, "glob", { pattern: "x", deadline: "soon" });
  assert.doesNotMatch(String(glob["hint"]), /more_/);
});

Deno.test("keys of every object's prototype are unknown keys like any other", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const input = JSON.parse(`{"pattern":"x","${key}":{"path":"/etc"}}`);
    const { error } = await refused(registry, "grep", input);
    assert.ok(String(error).includes(`unknown key "${key}"`), `${error}`);
  }
});

Deno.test("a tool is called by the name that it has for a host, and by those of its twins", async () => {
  await using t = await tempTree(WORLD);
  const registry = await registryOn(t.root);
  const names: [name: string, ours: string, neighbour: string][] = [
    ["Grep", "grep", "grepp"],
    ["functions.grep", "grep", "shell.grep"],
    ["mcp__pathgrep__grep", "grep", "mcp__other__grep"],
    ["default_api:grep", "grep", "api:grep"],
    ["search_file_content", "grep", "search_files"],
    ["ripgrep", "grep", "codebase_search"],
    ["Glob", "glob", "find_files"],
    ["glob_file_search", "glob", "file_search"],
  ];
  const call = { pattern: "*.ts" };
  for (const [name, ours, neighbour] of names) {
    const input = ours === "grep" ? needle({}) : call;
    const { notes, ...answer } = await registry.execute(name, input) as Json;
    assert.deepEqual(notes, [`the tool "${name}" was interpreted as ${ours}`]);
    assert.deepEqual(answer, await registry.execute(ours, input));
    const { error } = await refused(registry, neighbour, input);
    assert.match(String(error), new RegExp(`unknown tool .*; use ${ours}$`));
  }
  const resolved = await registry.execute("resolvePath", { path: "a.ts" }) as Json;
  assert.equal(resolved["path"], t.path("a.ts"));
  await using u = await tempTree({ "Grep.txt": "" });
  const own = await registryOn(u.root);
  own.register({
    name: "ripgrep",
    description: "another one",
    inputSchema: {},
    describe: () => "",
    execute: () => Promise.resolve({ own: true }),
  });
  assert.deepEqual(await own.execute("ripgrep", {}), { own: true });
});

Deno.test("an unknown tool is an error that names ours", async () => {
  await using t = await tempTree({});
  const registry = await registryOn(t.root);
  const names = {
    search_files: "grep",
    grepp: "grep",
    find_files: "glob",
    "shell.grep": "grep",
    "mcp__files__resolve_path": "resolve_path",
  };
  for (const [name, ours] of Object.entries(names)) {
    const { error, hint } = await refused(registry, name, {});
    assert.ok(
      String(error).endsWith(`(use ${ours})`) || String(error).endsWith(`use ${ours}`),
      `${error}`,
    );
    assert.equal(hint, "the tools are grep, glob, read_file, resolve_path");
  }
  for (const name of ["", "constructor", "frobnicate"]) await refused(registry, name, {});
});

Deno.test("no input makes a tool throw, nor describing it", async (context) => {
  await using t = await tempTree({ "a.ts": "needle\n" });
  const registry = await registryOn(t.root);
  const keys = fc.constantFrom("pattern", "path", "include", "max_results", "as", "x", "__proto__");
  const values = fc.oneof(
    fc.constantFrom<unknown>("needle", "a.ts", "../x", "a\0b", "[", "(", "", "\ud800", -1, 1e308),
    fc.anything(),
  );
  const inputs = fc.oneof(fc.anything(), fc.dictionary(keys, values));
  await assertHolds(
    context,
    fc.asyncProperty(
      fc.constantFrom("grep", "glob", "read_file", "resolve_path"),
      inputs,
      async (name, input) => {
        assert.equal(typeof registry.get(name)!.describe(input), "string");
        const answer = await registry.execute(name, input) as Json;
        if ("error" in answer) assertErrorShape(answer);
      },
    ),
    { numRuns: 300 },
  );
  const fails = () => {
    throw new TypeError("a getter");
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const hostile = [
    Object.defineProperty({}, "pattern", { get: fails, enumerable: true }),
    Object.defineProperty({}, "max_output_chars", { get: fails, enumerable: true }),
    new Proxy({ pattern: "needle" }, { get: fails }),
    new Proxy({ pattern: "needle" }, { ownKeys: fails }),
    revoked.proxy,
  ];
  for (const { name } of registry.list()) {
    const tool = registry.get(name)!;
    for (const [index, input] of hostile.entries()) {
      assert.equal(typeof tool.describe(input), "string");
      assert.ok("error" in await tool.execute(input), `${name} ${index}`);
    }
    assert.ok("error" in await tool.execute({ pattern: "x", path: "." }, null as never), name);
  }
});

Deno.test("a call with more text than a server plans in passing is refused, whichever key holds it", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const registry = await registryOn(t.root);
  const long = "x|".repeat(20_000);
  for (
    const [tool, input] of [
      ["grep", { pattern: `${long}needle` }],
      ["grep", { pattern: "needle", include: `{${long.replaceAll("|", ",")}}` }],
      ["grep", { pattern: Array.from({ length: 20 }, () => "x".repeat(2001)) }],
      ["grep", { pattern: "needle", path: ["x", "y"].map((name) => name.repeat(20_000)) }],
      ["glob", { pattern: `${long}*` }],
      ["read_file", { path: "x".repeat(40_001) }],
      ["resolve_path", { path: "x".repeat(40_001) }],
    ] as const
  ) {
    const { error } = await refused(registry, tool, input);
    assert.match(String(error), /characters of text; at most 40000 are accepted$/);
  }
  const answer = await registry.execute("grep", {
    pattern: `${"x|".repeat(19_000)}needle`,
  }) as Json;
  assert.equal(answer["count"], 1);
});

Deno.test("a call with countless keys, or with endless ones, is refused at once", async () => {
  await using t = await tempTree({});
  const tool = new GrepTool({ workspace: await Workspace.open(t.root) });
  const many = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`maxR${index}`, 1]),
  );
  for (const input of [{ pattern: "x", ...many }, { pattern: "x", ["aB".repeat(2_000_000)]: 1 }]) {
    const started = performance.now();
    const answer = await tool.execute(input) as { code: string; error: string };
    assert.equal(answer.code, "invalid_input");
    assert.match(answer.error, /more than 100 keys/);
    assertSoon(started);
  }
});
