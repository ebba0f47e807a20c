/**
 * The mutator: which places it changes, which of them it draws, and what it makes of a project's tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { SLOW, test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";
import { Copy } from "../../dev/mutants/copy.ts";
import { draw, findMutants, mutated } from "../../dev/mutants/draw.ts";
import { reasonFor, report } from "../../dev/mutants/report.ts";
import rules, { type Place } from "../../dev/mutants/rules.ts";
import { stagesOf } from "../../dev/mutants/tests_of.ts";

function placesIn(source: string): Place[] {
  return Deno.lint.runPlugin(rules, "a.ts", source).map(({ message }) => JSON.parse(message));
}

/** A source, and what it becomes by each rule. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  "a = (b) < (c);": ["flip: a = (b) >= (c);", "bound: a = (b) <= (c);", "drop: ;"],
  "const a = b === c;": ["flip: const a = b !== c;"],
  "const a = b || c && d;": ["swap: const a = b && c && d;", "swap: const a = b || c || d;"],
  "if (a) b(); else c();": [
    "true: if (true) b(); else c();",
    "false: if (false) b(); else c();",
    "drop: if (a) ; else c();",
    "drop: if (a) b(); else ;",
  ],
  // What is all of a condition or function is dropped by another rule already.
  "if (a) throw b;": ["true: if (true) throw b;", "false: if (false) throw b;"],
  "function f() { g(); }": ["return: function f() { return; g(); }"],
  "while (a) b();": ["false: while (false) b();", "drop: while (a) ;"],
  "const a = b ? 1 : c;": [
    "true: const a = true ? 1 : c;",
    "false: const a = false ? 1 : c;",
    "bound: const a = b ? 2 : c;",
  ],
  "const a = `é😀${b}` + 'c';": [
    "empty: const a = \"\" + 'c';",
    'empty: const a = `é😀${b}` + "";',
  ],
  // Types, imports, keys, and constants that are measured.
  'import a from "a"; type B = "b" | 1; const c = { "d": e as "f" };': [],
  "const MAX_BYTES = 64; const a = ''; const b = String.raw`c`;": [],
};

Deno.test("each rule changes what it is about, and nothing that does not run", () => {
  for (const [source, expected] of Object.entries(CHANGED)) {
    const found = placesIn(source).map((place) => `${place.rule}: ${mutated(source, place)}`);
    assert.deepEqual(found.toSorted(), expected.toSorted());
  }
});

Deno.test("a place is named by the function of the module or the member of the class around it", () => {
  const source = "class A { #b() { const c = () => d < e; } } const F = [(g) => g !== h];";
  const names = placesIn(source).filter(({ rule }) => rule === "flip").map(({ within }) => within);
  assert.deepEqual(names, ["A.#b", "F"]);
});

const PROJECT = {
  "src/a/size.ts": `export function isLarge(size: number): boolean {
  return size > 10;
}
export function isSmall(size: number): boolean {
  return size < 5;
}
export function steps(count: number): number {
  let step = 0;
  while (step < count) step++;
  return step;
}
`,
  "src/b/b.ts":
    `export const greeting = (name: string) => name === "" ? "hello" : "hello, " + name;\n`,
  "tests/support/preload.ts": "",
  "tests/a/size.test.ts": `import { isLarge, isSmall, steps } from "../../src/a/size.ts";
Deno.test("a size is large from eleven on", () => {
  if (isLarge(10) || !isLarge(11)) throw new Error("wrong");
});
Deno.test("a size is small", () => {
  if (!isSmall(1) || steps(2) !== 2) throw new Error("wrong");
});
`,
};

Deno.test("a draw is repeatable, takes of every folder, and is part of a larger one", async () => {
  await using tree = await tempTree(PROJECT);
  const all = await findMutants(`${tree.root}/`, "src");
  const idsOf = (count: number, seed: number) => draw(all, count, seed).map(({ id }) => id);
  assert.deepEqual(idsOf(6, 1), idsOf(6, 1));
  assert.notDeepEqual(idsOf(6, 1), idsOf(6, 2));
  assert.deepEqual(
    new Set(draw(all, 2, 1).map(({ folder }) => folder)),
    new Set(["src/a", "src/b"]),
  );
  assert.deepEqual(new Set([...idsOf(6, 1), ...idsOf(9, 1)]).size, 9);
  assert.equal(idsOf(1000, 1).length, all.length);
});

const STAGE = { file: "tests/a/size.test.ts", filter: "" };

test.slow("a mutant lives where a test is missing, and the report says where and why", async () => {
  await using tree = await tempTree(PROJECT);
  const mutants = await findMutants(`${tree.root}/`, "src/a");
  const tried = [];
  using copy = new Copy(`${tree.root}/`, new Map());
  for (const name of ["isLarge bound 1", "isSmall bound 1"]) {
    const mutant = mutants.find(({ id }) => id === `src/a/size.ts ${name}`)!;
    tried.push({ mutant, ...await copy.try(mutant, [STAGE]) });
  }
  assert.deepEqual(tried.map(({ outcome, by }) => [outcome, by]), [
    ["noticed", "tests/a/size.test.ts: a size is large from eleven on"],
    ["lived", undefined],
  ]);
  const lines = [
    "lived: src/a/size.ts:5 isSmall bound 1",
    "  - return size < 5;",
    "  + return size <= 5;",
    "  harmless: nobody is five",
  ];
  const text = report(tried, { "src/a isSmall": { "bound 1": "nobody is five" } });
  assert.deepEqual(text.split("\n").slice(0, 4), lines);
  assert.match(text, /^src\/a +2 +1 +50 +1 +0$/m);
  assert.equal(reasonFor(tried[1]!.mutant, { "src/a isSmall": { bound: "none" } }), "none");
  assert.equal(reasonFor(tried[0]!.mutant, { "src/a isSmall": { bound: "none" } }), undefined);
});

test.slow("a mutant that hangs is noticed when its time is up", async () => {
  await using tree = await tempTree(PROJECT);
  const mutants = await findMutants(`${tree.root}/`, "src/a");
  const mutant = mutants.find(({ within, rule }) => within === "steps" && rule === "drop")!;
  assert.equal(mutant.after, "while (step < count) ;");
  using copy = new Copy(`${tree.root}/`, new Map(), 3000);
  assert.equal((await copy.try(mutant, [STAGE])).outcome, "hung");
});

Deno.test("tests run in the order in which they are likely to notice, the slow ones last", async () => {
  await using tree = await tempTree(PROJECT);
  await tree.write({ "tests/a/all.test.ts": "", "tests/b/b.test.ts": "" });
  const stages = stagesOf(`${tree.root}/`, "src/a/size.ts");
  const files = ["tests/a/size.test.ts", "tests/a/all.test.ts"];
  assert.deepEqual(stages.map(({ file }) => file), [...files, ...files.toReversed()]);
  const [quick, slow] = [stages[0]!, stages.at(-1)!].map(({ filter }) =>
    new RegExp(filter.slice(1, -1))
  );
  assert.deepEqual(["a search", `a search${SLOW}`].map((name) => quick!.test(name)), [true, false]);
  assert.deepEqual(["a search", `a search${SLOW}`].map((name) => slow!.test(name)), [false, true]);
});
