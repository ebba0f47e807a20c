/**
 * How often a tree is watched anew. Alone, since the numbers of watched directories are one sequence for the
 * whole process.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Searcher, Workspace } from "../../mod.ts";
import { testNeeding } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

const test = testNeeding("linux");

/** The highest number that the system has given to a watched directory of this process. */
function lastWatch(): number {
  let last = 0;
  for (const { name } of Deno.readDirSync("/proc/self/fdinfo")) {
    try {
      const info = Deno.readTextFileSync(`/proc/self/fdinfo/${name}`);
      for (const [, number] of info.matchAll(/inotify wd:([0-9a-f]+)/g)) {
        last = Math.max(last, parseInt(number!, 16));
      }
    } catch {
      // It was open for the listing only.
    }
  }
  return last;
}

test.slow("names that keep changing above a watched tree don't have it watched anew in each search", async () => {
  await using above = await tempTree(
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`ws/d${index}/a.txt`, "no\n"])),
  );
  const workspace = await Workspace.open(above.path("ws"));
  await using searcher = new Searcher({ workspace, cache: "watched" });
  await searcher.search({ pattern: "yes" });
  const [first, started] = [lastWatch(), Date.now()];
  for (let count = 0; count < 30; count++) {
    await above.write({
      [`${count}`]: "",
      [`ws/${count}.txt`]: "yes\n",
      [`ws/new${count}/`]: null,
    });
    const { count: found } = await searcher.search({ pattern: "yes" });
    assert.equal(found, count + 1);
  }
  const attempts = (lastWatch() - first) / 100;
  const seconds = (Date.now() - started) / 1000;
  assert.ok(attempts <= seconds * 1.5 + 3, `${attempts} times in ${seconds} s`);
});
