/**
 * Standard input among other targets: its name, and its end.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { search, type SearchOptions, type SearchQuery, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

const never = () => new ReadableStream<Uint8Array>();

/** Text in any encoding, or none, with what a piece may cut in two. */
const someBytes = fc.oneof(
  fc.array(
    fc.constantFrom("foo\n", "foo", "\r\n", "\n", "é", "😀", "x\n", "o\nf", "\ufeff", "\0"),
    { maxLength: 30 },
  ).chain((parts) =>
    fc.constantFrom("utf-8", "utf-16le", "utf-16be").map((encoding) =>
      encoded(parts.join(""), encoding)
    )
  ),
  fc.uint8Array({ maxLength: 40 }),
);

function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  `\ufeff${text}`.split("").forEach((unit, index) =>
    view.setUint16(2 * index, unit.charCodeAt(0), encoding === "utf-16le")
  );
  return bytes;
}

Deno.test("standard input has one name, wherever the caller stands", async () => {
  await using tree = await tempTree({ "sub/": null });
  const run = await pathgrep(["foo", "-", "--workspace", tree.root, "--paths", "relative"], {
    cwd: tree.path("sub"),
    stdin: "foo\n",
  });
  assert.equal(run.json().matches[0].file, "(stdin)");
  const binary = await pathgrep(["foo", "-", "--workspace", tree.root], {
    cwd: tree.path("sub"),
    stdin: "foo\0\n",
  });
  assert.match(binary.json().notes[0], /^\(stdin\) was not searched/);
});

Deno.test("standard input that does not end is given up after the time limit", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", path: ["a.txt", "-"], timeout: 50 };
  await assert.rejects(search(query, { workspace, stdin: never }), {
    code: "search_timed_out",
    message: "search timed out after 50 ms",
  });
});

Deno.test("an abort ends the wait for standard input", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const ender = new AbortController();
  const stdin = () => {
    queueMicrotask(() => ender.abort());
    return never();
  };
  const query = { pattern: "foo", path: "-" };
  const searched = search(query, { workspace, stdin, signal: ender.signal });
  await assert.rejects(searched, { code: "cancelled" });
});

Deno.test("standard input is answered like a file with the same bytes, however it comes in", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const answer = async (query: SearchQuery, options: Partial<SearchOptions>) =>
    JSON.stringify(await search({ paths: "relative", ...query }, { workspace, ...options }))
      .replaceAll("(stdin)", "a.txt").replace(/"base_path":"[^"]*"/, "");
  const ways = fc.record({
    outputMode: fc.constantFrom("content", "file", "count"),
    multiline: fc.boolean(),
    invert: fc.boolean(),
    onlyMatching: fc.boolean(),
    filesWithoutMatch: fc.boolean(),
    context: fc.nat(2),
    column: fc.boolean(),
    maxLineLength: fc.constantFrom(0, 2),
    maxCount: fc.constantFrom(1, 2, 1000),
  });
  await fc.assert(
    fc.asyncProperty(someBytes, fc.array(fc.nat(40)), ways, async (bytes, cuts, way) => {
      await Deno.writeFile(tree.path("a.txt"), bytes);
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const stdin = () =>
        ReadableStream.from(ends.map((start, index) => bytes.slice(start, ends[index + 1])));
      const query: SearchQuery = { pattern: "fo+|^$", ...way };
      if (query.outputMode !== "file") delete query.filesWithoutMatch;
      assert.equal(
        await answer({ ...query, path: "-" }, { stdin }),
        await answer({ ...query, path: "a.txt" }, {}),
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("an end of standard input that is an error is an error of the search", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const stdin = async function* () {
    yield new TextEncoder().encode("foo\n");
    await Promise.reject(new Error("it broke"));
  };
  await assert.rejects(search({ pattern: "foo", path: "-" }, { workspace, stdin }), {
    code: "search_failed",
    message: "it broke",
  });
});
