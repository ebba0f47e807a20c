/** With several roots, a path as answers show it: it begins with a root's label, and is read as it is. */

import assert from "node:assert/strict";
import { GrepTool, resolveTextSearchTarget, search, ToolRegistry, Workspace } from "../../mod.ts";
import { answer, command } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

const TREE = {
  "a.txt": "needle\n",
  "../ws2/src/b.txt": "needle\n",
  "../x/app/c.txt": "needle\n",
  "../y/app/d.txt": "needle\n",
};

Deno.test("a path in pathgrep's own form is read as it is, without a note", async () => {
  await using t = await tempTree(TREE);
  const roots = [t.root, t.path("../ws2"), t.path("../x/app"), t.path("../y/app")];
  const workspace = await Workspace.open(roots);
  const own: [path: string, leadsTo: string][] = [
    ["ws2/src", "../ws2/src"],
    ["ws2/src/b.txt", "../ws2/src/b.txt"],
    ["./ws2/src/", "../ws2/src"],
    ["ws2", "../ws2"],
    ["ws/a.txt", "a.txt"],
    ["x/app/c.txt", "../x/app/c.txt"],
    [" y/app\n", "../y/app"],
  ];
  const options = roots.flatMap((root) => ["--workspace", root]);
  const grep = new GrepTool({ workspace });
  for (const [path, leadsTo] of own) {
    const found = await search({ pattern: "needle", path }, { workspace });
    assert.deepEqual([found.base_path, found.count, found.notes], [t.path(leadsTo), 1, undefined]);
    const answered = await grep.execute({ pattern: "needle", path });
    assert.equal("notes" in answered, false, path);
    const resolved = await command(["resolve", path, ...options], { cwd: "/" });
    assert.deepEqual([resolved.path, resolved.notes], [t.path(leadsTo), undefined]);
    const target = await resolveTextSearchTarget(workspace, path);
    assert.deepEqual("notes" in target && target.notes, []);
  }
});

Deno.test("what else is read differently is still said, and does not contradict itself", async () => {
  await using t = await tempTree(TREE);
  const roots = [t.root, t.path("../ws2"), t.path("../x/app"), t.path("../y/app")];
  const workspace = await Workspace.open(roots);
  const cases = [
    ["ws2/src/b.txt:12", "without the line number at its end: ws2/src/b.txt"],
    ["'ws2/src'", "without the surrounding quotes, backticks or leading @: ws2/src"],
    ["ws2\\src", "with / between the segments: ws2/src"],
    ["app/d.txt", "from the workspace root of that name: y/app/d.txt"],
  ];
  for (const [path, said] of cases) {
    const { notes } = await search({ pattern: "needle", path: path! }, { workspace });
    assert.deepEqual(notes, [`path ${JSON.stringify(path)} was interpreted ${said}`]);
  }
});

Deno.test("a path as answers show it is not that of another root whose rules block it", async () => {
  const files = { ".aiignore": "*.sec\n", "a.sec": "needle\n", "../ws2/b.sec": "needle\n" };
  await using t = await tempTree(files);
  const workspace = await Workspace.open([t.root, t.path("../ws2")]);
  const tools = ToolRegistry.of({ workspace });
  const found = await search({ pattern: "needle", path: "ws2/b.sec" }, { workspace });
  assert.deepEqual([found.base_path, found.count], [t.path("../ws2/b.sec"), 1]);
  const read = await tools.execute("read_file", { path: "ws2/b.sec" });
  assert.deepEqual((read as { lines: string[] }).lines, ["needle"]);
  for (const path of ["a.sec", "ws/a.sec", "ws2/none.sec", "b.sec"]) {
    const { code } = await tools.execute("grep", { pattern: "x", path }) as { code: string };
    assert.equal(code, "permission_denied_by_policy", path);
  }
});

Deno.test("with one root, its name before a path is dropped with a note", async () => {
  await using t = await tempTree({ "src/a.txt": "needle\n" });
  const { base_path, notes } = await answer(["needle", "ws/src"], { cwd: t.root });
  assert.equal(base_path, t.path("src"));
  assert.deepEqual(notes, [
    'path "ws/src" was interpreted without the workspace root\'s own name at its start: src',
  ]);
});
