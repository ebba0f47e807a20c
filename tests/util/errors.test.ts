/** Errors keep what caused them, and their JSON does not show it. */
import assert from "node:assert/strict";
import {
  type ErrorCode,
  PathgrepError,
  resolveProjectPath,
  resolveWorkingDirectory,
  search,
  ToolRegistry,
  withResolvedPaths,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { SharedQueue } from "../../src/run/queues.ts";
import { WorkerPool } from "../../src/run/worker_pool.ts";
import type { SearchJob } from "../../src/run/job.ts";
import { cloneableCause } from "../../src/util/errors.ts";
import { MOD } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("an error made of a thrown value has it as its cause, and the same JSON as before", () => {
  for (const thrown of [new TypeError("x is not a function"), "a text", 7, null]) {
    const error = PathgrepError.from(thrown);
    assert.equal(error.cause, thrown);
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    assert.deepEqual(error.toJSON(), { error: `search failed: ${text}`, code: "search_failed" });
  }
  const aborted = new DOMException("the user left", "AbortError");
  const cancelled = PathgrepError.from(aborted);
  assert.equal(cancelled.cause, aborted);
  assert.deepEqual(cancelled.toJSON(), { error: "cancelled", code: "cancelled" });
});

Deno.test("an error about a path has what Deno threw as its cause", async () => {
  await using t = await tempTree({});
  const error = await Workspace.open(t.path("absent")).catch((error) => error);
  assert.equal(error.code, "path_not_found");
  assert.ok(error.cause instanceof Deno.errors.NotFound);
  assert.ok(!("cause" in error.toJSON()));
  const script = `import { Workspace } from ${JSON.stringify(MOD)};
    const { code, cause } = await Workspace.open("/").catch((error) => error);
    console.log(code, cause?.name);`;
  const args = ["run", "--no-config", "--no-prompt", `--allow-read=${t.root}`, "-"];
  const { stdout } = await spawn(Deno.execPath(), args, { stdin: script, cwd: t.root });
  assert.equal(stdout, "path_access_denied NotCapable\n");
});

Deno.test("an error without a cause has none, nor has its copy", () => {
  const error = new PathgrepError("invalid_input", "pattern is empty");
  assert.ok(!("cause" in error));
  assert.ok(!("cause" in error.with({ hint: "write one" })));
  assert.equal(PathgrepError.from(error), error);
});

Deno.test("a copy with more details has the cause of the original", () => {
  const cause = new Error("the disk is on fire");
  const copy = PathgrepError.from(cause).with({ path: "a.txt" });
  assert.equal(copy.cause, cause);
  assert.deepEqual(copy.details, { path: "a.txt" });
});

Deno.test("a search that a callback ends has what it threw as its cause", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const cause = new RangeError("no more, please");
  const onProgress = () => {
    throw cause;
  };
  for (const query of [{}, { maxOutputChars: 1000 }, { engine: "grep" } as const]) {
    const error = await search({ pattern: "needle", ...query }, { workspace, onProgress }).then(
      () => assert.fail("it fails"),
      (thrown) => thrown as PathgrepError,
    );
    assert.equal(error.code, "search_failed");
    assert.equal(error.cause, cause);
    assert.ok(!JSON.stringify(error).includes("cause"));
  }
});

Deno.test("the answer of a tool that fails does not show the cause", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(tree.root) });
  const onProgress = () => {
    throw new RangeError("no more, please", { cause: new Error("somebody left") });
  };
  const answer = await tools.execute("grep", { pattern: "needle" }, { onProgress });
  assert.deepEqual(answer, {
    error: "search failed: no more, please",
    code: "search_failed",
    pattern: "needle",
  });
});

Deno.test("a cause reaches other threads with its message, stack and causes, whatever it is", () => {
  class DiskError extends Error {
    retry = () => {};
  }
  const first = new Error("no space is left");
  const cause = new DiskError("cannot write", { cause: first });
  assert.throws(() => structuredClone({ cause, retry: cause.retry }));
  const received = structuredClone(cloneableCause(cause))!;
  assert.equal(received.message, cause.message);
  assert.equal(received.stack, cause.stack);
  assert.equal((received.cause as Error).stack, first.stack);
  assert.equal(cloneableCause("a text")!.message, "a text");
  assert.equal(cloneableCause(undefined), undefined);
  first.cause = cause;
  let depth = 0;
  for (let at = cloneableCause(cause); at !== undefined; at = at.cause as Error) depth++;
  assert.equal(depth, 10);
});

Deno.test("an unexpected error of a worker keeps its stack on the way to the main thread", async () => {
  const pool = new WorkerPool({ isKept: true });
  using _pool = { [Symbol.dispose]: () => pool.close() };
  await pool.prepare();
  const queue = new SharedQueue();
  const error = await new Promise<PathgrepError>((resolve, reject) => {
    const job = { walk: { allowedRoots: [] } } as unknown as SearchJob; // has no plan
    queue.push([{ path: "/", base: 0, depth: 0 }]);
    pool.run(0, job, queue.memory, undefined, {
      onHits: () => reject(new Error("it finds nothing")),
      onEnd: () => reject(new Error("it fails")),
      onError: resolve,
    });
  });
  assert.equal(error.code, "search_failed");
  assert.ok(error.cause instanceof Error);
  assert.match(error.cause.stack!, /^TypeError: [^]*\n +at .*\/worker\.ts:\d+/);
});

/** The codes that callers may compare with: the compiler refuses any that the type does not have. */
const EMPTY: Readonly<Record<"thrown" | "sent", ErrorCode>> = {
  thrown: "INVALID_FILE_PATH",
  sent: "path_empty",
};

Deno.test("an empty path is thrown as INVALID_FILE_PATH and sent as path_empty, wherever it comes from", async () => {
  await using t = await tempTree();
  const workspace = await Workspace.open(t.root);
  const tool = withResolvedPaths(workspace, (_: object) => {}, { required: ["file_path"] });
  const failures = [
    Workspace.open(" "),
    Workspace.open([t.root, ""]),
    resolveProjectPath(t.root, ""),
    resolveProjectPath("", "a.ts"),
    resolveWorkingDirectory(workspace, "\n"),
    tool({ file_path: " " }),
    tool({}),
  ];
  for (const failure of failures) {
    await assert.rejects(failure, (error) => {
      assert.ok(error instanceof PathgrepError);
      assert.equal(error.code, EMPTY.thrown);
      assert.equal(error.toJSON()["code"], EMPTY.sent);
      return true;
    });
  }
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  for (const as of ["file", "dir", "project"]) {
    const answer = await tools.execute("resolve_path", { path: " ", as });
    assert.equal("code" in answer && answer.code, EMPTY.sent, as);
  }
  const own = new PathgrepError("path_empty", "file_path is empty").toJSON();
  assert.deepEqual(own, {
    error: "path resolution failed: file_path is empty",
    code: EMPTY.sent,
  });
});

Deno.test("every other code is the same thrown and sent", async () => {
  await using t = await tempTree({ "a.ts": "x\n" });
  const workspace = await Workspace.open(t.root);
  assert.equal((await search({ pattern: "x", path: " " }, { workspace })).count, 1);
  const queries: [query: Parameters<typeof search>[0], code: ErrorCode][] = [
    [{ pattern: "" }, "invalid_input"],
    [{ pattern: "(" }, "invalid_pattern"],
    [{ pattern: "x", path: "absent" }, "path_not_found"],
    [{ pattern: "x", path: ".." }, "path_outside_workspace"],
    [{ pattern: "x", path: ".env" }, "permission_denied_by_policy"],
  ];
  for (const [query, code] of queries) {
    await assert.rejects(search(query, { workspace }), (error) => {
      assert.ok(error instanceof PathgrepError);
      assert.deepEqual([error.code, error.toJSON()["code"]], [code, code]);
      return true;
    });
  }
});
