/** What vanishes in the middle of a search is reported at one place, once, by every engine. */
import assert from "node:assert/strict";
import { Workspace } from "../../mod.ts";
import { FilterEngine } from "../../src/run/filter_engine.ts";
import { JsEngine } from "../../src/run/js.ts";
import { loadWalker, SearchWorker } from "../../src/run/search_worker.ts";
import { SharedQueue } from "../../src/run/queues.ts";
import { WorkerPool } from "../../src/run/worker_pool.ts";
import { loadMatcher } from "../../src/regex/matcher.ts";
import { prepare } from "../../src/search/prepare.ts";
import { parseQuery } from "../../src/query/query_parser.ts";
import { Files } from "../../src/read/files.ts";
import type { EngineReport, HitSink, SearchJob } from "../../src/run/job.ts";
import { mergeReports, proveNames } from "../../src/run/skip_report.ts";
import { tempTree } from "../support/tree.ts";

async function jobFor(root: string, path: string): Promise<SearchJob> {
  const workspace = await Workspace.open(root);
  const settings = parseQuery({ pattern: "needle", path, onOverflow: "truncate", timeout: 0 });
  const { job } = await prepare(settings, new WorkerPool(), { workspace });
  return job;
}

/** What a thread reports when something happens between its listing of a directory and the rest. */
async function threadReport(job: SearchJob, action: () => void): Promise<EngineReport> {
  await loadMatcher(job.plan);
  await loadWalker(job);
  const queue = new SharedQueue();
  queue.join();
  const thread = new SearchWorker(job, queue, new Files());
  for (const [base, path] of job.walk.bases.entries()) thread.accept({ path, base, depth: 0 });
  thread.listAhead(1, Infinity);
  action();
  while (thread.hasWork) thread.run(Infinity);
  return thread.report();
}

/** What a program's engine reports when something happens once the entries of `d` are known. */
async function filterReport(
  name: "grep" | "git" | "rg",
  job: SearchJob,
  action: () => void,
): Promise<EngineReport> {
  const pool = new WorkerPool();
  using _pool = { [Symbol.dispose]: () => pool.close() };
  // A walk makes a key of its options once it has listed its first directory.
  const toJSON = () => (action(), "walk");
  const walk = Object.defineProperty({ ...job.walk }, "toJSON", { value: toJSON });
  const engine = await FilterEngine.of(name, new JsEngine(pool), job.walk.allowedRoots);
  const sink: HitSink = { phase: "keep", cutoff: undefined, add() {}, progress() {} };
  return await engine.run({ ...job, walk }, sink, new AbortController().signal);
}

/** What each engine reports when something in the directory `d` vanishes after it was listed. */
async function reportsOf(
  vanishing: readonly string[],
): Promise<Record<string, [string, EngineReport]>> {
  const reports: Record<string, [string, EngineReport]> = {};
  for (const engine of ["js", "grep", "git", "rg", "list"] as const) {
    await using tree = await tempTree({
      "d/a": "needle\n",
      "d/b": "needle\n",
      "d/sub/x": "needle\n",
    });
    const action = () => {
      for (const name of vanishing) Deno.removeSync(tree.path(name), { recursive: true });
    };
    const job = await jobFor(tree.root, "d");
    reports[engine] = [
      tree.root,
      engine === "js"
        ? await threadReport(job, action)
        : engine === "list"
        ? await threadReport({ ...job, isListing: true, withoutMatch: true }, action)
        : await filterReport(engine, job, action),
    ];
  }
  return reports;
}

for (
  const [what, vanishing] of [
    ["a directory", ["d/sub"]],
    ["a file", ["d/b"]],
    ["a file and a directory", ["d/b", "d/sub"]],
  ] as const
) {
  Deno.test(`what vanishes counts once, at the directory that it was in: ${what}`, async () => {
    const reports = await reportsOf(vanishing);
    for (const [engine, [root, { skipped, firstSkipped }]] of Object.entries(reports)) {
      assert.equal(skipped.vanished, 1, engine);
      assert.deepEqual(firstSkipped, { vanished: [`${root}/d/`] }, engine);
    }
    assert.equal(Object.keys(reports).length, 5);
  });
}

Deno.test("a directory in which two threads miss something counts once", async () => {
  await using tree = await tempTree({ "d/a": "needle\n", "d/b": "needle\n", "e/c": "needle\n" });
  const of = async (path: string, vanishing: string) => {
    const job = await jobFor(tree.root, path);
    return await threadReport(job, () => Deno.removeSync(tree.path(vanishing)));
  };
  const [first, second, third] = [
    await of("d", "d/a"),
    await of("d", "d/b"),
    await of("e", "e/c"),
  ];
  const merged = structuredClone(first);
  for (const other of [second, third]) mergeReports(merged, structuredClone(other));
  assert.equal(merged.skipped.vanished, 2);
  assert.deepEqual(merged.firstSkipped, { vanished: [tree.path("d/"), tree.path("e/")] });
});

Deno.test("a rule is named only while the workspace itself has what it blocks", async () => {
  await using tree = await tempTree({
    "d/a": "",
    "d/id_rsa": "",
    "d/key.pem": "",
    "d/own.denied": "",
    "d/.aiexclude": "x\n",
    "d/x": "",
    "other/.aiexclude": "x\n",
  });
  const settings = parseQuery({ pattern: "needle", path: "d", timeout: 0, deny: ["*.denied"] });
  const workspace = await Workspace.open(tree.root);
  const { job } = await prepare(settings, new WorkerPool(), { workspace });
  const rulesAfter = async (action: () => void) => {
    const report = await threadReport({ ...job, wantsScope: true }, action);
    proveNames(report, job);
    return [...report.blockedBy.values()].map(({ rule }) => rule).sort();
  };
  assert.deepEqual(await rulesAfter(() => {}), ["*.denied", "*.pem", ":1", "id_rsa"]);
  const exchange = () => {
    Deno.renameSync(tree.path("d"), tree.path("../d"));
    Deno.renameSync(tree.path("other"), tree.path("d"));
  };
  assert.deepEqual(await rulesAfter(exchange), []);
});
