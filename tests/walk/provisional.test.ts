/**
 * What was found waits for the proof that it lies where its path says, and what cannot be proven is not
 * taken: files, what may not be looked at, and listings of directories.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  barredEvidence,
  fileEvidence,
  isTold,
  listingEvidence,
  Provisional,
} from "../../src/walk/provisional.ts";
import { noWalkSkips } from "../../src/walk/listing.ts";
import { ENDLESS, type Pulse } from "../../src/util/pulse.ts";
import type { Evidence } from "../../src/workspace/verification.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** What becomes of something found in a tree that has just been made. */
function settled(t: Tree, evidence: Evidence): string[] {
  const provisional = new Provisional({ allowedRoots: [t.root], identities: [undefined] }, 0);
  const said: string[] = [];
  provisional.add({
    ...evidence,
    accept: () => said.push("accepted"),
    reject: () => said.push("rejected"),
  });
  provisional.settle();
  provisional.settle();
  return said;
}

const ACCEPTED = ["accepted"];
const REJECTED = ["rejected"];

Deno.test("a file is taken as long as its path names it, and once", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n", "d/y.txt": "y\n" });
  const evidence = fileEvidence(t.path("d/x.txt"), t.path("d"), Deno.lstatSync(t.path("d/x.txt")));
  assert.deepEqual(settled(t, evidence), ACCEPTED);
  Deno.renameSync(t.path("d/y.txt"), t.path("d/x.txt"));
  assert.deepEqual(settled(t, evidence), REJECTED);
});

Deno.test("without time for it, nothing is taken, and what is abandoned is rejected", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n", "e/y.txt": "y\n" });
  const said: string[] = [];
  const begun = (pulse: Pulse) => {
    const roots = { allowedRoots: [t.root], identities: [undefined] };
    const provisional = new Provisional(roots, 0, pulse);
    for (const [directory, name] of [["d", "x.txt"], ["e", "y.txt"]] as const) {
      const path = t.path(`${directory}/${name}`);
      const evidence = fileEvidence(path, t.path(directory), Deno.lstatSync(path));
      const accept = () => said.push(`accepted ${name}`);
      provisional.add({ ...evidence, accept, reject: () => said.push(`rejected ${name}`) });
    }
    return provisional;
  };
  begun(ENDLESS).settle();
  assert.deepEqual(said.splice(0), ["accepted x.txt", "accepted y.txt"]);
  const failing = begun({
    beat() {
      throw new Error("out of time");
    },
  });
  assert.throws(() => failing.settle(), /out of time/);
  assert.deepEqual(said, []);
  failing.abandon();
  assert.deepEqual(said.splice(0), ["rejected x.txt", "rejected y.txt"]);
  failing.settle();
  assert.deepEqual(said, []);
});

Deno.test("what may not be looked at is told as long as it may not", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n" });
  assert.deepEqual(settled(t, barredEvidence(t.path("d/gone.txt"), t.path("d"))), ACCEPTED);
  assert.deepEqual(settled(t, barredEvidence(t.path("d/x.txt"), t.path("d"))), REJECTED);
});

Deno.test("what was left out of a directory is told as long as it lists the same", async () => {
  const files = { "d/a": "", "d/b": "", "d/c/x": "" };
  const changes: Record<string, (t: Tree) => void> = {
    "more": (t) => Deno.mkdirSync(t.path("d/z")),
    "fewer": (t) => Deno.removeSync(t.path("d/a")),
    "none": (t) => {
      Deno.renameSync(t.path("d"), t.path("away"));
      Deno.mkdirSync(t.path("d"));
    },
    "another name": (t) => Deno.renameSync(t.path("d/a"), t.path("d/aa")),
    "gone": (t) => Deno.renameSync(t.path("d"), t.path("away")),
  };
  for (const [name, change] of Object.entries(changes)) {
    await using t = await tempTree(files);
    const entries = [...Deno.readDirSync(t.path("d"))];
    const evidence = listingEvidence(t.path("d"), { entries });
    assert.deepEqual(settled(t, evidence), ACCEPTED);
    change(t);
    assert.equal(evidence.isSame(), false, name);
    assert.deepEqual(settled(t, evidence), REJECTED, name);
  }
  await using t = await tempTree(files);
  const entries = [...Deno.readDirSync(t.path("d"))];
  for (const change of [{ isFile: true, isDirectory: false }, { isFile: false }]) {
    const others = entries.map((entry) => ({ ...entry, ...change }));
    const evidence = listingEvidence(t.path("d"), { entries: others });
    assert.equal(evidence.isSame(), false, JSON.stringify(change));
  }
  assert.equal(listingEvidence(t.path("d"), {}).isSame(), false, "it can be listed by now");
  assert.equal(listingEvidence(t.path("absent"), {}).isSame(), true, "it still can't be");
});

Deno.test("what is told of a directory has to be proven: what can't be read, and rules not read", () => {
  assert.equal(isTold(noWalkSkips(), true), false);
  for (const key of ["unreadable", "ignore_files"] as const) {
    assert.equal(isTold({ ...noWalkSkips(), [key]: 1 }, false), true, key);
  }
  const ignored = { ...noWalkSkips(), ignored: 1 };
  assert.equal(isTold(ignored, false), false);
  assert.equal(isTold(ignored, true), true, "stats are wanted");
});
