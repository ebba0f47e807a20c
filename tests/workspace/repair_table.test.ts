/** Every row of the table of repairs is read alike, with the same note, whoever sends the path. */

import { howRead } from "../../src/notes/words.ts";
import assert from "node:assert/strict";
import { normalize } from "node:path";
import {
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  search,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { REPAIRS } from "../../src/workspace/repairs.ts";
import { answer, command, fails } from "../support/acceptance.ts";
import { assertSoon } from "../support/soon.ts";
import { quotedName } from "../../src/util/text.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

const QUOTES = "without the surrounding quotes, backticks or leading @";
const LINES = "without the lines at its end";
const SHELL = "without the shell's backslashes";
const DECODED = "with its percent-encoding decoded";

/** `ROOT` stands for the root in a path. */
const READ: readonly [given: string, path: string, said: string][] = [
  ['"src/c.md"', "src/c.md", QUOTES],
  ["file://ROOT/my%20notes", "my notes", "as a file URL"],
  ["src/c.md:3:7", "src/c.md", "without the line number at its end"],
  ["src\\c.md", "src/c.md", "with / between the segments"],
  ["/src/c.md", "src/c.md", "from the workspace root"],
  ["ws/src/c.md", "src/c.md", "without the workspace root's own name at its start"],
  ["[c.md](src/c.md)", "src/c.md", "as the link's target"],
  ["<src/c.md>", "src/c.md", "without the angle brackets"],
  ["src/c.md#L3", "src/c.md", LINES],
  ["src/c.md#L3-L5", "src/c.md", LINES],
  ["src/c.md:3-5", "src/c.md", LINES],
  ["src/c.md:1:needle", "src/c.md", "without the text of the line"],
  ["src/c.md:1:5: b ? c : d * e", "src/c.md", "without the text of the line"],
  ["my\\ notes/plan\\ \\(1\\).md", "my notes/plan (1).md", SHELL],
  ["my%20notes/plan%20(1).md", "my notes/plan (1).md", DECODED],
  ["src%2Fc.md", "src/c.md", DECODED],
  ["${workspaceFolder}/src/c.md", "src/c.md", "from the workspace root"],
  ["<workspace root>/src", "src", "from the workspace root"],
  ["$PWD/src", "src", "from the workspace root"],
  ["~/ws/src", "src", "from the home directory that the workspace is in"],
  ["ROOTROOT/src", "src", "without the second root"],
  ["a/src/c.md", "src/c.md", "without the prefix of a diff"],
  // one inside another, in either order
  ["`src/c.md`#L3", "src/c.md", `${LINES}, ${QUOTES}`],
  ["`src/c.md#L3`", "src/c.md", `${QUOTES}, ${LINES}`],
  ["[c](src/c.md:3)", "src/c.md", "as the link's target, without the line number at its end"],
  [
    "<my%20notes/plan%20(1).md#L3>",
    "my notes/plan (1).md",
    [
      "without the angle brackets",
      LINES,
      DECODED,
    ].join(", "),
  ],
  ["/src/c.md#L3", "src/c.md", `from the workspace root, ${LINES}`],
  // and the only path with this ending
  ["c.md#L3", "src/c.md", `${LINES}, as the only path with this ending`],
  ["plan\\ \\(1\\).md", "my notes/plan (1).md", `${SHELL}, as the only path with this ending`],
];

const FILES = { "src/c.md": "needle\n", "my notes/plan (1).md": "needle\n" };

Deno.test("each repair gives the shell, the library and the tools one reading and one note", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  const pattern = "needle";
  for (const [form, end, said] of READ) {
    const path = form.replaceAll("ROOT", t.root);
    const place = t.path(end);
    const expected = [place, [
      `path ${JSON.stringify(path)} was interpreted ${said}: ${quotedName(end)}`,
    ]];
    const searches = [
      await answer([pattern, "--", path], { cwd: t.root }),
      await search({ pattern, path }, { workspace }),
      await tools.execute("grep", { pattern, path }) as Json,
      await tools.execute("glob", { pattern: "**", path }) as Json,
    ];
    for (const { base_path, notes } of searches) assert.deepEqual([base_path, notes], expected);
    const resolved = [
      await command(["resolve", "--", path], { cwd: t.root }),
      await tools.execute("resolve_path", { path }) as Json,
    ];
    for (const { input, path: found, notes } of resolved) {
      assert.deepEqual([input, found, notes], [path, ...expected]);
    }
    const target = await resolveTextSearchTarget(workspace, path);
    assert.deepEqual("notes" in target && target.notes, expected[1]);
  }
  const names = REPAIRS.flat().flatMap(({ name }) => name ?? []);
  const untried = names.filter((name) => READ.every(([, , said]) => said !== howRead([name])));
  assert.deepEqual(untried, ["root_name"]); // for several roots
});

Deno.test("a name that exists is read as it is, whatever a repair would make of it", async () => {
  const names = READ.map(([form]) => form).filter((form) => !/^\/|ROOT|^\$PWD/.test(form));
  await using t = await tempTree({
    ...FILES,
    ...Object.fromEntries(names.map((name) => [name.includes(".") ? name : `${name}/x`, "x\n"])),
  });
  const workspace = await Workspace.open(t.root);
  for (const path of names) {
    const { base_path, notes } = await search({ pattern: "x", path }, { workspace });
    assert.deepEqual([base_path, notes], [t.path(path), undefined], path);
  }
});

Deno.test("a call of a tool that may write is repaired where that is asked for, and never by a guess", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  for (const [form, end, said] of READ) {
    const path = form.replaceAll("ROOT", t.root);
    const isRead = !/only path|diff/.test(said);
    const as = async (options: { repair?: boolean }) =>
      (await resolveToolCallPaths(workspace, { path }, options)).path;
    if (isRead) assert.equal(await as({ repair: true }), t.path(end), path);
    if (path.startsWith("/") && said !== "without the second root") {
      await assert.rejects(as({}), { code: "path_outside_workspace" });
      continue;
    }
    const asGiven = path.startsWith("/") ? path : normalize(t.path(path));
    assert.equal(await as({}), asGiven, path);
    if (!isRead) assert.equal(await as({ repair: true }), asGiven, path);
    assert.equal(await resolveProjectPath(t.root, path), asGiven);
    const project = await command(["resolve", "--as", "project", "--", path], { cwd: t.root });
    assert.deepEqual([project.path, project.notes], [asGiven, undefined]);
  }
});

Deno.test("what could belong to a name is dropped only if no path ends with that name", async () => {
  await using t = await tempTree({
    "docs/a%20b.md": "x\n",
    "a b.md": "x\n",
    "crates/b/lib.rs": "x\n",
    "lib.rs": "x\n",
    "one/a/two.rs": "x\n",
    "other/a/two.rs": "x\n",
    "two.rs": "x\n",
  });
  const workspace = await Workspace.open(t.root);
  const read = [["a%20b.md", "docs/a%20b.md"], ["b/lib.rs", "crates/b/lib.rs"]] as const;
  for (const [path, end] of read) {
    const { notes } = await search({ pattern: "x", path }, { workspace });
    assert.deepEqual(notes, [
      `path "${path}" was interpreted as the only path with this ending: ${end}`,
    ]);
  }
  const { suggestions } = await fails("path_not_found", ["x", "a/two.rs"], { cwd: t.root });
  assert.deepEqual(suggestions?.slice(0, 2), ["one/a/two.rs", "other/a/two.rs"]);
});

Deno.test("with several roots, a repaired path is meant in each root that has it", async () => {
  await using t = await tempTree({
    "../x/app/a b.md": "needle\n",
    "../y/app/a b.md": "needle\n",
  });
  const workspace = await Workspace.open([t.path("../x/app"), t.path("../y/app")]);
  const cases = [
    ["a%20b.md", DECODED],
    ["app/a%20b.md", `from the workspace root of that name, ${DECODED}`],
    ["`app/a b.md`", `${QUOTES}, from the workspace root of that name`],
  ];
  for (const [path, said] of cases) {
    const { count, notes } = await search({ pattern: "needle", path: path! }, { workspace });
    assert.equal(count, 2, path);
    assert.deepEqual(notes, [
      `path "${path}" was interpreted ${said}: "x/app/a b.md", "y/app/a b.md"`,
    ]);
  }
});

Deno.test("no reading leads out of the workspace or to what is blocked", async () => {
  await using t = await tempTree({
    ".env": "SECRET\n",
    "link": { symlink: "$BASE/outside.ts" },
    "../outside.ts": "SECRET\n",
    "src/": null,
  });
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  const around = (path: string) => [
    `[x](${path})`,
    `<${path}>`,
    `${path}#L3`,
    `${path}:1:x`,
    path.replace(/[./]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    `\${workspaceFolder}/${path}`,
    `${t.root}${t.root}/${path}`,
    `<"${path}#L3">`,
  ];
  const cases = [
    // What only a guess leads to is not even refused.
    ['a/<".env#L3">', /^path_not_found$/] as const,
    ["a/../../outside.ts", /^path_outside_workspace$/] as const,
    ["a/link", /^path_not_found$/] as const,
    ...around(".env").map((path) => [path, /^permission_denied_by_policy$/] as const),
    ...["../outside.ts", "link", `${t.base}/outside.ts`].flatMap(around)
      .map((path) => [path, /^path_(not_found|outside_workspace)$/] as const),
  ];
  for (const [path, code] of cases) {
    for (
      const error of [
        await answer(["SECRET", "--", path], { cwd: t.root }),
        await tools.execute("grep", { pattern: "SECRET", path }) as Json,
      ]
    ) {
      assert.match(String(error["code"]), code, path);
      assert.equal(error["suggestions"], undefined, path);
    }
  }
});

Deno.test("a path in which countless repairs are nested is answered soon", async () => {
  await using t = await tempTree(FILES);
  const before = "@\"'<[x](a/ws\\ %20".repeat(200);
  const after = "#L1-L2:3:4'\">)".repeat(200);
  const started = performance.now();
  await fails("path_not_found", ["x", "--", `${before}src/c.md${after}`], { cwd: t.root });
  assertSoon(started);
});
