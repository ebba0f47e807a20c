/**
 * An aborted search ends at once, whatever it is in the middle of, and leaves no thread behind.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { tempTree } from "../support/tree.ts";

const MOD = new URL("../../mod.ts", import.meta.url).href;
/** Aborts searches at many moments, then has nothing left to do. */
const program = (root: string): string => `
import { Searcher, Workspace } from ${JSON.stringify(MOD)};
const workspace = await Workspace.open(${JSON.stringify(root)});
await using searcher = new Searcher({ workspace });
const query = { pattern: "foo", outputMode: "count", maxResults: 100_000 };
for (let after = 40; after < 200; after += 8) {
  const ender = new AbortController();
  const timer = setTimeout(() => ender.abort(), after);
  await searcher.search(query, { signal: ender.signal }).catch(() => {});
  clearTimeout(timer);
}`;

Deno.test("a process that aborted searches at many moments ends by itself", async () => {
  const files = Array.from({ length: 40 * 75 }, (_, index) => {
    return [`${index % 40}/${index}.txt`, "foo bar\n".repeat(2000)] as const;
  });
  await using tree = await tempTree(Object.fromEntries(files));
  const main = `${await Deno.makeTempDir({ dir: tree.root })}/main.ts`;
  await Deno.writeTextFile(main, program(tree.root));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", main],
    signal: AbortSignal.timeout(30_000),
    stdout: "inherit",
    stderr: "inherit",
  });
  const { code, signal } = await child.spawn().status;
  assert.equal(signal, null, "it did not end");
  assert.equal(code, 0);
});

/** Searches that nobody waits for to the end. */
const SLOW = {
  backreference: { pattern: "(?=(a+)+$)(a+)+\\1c", path: "long.txt" },
  multiline: { pattern: "(?=(a+)+$)(a+)+\\1c", path: "long.txt", multiline: true },
  walked: { pattern: "^(?=(a+)+$)(a+)+\\1c", outputMode: "count" },
  large: { pattern: `a${"[ab]?".repeat(14)}[cd]`, path: "large.txt", multiline: true },
  inverted: { pattern: "x", invert: true, path: "lines.txt", multiline: true, outputMode: "count" },
  context: { pattern: "^", before: 1000, after: 1000, path: "lines.txt", maxResults: 1_000_000 },
  matches: {
    pattern: ".",
    onlyMatching: true,
    path: "large.txt",
    outputMode: "count",
  },
};
const ABORT_MS = 500;
/** A machine that does much else at the same time is slow. */
const SOON_MS = 2500;
/** Tells of each search when it ended, with what, and how long a timer had to wait meanwhile. */
const slowProgram = (root: string): string => `
import { search, Searcher, Workspace } from ${JSON.stringify(MOD)};
const workspace = await Workspace.open(${JSON.stringify(root)});
await using searcher = new Searcher({ workspace });
for (const [name, query] of Object.entries(${JSON.stringify(SLOW)})) {
  for (const way of ["search", "searcher"]) {
    let gap = 0, last = performance.now();
    const timer = setInterval(() => {
      gap = Math.max(gap, performance.now() - last);
      last = performance.now();
    }, 50);
    const ender = new AbortController();
    setTimeout(() => ender.abort(), ${ABORT_MS});
    const signal = way === "search" ? AbortSignal.timeout(${ABORT_MS}) : ender.signal;
    const started = performance.now();
    const find = way === "search" ? search : searcher.search.bind(searcher);
    const code = await find(query, { workspace, signal }).then(() => "done", (error) => error.code);
    clearInterval(timer);
    const ms = performance.now() - started;
    console.log(JSON.stringify({ name, way, code, ms, gap: Math.max(gap, performance.now() - last) }));
  }
}`;

for (const rights of ["all of the disk", "the workspace alone"]) {
  const name =
    `a slow search ends when it is aborted, and keeps no timer waiting, with rights to ${rights}`;
  Deno.test(
    name,
    inThreeTries(async () => {
      await using tree = await tempTree({
        "ws/long.txt": `${"a".repeat(30_000)}\n`,
        "ws/large.txt": "ab".repeat(20_000_000),
        "ws/lines.txt": "\n".repeat(60_000_000),
      });
      await tree.write({ "main.ts": slowProgram(tree.path("ws")) });
      const grant = rights === "all of the disk" ? "-A" : `--allow-read=${tree.path("ws")}`;
      const { stdout, code } = await new Deno.Command(Deno.execPath(), {
        args: ["run", grant, "--no-prompt", "--no-check", "--quiet", tree.path("main.ts")],
        signal: AbortSignal.timeout(90_000),
        stderr: "inherit",
      }).output();
      assert.equal(code, 0);
      const rows = new TextDecoder().decode(stdout).trimEnd().split("\n").map((row) =>
        JSON.parse(row)
      );
      assert.equal(rows.length, 2 * Object.keys(SLOW).length);
      for (const { name, way, code, ms, gap } of rows) {
        const what = `${name} by ${way}`;
        assert.ok(code === "cancelled" || code === "done", `${what}: ${code}`);
        assertInTime(ms, ABORT_MS + SOON_MS, what);
        assertInTime(gap, SOON_MS, `a timer beside ${what}`);
      }
    }),
  );
}
