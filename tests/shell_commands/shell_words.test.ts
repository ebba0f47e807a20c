/**
 * Commands are read as a shell reads them, or not at all: bash itself is the judge.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { Guard, Workspace } from "../../mod.ts";
import {
  mayExpand,
  type PlainCommand,
  readCommand,
  removedLines,
} from "../../src/shell_commands/shell_words.ts";
import { assertHolds } from "../support/draw.ts";
import { spawn } from "../support/spawn.ts";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

/** The words that bash makes of each command. */
async function wordsInBash(commands: readonly string[], cwd: string): Promise<string[][]> {
  const script = commands.map((command) => `printf '%s\\0' ${command}\nprintf '\\1\\0'\n`).join("");
  const { stdout, code } = await spawn("bash", ["--norc", "-c", script], { cwd });
  assert.equal(code, 0);
  return stdout.split("\x01\0").slice(0, -1).map((words) => words.split("\0").slice(0, -1));
}

test.slow("what is read has the words that bash makes of it", async (t) => {
  const piece = fc.constantFrom(
    ..."ab \t'\"\\$|*?[]{}~#()<>&;!=-^.,1@%+:\u00e9/",
    "'a b'",
    '"a b"',
    '"$',
    "\\ ",
    '\\"',
    "\\'",
    '"a\\nb"',
    '"a\\"b"',
    "foo$",
    "$x",
    "${x}",
    "$(x)",
    "`x`",
    "a\\|b",
    "''",
    '"a\\\nb"',
    "2",
  );
  const command = fc.array(piece, { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.join(""));
  await using tree = await tempTree(
    Object.fromEntries(
      ["ab", "a/b", "-a", "1", ".a", "a b", "@", "a^b/c", "\u00e9"].map((name) => [name, ""]),
    ),
  );
  const workspace = await Workspace.open(tree.root);
  const guard = new Guard({ workspace });
  let read = 0;
  let unexpanded = 0;
  await assertHolds(
    t,
    fc.asyncProperty(fc.array(command, { minLength: 200, maxLength: 200 }), async (commands) => {
      const accepted = commands.filter((text) => {
        const found = readCommand(`x ${text}`);
        if (found === undefined || found.filters.length > 0 || found.words.length < 2) return false;
        if (found.globs.some(({ pattern }) => mayExpand(pattern, tree.root, guard))) return false;
        if (found.globs.length > 0) unexpanded++;
        return found.after === undefined;
      });
      read += accepted.length;
      const expected = await wordsInBash(accepted, tree.root);
      assert.deepEqual(accepted.map((text) => readCommand(`x ${text}`)!.words.slice(1)), expected);
    }),
    { numRuns: 20 },
  );
  assert.ok(read > 500 && unexpanded > 50, `${read} commands, ${unexpanded} with globs`);
});

Deno.test("a plain search is read with what comes before and after it", () => {
  const search = ["rg", "-n", "foo bar", "src"];
  const plain: PlainCommand = {
    directory: undefined,
    words: search,
    filters: [],
    globs: [],
    isProgram: false,
    after: undefined,
  };
  for (const around of ["", " 2>/dev/null", " 2>&1", " 2> /dev/null", " 2>>/dev/null"]) {
    assert.deepEqual(readCommand(`rg -n 'foo bar' src${around}`), plain, around);
  }
  assert.deepEqual(readCommand("cd 'my dir' && rg -n \"foo bar\" src 2>&1 | sort -u | head -20"), {
    ...plain,
    directory: "my dir",
    filters: [["sort", "-u"], ["head", "-20"]],
  });
  const own = "rg -n 'foo bar' src";
  for (const before of ["LC_ALL=C ", "A='b c' LANG= ", "RUST_LOG=x "]) {
    assert.deepEqual(readCommand(before + own), plain, before);
  }
  for (
    const before of [
      "command ",
      "timeout 5 ",
      "timeout -k 2 -s KILL 1.5m ",
      "timeout --kill-after=2 --foreground 10s ",
      "A=b command timeout 5 ",
    ]
  ) {
    assert.deepEqual(readCommand(before + own), { ...plain, isProgram: true }, before);
  }
  const afters: [string, string, boolean][] = [
    [" || true", "", true],
    ["||:", "", true],
    ["; true", "", false],
    [" || echo 'no match'", "no match", true],
    [" 2>/dev/null; echo -n done  now", "done now", false],
    ['; echo "exit: $?"', "exit: \0", false],
    ["; echo $?", "\0", false],
    [" || echo", "", true],
  ];
  for (const [after, text, isConditional] of afters) {
    assert.deepEqual(readCommand(own + after), { ...plain, after: { text, isConditional } }, after);
  }
  const globs: [string, string, boolean][] = [
    ["--include=*.ts", "--include=*.ts", true],
    ["--include='*'.t?", "--include=\\*.t?", true],
    ["-g !*.ts", "!*.ts", true],
    ["--exclude-dir [ab]", "[ab]", true],
    ["src/*.ts", "src/*.ts", false],
  ];
  for (const [word, pattern, isInOption] of globs) {
    const found = readCommand(`rg foo ${word}`)?.globs;
    assert.deepEqual(found?.map((one) => [one.pattern, one.isInOption]), [[pattern, isInOption]]);
  }
  for (
    const filter of [
      "head",
      "head -n 5",
      "tail -n5",
      "wc -l",
      "wc",
      "wc -c",
      "wc -w -m",
      "sort",
      "sort -k2,2nr",
      "sort -t : -k 1",
      "head -c 100",
      "grep -v bar",
      "grep -iv -e bar -e baz",
    ]
  ) {
    assert.deepEqual(readCommand(`rg foo | ${filter}`)?.filters, [filter.split(" ")], filter);
  }
});

Deno.test("what is no plain search is not supported", () => {
  const others = [
    "",
    "rg foo; ls",
    "rg foo || true || true",
    "rg foo; true; true",
    "rg foo || ls",
    "rg foo && echo a || echo b",
    "rg foo || echo -e a",
    "rg foo || echo 'a\\n'",
    "rg foo || echo $x",
    "rg foo || echo *",
    "rg foo || echo a | head",
    "rg foo; echo a > out",
    "rg foo;",
    "; rg foo",
    "rg $?",
    "cd src; rg foo",
    "cd *c && rg foo",
    "rg foo | grep bar",
    "rg foo | grep -v 'b.*r'",
    "rg foo | grep -v bar file",
    "rg foo | grep -vc bar",
    "rg foo | grep -v",
    "rg foo | head *",
    "GIT_DIR=x git grep foo",
    "GIT_LITERAL_PATHSPECS=1 git grep foo",
    "RIPGREP_CONFIG_PATH=x rg foo",
    "PATH=x rg foo",
    "POSIXLY_CORRECT=1 grep foo -r .",
    "LC_ALL=C grep -r caf\u00e9 .",
    "A=b",
    "A=$x rg foo",
    "command -v rg",
    "command",
    "timeout rg foo",
    "timeout -v 5 rg foo",
    "timeout 5",
    "rg foo && ls",
    "ls && rg foo",
    "cd a && cd b && rg foo",
    "cd && rg foo",
    "cd - && rg foo",
    "rg foo | xargs rm",
    "rg foo | head -0",
    "rg foo | tail -n +5",
    "rg foo | sort -o out",
    "rg foo | sort file",
    "rg foo | head file",
    "rg foo | wc -l file",
    "rg foo | wc --files0-from=list",
    "rg foo | sort -c",
    "rg foo | sort -k1 file",
    "rg foo > out",
    "rg foo >/dev/null",
    "rg foo 2>err",
    "rg foo 12>/dev/null",
    "rg foo a2>/dev/null",
    "rg foo < in",
    "rg foo |& head",
    "rg foo &",
    "rg $x",
    "rg $(ls)",
    "rg `ls`",
    'rg "$x"',
    'rg "`ls`"',
    "rg $'a'",
    "rg foo ~",
    "rg foo {a,b}",
    "rg foo # bar",
    "(rg foo)",
    "rg 'foo",
    'rg "foo',
    "rg foo\\",
    "rg foo\nls",
    "rg foo |",
    "rg 'a\0b'",
    `rg ${"a".repeat(20_000)}`,
  ];
  assert.deepEqual(others.filter((text) => readCommand(text) !== undefined), []);
});

Deno.test("the lines that `grep -v` may remove are known, too many rather than too few", () => {
  const rows: [words: string[], removed: string[], kept: string[]][] = [
    [["-v", "test"], ["a test", "TEST"], ["tes"]],
    [["-vE", "a|b"], ["xa", "b"], ["c"]],
    [["-v", "a\\|b"], ["xa", "b"], ["c"]],
    [["-v", "^a.c$"], ["xabc"], ["ac"]],
    [["-v", "\\.min\\."], ["a.min.js"], ["amin"]],
    [["-i", "-v", "-e", "x", "-e", "y"], ["x", "Y"], ["z"]],
  ];
  for (const [args, removed, kept] of rows) {
    const lines = removedLines(["grep", ...args])!;
    assert.deepEqual([...removed, ...kept].filter((line) => lines.test(line)), removed);
  }
});
