/**
 * What a command is.
 *
 * @module
 */
import type { OptionGroup } from "../options/option.ts";
import type { Host } from "../host.ts";
import type { Settings } from "../options/settings.ts";

/**
 * Runs a command to its end.
 *
 * @param commands every command there is, for what describes them
 * @param host where the answer goes, and what the command may use
 * @returns the exit status
 * @throws {PathgrepError} what the command reports as its failure
 */
export type RunCommand = (
  settings: Settings,
  operands: readonly string[],
  commands: readonly Command[],
  host: Host,
) => Promise<number>;

/** One command. */
export interface Command {
  readonly name: string;
  /** Its operands, as the usage line shows them. */
  readonly operands: string;
  /** The words that its operand can be, where they can be listed. */
  readonly choices?: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  readonly options: readonly OptionGroup[];
  /** Command lines to learn from, without the program's name, each with its meaning. */
  readonly examples: readonly (readonly [commandLine: string, meaning: string])[];
  /** Loads what runs it: only the command that is run is loaded. */
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
