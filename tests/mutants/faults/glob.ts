/**
 * Faults in globs.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const TESTS = ["tests/glob/glob.test.ts", "tests/walk/ignore.test.ts"];

/** Faults in `src/glob/glob.ts` and `src/glob/`. */
export const GLOB_FAULTS: readonly Fault[] = [
  ...faultsIn("src/glob/glob.ts", ["tests/glob/glob.test.ts", "tests/walk/filter.test.ts"], [
    { find: `if (state.acceptsAll) return "all";`, replace: `` },
    {
      find: `this.#fold ? fold(path) : path`,
      replace: `path`,
      tests: ["tests/guard/policy.test.ts"],
    },
    {
      find: `return state.points.length === 0 ? "none" : "some";`,
      replace: `return state.points.length === 0 ? "none" : "all";`,
    },
  ]),
  ...faultsIn("src/glob/glob_parser.ts", TESTS, [
    {
      find: `if (open.length === MAX_DEPTH) {`,
      replace: `if (open.length === MAX_DEPTH * 1000) {`,
      hangs: true,
    },
    {
      find: `if (include && source.includes("\\0")) {`,
      replace: `if (false) {`,
      tests: ["tests/glob/glob.test.ts", "tests/walk/filter.test.ts"],
    },
    {
      find: `return text.toLowerCase().toUpperCase();`,
      replace: `return text.toLowerCase();`,
      tests: ["tests/guard/policy.test.ts"],
    },
    {
      find: `for (; at(i) !== "]" || i === first; i++) {`,
      replace: `for (; at(i) !== "]"; i++) {`,
    },
    { find: `else if (c === "," && depth === 0) {`, replace: `else if (c === ",") {` },
  ]),
  ...faultsIn("src/glob/glob_matcher.ts", TESTS, [
    {
      find: `if (code !== SLASH && contains(instruction.set!, code))`,
      replace: `if (contains(instruction.set!, code))`,
    },
    { find: `rank = Math.max(rank, instruction.rank);`, replace: `rank = instruction.rank;` },
    {
      find: `acceptsAll ||= instruction.crosses && this.#isLast(point);`,
      replace: `acceptsAll ||= instruction.crosses;`,
      tests: ["tests/glob/glob.test.ts", "tests/walk/filter.test.ts"],
    },
    {
      find: `if (this.#entries > MAX_ENTRIES) {`,
      why: "it bounds memory only",
      replace: `if (false) {`,
    },
    { find: `if (this.#reached[point] === round) continue;`, replace: ``, hangs: true },
    {
      find: `const crosses = isLong(node) && position.segmentStart && ends[i + 1]!;`,
      replace: `const crosses = isLong(node) && ends[i + 1]!;`,
    },
    {
      find: `result.segmentStart &&= reached.segmentStart;`,
      replace: `result.segmentStart = reached.segmentStart;`,
    },
    {
      find: `if (crosses && isSlash(sequence[i + 1]) && isLong(sequence[i + 2]) && ends[i + 3]) {`,
      why: "it bounds time only: a row of them matches what one does",
      replace: `if (false) {`,
      hangs: true,
    },
  ]),
];
