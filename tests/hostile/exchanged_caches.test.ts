/**
 * Nothing that was read while directories were exchanged stays in a cache: as soon as they are back in
 * their places, the next answer is right.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type FileResult, Searcher, Workspace } from "../../mod.ts";
import { settled, tempTree, type Tree } from "../support/tree.ts";
import { testNeeding } from "../support/needs.ts";
import { startExchanger } from "./exchanges.ts";

const test = testNeeding("linux", "perl");

const SEARCHES = 30;
const FILES = 40;

/** A workspace and another tree with the same names, but for files that only one of the two has. */
async function twoWorlds(): Promise<Tree> {
  const entries: Record<string, string | { symlink: string }> = {
    "../link": { symlink: "double/p" },
  };
  for (const [at, word] of [["../home/p", "inside"], ["../double/p", "outside"]]) {
    for (let file = 0; file < FILES; file++) {
      entries[`${at}/d${file}/${word}.txt`] = `x ${word}\n`;
      entries[`${at}/d${file}/sub/file.txt`] = `x ${word}\n`;
    }
  }
  return await tempTree(entries);
}

const KINDS = {
  "directories above the root": ["../home", "../double"],
  "the root for a link": ["../home/p", "../link"],
} as const;

for (const cache of ["verified", "watched"] as const) {
  for (const [what, [one, other]] of Object.entries(KINDS)) {
    test.slow(
      `a ${cache} searcher keeps nothing that it read while another process exchanged ${what}`,
      async () => {
        await using t = await twoWorlds();
        await settled();
        const workspace = await Workspace.open(t.path("../home/p"));
        await using searcher = new Searcher({ workspace, cache });
        const count = async (pattern: string): Promise<number> => {
          const answer = await searcher.search({ pattern, outputMode: "file" });
          return (answer as FileResult).count;
        };
        for (const pause of [0, 50, 500]) {
          const exchanging = await startExchanger(t.path(one), t.path(other), pause, 10);
          for (let search = 0; search < SEARCHES; search++) await count("x").catch(() => {});
          await exchanging[Symbol.asyncDispose]();
          assert.equal(
            await count("inside"),
            2 * FILES,
            `after exchanges every ${pause} microseconds`,
          );
          assert.equal(await count("outside"), 0);
        }
      },
    );
  }
}
