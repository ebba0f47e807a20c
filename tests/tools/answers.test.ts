/**
 * What the tools answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import {
  GlobTool,
  GrepTool,
  ResolvePathTool,
  search,
  Searcher,
  type Tool,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { assertErrorShape, assertResultShape } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

type Json = Record<string, unknown>;

async function call(tool: Tool, input: unknown): Promise<Json> {
  const answer = await tool.execute(input) as Json;
  if ("error" in answer) assertErrorShape(answer);
  return answer;
}

Deno.test("grep answers what the library's search answers, key for key, and its scope", async () => {
  await using t = await tempTree({
    "src/a.ts": "one\nTwo words\nthree\n",
    "src/b.js": "Two (2)\nword\n",
    "docs/c.md": "two\n",
  });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const pairs: [input: Json, query: Parameters<typeof search>[0]][] = [
    [{ pattern: "Two" }, { pattern: "Two" }],
    [{ pattern: "two", case_insensitive: true }, { pattern: "two", caseInsensitive: true }],
    [{ pattern: "(2)", fixed_strings: true }, { pattern: "(2)", fixedStrings: true }],
    [{ pattern: "word", whole_word: true }, { pattern: "word", wholeWord: true }],
    [{ pattern: "one\\nTwo", multiline: true }, { pattern: "one\\nTwo", multiline: true }],
    [{ pattern: "Two", context: 1 }, { pattern: "Two", context: 1 }],
    [{ pattern: "Two", before: 1, after: 2 }, { pattern: "Two", before: 1, after: 2 }],
    [{ pattern: "o", path: "src", include: "*.ts" }, {
      pattern: "o",
      path: "src",
      include: "*.ts",
    }],
    [{ pattern: "o", exclude: "*.md" }, { pattern: "o", exclude: "*.md" }],
    [{ pattern: "o", type: "js" }, { pattern: "o", type: "js" }],
    [{ pattern: "o", output_mode: "file" }, { pattern: "o", outputMode: "file" }],
    [{ pattern: "o", output_mode: "count" }, { pattern: "o", outputMode: "count" }],
    [{ pattern: "o", paths: "relative" }, { pattern: "o", paths: "relative" }],
    [{ pattern: "o", max_results: 2 }, { pattern: "o", maxResults: 2, onOverflow: "truncate" }],
    [{ pattern: "o", offset: 1 }, { pattern: "o", offset: 1 }],
  ];
  for (const [input, query] of pairs) {
    const answer = await call(grep, input);
    assertResultShape(answer);
    const { scope, ...others } = answer;
    assert.ok(scope);
    assert.deepEqual(others, await search(query, { workspace }), JSON.stringify(input));
  }
});

Deno.test("max_results or offset means to truncate and page, and the pages are the whole", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(7), "b.txt": "x\n" });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const whole = await tools.execute("grep", { pattern: "x" }) as { matches: unknown[] };
  const joined: unknown[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = await tools.execute("grep", { pattern: "x", max_results: 3, offset }) as {
      matches: unknown[];
      truncated?: boolean;
      next_offset?: number;
    };
    assert.equal(page.truncated === true, page.next_offset !== undefined);
    joined.push(...page.matches);
    offset = page.next_offset;
  }
  assert.deepEqual(joined, whole.matches);
  const first = await tools.execute("glob", { pattern: "*", max_results: 1 }) as Json;
  assert.deepEqual(first["files"], [t.path("a.txt")]);
  assert.equal(first["next_offset"], 1);
  const second = await tools.execute("glob", { pattern: "*", offset: 1 }) as Json;
  assert.deepEqual(second["files"], [t.path("b.txt")]);
});

test.slow("without a page more than 1000 entries are an error whose hint names the keys to page by", async () => {
  const files = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`d/${n}.txt`, "x\n"]));
  await using t = await tempTree(files);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  for (const [name, input] of [["grep", { pattern: "x" }], ["glob", { pattern: "*" }]] as const) {
    const answer = await tools.execute(name, input) as Json;
    assert.equal(answer["code"], "search_too_broad");
    assert.match(String(answer["error"]), /found more than 1000 matches/);
    assert.match(String(answer["hint"]), /max_results/);
    assert.match(String(answer["hint"]), /offset/);
    const whole = { ...input, offset: 0, max_output_chars: 1_000_000 };
    const page = await tools.execute(name, whole) as Json;
    assert.deepEqual([page["count"], page["next_offset"]], [1000, 1000]);
  }
});

Deno.test("glob lists files by name at any depth, or by path, in file-mode shape", async () => {
  await using t = await tempTree({
    "src/a.ts": "",
    "src/deep/b.ts": "",
    "src/deep/c.test.ts": "",
    "d.md": "",
    "ignored.ts": "",
    ".env": "",
    ".gitignore": "ignored.ts\n",
  });
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const cases: [input: Json, files: string[]][] = [
    [{ pattern: "*.ts" }, ["src/a.ts", "src/deep/b.ts", "src/deep/c.test.ts"]],
    [{ pattern: "src/*.ts" }, ["src/a.ts"]],
    [{ pattern: "*.ts,*.md,!*.test.ts" }, ["d.md", "src/a.ts", "src/deep/b.ts"]],
    [{ pattern: "*.ts", path: "src/deep" }, ["src/deep/b.ts", "src/deep/c.test.ts"]],
    [{ pattern: "**/*.{md,rs}" }, ["d.md"]],
    [{ pattern: "a.ts", path: "src/a.ts" }, ["src/a.ts"]],
    [{ pattern: "b.ts", path: "src/a.ts" }, []],
    [{ pattern: ".env*" }, []],
  ];
  for (const [input, files] of cases) {
    const answer = await call(glob, input);
    assertResultShape(answer);
    assert.deepEqual(answer["files"], files.map((file) => t.path(file)), JSON.stringify(input));
    assert.equal(answer["pattern"], input["pattern"]);
    assert.equal(answer["output_mode"], "file");
  }
  const relative = await call(glob, { pattern: "d.*", paths: "relative" });
  assert.deepEqual(relative["files"], ["d.md"]);
});

Deno.test("an absolute glob in the workspace is read from its root, with a note", async () => {
  await using t = await tempTree({ "src/a.ts": "", "../other/b.ts": "" });
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const answer = await call(glob, { pattern: `${t.root}/src/**/*.ts` });
  assertResultShape(answer);
  assert.deepEqual(answer["files"], [t.path("src/a.ts")]);
  assert.equal(answer["pattern"], `${t.root}/src/**/*.ts`);
  assert.deepEqual(answer["notes"], [
    `pattern '${t.root}/src/**/*.ts' was interpreted as 'src/**/*.ts' in ${t.root}`,
  ]);
  const outside = await call(glob, { pattern: `${t.base}/other/*.ts` });
  assert.deepEqual(outside["files"], []);
});

Deno.test("resolve_path answers the canonical path, its kind, and notes on what was read differently", async () => {
  await using t = await tempTree({ "src/a.ts": "", "link": { symlink: "src" } });
  const tool = new ResolvePathTool({ workspace: await Workspace.open(t.root) });
  const cases: [input: Json, path: string, kind: string, relative: string][] = [
    [{ path: "src/a.ts" }, "src/a.ts", "file", "src/a.ts"],
    [{ path: "link/" }, "src", "directory", "src"],
    [{ path: " src/a.ts\n", as: "file" }, "src/a.ts", "file", "src/a.ts"],
    [{ path: "src", as: "dir" }, "src", "directory", "src"],
    [{ path: "src/new.ts", as: "project" }, "src/new.ts", "file", "src/new.ts"],
    [{ path: "" }, "", "all-workspaces", "."],
  ];
  for (const [input, path, kind, relative] of cases) {
    const answer = await call(tool, input);
    assert.deepEqual(answer, { input: input["path"], path: t.path(path), kind, relative });
    assert.deepEqual(Object.keys(answer), ["input", "path", "kind", "relative"]);
  }
  const repaired = await call(tool, { path: "'src/a.ts:3'" });
  assert.equal(repaired["path"], t.path("src/a.ts"));
  assert.equal((repaired["notes"] as string[]).length, 1);
  const codes: [input: Json, code: string][] = [
    [{ path: "A.ts" }, "path_not_found"],
    [{ path: "../x" }, "path_outside_workspace"],
    [{ path: ".env" }, "permission_denied_by_policy"],
    [{ path: "src/a.ts", as: "dir" }, "path_unsupported"],
    [{ path: " ", as: "dir" }, "path_empty"],
    [{ path: "../x", as: "project" }, "path_outside_workspace"],
  ];
  for (const [input, code] of codes) {
    assert.equal((await call(tool, input))["code"], code, JSON.stringify(input));
  }
  const directory = await tool.execute({ path: "src", as: "file" }) as Json;
  assert.equal(directory["code"], "path_unsupported");
  assert.match(String(directory["error"]), /Path is not a file: /);
  assert.deepEqual((await call(tool, { path: "A.ts" }))["suggestions"], ["src/a.ts"]);
});

Deno.test("every answer fits the tool's output schema", async () => {
  await using t = await tempTree({ "a.txt": `x\n${"y".repeat(3000)}x\n`, "b/c.txt": "x" });
  const workspace = await Workspace.open(t.root);
  const inputs: [tool: string, inputs: Json[]][] = [
    [
      "grep",
      ["content", "file", "count"].flatMap((output_mode) => [
        { pattern: "x", output_mode },
        { pattern: "x", output_mode, max_results: 1, paths: "relative" },
        { pattern: "none", output_mode, path: "@a.txt", include: "*.md" },
        { pattern: "x", output_mode, context: 2, multiline: true },
      ]),
    ],
    ["glob", [{ pattern: "*" }, { pattern: "none" }, { pattern: "*", max_results: 1 }]],
    ["read_file", [{ path: "a.txt:1" }, { path: "a.txt", limit: 1 }, {
      path: "a.txt",
      offset: 99,
    }]],
    ["resolve_path", [{ path: "a.txt:1" }, { path: "" }, { path: "new", as: "project" }]],
  ];
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  for (const [name, list] of inputs) {
    const tool = tools.get(name) as GrepTool;
    const schema = fromJsonSchema(tool.outputSchema as Parameters<typeof fromJsonSchema>[0]);
    for (const input of list) {
      const answer = await tool.execute(input) as Json;
      assert.equal(answer["error"], undefined);
      const result = await schema["~standard"].validate(answer);
      assert.deepEqual(result.issues, undefined, JSON.stringify([input, answer]));
      const extra = await schema["~standard"].validate({ ...answer, surprise: 1 });
      assert.notEqual(extra.issues, undefined, "the schema is closed");
    }
  }
});

Deno.test("describe says what a call would do, with the path as it is in the workspace", async () => {
  await using t = await tempTree({ "src/a.ts": "", "src/deep/": null });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  const cases: [tool: string, input: unknown, said: string][] = [
    ["grep", { pattern: "pattern", path: "src/a.ts" }, "'pattern' in src/a.ts"],
    [
      "grep",
      { pattern: "pattern", path: t.path("src/a.ts"), include: "*.md" },
      "'pattern' in src/a.ts",
    ],
    ["grep", { pattern: "pattern", path: "@src/a.ts:3" }, "'pattern' in src/a.ts"],
    ["grep", { pattern: "TODO", path: "./src/" }, "'TODO' in src"],
    ["grep", { pattern: "TODO", path: "src", include: "*.ts" }, "'TODO' in src (*.ts)"],
    ["grep", { pattern: "TODO" }, "'TODO' in the workspace"],
    ["grep", { pattern: "TODO", path: "absent" }, "'TODO' in absent"],
    ["grep", { pattern: "TODO", path: "../../etc" }, "'TODO' in ../../etc"],
    ["grep", { pattern: "a\nb\x1b[2J\u202e" }, "'a\\nb\\x1b[2J\\u202e' in the workspace"],
    ["glob", { pattern: "*.ts", path: "src" }, "'*.ts' in src"],
    ["resolve_path", { path: "src/a.ts" }, "resolve src/a.ts"],
  ];
  for (const [name, input, said] of cases) assert.equal(tools.get(name)!.describe(input), said);
});

Deno.test("an aborted signal ends a call as cancelled, before it begins or while it runs", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`d${n % 9}/${n}.txt`, "hay hay\n".repeat(300)]),
  );
  await using t = await tempTree(files);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  for (const { name } of tools.list()) {
    const isSearch = name === "grep" || name === "glob";
    const input = isSearch ? { pattern: "*", path: "." } : { path: "." };
    const answer = await tools.execute(name, input, { signal: AbortSignal.abort() }) as Json;
    assert.equal(answer["code"], "cancelled");
    assert.equal(answer["error"], "cancelled");
  }
  const ender = new AbortController();
  const running = tools.execute("grep", { pattern: "h.*z" }, {
    signal: ender.signal,
    onProgress: () => ender.abort(),
  });
  assert.equal((await running as Json)["code"], "cancelled");
});

Deno.test("a tool searches with the searcher it is given, within the limits it is given", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "b.secret": "x\n", ".env": "x\n" });
  const workspace = await Workspace.open(t.root);
  await using searcher = new Searcher({ workspace });
  let searches = 0;
  const grep = new GrepTool({
    workspace,
    allow: [".env"],
    deny: ["*.secret"],
    searcher: {
      search(query, options) {
        searches++;
        return searcher.search(query, options);
      },
    },
  });
  const answer = await call(grep, { pattern: "x", output_mode: "file" });
  assert.deepEqual(answer["files"], [t.path(".env"), t.path("a.txt")]);
  assert.equal(searches, 1);
});

Deno.test("a registry keeps tools by name, refuses a second one, and shields the caller from a tool that throws", async () => {
  await using t = await tempTree({});
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  const shell: Tool = {
    name: "shell",
    description: "Run a command.",
    inputSchema: { type: "object" },
    describe: () => "run a command",
    execute: () => Promise.reject(new Error("no shell here")),
  };
  registry.register(shell);
  assert.equal(registry.get("shell"), shell);
  assert.equal(registry.get("none"), undefined);
  assert.deepEqual(registry.list().map(({ name }) => name), [
    "grep",
    "glob",
    "read_file",
    "resolve_path",
    "shell",
  ]);
  assert.throws(() => registry.register(shell), { code: "invalid_input" });
  assert.deepEqual(await registry.execute("shell", {}), {
    error: "search failed: no shell here",
    code: "search_failed",
  });
});

test.slow("glob speaks of its own keys: pattern, not include", async () => {
  await using t = await tempTree({ "src/a.ts": "" });
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`n${n}.js`, ""]));
  await using wide = await tempTree(many);
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const { notes } = await call(glob, { pattern: "../out/*" }) as { notes: string[] };
  assert.match(notes[0]!, /^pattern '\.\.\/out\/\*' matches nothing: /);
  assert.match(
    String((await call(glob, { pattern: "a,,b" })).error),
    /: pattern 'a,,b' contains an empty /,
  );
  const wideGlob = new GlobTool({ workspace: await Workspace.open(wide.root) });
  const { hint } = await call(wideGlob, { pattern: "*.js" });
  assert.match(String(hint), /^narrow path or pattern.* page with max_results/);
  assert.doesNotMatch(String(hint), /include/);
});
