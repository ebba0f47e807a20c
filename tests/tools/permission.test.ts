/**
 * Permission in a session: pending paths ask, and each answer does what it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, type PermissionAnswer, type PermissionRequest } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";

type Json = Record<string, unknown>;

/** A requester that keeps what it was asked. */
function requester(answer: (request: PermissionRequest) => Promise<PermissionAnswer>) {
  const asked: PermissionRequest[] = [];
  return {
    asked,
    request(request: PermissionRequest) {
      asked.push(request);
      return answer(request);
    },
  };
}

async function outsideTree(): Promise<Tree> {
  return await tempTree({
    "a.txt": "x\n",
    "../outside/b.txt": "needle\n",
    "../outside/sub/c.txt": "x\n",
  });
}

Deno.test("a pending path asks with the tool, the path as given and the resolved path", async () => {
  await using t = await outsideTree();
  const user = requester(() => Promise.resolve("allow"));
  const workspace = await Workspace.open(t.root);
  const registry = ToolRegistry.of({ workspace, permissionRequester: user }, {
    tools: OWN_TOOL_NAMES,
  });
  const outside = t.path("../outside");
  await registry.execute("grep", { pattern: "needle", path: "../outside" });
  await registry.execute("glob", { pattern: "*", path: `${outside}/` });
  await registry.execute("resolve_path", { path: outside });
  const asked = user.asked.map(({ signal: _, ...request }) => request);
  assert.deepEqual(asked, [
    { tool: "grep", requestedPath: "../outside", resolvedPath: outside, operation: "read" },
    { tool: "glob", requestedPath: `${outside}/`, resolvedPath: outside, operation: "read" },
    { tool: "resolve_path", requestedPath: outside, resolvedPath: outside, operation: "read" },
  ]);
});

Deno.test("Allow is for one call, Deny is an error, Allow for this session is for what is below", async () => {
  await using t = await outsideTree();
  let answer: PermissionAnswer = "deny";
  const user = requester(() => Promise.resolve(answer));
  const workspace = await Workspace.open(t.root);
  const registry = ToolRegistry.of({ workspace, permissionRequester: user });
  const grep = { pattern: "needle", path: "../outside", output_mode: "count" };
  const denied = await registry.execute("grep", grep) as Json;
  assert.equal(denied["code"], "permission_denied_by_user");
  assert.match(String(denied["error"]), /^permission denied by user: /);
  answer = "allow";
  for (let n = 0; n < 2; n++) {
    assert.equal((await registry.execute("grep", grep) as Json)["count"], 1);
  }
  assert.equal(user.asked.length, 3);
  answer = "allow-session";
  await registry.execute("grep", { ...grep, path: "../outside/sub" });
  answer = "deny";
  const below = { pattern: "x", path: t.path("../outside/sub/c.txt"), output_mode: "count" };
  assert.equal((await registry.execute("grep", below) as Json)["count"], 1);
  const above = await registry.execute("grep", grep) as Json;
  assert.equal(above["code"], "permission_denied_by_user");
});

Deno.test("a denied search never reads a byte: neither the file nor its directory is touched", async () => {
  await using t = await outsideTree();
  const file = t.path("../outside/b.txt");
  const places = [file, t.path("../outside"), t.path("../outside/sub")];
  const touched = () => places.filter((place) => Deno.statSync(place).atime!.getTime() !== 1000);
  const reset = () => places.forEach((place) => Deno.utimeSync(place, 1, 2));
  let answer: PermissionAnswer = "deny";
  const user = requester(() => Promise.resolve(answer));
  const workspace = await Workspace.open(t.root);
  const registry = ToolRegistry.of({ workspace, permissionRequester: user });
  reset();
  for (const path of [file, "../outside", "../outside/", `${t.path("")}/../outside/b.txt`]) {
    const denied = await registry.execute("grep", { pattern: "needle", path }) as Json;
    assert.equal(denied["code"], "permission_denied_by_user");
    const unlisted = await registry.execute("glob", { pattern: "*", path }) as Json;
    assert.equal(unlisted["code"], "permission_denied_by_user");
  }
  assert.deepEqual(touched(), []);
  answer = "allow";
  await registry.execute("grep", { pattern: "needle", path: "../outside" });
  assert.ok(touched().includes(file), "a read would have shown");
});

Deno.test("concurrent calls for one path ask once, and each gets the answer", async () => {
  await using t = await outsideTree();
  const answer = Promise.withResolvers<PermissionAnswer>();
  const user = requester(() => answer.promise);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace, permissionRequester: user });
  const calls = Array.from(
    { length: 8 },
    (_, n) =>
      grep.execute({ pattern: "needle", path: n % 2 ? "../outside" : t.path("../outside") }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(user.asked.length, 1);
  answer.resolve("allow");
  for (const result of await Promise.all(calls) as Json[]) assert.equal(result["count"], 1);
  assert.equal(user.asked.length, 1);
});

Deno.test("an unanswered question times out to Deny and is taken back", async () => {
  await using t = await outsideTree();
  const user = requester(() => new Promise(() => {}));
  const workspace = await Workspace.open(t.root);
  const options = { workspace, permissionRequester: user, permissionTimeout: 30 };
  const call = { pattern: "needle", path: "../outside" };
  const denied = await new GrepTool(options).execute(call) as Json;
  assert.equal(denied["code"], "permission_denied_by_user");
  assert.equal(user.asked[0]!.signal?.aborted, true);
  const again = await new GrepTool(options).execute(call) as Json;
  assert.equal(again["code"], "permission_denied_by_user");
  assert.equal(user.asked.length, 2, "the next call asks anew");
});

Deno.test("an aborted call ends its question as cancelled", async () => {
  await using t = await outsideTree();
  const user = requester(({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
  );
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace, permissionRequester: user });
  const ender = new AbortController();
  const call = grep.execute({ pattern: "x", path: "../outside" }, { signal: ender.signal });
  setTimeout(() => ender.abort(), 10);
  assert.deepEqual(await call, { error: "cancelled", code: "cancelled", pattern: "x" });
});

Deno.test("a call's own requester comes before the tool's, and granted and blocked paths ask neither", async () => {
  await using t = await tempTree({ "a.txt": "x\n", ".env": "x\n", "../outside/b.txt": "x\n" });
  const user = requester(() => Promise.resolve("deny"));
  const other = requester(() => Promise.resolve("allow"));
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace, permissionRequester: user, deny: ["*.secret"] });
  const code = async (path: string) =>
    (await grep.execute({ pattern: "x", path }, { permissionRequester: other }) as Json)["code"];
  assert.equal(await code("../outside"), undefined);
  assert.deepEqual([user.asked.length, other.asked.length], [0, 1]);
  assert.equal(await code("a.txt"), undefined);
  assert.equal(await code(".env"), "permission_denied_by_policy");
  assert.equal(await code("../outside/.ssh/id_rsa"), "permission_denied_by_policy");
  assert.equal(await code("../outside/x.secret"), "permission_denied_by_policy");
  assert.deepEqual([user.asked.length, other.asked.length], [0, 1]);
});
