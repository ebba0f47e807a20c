/** A search keeps its time limit on large files, whatever the pattern, the mode and the way in. */

import assert from "node:assert/strict";
import { cpuUsage } from "node:process";
import fc from "fast-check";
import { pathgrep } from "../support/run.ts";
import { encode } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds } from "../support/draw.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { endsAfter, isValid, scanner, somePattern } from "./support.ts";
import { test } from "../support/needs.ts";

const LIMIT = 500;
/** Milliseconds beyond it, the start of the program and a busy machine included. */
const MARGIN = 3_000;

const OPTIONALS = "a[ab]?[ab]?[ab]?[ab]?[ab]?[ab]?[ab]?[cd]";
const LINES = `${"ab".repeat(500)}\n`.repeat(16_000);

/** Answers or gives up, in time. */
async function keepsItsLimit(cwd: string, args: readonly string[], stdin = ""): Promise<void> {
  const start = performance.now();
  const { stdout, code } = await pathgrep(
    [...args, "--timeout", `${LIMIT}`, "--max-results", "10"],
    {
      cwd,
      stdin: encode(stdin),
      limit: 10 * MARGIN,
    },
  );
  const took = performance.now() - start;
  assertInTime(took, LIMIT + MARGIN, args.join(" ").slice(0, 100));
  const answer = JSON.parse(stdout);
  if (code === 2) assert.match(answer.code, /^search_t(?:imed_out|oo_broad)$/);
}

test.slow(
  "a search of a large file ends within its limit in every mode",
  inThreeTries(async () => {
    await using files = await tempTree({ "lines.txt": LINES });
    const modes = ["-U", "-o", "-c", "-v", "-w", "-l", "--column"];
    for (const mode of modes) await keepsItsLimit(files.root, [mode, OPTIONALS, "lines.txt"]);
    await keepsItsLimit(files.root, [OPTIONALS, "--max-file-size", "0"]);
    await keepsItsLimit(files.root, [OPTIONALS, "-"], LINES);
  }),
);

test.slow(
  "a search of long lines, long texts and many short lines ends within its limit",
  inThreeTries(async () => {
    await using files = await tempTree({
      "line.txt": "ab".repeat(1 << 22),
      "a.txt": "a".repeat(1 << 22),
      "short.txt": "a\n".repeat(1 << 20),
    });
    const long = "a".repeat(30_000);
    await keepsItsLimit(files.root, [OPTIONALS, "line.txt"]);
    await keepsItsLimit(files.root, ["-U", "^[^x]*y", "short.txt"]);
    await keepsItsLimit(files.root, ["^(?:a(?=a*b|.))+c", "a.txt"]);
    await keepsItsLimit(files.root, ["-o", "(\\w+)x\\1", "line.txt"]);
    await keepsItsLimit(files.root, ["-F", `${long}b${long}`, "a.txt"]);
  }),
);

test.slow(
  "a search ends within its limit where lookarounds that hold read the same text again and again",
  inThreeTries(async () => {
    await using files = await tempTree({
      "b.txt": "b".repeat(300_000),
      "abc.txt": "abc ".repeat(75_000),
    });
    for (const mode of [[], ["-U"]]) {
      await keepsItsLimit(files.root, [...mode, "^(?:b?(?=\\wb+[^a]*))*[xy]", "b.txt"]);
      await keepsItsLimit(files.root, [...mode, "^(?:b(?<=[^a]*))*[xy]", "b.txt"]);
      await keepsItsLimit(files.root, [...mode, "^(?:b(?:(?=c)|(?=b+)))*[xy]", "b.txt"]);
      await keepsItsLimit(files.root, [
        ...mode,
        "^([^\\n]{2,4}(?<=\\n|(?:\\w+?[^\\n])+))*\\1[xy]",
        "abc.txt",
      ]);
    }
  }),
);

test.slow(
  "a search for hundreds of patterns that V8 takes long to compile ends within its limit",
  inThreeTries(async () => {
    const patterns = Array.from(
      { length: 300 },
      (_, index) => `needle${"\\P{L}".repeat(65)}${"1".repeat(index + 1)}`,
    );
    await using files = await tempTree({
      "patterns": patterns.join("\n"),
      "needle.txt": `needle${"1".repeat(2000)}\u03a3\n`,
    });
    await keepsItsLimit(files.root, ["-i", "-f", "patterns", "needle.txt"]);
  }),
);

test.slow(
  "a search for classes of many characters in a row ends within its limit",
  inThreeTries(async () => {
    await using files = await tempTree({ "needle.txt": "needle \u03a3 111\n".repeat(24) });
    const distinct = Array.from({ length: 2_600 }, (_, index) => {
      return `[\\p{L}\\p{M}\\p{N}${String.fromCodePoint(0x4e00 + index)}]`;
    });
    for (
      const pattern of [
        distinct.join(""),
        `z(?i:${distinct.join("")})`,
        `\\b${"\\P{L}".repeat(9)}z`,
        `(?:\\b${"\\P{L}".repeat(3)}){3}z`,
        [1, 2, 3].map(() => "\\P{L}".repeat(9)).join("\\b"),
        `${"\\p{Cn}".repeat(131)}(.)\\1z`,
      ]
    ) {
      await keepsItsLimit(files.root, ["-i", pattern, "needle.txt"]);
      await keepsItsLimit(files.root, ["-U", pattern, "needle.txt"]);
    }
  }),
);

test.slow(
  "planning a pattern ends within the limit: it is compiled, not matched",
  inThreeTries(async () => {
    const ideographs = String.fromCodePoint(
      ...Array.from({ length: 30_000 }, (_, i) => 0x4e00 + i),
    );
    await using files = await tempTree({
      "needle.txt": "needle\n",
      "mixed": `needle|x(?i:${ideographs})`,
      "several": `needle\n(?i)${ideographs}\n`,
    });
    for (
      const pattern of ["(?:a?|b?){300}(x)\\1", "(?:b*|c*){400}(x)\\1", "(?:a?|b?|c?){250}(?=xy)"]
    ) {
      await keepsItsLimit(files.root, [pattern, "needle.txt"]);
    }
    // What has no case is not asked for the characters that it equals in another.
    for (const file of ["mixed", "several"]) {
      await keepsItsLimit(files.root, ["-f", file, "needle.txt"]);
    }
  }),
);

test.slow("a search for random patterns ends within its limit", async (t) => {
  const unit = fc.array(fc.constantFrom(..."aabbcK1_ .\n"), { minLength: 1, maxLength: 6 });
  await assertHolds(
    t,
    fc.asyncProperty(
      somePattern({ beyondLinear: true }).filter(isValid),
      unit.map((letters) => letters.join("").repeat(30_000)),
      fc.record({ multiline: fc.boolean(), onlyMatching: fc.boolean(), invert: fc.boolean() }),
      inThreeTries((pattern, text, options) => {
        const before = cpuUsage();
        const scan = scanner(pattern, options, endsAfter(50));
        scan.start();
        try {
          scan.feed(text, true);
        } catch (error) {
          assert.equal((error as { code?: string }).code, "search_timed_out", String(error));
        }
        // Other programs take time as well, but not of this one's processor time.
        const { user, system } = cpuUsage(before);
        assertInTime((user + system) / 1000, 1_050, pattern);
      }),
    ),
    { numRuns: 40 },
  );
});
