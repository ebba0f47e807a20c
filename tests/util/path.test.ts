/** The project's own POSIX path functions answer as those of `node:path` do. */
import assert from "node:assert/strict";
import { posix as node } from "node:path";
import fc from "fast-check";
import { posix } from "../../src/util/path.ts";
import { assertHolds } from "../support/draw.ts";

const segment = fc.constantFrom("", ".", "..", "...", "a", "bc", ".git", "é", "a b", "\\", "x.ts");
const path = fc.tuple(fc.constantFrom("", "/", "//", "///"), fc.array(segment, { maxLength: 6 }))
  .map(([start, segments]) => start + segments.join("/"));

for (const name of ["isAbsolute", "normalize", "dirname", "basename"] as const) {
  Deno.test(`posix ${name} answers as node:path does`, (t) => {
    assertHolds(t, fc.property(path, (path) => assert.equal(posix[name](path), node[name](path))), {
      numRuns: 2000,
    });
  });
}

for (const name of ["join", "resolve"] as const) {
  Deno.test(`posix ${name} answers as node:path does`, (t) => {
    assertHolds(
      t,
      fc.property(fc.array(path, { maxLength: 4 }), (paths) => {
        assert.equal(posix[name](...paths), node[name](...paths));
      }),
      { numRuns: 2000 },
    );
  });
}

Deno.test("posix relative answers as node:path does", (t) => {
  assertHolds(
    t,
    fc.property(path, path, (from, to) => {
      assert.equal(posix.relative(from, to), node.relative(from, to));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("posix parse knows the root", (t) => {
  assertHolds(
    t,
    fc.property(path, (path) => assert.equal(posix.parse(path).root, node.parse(path).root)),
  );
});
