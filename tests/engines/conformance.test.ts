/**
 * One table of cases, each answered by every engine: the answers are the same to the byte, and right.
 *
 * The cases are what users of ripgrep and git meet at the edges.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type MatchEntry,
  type PathgrepError,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { dirname } from "node:path";
import { run } from "../support/acceptance.ts";
import { comparable, type EngineAnswer, ENGINES, sameAnswer } from "../support/engines.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

/** What is searched, how, and the entries of the right answer as {@linkcode entries} writes them. */
type Case = [
  name: string,
  files: Readonly<Record<string, TreeEntry>>,
  query: SearchQuery | string,
  expected: readonly string[],
  note?: RegExp,
];

/** An answer in short: `file:line:text`, `file` or `file=count`; of an error, its code. */
function entries(answer: EngineAnswer, root: string): string[] {
  const short = (file: string) => file.replace(`${root}/`, "");
  // deno-lint-ignore no-explicit-any -- answers of every shape
  const { matches, files, counts, code } = answer as any;
  if (code !== undefined) return [`!${code}`];
  if (files !== undefined) return files.map(short);
  if (counts !== undefined) {
    return counts.map((entry: { file: string; count: number }) =>
      `${short(entry.file)}=${entry.count}`
    );
  }
  return matches.map((
    { file, line_number, line, column, before, after, line_truncated }: MatchEntry,
  ) =>
    [
      `${short(file)}:${line_number}:${line}`,
      column === undefined ? "" : `@${column}`,
      before === undefined ? "" : ` <${before.join("|")}`,
      after === undefined ? "" : ` >${after.join("|")}`,
      line_truncated ? " …" : "",
    ].join("")
  );
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => typeof part === "string" ? [...utf8(part)] : part));
const utf16 = (text: string, order: "le" | "be") => {
  const units = [0xfeff, ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))];
  return new Uint8Array(
    units.flatMap((unit) => order === "le" ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]),
  );
};
const one = (text: TreeEntry) => ({ "a.txt": text });

const PATTERNS: Case[] = [
  ["plain text", one("foo\nbar\n"), "foo", ["a.txt:1:foo"]],
  ["text in the middle of a line", one("a foo b\n"), "foo", ["a.txt:1:a foo b"]],
  ["no match at all", one("bar\n"), "foo", []],
  ["one entry for a line with two matches", one("foo foo\n"), "foo", ["a.txt:1:foo foo"]],
  ["a dot is one character", one("fo\nfoo\n"), "fo.", ["a.txt:2:foo"]],
  ["a dot is not a line end", one("fo\no\n"), "fo.", []],
  ["alternatives", one("ab\ncd\nef\n"), "ab|ef", ["a.txt:1:ab", "a.txt:3:ef"]],
  ["alternatives in a group", one("xaby\nxcdy\nxy\n"), "x(ab|cd)y", [
    "a.txt:1:xaby",
    "a.txt:2:xcdy",
  ]],
  ["an empty alternative", one("xy\nxay\nxby\n"), "x(a|)y", ["a.txt:1:xy", "a.txt:2:xay"]],
  ["an empty alternative that comes first", one("xy\nxay\n"), "x(?:|a)y$", [
    "a.txt:1:xy",
    "a.txt:2:xay",
  ]],
  ["an optional character", one("color\ncolour\n"), "colou?r$", [
    "a.txt:1:color",
    "a.txt:2:colour",
  ]],
  ["a star", one("ac\nabbbc\nadc\n"), "ab*c", ["a.txt:1:ac", "a.txt:2:abbbc"]],
  ["a plus", one("ac\nabbbc\n"), "ab+c", ["a.txt:2:abbbc"]],
  ["a lazy quantifier", one("aXbXc\n"), "a.*?X", ["a.txt:1:aXbXc"]],
  ["an exact repeat", one("aa\naaa\n"), "^a{3}$", ["a.txt:2:aaa"]],
  ["a repeat with both bounds", one("a\naa\naaaa\n"), "^a{2,3}$", ["a.txt:2:aa"]],
  ["a repeat without upper bound", one("a\naaaaa\n"), "a{4,}", ["a.txt:2:aaaaa"]],
  ["a repeat from zero", one("xz\nxyyyz\n"), "^xy{0,2}z$", ["a.txt:1:xz"]],
  ["a repeat of nothing", one("ab\nacb\n"), "ac{0}b", ["a.txt:1:ab"]],
  ["a repeat with bounds that POSIX has no room for", one(`${"x".repeat(300)}\nxx\n`), {
    pattern: "x{299,400}$",
    outputMode: "count",
  }, ["a.txt=1"]],
  ["a repeated group with bounds", one("ababab\nabab\n"), "^(ab){3}$", ["a.txt:1:ababab"]],
  [
    "nested repeats with large bounds",
    one(`${"ab".repeat(60)}\n`),
    { pattern: "^((ab){20}){3}$", outputMode: "count" },
    ["a.txt=1"],
  ],
  ["a brace that opens nothing", one("a{b\n"), "a{b", ["a.txt:1:a{b"]],
  ["braces that are no repeat", one("a{x}\n"), "a{x}", ["a.txt:1:a{x}"]],
  ["a bracket that closes nothing", one("a]b\n"), "a]b", ["a.txt:1:a]b"]],
  ["a class", one("cat\ncut\ncot\n"), "c[au]t", ["a.txt:1:cat", "a.txt:2:cut"]],
  ["a negated class", one("cat\ncut\n"), "c[^a]t", ["a.txt:2:cut"]],
  ["a negated class does not take the line end", one("c\nt\n"), "c[^a]", []],
  ["a class of punctuation", one("a^b\na]b\na-b\na[b\nab\n"), "a[\\^\\]\\-\\[]b", [
    "a.txt:1:a^b",
    "a.txt:2:a]b",
    "a.txt:3:a-b",
    "a.txt:4:a[b",
  ]],
  ["a class of a caret and a dash", one("a^b\na-b\nab\n"), "a[-^]b", [
    "a.txt:1:a^b",
    "a.txt:2:a-b",
  ]],
  ["a class of a bracket alone", one("a[b\n"), "a[[]b", ["a.txt:1:a[b"]],
  ["a class with a backslash", one("a\\b\na/b\n"), "a[\\\\/]b", ["a.txt:1:a\\b", "a.txt:2:a/b"]],
  ["a class that looks like a POSIX class", one("a:b\nc:d\n"), "[:c]:", ["a.txt:2:c:d"]],
  ["a class with && in it", one("a&b\n"), "a[&&x]b", ["a.txt:1:a&b"]],
  ["a class with ~ and -- in it", one("a~b\na-b\n"), "a[~~x]b|a[x\\--]b", [
    "a.txt:1:a~b",
    "a.txt:2:a-b",
  ]],
  ["a range over punctuation", one("a\\b\naZb\n"), "a[Z-^]b", ["a.txt:1:a\\b", "a.txt:2:aZb"]],
  ["digits", one("a1\nab\n"), "a\\d", ["a.txt:1:a1"]],
  ["digits are ASCII", one("a٣\na3\n"), "a\\d", ["a.txt:2:a3"]],
  ["words are ASCII", one("é\ne\n"), "^\\w$", ["a.txt:2:e"]],
  ["white space is a tab too", one("a\tb\n"), "a\\sb", ["a.txt:1:a\tb"]],
  ["white space is a no-break space too", one("a\u00a0b\n"), "a\\sb", ["a.txt:1:a\u00a0b"]],
  ["no white space", one("a b\na.b\n"), "a\\Sb", ["a.txt:2:a.b"]],
  ["control characters", one("a\x01b\na\x1bb\na\x7fb\n"), "a[\\x01\\x1b\\x7f]b", [
    "a.txt:1:a\x01b",
    "a.txt:2:a\x1bb",
    "a.txt:3:a\x7fb",
  ]],
  ["a form feed is no line end", one("a\fb\n"), "^a.b$", ["a.txt:1:a\fb"]],
  ["a word boundary", one("foo\nfoobar\nfoo-bar\n"), "\\bfoo\\b", [
    "a.txt:1:foo",
    "a.txt:3:foo-bar",
  ]],
  ["no word boundary", one("foo\nfoobar\n"), "foo\\B", ["a.txt:2:foobar"]],
  ["the start of a line", one("foo\nxfoo\n"), "^foo", ["a.txt:1:foo"]],
  ["the end of a line", one("foo\nfoox\n"), "foo$", ["a.txt:1:foo"]],
  ["an anchor in the middle never matches", one("a^b\nab\n"), "a^b", []],
  ["an anchor in an alternative", one(",foo\nfoo\nxfoo\n"), "(^|,)foo", [
    "a.txt:1:,foo",
    "a.txt:2:foo",
  ]],
  ["an end of line in an alternative", one("foo;\nfoo\nfoox\n"), "foo(;|$)", [
    "a.txt:1:foo;",
    "a.txt:2:foo",
  ]],
  ["a repeated anchor", one("ab\nxab\n"), "(?:^)+ab", ["a.txt:1:ab"]],
  ["an anchor in a repeat", one("aab\nb\nxb\n"), "(^a|a)*b$", [
    "a.txt:1:aab",
    "a.txt:2:b",
    "a.txt:3:xb",
  ]],
  ["an empty line", one("a\n\nb\n"), "^$", ["a.txt:2:"]],
  ["a blank line", one("a\n \t\nb\n"), "^\\s+$", ["a.txt:2: \t"]],
  ["a pattern that matches the empty string", one("a\n\n"), "x*", ["a.txt:1:a", "a.txt:2:"]],
  ["every line", one("a\n\nb"), ".*", ["a.txt:1:a", "a.txt:2:", "a.txt:3:b"]],
  ["a lookahead", one("foobar\nfoobaz\n"), "foo(?=bar)", ["a.txt:1:foobar"]],
  ["a negated lookahead", one("foobar\nfoobaz\n"), "foo(?!bar)", ["a.txt:2:foobaz"]],
  ["a lookbehind", one("$5\n€5\n"), "(?<=\\$)5", ["a.txt:1:$5"]],
  ["a negated lookbehind", one("-5\n5\n"), "(?<!-)5", ["a.txt:2:5"]],
  ["a backreference", one("abab\nabcd\n"), "(ab)\\1", ["a.txt:1:abab"]],
  ["a backreference to what was not taken", one("b\n"), "(a)?b\\1", ["a.txt:1:b"]],
  ["a named backreference", one("xx\nxy\n"), "(?<c>.)\\k<c>", ["a.txt:1:xx"]],
  ["Python's named group", one("k=v\n"), "(?P<key>k)=", ["a.txt:1:k=v"], /read as JavaScript/],
  ["an inline flag", one("FOO\n"), "(?i)foo", ["a.txt:1:FOO"]],
  ["an inline flag for a group", one("FOObar\nfooBAR\n"), "(?i:foo)bar", ["a.txt:1:FOObar"]],
  ["a flag that is turned off again", one("FOOBAR\nFOObar\n"), "(?i)foo(?-i)bar", [
    "a.txt:2:FOObar",
  ]],
  ["quoted text", one("a.b\naxb\n"), "\\Qa.b\\E", ["a.txt:1:a.b"]],
  ["word edges as grep writes them", one("foo bar\nfoobar\n"), "\\<bar\\>", ["a.txt:1:foo bar"]],
  ["a POSIX class", one("a1\naZ\n"), "a[[:upper:]]", ["a.txt:2:aZ"]],
  ["escaped punctuation", one("a.b*c\n"), "a\\.b\\*c", ["a.txt:1:a.b*c"]],
  ["every special character, escaped", one("\\^$.[|()*+?{}]\n"), {
    pattern: "\\\\\\^\\$\\.\\[\\|\\(\\)\\*\\+\\?\\{\\}\\]",
  }, ["a.txt:1:\\^$.[|()*+?{}]"]],
  ["quotes and shell words", one("$(rm) `x` \"y\" 'z'; &\n"), {
    pattern: "$(rm) `x` \"y\" 'z'; &",
    fixedStrings: true,
  }, ["a.txt:1:$(rm) `x` \"y\" 'z'; &"]],
  ["a pattern that starts with a dash", one("-v foo\n"), "-v", ["a.txt:1:-v foo"]],
  ["a pattern that reads as an option", one("--pre=sh\n"), "--pre=sh", ["a.txt:1:--pre=sh"]],
  ["a pattern that is a percent sign", one("100%\n"), "%", ["a.txt:1:100%"]],
  ["a pattern with a NUL escape finds no text", one("a\n"), "a\\0", []],
  ["a line break in a pattern finds nothing", one("a\nb\n"), "a\\nb", [], /multiline/],
  ["a pattern that is refused", one("a\n"), "foo(", ["!invalid_pattern"]],
  ["a pattern that some engines run for ever", one(`${"a".repeat(40)}\n`), "^(a+)+$", [
    `a.txt:1:${"a".repeat(40)}`,
  ]],
  ["several patterns", one("a\nb\nc\n"), { pattern: ["a", "c"] }, ["a.txt:1:a", "a.txt:3:c"]],
  ["several patterns with groups of their own", one("xx\nyz\n"), {
    pattern: ["(x)\\1", "(y)(z)"],
  }, ["a.txt:1:xx", "a.txt:2:yz"]],
];

const LETTERS: Case[] = [
  ["letters in either case", one("Foo\nFOO\n"), { pattern: "foo", caseInsensitive: true }, [
    "a.txt:1:Foo",
    "a.txt:2:FOO",
  ]],
  ["a class in either case", one("B\nD\n"), { pattern: "[a-c]", caseInsensitive: true }, [
    "a.txt:1:B",
  ]],
  ["a negated class in either case", one("A\nB\n"), { pattern: "[^a]", caseInsensitive: true }, [
    "a.txt:2:B",
  ]],
  ["letters beyond ASCII in either case", one("É\n"), { pattern: "é", caseInsensitive: true }, [
    "a.txt:1:É",
  ]],
  ["the kelvin sign is a k in either case", one("5 \u212a\n"), {
    pattern: "k",
    caseInsensitive: true,
  }, ["a.txt:1:5 \u212a"]],
  ["a k is the kelvin sign in either case", one("5 k\n"), {
    pattern: "\\u212a",
    caseInsensitive: true,
  }, ["a.txt:1:5 k"]],
  ["a long s is an s in either case", one("\u017fo\nso\n"), {
    pattern: "SO",
    caseInsensitive: true,
  }, ["a.txt:1:\u017fo", "a.txt:2:so"]],
  ["smart case without a capital", one("Foo\n"), { pattern: "foo", smartCase: true }, [
    "a.txt:1:Foo",
  ]],
  ["smart case with a capital", one("foo\nFoo\n"), { pattern: "Foo", smartCase: true }, [
    "a.txt:2:Foo",
  ]],
  ["smart case with a capital in an escape only", one("A1\n"), {
    pattern: "a\\d",
    smartCase: true,
  }, ["a.txt:1:A1"]],
  ["fixed strings", one("a.b\naxb\n"), { pattern: "a.b", fixedStrings: true }, ["a.txt:1:a.b"]],
  ["fixed strings in either case", one("A.B\n"), {
    pattern: "a.b",
    fixedStrings: true,
    caseInsensitive: true,
  }, ["a.txt:1:A.B"]],
  ["fixed strings with a backslash", one("C:\\new\n"), { pattern: "\\n", fixedStrings: true }, [
    "a.txt:1:C:\\new",
  ]],
  ["a fixed string of brackets", one("x[0]\n"), { pattern: "[0]", fixedStrings: true }, [
    "a.txt:1:x[0]",
  ]],
  ["whole words", one("foo\nfoobar\na foo.\n"), { pattern: "foo", wholeWord: true }, [
    "a.txt:1:foo",
    "a.txt:3:a foo.",
  ]],
  ["whole words beside letters of any language", one("éfoo\nfoo\n"), {
    pattern: "foo",
    wholeWord: true,
  }, ["a.txt:2:foo"]],
  ["whole words in a later place of the line", one("foobar foo\n"), {
    pattern: "foo",
    wholeWord: true,
  }, ["a.txt:1:foobar foo"]],
  ["a whole word that starts with punctuation", one("-x\na-x\n"), {
    pattern: "-x",
    wholeWord: true,
  }, ["a.txt:1:-x"]],
  ["whole words of alternatives", one("ab\nabc\nbc\n"), { pattern: "ab|bc", wholeWord: true }, [
    "a.txt:1:ab",
    "a.txt:3:bc",
  ]],
  ["whole lines", one("foo\nfoo bar\n"), { pattern: "foo", wholeLine: true }, ["a.txt:1:foo"]],
  ["whole lines of alternatives", one("ab\nabc\nc\n"), { pattern: "ab|c", wholeLine: true }, [
    "a.txt:1:ab",
    "a.txt:3:c",
  ]],
  ["whole lines that end in CR LF", one("foo\r\nfoo \r\n"), { pattern: "foo", wholeLine: true }, [
    "a.txt:1:foo",
  ]],
  ["whole lines as fixed strings", one("a.b\naxb\n"), {
    pattern: "a.b",
    wholeLine: true,
    fixedStrings: true,
  }, ["a.txt:1:a.b"]],
  // V8 reads a class as if it stood in the `(?i:…)` or `(?-i:…)` before it.
  ["a class in either case after a group with letter case", one("xB\nxA\nXb\n"), {
    pattern: "(?-i:x)[b-z]",
    caseInsensitive: true,
  }, ["a.txt:1:xB"]],
  ["a negated class in either case after a group with letter case", one("xA\nxb\n"), {
    pattern: "(?-i:x)[^a]",
    caseInsensitive: true,
  }, ["a.txt:2:xb"]],
  ["a class with letter case after a group without", one("bs\nbS\n"), "(?i:b)[S]", ["a.txt:2:bS"]],
  ["a class in either case as a whole line", one("B\nA\n"), {
    pattern: "[b-z]",
    caseInsensitive: true,
    wholeLine: true,
  }, ["a.txt:1:B"]],
  ["a class in either case as a whole word", one("a B\nA\n"), {
    pattern: "[b-z]",
    caseInsensitive: true,
    wholeWord: true,
  }, ["a.txt:1:a B"]],
];

const LINES: Case[] = [
  ["lines that end in CR LF", one("foo\r\nbar\r\n"), "foo$", ["a.txt:1:foo"]],
  ["CR LF and LF in one file", one("foo\r\nfoo\nfoox\r\n"), "foo$", ["a.txt:1:foo", "a.txt:2:foo"]],
  ["a CR that ends no line", one("a\rb\n"), "^a.b$", ["a.txt:1:a\rb"]],
  ["two CR before the line end", one("foo\r\r\n"), "foo\\r$", ["a.txt:1:foo\r"], /line end/],
  ["a CR is not found in a line end", one("foo\r\n"), "foo\\r", [], /line end/],
  ["a dot does not take the CR of a line end", one("fo\r\n"), "fo.", []],
  ["an empty line that ends in CR LF", one("a\r\n\r\nb\r\n"), "^$", ["a.txt:2:"]],
  ["white space at the end of a CR LF line", one("a \r\nb\r\n"), "\\s$", ["a.txt:1:a "]],
  ["a last line without its end", one("a\nfoo"), "foo$", ["a.txt:2:foo"]],
  ["a last line of CR alone", one("foo\r"), "foo.$", ["a.txt:1:foo\r"]],
  ["a file that is one line without end", one("foo"), "^foo$", ["a.txt:1:foo"]],
  ["an empty file", one(""), ".", []],
  ["an empty file and the empty pattern", one(""), "^", []],
  ["a file of one line end", one("\n"), "^$", ["a.txt:1:"]],
  ["a line separator is no line end", one("a\u2028b\n"), "^a.b$", ["a.txt:1:a\u2028b"]],
  ["line numbers of many lines", one("x\n".repeat(2000) + "foo\n" + "x\n".repeat(9)), "foo", [
    "a.txt:2001:foo",
  ]],
  ["a long line is cut around the match", one(`${"x".repeat(90)}foo${"y".repeat(90)}\n`), {
    pattern: "foo",
    maxLineLength: 9,
    outputMode: "count",
  }, ["a.txt=1"]],
  ["a line longer than a program's buffer", one(`${"x".repeat(300_000)}foo\n`), {
    pattern: "xfoo$",
    outputMode: "count",
  }, ["a.txt=1"]],
  ["a match far behind in a large file", one(`${"line\n".repeat(100_000)}foo\n`), "^foo$", [
    "a.txt:100001:foo",
  ]],
];

const BYTES: Case[] = [
  ["a byte-order mark before the first line", one(bytes([0xef, 0xbb, 0xbf], "foo\n")), "^foo$", [
    "a.txt:1:foo",
  ]],
  ["a byte-order mark alone", one(bytes([0xef, 0xbb, 0xbf])), ".", []],
  ["UTF-16, little-endian", one(utf16("é foo\nbar\n", "le")), "foo", ["a.txt:1:é foo"]],
  ["UTF-16, big-endian", one(utf16("foo\n", "be")), "^foo$", ["a.txt:1:foo"]],
  ["UTF-16 with CR LF", one(utf16("a\r\nfoo\r\n", "le")), "foo$", ["a.txt:2:foo"]],
  ["UTF-16 of an odd number of bytes", one(bytes([...utf16("foo\n", "le"), 0x61])), "foo", [
    "a.txt:1:foo",
  ]],
  [
    "UTF-16 without a match is text, not binary",
    { "a.txt": utf16("bar\n", "le"), "b.txt": "foo\n" },
    "foo",
    ["b.txt:1:foo"],
  ],
  ["UTF-16 without a byte-order mark is binary", one(bytes("f", [0], "o", [0])), "f", []],
  ["bytes that are not UTF-8", one(bytes("foo", [0xff], "\n")), "foo", [], /not UTF-8/],
  [
    "bytes that are not UTF-8 far from any match",
    one(bytes("foo\nbar", [0xe9], "\n")),
    "zzz",
    [],
    /not UTF-8/,
  ],
  ["a sequence cut short at the end", one(bytes("foo", [0xe2, 0x82])), "foo", [], /not UTF-8/],
  ["Latin-1 text", one(bytes("caf", [0xe9], "\n")), "caf", [], /1 file that is not UTF-8/],
  ["a surrogate encoded as UTF-8", one(bytes([0xed, 0xa0, 0x80], "foo\n")), "foo", [], /not UTF-8/],
  ["the replacement character itself", one("\ufffd foo\n"), "\\ufffd", ["a.txt:1:\ufffd foo"]],
  ["a NUL byte makes a file binary", one(bytes("foo\n", [0], "foo\n")), "foo", []],
  ["a NUL byte at the very end", one(bytes("foo\n".repeat(5000), [0])), "foo", []],
  [
    "a NUL byte in a file that is named",
    one(bytes("bar", [0])),
    {
      pattern: "foo",
      path: "a.txt",
    },
    [],
    /binary/,
  ],
  [
    "a NUL byte in a named file with a match",
    one(bytes("foo\n", [0])),
    {
      pattern: "foo",
      path: "a.txt",
    },
    [],
    /binary/,
  ],
  [
    "a named file that is not UTF-8",
    one(bytes([0xff, 0x80], "\n")),
    {
      pattern: "foo",
      path: "a.txt",
    },
    [],
    /a\.txt was not searched: it is not UTF-8/,
  ],
  ["letters beyond ASCII", one("naïve\n"), "ï", ["a.txt:1:naïve"]],
  ["a dot is one code point", one("é\n\u{1f600}\nab\n"), "^.$", ["a.txt:1:é", "a.txt:2:\u{1f600}"]],
  ["a class beyond ASCII", one("ä\nö\no\n"), "[ä-ö]", ["a.txt:1:ä", "a.txt:2:ö"]],
  ["a class beyond ASCII finds nothing in ASCII", one("abc\n"), "[ä-ö]|é", []],
  ["a class over ASCII and beyond", one("z\nä\nA\n"), "[x-ÿ]", ["a.txt:1:z", "a.txt:2:ä"]],
  ["a Unicode property", one("É\nE\ne\n"), "\\p{Lu}", ["a.txt:1:É", "a.txt:2:E"]],
  ["a Unicode property negated", one("é\n5\n"), "\\P{L}", ["a.txt:2:5"]],
  ["an emoji", one("ok \u{1f600}\n"), "\u{1f600}", ["a.txt:1:ok \u{1f600}"]],
  ["letters that are not composed", one("e\u0301\n"), "é", []],
];

const OUTPUT: Case[] = [
  ["inverted lines", one("foo\nbar\n"), { pattern: "foo", invert: true }, ["a.txt:2:bar"]],
  [
    "inverted lines of a file without a match",
    one("bar\nbaz\n"),
    { pattern: "foo", invert: true },
    [
      "a.txt:1:bar",
      "a.txt:2:baz",
    ],
  ],
  ["inverted words", one("foo\nfoobar\n"), { pattern: "foo", invert: true, wholeWord: true }, [
    "a.txt:2:foobar",
  ]],
  ["files with inverted lines", { a: "foo\n", b: "bar\n" }, {
    pattern: "foo",
    invert: true,
    outputMode: "file",
  }, ["b"]],
  ["inverted lines counted", one("foo\nbar\n\n"), {
    pattern: "foo",
    invert: true,
    outputMode: "count",
  }, ["a.txt=2"]],
  ["files only", { a: "foo\n", b: "bar\n", c: "foo\nfoo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["a", "c"]],
  ["files without a match", { a: "foo\n", b: "bar\n", c: "" }, {
    pattern: "foo",
    outputMode: "file",
    filesWithoutMatch: true,
  }, ["b", "c"]],
  ["counts are of lines", one("foo foo\nbar\nfoo\n"), { pattern: "foo", outputMode: "count" }, [
    "a.txt=2",
  ]],
  ["a file without a match is not counted", { a: "foo\n", b: "bar\n" }, {
    pattern: "foo",
    outputMode: "count",
  }, ["a=1"]],
  ["matches only", one("foo1 foo2\n"), { pattern: "foo\\d", onlyMatching: true }, [
    "a.txt:1:foo1",
    "a.txt:1:foo2",
  ]],
  ["matches only, never empty ones", one("ab\n"), { pattern: "x*|b", onlyMatching: true }, []],
  ["matches only with columns", one("é foo foo\n"), {
    pattern: "foo",
    onlyMatching: true,
    column: true,
  }, ["a.txt:1:foo@3", "a.txt:1:foo@7"]],
  ["a column is a code point", one("\u{1f600}é foo\n"), { pattern: "foo", column: true }, [
    "a.txt:1:\u{1f600}é foo@4",
  ]],
  ["a column is of the leftmost match", one("xfooy\n"), { pattern: "oy|foo", column: true }, [
    "a.txt:1:xfooy@2",
  ]],
  ["a column behind a lookbehind", one("ab\n"), { pattern: "(?<=a)b", column: true }, [
    "a.txt:1:ab@2",
  ]],
  ["lines after", one("a\nfoo\nb\nc\n"), { pattern: "foo", after: 1 }, ["a.txt:2:foo >b"]],
  ["lines before", one("a\nb\nfoo\n"), { pattern: "foo", before: 1 }, ["a.txt:3:foo <b"]],
  ["context at the edges of a file", one("foo\nb\nfoo\n"), { pattern: "foo", context: 2 }, [
    "a.txt:1:foo < >b|foo",
    "a.txt:3:foo <foo|b >",
  ]],
  ["context that overlaps", one("a\nfoo\nfoo\nb\n"), { pattern: "foo", context: 1 }, [
    "a.txt:2:foo <a >foo",
    "a.txt:3:foo <foo >b",
  ]],
  ["context of CR LF lines", one("a\r\nfoo\r\nb\r\n"), { pattern: "foo", context: 1 }, [
    "a.txt:2:foo <a >b",
  ]],
  ["context of inverted lines", one("foo\nbar\nfoo\n"), {
    pattern: "foo",
    invert: true,
    context: 1,
  }, ["a.txt:2:bar <foo >foo"]],
  ["matches per file", { a: "foo\nfoo\nfoo\n", b: "foo\n" }, { pattern: "foo", maxCount: 2 }, [
    "a:1:foo",
    "a:2:foo",
    "b:1:foo",
  ]],
  ["matches per file in counts", one("foo\nfoo\nfoo\n"), {
    pattern: "foo",
    maxCount: 2,
    outputMode: "count",
  }, ["a.txt=2"]],
  ["matches per file with lines after", one("foo\nfoo\nb\n"), {
    pattern: "foo",
    maxCount: 1,
    after: 2,
  }, ["a.txt:1:foo >foo|b"]],
  ["too many matches", one("foo\n".repeat(5)), { pattern: "foo", maxResults: 4 }, [
    "!search_too_broad",
  ]],
  ["too many matches in directories", { "a/x": "foo\nfoo\n", "b/y": "foo\n", "c": "foo\n" }, {
    pattern: "foo",
    maxResults: 2,
  }, ["!search_too_broad"]],
  ["just as many matches as there is room for", one("foo\n".repeat(2)), {
    pattern: "foo",
    maxResults: 2,
  }, ["a.txt:1:foo", "a.txt:2:foo"]],
  ["the first of many", { b: "foo\nfoo\n", a: "foo\n" }, {
    pattern: "foo",
    maxResults: 2,
    onOverflow: "truncate",
  }, ["a:1:foo", "b:1:foo"]],
  ["the next of many", { b: "foo\nfoo\n", a: "foo\n" }, {
    pattern: "foo",
    maxResults: 2,
    offset: 2,
  }, ["b:2:foo"]],
  ["an offset beyond the end", one("foo\n"), { pattern: "foo", offset: 5 }, []],
  [
    "many more files than there is room for",
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`${String(i).padStart(2, "0")}.txt`, "foo\n"]),
    ),
    { pattern: "foo", outputMode: "file", maxResults: 3, onOverflow: "truncate" },
    [
      "00.txt",
      "01.txt",
      "02.txt",
    ],
  ],
  ["a budget of characters", one("foo\n".repeat(100)), {
    pattern: "foo",
    maxOutputChars: 100,
  }, ["!search_too_broad"]],
  ["order by bytes, not by letters", { B: "foo\n", a: "foo\n", _: "foo\n", é: "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["B", "_", "a", "é"]],
  ["order by whole paths", { "a/b": "foo\n", "a.b": "foo\n", "a-b": "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["a-b", "a.b", "a/b"]],
  ["order beyond the first plane", { "\u{1f600}": "foo\n", "\uff21": "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["\uff21", "\u{1f600}"]],
  ["no order", one("foo\nfoo\n"), { pattern: "foo", sort: "none" }, [
    "a.txt:1:foo",
    "a.txt:2:foo",
  ]],
  ["relative paths", { "d/a": "foo\n" }, { pattern: "foo", paths: "relative" }, ["d/a:1:foo"]],
  ["matches over lines", one("a\nb\nc\n"), { pattern: "a\\nb", multiline: true }, ["a.txt:1:a\nb"]],
  ["matches over CR LF lines", one("a\r\nb\r\n"), { pattern: "a\\nb", multiline: true }, [
    "a.txt:1:a\nb",
  ]],
  ["a dot with the flag s over lines", one("a\nx\nb\n"), {
    pattern: "(?s)a.*b",
    multiline: true,
  }, ["a.txt:1:a\nx\nb"]],
  ["counts of matches over lines", one("a\nb\na\nb\n"), {
    pattern: "a\\nb",
    multiline: true,
    outputMode: "count",
  }, ["a.txt=2"]],
  ["the start of the text over lines", one("a\na\n"), { pattern: "\\Aa", multiline: true }, [
    "a.txt:1:a",
  ]],
];

const FILES: Case[] = [
  ["an include glob by name", { "a.ts": "foo\n", "d/b.ts": "foo\n", "c.js": "foo\n" }, {
    pattern: "foo",
    include: "*.ts",
    outputMode: "file",
  }, ["a.ts", "d/b.ts"]],
  ["an include glob with a slash", { "d/b.ts": "foo\n", "e/d/b.ts": "foo\n" }, {
    pattern: "foo",
    include: "d/*.ts",
    outputMode: "file",
  }, ["d/b.ts"]],
  ["braces and excludes", { "a.ts": "foo\n", "a.js": "foo\n", "a.test.ts": "foo\n" }, {
    pattern: "foo",
    include: ["*.{ts,js}", "!*.test.ts"],
    outputMode: "file",
  }, ["a.js", "a.ts"]],
  ["an exclude glob", { "a.ts": "foo\n", "d/a.md": "foo\n" }, {
    pattern: "foo",
    exclude: "*.md",
    outputMode: "file",
  }, ["a.ts"]],
  ["a file type", { "a.ts": "foo\n", "a.py": "foo\n" }, {
    pattern: "foo",
    type: "py",
    outputMode: "file",
  }, ["a.py"]],
  ["a file type left out", { "a.ts": "foo\n", "a.py": "foo\n" }, {
    pattern: "foo",
    typeNot: "py",
    outputMode: "file",
  }, ["a.ts"]],
  ["ignored files", { ".gitignore": "*.log\n", "a.log": "foo\n", "a.txt": "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["a.txt"]],
  ["ignored files without ignore files", { ".gitignore": "*.log\n", "a.log": "foo\n" }, {
    pattern: "foo",
    ignore: false,
    outputMode: "file",
  }, ["a.log"]],
  ["an ignore file below", { "d/.ignore": "x\n", "d/x": "foo\n", x: "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["x"]],
  [
    "an exception from an ignored name",
    {
      ".gitignore": "*.log\n!keep.log\n",
      "a.log": "foo\n",
      "keep.log": "foo\n",
    },
    { pattern: "foo", outputMode: "file" },
    ["keep.log"],
  ],
  ["an ignored file that is named", { ".gitignore": "*.log\n", "a.log": "foo\n" }, {
    pattern: "foo",
    path: "a.log",
  }, ["a.log:1:foo"]],
  ["an ignored directory that is named", { ".gitignore": "/out/\n", "out/a": "foo\n" }, {
    pattern: "foo",
    path: "out",
  }, ["out/a:1:foo"]],
  [
    "a named directory of which everything is ignored",
    { ".gitignore": "*.b\nout/*\n", "out/a": "foo\n", "out/a.b": "foo\n", "out/c/d.b": "foo\n" },
    { pattern: "foo", path: "out" },
    ["out/a:1:foo"],
  ],
  ["hidden files", { ".h": "foo\n", ".d/a": "foo\n" }, { pattern: "foo", outputMode: "file" }, [
    ".d/a",
    ".h",
  ]],
  ["hidden files left out", { ".h": "foo\n", ".d/a": "foo\n", a: "foo\n" }, {
    pattern: "foo",
    hidden: false,
    outputMode: "file",
  }, ["a"]],
  ["files in .git are never searched", { ".git/config": "foo\n", a: "foo\n" }, {
    pattern: "foo",
    ignore: false,
  }, ["a:1:foo"]],
  ["sensitive files are never searched", { ".env": "foo\n", "id_rsa": "foo\n", "a.pem": "foo\n" }, {
    pattern: "foo",
    ignore: false,
  }, []],
  ["a sensitive file that is named", { ".env": "foo\n" }, { pattern: "foo", path: ".env" }, [
    "!permission_denied_by_policy",
  ]],
  [
    "a file in an embedded repository",
    {
      "sub/.git/HEAD": "ref: refs/heads/main\n",
      "sub/.git/objects/": null,
      "sub/.git/refs/": null,
      "sub/a": "foo\n",
    },
    "foo",
    ["sub/a:1:foo"],
  ],
  ["a submodule's .git file", { "sub/.git": "gitdir: ../x\n", "sub/a": "foo\n" }, "foo", [
    "sub/a:1:foo",
  ]],
  [
    "a bare repository among the files",
    {
      "x.git/HEAD": "ref: refs/heads/foo\n",
      "x.git/objects/": null,
      "x.git/refs/": null,
      "x.git/config": "[core]\n\tbare = true\n",
    },
    "foo",
    ["x.git/HEAD:1:ref: refs/heads/foo"],
  ],
  ["a symbolic link is not followed", { a: "foo\n", l: { symlink: "a" } }, "foo", ["a:1:foo"]],
  ["a symbolic link is followed", { "d/a": "foo\n", l: { symlink: "d" } }, {
    pattern: "foo",
    follow: true,
    outputMode: "file",
  }, ["d/a"]],
  ["a symbolic link that leads out", { l: { symlink: "/etc" }, a: "root\n" }, {
    pattern: "root",
    follow: true,
  }, ["a:1:root"]],
  ["a symbolic link that is named", { a: "foo\n", l: { symlink: "a" } }, {
    pattern: "foo",
    path: "l",
  }, ["a:1:foo"]],
  ["a dangling link", { l: { symlink: "nowhere" }, a: "foo\n" }, "foo", ["a:1:foo"]],
  ["levels of directories", { a: "foo\n", "d/b": "foo\n", "d/e/c": "foo\n" }, {
    pattern: "foo",
    maxDepth: 2,
    outputMode: "file",
  }, ["a", "d/b"]],
  [
    "files over the size limit",
    { a: "foo\n", b: "foo\nfoo\n" },
    {
      pattern: "foo",
      maxFileSize: 4,
      outputMode: "file",
    },
    ["a"],
    /1 file over 4 bytes was not searched/,
  ],
  ["a file over the size limit that is named", one("foo\nfoo\n"), {
    pattern: "foo",
    path: "a.txt",
    maxFileSize: 4,
    outputMode: "count",
  }, ["a.txt=2"]],
  ["a file over the usual limit", one("foo\n".repeat(270_000)), "foo", [], /over 1048576 bytes/],
  ["a file over the usual limit that is named", one("bar\n".repeat(270_000) + "foo\n"), {
    pattern: "foo",
    path: "a.txt",
  }, ["a.txt:270001:foo"]],
  ["no size limit", one("bar\n".repeat(270_000) + "foo"), {
    pattern: "foo",
    maxFileSize: 0,
  }, ["a.txt:270001:foo"]],
  ["a file that is named", { a: "foo\n", b: "foo\n" }, { pattern: "foo", path: "a" }, ["a:1:foo"]],
  ["files that are named", { a: "foo\n", b: "foo\n", c: "foo\n" }, {
    pattern: "foo",
    path: ["c", "a"],
  }, ["a:1:foo", "c:1:foo"]],
  ["a file that is named and walked", { "d/a": "foo\n" }, {
    pattern: "foo",
    path: ["d/a", "d"],
  }, ["d/a:1:foo"]],
  [
    "a glob and a file that is named",
    { "a.md": "foo\n" },
    {
      pattern: "foo",
      path: "a.md",
      include: "*.ts",
    },
    ["a.md:1:foo"],
    /include filter ignored/,
  ],
  ["a directory that is named", { "d/a": "foo\n", b: "foo\n" }, { pattern: "foo", path: "d" }, [
    "d/a:1:foo",
  ]],
  ["a path that is not there", { a: "foo\n" }, { pattern: "foo", path: "b" }, ["!path_not_found"]],
  ["a path that leads out", { a: "foo\n" }, { pattern: "foo", path: "../" }, [
    "!path_outside_workspace",
  ]],
  ["names with spaces", { "a b c": "foo\n", " d": "foo\n", "e ": "foo\n" }, "foo", [
    " d:1:foo",
    "a b c:1:foo",
    "e :1:foo",
  ]],
  ["names with line breaks", { "a\nb": "foo\n", "a": "bar\n", "b": "bar\n" }, "foo", [
    "a\nb:1:foo",
  ]],
  ["names with quotes and backslashes", { "a\"b'c\\d": "foo\n" }, "foo", ["a\"b'c\\d:1:foo"]],
  ["names with leading dashes", { "-e": "foo\n", "--pre=sh": "foo\n", "--": "foo\n" }, "foo", [
    "--:1:foo",
    "--pre=sh:1:foo",
    "-e:1:foo",
  ]],
  ["a name with a leading dash that is named", { "-e": "foo\n" }, { pattern: "foo", path: "-e" }, [
    "-e:1:foo",
  ]],
  ["names with colons", { "a:1:foo": "foo\n", ":": "foo\n" }, "foo", [
    "::1:foo",
    "a:1:foo:1:foo",
  ]],
  [
    "names with pathspec magic",
    {
      ":(top)a": "foo\n",
      ":!a": "foo\n",
      ":/a": "foo\n",
      ":^a": "foo\n",
      "a": "foo\n",
    },
    { pattern: "foo", outputMode: "file" },
    [":!a", ":(top)a", ":/a", ":^a", "a"],
  ],
  ["names that read as globs", { "*": "foo\n", "[a]": "foo\n", "a?": "foo\n", "a": "bar\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["*", "[a]", "a?"]],
  [
    "a name that reads as a glob, beside a file that is never searched",
    { "*": "foo\n", "?env": "foo\n", ".env": "foo\n" },
    { pattern: "foo", outputMode: "file" },
    ["*", "?env"],
  ],
  ["names with tabs and escapes", { "a\tb": "foo\n", "a\x1b[31m": "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["a\tb", "a\x1b[31m"]],
  ["names beyond ASCII", { "é.txt": "foo\n", "\u{1f600}": "foo\n", "日本": "foo\n" }, {
    pattern: "foo",
    outputMode: "file",
  }, ["é.txt", "日本", "\u{1f600}"]],
  ["a name with a percent sign and a dollar", { "%s$HOME`x`": "foo\n" }, "foo", [
    "%s$HOME`x`:1:foo",
  ]],
  ["a deep directory", { [`${"d/".repeat(60)}a`]: "foo\n" }, {
    pattern: "foo",
    outputMode: "count",
  }, [`${"d/".repeat(60)}a=1`]],
  [
    "a directory of many files",
    Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`f${i}`, i % 100 === 7 ? "foo\n" : "bar\n"]),
    ),
    { pattern: "foo", outputMode: "file" },
    ["f107", "f207", "f7"],
  ],
  ["an empty directory", { "d/": null }, "foo", []],
];

for (const cases of [PATTERNS, LETTERS, LINES, BYTES, OUTPUT, FILES]) {
  for (const [name, files, query, expected, note] of cases) {
    Deno.test(`every engine: ${name}`, async () => {
      await using tree = await tempTree(files);
      const asked = typeof query === "string" ? { pattern: query } : query;
      const answer = await sameAnswer(tree.root, asked);
      assert.deepEqual(entries(answer, tree.root), expected);
      if (note !== undefined) assert.match(String(answer.notes), note);
    });
  }
}

Deno.test("every engine: a budget leaves as much room for entries and context", async () => {
  await using tree = await tempTree({ "a.txt": "one\ntwo\nthree\n", "b.txt": "one\n" });
  const workspace = await Workspace.open(tree.root);
  for (let chars = 150; chars < 600; chars += 10) {
    for (const onOverflow of ["error", "truncate"] as const) {
      // Three engines hand this to the fourth, which a note of each says.
      const query = { pattern: "two", invert: true, before: 1, maxOutputChars: chars, onOverflow };
      const answers = ENGINES.map(async (engine) => {
        const answer = await search({ ...query, engine }, { workspace })
          .catch((error: PathgrepError) => error.toJSON());
        assert.ok(
          "error" in answer || JSON.stringify(answer).length <= chars,
          `${chars} ${engine}`,
        );
        return comparable(answer as EngineAnswer);
      });
      const [reference, ...others] = await Promise.all(answers);
      for (const answer of others) assert.deepEqual(answer, reference, `${chars} ${onOverflow}`);
    }
  }
});

Deno.test("engine git: JavaScript reads directories of thousands of files", async () => {
  await using tree = await tempTree({ "bin": null, "ws/many/f": "foo\n", "ws/few/f": "foo\n" });
  for (let index = 0; index < 5_000; index++) {
    Deno.writeFileSync(tree.path(`ws/many/${index}`), new Uint8Array());
  }
  const path = Deno.env.get("PATH")!;
  const wrapper = `#!/bin/sh\necho "$@" >> '${tree.path("calls")}'\nPATH='${path}' exec git "$@"\n`;
  await Deno.writeTextFile(tree.path("bin/git"), wrapper, { mode: 0o755 });
  const { code, stdout } = await run(["-l", "--engine", "git", "--paths", "relative", "foo"], {
    cwd: tree.path("ws"),
    permissions: ["-A"],
    env: { PATH: `${tree.path("bin")}:${path}` },
  });
  assert.equal(code, 0, stdout);
  assert.deepEqual(JSON.parse(stdout).files, ["few/f", "many/f"]);
  const calls = await Deno.readTextFile(tree.path("calls"));
  assert.match(calls, /few\/f/);
  assert.equal(calls.match(/many\//g), null);
});

for (const format of ["json", "jsonl", "text"]) {
  Deno.test(`every engine: the command line writes the same ${format}`, async () => {
    await using tree = await tempTree({
      "a.txt": "a\nfoo\nb\n",
      "d/b.txt": bytes("foo", [0xff], "\n"),
      "d/é": "foo é\r\n",
      "d/z": "x\n",
    });
    const options = {
      cwd: tree.root,
      permissions: ["-A"],
      env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
    };
    const args = ["-iC1", "--column", "--format", format, "FO+"];
    const [reference, ...others] = await Promise.all(
      ENGINES.map((engine) => run([...args, "--engine", engine], options)),
    );
    assert.equal(reference!.code, 0, reference!.stdout);
    assert.match(reference!.stdout, /foo é/);
    for (const { code, stdout, stderr } of others) {
      assert.deepEqual({ code, stdout, stderr }, {
        code: 0,
        stdout: reference!.stdout,
        stderr: reference!.stderr,
      });
    }
  });
}
