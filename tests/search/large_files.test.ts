/** Files larger than what is read at once: the same lines as in the text as a whole. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, search, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

const PIECE = (1 << 20) + 1;

/** Parts of a file: short lines, lines around and over a piece, characters cut by its end. */
const part = fc.oneof(
  fc.nat(60_000).map((count) => "filler line\n".repeat(count)),
  fc.nat(1_200_000).map((length) => "x".repeat(length)),
  fc.tuple(fc.constantFrom("é", "世", "😀"), fc.nat(300_000)).map(([char, n]) => char.repeat(n)),
  fc.constantFrom("needle\n", "\n", "a needle in a line", "\ufeffneedle\n", "\r\n", "needle\r\n"),
  fc.nat(3).map((offset) => `\n${"y".repeat(PIECE - 8 + offset)}needle\n`),
);

Deno.test("a file of several pieces has the lines of its text", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 4, maxLength: 10 }), async (parts) => {
      const text = `first needle\n${"z\n".repeat(PIECE / 2)}${parts.join("")}`;
      await Deno.writeTextFile(`${tree.root}/a.txt`, text);
      const query = { pattern: "needle", path: "a.txt", maxLineLength: 40, maxResults: 10_000 };
      const result = await search(query, { workspace }) as ContentResult;
      const lines = text.split("\n").flatMap((line, index) =>
        line.includes("needle") ? [index + 1] : []
      );
      assert.deepEqual(result.matches.map((match) => match.line_number), lines);
      const context = await search({ ...query, context: 1 }, { workspace }) as ContentResult;
      assert.deepEqual(context.matches.map((match) => match.line_number), lines);
      assert.deepEqual(
        context.matches.map((match) => match.line),
        result.matches.map((m) => m.line),
      );
    }),
    { numRuns: 12 },
  );
});

Deno.test("a byte that is not UTF-8, or a NUL, is found in any piece and every mode", async () => {
  const filler = new TextEncoder().encode("needle and filler\n".repeat(100_000));
  const write = (bytes: number[], at: number) => {
    const file = filler.slice();
    file.set(bytes, at);
    return file;
  };
  await using tree = await tempTree({});
  const ends = [PIECE - 1, PIECE, PIECE + 1, filler.length - 1, 5];
  for (const [index, at] of ends.entries()) {
    await Deno.writeFile(`${tree.root}/nul${index}.txt`, write([0], at));
    await Deno.writeFile(`${tree.root}/bad${index}.txt`, write([0xe4], at));
  }
  const workspace = await Workspace.open(tree.root);
  for (const outputMode of ["content", "file", "count"] as const) {
    for (const query of [{}, { maxCount: 1 }, { pattern: "absent" }]) {
      const { count, stats } = await search(
        { pattern: "needle", outputMode, maxFileSize: 0, stats: true, ...query },
        { workspace },
      );
      assert.equal(count, 0);
      assert.deepEqual(stats!.skipped, { binary: ends.length, not_utf8: ends.length });
    }
  }
});
