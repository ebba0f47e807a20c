/**
 * Which searches a program filters, and which are handed to the JavaScript engine.
 *
 * @module
 */

import assert from "node:assert/strict";
import { answerOf, comparable, engineIn, ENGINES } from "../support/engines.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a program filters by the literals that every match holds", async () => {
  await using tree = await tempTree({ a: "foo\nbar\n", b: "föö\n" });
  for (const engine of ENGINES) {
    for (
      const query of [
        { pattern: "foo" },
        { pattern: "öö" },
        { pattern: "^(?:foo|ba[rz])$" },
        { pattern: "FO+", caseInsensitive: true },
        { pattern: "foo\\nbar", multiline: true },
        { pattern: "a".repeat(20_000) },
      ]
    ) {
      assert.equal(engineIn(await answerOf(engine, tree.root, query)), engine);
    }
  }
});

Deno.test("an engine hands what it cannot filter to js, with a note", async () => {
  await using tree = await tempTree({ a: "foo\n\nbar\n" });
  const none = "the pattern has no literal text to filter files by";
  const queries = [
    [{ pattern: "foo", invert: true }, "it is for lines that do not match"],
    [
      { pattern: "foo", filesWithoutMatch: true, outputMode: "file" },
      "it is for files without a match",
    ],
    [{ pattern: "x*" }, none],
    [{ pattern: "f|foo" }, none],
    [{ pattern: "(\\w)\\1" }, none],
    [{ pattern: "o\\n\\nb", multiline: true }, none],
  ] as const;
  for (const engine of ENGINES) {
    if (engine === "js") continue;
    for (const [query, reason] of queries) {
      const answer = await answerOf(engine, tree.root, query);
      assert.equal(engineIn(answer), "js");
      const [note] = answer.notes as string[];
      assert.equal(note, `engine ${engine} handed the search to js, as ${reason}`);
      assert.deepEqual(comparable(answer), comparable(await answerOf("js", tree.root, query)));
    }
  }
});
