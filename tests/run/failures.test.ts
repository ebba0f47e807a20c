/** A thread that fails: the search says what failed, and the next one starts another thread. */
import assert from "node:assert/strict";
import { PathgrepError, search, Searcher, Workspace } from "../../mod.ts";
import { JsEngine } from "../../src/run/js.ts";
import type { HitSink } from "../../src/run/job.ts";
import { prepare } from "../../src/search/prepare.ts";
import { parseQuery } from "../../src/query/query_parser.ts";
import { runSearch } from "../../src/search/search.ts";
import { WorkerPool } from "../../src/run/worker_pool.ts";
import { tempTree } from "../support/tree.ts";

/** Runs with workers that are made from another module, or in another way. */
async function withWorkers<T>(StandIn: typeof Worker, action: () => Promise<T>): Promise<T> {
  const original = globalThis.Worker;
  globalThis.Worker = StandIn;
  try {
    return await action();
  } finally {
    globalThis.Worker = original;
  }
}

/** Workers whose module throws as soon as it is loaded. */
class BrokenWorker extends Worker {
  constructor(_: string | URL, options?: WorkerOptions) {
    super("data:application/javascript,throw new Error('the module is broken')", options);
  }
}

const BROKEN = {
  code: "search_failed",
  message: /^a worker failed: .*Error: the module is broken/,
};

/** Workers that fail as soon as they get work, which some of them do all the same. */
class FailingWorker extends Worker {
  override postMessage(...args: [unknown, (Transferable[] | StructuredSerializeOptions)?]): void {
    super.postMessage(...args as [unknown, Transferable[]]);
    this.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
  }
}

Deno.test("a searcher says which failure ended a worker, and can be disposed of", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  await withWorkers(BrokenWorker, async () => {
    await using searcher = new Searcher({ workspace });
    await assert.rejects(searcher.search({ pattern: "needle" }), BROKEN);
  });
});

Deno.test("a search whose helper fails says so, and its workers can be closed", async () => {
  await using tree = await tempTree();
  for (let index = 0; index < 300; index++) Deno.writeTextFileSync(tree.path(`f${index}`), "");
  const workspace = await Workspace.open(tree.root);
  await withWorkers(FailingWorker, async () => {
    const pool = new WorkerPool();
    await pool.start(); // with idle workers, a few files are enough to share them
    if (pool.isWarm) {
      await assert.rejects(runSearch({ pattern: "needle" }, { pool, workspace }), {
        code: "search_failed",
        message: "a worker failed: out of memory",
      });
    }
    pool.close();
    assert.ok(!pool.isWarm);
  });
});

Deno.test("after a worker has failed between two searches, the next one starts another", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const started: Worker[] = [];
  class RecordedWorker extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      started.push(this);
    }
  }
  await withWorkers(RecordedWorker, async () => {
    await using searcher = new Searcher({ workspace });
    assert.equal((await searcher.search({ pattern: "needle" })).count, 1);
    const before = started.length;
    started[0]!.dispatchEvent(new ErrorEvent("error", { message: "exhausted" }));
    assert.equal((await searcher.search({ pattern: "needle" })).count, 1);
    assert.equal(started.length, before + 1);
  });
});

Deno.test("a worker that fails in a search ends it once, whatever it still sends", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  await withWorkers(FailingWorker, async () => {
    await using searcher = new Searcher({ workspace });
    for (let time = 0; time < 3; time++) {
      await assert.rejects(searcher.search({ pattern: "needle" }), {
        code: "search_failed",
        message: "a worker failed: out of memory",
      });
    }
  });
});

Deno.test("a worker that cannot start fails its search, and leaves no thread waiting", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  let started = 0;
  class MissingWorker extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      if (++started === 2) throw new Error("no thread is left");
      super(url, options);
    }
  }
  await withWorkers(MissingWorker, async () => {
    await using searcher = new Searcher({ workspace });
    const failure = { code: "search_failed", message: "no thread is left" };
    await assert.rejects(searcher.search({ pattern: "needle" }), failure);
    assert.equal((await searcher.search({ pattern: "needle" })).count, 1);
  });
});

Deno.test("a callback that throws once time has run out does not hide that", async () => {
  await using tree = await tempTree({ "a.txt": `${"a".repeat(60)}\n` });
  const workspace = await Workspace.open(tree.root);
  const timeout = 150;
  let threw = false;
  for (let run = 0; run < 10 && !threw; run++) {
    let first: number | undefined;
    const onProgress = () => {
      first ??= performance.now();
      threw = performance.now() > first + timeout;
      if (threw) throw new Error("no more, please");
    };
    const query = { pattern: String.raw`^(a+)+\1b`, path: "a.txt", timeout };
    await assert.rejects(search(query, { workspace, onProgress }), { code: "search_timed_out" });
  }
  assert.ok(threw, "it was called after the time limit");
});

Deno.test("where disposal fails after something else, the first failure is reported", () => {
  const fail = () => {
    using _resource = {
      [Symbol.dispose]() {
        throw new Error("the second failure");
      },
    };
    throw new Error("the first failure");
  };
  let thrown: unknown;
  try {
    fail();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof SuppressedError);
  assert.deepEqual(PathgrepError.from(thrown).toJSON(), {
    error: "search failed: the first failure",
    code: "search_failed",
  });
});

Deno.test("searches that are aborted before they begin leave no queue behind", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const settings = parseQuery({ pattern: "needle" });
  const pool = new WorkerPool({ isKept: true });
  using _pool = { [Symbol.dispose]: () => pool.close() };
  const engine = new JsEngine(pool);
  const { job } = await prepare(settings, pool, { workspace });
  const sink: HitSink = { phase: "keep", cutoff: undefined, add() {}, progress() {} };
  const taken = new Set<unknown>();
  const takeQueue = pool.takeQueue.bind(pool);
  pool.takeQueue = () => {
    const queue = takeQueue();
    taken.add(queue);
    return queue;
  };
  for (let time = 0; time < 5; time++) {
    const reason = new PathgrepError("cancelled", "cancelled");
    await assert.rejects(engine.run(job, sink, AbortSignal.abort(reason)), { code: "cancelled" });
  }
  assert.equal(taken.size, 1, "each search uses the queue of the one before");
});
