/** V8's engine in slices of time. */

import assert from "node:assert/strict";
import { Deadline } from "../../src/regex/deadline.ts";
import { TimedRegExp } from "../../src/regex/timed_regexp.ts";
import { PathgrepError } from "../../src/util/errors.ts";
import { test } from "../support/needs.ts";

test.slow("a match that ends just as its time runs out ends the search and nothing else", async () => {
  const deadline = new Deadline();
  const expression = new TimedRegExp({ source: "(a*)(a*)(a*)\\1b", flags: "" }, deadline);
  /** Whether a text of this many letters was searched within five milliseconds. */
  const isInTime = (letters: number): boolean => {
    deadline.set(performance.now() + 5, 5);
    try {
      const steps = expression.find(`${"a".repeat(letters)}c`, 0, false);
      let step = steps.next();
      while (!step.done) step = steps.next();
      assert.equal(step.value, undefined);
      return true;
    } catch (error) {
      assert.ok(error instanceof PathgrepError && error.code === "search_timed_out", String(error));
      return false;
    }
  };
  const counts = { inTime: 0, late: 0 };
  // Each text takes a little longer if the last was searched in time, and a little less if it was not.
  for (let letters = 20, run = 0; run < 300; run++) {
    const inTime = isInTime(letters);
    letters += inTime ? 1 : -1;
    counts[inTime ? "inTime" : "late"]++;
    if (run % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.ok(counts.inTime > 50 && counts.late > 50, JSON.stringify(counts));
});
