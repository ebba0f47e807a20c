/** What is kept of directories holds for the options and the ignore rules of each search anew. */
import assert from "node:assert/strict";
import { search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const CACHES = ["verified", "watched"] as const;
const QUERY = { pattern: "needle", outputMode: "file", paths: "relative" } as const;

for (const cache of CACHES) {
  test.slow(`a searcher that is ${cache} answers each of many queries as a new search does`, async () => {
    const files = [
      "a.txt",
      "b.ts",
      ".hidden/c.txt",
      "x/d.txt",
      "x/e.ts",
      "x/y/f.txt",
      "x/y/g.log",
      "x/y/h.txt",
    ];
    await using tree = await tempTree({
      ...Object.fromEntries(files.map((file) => [file, "needle\n"])),
      ".gitignore": "*.log\n",
      "x/.ignore": "f.txt\n",
    });
    const workspace = await Workspace.open(tree.root);
    await ticked();
    await using searcher = new QuickSearcher({ workspace, cache });
    const queries: Partial<SearchQuery>[] = [
      {},
      { hidden: false },
      { ignore: false },
      { include: "*.ts" },
      { exclude: "d.txt" },
      { maxDepth: 1 },
      { maxDepth: 2 },
      { path: "x" },
      { path: "x", maxDepth: 1 },
      { path: ["x/y", "."] },
      { type: "ts" },
      { deny: ["x"] },
    ];
    const answers = new Set<string>();
    for (const query of [...queries, ...queries.toReversed(), ...queries]) {
      const fresh = await search({ ...QUERY, ...query }, { workspace });
      const kept = await searcher.search({ ...QUERY, ...query });
      assert.deepEqual(kept, fresh, JSON.stringify(query));
      answers.add(JSON.stringify("files" in fresh && fresh.files));
    }
    assert.ok(answers.size > 7, "the queries do not tell options apart");
  });

  Deno.test(`a searcher that is ${cache} follows ignore files that are rewritten in place`, async () => {
    const ruleFiles = [".gitignore", ".ignore", ".git/info/exclude", "x/.gitignore", "x/y/.ignore"];
    await using tree = await tempTree({
      "x/y/1.txt": "needle\n",
      "x/y/2.txt": "needle\n",
      ...Object.fromEntries(ruleFiles.map((file) => [file, "9.txt\n"])),
    });
    const workspace = await Workspace.open(tree.root);
    await ticked();
    await using searcher = new QuickSearcher({ workspace, cache });
    const found = async () => {
      const answer = await searcher.search(QUERY);
      return "files" in answer && answer.files;
    };
    for (const file of ruleFiles) {
      for (let run = 0; run < 2; run++) assert.deepEqual(await found(), ["x/y/1.txt", "x/y/2.txt"]);
      await Deno.writeTextFile(tree.path(file), "1.txt\n");
      for (let run = 0; run < 2; run++) assert.deepEqual(await found(), ["x/y/2.txt"], file);
      await Deno.writeTextFile(tree.path(file), "2.txt\n");
      assert.deepEqual(await found(), ["x/y/1.txt"], file);
      await Deno.writeTextFile(tree.path(file), "9.txt\n");
    }
  });
}

Deno.test("a directory that may still change within the same time of change is not trusted", async () => {
  await using tree = await tempTree({ "d/a.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const count = async () => (await searcher.search({ ...QUERY, path: "d" })).count;
  const touch = () => Deno.utime(tree.path("d"), 4_000_000_000, 4_000_000_000);
  await touch();
  assert.equal(await count(), 1);
  for (let files = 2; files < 8; files++) {
    await tree.write({ [`d/${files}.txt`]: "needle\n" });
    await touch(); // as if it had not changed: Deno tells the time of change in whole seconds
    assert.equal(await count(), files);
  }
});
