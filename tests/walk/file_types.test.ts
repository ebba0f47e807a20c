/**
 * The table of file types against ripgrep's own.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FileFilter } from "../../src/walk/file_filter.ts";
import { typeGlobs, typeList } from "../../src/walk/file_types.ts";
import { rgPath } from "../support/oracles.ts";

Deno.test("the list of types is ripgrep's", async () => {
  const args = ["--no-config", "--type-list"];
  const { stdout } = await new Deno.Command(await rgPath(), { args }).output();
  assert.equal(typeList(), new TextDecoder().decode(stdout));
});

Deno.test("every type compiles, and takes a name made from each plain glob of it", () => {
  for (const line of typeList().trimEnd().split("\n")) {
    const name = line.slice(0, line.indexOf(":"));
    const filter = FileFilter.compile({
      include: [],
      includeKey: "include",
      exclude: [],
      type: [name],
      typeNot: [],
    });
    for (const glob of typeGlobs(name)) {
      const file = glob.replaceAll(/\[([^\]])[^\]]*\]/g, "$1").replaceAll("*", "x");
      assert.ok(filter.accepts(`dir/${file}`, file), `${name} should take ${file}`);
    }
    assert.ok(!filter.accepts("dir/no such.type", "no such.type"));
  }
});

Deno.test("the type all has the globs of every type", () => {
  const all = new Set(typeGlobs("all"));
  assert.ok(typeGlobs("rust").every((glob) => all.has(glob)));
  assert.ok(all.has("*.zig") && all.has("Makefile.*"));
});
