/**
 * The environment of a command: the streams of this process and the user at its terminal or, in a resident
 * search, those of a client.
 *
 * @module
 */
import type { PermissionRequester } from "../guard/requester.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import type { ClientTerminal } from "../resident/protocol.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { PathgrepError } from "../util/errors.ts";
import type { Settings } from "./options/settings.ts";
import type { Output } from "./output.ts";

export interface CommandLine {
  readonly command: { readonly name: string; readonly choices?: readonly string[] };
  readonly settings: Settings;
  readonly operands: readonly string[];
  readonly error?: PathgrepError;
}

export interface Host {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The terminal of a client. @default that of this process, if it has one */
  readonly terminal?: ClientTerminal;
  /** The value of `PATHGREP_FORMAT`, the default of `--format`. */
  readonly preferredFormat?: string | undefined;
  /** What the answer has to say of standard input. */
  readonly note?: string | undefined;
  /** Opens the workspace of a command line: the roots that it names, or the current directory. */
  openWorkspace(settings: Settings): Promise<Workspace>;
  /** That of a resident search, with its cache. @default a new one */
  readonly pool?: WorkerPool;
  requester(settings: Settings): PermissionRequester | undefined;
  /** Standard input, for a search or `-f -` that reads it. */
  stdin(): AsyncIterable<Uint8Array>;
  /** The whole of standard input as text, for `call`. */
  readInput(): Promise<string>;
  readonly signal?: AbortSignal | undefined;
  /** Whether this host executes a command line. @default every one */
  admits?(line: CommandLine): boolean;
  /** Executes a command line, for a command that does so on behalf of others. */
  run(args: readonly string[], host: Host): Promise<number>;
}
