/**
 * Floods: whatever a workspace holds and a caller asks for, answers keep to their caps and the process
 * to a stated size. The figures of SECURITY.md are measured here; `FLOOD_FIGURES=1` prints them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PathgrepError, search, type SearchQuery, Workspace } from "../../mod.ts";
import { measured as measuredIn, MEGABYTE } from "./measured.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** Resident bytes of any search, as SECURITY.md states them. */
const BOUND = 256 * MEGABYTE;

/** Resident bytes where ignore files or answers are made to take all there is. */
const UTMOST_BOUND = 512 * MEGABYTE;

/**
 * Megabytes of a line, or of standard input, of which nothing may be kept: several times what may be
 * taken. SECURITY.md states the figures for a gigabyte.
 */
const HUGE = Deno.env.has("FLOOD_FIGURES") ? 1024 : 512;

const MILLION = 1_000_000;
const BUDGET = 5000;

/** Files of every size are searched here. */
function measured(root: string, args: readonly string[], input?: Iterable<Uint8Array>) {
  return measuredIn(root, ["--max-file-size", "0", ...args], input);
}

/** A file of so many equal lines. */
async function writeLines(path: string, millions: number): Promise<void> {
  const million = new TextEncoder().encode("x\n".repeat(MILLION));
  using file = await Deno.create(path);
  for (let count = 0; count < millions; count++) await file.write(million);
}

test.slow("ten million matches are counted exactly, in one file and in many", async () => {
  await using tree = await tempTree({ "one/": null, "many/": null });
  await writeLines(tree.path("one/a.txt"), 10);
  for (let file = 0; file < 10; file++) await writeLines(tree.path(`many/${file}.txt`), 1);
  for (const [directory, files] of [["one", 1], ["many", 10]] as const) {
    const { out, peak } = await measured(tree.path(directory), ["x", "-c"]);
    const { counts, count } = JSON.parse(out);
    assert.equal(counts.length, files);
    assert.equal(count, 10 * MILLION);
    assert.ok(peak < BOUND, `${directory}: ${peak} bytes`);
  }
});

test.slow("ten million matches overflow in every mode and format within bounded memory", async () => {
  await using tree = await tempTree({ "a/": null, "b/": null });
  for (let file = 0; file < 10; file++) {
    await writeLines(tree.path(`${file < 5 ? "a" : "b"}/${file}.txt`), 1);
  }
  for (const mode of ["content", "file", "count"]) {
    for (const format of ["json", "jsonl", "text"]) {
      const entries = mode === "content" ? "1000" : "4";
      const args = ["x", "--output-mode", mode, "--format", format, "--max-results", entries];
      if (format === "json") {
        const over = await measured(tree.root, args);
        assert.equal(over.code, 2, over.out);
        assert.match(over.out, /search too broad: found more than \d+ matches/);
        assert.ok(over.peak < BOUND, `${args}: ${over.peak} bytes`);
      }
      const cut = await measured(tree.root, [...args, "--on-overflow", "truncate"]);
      assert.equal(cut.code, 0);
      assert.match(cut.out + cut.errors, /truncated/);
      const rows = format === "json"
        ? (JSON.parse(cut.out).matches ?? JSON.parse(cut.out).files ?? JSON.parse(cut.out).counts)
        : cut.out.trimEnd().split("\n").slice(0, format === "jsonl" ? -1 : undefined);
      assert.equal(rows.length, Number(entries));
      assert.ok(cut.peak < BOUND, `${args}: ${cut.peak} bytes`);
    }
  }
});

test.slow("a budget of characters holds whatever else is asked for, and bounds memory", async () => {
  await using tree = await tempTree();
  await writeLines(tree.path("a.txt"), 10);
  const budget = ["--max-output-chars", String(BUDGET), "--on-overflow", "truncate"];
  for (
    const options of [
      ["--format", "json"],
      ["--format", "jsonl"],
      ["--format", "text"],
      ["--max-results", "9000000000000"],
      ["--format", "text", "--sort", "none", "-C", "3"],
      ["--max-results", "9000000000000", "-o", "--column", "--sort", "modified"],
    ]
  ) {
    const { code, out, peak } = await measured(tree.root, ["x", ...budget, ...options]);
    assert.equal(code, 0);
    assert.ok(out.length <= BUDGET, `${options}: ${out.length} characters`);
    assert.ok(out.length > BUDGET * 0.8, `${options}: ${out.length} characters`);
    assert.ok(peak < BOUND, `${options}: ${peak} bytes`);
  }
});

test.slow("as many lines of context as there are lines do not flood the answer or memory", async () => {
  await using tree = await tempTree();
  await writeLines(tree.path("a.txt"), 10);
  const args = ["x", "-C", "1000000", "--max-output-chars", String(BUDGET)];
  const over = await measured(tree.root, args);
  assert.equal(JSON.parse(over.out).code, "search_too_broad");
  const cut = await measured(tree.root, [...args, "--on-overflow", "truncate"]);
  assert.ok(cut.out.length <= BUDGET && JSON.parse(cut.out).truncated);
  for (const { peak } of [over, cut]) assert.ok(peak < BOUND, `${peak} bytes`);
});

test.slow("wide lines with context, as many as are asked for, end in a page or a clear error", async () => {
  const wide = (lines: number) => `${"x".repeat(1500)}\n`.repeat(lines);
  await using tree = await tempTree({ "one/a.txt": wide(5000) });
  for (let file = 0; file < 40; file++) await tree.write({ [`many/${file}.txt`]: wide(500) });
  for (const directory of ["one", "many"]) {
    for (const [page, code] of [["--on-overflow=truncate", 0], ["--offset=4000", 2]] as const) {
      const args = ["x", "-C", "1000", "--max-results", "1000000", page];
      const { code: status, out, peak } = await measured(tree.path(directory), args);
      assert.equal(status, code, out.slice(0, 300));
      const answer = JSON.parse(out);
      if (code === 2) {
        assert.match(answer.error, /^search too broad: answer exceeds \d+ characters$/);
      } else assert.ok(answer.truncated && answer.next_offset === answer.count && answer.count > 0);
      assert.ok(peak < UTMOST_BOUND, `${args} in ${directory}: ${peak} bytes`);
    }
  }
});

test.slow("a line far longer than memory may hold is searched within bounded memory", async () => {
  await using tree = await tempTree();
  {
    using file = await Deno.create(tree.path("a.txt"));
    const part = new Uint8Array(16 * MEGABYTE).fill(0x61);
    for (let count = 0; count < HUGE / 16; count++) await file.write(part);
    await file.write(new TextEncoder().encode("\nneedle\n"));
  }
  for (const [options, line] of [[["needle"], "needle"], [["a", "-m", "1"], "a"]] as const) {
    const { code, out, peak } = await measured(tree.root, [...options]);
    assert.equal(code, 0, out);
    const { matches, notes } = JSON.parse(out);
    assert.equal(matches.length, 1);
    assert.ok(matches[0].line.startsWith(line) && matches[0].line.length <= 2000);
    assert.match(String(notes), /longer than|cut|line/);
    assert.ok(peak < BOUND, `${options}: ${peak} bytes`);
  }
});

test.slow("far more on standard input than memory may hold is searched within bounded memory", async () => {
  await using tree = await tempTree();
  const line = "x".repeat(63) + "\n";
  const flood = function* (text: string): Generator<Uint8Array> {
    const part = new TextEncoder().encode(text.repeat(MEGABYTE / text.length));
    for (let count = 0; count < HUGE; count++) yield part;
    yield new TextEncoder().encode("\nneedle\n");
  };
  for (const [text, pattern, found] of [[line, "x", HUGE * 2 ** 14], ["é", "needle", 1]] as const) {
    const args = [pattern, "-", "-c"];
    const { code, out, peak } = await measured(tree.root, args, flood(text));
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).count, found);
    assert.ok(peak < BOUND, `${args}: ${peak} bytes`);
  }
});

Deno.test("ignore files made to exhaust memory are not read, one huge or many in a row", async () => {
  await using tree = await tempTree({ "huge/a.txt": "x\n" });
  {
    using file = await Deno.create(tree.path("huge/.gitignore"));
    const part = new TextEncoder().encode("some*/rule?[a-z]/x\n".repeat(500_000));
    for (let count = 0; count < 10; count++) await file.write(part);
  }
  const rules = Array.from({ length: 5_000 }, (_, index) => `r${index}*[a-z]?\n`).join("");
  let path = "nested";
  for (let level = 0; level < 20; level++) {
    path += "/d";
    await tree.write({ [`${path}/.gitignore`]: rules, [`${path}/a.txt`]: "x\n" });
  }
  for (const [directory, found] of [["huge", 1], ["nested", 20]] as const) {
    const { out, peak } = await measured(tree.path(directory), ["x", "-l", "-g", "a.txt"]);
    assert.equal(JSON.parse(out).count, found, out);
    assert.ok(peak < UTMOST_BOUND, `${directory}: ${peak} bytes`);
  }
});

/** The error of a search that finds too much. */
async function overflow(query: SearchQuery, workspace: Workspace): Promise<PathgrepError> {
  try {
    await search(query, { workspace });
  } catch (error) {
    if (error instanceof PathgrepError && error.code === "search_too_broad") return error;
    throw error;
  }
  assert.fail(`${JSON.stringify(query)} was not too broad`);
}

Deno.test("an overflow names directories and types, and narrower calls that fit when sent", async () => {
  const entries: Record<string, string> = { "Makefile": "foo\n" };
  const matches = (count: number) => "foo\n".repeat(count);
  for (let file = 0; file < 30; file++) {
    entries[`src/generated/${file}.ts`] = matches(30);
    entries[`src/core/${file}.js`] = matches(10);
    entries[`docs/${file}.md`] = matches(2);
  }
  await using tree = await tempTree(entries);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", maxResults: 500 };
  const { details } = await overflow(query, workspace);
  assert.deepEqual(details["top_directories"], [
    { path: "src", count: 1200 },
    { path: "docs", count: 60 },
    { path: ".", count: 1 },
  ]);
  assert.deepEqual(details["top_types"], [
    { include: "*.ts", count: 900 },
    { include: "*.js", count: 300 },
    { include: "*.md", count: 60 },
    { include: "!*.*", count: 1 },
  ]);
  assert.deepEqual(details["narrower_calls"], [
    { path: "src/core" },
    { path: "docs" },
    { include: "*.js" },
    { include: "*.md" },
  ]);
  const counts = await Promise.all(
    (details["narrower_calls"] as Partial<SearchQuery>[]).map(async (keys) =>
      (await search({ ...query, ...keys }, { workspace })).count
    ),
  );
  assert.deepEqual(counts, [300, 60, 300, 60]);
  assert.match(
    details.hint!,
    /path "src\/core" \(300 of them\).*include "\*\.js" \(300.*maxResults and offset/,
  );
});

Deno.test("a narrower call never changes what the caller's globs and target mean", async () => {
  await using tree = await tempTree({
    "a/x.ts": "foo\nfoo\n",
    "a/b/y.ts": "foo\n",
    "c/z.js": "foo\n",
  });
  const workspace = await Workspace.open(tree.root);
  const narrower = async (query: Partial<SearchQuery>) =>
    (await overflow({ pattern: "foo", maxResults: 1, ...query }, workspace))
      .details["narrower_calls"];
  assert.deepEqual(await narrower({ include: "*.ts" }), [{ path: "a/b" }]);
  assert.deepEqual(await narrower({ include: "a/**" }), undefined);
  assert.deepEqual(await narrower({ exclude: "d/**" }), [{ include: "*.js" }]);
  assert.deepEqual(await narrower({ path: "a" }), [{ path: "a/b" }]);
  assert.deepEqual(await narrower({ path: "a/x.ts" }), undefined);
  assert.deepEqual(await narrower({ outputMode: "file" }), [
    { path: "a/b" },
    { path: "c" },
    { include: "*.js" },
  ]);
});
