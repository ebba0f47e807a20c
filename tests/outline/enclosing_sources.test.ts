/**
 * What encloses the lines of this project's own source, held against Deno's parser; and files that are
 * made to take long.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ContentResult, search, Workspace } from "../../mod.ts";
import { test } from "../support/needs.ts";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { definitionsIn } from "./parser.ts";

Deno.test("what encloses the lines of the source are definitions that hold them", async () => {
  const workspace = await Workspace.open(`${CHECKOUT}src`);
  let lines = 0;
  let named = 0;
  for (const path of ["search", "reasons", "cli", "glob", "run"]) {
    const query = {
      pattern: "[a-z]",
      path,
      showFunction: "always",
      maxResults: 0,
      include: "*.ts",
    } as const;
    const { matches } = await search(query, { workspace }) as ContentResult;
    for (const [file, entries] of Map.groupBy(matches, ({ file }) => file)) {
      const source = await Deno.readTextFile(file);
      const definitions = definitionsIn(file, source);
      for (const { line, line_number, enclosing = [] } of entries) {
        lines++;
        for (const opener of enclosing) {
          named++;
          const holds = definitions.some(({ first, last }) =>
            first === opener.line_number && line_number > first && line_number <= last
          );
          assert.ok(
            holds,
            `${file}:${line_number}: ${line}\n${opener.line_number}: ${opener.line}`,
          );
        }
      }
    }
  }
  assert.ok(lines > 5000 && named > 5000, `${named} lines around ${lines}`);
});

const LONG = 1 << 20;

/** Files of a megabyte, of which the lines say nothing or the brackets never end. */
const HOSTILE: Record<string, string> = {
  "nested.ts": "function f() {\n".repeat(LONG / 15),
  "deeper.ts": Array.from({ length: 1300 }, (_, depth) => `${" ".repeat(depth)}function f() {\n`)
    .join(""),
  "deeper.py": Array.from({ length: 1300 }, (_, depth) => `${" ".repeat(depth)}def f():\n`).join(
    "",
  ),
  "one_line.ts": `function f() {${"a(".repeat(LONG / 2)}\n`,
  "quotes.ts": `function f() {\n${'\\"'.repeat(LONG / 2)}\n`,
  "apostrophes.rs": `fn f() {\n${"'".repeat(LONG)}\n`,
  "slashes.js": `function f() {\n${"(/[".repeat(LONG / 3)}\n`,
  "templates.js": `function f() {\n${"`${".repeat(LONG / 3)}\n`,
  "comments.rs": `fn f() {\n${"/*".repeat(LONG / 2)}\n`,
  "heredocs.sh": `${"cat <<A <<B\n".repeat(LONG / 12)}`,
  "heredocs.rb": `${"x <<~A <<~B\n".repeat(LONG / 12)}`,
  "words.java": `public class A {\n  ${"public static ".repeat(30)}\n  ${"a<b,".repeat(120)}(\n`
    .repeat(1200),
  "requires.cpp": `f() ${"requires a ".repeat(40)}- {\n`.repeat(2000),
  "references.cpp": `f() ${"&".repeat(450)}- {\n`.repeat(2000),
  "members.cpp": `f() : ${"a<b>(1), ".repeat(40)}- {\n`.repeat(2000),
  "modifiers.cs": `class A {\n  ${"public ".repeat(60)}- {\n`.repeat(1000),
  "arrows.ts": `f = ${"(a): b => ".repeat(40)}-=> {\n`.repeat(2000),
  "generics.ts": `f = ${"<a>(b) => ".repeat(40)}-=> {\n`.repeat(2000),
  "brackets.rb": `${"x %w[".repeat(200)}\n`.repeat(1000),
  "quotes.php": `<?php\n${`function f() {\n"${"a".repeat(400)}\n`.repeat(2000)}`,
  "spaces.js": `class A {\n${`  static ${" ".repeat(480)}x\n`.repeat(2000)}`,
  "headings.md": "# a\n## b\n### c\n#### d\n".repeat(LONG / 24),
  "rules.md": `${"-".repeat(400)}\na\n`.repeat(2500),
  "underlines.md": `a\n${"=".repeat(LONG)}\n`,
  "sections.toml": `[${"a.".repeat(LONG / 2)}\n`,
  "annotations.java": `${`@A(${"(".repeat(200)} `.repeat(2)} class X {\n`.repeat(2000),
};

test.slow("no file makes the lines around a match take long", async () => {
  const files = Object.fromEntries(
    Object.entries(HOSTILE).map(([name, text]) => [name, `${text}\n            needle\n`]),
  );
  await using tree = await tempTree(files);
  const workspace = await Workspace.open(tree.root);
  for (const path of Object.keys(files)) {
    const query = { pattern: "needle", path, showFunction: "always" } as const;
    const started = performance.now();
    const { count } = await search(query, { workspace });
    const elapsed = performance.now() - started;
    assert.equal(count, 1);
    assert.ok(elapsed < 3000, `${path}: ${Math.round(elapsed)} ms`);
  }
});
