import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "../support/needs.ts";

const MODULE = new URL("../../src/system/heap.ts", import.meta.url);

/** Objects that survive make V8 keep room for more; then nobody needs them, nor a buffer. */
const SCRIPT = `
import { atWork } from ${JSON.stringify(MODULE.href)};
const held = () => {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
};
let kept = Array.from({ length: 400_000 }, (_, index) => ({ index, list: [index] }));
let buffer = new Uint8Array(64 << 20);
const before = held();
kept = buffer = undefined;
const other = Deno.args[0] === "work" ? atWork() : undefined;
if (Deno.args[0] !== "wait") atWork()[Symbol.dispose]();
const end = performance.now() + Number(Deno.args[1]);
while (held() > before / 4 && performance.now() < end) await new Promise((r) => setTimeout(r, 50));
console.log(held() <= before / 4);
other?.[Symbol.dispose]();
`;

async function run(script: string, ...args: string[]): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: ".js" });
  try {
    await Deno.writeTextFile(file, script);
    const command = [
      "run",
      "--no-config",
      "--no-lock",
      "--no-prompt",
      `--allow-read=${file},${fileURLToPath(MODULE)}`,
    ];
    const output = await new Deno.Command(Deno.execPath(), {
      args: [...command, file, ...args],
      stderr: "inherit",
    }).output();
    return new TextDecoder().decode(output.stdout);
  } finally {
    await Deno.remove(file);
  }
}

test.slow("a thread that rests returns what nobody uses", async () => {
  assert.equal(await run(SCRIPT, "trim", "60000"), "true\n");
});

test.slow("without that, V8 would keep it", async () => {
  assert.equal(await run(SCRIPT, "wait", "2500"), "false\n");
});

test.slow("nothing is collected while the thread has other work", async () => {
  assert.equal(await run(SCRIPT, "work", "2500"), "false\n");
});

/** Threads that rest from the same moment on; prints how many of them still hold what nobody uses. */
const THREADS = `
import { atWork } from ${JSON.stringify(MODULE.href)};
const start = new Int32Array(new SharedArrayBuffer(4));
if (typeof WorkerGlobalScope === "undefined") {
  const threads = Array.from({ length: 8 }, () => {
    const worker = new Worker(import.meta.url, { type: "module" });
    return { worker, next: () => new Promise((resolve) => worker.onmessage = resolve) };
  });
  await Promise.all(threads.map(({ next }) => next()));
  const ends = threads.map(({ worker, next }) => (worker.postMessage(start), next()));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  Atomics.store(start, 0, 1);
  Atomics.notify(start, 0);
  console.log((await Promise.all(ends)).filter(({ data }) => data === "holds").length);
  Deno.exit();
}
let kept = Array.from({ length: 200_000 }, (_, index) => ({ index, list: [index] }));
const before = Deno.memoryUsage().heapTotal;
const holds = () => Deno.memoryUsage().heapTotal > before / 2;
self.onmessage = async ({ data }) => {
  kept = undefined;
  const work = atWork();
  Atomics.wait(data, 0, 0);
  work[Symbol.dispose]();
  const end = performance.now() + Number(Deno.args[0]);
  while (holds() && performance.now() < end) await new Promise((r) => setTimeout(r, 50));
  self.postMessage(holds() ? "holds" : "returned");
};
self.postMessage("ready");
`;

test.slow("threads that begin to rest at the same moment all return it", async () => {
  assert.equal(await run(THREADS, "20000"), "0\n");
});

test("a process that has nothing else to do does not wait for it", async () => {
  const script = `
const { setTimeout } = globalThis;
let fired = false;
globalThis.setTimeout = (work, ms) => setTimeout(() => { fired = true; work(); }, ms);
const { atWork } = await import(${JSON.stringify(MODULE.href)});
atWork()[Symbol.dispose]();
addEventListener("unload", () => console.log(fired));
`;
  assert.equal(await run(script), "false\n");
});
