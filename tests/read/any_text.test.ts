/** Binary files, and files in no known encoding, are searched as text where that is asked for. */
import assert from "node:assert/strict";
import {
  type ContentResult,
  type FileResult,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { rgPath } from "../support/oracles.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const bytes = (latin: string) => Uint8Array.from(latin, (letter) => letter.charCodeAt(0));

const FILES = {
  "ascii.txt": "foo\n",
  "latin.txt": bytes("caf\xe9 foo\nfoo\n"),
  "marked.txt": bytes("\xff\xfef\0o\0o\0\n\0\0\0"),
  "nul.bin": bytes("a\0foo\n\nfoo\0\xff"),
  "utf8.bin": new TextEncoder().encode("\0 \u00e9 foo\r\n"),
};

const found = ({ matches }: ContentResult) =>
  matches.map(({ file, line_number, line }) => `${file}:${line_number}:${line}`);

test.slow("every engine searches binary files as text, and says nothing of them", async () => {
  await using tree = await tempTree(FILES);
  const ask = (query: Partial<SearchQuery>) =>
    sameAnswer(tree.root, { pattern: "foo", paths: "relative", text: true, ...query });
  const expected = [
    "ascii.txt:1:foo",
    "latin.txt:1:caf\ufffd foo",
    "latin.txt:2:foo",
    "marked.txt:1:foo",
    "nul.bin:1:a\0foo",
    "nul.bin:3:foo\0\ufffd",
    "utf8.bin:1:\0 \u00e9 foo",
  ];
  const all = await ask({}) as ContentResult;
  assert.deepEqual([found(all), all.notes], [expected, undefined]);
  const named = Object.keys(FILES);
  assert.deepEqual(found(await ask({ path: named }) as ContentResult), expected);
  const fixed = { fixedStrings: true, caseInsensitive: true, pattern: "FOO" };
  assert.deepEqual(found(await ask(fixed) as ContentResult), expected);
  assert.deepEqual(found(await ask({ pattern: "\\0f\\w+" }) as ContentResult), [expected[4]]);
  assert.deepEqual(found(await ask({ pattern: "\ufffd f" }) as ContentResult), [expected[1]]);
  const spanning = await ask({ pattern: "\\n\\n", multiline: true }) as ContentResult;
  assert.deepEqual(found(spanning).map((line) => line.slice(0, 9)), ["nul.bin:1"]);
  const without = await ask({ pattern: "a", outputMode: "file", filesWithoutMatch: true });
  assert.deepEqual((without as FileResult).files, ["ascii.txt", "marked.txt", "utf8.bin"]);
  const latin = await ask({ encoding: "windows-1252", path: ["latin.txt", "nul.bin"] });
  assert.deepEqual(found(latin as ContentResult), [
    "latin.txt:1:caf\u00e9 foo",
    "latin.txt:2:foo",
    "nul.bin:1:a\0foo",
    "nul.bin:3:foo\0\u00ff",
  ]);
});

Deno.test("ripgrep finds the same lines in binary files as text", async () => {
  await using tree = await tempTree(FILES);
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: ["--no-config", "--sort=path", "-anH", "foo"],
    cwd: tree.root,
    stdin: "null",
  }).output();
  const query: SearchQuery = { pattern: "foo", paths: "relative", text: true };
  const ours = found(await sameAnswer(tree.root, query) as ContentResult);
  // `TextDecoder` writes U+FFFD for a byte that is no character, as we do; ripgrep keeps `\r`.
  const theirs = new TextDecoder().decode(stdout).trimEnd().split(/\r?\n/);
  assert.deepEqual(theirs, ours);
});

test.slow("a large binary file is text from its first line to its last", async () => {
  const line = "\0\xe9 hay ".repeat(20) + "\n";
  const count = Math.ceil(3e6 / line.length);
  await using tree = await tempTree({
    "large.bin": bytes(`foo\n${line.repeat(count)}foo \xc3`),
    "late.bin": bytes(`foo\n${"x".repeat(99)}\n`.repeat(20_000) + "\xff\0foo"),
  });
  const query = { pattern: "foo", paths: "relative", text: true, maxResults: 0 } as const;
  const large = await sameAnswer(tree.root, { ...query, path: "large.bin" }) as ContentResult;
  assert.deepEqual(found(large), ["large.bin:1:foo", `large.bin:${count + 2}:foo \ufffd`]);
  const late = await sameAnswer(tree.root, { ...query, path: "late.bin" }) as ContentResult;
  assert.equal(late.count, 20_001);
});

Deno.test("a reused searcher takes a file for text only while that is requested", async () => {
  await using tree = await tempTree(FILES);
  await ticked();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new QuickSearcher({ workspace, cache: "verified" });
  const ask = async (text: boolean, pattern: string) => {
    const query = { pattern, text, stats: true };
    const { count, stats } = await searcher.search(query);
    return [count, stats!.files_searched, stats!.skipped];
  };
  const skipped = { binary: 2, not_utf8: 1 };
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await ask(true, "foo"), [7, 5, {}]);
    assert.deepEqual(await ask(false, "foo"), [2, 2, skipped]);
    assert.deepEqual(await ask(true, "absent"), [0, 5, {}]);
    assert.deepEqual(await ask(false, "absent"), [0, 2, skipped]);
  }
});

Deno.test("what stands for invalid bytes is found, and what a file of any bytes lacks is not", async () => {
  await using tree = await tempTree({
    "a.bin": bytes("x\0y\na\xffb needle k\n"),
    "b.bin": bytes("x\0y\nnothing \xe2\x84\xaa\n"),
  });
  const workspace = await Workspace.open(tree.root);
  for (
    const [pattern, query, count] of [
      ["a\ufffdb", {}, 1],
      ["a\ufffdb needle", { caseInsensitive: true }, 1],
      ["needle", {}, 1],
      ["NEEDLE k", { caseInsensitive: true }, 1],
      ["g k", { caseInsensitive: true }, 1], // the Kelvin sign
      ["thing k", { caseInsensitive: true }, 1],
      ["skip|kiss", { caseInsensitive: true }, 0],
      ["needle|nothing", {}, 2],
      ["needle", { invert: true }, 3],
      ["absent", {}, 0],
    ] as const
  ) {
    const answer = await search({ pattern, text: true, ...query }, { workspace });
    assert.equal(answer.count, count, pattern);
  }
});
