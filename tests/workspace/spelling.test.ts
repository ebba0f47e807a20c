/** Paths in another letter case, where the file system finds what they name. */
import assert from "node:assert/strict";
import {
  type ContentResult,
  Guard,
  resolveProjectPath,
  resolveToolCallPaths,
  search,
  Searcher,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { caselessTree, giveShortName } from "../support/caseless.ts";
import { test as plain, testNeeding } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { memoryTree, settled, tempTree } from "../support/tree.ts";

const test = testNeeding("caseless");

const FILES = {
  "src/lib.ts": "needle\n",
  "src/private/key.txt": "needle\n",
  "src/.aiignore": "private/\nsecret.txt\n",
  "src/secret.txt": "needle\n",
  "other/.env": "needle\n",
};

test("a path in another letter case is the file that is listed", async () => {
  await using tree = await caselessTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const ask = (query: Omit<SearchQuery, "pattern">) =>
    search({ pattern: "needle", paths: "relative", ...query }, { workspace });
  assert.deepEqual(await ask({ path: "SRC/Lib.TS" }), {
    pattern: "needle",
    base_path: tree.path("src/lib.ts"),
    output_mode: "content",
    matches: [{ file: "src/lib.ts", line_number: 1, line: "needle" }],
    count: 1,
  });
  const { matches } = await ask({ path: ["SRC", "src", "Src/LIB.ts"] }) as { matches: unknown[] };
  assert.equal(matches.length, 1);
  assert.equal(await resolveProjectPath(tree.root, "SRC/new.ts"), tree.path("src/new.ts"));
});

test("a link in an excluded directory leads nowhere, in any letter case", async () => {
  await using tree = await caselessTree({
    ".aiignore": "private/\n",
    "private/link": { symlink: "../open.txt" },
    "open.txt": "needle\n",
    "way": { symlink: "PRIVATE/LINK" },
    "door": { symlink: "PRIVATE" },
  });
  const workspace = await Workspace.open(tree.root);
  const ask = (path: string) => search({ pattern: "needle", path }, { workspace });
  for (const path of ["way", "WAY", "door", "Door/link"]) {
    await assert.rejects(ask(path), { code: "permission_denied_by_policy" }, path);
  }
  const followed = await search({ pattern: "needle", follow: true }, { workspace });
  assert.equal(followed.count, 1);
});

test("no letter case of a path gets round an exclusion file or the table of names", async () => {
  await using tree = await caselessTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const guard = new Guard({ workspace });
  await using kept = new Searcher({ workspace, cache: "verified" });
  const paths = [
    "src/SECRET.TXT",
    "SRC/Secret.txt",
    "src/Private",
    "src/PRIVATE/key.txt",
    "Src/private/KEY.TXT",
    "OTHER/.ENV",
    "other/.Env",
  ];
  for (const path of paths) {
    const error = { code: "permission_denied_by_policy" };
    await assert.rejects(search({ pattern: "needle", path }, { workspace }), error, path);
    await assert.rejects(kept.search({ pattern: "needle", path }), error, path);
    assert.equal(await guard.check(path, "read"), "denied", path);
  }
  // A file that is still to be written, too.
  for (const path of ["src/SECRET.TXT", "src/Private/key.txt", "src/PRIVATE/new.txt"]) {
    await assert.rejects(resolveToolCallPaths(workspace, { path }), path);
  }
  const { count } = await search({ pattern: "needle" }, { workspace });
  assert.equal(count, 1);
});

test("files of rules count by any letter case of their names", async () => {
  await using tree = await caselessTree({
    ".AIIGNORE": "secret.txt\n",
    ".Gitignore": "build/\n",
    "secret.txt": "needle\n",
    "build/out.txt": "needle\n",
    "a.txt": "needle\n",
  });
  const workspace = await Workspace.open(tree.root);
  const { matches } = await search({ pattern: "needle" }, { workspace }) as ContentResult;
  assert.deepEqual(matches.map(({ file }) => file), [tree.path("a.txt")]);
  const missing = search({ pattern: "needle", path: "secrett.txt" }, { workspace });
  await assert.rejects(missing, ({ details }) => details.suggestions === undefined);
});

test("of a file with several names, the one that is meant is checked", async () => {
  await using tree = await caselessTree({ ".aiignore": "secret.txt\n", "secret.txt": "needle\n" });
  for (const name of ["a.txt", "z.txt"]) Deno.linkSync(tree.path("secret.txt"), tree.path(name));
  const workspace = await Workspace.open(tree.root);
  await assert.rejects(search({ pattern: "needle", path: "SECRET.TXT" }, { workspace }), {
    code: "permission_denied_by_policy",
  });
  const { base_path } = await search({ pattern: "needle", path: "Z.TXT" }, { workspace });
  assert.equal(base_path, tree.path("z.txt"));
});

test("a root in another letter case is the directory that is listed", async () => {
  await using tree = await caselessTree({
    "ws/src/a.txt": "needle\n",
    "ws/vault/in.txt": "needle\n",
    "ws/.aiignore": "vault/\n",
  });
  const [ws, WS] = [tree.path("ws"), tree.path("WS")];
  assert.deepEqual((await Workspace.open([ws, WS])).roots, [ws]);
  const workspace = await Workspace.open(WS);
  const { base_path } = await search({ pattern: "needle", path: `${ws}/src` }, { workspace });
  assert.equal(base_path, `${ws}/src`);
  const nested = await Workspace.open([ws, tree.path("ws/VAULT")]);
  const { count } = await search({ pattern: "needle" }, { workspace: nested });
  assert.equal(count, 1, "an excluded root is not searched, however it is spelled");
});

testNeeding("caseless", "linux", "perl")(
  "no short name, as Windows makes them, gets round what is blocked",
  async () => {
    const short = {
      "vault-of-team": "VAULT-~1",
      "12345678-90": "123456~1",
      ".env.production": "ENV~1.PRO",
      ".git": "GIT~1",
    };
    await using tree = await caselessTree({
      ".aiignore": "vault-of-team/\n12345678-90/\n",
      "vault-of-team/in.txt": "needle\n",
      "12345678-90/in.txt": "needle\n",
      ".git/in.txt": "needle\n",
      ".env.production": "needle\n",
      "open-to-all.txt": "needle\n",
      "way": { symlink: "123456~1/in.txt" },
    });
    for (const [name, other] of Object.entries({ ...short, "open-to-all.txt": "OPEN-T~1.TXT" })) {
      await giveShortName(tree.path(name), other);
    }
    const workspace = await Workspace.open(tree.root);
    const ask = (path: string) => search({ pattern: "needle", path }, { workspace });
    for (const path of [...Object.values(short), "123456~1/in.txt", "git~1/in.txt", "way"]) {
      await assert.rejects(ask(path), { code: "permission_denied_by_policy" }, path);
    }
    assert.equal((await ask("OPEN-T~1.TXT")).base_path, tree.path("open-to-all.txt"));
  },
);

plain.slow(
  "a chain of links that have other names in a large directory is followed in time",
  inThreeTries(async () => {
    const others = Array.from({ length: 20_000 }, (_, file) => [`${file}`, ""]);
    await using tree = await memoryTree({ "end": "needle\n", ...Object.fromEntries(others) });
    for (let link = 1; link < 38; link++) {
      Deno.symlinkSync(link === 1 ? "end" : `Link${link - 1}`, tree.path(`Link${link}`));
      Deno.linkSync(tree.path(`Link${link}`), tree.path(`lINK${link}`));
    }
    const workspace = await Workspace.open(tree.root);
    const start = performance.now();
    const { base_path } = await search({ pattern: "needle", path: "Link37" }, { workspace });
    assert.equal(base_path, tree.path("end"));
    assertInTime(performance.now() - start, 3_000, "a chain of links");
  }),
);

plain.slow(
  "a large directory is not listed for each link to what looks like a short name in it",
  inThreeTries(async () => {
    const others = Array.from({ length: 8_000 }, (_, file) => [`large/${file}`, ""]);
    const links = Array.from({ length: 200 }, (_, link) => [
      [`large/f~${link}`, "needle\n"],
      [`link${link}`, { symlink: `large/f~${link}` }],
    ]);
    await using tree = await memoryTree(Object.fromEntries([...others, ...links.flat()]));
    await settled();
    const workspace = await Workspace.open(tree.root);
    const path = Array.from({ length: 200 }, (_, link) => `link${link}`);
    const start = performance.now();
    const { count } = await search({ pattern: "needle", path }, { workspace });
    assert.equal(count, 200);
    assertInTime(performance.now() - start, 2_500, "a list of links");
  }),
);

testNeeding("caseless", "linux", "perl").slow(
  "a short name is that of a file which came while its directory's listing is kept",
  async () => {
    await using tree = await caselessTree({
      ".aiignore": "vault-*\n",
      "open-to-all.txt": "needle\n",
    });
    await giveShortName(tree.path("open-to-all.txt"), "OPEN-T~1.TXT");
    const workspace = await Workspace.open(tree.root);
    const ask = (path: string) => search({ pattern: "needle", path }, { workspace });
    const error = { code: "permission_denied_by_policy" };
    for (const pause of [() => {}, settled]) {
      await pause();
      assert.equal((await ask("OPEN-T~1.TXT")).count, 1);
      Deno.renameSync(tree.path("open-to-all.txt"), tree.path("vault-of-all.txt"));
      await giveShortName(tree.path("vault-of-all.txt"), "OPEN-T~1.TXT");
      await assert.rejects(ask("OPEN-T~1.TXT"), error);
      Deno.renameSync(tree.path("vault-of-all.txt"), tree.path("open-to-all.txt"));
      await giveShortName(tree.path("open-to-all.txt"), "OPEN-T~1.TXT");
    }
  },
);

testNeeding("linux")(
  "names of one file that differ in letter case are names of their own",
  async () => {
    await using tree = await tempTree({ ".aiignore": "b.txt\n", "a.txt": "needle\n", "b.txt": "" });
    for (const name of ["a.txt", "b.txt"]) {
      Deno.linkSync(
        tree.path(name),
        tree.path(name.toUpperCase()),
      );
    }
    const workspace = await Workspace.open(tree.root);
    for (const path of ["a.txt", "A.TXT", "B.TXT"]) {
      const { base_path } = await search({ pattern: "needle", path }, { workspace });
      assert.equal(base_path, tree.path(path));
    }
    const error = { code: "permission_denied_by_policy" };
    await assert.rejects(search({ pattern: "needle", path: "b.txt" }, { workspace }), error);
  },
);

test("letters that the file system does not fold do not hide the case of others", async () => {
  const names = ["v-straße", "v-gizli-yanıt", "v-μυστικός", "v-საიდუმლო", "тайна", "ßωა", "ßé"];
  await using tree = await caselessTree({
    ".aiignore": names.map((name) => `${name}/\n`).join(""),
    ...Object.fromEntries(names.map((name) => [`${name}/in.txt`, "needle\n"])),
    "open/Straße.txt": "needle\n",
  });
  const workspace = await Workspace.open(tree.root);
  for (const name of names) {
    const path = name.replace(/[vтωé]/, (letter) => letter.toUpperCase());
    const denied = { code: "permission_denied_by_policy" };
    await assert.rejects(search({ pattern: "needle", path }, { workspace }), denied, path);
    await assert.rejects(
      search({ pattern: "needle", path: `${path}/IN.txt` }, { workspace }),
      denied,
    );
  }
  const paths = ["open/Straße.txt", "OPEN/sTRAßE.TXT"];
  const { count } = await search({ pattern: "needle", path: paths }, { workspace });
  assert.equal(count, 1);
});
