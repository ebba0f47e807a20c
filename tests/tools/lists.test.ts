/** Lists of patterns and of paths in the calls of tools. */

import assert from "node:assert/strict";
import {
  type ContentResult,
  type FileResult,
  GlobTool,
  GrepTool,
  search,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

const FILES = { "src/a.ts": "needle\nhay\n", "docs/b.md": "hay\n", "c.txt": "needle\n" };

Deno.test("grep takes lists of patterns and paths, and answers as the library does", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const call = { pattern: ["needle", "hay"], path: ["src", "docs/b.md"] };
  const answer = await grep.execute(call) as ContentResult;
  assert.deepEqual(answer, await search(call, { workspace }));
  assert.deepEqual(answer.base_paths, [t.path("src"), t.path("docs/b.md")]);
  assert.deepEqual(answer.matches.map(({ line, patterns }) => [line, patterns]), [
    ["hay", [1]],
    ["needle", [0]],
    ["hay", [1]],
  ]);
  assert.deepEqual(answer.pattern_counts, [1, 2]);
});

Deno.test("glob takes a list of paths; overlapping ones give each file once", async () => {
  await using t = await tempTree(FILES);
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const call = { pattern: "*.{ts,md}", path: ["src", ".", "docs/b.md"], paths: "relative" };
  const { files } = await glob.execute(call) as FileResult;
  assert.deepEqual(files, ["docs/b.md", "src/a.ts"]);
});

Deno.test("one bad path among several fails the call", async () => {
  await using t = await tempTree(FILES);
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  for (const [tool, pattern] of [["grep", "hay"], ["glob", "*"]] as const) {
    for (const [bad, code] of [["b.rs", "path_not_found"], ["../x", "path_outside_workspace"]]) {
      const answer = await registry.execute(tool, { pattern, path: ["src", bad] });
      assert.equal("code" in answer && answer.code, code, JSON.stringify(answer));
      assert.ok(JSON.stringify(answer).includes(bad!));
    }
  }
});

Deno.test("a list has 1 to 20 strings that are not empty, and a refusal says which item is wrong", async () => {
  await using t = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const many = (length: number) => Array.from({ length }, (_, index) => `word${index}`);
  const sentence = async (input: object) => {
    const answer = await grep.execute(input) as Record<string, unknown>;
    return answer["code"] === "invalid_input" ? answer["error"] : undefined;
  };
  assert.equal(await sentence({ pattern: many(20) }), undefined);
  assert.equal(await sentence({ pattern: "hay", path: Array(20).fill("src") }), undefined);
  const must = "it must be a string that is not empty, or a list of 1 to 20 of them";
  const bad: [unknown, string][] = [
    [many(21), `pattern has 21 items; ${must}`],
    [[], `pattern is an empty list; ${must}`],
    [["hay", ""], `pattern has "" as item 2; ${must}`],
    [["hay", 7], `pattern has 7 as item 2; ${must}`],
    [["hay", null], `pattern has null as item 2; ${must}`],
    [["hay", ["needle"]], `pattern has ["needle"] as item 2; ${must}`],
  ];
  for (const [pattern, error] of bad) {
    assert.equal(await sentence({ pattern }), `invalid input: ${error}`);
  }
  assert.equal(
    await sentence({ pattern: "hay", path: Array(21).fill("src") }),
    "invalid input: path has 21 items; it must be a string, or a list of 1 to 20 of them",
  );
});

Deno.test("a call on lists is described by all of their items", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const path = ["src/a.ts", "docs/b.md"];
  assert.equal(
    grep.describe({ pattern: ["needle", "hay"], path, include: "*.ts" }),
    "'needle', 'hay' in src/a.ts, docs/b.md",
  );
  assert.equal(
    grep.describe({ pattern: "hay", path: ["src", "c.txt"], include: "*.ts" }),
    "'hay' in src, c.txt (*.ts)",
  );
  assert.equal(grep.describe({ pattern: ["hay"], path: [] }), "'hay' in the workspace");
  assert.equal(
    new GlobTool({ workspace }).describe({ pattern: "*", path: ["src", "docs"] }),
    "'*' in src, docs",
  );
});

Deno.test("an empty answer to a list tells another reading of one of its patterns", async () => {
  await using t = await tempTree({ "a.txt": "list[0]\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const answer = await grep.execute({ pattern: ["absent", '"list"'] }) as ContentResult;
  assert.deepEqual(answer.notes, [
    "1 match in a.txt is found by another reading of the pattern; " +
    'send {"pattern":["absent","list"]}',
  ]);
  assert.deepEqual(answer.pattern_counts, [0, 0]);
});
