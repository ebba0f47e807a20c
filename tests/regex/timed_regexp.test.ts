/** V8's engine in slices of time. */

import assert from "node:assert/strict";
import { TimedRegExp } from "../../src/regex/matcher_engines.ts";
import { cancelled, PathgrepError } from "../../src/util/errors.ts";
import { test } from "../support/needs.ts";

/** That long V8 runs at once. */
const SLICE_MS = 100;

test.slow("a match that ends just as its time runs out ends the search and nothing else", async () => {
  let until = 0;
  const pulse = {
    beat() {
      if (performance.now() > until) throw cancelled();
    },
  };
  const expression = new TimedRegExp({ source: "(a*)(a*)(a*)\\1b", flags: "" }, pulse);
  /** Whether a text of this many letters was searched within one slice. */
  const isInTime = (letters: number): boolean => {
    until = performance.now() + SLICE_MS;
    try {
      assert.equal(expression.find(`${"a".repeat(letters)}c`, 0, false), undefined);
      return true;
    } catch (error) {
      assert.ok(error instanceof PathgrepError && error.code === "cancelled", String(error));
      return false;
    }
  };
  const counts = { inTime: 0, late: 0 };
  // Each text takes a little longer if the last was searched in time, and a little less if it was not.
  for (let letters = 90, run = 0; run < 100; run++) {
    const inTime = isInTime(letters);
    letters += inTime ? 1 : -1;
    counts[inTime ? "inTime" : "late"]++;
    if (run % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.ok(counts.inTime > 25 && counts.late > 25, JSON.stringify(counts));
});
