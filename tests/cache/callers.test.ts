/** What is cached for one caller answers no other: not one with other roots, permissions or trust. */
import assert from "node:assert/strict";
import { type FileResult, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { settled, tempTree, type Tree } from "../support/tree.ts";
import { test, testNeeding } from "../support/needs.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";

const ALLOWING = { request: () => Promise.resolve("allow" as const) };

/** The files in which a searcher finds `needle`, from the directory that holds the workspace. */
async function found(
  searcher: Searcher | QuickSearcher,
  t: Tree,
  query: Partial<SearchQuery>,
): Promise<string[]> {
  const asked: SearchQuery = { pattern: "needle", outputMode: "file", maxResults: 0, ...query };
  const answer = await searcher.search(asked, { permissionRequester: ALLOWING }) as FileResult;
  return answer.files.map((file) => file.slice(t.base.length + 1));
}

/** A package with files that its own rules exclude, wherever a search begins. */
function packageAt(path: string): Record<string, string> {
  return {
    [`${path}/.aiignore`]: "/keys/private.txt\n",
    [`${path}/.gitignore`]: "/build/out.txt\n",
    [`${path}/keys/private.txt`]: "needle\n",
    [`${path}/build/out.txt`]: "needle\n",
    [`${path}/src.txt`]: "needle\n",
  };
}

for (const cache of ["verified", "watched"] as const) {
  test.slow(`a ${cache} searcher reads rules from the root that each search gives them`, async () => {
    await using t = await tempTree({ ...packageAt("../open/sub"), ...packageAt("pkg/sub") });
    await ticked();
    const workspace = await Workspace.open(t.path("pkg"));
    const paths: Partial<SearchQuery>[] = [
      { path: t.path("../open/sub") },
      { path: t.path("../open") },
      { path: t.root },
      { path: t.base },
      { path: ["sub", t.root] },
      { path: "sub" },
      {},
    ];
    const [fresh, kept] = ["none", cache] as const;
    await using alone = new Searcher({ workspace, cache: fresh });
    await using shared = new QuickSearcher({ workspace, cache: kept });
    for (const query of [...paths, ...paths.toReversed()]) {
      const expected = await found(alone, t, query);
      assert.ok(expected.length > 0 && expected.every((file) => file.endsWith("src.txt")));
      for (let run = 0; run < 2; run++) {
        assert.deepEqual(await found(shared, t, query), expected, JSON.stringify(query));
      }
    }
    const answers = await Promise.all(paths.map((query) => found(shared, t, query)));
    assert.ok(answers.flat().every((file) => file.endsWith("src.txt")), answers.flat().join());
  });

  Deno.test(`a ${cache} searcher reads ignore files as each search may read their directory`, async () => {
    await using t = await tempTree({
      ".aiignore": "kept/\n",
      "kept/.gitignore": "log.txt\n",
      "kept/sub/log.txt": "needle\n",
      "kept/sub/b.txt": "needle\n",
    });
    await ticked();
    const workspace = await Workspace.open(t.root);
    const queries: [allow: string[], files: string[]][] = [
      [["kept"], ["ws/kept/sub/b.txt"]],
      [["kept/sub"], ["ws/kept/sub/b.txt", "ws/kept/sub/log.txt"]],
    ];
    for (const order of [queries, queries.toReversed()]) {
      await using searcher = new QuickSearcher({ workspace, cache });
      for (const [allow, files] of [...order, ...order]) {
        assert.deepEqual(await found(searcher, t, { path: "kept/sub", allow }), files);
      }
    }
  });
}

test.slow("a server reads rules from the roots that its client has now", async () => {
  await using t = await tempTree({ ...packageAt("sub"), "a.txt": "needle\n" });
  await settled();
  for (const order of [["", "sub"], ["sub", ""]]) {
    let root = order[0]!;
    await using client = await connect("v1", {
      cwd: t.base,
      permissions: ["-A"],
      roots: () => [`file://${t.path(root)}`],
    });
    for (const next of [...order, ...order]) {
      root = next;
      await client.rootsChanged();
      for (let call = 0; call < 2; call++) {
        const grep = { pattern: "needle", output_mode: "file", paths: "absolute" };
        const { entries } = await client.call("grep", grep);
        const files = [...next === "" ? [t.path("a.txt")] : [], t.path("sub/src.txt")];
        assert.deepEqual(entries, files, JSON.stringify(order));
      }
    }
  }
});

testNeeding("linux").slow(
  "a search of what nobody watches trusts nothing for a search beside it",
  async () => {
    const directories = Array.from({ length: 40 }, (_, index) => `../open/d${index}`);
    const files = directories.flatMap((directory) => [
      ...Array.from(
        { length: 60 },
        (_, file) => [`${directory}/f${file}.txt`, "hay\n".repeat(300)],
      ),
      [`${directory}/private.txt`, "needle\n"],
    ]);
    await using t = await tempTree({ ...Object.fromEntries(files), "a.txt": "hay\n" });
    await ticked();
    const workspace = await Workspace.open(t.root);
    await using searcher = new QuickSearcher({ workspace, cache: "watched" });
    const inside = () => searcher.search({ pattern: "hay" });
    const overlapped = async () => {
      const outside = found(searcher, t, { path: t.path("../open") });
      let isDone = false;
      outside.finally(() => isDone = true);
      while (!isDone) await inside();
      return await outside;
    };
    for (let search = 0; search < 3; search++) await inside();
    for (let search = 0; search < 4; search++) {
      assert.equal((await overlapped()).length, directories.length);
    }
    for (const directory of directories) {
      await t.write({
        [`${directory}/f7.txt`]: "needle\n",
        [`${directory}/new.txt`]: "needle\n",
        [`${directory}/.aiignore`]: "private.txt\n",
      });
    }
    for (let search = 0; search < 4; search++) {
      const names = (await overlapped()).map((file) => file.replace(/.*\//, ""));
      const counts = Object.fromEntries(
        ["f7.txt", "new.txt", "private.txt"].map((
          name,
        ) => [name, names.filter((one) => one === name).length]),
      );
      const all = directories.length;
      assert.deepEqual(counts, { "f7.txt": all, "new.txt": all, "private.txt": 0 });
    }
  },
);

testNeeding("linux")(
  "an exclude file behind a link is read again, since its change has another name",
  async () => {
    await using t = await tempTree({
      ".git/info": { symlink: "$WS/info" },
      "info/exclude": "one.txt\n",
      "one.txt": "needle\n",
      "two.txt": "needle\n",
    });
    await ticked();
    await using searcher = new QuickSearcher({
      workspace: await Workspace.open(t.root),
      cache: "watched",
    });
    for (let search = 0; search < 3; search++) {
      assert.deepEqual(await found(searcher, t, {}), ["ws/two.txt"]);
    }
    await t.write({ "info/exclude": "two.txt\n" });
    assert.deepEqual(await found(searcher, t, {}), ["ws/one.txt"]);
  },
);
