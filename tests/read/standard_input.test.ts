/**
 * Standard input among other targets: its name, and its end.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, type SearchQuery, Workspace } from "../../mod.ts";
import { runSearch as search } from "../../src/search/search.ts";
import type { InternalSearchOptions } from "../../src/search/search_context.ts";
import { entryByEntry } from "../support/entries.ts";
import { pathgrep } from "../support/run.ts";
import { encode } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";

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

test.slow("standard input that does not end is left once nothing more is asked of it", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const stdin = () => ReadableStream.from(endless());
  const enough: [query: Partial<SearchQuery>, count: number][] = [
    [{ maxCount: 2 }, 3],
    [{ maxCount: 1, after: 1 }, 2],
    [{ maxCount: 3, outputMode: "count" }, 4],
    [{ outputMode: "file" }, 2],
    [{ maxResults: 5, onOverflow: "truncate" }, 5],
  ];
  for (const [query, count] of enough) {
    for (const encoding of [undefined, "gbk", "utf-16le", "utf-16be"]) {
      const asked = { pattern: "foo", path: ["-", "a.txt"], timeout: 10_000, encoding, ...query };
      assert.equal((await search(asked, { workspace, stdin })).count, count, JSON.stringify(asked));
    }
  }
});

/** Lines for as long as somebody reads them, then nothing, without an end. */
async function* endless() {
  for (let line = 0; line < 20; line++) yield new TextEncoder().encode("foo\n");
  await new Promise(() => {});
}

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

test.slow("standard input is answered like a file with the same bytes, however it comes in", async (context) => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const answer = async (query: SearchQuery, options: Partial<InternalSearchOptions>) =>
    JSON.stringify(await search({ paths: "relative", ...query }, { workspace, ...options }))
      .replaceAll("(stdin)", "a.txt").replace(/"base_path":"[^"]*"/, "")
      // Of what is read once only, no encoding is guessed.
      .replace(
        /(?<=not UTF-8; )pass \{\\"encoding[^}]*\}/,
        "name its encoding with the option encoding",
      )
      .replace(/(?<=NUL byte\); pass )\{\\"encoding[^}]*\}/, '{\\"text\\":true}');
  const ways = fc.record({
    outputMode: fc.constantFrom("content", "file", "count"),
    multiline: fc.boolean(),
    text: fc.boolean(),
    invert: fc.boolean(),
    onlyMatching: fc.boolean(),
    filesWithoutMatch: fc.boolean(),
    context: fc.nat(2),
    column: fc.boolean(),
    maxLineLength: fc.constantFrom(0, 2),
    maxCount: fc.constantFrom(1, 2, 1000),
  });
  await assertHolds(
    context,
    fc.asyncProperty(someBytes, fc.array(fc.nat(40)), ways, async (bytes, cuts, way) => {
      await Deno.writeFile(tree.path("a.txt"), bytes);
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const stdin = () =>
        ReadableStream.from(ends.map((start, index) => bytes.slice(start, ends[index + 1])));
      const query: SearchQuery = { pattern: "fo+|^$", ...way };
      if (query.outputMode !== "file") delete query.filesWithoutMatch;
      const ofFile = await answer({ ...query, path: "a.txt" }, {});
      const ofStdin = await answer({ ...query, path: "-" }, { stdin });
      // Of what is no text further on, the first matches may be all that was asked for.
      const isNoText = ofFile.includes("was not searched") && !ofStdin.includes("was not searched");
      if (isNoText && (query.outputMode === "file" || query.maxCount! <= 2)) return;
      assert.equal(ofStdin, ofFile);
    }),
    { numRuns: 500 },
  );
});

Deno.test("only the first character of standard input is taken for a byte-order mark", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  for (const label of ["utf-8", "utf-16le", "utf-16be"]) {
    const bytes = (text: string) => encoded(text, label).slice(label === "utf-8" ? 0 : 2);
    const named = label === "utf-8" ? {} : { encoding: label };
    for (const text of [true, false]) {
      for (const first of ["\ufeff\n", "x\n"]) {
        const stdin = () => ReadableStream.from([first, "\ufeff\n", "\ufeff", "\n"].map(bytes));
        const query = { pattern: "x|^$", path: "-", ...named, text };
        const { matches } = await search(query, { workspace, stdin }) as ContentResult;
        assert.deepEqual(matches.map((match) => match.line_number), [1], `${label}, ${text}`);
      }
    }
  }
});

test.slow("entries of standard input are handed on as they come, and are those of the whole answer", async (context) => {
  await using tree = await tempTree({ "z.txt": "foo z\n" });
  const workspace = await Workspace.open(tree.root);
  const ways = fc.record({
    invert: fc.boolean(),
    onlyMatching: fc.boolean(),
    before: fc.nat(2),
    after: fc.nat(2),
    maxCount: fc.constantFrom(2, 1000),
    maxResults: fc.constantFrom(3, 1000),
    offset: fc.nat(2),
    sort: fc.constantFrom("path", "modified"),
  });
  const lines = fc.array(fc.constantFrom("foo", "foo fo", "bar", "", "\u00e9 fo"), {
    maxLength: 12,
  });
  await assertHolds(
    context,
    fc.asyncProperty(lines, fc.array(fc.nat(60)), ways, async (lines, cuts, way) => {
      const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const stdin = () =>
        ReadableStream.from(ends.map((start, index) => bytes.slice(start, ends[index + 1])));
      const query = {
        pattern: "fo+",
        path: ["z.txt", "-"],
        paths: "relative",
        onOverflow: "truncate",
        ...way,
      } as const;
      const whole = await search(query, { workspace, stdin });
      const entries: unknown[] = [];
      const rest = await search(query, {
        ...{ workspace, stdin },
        onFile: entryByEntry((entry) => entries.push(entry)),
      });
      assert.ok(whole.output_mode === "content");
      assert.deepEqual(entries, whole.matches);
      assert.deepEqual({ ...rest, matches: [] }, { ...whole, matches: [] });
    }),
    { numRuns: 300 },
  );
});

Deno.test("lines of standard input are passed on as they come, before an entry has all its context", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const shown: string[] = [];
  const atPauses: string[] = [];
  const pieces = ["1\n2 needle\n3\n", "4\n5 needle\n", "6\n7\n8\n"];
  const stdin = () => ReadableStream.from(pieces.map((text) => new TextEncoder().encode(text)));
  await search({ pattern: "needle", path: "-", before: 1, after: 2 }, {
    ...{ workspace, stdin },
    onFile: ({ lines = [] }) =>
      shown.push(...lines.map(({ text, kind = "match" }) => kind[0] + text)),
    onIdle: () => atPauses.push(shown.splice(0).join(" ")),
  });
  const passedOn = [...atPauses, shown.join(" ")].filter((text) => text !== "");
  assert.deepEqual(passedOn, ["c1 m2 needle c3", "c4 m5 needle", "c6 c7"]);
});

Deno.test("as many entries of standard input as there is room for come before the error of the cap", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const line = new TextEncoder().encode("foo\n");
  for (const pieces of [[1, 1, 1, 1, 1], [5], [2, 3], [4, 1]]) {
    const stdin = () =>
      ReadableStream.from(
        pieces.map((count) => new Uint8Array(Array(count).fill([...line]).flat())),
      );
    let entries = 0;
    const options = { workspace, stdin, onFile: entryByEntry(() => entries++) };
    await assert.rejects(search({ pattern: "foo", path: "-", maxResults: 3 }, options), {
      code: "search_too_broad",
    });
    assert.equal(entries, 3, `${pieces}`);
  }
});

Deno.test("matches in standard input before it turned out to be binary are reported", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const stdin = () =>
    ReadableStream.from(["foo\n", "bar\n", "a\0b\n"].map((text) => new TextEncoder().encode(text)));
  const entries: unknown[] = [];
  const result = await search({ pattern: "foo", path: "-" }, {
    ...{ workspace, stdin },
    onFile: entryByEntry((entry) => entries.push(entry)),
  });
  assert.equal(entries.length, 1);
  assert.equal(result.count, 1);
  assert.deepEqual(result.notes, [
    '(stdin) was searched only in part: it is binary (it contains a NUL byte); pass {"text":true}',
  ]);
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

Deno.test("standard input that is UTF-8 is not said to be in the encoding given for what is not", async () => {
  await using t = await tempTree({});
  const entry = async (stdin: Uint8Array) => {
    const { stdout } = await pathgrep(["needle", "-", "--encoding", "windows-1252"], {
      cwd: t.root,
      stdin,
    });
    return JSON.parse(stdout).matches[0];
  };
  assert.equal((await entry(encode("café needle\n"))).encoding, undefined);
  const legacy = await entry(Uint8Array.of(0xe9, ...encode(" needle\n")));
  assert.deepEqual([legacy.line, legacy.encoding], ["é needle", "windows-1252"]);
});
