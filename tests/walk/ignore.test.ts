/**
 * Ignore rules, one by one, as git's manual states them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IgnoreRules } from "../../src/glob/ignore_rules.ts";
import { testEach } from "../support/testdata.ts";
import { RULES, type RulesCase } from "./git_rules.ts";

/** Whether rules ignore a path; one that ends with a slash is a directory. */
function ignores(rules: IgnoreRules, path: string): boolean {
  const isDirectory = path.endsWith("/");
  const entry = isDirectory ? path.slice(0, -1) : path;
  return rules.ignores(entry, entry.slice(entry.lastIndexOf("/") + 1), isDirectory);
}

testEach<RulesCase>(RULES, ({ rules: text, ignored, kept }) => {
  const rules = IgnoreRules.NONE.extend("", { ".gitignore": text });
  for (const path of ignored) assert.ok(ignores(rules, path), `${text} should ignore ${path}`);
  for (const path of kept) assert.ok(!ignores(rules, path), `${text} should not ignore ${path}`);
});

Deno.test("rules of a file in a directory start from there", () => {
  const rules = IgnoreRules.NONE.extend("sub", { ".gitignore": "/a\nx/b\nc" });
  assert.ok(ignores(rules, "sub/a") && ignores(rules, "sub/x/b") && ignores(rules, "sub/x/c"));
  assert.ok(!ignores(rules, "sub/x/a") && !ignores(rules, "sub/x/y/b"));
});

Deno.test("a deeper file of the same name counts before those above it", () => {
  const top = IgnoreRules.NONE.extend("", { ".gitignore": "*.log\n!b.txt" });
  const sub = top.extend("sub", { ".gitignore": "!a.log\nb.txt" });
  const deep = sub.extend("sub/deep", { ".gitignore": "a.log" });
  assert.ok(ignores(top, "a.log") && !ignores(sub, "sub/a.log") && ignores(deep, "sub/deep/a.log"));
  assert.ok(ignores(deep, "sub/deep/b.txt") && ignores(sub, "sub/c.log"));
});

Deno.test("any .ignore counts before every .gitignore, and these before every exclude file", () => {
  const top = IgnoreRules.NONE.extend("", {
    ".ignore": "!a\nb",
    ".gitignore": "a\n!b\nc\n!d",
    ".git/info/exclude": "a\nd\ne\n!c",
  });
  assert.deepEqual(["a", "b", "c", "d", "e"].filter((path) => ignores(top, path)), ["b", "c", "e"]);
  const sub = top.extend("sub", { ".gitignore": "a\n!b\n!e" });
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].filter((path) => ignores(sub, `sub/${path}`)),
    ["b", "c"],
  );
  const deep = sub.extend("sub/deep", { ".git/info/exclude": "!c\nf" });
  assert.ok(ignores(deep, "sub/deep/c") && ignores(deep, "sub/deep/f"));
});

Deno.test("a rule of an .rgignore counts before those of every .ignore", () => {
  const top = IgnoreRules.NONE.extend("", { ".ignore": "a\n!b", ".rgignore": "!a\nb" });
  assert.ok(!ignores(top, "a") && ignores(top, "b"));
  const sub = top.extend("sub", { ".ignore": "a\n!b" });
  assert.ok(!ignores(sub, "sub/a") && ignores(sub, "sub/b"));
});

Deno.test("a directory without rules has its parent's, the same object", () => {
  const rules = IgnoreRules.NONE.extend("", { ".gitignore": "a" });
  assert.equal(rules.extend("sub", {}), rules);
  assert.equal(rules.extend("sub", { ".gitignore": "", ".ignore": "\n# nothing\n \n" }), rules);
  assert.equal(
    IgnoreRules.NONE.extend("", { ".git/info/exclude": "# git's template\n" }),
    IgnoreRules.NONE,
  );
  assert.equal(ignores(IgnoreRules.NONE, "a"), false);
});

Deno.test("rules of a directory do not change those of its parent or of its siblings", () => {
  const top = IgnoreRules.NONE.extend("", { ".gitignore": "a" });
  const one = top.extend("one", { ".gitignore": "!a\nb" });
  const two = top.extend("two", { ".gitignore": "c" });
  assert.ok(ignores(top, "a") && !ignores(top, "b") && !ignores(one, "one/a"));
  assert.ok(ignores(two, "two/a") && ignores(two, "two/c") && !ignores(two, "two/b"));
});

Deno.test("rules made to blow up end at once", () => {
  const hostile = [
    "a*".repeat(25) + "b",
    "**/".repeat(30) + "b",
    "*".repeat(1000) + "b",
    "**/a/".repeat(500) + "b",
    "[a-z]*".repeat(200) + "1",
    "{a,b}".repeat(30),
    "!" + "?*".repeat(1000) + "b",
    "*a".repeat(100_000),
    "*a".repeat(30_000),
    "[" + "[:".repeat(30_000) + "x]b",
    "[" + "[:".repeat(500_000) + "x]b",
  ];
  const rules = IgnoreRules.NONE.extend("", { ".gitignore": hostile.join("\n") });
  for (const path of ["a".repeat(255), "a/".repeat(300) + "a", "x/" + "ab".repeat(100)]) {
    for (let i = 0; i < 20; i++) assert.equal(ignores(rules, `${path}${i}z`), false);
  }
});
