/**
 * The tool `read_file` with several paths: each answered as it would be alone, in one budget.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type ErrorAnswer,
  type ReadFileAnswer,
  type ReadFilesAnswer,
  ReadFileTool,
  Workspace,
} from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

const FILES = {
  "a.ts": lines(300),
  "lib/b.ts": lines(20),
  "lib/c.ts": "",
  "long.txt": lines(20_000),
  ".env": "SECRET=1\n",
  "binary": "a\0b",
  "../outside.txt": "outside\n",
};

const PATHS = [
  "a.ts:3-5",
  "lib/b.ts",
  "lib",
  "absent.ts",
  ".env",
  "../outside.txt",
  "binary",
  "lib/c.ts",
  "a.ts:290",
  "a.ts:9-2",
  "a.ts:3-5",
];

test("each path is answered, or refused, as it would be alone and in its place", async () => {
  await using tree = await tempTree(FILES);
  const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
  const [path, ...more_paths] = PATHS;
  const { files, ...rest } = await tool.execute({ path, more_paths }) as ReadFilesAnswer;
  assert.deepEqual(rest, {});
  const alone = await Promise.all(PATHS.map((path) => tool.execute({ path })));
  assert.deepEqual(files, alone);
  const codes = files.map((file) => (file as Partial<ErrorAnswer>).code);
  assert.deepEqual(codes, [
    ...[undefined, undefined, undefined, "path_not_found", "permission_denied_by_policy"],
    ...["path_outside_workspace", "path_unsupported", undefined, undefined, "invalid_input"],
    undefined,
  ]);
  const listed = await tool.execute({ path: PATHS }) as ReadFilesAnswer;
  assert.deepEqual(listed.files, alone, "a list in path's place");
  assert.equal(
    tool.describe({ path, more_paths: ["lib/b.ts", "absent.ts"] }),
    "read a.ts:3-5, lib/b.ts, absent.ts",
  );
});

test("keys beside the paths are those of each", async () => {
  await using tree = await tempTree(FILES);
  const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
  const input = { path: "a.ts", more_paths: ["lib/b.ts", "a.ts:7"], offset: 2, limit: 2 };
  const { files } = await tool.execute(input) as ReadFilesAnswer;
  const shown = files.map((file) => "lines" in file ? file.lines : (file as ErrorAnswer).code);
  assert.deepEqual(shown, [["line 2", "line 3"], ["line 2", "line 3"], "invalid_input"]);
});

test("at most 20 paths, and the first of them as path", async () => {
  await using tree = await tempTree(FILES);
  const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
  const all = { path: "a.ts:1", more_paths: Array.from({ length: 19 }, () => "a.ts:2") };
  assert.equal((await tool.execute(all) as ReadFilesAnswer).files.length, 20);
  for (
    const input of [{ ...all, more_paths: [...all.more_paths, "a.ts"] }, { more_paths: ["a.ts"] }]
  ) {
    assert.equal((await tool.execute(input) as ErrorAnswer).code, "invalid_input");
  }
});

test("all of them keep to one budget, and what some do not need the others have", async () => {
  await using tree = await tempTree(FILES);
  const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
  const input = { path: "long.txt", more_paths: ["lib/b.ts", "long.txt:10000", "lib/c.ts"] };
  for (const max_output_chars of [1000, 3000, 40_000]) {
    const answer = await tool.execute({ ...input, max_output_chars }) as ReadFilesAnswer;
    const size = JSON.stringify(answer).length;
    assert.ok(size <= max_output_chars, `${size} of ${max_output_chars}`);
    assert.ok(max_output_chars < 3000 || size > max_output_chars * 0.9, `${size}`);
    const [first, small] = answer.files as ReadFileAnswer[];
    if (max_output_chars < 3000) continue;
    assert.equal(first!.next_offset, first!.line_count + 1);
    assert.equal(small!.line_count, 20);
  }
  const many = { path: "a.ts", more_paths: Array.from({ length: 19 }, () => "absent.ts") };
  for (const max_output_chars of [1000, 5000]) {
    const answer = await tool.execute({ ...many, max_output_chars });
    assert.ok(JSON.stringify(answer).length <= max_output_chars);
  }
});

test("over MCP, the texts stand one after the other", async () => {
  await using tree = await tempTree(FILES);
  await using client = await connect("v1", { cwd: tree.root });
  const input = { path: "a.ts:3-4", more_paths: ["absent.ts", "lib/b.ts:20"] };
  const { text, isError } = await client.call("read_file", input);
  assert.equal(isError, false);
  const [first, ofFirst, error, last, ofLast] = text.split("\n\n");
  assert.deepEqual([first, ofFirst], ["3:line 3\n4:line 4", "a.ts: lines 3-4 of 300"]);
  assert.equal(JSON.parse(error!).code, "path_not_found");
  assert.deepEqual([last, ofLast], ["20:line 20", "lib/b.ts: lines 20-20 of 20"]);
  const long = { path: "long.txt", more_paths: ["long.txt:10000"], max_output_chars: 2000 };
  assert.ok((await client.call("read_file", long)).text.length <= 2000);
});

test("structured answers fit their schema", async () => {
  await using tree = await tempTree(FILES);
  await using client = await connect("v2 of 2026", { cwd: tree.root, structured: true });
  const input = { path: "a.ts:3-4", more_paths: ["absent.ts", "lib"] };
  const { structured, isError } = await client.call("read_file", input);
  assert.equal(isError, false);
  assert.equal((structured as ReadFilesAnswer).files.length, 3);
});
