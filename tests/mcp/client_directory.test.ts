/**
 * The directory that a call names, for clients that have no roots and start a plugin's server elsewhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { CODEX_STATE, sessionWorkspace } from "../../src/mcp/roots.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";
import { RawServer } from "./raw_server.ts";

const uri = (path: string) => pathToFileURL(path).href;

test.slow("the server asks for it, and each call is answered in the directory that it names", async () => {
  await using t = await tempTree({ "one/a.txt": "needle\n", "two/b.txt": "needle\n", "c.txt": "" });
  await using server = new RawServer(undefined, ["--allow-read"], [], t.root, "text");
  await server.initialize();
  const { result } = server.messages.find((message) => message.result?.["capabilities"])!;
  const { experimental } = result!["capabilities"] as { experimental: object };
  assert.deepEqual(experimental, { [CODEX_STATE]: {} });
  const call = async (directory?: unknown) => {
    const _meta = { [CODEX_STATE]: { sandboxCwd: directory, permissionProfile: {} } };
    const params = { name: "glob", arguments: { pattern: "*.txt" }, _meta };
    const { result } = await server.request("tools/call", params);
    return (result!["content"] as { text: string }[])[0]!.text.split("\n")[0];
  };
  assert.equal(await call(uri(t.path("one"))), "a.txt");
  assert.equal(await call(uri(t.path("two"))), "b.txt");
  for (const absent of [undefined, null, 5, {}]) assert.equal(await call(absent), "c.txt");
  assert.match((await call("https://example.org/"))!, /not a file: URL/);
  assert.match((await call(uri(t.path("gone"))))!, /gone/);
});

Deno.test("it counts as the current directory: a ceiling and roots come before it, and it may not be too broad", async () => {
  await using t = await tempTree({ "one/": null, "two/": null });
  const directory = uri(t.path("one"));
  const rootsOf = async (ceiling: Workspace | undefined, uris: string[]) =>
    (await sessionWorkspace(ceiling, { uris, directory }, {})).workspace.roots;
  assert.deepEqual(await rootsOf(undefined, []), [t.path("one")]);
  assert.deepEqual(await rootsOf(undefined, [uri(t.path("two"))]), [t.path("two")]);
  assert.deepEqual(await rootsOf(await Workspace.open(t.path("two")), []), [t.path("two")]);
  await assert.rejects(
    sessionWorkspace(undefined, { uris: [], directory: "file:///" }, {}),
    /the current directory \/ is too broad/,
  );
});
