/**
 * Asks on the terminal whether a path outside the workspace may be read.
 *
 * The question is on standard error and the keys come from standard input, so that standard output
 * stays the answer's. What was typed before the question appeared answers nothing.
 *
 * @module
 */
import { cancelled } from "../util/errors.ts";
import type { PermissionAnswer, PermissionRequest } from "../guard/requester.ts";
import { printable, shortened } from "../util/text.ts";
import { stderr } from "./output.ts";
import {
  addSignalListener,
  exit,
  OS,
  removeSignalListener,
  standardInput,
  terminalColumns,
} from "../system/platform.ts";
import type { SignalName } from "../system/types.ts";

const CHOICES: readonly { keys: string[]; label: string; answer: PermissionAnswer }[] = [
  { keys: ["a", "y"], label: "Allow", answer: "allow" },
  { keys: ["d", "n"], label: "Deny", answer: "deny" },
  { keys: ["s"], label: "Allow for this session", answer: "allow-session" },
];
/** Selected first, so that a stray Enter allows nothing. */
const DENY = 1;
/** Moves to the first line of the choices from the line after them. */
const TO_CHOICES = `\x1b[${CHOICES.length}A`;

const ESCAPE = "\x1b";
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const UP = RegExp(`^${ESCAPE}[[O]A$`);
const DOWN = RegExp(`^${ESCAPE}[[O]B$`);
/** A key that sends several characters, such as an arrow, or one character. */
const KEY = RegExp(`${ESCAPE}\\[[ -?]*[@-~]|${ESCAPE}O[AB]?|.`, "gsu");
/** The start of other keys, of a mouse click, or of pasted text: what follows is no answer either. */
const UNFINISHED = RegExp(
  `^(?:${ESCAPE}\\[(?:[ -?]*[[M]|200~)|${ESCAPE}O$|[\\x80-\\x9f\\ufffd])`,
  "u",
);

/** Lines of a path at most, and columns of the terminal where they are unknown. */
const PATH_LINES = 3;
const COLUMNS = 80;
/** Columns before a path. */
const INDENT = 13;
const MAX_TOOL_COLUMNS = 40;

/** Questions are asked one after another. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Asks one question: arrow keys and Enter, or the letters that are shown; Esc, Ctrl-C, Ctrl-D, the end
 * of the input and keys that keep coming before the question deny.
 *
 * @throws {PathgrepError} `cancelled` when the request's signal aborts
 */
export function askOnTerminal(request: PermissionRequest): Promise<PermissionAnswer> {
  const answer = previous.then(() => promptFor(request));
  previous = answer.catch(() => {});
  return answer;
}

async function promptFor(request: PermissionRequest): Promise<PermissionAnswer> {
  const { signal } = request;
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {}); // it may come between two keys
  const onAbort = () => aborted.reject(cancelled(signal));
  signal?.addEventListener("abort", onAbort);
  using keyboard = new Keyboard();
  try {
    if (!await Promise.race([keyboard.drop(), aborted.promise])) {
      stderr.write(`${questionText(request)}Denied: keys keep arriving, so nobody can be asked.\n`);
      return "deny";
    }
    stderr.write(`${questionText(request)}Press a key, or choose with the arrow keys and Enter:\n`);
    draw(DENY);
    let label = "no answer";
    try {
      const answer = await typedAnswer(keyboard, aborted.promise);
      ({ label } = CHOICES.find((choice) => choice.answer === answer)!);
      return answer;
    } finally {
      // What was selected, or could have been, would read as the answer.
      stderr.write(`${TO_CHOICES}\x1b[J> ${label}\n`);
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Reads keys until one answers, and shows the selection meanwhile. */
async function typedAnswer(keyboard: Keyboard, aborted: Promise<never>): Promise<PermissionAnswer> {
  let selected = DENY;
  while (true) {
    const input = await Promise.race([keyboard.read(), aborted]) ?? CTRL_D;
    for (const [key] of input.matchAll(KEY)) {
      if (UNFINISHED.test(key)) {
        if (await Promise.race([keyboard.drop(), aborted])) break;
        return "deny";
      }
      const answer = answerTo(key, selected);
      if (typeof answer === "string") return answer;
      if (answer === selected) continue;
      selected = answer;
      stderr.write(TO_CHOICES);
      draw(selected);
    }
  }
}

/** The question, in few enough lines for any screen. */
function questionText({ tool, operation, requestedPath, resolvedPath }: PermissionRequest): string {
  const room = Math.max(PATH_LINES * columns(), COLUMNS) - INDENT;
  const shown = (path: string) => shortened(printable(path), room);
  return `pathgrep: ${shortened(printable(tool), MAX_TOOL_COLUMNS)} wants to ${operation} ` +
    "outside the workspace\n" +
    `  requested: ${shown(requestedPath)}\n` +
    `  resolved:  ${shown(resolvedPath)}\n`;
}

function columns(): number {
  try {
    return terminalColumns() || COLUMNS;
  } catch {
    return COLUMNS; // standard output is no terminal
  }
}

function draw(selected: number): void {
  for (const [index, { keys, label }] of CHOICES.entries()) {
    stderr.write(`\x1b[K${index === selected ? ">" : " "} ${label} (${keys.join(", ")})\n`);
  }
}

/** What a key decides, or the choice that it selects. */
function answerTo(key: string, selected: number): PermissionAnswer | number {
  if (UP.test(key)) return (selected + CHOICES.length - 1) % CHOICES.length;
  if (DOWN.test(key)) return (selected + 1) % CHOICES.length;
  if (key === "\r" || key === "\n") return CHOICES[selected]!.answer;
  if (key === ESCAPE || key === CTRL_C || key === CTRL_D) return "deny";
  return CHOICES.find(({ keys }) => keys.includes(key.toLowerCase()))?.answer ?? selected;
}

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
class Keyboard implements Disposable {
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
