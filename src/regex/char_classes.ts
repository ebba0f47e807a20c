/**
 * Sorts characters into classes that an NFA does not distinguish, so that tables stay small.
 *
 * @module
 */

import type { Assertion, Nfa } from "./nfa.ts";
import type { Pulse } from "../util/pulse.ts";

/** The class of the ends of the text and, when matching by lines, of `\n`. */
export const EDGE = 1;

const NEWLINE = 0x0a;

/** Limits on classes and on the bits of their sets; past one, all classes are dropped. */
const MAX_CLASSES = 60_000;
const MAX_BITS = 1 << 28;
/** Steps that a test, and making it, counts as: on first use V8 compiles it. */
const STEPS_PER_TEST = 500;

/** The classes of the characters seen so far. */
export class CharClasses {
  count = 0;
  /** How often all classes have been dropped; numbers of an earlier generation are void. */
  generation = 0;
  /** Classes by UTF-16 code unit; 0: not computed yet, or half of a surrogate pair. */
  readonly known: Uint16Array = new Uint16Array(0x10000);
  readonly #astral = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  /** By class, a bit for each set. */
  #members: Uint8Array[] = [];
  readonly #tests: readonly RegExp[];
  readonly #isMultiline: boolean;
  readonly #pulse: Pulse;
  readonly #limit: number;
  #newline = EDGE;

  /** @param multiline whether `\n` is a character like any other */
  constructor(nfa: Nfa, multiline: boolean, pulse: Pulse) {
    this.#tests = nfa.sets.map(({ source, flags }) => {
      pulse.beat(STEPS_PER_TEST);
      return new RegExp(source, flags);
    });
    this.#isMultiline = multiline;
    this.#pulse = pulse;
    this.#limit = Math.min(MAX_CLASSES, Math.floor(MAX_BITS / (this.#tests.length + 1)));
    this.#clear();
  }

  /** Drops all classes unless there is room for those of two more characters. */
  makeRoom(): void {
    if (this.count + 2 <= this.#limit) return;
    this.generation++;
    this.#clear();
  }

  #clear(): void {
    const nowhere = new Uint8Array(Math.ceil(this.#tests.length / 8));
    this.#members = [nowhere, nowhere];
    this.count = this.#members.length;
    this.#bySignature.clear();
    this.#astral.clear();
    this.known.fill(0);
    if (this.#isMultiline) this.#newline = this.#add(this.#test(NEWLINE));
    this.known[NEWLINE] = this.#newline;
  }

  of(codePoint: number): number {
    const isAstral = codePoint > 0xffff;
    const known = isAstral ? this.#astral.get(codePoint) ?? 0 : this.known[codePoint]!;
    if (known !== 0) return known;
    const members = this.#test(codePoint);
    const signature = String.fromCharCode(...members);
    const found = this.#bySignature.get(signature) ?? this.#add(members);
    this.#bySignature.set(signature, found);
    if (isAstral) this.#astral.set(codePoint, found);
    else if (codePoint < 0xd800 || codePoint > 0xdfff) this.known[codePoint] = found;
    return found;
  }

  /** The class of the character at an offset; {@linkcode EDGE} at the end. */
  at(text: string, offset: number): number {
    return offset < text.length ? this.of(text.codePointAt(offset)!) : EDGE;
  }

  /** The class of the character before an offset; {@linkcode EDGE} at the start. */
  before(text: string, offset: number): number {
    if (offset === 0) return EDGE;
    const pair = offset > 1 ? text.codePointAt(offset - 2)! : 0;
    return this.of(pair > 0xffff ? pair : text.charCodeAt(offset - 1));
  }

  isMember(charClass: number, set: number): boolean {
    return (this.#members[charClass]![set >> 3]! >> (set & 7) & 1) === 1;
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

  #test(codePoint: number): Uint8Array {
    const char = String.fromCodePoint(codePoint);
    const members = new Uint8Array(Math.ceil(this.#tests.length / 8));
    for (const [set, test] of this.#tests.entries()) {
      if (test.test(char)) members[set >> 3]! |= 1 << (set & 7);
      this.#pulse.beat(STEPS_PER_TEST);
    }
    return members;
  }

  #add(members: Uint8Array): number {
    this.#members.push(members);
    return this.count++;
  }
}
