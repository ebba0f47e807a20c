/**
 * The pattern syntax, what may not hang, ignore files and include globs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, Workspace } from "../../mod.ts";
import { type Answer, denoDir, fails, files, found, lines } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** One line of text, and the pattern that must or must not match in it. */
type Case = [pattern: string, line: string, matches: boolean, ...flags: string[]];

/** Runs each case alone and holds it against what was said. */
async function check(cases: readonly Case[]): Promise<void> {
  const entries: Record<string, TreeEntry> = {};
  cases.forEach(([, line], i) => entries[`${i}.txt`] = `${line}\n`);
  await using t = await tempTree(entries);
  for (let i = 0; i < cases.length; i += 4) {
    await Promise.all(
      cases.slice(i, i + 4).map(async ([pattern, line, matches, ...flags], j) => {
        const result = await found([...flags, "-e", pattern, `${i + j}.txt`], { cwd: t.root });
        assert.equal(result.count, matches ? 1 : 0, `/${pattern}/ ${flags.join(" ")} in ${line}`);
      }),
    );
  }
}

test.slow("patterns are regular expressions, matched line by line and by code point", async () => {
  await check([
    ["f(o+)\\1", "foo", true],
    ["(?<=a)b(?!c)", "abd", true],
    ["(?<=a)b(?!c)", "abc", false],
    ["^.$", "\u{1F600}", true],
    ["^.{2}$", "\u{1F600}é", true],
    ["[\u{1F600}-\u{1F610}]", "\u{1F605}", true],
    ["\\p{Lu}", "É", true],
    ["\\u{1F600}", "\u{1F600}", true],
    ["^[^a]$", "\u{1F600}", true],
    ["^a|b$", "xb", true],
    ["(?<year>\\d{4})", "in 2024", true],
    ["\\bfoo\\b", "a foo b", true],
  ]);
});

Deno.test("\\w, \\d and \\b are ASCII", async () => {
  await check([
    ["\\w", "é", false],
    ["\\d", "٣", false],
    ["\\bcole\\b", "école", true],
    ["^\\W$", "é", true],
  ]);
});

Deno.test("a note says so when \\b stands beside a letter that is not ASCII", async () => {
  await using t = await tempTree({ "a.txt": "une école\n" });
  const noted = await found(["\\bécole"], { cwd: t.root });
  assert.match((noted.notes ?? []).join("\n"), /\\b/);
  const plain = await found(["\\bune"], { cwd: t.root });
  assert.equal(plain.notes, undefined);
});

Deno.test("-w uses Unicode word characters", async () => {
  await check([
    ["cole", "école", false, "-w"],
    ["caf", "café", false, "-w"],
    ["école", "une école!", true, "-w"],
    ["日本", "日本語", false, "-w"],
    ["日本", "日本 語", true, "-w"],
    ["foo", "foo_bar", false, "-w"],
    ["foo", "foobar foo", true, "-w"],
    ["foo|foobar", "foobar", true, "-w"],
    ["-x", "a -x b", true, "-w"],
  ]);
});

Deno.test("case is folded beyond ASCII", async () => {
  await check([
    ["É", "é", true, "-i"],
    ["straße", "STRAßE", true, "-i"],
    ["привет", "ПРИВЕТ", true, "-i"],
    ["É", "é", false],
    ["é", "É", true, "-S"],
    ["É", "é", false, "-S"],
  ]);
});

Deno.test("-S looks at literal letters only", async () => {
  await check([
    ["foo\\S", "FOOx", true, "-S"],
    ["\\w+foo", "aFOO", true, "-S"],
    ["Foo", "foo", false, "-S"],
  ]);
});

Deno.test("flags at the start of a pattern are read", async () => {
  await check([
    ["(?i)needle", "NEEDLE", true],
    ["(?i)NEEDLE", "needle", true],
    ["(?s)a.b", "axb", true],
    ["(?m)^b", "b", true],
    ["(?im)^B", "b", true],
  ]);
});

Deno.test("named groups, anchors and quoting from other dialects are read", async () => {
  await check([
    ["(?P<n>a)b", "ab", true],
    ["\\Aab", "abab", true],
    ["\\Ab", "ab", false],
    ["ab\\z", "abab", true],
    ["a\\z", "ab", false],
    ["a\\hb", "a b", true],
    ["a\\hb", "a\tb", true],
    ["a\\hb", "ahb", false],
    ["\\<foo\\>", "a foo b", true],
    ["\\<foo\\>", "afoo", false],
    ["\\<foo\\>", "fooa", false],
    ["\\Qa.b(\\E+", "a.b(((", true],
    ["\\Qa.b\\E", "axb", false],
    ["\\Qa.b", "a.b", true],
    ["^\\pL$", "é", true],
    ["^\\pL$", "1", false],
    ["^[[:alpha:]]+$", "abc", true],
    ["^[[:alpha:]]+$", "ab1", false],
    ["[[:digit:][:space:]]x", "1x", true],
    ["[[:upper:]_]", "a", false],
  ]);
});

Deno.test("an escaped punctuation character is that character", async () => {
  const characters = [...`!"#%&',-/:;=@_\`~`];
  await check([
    ...characters.map((c): Case => [`^a\\${c}b$`, `a${c}b`, true]),
    ["^[\\-\\_\\#]$", "#", true],
    ["\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\", ".*+?()[]{}|^$\\", true],
  ]);
});

Deno.test("a brace or bracket that opens or closes nothing is that character", async () => {
  await check([
    ["interface \\w+ {", "interface Foo {", true],
    ["^}$", "}", true],
    ["a]", "a]", true],
    ["{foo}", "{foo}", true],
    ["x{a,b}", "x{a,b}", true],
    ["\\${name}", "${name}", true],
    ["^{$", "{", true],
    ["a{2}", "aa", true],
    ["^a{2,}$", "aaa", true],
  ]);
});

Deno.test("classes have the operations of JavaScript's flag v", async () => {
  await check([
    ["^[A-Z&&[^IO]]\\d{3}$", "A123", true],
    ["^[A-Z&&[^IO]]\\d{3}$", "I123", false],
    ["^[A-Z&&[^IO]]\\d{3}$", "i123", false, "-i"],
    ["^[\\w--[a-z]]+$", "A1", true, "-U"],
    ["^[[a-f]\\d]+$", "a1", true, "-x"],
    ["^[^[a-z]&&\\w]+$", "-!", true],
    ["[a-z--[aeiou]]{4}", "ate", false, "-w"],
    ["[[(]x", "[x", true],
    ["[\\w--]", "-", true],
    // One operation after another, beside single characters that begin no class.
    ["^[[:punct:]--!--#]$", "$", true],
    ["^[[:punct:]--!--#]$", "!", false],
    ["^[\\W--!--/]$", "/", false],
    ["^[\\W--!--/]$", "#", true],
    ["^[\\p{L}&&\\-&&z]$", "z", false],
    ["^[\\w--_--\\-]$", "a", true],
    ["^[!--#]$", "-", true],
    ["^[!&&#]$", "&", true],
  ]);
});

/** The same call at the shell and by a tool. */
async function bothFaces(pattern: string, root: string): Promise<Answer[]> {
  const tool = new GrepTool({ workspace: await Workspace.open(root) });
  const answer = await tool.execute({ pattern }) as unknown as Answer;
  const { stdout } = await pathgrep(["--format", "json", "-e", pattern], { cwd: root });
  return [answer, JSON.parse(stdout)];
}

Deno.test("an empty alternative at the top is invalid, with the way out", async () => {
  await using t = await tempTree({ "a.txt": "a || b\nx\n" });
  for (const pattern of ["a || b", "a|", "|a", "x||", "(?i)a||b"]) {
    for (const { code, error, hint } of await bothFaces(pattern, t.root)) {
      assert.equal(code, "invalid_pattern", pattern);
      assert.match(error!, /empty and matches every line; remove it/);
      assert.match(hint!, /fixed strings .*write `(?:\\\|)+` for/);
    }
  }
  for (
    const [pattern, side, at] of [
      ["(?i)|a", "before", 5],
      ["a|(?i)|b", "before", 7],
      ["\\Q\\E|a", "before", 5],
      ["a|(?#none)", "after", 2],
      ["a || b", "before", 3],
    ] as const
  ) {
    for (const { error } of await bothFaces(pattern, t.root)) {
      assert.ok(error!.includes(`alternative ${side} \`|\` is empty`), error);
      assert.ok(error!.endsWith(`(at character ${at})`), error);
    }
  }
  for (const [pattern, count] of [["a \\|\\| b", 1], ["(?:a|) \\|", 1], ["a|x", 2]] as const) {
    for (const answer of await bothFaces(pattern, t.root)) assert.equal(answer.count, count);
  }
});

Deno.test("a pattern that is escaped twice is invalid, and the hint names the one to use", async () => {
  await using t = await tempTree({ "a.txt": "cy.visit('/')\n" });
  for (const answer of await bothFaces("cy\\\\.visit\\\\(", t.root)) {
    assert.equal(answer.code, "invalid_pattern");
    const sent = /use `(.*)`$/.exec(answer.hint!)![1]!;
    for (const { count } of await bothFaces(sent, t.root)) assert.equal(count, 1);
  }
});

Deno.test("(?u), [[:<:]] and {,n} are read as their authors meant them", async () => {
  await check([
    ["(?u)^\\w+$", "größe", true],
    ["^\\w+$", "größe", false],
    ["(?u)\\bö", "aö", false],
    ["[[:<:]]foo[[:>:]]", "a foo b", true],
    ["[[:<:]]foo", "xfoo", false],
    ["^xa{,2}$", "xaa", true],
    ["^xa{,2}$", "xaaa", false],
    ["xa{,}", "xa{,}", true],
  ]);
});

Deno.test("possessive, atomic and (?x) are invalid, naming what to write instead", async () => {
  await using t = await tempTree({ "a.txt": "aaa\n" });
  for (const pattern of ["a++b", "a*+b", "a?+b", "a{2}+b", "(?>a+)b", "(?x)a b"]) {
    const error = await fails("invalid_pattern", ["-e", pattern], { cwd: t.root });
    assert.ok(`${error.error} ${error.hint ?? ""}`.length > 40, error.error);
  }
});

Deno.test("a match never spans lines unless -U is set", async () => {
  await using t = await tempTree({ "a.txt": "foo\nbar\r\nbaz\n" });
  for (
    const pattern of [
      "foo\\sbar",
      "foo[^x]bar",
      "foo\\nbar",
      "foo[\\s\\S]bar",
      "(?s)foo.bar",
      "bar\\s*baz",
      "foo(?=\\s*bar)",
      "(?<=foo\\s)bar",
    ]
  ) {
    assert.equal((await found([pattern], { cwd: t.root })).count, 0, pattern);
  }
  for (const pattern of ["foo\\sbar", "foo[^x]bar", "foo\\nbar", "bar\\s*baz"]) {
    assert.equal((await found(["-U", pattern], { cwd: t.root })).count, 1, pattern);
  }
});

Deno.test("classes and lookaround see one line only", async () => {
  await using t = await tempTree({ "a.txt": "one\ntwo\nthree\n" });
  assert.deepEqual(lines(await found(["^[^x]*$"], { cwd: t.root }), t.root), [
    "a.txt:1:one",
    "a.txt:2:two",
    "a.txt:3:three",
  ]);
  assert.deepEqual(lines(await found(["^(?!.*o)"], { cwd: t.root }), t.root), ["a.txt:3:three"]);
  assert.deepEqual(lines(await found(["\\s"], { cwd: t.root }), t.root), []);
  assert.deepEqual(lines(await found(["e\\W*$"], { cwd: t.root }), t.root), [
    "a.txt:1:one",
    "a.txt:3:three",
  ]);
});

Deno.test("-F takes every character as itself", async () => {
  await check([
    ["a.b(", "xa.b(x", true, "-F"],
    ["a.b", "axb", false, "-F"],
    ["\\d", "\\d", true, "-F"],
    ["$^[{*", "$^[{*", true, "-F"],
    ["(?i)x", "(?i)x", true, "-F"],
    ["FOO.", "foo.", true, "-F", "-i"],
    ["foo.", "foo.x", false, "-F", "-x"],
  ]);
});

Deno.test("-x, -w, -v, -i and -F hold for a whole pattern and together", async () => {
  await check([
    ["foo|bar", "foobar", false, "-x"],
    ["ab|abc", "abc", true, "-x"],
    ["a|b", "ab", false, "-w"],
    ["foo|foo bar", "foo bar", true, "-w"],
    ["FOO", "foo", true, "-xi"],
    ["foo", "foobar", true, "-vx"],
    ["foo", "foo", false, "-vx"],
    ["fo", "foo", true, "-vw"],
    ["a.c", "a.c", true, "-Fx"],
    ["a.c", "xa.c", true, "-Fv", "-x"],
    ["c++", "C++ code", true, "-Fiw"],
    ["^foo$", "foo", true, "-w"],
  ]);
});

test.slow("patterns that blow up a backtracker end with the right answer", async () => {
  const a = "a".repeat(5000);
  await using t = await tempTree({ "a.txt": `${a}!\n${a}\n${"x".repeat(50)}\n` });
  const cases: [string, number][] = [
    ["^(a+)+$", 1],
    ["^(a|a)*$", 1],
    ["^(a|aa)+$", 1],
    ["(a*)*b", 0],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", 0],
    ["(x+x+)+y", 0],
    ["^(.*?,){11}P", 0],
    ["(.*)*(.*)*(.*)*!", 1],
    ["\\s*\\s*\\s*\\s*\\s*\\s*z", 0],
    ["(a?){30}a{30}", 2],
  ];
  for (const [pattern, count] of cases) {
    const result = await found(["-c", pattern], { cwd: t.root, limit: 45_000 });
    assert.equal(result.count, count, pattern);
  }
});

test.slow("a pattern that only a backtracker can match is bounded with a clear error", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(60)}!\n` });
  for (const pattern of ["^(a+)+\\1$", "^(?=(a+)+$)", "^(?!(a+)+$)(a+)+$"]) {
    const ran = await pathgrep([pattern, "--timeout", "300"], { cwd: t.root, limit: 20_000 });
    if (ran.code === 2) assert.match(ran.stdout, /search_timed_out|invalid_pattern/);
    else assert.match(ran.stdout, /"count":[01]\b/);
  }
});

test.slow("many matches on one huge line end", async () => {
  await using t = await tempTree({ "a.txt": "a".repeat(2_000_000) });
  const cwd = { cwd: t.root, limit: 20_000 };
  await fails("search_too_broad", ["-o", "a", "a.txt", "--max-file-size", "0"], cwd);
  const first = await found(["-o", "a", "a.txt", "--on-overflow", "truncate"], cwd);
  assert.equal(first.count, 1000);
  assert.equal((await found(["-c", "a", "a.txt"], cwd)).count, 1);
  assert.equal((await found(["a", "a.txt"], cwd)).matches?.[0]?.column, 1);
});

test.slow("more matches than the answer can hold are counted without keeping their lines", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(3_000_000) });
  const small = {
    cwd: t.root,
    permissions: ["--allow-read", "--v8-flags=--max-old-space-size=200"],
  };
  await fails("search_too_broad", ["x", "a.txt", "-C3"], small);
  const first = await found(["x", "a.txt", "-C3", "--on-overflow", "truncate"], small);
  assert.equal(first.count, 1000);
  assert.equal((await found(["x", "a.txt", "-c"], small)).count, 3_000_000);
});

Deno.test("hostile globs end at once", async () => {
  const name = `${"a".repeat(120)}c`;
  await using t = await tempTree({
    [`${name}.txt`]: "x\n",
    ".gitignore": `${"a*".repeat(40)}b\n${"**/".repeat(40)}q\n${"*a".repeat(40)}\n`,
  });
  for (
    const glob of [
      `${"a*".repeat(40)}b`,
      `${"**/a*/".repeat(20)}b`,
      `${"{a,aa}".repeat(30)}b`,
      `${"*?".repeat(40)}b`,
    ]
  ) {
    const result = await found(["^x$", "-l", "-g", glob], { cwd: t.root, limit: 20_000 });
    assert.equal(result.count, 0);
  }
  const searched = await found(["^x$", "-l"], { cwd: t.root, limit: 20_000 });
  assert.deepEqual(files(searched, t.root), [`${name}.txt`]);
});

Deno.test("an enormous pattern is an error or an answer, never a crash", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (
    const pattern of ["a".repeat(50_000), "(".repeat(5000), "((a{99}){99}){99}", "[a-z]{1000}"]
  ) {
    const ran = await pathgrep(["-e", pattern], { cwd: t.root, limit: 45_000 });
    assert.ok([1, 2].includes(ran.code), `${ran.code}: ${ran.stdout.slice(0, 200)}`);
    JSON.parse(ran.stdout);
  }
});

/** The files a plain search of a tree with these entries finds; every file holds `x`. */
async function searched(
  entries: Record<string, TreeEntry>,
  kept: string[],
  ...flags: string[]
): Promise<void> {
  await using t = await tempTree(entries);
  const result = await found(["^x$", "-l", ...flags], { cwd: t.root });
  assert.deepEqual(files(result, t.root), kept);
}

Deno.test("ignore files count at every level, with or without a repository", async () => {
  const entries = {
    ".gitignore": "*.log\n/only-root\nbuild/\n",
    "a.log": "x",
    "b.txt": "x",
    "build/c.txt": "x",
    "only-root": "x",
    "sub/.gitignore": "d.txt\n!keep.log\n",
    "sub/d.txt": "x",
    "sub/build": "x",
    "sub/keep.log": "x",
    "sub/only-root": "x",
    "sub/other.log": "x",
  };
  const kept = ["b.txt", "sub/build", "sub/keep.log", "sub/only-root"];
  await searched(entries, kept);
  await searched({ ...entries, ".git/HEAD": "ref: refs/heads/main\n" }, kept);
});

Deno.test(".ignore and .git/info/exclude count too", async () => {
  await searched({
    ".ignore": "a.txt\n",
    ".git/info/exclude": "b.txt\n/d/e.txt\n",
    "a.txt": "x",
    "b.txt": "x",
    "c.txt": "x",
    "d/.ignore": "*.md\n",
    "d/e.txt": "x",
    "d/f.md": "x",
    "d/g.txt": "x",
  }, ["c.txt", "d/g.txt"]);
});

Deno.test(".ignore overrides .gitignore, as in ripgrep", async () => {
  await searched({
    ".gitignore": "*.log\n",
    ".ignore": "!keep.log\n",
    "drop.log": "x",
    "keep.log": "x",
  }, ["keep.log"]);
});

Deno.test("git's pattern rules hold: negation, anchors, directories, **, escapes, comments", async () => {
  await searched({
    ".gitignore": [
      "# comment",
      "\\#hash",
      "\\!bang",
      "*.tmp",
      "!important.tmp",
      "docs/*.txt",
      "**/cache",
      "logs/**/debug",
      "deep/**",
      "dir-only/",
      "trailing   ",
      "kept\\ ",
      "[ab]1",
      "?2",
      "closed/",
      "!closed/open",
      "",
    ].join("\n"),
    "#hash": "x",
    "!bang": "x",
    "a.tmp": "x",
    "important.tmp": "x",
    "docs/a.txt": "x",
    "docs/sub/a.txt": "x",
    "q/cache/a": "x",
    "logs/a/b/debug": "x",
    "logs/debug": "x",
    "logs/other": "x",
    "deep/er/a": "x",
    "dir-only/a": "x",
    "f/dir-only": "x",
    "trailing": "x",
    "kept ": "x",
    "a1": "x",
    "c1": "x",
    "z2": "x",
    "zz2": "x",
    "closed/open": "x",
  }, ["c1", "docs/sub/a.txt", "f/dir-only", "important.tmp", "logs/other", "zz2"]);
});

Deno.test("an ignore file with a byte-order mark and \\r\\n line ends is read", async () => {
  await searched(
    { ".gitignore": "\uFEFFa.txt\r\nb.txt\r\n", "a.txt": "x", "b.txt": "x", "c.txt": "x" },
    ["c.txt"],
  );
});

Deno.test("the root's rules count when a sub-directory is searched", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\n/src/gen/\n",
    "src/.ignore": "b.txt\n",
    "src/a.log": "x",
    "src/gen/c.txt": "x",
    "src/deep/b.txt": "x",
    "src/deep/d.txt": "x",
  });
  const result = await found(["^x$", "-l", "src"], { cwd: t.root });
  assert.deepEqual(files(result, t.root), ["src/deep/d.txt"]);
  const deep = await found(["^x$", "-l", "src/deep"], { cwd: t.root });
  assert.deepEqual(files(deep, t.root), ["src/deep/d.txt"]);
});

Deno.test("rule files above the root count up to its repository, global excludes never", async () => {
  await using t = await tempTree({
    "../.gitignore": "*.txt\n",
    "../.ignore": "*.rst\n",
    "../.git/info/exclude": "*.log\n",
    "../.aiexclude": "# ours\n*.key.md\n",
    "../home/.config/git/ignore": "b.md\n",
    "../home/.gitignore": "b.md\n",
    "../home/.gitconfig": "[core]\n\texcludesFile = ~/.gitignore\n",
    "a.txt": "x",
    "b.md": "x",
    "c.rst": "x",
    "d.log": "x",
    "e.key.md": "x",
  });
  const permissions = ["--allow-read", "--allow-env"];
  const env = {
    HOME: t.path("../home"),
    XDG_CONFIG_HOME: t.path("../home/.config"),
    DENO_DIR: await denoDir(),
  };
  const here = { cwd: t.root, permissions, env };
  assert.deepEqual(files(await found(["^x$", "-l"], here), t.root), ["b.md"]);
  const refused = await fails("permission_denied_by_policy", ["x", "e.key.md"], here);
  assert.match(refused.error!, /excluded by \.\.\/\.aiexclude:2$/);
  // Where Deno would have to ask, nothing there is read, and nothing is asked.
  const least = { ...here, permissions: [`--allow-read=${t.root}`] };
  const all = await found(["^x$", "-l"], least);
  assert.deepEqual(files(all, t.root), ["a.txt", "b.md", "c.rst", "d.log", "e.key.md"]);
  // The root's own repository ends the way up.
  await t.write({ ".git/HEAD": "ref: refs/heads/main\n" });
  assert.deepEqual(files(await found(["^x$", "-l"], here), t.root), files(all, t.root));
});

Deno.test("a path named explicitly is searched even if ignored", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\nbuild/\n",
    "a.log": "x",
    "build/b.txt": "x",
    "build/sub/c.txt": "x",
  });
  for (
    const [path, kept] of [
      ["a.log", ["a.log"]],
      ["build", ["build/b.txt", "build/sub/c.txt"]],
      ["build/sub", ["build/sub/c.txt"]],
      ["build/b.txt", ["build/b.txt"]],
    ] as const
  ) {
    assert.deepEqual(files(await found(["^x$", "-l", path], { cwd: t.root }), t.root), kept);
  }
});

Deno.test("in a named directory that is ignored itself, rules of the directories above do not count", async () => {
  const build = {
    "build/q.js": "x",
    "build/q.map": "x",
    "build/node_modules/p/i.js": "x",
  };
  const rules = "node_modules/\n*.map\n";
  for (
    const [rule, kept] of [
      ["build/", Object.keys(build).sort()],
      ["build", Object.keys(build).sort()],
      ["*", Object.keys(build).sort()],
      // They ignore all of it, and not itself.
      ["build/*", ["build/q.js"]],
      ["build/**", ["build/q.js"]],
    ] as const
  ) {
    await using t = await tempTree({ ".gitignore": `${rules}${rule}\n`, ...build });
    const result = await found(["^x$", "-l", "build"], { cwd: t.root });
    assert.deepEqual(files(result, t.root), kept, rule);
    await Deno.writeTextFile(`${t.root}/build/.gitignore`, "*.map\n");
    const own = await found(["^x$", "-l", "build"], { cwd: t.root });
    assert.deepEqual(files(own, t.root), kept.filter((file) => !file.endsWith(".map")), rule);
  }
});

const INCLUDED = {
  "a.ts": "x",
  "b.js": "x",
  "c.md": "x",
  "src/a.ts": "x",
  "src/deep/a.ts": "x",
  "src/deep/z.js": "x",
  "test/a.ts": "x",
};

Deno.test("an include without a slash matches base names at any depth", async () => {
  await searched(INCLUDED, ["a.ts", "src/a.ts", "src/deep/a.ts", "test/a.ts"], "-g", "*.ts");
  await searched(INCLUDED, ["a.ts", "src/a.ts", "src/deep/a.ts", "test/a.ts"], "-g", "a.ts");
});

Deno.test("an include with a slash is relative to the searched directory", async () => {
  await searched(INCLUDED, ["src/a.ts"], "-g", "src/*.ts");
  await searched(INCLUDED, ["src/deep/a.ts"], "src", "-g", "deep/*.ts");
  await searched(INCLUDED, [], "src", "-g", "src/*.ts");
  await searched(INCLUDED, ["a.ts"], "-g", "/*.ts");
});

test.slow("** , braces, classes and ! work in an include", async () => {
  await searched(INCLUDED, ["src/a.ts", "src/deep/a.ts"], "-g", "src/**/*.ts");
  await searched(INCLUDED, ["src/a.ts", "src/deep/a.ts", "src/deep/z.js"], "-g", "src/**");
  await searched(INCLUDED, ["a.ts", "src/a.ts", "src/deep/a.ts", "test/a.ts"], "-g", "**/a.ts");
  await searched(INCLUDED, ["b.js", "c.md", "src/deep/z.js"], "-g", "*.{js,md}");
  await searched(INCLUDED, ["b.js", "c.md"], "-g", "[bc].*");
  await searched(INCLUDED, ["b.js", "c.md", "src/deep/z.js"], "-g", "[!a].*");
  await searched(INCLUDED, ["src/a.ts", "test/a.ts"], "-g", "{src,test}/a.ts");
  await searched(INCLUDED, ["b.js", "c.md", "src/deep/z.js"], "-g", "!*.ts");
  await searched(INCLUDED, ["a.ts", "b.js", "c.md", "test/a.ts"], "-g", "!src/**");
  await searched(INCLUDED, ["b.js", "c.md"], "-g", "?.{js,md}", "-g", "!z.js");
});

Deno.test("commas outside braces separate include patterns", async () => {
  await searched(INCLUDED, ["b.js", "c.md", "src/deep/z.js"], "-g", "*.js,*.md");
  await searched(INCLUDED, ["b.js", "c.md", "src/deep/z.js"], "-g", "*.{js,md}");
});

Deno.test("an include never reaches outside the searched directory", async () => {
  await using t = await tempTree({ "a.txt": "x", "src/b.txt": "x", "../c.txt": "x" });
  for (const glob of ["../*.txt", "../**", "/../*.txt", `${t.root}/*.txt`, "**/../../*.txt"]) {
    const ran = await pathgrep(["^x$", "-l", "src", "-g", glob], { cwd: t.root });
    assert.ok(!ran.stdout.includes(`${t.root}/a.txt"`), glob);
    assert.ok(!ran.stdout.includes(`${t.base}/c.txt"`), glob);
  }
});
