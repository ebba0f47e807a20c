/**
 * A relative path that is missing and is the end of one path of the workspace stands for that one.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  PathgrepError,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  search,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { answer, command, fails, found } from "../support/acceptance.ts";
import { quotedName } from "../../src/util/text.ts";
import { tempTree } from "../support/tree.ts";
import { assertInTime, assertSoon, inThreeTries } from "../support/soon.ts";
import { test } from "../support/needs.ts";

type Json = Record<string, unknown>;

/** What a call fails with. */
async function failure(call: Promise<unknown>): Promise<PathgrepError> {
  const thrown = await call.then(() => undefined, (thrown) => thrown);
  assert.ok(thrown instanceof PathgrepError, `it should have failed: ${thrown}`);
  return thrown;
}

const FILES = {
  "src/app.ts": "x\n",
  "src/utils/paths.ts": "x\n",
  "src/utils/deep/one.ts": "x\n",
  "src/utils/deep/two/deep": "x\n",
  "crates/agent/src/lib.rs": "x\n",
  "crates/tools/src/lib.rs": "x\n",
  ".config/hidden.toml": "x\n",
  "my notes/plan.md": "x\n",
  "packages/core/src/lib/z.ts": "x\n",
};

Deno.test("the only path that ends with the given segments is searched, and a note says so", async () => {
  await using t = await tempTree(FILES);
  const ends: [given: string, path: string][] = [
    ["app.ts", "src/app.ts"],
    ["./app.ts", "src/app.ts"],
    ["utils/paths.ts", "src/utils/paths.ts"],
    ["agent/src/lib.rs", "crates/agent/src/lib.rs"],
    ["src/lib/", "packages/core/src/lib"],
    ["utils/deep/", "src/utils/deep"],
    ["two/deep", "src/utils/deep/two/deep"],
    ["tools/src", "crates/tools/src"],
    ["hidden.toml", ".config/hidden.toml"],
    ["plan.md", "my notes/plan.md"],
    ["`app.ts`", "src/app.ts"],
    ["@paths.ts", "src/utils/paths.ts"],
    ["app.ts:12:5", "src/app.ts"],
    ["utils\\paths.ts", "src/utils/paths.ts"],
    ['"utils\\paths.ts:3"', "src/utils/paths.ts"],
  ];
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  for (const [path, end] of ends) {
    const result = await search({ pattern: "x", path }, { workspace });
    assert.equal(result.base_path, t.path(end), path);
    const [note, ...others] = result.notes ?? [];
    assert.ok(note!.startsWith(`path ${JSON.stringify(path)} was interpreted `), note);
    assert.ok(note!.endsWith(`as the only path with this ending: ${quotedName(end)}`), note);
    assert.deepEqual(others, []);
    const target = await resolveTextSearchTarget(workspace, path);
    assert.ok("notes" in target);
    assert.deepEqual(target.notes, [note]);
    const listed = await tools.execute("glob", { pattern: "*", path }) as Json;
    assert.equal(listed["base_path"], t.path(end));
    const resolved = await tools.execute("resolve_path", { path }) as Json;
    assert.deepEqual([resolved["relative"], resolved["notes"]], [end, [note]]);
  }
  const searched = await found(["x", "app.ts"], { cwd: t.root });
  assert.equal(searched.base_path, t.path("src/app.ts"));
  assert.equal((await found(["x", "paths.ts", "app.ts"], { cwd: t.root })).count, 2);
  const asFile = await command(["resolve", "--as", "file", "one.ts"], { cwd: t.root });
  assert.equal(asFile.relative, "src/utils/deep/one.ts");
});

Deno.test("one name of a directory, or without an extension, is suggested and never taken", async () => {
  await using t = await tempTree({
    ".gitignore": "build\n",
    "test/resources/repos/lua/test_repo/tests/a.lua": "x\n",
    "build/tests/a.lua": "x\n",
    "native/Makefile": "x\n",
    "native/.gitattributes": "x\n",
    "native/v1.2/b.c": "x\n",
    "my dir/c.md": "x\n",
  });
  const tests = "test/resources/repos/lua/test_repo/tests";
  const names: [given: string, suggestion: string][] = [
    ...["tests", "tests/", "./tests", " tests ", "`tests`", "@tests", "tests:3", "<tests>"]
      .map((given) => [given, tests] as [string, string]),
    ["v1.2", "native/v1.2"],
    ["Makefile", "native/Makefile"],
    ["Makefile:3", "native/Makefile"],
    [".gitattributes", "native/.gitattributes"],
    ["my%20dir", "my dir"], // by a repair that needs no ending
  ];
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  for (const [path, suggestion] of names) {
    const calls = [
      await answer(["x", path], { cwd: t.root }),
      await tools.execute("grep", { pattern: "x", path }) as Json,
      await tools.execute("glob", { pattern: "*", path }) as Json,
      await tools.execute("resolve_path", { path }) as Json,
      await search({ pattern: "x", path }, { workspace }).catch((thrown) => thrown.toJSON()),
    ] as Json[];
    for (const { code, suggestions, base_path, path: resolved } of calls) {
      if (suggestion === "my dir") {
        assert.equal(base_path ?? resolved, t.path(suggestion));
        continue;
      }
      assert.equal(code, "path_not_found", path);
      assert.equal((suggestions as string[])[0], suggestion, path);
    }
    const read = await tools.execute("read_file", { path }) as Json;
    if (suggestion === "my dir") assert.equal(read["base_path"], t.path(suggestion));
    else assert.ok("error" in read, path);
    assert.equal((await found(["x", suggestion], { cwd: t.root })).base_path, t.path(suggestion));
  }
});

Deno.test("of two paths that end so neither is taken: both are suggested, before any ignored one", async () => {
  const ignored = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`build/${index}/lib.rs`, "x\n"]),
  );
  await using t = await tempTree({ ...FILES, ...ignored, ".gitignore": "build\n" });
  const both = ["crates/agent/src/lib.rs", "crates/tools/src/lib.rs"];
  for (const path of ["lib.rs", "src/lib.rs", "'lib.rs'", "lib.rs:7", "src\\lib.rs"]) {
    const error = await fails("path_not_found", ["x", path], { cwd: t.root });
    assert.deepEqual(error.suggestions?.slice(0, 2).sort(), both, path);
    for (const suggestion of both) {
      assert.equal((await found(["x", suggestion], { cwd: t.root })).count, 1);
    }
  }
});

Deno.test("neither another letter case, nor a part of a name, nor a misspelling is an end", async () => {
  await using t = await tempTree(FILES);
  for (
    const path of [
      "App.ts",
      "pp.ts",
      "ils/paths.ts",
      "SRC/utils/paths.ts",
      "ap.ts",
      "app",
      "src/paths.ts",
    ]
  ) {
    await fails("path_not_found", ["x", path], { cwd: t.root });
  }
  const { suggestions } = await fails("path_not_found", ["x", "App.ts"], { cwd: t.root });
  assert.deepEqual(suggestions, ["src/app.ts"]);
});

Deno.test("what is ignored does not count, and is only suggested", async () => {
  await using t = await tempTree({
    "src/app.ts": "x\n",
    "dist/app.ts": "x\n",
    "dist/only.ts": "x\n",
    "a/.ignore": "gen\n",
    "a/gen/made.ts": "x\n",
    "b/made.ts": "x\n",
    ".gitignore": "dist\n",
  });
  for (const [path, end] of [["app.ts", "src/app.ts"], ["made.ts", "b/made.ts"]] as const) {
    assert.equal((await found(["x", path], { cwd: t.root })).base_path, t.path(end));
  }
  const error = await fails("path_not_found", ["x", "only.ts"], { cwd: t.root });
  assert.deepEqual(error.suggestions, ["dist/only.ts"]);
});

Deno.test("an absolute path, one with .. and one outside are the end of nothing", async () => {
  await using t = await tempTree({ ...FILES, "../beside/app.ts": "x\n", "home/dev/z.ts": "x\n" });
  for (
    const path of [
      "/app.ts",
      "/dev/z.ts",
      "../app.ts",
      "../beside/app.ts",
      "~/app.ts",
      t.path("app.ts"),
    ]
  ) {
    const error = await answer(["x", path], { cwd: t.root });
    assert.match(String(error.code), /^path_(outside_workspace|not_found)$/, path);
  }
});

Deno.test("what is blocked or leads out is never found, and a link to the same file is that file", async () => {
  await using t = await tempTree({
    "a/server.pem": "x\n",
    "b/denied.ts": "x\n",
    "c/real.ts": "x\n",
    "d/real.ts": { symlink: "../c/real.ts" },
    "e/two.ts": "x\n",
    "f/two.ts": { symlink: "../c/real.ts" },
    "g/out.ts": { symlink: "$BASE/outside.ts" },
    "h/out.ts": "x\n",
    "i/gone.ts": { symlink: "nowhere" },
    "../outside.ts": "x\n",
  });
  const at = (path: string) => answer(["x", "--deny", "denied.ts", path], { cwd: t.root });
  assert.equal((await at("real.ts")).base_path, t.path("c/real.ts"));
  assert.equal((await at("out.ts")).base_path, t.path("h/out.ts"));
  assert.equal((await at("two.ts")).code, "path_not_found");
  assert.equal((await at("gone.ts")).code, "path_not_found");
  for (const path of ["server.pem", "denied.ts"]) {
    const error = await at(path);
    assert.match(String(error.code), /^permission_denied_by_policy$/);
    assert.equal(error.suggestions, undefined);
  }
});

Deno.test("with several roots the only path of all of them is meant", async () => {
  await using t = await tempTree({
    "lib/a.ts": "x\n",
    "lib/both.ts": "x\n",
    "../other/sub/b.ts": "x\n",
    "../other/sub/both.ts": "x\n",
    "../other/inner/deep/c.ts": "x\n",
  });
  const other = `${t.base}/other`;
  const workspace = await Workspace.open([t.root, other, `${other}/inner`]);
  for (
    const [path, end] of [
      ["a.ts", t.path("lib/a.ts")],
      ["sub/b.ts", `${other}/sub/b.ts`],
      ["b.ts", `${other}/sub/b.ts`],
      ["c.ts", `${other}/inner/deep/c.ts`],
    ] as const
  ) {
    assert.equal((await search({ pattern: "x", path }, { workspace })).base_path, end);
  }
  const { code } = await failure(search({ pattern: "x", path: "both.ts" }, { workspace }));
  assert.equal(code, "path_not_found");
});

Deno.test("project paths, working directories and the paths of other tools are never moved so", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  assert.equal(await resolveProjectPath(t.root, "app.ts"), t.path("app.ts"));
  const directory = await failure(resolveWorkingDirectory(workspace, "utils"));
  assert.deepEqual(directory.details.suggestions, ["src/utils"]);
  const call = { file_path: "app.ts" };
  for (const repair of [false, true]) {
    const params = await resolveToolCallPaths(workspace, call, { repair });
    assert.deepEqual(params, { file_path: t.path("app.ts") });
    const must = resolveToolCallPaths(workspace, call, { repair, mustExist: true });
    assert.equal((await failure(must)).code, "path_not_found");
  }
  for (const as of ["dir", "project"]) {
    const { relative } = await command(["resolve", "--as", as, "utils"], { cwd: t.root });
    assert.equal(relative, as === "project" ? "utils" : undefined);
  }
});

/** Files whose names are held against many rules, so that a walk takes long. */
function slowTree(rules: number, files: number): Record<string, string> {
  let seed = 1;
  const letter = () => "abcdefgh"[(seed = seed * 16807 % 2147483647) % 8]!;
  const letters = (length: number) => Array.from({ length }, letter);
  const patterns = Array.from({ length: rules }, () => `*${letters(12).join("*")}*z`);
  const names = Array.from({ length: files }, (_, index) => {
    const name = letters(200).join("");
    // The walk gives way between directories, so that none has many names.
    return [`d${index % 15}/e${index % 300}/${name}z${index}`, ""];
  });
  return { ...Object.fromEntries(names), ".gitignore": patterns.join("\n") };
}

test.slow(
  "the walk ends with the time limit, with the caller, and after two seconds",
  inThreeTries(async () => {
    // Many seconds in all.
    await using t = await tempTree({ ...slowTree(1000, 300), "z/only.ts": "x\n" });
    const workspace = await Workspace.open(t.root);
    const query = { pattern: "x", path: "only.ts" };
    const cut = async (timeout: number) => {
      const started = performance.now();
      const error = await failure(search({ ...query, timeout }, { workspace }));
      assert.equal(error.code, "path_not_found", "there might be another one");
      return performance.now() - started;
    };
    assertInTime(await cut(0), 10_000, "a walk without a limit");
    // Without the limit or the caller it takes two seconds.
    assertInTime(await cut(100), 1500, "a walk with a limit");
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    const started = performance.now();
    const { code } = await failure(search(query, { workspace, signal: caller.signal }));
    const took = performance.now() - started;
    if (took < 1500) assert.equal(code, "cancelled");
    assertInTime(took, 1500, "a walk that is aborted");
  }),
);

test.slow(
  "all paths of a call are looked for in one walk, which counts for the time limit",
  inThreeTries(async () => {
    const names = Array.from({ length: 20 }, (_, index) => `only${index}.ts`);
    await using t = await tempTree({
      ...slowTree(100, 40),
      ...Object.fromEntries(names.map((name) => [`z/${name}`, `${"a".repeat(40)}!\n`])),
    });
    const workspace = await Workspace.open(t.root);
    // The walk has a limit of its own, in which a busy machine may not get through it.
    const failSlow = (error: { code: string }): never => {
      if (error.code === "path_not_found") assertInTime(Infinity, 0, "the walk");
      throw error;
    };
    const timeFor = async (path: readonly string[]) => {
      const started = performance.now();
      const query = { pattern: "absent", path, explain: "never" } as const;
      const answer = await search(query, { workspace }).catch(failSlow);
      const { base_path, base_paths = [base_path] } = answer;
      assert.deepEqual(base_paths, path.map((name) => t.path(`z/${name}`)));
      return performance.now() - started;
    };
    const one = Math.min(await timeFor(names.slice(0, 1)), await timeFor(names.slice(1, 2)));
    assertInTime(await timeFor(names), 6 * one, "a call with 20 paths");
    // A pattern that does not come to its end.
    const query = { pattern: "^(a+)+\\1$", path: names[0]!, timeout: Math.round(1.6 * one) };
    const started = performance.now();
    const { code, message } = await failure(search(query, { workspace }));
    const took = performance.now() - started;
    if (code === "path_not_found") failSlow({ code });
    assert.deepEqual(
      [code, message],
      ["search_timed_out", `search timed out after ${query.timeout} ms`],
    );
    assertInTime(took, 2.4 * one, "the rest of the limit");
  }),
);

test.slow("many links of one name are looked at once, however many rules exclude", async () => {
  const rules = Array.from({ length: 8000 }, (_, index) => `*a?b*c${index}*`).join("\n");
  const links = Object.fromEntries(
    Array.from(
      { length: 900 },
      (_, index) => [`d${index}/target.txt`, { symlink: "/nonexistent/x" }],
    ),
  );
  await using t = await tempTree({ ".aiignore": rules, ...links });
  const started = performance.now();
  const { code } = await new ResolvePathTool({ workspace: await Workspace.open(t.root) })
    .execute({ path: "target.txt" }) as { code: string };
  assert.equal(code, "path_not_found");
  assertSoon(started);
});
