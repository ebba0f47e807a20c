/**
 * `pathgrep why`: say what the search of another program leaves out.
 *
 * @module
 */
import { readCommandLine } from "../../shell_commands/command_line.ts";
import { missedBy } from "../../shell_commands/missed.ts";
import { sentences } from "../../notes/words.ts";
import { voiceOf } from "../../search/callers.ts";
import { escapedLines } from "../../util/escape.ts";
import { jsonLine } from "../printers/json_printer.ts";
import type { RunCommand } from "./command.ts";

/** Writes the notes; 1 when there is none. */
export const run: RunCommand = async (settings, operands, _, host) => {
  const foreign = readCommandLine(operands);
  const workspace = await host.openWorkspace(settings);
  const { allow, deny, timeout } = settings.query;
  const [directory] = workspace.roots;
  const where = { workspace, directory: directory!, timeout, allow, deny, signal: host.signal };
  const missed = await missedBy(foreign, where);
  const notes = sentences(missed.notes, voiceOf(foreign.caller, foreign.said));
  if (settings.format === "text") {
    host.stdout.write(escapedLines(notes).map((line) => `${line}\n`).join(""));
  } else host.stdout.write(jsonLine({ notes }));
  return notes.length > 0 ? 0 : 1;
};
