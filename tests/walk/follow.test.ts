/** Links that are followed: levels, ignore rules and globs where they lead. */
import assert from "node:assert/strict";
import { type FileResult, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { assertSoon } from "../support/soon.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { memoryTree, tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

Deno.test("a directory that a link reaches by a longer way keeps its own levels", async () => {
  await using tree = await tempTree({
    "p1/x/y/l": { symlink: "../../../p2" },
    "p2/x/y/l": { symlink: "../../../p1" },
    "p1/sub/deep.txt": "foo\n",
    "p2/sub/deep.txt": "foo\n",
  });
  const workspace = await Workspace.open(tree.root);
  for (let maxDepth = 3; maxDepth < 9; maxDepth++) {
    const query = { pattern: "foo", outputMode: "file", follow: true, maxDepth } as const;
    const { files } = await search({ ...query, paths: "relative" }, { workspace }) as FileResult;
    assert.deepEqual(files, ["p1/sub/deep.txt", "p2/sub/deep.txt"], `depth ${maxDepth}`);
  }
});

/** The files that a search of `a` finds by links, by itself and by a searcher that keeps what it has read. */
async function followed(tree: Tree, query: Partial<SearchQuery>, roots = ["."]) {
  const workspace = await Workspace.open(roots.map((root) => tree.path(root)));
  const asked: SearchQuery = {
    ...{ pattern: "foo", path: "a", outputMode: "file", follow: true, paths: "relative" },
    ...query,
  };
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const answers: string[][] = [];
  for (let time = 0; time < 2; time++) {
    for (const asking of [search(asked, { workspace }), searcher.search(asked)]) {
      answers.push([...(await asking as FileResult).files]);
    }
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  return answers[0];
}

Deno.test("what a link leads to is under the ignore rules of where it lies, and no others", async () => {
  await using tree = await tempTree({
    ".gitignore": "*.log\n",
    "a/.gitignore": "/x.txt\nsub/\n*.md\n",
    "a/l": { symlink: "../b" },
    "a/ll": { symlink: "../bb" },
    "a/x.txt": "foo\n",
    "b/x.txt": "foo\n",
    "b/sub/.gitignore": "/y.txt\n",
    "b/sub/y.txt": "foo\n",
    "b/sub/z.txt": "foo\n",
    "b/a.log": "foo\n",
    "bb/.gitignore": "/b/x.txt\n",
    "bb/x.txt": "foo\n",
    "bb/b/x.txt": "foo\n",
    "bb/c.md": "foo\n",
  });
  assert.deepEqual(await followed(tree, {}), ["b/sub/z.txt", "b/x.txt", "bb/c.md", "bb/x.txt"]);
  assert.deepEqual(await followed(tree, { path: ["a", "b", "bb"] }), await followed(tree, {}));
});

test.slow("threads that share what a link leads to know its rules and the way to it", async () => {
  const directories = Object.fromEntries(
    Array.from({ length: 600 }, (_, index): [string, string][] => [
      [`b/${index % 7}/${index}/deep/x.txt`, "foo\n"],
      [`b/${index % 7}/${index}/deep/y.txt`, "foo\n"],
    ]).flat(),
  );
  await using tree = await tempTree({
    ...directories,
    "b/3/.gitignore": "x.txt\n",
    "a/.gitignore": "y.txt\n",
    "a/l": { symlink: "../b" },
  });
  const query = { outputMode: "count", maxResults: 5000, include: "l/*/*/deep/*" } as const;
  const workspace = await Workspace.open(tree.root);
  const asked = { pattern: "foo", path: "a", follow: true, explain: "never", ...query } as const;
  const hidden = Array.from({ length: 600 }, (_, index) => index).filter((index) =>
    index % 7 === 3
  );
  for (let run = 0; run < 5; run++) {
    assert.equal((await search(asked, { workspace })).count, 1200 - hidden.length);
  }
});

Deno.test("a link from one root into another is under the rules of that one", async () => {
  await using tree = await tempTree({
    "A/l": { symlink: "../B/d" },
    "B/.gitignore": "/d/c.txt\n",
    "B/d/.gitignore": "*.log\n/e/d.txt\n",
    "B/d/a.log": "foo\n",
    "B/d/c.txt": "foo\n",
    "B/d/e/b.log": "foo\n",
    "B/d/e/d.txt": "foo\n",
    "B/d/ok": "foo\n",
  });
  for (const path of [["A"], ["B"], []]) {
    const absolute = path.map((name) => tree.path(name));
    const files = await followed(tree, { path: absolute, paths: "absolute" }, ["A", "B"]);
    assert.deepEqual(files, [tree.path("B/d/ok")]);
  }
});

test.slow("globs with a slash see what a link leads to below the link", async () => {
  await using tree = await tempTree({
    "a/l": { symlink: "../b" },
    "a/in": { symlink: "own" },
    "a/own/t/x.txt": "foo\n",
    "b/s/t/x.txt": "foo\n",
    "b/s/x.txt": "foo\n",
  });
  const own = "a/own/t/x.txt";
  const globs: [Partial<SearchQuery>, string[]][] = [
    [{ include: "**/t/x.txt" }, [own, "b/s/t/x.txt"]],
    [{ exclude: "**/t/x.txt" }, ["b/s/x.txt"]],
    [{ include: "l/**" }, ["b/s/t/x.txt", "b/s/x.txt"]],
    [{ include: "**/s/x.txt" }, ["b/s/x.txt"]],
    [{ exclude: "l/s/t" }, [own, "b/s/x.txt"]],
    [{ include: "own/**" }, [own]],
    [{ include: "*.txt" }, [own, "b/s/t/x.txt", "b/s/x.txt"]],
  ];
  for (const [query, files] of globs) {
    assert.deepEqual(await followed(tree, query), files, JSON.stringify(query));
  }
});

Deno.test("a cached listing is matched against globs by the way that led there this time", async () => {
  await using tree = await tempTree({ "a/l": { symlink: "../b" }, "b/x.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  await using searcher = new QuickSearcher({ workspace, cache: "verified" });
  const query = { pattern: "foo", path: "a", include: "l/**", follow: true } as const;
  await ticked();
  for (let time = 0; time < 3; time++) assert.equal((await searcher.search(query)).count, 1);
  await Deno.rename(tree.path("a/l"), tree.path("a/k"));
  assert.equal((await searcher.search(query)).count, 0);
});

test.slow("a directory that several links lead to is searched once, by the first of their names", async () => {
  await using tree = await tempTree({
    "a/one/l": { symlink: "../../b" },
    "a/two/l": { symlink: "../../b" },
    "a/two/deep/l": { symlink: "../../../b/s" },
    "b/x.txt": "foo\n",
    "b/s/y.txt": "foo\n",
    "b/s/up": { symlink: ".." },
  });
  const [x, y] = ["b/x.txt", "b/s/y.txt"];
  const globs: [Partial<SearchQuery>, string[]][] = [
    [{ include: "**/one/**" }, [y, x]],
    [{ include: "**/two/**" }, []],
    // A glob that excludes the first way leaves the next one.
    [{ include: "two/l/x.txt" }, [x]],
    [{ include: "two/deep/l/*" }, [y]],
    [{ exclude: "one" }, [y, x]],
    [{ exclude: "one/l/x.txt" }, [y]],
    [{ include: "**/one/**", maxDepth: 3 }, [x]],
    [{ include: "*.txt" }, [y, x]],
  ];
  for (const [query, files] of globs) {
    assert.deepEqual(await followed(tree, query), files, JSON.stringify(query));
  }
});

test.slow("links that double the ways at each step do not slow a walk down", async () => {
  const steps = Array.from({ length: 25 }, (_, step) => [
    [`s${step}/one`, { symlink: `../s${step + 1}` }],
    [`s${step}/two`, { symlink: `../s${step + 1}` }],
  ]).flat();
  await using tree = await tempTree({
    ...Object.fromEntries(steps),
    "a/l": { symlink: "../s0" },
    "a/before/none/y.txt": "foo\n",
    "a/z/none/y.txt": "foo\n",
    "s25/x.txt": "foo\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", path: "a", follow: true, paths: "relative" } as const;
  const { count, notes = [] } = await search({ ...query, include: "**/*.txt" }, { workspace });
  assert.equal(count, 3);
  assert.deepEqual(notes, []);
  // What no link leads to is not held up by what links do.
  const none = await search(
    { ...query, include: "**/none/**", explain: "never" },
    { workspace },
  );
  assert.equal(none.count, 2);
  assert.deepEqual(none.notes, undefined);
});

test.slow("links that lead to each other end, with a glob of paths too", async () => {
  await using tree = await tempTree({
    "a/l": { symlink: "../p1" },
    "p1/l": { symlink: "../p2" },
    "p2/l": { symlink: "../p1" },
    "p1/x.txt": "foo\n",
  });
  for (const include of ["**/l/x.txt", "l/x.txt", "l/l/../x.txt", "**/l/l/l/x.txt"]) {
    // `l/l/../x.txt` is `l/x.txt`, as in paths.
    const files = include.startsWith("**/l/l") ? [] : ["p1/x.txt"];
    assert.deepEqual(await followed(tree, { include, explain: "never" }), files, include);
  }
  await using other = await tempTree({
    "a/k": { symlink: "../b/sub" },
    "b/sub/up": { symlink: ".." },
    "b/x.txt": "foo\n",
  });
  for (const include of ["*/up/x.txt", "**/up/x.txt", "k/up/x.txt"]) {
    assert.deepEqual(await followed(other, { include }), ["b/x.txt"], include);
  }
});

test.slow("directories that all link to each other are listed once where no level counts", async () => {
  const count = 90;
  const entries: Record<string, string | { symlink: string }> = { "a/l": { symlink: "../p0" } };
  for (let from = 0; from < count; from++) {
    entries[`p${from}/x.txt`] = "foo\n";
    for (let to = 0; to < count; to++) {
      if (to !== from) entries[`p${from}/l${to}`] = { symlink: `../p${to}` };
    }
  }
  await using tree = await memoryTree(entries);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", path: "a", follow: true, outputMode: "file" } as const;
  const started = performance.now();
  assert.equal((await search(query, { workspace })).count, count);
  assertSoon(started);
});
