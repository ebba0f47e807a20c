/** What a scan makes of a text: lines, numbers, context, columns, cuts, limits, pieces. */

import assert from "node:assert/strict";
import { entriesOf, linesOf, scanner, type SomeOptions, withContext } from "../regex/support.ts";

/** Line numbers and lines. */
function numbered(pattern: string, text: string, options: SomeOptions = {}): [number, string][] {
  return entriesOf(pattern, text, options).map(({ line_number, line }) => [line_number, line]);
}

function countOf(pattern: string, text: string, options: SomeOptions = {}): number {
  const scan = scanner(pattern, { mode: "count", ...options });
  scan.start();
  scan.feed(text, true);
  return scan.count;
}

Deno.test("lines end at \\n or \\r\\n, which are not part of them", () => {
  assert.deepEqual(numbered("", "a\nb\r\nc"), [[1, "a"], [2, "b"], [3, "c"]]);
  assert.deepEqual(numbered("a$", "a\r\nxa\n"), [[1, "a"], [2, "xa"]]);
  assert.deepEqual(numbered(".", "\r\n\r\r\n"), [[2, "\r"]]);
  assert.deepEqual(numbered("^$", "\r\n\n"), [[1, ""], [2, ""]]);
});

Deno.test("a lone \\r, U+2028, U+2029, U+0085, \\v and \\f are characters of their line", () => {
  const line = "a\rb\u2028c\u2029d\u0085e\vf\fg";
  assert.deepEqual(numbered("^a.b.c.d.e.f.g$", line + "\nx"), [[1, line]]);
  assert.deepEqual(numbered("x", line + "\nx\r"), [[2, "x\r"]]);
});

Deno.test("a final line end starts no further line, and an empty text has none", () => {
  for (const pattern of ["", "^", "$", "x*", "\\B", "(?!x)"]) {
    assert.equal(linesOf(pattern, "").length, 0, pattern);
    assert.equal(linesOf(pattern, "\n").length, 1, pattern);
    assert.equal(linesOf(pattern, "-\n").length, 1, pattern);
    assert.equal(linesOf(pattern, "-\n\n").length, 2, pattern);
    assert.equal(linesOf(pattern, "-").length, 1, pattern);
  }
});

Deno.test("a match never spans lines, whatever the class, repeat or lookaround", () => {
  const text = "ab\ncd\n";
  for (
    const pattern of [
      "b\\sc",
      "b[^x]c",
      "b\\Wc",
      "b\\D+c",
      "[\\s\\S]{3}",
      "[^]{3}",
      "(?s).{3}",
      "b(?=\\sc)",
      "b(?=[^]*d)",
      "(?<=b\\s*)c",
      "b\\nc",
      "b\\P{L}c",
      "b[\\n]c",
      "(?i)B[^X]C",
    ]
  ) assert.deepEqual(linesOf(pattern, text), [], pattern);
  assert.deepEqual(linesOf("b(?![^])", text), ["ab"]);
  assert.deepEqual(linesOf("(?<![^])c", text), ["cd"]);
});

Deno.test("context holds the neighbouring lines of each entry, matching or not", () => {
  const text = "1\n2x\n3x\n4\n5\n";
  assert.deepEqual(entriesOf("x", text, { before: 1, after: 2 }), [
    { line_number: 2, line: "2x", before: ["1"], after: ["3x", "4"] },
    { line_number: 3, line: "3x", before: ["2x"], after: ["4", "5"] },
  ]);
});

Deno.test("context lists are there when asked for, even if empty, and else are not", () => {
  assert.deepEqual(entriesOf("x", "x", { before: 2, after: 2 }), [
    { line_number: 1, line: "x", before: [], after: [] },
  ]);
  assert.deepEqual(entriesOf("x", "a\nx\nb\n", { before: 1 }), [
    { line_number: 2, line: "x", before: ["a"] },
  ]);
  assert.deepEqual(entriesOf("x", "x\n\n", { after: 3 }), [
    { line_number: 1, line: "x", after: [""] },
  ]);
});

Deno.test("context has no line ends and is cut at its start", () => {
  assert.deepEqual(
    entriesOf("x", "abcdef\r\nx\r\n😀bcdef\r\n", { before: 1, after: 1, maxLineLength: 3 }),
    [
      { line_number: 2, line: "x", before: ["abc"], after: ["😀bc"] },
    ],
  );
});

Deno.test("a column is the code point at which the match starts in its line", () => {
  const columns = (pattern: string, text: string, options: SomeOptions = {}) =>
    entriesOf(pattern, text, { column: true, ...options }).map((entry) => entry.column);
  assert.deepEqual(columns("x", "x\nax\n😀éx\n"), [1, 2, 3]);
  assert.deepEqual(columns("x*$", "axx"), [2]);
  assert.deepEqual(columns("$", "a😀"), [3]);
  assert.deepEqual(columns("x", "ax", { fixedStrings: true }), [2]);
  assert.deepEqual(columns("b", "a\nb\n", { invert: true }), [undefined]);
  assert.deepEqual(columns("b\\nc", "a\nab\nc\n", { multiline: true }), [2]);
});

Deno.test("a long line is cut to a window around its match", () => {
  const text = "a".repeat(50) + "X" + "b".repeat(50);
  const [entry] = entriesOf("X", text, { maxLineLength: 20 });
  assert.ok(entry !== undefined);
  assert.equal(entry.line.length, 20);
  assert.match(entry.line, /^a+Xb+$/);
  assert.equal(entry.column, 51);
  assert.equal(entry.line_truncated, true);
  assert.deepEqual(entriesOf("X", text, { maxLineLength: 101 }), [{ line_number: 1, line: text }]);
  assert.deepEqual(entriesOf("X", text), [{ line_number: 1, line: text }]);
});

Deno.test("a window at an end of the line is no shorter", () => {
  const text = "0123456789";
  const window = (pattern: string, maxLineLength: number) =>
    linesOf(pattern, text, { maxLineLength })[0];
  assert.equal(window("0", 4), "0123");
  assert.equal(window("9", 4), "6789");
  assert.equal(window("$", 4), "6789");
  assert.equal(window("5", 4), "4567");
  assert.equal(window("5", 1), "5");
});

Deno.test("no match lies between the halves of a surrogate pair, whichever engine finds it", () => {
  for (const pattern of ["\\B", "\\B(?:(x+)+\\1)?"]) {
    assert.deepEqual(linesOf(pattern, "a😀b\n😀\naab\n"), ["😀", "aab"], pattern);
    assert.deepEqual(linesOf(pattern, "a😀b\n", { multiline: true }), [], pattern);
  }
});

Deno.test("lengths are counted in code points, and no pair is split", () => {
  const text = "😀".repeat(10);
  assert.deepEqual(entriesOf("$", text, { maxLineLength: 10 }), [{ line_number: 1, line: text }]);
  for (const pattern of ["^", "$", "(?<=^.{5})"]) {
    const [entry] = entriesOf(pattern, text, { maxLineLength: 7 });
    assert.ok(entry !== undefined);
    assert.equal(entry.line, "😀".repeat(7), pattern);
    assert.ok(entry.line.isWellFormed());
  }
});

Deno.test("an inverted search gives the lines without a match", () => {
  const text = "a\nb\r\na\n\nc";
  assert.deepEqual(numbered("a", text, { invert: true }), [[2, "b"], [4, ""], [5, "c"]]);
  assert.deepEqual(numbered("x", "a\nb\n", { invert: true }), [[1, "a"], [2, "b"]]);
  assert.deepEqual(numbered("", "a\nb\n", { invert: true }), []);
  assert.deepEqual(numbered("a", "", { invert: true }), []);
  const [entry] = entriesOf("x", "abcdef", { invert: true, maxLineLength: 3, column: true });
  assert.deepEqual(entry, { line_number: 1, line: "abc", line_truncated: true });
});

Deno.test("only-matching gives each non-empty match", () => {
  const only = { onlyMatching: true };
  assert.deepEqual(numbered("\\d+", "1 22\nx\n3\n", only), [[1, "1"], [1, "22"], [3, "3"]]);
  assert.deepEqual(numbered("a*", "baab\n", only), [[1, "aa"]]);
  assert.deepEqual(numbered("\\b", "a b\n", only), []);
  assert.deepEqual(entriesOf("b.", "abcb😀\nz", { ...only, column: true, after: 1 }), [
    { line_number: 1, line: "bc", column: 2, after: ["z"] },
    { line_number: 1, line: "b😀", column: 4, after: ["z"] },
  ]);
  assert.deepEqual(entriesOf("b+", "abbbb", { ...only, maxLineLength: 2 }), [
    { line_number: 1, line: "bb", column: 2, line_truncated: true },
  ]);
  assert.deepEqual(numbered("(?<=a)b|a(?=b)", "ab", only), [[1, "a"], [1, "b"]]);
});

Deno.test("at most so many matching lines are taken, each with all its context", () => {
  const text = "x1\nx2\nx3\nx4\n";
  assert.deepEqual(entriesOf("x", text, { maxCount: 2, after: 2 }), [
    { line_number: 1, line: "x1", after: ["x2", "x3"] },
    { line_number: 2, line: "x2", after: ["x3", "x4"] },
  ]);
  assert.equal(countOf("x", text, { maxCount: 3 }), 3);
  assert.equal(countOf("x", text, { maxCount: 0 }), 0);
  assert.deepEqual(linesOf("x|\\d", text, { maxCount: 1, onlyMatching: true }), ["x", "1"]);
});

Deno.test("counting counts matching lines, finding stops at the first", () => {
  assert.equal(countOf("x", "xx\ny\nx\n"), 2);
  assert.equal(countOf("x", "xx\ny\nx\n", { invert: true }), 1);
  assert.equal(countOf("x", "x\nx\n", { mode: "file" }), 1);
  const scan = scanner("x", { mode: "file" });
  scan.start();
  scan.feed("a\n", false);
  assert.equal(scan.done, false);
  scan.feed("x\n", false);
  assert.equal(scan.done, true);
  assert.deepEqual(scan.lines, []);
  scan.start();
  assert.equal(scan.done, false);
  assert.equal(scan.count, 0);
});

Deno.test("pieces are searched as one text: numbers and context go on across them", () => {
  assert.deepEqual(
    entriesOf("x", ["1\n2\r\n", "3\nx4\n", "5\n", "6\n7"], { before: 2, after: 2 }),
    [
      { line_number: 4, line: "x4", before: ["2", "3"], after: ["5", "6"] },
    ],
  );
  const scan = scanner("x", { maxCount: 1, after: 2 });
  scan.start();
  scan.feed("x\n", false);
  assert.equal(scan.done, false);
  scan.feed("a\nx\n", false);
  assert.equal(scan.done, true);
  assert.deepEqual(withContext(scan.lines, { after: 2 }), [
    { line_number: 1, line: "x", after: ["a", "x"] },
  ]);
  assert.deepEqual(numbered("x", "a\n"), []);
  assert.deepEqual(entriesOf("x", ["a\nb\n", "x", ""], {}), [{ line_number: 3, line: "x" }]);
});

Deno.test("entries beyond the limit are only counted", () => {
  for (const options of [{}, { onlyMatching: true }, { invert: true }, { multiline: true }]) {
    const pattern = options.invert ? "y" : "x";
    const scan = scanner(pattern, options);
    scan.entryLimit = 2;
    scan.start();
    scan.feed("x\nx\nx\n", false);
    scan.feed("x\n", true);
    assert.deepEqual(scan.lines.map(({ number }) => number), [1, 2]);
    assert.equal(scan.count, 4);
  }
});

Deno.test("a line searcher that begins a new file forgets the last one", () => {
  const scan = scanner("x", { before: 1 });
  for (const name of ["a", "b"]) {
    scan.start();
    scan.feed(name + "\n", false);
    scan.feed("x\n", true);
    assert.deepEqual(withContext(scan.lines, { before: 1 }), [
      { line_number: 2, line: "x", before: [name] },
    ]);
  }
});

Deno.test("with multiline a match may span lines, and its entry holds all that it touches", () => {
  const many = { multiline: true };
  assert.deepEqual(numbered("b\\s+c", "ab\r\ncd\nbc", many), [[1, "ab\ncd"]]);
  assert.deepEqual(numbered("b\\r\\nc", "ab\r\ncd", many), [[1, "ab\ncd"]]);
  assert.deepEqual(numbered("b\\r?\\nc", "ab\ncd\n", many), [[1, "ab\ncd"]]);
  assert.deepEqual(numbered("a[^]*?c", "a\nb\nc\na c\n", many), [[1, "a\nb\nc"], [4, "a c"]]);
  assert.deepEqual(numbered("a.c", "a\nc", many), []);
  assert.deepEqual(numbered("(?s)a.c", "a\nc", many), [[1, "a\nc"]]);
  assert.deepEqual(numbered("^b$", "a\nb\nc\n", many), [[2, "b"]]);
  assert.deepEqual(numbered("a\nb", "a\r\nb\r\n", { ...many, fixedStrings: true }), [[1, "a\nb"]]);
  assert.deepEqual(numbered("a\r\nb", "a\nb", { ...many, fixedStrings: true }), [[1, "a\nb"]]);
  assert.deepEqual(numbered("b\\n", "a\nb\nc\n", many), [[2, "b"]]);
  assert.deepEqual(numbered("\\n", "a\nb\n", many), [[1, "a"], [2, "b"]]);
});

Deno.test("with multiline matches on the same lines are one entry, on others their own", () => {
  const many = { multiline: true };
  assert.deepEqual(numbered("a", "aa\na\n", many), [[1, "aa"], [2, "a"]]);
  assert.deepEqual(numbered("a|b\\nc", "ab\nc", many), [[1, "ab"], [1, "ab\nc"]]);
  assert.deepEqual(numbered("", "a\n\nb\n", many), [[1, "a"], [2, ""], [3, "b"]]);
  assert.deepEqual(numbered("$", "a\n", many), [[1, "a"]]);
  assert.deepEqual(numbered("^$", "a\n", many), []);
  assert.equal(countOf("a", "aa\na\n", many), 2);
  assert.deepEqual(numbered("a\\n?", "aa\n", { ...many, onlyMatching: true }), [[1, "a"], [
    1,
    "a\n",
  ]]);
});

Deno.test("with multiline context surrounds the lines of the match", () => {
  assert.deepEqual(entriesOf("b\\nc", "a\nb\nc\nd\n", { multiline: true, before: 1, after: 1 }), [
    { line_number: 2, line: "b\nc", before: ["a"], after: ["d"] },
  ]);
});

Deno.test("with multiline an inverted search gives the lines that no match touches", () => {
  const options = { multiline: true, invert: true };
  assert.deepEqual(numbered("b\\nc", "a\nb\nc\nd", options), [[1, "a"], [4, "d"]]);
  assert.deepEqual(numbered("x", "a\n", options), [[1, "a"]]);
});

Deno.test("with multiline a whole-line match is of whole lines, a whole word as always", () => {
  const whole = { multiline: true, wholeLine: true };
  assert.deepEqual(numbered("b\\nc", "b\nc\nxb\nc\n", whole), [[1, "b\nc"]]);
  assert.deepEqual(numbered("b", "b\nbb\n", { multiline: true, wholeWord: true }), [[1, "b"]]);
});

Deno.test("entries do not keep the text alive that they were found in", () => {
  const before = Deno.memoryUsage().heapUsed;
  const kept = [];
  for (let file = 0; file < 60; file++) {
    // Decoded afresh, as a file's text is.
    const bytes = new Uint8Array(2_000_000).fill(97 + file % 26);
    bytes.set(new TextEncoder().encode("\n the line that is wanted\n"), 1_000_000);
    kept.push(entriesOf("wanted", new TextDecoder().decode(bytes)));
  }
  const growth = Deno.memoryUsage().heapUsed - before;
  assert.equal(kept.length, 60);
  assert.ok(growth < 60_000_000, `120 MB of text left ${growth} bytes behind`);
});

Deno.test("one of several texts is enough, and what a lookbehind needs may lie before other matches", () => {
  assert.deepEqual(linesOf("foo|bar", "foo\n"), ["foo"]);
  const options = { multiline: true, onlyMatching: true };
  assert.deepEqual(linesOf("(?<=foobar.*)x", "foobar x x\n", options), ["x", "x"]);
});
