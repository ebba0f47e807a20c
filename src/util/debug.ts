/**
 * Debug output on standard error, for a process with `PATHGREP_DEBUG=1` in its environment. Standard output
 * never changes.
 *
 * @module
 */

import { escapeControls } from "./text.ts";
import { MAX_CAUSES, type PathgrepError } from "./errors.ts";
import { isWouldBlock } from "../system/files.ts";
import { readVariable, standardError } from "../system/platform.ts";

const VARIABLE = "PATHGREP_DEBUG";
/** A pipe takes up to this many bytes whole: lines of other threads do not come between. */
const PIECE_BYTES = 4096;
const LINE_FEED = 10;

let isOn: boolean | undefined;

/**
 * Whether the environment asks for it. Where Deno may not read the variable it does not: nobody is
 * asked for the permission.
 */
export function isDebugging(): boolean {
  return isOn ??= !["", "0"].includes(readVariable(VARIABLE) ?? "");
}

export function debug(lines: readonly string[]): void {
  const text = lines.map((line) => `pathgrep: debug: ${escapeControls(line)}\n`).join("");
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    const piece = bytes.subarray(0, PIECE_BYTES);
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    try {
      bytes = bytes.subarray(standardError.writeSync(end > 0 ? piece.subarray(0, end) : piece));
    } catch (error) {
      if (!isWouldBlock(error)) return; // nobody reads
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Writes the stack of an error that nobody expected, and those of its causes. */
export function debugFailure({ code, cause }: PathgrepError): void {
  if (code !== "search_failed" || cause === undefined || !isDebugging()) return;
  const stacks: string[] = [];
  for (let error: unknown = cause; error !== undefined && stacks.length < MAX_CAUSES;) {
    stacks.push(error instanceof Error ? error.stack ?? String(error) : String(error));
    error = error instanceof Error ? error.cause : undefined;
  }
  debug(stacks.flatMap((stack, index) => (index === 0 ? stack : `caused by ${stack}`).split("\n")));
}
