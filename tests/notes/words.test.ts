/**
 * The words of notes: `testdata/notes.golden` has the sentence for each reason, for the shell, the library and a
 * tool. `GOLDEN=write deno test -A tests/notes` writes it anew; other tests hold reasons and values.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Note, type Reason, type ReasonValues, worded } from "../../src/notes/words.ts";
import { voiceOf } from "../../src/search/callers.ts";
import { CHECKOUT } from "../support/run.ts";

const GOLDEN = `${CHECKOUT}testdata/notes.golden`;
const CALLERS = ["shell", "library", "grep"] as const;

const one = { count: 1, isPart: false };
const three = { count: 3, isPart: true };

/** What each note may be about. */
const SAMPLES: { [R in Reason]: readonly ReasonValues<R>[] } = {
  too_large: [
    { ...one, path: "a b.log", limit: 1048576 },
    { ...three, path: "a.log", limit: 1048576 },
  ],
  not_utf8: [
    { ...one, path: "a.txt", label: undefined },
    { ...three, path: "a.txt", label: undefined },
    { ...one, path: "a.txt", label: "shift_jis" },
  ],
  unreadable: [
    { ...one, path: "a", isName: false },
    { ...three, path: "a", isName: false },
    { ...one, path: "src", isName: true },
  ],
  vanished: [{ ...one, path: "" }, { ...one, path: "src" }, { ...three, path: "src" }],
  long_lines: [
    { ...one, path: "a.json", limit: 16777216 },
    { ...three, path: "a.json", limit: 16777216 },
  ],
  ignore_files: [{ ...one, limit: 131072 }, { ...three, limit: 131072 }],
  worktrees: [{ ...one, paths: ["wt"] }, { ...three, paths: ["w t", "wt"] }],
  exclusion_files: [{ ...one, limit: 131072 }, { ...three, limit: 131072 }],
  exclusion_lines: [one, three],
  not_searched: [
    { path: "a b", why: "binary", isPart: false, label: undefined },
    { path: "a", why: "binary", isPart: true, label: "utf-16le" },
    { path: "a", why: "not_utf8", isPart: false, label: undefined },
    { path: "a", why: "not_utf8", isPart: false, label: "shift_jis" },
    { path: "a", why: "too_large", isPart: false, label: undefined },
    { path: "a", why: "unreadable", isPart: true, label: undefined },
    { path: "a", why: "vanished", isPart: false, label: undefined },
  ],
  given: [{ text: "as it came" }],
};

/** The sentence on a note, once where all callers have the same. */
function sentencesOn(note: Note): string[] {
  const all = CALLERS.map((caller) => worded(note, voiceOf(caller)));
  if (new Set(all).size === 1) return [all[0]!];
  return all.map((sentence, index) => `${CALLERS[index]}: ${sentence}`);
}

Deno.test("each reason has the sentences that are written down for it", async () => {
  const parts = Object.entries(SAMPLES).map(([reason, samples]) => {
    const sentences = samples.flatMap((values) => sentencesOn({ reason, values } as Note));
    return `${reason}\n${sentences.map((sentence) => `  ${sentence}\n`).join("")}`;
  });
  const text = parts.join("\n");
  if (Deno.env.get("GOLDEN") === "write") await Deno.writeTextFile(GOLDEN, text);
  assert.equal(text, await Deno.readTextFile(GOLDEN));
});
