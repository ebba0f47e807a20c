/**
 * The tool `read_file` with `outline`, and the outline of what a page leaves to be read.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type ErrorAnswer,
  type OutlineAnswer,
  type ReadFileAnswer,
  type ReadFilesAnswer,
  ReadFileTool,
  Workspace,
} from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { test } from "../support/needs.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILES = {
  "a.ts": `import x from "x";

export class Parser {
  parse(text: string) {
    return text;
  }
  // end() {
}

function helper(
  a: string,
) {
  return a;
}
`,
  "b.md": "# One\n\ntext\n\n## Two\n\nmore\n\n# Three\n",
  "c.txt": "nothing known\n",
  "d.py": `def outer():\n    """\n    def inner():\n    """\n    return 1\n`,
  "min.js": `function f(){${"a();".repeat(30_000)}}\n`,
  "many.ts": Array.from(
    { length: 60 },
    (_, at) =>
      `export function f${at}() {\n  return ${at};\n}\nexport class C${at} {\n  m() {\n  }\n}\n`,
  ).join(""),
};

async function toolOn(tree: Tree): Promise<ReadFileTool> {
  return new ReadFileTool({ workspace: await Workspace.open(tree.root) });
}

const rows = (outline: OutlineAnswer["outline"] = []) =>
  outline.map(({ line_number, end_line, depth, line }) => [line_number, end_line, depth, line]);

test("outline names the lines that open something, with their ends, instead of the text", async () => {
  await using tree = await tempTree(FILES);
  const tool = await toolOn(tree);
  const answer = await tool.execute({ path: "a.ts", outline: true });
  assert.deepEqual(answer, {
    file: tree.path("a.ts"),
    total_lines: 14,
    outline: [
      { line_number: 3, end_line: 8, depth: 0, line: "export class Parser {" },
      { line_number: 4, end_line: 6, depth: 1, line: "  parse(text: string) {" },
      { line_number: 10, end_line: 14, depth: 0, line: "function helper(" },
    ],
  });
  const sections = await tool.execute({ path: "b.md", outline: true }) as OutlineAnswer;
  assert.deepEqual(rows(sections.outline), [
    [1, 7, 0, "# One"],
    [5, 7, 1, "## Two"],
    [9, 9, 0, "# Three"],
  ]);
  const part = await tool.execute({ path: "a.ts:4-9", outline: true }) as OutlineAnswer;
  assert.deepEqual(rows(part.outline).map(([line]) => line), [4]);
});

test("what is doubted is omitted and counted; what has no outline says why", async () => {
  await using tree = await tempTree(FILES);
  const tool = await toolOn(tree);
  const ask = async (path: string) => await tool.execute({ path, outline: true }) as OutlineAnswer;
  const doubted = await ask("d.py");
  assert.deepEqual(rows(doubted.outline).map(([line]) => line), [1]);
  assert.match(doubted.notes![0]!, /^1 line .* omitted$/);
  const unknown = await ask("c.txt");
  assert.deepEqual(unknown.outline, []);
  assert.match(unknown.notes![0]!, /^no outline: .* this kind of file/);
  const minified = await ask("min.js");
  assert.deepEqual(minified.outline, []);
  assert.match(minified.notes![0]!, /generated or too long \(1 line/);
  const errors = await Promise.all([ask("absent.ts"), ask("../a.ts")]) as unknown as ErrorAnswer[];
  assert.deepEqual(errors.map(({ code }) => code), ["path_not_found", "path_outside_workspace"]);
});

test("an outline keeps to its budget, and its pages make up the whole", async () => {
  await using tree = await tempTree(FILES);
  const tool = await toolOn(tree);
  const whole = await tool.execute({ path: "many.ts", outline: true }) as OutlineAnswer;
  assert.equal(whole.outline.length, 180);
  const seen: OutlineAnswer["outline"] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const input = { path: "many.ts", outline: true, offset, max_output_chars: 2000 };
    const page: OutlineAnswer = await tool.execute(input) as OutlineAnswer;
    assert.ok(JSON.stringify(page).length <= 2000);
    seen.push(...page.outline);
    offset = page.next_offset;
  }
  assert.deepEqual(seen, whole.outline);
});

test("a page that limit or budget cut ends with the outline of the rest, at most 40 lines", async () => {
  await using tree = await tempTree(FILES);
  const tool = await toolOn(tree);
  const read = async (input: object) => await tool.execute(input) as ReadFileAnswer;
  const page = await read({ path: "a.ts", limit: 3 });
  assert.deepEqual(rows(page.outline_of_rest).map(([line]) => line), [4, 10]);
  const many = await read({ path: "many.ts", limit: 300 });
  assert.equal(many.outline_of_rest!.length, 34, "without the methods, which would be too many");
  assert.ok(
    many.outline_of_rest!.every(({ line_number, depth }) => line_number > 300 && depth === 0),
  );
  const first = await read({ path: "many.ts", limit: 1 });
  assert.equal(first.outline_of_rest!.length, 40);
  for (const max_output_chars of [1000, 4000]) {
    const cut = await read({ path: "many.ts", max_output_chars });
    assert.ok(JSON.stringify(cut).length <= max_output_chars);
    assert.ok(cut.outline_of_rest!.length > 0);
    assert.ok(cut.outline_of_rest!.every(({ line_number }) => line_number >= cut.next_offset!));
  }
  for (const input of [{ path: "a.ts:1-3" }, { path: "a.ts" }, { path: "a.ts", end_line: 3 }]) {
    assert.ok(!("outline_of_rest" in await read(input)), JSON.stringify(input));
  }
});

test("outlines of several files, and as text over MCP", async () => {
  await using tree = await tempTree(FILES);
  await using client = await connect("v1", { cwd: tree.root });
  const input = { path: "a.ts", more_paths: ["b.md"], outline: true };
  const { text } = await client.call("read_file", input);
  assert.equal(
    text,
    "3-8 export class Parser {\n  4-6 parse(text: string) {\n10-14 function helper(\n\n" +
      "a.ts: outline of 14 lines\n\n1-7 # One\n  5-7 ## Two\n9 # Three\n\nb.md: outline of 9 lines",
  );
  const page = await client.call("read_file", { path: "a.ts", limit: 1 });
  assert.equal(
    page.text,
    `1:import x from "x";\n\na.ts: lines 1-1 of 14; next page: offset 2\n\n` +
      "3-8 export class Parser {\n  4-6 parse(text: string) {\n10-14 function helper(",
  );
  const tool = await toolOn(tree);
  const { files } = await tool.execute(input) as ReadFilesAnswer;
  assert.ok((files as OutlineAnswer[]).every(({ outline }) => outline.length === 3));
});
