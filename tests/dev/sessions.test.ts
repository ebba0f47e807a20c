/** Sessions of agents, made again. */

import assert from "node:assert/strict";
import { ripgrepCalls, shellCommand } from "../../dev/sessions/mcp_ripgrep.ts";
import { openForms, replay } from "../../dev/sessions/replay.ts";
import { tempTree } from "../support/tree.ts";
import { tokens } from "../../dev/cost/measures.ts";

Deno.test("a session is answered as in the directory of its agent, and each answer cut as hosts do", async () => {
  await using tree = await tempTree({
    "shop/a.ts": "one\ntwo TODO\nthree\n",
    "shop/long.txt": "x\n".repeat(40_000),
  });
  await using forms = await openForms(tree.root);
  const commands = ["cd shop && rg -n TODO", "cat shop/long.txt; cat shop/absent.txt"];
  const typed = await replay(commands.map((command) => ({ command })), forms.rg);
  assert.deepEqual(typed.map(({ text }) => text.length), ["a.ts:2:two TODO\n".length, 30_000]);
  assert.equal(typed[0]!.text, "a.ts:2:two TODO\n", "without a path, rg does not read a pipe");
  assert.equal(typed[0]!.tokens, tokens("a.ts:2:two TODO\n"));
  const [found, read, failed] = await replay([
    { tool: "grep", arguments: { pattern: "TODO", path: "shop" } },
    { tool: "read_file", arguments: { path: "shop/a.ts:2" } },
    { tool: "read_file", arguments: { path: "shop/b.ts" } },
  ], forms.pathgrep);
  assert.match(found!.text, /^shop\/a\.ts\n2:two TODO\n\n1 match in 1 file; searched 2 files$/);
  assert.deepEqual([read!.kind, read!.text.split("\n")[0]], ["read_file", "2:two TODO"]);
  assert.match(failed!.text, /"code":"path_not_found"/);
});

Deno.test("mcp-ripgrep is asked for the same: with one filter, once a path, in the mode of a tool", () => {
  const asked = (input: Record<string, unknown>, tool = "grep") =>
    ripgrepCalls({ tool, arguments: input }).map(({ name, input }) => [name, input]);
  assert.deepEqual(
    asked({ pattern: "a", more_patterns: ["b"], case_insensitive: true, after: 2 }),
    [
      ["search", { path: ".", pattern: "a|b", context: 2, caseSensitive: false }],
    ],
  );
  assert.deepEqual(asked({ pattern: "a", path: "x", more_paths: ["y"], output_mode: "count" }), [
    ["count-matches", { path: "x", pattern: "a" }],
    ["count-matches", { path: "y", pattern: "a" }],
  ]);
  const filtered = { pattern: "a", include: "*.ts,*.js", exclude: "dist", output_mode: "file" };
  const filePattern = "{*.ts,*.js}";
  assert.deepEqual(asked(filtered), [
    ["advanced-search", { path: ".", pattern: "a", filePattern, showFilenamesOnly: true }],
  ]);
  assert.deepEqual(asked({ pattern: "a", exclude: "dist" }), [
    ["search", { path: ".", pattern: "a", filePattern: "!dist" }],
  ]);
  assert.deepEqual(asked({ pattern: "*.md" }, "glob"), [
    ["list-files", { path: ".", filePattern: "*.md" }],
  ]);
});

Deno.test("what read_file reads is printed by sed, or by cat where it is all", () => {
  for (
    const [input, command] of [
      [{ path: "a b.ts" }, "cat 'a b.ts'"],
      [
        { path: "a.ts:3-5", more_paths: ["b.ts:7-9"] },
        "sed -n '3,5p' 'a.ts'; sed -n '7,9p' 'b.ts'",
      ],
      [{ path: "a.ts:3" }, "sed -n '3,$p' 'a.ts'"],
      [{ path: "a.ts", offset: 3, limit: 2 }, "sed -n '3,4p' 'a.ts'"],
    ] as const
  ) assert.equal(shellCommand(input), command);
});
