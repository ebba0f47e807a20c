/**
 * The parts of a search, each on its own, so that a regression is found where it is:
 * `deno bench -A tests/bench`.
 *
 * @module
 */

import { Glob } from "../../src/glob/glob.ts";
import { ByteMemory } from "../../src/scan/byte_memory.ts";
import { ByteSearch } from "../../src/scan/byte_search.ts";
import { PatternMatcher } from "../../src/regex/matcher.ts";
import { decodeUtf8 } from "../../src/scan/decoder.ts";
import { MAX_BYTES } from "../../src/scan/read_buffer.ts";
import { IgnoreRules } from "../../src/glob/ignore_rules.ts";
import { Walker } from "../../src/scan/walker.ts";
import { search as searchFiles, Workspace } from "../../mod.ts";
import { ENDLESS } from "../../src/util/pulse.ts";
import { plan } from "../regex/support.ts";
import { generatedTree } from "./trees.ts";

const tree = await generatedTree(12_500);
const source = await Deno.readTextFile(new URL("../../src/regex/parser.ts", import.meta.url));
const text = source.repeat(20);
const bytes = new TextEncoder().encode(text.replace(/[^\0-\x7f]/g, "?"));
const paths = Array.from({ length: 10_000 }, (_, index) => `src/p${index % 90}/file${index}.ts`);

const planOf = (pattern: string) => plan(pattern).plan;

Deno.bench("walk 12,500 files", () => {
  const walker = new Walker({
    bases: [tree.path],
    named: [],
    mayRepeat: false,
    allowedRoots: [tree.path],
    identities: [undefined],
    policy: { roots: [tree.path], allow: [], deny: [] },
    filter: { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] },
    ignore: true,
    hidden: true,
    follow: false,
    maxDepth: Infinity,
  });
  const pending = walker.start();
  while (pending.length > 0) {
    pending.push(...walker.list(pending.pop()!).directories);
  }
});

const gitignore =
  "*.log\nnode_modules/\n/build\n!keep.log\n**/*.min.js\n.cache/\n*.tmp\ndist/**/a\n";
const rules = IgnoreRules.NONE.extend("", { ".gitignore": gitignore });

Deno.bench("ignore rules on 10,000 paths", () => {
  for (const path of paths) rules.ignores(path, path.slice(path.lastIndexOf("/") + 1), false);
});

const glob = Glob.parse("src/**/{file,part}*[0-9].{ts,tsx}");

Deno.bench("a glob on 10,000 paths", () => {
  for (const path of paths) glob.matches(path);
});

Deno.bench("decode text and look for another in it", { group: "text", baseline: true }, () => {
  if (decodeUtf8(bytes, true).includes("isPlainObject")) throw new Error("not this text");
});

const memory = ByteMemory.create(MAX_BYTES)!;
const search = new ByteSearch(planOf("isPlainObject").prefilter, memory);

Deno.bench("look at bytes instead", { group: "text" }, () => {
  memory.bytes.set(bytes);
  search.mayMatch(bytes.length, search.classify(bytes.length));
});

for (const pattern of ["isPlainObject", "[a-z]+Sync\\(", "^export default ", "\\w+\\s+\\w+Error"]) {
  const matcher = new PatternMatcher(planOf(pattern), ENDLESS);
  Deno.bench(`find lines: ${pattern}`, { group: "matcher" }, () => {
    matcher.open(text);
    for (let at = 0; (at = matcher.findLine(at)) !== -1;) {
      at = text.indexOf("\n", at) + 1 || Infinity;
    }
    matcher.close();
  });
}

Deno.bench("plan a pattern", () => {
  planOf("^(?:export )?(?:async )?function\\s+\\w+Error\\b");
});

const workspace = await Workspace.open(tree.path);
const reasons = { group: "reasons of an empty answer" };
const ask = async (pattern: string, explain: boolean) => {
  await searchFiles({ pattern, explain, outputMode: "count", maxResults: 0 }, { workspace });
};

Deno.bench("an empty search", { ...reasons, baseline: true }, () => ask("zqxjkv", false));
Deno.bench("an empty search, and why", reasons, () => ask("zqxjkv", true));
Deno.bench("a search that finds something", reasons, () => ask("export", false));
Deno.bench("the same, asked why if it were empty", reasons, () => ask("export", true));
