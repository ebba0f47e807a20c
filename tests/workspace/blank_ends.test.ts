/** Names that begin or end with white space: what exists as given is what is meant. */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  Guard,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  search,
  Workspace,
} from "../../mod.ts";
import { answer, command, fails } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

/** Windows has no such names. */
const test = (name: string, fn: () => Promise<void>) =>
  Deno.test(name, { ignore: Deno.build.os === "windows" }, fn);

const TREE = {
  "end ": "needle\n",
  "end": "other\n",
  " begin": "needle\n",
  "tab\t": "needle\n",
  "line\n": "needle\n",
  "dir /in": "needle\n",
  "dir/out": "other\n",
  " /blank": "needle\n",
  "\u00a0wide\u3000": "needle\n",
};
const NAMES = ["end ", " begin", "tab\t", "line\n", "dir ", "./ ", " /blank", "\u00a0wide\u3000"];

test("a name that ends in blanks can be sent back as it was answered", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const { files } = await grep.execute({
    pattern: "needle",
    output_mode: "file",
    paths: "relative",
  }) as { files: string[] };
  assert.equal(files.length, 7);
  for (const path of [...files, ...NAMES]) {
    const input = { pattern: "needle", path, output_mode: "file" };
    const found = await grep.execute(input) as { files: string[]; notes?: string[] };
    assert.deepEqual([found.files.length, found.notes], [1, undefined], JSON.stringify(path));
    assert.equal((await search({ pattern: "needle", path }, { workspace })).count, 1);
  }
});

test("every way in takes a name that ends in blanks as it is", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(t.root);
  const shell = await answer(["needle", "end ", "dir ", "-c"], { cwd: t.root });
  assert.deepEqual(shell.counts?.map(({ file }) => file), [t.path("dir /in"), t.path("end ")]);
  const listed = await answer(["files", "dir "], { cwd: t.root });
  assert.deepEqual(listed.files, [t.path("dir /in")]);
  for (const as of ["search", "file", "project"]) {
    const resolved = await command(["resolve", "end ", "--as", as], { cwd: t.root });
    assert.equal(resolved.path, t.path("end "), as);
  }
  const target = await resolveTextSearchTarget(workspace, "dir ");
  assert.equal(target.kind === "directory" && target.searchDir, t.path("dir "));
  assert.equal((await resolveWorkingDirectory(workspace, "dir ")).path, t.path("dir "));
  assert.equal(await resolveProjectPath(t.root, "end "), t.path("end "));
  const params = await resolveToolCallPaths(workspace, { file_path: "line\n" });
  assert.deepEqual(params, { file_path: t.path("line\n") });
  const globbed = await new GlobTool({ workspace }).execute({ pattern: "**", path: "dir " });
  assert.deepEqual("files" in globbed && globbed.files, [t.path("dir /in")]);
  assert.equal(new GrepTool({ workspace }).describe({ pattern: "x", path: "end " }), "'x' in end ");
  const root = await Workspace.open(t.path("dir "));
  assert.deepEqual(root.roots, [t.path("dir ")]);
  const inside = await answer(["needle", "-c", "--workspace", t.path("dir ")], { cwd: "/" });
  assert.equal(inside.count, 1);
});

test("repairs, labels and several roots keep the blanks of a name that exists", async () => {
  await using t = await tempTree({ ...TREE, "../B/dir /in": "needle\n", "../B/x /y": "needle\n" });
  const cases: [path: string, shown: string][] = [
    ["'end '", "end "],
    ["end :3", "end "],
    ["@dir ", "dir "],
    ["ws/dir ", "dir "],
    ["/end ", "end "],
    [`file://${t.root}/dir%20`, "dir "],
    [" 'dir'\n", "dir"],
  ];
  for (const [path, shown] of cases) {
    const resolved = await command(["resolve", path], { cwd: t.root });
    assert.equal(resolved.path, t.path(shown), path);
    assert.equal(resolved.notes?.length, 1, path);
  }
  const workspace = await Workspace.open([t.root, t.path("../B")]);
  const both = await search({ pattern: "needle", path: "dir " }, { workspace });
  assert.equal(both.count, 2);
  assert.deepEqual(both.notes, [
    'path "dir " was resolved in each root that has it: "ws/dir ", "B/dir "',
  ]);
  const one = await search({ pattern: "needle", path: "B/x " }, { workspace });
  assert.deepEqual([one.count, one.notes], [1, undefined]);
});

test("such names are suggested, and named in reasons, as they are", async () => {
  await using t = await tempTree({ "sub/name.txt ": "needle\n", ".gitignore": "ignored*\n" });
  const { suggestions } = await fails("path_not_found", ["x", "name.txt"], { cwd: t.root });
  assert.deepEqual(suggestions, ["sub/name.txt "]);
  const found = await answer(["needle", suggestions![0]!], { cwd: t.root });
  assert.equal(found.count, 1);
});

Deno.test("white space around a path is dropped where nothing is called so", async () => {
  await using t = await tempTree({
    "src/a.txt": "needle\n",
    ".env": "",
    ".env.example": "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  for (const path of [" src", "src\n", "\tsrc/a.txt \r\n", ".env.example\n", ` ${t.root}\n`]) {
    const { count, notes } = await search({ pattern: "needle", path }, { workspace });
    assert.deepEqual([count > 0, notes], [true, undefined], path);
  }
  for (const path of ["", " ", "\n"]) {
    assert.equal((await resolveTextSearchTarget(workspace, path)).kind, "all-workspaces");
  }
  assert.equal((await Workspace.open(`${t.root} \n`)).roots[0], t.root);
  assert.equal(await resolveProjectPath(t.root, "src/new.ts\n"), t.path("src/new.ts"));
  assert.equal(await workspace.isPathWithin(` ${t.root}\n`), true);
});

Deno.test("blanks around a path lead no further than the path without them", async () => {
  await using t = await tempTree({
    ".env": "needle\n",
    "private ": { symlink: "../beside" },
    "../beside/a": "needle\n",
    "notes /a": "needle\n",
    ".aiexclude": "notes\\ /\n",
  });
  const guard = new Guard({ workspace: await Workspace.open(t.root) });
  for (const path of [".env ", "\n.env", " .env\t"]) {
    await fails("permission_denied_by_policy", ["needle", path], { cwd: t.root });
    assert.equal(await guard.check(path, "read"), "denied");
  }
  await fails("permission_denied_by_policy", ["needle", "notes "], { cwd: t.root });
  for (const path of ["private ", " ../beside", "../beside ", ` ${t.base}/beside`]) {
    const error = await fails("path_outside_workspace", ["needle", path], { cwd: t.root });
    assert.equal(
      error.error,
      `path resolution failed: path ${path.trim()} escapes project root ${t.root}`,
    );
  }
});
