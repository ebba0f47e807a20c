import assert from "node:assert/strict";
import type { FileHit } from "../../src/searcher/job.ts";
import { packHits, unpackHits } from "../../src/parallel/packed_hits.ts";

/** A file of equally wide lines, each of which matches and has all others as context. */
function hitWithContext(lines: number): FileHit {
  const text = Array.from({ length: lines }, (_, index) => `${index}`.padEnd(100, "x"));
  const entries = text.map((line, index) => ({
    line_number: index + 1,
    line,
    before: text.slice(0, index),
    after: text.slice(index + 1),
  }));
  return { path: "/ws/a.txt", count: lines, modified: 0, entries };
}

Deno.test("hits come out of a message as they went in", () => {
  const bare: FileHit = {
    path: "/ws/b.txt",
    count: 2,
    modified: 1,
    isIncomplete: true,
    entries: [],
  };
  const hits = [hitWithContext(5), bare, {
    ...bare,
    entries: [
      { line_number: 1, line: "a", column: 2, line_truncated: true as const },
      {
        line_number: 9,
        line: "b",
        before: [],
        after: ["", "a", ""],
        line_truncated: true as const,
      },
      { line_number: 10, line: "c", after: ["a"] },
    ],
  }];
  const received = unpackHits(structuredClone(packHits(hits)));
  assert.equal(JSON.stringify(received), JSON.stringify(hits), "with the keys in their order");
});

Deno.test("a message holds each line of context once, however wide the context is", () => {
  const packed = packHits([hitWithContext(50), hitWithContext(50)]);
  assert.ok(!Array.isArray(packed));
  const { hits, lines } = packed;
  assert.equal(new Set(lines).size, lines.length);
  assert.equal(lines.length, 50);
  assert.ok(
    !JSON.stringify(hits.map((hit) => hit.entries.map(({ line: _, ...rest }) => rest))).includes(
      "xxx",
    ),
  );
});

Deno.test("hits without context are sent and received as they are: none is copied", () => {
  const hits: FileHit[] = [{
    path: "/ws/a.txt",
    count: 1,
    modified: 0,
    entries: [{ line_number: 1, line: "a" }],
  }];
  assert.equal(packHits(hits), hits);
  assert.equal(unpackHits(hits), hits);
});
