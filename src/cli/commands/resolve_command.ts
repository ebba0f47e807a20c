/**
 * `pathgrep resolve`: say which path in the workspace is meant.
 *
 * @module
 */
import { sentences } from "../../notes/words.ts";
import { voiceOf } from "../../search/callers.ts";
import { PathgrepError } from "../../util/errors.ts";
import { resolvePath } from "../../tools/resolve_path.ts";
import { escapeControls, isEscaped } from "../../util/text.ts";
import { jsonLine } from "../printers/answer_printer.ts";
import { printNotes } from "../printers/text_printer.ts";
import type { RunCommand } from "../host.ts";

export const run: RunCommand = async (settings, operands, host) => {
  const [input, ...more] = operands;
  if (input === undefined || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      input === undefined ? "PATH is missing" : `resolve takes one PATH, got ${operands.length}`,
      { hint: "usage: pathgrep resolve PATH [--as search|file|dir|project] [--field NAME]" },
    );
  }
  const workspace = await host.openWorkspace(settings);
  const { as, field, query: { allow, deny } } = settings;
  const permissionRequester = host.requester(settings);
  const how = { as, field, allow, deny, permissionRequester, voice: voiceOf("shell") };
  const resolved = await resolvePath(workspace, input, how);
  const notes = sentences([...settings.notes, ...resolved.notes ?? []]);
  if (notes.length > 0) resolved.notes = notes;
  if (settings.format === "text") {
    host.stdout.write(escapeControls(resolved.path) + "\n");
    printNotes(resolved.notes ?? [], host.stderr, isEscaped(resolved.path));
  } else {
    host.stdout.write(jsonLine(resolved));
  }
  return 0;
};
