/**
 * Patterns and globs in the other Unicode normal form.
 *
 * @module
 */

import { isAscii, type NormalForm, withEscapedParts } from "../util/normal_form.ts";

/** Escapes of single characters. */
const ESCAPED = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})|\\[^]/giu;
/** A class, an escape, or a character, with a repeat behind it. */
const ITEM = /(\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\\[^]|[^])([*+?{]?)/gu;

/** Texts in each normal form that they are not all in. */
export function inOtherForms(
  texts: readonly string[],
): { form: NormalForm; texts: readonly string[] }[] {
  return (["NFC", "NFD"] as const)
    .map((form) => ({ form, texts: texts.map((text) => text.normalize(form)) }))
    .filter(({ texts: other }) => other.some((text, index) => text !== texts[index]));
}

/**
 * A pattern in a normal form; nothing if that is no other pattern, or none that can be written. Combining
 * characters are escaped, since nobody sees them.
 */
export function patternInForm(pattern: string, form: NormalForm): string | undefined {
  if (isAscii(pattern) && !pattern.includes("\\")) return undefined;
  const literal = pattern.replace(ESCAPED, (escape, ...digits: (string | undefined)[]) => {
    const hex = digits.slice(0, 3).find((one) => one !== undefined);
    const codePoint = hex === undefined ? 0 : parseInt(hex, 16);
    return codePoint < 0x80 || codePoint > 0x10ffff ? escape : String.fromCodePoint(codePoint);
  });
  if (form === "NFC") {
    const composed = literal.normalize("NFC");
    return composed === literal ? undefined : composed;
  }
  if (literal.normalize("NFD") === literal) return undefined;
  let isWritable = true;
  const decomposed = literal.replace(ITEM, (whole, item: string, repeat: string) => {
    const parts = item.normalize("NFD");
    if (parts === item) return whole;
    if (!item.startsWith("[")) return repeat === "" ? parts : `(?:${parts})${repeat}`;
    const members = Array.from(item.slice(1, -1));
    const isList = !/[-[&\\]/u.test(item.slice(1)) && item[1] !== "^";
    isWritable &&= isList;
    const isPlain = (char: string) => char.normalize("NFD") === char;
    const rest = members.filter(isPlain).join("");
    const others = members.filter((char) => !isPlain(char)).map((char) => char.normalize("NFD"));
    return `(?:${[...(rest === "" ? [] : [`[${rest}]`]), ...others].join("|")})${repeat}`;
  });
  return isWritable ? withEscapedParts(decomposed) : undefined;
}

/** A fixed string in a normal form, as a pattern; nothing if that is the same. */
export function fixedStringInForm(text: string, form: NormalForm): string | undefined {
  const other = text.normalize(form);
  if (other === text) return undefined;
  return form === "NFC" ? other : withEscapedParts(other.replace(/[\\^$.|?*+()[\]{}]/gu, "\\$&"));
}
