/**
 * What an answer lacks: the matches that it does not show and, where it is empty, why.
 *
 * @module
 */

import { blockedNotes, notesOn } from "../reasons/cause_notes.ts";
import { absenceIn } from "../reasons/absence.ts";
import type { EmptySearch } from "../reasons/empty_search.ts";
import { missingIn, type MissingMatches, notNoted, notShownLine } from "../reasons/not_shown.ts";
import type { NoteOrText } from "../notes/words.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { NotShownFrame } from "./result_builder.ts";
import type { Findings } from "./scan.ts";

/** What an answer says of what it lacks. */
export interface Missing {
  notes: NoteOrText[];
  notShown?: NotShownFrame;
}

/**
 * @param isEmpty whether nothing was found
 * @throws {PathgrepError} `cancelled`
 */
export async function missingFrom(
  search: PreparedSearch,
  { collector, report }: Findings,
  isEmpty: boolean,
): Promise<Missing> {
  const { options: { workspace, signal, saysNotShown, wantsScope }, started } = search;
  const elapsed = performance.now() - started;
  const asked: EmptySearch = { ...search, report, workspace, elapsed, signal };
  // That there was no time for all is said once.
  const lineOf = ({ rows, isInPart }: MissingMatches) =>
    saysNotShown ? notShownLine({ rows, isInPart: isInPart && !wantsScope }, asked) : undefined;
  if (isEmpty) {
    const absence = await absenceIn(asked);
    const notes = [
      ...notesOn({ ...asked, ...absence }),
      // The scope says what is blocked.
      ...(wantsScope ? [] : blockedNotes({ ...asked, ...absence })),
    ];
    const rows = notNoted(absence.missing.rows, absence.groups);
    const line = lineOf({ ...absence.missing, rows });
    return { notes, notShown: { ...frameOf(absence.missing), line } };
  }
  const missing = await missingIn(asked);
  const isInPart = missing.isInPart || collector.total.isLeast;
  const line = lineOf({ ...missing, isInPart });
  return { notes: [], notShown: { ...frameOf({ ...missing, isInPart }), line } };
}

function frameOf({ rows, isInPart }: MissingMatches): NotShownFrame {
  return { rows: rows.map(({ said }) => said), isInPart };
}
