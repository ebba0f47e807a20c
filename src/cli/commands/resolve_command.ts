/**
 * `pathgrep resolve`: say which path in the workspace is meant.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import { resolvePath } from "../../tools/resolve_path.ts";
import { visible } from "../../visible.ts";
import { openWorkspace } from "../open_workspace.ts";
import { stderr, stdout } from "../output.ts";
import { jsonLine } from "../render_json.ts";
import { renderNotes } from "../render_text.ts";
import type { Settings } from "../settings.ts";

/** Resolves its one operand. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  const [input, ...more] = operands;
  if (input === undefined || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      input === undefined ? "PATH is missing" : `resolve takes one PATH, got ${operands.length}`,
      { hint: "usage: pathgrep resolve PATH [--as search|file|dir|project] [--field NAME]" },
    );
  }
  const workspace = await openWorkspace(settings);
  const { as, field, query: { allow, deny } } = settings;
  const resolved = await resolvePath(workspace, input, { as, field, allow, deny });
  if (settings.format === "text") {
    stdout.write(visible(resolved.path) + "\n");
    renderNotes(resolved.notes ?? [], stderr);
  } else {
    stdout.write(jsonLine(resolved));
  }
  return 0;
}
