/**
 * The benchmark of absences: what its guide says of each tool is what happens, and what this project promises
 * holds in all of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Circumstance, HERE, OURS, type Tool, TOOLS } from "../../dev/absence/circumstance.ts";
import { type Answer, type Verdict, verdictOn } from "../../dev/absence/judge.ts";
import { allResults, CIRCUMSTANCES } from "../../dev/absence/run.ts";
import {
  circumstanceTables,
  reasonsTable,
  sumsSentence,
  sumsTable,
} from "../../dev/absence/table.ts";
import { isInstalled } from "../../dev/absence/tools.ts";
import { testNeeding } from "../support/needs.ts";
import { published } from "../support/publish.ts";
import { CHECKOUT } from "../support/run.ts";

const ROWS = CIRCUMSTANCES.flatMap(([, rows]) => rows);
const HINT = "`deno task absence` writes it anew";

/** The rows of tables as cells, of the columns for tools only some. */
function cells(markdown: string | undefined, tools: readonly Tool[] = TOOLS): string[][] {
  const rows = markdown!.split("\n").filter((line) =>
    line.startsWith("|") && !/^\|[ :-]+\|/.test(line)
  )
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
  const isKept = (index: number, { length }: readonly string[]) =>
    index < length - TOOLS.length || tools.includes(TOOLS[index - length + TOOLS.length]!);
  return rows.map((row) =>
    row.length < TOOLS.length ? row : row.filter((_, index) => isKept(index, row))
  );
}

testNeeding("linux").slow(
  "the tables are what the tools answer, and pathgrep never keeps silent",
  async () => {
    const tools = TOOLS.filter(isInstalled);
    const results = await allResults(tools, { isHere: true });
    for (const row of ROWS) {
      for (const tool of OURS) {
        const { verdict, question, said } = results.get(row.name)!.get(tool)!;
        const isByDesign = row.byDesign?.tools.includes(tool) === true;
        assert.equal(verdict === "silent", isByDesign, `${row.name}: ${question}: ${said}`);
        assert.notEqual(verdict, "alarmed", `${row.name}: ${question}: ${said}`);
      }
    }
    const guide = await Deno.readTextFile(`${CHECKOUT}docs/absence.md`);
    const filled = tools.length === TOOLS.length ? results : new Map(
      [...results].map((
        [name, row],
      ) => [name, new Map([...row, ["ugrep", row.get("rg")!] as const])]),
    );
    assert.deepEqual(
      cells(published(guide, "circumstances"), tools),
      cells(circumstanceTables(TOOLS, filled), tools),
      HINT,
    );
    assert.deepEqual(
      cells(published(guide, "sums"), tools),
      cells(sumsTable(TOOLS, filled), tools),
      HINT,
    );
    if (tools.length < TOOLS.length) return;
    const readme = await Deno.readTextFile(`${CHECKOUT}README.md`);
    const plain = (text: string) => text.replace(/\s+/g, " ");
    assert.equal(plain(published(readme, "absence")!), plain(sumsSentence(results)), HINT);
  },
);

Deno.test("sixty circumstances have each a name and a public source, and some are traps", async () => {
  assert.equal(ROWS.length, 60);
  assert.equal(new Set(ROWS.map(({ name }) => name)).size, 60);
  assert.ok(ROWS.filter(({ trap }) => trap).length >= 5);
  for (const { name, source, files, file, trap } of ROWS) {
    assert.match(source, /^(?:[\w.-]+\/[\w.-]+#\d+|https:\/\/\S+)$/, name);
    assert.ok(file !== undefined || trap, name);
    const texts = Object.values(files).map((entry) =>
      entry instanceof Uint8Array ? new TextDecoder("latin1").decode(entry) : String(entry)
    );
    // What is packed, or written by a shell, is not looked into.
    const isSeen = file !== undefined && file in files && !file.endsWith(".gz");
    const isLine = texts.some((text) => text.replaceAll("\0", "").includes(HERE));
    assert.ok(!isSeen || isLine, `${name} has the line`);
  }
  const guide = await Deno.readTextFile(`${CHECKOUT}docs/absence.md`);
  assert.deepEqual(cells(published(guide, "reasons")), cells(reasonsTable()), HINT);
});

Deno.test("an answer is judged by what it shows, and by what it names", () => {
  const row: Circumstance = {
    ...{ name: "made up", source: "a/b#1", files: {}, ask: { pattern: "needle" } },
    ...{ file: "src/gen/a.ts", names: ["src/gen"], cause: /no such type/ },
  };
  const trap = { ...row, trap: true } as const;
  const { file: _, ...empty } = trap;
  const cases: [Circumstance, Partial<Answer>, Verdict][] = [
    [row, { shown: "src/gen/a.ts:1:needle (here)" }, "found"],
    [row, { shown: "src/other.ts:1:needle" }, "silent"],
    [row, { shown: "needle" }, "silent"],
    [row, { said: "1 match in src/gen/a.ts is ignored" }, "said"],
    [row, { said: "not shown: 1 match in ignored src/gen" }, "said"],
    [row, { said: "1 match in src/gen/a.tsx" }, "silent"],
    [row, { said: "1 match in src/gen-old" }, "silent"],
    [row, { said: "1 match in lib/src.gen/a.ts" }, "silent"],
    [row, { said: "no such type: tsx" }, "said"],
    [
      row,
      { said: "rg: No files were searched, which means ripgrep probably applied a filter" },
      "said",
    ],
    [row, { said: "src/gen is ignored", then: "src/gen/a.ts:1:needle (here)" }, "said"],
    [row, { said: "src/gen is ignored", then: "no matches" }, "silent"],
    [row, { shown: `${"x".repeat(20_000)}(here)${"x".repeat(20_000)}` }, "silent"],
    [row, { shown: `(here)${"x".repeat(40_000)}` }, "found"],
    [trap, { shown: "src/gen/a.ts:1:needle (here)" }, "right"],
    [trap, { shown: "src/gen/a.ts:1:needle (here)", said: "1 match is ignored" }, "alarmed"],
    [trap, {}, "silent"],
    [empty, {}, "right"],
    [empty, { said: "\n" }, "right"],
    [empty, { said: "src/gen is ignored" }, "alarmed"],
    [empty, { shown: ".git/logs/HEAD:1:needle" }, "alarmed"],
  ];
  for (const [row, answer, verdict] of cases) {
    assert.equal(
      verdictOn(row, { shown: "", said: "", ...answer }),
      verdict,
      JSON.stringify(answer),
    );
  }
});
