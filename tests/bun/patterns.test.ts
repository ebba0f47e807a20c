/**
 * Patterns in Bun, whose regular expressions give up on some texts: each finds what it finds in Node.js, or is
 * refused. `COMPARISONS` in the environment says how many random patterns are tried.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { fileURLToPath } from "node:url";
import type { SearchQuery } from "../../mod.ts";
import { packedPackage } from "../packaging/npm_package.ts";
import { isValid, somePattern, someText } from "../regex/support.ts";
import { drawn, SEED } from "../support/draw.ts";
import { testNeeding } from "../support/needs.ts";
import { bunDirectory, nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";

const test = testNeeding("nodes");
const COMPARISONS = Number(Deno.env.get("COMPARISONS") ?? 1_000);
const DRIVER = fileURLToPath(new URL("answers.mjs", import.meta.url));

interface Case {
  query: SearchQuery;
  text: string;
  /** How often the part of the text that is `%` stands in it. */
  repeated?: number;
}

interface Answer {
  found?: unknown[];
  code?: string;
  message?: string;
  hint?: string;
}

/** What each runtime answers. */
async function answersOf(cases: readonly Case[]): Promise<[node: Answer, bun: Answer][]> {
  const { directory } = await packedPackage();
  await using tree = await tempTree({
    "cases.json": JSON.stringify(cases),
    "node/": null,
    "bun/": null,
  });
  const newest = (await nodeDirectories()).at(-1);
  const answers = async (program: string, work: string) => {
    const library = `${directory}/lib/mod.js`;
    const args = [DRIVER, library, tree.path("cases.json"), tree.path(work)];
    const { code, stdout, stderr } = await spawn(program, args);
    assert.equal(code, 0, stderr);
    return stdout.trim().split("\n").map((line): Answer => JSON.parse(line));
  };
  const [node, bun] = await Promise.all([
    answers(`${newest}/node`, "node"),
    answers(`${await bunDirectory()}/bun`, "bun"),
  ]);
  assert.deepEqual([node.length, bun.length], [cases.length, cases.length]);
  return node.map((answer, index) => [answer, bun[index]!]);
}

const REFUSED = /^Bun may miss|^Bun cannot end/;

function isRefused({ message = "", hint = "" }: Answer): boolean {
  return REFUSED.test(message.replace(/^invalid pattern: /, "")) && /Node\.js or Deno$/.test(hint);
}

/** What is found, or how it is refused. */
type Expected = "found" | "nothing" | "invalid_pattern" | "search_failed";

/** Patterns on a text, of which the part `%` may stand in it three million times. */
const TEXTS: readonly (readonly [pattern: string, text: string, expected: Expected])[] = [
  ["^(?:(a+)+b|a+c)$", "a".repeat(40) + "c", "found"],
  ["^(?:a|b)+$", "%", "nothing"],
  ["^(?:%|b)+$", "%", "found"],
  ["^(?:%|b)+c", "%", "nothing"],
  ["^(?:%%)*$", "%", "found"],
  ["(?:%?x)?y", "%xy", "found"],
  ["^(?:(?:%)*)*z", "%yz", "nothing"],
  ["^[^x]*x", "%x", "found"],
  ["(?i)^%*K$", "%\u212a", "found"],
  ["^(?=%*x)%*", "%x", "found"],
  ["(?<=%b)c", "%bc", "found"],
  ["needle(?=s? here)", "%needles here", "found"],
  ["^(?!.*y)(?=.*x).*z$", "xyz\nxz", "found"],
  ["(\\w)\\1", "aa", "invalid_pattern"],
  ["(?:ab)+(?=cd)", "abcd", "invalid_pattern"],
  ["(?<!(?:ab)*c)d", "abcd", "invalid_pattern"],
  ["(?=a*a*a*b)a", "aaab", "invalid_pattern"],
  ["(?<=^%*)x", "%x", "search_failed"],
  ["%(?=.*[yz])", "%x", "search_failed"],
];

test.slow("a text on which Bun's regular expressions give up is searched, or the pattern is refused", async () => {
  const cases = TEXTS.map(([pattern, text, expected]): Case => ({
    // Node.js may search for hours where Bun does not.
    ...{ query: { pattern, timeout: expected === "search_failed" ? 3_000 : 60_000 }, text },
    repeated: 3_000_000,
  }));
  for (const [index, [node, bun]] of (await answersOf(cases)).entries()) {
    const [pattern, , expected] = TEXTS[index]!;
    assert.equal(bun.code ?? (bun.found!.length > 0 ? "found" : "nothing"), expected, pattern);
    if (bun.code === undefined) assert.deepEqual(bun, node, pattern);
    else assert.ok(isRefused(bun), `${pattern}: ${bun.message}`);
  }
});

/** What the generators of other tests lack: names, letter case by parts, properties, other letters. */
const MORE = [
  ...["(?<n>a|b)c?", "(?i:k)a", "(?-i:K)", "\\p{Script=Greek}+", "[\\p{Lu}--[A-C]]", "(?<=ab|k)."],
  ...["(?<!a{1,2}b)c", "(?=a+b)\\w", "(?!ab|bb)b", "ß", "ẞ", "Σ", "[α-ω]", "[^\\P{Lu}]", "ǆ", "İ"],
  ...["\\b😀\\B", "[\\q{ab|c}a]", "\\bé\\b", "(?u)\\w+\\b", "[^k]+$", "\\p{RGI_Emoji}", "[😀-😂]"],
  ...["(?:a|ab)(?:c|bcd)", "(?:a?b)?(?=c)", "^(?=.*a)(?=.*b).*$", "(?<=^a*)b", "\\S+(?=\\s)"],
  ...["(a)|b\\1", "(?:(a)|b)*", "(?:a*)*b", "(?:a+)+$", "(?:|a)+?b", "(?:\\b|b)+", "(?:^a|b$){2}"],
  ...["\\p{ASCII}+", "[[:ascii:]]+", "\\P{ASCII}", "[^\\p{ASCII}]"],
];

const piece = fc.oneof(
  { weight: 3, arbitrary: somePattern({ beyondLinear: false }) },
  { weight: 1, arbitrary: somePattern({ beyondLinear: true }) },
  { weight: 2, arbitrary: fc.constantFrom(...MORE) },
);
const pattern = fc.oneof(
  { weight: 4, arbitrary: piece },
  { weight: 1, arbitrary: fc.tuple(piece, piece).map(([one, other]) => one + other) },
  { weight: 1, arbitrary: fc.tuple(piece, piece).map(([one, other]) => `${one}|${other}`) },
).filter(isValid);
const extra = fc.constantFrom(..."ſKßẞΣςσǅǆİıéÉ😀😂Ωωabck", "ab", "abc", "\n");
const text = fc.oneof(
  someText,
  fc.array(extra, { maxLength: 30 }).map((all) => all.join("")),
);
const someCase: fc.Arbitrary<Case> = fc.record({
  query: fc.record({
    pattern,
    onlyMatching: fc.boolean(),
    caseInsensitive: fc.boolean(),
    smartCase: fc.boolean(),
    wholeWord: fc.boolean(),
    multiline: fc.boolean(),
    timeout: fc.constant(60_000),
  }),
  text,
});

test.slow(`${COMPARISONS} random patterns find in Bun what they find in Node.js`, async () => {
  const cases = drawn(someCase, SEED, COMPARISONS);
  const answers = await answersOf(cases);
  const counts = { found: 0, refused: 0, invalid: 0 };
  for (const [index, [node, bun]] of answers.entries()) {
    if (isRefused(bun)) counts.refused++;
    else assert.deepEqual(bun, node, JSON.stringify(cases[index]));
    if (node.code !== undefined) counts.invalid++;
    else if (node.found!.length > 0) counts.found++;
  }
  const share = (count: number) => count / COMPARISONS;
  if (Deno.env.has("COMPARISONS")) console.log(counts);
  assert.ok(share(counts.found) > 0.15 && share(counts.invalid) < 0.2, JSON.stringify(counts));
  assert.ok(share(counts.refused) < 0.35, JSON.stringify(counts));
});
