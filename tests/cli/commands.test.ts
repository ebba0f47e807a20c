/**
 * The commands besides the search.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("call names an unknown tool before it asks for input", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["call", "nosuch"], { cwd: tree.root });
  assert.equal(code, 2);
  assert.match(json().error, /^invalid input: unknown tool "nosuch"/);
});

Deno.test("resolve says the canonical path of a file", async () => {
  await using tree = await tempTree({ "src/a.ts": "", "link": { symlink: "src" } });
  const { code, json, stderr } = await pathgrep(["resolve", "link/a.ts"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.equal(stderr, "");
  assert.deepEqual(json(), {
    input: "link/a.ts",
    path: tree.path("src/a.ts"),
    kind: "file",
    relative: "src/a.ts",
  });
});

Deno.test("resolve says that a blank path means every root", async () => {
  await using tree = await tempTree();
  const { json } = await pathgrep(["resolve", " "], { cwd: tree.root });
  assert.deepEqual(json(), { input: " ", path: tree.root, kind: "all-workspaces", relative: "." });
});

Deno.test("resolve reads a path in another way only with a note", async () => {
  await using tree = await tempTree({ "src/a.ts": "" });
  const { json } = await pathgrep(["resolve", "src/a.ts:12"], { cwd: tree.root });
  assert.equal(json().path, tree.path("src/a.ts"));
  assert.equal(json().notes.length, 1);
});

Deno.test("resolve --as dir wants a directory, --as file a file", async () => {
  await using tree = await tempTree({ "src/a.ts": "" });
  const resolve = (as: string, path: string) =>
    pathgrep(["resolve", path, "--as", as], { cwd: tree.root });

  const directory = await resolve("dir", "src/");
  assert.deepEqual(directory.json(), {
    input: "src/",
    path: tree.path("src"),
    kind: "directory",
    relative: "src",
  });
  assert.equal((await resolve("file", "src/a.ts")).json().kind, "file");

  const noDirectory = await resolve("dir", "src/a.ts");
  assert.equal(noDirectory.code, 2);
  assert.equal(
    noDirectory.json().error,
    `path resolution failed: Path is not a directory: ${tree.path("src/a.ts")}`,
  );
  const noFile = await resolve("file", "src");
  assert.equal(noFile.json().code, "path_unsupported");
  assert.match(noFile.json().error, /Path is not a file: /);
});

Deno.test("resolve --as project takes a path that does not exist, but none outside", async () => {
  await using tree = await tempTree({ "out": { symlink: "/usr" } });
  const resolve = (path: string, ...more: string[]) =>
    pathgrep(["resolve", "--as", "project", path, ...more], { cwd: tree.root });

  const { code, json } = await resolve("src/new.ts\n");
  assert.equal(code, 0);
  assert.equal(json().path, tree.path("src/new.ts"));

  for (const path of ["../x", "out/x", "/etc/passwd"]) {
    const { code, json } = await resolve(path, "--field", "file_path");
    assert.equal(code, 2);
    assert.equal(json().code, "path_outside_workspace");
    assert.equal(
      json().error,
      `path resolution failed: file_path ${path} escapes project root ${tree.root}`,
    );
  }
});

Deno.test("an empty path is path_empty where a path is needed", async () => {
  await using tree = await tempTree();
  for (const as of ["file", "dir", "project"]) {
    const { code, json } = await pathgrep(["resolve", "", "--as", as], { cwd: tree.root });
    assert.equal(code, 2);
    assert.equal(json().code, "path_empty", as);
    assert.equal(json().error, "path resolution failed: path is empty", as);
  }
});

Deno.test("on the command line a path outside is called path, whatever it is for", async () => {
  await using tree = await tempTree();
  for (const as of ["search", "file", "dir", "project"]) {
    const { json } = await pathgrep(["resolve", "../x", "--as", as], { cwd: tree.root });
    assert.equal(
      json().error,
      `path resolution failed: path ../x escapes project root ${tree.root}`,
      as,
    );
  }
});

Deno.test("resolve knows what is blocked, and what --allow unblocks", async () => {
  await using tree = await tempTree({ ".env": "" });
  const blocked = await pathgrep(["resolve", ".env"], { cwd: tree.root });
  assert.equal(blocked.code, 2);
  assert.equal(blocked.json().code, "permission_denied_by_policy");
  const allowed = await pathgrep(["resolve", ".env", "--allow", ".env"], { cwd: tree.root });
  assert.equal(allowed.json().path, tree.path(".env"));
});

Deno.test("resolve takes one path", async () => {
  for (const args of [["resolve"], ["resolve", "a", "b"]]) {
    const { code, json } = await pathgrep(args);
    assert.equal(code, 2);
    assert.equal(json().code, "invalid_input");
    assert.match(json().hint, /usage: pathgrep resolve PATH/);
  }
});

Deno.test("resolve in text writes the path alone, and notes on standard error", async () => {
  await using tree = await tempTree({ "src/a.ts": "" });
  const { stdout, stderr } = await pathgrep(["resolve", "@src/a.ts", "--format", "text"], {
    cwd: tree.root,
  });
  assert.equal(stdout, `${tree.path("src/a.ts")}\n`);
  assert.match(stderr, /^pathgrep: note: .*\n$/);
});

Deno.test("with several roots, relative paths begin with the root's name", async () => {
  await using tree = await tempTree({ "one/a.ts": "", "two/b.ts": "" });
  const { json } = await pathgrep(
    ["resolve", "b.ts", "--workspace", "one", "--workspace=two"],
    { cwd: tree.root },
  );
  assert.equal(json().path, tree.path("two/b.ts"));
  assert.equal(json().relative, "two/b.ts");
});

Deno.test("files lists what a search would read, in file-mode shape", async () => {
  await using tree = await tempTree({
    "src/a.ts": "",
    "src/b.md": "",
    ".gitignore": "dist\n",
    "dist/c.ts": "",
    ".env": "",
  });
  const { code, json } = await pathgrep(["files"], { cwd: tree.root });
  assert.equal(code, 0);
  const result = json();
  assert.equal(result.base_path, tree.root);
  assert.equal(result.output_mode, "file");
  assert.deepEqual(result.files, [".gitignore", "src/a.ts", "src/b.md"].map(tree.path));
  assert.equal(result.count, 3);

  const text = await pathgrep(["files", "src", "-tts", "--format", "text"], { cwd: tree.root });
  assert.equal(text.stdout, "src/a.ts\n");
});

Deno.test("files is done, with status 0, also when there are none", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["files"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.deepEqual(json().files, []);
});

Deno.test("doctor reports versions, engines, permissions and the workspace", async () => {
  await using tree = await tempTree();
  const { code, json, stderr } = await pathgrep(["doctor"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.equal(stderr, "");
  const report = json();
  assert.deepEqual(report.versions.deno, Deno.version.deno);
  assert.deepEqual(Object.keys(report.engines), ["js", "rg", "git", "grep"]);
  assert.equal(report.engines.js.available, true);
  assert.equal(report.permissions.run, "granted");
  assert.deepEqual(report.workspace, { roots: [tree.root], readable: true });
});

Deno.test("doctor runs nothing that is not permitted, and says which flag is missing", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["doctor", "--workspace", tree.root], {
    permissions: [`--allow-read=${tree.root}`, "--no-prompt"],
  });
  assert.equal(code, 0);
  const { engines, permissions, least_privilege } = json();
  assert.equal(engines.js.available, true);
  for (const name of ["rg", "git", "grep"]) {
    assert.equal(engines[name].available, false);
    assert.match(engines[name].hint, new RegExp(`--allow-run=${name}`));
  }
  assert.notEqual(permissions.run, "granted");
  assert.equal(least_privilege, `deno run --no-config --no-prompt --allow-read=${tree.root}`);
});
