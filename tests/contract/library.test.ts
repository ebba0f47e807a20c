/**
 * The library as an agent imports it, without the tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as pathgrep from "../../mod.ts";
import { type Answer, found, MOD, run, type Tree, tree } from "../support/acceptance.ts";

const { PathgrepError, Workspace } = pathgrep;

/** Waits for a rejection and gives its `PathgrepError`. */
async function failure(promise: Promise<unknown>): Promise<pathgrep.PathgrepError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof PathgrepError, `a PathgrepError, not ${error}`);
    return error;
  }
  assert.fail("it did not fail");
}

/** What an error is as JSON. */
function json(error: pathgrep.PathgrepError): Answer {
  return JSON.parse(JSON.stringify(error)) as Answer;
}

Deno.test("a workspace is opened on one root or several, and its roots are canonical", async () => {
  await using t = await tree({ "src/": null, "../alias": { link: "ws" }, "../two/": null });
  assert.deepEqual((await Workspace.open(t.ws)).roots, [t.ws]);
  assert.deepEqual((await Workspace.open(`${t.ws}/src/..//`)).roots, [t.ws]);
  assert.deepEqual((await Workspace.open(t.at("../alias"))).roots, [t.ws]);
  assert.deepEqual((await Workspace.open([t.at("../two"), t.ws])).roots, [t.at("../two"), t.ws]);
});

Deno.test("a workspace that is missing or a file can't be opened", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  for (const root of [t.at("absent"), t.at("a.txt")]) {
    await failure(Workspace.open(root));
  }
});

Deno.test("isPathWithin holds canonical paths against the roots", async () => {
  await using t = await tree({
    "src/a.ts": "x\n",
    "in": { link: "src" },
    "out": { link: ".." },
    "dangling": { link: "../nowhere" },
    "../two/b.ts": "x\n",
    "../ws-evil/c.ts": "x\n",
  });
  const workspace = await Workspace.open([t.ws, t.at("../two")]);
  for (const path of ["", "src", "src/a.ts", "in/a.ts", "absent/x", "../two/b.ts"]) {
    assert.equal(await workspace.isPathWithin(t.at(path)), true, path);
  }
  for (
    const path of [
      t.base,
      "/",
      `${t.ws}-evil/c.ts`,
      `${t.ws}/../x`,
      `${t.ws}/out`,
      `${t.ws}/out/ws-evil/c.ts`,
      `${t.ws}/dangling`,
      `${t.ws}/dangling/x`,
    ]
  ) {
    assert.equal(await workspace.isPathWithin(path), false, path);
  }
});

Deno.test("isPathWithin reads paths as searches do, and answers false where that cannot be", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "loop": { link: "loop" } });
  const workspace = await Workspace.open(t.ws);
  for (const path of ["src/a.ts\n", ` ${t.at("src")}`, "\t./src \r\n"]) {
    assert.equal(await workspace.isPathWithin(path), true, JSON.stringify(path));
  }
  const others = ["\n/etc/passwd", " /etc/passwd", "\t../x", "x\0", "a".repeat(40_000), "loop"];
  for (const path of others) {
    assert.equal(await workspace.isPathWithin(path), false, JSON.stringify(path.slice(0, 20)));
  }
});

Deno.test("isPathWithin answers false below a directory that may not be read", async () => {
  await using t = await tree({
    "locked/a.ts": "x\n",
    "../agent.ts": `import { Workspace } from "${MOD}";\n` +
      "const workspace = await Workspace.open(Deno.args[0]!);\n" +
      "for (const path of Deno.args) console.log(await workspace.isPathWithin(path));\n",
  });
  const { stdout } = await run([t.ws, "locked", "locked/a.ts"], {
    cwd: t.base,
    permissions: [`--allow-read=${t.base}`, `--deny-read=${t.at("locked")}`],
    module: t.at("../agent.ts"),
  });
  assert.equal(stdout, "true\nfalse\nfalse\n");
});

Deno.test("resolveTextSearchTarget answers all workspaces, a directory or a file", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "b.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  for (const path of [undefined, "", "  "]) {
    assert.deepEqual(
      await pathgrep.resolveTextSearchTarget(workspace, path),
      { kind: "all-workspaces", roots: [t.ws] },
    );
  }
  for (const path of ["src", "./src", t.at("src"), " src/ "]) {
    assert.deepEqual(
      await pathgrep.resolveTextSearchTarget(workspace, path),
      { kind: "directory", searchDir: t.at("src"), notes: [] },
    );
  }
  for (const path of ["src/a.ts", t.at("src/a.ts")]) {
    assert.deepEqual(
      await pathgrep.resolveTextSearchTarget(workspace, path),
      {
        kind: "file",
        filePath: t.at("src/a.ts"),
        parentDir: t.at("src"),
        basename: "a.ts",
        notes: [],
      },
    );
  }
  const several = await Workspace.open([t.ws, t.at("src")]);
  assert.deepEqual(
    await pathgrep.resolveTextSearchTarget(several),
    { kind: "all-workspaces", roots: [t.ws, t.at("src")] },
  );
  for (const path of ["../outside", t.at("../outside/a.ts"), "../../etc"]) {
    const { code } = await failure(pathgrep.resolveTextSearchTarget(workspace, path));
    assert.equal(code, "path_outside_workspace", path);
  }
  const repaired = await pathgrep.resolveTextSearchTarget(workspace, "@b.ts");
  assert.ok(repaired.kind === "file" && repaired.filePath === t.at("b.ts"));
  assert.equal(repaired.notes.length, 1);
});

Deno.test("a library error's message is the detail without its category, toJSON has both", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await failure(pathgrep.resolveTextSearchTarget(workspace, "absent"));
  assert.equal(error.code, "path_not_found");
  assert.equal(error.message, `Path does not exist: ${t.at("absent")}`);
  assert.ok(error instanceof Error);
  assert.equal(
    json(error).error,
    `path resolution failed: Path does not exist: ${t.at("absent")}`,
  );
  assert.deepEqual(Object.keys(json(error)).slice(0, 2), ["error", "code"]);
});

Deno.test("resolveProjectPath returns missing paths, and says the same for every field", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "link": { link: "src" } });
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "src/a.ts"), t.at("src/a.ts"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "absent"), t.at("absent"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "link/absent"), t.at("src/absent"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, t.ws), t.ws);
  for (const path of [t.at("src/a.ts"), "./src/../src/a.ts", "  src/a.ts ", "src/a.ts\n"]) {
    assert.equal(await pathgrep.resolveProjectPath(t.ws, path), t.at("src/a.ts"));
  }
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "."), t.ws);
  for (const blank of ["", " ", "\n\t "]) {
    const { code } = await failure(pathgrep.resolveProjectPath(t.ws, blank));
    assert.equal(code, "INVALID_FILE_PATH");
  }
  for (const field of ["file_path", "target_dir", "path"]) {
    const escape = await failure(pathgrep.resolveProjectPath(t.ws, "../x", { field }));
    assert.equal(escape.code, "path_outside_workspace");
    assert.equal(escape.message, `${field} ../x escapes project root ${t.ws}`);
    const empty = await failure(pathgrep.resolveProjectPath(t.ws, " \n", { field }));
    assert.equal(empty.code, "INVALID_FILE_PATH");
    assert.equal(empty.message, `${field} is empty`);
    assert.equal(json(empty).error, `path resolution failed: ${field} is empty`);
  }
});

Deno.test("a name that ends in a backslash is that name, for every way in", async () => {
  await using t = await tree({
    "a": "x\n",
    "a\\": "x\n",
    "src\\/": null,
    "src/": null,
    "../odd\\/": null,
  });
  const workspace = await Workspace.open([t.ws, t.at("../odd\\")]);
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "a\\"), t.at("a\\"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "absent\\"), t.at("absent\\"));
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, { path: ["a\\", "src\\/"] }, {
      mustExist: true,
      repair: true,
    }),
    { path: [t.at("a\\"), t.at("src\\")] },
  );
  const { files } = await pathgrep.search(
    { pattern: "x", path: "a\\", outputMode: "file" },
    { workspace },
  ) as pathgrep.FileResult;
  assert.deepEqual(files, [t.at("a\\")]);
  const directory = async (path: string) =>
    (await pathgrep.resolveWorkingDirectory(workspace, path)).path;
  assert.equal(await directory("src\\"), t.at("src\\"));
  assert.equal(await directory("odd\\"), t.at("../odd\\"), "a root's base name");
  assert.equal((await failure(directory("ws\\"))).code, "path_not_found", "no root's base name");
});

Deno.test("resolveWorkingDirectory gives a canonical path and its notes", async () => {
  await using t = await tree({ "src/": null, "l": { link: "src" }, "../lone/": null });
  const workspace = await Workspace.open([t.ws, t.at("../lone")]);
  assert.deepEqual(
    await pathgrep.resolveWorkingDirectory(workspace, "l"),
    { path: t.at("src"), notes: [] },
  );
  const named = await pathgrep.resolveWorkingDirectory(workspace, "lone");
  assert.equal(named.path, t.at("../lone"));
  assert.match(named.notes.join(), /deprecated/i);
});

Deno.test("resolveToolCallPaths rewrites every path-like field and leaves the rest", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "b.ts": "x\n", "link": { link: "src" } });
  const workspace = await Workspace.open(t.ws);
  const hooked: unknown[] = [];
  const params = {
    file_path: "src/a.ts",
    path: "link/a.ts",
    dir_path: "src",
    working_dir: "./link",
    content: "src/a.ts",
    count: 3,
    nested: { file_path: "src/a.ts" },
  };
  const result = await pathgrep.resolveToolCallPaths(workspace, params, {
    onResolve: (...call) => hooked.push(call),
  });
  assert.deepEqual(result, {
    ...params,
    file_path: t.at("src/a.ts"),
    path: t.at("src/a.ts"),
    dir_path: t.at("src"),
    working_dir: t.at("src"),
  });
  assert.deepEqual(
    new Set(hooked.map((call) => JSON.stringify(call))),
    new Set([
      ["file_path", "src/a.ts", t.at("src/a.ts")],
      ["path", "link/a.ts", t.at("src/a.ts")],
      ["dir_path", "src", t.at("src")],
      ["working_dir", "./link", t.at("src")],
    ].map((call) => JSON.stringify(call))),
  );
});

Deno.test("resolveToolCallPaths takes arrays and the fields it is told", async () => {
  await using t = await tree({ "a.ts": "x\n", "b.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const arrays = await pathgrep.resolveToolCallPaths(workspace, { path: ["a.ts", "./b.ts"] });
  assert.deepEqual(arrays, { path: [t.at("a.ts"), t.at("b.ts")] });
  const absolute = { file_path: t.at("a.ts") };
  assert.deepEqual(await pathgrep.resolveToolCallPaths(workspace, absolute), absolute);
  const told = await pathgrep.resolveToolCallPaths(
    workspace,
    { target: "a.ts", file_path: "b.ts" },
    { fields: ["target"] },
  );
  assert.deepEqual(told, { target: t.at("a.ts"), file_path: "b.ts" });
  const none = { query: "../x", limit: 3, verbose: true, nothing: null };
  assert.deepEqual(await pathgrep.resolveToolCallPaths(workspace, none), none);
});

Deno.test("resolveToolCallPaths lets a file that is yet to be written through, never one outside", async () => {
  await using t = await tree({ "src/": null, "out": { link: ".." } });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, { file_path: "src/new.ts" }),
    { file_path: t.at("src/new.ts") },
  );
  for (const file_path of ["../new.ts", "/etc/passwd", "out/new.ts"]) {
    const error = await failure(pathgrep.resolveToolCallPaths(workspace, { file_path }));
    assert.equal(error.code, "path_outside_workspace");
    assert.equal(error.message, `file_path ${file_path} escapes project root ${t.ws}`);
  }
});

Deno.test("resolveToolCallPaths with mustExist shows the resolved path, the input and suggestions", async () => {
  await using t = await tree({ "deep/lib.rs": "x\n" });
  const workspace = await Workspace.open(t.ws);
  for (const mustExist of [true, ["file_path"]]) {
    const error = await failure(
      pathgrep.resolveToolCallPaths(workspace, { file_path: "lib.rs" }, { mustExist }),
    );
    assert.equal(error.code, "path_not_found");
    const said = json(error);
    assert.ok(said.error?.includes(t.at("lib.rs")));
    assert.equal(said.path, "lib.rs");
    assert.deepEqual(said.suggestions, ["deep/lib.rs"]);
  }
  const other = await pathgrep.resolveToolCallPaths(
    workspace,
    { file_path: "lib.rs", path: "deep" },
    { mustExist: ["path"] },
  );
  assert.deepEqual(other, { file_path: t.at("lib.rs"), path: t.at("deep") });
});

Deno.test("resolveToolCallPaths repairs only when asked to", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, { file_path: "@src/a.ts" }),
    { file_path: t.at("@src/a.ts") },
  );
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, { file_path: "@src/a.ts" }, { repair: true }),
    { file_path: t.at("src/a.ts") },
  );
  const error = await failure(
    pathgrep.resolveToolCallPaths(workspace, { file_path: "src/a.ts:3" }, { mustExist: true }),
  );
  assert.equal(error.code, "path_not_found");
});

Deno.test("search answers what the command line answers", async () => {
  await using t = await tree({ "src/a.ts": "0\nNeedle\n2\n", "b.md": "needle\n" });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.search({ pattern: "needle" }, { workspace }),
    await found(["needle"], { cwd: t.ws }),
  );
  const narrow = { pattern: "needle", path: "src", caseInsensitive: true, context: 1 };
  assert.deepEqual(
    await pathgrep.search(narrow, { workspace }),
    await found(["needle", "src", "-iC1"], { cwd: t.ws }),
  );
  const files = { pattern: "needle", outputMode: "file", include: "*.md" } as const;
  assert.deepEqual(
    await pathgrep.search(files, { workspace }),
    await found(["needle", "-l", "-g", "*.md"], { cwd: t.ws }),
  );
});

Deno.test("search rejects with the errors of the contract", async () => {
  await using t = await tree({ "a.txt": "x\n".repeat(20) });
  const workspace = await Workspace.open(t.ws);
  const code = async (query: pathgrep.SearchQuery) =>
    (await failure(pathgrep.search(query, { workspace }))).code;
  assert.equal(await code({ pattern: "" }), "invalid_input");
  assert.equal(await code({ pattern: "(" }), "invalid_pattern");
  assert.equal(await code({ pattern: "x", path: "../y" }), "path_outside_workspace");
  assert.equal(await code({ pattern: "x", path: "absent" }), "path_not_found");
  assert.equal(await code({ pattern: "x", path: "a\0b" }), "invalid_input");
  assert.equal(await code({ pattern: "x", include: "[" }), "invalid_input");
  assert.equal(await code({ pattern: "x", maxResults: 10 }), "search_too_broad");
});

Deno.test("an unknown key of a query is answered with the nearest known one first", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const said = async (key: string): Promise<string> => {
    const query = { pattern: "x", [key]: 1 } as pathgrep.SearchQuery;
    const { code, message } = await failure(pathgrep.search(query, { workspace }));
    assert.equal(code, "invalid_input");
    return message;
  };
  for (const [key, near] of [["output_mode", "outputMode"], ["maxResult", "maxResults"]] as const) {
    const sentence = `unknown key "${key}" (did you mean ${near}?); known keys are pattern, path`;
    assert.ok((await said(key)).startsWith(sentence), await said(key));
  }
  assert.match(await said("threads"), /^unknown key "threads"; known keys are pattern, path/);
  assert.ok((await said("x".repeat(1_000_000))).length < 1000);
});

Deno.test("a query of the wrong type, with an unknown key or a bad value is invalid_input", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const wrong: unknown[] = [
    null,
    "x",
    {},
    { pattern: 5 },
    { pattern: ["x", ""] },
    { pattern: [] },
    { toString: "x" },
    { constructor: "x" },
    { pattern: "x", Pattern: "x" },
    { pattern: "x", glob: "*.ts" },
    { pattern: "x", output_mode: "file" },
    { pattern: "x", outputMode: "lines" },
    { pattern: "x", path: 3 },
    { pattern: "x", caseInsensitive: "yes" },
    { pattern: "x", maxResults: "10" },
    { pattern: "x", maxResults: -1 },
    { pattern: "x", maxResults: NaN },
    { pattern: "x", maxResults: 1.5 },
    { pattern: "x", maxResults: 2 ** 53 },
    { pattern: "x", offset: -1 },
    { pattern: "x", maxCount: 0 },
    { pattern: "x", maxOutputChars: 0 },
    { pattern: "x", timeout: -1 },
    { pattern: "x", include: ["*.ts", 1] },
    { pattern: "x", include: {} },
    { pattern: "x", multiline: "yes" },
    { pattern: "x", sort: "size" },
    { pattern: "x", engine: "ack" },
    { pattern: "x", context: 1.5 },
  ];
  for (const query of wrong) {
    const error = await failure(pathgrep.search(query as pathgrep.SearchQuery, { workspace }));
    assert.equal(error.code, "invalid_input", JSON.stringify(query));
  }
  for (const key of ["pattern", "include", "path", "type", "allow"]) {
    const query = { pattern: "x", [key]: new Array(2) };
    const error = await failure(pathgrep.search(query, { workspace }));
    assert.equal(error.message, `${key} must be a string or an array of strings, got [null,null]`);
  }
  const edges = { maxResults: 2 ** 53 - 1, offset: 0, maxCount: 1, timeout: 0, maxDepth: 1 };
  assert.equal((await pathgrep.search({ pattern: "x", ...edges }, { workspace })).count, 1);
});

Deno.test("a NUL in a path is invalid_input for every resolver", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const calls = [
    pathgrep.resolveProjectPath(t.ws, "a\0b"),
    pathgrep.resolveTextSearchTarget(workspace, "a\0b"),
    pathgrep.resolveWorkingDirectory(workspace, "a\0b"),
    pathgrep.resolveToolCallPaths(workspace, { file_path: "a\0b" }),
  ];
  for (const call of calls) assert.equal((await failure(call)).code, "invalid_input");
});

Deno.test("an aborted search rejects with cancelled, before it begins or while it runs", async () => {
  await using t = await tree({ "a.txt": `${"a".repeat(60)}b\n` });
  const workspace = await Workspace.open(t.ws);
  const before = await failure(
    pathgrep.search({ pattern: "x" }, { workspace, signal: AbortSignal.abort() }),
  );
  assert.equal(before.code, "cancelled");
  assert.equal(json(before).error, "cancelled");
  const entries: Record<string, string> = {};
  for (let f = 0; f < 2000; f++) entries[`d${f % 50}/f${f}.txt`] = "x ".repeat(2000);
  await t.add(entries);
  const controller = new AbortController();
  const running = pathgrep.search({ pattern: "absent" }, { workspace, signal: controller.signal });
  queueMicrotask(() => controller.abort());
  assert.equal((await failure(running)).code, "cancelled");
});

Deno.test("a searcher answers many queries, sees every change and is disposed", async () => {
  await using t = await tree({ "a.txt": "one\n", "d/b.txt": "two\n" });
  const workspace = await Workspace.open(t.ws);
  const searcher = new pathgrep.Searcher({ workspace });
  const count = async (pattern: string) => (await searcher.search({ pattern })).count;
  assert.deepEqual(
    await searcher.search({ pattern: "one" }),
    await pathgrep.search({ pattern: "one" }, { workspace }),
  );
  assert.equal(await count("two"), 1);
  await t.add({ "a.txt": "two\n" });
  assert.equal(await count("two"), 2, "a rewritten file, of the same size");
  await t.add({ "e/c.txt": "two\n" });
  assert.equal(await count("two"), 3, "a new file");
  await Deno.remove(t.at("d"), { recursive: true });
  assert.equal(await count("two"), 2, "a removed directory");
  await Deno.rename(t.at("e/c.txt"), t.at("e/d.txt"));
  const renamed = await searcher.search({ pattern: "two", outputMode: "file" });
  assert.ok("files" in renamed);
  assert.deepEqual(renamed.files, [t.at("a.txt"), t.at("e/d.txt")]);
  await t.add({ ".gitignore": "e/\n" });
  assert.equal(await count("two"), 1, "a new ignore file");
  assert.deepEqual(
    await Promise.all(["one", "two", "two"].map(count)),
    [0, 1, 1],
    "queries at the same time",
  );
  await searcher[Symbol.asyncDispose]();
});

Deno.test("a searcher takes a signal for each search and survives it", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  await using searcher = new pathgrep.Searcher({ workspace: await Workspace.open(t.ws) });
  const error = await failure(searcher.search({ pattern: "x" }, { signal: AbortSignal.abort() }));
  assert.equal(error.code, "cancelled");
  assert.equal((await searcher.search({ pattern: "x" })).count, 1);
});

/** A guard on a workspace that holds a few blocked names. */
async function guarded(): Promise<{ t: Tree; guard: pathgrep.Guard }> {
  const t = await tree({
    "a.txt": "x\n",
    ".env": "x\n",
    "in": { link: ".env" },
    "out": { link: ".." },
  });
  return { t, guard: new pathgrep.Guard({ workspace: await Workspace.open(t.ws) }) };
}

Deno.test("the guard says granted inside, denied when blocked, pending outside", async () => {
  const { t, guard } = await guarded();
  await using _ = t;
  assert.equal(await guard.check(t.at("a.txt"), "read"), "granted");
  assert.equal(await guard.check(t.at("absent.txt"), "read"), "granted");
  assert.equal(await guard.check(t.at(".env"), "read"), "denied");
  assert.equal(await guard.check(t.at("absent/.git/x"), "read"), "denied");
  assert.equal(await guard.check(t.at("../outside"), "read"), "pending");
  assert.equal(await guard.check(t.at("../.env"), "read"), "denied");
  assert.equal(await guard.check(`${t.ws}/out/b.txt`, "read"), "pending");
  for (const path of ["a.txt", "missing.txt", "no/such/place", ".", t.ws]) {
    assert.equal(await guard.check(path, "read"), "granted", path);
  }
  for (const path of [".env", "in", "sub/.env", ".git/config", t.at("../ws/id_rsa")]) {
    assert.equal(await guard.check(path, "read"), "denied", path);
  }
  for (const path of ["..", "../other", t.at("../ws-evil/a.txt"), "/etc"]) {
    assert.equal(await guard.check(path, "read"), "pending", path);
  }
});

Deno.test("isBlocked answers by name alone", async () => {
  const { t, guard } = await guarded();
  await using _ = t;
  for (const path of [".env", "x/.ENV.local", "k.pem", ".git", ".ssh/id", "a/.aws/credentials"]) {
    assert.equal(guard.isBlocked(t.at(path)), true, path);
  }
  for (const path of ["a.txt", ".env.example", "id_rsa.pub", ".aws/config", "env"]) {
    assert.equal(guard.isBlocked(t.at(path)), false, path);
  }
});
