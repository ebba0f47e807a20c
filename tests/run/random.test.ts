/**
 * Random trees and patterns: all engines give one answer, and ripgrep itself gives it where the two share
 * a dialect.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { ContentResult, SearchQuery } from "../../mod.ts";
import { escapeRegExp } from "../../src/util/text.ts";
import { assertHolds, assertOften, decided } from "../support/draw.ts";
import { answerOf, engineIn, sameAnswer, sameAnswerInTime } from "../support/engines.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** Characters that texts and patterns have in common, so that they meet. */
const CHARS = [..."aabbAkKsS01_  -^]\\.\t\r"];
const BEYOND = ["é", "\u212a", "\u017f", "\u{1f600}", "\u2028"];
/** Texts that programs filter by. */
const TEXTS = ["ab", "Ks", ".0", "b[", "bé"];

const line = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...CHARS) },
    { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
    fc.constantFrom(...BEYOND),
  ),
  { maxLength: 8 },
).map((chars) => chars.join(""));

const member = fc.constantFrom(
  "a",
  "b",
  "A",
  "k",
  "S",
  "0-1",
  "\\d",
  "\\w",
  "\\s",
  "\\]",
  "\\^",
  "\\-",
  "\\\\",
  "\\[",
  "é",
  "\\u212a",
  " ",
);
const charClass = fc.tuple(fc.boolean(), fc.array(member, { minLength: 1, maxLength: 4 }))
  .map(([negated, members]) => `[${negated ? "^" : ""}${members.join("")}]`);
const atom = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "a",
      "b",
      "A",
      "k",
      "s",
      "0",
      "_",
      " ",
      "-",
      "\\]",
      "\\^",
      "\\\\",
      "\\.",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S") },
  { weight: 2, arbitrary: charClass },
  { weight: 1, arbitrary: fc.constantFrom("é", "\\u212a", "\\u017f", "\\p{Lu}", "\\r", "\\t") },
  { weight: 2, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
);
const quantifier = fc.constantFrom(
  "",
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "{2}",
  "{1,2}",
  "{0,1}",
  "{2,}",
  "*?",
);

/** Patterns of every shape. */
const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
  pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
  sequence: fc.array(tie("item"), { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
  item: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.tuple(atom, quantifier).map(([one, times]) =>
      /^(?:\^|\$|\\b|\\B)$/.test(one) ? one : one + times
    ),
    fc.tuple(tie("pattern"), quantifier).map(([inner, times]) => `(${inner})${times}`),
    fc.tuple(tie("pattern"), quantifier).map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!", "(?i:"), tie("pattern"))
      .map(([open, inner]) => `${open}${inner})`),
    tie("pattern").map((inner) => `(${inner})\\1(?:)`),
  ),
}));

/** The same, and such with a text before them. */
const filteredPattern = fc.tuple(fc.constantFrom("", ...TEXTS), pattern).map(([text, rest]) =>
  text === "" ? rest : `${escapeRegExp(text)}(?:${rest})`
);

test.slow("all engines give one answer for random trees, patterns and options", async (t) => {
  let filters = 0;
  await assertHolds(
    t,
    fc.asyncProperty(
      filteredPattern,
      fc.array(fc.array(line, { maxLength: 3 }), { minLength: 1, maxLength: 25 }),
      fc.record({
        caseInsensitive: fc.boolean(),
        wholeWord: fc.boolean(),
        wholeLine: fc.boolean(),
        multiline: fc.boolean(),
        column: fc.boolean(),
        context: fc.constantFrom(0, 1),
        outputMode: fc.constantFrom("content", "file", "count"),
        maxResults: fc.constantFrom(3, 1000),
        onOverflow: fc.constantFrom("error", "truncate"),
      }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (source, files, options, newline, isEnded) => {
        const tree = await tempTree(Object.fromEntries(
          files.map((lines, index) => [
            `${index % 3 === 0 ? "d/" : ""}${index}`,
            lines.join(newline) + (isEnded ? newline : ""),
          ]),
        ));
        await using _ = tree;
        const query = { pattern: source, ...options, timeout: 10_000 } as SearchQuery;
        decided(await sameAnswerInTime(tree.root, query));
        if (engineIn(await answerOf("grep", tree.root, query)) === "grep") filters++;
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  assertOften(filters, 20, "patterns that programs filter by");
});

test.slow("all engines agree with ripgrep where the dialects are one", async (t) => {
  const rg = await rgPath();
  const shared = fc.array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        "A",
        "k",
        "é",
        "0",
        ".",
        "[ab]",
        "[^a]",
        "[^é0]",
        "\\.",
        "x|a",
        "^",
        "$",
      ),
      fc.constantFrom("(a|b)+", "a*b", "(?:ab){2}", "b?", "(^|a)b", "a$"),
    ),
    { minLength: 1, maxLength: 5 },
  ).map((all) => all.join(""));
  const text = fc.array(fc.constantFrom(..."aabbAk0 .é\u{1f600}"), { maxLength: 6 })
    .map((chars) => chars.join(""));
  await assertHolds(
    t,
    fc.asyncProperty(
      shared,
      fc.array(fc.array(text, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.constantFrom("\n", "\r\n"),
      async (source, files, caseInsensitive, newline) => {
        const tree = await tempTree(
          Object.fromEntries(files.map((lines, index) => [`${index}`, lines.join(newline)])),
        );
        await using _ = tree;
        const ours = await sameAnswer(tree.root, { pattern: source, caseInsensitive });
        const { stdout, stderr } = await new Deno.Command(rg, {
          args: [
            ...["--no-config", "--json", "--crlf", "--sort=path"],
            ...(caseInsensitive ? ["-i"] : []),
            ...["-e", source, "--", tree.root],
          ],
        }).output();
        assert.equal(new TextDecoder().decode(stderr), "");
        const theirs = new TextDecoder().decode(stdout).trimEnd().split("\n")
          .map((row) => JSON.parse(row))
          .filter(({ type }) => type === "match")
          .map(({ data }) => ({
            file: data.path.text,
            line_number: data.line_number,
            line: data.lines.text.replace(/\r?\n$/, ""),
          }));
        assert.deepEqual((ours as ContentResult).matches, theirs);
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
});
