/**
 * Permissions: what one glob grants, and questions that are given up.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  Guard,
  PathgrepError,
  type PermissionAnswer,
  search,
  type SearchOptions,
  Workspace,
} from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const outside = { "ws/": null, "out/x": "foo\n", "out/y": "foo\n", "out/d/z": "foo\n" };

async function guardOf(tree: Tree, allow: string): Promise<Guard> {
  const workspace = await Workspace.open(tree.path("ws"));
  return new Guard({ workspace, allow: [tree.path(allow)] });
}

async function answerOf(
  tree: Tree,
  options: Pick<SearchOptions, "signal" | "permissionRequester">,
): Promise<number | string> {
  const workspace = await Workspace.open(tree.path("ws"));
  const query = { pattern: "foo", path: tree.path("out") };
  return await search(query, { workspace, ...options }).then(({ count }) => count, (error) => {
    assert.ok(error instanceof PathgrepError);
    return error.code;
  });
}

Deno.test("an absolute glob for one file does not grant the directory that holds it", async () => {
  await using tree = await tempTree(outside);
  for (const glob of ["out/x", "out/?", "out/[a-z]"]) {
    const guard = await guardOf(tree, glob);
    assert.equal(await guard.check(tree.path("out/x"), "read"), "granted", glob);
    assert.equal(await guard.check(tree.path("out"), "read"), "pending", glob);
  }
  const guard = await guardOf(tree, "out/x");
  assert.equal(await guard.check(tree.path("out/y"), "read"), "pending");
});

Deno.test("an abort ends a question whose requester does not listen", async () => {
  await using tree = await tempTree(outside);
  const ender = new AbortController();
  const request = () => {
    queueMicrotask(() => ender.abort());
    return new Promise<PermissionAnswer>(() => {});
  };
  const permissionRequester = { request };
  assert.equal(await answerOf(tree, { signal: ender.signal, permissionRequester }), "cancelled");
  // The question that nobody waits for any more is not in the way of the next one.
  const other = { request: () => Promise.resolve<PermissionAnswer>("deny") };
  const next = await answerOf(tree, {
    permissionRequester: Object.assign(permissionRequester, other),
  });
  assert.equal(next, "permission_denied_by_user");
});

Deno.test("what takes the place of a path while the question is open is not what the user allowed", async () => {
  for (const answer of ["allow", "allow-session"] as const) {
    await using tree = await tempTree({ ...outside, "other/secret": "foo\n" });
    const replacing = async (): Promise<PermissionAnswer> => {
      await Deno.rename(tree.path("out"), tree.path("before"));
      await Deno.rename(tree.path("other"), tree.path("out"));
      return answer;
    };
    const asked = await answerOf(tree, { permissionRequester: { request: replacing } });
    assert.equal(asked, "path_not_found", answer);
    // What a session was to be allowed is not remembered for the new directory either.
    const denying = { request: () => Promise.resolve<PermissionAnswer>("deny") };
    assert.equal(
      await answerOf(tree, { permissionRequester: denying }),
      "permission_denied_by_user",
    );
    const same = { request: () => Promise.resolve<PermissionAnswer>("allow") };
    assert.equal(await answerOf(tree, { permissionRequester: same }), 1);
  }
});
