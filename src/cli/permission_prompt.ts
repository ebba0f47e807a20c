/**
 * Asks on the terminal whether a path outside the workspace may be read.
 *
 * The question is on standard error and the keys come from standard input, so that standard output
 * stays the answer's.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import type { PermissionAnswer, PermissionRequest } from "../guard/requester.ts";
import { printable } from "../visible.ts";
import { stderr } from "./output.ts";

const CHOICES: readonly { key: string; label: string; answer: PermissionAnswer }[] = [
  { key: "a", label: "Allow", answer: "allow" },
  { key: "d", label: "Deny", answer: "deny" },
  { key: "s", label: "Allow for this session", answer: "allow-session" },
];
/** Selected first, so that a stray Enter allows nothing. */
const DENY = 1;

const ESCAPE = "\x1b";
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const UP = RegExp(`^${ESCAPE}[[O]A$`);
const DOWN = RegExp(`^${ESCAPE}[[O]B$`);
/** An arrow key or one character. */
const KEY = RegExp(`${ESCAPE}[[O][A-D]|.`, "gsu");

/** Questions are asked one after another. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Asks one question: arrow keys and Enter, or `a`, `d`, `s`; Esc and Ctrl-C deny, and so does the
 * end of the input.
 *
 * @throws {PathgrepError} `cancelled` when the request's signal aborts
 */
export function askOnTerminal(request: PermissionRequest): Promise<PermissionAnswer> {
  const answer = previous.then(() => ask(request));
  previous = answer.catch(() => {});
  return answer;
}

async function ask(request: PermissionRequest): Promise<PermissionAnswer> {
  const { signal } = request;
  signal?.throwIfAborted();
  stderr.write(
    `pathgrep: ${printable(request.tool)} wants to ${request.operation} outside the workspace\n` +
      `  requested: ${printable(request.requestedPath)}\n` +
      `  resolved:  ${printable(request.resolvedPath)}\n`,
  );
  let selected = DENY;
  const draw = () => {
    for (const [index, { key, label }] of CHOICES.entries()) {
      stderr.write(`\x1b[K${index === selected ? ">" : " "} ${label} (${key})\n`);
    }
  };
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new PathgrepError("cancelled", "cancelled"));
  signal?.addEventListener("abort", onAbort);
  Deno.stdin.setRaw(true);
  try {
    draw();
    const bytes = new Uint8Array(32);
    const decoder = new TextDecoder();
    while (true) {
      const length = await Promise.race([Deno.stdin.read(bytes), aborted.promise]);
      const input = length === null ? CTRL_C : decoder.decode(bytes.subarray(0, length));
      for (const [key] of input.matchAll(KEY)) {
        const answer = answerTo(key);
        if (answer !== undefined) return answer;
      }
    }
  } finally {
    Deno.stdin.setRaw(false);
    signal?.removeEventListener("abort", onAbort);
  }

  /** What a key decides; one that only moves the selection decides nothing. */
  function answerTo(key: string): PermissionAnswer | undefined {
    if (UP.test(key)) return select(selected - 1);
    if (DOWN.test(key)) return select(selected + 1);
    if (key === "\r" || key === "\n") return CHOICES[selected]!.answer;
    if (key === ESCAPE || key === CTRL_C || key === CTRL_D) return "deny";
    return CHOICES.find((choice) => choice.key === key.toLowerCase())?.answer;
  }

  function select(index: number): undefined {
    selected = (index + CHOICES.length) % CHOICES.length;
    stderr.write(`\x1b[${CHOICES.length}A`);
    draw();
  }
}
