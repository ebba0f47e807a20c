/**
 * Runs command lines in this process: the same code as the program's, from the arguments to the exit
 * status, with a host that collects what it writes. It saves the start of a process for each.
 *
 * What depends on a process of its own (Deno's permissions, the environment, keys, signals, pipes)
 * is not seen here: `run.ts` starts the real program for these.
 *
 * @module
 */

import type { Host } from "../../src/cli/host.ts";
import { runLine } from "../../src/cli/main.ts";
import { Output } from "../../src/cli/output.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

/** How a command line ended, and the bytes it wrote. */
export interface Ended {
  /** The exit status. */
  readonly code: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
}

/**
 * Runs a command line to its end.
 *
 * @param args the arguments after the program's name
 * @param cwd the directory that relative roots start at, and the root where none is given
 * @param stdin what it reads
 * @param isTerminal whether its standard output is taken for a terminal
 */
export async function runHere(
  args: readonly string[],
  cwd: string,
  stdin: Uint8Array<ArrayBuffer>,
  isTerminal: boolean,
): Promise<Ended> {
  const [stdout, stderr] = [new Collected(isTerminal), new Collected(false)];
  const host: Host = {
    stdout: new Output(stdout),
    stderr: new Output(stderr),
    openWorkspace: async ({ workspace }) =>
      await Workspace.open(workspace.length > 0 ? workspace.map((root) => from(cwd, root)) : cwd),
    requester: () => undefined,
    stdin: () => new Blob([stdin]).stream(),
    readInput: () => Promise.resolve(new TextDecoder().decode(stdin)),
    run: runLine,
  };
  const code = await runLine(args, host);
  return { code, stdout: stdout.bytes(), stderr: stderr.bytes() };
}

/** A root as the current directory completes it; what is no path is refused by its own text. */
function from(cwd: string, root: string): string {
  return root.trim() === "" || root.startsWith("/") ? root : `${cwd}/${root}`;
}

/** A stream that remembers what is written to it. */
class Collected {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly pieceBytes = 1 << 16;

  readonly #isTerminal: boolean;

  constructor(isTerminal: boolean) {
    this.#isTerminal = isTerminal;
  }

  isTerminal(): boolean {
    return this.#isTerminal;
  }

  writeSync(bytes: Uint8Array): number {
    this.#pieces.push(bytes.slice());
    return bytes.length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
