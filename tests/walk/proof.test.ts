/**
 * What was found waits for the proof that it lies where its path says, and what cannot be proven is not
 * taken: files, what may not be looked at, and listings of directories.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Proof } from "../../src/paths/verification.ts";
import { ENDLESS, type Pulse } from "../../src/util/pulse.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** What becomes of something found in a tree that has just been made. */
function settled(
  t: Tree,
  add: (proof: Proof, accept: () => void, reject: () => void) => void,
  since = 0,
): string[] {
  const proof = new Proof({ allowedRoots: [t.root], identities: [undefined] }, since);
  const said: string[] = [];
  add(proof, () => said.push("accepted"), () => said.push("rejected"));
  proof.settle();
  proof.settle();
  return said;
}

const ACCEPTED = ["accepted"];
const REJECTED = ["rejected"];

Deno.test("a file is taken as long as its path names it, and once", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n", "d/y.txt": "y\n" });
  const id = Deno.lstatSync(t.path("d/x.txt"));
  const found = () =>
    settled(t, (proof, ...said) => proof.addFile(t.path("d/x.txt"), t.path("d"), id, ...said));
  assert.deepEqual(found(), ACCEPTED);
  Deno.renameSync(t.path("d/y.txt"), t.path("d/x.txt"));
  assert.deepEqual(found(), REJECTED);
});

Deno.test("without time for it, nothing is taken, and what is abandoned is rejected", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n", "e/y.txt": "y\n" });
  const said: string[] = [];
  const begun = (pulse: Pulse) => {
    const roots = { allowedRoots: [t.root], identities: [undefined] };
    const proof = new Proof(roots, 0, pulse);
    for (const [directory, name] of [["d", "x.txt"], ["e", "y.txt"]] as const) {
      const path = t.path(`${directory}/${name}`);
      const accept = () => said.push(`accepted ${name}`);
      const reject = () => said.push(`rejected ${name}`);
      proof.addFile(path, t.path(directory), Deno.lstatSync(path), accept, reject);
    }
    return proof;
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

Deno.test("what may not be read is reported as long as it may not", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n" });
  const found = (path: string) =>
    settled(t, (proof, ...said) => proof.addFile(t.path(path), t.path("d"), undefined, ...said));
  assert.deepEqual(found("d/gone.txt"), ACCEPTED);
  assert.deepEqual(found("d/x.txt"), REJECTED);
});

Deno.test("what was excluded in a directory is reported as long as its listing is the same", async () => {
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
  const found = (t: Tree, entries: Deno.DirEntry[] | undefined, path = "d") =>
    settled(t, (proof, ...said) => proof.addListing(t.path(path), entries, ...said));
  for (const [name, change] of Object.entries(changes)) {
    await using t = await tempTree(files);
    const entries = [...Deno.readDirSync(t.path("d"))];
    assert.deepEqual(found(t, entries), ACCEPTED);
    change(t);
    assert.deepEqual(found(t, entries), REJECTED, name);
  }
  await using t = await tempTree({ ...files, "kept/x": "" });
  const entries = [...Deno.readDirSync(t.path("d"))];
  for (const change of [{ isFile: true, isDirectory: false }, { isFile: false }]) {
    const others = entries.map((entry) => ({ ...entry, ...change }));
    assert.deepEqual(found(t, others), REJECTED, JSON.stringify(change));
  }
  assert.deepEqual(found(t, undefined), REJECTED, "it can be listed by now");
});
