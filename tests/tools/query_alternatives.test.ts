/**
 * What the tools say about a call that finds nothing, where another reading of it finds something.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";

type Json = Record<string, unknown>;

/** The call that the note of an empty answer shows, if any. */
function told(answer: Json): unknown {
  assert.equal(answer["count"], 0, JSON.stringify(answer));
  const notes = (answer["notes"] ?? []) as string[];
  const found = notes.map((note) => /; send (\{.*?\})(?:, |$)/.exec(note)?.[1]);
  const [change] = found.filter((text) => text !== undefined);
  return change === undefined ? undefined : JSON.parse(change);
}

Deno.test("an empty answer says which other reading of the call finds something", async () => {
  await using t = await tempTree({
    "src/a.ts": "list[0] = start(app); // TODO\nTODO: more\n",
    "b.md": "TODO\n",
  });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const calls: [tool: string, input: Json, change: Json][] = [
    ["grep", { pattern: "list[0]" }, { fixed_strings: true }],
    ["grep", { pattern: "/todo/i" }, { pattern: "todo", case_insensitive: true }],
    ["grep", { pattern: "-rni 'todo' ." }, { pattern: "todo", case_insensitive: true }],
    ["grep", { pattern: "\\\\bTODO\\\\b" }, { pattern: "\\bTODO\\b" }],
    ["grep", { pattern: "\bTODO\b" }, { pattern: "\\bTODO\\b" }],
    ["grep", { pattern: "TODO\nTODO" }, { multiline: true }],
    ["grep", { pattern: "TODO\\n+todo" }, { multiline: true, case_insensitive: true }],
    ["grep", { pattern: "list[\\s\\S]*more" }, { multiline: true }],
    ["grep", { pattern: "(?s)list.*more" }, { multiline: true }],
    ["grep", { pattern: "TODO\nTODO", fixed_strings: true }, { multiline: true }],
    ["grep", { pattern: "TODO", include: ".md" }, { include: "*.md" }],
    ["grep", { pattern: "TODO", include: "['*.md', '*.rs']" }, { include: "*.md,*.rs" }],
    ["grep", { pattern: "TODO", path: "./src/", include: "src/*.ts" }, { include: "*.ts" }],
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

Deno.test("nothing is reported if no reading finds anything, nor about a page after the last", async () => {
  await using t = await tempTree({ "src/a.ts": "TODO\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
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
  await using t = await tempTree({ "a.txt": "TODO\n" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
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

Deno.test("no reading reveals what is denied, sensitive or outside, and nobody is asked twice", async () => {
  await using t = await tempTree({
    "../beside/x.ts": "list[0]\n",
    "secret/x.ts": "list[0]\n",
    ".env": "list[0]\n",
    "a.ts": "TODO\n",
  });
  const asked: string[] = [];
  const registry = ToolRegistry.of({
    workspace: await Workspace.open(t.root),
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
      ["glob", { pattern: "secret" }],
      ["glob", { pattern: "env" }],
      ["glob", { pattern: `${t.base}/beside/x.ts` }],
    ] as const
  ) {
    assert.equal(told(await registry.execute(tool, input) as Json), undefined);
  }
  assert.deepEqual(asked, []);
  // What the user has allowed is told of.
  const allowed = { pattern: "list[0]", path: `${t.base}/beside` };
  assert.deepEqual(told(await registry.execute("grep", allowed) as Json), { fixed_strings: true });
  assert.deepEqual(asked, [`${t.base}/beside`]);
});

Deno.test("a call that is cancelled while other readings are tried is cancelled", async () => {
  // Only the reading is slow, and no other limit ends it as soon.
  await using t = await tempTree({ "a.ts": `${"a".repeat(40)}!\n`.repeat(20_000) });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const started = performance.now();
  const signal = AbortSignal.timeout(150);
  const answer = await registry.execute("grep", { pattern: '"^(a+)+\\1$"' }, { signal });
  assert.equal((answer as Json)["code"], "cancelled", JSON.stringify(answer));
  assertSoon(started);
});

Deno.test("what hides a match is reported in the keys of each tool, and can be sent", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\n",
    "dist/a.js": "needle\n",
    "src/b.ts": "Needle\n",
    "big.ts": `needle\n${"x\n".repeat(600_000)}`,
  });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const ask = async (tool: string, input: Json) => await registry.execute(tool, input) as Json;
  const input = { pattern: "needle", include: "*.md" };
  const { notes } = await ask("grep", input) as { notes: string[] };
  assert.deepEqual(notes.slice(0, 3).map((note) => note.replace(/, or .*/, "")), [
    'include "*.md" matches no file',
    '1 match in src/b.ts is excluded by include "*.md" and differs in letter case; ' +
    'omit include and send {"case_insensitive":true}',
    '1 match in dist/a.js is excluded by include "*.md" and is excluded by the ignore rule ' +
    '"dist/" in .gitignore:1; omit include and send {"no_ignore":true}',
  ]);
  const listed = await ask("glob", { pattern: "*.js" }) as { notes: string[] };
  assert.equal(listed.notes.length, 1);
  assert.match(listed.notes[0]!, /; send \{"path":"dist"\}$/);
  assert.equal((await ask("glob", { pattern: "*.js", path: "dist" }))["count"], 1);
});
