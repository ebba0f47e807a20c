/**
 * `read_file`, and what reads the lines that enclose matches, while another process exchanges the file for a
 * link out of the workspace, for a blocked or a larger file, a directory or a pipe.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, type ReadFileAnswer, ReadFileTool, Workspace } from "../../mod.ts";
import { testNeeding } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { startExchanger } from "./exchanges.ts";

const test = testNeeding("linux", "perl");

type Told = Partial<ReadFileAnswer> & { code?: string; suggestions?: string[] };

const LINES = 30_000;
/** More than a piece. */
const PLAIN = "a PLAIN line that is long enough for pieces\n".repeat(LINES);
const SECRET = "a SECRET line\n".repeat(2 * LINES);
/** Errors of a file that was something else when it was looked at. */
const FAIR = ["path_not_found", "path_outside_workspace", "path_unsupported", "search_timed_out"];
FAIR.push("permission_denied_by_policy");

/** What comes in the place of `d/file`, or of `d`, by the name that it has before. */
const EXCHANGES: Readonly<Record<string, [entries: Record<string, TreeEntry>, place: string]>> = {
  "the file for a link out": [{ "aside": { symlink: "../outside/file" } }, "d/file"],
  "the file for a link to a blocked one": [{ "aside": { symlink: ".ssh/file" } }, "d/file"],
  "the file for a directory": [{ "aside/in.txt": "x\n" }, "d/file"],
  "its directory for a link out": [{ "aside": { symlink: "../outside" } }, "d"],
  "its directory for a link to a blocked one": [{ "aside": { symlink: ".ssh" } }, "d"],
};

for (const [what, [entries, place]] of Object.entries(EXCHANGES)) {
  test.slow(`nothing else is read while another process exchanges ${what}`, async () => {
    await using t = await tempTree({
      "d/file": PLAIN,
      ".ssh/file": SECRET,
      ".ssh/SECRETS": "x\n",
      "../outside/file": SECRET,
      "../outside/SECRETS": "x\n",
      ...entries,
    });
    const tool = new ReadFileTool({ workspace: await Workspace.open(t.root) });
    let found = 0;
    for (const pause of [0, 200, 5000]) {
      await using _exchanger = await startExchanger(t.path(place), t.path("aside"), pause);
      for (let call = 0; call < 100; call++) {
        const offset = call % 2 === 0 ? 1 : LINES + 1;
        const path = call % 10 === 9 ? "d" : "d/file";
        const told = await tool.execute({ path, offset, limit: 3 }) as Told;
        assert.ok(!JSON.stringify(told).includes("SECRET"), JSON.stringify(told));
        assert.ok(told.code === undefined || FAIR.includes(told.code), JSON.stringify(told));
        if (told.lines === undefined) continue;
        assert.equal(told.total_lines, LINES);
        assert.equal(told.line_count, offset === 1 ? 3 : 0);
        found++;
      }
    }
    assert.ok(found > 0, "some are read");
  });
}

for (const [what, [entries, place]] of Object.entries(EXCHANGES)) {
  test.slow(`lines that enclose a match come from nothing else while another process exchanges ${what}`, async () => {
    const source = (name: string) => `function ${name}() {\n  needle();\n}\n`;
    const moved = Object.entries(entries).map(([path, entry]): [string, TreeEntry] => [
      path,
      typeof entry === "object" && entry !== null && "symlink" in entry
        ? { symlink: entry.symlink.replace("/file", "/file.js") }
        : entry,
    ]);
    await using t = await tempTree({
      "d/file.js": source("PLAIN"),
      ".ssh/file.js": source("SECRET"),
      "../outside/file.js": source("SECRET"),
      ...Object.fromEntries(moved),
    });
    const tool = new GrepTool({ workspace: await Workspace.open(t.root) });
    const input = { pattern: "needle", output_mode: "content", show_function: "always" };
    let found = 0;
    for (const pause of [0, 200, 5000]) {
      await using _exchanger = await startExchanger(
        t.path(place.replace("/file", "/file.js")),
        t.path("aside"),
        pause,
      );
      for (let call = 0; call < 100; call++) {
        const told = JSON.stringify(await tool.execute(input));
        assert.ok(!told.includes("SECRET"), told);
        if (told.includes("PLAIN")) found++;
      }
    }
    assert.ok(found > 0, "some are enclosed");
  });
}

test.slow(
  "a pipe that comes in the place of a file keeps neither the call nor others waiting",
  inThreeTries(async () => {
    await using t = await tempTree({ "file": "PLAIN\n", "other": "PLAIN\n" });
    await sh("mkfifo pipe", t.root);
    const tool = new ReadFileTool({ workspace: await Workspace.open(t.root), timeout: 100 });
    let waited = 0;
    let longest = 0;
    {
      await using _exchanger = await startExchanger(t.path("file"), t.path("pipe"), 200);
      // Each that has waited leaves behind a thread which waits on, of the few that Deno has.
      for (let call = 0; call < 2000 && waited < 3; call++) {
        const started = performance.now();
        const turned = new Promise<number>((resolve) =>
          setTimeout(() => resolve(performance.now() - started), 1)
        );
        const [told, other] = await Promise.all([
          tool.execute({ path: "file" }) as Promise<Told>,
          tool.execute({ path: "other" }) as Promise<Told>,
        ]);
        longest = Math.max(longest, await turned);
        assert.deepEqual(other.lines, ["PLAIN"]);
        if (told.code === "search_timed_out") waited++;
        else assert.ok(told.lines !== undefined || FAIR.includes(told.code!), JSON.stringify(told));
      }
      const ended = new AbortController();
      const patient = new ReadFileTool({ workspace: await Workspace.open(t.root), timeout: 0 });
      for (let call = 0, isOver = false; call < 2000 && !isOver; call++) {
        const started = performance.now();
        const timer = setTimeout(() => ended.abort(), 200);
        const told = await patient.execute({ path: "file" }, { signal: ended.signal }) as Told;
        clearTimeout(timer);
        isOver = told.code === "cancelled";
        assertInTime(performance.now() - started, 1000, "a cancelled call");
      }
    }
    assert.ok(waited > 0, "a pipe was opened");
    assertInTime(longest, 500, "a turn of others");
    // Lets go of the threads.
    await sh(`for name in file pipe; do [ -p $name ] && : > $name; done; true`, t.root);
  }),
);
