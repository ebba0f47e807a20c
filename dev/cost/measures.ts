/**
 * How long a text is to a model, and to a program.
 *
 * @module
 */

import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** The length of a text by some measure. */
export type Measure = (text: string) => number;

/** Tokens, in an encoding of OpenAI's models: other makers publish none for their latest. */
export const tokens: Measure = (text) => encode(text).length;

/** Characters, which limits such as `max_output_chars` count. */
export const characters: Measure = (text) => text.length;
