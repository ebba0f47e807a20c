/**
 * Globs: what each form matches, what is malformed, and that none is slow.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { PathgrepError } from "../../src/util/errors.ts";
import { Glob } from "../../src/glob/glob.ts";
import type { GlobOptions } from "../../src/glob/glob_parser.ts";
import { assertHolds } from "../support/draw.ts";

/** Asserts which paths a glob matches and which it does not. */
function check(source: string, yes: string[], no: string[], options: GlobOptions = {}): void {
  const glob = Glob.parse(source, options);
  for (const path of yes) assert.ok(glob.matches(path), `${source} should match ${path}`);
  for (const path of no) assert.ok(!glob.matches(path), `${source} should not match ${path}`);
}

Deno.test("plain text matches itself only", () => {
  check("src/a.ts", ["src/a.ts"], ["src/a.tsx", "rc/a.ts", "src/A.ts", "", "src/a.ts/b"]);
});

Deno.test("a star matches any characters but a slash, none too", () => {
  check("*.ts", ["a.ts", ".ts", "a.b.ts"], ["a.tsx", "src/a.ts"]);
  check("src*", ["src", "src.ts"], ["src/a", "asrc"]);
  check("a*b*c", ["abc", "a-b-b-c"], ["ab", "acb", "a/bc"]);
  check("*", ["a", ".a", ""], ["a/b"]);
  check("src/*", ["src/a"], ["src", "src/a/b"]);
});

Deno.test("a question mark matches one code point but no slash", () => {
  check("?.ts", ["a.ts", "é.ts", "日.ts", "😀.ts"], [".ts", "ab.ts", "/.ts"]);
});

Deno.test("two stars as a whole segment match any number of segments", () => {
  check("**/a", ["a", "x/a", "x/y/a"], ["ba", "x/ba", "a/x"]);
  check("a/**", ["a/x", "a/x/y"], ["a", "b/a/x"]);
  check("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "x/a/b"]);
  check("**", ["a", "a/b/c"], []);
  check("**/**/a", ["a", "x/a"], ["xa"]);
  check("a/**/**", ["a/x", "a/x/y"], ["a"]);
  check("**/*.ts", ["a.ts", "x/y/a.ts"], ["a.js"]);
  check("***/a", ["a", "x/y/a"], []);
});

Deno.test("two stars beside text are one star", () => {
  check("a**", ["a", "ab"], ["a/b"]);
  check("**.ts", ["a.ts"], ["a/b.ts"]);
  check("a**/b", ["a/b", "ax/b"], ["a/x/b", "b"]);
  check("a/**b", ["a/b", "a/xb"], ["a/x/b"]);
});

Deno.test("a class matches one of its characters, never a slash", () => {
  check("[abc]", ["a", "c"], ["d", "", "ab"]);
  check("[a-c0-9]", ["b", "5"], ["d", "-"]);
  check("[!a-c]", ["d", "é", "😀"], ["a", "b", "/"]);
  check("[^a]", ["b"], ["a"]);
  check("x[!a]y", ["xby"], ["x/y"]);
  check("x[/]y", [], ["x/y"]);
  check("[]a]", ["]", "a"], ["["]);
  check("[!]a]", ["b"], ["]", "a"]);
  check("[a-]", ["a", "-"], ["b"]);
  check("[\\]]", ["]"], ["\\"]);
  check("[à-ü]", ["é"], ["e", "日"]);
  check("[😀-😂]", ["😁"], ["😃", "\ud83d"]);
});

Deno.test("a class knows the POSIX names, for ASCII", () => {
  check("[[:alpha:]_]", ["a", "Z", "_"], ["1", "é"]);
  check("[[:digit:][:upper:]]", ["1", "A"], ["a"]);
  check("[![:space:]]", ["a"], [" ", "\t"]);
  check("[[:xdigit:]]", ["f", "F", "9"], ["g"]);
  check("[[:punct:]]", ["!", "~"], ["a", " "]);
});

Deno.test("a backslash makes the next character ordinary", () => {
  check("\\*", ["*"], ["a"]);
  check("\\[a]", ["[a]"], ["a"]);
  check("\\a", ["a"], ["\\a"]);
  check("\\\\", ["\\"], []);
  check("\\{a,b\\}", ["{a,b}"], ["a"]);
});

Deno.test("braces hold alternatives, which nest and may be empty", () => {
  check("*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js", "a.{ts,tsx}"]);
  check("*.ts{,x}", ["a.ts", "a.tsx"], ["a.tsxx"]);
  check("{a,b{c,d{e,f}}}", ["a", "bc", "bde", "bdf"], ["b", "bd", "ef"]);
  check("{src,test}/**/*.{js,ts}", ["src/a.js", "test/x/a.ts"], ["lib/a.js", "src/a.c"]);
  check("{src/**,test/**}/a", ["src/a", "src/x/a", "test/x/a"], ["a", "srca"]);
  check("src/{**/,}a", ["src/a", "src/x/y/a"], ["a", "src/xa"]);
  check("{[,],x}", [",", "x"], ["["]);
  check("{a}", ["a"], ["{a}"]);
  check("a,b", ["a,b"], ["a", "b"]);
});

Deno.test("in the gitignore dialect braces are ordinary characters", () => {
  check("*.{ts,js}", ["a.{ts,js}"], ["a.ts"], { dialect: "gitignore" });
});

Deno.test("letter case counts unless told otherwise", () => {
  check("Src/[A-C]*.TS", ["Src/Ax.TS"], ["src/ax.ts", "src/bx.ts"]);
  const options = { caseInsensitive: true };
  check("Src/[A-C]*.TS", ["src/ax.ts", "SRC/B.ts"], ["src/d.ts"], options);
  check("straße", ["STRASSE", "Straße"], ["strase"], options);
  check("ΟΔΟΣ", ["οδος"], [], options);
  check("id_rsa", ["ID_RſA", "Id_Rsa"], [], options);
  check("[!a]", ["b", "B"], ["a", "A"], options);
  check("[[:upper:]]x", ["ax", "AX"], ["1x"], options);
});

Deno.test("what can match below a directory is told without false assurance", () => {
  const cases: [string, string, "none" | "some" | "all"][] = [
    ["src/**/*.ts", "src", "some"],
    ["src/**/*.ts", "src/a/b", "some"],
    ["src/**/*.ts", "docs", "none"],
    ["src/**/*.ts", "", "some"],
    ["src/*.ts", "src/a", "none"],
    ["src/**", "src", "all"],
    ["src/**", "src/a", "all"],
    ["src/**", "srcs", "none"],
    ["**/node_modules/**", "a/node_modules", "all"],
    ["**/node_modules/**", "a", "some"],
    ["{src,lib}/**", "lib", "all"],
    ["{src/**,lib/**}", "lib", "all"],
    ["{src,lib}/**", "l", "none"],
    ["a.ts", "a.ts", "none"],
    ["**", "a", "all"],
    ["[ab]/?", "b", "some"],
  ];
  for (const [source, directory, expected] of cases) {
    assert.equal(Glob.parse(source).below(directory), expected, `${source} below ${directory}`);
  }
});

Deno.test("a list is split at commas outside braces and classes", () => {
  assert.deepEqual(Glob.split("*.ts,*.js"), ["*.ts", "*.js"]);
  assert.deepEqual(Glob.split("*.{ts,js},a"), ["*.{ts,js}", "a"]);
  assert.deepEqual(Glob.split("{a,{b,c}},[,],d\\,e"), ["{a,{b,c}}", "[,]", "d\\,e"]);
  assert.deepEqual(Glob.split("a,,b,"), ["a", "", "b", ""]);
});

Deno.test("a malformed glob is an error that quotes it and says what to write", () => {
  const cases: [string, RegExp][] = [
    ["a[b", /'a\[b' has a \[ without a \].*\\\[/],
    ["[]", /without a \]/],
    ["[!]", /without a \]/],
    ["[a\\", /without a \]/],
    ["{a,b", /'\{a,b' has a \{ without a \}.*\\\{/],
    ["a}", /has a \} without a \{.*\\\}/],
    ["a\\", /ends with a backslash.*\\\\/],
    ["[z-a]", /range that runs backwards/],
    ["[[:letter:]]", /\[:letter:\].*alpha/],
    ["a\0b", /NUL/],
    ["{".repeat(200) + "a" + "}".repeat(200), /nests braces/],
    ["a".repeat(70_000), /longer than 65536 characters/],
  ];
  for (const [source, message] of cases) {
    assert.throws(() => Glob.parse(source), (error: unknown) => {
      assert.ok(error instanceof PathgrepError);
      assert.equal(error.code, "invalid_input");
      assert.match(error.message, message);
      assert.ok(error.message.length < 500);
      return true;
    });
  }
});

Deno.test("in the gitignore dialect a malformed glob matches nothing", () => {
  for (const source of ["a[b", "[]", "a\\", "[[:letter:]]", "[z-a]"]) {
    check(source, [], [source, "a", "b", "a[b", "[", "m"], { dialect: "gitignore" });
  }
});

/** What a glob with braces means, written out. */
function expand(source: string): string[] {
  const open = source.lastIndexOf("{");
  if (open < 0) return [source];
  const close = source.indexOf("}", open);
  return source.slice(open + 1, close).split(",").flatMap((branch) =>
    expand(source.slice(0, open) + branch + source.slice(close + 1))
  );
}

Deno.test("braces mean the same as each alternative written out", (t) => {
  const text = fc.array(fc.constantFrom("a", "b", "*", "?", "/"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("").replaceAll(/\*\*+/g, "*").replaceAll(/\/\/+/g, "/"));
  const group = fc.array(text, { minLength: 1, maxLength: 3 })
    .map((branches) => `{${branches.join(",")}}`);
  const nested = fc.tuple(text, group, group).map(([a, b, c]) => `{${a},${b}${a},${c}}`);
  const source = fc.array(fc.oneof(text, group, nested), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("").replaceAll(/(?<=[*{,}])\*/g, "a"));
  const path = fc.array(fc.constantFrom("a", "b", "c", "/"), { minLength: 1, maxLength: 7 })
    .map((parts) => parts.join(""));
  const paths = fc.array(path, { minLength: 10, maxLength: 10 });
  assertHolds(
    t,
    fc.property(source, paths, (glob, tried) => {
      const whole = Glob.parse(glob);
      const parts = expand(glob).map((one) => Glob.parse(one));
      for (const one of tried) {
        assert.equal(whole.matches(one), parts.some((part) => part.matches(one)), one);
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("globs matched together answer as each of them alone", (t) => {
  const text = fc.array(fc.constantFrom("a", "b", "*", "*", "**", "/", "?", "[ab]", "\\/"), {
    minLength: 1,
    maxLength: 5,
  }).map((parts) => parts.join(""));
  const globs = fc.array(text, { minLength: 2, maxLength: 12 });
  const path = fc.array(fc.constantFrom("a", "b", "/"), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(""));
  const paths = fc.array(path, { minLength: 10, maxLength: 10 });
  assertHolds(
    t,
    fc.property(globs, paths, (sources, tried) => {
      const alone = sources.map((source) => Glob.parse(source));
      const together = Glob.lastOf(alone);
      for (const one of tried) {
        assert.equal(together(one), alone.findLastIndex((glob) => glob.matches(one)), one);
      }
    }),
    { numRuns: 500 },
  );
  const malformed = Glob.parse("[", { dialect: "gitignore" });
  assert.equal(Glob.lastOf([Glob.parse("a"), malformed])("a"), 0);
  assert.equal(Glob.lastOf([malformed])("["), -1);
  assert.equal(Glob.lastOf([])("a"), -1);
});

Deno.test("many globs are matched together, whatever they share", () => {
  const names = Array.from({ length: 2000 }, (_, i) => `name${i}.ext${i}`);
  const sources = [
    ...names.map((name) => `*${name.slice(name.indexOf("."))}`),
    ...names,
    ...Array.from({ length: 3 }, () => "a".repeat(50_000)),
  ];
  const last = Glob.lastOf(sources.map((source) => Glob.parse(source)));
  for (const [i, name] of names.entries()) {
    assert.equal(last(name), 2000 + i);
    assert.equal(last(`x${name}`), i);
    assert.equal(last(`${name}x`), -1);
  }
  assert.equal(last("a".repeat(50_000)), 4002);
  assert.equal(last("a".repeat(49_999)), -1);
});

Deno.test("globs made to blow up end at once", () => {
  const long = "a".repeat(4000);
  const deep = "a/".repeat(2000);
  const hostile = [
    "a*".repeat(25) + "b",
    "*a".repeat(300) + "b",
    "**/".repeat(30) + "b",
    "**/a/".repeat(100) + "b",
    "a/**/".repeat(100) + "b",
    "{a,b}".repeat(30) + "c",
    "{a,ab,abb}".repeat(1000),
    "{,a}".repeat(500) + "b",
    "{*a,a*}".repeat(100) + "b",
    "{**/a,a/**}/".repeat(100) + "b",
    "{a,".repeat(90) + "b" + "}".repeat(90),
    ("{a,".repeat(40) + "{a,a}".repeat(10) + "}".repeat(40)).repeat(5) + "b",
    "?*".repeat(200) + "b",
    "[ab]*".repeat(200) + "c",
    "[é日]*".repeat(200) + "c",
    "*".repeat(60_000) + "b",
    "[" + "[:".repeat(30_000) + "x]" + "b".repeat(5),
  ];
  for (const source of hostile) {
    for (const dialect of ["include", "gitignore"] as const) {
      const glob = Glob.parse(source, { dialect });
      for (const path of [long, deep + "a", "日".repeat(1000), "a".repeat(30)]) {
        assert.equal(glob.matches(path), false, source.slice(0, 40));
        glob.below(path);
      }
    }
  }
});

Deno.test("forgotten states change no answer", (t) => {
  // Every subset of positions is a state of its own: more than are remembered.
  const glob = Glob.parse(`*a${"?".repeat(14)}`);
  assertHolds(
    t,
    fc.property(
      fc.array(fc.constantFrom("a", "b"), { minLength: 100, maxLength: 300 }),
      (letters) => {
        assert.equal(glob.matches(letters.join("")), letters.at(-15) === "a");
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("a range of one character, and the last of a named class, are taken in", () => {
  check("[a-a]", ["a"], ["b", "-"]);
  check("[[:digit:]]", [..."0123456789"], ["a", "/"]);
  check("[b-d]", ["b", "c", "d"], ["a", "e"]);
});

Deno.test("characters beyond ASCII are told apart, whichever comes first", () => {
  check("é.ts", ["é.ts"], ["è.ts", "日.ts", "e.ts"]);
  check("*é*", ["é", "aéb"], ["è", "日本"]);
  check("[😀-😂]x", ["😁x"], ["😃x", "éx"]);
});

Deno.test("an escaped slash after two stars is never left out", () => {
  check("**\\/b", ["x/b", "x/y/b"], ["b"]);
  check("**/b", ["x/b", "b"], []);
});

Deno.test("two stars after braces are whole segments only if every alternative ends one", () => {
  check("{a,b/}**/c", ["ax/c", "b/x/c"], ["a/x/y/c"]);
  check("{a/,b/}**/c", ["a/c", "a/x/y/c", "b/c", "b/x/y/c"], ["ac"]);
});
