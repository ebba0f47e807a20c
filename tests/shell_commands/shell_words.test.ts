/**
 * Commands are read as a shell reads them, or not at all: bash itself is the judge.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { readCommand } from "../../src/shell_commands/shell_words.ts";
import { assertHolds } from "../support/draw.ts";
import { spawn } from "../support/spawn.ts";
import { test } from "../support/needs.ts";

/** The words that bash makes of each command. */
async function wordsInBash(commands: readonly string[]): Promise<string[][]> {
  const script = commands.map((command) => `printf '%s\\0' ${command}\nprintf '\\1\\0'\n`).join("");
  const { stdout, code } = await spawn("bash", ["--norc", "-c", script], { cwd: "/" });
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
  let read = 0;
  await assertHolds(
    t,
    fc.asyncProperty(fc.array(command, { minLength: 200, maxLength: 200 }), async (commands) => {
      const accepted = commands.filter((text) => {
        const found = readCommand(`x ${text}`);
        return found !== undefined && found.filters.length === 0 && found.words.length > 1;
      });
      read += accepted.length;
      const expected = await wordsInBash(accepted);
      assert.deepEqual(accepted.map((text) => readCommand(`x ${text}`)!.words.slice(1)), expected);
    }),
    { numRuns: 20 },
  );
  assert.ok(read > 500, `${read} commands`);
});

Deno.test("a plain search is read with what comes before and after it", () => {
  const search = ["rg", "-n", "foo bar", "src"];
  const plain = { directory: undefined, words: search, filters: [] };
  for (const around of ["", " 2>/dev/null", " 2>&1", " 2> /dev/null", " 2>>/dev/null"]) {
    assert.deepEqual(readCommand(`rg -n 'foo bar' src${around}`), plain, around);
  }
  assert.deepEqual(readCommand("cd 'my dir' && rg -n \"foo bar\" src 2>&1 | sort -u | head -20"), {
    directory: "my dir",
    words: search,
    filters: [["sort", "-u"], ["head", "-20"]],
  });
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
    ]
  ) {
    assert.deepEqual(readCommand(`rg foo | ${filter}`)?.filters, [filter.split(" ")], filter);
  }
});

Deno.test("what is no plain search is not supported", () => {
  const others = [
    "",
    "rg foo; ls",
    "rg foo || true",
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
    "rg foo *.ts",
    "rg foo ~",
    "rg foo {a,b}",
    "rg fo[o]",
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
