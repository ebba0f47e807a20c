/**
 * Ignore rules and globs that take long for each name: the time limit holds in the middle of one
 * directory.
 *
 * @module
 */

import assert from "node:assert/strict";
import { listFiles, PathgrepError, search, Searcher, Workspace } from "../../mod.ts";
import { EXCLUSION_FILES } from "../../src/glob/ignore_rules.ts";
import { assertInTime, assertSoon, inThreeTries } from "../support/soon.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const LIMIT_MS = 500;
/** What a limit may be exceeded by, on a machine that does much else at the same time. */
const OVERSHOOT_MS = 4000;
/** Each waits at every character of a name for any other: nothing of that is done twice. */
const SLOW_RULE = "?*".repeat(20);
const NAME = "ab".repeat(115);

/** Rules that fill one ignore file. */
function slowRules(): string {
  let rules = "";
  for (let index = 0; rules.length < 130_000; index++) rules += `${SLOW_RULE}${index}\n`;
  return rules;
}

/** Expects a time-out, soon after the limit. */
async function timesOut(what: string, call: (timeout: number) => Promise<unknown>): Promise<void> {
  const started = performance.now();
  const shown = await call(LIMIT_MS).catch((error) => {
    assert.ok(error instanceof PathgrepError, String(error));
    return error.toJSON();
  });
  const took = performance.now() - started;
  assert.equal((shown as { code?: string }).code, "search_timed_out", what);
  assertInTime(took, LIMIT_MS + OVERSHOOT_MS, what);
}

test.slow(
  "the time limit holds within one directory, whatever its rules and names",
  inThreeTries(async () => {
    const files = Array.from({ length: 600 }, (_, at): [string, TreeEntry] => [`${at}${NAME}`, ""]);
    await using tree = await tempTree({
      ".gitignore": slowRules(),
      ...Object.fromEntries(files),
    });
    const workspace = await Workspace.open(tree.root);
    await timesOut("search", (timeout) => search({ pattern: "x", timeout }, { workspace }));
    await timesOut("files", (timeout) => listFiles({ timeout }, { workspace }));
    const ignore = false;
    const include = Array.from({ length: 3000 }, (_, index) => `${SLOW_RULE}${index}`);
    await timesOut(
      "include",
      (timeout) => listFiles({ include, ignore, timeout }, { workspace }),
    );
    const deny = [0, 1, 2, 3, 4, 5, 6, 7].map((globs) =>
      `{${Array.from({ length: 1000 }, (_, index) => `${SLOW_RULE}${globs}${index}`)}}`
    );
    await timesOut("deny", (timeout) => listFiles({ deny, ignore, timeout }, { workspace }));
  }),
);

test.slow(
  "the time limit holds on the way to a directory, however deep, with rules at each level",
  inThreeTries(async () => {
    await using tree = await tempTree({ "a.txt": "" });
    const path = "a/".repeat(480);
    for (let end = 2; end <= path.length; end += 2) {
      const directory = tree.path(path.slice(0, end));
      Deno.mkdirSync(directory);
      const names = EXCLUSION_FILES.filter((name) => !name.includes("/"));
      for (const file of [".gitignore", ".ignore", ...names]) {
        Deno.writeTextFileSync(`${directory}/${file}`, `q${end}\n`);
      }
    }
    const workspace = await Workspace.open(tree.root);
    for (const ignore of [true, false]) {
      const started = performance.now();
      await listFiles({ path, ignore, timeout: LIMIT_MS }, { workspace }).catch((error) => {
        assert.equal(error.code, "search_timed_out");
      });
      const took = performance.now() - started;
      assertInTime(took, LIMIT_MS + OVERSHOOT_MS, ignore ? "ignore files" : "exclusion files");
    }
  }),
);

test.slow("a deep tree is searched in time again by a searcher that keeps what it has read", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  Deno.mkdirSync(tree.path("d" + "/d".repeat(1500)), { recursive: true });

  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const started = performance.now();
  for (let time = 0; time < 3; time++) {
    assert.equal((await searcher.search({ pattern: "needle", timeout: 20_000 })).count, 1);
  }
  assertSoon(started);
});
