/**
 * Globs: what each form matches, what is malformed, and that none is slow.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { PathgrepError } from "../../src/util/errors.ts";
import { type GlobOptions, splitGlobs } from "../../src/glob/glob_parser.ts";
import { Glob } from "../../src/glob/glob.ts";
import { expandedBraces } from "../../src/glob/glob_paths.ts";
import { assertHolds } from "../support/draw.ts";
import { testEach } from "../support/testdata.ts";
import { test } from "../support/needs.ts";

/** Paths that a glob matches, and some that it does not. */
interface MatchCase extends GlobOptions {
  about: string;
  glob: string;
  matches: string[];
  others: string[];
}

/** Whether a glob matches some or all of what is in a directory. */
interface BelowCase {
  about: string;
  glob: string;
  directory: string;
  below: "none" | "some" | "all";
}

testEach<MatchCase>("glob/matches.jsonl", ({ glob: source, matches, others, ...options }) => {
  const glob = Glob.parse(source, options);
  for (const path of matches) assert.ok(glob.matches(path), `${source} should match ${path}`);
  for (const path of others) assert.ok(!glob.matches(path), `${source} should not match ${path}`);
});

testEach<BelowCase>("glob/below.jsonl", ({ glob, directory, below }) => {
  assert.equal(Glob.parse(glob).below(directory), below, `${glob} below ${directory}`);
});

Deno.test("a list is split at commas outside braces and classes", () => {
  assert.deepEqual(splitGlobs("*.ts,*.js"), ["*.ts", "*.js"]);
  assert.deepEqual(splitGlobs("*.{ts,js},a"), ["*.{ts,js}", "a"]);
  assert.deepEqual(splitGlobs("{a,{b,c}},[,],d\\,e"), ["{a,{b,c}}", "[,]", "d\\,e"]);
  assert.deepEqual(splitGlobs("a,,b,"), ["a", "", "b", ""]);
  assert.deepEqual(splitGlobs("@(a,b|c),(d,e)"), ["@(a,b|c)", "(d", "e)"]);
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
    ["[z-a]", /reversed range/],
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
  const group = fc.array(text, { minLength: 2, maxLength: 2 })
    .map((branches) => `{${branches.join(",")}}`);
  const nested = fc.tuple(text, group, group).map(([a, b, c]) => `{${a},${b}${a},${c}}`);
  const source = fc.array(fc.oneof(text, group, nested), { minLength: 1, maxLength: 3 })
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

Deno.test("a glob written out matches what it matched before", (t) => {
  const text = fc.array(fc.constantFrom("a", "b", "*", "?", "/", "[ab]", "\\,"), {
    minLength: 0,
    maxLength: 3,
  }).map((parts) => parts.join("").replaceAll(/\/\/+/g, "/"));
  const { group } = fc.letrec<{ group: string; branch: string }>((tie) => ({
    group: fc.array(tie("branch"), { minLength: 1, maxLength: 3 })
      .map((branches) => `{${branches.join(",")}}`),
    branch: fc.oneof(
      { maxDepth: 2 },
      text,
      fc.tuple(text, tie("group"), text).map((parts) => parts.join("")),
    ),
  }));
  const source = fc.array(fc.oneof(text, group), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(""))
    // Whether two stars are a whole segment depends on every alternative around them.
    .filter((glob) => !glob.includes("**"));
  const path = fc.array(fc.constantFrom("a", "b", ",", "/", "{", "}"), {
    minLength: 1,
    maxLength: 7,
  })
    .map((parts) => parts.join(""));
  assertHolds(
    t,
    fc.property(source, fc.array(path, { minLength: 10, maxLength: 10 }), (glob, tried) => {
      const whole = Glob.parse(glob);
      const parts = expandedBraces(glob)?.map((tokens) => Glob.parse(tokens.join(""))) ?? [whole];
      for (const one of tried) {
        assert.equal(parts.some((part) => part.matches(one)), whole.matches(one), `${glob} ${one}`);
      }
    }),
    { numRuns: 1000 },
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

test.slow("globs made to blow up end at once", () => {
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
