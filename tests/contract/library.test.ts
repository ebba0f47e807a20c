/**
 * The library as an agent imports it, without the tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as library from "../../mod.ts";
import { type Answer, found } from "../support/acceptance.ts";
import { MOD, pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const { PathgrepError, Workspace } = library;

/** Waits for a rejection and gives its `PathgrepError`. */
async function failure(promise: Promise<unknown>): Promise<library.PathgrepError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof PathgrepError, `a PathgrepError, not ${error}`);
    return error;
  }
  assert.fail("it did not fail");
}

/** What an error is as JSON. */
function json(error: library.PathgrepError): Answer {
  return JSON.parse(JSON.stringify(error)) as Answer;
}

Deno.test("a workspace is opened on one root or several, and its roots are canonical", async () => {
  await using t = await tempTree({ "src/": null, "../alias": { symlink: "ws" }, "../two/": null });
  assert.deepEqual((await Workspace.open(t.root)).roots, [t.root]);
  assert.deepEqual((await Workspace.open(`${t.root}/src/..//`)).roots, [t.root]);
  assert.deepEqual((await Workspace.open(t.path("../alias"))).roots, [t.root]);
  assert.deepEqual((await Workspace.open([t.path("../two"), t.root])).roots, [
    t.path("../two"),
    t.root,
  ]);
});

Deno.test("a workspace that is missing or a file can't be opened", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const root of [t.path("absent"), t.path("a.txt")]) {
    await failure(Workspace.open(root));
  }
});

Deno.test("isPathWithin holds canonical paths against the roots", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "in": { symlink: "src" },
    "out": { symlink: ".." },
    "dangling": { symlink: "../nowhere" },
    "../two/b.ts": "x\n",
    "../ws-evil/c.ts": "x\n",
  });
  const workspace = await Workspace.open([t.root, t.path("../two")]);
  for (const path of ["", "src", "src/a.ts", "in/a.ts", "absent/x", "../two/b.ts"]) {
    assert.equal(await workspace.isPathWithin(t.path(path)), true, path);
  }
  for (
    const path of [
      t.base,
      "/",
      `${t.root}-evil/c.ts`,
      `${t.root}/../x`,
      `${t.root}/out`,
      `${t.root}/out/ws-evil/c.ts`,
      `${t.root}/dangling`,
      `${t.root}/dangling/x`,
    ]
  ) {
    assert.equal(await workspace.isPathWithin(path), false, path);
  }
});

Deno.test("isPathWithin reads paths as searches do, and answers false where that cannot be", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "loop": { symlink: "loop" } });
  const workspace = await Workspace.open(t.root);
  for (const path of ["src/a.ts\n", ` ${t.path("src")}`, "\t./src \r\n"]) {
    assert.equal(await workspace.isPathWithin(path), true, JSON.stringify(path));
  }
  const others = ["\n/etc/passwd", " /etc/passwd", "\t../x", "x\0", "a".repeat(40_000), "loop"];
  for (const path of others) {
    assert.equal(await workspace.isPathWithin(path), false, JSON.stringify(path.slice(0, 20)));
  }
});

Deno.test("isPathWithin answers false below a directory that may not be read", async () => {
  await using t = await tempTree({
    "locked/a.ts": "x\n",
    "../agent.ts": `import { Workspace } from "${MOD}";\n` +
      "const workspace = await Workspace.open(Deno.args[0]!);\n" +
      "for (const path of Deno.args) console.log(await workspace.isPathWithin(path));\n",
  });
  const { stdout } = await pathgrep([t.root, "locked", "locked/a.ts"], {
    cwd: t.base,
    permissions: [`--allow-read=${t.base}`, `--deny-read=${t.path("locked")}`],
    module: t.path("../agent.ts"),
  });
  assert.equal(stdout, "true\nfalse\nfalse\n");
});

Deno.test("resolveTextSearchTarget answers all workspaces, a directory or a file", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "b.ts": "x\n" });
  const workspace = await Workspace.open(t.root);
  for (const path of [undefined, "", "  "]) {
    assert.deepEqual(
      await library.resolveTextSearchTarget(workspace, path),
      { kind: "all-workspaces", roots: [t.root] },
    );
  }
  for (const path of ["src", "./src", t.path("src"), " src/ "]) {
    assert.deepEqual(
      await library.resolveTextSearchTarget(workspace, path),
      { kind: "directory", searchDir: t.path("src"), notes: [] },
    );
  }
  for (const path of ["src/a.ts", t.path("src/a.ts")]) {
    assert.deepEqual(
      await library.resolveTextSearchTarget(workspace, path),
      {
        kind: "file",
        filePath: t.path("src/a.ts"),
        parentDir: t.path("src"),
        basename: "a.ts",
        notes: [],
      },
    );
  }
  const several = await Workspace.open([t.root, t.path("src")]);
  assert.deepEqual(
    await library.resolveTextSearchTarget(several),
    { kind: "all-workspaces", roots: [t.root, t.path("src")] },
  );
  for (const path of ["../outside", t.path("../outside/a.ts"), "../../etc"]) {
    const { code } = await failure(library.resolveTextSearchTarget(workspace, path));
    assert.equal(code, "path_outside_workspace", path);
  }
  const repaired = await library.resolveTextSearchTarget(workspace, "@b.ts");
  assert.ok(repaired.kind === "file" && repaired.filePath === t.path("b.ts"));
  assert.equal(repaired.notes.length, 1);
});

Deno.test("a library error's message is the detail without its category, toJSON has both", async () => {
  await using t = await tempTree({});
  const workspace = await Workspace.open(t.root);
  const error = await failure(library.resolveTextSearchTarget(workspace, "absent"));
  assert.equal(error.code, "path_not_found");
  assert.equal(error.message, `Path does not exist: ${t.path("absent")}`);
  assert.ok(error instanceof Error);
  assert.equal(
    json(error).error,
    `path resolution failed: Path does not exist: ${t.path("absent")}`,
  );
  assert.deepEqual(Object.keys(json(error)).slice(0, 2), ["error", "code"]);
});

Deno.test("resolveProjectPath returns missing paths, and says the same for every field", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "link": { symlink: "src" } });
  assert.equal(await library.resolveProjectPath(t.root, "src/a.ts"), t.path("src/a.ts"));
  assert.equal(await library.resolveProjectPath(t.root, "absent"), t.path("absent"));
  assert.equal(await library.resolveProjectPath(t.root, "link/absent"), t.path("src/absent"));
  assert.equal(await library.resolveProjectPath(t.root, t.root), t.root);
  for (const path of [t.path("src/a.ts"), "./src/../src/a.ts", "  src/a.ts ", "src/a.ts\n"]) {
    assert.equal(await library.resolveProjectPath(t.root, path), t.path("src/a.ts"));
  }
  assert.equal(await library.resolveProjectPath(t.root, "."), t.root);
  for (const blank of ["", " ", "\n\t "]) {
    const { code } = await failure(library.resolveProjectPath(t.root, blank));
    assert.equal(code, "INVALID_FILE_PATH");
  }
  for (const field of ["file_path", "target_dir", "path"]) {
    const escape = await failure(library.resolveProjectPath(t.root, "../x", { field }));
    assert.equal(escape.code, "path_outside_workspace");
    assert.equal(escape.message, `${field} ../x escapes project root ${t.root}`);
    const empty = await failure(library.resolveProjectPath(t.root, " \n", { field }));
    assert.equal(empty.code, "INVALID_FILE_PATH");
    assert.equal(empty.message, `${field} is empty`);
    assert.equal(json(empty).error, `path resolution failed: ${field} is empty`);
  }
});

Deno.test("a name that ends in a backslash is that name, for every way in", async () => {
  await using t = await tempTree({
    "a": "x\n",
    "a\\": "x\n",
    "src\\/": null,
    "src/": null,
    "../odd\\/": null,
  });
  const workspace = await Workspace.open([t.root, t.path("../odd\\")]);
  assert.equal(await library.resolveProjectPath(t.root, "a\\"), t.path("a\\"));
  assert.equal(await library.resolveProjectPath(t.root, "absent\\"), t.path("absent\\"));
  assert.deepEqual(
    await library.resolveToolCallPaths(workspace, { path: ["a\\", "src\\/"] }, {
      mustExist: true,
      repair: true,
    }),
    { path: [t.path("a\\"), t.path("src\\")] },
  );
  const { files } = await library.search(
    { pattern: "x", path: "a\\", outputMode: "file" },
    { workspace },
  ) as library.FileResult;
  assert.deepEqual(files, [t.path("a\\")]);
  const directory = async (path: string) =>
    (await library.resolveWorkingDirectory(workspace, path)).path;
  assert.equal(await directory("src\\"), t.path("src\\"));
  assert.equal(await directory("odd\\"), t.path("../odd\\"), "a root's base name");
  assert.equal((await failure(directory("ws\\"))).code, "path_not_found", "no root's base name");
});

Deno.test("resolveWorkingDirectory gives a canonical path and its notes", async () => {
  await using t = await tempTree({ "src/": null, "l": { symlink: "src" }, "../lone/": null });
  const workspace = await Workspace.open([t.root, t.path("../lone")]);
  assert.deepEqual(
    await library.resolveWorkingDirectory(workspace, "l"),
    { path: t.path("src"), notes: [] },
  );
  const named = await library.resolveWorkingDirectory(workspace, "lone");
  assert.equal(named.path, t.path("../lone"));
  assert.match(named.notes.join(), /deprecated/i);
});

Deno.test("resolveToolCallPaths rewrites every path-like field and leaves the rest", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "b.ts": "x\n", "link": { symlink: "src" } });
  const workspace = await Workspace.open(t.root);
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
  const result = await library.resolveToolCallPaths(workspace, params, {
    onResolve: (...call) => hooked.push(call),
  });
  assert.deepEqual(result, {
    ...params,
    file_path: t.path("src/a.ts"),
    path: t.path("src/a.ts"),
    dir_path: t.path("src"),
    working_dir: t.path("src"),
  });
  assert.deepEqual(
    new Set(hooked.map((call) => JSON.stringify(call))),
    new Set([
      ["file_path", "src/a.ts", t.path("src/a.ts")],
      ["path", "link/a.ts", t.path("src/a.ts")],
      ["dir_path", "src", t.path("src")],
      ["working_dir", "./link", t.path("src")],
    ].map((call) => JSON.stringify(call))),
  );
});

Deno.test("resolveToolCallPaths takes arrays and the fields it is given", async () => {
  await using t = await tempTree({ "a.ts": "x\n", "b.ts": "x\n" });
  const workspace = await Workspace.open(t.root);
  const arrays = await library.resolveToolCallPaths(workspace, { path: ["a.ts", "./b.ts"] });
  assert.deepEqual(arrays, { path: [t.path("a.ts"), t.path("b.ts")] });
  const absolute = { file_path: t.path("a.ts") };
  assert.deepEqual(await library.resolveToolCallPaths(workspace, absolute), absolute);
  const told = await library.resolveToolCallPaths(
    workspace,
    { target: "a.ts", file_path: "b.ts" },
    { fields: ["target"] },
  );
  assert.deepEqual(told, { target: t.path("a.ts"), file_path: "b.ts" });
  const none = { query: "../x", limit: 3, verbose: true, nothing: null };
  assert.deepEqual(await library.resolveToolCallPaths(workspace, none), none);
});

Deno.test("resolveToolCallPaths lets a file that is yet to be written through, never one outside", async () => {
  await using t = await tempTree({ "src/": null, "out": { symlink: ".." } });
  const workspace = await Workspace.open(t.root);
  assert.deepEqual(
    await library.resolveToolCallPaths(workspace, { file_path: "src/new.ts" }),
    { file_path: t.path("src/new.ts") },
  );
  for (const file_path of ["../new.ts", "/etc/passwd", "out/new.ts"]) {
    const error = await failure(library.resolveToolCallPaths(workspace, { file_path }));
    assert.equal(error.code, "path_outside_workspace");
    assert.equal(error.message, `file_path ${file_path} escapes project root ${t.root}`);
  }
});

Deno.test("resolveToolCallPaths with mustExist shows the resolved path, the input and suggestions", async () => {
  await using t = await tempTree({ "deep/lib.rs": "x\n" });
  const workspace = await Workspace.open(t.root);
  for (const mustExist of [true, ["file_path"]]) {
    const error = await failure(
      library.resolveToolCallPaths(workspace, { file_path: "lib.rs" }, { mustExist }),
    );
    assert.equal(error.code, "path_not_found");
    const said = json(error);
    assert.ok(said.error?.includes(t.path("lib.rs")));
    assert.equal(said.path, "lib.rs");
    assert.deepEqual(said.suggestions, ["deep/lib.rs"]);
  }
  const other = await library.resolveToolCallPaths(
    workspace,
    { file_path: "lib.rs", path: "deep" },
    { mustExist: ["path"] },
  );
  assert.deepEqual(other, { file_path: t.path("lib.rs"), path: t.path("deep") });
});

Deno.test("resolveToolCallPaths repairs only when asked to", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  const workspace = await Workspace.open(t.root);
  assert.deepEqual(
    await library.resolveToolCallPaths(workspace, { file_path: "@src/a.ts" }),
    { file_path: t.path("@src/a.ts") },
  );
  assert.deepEqual(
    await library.resolveToolCallPaths(workspace, { file_path: "@src/a.ts" }, { repair: true }),
    { file_path: t.path("src/a.ts") },
  );
  const error = await failure(
    library.resolveToolCallPaths(workspace, { file_path: "src/a.ts:3" }, { mustExist: true }),
  );
  assert.equal(error.code, "path_not_found");
});

Deno.test("search answers what the command line answers", async () => {
  await using t = await tempTree({ "src/a.ts": "0\nNeedle\n2\n", "b.md": "needle\n" });
  const workspace = await Workspace.open(t.root);
  assert.deepEqual(
    await library.search({ pattern: "needle" }, { workspace }),
    await found(["needle"], { cwd: t.root }),
  );
  const narrow = { pattern: "needle", path: "src", caseInsensitive: true, context: 1 };
  assert.deepEqual(
    await library.search(narrow, { workspace }),
    await found(["needle", "src", "-iC1"], { cwd: t.root }),
  );
  const files = { pattern: "needle", outputMode: "file", include: "*.md" } as const;
  assert.deepEqual(
    await library.search(files, { workspace }),
    await found(["needle", "-l", "-g", "*.md"], { cwd: t.root }),
  );
});

Deno.test("search rejects with the errors of the contract", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(20) });
  const workspace = await Workspace.open(t.root);
  const code = async (query: library.SearchQuery) =>
    (await failure(library.search(query, { workspace }))).code;
  assert.equal(await code({ pattern: "" }), "invalid_input");
  assert.equal(await code({ pattern: "(" }), "invalid_pattern");
  assert.equal(await code({ pattern: "x", path: "../y" }), "path_outside_workspace");
  assert.equal(await code({ pattern: "x", path: "absent" }), "path_not_found");
  assert.equal(await code({ pattern: "x", path: "a\0b" }), "invalid_input");
  assert.equal(await code({ pattern: "x", include: "[" }), "invalid_input");
  assert.equal(await code({ pattern: "x", maxResults: 10 }), "search_too_broad");
});

Deno.test("an unknown key of a query is answered with the nearest known one first", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.root);
  const said = async (key: string): Promise<string> => {
    const query = { pattern: "x", [key]: 1 } as library.SearchQuery;
    const { code, message } = await failure(library.search(query, { workspace }));
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
  await using t = await tempTree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.root);
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
    const error = await failure(library.search(query as library.SearchQuery, { workspace }));
    assert.equal(error.code, "invalid_input", JSON.stringify(query));
  }
  for (const key of ["pattern", "include", "path", "type", "allow"]) {
    const query = { pattern: "x", [key]: new Array(2) };
    const error = await failure(library.search(query, { workspace }));
    assert.equal(error.message, `${key} must be a string or an array of strings, got [null,null]`);
  }
  const edges = { maxResults: 2 ** 53 - 1, offset: 0, maxCount: 1, timeout: 0, maxDepth: 1 };
  assert.equal((await library.search({ pattern: "x", ...edges }, { workspace })).count, 1);
});

Deno.test("a NUL in a path is invalid_input for every resolver", async () => {
  await using t = await tempTree({});
  const workspace = await Workspace.open(t.root);
  const calls = [
    library.resolveProjectPath(t.root, "a\0b"),
    library.resolveTextSearchTarget(workspace, "a\0b"),
    library.resolveWorkingDirectory(workspace, "a\0b"),
    library.resolveToolCallPaths(workspace, { file_path: "a\0b" }),
  ];
  for (const call of calls) assert.equal((await failure(call)).code, "invalid_input");
});

test.slow("an aborted search rejects with cancelled, before it begins or while it runs", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(60)}b\n` });
  const workspace = await Workspace.open(t.root);
  const before = await failure(
    library.search({ pattern: "x" }, { workspace, signal: AbortSignal.abort() }),
  );
  assert.equal(before.code, "cancelled");
  assert.equal(json(before).error, "cancelled");
  const entries: Record<string, string> = {};
  for (let f = 0; f < 2000; f++) entries[`d${f % 50}/f${f}.txt`] = "x ".repeat(2000);
  await t.write(entries);
  const controller = new AbortController();
  const running = library.search({ pattern: "absent" }, { workspace, signal: controller.signal });
  queueMicrotask(() => controller.abort());
  assert.equal((await failure(running)).code, "cancelled");
});

Deno.test("a searcher answers many queries, sees every change and is disposed", async () => {
  await using t = await tempTree({ "a.txt": "one\n", "d/b.txt": "two\n" });
  const workspace = await Workspace.open(t.root);
  const searcher = new library.Searcher({ workspace });
  const count = async (pattern: string) => (await searcher.search({ pattern })).count;
  assert.deepEqual(
    await searcher.search({ pattern: "one" }),
    await library.search({ pattern: "one" }, { workspace }),
  );
  assert.equal(await count("two"), 1);
  await t.write({ "a.txt": "two\n" });
  assert.equal(await count("two"), 2, "a rewritten file, of the same size");
  await t.write({ "e/c.txt": "two\n" });
  assert.equal(await count("two"), 3, "a new file");
  await Deno.remove(t.path("d"), { recursive: true });
  assert.equal(await count("two"), 2, "a removed directory");
  await Deno.rename(t.path("e/c.txt"), t.path("e/d.txt"));
  const renamed = await searcher.search({ pattern: "two", outputMode: "file" });
  assert.ok("files" in renamed);
  assert.deepEqual(renamed.files, [t.path("a.txt"), t.path("e/d.txt")]);
  await t.write({ ".gitignore": "e/\n" });
  assert.equal(await count("two"), 1, "a new ignore file");
  assert.deepEqual(
    await Promise.all(["one", "two", "two"].map(count)),
    [0, 1, 1],
    "queries at the same time",
  );
  await searcher[Symbol.asyncDispose]();
});

Deno.test("a searcher takes a signal for each search and survives it", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  await using searcher = new library.Searcher({ workspace: await Workspace.open(t.root) });
  const error = await failure(searcher.search({ pattern: "x" }, { signal: AbortSignal.abort() }));
  assert.equal(error.code, "cancelled");
  assert.equal((await searcher.search({ pattern: "x" })).count, 1);
});

/** A guard on a workspace that holds a few blocked names. */
async function guarded(): Promise<{ t: Tree; guard: library.Guard }> {
  const t = await tempTree({
    "a.txt": "x\n",
    ".env": "x\n",
    "in": { symlink: ".env" },
    "out": { symlink: ".." },
  });
  return { t, guard: new library.Guard({ workspace: await Workspace.open(t.root) }) };
}

Deno.test("the guard says granted inside, denied when blocked, pending outside", async () => {
  const { t, guard } = await guarded();
  await using _ = t;
  assert.equal(await guard.check(t.path("a.txt"), "read"), "granted");
  assert.equal(await guard.check(t.path("absent.txt"), "read"), "granted");
  assert.equal(await guard.check(t.path(".env"), "read"), "denied");
  assert.equal(await guard.check(t.path("absent/.git/x"), "read"), "denied");
  assert.equal(await guard.check(t.path("../outside"), "read"), "pending");
  assert.equal(await guard.check(t.path("../.env"), "read"), "denied");
  assert.equal(await guard.check(`${t.root}/out/b.txt`, "read"), "pending");
  for (const path of ["a.txt", "missing.txt", "no/such/place", ".", t.root]) {
    assert.equal(await guard.check(path, "read"), "granted", path);
  }
  for (const path of [".env", "in", "sub/.env", ".git/config", t.path("../ws/id_rsa")]) {
    assert.equal(await guard.check(path, "read"), "denied", path);
  }
  for (const path of ["..", "../other", t.path("../ws-evil/a.txt"), "/etc"]) {
    assert.equal(await guard.check(path, "read"), "pending", path);
  }
});

Deno.test("isBlocked answers by name alone", async () => {
  const { t, guard } = await guarded();
  await using _ = t;
  for (const path of [".env", "x/.ENV.local", "k.pem", ".git", ".ssh/id", "a/.aws/credentials"]) {
    assert.equal(guard.isBlocked(t.path(path)), true, path);
  }
  for (const path of ["a.txt", ".env.example", "id_rsa.pub", ".aws/config", "env"]) {
    assert.equal(guard.isBlocked(t.path(path)), false, path);
  }
});
