/** Where a path leads, and what is said of one that leads nowhere. */
import assert from "node:assert/strict";
import {
  Guard,
  listFiles,
  PathgrepError,
  ResolvePathTool,
  resolveTextSearchTarget,
  search,
  Workspace,
} from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** The error that something fails with. */
async function failure(promise: Promise<unknown>): Promise<PathgrepError> {
  const error = await promise.then(() => undefined, (error) => error);
  assert.ok(error instanceof PathgrepError, `it should have failed: ${error}`);
  return error;
}

/** The path that a search target has. */
async function target(workspace: Workspace, path: string): Promise<string | undefined> {
  const found = await resolveTextSearchTarget(workspace, path);
  return found.kind === "file"
    ? found.filePath
    : found.kind === "directory"
    ? found.searchDir
    : undefined;
}

async function suggested(t: Tree, path: string): Promise<readonly string[] | undefined> {
  const workspace = await Workspace.open(t.root);
  return (await failure(resolveTextSearchTarget(workspace, path))).details.suggestions;
}

Deno.test("a link may go through the directories above the root, not through those beside it", async () => {
  await using t = await tempTree({ "a.txt": "", "../beside/back": { symlink: "../ws/a.txt" } });
  const name = t.base.slice(t.base.lastIndexOf("/") + 1);
  await t.write({
    up: { symlink: `../../${name}/ws/a.txt` },
    around: { symlink: "../beside/back" },
  });
  const workspace = await Workspace.open(t.root);
  assert.equal(await target(workspace, "up"), t.path("a.txt"));
  assert.equal(await workspace.isPathWithin("around"), false);
  await t.write({
    "../beside/in": { symlink: "../ws" },
    "../beside/one": { symlink: "two" },
    "../beside/two": { symlink: "one" },
  });
  assert.equal(await target(workspace, "../beside/in/a.txt"), t.path("a.txt"));
  // Neither what lies on the way out and back, nor a circle outside, is told.
  for (const path of ["around", "../beside/in/around", "../beside/one"]) {
    assert.equal((await failure(target(workspace, path))).code, "path_outside_workspace", path);
  }
});

Deno.test("a blocked name is blocked wherever it leads, and in whichever root it is", async () => {
  await using t = await tempTree({
    "one/a.txt": "",
    "one/.netrc": { symlink: "a.txt" },
    "one/x": { symlink: ".env" },
    "one/.env": "",
    "two/x": "",
  });
  const workspace = await Workspace.open([t.path("one"), t.path("two")]);
  const guard = new Guard({ workspace });
  assert.equal(await guard.check(".netrc", "read"), "denied");
  assert.equal(await guard.check("x", "read"), "denied");
  assert.equal(await guard.check(t.path("two/x"), "read"), "granted");
  for (const path of [".netrc", "x", "'.env'", "one/.env", `file://${t.path("one/.env")}`]) {
    const error = await failure(search({ pattern: "x", path }, { workspace }));
    assert.equal(error.code, "permission_denied_by_policy", path);
  }
  const tool = new ResolvePathTool({ workspace, deny: ["a.txt", "private"] });
  for (const as of ["search", "file", "dir", "project"]) {
    for (const path of ["a.txt", "private", "private/new.txt", ".env"]) {
      const answer = await tool.execute({ path, as }) as Record<string, unknown>;
      assert.equal(answer["code"], "permission_denied_by_policy", `${path} as ${as}`);
    }
  }
});

Deno.test("of roots inside each other, the innermost gives a path its name, in any order", async () => {
  await using t = await tempTree({ "a.txt": "", "inner/b.txt": "" });
  for (const roots of [["", "inner"], ["inner", ""]]) {
    const workspace = await Workspace.open(roots.map((root) => t.path(root)));
    const { files } = await listFiles({ paths: "relative" }, { workspace });
    assert.deepEqual(files.toSorted(), ["inner/b.txt", "ws/a.txt"]);
  }
});

Deno.test("a root opened by a link is reached by that name and by its own", async () => {
  await using t = await tempTree({ "src/a.txt": "needle\n", "../link": { symlink: "ws" } });
  const workspace = await Workspace.open(t.path("../link"));
  for (const path of [t.path("../link/src/a.txt"), t.path("src/a.txt"), "src/a.txt"]) {
    assert.equal(await target(workspace, path), t.path("src/a.txt"));
  }
  // Also where nothing above may be read.
  const permissions = [`--allow-read=${t.root},${t.path("../link")}`];
  const args = ["needle", t.path("../link/src"), "--workspace", t.path("../link")];
  assert.equal((await pathgrep(args, { cwd: t.root, permissions })).code, 0);
  assert.equal((await failure(Workspace.open(t.path("src/a.txt")))).code, "path_unsupported");
  assert.equal((await failure(Workspace.open([]))).code, "invalid_input");
  assert.equal((await failure(Workspace.open(" "))).code, "INVALID_FILE_PATH");
});

Deno.test("a path is repaired in one way or in several, and never into another name", async () => {
  await using t = await tempTree({ "src/a.ts": "", "-b.ts": "", "c d.ts": "" });
  const workspace = await Workspace.open(t.root);
  for (
    const path of [
      '"src/a.ts"',
      "@src/a.ts",
      "src\\a.ts",
      "src/a.ts:12:3",
      "/src/a.ts",
      "ws/src/a.ts",
      "'src\\a.ts:3'",
      '"/src/a.ts:7:"',
      "@ws\\src\\a.ts",
      `file://localhost${t.path("src/a.ts")}`,
      `"file://${t.path("src/a.ts")}:3"`,
    ]
  ) {
    assert.equal(await target(workspace, path), t.path("src/a.ts"), path);
  }
  assert.equal(await target(workspace, `file://${t.path("c%20d.ts")}`), t.path("c d.ts"));
  for (
    const path of ["ws-b.ts", `file://elsewhere${t.path("src/a.ts")}`, "/.", "/src/..", "'/'", "@/"]
  ) {
    const error = await failure(target(workspace, path));
    assert.match(error.code, /^path_(not_found|outside_workspace)$/, path);
  }
});

Deno.test("nothing is suggested that is blocked, a link, or not alike", async () => {
  await using t = await tempTree({
    ".env": "",
    "config.yaml": "",
    "abc": "",
    "spaced.md ": "",
    "link.yaml": { symlink: "config.yaml" },
    "node_modules/one/thing.js": "",
    "src/thing.js": "",
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`many/${index}/same.ts`, ""])),
  });
  assert.deepEqual(await suggested(t, "config.yml"), ["config.yaml"]);
  assert.equal(await suggested(t, "lnk.yaml"), undefined);
  assert.equal(await suggested(t, "abd"), undefined);
  assert.equal(await suggested(t, "/elsewhere/.env"), undefined);
  assert.equal(await suggested(t, ".envv"), undefined);
  assert.deepEqual(await suggested(t, "spaced.mdx"), ["spaced.md "]);
  assert.deepEqual(await suggested(t, "lib/thing.js"), ["src/thing.js"]);
  assert.equal((await suggested(t, "same.ts"))?.length, 10);
  assert.deepEqual(await suggested(t, "/home/other/src/thing.js"), ["src/thing.js"]);
});
