/** What happens above a watched workspace is noticed where it matters, and only there. */
import assert from "node:assert/strict";
import { DirectoriesAbove } from "../../src/cache/watched_directories.ts";
import { settled, tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** Milliseconds after which a change shows. */
const LATER = 2000;

test.slow("a directory above that is barred is noticed, and names that come and go in it are not", async () => {
  await using tree = await tempTree({ "above/ws/a.txt": "" });
  const above = new DirectoriesAbove([tree.path("above/ws")]);
  const mayHaveBeenBarred = () => above.mayHaveBeenBarred(Date.now() + LATER);
  mayHaveBeenBarred();
  assert.equal(mayHaveBeenBarred(), false);
  await tree.write({ "above/other.txt": "" });
  mayHaveBeenBarred(); // it is another time
  assert.equal(mayHaveBeenBarred(), false);
  for (let round = 0; round < 3; round++) {
    await Deno.remove(tree.path("above/other.txt"));
    await tree.write({ "above/other.txt": "" });
    assert.equal(mayHaveBeenBarred(), false, "as a shell does in a home directory");
  }
  await settled();
  const now = Date.now();
  await Deno.chmod(tree.path("above"), 0);
  await Deno.chmod(tree.path("above"), 0o755);
  assert.equal(above.mayHaveBeenBarred(now), true);
  assert.equal(above.mayHaveBeenBarred(now), true, "another time would not show yet");
  mayHaveBeenBarred();
  assert.equal(mayHaveBeenBarred(), false);
});

test.slow("roots are in place since a time after which no name on the way to them has changed", async () => {
  const worlds = ["both", "inner", "exchanged", "double"];
  await using tree = await tempTree(
    Object.fromEntries(worlds.map((world) => [`${world}/ws/a.txt`, ""])),
  );
  await settled();
  const since = Date.now();
  const areInPlace = (world: string) =>
    new DirectoriesAbove([tree.path(`${world}/ws`)]).areInPlaceSince(since);
  for (const world of worlds) assert.equal(areInPlace(world), true, world);
  await tree.write({ "both/other.txt": "", "both/ws/b/c.txt": "" });
  assert.equal(areInPlace("both"), false, "both the root and the directory above have changed");
  await tree.write({ "inner/ws/d.txt": "" });
  assert.equal(areInPlace("inner"), true, "the root alone has changed");
  await Deno.rename(tree.path("exchanged"), tree.path("aside"));
  await Deno.rename(tree.path("double"), tree.path("exchanged"));
  assert.equal(areInPlace("exchanged"), false);
});
