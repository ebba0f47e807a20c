/**
 * Requirements that the product began with and no other test of the contract holds: a search in one
 * file, and project paths that lead outside.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as pathgrep from "../../mod.ts";
import { found, lines } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

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

Deno.test("a file path may lead to the workspace root or to any directory below it", async () => {
  await using t = await tempTree({ "a.ts": "needle 0\n", "p/q/a.ts": "needle 1\n" });
  assert.deepEqual(lines(await found(["needle", "p/q/a.ts"], { cwd: t.root }), t.root), [
    "p/q/a.ts:1:needle 1",
  ]);
  assert.deepEqual(lines(await found(["needle", "a.ts"], { cwd: t.root }), t.root), [
    "a.ts:1:needle 0",
  ]);
});

Deno.test("a search in one file never walks its directory", async () => {
  await using t = await tempTree({ "d/a.ts": "needle\n", "d/big.ts": "needle ".repeat(300_000) });
  const result = await found(["needle", "d/a.ts", "--stats"], { cwd: t.root });
  assert.equal(result.stats?.files_searched, 1);
  assert.equal(result.notes, undefined, "nothing beside the file was met");
});

Deno.test("a project path, relative or absolute, is refused where it leads outside", async () => {
  await using t = await tempTree({ "../ws-evil/a": "x\n" });
  const outside = ["../x", "a/../../x", "/etc/passwd", t.base, `${t.root}-evil`, "../ws-evil/a"];
  const back = ["../no-such", "a/../../no-such", "../../etc/passwd"].map((path) =>
    `${t.root}/${path}`
  );
  for (const raw of [...outside, ...back]) {
    const error = await rejects(
      pathgrep.resolveProjectPath(t.root, raw, { field: "file_path" }),
      "path_outside_workspace",
    );
    assert.equal(error.message, `file_path ${raw} escapes project root ${t.root}`);
  }
});

Deno.test("a project path is refused where a link leads it outside", async () => {
  await using t = await tempTree({
    "../outside/file": "x\n",
    "evil-link": { symlink: "$BASE/outside/file" },
    "evil-dir": { symlink: "../outside" },
    "evil-new": { symlink: "../outside/not-yet" },
  });
  for (const raw of ["evil-link", "evil-dir/file", "evil-dir/new/file", "evil-new"]) {
    const error = await rejects(
      pathgrep.resolveProjectPath(t.root, raw, { field: "file_path" }),
      "path_outside_workspace",
    );
    assert.equal(error.message, `file_path ${raw} escapes project root ${t.root}`);
  }
});
