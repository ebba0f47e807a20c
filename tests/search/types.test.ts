/**
 * The types that callers see: the compiler checks most of this file, and the tests hold the types against
 * what is answered.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type ConciseResult,
  type ContentResult,
  type CountEntry,
  type CountResult,
  type ErrorAnswer,
  type FileResult,
  type GlobTool,
  GrepTool,
  type MatchEntry,
  type OutputMode,
  PathgrepError,
  type ResolvedPath,
  type ResolvePathTool,
  search,
  searchEntries,
  Searcher,
  type SearchOptions,
  type SearchQuery,
  type SearchResult,
  type Tool,
  toolDefinitions,
  type ToolRegistry,
  type ValueEntry,
  Workspace,
} from "../../mod.ts";
import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { tempTree } from "../support/tree.ts";

/** Whether two types are the same; a mere assignment would take a part of a union for the whole. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
/** Fails to compile unless the promise is of just this type. */
const is = <Expected>() => <Actual>(_: Promise<Actual>, _same: Same<Expected, Actual>) => {};

/** Never called: its lines are what is tested. */
export function queries(options: SearchOptions, searcher: Searcher): void {
  const pattern = "x";
  is<ContentResult>()(search({ pattern }, options), true);
  is<ContentResult>()(search({ pattern, outputMode: "content" }, options), true);
  is<ContentResult>()(search({ pattern, outputMode: undefined }, options), true);
  is<FileResult>()(search({ pattern, outputMode: "file" }, options), true);
  is<CountResult>()(search({ pattern, outputMode: "count" }, options), true);
  is<CountResult>()(searcher.search({ pattern, outputMode: "count" }), true);
  is<ContentResult>()(searcher.search({ pattern }), true);
  is<FileResult>()(search({ pattern, filesWithoutMatch: true }, options), true);
  is<ContentResult>()(search({ pattern, filesWithoutMatch: false }, options), true);
  const both = { pattern, outputMode: "count", filesWithoutMatch: true } as const;
  is<CountResult>()(search(both, options), true);
  const checked = { pattern, outputMode: "count" } as const satisfies SearchQuery;
  is<CountResult>()(search(checked, options), true);
}

/** Never called: entries have the types of the lists. */
export function entries(options: SearchOptions, query: SearchQuery): void {
  const first = <Entry>(entries: AsyncIterableIterator<Entry, undefined>): Promise<Entry> =>
    entries.next().then(({ value }) => value!);
  const pattern = "x";
  is<MatchEntry>()(first(searchEntries({ pattern }, options)), true);
  is<string>()(first(searchEntries({ pattern, outputMode: "file" }, options)), true);
  is<string>()(first(searchEntries({ pattern, filesWithoutMatch: true }, options)), true);
  is<CountEntry>()(first(searchEntries({ pattern, outputMode: "count" }, options)), true);
  is<MatchEntry | CountEntry | ValueEntry | string>()(first(searchEntries(query, options)), true);
}

/** Never called: what is not known has the type of each answer that may come. */
export function unknownModes(
  options: SearchOptions,
  given: { query: SearchQuery; mode: OutputMode; mayCount: "count" | undefined; without: boolean },
): void {
  const pattern = "x";
  const { query, mode, mayCount, without } = given;
  is<SearchResult>()(search(query, options), true);
  is<SearchResult>()(search({ ...query, pattern }, options), true);
  is<SearchResult>()(search({ pattern, outputMode: mode }, options), true);
  is<CountResult | ContentResult>()(search({ pattern, outputMode: mayCount }, options), true);
  is<FileResult | ContentResult>()(search({ pattern, filesWithoutMatch: without }, options), true);
}

/** Never called: what is wrong in a query is an error where it stands. */
export function mistakes(options: SearchOptions): void {
  const pattern = "x";
  // @ts-expect-error: a misspelt key
  search({ pattern, ouputMode: "count" }, options);
  // @ts-expect-error: no mode
  search({ pattern, outputMode: "cuont" }, options);
  // @ts-expect-error: no number
  search({ pattern, outputMode: "count", maxResults: "3" }, options);
  // @ts-expect-error: no pattern
  search({ outputMode: "count" }, options);
  // @ts-expect-error: no boolean
  search({ pattern, filesWithoutMatch: "yes" }, options);
  // @ts-expect-error: lines have no list of counts
  search({ pattern }, options).then(({ counts }) => counts);
}

/** Never called: `"error" in` tells errors from answers, without a cast. */
export async function tools(
  { grep, glob, resolve }: { grep: GrepTool; glob: GlobTool; resolve: ResolvePathTool },
  registry: ToolRegistry,
): Promise<void> {
  is<SearchResult | ConciseResult | ErrorAnswer>()(grep.execute({}), true);
  is<FileResult | ErrorAnswer>()(glob.execute({}), true);
  is<ResolvedPath | ErrorAnswer>()(resolve.execute({}), true);
  const found = await grep.execute({});
  if ("error" in found) {
    const error: ErrorAnswer = found;
    const texts: [string, string | undefined] = [error.error, error.hint];
    texts.concat(error.suggestions ?? []);
  } else {
    const { count }: { count: number } = found;
    const text: string = "text" in found ? found.text : `${count}`;
    text.trim();
  }
  const answer = await registry.execute("grep", {});
  // @ts-expect-error: an answer has no code
  answer.code.trim();
  if ("error" in answer) answer.code.trim();
}

/** Never called: the definitions are what the SDKs of hosts take. */
export function definitions(): {
  mcp: McpTool[];
  /** `Tool` of `@anthropic-ai/sdk`. */
  anthropic: {
    name: string;
    description?: string;
    input_schema: { type: "object"; properties?: unknown; required?: string[] | null };
    type?: "custom" | null;
  }[];
  /** `ChatCompletionFunctionTool` of `openai`. */
  openai: {
    type: "function";
    function: {
      name: string;
      description?: string;
      parameters?: { [key: string]: unknown };
      strict?: boolean | null;
    };
  }[];
} {
  return {
    mcp: toolDefinitions("mcp"),
    anthropic: toolDefinitions("anthropic"),
    openai: toolDefinitions("openai"),
  };
}

/** A tool of one's own needs no types of this package but `Tool`. */
export const ownTool: Tool = {
  name: "own",
  description: "",
  inputSchema: {},
  describe: () => "",
  execute: (input) => Promise.resolve({ input }),
};

Deno.test("each mode, given or by default, answers with the list that its type has", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "b.txt": "y\n" });
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "x", paths: "relative" } as const;
  assert.equal((await search(query, { workspace })).matches[0]?.file, "a.txt");
  const files = await search({ ...query, outputMode: "file" }, { workspace });
  assert.deepEqual(files.files, ["a.txt"]);
  const counts = await search({ ...query, outputMode: "count" }, { workspace });
  assert.deepEqual(counts.counts, [{ file: "a.txt", count: 1 }]);
  const without = await search({ ...query, filesWithoutMatch: true }, { workspace });
  assert.deepEqual([without.output_mode, without.files], ["file", ["b.txt"]]);
  await using searcher = new Searcher({ workspace });
  assert.deepEqual((await searcher.search({ ...query, outputMode: "file" })).files, ["a.txt"]);
});

Deno.test("files without a match have no lines to show, but counts", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "b.txt": "y\n" });
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "x", paths: "relative", filesWithoutMatch: true } as const;
  const { counts } = await search({ ...query, outputMode: "count" }, { workspace });
  assert.deepEqual(counts, [{ file: "b.txt", count: 0 }]);
  await assert.rejects(
    search({ ...query, outputMode: "content" }, { workspace }),
    new PathgrepError(
      "invalid_input",
      "filesWithoutMatch has no lines to show; use outputMode file or count",
    ),
  );
  const off = { ...query, filesWithoutMatch: false, outputMode: "content" } as const;
  assert.equal((await search(off, { workspace })).count, 1);
});

Deno.test("a tool's answer is an error or has none of its keys", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const answer = await grep.execute({ pattern: "x", response_format: "concise" });
  assert.ok(!("error" in answer) && "text" in answer);
  assert.equal(answer.text, "a.txt\n1:x\n");
  const error = await grep.execute({ pattern: "x", path: "b.txt" });
  assert.ok("error" in error);
  assert.equal(error.code, "path_not_found");
  assert.deepEqual(error.suggestions, ["a.txt"]);
});
