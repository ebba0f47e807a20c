/** Lines around matches: those of the file, to its end, and not so many that they fill the memory. */
import fc from "fast-check";
import assert from "node:assert/strict";
import { type ContentResult, search, type SearchQuery, Workspace } from "../../mod.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("more than 1000 lines of context are read as 1000, with a note", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
  await using tree = await tempTree({ "a.txt": lines.join("\n") });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "^line 2500$", context: 3000 };
  const result = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(result.matches[0]!.before, lines.slice(1499, 2499));
  assert.deepEqual(result.matches[0]!.after, lines.slice(2500, 3500));
  assert.deepEqual(result.notes, [
    "context of 3000 lines was reduced to 1000; read the file itself for more",
  ]);
});

Deno.test("context is the lines around a match, wherever it stands in its file", async (t) => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const line = fc.constantFrom("needle", "a needle b", "hay", "", "é", "needles and hay");
  const file = fc.tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.boolean());
  await assertHolds(
    t,
    fc.asyncProperty(file, fc.nat(3), fc.nat(3), async ([lines, isEnded], before, after) => {
      if (!isEnded && lines.at(-1) === "") lines.push("hay");
      await Deno.writeTextFile(`${tree.root}/a.txt`, lines.join("\n") + (isEnded ? "\n" : ""));
      const query = { pattern: "needle", before, after };
      const { matches } = await search(query, { workspace }) as ContentResult;
      const expected = lines.flatMap((line, index) =>
        line.includes("needle")
          ? [{
            line_number: index + 1,
            before: lines.slice(Math.max(0, index - before), index),
            after: lines.slice(index + 1, index + 1 + after),
          }]
          : []
      );
      const found = matches.map(({ line_number, before = [], after = [] }) => {
        return { line_number, before, after };
      });
      assert.deepEqual(found, expected);
    }),
    { numRuns: 300 },
  );
});

const WAY = fc.record({
  pattern: fc.constantFrom("needle", "needle\\n\\S", "needle|hay"),
  multiline: fc.boolean(),
  onlyMatching: fc.boolean(),
  before: fc.nat(2),
  after: fc.nat(2),
});

Deno.test("a page has the entries of the whole answer, with the same context", async (t) => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const line = fc.constantFrom("needle", "a needle, a needle", "hay", "", "needle end", "hay end");
  const text = fc.array(line, { maxLength: 12 }).map((lines) =>
    lines.map((one) => `${one}\n`).join("")
  );
  await assertHolds(
    t,
    fc.asyncProperty(text, text, WAY, fc.nat(8), fc.nat(4), async (a, b, way, offset, more) => {
      await tree.write({ "a.txt": a, "b.txt": b });
      const ask = async (page: Partial<SearchQuery>) =>
        await search({ ...way, ...page }, { workspace }) as ContentResult;
      const whole = await ask({});
      const maxResults = more + 1;
      const page = await ask({ offset, maxResults });
      assert.deepEqual(page.matches, whole.matches.slice(offset, offset + maxResults));
    }),
    { numRuns: 200 },
  );
});

test.slow("so has one far into a file, whose entries before it are forgotten", async (t) => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const pad = " ".repeat(400_000); // three of them are more than is held of what comes before a page
  const line = fc.constantFrom("needle", "a needle, a needle", "hay", "", "needle end", "hay end");
  const text = fc.array(fc.tuple(line, fc.boolean()), { minLength: 8, maxLength: 20 }).map(
    (lines) => lines.map(([one, isLong]) => `${one}${isLong ? pad : ""}\n`).join(""),
  );
  await assertHolds(
    t,
    fc.asyncProperty(text, WAY, fc.nat(24), fc.nat(4), async (text, way, offset, more) => {
      await tree.write({ "a.txt": text });
      const ask = async (page: Partial<SearchQuery>) => {
        const query = { ...way, path: "a.txt", maxLineLength: 0, ...page };
        return await search(query, { workspace }) as ContentResult;
      };
      const whole = await ask({});
      const maxResults = more + 1;
      const page = await ask({ offset, maxResults });
      assert.deepEqual(page.matches, whole.matches.slice(offset, offset + maxResults));
    }),
    { numRuns: 100 },
  );
});

Deno.test("a long line that matches is cut around its match where it is context, too", async () => {
  const long = (word: string) => "l".repeat(40) + word + "r".repeat(40);
  await using tree = await tempTree({ "a.txt": `${long("hay")}\n${long("needle")}\nneedle\n` });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", before: 2, maxLineLength: 10 };
  const { matches } = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(matches.map(({ line, before }) => ({ line, before })), [
    { line: "llneedlerr", before: ["l".repeat(10)] },
    { line: "needle", before: ["l".repeat(10), "llneedlerr"] },
  ]);
});
