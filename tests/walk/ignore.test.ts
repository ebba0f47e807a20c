/**
 * Ignore rules, one by one, as git's manual states them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IgnoreRules } from "../../src/glob/ignore_rules.ts";

/** Whether rules ignore a path; one that ends with a slash is a directory. */
function ignores(rules: IgnoreRules, path: string): boolean {
  const isDirectory = path.endsWith("/");
  const entry = isDirectory ? path.slice(0, -1) : path;
  return rules.ignores(entry, entry.slice(entry.lastIndexOf("/") + 1), isDirectory);
}

/** Asserts what a `.gitignore` at the root ignores and what it does not. */
function check(gitignore: string, ignored: string[], kept: string[]): void {
  const rules = IgnoreRules.NONE.extend("", { ".gitignore": gitignore });
  for (const path of ignored) assert.ok(ignores(rules, path), `${path} should be ignored`);
  for (const path of kept) assert.ok(!ignores(rules, path), `${path} should be kept`);
}

Deno.test("a rule without a slash matches names at any depth", () => {
  check("a.txt", ["a.txt", "x/a.txt", "x/y/a.txt", "a.txt/"], ["a.txt2", "ba.txt"]);
  check("*.log", ["a.log", "x/y/.log"], ["a.logs", "x.log.txt"]);
  check("*.tar.gz", ["a.tar.gz", "x/b.tar.gz"], ["a.gz", "tar.gz"]);
  check("*~", ["a~", "x/~"], ["~a"]);
  check("temp*", ["temp", "x/temporary"], ["x/atemp"]);
});

Deno.test("a rule with a slash at its start or in its middle is a path from its file's directory", () => {
  check("/a", ["a", "a/"], ["x/a"]);
  check("x/a", ["x/a"], ["a", "y/x/a"]);
  check("/x/*.c", ["x/a.c"], ["x/y/a.c", "a.c"]);
  const rules = IgnoreRules.NONE.extend("sub", { ".gitignore": "/a\nx/b\nc" });
  assert.ok(ignores(rules, "sub/a") && ignores(rules, "sub/x/b") && ignores(rules, "sub/x/c"));
  assert.ok(!ignores(rules, "sub/x/a") && !ignores(rules, "sub/x/y/b"));
});

Deno.test("a rule with a slash at its end is for directories only", () => {
  check("a/", ["a/", "x/a/"], ["a", "x/a"]);
  check("/a/", ["a/"], ["x/a/", "a"]);
  check("x/a/", ["x/a/"], ["x/a", "y/x/a/"]);
  check("*.d/", ["x.d/"], ["x.d"]);
  check("*/", ["a/"], ["a"]);
});

Deno.test("two stars match over directories", () => {
  check("**/a", ["a", "x/y/a"], ["ba"]);
  check("**/x/a", ["x/a", "y/x/a"], ["xx/a"]);
  check("a/**", ["a/b", "a/b/c", "a/b/"], ["a", "a/", "x/a/b"]);
  check("a/**/b", ["a/b", "a/x/y/b"], ["a/xb"]);
  check("**", ["a", "x/a", "x/"], []);
});

Deno.test("the last rule of a file that matches counts, and an exclamation mark keeps", () => {
  check("*.log\n!keep.log", ["a.log"], ["keep.log", "x/keep.log"]);
  check("!keep.log\n*.log", ["a.log", "keep.log"], []);
  check("a\n!a\na", ["a"], []);
  check("/*\n!/src\n/src/*\n!/src/a", ["b", "src/b"], ["src/", "src/a"]);
  check("a\n!a/", ["a"], ["a/"]);
  check("a/\n!a", [], ["a/", "a"]);
  check("*.c\n!x*\nxy.c", ["xy.c", "a.c"], ["x.c"]);
});

Deno.test("blank lines, comments, line ends and a byte-order mark are read as git reads them", () => {
  check("\ufeffa\n\n# c\nb", ["a", "b"], ["# c", "c", "\ufeffa"]);
  check("a\r\nb\r\n", ["a", "b"], ["a\r"]);
  check("a\r", ["a"], ["a\r"]);
  check("a\rb", ["a\rb"], ["a", "b"]);
  check("\\#a\n\\!b", ["#a", "!b"], ["a", "b"]);
  check("a #b", ["a #b"], ["a"]);
  check("a\0b", ["a"], ["a\0b", "b"]);
});

Deno.test("spaces at the end are dropped unless a backslash keeps them; tabs stay", () => {
  check("a  ", ["a"], ["a  "]);
  check("a\\ ", ["a "], ["a", "a\\ "]);
  check("a\\  ", ["a "], ["a  "]);
  check("a\\\\ ", ["a\\"], ["a\\ "]);
  check(" a", [" a"], ["a"]);
  check("a\t", ["a\t"], ["a"]);
  check("a/ ", ["a/"], ["a"]);
});

Deno.test("classes and escapes in names are read as git reads them", () => {
  check("*.py[cod]", ["a.pyc", "a.pyo"], ["a.py", "a.pyx"]);
  check("[!a]", ["b"], ["a"]);
  check("[[:digit:]]*", ["1a"], ["a1"]);
  check("\\a\\*", ["a*"], ["ab", "\\a*"]);
  check("{a,b}", ["{a,b}"], ["a", "b"]);
  check("a[", [], ["a[", "a"]);
  check("a\\", [], ["a\\", "a"]);
  check("é?", ["éa"], ["e?", "é日"]); // it matches a byte
  check("é???", ["é日"], ["éa"]);
});

Deno.test("rules that can match nothing match nothing", () => {
  check("/\n!\n!/\n//\na//\n//a\n\\", [], ["a", "a/", "\\", "!"]);
});

Deno.test("letter case counts", () => {
  check("Makefile\n*.C", ["Makefile", "a.C"], ["makefile", "a.c"]);
});

Deno.test("names that objects have are ordinary names", () => {
  check("a", [], ["constructor", "__proto__", "x/toString"]);
  check("__proto__\n*.constructor", ["__proto__", "a.constructor"], ["constructor"]);
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
