/** No pattern hangs: each ends, with its answer where linear time allows one. */

import assert from "node:assert/strict";
import { PathgrepError } from "../../src/util/errors.ts";
import { endsAfter, entriesOf, matches, plan, scanner, type SomeOptions } from "./support.ts";
import { test } from "../support/needs.ts";

const A = "a".repeat(30_000);
const SPACES = " ".repeat(30_000);
const WORDS = "word ".repeat(6_000);
const FOOS = "foo".repeat(10_000);
const DIGITS = "1".repeat(30_000);
const ATS = "a@".repeat(15_000);
const QUOTES = '"\\'.repeat(15_000);
const PARENS = "(".repeat(30_000);
const COMMAS = "a,".repeat(15_000);

/** Patterns that make a backtracking engine slow or stop it for ever, a line, and the answer. */
const BOMBS: [pattern: string, line: string, matches: boolean][] = [
  ["^(a+)+$", A + "!", false],
  ["^(a*)*$", A + "!", false],
  ["(a+)+b", A, false],
  ["(a|a)*b", A, false],
  ["(a|aa)+$", A + "!", false],
  ["^(a|a?)+$", A + "!", false],
  ["(.*)*x", A, false],
  ["(.*a){20}b", A, false],
  ["^(.*?,){30}P", COMMAS, false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", A, false],
  ["(x+x+)+y", "x".repeat(30_000), false],
  ["^(\\w+\\s?)*$", WORDS + "!", false],
  ["(\\s+|a)+$", SPACES + "!", false],
  ["\\s+$", SPACES + "!", false],
  ["^\\s+|\\s+$", "!" + SPACES + "!", false],
  ["(\\s*)*x", SPACES, false],
  ["a*a*a*a*a*b", A, false],
  ["a?".repeat(30) + "a".repeat(30) + "b", A, false],
  ["(a?){30}a{30}b", A, false],
  ["(a{0,30}){0,30}b", A, false],
  ["(?:a{1,20}){1,20}$", A + "!", false],
  [".*.*.*=.*", WORDS, false],
  [".*.*=.*", "x=" + A, true],
  ["foo.*foo.*foo.*bar", FOOS, false],
  ["foo.*bar", FOOS, false],
  ["foo.*?bar.*?baz", FOOS, false],
  ["(foo|foofoo)+bar", FOOS, false],
  ["(foo)*?(foo)*bar", FOOS, false],
  ["(?:foo.*)+bar", FOOS, false],
  ["[a-z]+[a-z]+[0-9]", A, false],
  ["\\w+\\s*=\\s*\\w+", WORDS, false],
  ["\\w*\\w*\\w*!", A, false],
  ["\\d+\\d+\\d+x", DIGITS, false],
  ["^\\d+(\\d+)*x", DIGITS, false],
  ["(\\d+\\.?)+$", DIGITS + "x", false],
  ["^[\\w.]+@[\\w.]+\\.\\w+$", ATS, false],
  ["([\\w.-]+)+@x", A, false],
  ["^([a-zA-Z0-9_.-]+)@(([a-zA-Z0-9-])+.)+([a-zA-Z0-9]{2,4})+$", "a@" + A + "!", false],
  ['"(?:[^"\\\\]|\\\\.)*"x', QUOTES, false],
  ['"(\\\\.|[^"])*"x', QUOTES, false],
  ["\\(.*\\)", PARENS, false],
  ["\\(+\\(+\\(+\\)", PARENS, false],
  ["\\([^)]*\\)", PARENS, false],
  ["(([^,]*,)*)+;", COMMAS, false],
  ["^(?:[^,]*,)*[^,]*;$", COMMAS, false],
  ["(?i)(A+)+B", A, false],
  ["(?i)(K+)+$", "k\u212a".repeat(10_000) + "!", false],
  ["(é|e\\u0301?|.)+$", "é".repeat(20_000) + "\n", true],
  ["\\b(\\w+)+\\b!", A, false],
  ["(\\b|a)+x", A, false],
  ["(^|a)+$b", A, false],
  ["(?:(?:(?:a+)+)+)+b", A, false],
  ["((a+)?)*b", A, false],
  ["(a+?)+?b", A, false],
  ["(a|b|ab)*c", "ab".repeat(15_000), false],
  ["(?<!a)(a+)+(?!a)b", A, false],
  ["[ab]*a[ab]{15}c", "ab".repeat(15_000), false],
  ["(?:.{1,50}){1,20}x", A, false],
  ["(a|b?c*?)*d", "abc".repeat(10_000), false],
  ["(?:a+b?)+c", A, false],
  ["(.|\\s)*foo$", WORDS, false],
  ["(\\w+ ?)+:", WORDS, false],
];

Deno.test("patterns that make engines backtrack for ever are answered on long lines", () => {
  assert.ok(BOMBS.length >= 60);
  for (const [pattern, line, expected] of BOMBS) {
    assert.equal(matches(pattern, line), expected, pattern);
  }
});

Deno.test("patterns that make engines backtrack for ever are answered as whole words, in either case, inverted and with multiline", () => {
  const variants: SomeOptions[] = [
    { wholeWord: true },
    { caseInsensitive: true },
    { invert: true },
    { multiline: true },
    { onlyMatching: true, column: true },
  ];
  for (const options of variants) {
    for (const [pattern, line] of BOMBS) {
      assert.ok(entriesOf(pattern, line.slice(0, 6_000), options).length <= 6_000, pattern);
    }
  }
});

Deno.test("patterns in daily use are answered at once on lines of a megabyte", () => {
  const line = "function foo(a, b) { return bar(a) + 'x' }; ".repeat(25_000);
  for (
    const pattern of [
      "function\\s+\\w+\\(.*\\)",
      "import .* from 'react'",
      "export (default )?(async )?function",
      "class \\w+ extends \\w+",
      "console\\.(log|error|warn)\\(",
      "\\bTODO\\b.*\\bFIXME\\b",
      "^\\s*(?:public|private)?\\s*\\w+\\s*\\(",
      '"[^"]*"',
      "'(?:[^'\\\\]|\\\\.)*'",
      "[A-Za-z_]\\w*\\s*=\\s*require\\(",
      "[\\w.+-]+@[\\w-]+\\.[\\w.-]+",
      "https?://[^\\s\"']+",
      "\\d{1,3}(?:\\.\\d{1,3}){3}",
      "if \\(.*\\) \\{.*return.*\\}",
      "foo.*bar|bar.*foo",
      "(?i)error.*timeout",
      "\\w+Error\\b",
      "#[0-9a-fA-F]{3,6}\\b",
      "throw new \\w+\\(",
      "await .*\\.then\\(",
    ]
  ) {
    const expression = new RegExp(pattern.replace("(?i)", ""));
    // The line repeats, so that a part of it answers for all of it.
    assert.equal(matches(pattern, line), expression.test(line.slice(0, 440)), pattern);
  }
});

test.slow("what only backtracking can match is answered, or ends at the deadline", () => {
  for (
    const [pattern, line] of [
      ["^(a+)+\\1$", A.slice(0, 40) + "!"],
      ["(?=(a+)+$)x?", A.slice(0, 40) + "!"],
      ["(?<=^(a+)+)b", A.slice(0, 40)],
      ["(.*)\\1x", A],
      ["^(?!.*(a+)+b$)", A.slice(0, 40) + "!"],
      ["(a*)*\\1b", A.slice(0, 40)],
      ["(\\w+)\\s+\\1\\b!", WORDS],
      ["(?=.*foo)(?=.*bar)x", FOOS],
    ] as const
  ) {
    const scan = scanner(pattern, {}, endsAfter(40));
    scan.start();
    try {
      scan.feed(line, true);
      assert.ok(scan.count <= 1);
    } catch (error) {
      assert.ok(error instanceof PathgrepError, String(error));
      assert.equal(error.toJSON().error, "search timed out after 40 ms");
    }
  }
});

Deno.test("a line searcher works on after it was ended", () => {
  let end = performance.now() + 100;
  const scan = scanner("^(a+)+\\1$", {}, endsAfter(60_000, () => performance.now() > end));
  scan.start();
  assert.throws(() => scan.feed(A.slice(0, 40) + "!", true), { code: "cancelled" });
  end = performance.now() + 10_000;
  scan.start();
  scan.feed("aa\nab\n", true);
  assert.deepEqual(scan.lines, [{ number: 1, text: "aa" }]);
});

Deno.test("lookarounds and references of daily use are matched under the time limit", () => {
  const text = "foo bar\nbar foo\nthe the\nx = y\naXYYXa\n";
  const lines = (pattern: string) => entriesOf(pattern, text).map((entry) => entry.line_number);
  assert.deepEqual(lines("(?=.*foo)(?=.*bar).*"), [1, 2]);
  assert.deepEqual(lines("^(?!.*foo).*$"), [3, 4, 5]);
  assert.deepEqual(lines("\\b(\\w+)\\s+\\1\\b"), [3]);
  assert.deepEqual(lines("(?<=foo\\s+.*)bar"), [1]);
  assert.deepEqual(lines("(\\w)(.)(\\w)\\3.*\\1"), [5]);
  const many = "the the\nx y\n".repeat(2_000);
  assert.equal(entriesOf("\\b(\\w+)(\\s+\\w+)*\\s+\\1\\b", many).length, 2_000);
});

test.slow("many matches on one long line are found in one pass", () => {
  const line = "a😀".repeat(100_000);
  for (const pattern of ["a", "a|b", "(?=a)a", "a(?:x*x*y)?"]) {
    for (const options of [{}, { multiline: true }, { column: true }]) {
      const scan = scanner(pattern, { onlyMatching: true, ...options });
      scan.start();
      scan.feed(line, true);
      assert.equal(scan.count, 100_000);
      if (options.column) assert.equal(scan.lines.at(-1)!.column, 199_999);
    }
    assert.equal(entriesOf(pattern, line, { multiline: true }).length, 1);
  }
});

Deno.test("a line of megabytes neither overflows the engine's stack nor changes the answer", () => {
  const line = "ab".repeat(3_000_000);
  assert.ok(!matches("^(?:a|b)*c", line));
  assert.ok(matches("^(?:a|b)*$", line));
  assert.ok(!matches("^[^x]+?y", line));
  assert.ok(!matches('"(?:[^"\\\\]|\\\\.)*"', '"' + line));
  // This takes V8 more than its stack on such a line, and so few steps that V8 is asked first.
  assert.ok(!matches("^(?:a|b)*[^ab]", "ab".repeat(8_000_000)));
});

Deno.test("the costs of patterns are distinguished", () => {
  const costs = (pattern: string, options: SomeOptions = {}) => {
    const { find, locate } = plan(pattern, options).plan;
    return [find.cost, locate.cost];
  };
  assert.deepEqual(costs("foo"), ["linear", "linear"]);
  assert.deepEqual(costs("\\w+foo"), ["linear", "quadratic"]);
  assert.deepEqual(costs('"[^"]*"'), ["linear", "linear"]);
  // A match can only start where the word ends that the one before went over.
  assert.deepEqual(costs("class\\s+\\w+"), ["linear", "linear"]);
  assert.deepEqual(costs("function\\s+\\w+Error"), ["linear", "linear"]);
  assert.deepEqual(costs("ab(?:ab)+\\s"), ["quadratic", "quadratic"]);
  assert.deepEqual(costs("import\\s+.*from"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("^\\s*\\w+\\s*="), ["linear", "linear"]);
  assert.deepEqual(costs("foo.*bar"), ["quadratic", "quadratic"]);
  assert.deepEqual(costs("a.*b.*c"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("x(a+)+b"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("(?:\\w+\\.)+x"), ["linear", "quadratic"]);
  assert.deepEqual(costs("foo(?!bar)", { wholeWord: true }), ["linear", "linear"]);
  // A repeat whose rounds look over the same text again.
  assert.deepEqual(costs("^(?:a(?=a*b|.))+c"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("^(?:(?!foo).)*$"), ["linear", "linear"]);
  assert.deepEqual(costs("^(?:(?!(?:[bc][bc]?){12}z)[bc])*[!?]"), ["unbounded", "unbounded"]);
  // What a branch takes once is more than what the other takes for each character.
  assert.deepEqual(costs("^(?:x*y|(?:[bc]{0,16}){10}[!?])"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("a[ab]?[ab]?[ab]?[cd]"), ["linear", "linear"]);
  assert.deepEqual(costs("a[ab]?[ab]?[ab]?[ab]?[ab]?[cd]"), ["unbounded", "unbounded"]);
  assert.deepEqual(costs("a".repeat(900) + "[bc]"), ["unbounded", "unbounded"]);
  // Of a text there is one start, but many starts of lines.
  assert.deepEqual(costs("^[^x]*y"), ["linear", "linear"]);
  assert.deepEqual(costs("^[^x]*y", { multiline: true }), ["quadratic", "quadratic"]);
  assert.deepEqual(costs("\\A[^x]*y", { multiline: true }), ["linear", "linear"]);
});
