/**
 * Patterns that a program would take minutes over on a long line: it gets the literals in them, if there are
 * any. Each of these searches ran into the time limit of half a minute when the program got all of it.
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
  const { name, files, pattern, hasLiteral, found } of [
    {
      name: "text between two words, on minified lines",
      files: {
        "a.min.js": MINIFIED,
        "b.min.js": MINIFIED,
        "c.min.js": MINIFIED,
        "z.ts": "function fetchUser() {}\n",
      },
      pattern: "function.*fetchUser",
      hasLiteral: true,
      found: ["z.ts"],
    },
    {
      name: "repeats of repeats, on a line of one letter",
      files: { a: "x".repeat(LINE), b: "xxy\n" },
      pattern: "(x+x+)+y",
      hasLiteral: true,
      found: ["b"],
    },
    {
      name: "repeats in every branch, on a line of one letter",
      files: { a: "x".repeat(LINE), b: "xxyx\n", c: "xz\n" },
      pattern: "(?:x+y|x+z|x{30,}w)x*",
      hasLiteral: true,
      found: ["b", "c"],
    },
    {
      name: "many places for any character, on a line of two letters",
      files: { a: shuffled(4 * LINE), b: `b${"a".repeat(40)}c\n` },
      pattern: `b${".".repeat(40)}c`,
      hasLiteral: false,
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
      assert.equal(engineIn(answer), hasLiteral ? engine : "js");
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

Deno.test("programs get the literals that every match holds, and nothing else of a pattern", async () => {
  await using tree = await tempTree({ a: "x\n" });
  for (
    const [pattern, ...literals] of [
      ["fetchUser", "fetchUser"],
      ["function.*fetchUser", "fetchUser"],
      ["(?:a.*bcd|efg)h", "bcd", "efg"],
      ["id-[0-9a-f]{40}", "id-"],
      ["foo\\.bar\\(", "foo\\.bar\\("],
    ]
  ) {
    for (const engine of ["git", "grep"] as const) {
      assert.deepEqual(await patternsAsked(engine, tree, pattern!), literals, pattern);
    }
  }
});
