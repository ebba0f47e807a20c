/** Functions of the library that are called without what they need, and the cause of a cancellation. */
import assert from "node:assert/strict";
import * as library from "../../mod.ts";
import { PathgrepError, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

const query = { pattern: "x" };
// deno-lint-ignore no-explicit-any
const any: any = library;

const CALLS: Record<string, (workspace: Workspace) => unknown> = {
  "search()": () => any.search(),
  "search(query)": () => any.search(query),
  "search(query, {})": () => any.search(query, {}),
  "search(query, null)": () => any.search(query, null),
  "search(query, workspace)": (workspace) => any.search(query, workspace),
  "search(query, path)": () => any.search(query, { workspace: "." }),
  "search(undefined)": (workspace) => any.search(undefined, { workspace }),
  "search(text)": (workspace) => any.search("x", { workspace }),
  "search with a signal that is none": (workspace) => any.search(query, { workspace, signal: 5 }),
  "listFiles()": () => any.listFiles(),
  "listFiles({}, {})": () => any.listFiles({}, {}),
  "searchEntries(query)": () => any.searchEntries(query).next(),
  "searchEntries(query, {})": () => any.searchEntries(query, {}).next(),
  "new Searcher()": () => new any.Searcher(),
  "new Searcher({})": () => new any.Searcher({}),
  "searcher.search()": (workspace) => new any.Searcher({ workspace }).search(),
  "new Guard()": () => new any.Guard(),
  "new Guard({})": () => new any.Guard({}),
  "guard.check()": (workspace) => new any.Guard({ workspace }).check(),
  "guard.isBlocked()": (workspace) => new any.Guard({ workspace }).isBlocked(),
  "new GrepTool()": () => new any.GrepTool(),
  "new GlobTool({})": () => new any.GlobTool({}),
  "new ReadFileTool({})": () => new any.ReadFileTool({}),
  "new ResolvePathTool({})": () => new any.ResolvePathTool({}),
  "new ToolRegistry({})": () => new any.ToolRegistry({}),
  "ToolRegistry.of()": () => any.ToolRegistry.of(),
  "Workspace.open()": () => any.Workspace.open(),
  "Workspace.open([])": () => any.Workspace.open([]),
  "resolveTextSearchTarget()": () => any.resolveTextSearchTarget(),
  "resolveTextSearchTarget(path)": () => any.resolveTextSearchTarget(".", "a"),
  "resolveWorkingDirectory()": () => any.resolveWorkingDirectory(),
  "resolveWorkingDirectory(workspace)": (workspace) => any.resolveWorkingDirectory(workspace),
  "resolveToolCallPaths()": () => any.resolveToolCallPaths(),
  "resolveToolCallPaths(workspace)": (workspace) => any.resolveToolCallPaths(workspace),
  "resolveToolCallPaths(path, {})": () => any.resolveToolCallPaths(".", {}),
  "resolveProjectPath()": () => any.resolveProjectPath(),
  "resolveProjectPath(root)": (workspace) => any.resolveProjectPath(workspace.roots[0]),
  "toolDefinitions()": () => any.toolDefinitions(),
  "toolDefinitions(word)": () => any.toolDefinitions("toString"),
  "withResolvedPaths()": () => any.withResolvedPaths(),
  "withResolvedPaths(workspace)": (workspace) => any.withResolvedPaths(workspace),
};

Deno.test("what a function of the library is called without is invalid_input", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.root);
  for (const [name, call] of Object.entries(CALLS)) {
    const error = await new Promise((resolve) => resolve(call(workspace)))
      .then(() => undefined, (thrown) => thrown);
    assert.ok(error instanceof PathgrepError, `${name}: ${error}`);
    assert.equal(error.code, "invalid_input", name);
    assert.match(error.message, /^(?:\w+ must be|a query must be|a workspace needs)/, name);
  }
  const { hint } = await any.search(query, {}).catch((error: PathgrepError) => error.details);
  assert.equal(hint, "open one: { workspace: await Workspace.open(DIRECTORY) }");
});

Deno.test("the reason of an abort is the cause of cancelled, before a search and during one", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(40)}b\n`.repeat(2000), "b.txt": "x\n" });
  const workspace = await Workspace.open(t.root);
  await using searcher = new library.Searcher({ workspace });
  await using cached = new library.Searcher({ workspace, cache: "verified" });
  const slow = { pattern: "(a|aa)+\\1$", timeout: 20_000 };
  type Search = (query: typeof slow, signal: AbortSignal) => Promise<unknown>;
  const searches: Search[] = [
    (query, signal) => library.search(query, { workspace, signal }),
    (query, signal) => searcher.search(query, { signal }),
    (query, signal) => cached.search(query, { signal }),
    (query, signal) => library.searchEntries(query, { workspace, signal }).next(),
  ];
  for (const reason of [new Error("too late"), "a word", { an: "object" }]) {
    for (const [index, search] of searches.entries()) {
      for (const isBefore of [true, false]) {
        const ender = new AbortController();
        if (isBefore) ender.abort(reason);
        const running = search(slow, ender.signal);
        if (!isBefore) ender.abort(reason);
        const error = await running.then(() => undefined, (thrown) => thrown);
        assert.ok(error instanceof PathgrepError, String(error));
        assert.deepEqual([error.code, error.message], ["cancelled", "cancelled"]);
        assert.equal(error.cause, reason, `${index} ${isBefore}`);
      }
    }
    const listing = library.listFiles({}, { workspace, signal: AbortSignal.abort(reason) });
    assert.equal((await listing.catch((error) => error)).cause, reason);
  }
});
