/**
 * Measures an answer: it has at most as many characters as the call allows, and no more bytes than fit into an
 * MCP message.
 *
 * @module
 */

import { QUERY_OPTIONS } from "../query/query_options.ts";

/** Bytes of an MCP message, line end included, at most: clients hang up on one of 10 MiB. */
export const MAX_MESSAGE_BYTES: number = 4 << 20;
/** Bytes of a message besides the answer: its name and that of the protocol, for example. */
const ENVELOPE_BYTES = 1 << 16;
/** Bytes that a character takes in a message, as JSON in a text and as structure or as a text, at most. */
const BYTES_OF_CHARACTER = 6;

/** A piece of at most three bytes a character, which no budget has too few bytes for. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

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

/**
 * What weighs the pieces of an answer that may have this many characters: by these, or more if there are more
 * bytes than may be.
 *
 * @param bytesOf the bytes that a piece takes in a message
 */
export function weigherFor(budget: number, bytesOf = bytesOfJson): (piece: string) => number {
  const bytes = MAX_MESSAGE_BYTES - ENVELOPE_BYTES;
  if (budget * BYTES_OF_CHARACTER <= bytes) return (piece) => piece.length;
  return (piece) =>
    PLAIN.test(piece)
      ? piece.length
      : Math.max(piece.length, Math.ceil(bytesOf(piece) * (budget / bytes)));
}

/** The bytes of a piece of JSON as structure and, again, in a text. */
function bytesOfJson(json: string): number {
  return encoder.encode(json).length + bytesOfText(json);
}

/** The bytes of a piece of text in a message. */
export function bytesOfText(text: string): number {
  return encoder.encode(JSON.stringify(text)).length - 2;
}
