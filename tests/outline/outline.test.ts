/**
 * The outline of a file: what it lists in each language, where it ends, what it leaves out.
 *
 * @module
 */

import assert from "node:assert/strict";
import { languageOf } from "../../src/outline/languages.ts";
import { type Outline, outlineOf } from "../../src/outline/enclosing.ts";
import { ENDLESS } from "../../src/util/pulse.ts";
import { CHECKOUT } from "../support/run.ts";
import { definitionsIn } from "./parser.ts";

function outline(name: string, text: string): Outline | undefined {
  const steps = outlineOf(text.split("\n"), languageOf(name)!, ENDLESS);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Entries as `1-3 name`, indented as they are nested. */
function shown({ entries }: Outline): string[] {
  return entries.map(({ line, end, depth, name }) =>
    `${"  ".repeat(depth)}${line}-${end ?? "?"} ${name}`
  );
}

const SAMPLES: [file: string, text: string, expected: string[]][] = [
  [
    "a.ts",
    "export class Cart {\n  add(\n    item: { a: 1 },\n  ): void {\n    go();\n  }\n}\n\n" +
    "const f = (a) => (b) =>\n  a + b;\nfunction g() { return 1; }\ntype A =\n  | { a: 1 }\n  | { b: 1 };\nlet x;\n" +
    "export default { of() {\n  go();\n} };\n",
    ["1-7 Cart", "  2-6 add", "9-10 f", "11-11 g", "12-14 A", "16-18 of"],
  ],
  [
    "b.ts",
    "type A<\n  B = {},\n  C = {},\n> = { a: 1 } & D<\n  B,\n  { b: 1 }\n>\n" +
    "type E = [\n  F<{\n    of: () => { a: 1 };\n    g: { h: () => { a: 1 } };\n  }>,\n]\n" +
    "class I {\n  a: { b: () => { c: 1 } } = x;\n}\n" +
    "export type J<T> = T extends\n  | { a: 1 }\n  ? T\n  : never\n",
    ["1-7 A", "14-16 I", "17-20 J"],
  ],
  [
    "a.py",
    "class A:\n    x = 1\n\n    def f(\n        self,\n    ):\n        return 1\n\n    # later\n    def g(self): ...\n\n# end\nx = 2\n",
    ["1-10 A", "  4-7 f", "  10-10 g"],
  ],
  [
    "a.rb",
    "module M\n  class A < B\n    def f\n      1\n    rescue\n      2\n    end\n\n    def g; end\n    def h\n      1\n  end\nend\n",
    ["1-13 M", "  2-12 A", "    3-7 f", "    9-9 g", "    10-? h"],
  ],
  [
    "a.ex",
    "defmodule A do\n  def f(a), do: a\n  def g(a) do\n    a\n  end\nend\n",
    ["1-6 A", "  2-2 f", "  3-5 g"],
  ],
  [
    "a.go",
    "package a\n\ntype (\n\tA struct {\n\t\tb int\n\t}\n)\n\nfunc (a *A) F() int {\n\treturn `\n}\n`\n}\n",
    ["4-6 A", "9-13 F"],
  ],
  [
    "a.c",
    "static int\nf(void)\n{\n  return 1;\n}\n\nstruct a {\n  int b;\n};\n\nint g(a)\n  int a;\n{\n  return a;\n}\n",
    ["2-5 f", "7-9 a", "11-15 g"],
  ],
  [
    "a.cpp",
    "namespace a {\nclass B {\n public:\n  B() : a_{1} {\n  }\n};\n}\n",
    ["1-? a", "2-6 B", "  4-5 B"],
  ],
  [
    "A.java",
    "class A {\n  A() {\n  }\n  enum E {\n    X;\n  }\n}\n",
    ["1-7 A", "  2-3 A", "  4-6 E"],
  ],
  [
    "A.cs",
    "namespace N\n{\n    class A\n    {\n        int F() =>\n            1;\n        public int P { get; }\n    }\n}\n",
    ["1-9 N", "  3-8 A", "    5-6 F", "    7-7 P"],
  ],
  ["a.rs", "impl<T> A for B<T> {\n    pub fn f() {\n    }\n}\n", ["1-4 B", "  2-3 f"]],
  [
    "a.php",
    "<?php\nclass A\n{\n    function f() {\n    }\n}\n",
    ["2-6 A", "  4-5 f"],
  ],
  [
    "a.kt",
    "class A {\n    fun f() =\n        if (a) {\n            1\n        } else {\n            2\n        }\n\n    fun g() {\n    }\n}\n",
    ["1-11 A", "  2-7 f", "  9-10 g"],
  ],
  ["a.swift", "struct A {\n    init() {\n    }\n}\n", ["1-4 A", "  2-3 init"]],
  ["a.scala", "object A {\n  def f = {\n    1\n  }\n}\n", ["1-5 A", "  2-4 f"]],
  ["a.lua", "function M.f()\n  return 1\nend\nlocal g = function() end\n", [
    "1-3 M.f",
    "4-4 g",
  ]],
  ["a.sh", "f() {\n  go\n}\nfunction g\n{\n  go\n}\n", ["1-3 f", "4-7 g"]],
  [
    "a.md",
    "# A\n\ntext\n\n## B\n\ntext\n\n# C\n\nD\n===\nend\n",
    ["1-7 A", "  5-7 B", "9-9 C", "11-13 D"],
  ],
  ["a.toml", "a = 1\n[b]\nc = 1\n\n[d.e]\n", ["2-3 b", "5-5 d.e"]],
];

for (const [file, text, expected] of SAMPLES) {
  Deno.test(`the outline of ${file} lists what it defines, nested, with its end`, () => {
    assert.deepEqual(shown(outline(file, text)!), expected);
  });
}

Deno.test("an entry has its line as it is in the file", () => {
  const { entries } = outline("a.py", "class A:\n    def f(self):  # why\n        pass\n")!;
  assert.deepEqual(entries, [
    { line: 1, end: 3, depth: 0, head: "class A:", name: "A" },
    { line: 2, end: 3, depth: 1, head: "    def f(self):  # why", name: "f" },
  ]);
});

Deno.test("what looks like a head in a text is no entry, and is counted", () => {
  const { entries, doubted } = outline(
    "a.py",
    'def f():\n    """\n    def g():\n        pass\n    class A:\n    """\n',
  )!;
  assert.deepEqual(entries.map(({ name }) => name), ["f"]);
  assert.equal(doubted, 2);
  assert.deepEqual(outline("a.js", "const a = `\nfunction f() {\n}\n`;\n"), {
    entries: [],
    doubted: 1,
  });
  assert.deepEqual(outline("a.py", "x = 1\n"), { entries: [], doubted: 0 });
});

Deno.test("a file that no person has written has no outline", () => {
  assert.equal(outline("a.js", `function f() {${" ".repeat(70_000)}}\n`), undefined);
});

Deno.test("each entry of this project's sources is a definition, and ends where that ends", () => {
  let count = 0;
  for (const folder of ["outline", "search", "cli/options", "regex"]) {
    for (const { name } of Deno.readDirSync(`${CHECKOUT}src/${folder}`)) {
      if (!name.endsWith(".ts")) continue;
      const source = Deno.readTextFileSync(`${CHECKOUT}src/${folder}/${name}`);
      const definitions = definitionsIn(name, source);
      for (const { line, end, head } of outline(name, source)!.entries) {
        count++;
        const fits = definitions.filter(({ first }) => first === line).map(({ last }) => last);
        assert.ok(
          end !== undefined && fits.includes(end),
          `${name}:${line}-${end} ${head} ${fits}`,
        );
      }
    }
  }
  assert.ok(count > 500, `${count} entries`);
});
