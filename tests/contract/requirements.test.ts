/**
 * The requirements that the product began with: what a search in a file, a working directory, a
 * project path and the paths of a tool call are.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as pathgrep from "../../mod.ts";
import {
  answer,
  command,
  fails,
  files,
  found,
  lines,
  run,
  tree,
  withoutReadOverride,
} from "../support/acceptance.ts";
import { testNeeding } from "../support/needs.ts";

const test = testNeeding("setpriv");

const { Workspace } = pathgrep;

/** Waits for a rejection with a code and gives the error. */
async function rejects(promise: Promise<unknown>, code: string): Promise<pathgrep.PathgrepError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof pathgrep.PathgrepError, `a PathgrepError, not ${error}`);
    assert.equal(error.code, code);
    return error;
  }
  assert.fail("it did not fail");
}

Deno.test("without a path, the target of a search is every workspace root", async () => {
  await using t = await tree({ "../two/": null });
  const workspace = await Workspace.open([t.ws, t.at("../two")]);
  const target = await pathgrep.resolveTextSearchTarget(workspace);
  assert.deepEqual(target, { kind: "all-workspaces", roots: [t.ws, t.at("../two")] });
});

Deno.test("the path of a directory is a directory target", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "src");
  assert.ok(target.kind === "directory");
  assert.equal(target.searchDir, t.at("src"));
});

Deno.test("the path of a file is a file target with its directory and base name", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "src/a.ts");
  assert.ok(target.kind === "file");
  assert.equal(target.filePath, t.at("src/a.ts"));
  assert.equal(target.parentDir, t.at("src"));
  assert.equal(target.basename, "a.ts");
});

Deno.test("a target outside the workspace is refused", async () => {
  await using t = await tree({ "../outside/a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  for (const path of ["../outside", t.at("../outside/a.ts"), "../../etc"]) {
    await rejects(pathgrep.resolveTextSearchTarget(workspace, path), "path_outside_workspace");
  }
});

Deno.test("a target that does not exist is named in the error", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await rejects(
    pathgrep.resolveTextSearchTarget(workspace, "absent"),
    "path_not_found",
  );
  assert.equal(error.message, `Path does not exist: ${t.at("absent")}`);
});

test("a target that may not be read is denied, not missing", async () => {
  await using t = await tree({ "locked/a.ts": "x\n", "locked/d/": null });
  await Deno.chmod(t.at("locked"), 0o000);
  for (const path of ["locked/a.ts", "locked/d", "locked/absent"]) {
    const error = await fails("path_access_denied", ["x", path], {
      cwd: t.ws,
      wrapper: withoutReadOverride(),
    });
    assert.equal(error.error, `path resolution failed: Permission denied: ${t.at(path)}`);
  }
});

Deno.test("a target may be an absolute path of a directory or a file", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const directory = await pathgrep.resolveTextSearchTarget(workspace, t.at("src"));
  assert.ok(directory.kind === "directory" && directory.searchDir === t.at("src"));
  const file = await pathgrep.resolveTextSearchTarget(workspace, t.at("src/a.ts"));
  assert.ok(file.kind === "file" && file.filePath === t.at("src/a.ts"));
});

Deno.test("a target may begin with ./", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "./src");
  assert.ok(target.kind === "directory" && target.searchDir === t.at("src"));
});

Deno.test("a search in one file answers with matches from that file only", async () => {
  await using t = await tree({ "src/a.ts": "needle\n", "src/b.ts": "needle\n" });
  const result = await found(["needle", "src/a.ts"], { cwd: t.ws });
  assert.deepEqual(lines(result, t.ws), ["src/a.ts:1:needle"]);
});

Deno.test("an include beside a file path is ignored with a note", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const result = await found(["needle", "a.ts", "--include", "*.md"], { cwd: t.ws });
  assert.deepEqual(result.notes, [
    "include filter ignored because a specific file path was provided",
  ]);
  assert.equal(result.count, 1);
});

Deno.test("a file path may lead to the workspace root or to any directory below it", async () => {
  await using t = await tree({ "a.ts": "needle 0\n", "p/q/a.ts": "needle 1\n" });
  assert.deepEqual(lines(await found(["needle", "p/q/a.ts"], { cwd: t.ws }), t.ws), [
    "p/q/a.ts:1:needle 1",
  ]);
  assert.deepEqual(lines(await found(["needle", "a.ts"], { cwd: t.ws }), t.ws), [
    "a.ts:1:needle 0",
  ]);
});

Deno.test("a binary file that is named is skipped as well", async () => {
  await using t = await tree({ "a.bin": "needle\0\n" });
  assert.equal((await found(["needle", "a.bin"], { cwd: t.ws })).count, 0);
});

Deno.test("a search in one file never walks its directory", async () => {
  await using t = await tree({ "d/a.ts": "needle\n", "d/big.ts": "needle ".repeat(300_000) });
  const result = await found(["needle", "d/a.ts", "--stats"], { cwd: t.ws });
  assert.equal(result.stats?.files_searched, 1);
  assert.equal(result.notes, undefined, "nothing beside the file was met");
});

Deno.test("a working directory may be a relative path below the workspace", async () => {
  await using t = await tree({ "packages/core/": null });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveWorkingDirectory(workspace, "packages/core"),
    { path: t.at("packages/core"), notes: [] },
  );
});

Deno.test("a working directory outside the workspace is refused", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  await rejects(
    pathgrep.resolveWorkingDirectory(workspace, "../../etc"),
    "path_outside_workspace",
  );
});

Deno.test("a working directory that does not exist is named in the error", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await rejects(
    pathgrep.resolveWorkingDirectory(workspace, "nonexistent/path"),
    "path_not_found",
  );
  assert.ok(error.message.includes(t.at("nonexistent/path")));
});

Deno.test("a working directory may still be the base name of a workspace root", async () => {
  await using t = await tree({ "../packages/": null });
  const workspace = await Workspace.open([t.ws, t.at("../packages")]);
  assert.equal(
    (await pathgrep.resolveWorkingDirectory(workspace, "packages")).path,
    t.at("../packages"),
  );
  assert.equal((await pathgrep.resolveWorkingDirectory(workspace, "ws")).path, t.ws);
});

Deno.test("a working directory may be an absolute path in the workspace", async () => {
  await using t = await tree({ "src/": null, "../two/sub/": null });
  const workspace = await Workspace.open([t.ws, t.at("../two")]);
  for (const path of [t.at("src"), t.at("../two/sub"), t.ws]) {
    assert.equal((await pathgrep.resolveWorkingDirectory(workspace, path)).path, path);
  }
});

Deno.test("a working directory may be . and may end in slashes", async () => {
  await using t = await tree({ "src/utils/": null });
  const workspace = await Workspace.open(t.ws);
  assert.equal((await pathgrep.resolveWorkingDirectory(workspace, ".")).path, t.ws);
  for (const path of ["src/utils/", "src/", "src//utils//"]) {
    const resolved = await pathgrep.resolveWorkingDirectory(workspace, path);
    assert.equal(resolved.path, t.at(path.replace(/\/+$/, "").replaceAll("//", "/")));
  }
});

Deno.test("a working directory of several segments is never matched by a root's base name", async () => {
  await using t = await tree({ "../bar/x/": null });
  const workspace = await Workspace.open([t.ws, t.at("../bar")]);
  for (const path of ["foo/bar", "bar/x", "./bar"]) {
    await rejects(pathgrep.resolveWorkingDirectory(workspace, path), "path_not_found");
  }
});

Deno.test("an answer gives canonical absolute paths, whatever way led there", async () => {
  await using t = await tree({ "src/a.ts": "needle\n", "link": { link: "src" } });
  const result = await found(["needle", "./link/../link/a.ts"], { cwd: t.ws });
  assert.equal(result.base_path, t.at("src/a.ts"));
  assert.equal(result.matches?.[0]?.file, t.at("src/a.ts"));
});

Deno.test("a missing or empty pattern is invalid input", async () => {
  await using t = await tree({});
  for (const args of [[], [""]]) {
    const error = await fails("invalid_input", args, { cwd: t.ws });
    assert.match(error.error ?? "", /^invalid input: /);
  }
});

Deno.test("a pattern that does not compile is an error with the reason", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const error = await fails("invalid_pattern", ["(unclosed"], { cwd: t.ws });
  assert.match(error.error ?? "", /^invalid pattern: .{10,}/);
});

Deno.test("an unknown output mode is named in the error", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const error = await fails("invalid_input", ["x", "--output-mode", "lines"], { cwd: t.ws });
  assert.match(error.error ?? "", /lines/);
});

Deno.test("file mode answers with the paths of the files that match", async () => {
  await using t = await tree({
    "handler.go": "func NewHandler() {}\nfunc OldHandler() {}\n",
    "internal/server.go": "func (s *S) Handler() {}\n",
    "other.go": "package x\n",
  });
  assert.deepEqual(await found(["func.*Handler", "-l"], { cwd: t.ws }), {
    pattern: "func.*Handler",
    base_path: t.ws,
    output_mode: "file",
    files: [t.at("handler.go"), t.at("internal/server.go")],
    count: 2,
  });
});

Deno.test("content mode answers with file, line number and line, and is the default", async () => {
  await using t = await tree({
    "handler.go": "package x\nfunc NewHandler(cfg Config) *Handler {\n",
  });
  const expected = {
    pattern: "func.*Handler",
    base_path: t.ws,
    output_mode: "content",
    matches: [{
      file: t.at("handler.go"),
      line_number: 2,
      line: "func NewHandler(cfg Config) *Handler {",
    }],
    count: 1,
  };
  assert.deepEqual(await found(["func.*Handler"], { cwd: t.ws }), expected);
  const named = await found(["func.*Handler", "--output-mode", "content"], { cwd: t.ws });
  assert.deepEqual(named, expected);
});

Deno.test("an include limits a search to the files that it matches, at any depth", async () => {
  await using t = await tree({ "a.go": "x\n", "a.md": "x\n", "n/e/s/t.go": "x\n" });
  for (const glob of ["*.go", "**/*.go"]) {
    const result = await found(["x", "-g", glob], { cwd: t.ws });
    assert.deepEqual(files(result, t.ws), ["a.go", "n/e/s/t.go"]);
  }
});

Deno.test("a search without a match answers with an empty list", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const result = await found(["absent"], { cwd: t.ws });
  assert.deepEqual(result.matches, []);
  assert.equal(result.count, 0);
});

Deno.test("binary files are skipped without a note", async () => {
  await using t = await tree({ "a.bin": "x\0\n", "b.txt": "x\n" });
  const result = await found(["x"], { cwd: t.ws });
  assert.deepEqual(files(result, t.ws), ["b.txt"]);
  assert.equal(result.notes, undefined);
});

Deno.test("a path outside is searched if the user allows it and refused if not", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const query = { pattern: "x", path: t.at("../outside") };
  const allowed = await pathgrep.search(query, {
    workspace,
    permissionRequester: { request: () => Promise.resolve("allow") },
  });
  assert.equal(allowed.count, 1);
  await rejects(
    pathgrep.search(query, {
      workspace,
      permissionRequester: { request: () => Promise.resolve("deny") },
    }),
    "permission_denied_by_user",
  );
});

Deno.test("a path that the guard blocks is denied by policy", async () => {
  await using t = await tree({ ".git/config": "x\n" });
  const error = await fails("permission_denied_by_policy", ["x", ".git"], { cwd: t.ws });
  assert.match(error.error ?? "", /^permission denied by policy: /);
});

Deno.test("more than 1000 matching lines or files are an error", async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 1001 }, (_, i) => [`${i % 10}/${i}.txt`, "x\n"]),
  );
  await using t = await tree(entries);
  for (const flags of [[], ["-l"]]) {
    const error = await fails("search_too_broad", ["x", ...flags], { cwd: t.ws });
    assert.equal(error.error, "search too broad: found more than 1000 matches");
  }
});

Deno.test("a relative base path is resolved against the workspace", async () => {
  await using t = await tree({ "src/a.txt": "x\n", "b.txt": "x\n" });
  const result = await found(["x", "src"], { cwd: t.ws });
  assert.equal(result.base_path, t.at("src"));
  assert.deepEqual(files(result, t.ws), ["src/a.txt"]);
});

Deno.test("files over one mebibyte and files that are not UTF-8 are skipped", async () => {
  await using t = await tree({
    "big.txt": "x\n".repeat(524_289),
    "ok.txt": `x\n${"y".repeat(1_048_574)}`,
    "latin1.txt": new Uint8Array([0x78, 0xff]),
  });
  assert.deepEqual(files(await found(["x", "-l"], { cwd: t.ws }), t.ws), ["ok.txt"]);
});

Deno.test("a search respects the guard and gitignore rules", async () => {
  await using t = await tree({
    ".gitignore": "dist/\n",
    "dist/a.js": "needle\n",
    ".env": "needle\n",
    "a.js": "needle\n",
  });
  assert.deepEqual(files(await found(["needle"], { cwd: t.ws }), t.ws), ["a.js"]);
});

Deno.test("an empty path is the workspace root", async () => {
  await using t = await tree({ "a.js": "needle\n" });
  const result = await found(["needle", ""], { cwd: t.ws });
  assert.equal(result.base_path, t.ws);
});

Deno.test("a project path, relative or absolute, is resolved to its absolute path", async () => {
  await using t = await tree({ "apps/server/src/index.ts": "x\n" });
  const path = "apps/server/src/index.ts";
  assert.equal(await pathgrep.resolveProjectPath(t.ws, path), t.at(path));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, t.at(path)), t.at(path));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, `./apps/../${path}`), t.at(path));
});

Deno.test("a project path, relative or absolute, is refused where it leads outside", async () => {
  await using t = await tree({});
  for (const raw of ["../x", "a/../../x", "/etc/passwd", t.base, `${t.ws}-evil`]) {
    const error = await rejects(
      pathgrep.resolveProjectPath(t.ws, raw, { field: "file_path" }),
      "path_outside_workspace",
    );
    assert.equal(error.message, `file_path ${raw} escapes project root ${t.ws}`);
  }
});

Deno.test("a project path need not exist", async () => {
  await using t = await tree({});
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "no/such.ts"), t.at("no/such.ts"));
});

Deno.test("an empty or blank project path is refused", async () => {
  await using t = await tree({});
  for (const raw of ["", " ", "\n\t "]) {
    await rejects(pathgrep.resolveProjectPath(t.ws, raw), "INVALID_FILE_PATH");
  }
});

Deno.test("a project path loses the white space around it", async () => {
  await using t = await tree({ "a.ts": "x\n" });
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "a.ts\n"), t.at("a.ts"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "  a.ts "), t.at("a.ts"));
});

Deno.test("a project path that does not exist is refused where .. leads it outside", async () => {
  await using t = await tree({});
  for (const raw of [`${t.ws}/../no-such`, `${t.ws}/a/../../no-such`, `${t.ws}/../../etc/passwd`]) {
    await rejects(pathgrep.resolveProjectPath(t.ws, raw), "path_outside_workspace");
  }
});

Deno.test("a project path is refused where a link leads it outside", async () => {
  await using t = await tree({
    "../outside/file": "x\n",
    "evil-link": { link: "$BASE/outside/file" },
    "evil-dir": { link: "../outside" },
    "evil-new": { link: "../outside/not-yet" },
  });
  for (const raw of ["evil-link", "evil-dir/file", "evil-dir/new/file", "evil-new"]) {
    const error = await rejects(
      pathgrep.resolveProjectPath(t.ws, raw, { field: "file_path" }),
      "path_outside_workspace",
    );
    assert.equal(error.message, `file_path ${raw} escapes project root ${t.ws}`);
  }
});

Deno.test("a tool call without paths is unchanged", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const params = { query: "../x", limit: 3, verbose: true, nothing: null };
  assert.deepEqual(await pathgrep.resolveToolCallPaths(workspace, params), params);
});

Deno.test("the error for a path outside differs between fields in the field's name only", async () => {
  await using t = await tree({});
  const [a, b] = await Promise.all(
    ["file_path", "target_dir"].map((field) =>
      rejects(pathgrep.resolveProjectPath(t.ws, "../x", { field }), "path_outside_workspace")
    ),
  );
  assert.equal(a?.message, b?.message.replace("target_dir", "file_path"));
  assert.match(a?.message ?? "", /escapes project root/);
});

Deno.test("the project root is inside, a directory whose name begins like it is not", async () => {
  await using t = await tree({ "../ws-evil/a": "x\n" });
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "."), t.ws);
  assert.equal(await pathgrep.resolveProjectPath(t.ws, t.ws), t.ws);
  await rejects(pathgrep.resolveProjectPath(t.ws, "../ws-evil/a"), "path_outside_workspace");
});

test("a project path that may not be read is denied at once", async () => {
  await using t = await tree({ "locked/a.ts": "x\n" });
  await Deno.chmod(t.at("locked"), 0o000);
  const ran = await run(["resolve", "locked/a.ts", "--as", "project"], {
    cwd: t.ws,
    wrapper: withoutReadOverride(),
  });
  assert.equal(ran.code, 2);
  assert.equal(JSON.parse(ran.stdout).code, "path_access_denied");
});

Deno.test("a relative path of a tool call is joined with the workspace root", async () => {
  await using t = await tree({ "benchmarks/testing.md": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const hooked: string[] = [];
  const params = await pathgrep.resolveToolCallPaths(
    workspace,
    { file_path: "benchmarks/testing.md", limit: 5 },
    { onResolve: (_, raw, resolved) => hooked.push(`Resolved path '${raw}' to '${resolved}'`) },
  );
  assert.deepEqual(params, { file_path: t.at("benchmarks/testing.md"), limit: 5 });
  assert.deepEqual(hooked, [
    `Resolved path 'benchmarks/testing.md' to '${t.at("benchmarks/testing.md")}'`,
  ]);
});

Deno.test("the error for a tool call shows the resolved path and the input", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await rejects(
    pathgrep.resolveToolCallPaths(workspace, { file_path: "testing.md" }, { mustExist: true }),
    "path_not_found",
  );
  assert.ok(error.message.includes(t.at("testing.md")));
  const said = JSON.stringify(error);
  assert.ok(said.includes(JSON.stringify("testing.md")), said);
});

Deno.test("an ambiguous short path is answered with all full paths", async () => {
  const crates = ["tools", "agent", "context", "core", "languages"];
  const paths = crates.map((crate) => `crates/merlin-${crate}/src/lib.rs`);
  await using t = await tree(Object.fromEntries(paths.map((path) => [path, "x\n"])));
  const error = await fails("path_not_found", ["x", "lib.rs"], { cwd: t.ws });
  assert.deepEqual(new Set(error.suggestions), new Set(paths));
});

Deno.test("a tool call may have several path fields, arrays of paths and a working directory", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "src/b.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, {
      path: ["src/a.ts", "src/b.ts"],
      file_path: "src/a.ts",
      working_dir: "src",
    }),
    {
      path: [t.at("src/a.ts"), t.at("src/b.ts")],
      file_path: t.at("src/a.ts"),
      working_dir: t.at("src"),
    },
  );
});

Deno.test("an absolute path of a tool call stays as it is where it is inside", async () => {
  await using t = await tree({ "a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveToolCallPaths(workspace, { file_path: t.at("a.ts") }),
    { file_path: t.at("a.ts") },
  );
  const outside = await answer(["x", "/home/user/workspace/zzz.md"], { cwd: t.ws });
  assert.equal(outside.code, "path_outside_workspace");
  assert.equal((await command(["resolve", t.at("a.ts")], { cwd: t.ws })).relative, "a.ts");
});
