/**
 * The estimate of what a pattern costs V8 is held against a backtracking matcher that counts its steps:
 * what is estimated too low runs on V8 without interruption.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { PatternNode } from "../../src/regex/ast.ts";
import { costOf } from "../../src/regex/backtracking.ts";
import { parsePattern } from "../../src/regex/parser.ts";
import { toSource } from "../../src/regex/printer.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";

/** What the matcher counts as a step takes a fraction of one of the estimate's, five in the worst case. */
const STEPS_PER_STEP = 12;

const OPTIONS = { caseInsensitive: false, multiline: false, firstGroup: 1, nameOf: String };

class TooManySteps extends Error {}

type Continue = (at: number) => boolean;

/** The steps of an attempt at each offset of a line until one succeeds, as a backtracking matcher does it. */
class StepCounter {
  steps = 0;
  readonly #tree: PatternNode;
  readonly #line: string;
  readonly #limit: number;
  readonly #groups = new Map<number, string>();
  readonly #sets = new Map<PatternNode, RegExp>();

  constructor(tree: PatternNode, line: string, limit: number) {
    this.#tree = tree;
    this.#line = line;
    this.#limit = limit;
  }

  /** @throws {TooManySteps} */
  count(): number {
    for (let start = 0; start <= this.#line.length; start++) {
      if (this.#match(this.#tree, start, false, () => true)) break;
    }
    return this.steps;
  }

  #step(): void {
    if (++this.steps > this.#limit) throw new TooManySteps();
  }

  #match(node: PatternNode, at: number, isBehind: boolean, rest: Continue): boolean {
    this.#step();
    switch (node.type) {
      case "char":
      case "set": {
        const read = isBehind ? at - 1 : at;
        return this.#isIn(node, this.#line[read]) && rest(isBehind ? at - 1 : at + 1);
      }
      case "anchor":
        return this.#holds(node.kind, at) && rest(at);
      case "look":
        return this.#match(node.item, at, node.behind, () => true) !== node.negated && rest(at);
      case "alternation":
        return node.branches.some((branch) => this.#match(branch, at, isBehind, rest));
      case "sequence":
        return this.#sequence(isBehind ? node.items.toReversed() : node.items, at, isBehind, rest);
      case "repeat":
        return this.#repeat(node, 0, at, isBehind, rest);
      case "capture":
        return this.#match(node.item, at, isBehind, (end) => {
          const before = this.#groups.get(node.id) ?? "";
          this.#groups.set(node.id, this.#line.slice(Math.min(at, end), Math.max(at, end)));
          if (rest(end)) return true;
          this.#groups.set(node.id, before);
          return false;
        });
      case "backreference": {
        const text = node.ids.map((id) => this.#groups.get(id) ?? "").join("");
        const start = isBehind ? at - text.length : at;
        this.steps += text.length;
        if (start < 0 || !this.#line.startsWith(text, start)) return false;
        return rest(isBehind ? start : at + text.length);
      }
    }
  }

  #sequence(items: readonly PatternNode[], at: number, isBehind: boolean, rest: Continue): boolean {
    const [first, ...others] = items;
    if (first === undefined) return rest(at);
    return this.#match(first, at, isBehind, (end) => this.#sequence(others, end, isBehind, rest));
  }

  #repeat(
    node: PatternNode & { type: "repeat" },
    round: number,
    at: number,
    isBehind: boolean,
    rest: Continue,
  ): boolean {
    this.#step();
    const leave = () => round >= node.min && rest(at);
    const goOn = () =>
      round < node.max && this.#match(node.item, at, isBehind, (end) => {
        if (end === at && round >= node.min) return false;
        return this.#repeat(node, round + 1, end, isBehind, rest);
      });
    return node.lazy ? leave() || goOn() : goOn() || leave();
  }

  #isIn(node: PatternNode, character: string | undefined): boolean {
    if (character === undefined) return false;
    let set = this.#sets.get(node);
    if (set === undefined) {
      set = new RegExp(`^${toSource(node, false).source}$`, "v");
      this.#sets.set(node, set);
    }
    return set.test(character);
  }

  #holds(kind: (PatternNode & { type: "anchor" })["kind"], at: number): boolean {
    const isWord = (index: number) => /\w/.test(this.#line[index] ?? "");
    const isBoundary = isWord(at - 1) !== isWord(at);
    switch (kind) {
      case "lineStart":
      case "textStart":
        return at === 0;
      case "lineEnd":
      case "textEnd":
        return at === this.#line.length;
      default:
        return isBoundary === (kind === "boundary");
    }
  }
}

const atom = fc.constantFrom("a", "b", "x", "[ab]", "[bx]", "[^a]", ".");
const quantifier = fc.constantFrom(
  ...[
    "",
    "",
    "",
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "{2}",
    "{1,3}",
    "{0,8}",
    "{3,6}",
    "{0,20}",
    "{16}",
    "{2,}",
  ],
);
const { pattern: body } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.array(tie("item"), { minLength: 1, maxLength: 3 }).map((items) => items.join("")),
    fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((all) => `(?:${all.join("|")})`),
  ),
  item: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    { arbitrary: fc.tuple(atom, quantifier).map((parts) => parts.join("")), weight: 3 },
    {
      arbitrary: fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern"), quantifier).map(
        ([open, inner, many]) => `${open}${inner})${many}`,
      ),
      weight: 3,
    },
    {
      arbitrary: fc.tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern")).map(
        ([open, inner]) => `${open}${inner})`,
      ),
      weight: 1,
    },
    { arbitrary: fc.constantFrom("^", "$", "\\b", "\\B"), weight: 1 },
  ),
}));
const pattern = fc.tuple(fc.constantFrom("", "^", "(a|b+)\\1"), body, fc.constantFrom("", "[!?]"))
  .map((parts) => parts.join(""));
const line = fc.tuple(
  fc.string({ unit: fc.constantFrom("a", "b", "x"), minLength: 1, maxLength: 4 }),
  fc.constantFrom(10, 40, 160),
).map(([unit, length]) => unit.repeat(length).slice(0, length));

test.slow("no pattern takes a backtracking matcher more steps than are estimated", (t) => {
  assertHolds(
    t,
    fc.property(pattern, line, (pattern, line) => {
      const { tree } = parsePattern(pattern, OPTIONS);
      const { cost, factor } = costOf(tree, false);
      if (cost === "unbounded") return;
      const estimate = factor * (cost === "linear" ? line.length : line.length ** 2 / 2);
      const limit = STEPS_PER_STEP * (estimate + 1);
      assert.ok(new StepCounter(tree, line, limit).count() <= limit);
    }),
    { numRuns: 1_500 },
  );
});
