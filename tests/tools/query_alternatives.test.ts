/**
 * What the tools say about a call that finds nothing, where another reading of it finds something.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, search, ToolRegistry, Workspace } from "../../mod.ts";
import { tree } from "../support/acceptance.ts";

type Json = Record<string, unknown>;

/** The call that the note of an empty answer shows, if any. */
function told(answer: Json): unknown {
  assert.equal(answer["count"], 0, JSON.stringify(answer));
  const notes = (answer["notes"] ?? []) as string[];
  const found = notes.map((note) => /^nothing was found; (.*) in its place/.exec(note)?.[1]);
  const [change] = found.filter((text) => text !== undefined);
  return change === undefined ? undefined : JSON.parse(change);
}

Deno.test("an empty answer says which other reading of the call finds something", async () => {
  await using t = await tree({ "src/a.ts": "list[0] = start(app); // TODO\n", "b.md": "TODO\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  const calls: [tool: string, input: Json, change: Json][] = [
    ["grep", { pattern: "list[0]" }, { pattern: "list[0]", fixed_strings: true }],
    ["grep", { pattern: "/todo/i" }, { pattern: "todo", case_insensitive: true }],
    ["grep", { pattern: "-rni 'todo' ." }, { pattern: "todo", case_insensitive: true }],
    ["grep", { pattern: "\\\\bTODO\\\\b" }, { pattern: "\\bTODO\\b" }],
    ["grep", { pattern: "\bTODO\b" }, { pattern: "\\bTODO\\b" }],
    ["grep", { pattern: "TODO", include: ".md" }, { include: "*.md" }],
    ["grep", { pattern: "TODO", include: "['*.md', '*.rs']" }, { include: "*.md,*.rs" }],
    ["grep", { pattern: "TODO", path: "./src/", include: "src/*.ts" }, { include: "*.ts" }],
    ["glob", { pattern: "src" }, { pattern: "src/**" }],
    ["glob", { pattern: "B.md" }, { pattern: "b.md" }],
    ["glob", { pattern: "/other/checkout/src/*.ts" }, { pattern: "src/*.ts" }],
  ];
  for (const [tool, input, change] of calls) {
    const answer = await registry.execute(tool, input) as Json;
    assert.deepEqual(told(answer), change);
    const next = await registry.execute(tool, { ...input, ...change }) as Json;
    assert.ok(Number(next["count"]) > 0, "the call as it was told finds something");
  }
});

Deno.test("nothing is said where no reading finds anything, nor about a page after the last", async () => {
  await using t = await tree({ "src/a.ts": "TODO\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  for (
    const [tool, input] of [
      ["grep", { pattern: "absent(x)", include: "src" }],
      ["grep", { pattern: "TOD[O]", offset: 1 }],
      ["glob", { pattern: "absent.rs" }],
      ["glob", { pattern: "*.ts", offset: 1 }],
    ] as const
  ) {
    assert.equal(told(await registry.execute(tool, input) as Json), undefined);
  }
});

Deno.test("no reading takes back an exclusion, nor finds just anything", async () => {
  await using t = await tree({ "a.txt": "TODO\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.ws) });
  for (
    const [tool, input] of [
      ["grep", { pattern: "TODO", include: "!a.txt" }],
      ["glob", { pattern: "!a.txt" }],
      ["glob", { pattern: "/other/checkout/*" }],
      ["glob", { pattern: "/other/checkout/**/*" }],
    ] as const
  ) {
    assert.equal(told(await registry.execute(tool, input) as Json), undefined);
  }
});

Deno.test("readings get no more time than the call has, nor all of them more than one", async () => {
  await using t = await tree({ "a.txt": "TODO\n" });
  const workspace = await Workspace.open(t.ws);
  for (const timeout of [undefined, 0, 50]) {
    const times: number[] = [];
    const grep = new GrepTool({
      workspace,
      timeout,
      searcher: {
        search(query, options) {
          times.push(query.timeout!);
          return search(query, { ...options, workspace });
        },
      },
    });
    await grep.execute({ pattern: "list[0]", include: "src" });
    const [own, ...readings] = times;
    assert.equal(own, timeout);
    assert.ok(readings.length > 0);
    assert.deepEqual(readings, readings.toSorted((a, b) => b - a), "what is left of it");
    assert.ok(readings.every((time) => time >= 1 && time <= (timeout || 2000)), `${times}`);
  }
});

Deno.test("no reading tells what is denied, sensitive or outside, and nobody is asked twice", async () => {
  await using t = await tree({
    "../beside/x.ts": "list[0]\n",
    "secret/x.ts": "list[0]\n",
    ".env": "list[0]\n",
    "a.ts": "TODO\n",
  });
  const asked: string[] = [];
  const registry = ToolRegistry.of({
    workspace: await Workspace.open(t.ws),
    deny: ["secret"],
    permissionRequester: {
      request({ requestedPath }) {
        asked.push(requestedPath);
        return Promise.resolve("allow");
      },
    },
  });
  for (
    const [tool, input] of [
      ["grep", { pattern: "list[0]" }],
      ["grep", { pattern: "list[0]", path: `${t.base}/beside` }],
      ["glob", { pattern: "secret" }],
      ["glob", { pattern: "env" }],
      ["glob", { pattern: `${t.base}/beside/x.ts` }],
    ] as const
  ) {
    assert.equal(told(await registry.execute(tool, input) as Json), undefined);
  }
  assert.deepEqual(asked, [`${t.base}/beside`]);
});

Deno.test("a call that is cancelled while other readings are tried is cancelled", async () => {
  await using t = await tree({ "a.ts": "list[0]\n" });
  const workspace = await Workspace.open(t.ws);
  const caller = new AbortController();
  let searches = 0;
  const registry = ToolRegistry.of({
    workspace,
    searcher: {
      search(query, options) {
        if (++searches === 2) caller.abort();
        return search(query, { ...options, workspace });
      },
    },
  });
  const answer = await registry.execute("grep", { pattern: "list[0]" }, { signal: caller.signal });
  assert.equal((answer as Json)["code"], "cancelled");
  assert.equal(searches, 2);
});
