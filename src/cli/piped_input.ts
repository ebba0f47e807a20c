/**
 * Standard input, for a search that names no path: `ps | pathgrep PATTERN`.
 *
 * @module
 */
import { brokenPipe, stat } from "../system/files.ts";
import { isGranted, standardInput, streamInfo } from "../system/platform.ts";
import type { FileInfo } from "../system/types.ts";
import { isDebugging } from "../util/debug.ts";
import { within } from "../util/pulse.ts";
import { STDIN } from "./ask_resident.ts";
import type { CommandLine, Host } from "./host.ts";
import { type ByteStream, Output } from "./output.ts";

/** A pipe is silent after so many turns without a byte: counted, so that a busy machine waits longer. */
const TURN_MS = 10;
const TURNS_AT_TERMINAL = 20;
const TURNS_ELSEWHERE = 5;
const FIRST_BYTES = 1 << 16;
const NO_MATCH = 1;

/** The note on an empty answer from standard input that nobody named. */
const ONLY_INPUT = "only standard input was searched; add . to search the workspace";

/**
 * Executes a search without a path. Standard input is searched if it is a file, or a pipe with something to
 * read; else the workspace is, and a note reports a pipe that stays silent.
 *
 * @param execute executes a command line, and adds to its notes
 */
export async function withPipedInput(
  line: CommandLine,
  host: Host,
  execute: (line: CommandLine, host: Host) => Promise<number>,
): Promise<number> {
  const isSeen = host.stdout.isTerminal || host.stderr.isTerminal;
  const turns = isSeen ? TURNS_AT_TERMINAL : TURNS_ELSEWHERE;
  const input = new FirstBytes();
  // What a search logs cannot be held back, so one that may be dropped must not begin then.
  const before = isDebugging() ? turns : 1;
  if (!await input.comeWithin(before)) {
    const silent = `nothing came through the pipe on standard input within ${turns * TURN_MS} ms`;
    const note = `${silent}, so the workspace is searched; add - to wait for the pipe`;
    const held = new HeldHost(host, note);
    // What an agent's shell leaves open stays silent: meanwhile the workspace is searched.
    const settings = { ...line.settings, notes: [...line.settings.notes] };
    const ended = execute({ ...line, settings }, held.host);
    ended.catch(() => {});
    if (!await input.comeWithin(turns - before)) {
      held.release();
      return await ended;
    }
    held.drop();
  }
  const { bytes } = input;
  const kind = inputKind();
  // Programs close what those that they start are not to read.
  const isClosed = kind === "pipe" && bytes.length === 0 && !isSeen;
  if (kind === "other" || isClosed) return await execute(line, host);
  const stdin = async function* () {
    if (bytes.length > 0) yield bytes;
    yield* host.stdin();
  };
  const withInput = { ...line, operands: [...line.operands, STDIN] };
  const status = await execute(withInput, { ...host, stdin });
  const { format, query, quiet } = line.settings;
  const mayTell = !quiet && query.explain !== "never";
  if (status === NO_MATCH && mayTell && (format === "text" || host.stderr.isTerminal)) {
    const { printNotes } = await import("./printers/text_printer.ts");
    printNotes([ONLY_INPUT], host.stderr);
  }
  return status;
}

/** What standard input is: with `/dev/null` or a terminal, a search without a path is of the workspace. */
function inputKind(): "file" | "pipe" | "other" {
  try {
    const { isFile, isFifo, isSocket } = inputStatus();
    return isFile ? "file" : isFifo || isSocket ? "pipe" : "other";
  } catch {
    return "other"; // it is closed
  }
}

function inputStatus(): Pick<FileInfo, "isFile" | "isFifo" | "isSocket"> {
  try {
    if (isGranted({ name: "read" })) return stat("/dev/stdin");
  } catch {
    // That takes all permissions, and a system that has the name.
  }
  return streamInfo(0); // takes half the time of a short search
}

/** What standard input begins with. It can't be put back; the exit of the program does not wait for it. */
class FirstBytes {
  /** Empty at its end, where it cannot be read, and while it is silent. */
  bytes: Uint8Array = new Uint8Array();
  readonly #reading: Promise<true>;

  constructor() {
    const buffer = new Uint8Array(FIRST_BYTES);
    const take = (length: number | null): true => {
      this.bytes = buffer.subarray(0, length ?? 0);
      return true;
    };
    this.#reading = standardInput.read(buffer).then(take, () => take(0));
  }

  /** Whether the bytes, or their end, come within so many turns. */
  async comeWithin(turns: number): Promise<boolean> {
    for (let turn = 0; turn < turns; turn++) {
      if (await within(TURN_MS, this.#reading)) return true;
    }
    return false;
  }
}

/** A host whose output waits until it is known to be wanted. */
class HeldHost {
  readonly host: Host;
  readonly #ender = new AbortController();
  #waiting: (() => void)[] | undefined = [];

  constructor(host: Host, note: string) {
    const [stdout, stderr] = [this.#held(host.stdout), this.#held(host.stderr)];
    this.host = { ...host, stdout, stderr, note, signal: this.#ender.signal };
  }

  #held(output: Output): Output {
    const stream: ByteStream = {
      pieceBytes: Infinity,
      isTerminal: () => output.isTerminal,
      writeSync: (bytes) => {
        if (this.#waiting === undefined) output.writeBytes(bytes);
        else {
          const copy = bytes.slice();
          this.#waiting.push(() => output.writeBytes(copy));
        }
        if (output.closed) throw brokenPipe();
        return bytes.length;
      },
    };
    return new Output(stream);
  }

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const write of waiting) write();
  }

  drop(): void {
    this.#ender.abort();
  }
}
