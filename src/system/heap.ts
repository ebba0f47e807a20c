/**
 * Returns unused memory of V8 to the system.
 *
 * V8 collects when it lacks room, not when a thread rests. Once much has survived, as when a tree is read for
 * the first time, it keeps up to 64 MB in each thread for new objects, and buffers that nobody uses stay
 * until the next collection.
 *
 * @module
 */

/** Milliseconds that a thread rests before anything is collected. */
const REST_MS = 1000;
/** Less than this is not worth the pause, of some 50 ms. */
const MIN_BYTES = 8 << 20;

type Collect = (options: { type: "major"; flavor: "last-resort" }) => void;

let timer: ReturnType<typeof setTimeout> | undefined;
let working = 0;
/** Bytes held after the last collection. */
let held = 0;

/** Says that this thread works, until it is disposed of. Once the thread has rested, its memory is trimmed. */
export function atWork(): Disposable {
  working++;
  clearTimeout(timer);
  return {
    [Symbol.dispose]() {
      if (--working === 0) trimLater();
    },
  };
}

function trimLater(): void {
  timer = setTimeout(() => {
    if (bytesHeld() < held + MIN_BYTES) return;
    if (collectGarbage()) held = bytesHeld();
    else trimLater();
  }, REST_MS);
  timer.unref(); // a process need not wait for it
}

function bytesHeld(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/**
 * Collects what nobody uses. `gc` is there only in contexts that are made after the flag was set, and no
 * other way leads to it. The flag is one for all threads, so another may have taken it back in between: then
 * returns `false`.
 */
function collectGarbage(): boolean {
  const { Bun } = globalThis as { Bun?: { gc(force: true): void } };
  if (Bun !== undefined) {
    Bun.gc(true);
    return true;
  }
  // Loaded when they are needed, these modules delay no search.
  const v8 = process.getBuiltinModule?.("node:v8");
  if (v8 === undefined) return true; // Node.js before 22.3: it keeps its memory
  v8.setFlagsFromString("--expose-gc");
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  const gc: Collect | undefined = runInNewContext("globalThis.gc");
  v8.setFlagsFromString("--no-expose-gc");
  gc?.({ type: "major", flavor: "last-resort" });
  return gc !== undefined;
}
