/**
 * What an answer lacks: the matches that it does not show and, where it is empty, why.
 *
 * @module
 */

import { blockedNotes, notesOn } from "../reasons/cause_notes.ts";
import { absenceIn } from "../reasons/absence.ts";
import type { EmptySearch } from "../reasons/empty_search.ts";
import { missingIn, notNoted, notShownLine } from "../reasons/not_shown.ts";
import type { NoteOrText } from "../notes/words.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { NotShownFrame, Total } from "../answer/result_builder.ts";

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
  { audience: { isAgent, saysNotShown } }: PreparedSearch,
  asked: EmptySearch,
  total: Total,
  isEmpty: boolean,
): Promise<Missing> {
  const absence = isEmpty ? await absenceIn(asked) : undefined;
  const missing = absence?.missing ?? await missingIn(asked);
  const isInPart = missing.isInPart || !isEmpty && total.isLeast;
  const rows = absence === undefined ? missing.rows : notNoted(missing.rows, absence.groups);
  // That there was no time for all is said once.
  const inLine = { rows, isInPart: isInPart && !isAgent };
  const line = saysNotShown ? notShownLine(inLine, asked) : undefined;
  const notes = absence === undefined ? [] : [
    ...notesOn({ ...asked, ...absence }),
    // The scope says what is blocked.
    ...(isAgent ? [] : blockedNotes({ ...asked, ...absence })),
  ];
  return { notes, notShown: { rows: missing.rows.map(({ said }) => said), isInPart, line } };
}
