/** What a pattern may look like: each rule of the dialect. */

import type { NoteOn, Reason, ReasonValues } from "../../src/notes/words.ts";
import assert from "node:assert/strict";
import { PathgrepError } from "../../src/util/errors.ts";
import { testEach } from "../support/testdata.ts";
import { entriesOf, linesOf, matches, notesOf, plan, type SomeOptions } from "./support.ts";

/** A pattern, or several, with lines that it matches and others, or with a text and its lines that match. */
interface MatchCase extends SomeOptions {
  about: string;
  pattern: string | string[];
  matches?: string[];
  others?: string[];
  text?: string;
  lines?: string[];
}

testEach<MatchCase>("regex/matches.jsonl", (row) => {
  const { pattern, matches = [], others = [], text = "", lines = [], ...options } = row;
  for (const line of [...matches, ...others]) {
    const message = `${pattern} in ${JSON.stringify(line)}`;
    assert.equal(entriesOf(pattern, line, options).length > 0, matches.includes(line), message);
  }
  assert.deepEqual(linesOf(pattern, text, options), lines, `${pattern}`);
});

/** A pattern, and expressions for what the error says and advises. */
interface RefusalCase {
  about: string;
  pattern: string;
  error: string;
  hint?: string;
}

testEach<RefusalCase>("regex/refused.jsonl", (row) => {
  const { error, hint = "" } = refusal(row.pattern);
  assert.match(error, /^invalid pattern: /, row.pattern);
  assert.match(error, new RegExp(row.error), row.pattern);
  assert.match(hint, new RegExp(row.hint ?? ""), row.pattern);
});

function note<R extends Reason>(reason: R, values: ReasonValues<R>): NoteOn<R> {
  return { reason, values };
}

function spelled(...read: (readonly [theirs: string, ours: string])[]) {
  return note("spellings", { read });
}

function refusal(pattern: string, options: SomeOptions = {}) {
  try {
    plan(pattern, options);
  } catch (error) {
    assert.ok(error instanceof PathgrepError);
    assert.equal(error.code, "invalid_pattern");
    return error.toJSON() as { error: string; hint?: string };
  }
  assert.fail(`${pattern} was accepted`);
}

Deno.test("a note says what a class with classes in it may not have meant, or why it has none", () => {
  assert.deepEqual(notesOf("[[a-f]_]"), [note("nested_class", { text: "[[a-f]_]" })]);
  assert.deepEqual(notesOf("[a&&b]"), [note("empty_class", { text: "[a&&b]" })]);
  assert.deepEqual(notesOf("[!-~&&[^[\\]]]")[0], note("two_characters", { text: "&&" }));
  for (
    const pattern of [
      "[a-z&&[^k]]",
      "[\\w--\\d]",
      "[[a-z]--[aeiou]]",
      "[^[a-z]&&\\w]",
      "[;&&|]",
      "[\\w--]",
      "[+--]",
      "[--\\d]",
      "[&&\\w]",
      "[a]&&[b]",
      "[[(]x",
      // A class that has `[` in it, and then an option.
      "[[]--\\w+\\]",
      "[[(]--\\d",
      "[^[]--\\w]",
      "[[a]--\\w+",
    ]
  ) {
    assert.deepEqual(notesOf(pattern), [], pattern);
  }
});

Deno.test("a note says that \\|\\| in a group has an empty alternative", () => {
  for (const pattern of ["if (a || b)", "(?:x||)", "(?i:a||b)"]) {
    assert.deepEqual(notesOf(pattern), [note("empty_alternative", {})], pattern);
  }
  for (const pattern of ["(?:a|)b", "(|a)b", "a|b", "\\|\\|", "[||]"]) {
    assert.deepEqual(notesOf(pattern), [], pattern);
  }
});

Deno.test("a note says how a repeat in another spelling was read", () => {
  const spaced = (text: string, repeat: string) => [note("spaced_repeat", { text, repeat })];
  assert.deepEqual(notesOf("a{,2}"), [spelled(["{,2}", "{0,2}"])]);
  assert.deepEqual(notesOf("a{1, 2}"), spaced("{1, 2}", "{1,2}"));
  assert.deepEqual(notesOf("a{ ,2}"), spaced("{ ,2}", "{0,2}"));
  assert.deepEqual(notesOf("[[:<:]]a"), [spelled(["[[:<:]]", "\\b(?=\\w)"])]);
  for (const pattern of ["a{1,2}", "a{2}", "a{,}", "a{}", "a{b}", "{1, 2}", "a\\{1, 2}"]) {
    assert.deepEqual(notesOf(pattern), [], pattern);
  }
});

Deno.test("a letter that a class excludes is not named beside \\b", () => {
  assert.deepEqual(notesOf("\\b[äö]"), [note("ascii_boundary", { letter: "ä" })]);
  assert.deepEqual(notesOf("\\b[[a-z]--[ä]]"), []);
});

Deno.test("a note says how a ] right after [ is read, and what else it may be", () => {
  assert.deepEqual(notesOf("[]abc]"), [spelled(["[]…]", "[\\]…]"])]);
  assert.deepEqual(notesOf("string[]"), [note("empty_brackets", {})]);
});

Deno.test("a reference to a name that no group has is refused with that name", () => {
  assert.match(refusal("\\k<x>").error, /no group named `x`/);
});

Deno.test("a pattern that V8 alone can match is refused where V8 takes long to compile it", () => {
  const classes = [
    "\\P{L}",
    "[^\\p{CWKCF}\\P{L}]",
    "[\\p{L}\\p{M}\\p{N}\\p{S}\\p{P}]",
    "(?:\\p{L}?)",
  ];
  for (const one of classes) {
    assert.match(refusal(`(a)\\1${one.repeat(2_000)}`).error, /too large/, one);
    plan(`a${one.repeat(2_000)}`); // the linear matcher takes it
    plan(`(a)\\1${one.repeat(20)}${one}{1,500}`); // which V8 does not write out
  }
});

Deno.test("a pattern with thousands of different classes is refused: V8 compiles each", () => {
  const distinct = (length: number, inside: string) =>
    Array.from({ length }, (_, index) => `[${inside}${String.fromCodePoint(0x4e00 + index)}]`);
  const many = distinct(2_200, "\\p{L}\\p{M}\\p{N}\\p{S}\\p{P}");
  assert.match(refusal(many.join("")).error, /too large/);
  plan(many.slice(0, 80).join(""));
  plan(many[0]!.repeat(2_200));
  plan(distinct(2_200, "a-z").join(""));
  // The largest class is compiled in one go.
  const properties = "\\p{L}\\p{M}".repeat(300);
  assert.match(refusal(`[${properties}]`).error, /too large/);
  plan(`[${properties.slice(0, 500)}]`);
  plan(`(?i:${distinct(2_200, "a-z").join("")})x|Y`);
  // Beside parts in another letter case, V8's source has all letters of a class: finding them takes as long again.
  const inAnyCase = (count: number) => `x(?=yz)(?i:${distinct(count, "\\p{L}").join("")})`;
  plan(inAnyCase(100));
  assert.match(refusal(inAnyCase(120)).error, /too large/);
  plan(inAnyCase(120), { caseInsensitive: true });
  plan(`x(?=yz)(?i:${"\\p{L}".repeat(120)})`); // found once
  plan(`x(?i:${distinct(3_000, "\\p{L}").join("")})`); // V8 sees each by itself
});

Deno.test("a pattern too long, too deep or too large is refused", () => {
  assert.match(refusal("a".repeat(65_537)).error, /65537 characters/);
  assert.match(refusal("a".repeat(65_537), { fixedStrings: true }).error, /65537 characters/);
  assert.match(refusal("(".repeat(251) + ")".repeat(251)).error, /nested more than 250/);
  assert.match(refusal("(?:a{1000}){1000}").error, /too large/);
  assert.match(refusal("(?:(?:){65535}){65535}").error, /too large/);
  assert.ok(matches("a".repeat(65_536), "a".repeat(70_000)));
});

Deno.test("foreign spellings are named in a note, JavaScript's own are not", () => {
  assert.deepEqual(notesOf("(?P<year>\\d+)"), [spelled(["(?P<year>…)", "(?<year>…)"])]);
  assert.deepEqual(notesOf("\\Afoo\\z"), [spelled(["\\A", "^"], ["\\z", "$"])]);
  assert.deepEqual(notesOf("\\pL"), [spelled(["\\pL", "\\p{L}"])]);
  for (const plain of ["(?i)a", "a{", "}", "\\.\\-", "(?<n>a)\\k<n>", "[\\w-]", "\\p{L}", "^a$"]) {
    assert.deepEqual(notesOf(plain), [], plain);
  }
});

Deno.test("a note says what the caller may not expect of \\b, line breaks, $, \\| and [:alpha:]", () => {
  for (const pattern of ["\\bété", "[éè]\\b", "\\b[à-ÿ]", "(x|é)\\b", "\\bé?"]) {
    const letter = pattern.includes("à") ? "à" : "é";
    assert.deepEqual(notesOf(pattern)[0], note("ascii_boundary", { letter }), pattern);
  }
  for (const pattern of ["\\bx", "\\b[^a]", "\\b\\p{L}", "\\b[—…]"]) {
    assert.ok(notesOf(pattern).every(({ reason }) => reason !== "ascii_boundary"), pattern);
  }
  for (
    const [pattern, theirs] of [["[\\Q(\\E]", "\\Q…\\E"], ["\\Ex", "\\E"], ["(?#c)x", "(?#…)"]]
  ) {
    const read = notesOf(pattern!).flatMap((one) =>
      one.reason === "spellings" ? one.values.read : []
    );
    assert.deepEqual(read.map(([spelling]) => spelling), [theirs], pattern);
  }
  assert.deepEqual(notesOf("(é)\\b"), [note("ascii_boundary", { letter: "é" })]);
  assert.deepEqual(notesOf("\\bfoo\\b"), []);
  for (
    const broken of ["a\\nb", "a\nb", "a\\r\\nb", "[\\r\\n]b", "a[\\s\\S]*b", "(?s)a.*b", "a\\Rb"]
  ) {
    assert.ok(notesOf(broken).some(({ reason }) => reason === "never_spans_lines"), broken);
    assert.deepEqual(notesOf(broken, { multiline: true }), [], broken);
  }
  assert.deepEqual(notesOf("a\nb", { fixedStrings: true }), [note("never_spans_lines", {})]);
  assert.deepEqual(notesOf("${name}"), [note("dollar", {})]);
  assert.deepEqual(notesOf("foo\\|bar"), [note("escaped_bar", {})]);
  assert.deepEqual(notesOf("a \\|\\| b"), []);
  assert.deepEqual(notesOf("[:alpha:]"), [note("class_of_letters", { text: ":alpha:]" })]);
  assert.deepEqual(notesOf("foo\\r$"), [note("line_end", {})]);
});
