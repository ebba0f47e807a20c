/**
 * An aborted search ends at once, whatever it is in the middle of, and leaves no thread behind.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { test, testNeeding } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { memoryTree, tempTree } from "../support/tree.ts";

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

test.slow("a process that aborted searches at many moments ends by itself", async () => {
  const files = Array.from({ length: 40 * 75 }, (_, index) => {
    return [`${index % 40}/${index}.txt`, "foo bar\n".repeat(2000)] as const;
  });
  await using tree = await memoryTree(Object.fromEntries(files));
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
const ABORT_MS = 250;
/** The time limit where no worker can start: what takes long there is not ended sooner. */
const LIMIT_MS = 500;
/** A machine that does much else at the same time is slow. */
const SOON_MS = 2500;
/** Tells of each search when it ended, with what, and how long a timer had to wait meanwhile. */
const slowProgram = (root: string, timeout: number): string => `
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
    const code = await find({ ...query, timeout: ${timeout} }, { workspace, signal }).then(() => "done", (error) => error.code);
    clearInterval(timer);
    const ms = performance.now() - started;
    console.log(JSON.stringify({ name, way, code, ms, gap: Math.max(gap, performance.now() - last) }));
  }
}`;

for (const rights of ["all of the disk", "the workspace alone"]) {
  const hasWorkers = rights === "all of the disk";
  const timeout = hasWorkers ? 30_000 : LIMIT_MS;
  const soon = SOON_MS + (hasWorkers ? 0 : LIMIT_MS);
  const name =
    `a slow search ends when it is aborted, and keeps no timer waiting, with rights to ${rights}`;
  test.slow(
    name,
    inThreeTries(async () => {
      await using tree = await tempTree({
        "ws/long.txt": `${"a".repeat(30_000)}\n`,
        "ws/large.txt": "ab".repeat(20_000_000),
        "ws/lines.txt": "\n".repeat(60_000_000),
      });
      await tree.write({ "main.ts": slowProgram(tree.path("ws"), timeout) });
      const grant = hasWorkers ? "-A" : `--allow-read=${tree.path("ws")}`;
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
        const codes = ["cancelled", "done"];
        // On the main thread a search may end by itself before it hears of the abort.
        if (!hasWorkers) codes.push("search_timed_out", "search_too_broad");
        assert.ok(codes.includes(code), `${what}: ${code}`);
        assertInTime(ms, ABORT_MS + soon, what);
        assertInTime(gap, soon, `a timer beside ${what}`);
      }
    }),
  );
}

/** How many files of a tree this process has open. */
function openFilesIn(root: string): number {
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith(root);
    } catch {
      return false; // the directory that was listed
    }
  }).length;
}

for (const cache of ["none", "verified"] as const) {
  testNeeding("linux").slow(
    `searches that end in the middle of files close them (cache: ${cache})`,
    async () => {
      const slow = Array.from(
        { length: 3000 },
        (_, line) => `${"ab".repeat(8 + line % 9)}x needle\n`,
      );
      const files: Record<string, string | Uint8Array> = {};
      for (let directory = 0; directory < 6; directory++) {
        files[`d${directory}/slow.txt`] = slow.join("");
        files[`d${directory}/wide.txt`] = new Uint8Array(
          Uint16Array.from(`\ufeff${slow.join("")}`, (char) => char.charCodeAt(0)).buffer,
        );
        for (let file = 0; file < 120; file++) files[`d${directory}/${file}.txt`] = slow[file]!;
      }
      await using tree = await tempTree(files);
      await using searcher = new Searcher({ workspace: await Workspace.open(tree.root), cache });
      const ask = async (at: number) => {
        const outputMode = at % 2 === 0 ? "count" : "content";
        const timeout = 1 + at * 7 % 120;
        const signal = AbortSignal.timeout(at % 3 === 0 ? 1 + at * 5 % 80 : 60_000);
        const query: SearchQuery = {
          pattern: "(a|b)*?x needle$",
          outputMode,
          maxResults: 0,
          timeout,
        };
        await searcher.search(query, { signal }).catch(() => {});
      };
      for (let at = 0; at < 200; at += 4) {
        // What has just changed is proven anew, which may take longer than there is time.
        await tree.write({ [`d${at % 6}/new.txt`]: "x" });
        await Promise.all([ask(at), ask(at + 1), ask(at + 2), ask(at + 3)]);
      }
      // Workers learn of an end when they look up from a slice.
      for (let wait = 0; wait < 50 && openFilesIn(tree.root) > 0; wait++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.equal(openFilesIn(tree.root), 0);
    },
  );
}
