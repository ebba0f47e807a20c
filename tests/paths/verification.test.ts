/**
 * What is found is shown once it is proven to lie where its path says: in its own root, by a way without
 * links, however briefly anything was exchanged.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, Workspace } from "../../mod.ts";
import {
  type AllowedRoots,
  type Evidence,
  identityOf,
  isInWorkspace,
  isIt,
  verify,
} from "../../src/paths/verification.ts";
import { infoAt } from "../../src/system/files.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** A tree with one file in a directory, and what is known of it. */
async function place(): Promise<
  { t: Tree; evidence: Evidence; allowedRoots: string[]; id: string }
> {
  const t = await tempTree({ "d/x.txt": "x\n", "d/y.txt": "y\n", "../other/d/x.txt": "x\n" });
  const path = t.path("d/x.txt");
  const info = Deno.lstatSync(path);
  const evidence = { path, directory: t.path("d"), isSame: () => isIt(info, infoAt(path)) };
  return { t, evidence, allowedRoots: [t.root], id: identityOf(Deno.lstatSync(t.root))! };
}

/** Something in a directory at which somebody does something when it is looked at the nth time. */
function disturbed(t: Tree, count: number, times: Record<number, () => void>): Evidence[] {
  let looks = 0;
  const isSame = () => {
    times[++looks]?.();
    return true;
  };
  return Array.from({ length: count }, (_, n) => ({
    path: t.path(`d/${n}`),
    directory: t.path("d"),
    isSame,
  }));
}

Deno.test("what lies in its own root by a way without links is proven, and nothing else", async () => {
  const { t, evidence, allowedRoots, id } = await place();
  await using _ = t;
  const own = { allowedRoots, identities: [id] };
  const isProven = (roots: AllowedRoots) => isInWorkspace(evidence.path, roots, evidence.isSame);
  assert.ok(isProven(own));
  assert.ok(isProven({ allowedRoots, identities: [undefined] }), "it is not known");
  assert.ok(!isProven({ allowedRoots, identities: [`${id}0`] }), "it is another root");
  assert.ok(!isProven({ allowedRoots: [t.path("../other")], identities: [undefined] }));
  Deno.renameSync(t.path("d/x.txt"), t.path("d/z.txt"));
  assert.ok(!isProven(own), "it has moved");
  Deno.renameSync(t.path("d/y.txt"), t.path("d/x.txt"));
  assert.ok(!isProven(own), "another file has its name");
  Deno.removeSync(t.path("d/x.txt"));
  Deno.symlinkSync(t.path("d/z.txt"), t.path("d/x.txt"));
  assert.ok(!isProven(own), "a link to it has its name");
  assert.ok(!evidence.isSame(), "nor is the link the file");
  Deno.removeSync(t.path("d/x.txt"));
  Deno.renameSync(t.path("d/z.txt"), t.path("d/x.txt"));
  assert.ok(isProven(own), "it is back");
  Deno.renameSync(t.path("d"), t.path("../moved"));
  Deno.symlinkSync(t.path("../moved"), t.path("d"));
  assert.ok(!isProven(own), "it is reached by a link");
});

Deno.test("a number that is given again does not make a new directory an old one", () => {
  const old = { dev: 1, ino: 2, birthtime: new Date(1000) };
  assert.equal(identityOf(old), identityOf({ ...old }));
  assert.notEqual(identityOf(old), identityOf({ ...old, birthtime: new Date(2000) }));
  assert.equal(identityOf({ ...old, ino: null }), undefined);
});

Deno.test("of many things one that differs counts against those of its place, and no others", async () => {
  const { t, evidence, allowedRoots, id } = await place();
  await using _ = t;
  await t.write({ "e/x.txt": "x\n" });
  const limits = { allowedRoots, identities: [id] };
  const different = { ...evidence, isSame: () => false };
  const elsewhere = { path: t.path("e/x.txt"), directory: t.path("e"), isSame: () => true };
  const outside = {
    ...elsewhere,
    path: t.path("../other/d/x.txt"),
    directory: t.path("../other/d"),
  };
  const { proven, unproven } = verify([evidence, different, elsewhere, outside], 0, limits);
  assert.deepEqual(proven, [elsewhere]);
  assert.deepEqual(new Set(unproven), new Set([outside, evidence, different]));
});

Deno.test("whoever exchanges a directory while many things in it are looked at is noticed", async () => {
  const { t, evidence, allowedRoots, id } = await place();
  await using _ = t;
  const limits = { allowedRoots, identities: [id] };
  const away = () => Deno.renameSync(t.path("d"), t.path("../away"));
  const back = () => Deno.renameSync(t.path("../away"), t.path("d"));
  const count = 1100;
  const isProven = (times: Record<number, () => void>) =>
    verify(disturbed(t, count, times), 0, limits).unproven.length === 0;
  assert.ok(isProven({}));
  assert.ok(!isProven({ [count]: away }), "it was exchanged at the last look");
  back();
  assert.ok(!isProven({ 500: away, 540: back }), "it was away for a while");
  back(); // nobody looked so often
  // What was found alone is looked at again and again.
  for (let n = 0; n < 20; n++) {
    let looks = 0;
    const isSame = () => ++looks !== 3;
    assert.ok(isInWorkspace(evidence.path, limits, () => true));
    assert.ok(!isInWorkspace(evidence.path, limits, isSame));
  }
});

Deno.test("another directory in the place of a root is not searched, nor what was a part of it", async () => {
  await using t = await tempTree({ "in/x.txt": "needle\n", "../other/in/x.txt": "needle\n" });
  const workspace = await Workspace.open(t.root);
  const part = workspace.narrowedTo([t.path("in")]);
  assert.equal((await search({ pattern: "needle" }, { workspace: part })).count, 1);
  const gone = workspace.narrowedTo([t.path("in/link")]);
  Deno.symlinkSync(t.path("in"), t.path("in/link"));
  for (const root of [gone, workspace.narrowedTo([t.path("in/link")])]) {
    await assert.rejects(search({ pattern: "needle" }, { workspace: root }));
  }
  Deno.renameSync(t.root, t.path("../moved"));
  Deno.renameSync(t.path("../other"), t.root);
  for (const root of [workspace, part]) {
    await assert.rejects(search({ pattern: "needle" }, { workspace: root }), {
      code: "search_failed",
      message: /the workspace root .* has been replaced by another directory/,
    });
  }
});
