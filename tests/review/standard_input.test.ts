/**
 * Standard input among other targets: its name, and its end.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

const never = () => new Promise<Uint8Array>(() => {});

Deno.test("standard input has one name, wherever the caller stands", async () => {
  await using tree = await tempTree({ "sub/": null });
  const run = await pathgrep(["foo", "-", "--workspace", tree.root, "--paths", "relative"], {
    cwd: tree.path("sub"),
    stdin: "foo\n",
  });
  assert.equal(run.json().matches[0].file, "(stdin)");
  const binary = await pathgrep(["foo", "-", "--workspace", tree.root], {
    cwd: tree.path("sub"),
    stdin: "foo\0\n",
  });
  assert.match(binary.json().notes[0], /^\(stdin\) was not searched/);
});

Deno.test("standard input that does not end is given up after the time limit", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", path: ["a.txt", "-"], timeout: 50 };
  await assert.rejects(search(query, { workspace, stdin: never }), {
    code: "search_timed_out",
    message: "search timed out after 50 ms",
  });
});

Deno.test("an abort ends the wait for standard input", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const ender = new AbortController();
  const stdin = () => {
    queueMicrotask(() => ender.abort());
    return never();
  };
  const query = { pattern: "foo", path: "-" };
  const searched = search(query, { workspace, stdin, signal: ender.signal });
  await assert.rejects(searched, { code: "cancelled" });
});
