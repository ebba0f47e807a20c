/**
 * The repositories of the benchmark are what they are said to be.
 *
 * @module
 */

import assert from "node:assert/strict";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";
import { git, KEPT, makeGitTree, trackedIn } from "../../dev/bench/git_trees.ts";

const FILES = 130;

test.slow("a repository of the benchmark is the same each time, with its index and what rules ignore", async () => {
  await using once = await tempTree({});
  await using again = await tempTree({});
  for (const { root } of [once, again]) await makeGitTree(root, FILES);
  const listed = async (...flags: string[]) =>
    (await git(once.root, "ls-files", "-s", ...flags)).split("\n").filter((line) => line !== "");
  assert.deepEqual(await listed(), (await git(again.root, "ls-files", "-s")).trim().split("\n"));
  const { files, bytes } = await trackedIn(once.root);
  assert.equal(files, FILES);
  assert.ok(bytes / files > 4096, "the average is above the median");
  const kept = await listed("-i", "-c", "--exclude-standard");
  assert.ok(kept.length > 0 && kept.every((line) => line.endsWith(KEPT)));
  const ignored = await git(once.root, "ls-files", "-i", "-o", "--exclude-standard");
  assert.ok(ignored.split("\n").length > FILES, "as many files are ignored, and more");
});
