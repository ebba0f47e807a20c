/** What a pattern may look like: each rule of the dialect. */

import assert from "node:assert/strict";
import { PathgrepError } from "../../src/util/errors.ts";
import { linesOf, matches, notesOf, plan, type SomeOptions } from "./support.ts";

/** A pattern, lines it matches, lines it does not. */
type Case = [pattern: string, matching: string[], others: string[]];

function check(cases: readonly Case[], options: SomeOptions = {}): void {
  for (const [pattern, matching, others] of cases) {
    for (const line of matching) {
      assert.ok(matches(pattern, line, options), `${pattern} matches ${JSON.stringify(line)}`);
    }
    for (const line of others) {
      assert.ok(!matches(pattern, line, options), `${pattern} not in ${JSON.stringify(line)}`);
    }
  }
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

Deno.test("JavaScript's own syntax means what it means in JavaScript", () => {
  check([
    ["a.c", ["abc", "a\rc", "a\u2028c", "a😀c"], ["ac"]],
    ["^.{4}$", ["café", "😀😀😀😀"], ["caf", "😀😀"]],
    ["(?:ab)+?c|d{2,}", ["ababc", "dd"], ["ac", "d"]],
    ["(?<y>\\d{4})-\\k<y>", ["2024-2024"], ["2024-2025"]],
    ["(a)(b)\\2\\1", ["abba"], ["abab"]],
    ["(?<=x)y(?!z)", ["xy", "xyw"], ["y", "xyz"]],
    ["(?<!x)y(?=z)", ["yz"], ["xyz", "y"]],
    ["\\bfoo\\b", ["a foo b"], ["food"]],
    ["\\Boo", ["foo"], ["oo"]],
    ["\\cJ|\\t", ["\t"], ["J"]],
    ["\\x41\\u0042\\u{43}\\u{1F600}\\uD83D\\uDE00", ["ABC😀😀"], ["ABC"]],
    ["[a-c\\d_-]+$", ["a1-_"], ["x!"]],
    ["[\\b]", ["\b"], ["b"]],
    ["[^]", ["x"], [""]],
    ["[^]*foo[a]", ["xfooa"], ["foob"]],
    ["\\p{Lu}\\P{L}", ["A1"], ["Aa"]],
    ["a|", ["b"], []],
  ]);
});

Deno.test("a lone carriage return and U+2028 end no line and are no edge for ^ and $", () => {
  check([
    ["^b", ["b"], ["a\rb", "a\u2028b", "a\u2029b"]],
    ["a$", ["a"], ["a\rb", "a\u2028b"]],
    ["a.b", ["a\rb", "a\u2028b", "a\u2029b", "a\u0085b"], []],
  ]);
});

Deno.test("flags can be set at the start, midway, and for a group", () => {
  check([
    ["(?i)foo", ["FOO", "foo"], []],
    ["a(?i)b", ["aB"], ["Ab"]],
    ["a(?i:b)c", ["aBc"], ["aBC", "Abc"]],
    ["(?i)a(?-i)b", ["Ab"], ["AB"]],
    ["(?i)a(?-i:b)c", ["AbC"], ["ABC"]],
    ["(?:(?i)a)b", ["Ab"], ["AB"]],
    ["(?i)a|b", ["B"], []],
    ["(?im)foo", ["FOO"], []],
    ["(?i-i)foo", ["foo"], ["FOO"]],
    ["(?i)(a)\\1", ["aA"], ["ab"]],
    ["(?u)é", ["é"], []],
  ]);
  assert.deepEqual(linesOf("(?-i)A|b", "a\nA\nB\n", { caseInsensitive: true }), ["A"]);
});

Deno.test("named groups and references are read in Python's, .NET's and PCRE's spelling", () => {
  check([
    ["(?P<n>a|b)(?P=n)", ["aa", "bb"], ["ab"]],
    ["(?'n'a|b)\\k'n'", ["aa"], ["ab"]],
    ["(?<n>a|b)\\k{n}", ["aa"], ["ab"]],
    ["(?<n>a|b)\\g{n}", ["aa"], ["ab"]],
    ["(a|b)\\g1", ["aa"], ["ab"]],
    ["(a|b)(c)\\g{-2}", ["aca"], ["acc"]],
    ["(?<n>a)x|(?<n>b)\\k<n>", ["ax", "bb"], ["ba"]],
  ]);
});

Deno.test("\\A and \\z stand for the start and end of the line, and with multiline of the text", () => {
  check([["\\Ab", ["bc"], ["ab"]], ["b\\z", ["ab"], ["ba"]], ["b\\Z", ["ab"], ["ba"]]]);
  const text = "a\nb\na\n";
  assert.deepEqual(linesOf("\\Aa", text), ["a", "a"]);
  assert.deepEqual(linesOf("\\Aa", text, { multiline: true }), ["a"]);
  assert.deepEqual(linesOf("\\z", "a\nb", { multiline: true }), ["b"]);
  assert.deepEqual(linesOf("b\\Z", "b\nb\n", { multiline: true }), ["b"]);
  assert.equal(linesOf("b\\z", "b\nb\n", { multiline: true }).length, 0);
});

Deno.test("\\h, \\R, \\<, \\>, \\b{start} and \\Q…\\E are read", () => {
  check([
    ["a\\hb", ["a b", "a\tb", "a\u00a0b"], ["a\vb", "ab"]],
    ["a\\Hb", ["axb"], ["a b"]],
    ["[\\h,]b", [" b", ",b"], ["xb"]],
    ["[^\\H]b", [" b"], ["xb"]],
    ["\\Rb", ["a\vb"], ["ab"]],
    ["\\<foo", ["a foo", "foo"], ["afoo"]],
    ["foo\\>", ["foo b"], ["foob"]],
    ["\\b{start}foo\\b{end}", ["foo"], ["foob", "afoo"]],
    ["\\b{start-half}-foo\\b{end-half}", [" -foo"], ["a-foo"]],
    ["\\Qa.b*\\Ec+", ["a.b*cc"], ["axbc"]],
    ["\\Qa.b", ["a.b"], ["axb"]],
    ["\\Qab\\E+$", ["abb"], ["aba"]],
    ["[\\Q^]\\E]", ["^", "]"], ["Q"]],
    ["a\\Eb", ["ab"], ["aEb"]],
  ]);
});

Deno.test("Unicode properties are read by short, long and script names in any letter case", () => {
  check([
    ["^\\pL+$", ["éa"], ["1"]],
    ["^\\PL+$", ["12"], ["a"]],
    ["\\p{Greek}", ["α"], ["a"]],
    ["\\p{greek}", ["α"], ["a"]],
    ["\\p{Script=Greek}", ["α"], ["a"]],
    ["\\p{lu}", ["A"], ["a"]],
    ["\\p{^L}", ["1"], ["a"]],
    ["\\P{^L}", ["a"], ["1"]],
    ["[\\p{Lu}\\d]x", ["Ax", "1x"], ["ax"]],
    ["\\p{Uppercase_Letter}", ["A"], ["a"]],
    ["\\p{uppercase letter}", ["A"], ["a"]],
    ["\\p{L&}", ["a"], ["1"]],
  ]);
});

Deno.test("POSIX classes are read inside of classes", () => {
  check([
    ["^[[:alpha:]_]+$", ["aZ_"], ["a1", "é"]],
    ["[[:^digit:]]", ["a"], ["1"]],
    ["[^[:space:]]", ["a"], [" "]],
    ["[[:alpha:][:digit:]]", ["a", "1"], ["-"]],
    ["[[:punct:]]", ["!", "]", "~"], ["a", " "]],
    ["[[:xdigit:]-]", ["f", "-"], ["g"]],
    ["[[:word:]]", ["_"], ["-"]],
    ["[a-[:digit:]]", ["a", "-", "3"], ["b"]],
  ]);
});

Deno.test("escapes of single characters are read in every usual spelling", () => {
  check([
    ["\\x{1F600}", ["😀"], ["x"]],
    ["\\U0001F600", ["😀"], ["U"]],
    ["\\e\\[", ["\x1b["], ["e["]],
    ["\\a", ["\x07"], ["a"]],
    ["a\\0b", ["a\0b"], ["a0b"]],
    ["\\!\\\"\\#\\%\\&\\'\\,\\:\\;\\=\\@\\`\\~\\_\\-\\/\\ ", ["!\"#%&',:;=@`~_-/ "], []],
    ["[\\.\\&\\!\\-]", [".", "&", "!", "-"], ["\\"]],
    ["\\é", ["é"], []],
  ]);
});

Deno.test("braces and brackets that open or close nothing are characters", () => {
  check([
    ["{}", ["{}"], []],
    ["function foo\\(\\) {", ["function foo() {"], []],
    ["a{,3}", ["a{,3}"], ["aaa"]],
    ["a{x}", ["a{x}"], []],
    ["a{1", ["a{1"], []],
    ["{0}", ["{0}"], []],
    ["a|{2}", ["{2}"], ["b"]],
    ["}", ["}"], []],
    ["a]", ["a]"], []],
    ["\\$\\{name}", ["${name}"], []],
    ["interface\\{\\}|x]", ["interface{}", "x]"], []],
  ]);
});

Deno.test("in a class [, &&, -- and a hyphen beside a class escape are characters", () => {
  check([
    ["[[(]", ["[", "("], ["]"]],
    ["[a&&b]", ["&"], ["c"]],
    ["[\\d-x]", ["1", "-", "x"], ["w"]],
    ["[\\w-]", ["-", "a"], ["+"]],
    ["[-a]", ["-"], ["b"]],
    ["[a-]", ["-"], ["b"]],
    ["[+--]", [",", "+"], ["."]],
    ["[a{2}|(.)*$]", ["{", "|", "$", ")"], ["b"]],
  ]);
});

Deno.test("a note says that operations on sets are read as characters", () => {
  for (const pattern of ["[a-z--[a-k]]", "[\\w--\\d]", "[[a-z]--[aeiou]]", "[\\p{L}--\\p{Lu}]"]) {
    assert.match(notesOf(pattern).join(), /`--` .*not for a difference; write `\(\?!/, pattern);
  }
  for (const pattern of ["[a-z&&[^k]]", "[[a-z]&&[aeiou]]", "[^[a-z]&&\\w]", "[[:alpha:]&&[a]]"]) {
    assert.match(notesOf(pattern).join(), /`&&` .*not for an intersection; write `\(\?=/, pattern);
  }
  for (const pattern of ["[a&&b]", "[\\w--]", "[+--]", "[--\\d]", "[&&\\w]", "[a]&&[b]", "[[(]x"]) {
    assert.deepEqual(notesOf(pattern), [], pattern);
  }
  // A class that has `[` in it, and then an option.
  for (
    const pattern of ["[[]--\\w+\\]", "[[(]--\\d", "[^[]--\\w]", "[[:upper:]]--\\w+", "[[a]--\\w+"]
  ) {
    assert.doesNotMatch(notesOf(pattern).join(), /beside a class/, pattern);
  }
});

Deno.test("a ] right after [ or [^ is a member when another one closes the class", () => {
  check([
    ["[]abc]", ["]", "a"], ["d"]],
    ["\\[[^]]*\\]", ["[x]"], ["[x"]],
  ]);
  assert.match(notesOf("[]abc]").join(), /`\[\]…\]` as `\[\\\]…\]`/);
  assert.match(notesOf("string[]").join(), /write `\\\[\\\]`/);
});

Deno.test("comments are left out", () => {
  check([["a(?#note)b", ["ab"], []], ["a(?#x)+$", ["aa"], ["ab"]]]);
});

Deno.test("several patterns match if any does, and share neither groups, flags nor alternatives", () => {
  const text = "aa\nbb\nab\nC\nc\n";
  assert.deepEqual(linesOf(["(a)\\1", "(b)\\1"], text), ["aa", "bb"]);
  assert.deepEqual(linesOf(["(?i)x", "C"], text), ["C"]);
  assert.deepEqual(linesOf(["x|y", "^c"], text), ["c"]);
  assert.deepEqual(linesOf(["(?<n>a)\\k<n>", "(?<n>b)\\k<n>"], text), ["aa", "bb"]);
  assert.deepEqual(linesOf(["a|", "x"], "q\n"), ["q"]);
});

Deno.test("case is told apart unless asked otherwise, and by code point", () => {
  check([["é", ["É", "é"], ["e"]], ["ß", ["ẞ"], []], ["σ", ["ς", "Σ"], []]], {
    caseInsensitive: true,
  });
  check([["é", ["é"], ["É"]]]);
});

Deno.test("smart case looks for upper-case letters that stand for themselves", () => {
  const smart = { smartCase: true };
  check([
    ["foo", ["FOO"], []],
    ["Foo", ["Foo"], ["foo", "FOO"]],
    ["\\Sfoo", ["xFOO"], []],
    ["\\pLoo", ["FOO"], []],
    ["\\x41", ["A"], ["a"]],
    ["[A]", ["A"], ["a"]],
    ["[a-z]x", ["AX"], []],
    ["É", ["É"], ["é"]],
  ], smart);
  check([["fOO", ["fOO"], ["foo"]], ["f.o", ["F.O"], ["fxo"]]], { ...smart, fixedStrings: true });
  assert.deepEqual(linesOf(["foo", "Bar"], "FOO\nBar\n", smart), ["Bar"]);
});

Deno.test("fixed strings mean every character literally", () => {
  check([
    ["foo(", ["xfoo("], ["foo"]],
    ["a.b*", ["a.b*"], ["axb"]],
    ["(?i)x", ["(?i)x"], ["X"]],
    ["\\n", ["\\n"], []],
    ["[a", ["[a"], []],
  ], { fixedStrings: true });
  check([["A.b", ["a.B"], ["axb"]]], { fixedStrings: true, caseInsensitive: true });
  assert.deepEqual(linesOf(["a.", "b+"], "ax\nb+\na.\n", { fixedStrings: true }), ["b+", "a."]);
});

Deno.test("whole words are bounded by Unicode word characters", () => {
  const words = { wholeWord: true };
  check([
    ["foo", ["foo", "a foo!", "foo-bar"], ["food", "_foo", "éfoo", "foo1", "foo\u0301"]],
    ["é", ["é", "a é b"], ["née"]],
    ["-foo", ["x -foo", "-foo"], ["-food", "x-foo"]],
    ["a|ab", ["ab", "a"], ["abc"]],
    ["\\w+", ["x"], ["é1é"]],
  ], words);
});

Deno.test("a whole-line match takes the line from end to end", () => {
  const whole = { wholeLine: true };
  check([["a|ab", ["a", "ab"], ["abc", "xa"]], ["", [], ["a"]]], whole);
  assert.deepEqual(linesOf("a", "a\r\nab\na", whole), ["a", "a"]);
  assert.deepEqual(linesOf("", "a\n\nb\n", whole), [""]);
});

Deno.test("constructs without a counterpart are refused, with what to write instead", () => {
  for (
    const [pattern, reason] of [
      ["a++", /possessive .* write `\+`/],
      ["a{2}+", /possessive .* write `\{2\}`/],
      ["(?>ab)", /atomic .* write `\(\?:…\)`/],
      ["(?x) a", /flag `x` .* leave out the white space/],
      ["(?ix:a)", /flag `x`/],
      ["(?U)a*", /flag `U` .* lazy/],
      ["(?R)", /recursion .* write the repeated part out/],
      ["(?1)", /recursion/],
      ["(?&n)", /recursion/],
      ["(?P>n)", /recursion/],
      ["(?(1)a|b)", /conditional .* alternatives/],
      ["(?|a|b)", /branch reset/],
      ["a\\Kb", /`\\K` .* lookbehind/],
      ["\\Ga", /`\\G`/],
      ["\\X", /`\\X`/],
      ["(*UTF8)a", /verbs/],
      ["(?<n>a)(?<n>b)", /two groups are named `n`/],
      ["(?<n>a(?<n>b))", /two groups/],
      ["(?:(?<n>a)|(?<n>b))(?<n>c)", /two groups/],
      ["\\012", /octal .* write `\\x0A`/],
      ["[\\101]", /octal .* write `\\x41`/],
      ["(?-u)a", /flag `u`/],
      ["[[:foo:]]", /unknown class/],
      ["a{3,2}", /out of order/],
      ["a{99999}", /more than 65535/],
      ["\\x{110000}", /10FFFF/],
      ["[\\B]", /no meaning in a class/],
    ] as const
  ) {
    const { error } = refusal(pattern);
    assert.match(error, /^invalid pattern: /, pattern);
    assert.match(error, reason, pattern);
  }
});

Deno.test("what reads as text is refused with its place and a hint at fixed strings", () => {
  for (
    const [pattern, reason] of [
      ["foo(", /unclosed `\(` \(at character 4\)/],
      ["foo)", /unmatched `\)` \(at character 4\)/],
      ["a[", /unclosed `\[` \(at character 2\)/],
      ["arr[0", /unclosed `\[` \(at character 4\)/],
      ["*foo", /nothing to repeat before `\*` \(at character 1\)/],
      ["^*foo", /nothing to repeat/],
      ["a|*b", /nothing to repeat/],
      ["(?i)*", /nothing to repeat/],
      ["(?=a)*", /nothing to repeat/],
      ["a**", /a repeat follows a repeat/],
      ["C++", /possessive/],
      ["foo\\", /ends with a backslash/],
      ["C:\\Users\\jim", /unknown escape `\\U` \(at character 3\)/],
      ["\\y", /unknown escape `\\y`/],
      ["\\xg", /hexadecimal digits/],
      ["\\u12", /hexadecimal digits/],
      ["[z-a]", /range `z-a` is out of order/],
      ["\\1", /no group 1 .* the pattern has no group/],
      ["(a)\\2", /no group 2 .* the pattern has 1 group/],
      ["\\p{Foo}", /unknown Unicode property `Foo`/],
      ["(?y)", /flag `y`/],
      ["é(", /at character 2/],
      ["😀(", /at character 2/],
    ] as const
  ) {
    const { error, hint } = refusal(pattern);
    assert.match(error, reason, pattern);
    if (!pattern.startsWith("(?y")) assert.match(hint ?? "", /fixed_strings, -F/, pattern);
  }
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
  // To print a class in which letter case does not count beside parts where it does takes longer still.
  const mixed = (classes: string[]) => `(?i:${classes.join("")})x|Y`;
  assert.match(refusal(mixed(distinct(2_200, "a-z"))).error, /too large/);
  plan(mixed(distinct(80, "a-z")));
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
  assert.deepEqual(notesOf("(?P<year>\\d+)"), [
    "read as JavaScript: `(?P<year>…)` as `(?<year>…)`",
  ]);
  assert.match(notesOf("\\Afoo\\z").join(), /`\\A` as `\^`, `\\z` as `\$`/);
  assert.match(notesOf("\\pL").join(), /`\\pL` as `\\p\{L\}`/);
  for (const plain of ["(?i)a", "a{", "}", "\\.\\-", "(?<n>a)\\k<n>", "[\\w-]", "\\p{L}", "^a$"]) {
    assert.deepEqual(notesOf(plain), [], plain);
  }
});

Deno.test("a note says what the caller may not expect of \\b, line breaks, $, \\| and [:alpha:]", () => {
  for (const pattern of ["\\bété", "[éè]\\b", "\\b[à-ÿ]", "(x|é)\\b", "\\bé?"]) {
    assert.match(notesOf(pattern).join(), /ASCII letters only.* beside `[éà]`.*-w/, pattern);
  }
  for (const pattern of ["\\bx", "\\b[^a]", "\\b\\p{L}", "\\b[—…]"]) {
    assert.deepEqual(notesOf(pattern).filter((note) => note.includes("ASCII")), [], pattern);
  }
  for (const [pattern, note] of [["[\\Q(\\E]", "\\Q…\\E"], ["\\Ex", "\\E"], ["(?#c)x", "(?#…)"]]) {
    assert.ok(notesOf(pattern!).join().includes(`\`${note}\` as `), pattern);
  }
  assert.match(notesOf("(é)\\b").join(), /beside `é`/);
  assert.deepEqual(notesOf("\\bfoo\\b"), []);
  for (
    const broken of ["a\\nb", "a\nb", "a\\r\\nb", "[\\r\\n]b", "a[\\s\\S]*b", "(?s)a.*b", "a\\Rb"]
  ) {
    assert.match(notesOf(broken).join(), /never spans lines; use multiline \(-U\)/, broken);
    assert.deepEqual(notesOf(broken, { multiline: true }).join(), "", broken);
  }
  assert.match(notesOf("a\nb", { fixedStrings: true }).join(), /use multiline/);
  assert.match(notesOf("${name}").join(), /write `\\\$` for the character/);
  assert.match(notesOf("foo\\|bar").join(), /write `\|` for alternatives/);
  assert.deepEqual(notesOf("a \\|\\| b"), []);
  assert.match(notesOf("[:alpha:]").join(), /write `\[\[:alpha:\]\]`/);
  assert.match(notesOf("foo\\r$").join(), /not part of the line/);
});
