/**
 * The keys of a terminal, one by one, for as long as a question is asked.
 *
 * @module
 */

import { OS } from "../system/platform.ts";
import { addSignalListener, exit, removeSignalListener, standardInput } from "../system/process.ts";
import type { SignalName } from "../system/types.ts";

/** Turns without input after which what was typed earlier counts as read. */
const QUIET_TURNS = 5;
const TURN_MS = 20;
/** Keys that keep coming for this long are not typed by a user, or by one who is looking elsewhere. */
const MAX_DROP_MS = 5000;

/** Signals that end the program, and the status that a shell gives each. */
const SIGNALS = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGQUIT", 131],
  ["SIGTERM", 143],
] as const;

/** A read that is under way; it can't be taken back, so the next question goes on with it. */
let reading: Promise<Uint8Array | undefined> | undefined;

/** The next input; nothing at its end. */
async function next(): Promise<Uint8Array | undefined> {
  reading ??= readStdin();
  const bytes = await reading;
  reading = undefined;
  return bytes;
}

async function readStdin(): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(1024);
  const length = await standardInput.read(bytes);
  return length === null ? undefined : bytes.subarray(0, length);
}

/** The terminal in raw mode. However the program ends, the terminal is as it was before. */
export class Keyboard implements Disposable {
  readonly #decoder = new TextDecoder();
  readonly #restore = () => standardInput.setRaw(false);
  readonly #ends = SIGNALS.map(([signal, status]) => [signal, () => exit(status)] as const);

  constructor() {
    globalThis.addEventListener("unload", this.#restore); // comes with `Deno.exit`, too
    for (const [signal, end] of this.#ends) {
      if (isKnown(signal)) addSignalListener(signal, end);
    }
    standardInput.setRaw(true);
  }

  /**
   * Drops what was typed so far. The system hands that over as soon as the terminal is in raw mode, and
   * does not say when it has: it has when nothing came for a while.
   *
   * @returns whether it has
   */
  async drop(): Promise<boolean> {
    const until = performance.now() + MAX_DROP_MS;
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      const isQuiet = await Promise.race([
        (reading ??= readStdin()).then(() => false),
        // Counted in turns, not by the clock, so that a machine too busy for either waits longer.
        new Promise<true>((resolve) => setTimeout(() => resolve(true), TURN_MS)),
      ]);
      quiet = isQuiet ? quiet + 1 : 0;
      if (isQuiet) continue;
      if (await next() === undefined) return true; // the end of the input
      if (performance.now() > until) return false;
    }
    return true;
  }

  /** The next keys; nothing at the end of the input. */
  async read(): Promise<string | undefined> {
    const bytes = await next();
    return bytes && this.#decoder.decode(bytes, { stream: true });
  }

  [Symbol.dispose](): void {
    try {
      this.#restore();
    } finally { // the terminal may be gone
      globalThis.removeEventListener("unload", this.#restore);
      for (const [signal, end] of this.#ends) {
        if (isKnown(signal)) removeSignalListener(signal, end);
      }
    }
  }
}

/** Windows knows neither SIGQUIT nor SIGTERM. */
function isKnown(signal: SignalName): boolean {
  return signal !== "SIGQUIT" && signal !== "SIGTERM" || OS !== "windows";
}
