/** Files larger than what is read at once: the same lines as in the text as a whole. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { assertHolds } from "../support/draw.ts";
import { assertSoon } from "../support/soon.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const PIECE = (1 << 20) + 1;

/** Parts of a file: short lines, lines around and over a piece, characters cut by its end. */
const part = fc.oneof(
  fc.tuple(fc.constant("filler line\n"), fc.nat(60_000)),
  fc.tuple(fc.constant("x"), fc.nat(1_200_000)),
  fc.tuple(fc.constantFrom("é", "世", "😀"), fc.nat(300_000)),
  fc.tuple(
    fc.constantFrom("needle\n", "\n", "a needle in a line", "\ufeffneedle\n", "\r\n"),
    fc.constant(1),
  ),
  fc.tuple(
    fc.constant("y"),
    fc.constantFrom(...[-8, -7, -1, 0, 1].map((offset) => PIECE + offset)),
  ),
);

test.slow("a file of several pieces has the lines of its text", async (t) => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  await assertHolds(
    t,
    fc.asyncProperty(fc.array(part, { minLength: 4, maxLength: 12 }), async (parts) => {
      const rest = parts.map(([text, count]) => text.repeat(count)).join("");
      const text = `first needle\n${"z\n".repeat(PIECE / 2)}${rest}`;
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
        result.matches.map((match) => match.line),
      );
    }),
    { numRuns: 12 },
  );
});

Deno.test("a file that ends where a piece does is read once", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  for (let size = 2 * PIECE - 3; size <= 2 * PIECE + 3; size++) {
    const start = "needle\n";
    const filler = "y".repeat(size - 2 * start.length);
    await Deno.writeTextFile(`${tree.root}/a.txt`, start + filler + start);
    const query = { pattern: "needle", path: "a.txt", maxLineLength: 40 };
    const result = await search(query, { workspace }) as ContentResult;
    assert.deepEqual(result.matches.map((match) => match.line_number), [1, 2], `${size} bytes`);
  }
});

Deno.test("a byte that is not UTF-8, or a NUL, is found in any piece and every mode", async () => {
  const filler = new TextEncoder().encode(`needle and${" filler".repeat(15)}\n`.repeat(20_000));
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

/** Lines that begin with a name; one in ten thousand has the word. */
function linesWith(word: string, count: number, name = "line"): string {
  return Array.from({ length: count }, (_, index) => {
    return `${name} ${index} ${index % 10_000 === 7 ? `with ${word}` : "and its text"}\n`;
  }).join("");
}

/** How many times the process has a file open, where the system tells. */
function timesOpen(path: string): number {
  try {
    return Array.from(Deno.readDirSync("/proc/self/fd")).filter(({ name }) => {
      try {
        return Deno.readLinkSync(`/proc/self/fd/${name}`) === path;
      } catch {
        return false; // the directory itself, closed by now
      }
    }).length;
  } catch {
    return 0;
  }
}

test.slow("searches that take turns in large files do not mix", async () => {
  await using tree = await tempTree({
    "a.log": linesWith("alpha", 1_500_000),
    "b.log": linesWith("beta, é,", 1_000_000, "another"),
  });
  const workspace = await Workspace.open(tree.root);
  const queries: SearchQuery[] = [
    { pattern: "alpha|beta", path: "a.log", context: 1 },
    { pattern: "beta", path: "b.log", maxCount: 50 },
    { pattern: "[0-9]7 with", path: "b.log" },
    { pattern: "alpha$", path: "a.log", outputMode: "count" },
    { pattern: "7 with .*", path: "b.log", context: 2 },
    { pattern: "^line [0-9]+ (and its text|with alpha)$", invert: true, path: "a.log" },
    { pattern: "^another [0-9]+ (and its text|with beta, é,)$", invert: true, path: "b.log" },
  ];
  const expected = [];
  for (const query of queries) expected.push(await search(query, { workspace }));
  await using searcher = new Searcher({ workspace });
  assert.deepEqual(await Promise.all(queries.map((query) => searcher.search(query))), expected);
  assert.deepEqual(expected.map(({ count }) => count), [150, 50, 99, 150, 100, 0, 0]);
});

for (const [how, where] of [["named", { path: "a.log" }], ["met", { maxFileSize: 0 }]] as const) {
  test.slow(`a search is cancelled in the middle of a large file that was ${how}, and closes it`, async () => {
    await using tree = await tempTree({ "a.log": linesWith("alpha", 3_000_000) });
    const workspace = await Workspace.open(tree.root);
    // Without a text that every match holds, every line is looked at.
    const slow = "[v-x][h-j][s-u][g-i]";
    const other = search({ pattern: `[0-9]7 ${slow}`, context: 1, ...where }, { workspace });
    const ender = new AbortController();
    const { signal } = ender;
    // It takes minutes: however busy the machine is, it is not over when it is cancelled.
    const slower = String.raw`(\w+).*\1.*\1.* ${slow}`;
    const cancelled = search({ pattern: slower, context: 1, ...where }, { workspace, signal });
    const isCancelled = assert.rejects(cancelled, { code: "cancelled" });
    // Searches give way at least every 20 ms: by then they have done so, and are far from the end.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
    const aborted = performance.now();
    ender.abort();
    await isCancelled;
    assertSoon(aborted);
    assert.equal((await other).count, 299);
    // A worker hears of it a moment later.
    while (timesOpen(tree.path("a.log")) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assertSoon(aborted);
  });
}
