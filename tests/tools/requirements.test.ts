/**
 * The requirements that the tools began with; those of searching and resolving are in
 * `tests/contract/requirements.test.ts`.
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

Deno.test("a search in one file is described by pattern and file", async () => {
  await using t = await tree({ "src/main.ts": "" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  assert.equal(grep.describe({ pattern: "foo", path: "src/main.ts" }), "'foo' in src/main.ts");
});

Deno.test("the schema says that path is a directory or a file", async () => {
  await using t = await tree({});
  const { inputSchema } = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const { description } = (inputSchema as Schema).properties["path"]!;
  assert.match(
    String(description),
    /a directory \(searched recursively\) or a file \(only that file/,
  );
  assert.match(String(description), /If omitted, all workspace directories are searched/);
});

Deno.test("the description of a working directory names every form that it may have", () => {
  assert.equal(
    WORKING_DIRECTORY_DESCRIPTION,
    '(OPTIONAL) Directory to run the command in. Provide a workspace directory name (e.g., "packages"), ' +
      'a relative path (e.g., "src/utils"), or an absolute path within the workspace.',
  );
});

Deno.test("the prompt asks for absolute paths in tools that modify files only", () => {
  assert.match(systemPrompt(), /relative or absolute/);
  assert.match(systemPrompt(), /File-modifying tools want absolute paths/);
});

Deno.test("grep has its name and a description", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  assert.equal(grep.name, "grep");
  assert.ok(grep.description.length > 0);
});

Deno.test("the input schema of grep is closed and requires the pattern only", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const schema = grep.inputSchema as Schema;
  assert.deepEqual(schema.required, ["pattern"]);
  assert.equal(schema.additionalProperties, false);
  for (const key of ["pattern", "path", "include", "output_mode"]) {
    assert.ok([schema.properties[key]!["type"]].flat().includes("string"));
    assert.ok(schema.properties[key]!["description"]);
  }
  const modes = schema.properties["output_mode"]!["enum"] as string[];
  assert.ok(modes.includes("file") && modes.includes("content"));
});

Deno.test("grep refuses input without a pattern, of a wrong type or with an unknown output mode", async () => {
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

Deno.test("grep answers a pattern that does not compile with the reason", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "[z-a]" }) as Json;
  assert.match(String(answer["error"]), /^invalid pattern: .*out of order/);
});

Deno.test("grep answers in file mode with files and their count", async () => {
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

Deno.test("grep answers in content mode by default, with matches and their count", async () => {
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

Deno.test("an empty include and an empty path mean every file of the workspace that is not blocked", async () => {
  await using t = await tree({ "a.go": "x\n", "b.md": "x\n", ".env": "x\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "x", include: "", path: "" }) as Json;
  assert.deepEqual([answer["base_path"], answer["count"]], [t.ws, 2]);
});

Deno.test("a permission request names the tool, both paths and the operation", async () => {
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

Deno.test("a blocked path is denied without a question", async () => {
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

Deno.test("an error is sent back to the model with its pattern and path", async () => {
  await using t = await tree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.ws) });
  const answer = await grep.execute({ pattern: "x", path: "absent" }) as Json;
  assert.match(String(answer["error"]), /^path resolution failed: Path does not exist: .*absent$/);
  assert.deepEqual([answer["pattern"], answer["path"]], ["x", "absent"]);
});

Deno.test("the registry has grep and glob", async () => {
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

Deno.test("a tool that knows absolute paths only gets them from relative ones", async () => {
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

Deno.test("a blank path is absent where it is optional and refused where it is required", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const optional = withResolvedPaths(workspace, fileAnalysis([]));
  assert.deepEqual(await optional({ file_path: "  " }), { analysed: "everything" });
  const required = withResolvedPaths(workspace, fileAnalysis([]), { required: ["file_path"] });
  await assert.rejects(required({ file_path: "  " }), { code: "INVALID_FILE_PATH" });
});

Deno.test("a wrapped tool gets a call without paths unchanged", async () => {
  await using t = await tree({});
  const echo = withResolvedPaths(await Workspace.open(t.ws), (params: object) => params);
  for (const params of [{}, { query: "../x" }, { symbol: "a/b" }]) {
    assert.deepEqual(await echo(params), params);
  }
});

Deno.test("a wrapped tool gets a path that does not exist as an absolute one", async () => {
  await using t = await tree({});
  const wrapped = withResolvedPaths(await Workspace.open(t.ws), fileAnalysis([]));
  await assert.rejects(wrapped({ file_path: "gone.ts" }), (error: Error) => {
    return error.message.includes(`File not found in graph: ${t.at("gone.ts")}`);
  });
});

Deno.test("the prompt asks for full relative paths, with a right and a wrong example", () => {
  assert.match(systemPrompt(), /full path from the workspace root/);
  assert.match(systemPrompt(), /RIGHT: "src\/utils\/paths\.ts"\. WRONG: "paths\.ts"/);
  assert.match(systemPrompt(), /ambiguous/);
});

Deno.test("each path that is resolved is logged", async () => {
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

Deno.test("the error of a tool that fails shows the resolved path and its input", async () => {
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

Deno.test("every tool answers an ambiguous short path with all full paths", async () => {
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

Deno.test("a wrapped tool may have several path fields, some of which must exist", async () => {
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

Deno.test("the error for a path outside reads the same for every field", async () => {
  await using t = await tree({});
  const run = withResolvedPaths(await Workspace.open(t.ws), (params: object) => params);
  for (const field of ["file_path", "path", "dir_path", "working_dir"]) {
    await assert.rejects(run({ [field]: "../x" }), {
      message: `${field} ../x escapes project root ${t.ws}`,
    });
  }
});
