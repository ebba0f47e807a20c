/**
 * How much room an answer takes: at most as many characters as the call allows, and no more bytes than an
 * MCP message has.
 *
 * @module
 */

import { QUERY_OPTIONS } from "../search/query_options.ts";

/** The characters of a piece of JSON, or more if there are more bytes than may be. */
export type Weigh = (json: string) => number;

/** Bytes of an MCP message, line end included, at most: clients hang up on one of 10 MiB. */
export const MAX_MESSAGE_BYTES: number = 4 << 20;
/** Bytes of a message besides the answer: its name and that of the protocol, for example. */
const ENVELOPE_BYTES = 1 << 16;
/** Bytes that a character takes in a message, as text and as structure, at most. */
const BYTES_OF_CHARACTER = 6;

const { tool: MAX_OUTPUT_CHARS } = QUERY_OPTIONS.maxOutputChars;
const encoder = new TextEncoder();

/** The characters that an answer to an input may have, as far as the input says so. */
export function budgetIn(input: unknown): number {
  const { max_output_chars: given } = Object(input) as { max_output_chars?: unknown };
  const { minimum, maximum, default: usual } = MAX_OUTPUT_CHARS;
  const isValid = Number.isSafeInteger(given) && Number(given) >= minimum &&
    Number(given) <= maximum;
  return isValid ? Number(given) : usual;
}

/** What weighs the pieces of an answer that may have this many characters. */
export function weigherFor(budget: number): Weigh {
  const bytes = MAX_MESSAGE_BYTES - ENVELOPE_BYTES;
  if (budget * BYTES_OF_CHARACTER <= bytes) return (json) => json.length;
  return (json) => Math.max(json.length, Math.ceil(bytesInMessage(json) * (budget / bytes)));
}

/** The bytes of a piece of JSON as structure and, again, in a text. */
function bytesInMessage(json: string): number {
  return encoder.encode(json).length + encoder.encode(JSON.stringify(json)).length - 2;
}
