/**
 * Encodings in Node.js, whose decoders are those of ICU: what these lack of the Encoding Standard.
 *
 * @module
 */

import type { Decoder } from "../types.ts";

const NONE = "\ufffd";
/** Characters that Node.js 22 has otherwise, from a byte on, in encodings of a byte a character. */
const CHARACTERS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "iso-8859-16": {
    0xa1: "ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß" +
      "àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ",
  },
  "koi8-u": { 0xae: "ў", 0xbe: "Ў" },
  "windows-874": { 0xdb: NONE.repeat(4), 0xfc: NONE.repeat(4) },
  "windows-1253": { 0xaa: NONE },
  "windows-1255": { 0xca: "\u05ba" },
};
/** Has the other characters of these encodings that are in none of the above. */
const OTHERS = "iso-8859-2";

export function decoderOf(label: string, options?: TextDecoderOptions): Decoder {
  const name = label.trim().toLowerCase();
  const decoder = new TextDecoder(name === "iso-8859-16" ? OTHERS : label, options);
  const encoding = name in CHARACTERS ? name : decoder.encoding;
  if (encoding === "euc-kr") return new Korean();
  const characters = CHARACTERS[encoding];
  return characters === undefined ? decoder : new ByteDecoder(encoding, decoder, characters);
}

/** Decodes a byte as a character. */
class ByteDecoder implements Decoder {
  readonly encoding: string;
  readonly #characters: string[];

  constructor(encoding: string, decoder: TextDecoder, characters: Record<number, string>) {
    this.encoding = encoding;
    this.#characters = Array.from(
      { length: 256 },
      (_, byte) => decoder.decode(Uint8Array.of(byte)),
    );
    for (const [first, text] of Object.entries(characters)) {
      this.#characters.splice(Number(first), text.length, ...text);
    }
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    let text = "";
    for (const byte of bytes) text += this.#characters[byte];
    return text;
  }
}

let korean: Map<number, string> | undefined;

/** The characters of EUC-KR as Windows has it, by their two bytes: ICU's lacks most of the syllables. */
function koreanCharacters(): Map<number, string> {
  const characters = new Map([[0xa2e6, "€"], [0xa2e7, "®"]]);
  const rest: number[] = [];
  const decoder = new TextDecoder("euc-kr");
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      const pair = lead << 8 | trail;
      if (lead < 0xa1 || trail < 0xa1) {
        if (/[A-Za-z]|[^\0-\x80]/.test(String.fromCharCode(trail))) rest.push(pair);
        continue;
      }
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (/^[^\ufffd\p{Co}]$/u.test(text)) characters.set(pair, text);
    }
  }
  const known = new Set(characters.values());
  let at = 0;
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) characters.set(rest[at++]!, syllable);
  }
  return characters;
}

class Korean implements Decoder {
  readonly encoding = "euc-kr";
  #lead = 0;

  decode(bytes: Uint8Array = new Uint8Array(), { stream = false } = {}): string {
    korean ??= koreanCharacters();
    let text = "";
    for (const byte of bytes) {
      const lead = this.#lead;
      this.#lead = 0;
      const character = lead === 0 ? undefined : korean.get(lead << 8 | byte);
      if (character !== undefined) text += character;
      else if (lead !== 0) text += byte < 0x80 ? NONE + String.fromCharCode(byte) : NONE;
      else if (byte < 0x80) text += String.fromCharCode(byte);
      else if (byte > 0x80 && byte < 0xff) this.#lead = byte;
      else text += NONE;
    }
    if (stream || this.#lead === 0) return text;
    this.#lead = 0;
    return text + NONE;
  }
}
