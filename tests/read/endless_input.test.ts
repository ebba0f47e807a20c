/** Standard input that does not end, comes in odd pieces or is no text. */
import assert from "node:assert/strict";
import {
  PathgrepError,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { assertSoon } from "../support/soon.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** A search of what comes in these pieces, after which nothing comes any more. */
async function searchPieces(
  tree: Tree,
  query: Partial<SearchQuery>,
  pieces: Iterable<Uint8Array | string>,
  { isEndless = false, signal }: { isEndless?: boolean; signal?: AbortSignal } = {},
): Promise<SearchResult> {
  const workspace = await Workspace.open(tree.root);
  const stdin = async function* () {
    for (const piece of pieces) {
      await null;
      yield typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    }
    if (isEndless) await new Promise(() => {});
  };
  return await runSearch({ pattern: "needle", path: "-", ...query }, { workspace, stdin, signal });
}

/** The same text again and again, with a pause for others now and then. */
function* again(text: string): Generator<string> {
  for (;;) yield text;
}

async function failure(promise: Promise<unknown>): Promise<PathgrepError> {
  const error = await promise.then((value) => value, (error) => error);
  assert.ok(error instanceof PathgrepError, `it should have failed: ${JSON.stringify(error)}`);
  return error;
}

Deno.test("a dash is standard input where there is one, else a file's name", async () => {
  await using tree = await tempTree({ "-": "needle in a file\n" });
  const workspace = await Workspace.open(tree.root);
  const result = await search({ pattern: "needle", path: "-" }, { workspace });
  assert.equal(result.base_path, tree.path("-"));
  assert.equal((await searchPieces(tree, {}, ["needle\n"])).base_path, "(stdin)");
});

test.slow("standard input that goes on is read no further than it is wanted", async () => {
  await using tree = await tempTree({ "a.txt": "needle\nneedle\n" });
  const enough: Partial<SearchQuery>[] = [
    { maxCount: 2 },
    { outputMode: "file" },
    { maxResults: 3, onOverflow: "truncate" },
    { maxResults: 1, onOverflow: "truncate", sort: "none", path: ["a.txt", "-"] },
  ];
  for (const query of enough) {
    const result = await searchPieces(tree, query, ["needle\n".repeat(5), "needle\n"], {
      isEndless: true,
    });
    assert.ok(result.count > 0);
  }
  // Not at all, where a file has filled the answer.
  const filled = await searchPieces(tree, enough.at(-1)!, [], { isEndless: true });
  assert.equal(filled.count, 1);
  const uncounted = await runSearch({ ...enough.at(-1)!, pattern: "needle", stats: true }, {
    workspace: await Workspace.open(tree.root),
    stdin: () => new ReadableStream<Uint8Array>(),
    wantsTotal: false,
  });
  assert.deepEqual([uncounted.count, uncounted.stats?.files_searched], [1, 1]);
});

Deno.test("waiting for standard input ends with an abort, and with the time limit", async () => {
  await using tree = await tempTree({});
  const ender = new AbortController();
  const isEndless = true;
  const waiting = searchPieces(tree, {}, ["hay\n"], { isEndless, signal: ender.signal });
  ender.abort();
  assert.equal((await failure(waiting)).code, "cancelled");
  // The signal may come at the very moment at which the last piece does.
  const sudden = new AbortController();
  const last = function* () {
    yield "hay\n";
    queueMicrotask(() => sudden.abort());
  };
  const ended = searchPieces(tree, {}, last(), { isEndless, signal: sudden.signal });
  assert.equal((await failure(ended)).code, "cancelled");
  const late = await failure(searchPieces(tree, { timeout: 20 }, ["hay\n"], { isEndless }));
  assert.equal(late.code, "search_timed_out");
  assert.equal(late.message, "search timed out after 20 ms");
  assert.equal(late.details["files_searched"], 0);
});

test.slow("too many matches are an error also when counting them takes too long", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n".repeat(2000) });
  // First the search that may take its time: it loads what the next one needs within 50 ms.
  const counted = await failure(searchPieces(tree, {}, ["needle\n".repeat(2000)]));
  assert.deepEqual(counted.details["top_directories"], []); // known, and standard input lies in none
  const query = { timeout: 50, path: ["a.txt", "-"] };
  const found = await failure(searchPieces(tree, query, ["hay\n"], { isEndless: true }));
  assert.equal(found.code, "search_too_broad");
  // Without a limit of the caller's, counting ends by itself; what is told then is not all.
  const partly = await failure(searchPieces(tree, { timeout: 0 }, again("needle\n".repeat(2000))));
  assert.equal(partly.code, "search_too_broad");
  assert.equal(partly.details["top_directories"], undefined);
});

Deno.test("where pieces end decides nothing: neither what is text nor what it says", async () => {
  await using tree = await tempTree({});
  const pieces = (bytes: Uint8Array, length: number) =>
    Array.from(
      { length: Math.ceil(bytes.length / length) },
      (_, index) => bytes.subarray(index * length, (index + 1) * length),
    );
  const text = new TextEncoder().encode("\ufeffhay\nein nèedle, a needle 🪡\r\nneedle");
  const utf16 = (isLittle: boolean) => {
    const units = Uint16Array.from("\ufeffhay\na needle 🪡\n", (unit) => unit.charCodeAt(0));
    const pair = (unit: number) => isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
    return Uint8Array.from(
      [..."\ufeffhay\na needle 🪡\n"].join("").split("").flatMap((unit) =>
        pair(unit.charCodeAt(0))
      ),
    ).slice(0, units.length * 2);
  };
  const cases: [Uint8Array, string[] | RegExp][] = [
    [text, ["2 ein nèedle, a needle 🪡", "3 needle"]],
    [utf16(true), ["2 a needle 🪡"]],
    [utf16(false), ["2 a needle 🪡"]],
    [Uint8Array.of(0xff, 0x0a, 0x6e, 0x00, 0x0a), /it is binary/],
    [Uint8Array.of(0x6e, 0x0a, 0xff, 0x0a), /it is not UTF-8/],
    [Uint8Array.of(0x6e, 0x0a, 0x00, 0xff), /it is binary/],
  ];
  for (const [bytes, expected] of cases) {
    for (const length of [1, 2, 3, 5, 1000]) {
      const result = await searchPieces(tree, { stats: true }, pieces(bytes, length));
      assert.ok(result.output_mode === "content");
      if (expected instanceof RegExp) {
        assert.equal(result.count, 0);
        assert.match(`${result.notes}`, expected);
        continue;
      }
      assert.deepEqual(
        result.matches.map(({ line_number, line }) => `${line_number} ${line}`),
        expected,
      );
      assert.equal(result.stats!.bytes, bytes.length);
      assert.equal(result.stats!.files_searched, 1);
    }
  }
});

Deno.test("a line longer than can be held is searched up to there, and what follows as ever", async () => {
  await using tree = await tempTree({});
  const long = "x".repeat(1 << 22);
  const pieces = [...Array.from({ length: 5 }, () => long), "needle at its end\nneedle\nneedle\n"];
  const result = await searchPieces(tree, { maxLineLength: 10 }, pieces);
  assert.ok(result.output_mode === "content");
  assert.deepEqual(result.matches.map(({ line_number, line }) => [line_number, line]), [
    [2, "needle"],
    [3, "needle"],
  ]);
  // What was skipped is told up to the very file at which the answer ends.
  const cut = await searchPieces(tree, { maxResults: 1, onOverflow: "truncate" }, pieces);
  assert.equal(cut.truncated, true);
  assert.match(`${cut.notes}`, /has a line over 16777216 characters/);
  assert.match(`${result.notes}`, /has a line over 16777216 characters/);
  const whole = await searchPieces(
    tree,
    { multiline: true },
    function* () {
      for (let index = 0; index < 33; index++) yield long;
    }(),
  );
  assert.equal(whole.count, 0);
  assert.match(`${whole.notes}`, /too large for a match that may span lines/);
});

test.slow("a line without an end that may be in another encoding is read in linear time", async () => {
  await using tree = await tempTree({});
  const piece = new Uint8Array(1 << 16).fill(0x62);
  const pieces = function* () {
    for (let at = 0; at < 1000; at++) yield piece;
    yield "\nn\u00e9edle needle\n";
  };
  const started = performance.now();
  const query = { encoding: "gbk", outputMode: "count", timeout: 0 } as const;
  assert.equal((await searchPieces(tree, query, pieces())).count, 1);
  assertSoon(started);
  // A character that two pieces share, where the line is decided upon.
  const cut = function* () {
    for (let at = 0; at < 255; at++) yield piece;
    yield new Uint8Array((1 << 16) - 1).fill(0x62);
    yield Uint8Array.of(0xc3);
    yield Uint8Array.of(0xc3);
    yield "\nneedle\n";
  };
  assert.equal((await searchPieces(tree, query, cut())).count, 1);
});
