/** What the index passes over is what a full search passes over, and costs no answer. */
import assert from "node:assert/strict";
import { type ContentResult, search, type SearchQuery, Workspace } from "../../mod.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const FILES = 240;
const utf16 = (text: string) => {
  const units = Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0));
  return new Uint8Array(units.buffer);
};

test.slow("answers and stats with an index are those of a search that reads every file", async () => {
  await using tree = await tempTree(Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [
      `d${index % 7}/${index}.txt`,
      `const step${index} = "TaskKey";\n${index % 9 === 0 ? "A needle, 世界\nin two\n" : "hay\n"}`,
    ]),
  ));
  await tree.write({ "large.txt": "a needle\n".repeat(150_000), "Kelvin.txt": "a \u212aey\n" });
  await Deno.writeFile(tree.path("utf16.txt"), utf16("a needle\n"));
  await Deno.writeFile(tree.path("latin1.txt"), new Uint8Array([0x61, 0xe9, 0x62, 0x63, 10]));
  await Deno.writeFile(tree.path("binary"), new TextEncoder().encode("a needle\0\n"));
  const workspace = await Workspace.open(tree.root);
  await ticked();
  const queries: SearchQuery[] = [
    { pattern: "needle" },
    { pattern: "NEEDLE", caseInsensitive: true },
    { pattern: "taskkey|a key", caseInsensitive: true },
    { pattern: "step[0-4]+\\b" },
    { pattern: "needle", wholeWord: true, maxFileSize: 100 },
    { pattern: "needle", invert: true },
    { pattern: "needle", filesWithoutMatch: true, outputMode: "file" },
    { pattern: "needle.*\\nin", multiline: true },
    { pattern: ["zebra", "世界", "hay"] },
    { pattern: "aébc", encoding: "latin1" },
    { pattern: "nowhere" },
    { pattern: "ay" },
  ];
  const asked = queries.map((query) => ({
    ...query,
    maxResults: 10_000,
    explain: "never",
    stats: true,
  } as const));
  const plain = ({ stats, ...answer }: ContentResult) => {
    const { elapsed_ms: _, threads: __, ...counts } = stats as unknown as Record<string, unknown>;
    return { ...answer, counts };
  };
  const expected = await Promise.all(asked.map((query) => search(query, { workspace })));
  for (const cache of ["verified", "watched"] as const) {
    await using searcher = new QuickSearcher({ workspace, cache });
    for (let run = 0; run < 3; run++) {
      for (const [index, query] of asked.entries()) {
        const answer = await searcher.search(query) as ContentResult;
        assert.deepEqual(
          plain(answer),
          plain(expected[index] as ContentResult),
          `${cache}, ${JSON.stringify(query)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 40)); // in which it is built
    }
  }
});
