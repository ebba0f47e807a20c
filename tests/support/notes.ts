/**
 * Notes by their reasons and values: their words are in `testdata/notes.golden`, and nowhere else.
 *
 * @module
 */

import {
  type HidingCause,
  type NoteOn,
  type Reason,
  type ReasonValues,
  worded,
} from "../../src/notes/words.ts";
import { type Caller, voiceOf } from "../../src/search/callers.ts";

/** A note as a caller reads it. */
export function noteOf<R extends Reason>(
  reason: R,
  values: ReasonValues<R>,
  caller: Caller = "library",
): string {
  return worded({ reason, values } as NoteOn<"missed">, voiceOf(caller));
}

type MissedValues = ReasonValues<"missed">;

/**
 * The note on matches that are not shown: one match in `path` unless `more` says otherwise.
 *
 * @param causes each with its values, or its kind alone
 * @param changes each of which shows them
 */
export function missed(
  path: string,
  causes: HidingCause["kind"] | readonly HidingCause[],
  changes: MissedValues["changes"],
  { caller, ...more }: Partial<MissedValues> & { caller?: Caller } = {},
): string {
  const kinds = typeof causes === "string" ? [{ kind: causes }] : causes;
  const values = { count: 1, files: 1, path, causes: kinds, changes, ...more };
  return noteOf("missed", values as MissedValues, caller);
}

/** The note on listed files that are not shown: one, unless `more` says otherwise. */
export function missedFile(
  path: string,
  causes: HidingCause["kind"] | readonly HidingCause[],
  changes: MissedValues["changes"],
  more: Partial<MissedValues> & { caller?: Caller } = {},
): string {
  return missed(path, causes, changes, { ...more, count: undefined as never });
}

/** The cause that a rule of an ignore file is, at a line, and what shows its matches. */
export function ignoredBy(
  pattern: string,
  file: string,
  path: string,
): [causes: HidingCause[], changes: MissedValues["changes"]] {
  return [[{ kind: "ignored", file, pattern }], [{ ignore: false }, { path }]];
}

/** The cause that filters are. */
export function filteredBy(
  kind: "include" | "exclude" | "type" | "typeNot",
  ...globs: readonly string[]
): [causes: HidingCause[], changes: MissedValues["changes"]] {
  return [[{ kind, given: { [kind]: globs } }], [{ [kind]: undefined }]];
}
