/** What tools do at the edges: pages, other readings, other tools' paths, and who is asked. */
import assert from "node:assert/strict";
import {
  type AnswerScope,
  GlobTool,
  GrepTool,
  PathgrepError,
  type PermissionRequest,
  resolveToolCallPaths,
  ToolCallError,
  ToolRegistry,
  withResolvedPaths,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { tempTree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";
import { test } from "../support/needs.ts";

type Json = Record<string, unknown>;

Deno.test("a page is asked for by its length or by its start; without either too much is an error", async () => {
  await using t = await tempTree({ "a.txt": "needle\n".repeat(1001) });
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const ask = async (more: Json) =>
    await grep.execute({ pattern: "needle", max_output_chars: 1_000_000, ...more }) as Json;
  assert.equal((await ask({}))["code"], "search_too_broad");
  assert.equal((await ask({ offset: 0 }))["next_offset"], 1000);
  assert.equal((await ask({ max_results: 5 }))["next_offset"], 5);
  assert.equal((await ask({ max_results: 5, offset: 7 }))["next_offset"], 12);
});

Deno.test("another reading is reported only if the call itself found nothing", async () => {
  await using t = await tempTree({ "a.ts": "foo bar\n", "evil/a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const [grep, glob] = [new GrepTool({ workspace }), new GlobTool({ workspace })];
  const notes = async (call: Promise<object>) => (await call as Json)["notes"];
  assert.equal(await notes(grep.execute({ pattern: "foo " })), undefined);
  assert.match(`${await notes(grep.execute({ pattern: " bar " }))}`, /; send \{"pattern":"bar"\}$/);
  for (const page of [{}, { offset: 0 }, { offset: 1 }]) {
    const answer = glob.execute({ pattern: "ts", ...page });
    assert.match(
      `${await notes(answer)}`,
      /^\*\.ts finds 2 files, the first a\.ts; send \{"pattern":"\*\.ts"\}$/,
    );
  }
  // An absolute glob is below a root or it is not; a longer name is not.
  const below = await glob.execute({ pattern: `${t.root}/evil/*.ts` }) as Json;
  assert.deepEqual(below["files"], [t.path("evil/a.ts")]);
  const beside = await glob.execute({ pattern: `${t.root}-evil/*.ts` }) as Json;
  assert.equal(beside["count"], 0);
});

Deno.test("a dozen other readings are tried", async () => {
  await using t = await tempTree({ "real.ts": "" });
  const workspace = await Workspace.open(t.root);
  const glob = new GlobTool({ workspace });
  const below = (levels: number) =>
    `/${Array.from({ length: levels }, (_, index) => `d${index}`).join("/")}/real.ts`;
  const few = await glob.execute({ pattern: below(5) }) as Json;
  assert.match(`${few["notes"]}`, /; send \{"pattern":"real\.ts"\}/);
  const many = await glob.execute({ pattern: below(30) }) as Json;
  assert.doesNotMatch(`${many["notes"]}`, /; send/);
});

Deno.test("a search for the reasons has the limits of the tool", async () => {
  await using t = await tempTree({ "real.ts": "needle\n" });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace, timeout: 20_000, deny: ["real.ts"] });
  const answer = await grep.execute({ pattern: "  needle " }) as Json;
  const { blocked, blocked_rules } = (answer["scope"] as AnswerScope).left_out!;
  assert.deepEqual([blocked, blocked_rules], [1, ["real.ts"]]);
});

Deno.test("nobody is asked twice for one call, and a call that is gone asks nobody", async () => {
  await using t = await tempTree({ "../outside/b.ts": "x\n" });
  const asked: PermissionRequest[] = [];
  const workspace = await Workspace.open(t.root);
  const options = {
    workspace,
    permissionRequester: {
      request(request: PermissionRequest) {
        asked.push(request);
        return Promise.resolve("allow" as const);
      },
    },
  };
  const glob = new GlobTool(options);
  assert.equal((await glob.execute({ pattern: "ts", path: "../outside" }) as Json)["count"], 0);
  const grep = new GrepTool(options);
  assert.equal((await grep.execute({ pattern: " y ", path: "../outside" }) as Json)["count"], 0);
  assert.deepEqual(asked.map(({ tool }) => tool), ["glob", "grep"]);
  const registry = ToolRegistry.of(options, { tools: OWN_TOOL_NAMES });
  const path = "../outside";
  for (
    const [name, input] of Object.entries({ grep: { pattern: "x", path }, resolve_path: { path } })
  ) {
    const signal = AbortSignal.abort();
    assert.equal((await registry.execute(name, input, { signal }) as Json)["code"], "cancelled");
  }
  assert.equal(asked.length, 2);
  const silent = ToolRegistry.of({
    workspace,
    permissionRequester: { request: () => new Promise(() => {}) },
  }, { tools: OWN_TOOL_NAMES });
  for (
    const [name, input] of Object.entries({ grep: { pattern: "x", path }, resolve_path: { path } })
  ) {
    const ender = new AbortController();
    const call = silent.execute(name, input, { signal: ender.signal });
    setTimeout(() => ender.abort(), 5);
    assert.equal((await call as Json)["code"], "cancelled");
  }
});

Deno.test("a registry has a tool of a name once, takes what a tool throws, and shortens what it does not know", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  const throwing = {
    name: "throwing",
    description: "",
    inputSchema: {},
    describe: () => "",
    execute: () => Promise.reject(new Error("broken")),
  };
  registry.register(throwing);
  assert.throws(() => registry.register(throwing), { code: "invalid_input" });
  const broken = await registry.execute("throwing", {}) as Json;
  assert.deepEqual(broken, { error: "search failed: broken", code: "search_failed" });
  throwing.execute = () => Promise.reject(new DOMException("gone", "AbortError"));
  assert.equal((await registry.execute("throwing", {}) as Json)["code"], "cancelled");
  assert.match(JSON.stringify(await registry.execute("rgpe", {})), /; use grep"/);
  const keys = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, 1]));
  const { error } = await registry.execute("grep", keys) as Json;
  assert.equal(`${error}`.match(/unknown key/g)?.length, 8);
  assert.match(`${error}`, /; and more$/);
  const unknown = JSON.stringify(await registry.execute("x".repeat(5000), {}));
  assert.ok(unknown.length < 300, unknown);
  for (const as of ["file", "search", "dir"]) {
    const answer = await registry.execute("resolve_path", { path: " ", as }) as Json;
    assert.equal(answer["code"], as === "search" ? undefined : "path_empty");
  }
  const directory = await registry.execute("resolve_path", { path: ".", as: "file" }) as Json;
  assert.equal(directory["code"], "path_unsupported");
});

Deno.test("an error keeps what it said first", () => {
  const error = new PathgrepError("path_not_found", "no", { path: "a" });
  assert.deepEqual(error.with({ path: "b", hint: "c" }).details, { path: "a", hint: "c" });
  assert.deepEqual(new PathgrepError("INVALID_FILE_PATH", "empty", { path: undefined }).toJSON(), {
    error: "path resolution failed: empty",
    code: "path_empty",
  });
});

Deno.test("what is shown of a call names no other file than it does, and hides nothing", async () => {
  await using t = await tempTree({ ".env": "", "src/a.ts": "", "link": { symlink: ".env" } });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  assert.equal(grep.describe({ pattern: "x", path: "'src/a.ts'" }), "'x' in src/a.ts");
  assert.equal(grep.describe({ pattern: "x", path: "link" }), "'x' in link");
  assert.equal(
    grep.describe({ pattern: "x\u200b\x1b", path: " " }),
    "'x\\u200b\\x1b' in the workspace",
  );
});

Deno.test("paths of other tools' calls are rewritten where they are, and nothing else is", async () => {
  await using t = await tempTree({ "one/a.ts": "", "two/only/": null, "two/b.ts": "" });
  const workspace = await Workspace.open([t.path("one"), t.path("two")]);
  const fields = ["file_path", "edits.file_path", "a.b", "constructor", "working_dir"];
  const given = {
    file_path: "  ",
    edits: [{ file_path: "a.ts", text: "a.ts" }, { text: "" }, "a.ts"],
    "a.b": "b.ts",
    limit: 3,
  };
  assert.deepEqual(await resolveToolCallPaths(workspace, given, { fields }), {
    ...given,
    edits: [{ file_path: t.path("one/a.ts"), text: "a.ts" }, { text: "" }, "a.ts"],
    "a.b": t.path("two/b.ts"),
  });
  const rewritten = async (params: object, mustExist: boolean | string[] = false) =>
    await resolveToolCallPaths(workspace, params, { mustExist }).catch((error) => error.code);
  assert.deepEqual(await rewritten({ path: "only" }), { path: t.path("two/only") });
  assert.deepEqual(await rewritten({ working_dir: "only" }), { working_dir: t.path("one/only") });
  assert.deepEqual(await rewritten({ dir_path: "only" }), { dir_path: t.path("one/only") });
  assert.deepEqual(await rewritten({ path: "new" }), { path: t.path("one/new") });
  for (const mustExist of [true, ["path"]]) {
    assert.equal(await rewritten({ path: "new" }, mustExist), "path_not_found");
  }
  const repaired = (path: string) => resolveToolCallPaths(workspace, { path }, { repair: true });
  assert.deepEqual(await repaired("'b.ts'"), { path: t.path("two/b.ts") });
  await assert.rejects(repaired("../elsewhere"), { code: "path_outside_workspace" });
  assert.deepEqual(await rewritten({ path: "new" }, ["file_path"]), { path: t.path("one/new") });
});

Deno.test("an executor gets what it must have, and its failures say what it got", async () => {
  await using t = await tempTree({ "a.ts": "" });
  const workspace = await Workspace.open(t.root);
  const log: string[] = [];
  const run = withResolvedPaths(workspace, (params: Json) => {
    if (params["fails"] === "abort") throw new DOMException("gone", "AbortError");
    if (params["fails"] !== undefined) throw new Error("disk full");
    return params;
  }, { required: ["path"], fields: ["path"], log: (line) => log.push(line) });
  for (const path of [undefined, null, "", " ", [], [" "]]) {
    const error = await run({ path }).catch((error) => error);
    assert.equal(error.code, "INVALID_FILE_PATH", JSON.stringify(path));
  }
  assert.deepEqual(await run({ path: ["a.ts", ""] }), { path: [t.path("a.ts")] });
  assert.deepEqual(log, [`Resolved path 'a.ts' to '${t.path("a.ts")}'`]);
  await run({ path: "b\u202e.ts" });
  assert.equal(log[1], `Resolved path 'b\\u202e.ts' to '${t.path("b\\u202e.ts")}'`);
  await assert.rejects(run({ path: "a.ts", fails: "abort" }), { name: "AbortError" });
  const failure = await run({ path: "a.ts", fails: "x".repeat(5000) }).catch((error) => error);
  assert.ok(failure instanceof ToolCallError);
  assert.equal((failure.input as Json)["path"], t.path("a.ts"));
  assert.ok(failure.message.length < 1200);
});

test.slow("no input keeps others waiting, however it repeats itself", async () => {
  const names = Array.from({ length: 1500 }, (_, at) => [`d/${"語".repeat(70)}${at}`, ""]);
  await using t = await tempTree({ "a.txt": "hay\n", "b.ts": "", ...Object.fromEntries(names) });
  const tool = new GrepTool({ workspace: await Workspace.open(t.root) });
  const keys = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 1]));
  const nested = "\\b(é|".repeat(200) + "é|".repeat(15_000) + "a" + ")".repeat(200);
  const letters = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(
    "",
  );
  const inputs: Json[] = [
    { pattern: "x", include: `/${"a/".repeat(19_900)}x` },
    { pattern: "x", include: "/a/b,".repeat(7_900) + "/a/b" },
    { pattern: "x", type: "all,".repeat(9_900) + "all" },
    { input: keys },
    { arguments: JSON.stringify(keys) },
    { pattern: `zz|(?:${nested})` },
    { pattern: "x", include: `*[${letters}]x` },
  ];
  for (const input of inputs) {
    const started = performance.now();
    await tool.execute(input);
    assertSoon(started);
  }
});
