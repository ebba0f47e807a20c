/**
 * The words of notes: what an answer says of itself is a {@linkcode Note}, plain data, until it is printed. This
 * is the one file that words it, for a person's options and for a tool's keys.
 *
 * @module
 */

import { LEFT_OUT, notSearched, type Voice } from "./table.ts";

/** The sentence for each reason. To add one, add a row; the values are what the sentence is about. */
const WORDS = {
  too_large: LEFT_OUT.too_large.says,
  not_utf8: LEFT_OUT.not_utf8.says,
  unreadable: LEFT_OUT.unreadable.says,
  vanished: LEFT_OUT.vanished.says,
  long_lines: LEFT_OUT.long_lines.says,
  ignore_files: LEFT_OUT.ignore_files.says,
  worktrees: LEFT_OUT.worktrees.says,
  exclusion_files: LEFT_OUT.exclusion_files.says,
  exclusion_lines: LEFT_OUT.exclusion_lines.says,
  not_searched: notSearched,
  /** What a caller has worded. */
  given: ({ text }: { text: string }) => text,
};

type Words = typeof WORDS;

export type Reason = keyof Words;

export type ReasonValues<R extends Reason> = Parameters<Words[R]>[0];

/** Something that an answer says of itself. */
export type NoteOn<R extends Reason> = { readonly reason: R; readonly values: ReasonValues<R> };

export type Note = { [R in Reason]: NoteOn<R> }[Reason];

export function worded({ reason, values }: Note, voice: Voice): string {
  const words = WORDS[reason] as (values: unknown, voice: Voice) => string;
  return words(values, voice);
}
