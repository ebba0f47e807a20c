/**
 * Tool calls over MCP, by each official client: definitions, results, errors, parallel calls.
 *
 * @module
 */

import assert from "node:assert/strict";
import { toolDefinitions } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { assertErrorShape, assertResultShape } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";
import { CLIENTS, connect } from "./clients.ts";
import { test } from "../support/needs.ts";

const FILES = {
  "src/a.ts": "export const needle = 1;\n// needle, needle\n",
  "src/deep/b.ts": `${"x".repeat(3000)} needle\n`,
  "docs/c.md": "needle\n\n",
  "empty.txt": "",
};

/** Every shape of answer, with notes and truncation. */
const CALLS: [tool: string, input: Record<string, unknown>][] = [
  ["grep", { pattern: "needle" }],
  ["grep", { pattern: "needle", output_mode: "file" }],
  ["grep", { pattern: "needle", output_mode: "count" }],
  ["grep", { pattern: "absent" }],
  ["grep", { pattern: "absent", output_mode: "count" }],
  ["grep", { pattern: "needle", max_results: 1 }],
  ["grep", { pattern: "needle", output_mode: "file", max_results: 1, offset: 1 }],
  ["grep", { pattern: "needle", output_mode: "count", max_results: 1 }],
  ["grep", { pattern: "needle", context: 1, paths: "relative" }],
  ["grep", { pattern: "needle", before: 2, after: 0 }],
  ["grep", { pattern: "1;\\n// n", multiline: true }],
  ["grep", { pattern: "needle", path: "`src/a.ts:1`", include: "*.md" }],
  ["glob", { pattern: "*.ts" }],
  ["glob", { pattern: "**/*", max_results: 2 }],
  ["glob", { pattern: "*.none" }],
  ["resolve_path", { path: "src" }],
  ["resolve_path", { path: "@src/a.ts" }],
  ["resolve_path", { path: "" }],
  ["resolve_path", { path: "src/new.ts", as: "project" }],
];

const ALL_TOOLS = ["--tools", OWN_TOOL_NAMES.join(",")];

const ERRORS: [code: string, tool: string, input: Record<string, unknown>][] = [
  ["invalid_input", "grep", {}],
  ["invalid_input", "grep", { pattern: "needle", max_results: "ten" }],
  ["invalid_input", "grep", { pattern: "needle", files: "*.ts" }],
  ["invalid_pattern", "grep", { pattern: "foo(" }],
  ["path_outside_workspace", "grep", { pattern: "needle", path: "../other" }],
  ["path_not_found", "grep", { pattern: "needle", path: "B.ts" }],
  ["permission_denied_by_policy", "grep", { pattern: "needle", path: ".env" }],
  ["path_not_found", "glob", { pattern: "*", path: "absent" }],
  ["path_empty", "resolve_path", { path: " ", as: "file" }],
  ["invalid_input", "no_such_tool", {}],
];

for (const name of CLIENTS) {
  test.slow(`the ${name} client lists the tools with their annotations, and schemas of what is structured`, async () => {
    await using t = await tempTree(FILES);
    const args = ["--workspace", t.root];
    for (const structured of [false, true]) {
      await using client = await connect(name, { cwd: t.root, args, structured });
      const tools = await client.tools();
      assert.deepEqual(tools, toolDefinitions("mcp", { structured }));
      for (const tool of tools) {
        const { outputSchema, inputSchema, annotations } = tool as Record<string, {
          type?: string;
          additionalProperties?: boolean;
          readOnlyHint?: boolean;
        }>;
        assert.equal(inputSchema!.additionalProperties, false);
        assert.equal(outputSchema?.type, structured ? "object" : undefined);
        assert.equal(annotations!.readOnlyHint, true);
      }
    }
  });

  test.slow(`the ${name} client is told when to use the tools, and how to load and keep them`, async () => {
    await using t = await tempTree(FILES);
    const connected = (...args: string[]) => connect(name, { cwd: t.root, args });
    await using usual = await connected();
    const { instructions = "" } = usual;
    assert.ok(instructions.length > 300 && instructions.length <= 600, `${instructions.length}`);
    assert.match(instructions, /rather than grep, rg, find, .*in a shell/);
    assert.match(instructions, /full path from the workspace root/);
    assert.deepEqual((await usual.tools()).map((tool) => tool["name"]), [
      "grep",
      "glob",
      "read_file",
    ]);
    for (const { _meta } of await usual.tools() as { _meta: Record<string, unknown> }[]) {
      assert.equal(_meta["anthropic/alwaysLoad"], true);
      assert.equal(typeof _meta["anthropic/maxResultSizeChars"], "number");
    }
    await using named = await connected("--no-meta", "--tools", "resolve_path,grep", "--text-only");
    const tools = await named.tools();
    assert.deepEqual(tools.map((tool) => tool["name"]), ["resolve_path", "grep"]);
    assert.ok(tools.every((tool) => !("_meta" in tool)));
    const { isError, answer } = await named.call("glob", { pattern: "*" });
    assert.equal(isError, true, "what is not listed is not there");
    assert.match(`${answer["error"]}`, /unknown tool "glob"/);
    assert.equal(answer["hint"], "the tools are resolve_path, grep");
    assert.match((await named.call("resolve_path", { path: "src/a.ts" })).text, /^file: /);
  });

  test.slow(`the ${name} client accepts the structured content of every answer`, async () => {
    await using t = await tempTree(FILES);
    const args = [...ALL_TOOLS, "--workspace", t.root];
    await using client = await connect(name, { cwd: t.root, args, structured: true });
    for (const [tool, input] of CALLS) {
      const { isError, answer, structured } = await client.call(tool, input);
      assert.equal(isError, false, JSON.stringify(answer));
      assert.deepEqual(structured, answer, "the text is the same object");
      if (tool !== "resolve_path") assertResultShape(answer);
    }
  });

  test.slow(`the ${name} client gets errors as text, without structured content`, async () => {
    await using t = await tempTree({ ...FILES, ".env": "needle\n" });
    const args = [...ALL_TOOLS, "--workspace", t.root];
    for (const structured of [true, false]) {
      await using client = await connect(name, { cwd: t.root, args, structured });
      for (const [code, tool, input] of ERRORS) {
        const { isError, answer, structured } = await client.call(tool, input);
        assert.equal(isError, true, JSON.stringify(answer));
        assert.equal(structured, undefined);
        assert.equal(answer["code"], code, JSON.stringify(answer));
        assertErrorShape(answer);
      }
    }
  });

  test.slow(`the ${name} client may call in parallel, and each call gets its own answer`, async () => {
    await using t = await tempTree(
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}.txt`, `word${n}x\n`])),
    );
    await using client = await connect(name, { cwd: t.root, args: ["--workspace", t.root] });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => client.call("grep", { pattern: `word${n}x` })),
    );
    for (const [n, { entries }] of answers.entries()) {
      assert.deepEqual(entries, [`f${n}.txt`, `1:word${n}x`]);
    }
  });

  Deno.test(`reading the workspace is all that a server for the ${name} client needs`, async () => {
    await using t = await tempTree(FILES);
    const permissions = [`--allow-read=${t.root}`];
    const args = ["--workspace", t.root];
    await using client = await connect(name, { cwd: "/", permissions, args });
    const { text } = await client.call("grep", { pattern: "needle", output_mode: "count" });
    assert.match(text, /\n4 matches in 3 files/);
    const listed = await client.call("glob", { pattern: "*.md" });
    assert.deepEqual(listed.entries, ["docs/c.md"]);
  });

  test.slow(`the ${name} client is told the progress of a call when it asks`, async () => {
    await using t = await tempTree({ ...FILES });
    for (let n = 0; n < 8; n++) {
      await t.write(Object.fromEntries(
        Array.from({ length: 100 }, (_, f) => [`many/d${n}/f${f}.txt`, "hay\n".repeat(300)]),
      ));
    }
    await using client = await connect(name, { cwd: t.root, args: ["--workspace", t.root] });
    const told: number[] = [];
    await client.call("grep", { pattern: "h.*a.*z", case_insensitive: true }, {
      onprogress: ({ progress }) => told.push(progress),
    });
    assert.ok(told.length >= 1, "it was told");
    assert.deepEqual(told, [...new Set(told)].sort((a, b) => a - b), "progress grows");
    const before = told.length;
    await client.call("grep", { pattern: "needle" });
    assert.equal(told.length, before, "a call that does not ask is told nothing");
  });
}

Deno.test("an empty answer says why over MCP, with the keys of the tool", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\n",
    "dist/a.ts": "needle\n",
    "b.ts": "Other\n",
  });
  await using client = await connect(CLIENTS[0]!, { cwd: t.root, args: ["--workspace", t.root] });
  const told = async (tool: string, input: Record<string, unknown>) =>
    (await client.call(tool, input)).text.split("\n").slice(1);
  assert.deepEqual(await told("grep", { pattern: "needle" }), [
    '1 match in dist/a.ts is excluded by the ignore rule "dist/" in .gitignore:1; ' +
    'send {"no_ignore":true}, or send {"path":"dist"}',
  ]);
  assert.deepEqual(await told("grep", { pattern: "other" }), [
    '1 match in b.ts differs in letter case; send {"case_insensitive":true}',
  ]);
  assert.deepEqual(await told("glob", { pattern: "B.ts" }), [
    '1 file, b.ts, differs in letter case; send {"pattern":"b.ts"}',
  ]);
  assert.deepEqual(await told("grep", { pattern: "absent" }), []);
});
