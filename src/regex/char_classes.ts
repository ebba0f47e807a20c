/**
 * Sorting characters into classes that a program cannot tell apart.
 *
 * @module
 */

import type { Assertion, Program } from "../search/js/program.ts";

/** The class of no character: the start and end of the text and, when matching by lines, `\n`. */
export const EDGE = 1;

const NEWLINE = 0x0a;

/** The classes of the characters met so far. */
export class CharClasses {
  /** How many class numbers are in use. */
  count = EDGE + 1;
  /** Classes by UTF-16 code unit; 0: not known yet, or half of a pair. */
  readonly known: Uint16Array = new Uint16Array(0x10000);
  readonly #astral = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  readonly #members: boolean[][];
  readonly #tests: readonly RegExp[];
  #newline = EDGE;

  /**
   * @param program the program whose sets tell the classes apart
   * @param multiline whether `\n` is a character like others
   */
  constructor(program: Program, multiline: boolean) {
    this.#tests = program.sets.map(({ source, flags }) => new RegExp(source, flags));
    const nowhere = this.#tests.map(() => false);
    this.#members = [nowhere, nowhere];
    if (multiline) this.#newline = this.#add(this.#test(NEWLINE));
    this.known[NEWLINE] = this.#newline;
  }

  /** The class of a code point. */
  of(codePoint: number): number {
    const isAstral = codePoint > 0xffff;
    const known = isAstral ? this.#astral.get(codePoint) ?? 0 : this.known[codePoint]!;
    if (known !== 0) return known;
    const members = this.#test(codePoint);
    const signature = members.join();
    const found = this.#bySignature.get(signature) ?? this.#add(members);
    this.#bySignature.set(signature, found);
    if (isAstral) this.#astral.set(codePoint, found);
    else if (codePoint < 0xd800 || codePoint > 0xdfff) this.known[codePoint] = found;
    return found;
  }

  /** The class of the character at an offset, or of there being none. */
  at(text: string, offset: number): number {
    return offset < text.length ? this.of(text.codePointAt(offset)!) : EDGE;
  }

  /** The class of the character before an offset, or of there being none. */
  before(text: string, offset: number): number {
    if (offset === 0) return EDGE;
    const pair = offset > 1 ? text.codePointAt(offset - 2)! : 0;
    return this.of(pair > 0xffff ? pair : text.charCodeAt(offset - 1));
  }

  /** Whether the characters of a class are in a set. */
  isMember(charClass: number, set: number): boolean {
    return this.#members[charClass]![set]!;
  }

  /** Whether an assertion holds between characters of two classes. */
  holds(assertion: Assertion, before: number, after: number): boolean {
    switch (assertion.kind) {
      case "lineStart":
        return before === EDGE || before === this.#newline;
      case "lineEnd":
        return after === EDGE || after === this.#newline;
      case "textStart":
        return before === EDGE;
      case "textEnd":
        return after === EDGE;
      case "boundary":
        return this.isMember(before, assertion.set) !== this.isMember(after, assertion.set);
      case "notBoundary":
        return this.isMember(before, assertion.set) === this.isMember(after, assertion.set);
      case "look":
        return this.isMember(assertion.behind ? before : after, assertion.set) !==
          assertion.negated;
    }
  }

  #test(codePoint: number): boolean[] {
    const char = String.fromCodePoint(codePoint);
    return this.#tests.map((test) => test.test(char));
  }

  #add(members: boolean[]): number {
    this.#members.push(members);
    return this.count++;
  }
}
