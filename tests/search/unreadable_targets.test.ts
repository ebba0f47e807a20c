/** What may not be read: an error where it is named, a note where a walk meets it. */

import assert from "node:assert/strict";
import { noteOf } from "../support/notes.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { withoutReadOverride } from "../support/acceptance.ts";
import { testNeeding } from "../support/needs.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const test = testNeeding("setpriv");

async function locked(): Promise<Tree> {
  const t = await tempTree({
    "a.txt": "needle\n",
    "locked/b.txt": "needle\n",
    "listed/c.txt": "needle\n",
    "entered/d.txt": "needle\n",
    "e.txt": "needle\n",
    "open/locked/f.txt": "needle\n",
    "open/g.txt": "needle\n",
    "open/h.txt": "needle\n",
    "../B/locked/i.txt": "needle\n",
  });
  const modes = { locked: 0, listed: 0o444, entered: 0o111, "e.txt": 0 };
  const inner = { "open/locked": 0, "open/h.txt": 0 };
  for (const [path, mode] of Object.entries({ ...modes, ...inner })) {
    await Deno.chmod(t.path(path), mode);
  }
  return t;
}

/** Prints what several calls come to, in a process that may not read everything. */
const PROGRAM = (root: string) => `
import { GlobTool, GrepTool, listFiles, search, Searcher, Workspace } from "${CHECKOUT}mod.ts";
const workspace = await Workspace.open("${root}");
const told = async (call) => {
  try {
    const { code, path, resolved_path, count, notes } = await call();
    return code === undefined ? { count, notes } : { code, path, resolved_path };
  } catch (error) {
    const { code, path, resolved_path } = error.toJSON();
    return { code, path, resolved_path };
  }
};
const all = {};
for (const path of ["locked", "listed", "entered", "e.txt", "./locked/", "locked/b.txt"]) {
  all[path] = await told(() => search({ pattern: "needle", path }, { workspace }));
}
await using searcher = new Searcher({ workspace, cache: "verified" });
const path = "locked";
all.several = await told(() => search({ pattern: "needle", path: ["a.txt", path] }, { workspace }));
all.count = await told(() =>
  search({ pattern: "needle", path, outputMode: "count", ignore: false }, { workspace })
);
all.searcher = await told(() => searcher.search({ pattern: "needle", path }));
all.list = await told(() => listFiles({ path }, { workspace }));
all.grep = await told(() => new GrepTool({ workspace }).execute({ pattern: "needle", path }));
all.glob = await told(() => new GlobTool({ workspace }).execute({ pattern: "*", path }));
const root = await Workspace.open("${root}/locked");
all.root = await told(() => search({ pattern: "needle" }, { workspace: root }));
// Neighbours that are no error.
all.listedFile = await told(() => listFiles({ path: "e.txt" }, { workspace }));
all.walk = await told(() => search({ pattern: "needle", path: "open" }, { workspace }));
const roots = await Workspace.open(["${root}", "${root}/../B"]);
all.other = await told(() => search({ pattern: "needle", path }, { workspace: roots }));
all.absent = await told(() => search({ pattern: "absent", path: "a.txt" }, { workspace }));
console.log(JSON.stringify(all));
`;

test("a target that may not be read is an error, and what a walk meets is named", async () => {
  await using t = await locked();
  await t.write({ "../program.ts": PROGRAM(t.root) });
  const run = await pathgrep([], {
    module: t.path("../program.ts"),
    permissions: ["-A", "--no-check", "--no-config"],
    wrapper: withoutReadOverride(),
    cwd: t.root,
  });
  assert.equal(run.stderr, "");
  const { listedFile, walk, other, absent, root, "locked/b.txt": below, ...refused } = run.json();
  for (
    const [name, { code, path, resolved_path }] of Object.entries<Record<string, string>>(refused)
  ) {
    assert.equal(code, "path_access_denied", name);
    assert.equal(t.path(path!.replace(/^\.\/|\/$/g, "")), resolved_path, name);
  }
  assert.equal(Object.keys(refused).length, 11);
  assert.equal(below.code, "path_access_denied");
  assert.deepEqual(root, { code: "path_access_denied", resolved_path: t.path("locked") });
  assert.deepEqual(listedFile, { count: 1 });
  assert.deepEqual(walk, {
    count: 1,
    notes: [
      noteOf("unreadable", { count: 2, path: "open/h.txt", isPart: false, isName: false }),
    ],
  });
  assert.deepEqual(other, {
    count: 1,
    notes: [
      'path "locked" was resolved in each root that has it: ws/locked, B/locked',
      `ws/locked was not searched: Permission denied: ${t.path("locked")}`,
    ],
  });
  assert.deepEqual(absent, { count: 0 });
});

test.slow(
  "the command line ends with 2 on every engine, also where it prints nothing",
  async () => {
    await using t = await locked();
    const options = { cwd: t.root, permissions: ["-A"], wrapper: withoutReadOverride() };
    for (const engine of ["js", "rg", "git", "grep"]) {
      const { code, stdout } = await pathgrep(["needle", "locked", "--engine", engine], options);
      assert.deepEqual([engine, code], [engine, 2], stdout);
    }
    for (
      const args of [["-q", "needle", "locked"], ["-q", "needle", "e.txt"], ["files", "locked"]]
    ) {
      assert.equal((await pathgrep(args, options)).code, 2, `${args}`);
    }
    assert.equal((await pathgrep(["-q", "needle", "open"], options)).code, 0);
  },
);

test("what is denied, or lies where nothing may be looked at, is named", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    "half/c.txt": "needle\n",
    "half/inner/d.txt": "needle\n",
    "secret/b.txt": "needle\n",
    "x.txt": "needle\n",
  });
  const half = ["half/c.txt", "half/inner/"];
  const denied = ["secret/", "x.txt"];
  const denial = `--deny-read=${t.path("secret")},${t.path("x.txt")}`;
  for (
    const { about, names, ...options } of [
      { about: "denied", names: denied, permissions: ["-A", "--no-prompt", denial] },
      { about: "mode", names: half, permissions: ["-A"], wrapper: withoutReadOverride() },
    ]
  ) {
    await Deno.chmod(t.path("half"), about === "mode" ? 0o444 : 0o755);
    const given = { ...options, cwd: t.root };
    const said = await pathgrep(["needle"], given);
    const path = names[0]!.replace(/\/$/, "");
    const note = noteOf("unreadable", { count: 2, path, isPart: false, isName: false });
    assert.deepEqual(said.json().notes, [note], about);
    const stdin = JSON.stringify({ pattern: "needle" });
    const { scope } = (await pathgrep(["call", "grep"], { ...given, stdin })).json();
    assert.equal(scope.left_out.unreadable, 2, about);
    assert.deepEqual(scope.left_out.names?.unreadable, names, about);
  }
  await Deno.chmod(t.path("half"), 0o755);
});
