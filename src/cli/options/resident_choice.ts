/**
 * What a resident search can do in place of the command itself.
 *
 * @module
 */
import { isDebugging } from "../../util/debug.ts";
import type { PathgrepError } from "../../util/errors.ts";
import type { Settings } from "./settings.ts";

/** A command line, read. */
export interface CommandLine {
  readonly command: { readonly name: string; readonly choices?: readonly string[] };
  readonly settings: Settings;
  readonly operands: readonly string[];
  readonly error?: PathgrepError;
}

const COMMANDS = ["search", "files", "call"];
const STDIN = "-";

/** Whether there is someone to ask: the question itself is loaded when it comes. */
export function canAsk({ prompt }: Settings): boolean {
  return prompt === "auto" && Deno.stderr.isTerminal() && Deno.stdin.isTerminal();
}

/** Whether a command line reads nothing but the workspace, with the engine that is resident. */
export function isShareable({ command, settings, operands, error }: CommandLine): boolean {
  const { engine = "auto" } = settings.query;
  return error === undefined && COMMANDS.includes(command.name) &&
    !settings.help && !settings.version && !settings.typeList &&
    (engine === "auto" || engine === "js") &&
    !operands.includes(STDIN) && !settings.patternFiles.includes(STDIN);
}

/** Whether a resident search may be asked at all; what is debugged is this process. */
export function mayAskResident(line: CommandLine): boolean {
  return line.settings.resident === "auto" && isShareable(line) && !isDebugging();
}
