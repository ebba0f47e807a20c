/** What happens above a watched workspace is noticed where it matters, and only there. */
import assert from "node:assert/strict";
import { DirectoriesAbove } from "../../src/cache/directories_above.ts";
import { settled, tempTree } from "../support/tree.ts";

Deno.test("a directory above that is barred is noticed, and names that come and go in it are not", async () => {
  await using tree = await tempTree({ "above/ws/a.txt": "" });
  await settled();
  const above = new DirectoriesAbove([tree.path("above/ws")]);
  above.mayHaveBeenBarred();
  assert.equal(above.mayHaveBeenBarred(), false);
  await tree.write({ "above/other.txt": "" });
  above.mayHaveBeenBarred(); // it is another time
  assert.equal(above.mayHaveBeenBarred(), false);
  for (let round = 0; round < 3; round++) {
    await Deno.remove(tree.path("above/other.txt"));
    await tree.write({ "above/other.txt": "" });
    assert.equal(above.mayHaveBeenBarred(), false, "as a shell does in a home directory");
  }
  await settled();
  await Deno.chmod(tree.path("above"), 0);
  await Deno.chmod(tree.path("above"), 0o755);
  assert.equal(above.mayHaveBeenBarred(), true);
  assert.equal(above.mayHaveBeenBarred(), true, "another time would not show yet");
  await settled();
  above.mayHaveBeenBarred();
  assert.equal(above.mayHaveBeenBarred(), false);
});

Deno.test("roots are in place since a time after which no name on the way to them has changed", async () => {
  await using tree = await tempTree({ "above/ws/a.txt": "", "double/ws/a.txt": "" });
  await settled();
  const above = new DirectoriesAbove([tree.path("above/ws")]);
  const since = Date.now();
  assert.equal(above.areInPlaceSince(since), true);
  await tree.write({ "above/other.txt": "", "above/ws/b/c.txt": "" });
  assert.equal(
    above.areInPlaceSince(since),
    false,
    "both the root and the directory above have changed",
  );
  await settled();
  await tree.write({ "above/ws/d.txt": "" });
  assert.equal(above.areInPlaceSince(Date.now()), true, "the root alone has changed");
  await settled();
  await Deno.rename(tree.path("above"), tree.path("aside"));
  await Deno.rename(tree.path("double"), tree.path("above"));
  assert.equal(above.areInPlaceSince(Date.now() - 100), false);
});
