/** A relative path in a workspace of several roots: every root that has it, with a note. */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  listFiles,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  search,
  Workspace,
} from "../../mod.ts";
import { answer, command } from "../support/acceptance.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const TREE = {
  "A/src/a.txt": "needle\n",
  "A/src/both.txt": "needle\n",
  "A/mixed": "needle\n",
  "B/src/b.txt": "needle\n",
  "B/src/both.txt": "needle\n",
  "B/mixed/m.txt": "needle\n",
  "B/lone/l.txt": "needle\n",
};

const rootsOf = (t: Tree) => [t.path("A"), t.path("B")];
const atShell = (t: Tree) => rootsOf(t).flatMap((root) => ["--workspace", root]);

const CASES: [path: string, files: string[], said: string | undefined][] = [
  [
    ".",
    ["A/mixed", "A/src/a.txt", "A/src/both.txt", "B/lone/l.txt"],
    "resolved in each root that has it: A, B",
  ],
  [
    "src",
    ["A/src/a.txt", "A/src/both.txt", "B/src/b.txt"],
    "resolved in each root that has it: A/src, B/src",
  ],
  [
    "./src/",
    ["A/src/a.txt", "A/src/both.txt", "B/src/b.txt"],
    "resolved in each root that has it: A/src, B/src",
  ],
  [
    "src/both.txt",
    ["A/src/both.txt", "B/src/both.txt"],
    "resolved in each root that has it: A/src/both.txt, B/src/both.txt",
  ],
  ["mixed", ["A/mixed", "B/mixed/m.txt"], "resolved in each root that has it: A/mixed, B/mixed"],
  [
    "src/both.txt:3",
    ["A/src/both.txt", "B/src/both.txt"],
    "interpreted without the line number at its end: A/src/both.txt, B/src/both.txt",
  ],
  [
    "/src",
    ["A/src/a.txt", "A/src/both.txt", "B/src/b.txt"],
    "interpreted from the workspace root: A/src, B/src",
  ],
  // Near neighbours: one root has it, or one is named.
  ["lone", ["B/lone/l.txt"], undefined],
  ["src/b.txt", ["B/src/b.txt"], undefined],
  ["A/src", ["A/src/a.txt", "A/src/both.txt"], undefined],
  ["../B/lone", ["B/lone/l.txt"], undefined],
];

Deno.test("a relative path means every root that has it, and a note says which", async () => {
  await using t = await tempTree(TREE);
  for (const [path, some, said] of CASES) {
    const notes = said === undefined ? undefined : [`path ${JSON.stringify(path)} was ${said}`];
    const options = ["-l", "--paths", "relative", ...atShell(t)];
    const found = await answer(["needle", path, ...options], { cwd: "/" });
    assert.deepEqual(found.files?.slice(0, some.length), some, path);
    assert.deepEqual(found.notes, notes, path);
    assert.equal(found.base_paths?.length, said === undefined ? undefined : 2);
  }
});

Deno.test("tools, the library and listings read a relative path in the same way", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(rootsOf(t));
  const path = "src";
  const answers = [
    await new GrepTool({ workspace }).execute({ pattern: "needle", path, output_mode: "file" }),
    await new GlobTool({ workspace }).execute({ pattern: "**", path }),
    await answer(["files", path, ...atShell(t)], { cwd: "/" }),
    await search({ pattern: "needle", path, outputMode: "file" }, { workspace }),
    await listFiles({ path }, { workspace }),
  ];
  const files = ["A/src/a.txt", "A/src/both.txt", "B/src/b.txt", "B/src/both.txt"];
  for (const each of answers as { files: string[]; notes?: string[] }[]) {
    assert.deepEqual(each.files, files.map((file) => t.path(file)));
    assert.deepEqual(each.notes, [
      'path "src" was resolved in each root that has it: A/src, B/src',
    ]);
  }
});

Deno.test("every engine searches every root that has the path", async () => {
  await using t = await tempTree(TREE);
  for (const engine of ["js", "rg", "git", "grep"]) {
    const args = ["needle", "src", "-c", "--engine", engine, ...atShell(t)];
    const found = await answer(args, { cwd: "/" });
    if (found.code === "engine_unavailable") continue;
    assert.deepEqual([found.count, found.notes?.length], [4, 1], engine);
  }
});

Deno.test("where one path is wanted, the first root that has it counts, and a note names the others", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(rootsOf(t));
  const notes = ['path "src" was resolved in the first root that has it: A/src, not B/src'];
  const target = await resolveTextSearchTarget(workspace, "src");
  assert.deepEqual(target, { kind: "directory", searchDir: t.path("A/src"), notes });
  const resolved = await command(["resolve", "src", ...atShell(t)], { cwd: "/" });
  assert.deepEqual([resolved.path, resolved.notes], [t.path("A/src"), notes]);
  const tool = new ResolvePathTool({ workspace });
  const file = await tool.execute({ path: "src/both.txt", as: "file" });
  assert.deepEqual(file, {
    input: "src/both.txt",
    path: t.path("A/src/both.txt"),
    kind: "file",
    relative: "A/src/both.txt",
    notes: [
      'path "src/both.txt" was resolved in the first root that has it: A/src/both.txt, not B/src/both.txt',
    ],
  });
  // Every root is all that a search has.
  const all = await resolveTextSearchTarget(workspace, "./");
  assert.deepEqual(all, { kind: "all-workspaces", roots: rootsOf(t) });
  const dot = await command(["resolve", ".", ...atShell(t)], { cwd: "/" });
  assert.deepEqual([dot.path, dot.kind], [t.path("A"), "all-workspaces"]);
  // A working directory and the path of another tool are not searched.
  const directory = await command(["resolve", ".", "--as", "dir", ...atShell(t)], { cwd: "/" });
  assert.deepEqual([directory.path, directory.kind], [t.path("A"), "directory"]);
  const params = await resolveToolCallPaths(workspace, { file_path: "src/both.txt" });
  assert.deepEqual(params, { file_path: t.path("A/src/both.txt") });
  assert.equal(await resolveProjectPath(t.path("A"), "src"), t.path("A/src"));
});

Deno.test("with one root nothing is said of roots", async () => {
  await using t = await tempTree(TREE);
  for (const path of [".", "A/src", "./"]) {
    const found = await answer(["needle", path], { cwd: t.root });
    assert.deepEqual([found.notes, found.base_paths], [undefined, undefined]);
  }
  const workspace = await Workspace.open(t.root);
  assert.equal((await resolveTextSearchTarget(workspace, ".")).kind, "directory");
});

Deno.test("a later root in which the path is blocked is named, and the first one is searched", async () => {
  await using t = await tempTree({ ...TREE, "B/.aiexclude": "src/\n" });
  const found = await answer(["needle", "src", "-c", ...atShell(t)], { cwd: "/" });
  assert.equal(found.count, 2);
  assert.deepEqual(found.notes, ["B/src was not searched: it is blocked"]);
  await t.write({ "A/.aiexclude": "src/\n" });
  const blocked = await answer(["needle", "src", ...atShell(t)], { cwd: "/" });
  assert.equal(blocked.code, "permission_denied_by_policy");
});

Deno.test("roots of one name, and a tool's description of its call, mean all of them, too", async () => {
  await using t = await tempTree({ "x/app/a.txt": "needle\n", "y/app/a.txt": "needle\n" });
  const workspace = await Workspace.open([t.path("x/app"), t.path("y/app")]);
  const { count, notes } = await search({ pattern: "needle", path: "app/a.txt" }, { workspace });
  assert.equal(count, 2);
  assert.deepEqual(notes, [
    'path "app/a.txt" was interpreted from the workspace root of that name: x/app/a.txt, y/app/a.txt',
  ]);
  const grep = new GrepTool({ workspace });
  assert.equal(
    grep.describe({ pattern: "needle", path: "a.txt" }),
    "'needle' in x/app/a.txt, y/app/a.txt",
  );
});

Deno.test("roots inside each other yield each file once, whatever both have", async () => {
  await using t = await tempTree({ "src/a.txt": "needle\n", "in/src/b.txt": "needle\n" });
  const roots = ["--workspace", t.root, "--workspace", t.path("in")];
  const found = await answer(["needle", ".", "-l", "--paths", "relative", ...roots], { cwd: "/" });
  assert.deepEqual(found.files, ["in/src/b.txt", "ws/src/a.txt"]);
  const many = await answer(["needle", "src", "-c", ...roots], { cwd: "/" });
  assert.deepEqual(many.notes, [
    'path "src" was resolved in each root that has it: ws/src, in/src',
  ]);
});
