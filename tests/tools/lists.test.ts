/** Several patterns and paths in the calls of tools: further ones beside the first, and lists in its place. */

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
  const { scope: _, ...answer } = await grep.execute(call) as ContentResult;
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

Deno.test("a list has 1 to 20 non-empty strings, and a refusal says which item is wrong", async () => {
  await using t = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const many = (length: number) => Array.from({ length }, (_, index) => `word${index}`);
  const sentence = async (input: object) => {
    const answer = await grep.execute(input) as Record<string, unknown>;
    return answer["code"] === "invalid_input" ? answer["error"] : undefined;
  };
  assert.equal(await sentence({ pattern: many(20) }), undefined);
  assert.equal(await sentence({ pattern: "hay", path: Array(20).fill("src") }), undefined);
  const must = "it must be a non-empty string, or a list of 1 to 20 of them";
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

Deno.test("further patterns and paths are searched with the first in one walk, and counted after it", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const list = { pattern: ["hay", "needle", "hay"], path: ["docs", "src", "c.txt"] };
  const wanted = await search(list, { workspace });
  assert.deepEqual(wanted.pattern_counts, [2, 2, 2]);
  for (
    const call of [
      {
        pattern: "hay",
        more_patterns: ["needle", "hay"],
        path: "docs",
        more_paths: ["src", "c.txt"],
      },
      { pattern: ["hay", "needle"], more_patterns: ["hay"], path: list.path, more_paths: [] },
      { ...list, more_patterns: null, more_paths: null },
    ]
  ) {
    const scope = { searched: 3, matched: 3 };
    assert.deepEqual(await grep.execute(call), { ...wanted, scope });
    assert.equal(grep.describe(call), "'hay', 'needle', 'hay' in docs, src, c.txt");
  }
});

Deno.test("a text in place of further ones is a list of one, or the list that it is the JSON of, with a note", async () => {
  await using t = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const texts: [given: unknown, read: string[]][] = [
    ["hay", ["hay"]],
    ['["hay", "straw"]', ["hay", "straw"]],
    ['["hay",', ['["hay",']],
    [" [] ", []],
  ];
  for (const [more_patterns, read] of texts) {
    const { notes, ...answer } = await grep.execute({
      pattern: "needle",
      fixed_strings: true,
      more_patterns,
    }) as ContentResult;
    const said = `more_patterns ${JSON.stringify(more_patterns)} was interpreted as `;
    assert.ok(notes?.[0]?.startsWith(said), `${notes}`);
    assert.deepEqual(
      answer,
      await grep.execute({ pattern: "needle", fixed_strings: true, more_patterns: read }),
    );
  }
  const { notes, count } = await grep.execute({
    pattern: "hay",
    path: "src",
    more_paths: "docs",
  }) as ContentResult;
  assert.deepEqual([notes, count], [['more_paths "docs" was interpreted as ["docs"]'], 2]);
  for (
    const [key, given] of [["more_patterns", ""], ["more_patterns", "null"], ["more_paths", "None"]]
  ) {
    const none = await grep.execute({ pattern: "hay", [key!]: given }) as ContentResult;
    assert.deepEqual(none.notes, [`${key} "${given}" was interpreted as absent`]);
  }
  const listed = await grep.execute({ pattern: "hay", more_patterns: ["null"] }) as ContentResult;
  assert.deepEqual([listed.pattern, listed.notes], ["hay\nnull", undefined]);
  const must = "a list of at most 19 non-empty strings";
  const bad: [unknown, string][] = [
    [5, `more_patterns must be ${must}, got 5`],
    [{}, `more_patterns must be ${must}, got {}`],
    [[""], `more_patterns has "" as item 1; it must be ${must}`],
    [["hay", null], `more_patterns has null as item 2; it must be ${must}`],
    [[["hay"]], `more_patterns has ["hay"] as item 1; it must be ${must}`],
    ['["hay", 5]', `more_patterns has 5 as item 2; it must be ${must}`],
  ];
  for (const [more_patterns, error] of bad) {
    const answer = await grep.execute({ pattern: "hay", more_patterns });
    assert.equal("error" in answer && answer.error, `invalid input: ${error}`);
  }
});

Deno.test("further patterns and paths need a first one, and are 20 with it at most", async () => {
  await using t = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const many = (length: number) => Array.from({ length }, (_, index) => `word${index}`);
  const sentence = async (input: object) => {
    const answer = await grep.execute(input) as Record<string, unknown>;
    return answer["code"] === undefined ? undefined : answer["error"];
  };
  assert.equal(await sentence({ pattern: "hay", more_patterns: many(19) }), undefined);
  assert.equal(await sentence({ pattern: many(15), more_patterns: many(5) }), undefined);
  const both = "pattern and more_patterns have 21 items; at most 20 are accepted";
  assert.equal(
    await sentence({ pattern: many(15), more_patterns: many(6) }),
    `invalid input: ${both}`,
  );
  const few = "it must be a list of at most 19 non-empty strings";
  assert.equal(
    await sentence({ pattern: "hay", more_patterns: many(20) }),
    `invalid input: more_patterns has 20 items; ${few}`,
  );
  assert.match(
    String(await sentence({ more_patterns: ["hay"] })),
    /^invalid input: more_patterns is given without pattern \(send its first item as pattern\); pattern is missing/,
  );
  for (const path of [undefined, null, "", " "]) {
    assert.equal(
      await sentence({ pattern: "hay", path, more_paths: ["src"] }),
      "invalid input: more_paths is given without path (send its first item as path)",
    );
  }
  assert.match(
    String(await sentence({ pattern: "hay", path: 5, more_paths: ["src"] })),
    /^invalid input: path must be a string.*, got 5$/,
  );
});

Deno.test("one bad path among further ones fails the call", async () => {
  await using t = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  for (const [bad, code] of [["b.rs", "path_not_found"], ["../x", "path_outside_workspace"]]) {
    const answer = await grep.execute({ pattern: "hay", path: "src", more_paths: ["docs", bad] });
    assert.equal("code" in answer && answer.code, code);
  }
});

Deno.test("a list of globs is what its globs are with commas, and glob reads further ones as grep does", async () => {
  await using t = await tempTree(FILES);
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const filesOf = async (call: object) => {
    const { notes, files } = await glob.execute({ ...call, paths: "relative" }) as FileResult;
    assert.equal(notes, undefined);
    return files;
  };
  assert.deepEqual(await filesOf({ pattern: ["*.ts", "*.md"] }), ["docs/b.md", "src/a.ts"]);
  assert.deepEqual(
    await filesOf({ pattern: ["*", "!*.md"] }),
    await filesOf({ pattern: "*,!*.md" }),
  );
  const more = { pattern: "*.ts", more_patterns: ["*.txt"], path: "src", more_paths: ["c.txt"] };
  assert.deepEqual(await filesOf(more), ["c.txt", "src/a.ts"]);
  for (const pattern of [[], ["*.ts", ""], ["*.ts", 5], Array(21).fill("*")]) {
    const answer = await glob.execute({ pattern });
    assert.equal("code" in answer && answer.code, "invalid_input", JSON.stringify(pattern));
  }
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
  assert.equal(
    new GlobTool({ workspace }).describe({ pattern: ["*.ts", "*.md"] }),
    "'*.ts', '*.md' in the workspace",
  );
});

Deno.test("an empty answer to a list reports another reading of one of its patterns", async () => {
  await using t = await tempTree({ "a.txt": "list[0]\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const answer = await grep.execute({ pattern: ["absent", '"list"'] }) as ContentResult;
  assert.deepEqual(answer.notes, [
    "1 match in a.txt is found by another reading of the pattern; " +
    'send {"pattern":"absent","more_patterns":["list"]}',
  ]);
  const sent = { pattern: "absent", more_patterns: ["list"] };
  assert.equal((await grep.execute(sent) as ContentResult).count, 1);
  const one = await grep.execute({ pattern: ['"list"'] }) as ContentResult;
  assert.match(String(one.notes), /send \{"pattern":"list"\}$/);
  assert.deepEqual(answer.pattern_counts, [0, 0]);
});
