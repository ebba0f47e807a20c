/**
 * Path rewriting for any tool: fields, arrays, nested fields, and the wrapper around an executor.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  PathgrepError,
  resolveToolCallPaths,
  ToolCallError,
  withResolvedPaths,
  Workspace,
} from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("nested fields are named with dots, through objects and arrays", async () => {
  await using t = await tempTree({ "a.ts": "", "b.ts": "" });
  const workspace = await Workspace.open(t.root);
  const params = {
    edits: [{ file_path: "a.ts", text: "a.ts" }, { file_path: "./b.ts" }, { other: 1 }, null],
    target: { file: { path: "b.ts" } },
    "literal.key": "a.ts",
    file_path: "b.ts",
  };
  const seen: string[] = [];
  const resolved = await resolveToolCallPaths(workspace, params, {
    fields: ["edits.file_path", "target.file.path", "literal.key", "absent.path", "file_path.x"],
    onResolve: (field, raw) => seen.push(`${field} ${raw}`),
  });
  assert.deepEqual(resolved, {
    edits: [
      { file_path: t.path("a.ts"), text: "a.ts" },
      { file_path: t.path("b.ts") },
      { other: 1 },
      null,
    ],
    target: { file: { path: t.path("b.ts") } },
    "literal.key": t.path("a.ts"),
    file_path: "b.ts",
  });
  assert.deepEqual(seen, [
    "edits.file_path a.ts",
    "edits.file_path ./b.ts",
    "target.file.path b.ts",
    "literal.key a.ts",
  ]);
  assert.deepEqual(
    params.edits[0],
    { file_path: "a.ts", text: "a.ts" },
    "the input is not changed",
  );
});

Deno.test("an escape in an array or a nested field is an error that shows the field and the input", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const inputs: [params: object, fields: string[]][] = [
    [{ path: ["a.ts", "../x"] }, ["path"]],
    [{ edits: [{ file_path: "../x" }] }, ["edits.file_path"]],
    // A name with the dot in it does not hide the way by which the tool may read.
    [{ "edits.file_path": "a.ts", edits: [{ file_path: "../x" }] }, ["edits.file_path"]],
    [{ "edits.file_path": "../x", edits: [{ file_path: "a.ts" }] }, ["edits.file_path"]],
    [{ "edits.file_path": " ", edits: [{ file_path: "../x" }] }, ["edits.file_path"]],
    [{ a: [{ "b.path": "../x" }] }, ["a.b.path"]],
    [{ "a.b": [{ path: "../x" }] }, ["a.b.path"]],
    [{ "a.b": { path: "a.ts" }, a: { b: { path: "a.ts" }, "b.path": "../x" } }, ["a.b.path"]],
  ];
  for (const [params, fields] of inputs) {
    await assert.rejects(resolveToolCallPaths(workspace, params, { fields }), (error) => {
      assert.ok(error instanceof PathgrepError);
      assert.equal(error.code, "path_outside_workspace");
      assert.equal(error.message, `${fields[0]} ../x escapes project root ${t.root}`);
      assert.equal(error.toJSON()["field"], fields[0]);
      assert.deepEqual(error.toJSON()["input"], params);
      return true;
    });
  }
});

Deno.test("paths deep in arrays are an error that shows the field and the input", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const options = { fields: ["edits.file_path"] };
  const execute = withResolvedPaths(workspace, (call: object) => Promise.resolve(call), options);
  const nested = (path: string, depth: number) => ({
    edits: { file_path: JSON.parse(`${"[".repeat(depth)}"${path}"${"]".repeat(depth)}`) },
  });
  assert.deepEqual(await execute(nested("a.ts", 100)), nested(t.path("a.ts"), 100));
  for (const depth of [101, 5000]) {
    const params = nested("a.ts", depth);
    for (const call of [execute(params), resolveToolCallPaths(workspace, params, options)]) {
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof PathgrepError);
        const { code, field, input } = error.toJSON();
        assert.deepEqual([code, field], ["invalid_input", "edits.file_path"]);
        return input === params;
      });
    }
  }
});

Deno.test("a wrapped executor gets resolved paths and every further argument, and its result comes back", async () => {
  await using t = await tempTree({ "src/a.ts": "" });
  const log: string[] = [];
  const execute = withResolvedPaths(
    await Workspace.open(t.root),
    (params: { file_path: string; line: number }, signal: AbortSignal) => ({ params, signal }),
    { log: (line) => log.push(line) },
  );
  const { signal } = new AbortController();
  const result = await execute({ file_path: " src/a.ts\n", line: 3 }, signal);
  assert.deepEqual(result.params, { file_path: t.path("src/a.ts"), line: 3 });
  assert.equal(result.signal, signal);
  assert.deepEqual(log, [`Resolved path ' src/a.ts\\n' to '${t.path("src/a.ts")}'`]);
});

Deno.test("the executor is not called when a path is refused", async () => {
  await using t = await tempTree({ "src/lib.rs": "" });
  const workspace = await Workspace.open(t.root);
  let calls = 0;
  const count = (_: object) => calls++;
  const refused: [params: object, code: string][] = [
    [{ file_path: "../x" }, "path_outside_workspace"],
    [{ file_path: "src/lib.rs", working_dir: "/etc" }, "path_outside_workspace"],
    [{ file_path: "a\0b" }, "invalid_input"],
    [{ file_path: "lib.rs" }, "path_not_found"],
  ];
  for (const [params, code] of refused) {
    const execute = withResolvedPaths(workspace, count, { mustExist: true });
    await assert.rejects(execute(params), { code });
  }
  assert.equal(calls, 0);
});

Deno.test("a failure of the tool is wrapped with the resolved path, the input, and its cause", async () => {
  await using t = await tempTree({});
  const workspace = await Workspace.open(t.root);
  const cause = new Error("Invalid input: File does not exist: testing.md");
  const execute = withResolvedPaths(workspace, (_: object) => Promise.reject(cause));
  await assert.rejects(execute({ file_path: "testing.md" }), (error) => {
    assert.ok(error instanceof ToolCallError);
    assert.equal(error.cause, cause);
    assert.deepEqual(error.input, { file_path: t.path("testing.md") });
    assert.equal(
      error.message,
      `Tool execution failed: ${cause.message}\n\n` +
        `Input: {\n    "file_path": "${t.path("testing.md")}"\n}`,
    );
    return true;
  });
  const long = withResolvedPaths(workspace, (_: object) => {
    throw new Error("disk full");
  });
  await assert.rejects(long({ file_path: "a", content: "x".repeat(1e6) }), (error) => {
    assert.ok(error instanceof ToolCallError && error.message.length < 2000);
    return true;
  });
});

Deno.test("a tool's failure is reported even if JSON has no text for its input", async () => {
  await using t = await tempTree({});
  const workspace = await Workspace.open(t.root);
  const circle: Record<string, unknown> = { file_path: "a.md" };
  circle["self"] = circle;
  const cause = new Error("disk full");
  const execute = withResolvedPaths(workspace, (_: object) => Promise.reject(cause));
  const silent = { file_path: "a.md", toJSON: () => undefined };
  for (const params of [circle, { file_path: "a.md", size: 1n }, silent]) {
    await assert.rejects(execute(params), (error) => {
      assert.ok(error instanceof ToolCallError);
      assert.equal(error.cause, cause);
      assert.ok(error.message.startsWith("Tool execution failed: disk full\n\nInput: {"));
      assert.ok(error.message.includes(`"file_path": "${t.path("a.md")}"`));
      return true;
    });
  }
});

Deno.test("blank and required mean the same in nested fields and in arrays", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const a = t.path("a.ts");
  const echo = (params: object) => params;
  const fields = ["paths", "edits.file_path", "to.path"];
  const optional = withResolvedPaths(workspace, echo, { fields });
  const params = {
    paths: ["a.ts", " "],
    edits: [{ file_path: "\n", text: " " }, { file_path: "a.ts" }],
    to: { path: "", mode: 1 },
  };
  assert.deepEqual(await optional(params), {
    paths: [a],
    edits: [{ text: " " }, { file_path: a }],
    to: { mode: 1 },
  });
  const required = withResolvedPaths(workspace, echo, { fields, required: fields });
  const whole = { paths: ["a.ts"], edits: [{ file_path: "a.ts" }], to: { path: "a.ts" } };
  assert.deepEqual(await required(whole), {
    paths: [a],
    edits: [{ file_path: a }],
    to: { path: a },
  });
  const refused: [object, string][] = [
    [{ ...whole, paths: [" "] }, "paths"],
    [{ ...whole, paths: null }, "paths"],
    [{ ...whole, edits: params.edits }, "edits.file_path"],
    [{ ...whole, edits: [] }, "edits.file_path"],
    [{ ...whole, to: { mode: 1 } }, "to.path"],
    [{ ...whole, "to.path": "a.ts", to: { path: " " } }, "to.path"],
    [{ ...whole, "to.path": "a.ts", to: {} }, "to.path"],
    [{ ...whole, "to.path": " ", to: undefined }, "to.path"],
  ];
  const { to: _, ...others } = whole;
  assert.deepEqual(await required({ ...others, "to.path": "a.ts" }), {
    paths: [a],
    edits: [{ file_path: a }],
    "to.path": a,
  });
  for (const [params, field] of refused) {
    await assert.rejects(required(params), { message: `${field} is empty` });
  }
});

Deno.test("an abort of the tool passes as it is", async () => {
  await using t = await tempTree({});
  const workspace = await Workspace.open(t.root);
  const execute = withResolvedPaths(
    workspace,
    (_params: object, signal: AbortSignal) => Promise.reject(signal.reason),
  );
  await assert.rejects(execute({ path: "." }, AbortSignal.abort()), { name: "AbortError" });
});

Deno.test("a blank field counts as absent, and is an error where it is required", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const echo = (params: { file_path?: string; path?: string; text?: string }) => params;
  const optional = withResolvedPaths(workspace, echo);
  assert.deepEqual(await optional({ file_path: " \n", path: "a.ts", text: " " }), {
    path: t.path("a.ts"),
    text: " ",
  });
  assert.deepEqual(await optional({}), {});
  const other = { text: "../x" };
  assert.deepEqual(await optional(other), other);
  const required = withResolvedPaths(workspace, echo, { required: ["file_path"] });
  for (const params of [{ file_path: " " }, { file_path: "" }, {}, { path: "a.ts" }]) {
    await assert.rejects(required(params), (error) => {
      assert.ok(error instanceof PathgrepError);
      assert.equal(error.code, "INVALID_FILE_PATH");
      assert.equal(error.message, "file_path is empty");
      assert.deepEqual(error.toJSON()["input"], params);
      return true;
    });
  }
  assert.deepEqual(await required({ file_path: "a.ts" }), { file_path: t.path("a.ts") });
});

Deno.test("an option that is one text stands for itself, and no other leaves a path unchecked", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const outside = { code: "path_outside_workspace" };
  const bad = { code: "invalid_input" };
  for (const fields of ["path", ["path"]] as string[][]) {
    await assert.rejects(
      resolveToolCallPaths(workspace, { path: "/etc/passwd" }, { fields }),
      outside,
    );
    const show = withResolvedPaths(workspace, ({ path }: { path: string }) => path, { fields });
    await assert.rejects(show({ path: "/etc/passwd" }), outside);
    assert.equal(await show({ path: "a.ts" }), t.path("a.ts"));
  }
  for (const options of [{ fields: {} }, { fields: [5] }, { allow: 5 }, { mustExist: {} }]) {
    const call = resolveToolCallPaths(workspace, { path: "a.ts" }, options as never);
    await assert.rejects(call, bad, JSON.stringify(options));
  }
  // Not by a part of its name.
  const mustExist = "file_path" as unknown as string[];
  await resolveToolCallPaths(workspace, { path: "absent.ts" }, { mustExist });
  await assert.rejects(
    resolveToolCallPaths(workspace, { file_path: "absent.ts" }, { mustExist }),
    { code: "path_not_found" },
  );
});

Deno.test("what is not a string in a path field is refused, in lists and nested fields, too", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  let calls = 0;
  const fields = ["path", "edits.path"];
  const tool = withResolvedPaths(workspace, (params: object) => {
    calls++;
    return params;
  }, { fields });
  const text = "/etc/passwd";
  const others: unknown[] = [
    0, // standard input to `node:fs`
    ...[1, -1, NaN, 10n, true, false, Symbol("a"), () => text],
    ...[new String(text), new Number(0), new URL(`file://${text}`), new Date(0)],
    { href: `file://${text}`, protocol: "file:", pathname: text },
    { toString: () => text },
    { [Symbol.toPrimitive]: () => text },
    {},
    new Map([["path", text]]),
    new Set([text]),
    new TextEncoder().encode(text),
    new TextEncoder().encode(text).buffer,
    new DataView(new ArrayBuffer(1)),
    Object.create(null),
  ];
  for (const other of others) {
    for (const path of [other, [other], ["a.ts", [other]]]) {
      for (
        const params of [{ path }, { edits: { path } }, { edits: [{ path: "a.ts" }, { path }] }]
      ) {
        const refused = { code: "invalid_input", message: /^a path must be a string, got / };
        await assert.rejects(resolveToolCallPaths(workspace, params, { fields }), refused);
        const error = await tool(params).catch((error) => error);
        assert.equal(error.code, "invalid_input", String(error));
        assert.equal(error.details.input, params, "as it came");
      }
    }
  }
  assert.equal(calls, 0);
  const edits = [
    Object.assign(() => {}, { path: text }),
    new (class extends Array {
      get path() {
        return text;
      }
    })(),
  ];
  await assert.rejects(tool({ edits: edits[0] }), { code: "invalid_input" });
  assert.equal(
    Reflect.get((await tool({ edits: edits[1] }) as { edits: object }).edits, "path"),
    undefined,
  );
  const hiding = {
    path: text,
    get z() {
      return delete (this as { path?: string }).path;
    },
  };
  await assert.rejects(tool({ edits: hiding }), { code: "path_outside_workspace" });
  let asked = 0;
  const lying = new Proxy({ path: text }, {
    getOwnPropertyDescriptor: (target, key) =>
      asked++ === 0 ? Reflect.getOwnPropertyDescriptor(target, key) : undefined,
  });
  await assert.rejects(tool({ edits: lying }), { code: "path_outside_workspace" });
  await assert.rejects(tool({ path: NaN }), { message: "a path must be a string, got NaN" });
  // Near them, what stays as it is.
  for (const path of [undefined, null, [null], "", " "]) {
    const params = { path, limit: 0, at: new Date(0), edits: [{ text: 5 }, null, 5] };
    assert.deepEqual(await resolveToolCallPaths(workspace, params, { fields }), params);
  }
  assert.deepEqual(await resolveToolCallPaths(workspace, { path: ["a.ts", null] }), {
    path: [t.path("a.ts"), null],
  });
});
