/**
 * The order of a tool's answer that does not fit one page.
 *
 * @module
 */
import assert from "node:assert/strict";
import { GrepTool, search, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import fc from "fast-check";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { connect } from "../mcp/clients.ts";

// deno-lint-ignore no-explicit-any -- answers of every form
type Json = any;

async function asker(tree: Tree): Promise<(input: object) => Promise<Json>> {
  const tool = new GrepTool({ workspace: await Workspace.open(tree.root) });
  return async (input) => await tool.execute({ paths: "relative", ...input });
}

const placesOf = ({ matches }: Json): string[] =>
  matches.map(({ file, line_number }: Json) => `${file}:${line_number}`);

const lines = (count: number, text = "needle") =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\n`).join("");

test("a long answer shows ten entries of each file in turn, and says what is left of a file", async () => {
  await using tree = await tempTree({ "a.txt": lines(25), "b.txt": lines(12), "c.txt": lines(3) });
  const ask = await asker(tree);
  const places = placesOf(await ask({ pattern: "needle", max_results: 39 }));
  const run = (file: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${file}:${from + index}`);
  assert.deepEqual(places, [
    ...run("a.txt", 1, 10),
    ...run("b.txt", 1, 10),
    ...run("c.txt", 1, 3),
    ...run("a.txt", 11, 20),
    ...run("b.txt", 11, 12),
    ...run("a.txt", 21, 24),
  ]);
  const { text, notes } = await ask({
    pattern: "needle",
    max_results: 13,
    response_format: "concise",
  });
  assert.equal(
    text,
    `a.txt\n${lines(10).replace(/needle (\d+)/g, "$1:$&")}+15 more in this file\n\n` +
      "b.txt\n1:needle 1\n2:needle 2\n3:needle 3\n",
  );
  assert.ok(notes.some((note: string) => /path: "?a\.txt"? shows/.test(note)), `${notes}`);
  // What fits is in path order, without a mark.
  const whole = await ask({ pattern: "needle", max_results: 40, response_format: "concise" });
  assert.doesNotMatch(whole.text, /more in this file/);
  assert.equal(whole.text.match(/\.txt/g).length, 3);
});

test("over MCP, a file's further matches are announced below it", async () => {
  await using tree = await tempTree({ "a.txt": lines(25), "b.txt": lines(2) });
  await using client = await connect("v1", { cwd: tree.root });
  const { text } = await client.call("grep", { pattern: "needle", max_results: 12 });
  assert.match(
    text,
    /^10:needle 10\n\+15 more in this file\n\nb\.txt\n1:needle 1\n2:needle 2\n\nmatches 1-12 of 27 in 2 files; /m,
  );
});

test("the order is that of a tool without sort alone", async () => {
  await using tree = await tempTree({ "a.txt": lines(12), "b.txt": lines(2) });
  const ask = await asker(tree);
  const byPath = Array.from({ length: 12 }, (_, index) => `a.txt:${index + 1}`);
  const page = { pattern: "needle", max_results: 12 };
  assert.notDeepEqual(placesOf(await ask(page)), byPath);
  assert.deepEqual(placesOf(await ask({ ...page, sort: "path" })), byPath);
  const query = { pattern: "needle", maxResults: 12, onOverflow: "truncate" } as const;
  const workspace = await Workspace.open(tree.root);
  assert.deepEqual(placesOf(await search({ ...query, paths: "relative" }, { workspace })), byPath);
  const args = ["needle", "--max-results=12", "--on-overflow=truncate", "--paths=relative"];
  assert.deepEqual(placesOf((await pathgrep(args, { cwd: tree.root })).json()), byPath);
});

test("past 10,000 matches the order is that of paths, and a note says so", async () => {
  await using tree = await tempTree({ "a.txt": lines(9_999), "b.txt": lines(2) });
  const ask = await asker(tree);
  const page = await ask({ pattern: "needle", max_results: 12, offset: 9_995 });
  assert.deepEqual(placesOf(page).slice(0, 5), [
    ...["a.txt:9996", "a.txt:9997", "a.txt:9998", "a.txt:9999", "b.txt:1"],
  ]);
  assert.ok(page.notes.some((note: string) => note.includes("in path order")), `${page.notes}`);
  const fewer = await ask({ pattern: "needle", exclude: "b.txt", max_results: 10 });
  assert.ok(!fewer.notes?.some((note: string) => note.includes("in path order")));
});

test("pages of any size make up one order, each entry once", async (t) => {
  const line = fc.constantFrom("needle\n", "x\n", "needle() {\n", "}\n");
  const file = fc.record({
    name: fc.constantFrom("a.txt", "b.ts", "lib/c.py", "lib/d.ts", "e.txt"),
    lines: fc.array(line, { minLength: 1, maxLength: 40 }),
  });
  const files = fc.uniqueArray(file, { minLength: 1, selector: ({ name }) => name });
  const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 3 });
  const keys = fc.record({ context: fc.integer({ min: 0, max: 2 }), multiline: fc.boolean() });
  const property = fc.asyncProperty(files, sizes, keys, async (files, sizes, keys) => {
    await using tree = await tempTree(
      Object.fromEntries(files.map(({ name, lines }) => [name, lines.join("")])),
    );
    const ask = await asker(tree);
    const query = { pattern: "needle", ...keys };
    const whole = placesOf(await ask({ ...query, max_results: 1000 }));
    const orders = new Set<string>();
    for (const size of sizes) {
      const places: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page = await ask({ ...query, max_results: size, offset });
        places.push(...placesOf(page));
        offset = page.next_offset;
      }
      assert.deepEqual(places.toSorted(), whole.toSorted());
      if (size < whole.length) orders.add(places.join());
    }
    assert.ok(orders.size <= 1, [...orders].join("\n"));
  });
  await assertHolds(t, property, { numRuns: 15 });
});

const PROGRAM = {
  "a.ts": `import { parseItem } from "./z.ts";\n${"parseItem(1);\n".repeat(30)}`,
  "b.py": `x = parseItem()\nclass Other:\n    def parseItem(self):\n        return parseItem\n`,
  "c.md": "# parseItem\n",
  "d.go": "package d\n\nfunc (p *P) parseItem(a int) error {\n\treturn nil\n}\n",
  "m.ts": "/*\nfunction parseItem() {\n*/\nconst text = `\nfunction parseItem() {}\n`;\n",
  "z.ts":
    "export function parseItemList() {\n}\nexport function parseItem(\n  a: string,\n) {\n  return a;\n}\n",
};

test("definitions of what is searched for come first", async () => {
  await using tree = await tempTree(PROGRAM);
  const ask = await asker(tree);
  const first = async (pattern: string, more = {}) =>
    placesOf(await ask({ pattern, max_results: 5, ...more }));
  assert.deepEqual(await first("parseItem"), [
    ...["b.py:3", "d.go:3", "z.ts:3", "z.ts:1", "a.ts:1"],
  ]);
  const word = await first("parseItem", { whole_word: true });
  assert.deepEqual(word, ["b.py:3", "d.go:3", "z.ts:3", "a.ts:1", "a.ts:2"]);
  assert.deepEqual(await first("function parseItem\\(", { max_results: 2 }), ["z.ts:3", "m.ts:2"]);
  assert.deepEqual((await first("return|parseItem\\(1")).slice(0, 2), ["a.ts:2", "a.ts:3"]);
});

test("a definition whose whole name matches comes before those with longer names", async () => {
  const longer = Array.from({ length: 25 }, (_, index) => [
    `a/${100 + index}.ts`,
    `export class Token${index} {\n  x = Token;\n}\n`,
  ]);
  await using tree = await tempTree({
    ...Object.fromEntries(longer),
    "b.ts": "export class TokenList {\n}\nexport class Token {\n}\n",
    "c.py": "class Token:\n    pass\n",
  });
  const ask = await asker(tree);
  for (const pattern of ["Token", "(?:class|def) Token"]) {
    const places = placesOf(await ask({ pattern, max_results: 3 }));
    assert.deepEqual(places, ["b.ts:3", "c.py:1", "a/100.ts:1"], pattern);
  }
  const places = placesOf(await ask({ pattern: "Token", max_results: 24 }));
  assert.deepEqual(places.slice(17, 22), [
    ...["a/115.ts:1", "a/116.ts:1", "b.ts:1"], // 20 in all
    ...["a/100.ts:2", "a/101.ts:2"],
  ]);
  const parts = placesOf(await ask({ pattern: "Toke", max_results: 3 }));
  assert.deepEqual(parts, ["a/100.ts:1", "a/101.ts:1", "a/102.ts:1"]);
});

test("at most 20 definitions come first, in path order", async () => {
  const defined = "export function needle() {\n  needle();\n}\n";
  await using tree = await tempTree(
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${100 + index}.ts`, defined])),
  );
  const ask = await asker(tree);
  const places = placesOf(await ask({ pattern: "needle", max_results: 59 }));
  const expected = Array.from({ length: 20 }, (_, index) => `${100 + index}.ts:1`);
  assert.deepEqual(places.slice(0, 21), [...expected, "100.ts:2"]);
});
