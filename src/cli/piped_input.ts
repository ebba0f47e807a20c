/**
 * Standard input at a terminal, for a search that names no path: `ps | pathgrep PATTERN`.
 *
 * @module
 */
import { fstatSync } from "node:fs";
import { STDIN } from "../scan/job.ts";
import type { CommandLine, Host } from "./host.ts";
import { printNotes } from "./printers/text_printer.ts";

/** Turns without a byte after which a pipe is silent: counted, so that a busy machine waits longer. */
const TURNS = 10;
const TURN_MS = 20;
const FIRST_BYTES = 1 << 16;

/** The note on an empty answer from standard input that nobody named. */
const ONLY_INPUT = "only standard input was searched; add . to search the workspace";

/**
 * Adds the path `-` to a search that has none if standard input is a file, or a pipe with something to
 * read. A note reports a pipe that gave nothing.
 *
 * @returns the host to search with; the given one unless standard input matters
 */
export async function withPipedInput(line: CommandLine, host: Host): Promise<Host> {
  const { command, operands, settings } = line;
  const { listFiles, notes, patternFiles, query } = settings;
  const patterns = query.pattern.length + patternFiles.length > 0 ? 0 : 1;
  if (command.name !== "search" || listFiles || operands.length !== patterns) return host;
  const kind = patternFiles.includes(STDIN.path) ? "other" : inputKind();
  if (kind === "other") return host;
  let first: Uint8Array | undefined;
  if (kind === "pipe") {
    first = await firstBytes();
    if (first === undefined || first.length === 0) {
      const why = first === undefined
        ? `nothing came through the pipe on standard input within ${TURNS * TURN_MS} ms`
        : "standard input is an empty pipe";
      notes.push(
        `${why}, so the workspace is searched; add - to ` +
          (first === undefined ? "wait for the pipe" : "search only the pipe"),
      );
      return { ...host };
    }
  }
  (operands as string[]).push(STDIN.path);
  return {
    ...host,
    async *stdin() {
      if (first !== undefined) yield first;
      yield* Deno.stdin.readable;
    },
    onNoMatch({ query, quiet }) {
      if (!quiet && query.explain !== "never") printNotes([ONLY_INPUT], host.stderr);
    },
  };
}

/** What standard input is: with `/dev/null` or a terminal, a search without a path is of the workspace. */
function inputKind(): "file" | "pipe" | "other" {
  try {
    const status = fstatSync(0);
    if (status.isFile()) return "file";
    return status.isFIFO() || status.isSocket() ? "pipe" : "other";
  } catch {
    return "other"; // it is closed
  }
}

/** The first bytes of standard input, empty at its end; nothing while it is silent. */
async function firstBytes(): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(FIRST_BYTES);
  let length: number | null | undefined;
  // It can't be taken back; the exit of the program does not wait for it.
  const reading = Deno.stdin.read(bytes).then((read) => length = read, () => length = null);
  for (let turn = 0; turn < TURNS && length === undefined; turn++) {
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, TURN_MS))]);
  }
  return length === undefined ? undefined : bytes.subarray(0, length ?? 0);
}
