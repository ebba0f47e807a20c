/** What `call` reads on standard input: whatever the tool itself reads from a text. */
import assert from "node:assert/strict";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const FILES = { "a.txt": "TODO straße\n", "src/b.ts": "TODO\n" };

/** Texts that are no JSON, and one of the notes on how each is read. */
const READ: readonly (readonly [tool: string, text: string, note: RegExp])[] = [
  ["grep", '```json\n{"pattern": "TODO"}\n```\n', /parsed from a string of JSON/],
  ["grep", '```\n{"pattern": "TODO"}\n```', /parsed from a string of JSON/],
  ["grep", '```{"pattern": "TODO"}```', /parsed from a string of JSON/],
  ["grep", '\n  ```JSON\r\n{"pattern": "TODO"}\r\n```\r\n', /parsed from a string of JSON/],
  ["grep", '```json\n[{"query": "TODO"}]\n```', /taken from a list of one/],
  ["glob", '```json\n{"input": {"pattern": "*.ts"}}\n```', /taken from its key "input"/],
  ["grep", "TODO\n", /interpreted as pattern/],
  ["rg", "TODO", /interpreted as pattern/],
  ["grep", " straße \r\n", /interpreted as pattern/],
  ["glob", "b.ts\n", /interpreted as pattern/],
  ["resolve_path", "src/b.ts\n", /interpreted as path/],
  ["resolve_path", "./src", /interpreted as path/],
];

Deno.test("a code fence and a single word are read as the tool reads them", async () => {
  await using t = await tempTree(FILES);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  for (const [tool, text, note] of READ) {
    const ran = await pathgrep(["call", tool], { cwd: t.root, stdin: text });
    assert.equal(ran.code, 0, ran.stdout);
    const answer = ran.json();
    assert.deepEqual(answer, await tools.execute(tool, text), text);
    const { notes, count } = ran.json();
    assert.match(notes.join("\n"), note, text);
    assert.notEqual(count, 0, text);
  }
});

Deno.test("what is JSON is taken as it is, without a note on its text", async () => {
  await using t = await tempTree(FILES);
  for (const text of ['{"pattern": "TODO"}', '\ufeff {"pattern": "TODO"}\r\n']) {
    const answer = (await pathgrep(["call", "grep"], { cwd: t.root, stdin: text })).json();
    assert.equal(answer.count, 2, text);
    assert.equal(answer.notes, undefined, text);
  }
});

Deno.test("what no tool can read is an error that says why", async () => {
  await using t = await tempTree(FILES);
  const refused: [text: string, error: RegExp][] = [
    ["", /standard input must be JSON: it is empty/],
    [" \n", /standard input must be JSON: it is empty/],
    ['{"pattern": "TODO"', /standard input must be JSON: .*line 1/],
    ['```json\n{"pattern": "TODO"\n```', /standard input must be JSON: /],
    ["```\nTODO\n```", /standard input must be JSON: /],
    ["pattern=TODO", /standard input must be JSON: /],
    ["TODO FIXME", /standard input must be JSON: /],
    ["TODO\nFIXME", /standard input must be JSON: /],
    ['Call: ```{"pattern": "TODO"}```', /standard input must be JSON: /],
    ["42", /the input must be an object, got 42/],
    ["true", /the input must be an object, got true/],
    ["null", /the input must be an object, got null/],
  ];
  for (const [text, error] of refused) {
    const ran = await pathgrep(["call", "grep"], { cwd: t.root, stdin: text });
    assert.equal(ran.code, 2, text);
    assert.equal(ran.json().code, "invalid_input", text);
    assert.match(ran.json().error, error, text);
  }
});
