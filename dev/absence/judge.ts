/**
 * Judges an answer, by rules that need no opinion.
 *
 * @module
 */

import { type Circumstance, HERE } from "./circumstance.ts";

/** What a tool answers. */
export interface Answer {
  /** What it shows as matches. */
  shown: string;
  /** What it says besides: errors, warnings, notes; not how much was searched and what was excluded. */
  said: string;
  /** What it answers to the call that it proposes. */
  then?: string;
}

/** What an answer is worth. In a trap it is right, or it alarms for nothing; elsewhere it is one of the first three. */
export type Verdict = "found" | "said" | "silent" | "right" | "alarmed";

/** As much as Claude Code shows of what a command prints, anthropics/claude-code#19901: not the middle. */
const SHOWN_CHARS = 30_000;
/** What ripgrep says, if it has searched nothing at all. */
const NOTHING_SEARCHED = /probably applied a filter/;

export function verdictOn(circumstance: Circumstance, answer: Answer): Verdict {
  const { file, trap } = circumstance;
  const shown = cut(answer.shown);
  const said = cut(answer.said);
  const isFound = file !== undefined && shown.includes(HERE);
  if (trap) {
    if (said.trim() !== "" || file === undefined && shown.trim() !== "") return "alarmed";
    return file === undefined || isFound ? "right" : "silent";
  }
  if (isFound) return "found";
  const isUseful = answer.then === undefined || answer.then.includes(HERE);
  return isUseful && isNamed(circumstance, `${shown}\n${said}`) ? "said" : "silent";
}

/** Whether a text has the place of the line, or the cause. */
function isNamed({ file, names = [], cause }: Circumstance, text: string): boolean {
  const isPlace = (name: string) =>
    new RegExp(`(?<![\\w.-])${RegExp.escape(name)}(?![\\w-]|/[\\w.])`).test(text);
  return [file!, ...names].some(isPlace) || NOTHING_SEARCHED.test(text) ||
    cause?.test(text) === true;
}

function cut(text: string): string {
  if (text.length <= SHOWN_CHARS) return text;
  return `${text.slice(0, SHOWN_CHARS / 2)}\n[truncated]\n${text.slice(-SHOWN_CHARS / 2)}`;
}
