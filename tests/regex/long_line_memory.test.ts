/**
 * Patterns that V8's engine has no memory for on a long line, at the moment when its time is up.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a pattern that needs too much memory ends its search, and no other one waits for it", async () => {
  const sizes = [9, 12, 17];
  const files = sizes.map((
    size,
  ): [string, string] => [`${size}.txt`, "a".repeat(size * 1_000_000)]);
  await using t = await tempTree({ ...Object.fromEntries(files), "ok.txt": "needle\n" });
  const workspace = await Workspace.open(t.root);
  for (const size of sizes) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = await Promise.race([
      search({ pattern: "^(?:(?=.*q)|.)*$", path: `${size}.txt`, timeout: 1000 }, { workspace })
        .then(() => "found nothing", (error) => error.code),
      new Promise((resolve) => timer = setTimeout(() => resolve("waits"), 8000)),
    ]);
    clearTimeout(timer);
    assert.match(String(ended), /^search_(?:failed|timed_out)$/);
    const next = await search({ pattern: "needle", path: "ok.txt" }, { workspace });
    assert.equal(next.count, 1);
  }
});
