/**
 * Include and exclude globs and file types, one rule at a time.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PathgrepError } from "../../src/util/errors.ts";
import type { FilterOptions } from "../../src/walk/listing.ts";
import { FileFilter } from "../../src/walk/file_filter.ts";
import { testEach } from "../support/testdata.ts";

const NOTHING: FilterOptions = {
  include: [],
  includeKey: "include",
  exclude: [],
  type: [],
  typeNot: [],
};

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a walk from the searched directory reaches and takes a file. */
function takes(filter: FileFilter, path: string): boolean {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const directory = path.slice(0, slash);
    if (filter.prunes(directory, nameOf(directory))) return false;
  }
  return filter.accepts(path, nameOf(path));
}

/** Files that a filter takes and leaves out, or directories that it prunes and lets a walk enter. */
interface FilterCase extends Partial<FilterOptions> {
  about: string;
  taken?: string[];
  left?: string[];
  pruned?: string[];
  entered?: string[];
}

testEach<FilterCase>("glob/filter.jsonl", (row) => {
  const { taken = [], left = [], pruned = [], entered = [], ...options } = row;
  const filter = FileFilter.compile({ ...NOTHING, ...options });
  for (const path of taken) assert.ok(takes(filter, path), `${path} should be taken`);
  for (const path of left) assert.ok(!takes(filter, path), `${path} should be excluded`);
  for (const path of pruned) assert.ok(filter.prunes(path, nameOf(path)), `${path} entered`);
  for (const path of entered) assert.ok(!filter.prunes(path, nameOf(path)), `${path} pruned`);
});

function rejects(options: Partial<FilterOptions>, message: RegExp): void {
  assert.throws(() => FileFilter.compile({ ...NOTHING, ...options }), (error: unknown) => {
    assert.ok(error instanceof PathgrepError);
    assert.equal(error.code, "invalid_input");
    assert.match(error.message, message);
    return true;
  });
}

Deno.test("without globs and types everything is taken", () => {
  const filter = FileFilter.compile(NOTHING);
  assert.ok(filter.acceptsAll && takes(filter, "a/b/c") && !filter.prunes("a", "a"));
  assert.deepEqual(FileFilter.notes(NOTHING, ["/ws"]), []);
  assert.ok(!FileFilter.compile({ ...NOTHING, typeNot: ["js"] }).acceptsAll);
});

Deno.test("a glob never reaches outside the searched directory, and says so", () => {
  const cases = [
    ["../*.ts", "glob_outside"],
    ["src/../../a.ts", "glob_outside"],
    ["..", "glob_outside"],
    ["{../a,../b}/*", "glob_outside"],
    ["/etc/*.conf", "glob_from_searched"],
  ] as const;
  for (const [include, reason] of cases) {
    const options = { ...NOTHING, include: [include] };
    const filter = FileFilter.compile(options);
    const notes = FileFilter.notes(options, ["/ws"]);
    assert.deepEqual(notes, [{ reason, values: { field: "include", glob: include } }]);
    assert.ok(!takes(filter, "a.ts") && !takes(filter, "src/a.ts"));
  }
  const etc = FileFilter.compile({ ...NOTHING, include: ["/etc/*.conf"] });
  assert.ok(takes(etc, "etc/a.conf") && !takes(etc, "a.conf"));
  const ordinary = { ...NOTHING, include: ["a..b", "./src/*", "/*.ts"] };
  assert.deepEqual(FileFilter.notes(ordinary, ["/ws"]), []);
});

Deno.test("empty and malformed globs are errors that say what to write", () => {
  for (const include of ["", " ", "!", ",", "*.ts,", "!,a"]) {
    rejects({ include: [include] }, /include .* empty glob; write one such as '\*\.ts'/);
  }
  rejects({ exclude: [""] }, /exclude '' contains an empty glob/);
  rejects({ exclude: ["!a"] }, /exclude '!a' begins with a '!'; remove it/);
  rejects({ include: ["a[b"] }, /'a\[b' has a \[ without a \]/);
  rejects({ include: ["a.{ts"] }, /'a\.\{ts' has a \{ without a \}/);
  rejects({ include: ["a}"] }, /'a\}' has a \} without a \{/);
});

Deno.test("an unknown type is an error that names those near it and the option that lists all", () => {
  rejects({ type: ["pyhton"] }, /unknown file type 'pyhton'; similar: python.*--type-list/);
  rejects({ typeNot: ["typescrpt"] }, /'typescrpt'; similar: typescript, /);
  rejects({ type: ["javascrpt"] }, /similar: js, java; /);
  rejects({ type: ["golnag"] }, /similar: go[,;]/);
  rejects({ type: ["yamll"] }, /similar: yaml[,;]/);
  rejects({ type: ["xxxxxxxx"] }, /unknown file type 'xxxxxxxx'; `pathgrep --type-list` lists all/);
  rejects({ type: [""] }, /unknown file type ''/);
});
