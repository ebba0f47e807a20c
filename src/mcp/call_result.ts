/**
 * The answer of a tool as the result of an MCP call.
 *
 * @module
 */

import type { CallToolResult } from "./sdk.ts";
import { wholeText } from "../tools/plain_text.ts";
import { type StandingNote, standingNotes } from "../notes/words.ts";
import type { TextAnswer } from "../tools/tool.ts";

/** The most topics of standing notes that a session remembers: in a long session they may change often. */
const MAX_SAID = 1000;

/**
 * The result for an answer as JSON: as text and as structured content. An error has no structured content,
 * since it has another schema.
 */
export function structuredResult(answer: object): CallToolResult {
  if ("error" in answer) return errorResult(answer);
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer as Record<string, unknown>,
  };
}

/**
 * The result for an answer as plain text; an error is JSON. Standing notes that were reported before are
 * omitted, and those of this result count as reported: it must be sent next.
 *
 * @param standing the session's own notes, which an error has among others
 * @param said the topics of the session's standing notes so far
 */
export function textResult(
  answer: object,
  standing: readonly string[],
  said: Set<string>,
): CallToolResult {
  if ("error" in answer) {
    const { notes: all = [], ...error } = answer as { notes?: readonly string[] };
    const ofSession = standingNotes(standing.filter((note) => all.includes(note)));
    const known = new Set(unsaid(ofSession, said).map(({ text }) => text));
    const notes = all.filter((note) => known.has(note) || !standing.includes(note));
    return errorResult({ ...error, ...(notes.length > 0 ? { notes } : {}) });
  }
  const { standing_notes = [], ...own } = answer as TextAnswer;
  const text = wholeText({ ...own, standing_notes: unsaid(standing_notes, said) });
  return { content: [{ type: "text", text }] };
}

function errorResult(error: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(error) }], isError: true };
}

/** The notes on topics that were not reported before; they count as reported now. */
function unsaid(notes: readonly StandingNote[], said: Set<string>): StandingNote[] {
  const fresh = notes.filter(({ topic }) => !said.has(topic));
  if (said.size + fresh.length > MAX_SAID) said.clear();
  for (const { topic } of fresh) said.add(topic);
  return fresh;
}
