/**
 * The note, once in a session, on rule files above the workspace.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { isBarredAbove, rulesAbove } from "../paths/rules_above.ts";
import type { Workspace } from "../paths/workspace.ts";
import { join } from "../util/path.ts";

const MAX_NAMED = 5;
const said = new WeakSet<Workspace>();

/** Says which rule files above a workspace count, or that Deno keeps them from being read; later, nothing. */
export function noteOnRulesAbove(workspace: Workspace): Note[] {
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
  const named = files.slice(0, MAX_NAMED);
  const notes: Note[] = [];
  if (files.length > 0) {
    const values = { files: named, more: files.length - named.length };
    notes.push({ reason: "rules_above", values });
  }
  if (isBarredAbove(workspace.roots)) notes.push({ reason: "rules_above_unread", values: {} });
  return notes;
}

/** Leaves the note out: a process that answers one call is no session. */
export function omitNoteOnRulesAbove(workspace: Workspace): void {
  said.add(workspace);
}
