/**
 * What a command is, and the surroundings in which it runs.
 *
 * @module
 */

import type { PermissionRequester } from "../guard/requester.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ClientTerminal } from "../resident/protocol.ts";
import type { WorkerPool } from "../run/worker_pool.ts";
import { PathgrepError } from "../util/errors.ts";
import type { OptionGroup, Settings } from "./options/settings.ts";
import type { Output } from "./output.ts";

/** A command line as it was read. */
export interface CommandLine {
  readonly command: Command;
  readonly settings: Settings;
  readonly operands: string[];
  /** The first error; the rest was read all the same, so that its `--format` is known. */
  error?: PathgrepError;
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

/**
 * Runs a command to its end.
 *
 * @returns the exit status
 * @throws {PathgrepError} what the command reports as its failure
 */
export type RunCommand = (
  settings: Settings,
  operands: readonly string[],
  host: Host,
) => Promise<number>;

/** @throws {PathgrepError} `invalid_input` when a command that takes no operands is given some */
export function refuseOperands(command: string, operands: readonly string[]): void {
  if (operands.length === 0) return;
  const detail = `${command} takes no operands, got ${operands.join(" ")}`;
  throw new PathgrepError("invalid_input", detail, {
    hint: `\`pathgrep ${command} --help\` lists the options; ` +
      `\`pathgrep -e ${command}\` searches for the word`,
  });
}

export interface Command {
  readonly name: string;
  /** Its operands, as the usage line shows them. */
  readonly operands: string;
  /** The words that its operand can be, where they can be listed. */
  readonly choices?: readonly string[];
  readonly summary: string;
  /** Whether a shell runs what it prints: then an error is no JSON on standard output unless that is asked for. */
  readonly printsScript?: boolean;
  /** Whether its first operand ends its options: the rest is another program's command line. */
  readonly endsAtOperand?: boolean;
  /** The exit status of an error, which is then told on standard error alone. @default 2 */
  readonly failureStatus?: 0;
  readonly options: readonly OptionGroup[];
  /** Command lines to learn from, without the program's name, each with its meaning. */
  readonly examples: readonly (readonly [commandLine: string, meaning: string])[];
  /** Loads what runs it: only the command that is run is loaded. */
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
