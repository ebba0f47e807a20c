/** A kept listing says of each entry what the system said. */
import assert from "node:assert/strict";
import { CompactEntries } from "../../src/cache/directory_cache.ts";

Deno.test("cached entries have the names and types that were listed, in their order", () => {
  const types = [
    { isFile: true, isDirectory: false, isSymlink: false },
    { isFile: false, isDirectory: true, isSymlink: false },
    { isFile: false, isDirectory: false, isSymlink: true },
    { isFile: false, isDirectory: false, isSymlink: false },
  ];
  const names = ["b.ts", "a", "", " ", "é", "\u{1f600}", "\ufffd", "a\nb", "x\\y", "..."];
  const listed = types.flatMap((type) => names.map((name) => ({ name, ...type })));
  const entries = new CompactEntries(listed);
  assert.deepEqual([...entries], listed);
  assert.deepEqual([...entries], listed, "a second time");
  assert.equal(entries.length, listed.length);
});
