/**
 * Texts that are shortened for a terminal.
 *
 * @module
 */

import assert from "node:assert/strict";
import { shortened } from "../../src/util/text.ts";

Deno.test("a text that fits is not shortened", () => {
  assert.equal(shortened("src/main.ts", 11), "src/main.ts");
  assert.equal(shortened("日本", 4), "日本");
});

Deno.test("a longer text keeps a third of the room for its start and two for its end", () => {
  assert.equal(shortened("a/very/long/path/to/a/file.txt", 16), "a/ve…a/file.txt");
});

Deno.test("a character beyond ASCII takes two columns", () => {
  assert.equal(shortened("日本語日本語日本語", 11), "日…日本語");
  assert.equal(shortened("日本", 3), "…");
});
