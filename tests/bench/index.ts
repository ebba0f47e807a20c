/**
 * The curve of the index: its size, the time to build it and a search with it, over 12,500 to 200,000
 * generated files and on npm packages. Writes it where the documentation shows it.
 *
 * @module
 */

import { Searcher, Workspace } from "../../mod.ts";
import { TrigramIndex } from "../../src/cache/trigram_index.ts";
import { publish } from "../support/publish.ts";
import { median } from "./measure.ts";
import { generatedTree, packageTree, type Tree } from "./trees.ts";

/** What the kept workers take to index 200,000 files, and more. */
const BUILD_MS = 20_000;
const PAIRS = 9;

/** The bytes and milliseconds of one thread's index of all files that are searched. */
async function built({ path }: Tree): Promise<{ text: number; bytes: number; ms: number }> {
  const index = new TrigramIndex(1 << 30);
  let [text, ms] = [0, 0];
  const timed = (action: () => void) => {
    const start = performance.now();
    action();
    ms += performance.now() - start;
  };
  const sort = () => {
    for (const _ of index.sort());
  };
  const directories = [path];
  for (let directory; (directory = directories.pop()) !== undefined;) {
    for await (const { name, isFile, isDirectory } of Deno.readDir(directory)) {
      if (isDirectory) directories.push(`${directory}/${name}`);
      if (!isFile) continue;
      const bytes = Deno.readFileSync(`${directory}/${name}`);
      if (bytes.length > 1 << 20 || bytes.includes(0)) continue;
      text += bytes.length;
      timed(() => index.add(bytes));
      if (index.isFull) timed(sort);
    }
  }
  timed(sort);
  return { text, bytes: index.bytes, ms };
}

/** Milliseconds of a watched search without and with the index. */
async function searched({ path }: Tree, pattern: string): Promise<[number, number]> {
  const workspace = await Workspace.open(path);
  await using searcher = new Searcher({ workspace, cache: "watched" });
  const time = async () => {
    const start = performance.now();
    await searcher.search({ pattern, explain: "never", maxResults: 1000 });
    return performance.now() - start;
  };
  await time();
  const before = await time();
  await new Promise((resolve) => setTimeout(resolve, BUILD_MS));
  const times: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) times.push(await time());
  return [before, median(times)];
}

const rows = [
  "| files | MB of text | MB of index | share | built in s | second search, ms | with the index, ms |",
  "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
];
const generated = [12_500, 25_000, 50_000, 100_000, 200_000].map((files) => () =>
  generatedTree(files)
);
for (const make of [...generated, () => packageTree("large"), () => packageTree("huge")]) {
  const tree = await make();
  const { text, bytes, ms } = await built(tree);
  const [before, after] = await searched(tree, "isPlainObject");
  const share = `${(bytes / text * 100).toFixed(0)} %`;
  const [textMb, indexMb] = [text, bytes].map((size) => (size / 1e6).toFixed(1));
  const name = tree.name.startsWith("packages") ? `${tree.files} of npm packages` : tree.files;
  const figures = [name, textMb, indexMb, share, (ms / 1000).toFixed(1)];
  rows.push(`| ${[...figures, before.toFixed(0), after.toFixed(0)].join(" | ")} |`);
  console.log(rows.at(-1));
}
await publish("docs/performance.md", "index", rows.join("\n"));
