/**
 * How `pathgrep hook` begins: it reads its event before anything else is loaded, since agents run it after
 * each command of their shell, and few are searches.
 *
 * @module
 */
import { searchIn } from "../shell_commands/hook_event.ts";
import { exit, standardInput } from "../system/platform.ts";

/** Milliseconds for everything, with some of the two seconds left for the start of the runtime. */
const LIMIT_MS = 1800;
/** Bytes of an event: before, hosts cut what a command prints. */
const MAX_EVENT_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 16;

/**
 * The event on standard input, if it is about a plain search; else the process ends.
 *
 * @returns nothing where the command line asks for something else, such as help
 */
export async function searchEvent(args: readonly string[]): Promise<string | undefined> {
  const isPlain = args.length === 1 || args.length === 3 && args[1] === "--workspace";
  if (!isPlain) return undefined;
  setTimeout(() => exit(0), LIMIT_MS);
  try {
    const text = await eventText(inputPieces());
    if (text !== undefined && searchIn(text) !== undefined) return text;
  } catch {
    // There is no standard input.
  }
  return exit(0);
}

/** An event to its end; nothing if it is too long. */
export async function eventText(pieces: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > MAX_EVENT_BYTES) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** A stream would take 3 ms to load. */
async function* inputPieces(): AsyncIterable<Uint8Array> {
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const bytes = await standardInput.read(piece);
    if (bytes === null) return;
    yield piece.subarray(0, bytes);
  }
}
