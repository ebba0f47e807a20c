/**
 * Include and exclude globs and file types, one rule at a time.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PathgrepError } from "../../src/util/errors.ts";
import { FileFilter, type FilterOptions } from "../../src/walk/file_filter.ts";

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

/** Asserts which files globs take and which they leave out. */
function check(options: Partial<FilterOptions>, taken: string[], left: string[]): void {
  const filter = FileFilter.compile({ ...NOTHING, ...options });
  for (const path of taken) assert.ok(takes(filter, path), `${path} should be taken`);
  for (const path of left) assert.ok(!takes(filter, path), `${path} should be left out`);
}

/** Asserts which directories globs let a walk enter and which they do not. */
function checkPruned(include: string[], pruned: string[], entered: string[]): void {
  const filter = FileFilter.compile({ ...NOTHING, include });
  for (const path of pruned) assert.ok(filter.prunes(path, nameOf(path)), `${path} entered`);
  for (const path of entered) assert.ok(!filter.prunes(path, nameOf(path)), `${path} pruned`);
}

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
  assert.deepEqual(filter.notes, []);
  assert.ok(!FileFilter.compile({ ...NOTHING, typeNot: ["js"] }).acceptsAll);
});

Deno.test("a glob without a slash matches names at any depth", () => {
  check({ include: ["*.ts"] }, ["a.ts", "x/y/a.ts", ".ts"], ["a.js", "x/a.tsx", "a.ts/b"]);
  check({ include: ["Makefile"] }, ["Makefile", "x/Makefile"], ["makefile"]);
});

Deno.test("a glob with a slash is a path from the searched directory", () => {
  check({ include: ["src/*.ts"] }, ["src/a.ts"], ["src/x/a.ts", "x/src/a.ts", "a.ts"]);
  check({ include: ["src/**/*.ts"] }, ["src/a.ts", "src/x/y/a.ts"], ["lib/a.ts"]);
  check({ include: ["/*.ts"] }, ["a.ts"], ["src/a.ts"]);
  check({ include: ["./*.ts"] }, ["a.ts"], ["src/a.ts"]);
  check({ include: ["./src/a.ts"] }, ["src/a.ts"], ["x/src/a.ts"]);
  check({ include: ["**/test/*.ts"] }, ["test/a.ts", "x/test/a.ts"], ["test/x/a.ts"]);
});

Deno.test("commas outside braces and classes separate globs", () => {
  check({ include: ["*.ts,*.js"] }, ["a.ts", "x/a.js"], ["a.c", "a.ts,a.c"]);
  check({ include: ["*.{ts,tsx}, *.js "] }, ["a.tsx", "a.js"], ["a.c"]);
  check({ include: ["a\\,b,[,]"] }, ["a,b", ","], ["a", "b"]);
  check({ exclude: ["*.ts,docs"] }, ["a.c"], ["a.ts", "docs/a.c"]);
});

Deno.test("braces nest", () => {
  check({ include: ["{src,{a,b}/test}/*.{ts,{c,m}js}"] }, ["src/a.ts", "b/test/a.cjs"], [
    "test/a.ts",
    "src/a.js",
  ]);
});

Deno.test("a file must match a positive glob if there is one, and the last match counts", () => {
  check({ include: ["*.ts", "*.js"] }, ["a.ts", "a.js"], ["a.c"]);
  check({ include: ["!*.ts"] }, ["a.js", "x/a"], ["a.ts"]);
  check({ include: ["*.ts", "!*.d.ts"] }, ["a.ts"], ["a.d.ts", "a.js"]);
  check({ include: ["!*.d.ts", "*.ts"] }, ["a.ts", "a.d.ts"], ["a.js"]);
  check({ include: ["*", "!*.ts", "a.ts"] }, ["a.ts", "b.js"], ["b.ts"]);
});

Deno.test("an excluded directory is not entered, whatever is included below it", () => {
  check({ include: ["!node_modules"] }, ["a"], ["node_modules/a", "x/node_modules/y/a"]);
  check({ include: ["!node_modules/"] }, ["node_modules", "a"], ["node_modules/a"]);
  check({ include: ["!/dist"] }, ["x/dist/a"], ["dist/a"]);
  check({ include: ["!dist", "dist/a"] }, [], ["dist/a", "b"]);
  check({ include: ["!dist", "dist", "*.ts"] }, ["dist/a.ts"], ["dist/a.js"]);
});

Deno.test("exclude leaves out what include takes", () => {
  check({ include: ["*.ts"], exclude: ["*.test.ts", "dist/"] }, ["a.ts"], [
    "a.test.ts",
    "dist/a.ts",
    "a.js",
  ]);
  check({ exclude: ["./build", "/x/y"] }, ["a/build/b", "x/z"], ["build/b", "x/y"]);
  check({ exclude: ["\\!a"] }, ["a"], ["!a"]);
});

Deno.test("a directory with a slash at its end includes all that is below it", () => {
  check({ include: ["src/"] }, ["src/a", "x/src/y/a.ts"], ["a", "lib/a", "src"]);
  check({ include: ["./src/"] }, ["src/a", "src/x/a"], ["x/src/a"]);
  check({ include: ["a/src/"] }, ["a/src/x"], ["src/x", "b/a/src/x"]);
  check({ include: ["src/**"] }, ["src/a", "src/x/a"], ["a", "x/src/a"]);
  check({ include: ["src/", "!*.js"] }, ["src/a.ts"], ["src/a.js"]);
  check({ include: ["{src,lib}/"] }, ["lib/x/a", "y/src/a"], ["bin/a"]);
  check({ include: ["./"] }, ["a", "src/a"], []);
  check({ include: ["/", "!*.js"] }, ["src/a"], ["a.js"]);
});

Deno.test("directories that nothing included can lie in are not entered", () => {
  checkPruned(["src/**/*.ts"], ["docs", "srcs", "x/src"], ["src", "src/x", "src/x/y"]);
  checkPruned(["src/*.ts"], ["docs", "src/x"], ["src"]);
  checkPruned(["a/b/c.ts"], ["b", "a/c", "a/b/c.ts"], ["a", "a/b"]);
  checkPruned(["src/**", "test/*/a"], ["docs", "test/x/y"], ["src/x/y", "test", "test/x"]);
  checkPruned(["{src,lib}/**/*.ts"], ["docs"], ["src", "lib/x"]);
  checkPruned(["*.ts"], [], ["docs", "src/x"]);
  checkPruned(["**/x/*.ts"], [], ["docs", "src/x"]);
  checkPruned(["src/"], [], ["docs", "src"]);
  checkPruned(["./src/"], ["docs"], ["src", "src/x"]);
  checkPruned(["/*.ts"], ["docs"], []);
});

Deno.test("directories of which everything is excluded are not entered", () => {
  checkPruned(["!**/node_modules/**"], ["node_modules", "x/node_modules"], ["x", "src"]);
  checkPruned(["!dist/**"], ["dist", "dist/x"], ["x", "x/dist"]);
  checkPruned(["!dist/**", "dist/keep/*"], ["dist/x", "src"], ["dist"]);
  checkPruned(["*.ts", "!dist/**"], ["dist"], ["src"]);
  checkPruned(["!dist/**", "*.ts"], ["dist/x"], ["dist", "src"]);
});

Deno.test("a glob never reaches outside the searched directory, and says so", () => {
  const cases: [string, RegExp][] = [
    ["../*.ts", /'\.\.\/\*\.ts' matches nothing.*outside.*path/],
    ["src/../../a.ts", /outside/],
    ["..", /outside/],
    ["{../a,../b}/*", /outside/],
    ["/etc/*.conf", /'\/etc\/\*\.conf' was read as a path from the searched directory/],
  ];
  for (const [include, note] of cases) {
    const filter = FileFilter.compile({ ...NOTHING, include: [include] });
    assert.equal(filter.notes.length, 1);
    assert.match(filter.notes[0]!, note);
    assert.ok(!takes(filter, "a.ts") && !takes(filter, "src/a.ts"));
  }
  check({ include: ["/etc/*.conf"] }, ["etc/a.conf"], ["a.conf"]);
  const ordinary = FileFilter.compile({ ...NOTHING, include: ["a..b", "./src/*", "/*.ts"] });
  assert.deepEqual(ordinary.notes, []);
});

Deno.test("empty and malformed globs are errors that say what to write", () => {
  for (const include of ["", " ", "!", ",", "*.ts,", "!,a"]) {
    rejects({ include: [include] }, /include .* empty glob; write one such as '\*\.ts'/);
  }
  rejects({ exclude: [""] }, /exclude '' holds an empty glob/);
  rejects({ exclude: ["!a"] }, /exclude '!a' begins with a '!'; leave it out/);
  rejects({ include: ["a[b"] }, /'a\[b' has a \[ without a \]/);
  rejects({ include: ["a.{ts"] }, /'a\.\{ts' has a \{ without a \}/);
  rejects({ include: ["a}"] }, /'a\}' has a \} without a \{/);
});

Deno.test("a type takes the files whose names match its globs", () => {
  check({ type: ["ts"] }, ["a.ts", "x/a.tsx", "a.mts"], ["a.js", "ts"]);
  check({ type: ["ts", "json"] }, ["a.ts", "a.json"], ["a.js"]);
  check({ type: ["make"] }, ["Makefile", "GNUmakefile", "x/a.mk"], ["a.c"]);
  check({ typeNot: ["ts"] }, ["a.js", "README"], ["a.ts"]);
  check({ type: ["all"] }, ["a.ts", "Makefile"], ["a.unknown"]);
  check({ typeNot: ["all"] }, ["a.unknown"], ["a.ts"]);
});

Deno.test("types and globs must all agree", () => {
  check({ type: ["ts"], typeNot: ["typescript"] }, [], ["a.ts"]);
  check({ type: ["ts"], include: ["src/**"] }, ["src/a.ts"], ["a.ts", "src/a.js"]);
  check({ type: ["ts"], exclude: ["*.d.ts"] }, ["a.ts"], ["a.d.ts"]);
});

Deno.test("an unknown type is an error that names those near it and the option that lists all", () => {
  rejects({ type: ["pyhton"] }, /unknown file type 'pyhton'; near it: python.*--type-list/);
  rejects({ typeNot: ["tsx"] }, /'tsx'; near it: ts, typescript; /);
  rejects({ type: ["javascript"] }, /near it: .*\bjs\b/);
  rejects({ type: ["xxxxxxxx"] }, /unknown file type 'xxxxxxxx'; all are listed by .*--type-list/);
  rejects({ type: [""] }, /unknown file type ''/);
});
