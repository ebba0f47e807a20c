/**
 * Holds what an example did against what the documentation shows.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Example } from "./markdown.ts";
import type { Done } from "./reader.ts";

/** Text that ends with an error, in whose last lines a program says its name. */
const SAYS_ERROR = /^(?:pathgrep|rg): (?!note: |debug: ).*\n(?: .*\n)*$(?![^])/m;

/**
 * Compares an example's output and exit status with what is shown: JSON key by key and in its order, text
 * to the letter.
 *
 * @param home what stands in the documentation for the directory that holds clone and project
 * @param actualHome that directory
 * @param lineNumbers whether the numbers of lines count: those of the project's own source move
 */
export function assertShown(
  { output: shown, place }: Example,
  done: Done,
  { home, actualHome, lineNumbers }: { home: string; actualHome: string; lineNumbers: boolean },
): void {
  if (shown === undefined) {
    assert.equal(done.code, 0, `${place}: ${done.output}`);
    return;
  }
  const text = shown.text.replaceAll(home, actualHome);
  if (shown.language === "text") {
    assert.equal(done.output, text, place);
    assert.equal(done.code === 2, SAYS_ERROR.test(text), `${place}: exit status ${done.code}`);
    return;
  }
  const [expected, actual] = [text, done.output].map((json) => parsed(json, place));
  const level = (value: unknown) => lineNumbers ? value : withoutLineNumbers(value);
  assert.deepEqual(level(actual), level(expected), place);
  assert.equal(JSON.stringify(level(actual)), JSON.stringify(level(expected)), `${place}: order`);
  assert.equal(done.code, statusOf(expected), `${place}: exit status`);
}

function parsed(json: string, place: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    assert.fail(`${place}: not JSON: ${json}`);
  }
}

function withoutLineNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value),
    (key, value) => key === "line_number" && value > 0 ? "a line number" : value,
  );
}

/** The exit status that goes with an answer. */
function statusOf(answer: unknown): number {
  if (typeof answer !== "object" || answer === null) return 0;
  if ("error" in answer) return 2;
  return "count" in answer && answer.count === 0 ? 1 : 0;
}
