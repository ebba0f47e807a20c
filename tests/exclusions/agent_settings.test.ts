/**
 * What the settings of Claude Code deny to read, and what `.clineignore` includes.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type FileResult,
  Guard,
  listFiles,
  PathgrepError,
  ReadFileTool,
  resolveToolCallPaths,
  search,
  Workspace,
} from "../../mod.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { pathgrep } from "../support/run.ts";
import { test } from "../support/needs.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const SETTINGS = ".claude/settings.json";

function denying(...deny: unknown[]): string {
  return JSON.stringify({ permissions: { allow: ["Read(./a.txt)"], deny } }, null, 2);
}

async function found(tree: Tree, root = tree.root): Promise<string> {
  const workspace = await Workspace.open(root);
  const { files } = await listFiles({ paths: "relative", hidden: false }, { workspace });
  return files.filter((file) => !file.startsWith(".")).join(" ");
}

Deno.test("each form of Read(PATH) blocks what it names, in a walk and by name", async () => {
  const files = { "a.txt": "n\n", "b/a.txt": "n\n", "b/c.md": "n\n" };
  await using tree = await tempTree(files);
  const { root } = tree;
  const above = root.slice(0, root.lastIndexOf("/"));
  const name = root.slice(above.length + 1);
  const every = "a.txt b/a.txt b/c.md";
  for (
    const [rule, left] of [
      ["Read(a.txt)", "b/c.md"],
      ["Read(./a.txt)", "b/c.md"],
      ["Read(/a.txt)", "b/a.txt b/c.md"],
      ["Read(*.md)", "a.txt b/a.txt"],
      ["Read(b)", "a.txt"],
      ["Read(./b/**)", "a.txt"],
      ["Read(b/*.txt)", "a.txt b/c.md"],
      ["Read(**/c.md)", "a.txt b/a.txt"],
      [`Read(/${root}/b/**)`, "a.txt"],
      [`Read(/${root}/b/)`, "a.txt"],
      [`Read(/${root}/a.txt)`, "b/a.txt b/c.md"],
      [`Read(/${above}/*/b)`, "a.txt"],
      [`Read(//**/${name}/a.txt)`, "b/a.txt b/c.md"],
      ["Read(//**/c.md)", "a.txt b/a.txt"],
      // What names the root, or a directory above it.
      [`Read(/${root})`, ""],
      [`Read(/${above}/**)`, ""],
      ["Read(//)", ""],
      ["Read(.)", ""],
      ["Read(/**)", ""],
      // These deny the tool, or nothing here.
      ["Read", every],
      ["Read(**)", every],
      ["Read(*)", every],
      ["Read()", every],
      ["Edit(a.txt)", every],
      [`Read(/${above}/other/**)`, every],
      [`Read(/${root}2)`, every],
      ["Read(../a.txt)", every],
      [7, every],
    ] as const
  ) {
    for (const file of [SETTINGS, ".claude/settings.local.json"]) {
      await tree.write({ [file]: denying(rule) });
      assert.equal(await found(tree), left, `${rule} in ${file}`);
      const guard = new Guard({ workspace: await Workspace.open(root) });
      for (const path of Object.keys(files)) {
        const isBlocked = !left.split(" ").includes(path);
        assert.equal(guard.isBlocked(path), isBlocked, `${rule} on ${path}`);
      }
      await Deno.remove(tree.path(file));
    }
  }
});

Deno.test("the refusal names the settings and the line, to every caller, and --allow lets it in", async () => {
  const deny = ["Read(./sub/key.txt)", 'Read(\u0061.t"xt)', "Read(./z)"];
  await using tree = await tempTree({ [SETTINGS]: denying(...deny), "sub/key.txt": "n\n" });
  const workspace = await Workspace.open(tree.root);
  const message = /excluded by \.claude\/settings\.json:7$/;
  const isRefused = (error: unknown) =>
    error instanceof PathgrepError && error.code === "permission_denied_by_policy" &&
    message.test(error.message);
  await assert.rejects(search({ pattern: "n", path: "sub/key.txt" }, { workspace }), isRefused);
  await assert.rejects(resolveToolCallPaths(workspace, { file_path: "sub/key.txt" }), isRefused);
  const read = await new ReadFileTool({ workspace }).execute({ path: "sub/key.txt" });
  assert.match((read as { error: string }).error, message);
  const ran = await pathgrep(["n", "sub/key.txt"], { cwd: tree.root });
  assert.match(ran.json().error, message);
  const allowed = await pathgrep(["n", "sub/key.txt", "--allow", "sub/key.txt"], {
    cwd: tree.root,
  });
  assert.equal(allowed.json().count, 1);
});

Deno.test("settings count in the roots alone, those of a part of a workspace too", async () => {
  await using tree = await tempTree({
    "sub/.claude/settings.json": denying("Read(a.txt)"),
    "sub/a.txt": "n\n",
  });
  assert.equal(await found(tree), "sub/a.txt");
  assert.equal(await found(tree, tree.path("sub")), "");
  const whole = await Workspace.open(tree.root);
  const workspace = whole.narrowedTo([tree.path("sub")]);
  assert.equal(new Guard({ workspace }).isBlocked("a.txt"), true);
  assert.equal((await listFiles({ hidden: false }, { workspace })).files.length, 0);
});

test.slow("~ is HOME where that may be read, else any directory above the root, and nothing is asked", async () => {
  await using tree = await tempTree({
    "home/ws/.claude/settings.json": denying("Read(~/ws/b/**)", "Read(~/other/**)"),
    "home/ws/a.txt": "n\n",
    "home/ws/b/c.txt": "n\n",
    "link": { symlink: "home" },
  });
  const root = tree.path("home/ws");
  for (
    const [flags, home, count] of [
      [["--allow-env=HOME,USERPROFILE", "--allow-read"], "home", 1],
      [["--allow-env=HOME,USERPROFILE", "--allow-read"], "link", 1],
      [["--allow-env=HOME,USERPROFILE", "--allow-read"], "elsewhere", 2],
      [["--allow-env=HOME,USERPROFILE", `--allow-read=${root}`], "link", 1],
      [["--allow-read"], "elsewhere", 1],
    ] as const
  ) {
    const env = { HOME: tree.path(home) };
    const permissions = ["--no-prompt", ...flags];
    const args = ["n", "-g", "*.txt", "--workspace", root];
    const ran = await pathgrep(args, { permissions, env });
    assert.equal(ran.json().count, count, `${flags} ${home} ${ran.stdout}`);
  }
});

Deno.test("settings that are no JSON block nothing, and a note and doctor say so", async () => {
  for (const text of ["{", "", "// x\n{}", "\0", '{"permissions": {"deny": ["Read(a.txt)"],}}']) {
    await using tree = await tempTree({ [SETTINGS]: text, "a.txt": "n\n" });
    const { count, notes } = (await pathgrep(["n", "-g", "a.txt"], { cwd: tree.root })).json();
    assert.equal(count, 1, text);
    assert.match(notes.join(), /^1 .*\.claude\/settings\.json .* must be JSON$/, text);
    const { rule_files } = (await pathgrep(["doctor"], { cwd: tree.root })).json();
    assert.deepEqual(rule_files, [
      { path: tree.path(SETTINGS), kind: "guard", problem: "it is not JSON" },
    ]);
  }
  for (const text of ["null", "[]", '{"permissions": {"deny": "Read(a.txt)"}}']) {
    await using tree = await tempTree({ [SETTINGS]: text, "a.txt": "n\n" });
    const { count, notes } = (await pathgrep(["n", "-g", "a.txt"], { cwd: tree.root })).json();
    assert.deepEqual([count, notes], [1, undefined], text);
  }
});

Deno.test(".clineignore includes a file, one level, with the file and line in the refusal", async () => {
  await using tree = await tempTree({
    ".clineignore": "*.md\n!include rules/shared\n!keep.txt\n",
    "rules/shared": "# shared\n*.txt\n!include more\n",
    "rules/more": "*.rs\n",
    "sub/.clineignore": "!include ../rules/more\n",
    "a.md": "n\n",
    "a.txt": "n\n",
    "keep.txt": "n\n",
    "b.rs": "n\n",
    "sub/b.rs": "n\n",
  });
  assert.equal(await found(tree), "b.rs keep.txt rules/more rules/shared");
  for (
    const [path, by] of [["a.txt", "rules/shared:2"], ["sub/b.rs", "rules/more:1"], [
      "a.md",
      ".clineignore:1",
    ]]
  ) {
    const ran = await pathgrep(["n", path!], { cwd: tree.root });
    assert.ok(ran.json().error.endsWith(`excluded by ${by}`), ran.stdout);
  }
  const { notes } = (await pathgrep(["n"], { cwd: tree.root })).json();
  assert.match(notes.join(), /^1 line .*`!include` in \.clineignore must name a file/);
  await tree.write({ ".aiignore": "!include rules/shared\n" });
  assert.equal(await found(tree), "b.rs keep.txt rules/more rules/shared", "Cline's alone");
});

for (const cache of ["verified", "watched"] as const) {
  Deno.test(`a ${cache} searcher heeds settings and included files as they change`, async () => {
    await using outside = await tempTree();
    await using tree = await tempTree({
      "a.txt": "n\n",
      "b.txt": "n\n",
      ".clineignore": "!include rules\n",
      "rules": "\n",
    });
    await ticked();
    const workspace = await Workspace.open(tree.root);
    await using searcher = new QuickSearcher({ workspace, cache, scratch: outside.root });
    const finds = async (expected: string) => {
      for (let round = 0; round < 2; round++) {
        const query = { pattern: "n", outputMode: "file", paths: "relative" } as const;
        const { files } = await searcher.search({ ...query, include: ["*.txt"] }) as FileResult;
        assert.equal(files.join(" "), expected);
        await ticked();
      }
    };
    await finds("a.txt b.txt");
    await tree.write({ [SETTINGS]: denying("Read(a.txt)") });
    await finds("b.txt");
    await tree.write({ [SETTINGS]: denying("Read(b.txt)") });
    await finds("a.txt");
    await tree.write({ "rules": "a.txt\n" });
    await finds("");
    await Deno.remove(tree.path(SETTINGS));
    await finds("b.txt");
    await tree.write({ ".claude/settings.local.json": denying("Read(b.txt)") });
    await finds("");
    await tree.write({ "rules": "\n" });
    await finds("a.txt");
  });
}

Deno.test("doctor lists the rule files of each root, and their kinds", async () => {
  await using tree = await tempTree({
    "one/.gitignore": "x\n",
    "one/.ignore": "x\n",
    "one/.git/info/exclude": "x\n",
    "one/.agentignore": "x\n",
    "two/.claude/settings.local.json": "{}",
    "two/.clineignore": "!include .env\n",
    "two/.env": "x\n",
  });
  const roots = ["one", "two"].flatMap((root) => ["--workspace", tree.path(root)]);
  const { rule_files } = (await pathgrep(["doctor", ...roots])).json();
  assert.deepEqual(
    rule_files.map(({ path, kind }: { path: string; kind: string }) =>
      `${path.slice(tree.root.length + 1)} ${kind}`
    ).sort(),
    [
      "one/.agentignore guard",
      "one/.git/info/exclude ignore",
      "one/.gitignore ignore",
      "one/.ignore ignore",
      "two/.claude/settings.local.json guard",
      "two/.clineignore guard",
    ],
  );
});
