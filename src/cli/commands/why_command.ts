/**
 * `pathgrep why`: say what the search of another program leaves out.
 *
 * @module
 */
import { readCommandLine } from "../../shell_commands/command_line.ts";
import { mayExpand, readCommand } from "../../shell_commands/shell_words.ts";
import { missedBy } from "../../shell_commands/missed.ts";
import { sentences } from "../../notes/words.ts";
import { voiceOf } from "../../search/callers.ts";
import { notRead } from "../../shell_commands/programs.ts";
import { Guard } from "../../guard/guard.ts";
import { resolve } from "../../util/path.ts";
import { escapedLines } from "../../util/text.ts";
import { jsonLine } from "../printers/answer_printer.ts";
import type { RunCommand } from "../host.ts";

/** Writes the notes; 1 when there is none. */
export const run: RunCommand = async (settings, operands, host) => {
  const [line, ...others] = operands;
  const isLine = others.length === 0 && /\s/.test(line ?? "");
  const command = isLine ? readCommand(line!) : undefined;
  if (isLine && command === undefined) throw notRead("more than one plain search");
  const foreign = readCommandLine(command?.words ?? operands);
  const workspace = await host.openWorkspace(settings);
  const { allow, deny, timeout } = settings.query;
  const guard = new Guard({ workspace, allow, deny });
  const directory = resolve(workspace.roots[0]!, command?.directory ?? ".");
  const start = guard.follow(directory);
  if (start.state !== "found" || !start.info.isDirectory) throw notRead(`cd ${command!.directory}`);
  const expanded = command?.globs.find(({ isInOption, pattern }) =>
    !isInOption || mayExpand(pattern, start.path, guard)
  );
  if (expanded !== undefined) throw notRead(`the glob ${expanded.word} without quotes`);
  const where = { workspace, directory: start.path, timeout, allow, deny, signal: host.signal };
  const missed = await missedBy(foreign, where);
  const notes = sentences(missed.notes, voiceOf(foreign.caller, foreign.said));
  if (settings.format === "text") {
    host.stdout.write(escapedLines(notes).map((line) => `${line}\n`).join(""));
  } else host.stdout.write(jsonLine({ notes }));
  return notes.length > 0 ? 0 : 1;
};
