/**
 * Reports a run of Node.js' tests: what fails, and in the end the counts, as Deno does.
 *
 * @module
 */

import process from "node:process";
import type { TestEvent } from "node:test/reporters";

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const started = Date.now();
  const counts = { passed: 0, steps: 0, failed: 0, ignored: 0 };
  let isWell = true;
  for await (const { type, data } of events) {
    if (type === "test:stderr" || type === "test:stdout") yield data.message;
    if (type === "test:pass") {
      if (data.skip !== undefined) counts.ignored++;
      else if (data.nesting > 0) counts.steps++;
      else counts.passed++;
    }
    if (type === "test:fail") {
      if (data.nesting === 0) counts.failed++;
      if (isWell) yield "\n ERRORS \n\n";
      isWell = false;
      const { error } = data.details;
      const { cause = error } = error;
      yield `${data.name} => ${cause instanceof Error ? cause.stack ?? cause.message : cause}\n\n`;
    }
  }
  const { passed, steps, failed, ignored } = counts;
  if (!isWell) yield " FAILURES \n\n";
  // Where nothing ran, or less than the docs say, it has not been shown.
  const least = Number(process.env["LEAST_TESTS"] ?? 1);
  if (passed < least) {
    process.exitCode = 1;
    yield `${passed} tests passed, where ${least} are to\n`;
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  yield `Node.js ${process.version}\n`;
  yield `${isWell && passed >= least ? "ok" : "FAILED"} | ${passed} passed (${steps} steps) | ` +
    `${failed} failed | ${ignored} ignored (${seconds}s)\n`;
}
