/**
 * Patterns that a program would take minutes over on a long line, and that it gets a part of instead.
 *
 * Each of these searches ran into the time limit of half a minute when the program got all of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { SearchResult } from "../../mod.ts";
import { answerOf, engineIn, ENGINES } from "../support/engines.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const LINE = 900_000;

/** A line of `a` and `b` in no order, which an automaton has to keep much in mind for. */
function shuffled(length: number): string {
  let seed = 12345;
  let line = "";
  while (line.length < length) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fff_ffff;
    line += (seed >> 16 & 1) === 0 ? "a" : "b";
  }
  return line;
}

const MINIFIED = "function a(b,c){return b+c}var e=t.call(this,n);".repeat(20_000).slice(0, LINE);

for (
  const { name, files, pattern, found } of [
    {
      name: "text between two words, on minified lines",
      files: {
        "a.min.js": MINIFIED,
        "b.min.js": MINIFIED,
        "c.min.js": MINIFIED,
        "z.ts": "function fetchUser() {}\n",
      },
      pattern: "function.*fetchUser",
      found: ["z.ts"],
    },
    {
      name: "repeats of repeats, on a line of one letter",
      files: { a: "x".repeat(LINE), b: "xxy\n" },
      pattern: "(x+x+)+y",
      found: ["b"],
    },
    {
      name: "repeats in every branch, on a line of one letter",
      files: { a: "x".repeat(LINE), b: "xxyx\n", c: "xz\n" },
      pattern: "(?:x+y|x+z|x{30,}w)x*",
      found: ["b", "c"],
    },
    {
      name: "many places for any character, on a line of two letters",
      files: { a: shuffled(4 * LINE), b: `b${"a".repeat(40)}c\n` },
      pattern: `b${".".repeat(40)}c`,
      found: ["b"],
    },
  ]
) {
  Deno.test(`every engine gets to the end with ${name}`, async () => {
    await using tree = await tempTree(files);
    for (const engine of ENGINES) {
      const answer = await answerOf(engine, tree.root, {
        pattern,
        outputMode: "file",
        paths: "relative",
        maxFileSize: 0,
      });
      assert.deepEqual((answer as SearchResult & { files?: string[] }).files, found, engine);
      assert.equal(engineIn(answer), engine);
    }
  });
}

/** Runs with a program of our own in an engine's place, and says which patterns it was asked for. */
async function patternsAsked(engine: "git" | "grep", tree: Tree, pattern: string) {
  await using bin = await tempTree();
  const log = bin.path("log");
  const script = `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > ${log}\nexit 1\n`;
  await Deno.writeTextFile(bin.path(engine), script, { mode: 0o755 });
  const path = Deno.env.get("PATH")!;
  Deno.env.set("PATH", `${dirname(log)}:${path}`);
  try {
    await answerOf(engine, tree.root, { pattern });
  } finally {
    Deno.env.set("PATH", path);
  }
  const args = Deno.readTextFileSync(log).split("\n");
  return args.filter((_, index) => args[index - 1] === "-e").slice(0, -1);
}

Deno.test("git gets the part without endless repeats that says most, grep all but long repeats", async () => {
  await using tree = await tempTree({ a: "x\n" });
  for (
    const [pattern, git, grep] of [
      ["fetchUser", "fetchUser", "fetchUser"],
      ["function.*fetchUser", "fetchUser", "function.*fetchUser"],
      ["colou?r|gr[ae]y", "colou?r|gr[ae]y", "colou?r|gr[ae]y"],
      ["^import .* from", "^import ", "^import .* from"],
      ["ax+y", "ax", "ax+y"],
      ["ab+c*d", "ab", "ab+c*d"],
      ["x(foo.*bar)+ba", "foo", "x(foo.*bar)+ba"],
      ["(?:a.*bcd|efg)h", "bcd|efg", "(a.*bcd|efg)h"],
      ["(\\w+)\\s*=\\s*\\1;$", ";\r?$", "[0-9A-Z_a-z]+[\t\v-\r ]*=[\t\v-\r ]*.*;\r?$"],
      ["id-[0-9a-f]{40}", "id-", "id-"],
      ["[0-9a-f]{40}", "[0-9a-f]{8}", "[0-9a-f]{8}"],
      ["b[ab]{200}c", "[ab]{8}", "[ab]{8}"],
      ["x{2}y{3}", "x{2}y{3}", "x{2}y{3}"],
      ["-".repeat(70), "-".repeat(32), "-".repeat(32)],
    ] as const
  ) {
    assert.deepEqual(await patternsAsked("git", tree, pattern), [git], pattern);
    assert.deepEqual(await patternsAsked("grep", tree, pattern), [grep], pattern);
  }
});
