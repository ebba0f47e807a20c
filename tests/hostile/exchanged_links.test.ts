/**
 * Where links lead is told only if it was proven to be so in the workspace, also of what does not exist.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type ContentResult,
  PathgrepError,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  search,
  Workspace,
} from "../../mod.ts";
import { memoryTree, tempTree } from "../support/tree.ts";
import { test as plain, testNeeding } from "../support/needs.ts";
import { startExchanger } from "./exchanges.ts";

const test = testNeeding("linux", "perl");

const CALLS = 4000;

test.slow("where a link outside leads is not revealed while a directory is exchanged for it", async () => {
  await using t = await tempTree({
    "d/a.txt": "",
    "aside": { symlink: "../outside" },
    "../outside/missing": { symlink: "SECRET" },
    "../outside/shut": { symlink: "../SECRET/../d/SECRET" },
  });
  const workspace = await Workspace.open(t.root);
  const tool = new ResolvePathTool({ workspace });
  const leaks: string[] = [];
  {
    await using _exchanger = await startExchanger(t.path("d"), t.path("aside"), 0);
    for (let call = 0; call < CALLS; call++) {
      const path = call % 2 === 0 ? "d/missing" : "d/shut";
      const ways = [
        () => resolveProjectPath(t.root, path),
        () => resolveTextSearchTarget(workspace, path),
        () => tool.execute({ path }),
      ];
      const shown = JSON.stringify(
        await ways[call % ways.length]!().catch((error) => PathgrepError.from(error).toJSON()),
      );
      if (shown.includes("SECRET")) leaks.push(shown);
    }
  }
  assert.equal(leaks.length, 0, `${leaks.length} of ${CALLS}: ${leaks[0]}`);
});

Deno.test("where a link that stays in its place leads is reported as before", async () => {
  await using t = await tempTree({
    "d/a.txt": "",
    "d/link": { symlink: "new.txt" },
    "loop": { symlink: "loop" },
    "way": { symlink: "d" },
  });
  const workspace = await Workspace.open(t.root);
  assert.equal(await resolveProjectPath(t.root, "way/link"), t.path("d/new.txt"));
  const told = async (path: string) => {
    const error = await resolveTextSearchTarget(workspace, path).catch((error) => error);
    return [error.code, error.details?.resolved_path];
  };
  assert.deepEqual(await told("way/link"), ["path_not_found", t.path("d/new.txt")]);
  assert.equal((await told("loop"))[0], "path_unsupported");
  const target = await resolveTextSearchTarget(workspace, "way/a.txt");
  assert.equal(target.kind === "file" && target.filePath, t.path("d/a.txt"));
});

plain.slow(
  "a file that becomes a link out while a search goes on is not read through it",
  async () => {
    // Each file takes a while, and a directory is listed long before the last of its files is read.
    const FILES = 1000;
    const letters = Array.from(
      { length: 5000 },
      (_, at) => "abcdefghijklmnop"[(at * at * 7 + at) % 16],
    );
    const text = letters.join("") + "Y\n";
    const files = Array.from({ length: FILES }, (_, index) => [`d/${index}`, text]);
    await using t = await memoryTree({
      ...Object.fromEntries(files),
      "../outside.txt": "SECRET\n",
    });
    const names = Array.from(Deno.readDirSync(t.path("d")), ({ name }) => name);
    const searching = search(
      { pattern: "([a-p]{1,40})\\1[XY]|SECRET", explain: "never", maxResults: 0, timeout: 0 },
      { workspace: await Workspace.open(t.root) },
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    for (const name of names.filter((_, index) => index % 10 === 9)) {
      Deno.symlinkSync(t.path("../outside.txt"), t.path("../link"));
      Deno.renameSync(t.path("../link"), t.path(`d/${name}`));
    }
    const result = await searching as ContentResult;
    assert.ok(performance.now() - started > 1500, "the search was over too soon to tell");
    assert.deepEqual(result.matches.filter(({ line }) => line.includes("SECRET")), []);
  },
);
