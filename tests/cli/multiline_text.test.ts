/** Matches that span lines, written line by line: in text and in concise answers, as ripgrep does. */

import assert from "node:assert/strict";
import { GrepTool, Workspace } from "../../mod.ts";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILES = {
  "c": "if {\n} else {\n}\n",
  "f": "foo\nbar\nfoo\n",
  "g": "a\n\nb\n\nfoo\nbar\nx\n",
  "two": "one two\nthree one\ntwo one\nend\n",
};

async function textOf(tree: Tree, ...args: string[]): Promise<string> {
  const { stdout } = await pathgrep(["-U", "--format", "text", ...args], { cwd: tree.root });
  return stdout;
}

Deno.test("a line that several matches share is written once, as ripgrep does", async () => {
  await using tree = await tempTree(FILES);
  const rg = await rgPath();
  const lines = [
    ["\\{\\n\\}", "c"],
    ["--heading", "\\{\\n\\}", "c"],
    ["-N", "\\{\\n\\}", "c"],
    ["-I", "\\{\\n\\}", "c"],
    ["-C1", "a\\n\\n|foo\\nb|x", "g"],
    ["-A1", "one|e\\nt", "two"],
    ["-B1", "three one\\ntwo|one", "two"],
    ["one\\s|e\\s+t", "two"],
    ["-o", "\\{\\n\\}", "c"],
    // No part of the next line is matched.
    ["-o", "foo\\n", "f"],
    ["-oA1", "foo\\n", "f"],
    ["-oC2", "a|b\\n", "g"],
    ["-o", "\\nbar", "f"],
    ["-o", "a\\n\\nb", "g"],
    ["--vimgrep", "\\{\\n\\}", "c"],
    ["-c", "\\{\\n\\}", "c"],
  ];
  for (const args of lines) {
    const { stdout } = await new Deno.Command(rg, {
      args: ["--no-config", "-nHU", "--no-heading", ...args],
      cwd: tree.root,
    }).output();
    assert.equal(await textOf(tree, ...args), new TextDecoder().decode(stdout), args.join(" "));
  }
});

Deno.test("every row has as many fields: a column in each, and in --vimgrep one row a match", async () => {
  await using tree = await tempTree(FILES);
  const brace = "\\{\\n\\}";
  assert.equal(
    await textOf(tree, "--column", brace, "c"),
    "c:1:4:if {\nc:2:1:} else {\nc:3:1:}\n",
  );
  assert.equal(
    await textOf(tree, "--vimgrep", "-o", brace, "c"),
    "c:1:4:{\nc:2:1:}\nc:2:8:{\nc:3:1:}\n",
  );
});

Deno.test("concise answers write a shared line once, too, and no line that does not exist", async () => {
  await using tree = await tempTree(FILES);
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const common = { multiline: true, response_format: "concise" };
  const text = async (input: Record<string, unknown>) => {
    const answer = await grep.execute({ ...common, ...input });
    return (answer as { text: string }).text;
  };
  const braces = { pattern: "\\{\\n\\}", path: "c" };
  assert.equal(await text(braces), "c\n1:if {\n2:} else {\n3:}\n");
  assert.equal(await text({ ...braces, only_matching: true }), "c\n1:{\n2:}\n2:{\n3:}\n");
  assert.equal(
    await text({ pattern: "foo\\n", path: "f", only_matching: true, after: 1 }),
    "f\n1:foo\n2-bar\n3:foo\n",
  );
});

Deno.test("JSON has an entry for each match, with all its lines, and its text with line ends", async () => {
  await using tree = await tempTree(FILES);
  const entries = async (...args: string[]) => {
    const { matches } = (await pathgrep(["-U", ...args], { cwd: tree.root })).json();
    return matches.map((match: { line_number: number; line: string }) => [
      match.line_number,
      match.line,
    ]);
  };
  assert.deepEqual(await entries("\\{\\n\\}", "c"), [[1, "if {\n} else {"], [2, "} else {\n}"]]);
  assert.deepEqual(await entries("-o", "foo\\n", "f"), [[1, "foo\n"], [3, "foo\n"]]);
});

Deno.test("a line that is cut is shown again where the next match is in it", async () => {
  await using tree = await tempTree({ "l": `foo\n${"x".repeat(60)}foo\nbar\n` });
  assert.equal(
    await textOf(tree, "-M", "20", "foo\\n[xb]", "l"),
    `l:1:foo\nl:2:${"x".repeat(16)}…\nl:2:…xxxxxxxxxxxxxfoo\nl:3:bar\n`,
  );
});
