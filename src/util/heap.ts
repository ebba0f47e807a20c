/**
 * Returns to the system what V8 holds without need.
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

/** The parts of two modules that are used here: loaded when they are needed, they delay no search. */
interface Builtins {
  "node:v8": { setFlagsFromString(flags: string): void };
  "node:vm": { runInNewContext(code: string): unknown };
}
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
  Deno.unrefTimer(Number(timer));
}

function bytesHeld(): number {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
}

/**
 * Collects what nobody uses. `gc` is there only in contexts that are made after the flag was set, and no
 * other way leads to it. The flag is one for all threads, so another may have taken it back in between: then
 * returns `false`.
 */
function collectGarbage(): boolean {
  const load: <Name extends keyof Builtins>(name: Name) => Builtins[Name] =
    process.getBuiltinModule;
  load("node:v8").setFlagsFromString("--expose-gc");
  const gc = load("node:vm").runInNewContext("globalThis.gc") as Collect | undefined;
  load("node:v8").setFlagsFromString("--no-expose-gc");
  gc?.({ type: "major", flavor: "last-resort" });
  return gc !== undefined;
}
