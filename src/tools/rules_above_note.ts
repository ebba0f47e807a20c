/**
 * The note, once in a session, on rule files above the workspace.
 *
 * @module
 */

import { isBarredAbove, rulesAbove, UNREAD_ABOVE } from "../paths/rules_above.ts";
import type { Workspace } from "../paths/workspace.ts";
import { join } from "../util/path.ts";

const MAX_NAMED = 5;
const said = new WeakSet<Workspace>();

/** Says which rule files above a workspace count, or that Deno keeps them from being read; later, nothing. */
export function noteOnRulesAbove(workspace: Workspace): string[] {
  if (said.has(workspace)) return [];
  said.add(workspace);
  const levels = rulesAbove(workspace.ruleRoots).flatMap(({ levels }) => levels);
  const files = [
    ...new Set(
      levels.flatMap(({ directory, texts }) =>
        Object.keys(texts).map((name) => workspace.displayRuleFile(join(directory, name)))
      ),
    ),
  ];
  const named = files.slice(0, MAX_NAMED).join(", ");
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  return [
    ...files.length > 0 ? [`rule files above the workspace count: ${named}${more}`] : [],
    ...isBarredAbove(workspace.roots) ? [UNREAD_ABOVE] : [],
  ];
}

/** Leaves the note out: a process that answers one call is no session. */
export function omitNoteOnRulesAbove(workspace: Workspace): void {
  said.add(workspace);
}
