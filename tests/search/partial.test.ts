/** What a search had found when its time ran out is not lost. */
import assert from "node:assert/strict";
import {
  type ContentResult,
  GrepTool,
  PathgrepError,
  search,
  Searcher,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { assertResultShape } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { connect } from "../mcp/clients.ts";
import { withTimeFor } from "../support/soon.ts";
import { test } from "../support/needs.ts";

/** Matches, and then a line that this pattern never comes to the end of. */
const PATTERN = String.raw`needle|^(a+)+\1b`;
const SLOW = "a".repeat(60) + "\n";
const TREE = {
  "a.txt": "needle one\nhay\n",
  "b.txt": "needle two\nneedle three\nhay\n" + SLOW,
};
const PATHS = ["a.txt", "b.txt"];
const QUERY = { pattern: PATTERN, path: PATHS, paths: "relative" } as const;

async function failure(promise: Promise<unknown>): Promise<PathgrepError> {
  const error = await promise.then((value) => value, (error) => error);
  assert.ok(error instanceof PathgrepError, `it should have failed: ${JSON.stringify(error)}`);
  assert.equal(error.code, "search_timed_out");
  return error;
}

test.slow("the error has what was found, in the file that took too long as well", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  for (let time = 0; time < 3; time++) await searcher.search({ pattern: "needle" });
  const ask: ((query: SearchQuery) => Promise<unknown>)[] = [
    (query) => search(query, { workspace }),
    (query) => searcher.search(query),
  ];
  for (const searchOnce of ask) {
    await withTimeFor(async (timeout) => {
      const query = { ...QUERY, timeout };
      const { details } = await failure(searchOnce(query));
      const partial = details["partial"] as ContentResult;
      assertResultShape(partial as never);
      assert.deepEqual(
        partial.matches.map(({ file, line_number, line }) => [file, line_number, line]),
        [
          ["a.txt", 1, "needle one"],
          ["b.txt", 1, "needle two"],
          ["b.txt", 2, "needle three"],
        ],
      );
      assert.deepEqual([partial.pattern, partial.base_path], [PATTERN, tree.path("a.txt")]);
      const capped = await failure(searchOnce({ ...query, offset: 1, maxResults: 1, context: 1 }));
      const page = capped.details["partial"] as ContentResult;
      assertResultShape(page as never);
      assert.deepEqual(page.matches, [
        { file: "b.txt", line_number: 1, line: "needle two", before: [], after: ["needle three"] },
      ]);
      assert.deepEqual([page.truncated, page.total_at_least], [true, 3]);
      const files = await failure(searchOnce({ ...query, outputMode: "count" }));
      assert.deepEqual((files.details["partial"] as { counts: unknown }).counts, [
        { file: "a.txt", count: 1 },
        { file: "b.txt", count: 2 },
      ]);
    });
  }
});

test.slow("a thread without work does not end the wait for what another has found", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  await searcher.search({ pattern: "needle" });
  for (let time = 0; time < 3; time++) {
    await withTimeFor(async (timeout) => {
      const { details } = await failure(searcher.search({ ...QUERY, path: "b.txt", timeout }));
      assert.equal((details["partial"] as ContentResult).count, 2);
    });
  }
});

Deno.test("what several patterns match is reported of everything that is counted", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n", "b.txt": `needle ${SLOW}` });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: ["needle", String.raw`(a+)+\1b`], path: PATHS };
  for (const outputMode of ["count", "file"] as const) {
    await withTimeFor(async (timeout) => {
      const { details } = await failure(search({ ...query, outputMode, timeout }, { workspace }));
      const partial = details["partial"] as { count: number; pattern_counts: number[] };
      assert.deepEqual([partial.count, partial.pattern_counts], [1, [1, 0]], outputMode);
    });
  }
});

test.slow("too much found in the time is still an error that says where", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  await withTimeFor(async (timeout) => {
    const query = { ...QUERY, maxResults: 2, timeout };
    const error = await search(query, { workspace }).catch((error) => error);
    assert.equal(error.code, "search_too_broad");
    assert.equal(error.details.partial, undefined);
  });
});

test.slow("every engine and standard input say what they had found", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  for (const engine of ["rg", "git", "grep"] as const) {
    await withTimeFor(async (timeout) => {
      const { details } = await failure(search({ ...QUERY, engine, timeout }, { workspace }));
      assert.equal((details["partial"] as ContentResult).count, 3, engine);
    });
  }
  const stdin = async function* () {
    yield new TextEncoder().encode("needle one\nneedle two\n");
    await new Promise(() => {});
  };
  await withTimeFor(async (timeout) => {
    const query = { ...QUERY, path: "-", timeout };
    const { details } = await failure(runSearch(query, { workspace, stdin }));
    assert.equal((details["partial"] as ContentResult).count, 2);
  });
});

test.slow("in text the lines come before the error, in jsonl the rows", async () => {
  await using tree = await tempTree(TREE);
  await withTimeFor(async (limit) => {
    const ask = async (...args: string[]) =>
      await pathgrep([PATTERN, `--timeout=${limit}`, "--paths=relative", ...args, ...PATHS], {
        cwd: tree.root,
      });
    for (const sort of ["path", "none"]) {
      const text = await ask("--format=text", `--sort=${sort}`);
      assert.equal(text.code, 2);
      assert.deepEqual(text.stdout.trim().split("\n").sort(), [
        "a.txt:1:needle one",
        "b.txt:1:needle two",
        "b.txt:2:needle three",
      ]);
      assert.match(text.stderr, new RegExp(`^pathgrep: search timed out after ${limit} ms`));
      const rows = (await ask("--format=jsonl", `--sort=${sort}`)).stdout.trim().split("\n")
        .map((row) => JSON.parse(row));
      assert.deepEqual(rows.map(({ type }) => type), ["match", "match", "match", "error"]);
      assert.equal(rows[3].partial.count, 3);
      assert.ok(!("matches" in rows[3].partial));
    }
    const json = await ask("--max-output-chars=1000", "--on-overflow=truncate");
    assert.ok(json.stdout.length <= 1000);
    assert.equal(JSON.parse(json.stdout).partial.count, 3);
  });
});

test.slow("tools and MCP clients get what was found, within the budget and as concise as asked for", async () => {
  await using tree = await tempTree({ "a.txt": "needle one\n".repeat(100) + SLOW });
  const workspace = await Workspace.open(tree.root);
  await withTimeFor(async (timeout) => {
    const grep = new GrepTool({ workspace, timeout });
    const call = { pattern: PATTERN, max_results: 500, max_output_chars: 2000, paths: "relative" };
    const detailed = await grep.execute(call) as Record<string, Record<string, unknown>>;
    assert.ok(JSON.stringify(detailed).length <= 2000);
    assert.equal(detailed["code"], "search_timed_out");
    assertResultShape(detailed["partial"]!);
    assert.deepEqual(detailed["partial"]!["reduced"], ["entries"]);
    const concise = await grep.execute({ ...call, response_format: "concise" }) as typeof detailed;
    assert.ok(JSON.stringify(concise).length <= 2000);
    assert.match(`${concise["partial"]!["text"]}`, /^a\.txt\n1:needle one\n2:needle one\n/);
  });
  await withTimeFor(async (timeout) => {
    await using client = await connect("v1", {
      cwd: tree.root,
      args: ["--workspace", tree.root, "--timeout", `${timeout}`],
    });
    const { isError, answer } = await client.call("grep", { pattern: PATTERN });
    assert.deepEqual([isError, answer["code"]], [true, "search_timed_out"]);
    const partial = answer["partial"] as Record<string, unknown>;
    assert.equal(partial["count"], 100);
    const keys = ["pattern", "base_path", "output_mode", "text", "count"];
    assert.deepEqual(Object.keys(partial).filter((key) => key !== "scope").slice(0, 5), keys);
    assert.ok(!("files_shown" in partial) && JSON.stringify(answer).length <= 40_000);
  });
});

Deno.test("what was found within a budget counts the patterns of the entries that it shows", async () => {
  await using tree = await tempTree({
    "a.txt": "foo\n".repeat(30),
    "b.txt": "bar\n".repeat(30),
    "c.txt": SLOW,
  });
  const workspace = await Workspace.open(tree.root);
  await withTimeFor(async (timeout) => {
    const { details } = await failure(search({
      ...{ pattern: ["foo", "bar", String.raw`^(a+)+\1b`], path: ["a.txt", "b.txt", "c.txt"] },
      ...{ paths: "relative", timeout, maxOutputChars: 1000, onOverflow: "truncate" },
    }, { workspace }));
    const { count, pattern_counts, total_at_least } = details["partial"] as ContentResult;
    assert.ok(count > 0 && count < 30);
    assert.deepEqual([pattern_counts, total_at_least], [[count, 0, 0], 60]);
  });
});

Deno.test("the error counts the files in which it shows matches", async () => {
  const quick = Object.fromEntries(["a", "b", "d", "e"].map((name) => [name, "foo\n"]));
  await using tree = await tempTree({ ...quick, c: SLOW });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: String.raw`foo|^(a|a|aa)+(?=(a+)\2x)$`, outputMode: "file" } as const;
  await withTimeFor(async (timeout) => {
    const { details } = await failure(search({ ...query, timeout }, { workspace }));
    const partial = details["partial"] as { count: number };
    assert.ok(partial.count > 0);
    assert.ok(Number(details["files_searched"]) >= partial.count, JSON.stringify(details));
  });
});
