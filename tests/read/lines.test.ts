/** What an entry says of its line: number, column, what is cut off, and what is around it. */
import assert from "node:assert/strict";
import { type ContentResult, search, type SearchQuery, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** The entries of one file with this text. */
async function entriesOf(text: string | Uint8Array, query: Partial<SearchQuery>) {
  await using tree = await tempTree({ "a.txt": text });
  const workspace = await Workspace.open(tree.root);
  const { matches } = await search(
    { pattern: "needle", path: "a.txt", maxResults: 100_000, ...query },
    { workspace },
  ) as ContentResult;
  return matches;
}

test.slow("a line is cut to its length in code points, around its match", async () => {
  for (const filler of ["x", "🪡", "é", "x🪡"]) {
    const unit = Array.from(filler).length;
    for (const [before, after] of [[0, 0], [0, 40], [40, 0], [40, 40], [5, 40], [40, 5]] as const) {
      const line = `${filler.repeat(before)}needle${filler.repeat(after)}`;
      const points = Array.from(line);
      for (const maxLineLength of [0, 6, 7, 20, points.length - 1, points.length]) {
        if (maxLineLength < 0 || maxLineLength > points.length) continue;
        const [entry] = await entriesOf(`\n${line}\n`, { maxLineLength });
        const isCut = maxLineLength > 0 && points.length > maxLineLength;
        assert.equal(entry!.line_truncated ?? false, isCut);
        assert.equal(entry!.line_number, 2);
        assert.equal(entry!.column, isCut ? before * unit + 1 : undefined);
        assert.equal(Array.from(entry!.line).length, isCut ? maxLineLength : points.length);
        assert.ok(line.includes(entry!.line));
        assert.ok(entry!.line.startsWith("needle") || entry!.line.includes("ne"));
      }
    }
  }
});

Deno.test("every match of a line has its column, counted in code points", async () => {
  const line = "needle 🪡 needleneedle é needle";
  const columns = [...line.matchAll(/needle/g)].map(({ index }) =>
    Array.from(line.slice(0, index)).length + 1
  );
  const entries = await entriesOf(`first needle\n${line}\n${line}`, {
    onlyMatching: true,
    column: true,
  });
  assert.deepEqual(entries.map(({ line_number, column }) => [line_number, column]), [
    [1, 7],
    ...columns.map((column) => [2, column]),
    ...columns.map((column) => [3, column]),
  ]);
});

Deno.test("lines and columns begin anew in each file", async () => {
  await using tree = await tempTree({
    "a": "hay\n🪡🪡 needle\n",
    "b": "hay\nxxxxxxxx needle\n",
    "c": "hay\nneedle\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", column: true, paths: "relative" } as const;
  const { matches } = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(matches.map(({ file, line_number, column }) => [file, line_number, column]), [
    ["a", 2, 4],
    ["b", 2, 10],
    ["c", 2, 1],
  ]);
});

Deno.test("lines of a large file keep their numbers and what is around them, wherever it is divided", async () => {
  const lines: string[] = [];
  for (let index = 0; index < 180_000; index++) {
    const isNeedle = index % 29_999 === 7 || index > 179_990;
    lines.push(`${index} ${"é".repeat(index % 23)}${isNeedle ? "needle" : "hay"}`);
  }
  const query = { before: 2, after: 3, column: true } as const;
  for (const multiline of [false, true]) {
    const entries = await entriesOf(lines.join("\n"), { ...query, multiline });
    const wanted = [...lines.keys()].filter((index) => lines[index]!.includes("needle"));
    assert.deepEqual(
      entries,
      wanted.map((index) => {
        const [before, after] = [lines.slice(index - 2, index), lines.slice(index + 1, index + 4)];
        return {
          file: entries[0]!.file,
          line_number: index + 1,
          line: lines[index]!,
          column: lines[index]!.indexOf("needle") + 1,
          before,
          after,
        };
      }),
    );
  }
  const last = await entriesOf(`${"x\n".repeat(3_000_000)}needle`, {});
  assert.equal(last[0]!.line_number, 3_000_001);
});

Deno.test("a count, a cap for each file and lines that do not match agree about the end of a file", async () => {
  for (const end of ["", "\n", "\r\n"]) {
    const text = `needle\nhay\n\nneedle${end}`;
    assert.equal((await entriesOf(text, {})).length, 2);
    assert.equal((await entriesOf(text, { maxCount: 1 })).length, 1);
    const others = await entriesOf(text, { invert: true });
    assert.deepEqual(others.map(({ line_number, line }) => [line_number, line]), [[2, "hay"], [
      3,
      "",
    ]]);
    assert.equal((await entriesOf(text, { pattern: "^", maxCount: 10 })).length, 4);
    const spans = await entriesOf(text, { pattern: "e\\nh|needle", multiline: true });
    assert.deepEqual(spans.map(({ line_number }) => line_number), [1, 4]);
  }
});

Deno.test("UTF-16 of either kind is text, and what holds a NUL is not, however late", async () => {
  const utf16 = (text: string, isLittle: boolean) =>
    Uint8Array.from(
      text.split("").flatMap((unit) => {
        const code = unit.charCodeAt(0);
        return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255];
      }),
    );
  for (const isLittle of [true, false]) {
    const [entry] = await entriesOf(utf16("\ufeffhay\na needle 🪡\n", isLittle), {});
    assert.equal(entry?.line, "a needle 🪡");
  }
  for (const nul of [10, 2000, 500_000, 5_000_000]) {
    assert.deepEqual(await entriesOf(`needle\n${"x".repeat(nul)}\0`, {}), []);
  }
});

Deno.test("the columns of one file's first line say nothing of the next file's", async () => {
  const first = "\u{1d4b3}\u{1d4b3}foo \u{1d4b3} foo\n";
  const lines = [first, "abcdfoo\n", first, "abcdefghijfoo foo\n"];
  await using t = await tempTree(
    Object.fromEntries(lines.map((line, index) => [`${index}.txt`, line])),
  );
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "foo", onlyMatching: true, column: true } as const;
  const { matches } = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(matches.map(({ column }) => column), [3, 9, 5, 3, 9, 11, 15]);
});

Deno.test("lines are found whatever bytes might be mistaken for a pattern's", async () => {
  assert.equal((await entriesOf("hay\n", { invert: true })).length, 1);
  const spans = await entriesOf("hay\nneedle\nother words\n", {
    pattern: "needle\\nother",
    multiline: true,
  });
  assert.deepEqual(spans.map(({ line_number }) => line_number), [2]);
  const folded = { pattern: "kelvin", caseInsensitive: true };
  assert.equal((await entriesOf("\u212aelvin\n", folded)).length, 1, "the Kelvin sign");
});

Deno.test("what a match that spans lines holds may be on different lines of a file", async () => {
  const tale = "once a needle\nwas in the hay\n";
  await using tree = await tempTree({ "a.txt": tale, "b.txt": `${"-\n".repeat(100_000)}${tale}` });
  const workspace = await Workspace.open(tree.root);
  for (const pattern of ["needle\\nwas", "needle.*\\n.*the hay", "once[^]*hay"]) {
    const query = { pattern, multiline: true, outputMode: "count" } as const;
    assert.equal((await search(query, { workspace })).count, 2, pattern);
  }
});

Deno.test("the lines that no pattern matches are found in files without any match, too", async () => {
  await using tree = await tempTree({ "a.txt": "needle\nhay\n", "b.txt": "hay\nstraw\n" });
  const workspace = await Workspace.open(tree.root);
  for (const pattern of ["needle", "need(le|k)", "n\\w+le", ["needle", "nee[d]k"]]) {
    for (const path of [undefined, "b.txt", ["a.txt", "b.txt"]]) {
      const query = { pattern, path, invert: true };
      const { matches } = await search(query, { workspace }) as ContentResult;
      const lines = matches.map(({ line }) => line);
      assert.deepEqual(lines, path === "b.txt" ? ["hay", "straw"] : ["hay", "hay", "straw"]);
    }
  }
});
