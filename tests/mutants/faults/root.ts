/**
 * Faults in the files that all folders use.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const NAMES = "tests/guard/policy.test.ts";
const EDGES = "tests/cli/edges.test.ts";

/** Faults in `src/*.ts`. */
export const ROOT_FAULTS: readonly Fault[] = [
  ...faultsIn("src/workspace/sensitive.ts", [NAMES], [
    { find: `|^credentials|`, replace: `|` },
    { find: `"ius"`, replace: `"us"` },
    { find: `|| single.test(segment)) return`, replace: `) return` },
    { find: `return !harmless.test(name);`, replace: `return !harmless.test(segment);` },
    { find: `  ".netrc",\n`, replace: ``, tests: ["tests/contract/guard.test.ts"] },
    { find: `.replace(UNSEEN_END, "")`, replace: ``, tests: [NAMES] },
    { find: `\\p{DI}\\p{M}`, replace: `\\p{DI}`, tests: ["tests/contract/guard.test.ts"] },
    { find: `\\p{DI}\\p{M}`, replace: `\\p{M}`, tests: ["tests/contract/guard.test.ts"] },
    {
      find: `/^\\.git$/iu.test(bareName(segment))`,
      replace: `/^\\.git$/u.test(bareName(segment))`,
    },
  ]),
  ...faultsIn("src/util/escape.ts", [EDGES, "tests/tools/bounds.test.ts"], [
    { find: `\\u202a-\\u202e`, replace: `\\u202a-\\u202d` },
    { find: `/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/gu`, replace: `/[\\p{Cc}\\p{Zl}\\p{Zp}]/gu` },
  ]),
  ...faultsIn("src/util/heap.ts", ["tests/util/heap.test.ts"], [
    {
      find: `if (collect()) held = bytesHeld();\n  else trimLater();`,
      replace: `collect();\n  held = bytesHeld();`,
    },
    { find: `if (--working === 0) trimLater();`, replace: `trimLater();` },
    { find: `if (--working === 0) trimLater();`, replace: `` },
  ]),
  ...faultsIn("src/util/path.ts", ["tests/util/path.test.ts"], [
    {
      find: `else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();`,
      replace: `else if (segments.length > 0) segments.pop();`,
    },
    { find: `index >= 0 && !resolved.startsWith("/"); index--`, replace: `index >= 0; index--` },
  ]),
  ...faultsIn("src/util/closest.ts", ["tests/tools/bounds.test.ts", "tests/tools/input.test.ts"], [
    {
      find: `given.length > MAX_LENGTH`,
      replace: `given.length > 4000`,
      why: "it only bounds the time of a comparison with a few dozen names",
    },
    { find: `slips <= Math.max(2, Math.floor(name.length / 3))`, replace: `slips < Infinity` },
  ]),
  ...faultsIn("src/util/errors.ts", ["tests/tools/bounds.test.ts", EDGES], [
    { find: `{ ...details, ...this.details }`, replace: `{ ...this.details, ...details }` },
    {
      find: `thrown.name === "AbortError"`,
      replace: `thrown.name === "Abort"`,
    },
  ]),
  ...faultsIn("src/util/until_aborted.ts", [
    "tests/util/until_aborted.test.ts",
    "tests/guard/requester.test.ts",
    "tests/searcher/endless_input.test.ts",
  ], [
    { find: `if (signal.aborted) onAbort();`, replace: `` },
    { find: `{ once: true }`, replace: `{ once: true, signal }`, hangs: true },
  ]),
  ...faultsIn("src/util/npm_package.ts", ["tests/packaging/untrusted.test.ts"], [
    {
      find: `hint: "add --no-config to deno run, or Deno`,
      replace: `hint: "Deno`,
      filter: "what needs npm",
    },
  ]),
];
