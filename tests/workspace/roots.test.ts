/**
 * Several roots: the root that a path names is the one that is read.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type FileResult,
  PathgrepError,
  resolveTextSearchTarget,
  search,
  Workspace,
} from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(() => undefined, (error) => error);
  assert.ok(error instanceof PathgrepError, `no PathgrepError: ${error}`);
  return error.code;
};

Deno.test("a relative path that an answer gave leads back to the same file", async () => {
  await using tree = await tempTree({ "one/lib/a.ts": "first\n", "two/lib/a.ts": "second\n" });
  const workspace = await Workspace.open([tree.path("one"), tree.path("two")]);
  const answer = await search({ pattern: "second", paths: "relative" }, { workspace });
  assert.ok(answer.output_mode === "content");
  const [match] = answer.matches;
  assert.equal(match?.file, "two/lib/a.ts");
  const again = await search({ pattern: ".", path: match.file }, { workspace });
  assert.ok(again.output_mode === "content");
  assert.equal(again.base_path, tree.path("two/lib/a.ts"));
  assert.deepEqual(again.matches.map(({ line }) => line), ["second"]);
  assert.equal(again.notes, undefined);
});

Deno.test("a root's name before a file of another root names nothing", async () => {
  await using tree = await tempTree({ "one/": null, "two/only.ts": "" });
  const workspace = await Workspace.open([tree.path("one"), tree.path("two")]);
  assert.equal(await codeOf(resolveTextSearchTarget(workspace, "one/only.ts")), "path_not_found");
});

Deno.test("of two roots with one name, the one that has the file is meant", async () => {
  await using tree = await tempTree({ "x/app/": null, "y/app/only.ts": "" });
  const workspace = await Workspace.open([tree.path("x/app"), tree.path("y/app")]);
  const target = await resolveTextSearchTarget(workspace, "./app/only.ts");
  assert.ok(target.kind === "file");
  assert.equal(target.filePath, tree.path("y/app/only.ts"));
});

Deno.test("a root that is blocked in another one bars no relative path", async () => {
  await using tree = await tempTree({
    "v/b.txt": "needle\n",
    "w/a.txt": "needle\n",
    "w/.env/a.txt": "needle\n",
    "w/.aiexclude": "pk/secret\n",
    "w/pk/secret/a.txt": "needle\n",
  });
  const roots = ["w/pk/secret", "v", "w/.env", "w"].map((root) => tree.path(root));
  const workspace = await Workspace.open(roots);
  for (const path of ["a.txt", "b.txt", "w/a.txt", "v/b.txt"]) {
    const answer = await search({ pattern: "needle", path }, { workspace });
    assert.equal(answer.count, 1, path);
  }
  const all = await search({ pattern: "needle", outputMode: "file" }, { workspace });
  assert.deepEqual((all as FileResult).files, [tree.path("v/b.txt"), tree.path("w/a.txt")]);
  for (const path of ["pk/secret/a.txt", ".env/a.txt"]) {
    const named = search({ pattern: "needle", path }, { workspace });
    await assert.rejects(named, { code: "permission_denied_by_policy" }, path);
  }
});

Deno.test("a workspace of nothing, or of what is no path, is refused", async () => {
  for (const root of ["", " ", ["."].concat("")]) {
    assert.equal(await codeOf(Workspace.open(root)), "INVALID_FILE_PATH");
  }
  for (const root of [5, undefined, null, [5]]) {
    assert.equal(await codeOf(Workspace.open(root as unknown as string)), "invalid_input");
  }
});

Deno.test("a root that is a link needs the permission for where it leads, and the error says so", async () => {
  await using tree = await tempTree({ "real/a.txt": "foo\n", "link": { symlink: "real" } });
  const workspace = ["--workspace", tree.path("link")];
  const search = (granted: string) =>
    pathgrep(["foo", ...workspace], { permissions: ["--no-prompt", `--allow-read=${granted}`] });
  const refused = await search(tree.path("link"));
  assert.equal(refused.code, 2);
  assert.equal(refused.json().code, "path_access_denied");
  assert.match(refused.json().hint, new RegExp(`--allow-(?:fs-)?read=${tree.path("real")}`));
  const both = await search(`${tree.path("link")},${tree.path("real")}`);
  assert.equal(both.json().count, 1);
});

Deno.test("a note is given once, however often its reason is", async () => {
  await using tree = await tempTree({ "src/a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const found = await search({ pattern: "foo", path: ["/src", "/src"] }, { workspace });
  assert.equal(found.notes?.length, 1);
});
