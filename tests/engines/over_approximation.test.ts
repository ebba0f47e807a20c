/**
 * How patterns are widened for other programs, and when that is of no use.
 *
 * @module
 */

import assert from "node:assert/strict";
import { overApproximate } from "../../src/engines/over_approximation.ts";
import {
  type PatternSyntax,
  POSIX_SYNTAX,
  RUST_SYNTAX,
  writePattern,
} from "../../src/engines/pattern_syntax.ts";
import { plan, type SomeOptions } from "../regex/support.ts";
import { answerOf, comparable, engineIn, ENGINES } from "../support/engines.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

function widened(syntax: PatternSyntax, pattern: string, options: SomeOptions = {}): string {
  const wider = overApproximate(plan(pattern, options).plan.find.tree);
  return typeof wider === "string" ? wider : writePattern(wider, syntax);
}

const posix = (pattern: string, options?: SomeOptions) => widened(POSIX_SYNTAX, pattern, options);
const rust = (pattern: string, options?: SomeOptions) => widened(RUST_SYNTAX, pattern, options);

Deno.test("what every program reads alike is kept", () => {
  assert.equal(posix("foo.bar"), "foo.bar");
  assert.equal(posix("ab|cd"), "ab|cd");
  assert.equal(posix("x(ab|cd)y"), "x(ab|cd)y");
  assert.equal(posix("x\\d{4}-[a-f]+y"), "x[0-9]{4}-[a-f]+y");
  assert.equal(posix("^foo$"), "^foo\r?$");
  assert.equal(rust("a_b$"), "a\\x5fb\\x0d?$");
});

Deno.test("what they do not is widened", () => {
  assert.equal(posix("\\bfoo(?=bar)(?<!x)"), "foo");
  assert.equal(posix("(ab)-\\1-c"), "(ab)-.*-c".replace("(ab)", "ab"));
  assert.equal(posix("x(a|)y"), "xa?y");
  assert.equal(posix("xa{300,400}y"), "xa+y");
  assert.equal(posix("x(?:^a)+y"), "xa+y");
  assert.equal(posix("foo", { wholeWord: true }), "foo");
  assert.equal(posix("foo", { wholeLine: true }), "^foo\r?$");
});

Deno.test("letters in either case and classes become sets of ASCII characters", () => {
  assert.equal(posix("ab", { caseInsensitive: true }), "[Aa][Bb]");
  assert.equal(posix("\\u212a", { caseInsensitive: true }), "[Kk]");
  assert.equal(posix("x[é\\d]"), "x[0-9]");
  assert.equal(rust("x[\\]^-]"), "x[\\x2d\\x5d-\\x5e]");
  assert.equal(posix("x[\\]^-]"), "x[]^-]");
  assert.equal(posix("x[\\^-]"), "x[-^]");
});

Deno.test("a pattern that filters nothing, or finds no ASCII text, says so", () => {
  for (const pattern of ["x*", ".*", "^$", "^", "a|b?", "(?=foo)", "\\b", "(a|)(b|)"]) {
    assert.equal(posix(pattern), "everything", pattern);
  }
  for (const pattern of ["é", "aéb", "é|ü", "a\\nb", "\\0"]) {
    assert.equal(posix(pattern), "nothing", pattern);
  }
  assert.equal(posix("a".repeat(20_000)), "size");
});

test.slow("an engine answers itself whatever it can", async () => {
  await using tree = await tempTree({ a: "foo\n", b: "föö\n" });
  for (const engine of ENGINES) {
    for (const pattern of ["foo", "f..", "ö", "(o)\\1", "^foo$"]) {
      assert.equal(engineIn(await answerOf(engine, tree.root, { pattern })), engine);
    }
  }
});

Deno.test("an engine hands what it cannot filter to js, with a note", async () => {
  await using tree = await tempTree({ a: "foo\n\nbar\n" });
  const queries = [
    { pattern: "foo", invert: true },
    { pattern: "foo\\nb", multiline: true },
    { pattern: "foo", filesWithoutMatch: true, outputMode: "file" },
    { pattern: "x*" },
    { pattern: "a".repeat(20_000) },
  ] as const;
  for (const engine of ENGINES) {
    if (engine === "js") continue;
    for (const query of queries) {
      const answer = await answerOf(engine, tree.root, query);
      assert.equal(engineIn(answer), "js");
      const notes = answer.notes as string[];
      assert.match(notes[0]!, new RegExp(`^engine ${engine} handed the search to js: `));
      assert.deepEqual(comparable(answer), comparable(await answerOf("js", tree.root, query)));
    }
  }
});

Deno.test("what no ASCII text can hold may be left out where it may be missing", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n", "b.txt": "féoo\n", "c.txt": "o\n" });
  for (const engine of ENGINES) {
    const { count } = await answerOf(engine, tree.root, { pattern: "fé*oo" }) as { count: number };
    assert.equal(count, 2, engine);
  }
});
