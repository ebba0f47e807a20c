/**
 * What an answer says in one line of what was searched and what was not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { scopeLine } from "../../src/reasons/answer_scope.ts";
import { voiceOf } from "../../src/search/callers.ts";
import type { AnswerScope, LeftOut } from "../../src/answer/result.ts";

const lineOn = (scope: AnswerScope, tool: "grep" | "glob" = "grep") =>
  scopeLine(scope, tool === "glob", voiceOf(tool));

Deno.test("a scope is one line, whose parts are in one order", () => {
  const scope = { searched: 340, matched: 2 };
  assert.equal(lineOn(scope), "searched 340 files");
  assert.equal(lineOn({ searched: 1, matched: 0 }), "searched 1 file");
  assert.equal(lineOn({ searched: 3, matched: 3 }, "glob"), "listed 3 files");
  assert.equal(
    lineOn({
      ...scope,
      left_out: { ignored: ["tmp", "out"], ignored_more: 3, blocked: 1, binary: 2 },
    }),
    "searched 340 files; excluded: ignored tmp, out and 3 more (no_ignore searches them), " +
      "1 blocked, 2 binary",
  );
  const blocked = (left_out: Partial<LeftOut>) =>
    lineOn({ ...scope, left_out: { blocked: 7, ...left_out } }).replace(/^.*: /, "");
  assert.equal(blocked({ blocked_rules: [".env"] }), "7 blocked (.env)");
  assert.equal(
    blocked({ blocked_rules: ["*.pem", ".aiexclude:3", ".env"], blocked_rules_more: 2 }),
    "7 blocked (*.pem, .aiexclude:3, .env and 2 more)",
  );
  assert.equal(
    lineOn({
      ...scope,
      left_out: { too_large: 2, not_utf8: 1, unreadable: 3, worktrees: 1 },
    }),
    "searched 340 files; excluded: 2 too large, 1 not UTF-8, 3 unreadable, 1 git worktree",
  );
  assert.equal(
    lineOn({ ...scope, left_out: { worktrees: 2 } }),
    "searched 340 files; excluded: 2 git worktrees",
  );
});

Deno.test("only what is unusual to ignore comes with the key that searches it", () => {
  const lineOf = (ignored: string[], caller?: "glob") =>
    lineOn({ searched: 2, matched: 0, left_out: { ignored } }, caller);
  assert.equal(lineOf(["node_modules"]), "searched 2 files; excluded: ignored node_modules");
  assert.equal(
    lineOf(["a/dist", "web/node_modules"]),
    "searched 2 files; excluded: ignored a/dist, web/node_modules",
  );
  assert.equal(
    lineOf(["distribution"]),
    "searched 2 files; excluded: ignored distribution (no_ignore searches them)",
  );
  // The tool has no such key.
  assert.equal(lineOf(["distribution"], "glob"), "listed 2 files; excluded: ignored distribution");
  assert.equal(
    lineOn({ searched: 2, matched: 0, left_out: { ignored_more: 4 } }),
    "searched 2 files; excluded: 4 ignored",
  );
});

Deno.test("names in the line cannot end it or hide in it", () => {
  assert.equal(
    lineOn({ searched: 0, matched: 0, left_out: { ignored: ["a\nnote: \u202eb"] } }),
    'searched 0 files; excluded: ignored "a\\nnote: \\u202eb" (no_ignore searches them)',
  );
});
