/**
 * What a call that found nothing may have meant. Other readings of its pattern and its globs are
 * tried, and the first that finds something is told in a note; none is ever answered with.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";

/** How long all readings together may take to find something, in milliseconds. */
const READING_TIMEOUT = 2000;
/** More readings than this are a guess. */
const MAX_READINGS = 12;

/** Keys of the call with other values. */
export type Change = Readonly<Record<string, string | boolean>>;

/** What readings are told by. */
interface Found {
  count: number;
  notes?: readonly string[];
}

/**
 * The answer, with a note if it is empty and another reading is not.
 *
 * @param changes the other readings, likely ones first
 * @param timeout milliseconds that the call itself may take; 0 or none: no limit
 * @param finds whether the call with the change finds anything within so many milliseconds; what it
 * throws counts as nothing, but for `cancelled`
 */
export async function withOtherReading<T extends Found>(
  answer: T,
  changes: Iterable<Change>,
  timeout: number | undefined,
  finds: (change: Change, timeout: number) => Promise<boolean>,
): Promise<T> {
  if (answer.count > 0) return answer;
  const end = performance.now() + Math.min(timeout || READING_TIMEOUT, READING_TIMEOUT);
  let left = MAX_READINGS;
  for (const change of changes) {
    const time = Math.floor(end - performance.now());
    if (left-- === 0 || time < 1) break; // 0 would be no limit
    if (!await finds(change, time).catch(unlessCancelled)) continue;
    const note = `nothing was found; ${JSON.stringify(change)} in its place finds something`;
    return { ...answer, notes: [...answer.notes ?? [], note] };
  }
  return answer;
}

function unlessCancelled(error: unknown): false {
  if (error instanceof PathgrepError && error.code === "cancelled") throw error;
  return false;
}

/** Other readings of what `grep` is to search for and where. */
export function* otherSearches(
  call: {
    pattern: string;
    path?: string;
    include?: string;
    fixed_strings?: boolean;
    case_insensitive?: boolean;
  },
): Generator<Change> {
  yield* otherPatterns(call.pattern, call.fixed_strings === true);
  if (call.include === undefined) return;
  for (const include of otherGlobs(call.include, call.path)) yield { include };
}

/** What nobody writes who means the characters themselves. */
const EXPRESSION = /\\|\.[*+]|^\^|\$$|(?<!\|)\|(?!\|)/u;

function* otherPatterns(pattern: string, isFixed: boolean): Generator<Change> {
  const text = pattern.trim();
  if (text !== pattern && text !== "") yield { pattern: text };
  const quoted = /^r?(["'`])(?<inner>.+)\1$/su.exec(text)?.groups?.["inner"];
  if (quoted !== undefined) yield { pattern: quoted };
  if (isFixed) return;
  const literal = /^\/(?<inner>.+)\/(?<flags>[a-z]*)$/su.exec(text)?.groups;
  if (literal !== undefined) yield flagged(literal["inner"]!, literal["flags"]!);
  const command = /^(?:(?:rg|grep)\s+)?-(?<flags>[a-zA-Z]+)\s+(?<rest>.+)$/su.exec(text)?.groups;
  if (command !== undefined) {
    const rest = /^(["'])(?<inner>.+?)\1/su.exec(command["rest"]!)?.groups?.["inner"];
    yield flagged(rest ?? command["rest"]!, command["flags"]!);
  }
  // Backslashes that were escaped once too often, or not at all: in JSON, "\b" is a backspace.
  if (text.includes("\\\\")) yield { pattern: text.replaceAll("\\\\", "\\") };
  if (text.includes("\b")) yield { pattern: text.replaceAll("\b", "\\b") };
  if (/[[(){}*+?^$]/u.test(text) && !EXPRESSION.test(text)) yield { pattern, fixed_strings: true };
}

function flagged(pattern: string, flags: string): Change {
  return flags.includes("i") ? { pattern, case_insensitive: true } : { pattern };
}

/** Other readings of a glob, or of a list of them. */
export function* otherGlobs(glob: string, path = ""): Generator<string> {
  const text = glob.trim();
  if (text.startsWith("!")) return; // another reading would take in what it is to leave out
  const list = /^\[\s*(?<items>["'].*["'])\s*\]$/su.exec(text)?.groups?.["items"];
  if (list !== undefined) yield list.replace(/["']\s*,\s*["']/gu, ",").slice(1, -1);
  const quoted = /^(["'`])(?<inner>[^"'`]+)\1$/su.exec(text)?.groups?.["inner"];
  if (quoted !== undefined) yield quoted;
  if (text.includes("\\")) yield text.replace(/\\+/gu, "/");
  if (/[\s|;]/u.test(text)) yield text.split(/[\s|;,]+/u).join(",");
  const extension = /^(?:\.\*)?\\?\.?(?<name>\w{1,8})\$?$/u.exec(text)?.groups?.["name"];
  if (extension !== undefined) yield `*.${extension}`;
  const searched = segmentsOf(path.trim()).join("/");
  if (searched !== "" && text.startsWith(`${searched}/`)) yield text.slice(searched.length + 1);
  // `[id].ts` is the name of a file in some frameworks.
  if (text.includes("[") && text.includes("]")) yield text.replace(/[[\]]/gu, "\\$&");
  // An absolute one from another checkout.
  if (text.startsWith("/")) {
    const segments = segmentsOf(text);
    for (let start = 1; start < segments.length; start++) {
      const rest = segments.slice(start).join("/");
      if (/[^*/]/u.test(rest)) yield rest; // `*` alone would find anything
    }
  }
  if (!/[*?[{,]/u.test(text)) {
    yield `${segmentsOf(text).join("/")}/**`;
    yield `*${text}*`;
  }
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
