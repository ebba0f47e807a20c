/**
 * The five documents that the product comes from, a test for each sentence of theirs that states a
 * behaviour; where the contract settles a sentence differently, the contract holds.
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

// Seed 000, change A: search tools accept file paths.

Deno.test("000 A: 'should return kind all-workspaces when no path provided'", async () => {
  await using t = await tree({ "../two/": null });
  const workspace = await Workspace.open([t.ws, t.at("../two")]);
  const target = await pathgrep.resolveTextSearchTarget(workspace);
  assert.deepEqual(target, { kind: "all-workspaces", roots: [t.ws, t.at("../two")] });
});

Deno.test("000 A: 'should return kind directory for valid directory path'", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "src");
  assert.ok(target.kind === "directory");
  assert.equal(target.searchDir, t.at("src"));
});

Deno.test("000 A: 'should return kind file with filePath, parentDir, basename for valid file path'", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "src/a.ts");
  assert.ok(target.kind === "file");
  assert.equal(target.filePath, t.at("src/a.ts"));
  assert.equal(target.parentDir, t.at("src"));
  assert.equal(target.basename, "a.ts");
});

Deno.test("000 A: 'should throw for path outside workspace'", async () => {
  await using t = await tree({ "../outside/a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  for (const path of ["../outside", t.at("../outside/a.ts"), "../../etc"]) {
    await rejects(pathgrep.resolveTextSearchTarget(workspace, path), "path_outside_workspace");
  }
});

Deno.test("000 A: 'should throw with clear message for non-existent path (ENOENT)'", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await rejects(
    pathgrep.resolveTextSearchTarget(workspace, "absent"),
    "path_not_found",
  );
  assert.equal(error.message, `Path does not exist: ${t.at("absent")}`);
});

Deno.test("000 A: 'should throw with clear message for permission denied (EACCES)', not 'does not exist'", async () => {
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

Deno.test("000 A: 'should handle absolute directory path' and 'absolute file path'", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const workspace = await Workspace.open(t.ws);
  const directory = await pathgrep.resolveTextSearchTarget(workspace, t.at("src"));
  assert.ok(directory.kind === "directory" && directory.searchDir === t.at("src"));
  const file = await pathgrep.resolveTextSearchTarget(workspace, t.at("src/a.ts"));
  assert.ok(file.kind === "file" && file.filePath === t.at("src/a.ts"));
});

Deno.test("000 A: 'should handle relative path with dot prefix (e.g., ./src)'", async () => {
  await using t = await tree({ "src/a.ts": "x\n" });
  const target = await pathgrep.resolveTextSearchTarget(await Workspace.open(t.ws), "./src");
  assert.ok(target.kind === "directory" && target.searchDir === t.at("src"));
});

Deno.test("000 A: 'should search within a specific file and return only matches from that file'", async () => {
  await using t = await tree({ "src/a.ts": "needle\n", "src/b.ts": "needle\n" });
  const result = await found(["needle", "src/a.ts"], { cwd: t.ws });
  assert.deepEqual(lines(result, t.ws), ["src/a.ts:1:needle"]);
});

Deno.test("000 A: 'should emit note when file path provided alongside explicit include'", async () => {
  await using t = await tree({ "a.ts": "needle\n" });
  const result = await found(["needle", "a.ts", "--include", "*.md"], { cwd: t.ws });
  assert.deepEqual(result.notes, [
    "include filter ignored because a specific file path was provided",
  ]);
  assert.equal(result.count, 1);
});

Deno.test("000 A: 'should handle file path in subdirectory correctly', and 'file at workspace root'", async () => {
  await using t = await tree({ "a.ts": "needle 0\n", "p/q/a.ts": "needle 1\n" });
  assert.deepEqual(lines(await found(["needle", "p/q/a.ts"], { cwd: t.ws }), t.ws), [
    "p/q/a.ts:1:needle 1",
  ]);
  assert.deepEqual(lines(await found(["needle", "a.ts"], { cwd: t.ws }), t.ws), [
    "a.ts:1:needle 0",
  ]);
});

Deno.test("000 A: 'Binary file path: strategies already skip binaries'", async () => {
  await using t = await tree({ "a.bin": "needle\0\n" });
  assert.equal((await found(["needle", "a.bin"], { cwd: t.ws })).count, 0);
});

Deno.test("000 A: a file target never walks: 'no directory traversal'", async () => {
  await using t = await tree({ "d/a.ts": "needle\n", "d/big.ts": "needle ".repeat(300_000) });
  const result = await found(["needle", "d/a.ts", "--stats"], { cwd: t.ws });
  assert.equal(result.stats?.files_searched, 1);
  assert.equal(result.notes, undefined, "nothing beside the file was met");
});

// Seed 000, change B: working directories.

Deno.test("000 B: 'should accept relative sub-path that resolves within workspace'", async () => {
  await using t = await tree({ "packages/core/": null });
  const workspace = await Workspace.open(t.ws);
  assert.deepEqual(
    await pathgrep.resolveWorkingDirectory(workspace, "packages/core"),
    { path: t.at("packages/core"), notes: [] },
  );
});

Deno.test("000 B: 'should reject relative path that resolves outside workspace'", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  await rejects(
    pathgrep.resolveWorkingDirectory(workspace, "../../etc"),
    "path_outside_workspace",
  );
});

Deno.test("000 B: 'should reject relative path to non-existent directory'", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const error = await rejects(
    pathgrep.resolveWorkingDirectory(workspace, "nonexistent/path"),
    "path_not_found",
  );
  assert.ok(error.message.includes(t.at("nonexistent/path")));
});

Deno.test("000 B: 'should still accept workspace basename for backward compatibility'", async () => {
  await using t = await tree({ "../packages/": null });
  const workspace = await Workspace.open([t.ws, t.at("../packages")]);
  assert.equal(
    (await pathgrep.resolveWorkingDirectory(workspace, "packages")).path,
    t.at("../packages"),
  );
  assert.equal((await pathgrep.resolveWorkingDirectory(workspace, "ws")).path, t.ws);
});

Deno.test("000 B: 'should still accept absolute path within workspace'", async () => {
  await using t = await tree({ "src/": null, "../two/sub/": null });
  const workspace = await Workspace.open([t.ws, t.at("../two")]);
  for (const path of [t.at("src"), t.at("../two/sub"), t.ws]) {
    assert.equal((await pathgrep.resolveWorkingDirectory(workspace, path)).path, path);
  }
});

Deno.test("000 B: 'should accept . as dir_path', and 'trailing slashes in relative paths'", async () => {
  await using t = await tree({ "src/utils/": null });
  const workspace = await Workspace.open(t.ws);
  assert.equal((await pathgrep.resolveWorkingDirectory(workspace, ".")).path, t.ws);
  for (const path of ["src/utils/", "src/", "src//utils//"]) {
    const resolved = await pathgrep.resolveWorkingDirectory(workspace, path);
    assert.equal(resolved.path, t.at(path.replace(/\/+$/, "").replaceAll("//", "/")));
  }
});

Deno.test("000 B: 'multi-segment paths never fall back to basename matching'", async () => {
  await using t = await tree({ "../bar/x/": null });
  const workspace = await Workspace.open([t.ws, t.at("../bar")]);
  for (const path of ["foo/bar", "bar/x", "./bar"]) {
    await rejects(pathgrep.resolveWorkingDirectory(workspace, path), "path_not_found");
  }
});

Deno.test("000: 'always resolve to a canonical absolute path' and 'echo back the resolved path'", async () => {
  await using t = await tree({ "src/a.ts": "needle\n", "link": { link: "src" } });
  const result = await found(["needle", "./link/../link/a.ts"], { cwd: t.ws });
  assert.equal(result.base_path, t.at("src/a.ts"));
  assert.equal(result.matches?.[0]?.file, t.at("src/a.ts"));
});

// Seed 001: the grep tool's tests (a to r, as far as they are not about the tool object).

Deno.test("001 d: 'InvalidInput: missing pattern, empty pattern'", async () => {
  await using t = await tree({});
  for (const args of [[], [""]]) {
    const error = await fails("invalid_input", args, { cwd: t.ws });
    assert.match(error.error ?? "", /^invalid input: /);
  }
});

Deno.test("001 e: 'invalid pattern: regex compilation failure (include the regex error message)'", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const error = await fails("invalid_pattern", ["(unclosed"], { cwd: t.ws });
  assert.match(error.error ?? "", /^invalid pattern: .{10,}/);
});

Deno.test("001 f: 'InvalidOutputMode: unsupported output_mode value'", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const error = await fails("invalid_input", ["x", "--output-mode", "lines"], { cwd: t.ws });
  assert.match(error.error ?? "", /lines/);
});

Deno.test("001 g: 'FileMode: matches correct files, returns paths only'", async () => {
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

Deno.test("001 h, i: 'ContentMode: correct lines with file/line_number/line', the default", async () => {
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

Deno.test("001 j, k: 'only searches files matching include glob', 'finds matches in nested directories'", async () => {
  await using t = await tree({ "a.go": "x\n", "a.md": "x\n", "n/e/s/t.go": "x\n" });
  for (const glob of ["*.go", "**/*.go"]) {
    const result = await found(["x", "-g", glob], { cwd: t.ws });
    assert.deepEqual(files(result, t.ws), ["a.go", "n/e/s/t.go"]);
  }
});

Deno.test("001 l: 'NoMatches: returns empty results, no error'", async () => {
  await using t = await tree({ "a.txt": "x\n" });
  const result = await found(["absent"], { cwd: t.ws });
  assert.deepEqual(result.matches, []);
  assert.equal(result.count, 0);
});

Deno.test("001 m: 'BinaryFileSkipped: binary files silently skipped'", async () => {
  await using t = await tree({ "a.bin": "x\0\n", "b.txt": "x\n" });
  const result = await found(["x"], { cwd: t.ws });
  assert.deepEqual(files(result, t.ws), ["b.txt"]);
  assert.equal(result.notes, undefined);
});

Deno.test("001 n, o: 'PendingSearch Allow' searches, 'PendingSearch Deny' is denied by user", async () => {
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

Deno.test("001 p: 'BlockedPath: guard-blocked path returns error'", async () => {
  await using t = await tree({ ".git/config": "x\n" });
  const error = await fails("permission_denied_by_policy", ["x", ".git"], { cwd: t.ws });
  assert.match(error.error ?? "", /^permission denied by policy: /);
});

Deno.test("001 q: 'MatchLimit: >1000 matches returns error', lines and files alike", async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 1001 }, (_, i) => [`${i % 10}/${i}.txt`, "x\n"]),
  );
  await using t = await tree(entries);
  for (const flags of [[], ["-l"]]) {
    const error = await fails("search_too_broad", ["x", ...flags], { cwd: t.ws });
    assert.equal(error.error, "search too broad: found more than 1000 matches");
  }
});

Deno.test("001 r: 'RelativePath: relative base path resolves correctly'", async () => {
  await using t = await tree({ "src/a.txt": "x\n", "b.txt": "x\n" });
  const result = await found(["x", "src"], { cwd: t.ws });
  assert.equal(result.base_path, t.at("src"));
  assert.deepEqual(files(result, t.ws), ["src/a.txt"]);
});

Deno.test("001: 'skip files exceeding 1MB' and 'skip non-UTF-8 files'", async () => {
  await using t = await tree({
    "big.txt": "x\n".repeat(524_289),
    "ok.txt": `x\n${"y".repeat(1_048_574)}`,
    "latin1.txt": new Uint8Array([0x78, 0xff]),
  });
  assert.deepEqual(files(await found(["x", "-l"], { cwd: t.ws }), t.ws), ["ok.txt"]);
});

Deno.test("001: 'respect filesystem guard boundaries and gitignore rules'", async () => {
  await using t = await tree({
    ".gitignore": "dist/\n",
    "dist/a.js": "needle\n",
    ".env": "needle\n",
    "a.js": "needle\n",
  });
  assert.deepEqual(files(await found(["needle"], { cwd: t.ws }), t.ws), ["a.js"]);
});

Deno.test("001: 'if path is empty, it resolves to the working directory'", async () => {
  await using t = await tree({ "a.js": "needle\n" });
  const result = await found(["needle", ""], { cwd: t.ws });
  assert.equal(result.base_path, t.ws);
});

// Seeds 002 and 004: resolveProjectPath.

Deno.test("002: 'relative -> absolute' and 'absolute-inside'", async () => {
  await using t = await tree({ "apps/server/src/index.ts": "x\n" });
  const path = "apps/server/src/index.ts";
  assert.equal(await pathgrep.resolveProjectPath(t.ws, path), t.at(path));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, t.at(path)), t.at(path));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, `./apps/../${path}`), t.at(path));
});

Deno.test("002: 'relative-escape' and 'absolute-outside'", async () => {
  await using t = await tree({});
  for (const raw of ["../x", "a/../../x", "/etc/passwd", t.base, `${t.ws}-evil`]) {
    const error = await rejects(
      pathgrep.resolveProjectPath(t.ws, raw, { field: "file_path" }),
      "path_outside_workspace",
    );
    assert.equal(error.message, `file_path ${raw} escapes project root ${t.ws}`);
  }
});

Deno.test("002: 'ENOENT-fallthrough': existence is the reader's job", async () => {
  await using t = await tree({});
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "no/such.ts"), t.at("no/such.ts"));
});

Deno.test("002: 'trim check: empty string throws INVALID_FILE_PATH'", async () => {
  await using t = await tree({});
  for (const raw of ["", " ", "\n\t "]) {
    await rejects(pathgrep.resolveProjectPath(t.ws, raw), "INVALID_FILE_PATH");
  }
});

Deno.test("002: 'absorbs trailing newlines / whitespace from model output'", async () => {
  await using t = await tree({ "a.ts": "x\n" });
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "a.ts\n"), t.at("a.ts"));
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "  a.ts "), t.at("a.ts"));
});

Deno.test("002: 'absolute path with .. that ENOENTs' can't slip through the prefix check", async () => {
  await using t = await tree({});
  for (const raw of [`${t.ws}/../no-such`, `${t.ws}/a/../../no-such`, `${t.ws}/../../etc/passwd`]) {
    await rejects(pathgrep.resolveProjectPath(t.ws, raw), "path_outside_workspace");
  }
});

Deno.test("002: 'symlink-leaving-root': an in-project symlink pointing outside is rejected", async () => {
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

Deno.test("002: 'wrapper-without-file_path': other arguments are unaffected", async () => {
  await using t = await tree({});
  const workspace = await Workspace.open(t.ws);
  const params = { query: "../x", limit: 3, verbose: true, nothing: null };
  assert.deepEqual(await pathgrep.resolveToolCallPaths(workspace, params), params);
});

Deno.test("004: 'the template is byte-identical except for the field name prefix'", async () => {
  await using t = await tree({});
  const [a, b] = await Promise.all(
    ["file_path", "target_dir"].map((field) =>
      rejects(pathgrep.resolveProjectPath(t.ws, "../x", { field }), "path_outside_workspace")
    ),
  );
  assert.equal(a?.message, b?.message.replace("target_dir", "file_path"));
  assert.match(a?.message ?? "", /escapes project root/);
});

Deno.test("004: 'resolved !== projectRoot && !resolved.startsWith(projectRoot + sep)'", async () => {
  await using t = await tree({ "../ws-evil/a": "x\n" });
  assert.equal(await pathgrep.resolveProjectPath(t.ws, "."), t.ws);
  assert.equal(await pathgrep.resolveProjectPath(t.ws, t.ws), t.ws);
  await rejects(pathgrep.resolveProjectPath(t.ws, "../ws-evil/a"), "path_outside_workspace");
});

Deno.test("004: 'any other error (EACCES, EBADF, etc.) re-throws immediately'", async () => {
  await using t = await tree({ "locked/a.ts": "x\n" });
  await Deno.chmod(t.at("locked"), 0o000);
  const ran = await run(["resolve", "locked/a.ts", "--as", "project"], {
    cwd: t.ws,
    wrapper: withoutReadOverride(),
  });
  assert.equal(ran.code, 2);
  assert.equal(JSON.parse(ran.stdout).code, "path_access_denied");
});

// Seed 003: tool calls.

Deno.test("003: 'Join the path with the workspace root', 'Update the file_path param'", async () => {
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

Deno.test("003: 'the error now includes the resolved path' and the input", async () => {
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

Deno.test("003: 'Provide helpful error if LLM uses ambiguous short path'", async () => {
  const crates = ["tools", "agent", "context", "core", "languages"];
  const paths = crates.map((crate) => `crates/merlin-${crate}/src/lib.rs`);
  await using t = await tree(Object.fromEntries(paths.map((path) => [path, "x\n"])));
  const error = await fails("path_not_found", ["x", "lib.rs"], { cwd: t.ws });
  assert.deepEqual(new Set(error.suggestions), new Set(paths));
});

Deno.test("003: 'Support path arrays', 'Handle multiple path parameters', 'Resolve working_dir'", async () => {
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

Deno.test("003: absolute paths pass as they are when they are inside", async () => {
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
