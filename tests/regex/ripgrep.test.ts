/** The syntax that ripgrep shares: its answers on the same patterns and text. */

import assert from "node:assert/strict";
import { rgPath } from "../support/oracles.ts";
import { spawn } from "../support/spawn.ts";
import { entriesOf, type SomeOptions } from "./support.ts";

const TEXT = `import { readFile } from "node:fs/promises";
export async function loadConfig(path: string): Promise<Config> {
  const text = await readFile(path, "utf8"); // TODO(jim): cache
  return JSON.parse(text) as Config;
}

class HttpError extends Error { constructor(readonly status = 404) { super(\`\${status}\`); } }
const re = /^[a-z]+(\\d{2,4})?$/i, x = a[0] ?? b["k"], s = 'it''s';
  \tfoo.bar(baz)  ;
Foo FOO foo_bar fooBar foo-bar
naïve café ÉCOLE ß straße Σίσυφος 日本語 😀 e\u0301
192.168.0.1 2024-01-31 a@b.co https://example.org/x?y=1#z
<div class="a b">{{ x }}</div> $HOME \${HOME} #{x} C:\\dir
a\tb\u00a0c\fd
\taaa aa a ababab abcabc xyzzy
error: failed to open file (code 2)
ERROR: timeout after 30s
last line without end`;

interface Row {
  type: string;
  data: {
    lines: { text: string };
    line_number: number;
    submatches: { match: { text: string }; start: number }[];
  };
}

/** Line numbers and matched texts by ripgrep. */
async function byRipgrep(
  patterns: readonly string[],
  text: string,
  flags: readonly string[],
): Promise<[number, string[]][]> {
  const expressions = patterns.flatMap((pattern) => ["-e", pattern]);
  const args = ["--no-config", "--json", "--crlf", ...flags, ...expressions, "-"];
  const { code, stdout, stderr } = await spawn(await rgPath(), args, { stdin: text });
  assert.notEqual(code, 2, stderr);
  return stdout.trim().split("\n")
    .map((row) => JSON.parse(row) as Row)
    .filter((row) => row.type === "match")
    .map(({ data }) => [
      data.line_number,
      data.submatches.map((one) => one.match.text).filter((one) => one !== ""),
    ]);
}

/** The same by us. */
function byUs(
  patterns: readonly string[],
  text: string,
  options: SomeOptions,
): [number, string[]][] {
  const parts = new Map<number, string[]>();
  for (const { line_number } of entriesOf(patterns, text, options)) parts.set(line_number, []);
  for (const entry of entriesOf(patterns, text, { ...options, onlyMatching: true })) {
    if (options.invert !== true) parts.get(entry.line_number)!.push(entry.line);
  }
  return [...parts];
}

const PATTERNS = [
  "foo",
  "foo|bar|baz",
  "^import .* from",
  "\\bfoo\\b",
  "\\bfoo",
  "foo\\b",
  "fo+",
  "[A-Z]{2,}",
  "[^a-z\\s]+$",
  "^\\s*$",
  "^$",
  "",
  "x*",
  "(?i)error",
  "(?i:foo)bar",
  "(?i)straße",
  "(?i)σίσυφοσ",
  "(?i)école",
  "func(tion)?\\s+\\w+\\(",
  "\\(.*\\)",
  "\\(.*?\\)",
  '"[^"]*"',
  'https?://[^\\s"]+',
  "[0-9]{1,3}(\\.[0-9]{1,3}){3}",
  "[0-9]{4}-[0-9]{2}-[0-9]{2}",
  "(?P<a>ab)+",
  "(?:ab|abc)+",
  "(?:abc|ab)+",
  "a{2}",
  "a{2,}?",
  "a+?b",
  "(a|ab)(c|bcd)*",
  "\\$\\{?HOME\\}?",
  "\\{\\{",
  "\\[0\\]",
  "a\\[0\\] \\?\\?",
  "C:\\\\dir",
  "\\pL+\\x{e9}",
  "\\p{Greek}+",
  "\\p{Lu}\\p{Ll}+",
  "[[:alpha:]]+",
  "[[:digit:][:punct:]]+",
  "[[:^space:]]{10,}",
  "\\x{1F600}",
  "日.語",
  "caf.\\b|caf. ",
  "^.{5}$",
  "[\\w.-]+@[\\w.-]+",
  "TODO|FIXME",
  "TODO\\([a-z]+\\):",
  "^\\t",
  "\\ta+",
  "a.b",
  "b.c",
  "(?s)a.b",
  "last line without end$",
  "\\Alast",
  "end\\z",
  "[]x]",
  "[^]a-z ]{3}",
  "[a\\-z]+",
  "[-x]+",
  "[+*?.()]",
  "(?:)",
  "(?:a|)",
  "\\<foo\\>",
  "\\b{start}foo",
  "error.*timeout|failed.*file",
  ".*",
  ".+foo.*",
  "e$",
  "\\S+;$",
  "(?m)^foo",
  "[^\\n]+x",
  "\\D{20}",
  "[^\\W\\d_]{6,}",
];

/** ripgrep's `\w`, `\d` and `\b` know all of Unicode: only these lines are the same for both. */
const ASCII_TEXT = TEXT.split("\n").filter((line) => /^[\0-\x7f]*$/.test(line)).join("\n");

function textFor(pattern: string): string {
  return /\\[wWdDbBsS<>]/.test(pattern) ? ASCII_TEXT : TEXT;
}

Deno.test("ripgrep and this read the shared syntax alike", async () => {
  for (const pattern of PATTERNS) {
    const text = textFor(pattern);
    assert.deepEqual(byUs([pattern], text, {}), await byRipgrep([pattern], text, []), pattern);
  }
});

Deno.test("ripgrep and this read lines that end in \\r\\n alike", async () => {
  for (const pattern of ["e$", "^$", ".$", "[^a-z\\s]+$", "^\\s*$", ";\\z", "end$", "\\S+;$"]) {
    const text = ASCII_TEXT.replaceAll("\n", "\r\n");
    assert.deepEqual(byUs([pattern], text, {}), await byRipgrep([pattern], text, []), pattern);
  }
});

Deno.test("ripgrep and this agree on letter case, smart case, whole words and lines, inversion and fixed strings", async () => {
  const variants: [string[], SomeOptions][] = [
    [["-i"], { caseInsensitive: true }],
    [["-S"], { smartCase: true }],
    [["-w"], { wholeWord: true }],
    [["-x"], { wholeLine: true }],
    [["-v"], { invert: true }],
    [["-F"], { fixedStrings: true }],
  ];
  for (const [flags, options] of variants) {
    for (
      const pattern of ["foo", "Foo", "a", "é", "ERROR", "foo|bar", "x.*y", "(b)az", "", ".", "{"]
    ) {
      const refused = pattern === "{" && flags[0] !== "-F";
      if (refused) continue;
      const expected = await byRipgrep([pattern], TEXT, flags);
      const ours = byUs([pattern], TEXT, options);
      const lines = (rows: [number, string[]][]) => rows.map(([line]) => line);
      if (options.invert) assert.deepEqual(lines(ours), lines(expected), `-v ${pattern}`);
      else assert.deepEqual(ours, expected, `${flags} ${pattern}`);
    }
  }
});

Deno.test("ripgrep and this agree on several patterns and on multiline", async () => {
  for (
    const patterns of [["foo", "bar"], ["foo bar", "foo"], ["a(b", "x"].slice(1), ["^$", "last"]]
  ) {
    assert.deepEqual(byUs(patterns, TEXT, {}), await byRipgrep(patterns, TEXT, []), `${patterns}`);
  }
  for (
    const pattern of ["\\{\\n", "(?s)class.*?const", "\\}\\s+class", "^$", "foo$", ";\\n  \\w+"]
  ) {
    const rows = await byRipgrep([pattern], ASCII_TEXT, ["-U"]);
    // ripgrep joins adjacent matches into one row.
    const ours = byUs([pattern], ASCII_TEXT, { multiline: true });
    assert.deepEqual(ours.map(([line]) => line), rows.map(([line]) => line), pattern);
  }
});
