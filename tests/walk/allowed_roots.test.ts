/** What a walk takes in: nothing from outside, nothing blocked, nothing twice, nothing that hangs. */
import assert from "node:assert/strict";
import { listFiles, search, type SearchQuery, Workspace } from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** The files that a listing names, and those that a search reads, which must be the same. */
async function taken(t: Tree, query: Partial<SearchQuery> = {}): Promise<string[]> {
  const workspace = await Workspace.open(t.root);
  const limits = { paths: "relative", timeout: 5000, ...query } as const;
  const { files } = await listFiles(limits, { workspace });
  const found = await search({ pattern: "needle", outputMode: "file", ...limits }, { workspace });
  assert.deepEqual("files" in found ? found.files : [], files);
  return files;
}

async function mkfifo(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(success);
}

const TEXT = "needle\n";

Deno.test("blocked names, pipes and links are passed over", async () => {
  await using t = await tempTree({
    "a.txt": TEXT,
    ".env": TEXT,
    "sub/id_rsa": TEXT,
    "sub/b.txt": TEXT,
    "odd ": TEXT,
    "link": { symlink: "a.txt" },
    "../outside/c.txt": TEXT,
    "out": { symlink: "$BASE/outside" },
  });
  await mkfifo(t.path("sub/pipe"));
  assert.deepEqual(await taken(t), ["a.txt", "odd ", "sub/b.txt"]);
  const allowed = await taken(t, { allow: ["id_rsa"] });
  assert.deepEqual(allowed, ["a.txt", "odd ", "sub/b.txt", "sub/id_rsa"]);
  assert.deepEqual(await taken(t, { deny: ["sub"] }), ["a.txt", "odd "]);
  assert.deepEqual(await taken(t, { deny: ["sub/b.txt"] }), ["a.txt", "odd "]);
  assert.deepEqual(await taken(t, { include: "odd\\ " }), ["odd "]);
});

Deno.test("what is blocked in a root stays so where another root lies in it, whatever their order", async () => {
  await using t = await tempTree({ "a/k.txt": TEXT, ".ssh/k.txt": TEXT, "b/k.txt": TEXT });
  for (const [inner, deny] of [["a", ["a"]], ["a", [t.path("a")]], [".ssh", []]] as const) {
    for (const roots of [[t.root, t.path(inner)], [t.path(inner), t.root]]) {
      const workspace = await Workspace.open(roots);
      const { files, notes } = await listFiles({ deny: [...deny, "c"] }, { workspace });
      const left = ["a/k.txt", "b/k.txt"].filter((file) => !file.startsWith(`${inner}/`));
      assert.deepEqual(files, left.map((file) => t.path(file)), `${roots}`);
      assert.match(notes!.join("\n"), /was not searched: it is blocked in another root$/m);
      const path = t.path(`${inner}/k.txt`);
      const named = search({ pattern: "needle", path, deny }, { workspace });
      await assert.rejects(named, { code: "permission_denied_by_policy" });
    }
  }
});

Deno.test("the reasons of an empty answer reveal nothing of a root that is blocked in another", async () => {
  await using t = await tempTree({
    "d/f.txt": TEXT,
    "hay/h.txt": "",
    "hay/link": { symlink: "../d" },
  });
  for (
    const roots of [[t.root, t.path("d")], [t.path("d"), t.root], [
      t.path("d"),
      t.path("hay"),
      t.root,
    ]]
  ) {
    const workspace = await Workspace.open(roots);
    const query = { path: t.path("hay"), deny: ["d"], explain: true };
    const empty = await search({ pattern: "needle", ...query }, { workspace });
    const unlisted = await listFiles({ include: "f.txt", ...query }, { workspace });
    assert.deepEqual([empty.count, unlisted.count], [0, 0]);
    assert.doesNotMatch(`${empty.notes}${unlisted.notes}`, /d\/f|1 match|1 file,/, `${roots}`);
    const told = await search({ pattern: "needle", path: t.path("hay"), explain: true }, {
      workspace,
    });
    assert.match(`${told.notes}`, /1 match in \S*\bd\/f\.txt/);
  }
});

Deno.test("links that are followed lead nowhere outside, to nothing blocked, and to nothing twice", async () => {
  await using t = await tempTree({
    "a/f.txt": TEXT,
    ".env": TEXT,
    ".ssh/known": TEXT,
    "../outside/c.txt": TEXT,
    "b/out": { symlink: "$BASE/outside" },
    "b/file": { symlink: "$BASE/outside/c.txt" },
    "b/secret": { symlink: "../.env" },
    "b/keys": { symlink: "../.ssh" },
    "b/again": { symlink: "../a" },
    "b/once": { symlink: "../a/f.txt" },
    "b/up": { symlink: ".." },
    "b/loop": { symlink: "loop" },
  });
  assert.deepEqual(await taken(t, { follow: true }), ["a/f.txt"]);
  assert.deepEqual(await taken(t, { follow: true, path: "b" }), ["a/f.txt"]);
  // A way that is shorter may have been found after a longer one.
  await t.write({ "c/1/2/3/deep": { symlink: "../../../../d" }, "d/e/g.txt": TEXT });
  const deep = await taken(t, { follow: true, maxDepth: 3 });
  assert.deepEqual(deep, ["a/f.txt", "d/e/g.txt"]);
});

Deno.test("levels are counted from the directory that is searched", async () => {
  await using t = await tempTree({ "0": TEXT, "d/1": TEXT, "d/e/2": TEXT, "d/e/f/3": TEXT });
  const all = ["0", "d/1", "d/e/2", "d/e/f/3"];
  for (let maxDepth = 0; maxDepth <= 4; maxDepth++) {
    assert.deepEqual(await taken(t, { maxDepth }), all.slice(0, maxDepth));
  }
  assert.deepEqual(await taken(t, { maxDepth: 1, path: "d" }), ["d/1"]);
});

Deno.test("what is named and walked, or lies in two directories that are, is taken once", async () => {
  await using t = await tempTree({ "a/f.txt": TEXT, "a/b/g.txt": TEXT, "h.txt": TEXT });
  const all = ["a/b/g.txt", "a/f.txt", "h.txt"];
  for (
    const path of [
      [".", "a"],
      ["a", "."],
      ["a/b", ".", "a"],
      ["a/f.txt", "."],
      [".", "a/b/g.txt", "a/b"],
    ]
  ) {
    assert.deepEqual(await taken(t, { path }), all, `${path}`);
  }
  assert.deepEqual(await taken(t, { path: ["a", "a/b"], exclude: "/b" }), ["a/b/g.txt", "a/f.txt"]);
});

Deno.test("ignore files are read where they lie in the workspace, are files, and are not too long", async () => {
  await using t = await tempTree({
    "a.txt": TEXT,
    "b.txt": TEXT,
    "../outside/rules": "a.txt\n",
    "../outside/info/exclude": "b.txt\n",
    ".gitignore": { symlink: "$BASE/outside/rules" },
    ".git/info": { symlink: "$BASE/outside/info" },
    "sub/.git/info/": null,
    "sub/c.txt": TEXT,
    "long/.gitignore": `d.txt\n${"#".repeat(2 ** 17)}\n`,
    "long/d.txt": TEXT,
    "long/sub/h.txt": TEXT,
    "own/.gitignore": "e.txt\n",
    "own/e.txt": TEXT,
    "own/.git/info/exclude": "f.txt\n",
    "own/f.txt": TEXT,
    "own/g.txt": TEXT,
  });
  await mkfifo(t.path("sub/.git/info/exclude"));
  const workspace = await Workspace.open(t.root);
  const query = { paths: "relative", timeout: 5000, hidden: false } as const;
  const { files, notes } = await listFiles(query, { workspace });
  assert.deepEqual(files, [
    "a.txt",
    "b.txt",
    "long/d.txt",
    "long/sub/h.txt",
    "own/g.txt",
    "sub/c.txt",
  ]);
  assert.equal(notes?.length, 1);
  assert.match(notes[0]!, /^1 ignore file was not read/);
  const inLong = await listFiles({ ...query, path: "long" }, { workspace });
  assert.deepEqual(inLong.notes?.length, 1);
  const parts = await listFiles({ ...query, path: ["long", "own"] }, { workspace });
  assert.match(`${parts.notes}`, /^1 ignore file was not read/);
});

Deno.test("the limit of ignore files covers all from the root down, and is reported of those above, too", async () => {
  const filler = `none\n${"#".repeat(50_000)}\n`;
  await using t = await tempTree({
    "1/.gitignore": filler,
    "1/2/.gitignore": filler,
    "1/2/3/.gitignore": `${filler}f.txt\n`,
    "1/2/3/f.txt": TEXT,
    "all/f.txt": TEXT,
    ".gitignore": "all/*\n",
  });
  const workspace = await Workspace.open(t.root);
  const query = { paths: "relative", hidden: false } as const;
  const { files, notes } = await listFiles(query, { workspace });
  assert.deepEqual(files, ["1/2/3/f.txt"]);
  assert.match(`${notes}`, /^1 ignore file was not read/);
  await t.write({ ".ignore": "#".repeat(2 ** 17 + 1) });
  const named = await listFiles({ ...query, path: "all" }, { workspace });
  assert.deepEqual(named.files, ["all/f.txt"]);
  assert.match(`${named.notes}`, /^1 ignore file was not read/);
});

Deno.test("of rules, the strongest file counts, then the deepest, then the last line", async () => {
  await using t = await tempTree({
    ".gitignore":
      "\ufeff*.log\r\n!keep.log\n!/sub/path.log\n/only\nbuild/\n\\#odd\ntrail\\ \nplain   \nzero\0x\n",
    ".ignore": "!both.log\n",
    "x.log": TEXT,
    "keep.log": TEXT,
    "both.log": TEXT,
    "only": TEXT,
    "sub/only": TEXT,
    "sub/path.log": TEXT,
    "sub/.gitignore": "!x.log\nkeep.log\n/here\n",
    "sub/x.log": TEXT,
    "sub/keep.log": TEXT,
    "sub/here": TEXT,
    "sub/deep/here": TEXT,
    "sub/build/f": TEXT,
    "f/build": TEXT,
    "#odd": TEXT,
    "trail ": TEXT,
    "trail": TEXT,
    "plain": TEXT,
    "zero": TEXT,
  });
  assert.deepEqual(await taken(t, { hidden: false }), [
    "both.log",
    "f/build",
    "keep.log",
    "sub/deep/here",
    "sub/only",
    "sub/path.log",
    "sub/x.log",
    "trail",
  ]);
  assert.deepEqual(await taken(t, { hidden: false, path: "sub" }), [
    "sub/deep/here",
    "sub/only",
    "sub/path.log",
    "sub/x.log",
  ]);
  // A directory that is named is searched even where rules would leave it out.
  assert.deepEqual(await taken(t, { hidden: false, path: "sub/build" }), ["sub/build/f"]);
});
