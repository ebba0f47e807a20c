/**
 * A server whose calls never end by themselves: it answers others, hears of cancellations and of the end
 * of its input, whatever it may read.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLI } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { withTimeFor } from "../support/soon.ts";
import { RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

const BEYOND_LINEAR = "(?=(a+)+$)(a+)+\\1c";
/** Where `a` and `b` are mixed, an automaton of it has too many states to be kept. */
const MANY_TRIES = `a(?:${"[ab]?".repeat(14)}|[ab]{14})[cd]`;
/** Calls that take long, most of them longer than anybody waits. */
const SLOW: Record<string, object> = {
  "a backreference on a long line": { pattern: BEYOND_LINEAR, path: "long.txt" },
  "the same over several lines": { pattern: BEYOND_LINEAR, path: "long.txt", multiline: true },
  "many tries at each place": { pattern: MANY_TRIES, path: "large.txt" },
  "the same in a whole file": { pattern: MANY_TRIES, path: "large.txt", multiline: true },
};
/** The time limit where no worker can start: a call that takes long keeps others waiting until then. */
const LIMIT_MS = 1000;
/** Far from the thirty seconds after which a search ends by itself, on a machine that may stand still. */
const SOON_MS = 10_000;
const QUICK = { pattern: "needle", path: "small", output_mode: "count" };

/** So many letters `a` and `b`, in the same random order each time. */
function mixed(length: number): string {
  let state = 1;
  const letters = Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 1 ? "a" : "b";
  });
  return letters.join("");
}

const tree = await tempTree({
  "long.txt": `${"a".repeat(30_000)}\n`,
  // No line is longer than what is searched of one.
  "large.txt": `${mixed(1_000_000).repeat(10)}\n`.repeat(6),
  ...Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`small/${index}.txt`, "needle\n"]),
  ),
});
Deno.test.afterAll(async () => await tree[Symbol.asyncDispose]());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Milliseconds of processor time that a process has used. */
function cpuMs(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Pings a server again and again, beside something that takes longer. */
async function pingFor(ms: number, what: string, server: RawServer): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < ms) {
    await sleep(5);
    await within(SOON_MS, `a ping beside ${what}`, server.request("ping"));
  }
}

for (const rights of ["all of the disk", "the workspace alone"]) {
  const hasWorkers = rights === "all of the disk";
  const limits = hasWorkers ? [] : ["--timeout", `${LIMIT_MS}`];
  const serve = async (root: string, ...options: string[]) => {
    const grant = hasWorkers ? "-A" : `--allow-read=${root}`;
    const server = new RawServer(root, [grant], options);
    await server.initialize();
    assert.equal((await server.call("grep", QUICK))["count"], 50);
    return server;
  };

  test.slow(`pings are answered and cancelled calls end, with rights to ${rights}`, async () => {
    const server = await serve(tree.root, ...limits);
    for (const [what, call] of Object.entries(SLOW)) {
      const id = await server.start("tools/call", { name: "grep", arguments: call });
      await pingFor(400, what, server);
      const isAnswered = () => server.messages.some((message) => message.id === id);
      if (!hasWorkers) continue;
      assert.equal(isAnswered(), false, `${what}: it takes longer than the pings beside it`);
      await server.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id },
      });
      const cancelled = performance.now();
      for (let before = -1, now; before !== (now = cpuMs(server.pid)); before = now) {
        assert.ok(performance.now() - cancelled < SOON_MS, `${what} goes on`);
        await sleep(100);
      }
      assert.equal(isAnswered(), false, `${what}: what is cancelled is not answered`);
    }
    await server.end();
  });

  test.slow(`the end of input ends a server in the middle of slow calls, with rights to ${rights}`, async () => {
    const server = await serve(tree.root, ...limits);
    for (const call of Object.values(SLOW)) {
      await server.start("tools/call", { name: "grep", arguments: call });
    }
    await sleep(500);
    assert.equal(await within(SOON_MS, "the end", server.end()), 0);
  });

  const answersFifty = async (limit: number) => {
    await using server = await serve(tree.root, "--timeout", `${limit}`);
    const slow: Promise<unknown>[] = [];
    for (const call of Object.values(SLOW)) slow.push(server.call("grep", call));
    for (const call of slow) call.catch(() => {}); // it is awaited below, unless the others are late
    await sleep(300);
    const quick = Array.from({ length: 46 }, (_, index) => {
      if (index % 3 === 1) return server.call("glob", { pattern: "*.txt", path: "small" });
      if (index % 3 === 2) return server.call("resolve_path", { path: "small" });
      return server.call("grep", QUICK);
    });
    await within(SOON_MS, "the quick calls", Promise.all(quick));
    for (const [index, answer] of (await Promise.all(quick)).entries()) {
      assert.ok(index % 3 === 2 ? answer["kind"] === "directory" : answer["count"] === 50);
    }
    for (const answer of await Promise.all(slow) as Record<string, unknown>[]) {
      const code = String(answer["code"] ?? "");
      assert.ok(["", "search_timed_out"].includes(code), code);
    }
  };

  test.slow(`fifty calls are answered, slow ones among them, with rights to ${rights}`, () =>
    withTimeFor(answersFifty, 1000));

  test.slow(`pings are answered while names are held against slow rules, with rights to ${rights}`, async () => {
    const rules = Array.from({ length: 1000 }, (_, index) => `${"?*".repeat(20)}${index}\n`);
    const names = Array.from({ length: 60 }, (_, index) => [`${index}${"ab".repeat(115)}`, ""]);
    await using slow = await tempTree({
      "rules/.gitignore": rules.join(""),
      ...Object.fromEntries(names.map(([name, text]) => [`rules/${name}`, text!])),
      ...Object.fromEntries(names.map(([name]) => [`small/${name!.slice(0, 4)}`, "needle\n"])),
    });
    const grant = hasWorkers ? "-A" : `--allow-read=${slow.root}`;
    const limit = hasWorkers ? 6000 : LIMIT_MS;
    const server = new RawServer(slow.root, [grant], ["--timeout", `${limit}`]);
    await server.initialize();
    for (
      const call of [
        { name: "glob", arguments: { pattern: "*", path: "rules" } },
        { name: "grep", arguments: { pattern: "x", path: "rules" } },
      ]
    ) {
      const id = await server.start("tools/call", call);
      await pingFor(600, call.name, server);
      const params = { requestId: id };
      await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    await server.end();
  });
}

test.slow("what a missing path may mean and how a long pattern is matched is found out in turns", async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `dir${index % 40}/file${index}.txt`);
  await using many = await tempTree(Object.fromEntries(names.map((name) => [name, ""])));
  await using server = new RawServer(many.root, ["-A"]);
  await server.initialize();
  await server.call("resolve_path", { path: "dir0" });
  const calls: [string, object][] = [
    ["resolve_path", { path: "dix0/filx0.tx" }],
    ["resolve_path", { path: "dix0/filx0.tx", as: "dir" }],
    ["grep", { pattern: "x", path: "dix0/filx0.tx" }],
    ["grep", { pattern: "ab|".repeat(6_600) + "ab", path: "dir0/file0.txt" }],
  ];
  for (const [name, input] of calls) {
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => server.start("tools/call", { name, arguments: input })),
    );
    await sleep(50);
    await server.request("ping");
    const answered = ids.filter((id) => server.messages.some((message) => message.id === id));
    assert.ok(answered.length < 8, `${name}: ${answered.length} calls came before the ping`);
    await Promise.all(ids.map((id) => server.response(id)));
  }
});

test.slow("the end of input ends a server whose client reads on, but slowly", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "-A", CLI, "mcp", "--workspace", tree.root],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  for (let id = 0; id < 500; id++) {
    const call = { jsonrpc: "2.0", id, method: "tools/list" };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(call)}\n`));
  }
  await writer.close();
  const closed = performance.now();
  let took: number | undefined;
  const ended = child.status.then(() => took = performance.now() - closed);
  for await (const _ of child.stdout) {
    if (took === undefined) await sleep(100); // for some 60 KiB: all answers take a minute
  }
  assert.ok(await ended < SOON_MS, `${took} ms`);
});
