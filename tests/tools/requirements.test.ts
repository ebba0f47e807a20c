/**
 * What the documents that the product comes from say about tools: a test for each sentence, named by
 * it. What they say about searching and resolving is in `tests/contract/seeds.test.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  GrepTool,
  type PermissionRequest,
  systemPrompt,
  ToolRegistry,
  withResolvedPaths,
  WORKING_DIRECTORY_DESCRIPTION,
  Workspace,
} from "../../mod.ts";
import { assertResultShape, tree } from "../support/acceptance.ts";

type Json = Record<string, unknown>;
type Schema = {
  properties: Record<string, Json>;
  required: string[];
  additionalProperties: boolean;
};

Deno.test("000: 'display description as 'pattern' in filename when file path provided'", async () => {
  await using t = await tree({ "src/main.ts": "" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  assert.equal(grep.describe({ pattern: "foo", path: "src/main.ts" }), "'foo' in src/main.ts");
});

Deno.test("000 C: 'a directory (searches recursively) or a file (searches only that file)' is in the schema", async () => {
  await using t = await tree({});
  const { inputSchema } = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const { description } = (inputSchema as Schema).properties["path"]!;
  assert.match(
    String(description),
    /a directory \(searched recursively\) or a file \(only that file/,
  );
  assert.match(String(description), /If omitted, all workspace directories are searched/);
});

Deno.test("000 C: 'a workspace directory name, a relative path, or an absolute path within the workspace'", () => {
  assert.equal(
    WORKING_DIRECTORY_DESCRIPTION,
    '(OPTIONAL) Directory to run the command in. Provide a workspace directory name (e.g., "packages"), ' +
      'a relative path (e.g., "src/utils"), or an absolute path within the workspace.',
  );
});

Deno.test("000 C: file-modifying tools want absolute paths, 'search tools also accept relative paths'", () => {
  assert.match(systemPrompt(), /relative or absolute/);
  assert.match(systemPrompt(), /File-modifying tools want absolute paths/);
});

Deno.test("001 a, b: 'Name returns grep', 'Description non-empty'", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  assert.equal(grep.name, "grep");
  assert.ok(grep.description.length > 0);
});

Deno.test("001 c: 'InputSchema: pattern (required), path, include, output_mode enum', closed", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const schema = grep.inputSchema as Schema;
  assert.deepEqual(schema.required, ["pattern"]);
  assert.equal(schema.additionalProperties, false);
  for (const key of ["pattern", "path", "include", "output_mode"]) {
    assert.equal(schema.properties[key]!["type"], "string");
    assert.ok(schema.properties[key]!["description"]);
  }
  const modes = schema.properties["output_mode"]!["enum"] as string[];
  assert.ok(modes.includes("file") && modes.includes("content"));
});

Deno.test("001 d, f: 'InvalidInput: nil, wrong type, missing pattern, empty pattern', 'unsupported output_mode'", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const inputs = [null, 5, {}, { pattern: 5 }, { pattern: "" }, {
    pattern: "x",
    output_mode: "xml",
  }];
  for (const input of inputs) {
    const answer = await grep.execute(input) as Json;
    assert.match(String(answer["error"]), /^invalid input: /);
  }
});

Deno.test("001 e: 'invalid pattern: regex compilation failure (include the regex error message)'", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "[z-a]" }) as Json;
  assert.match(String(answer["error"]), /^invalid pattern: .*out of order/);
});

Deno.test("001: 'file mode: {pattern, base_path, output_mode, files, count}'", async () => {
  await using t = await tree({ "handler.go": "func NewHandler()\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "func.*Handler", output_mode: "file" }) as Json;
  assertResultShape(answer);
  assert.deepEqual(answer, {
    pattern: "func.*Handler",
    base_path: t.ws,
    output_mode: "file",
    files: [t.at("handler.go")],
    count: 1,
  });
});

Deno.test("001: 'content mode: {pattern, base_path, output_mode, matches, count}', the default", async () => {
  await using t = await tree({
    "internal/server.go": "\nfunc NewHandler(cfg Config) *Handler {\n",
  });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "func.*Handler", path: "internal" });
  assert.deepEqual(answer, {
    pattern: "func.*Handler",
    base_path: t.at("internal"),
    output_mode: "content",
    matches: [{
      file: t.at("internal/server.go"),
      line_number: 2,
      line: "func NewHandler(cfg Config) *Handler {",
    }],
    count: 1,
  });
});

Deno.test("001: 'include: when empty, all non-blocked text files are included', 'path defaults to the working directory'", async () => {
  await using t = await tree({ "a.go": "x\n", "b.md": "x\n", ".env": "x\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "x", include: "", path: "" }) as Json;
  assert.deepEqual([answer["base_path"], answer["count"]], [t.ws, 2]);
});

Deno.test("001: 'emit permission request with tool name, requested path, resolved path, operation'", async () => {
  await using t = await tree({ "../other/a.go": "x\n" });
  const requests: PermissionRequest[] = [];
  const grep = new GrepTool({
    workspace: await Workspace.open(t.ws),
    permissionRequester: {
      request(request) {
        requests.push(request);
        return Promise.resolve("allow");
      },
    },
  });
  const answer = await grep.execute({ pattern: "x", path: "../other" }) as Json;
  assert.equal(answer["count"], 1, "'tool execution resumes based on response'");
  const [{ signal: _, ...request } = {} as PermissionRequest] = requests;
  assert.deepEqual(request, {
    tool: "grep",
    requestedPath: "../other",
    resolvedPath: t.at("../other"),
    operation: "read",
  });
});

Deno.test("001: 'PermissionDenied: fail immediately', without a question", async () => {
  await using t = await tree({ ".git/config": "x\n" });
  let asked = 0;
  const grep = new GrepTool({
    workspace: await Workspace.open(t.ws),
    permissionRequester: { request: () => Promise.resolve(++asked > 0 ? "allow" : "deny") },
  });
  const answer = await grep.execute({ pattern: "x", path: ".git/config" }) as Json;
  assert.match(String(answer["error"]), /^permission denied by policy: /);
  assert.equal(asked, 0);
});

Deno.test("001: 'errors sent back to LLM: the tool loop wraps as {error}', and 'error text includes pattern and path context'", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "x", path: "absent" }) as Json;
  assert.match(String(answer["error"]), /^path resolution failed: Path does not exist: .*absent$/);
  assert.deepEqual([answer["pattern"], answer["path"]], ["x", "absent"]);
});

Deno.test("001: 'Tool is registered and available', alongside glob", async () => {
  await using t = await tree({});
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  assert.ok(registry.get("grep") !== undefined && registry.get("glob") !== undefined);
});

/** A stand-in for the server behind a tool: it knows files by their absolute paths only. */
function fileAnalysis(index: readonly string[]) {
  return ({ file_path }: { file_path?: string }) => {
    if (file_path !== undefined && !index.includes(file_path)) {
      throw new Error(`File not found in graph: ${file_path}`);
    }
    return { analysed: file_path ?? "everything" };
  };
}

Deno.test("002: 'the index is keyed on absolute paths, so any relative path returned File not found in graph'", async () => {
  await using t = await tree({ "apps/server/src/index.ts": "" });
  const file = t.at("apps/server/src/index.ts");
  const analyse = fileAnalysis([file]);
  assert.throws(
    () => analyse({ file_path: "apps/server/src/index.ts" }),
    /File not found in graph/,
  );
  const wrapped = withResolvedPaths(await Workspace.open(t.ws), analyse);
  assert.deepEqual(await wrapped({ file_path: "apps/server/src/index.ts" }), { analysed: file });
  assert.deepEqual(await wrapped({ file_path: `${file}\n` }), { analysed: file }, "'Schema trim'");
});

Deno.test("002: 'optional: blank never reaches the resolver', 'required: trim().min(1)'", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const optional = withResolvedPaths(workspace, fileAnalysis([]));
  assert.deepEqual(await optional({ file_path: "  " }), { analysed: "everything" });
  const required = withResolvedPaths(workspace, fileAnalysis([]), { required: ["file_path"] });
  await assert.rejects(required({ file_path: "  " }), { code: "INVALID_FILE_PATH" });
});

Deno.test("002, 004: 'wrappers that don't include file_path in their args are unaffected'", async () => {
  await using t = await tree({});
  const echo = withResolvedPaths(await Workspace.open(t.ws), (params: object) => params);
  for (const params of [{}, { query: "../x" }, { symbol: "a/b" }]) {
    assert.deepEqual(await echo(params), params);
  }
});

Deno.test("002, 004: 'existence checking is the sidecar's job': a missing path goes through, absolute", async () => {
  await using t = await tree({});
  const wrapped = withResolvedPaths(await Workspace.open(t.ws), fileAnalysis([]));
  await assert.rejects(wrapped({ file_path: "gone.ts" }), (error: Error) => {
    return error.message.includes(`File not found in graph: ${t.at("gone.ts")}`);
  });
});

Deno.test("003: 'System Prompt: always use full relative paths', with a CORRECT and a WRONG example", () => {
  assert.match(systemPrompt(), /full path from the workspace root/);
  assert.match(systemPrompt(), /RIGHT: "src\/utils\/paths\.ts"\. WRONG: "paths\.ts"/);
  assert.match(systemPrompt(), /ambiguous/);
});

Deno.test("003: 'Detection, Resolution, Replacement, Logging': Resolved path 'x' to 'y'", async () => {
  await using t = await tree({ "benchmarks/testing.md": "" });
  const log: string[] = [];
  const show = withResolvedPaths(
    await Workspace.open(t.ws),
    (params: { file_path: string }) => params.file_path,
    { log: (line) => log.push(line) },
  );
  assert.equal(await show({ file_path: "benchmarks/testing.md" }), t.at("benchmarks/testing.md"));
  assert.deepEqual(log, [
    `Resolved path 'benchmarks/testing.md' to '${t.at("benchmarks/testing.md")}'`,
  ]);
});

Deno.test("003: 'when a tool fails, the error now includes the resolved path', and 'Input: …'", async () => {
  await using t = await tree({});
  const show = withResolvedPaths(
    await Workspace.open(t.ws),
    ({ file_path }: { file_path: string }) => {
      throw new Error(`Invalid input: File does not exist: ${file_path}`);
    },
  );
  const resolved = t.at("benchmarks/testing.md");
  await assert.rejects(show({ file_path: "benchmarks/testing.md" }), {
    message: `Tool execution failed: Invalid input: File does not exist: ${resolved}\n\n` +
      `Input: {\n    "file_path": "${resolved}"\n}`,
  });
});

Deno.test("003: 'Provide helpful error if LLM uses ambiguous short path', with every place it may mean", async () => {
  await using t = await tree({ "crates/tools/src/lib.rs": "", "crates/agent/src/lib.rs": "" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  for (
    const [tool, input] of [["grep", { pattern: "x", path: "lib.rs" }], ["resolve_path", {
      path: "lib.rs",
    }]] as const
  ) {
    const answer = await registry.execute(tool, input) as Json;
    assert.equal(answer["code"], "path_not_found");
    assert.deepEqual(answer["suggestions"], ["crates/agent/src/lib.rs", "crates/tools/src/lib.rs"]);
  }
});

Deno.test("003: 'Handle multiple path parameters', 'path arrays', 'Validate resolved paths exist before execution'", async () => {
  await using t = await tree({ "a.ts": "", "src/": null });
  const workspace = await Workspace.open(t.ws);
  const run = withResolvedPaths(workspace, (params: object) => params, {
    fields: ["working_dir", "files"],
    mustExist: ["files"],
  });
  assert.deepEqual(await run({ working_dir: "new", files: ["a.ts", "src"] }), {
    working_dir: t.at("new"),
    files: [t.at("a.ts"), t.at("src")],
  });
  await assert.rejects(run({ files: ["a.ts", "gone.ts"] }), { code: "path_not_found" });
});

Deno.test("004: 'a model receiving either error message can apply the same self-correction', whatever the field", async () => {
  await using t = await tree({});
  const run = withResolvedPaths(await Workspace.open(t.ws), (params: object) => params);
  for (const field of ["file_path", "path", "dir_path", "working_dir"]) {
    await assert.rejects(run({ [field]: "../x" }), {
      message: `${field} ../x escapes project root ${t.ws}`,
    });
  }
});
