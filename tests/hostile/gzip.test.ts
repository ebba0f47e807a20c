/**
 * Gzip files that are made to take all there is: they are searched up to their limits, in bounded memory, and a
 * search ends in the middle of them. Whatever they hold, no search fails.
 */
import assert from "node:assert/strict";
import { PathgrepError, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { bombOf, bytesOf, gzipOf, joined } from "../support/gzip.ts";
import { CHECKOUT } from "../support/run.ts";
import { assertSoon, withTimeFor } from "../support/soon.ts";
import { settled, tempTree } from "../support/tree.ts";
import { test, testNeeding } from "../support/needs.ts";

/** Resident bytes of any search, as SECURITY.md states them. */
const BOUND = 256 << 20;

/** A hundred times 64 MB of blanks and lines: a member is a thousandth of that. */
function bomb(): Uint8Array {
  const one = bombOf(64);
  return joined(...Array.from({ length: 100 }, () => one), gzipOf("needle\n"));
}

testNeeding("linux").slow("a bomb is searched up to 64 MB, in bounded memory", async () => {
  await using tree = await tempTree({ "bomb.gz": bomb(), "twice.gz": gzipOf(bomb()) });
  for (
    const args of [["needle", "-uuu"], ["^", "-uuuc", "--max-results", "0"], ["(?s)x$", "-uuuU"]]
  ) {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "--no-check", `${CHECKOUT}tests/hostile/measured_cli.ts`],
        ...["--workspace", tree.root, "--stats", "--format", "json", ...args],
      ],
    }).output();
    const { stats: { skipped }, notes } = JSON.parse(new TextDecoder().decode(stdout));
    assert.deepEqual([skipped.too_large, skipped.archives], [1, 1]);
    assert.match(String(notes), /unpacks to too much and was searched only in part: bomb\.gz/);
    const peak = Number(new TextDecoder().decode(stderr).trimEnd().split("\n").pop());
    // A match that may span lines needs all of the text at once.
    const bound = args[1] === "-uuuU" ? 3 * BOUND : BOUND;
    assert.ok(peak > 0 && peak < bound, `${args}: ${peak} bytes`);
  }
});

test.slow("a cancelled search ends within a gzip file, and so does one that is out of time", async () => {
  const entries = Array.from({ length: 40 }, (_, at) => [`${at}.gz`, bombOf(16)] as const);
  await using tree = await tempTree(Object.fromEntries(entries));
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  const query: SearchQuery = { pattern: "absent", everything: true, explain: false };
  const started = performance.now();
  const thrown = async (run: Promise<unknown>) =>
    await run.then(() => undefined, (error) => PathgrepError.from(error).code);
  for (const after of [1, 30, 100]) {
    const ender = new AbortController();
    const timer = setTimeout(() => ender.abort(), after);
    assert.equal(await thrown(searcher.search(query, { signal: ender.signal })), "cancelled");
    clearTimeout(timer);
  }
  await withTimeFor(async (timeout) => {
    assert.equal(await thrown(search({ ...query, timeout }, { workspace })), "search_timed_out");
  }, 50);
  assertSoon(started);
});

Deno.test("a file that grows, shrinks or is replaced while it is unpacked fails no search", async () => {
  const text = "needle of words\n".repeat(200_000);
  await using tree = await tempTree({ "a.gz": gzipOf(text), "b.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const writer = (async () => {
    for (let round = 0; round < 20; round++) {
      await Deno.writeFile(tree.path("a.gz"), gzipOf("needle\n"), { append: round % 3 === 0 });
      await Deno.truncate(tree.path("a.gz"), 100 + round);
      await Deno.writeFile(tree.path("a.gz"), gzipOf(text.slice(round)));
    }
  })();
  for (let round = 0; round < 10; round++) {
    const query = { pattern: "needle", everything: true, outputMode: "count" } as const;
    const { counts } = await search({ ...query, maxResults: 0 }, { workspace });
    assert.ok(counts.some(({ file }) => file.endsWith("b.txt")));
  }
  await writer;
});

Deno.test("headers of every kind that promise what is not there are searched on every engine", async () => {
  const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  const withFlags = (flags: number) => head.with(3, flags);
  await using tree = await tempTree({
    "head.gz": head,
    "extra.gz": joined(withFlags(4), Uint8Array.of(0xff, 0xff, 1)),
    "name.gz": joined(withFlags(8), new Uint8Array(3 << 20).fill(65)),
    "reserved.gz": withFlags(0x20),
    "block.gz": joined(head, Uint8Array.of(7)),
    "distance.gz": joined(head, Uint8Array.of(0x63, 0x60, 0x00, 0x42, 0xff)),
    "good.gz": gzipOf("needle\n"),
  });
  const query: SearchQuery = { pattern: "needle", everything: true, outputMode: "file" };
  const { files } = await sameAnswer(tree.root, { ...query, paths: "relative" }) as {
    files: string[];
  };
  assert.deepEqual(files, ["good.gz"]);
});

test.slow("searches in parallel each see their own text", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `F${at}`);
  const textOf = (name: string) =>
    Array.from({ length: 60_000 }, (_, line) => `${name} needle ${line}\n`).join("");
  await using tree = await tempTree(
    Object.fromEntries(names.map((name) => [`${name}.gz`, gzipOf(bytesOf(textOf(name)), 1)])),
  );
  await settled();
  const workspace = await Workspace.open(tree.root);
  for (const cache of ["none", "verified"] as const) {
    await using searcher = new Searcher({ workspace, cache });
    for (let round = 0; round < 2; round++) {
      await Promise.all(names.map(async (name, at) => {
        const pattern = at % 2 === 0 ? `^${name} needle` : "needle 5\\d*$";
        const path = at % 3 === 0 ? `${name}.gz` : undefined;
        const query = { pattern, path, everything: true, maxResults: 0 } as const;
        const { matches } = await searcher.search(query);
        for (const { file, line, line_number } of matches) {
          assert.equal(line, `${file.slice(tree.root.length + 1, -3)} needle ${line_number - 1}`);
        }
        const each = at % 2 === 0 ? 60_000 : 11_111;
        assert.equal(matches.length, at % 2 === 0 || path !== undefined ? each : 12 * each);
      }));
    }
  }
});
