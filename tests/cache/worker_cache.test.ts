/** What a search has looked at is trusted by later ones once it is proven, and where nothing changed. */
import assert from "node:assert/strict";
import { ListingCache } from "../../src/cache/listing_cache.ts";
import { type CacheUse, WorkerCache } from "../../src/cache/worker_cache.ts";
import { readEntries } from "../../src/walk/rule_sources.ts";
import type { WalkFinding } from "../../src/walk/provisional.ts";
import { identityOf } from "../../src/workspace/verification.ts";
import { ticked } from "../support/quick_cache.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** A directory with two files, and a cache for what is read of it. */
async function begun(): Promise<{ tree: Tree; cache: WorkerCache; roots: Roots }> {
  const tree = await tempTree({ a: "a\n", b: "b\n" });
  const identities = [identityOf(await Deno.lstat(tree.root))];
  return {
    tree,
    cache: new WorkerCache(1 << 16),
    roots: { allowedRoots: [tree.root], identities },
  };
}

type Roots = { allowedRoots: string[]; identities: (string | undefined)[] };

const NAMES = ["a", "b"];

/** Milliseconds after which a change shows. */
const LATER = 2000;

/** Reads a file, as a search does that comes later. */
function read({ files, trust }: CacheUse, tree: Tree, index: number): void {
  files.enter(tree.root, NAMES, trust);
  const info = Deno.lstatSync(tree.path(NAMES[index]!));
  const bytes = Deno.readFileSync(tree.path(NAMES[index]!));
  const kind = { isAscii: true, isUtf8: true, hasNul: false };
  files.put(index, info, Date.now() + LATER, { size: info.size, kind, skip: undefined }, bytes);
}

/** Which files need no check. */
function trusted({ files, trust }: CacheUse, tree: Tree): number[] {
  files.enter(tree.root, NAMES, trust);
  return [0, 1].filter((index) => files.getTrusted(index) !== undefined);
}

Deno.test("a file is trusted from the end of the search that read it", async () => {
  const { tree, cache, roots } = await begun();
  await using _ = tree;
  const trust = { epoch: 5, changes: [] };
  {
    using use = cache.begin(trust, roots);
    read(use, tree, 0);
    assert.deepEqual(trusted(use, tree), []);
  }
  using use = cache.begin(trust, roots);
  assert.deepEqual(trusted(use, tree), [0]);
});

Deno.test("a file is not trusted if something changed in its directory while it was read", async () => {
  const { tree, cache, roots } = await begun();
  await using _ = tree;
  const trust = { epoch: 5, changes: [] };
  {
    using use = cache.begin(trust, roots);
    read(use, tree, 0);
    await Deno.rename(tree.path("b"), tree.path("a"));
  }
  using use = cache.begin(trust, roots);
  assert.deepEqual(trusted(use, tree), []);
});

Deno.test("what is read while another search hears of a change is not trusted", async () => {
  const { tree, cache, roots } = await begun();
  await using _ = tree;
  const changed = { epoch: 5, changes: [tree.path("b")] };
  {
    using first = cache.begin({ epoch: 5, changes: [] }, roots);
    {
      using second = cache.begin(changed, roots);
      read(second, tree, 0);
    }
    read(first, tree, 1); // perhaps opened before the change
  }
  {
    using use = cache.begin(changed, roots);
    assert.deepEqual(trusted(use, tree), []);
    assert.ok(use.files.get(0, Deno.lstatSync(tree.path("a"))), "it is kept, and checked");
  }
  using use = cache.begin(changed, roots);
  assert.deepEqual(trusted(use, tree), [0]);
});

Deno.test("searches under way together trust and gain what each of them may", async () => {
  const { tree, cache, roots } = await begun();
  await using _ = tree;
  const trust = { epoch: 5, changes: [] };
  {
    using use = cache.begin(trust, roots);
    read(use, tree, 0);
  }
  {
    using checking = cache.begin(undefined, roots); // of what nobody watches, too
    using trusting = cache.begin(trust, roots);
    assert.deepEqual(trusted(checking, tree), []);
    assert.deepEqual(trusted(trusting, tree), [0]);
    assert.deepEqual([checking.listings.epoch, trusting.listings.epoch], [0, 5]);
    read(checking, tree, 1);
  }
  using use = cache.begin(trust, roots);
  assert.deepEqual(
    trusted(use, tree),
    [0],
    "what a search checks that trusts nothing is not trusted",
  );
});

Deno.test("a listing is used again once it is proven to be that of the directory", async () => {
  const { tree } = await begun();
  await using _ = tree;
  await ticked();
  const findings: WalkFinding[] = [];
  const cache = new ListingCache(100_000, 0);
  const trust = {
    epoch: 0,
    gained: 0,
    findings: { add: (finding: WalkFinding) => void findings.push(finding) },
  };
  let listed = 0;
  const entries = () =>
    cache.seenBy(trust).entriesOf(tree.root, () => {
      listed++;
      return readEntries(tree.root);
    });
  entries();
  entries();
  assert.equal(listed, 2, "it is not proven yet");
  for (const { reject } of findings.splice(0)) reject();
  entries();
  assert.equal(listed, 3, "it was not of this directory");
  for (const { accept } of findings.splice(0)) accept();
  entries();
  assert.equal(listed, 3);
});
