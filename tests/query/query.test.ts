/** What a query may say, and what its answer says besides entries. */
import assert from "node:assert/strict";
import {
  type ContentResult,
  GlobTool,
  listFiles,
  PathgrepError,
  search,
  Searcher,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { parseQuery } from "../../src/query/query_parser.ts";
import { runSearch } from "../../src/search/search.ts";
import { noteOf } from "../support/notes.ts";
import { entryByEntry } from "../support/entries.ts";
import { tempTree } from "../support/tree.ts";

async function failure(promise: Promise<unknown>): Promise<PathgrepError> {
  const error = await promise.then((value) => value, (error) => error);
  assert.ok(error instanceof PathgrepError, `it should have failed: ${JSON.stringify(error)}`);
  return error;
}

const lines = (count: number, text = "needle") => `${text}\n`.repeat(count);

Deno.test("a checked query is complete, and nothing can change it", () => {
  const query = parseQuery({ pattern: "foo", include: "*.ts" });
  assert.ok(Object.isFrozen(query));
  assert.throws(() => Object.assign(query, { patterns: ["bar"] }), TypeError);
  assert.deepEqual([query.patterns, query.include, query.exclude], [["foo"], ["*.ts"], []]);
  const { within: _, ...values } = query;
  assert.deepEqual(Object.entries(values).filter(([, value]) => value === undefined), []);
});

Deno.test("what a query holds is checked and used as it is when it is given", async () => {
  await using tree = await tempTree({ "a.txt": "foo\nbar\n", "b.md": "foo\n", ".env": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const inherited = (values: object): SearchQuery =>
    Object.assign(Object.create(values), { pattern: "foo" });
  for (
    const values of [
      ...[{ outputMode: "bogus" }, { maxCount: 0 }, { offset: NaN }, { maxResults: -5 }],
      ...[{ maxLineLength: NaN }, { encoding: "bogus" }, { sort: "bogus" }, { engine: "bogus" }],
      { include: [1] },
    ]
  ) {
    const error = await failure(search(inherited(values), { workspace }));
    assert.equal(error.code, "invalid_input", JSON.stringify(values));
  }
  assert.equal((await search(inherited({ include: "*.md" }), { workspace })).count, 1);
  const listed = await listFiles(Object.create({ include: "*.md" }), { workspace });
  assert.deepEqual(listed.files, [tree.path("b.md")]);

  for (const query of [null, undefined, "foo"]) {
    const error = await failure(listFiles(query as never, { workspace }));
    assert.equal(error.message, "a query must be an object");
  }
  await using searcher = new Searcher({ workspace });
  assert.equal((await searcher.search({ pattern: "foo" }, { signal: null as never })).count, 2);

  let asked = 0;
  const changing = {
    get pattern() {
      return asked++ === 0 ? "foo" : 5 as unknown as string;
    },
  };
  assert.equal((await search(changing, { workspace })).count, 2);

  const pattern = ["foo"];
  const allow = ["other"];
  const answers = [
    search({ pattern }, { workspace }),
    search({ pattern: "foo", allow }, { workspace }),
  ];
  pattern.length = 0;
  allow[0] = ".env";
  for (const answer of await Promise.all(answers)) {
    assert.deepEqual([answer.pattern, answer.count], ["foo", 2]);
  }
});

Deno.test("without a cap an answer has a thousand entries at most, and files a mebibyte", async () => {
  await using tree = await tempTree({
    "a/a.txt": lines(1000),
    "b/b.txt": lines(1001),
    "c/1.txt": `needle\n${"x".repeat(2 ** 20 - 7)}`,
    "c/2.txt": `needle\n${"x".repeat(2 ** 20 - 6)}`,
  });
  const workspace = await Workspace.open(tree.root);
  const count = async (query: Partial<SearchQuery>) =>
    (await search({ pattern: "needle", ...query }, { workspace })).count;
  assert.equal(await count({ path: "a" }), 1000);
  const error = await failure(count({ path: "b" }));
  assert.equal(error.message, "found more than 1000 matches");
  assert.equal(await count({ path: "b", offset: 0 }), 1000);
  assert.equal(await count({ path: "b", offset: 1 }), 1000);
  assert.equal(await count({ path: "c" }), 1);
  assert.equal(await count({ path: "c", maxFileSize: 0 }), 2);
  assert.equal(await count({ path: "c/2.txt" }), 1);
  const { files } = await listFiles({ path: "c", paths: "relative" }, { workspace });
  assert.deepEqual(files, ["c/1.txt"]);
});

Deno.test("an answer keeps to its budget of characters, and uses it", async () => {
  await using tree = await tempTree({
    "a.txt": "needle 1\nneedle with more to say 2\nneedle 3\n",
    "b.txt": "needle 4\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", paths: "relative" } as const;
  const whole = await search(query, { workspace }) as ContentResult;
  const length = JSON.stringify(whole).length;
  const within = (maxOutputChars: number, more: Partial<SearchQuery> = {}) =>
    search({ ...query, maxOutputChars, ...more }, { workspace }) as Promise<ContentResult>;
  assert.deepEqual(await within(length), whole);
  const over = await failure(within(length - 1));
  assert.equal(over.message, `answer exceeds ${length - 1} characters`);
  for (let budget = length - 1; budget > 100; budget--) {
    const cut = await within(budget, { onOverflow: "truncate" }).catch((error) => error);
    if (cut instanceof PathgrepError) {
      assert.equal(cut.code, "search_too_broad");
      continue;
    }
    assert.ok(JSON.stringify(cut).length <= budget);
    assert.deepEqual(cut.matches, whole.matches.slice(0, cut.count));
    assert.equal(cut.next_offset, cut.count);
    // One more would not have fitted.
    const more = { ...cut, matches: whole.matches.slice(0, cut.count + 1) };
    assert.ok(JSON.stringify(more).length > budget);
    const rest = await within(10_000, { offset: cut.next_offset! });
    assert.deepEqual([...cut.matches, ...rest.matches], whole.matches);
    const rows: unknown[] = [];
    const streamed = await runSearch(
      { ...query, maxOutputChars: budget, onOverflow: "truncate" },
      { workspace, onFile: entryByEntry((entry) => rows.push(entry)) },
    );
    assert.deepEqual(rows, cut.matches);
    assert.equal(streamed.next_offset, cut.next_offset);
  }
  const second = await within(length - 20, { offset: 1, maxResults: 1 });
  assert.equal(second.next_offset, 2);
});

Deno.test("too many matches are counted by place and type, and what is proposed fits", async () => {
  const entries: Record<string, string> = {
    "none": lines(3),
    "a/x/1.ts": lines(2),
    "a/x/2.ts": lines(1),
    "a/y/1.js": lines(4),
    "b/c/1.odd{name": lines(3),
    "d/1.ts": lines(5),
  };
  for (let index = 0; index < 6; index++) entries[`e/${index}/a.py`] = lines(1);
  await using tree = await tempTree(entries);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", maxResults: 3 } as const;
  const details = async (more: Partial<SearchQuery>) =>
    (await failure(search({ ...query, ...more }, { workspace }))).details as Record<
      string,
      Record<string, unknown>[] | undefined
    >;
  const { top_directories, top_types, narrower_calls } = await details({});
  assert.deepEqual(top_directories, [
    { path: "a", count: 7 },
    { path: "e", count: 6 },
    { path: "d", count: 5 },
    { path: ".", count: 3 },
    { path: "b", count: 3 },
  ]);
  assert.deepEqual(top_types, [
    { include: "*.ts", count: 8 },
    { include: "*.py", count: 6 },
    { include: "*.js", count: 4 },
    { include: "!*.*", count: 3 },
  ]);
  assert.deepEqual(narrower_calls, [{ path: "a/x" }, { path: "b" }, { include: "!*.*" }]);
  for (const call of narrower_calls) {
    assert.equal((await search({ ...query, ...call }, { workspace })).count, 3);
  }
  const inFiles = await details({ outputMode: "count" });
  assert.deepEqual(inFiles["top_directories"]![0], { path: "e", count: 6 });
  const included = await details({ include: "*.ts" });
  assert.deepEqual(included["narrower_calls"], [{ path: "a" }]);
  const all = await details({ include: "*" });
  assert.deepEqual(all["narrower_calls"], [{ path: "a/x" }, { path: "b" }]);
  const byPath = await details({ include: ["a/**/*", "d/*"] });
  assert.equal(byPath["narrower_calls"], undefined);
  const short = await details({ maxResults: 1000, maxOutputChars: 5 });
  assert.deepEqual(short["narrower_calls"]?.[0], { path: "d" });
  const { top_directories: many } = await details({ path: "e" });
  assert.equal(many?.length, 5);
});

Deno.test("files without an extension are proposed as what their glob finds of them", async () => {
  await using tree = await tempTree({
    ".github/CODEOWNERS": "foo\n",
    "v1.2/x/NAMES": "foo\n",
    "src/a.ts": "foo\nfoo\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", maxResults: 1 } as const;
  const typesOf = async (path: string) =>
    (await failure(search({ ...query, path }, { workspace }))).details["top_types"];
  assert.deepEqual(await typesOf("."), [{ include: "*.ts", count: 2 }]);
  await tree.write({ "Makefile": "foo\n", "v1.2/README": "foo\n" });
  const plain = (count: number) => ({ include: "!*.*", count });
  assert.deepEqual(await typesOf("."), [{ include: "*.ts", count: 2 }, plain(1)]);
  assert.deepEqual(await typesOf("v1.2"), [plain(2)]);
  assert.equal((await search({ pattern: "foo", include: "!*.*" }, { workspace })).count, 1);
});

Deno.test("what was not searched is reported once: by name if it was named", async () => {
  const binary = new Uint8Array([0x6e, 0, 0x6e]);
  const latin = new Uint8Array([0x6e, 0xe9, 0x6e]);
  await using tree = await tempTree({
    "bin": binary,
    "one": latin,
    "d/a": latin,
    "d/b": latin,
    "e/large": "x".repeat(2000),
  });
  const workspace = await Workspace.open(tree.root);
  const notes = async (query: Partial<SearchQuery>) =>
    (await search({ pattern: "needle", maxFileSize: 1000, ...query }, { workspace })).notes;
  const named = (path: string, why: "binary" | "not_utf8") =>
    noteOf("not_searched", { path, why, isPart: false });
  assert.deepEqual(await notes({ path: "one" }), [
    named("one", "not_utf8"),
  ]);
  assert.deepEqual(await notes({ path: ["bin", "one", "d"] }), [
    named("bin", "binary"),
    named("one", "not_utf8"),
    noteOf("not_utf8", { count: 2, path: "d/a", isPart: false }),
  ]);
  assert.deepEqual(await notes({ path: "e" }), [
    noteOf("too_large", { count: 1, path: "e/large", limit: 1000, isPart: false }),
  ]);
  const { stats } = await search({ pattern: "needle", stats: true, path: "d" }, { workspace });
  assert.deepEqual(stats?.skipped, { not_utf8: 2 });
});

Deno.test("a glob applies to a named file in a listing by glob, and is ignored with a note in a search", async () => {
  await using tree = await tempTree({ "a.ts": "needle\n", ".gitignore": "*.log\n" });
  for (let index = 0; index < 150; index++) Deno.mkdirSync(tree.path(`d${index}`));
  const workspace = await Workspace.open(tree.root);
  const glob = new GlobTool({ workspace });
  const list = async (pattern: string) =>
    await glob.execute({ pattern, path: "a.ts" }) as Record<string, unknown>;
  assert.equal((await list("*.ts"))["count"], 1);
  assert.equal((await list("*.ts"))["notes"], undefined);
  assert.equal((await list("*.js"))["count"], 0);
  const named = await search({ pattern: "needle", path: "a.ts", include: "*.js" }, { workspace });
  assert.equal(named.count, 1);
  assert.match(named.notes![0]!, /include filter ignored/);
  // A limit longer than any timer.
  assert.equal((await listFiles({ timeout: 2 ** 40, include: "*.ts" }, { workspace })).count, 1);
});

Deno.test("of one directory in another, a glob with a slash means something else in each", async () => {
  await using tree = await tempTree({ "inner/a.txt": "needle\n", "inner/inner/b.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", outputMode: "count", include: "/inner/*.txt" } as const;
  const count = async (...path: string[]) =>
    (await search({ ...query, path }, { workspace })).count;
  assert.equal(await count("."), 1);
  assert.equal(await count("inner"), 1);
  assert.equal(await count(".", "inner"), 2);
  assert.equal(await count("inner", "."), 2);
});

Deno.test("a searcher that is disposed of ends its searches first, whoever else may end them", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  /** Input that never comes. */
  const stdin = () => new ReadableStream<Uint8Array>();
  for (const options of [{ stdin }, { stdin, signal: new AbortController().signal }]) {
    const searcher = new Searcher({ workspace });
    const events: string[] = [];
    const running = searcher.search({ pattern: "needle", path: "-" }, options)
      .then(() => events.push("found"), (error) => events.push(error.code));
    await searcher[Symbol.asyncDispose]();
    events.push("disposed");
    await running;
    assert.deepEqual(events, ["cancelled", "disposed"]);
    const late = searcher.search({ pattern: "needle" }, { signal: new AbortController().signal });
    assert.equal((await failure(late)).code, "cancelled");
  }
});

Deno.test("what counts as a match holds for every file of a walk", async () => {
  await using tree = await tempTree({ "a": "Needle\n", "b": "needle\n", "c": "hay\n", "d": "" });
  const workspace = await Workspace.open(tree.root);
  const files = async (query: Partial<SearchQuery>) => {
    const result = await search(
      { pattern: "needle", outputMode: "file", paths: "relative", ...query },
      { workspace },
    );
    return "files" in result ? result.files.join("") : "";
  };
  assert.equal(await files({}), "b");
  assert.equal(await files({ smartCase: true }), "ab");
  assert.equal(await files({ smartCase: true, pattern: ["needle", "Hay"] }), "b");
  assert.equal(await files({ caseInsensitive: true, pattern: ["needle", "Hay"] }), "abc");
  assert.equal(await files({ invert: true }), "ac");
  assert.equal(await files({ filesWithoutMatch: true }), "acd");
});

Deno.test("a time limit may be longer than a timer can be set for", async () => {
  await using tree = await tempTree({ "a": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  for (const engine of ["js", "grep"] as const) {
    for (const timeout of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const query = { pattern: "needle", engine, timeout } as const;
      assert.equal((await search(query, { workspace })).count, 1, engine);
    }
  }
});
