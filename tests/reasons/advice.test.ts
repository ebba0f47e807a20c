/**
 * What the notes of an empty answer tell to send, sent back: it finds what they say.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type FileResult,
  GlobTool,
  GrepTool,
  listFiles,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { ignoredBy, missed, missedFile, noteOf } from "../support/notes.ts";
import { tempTree } from "../support/tree.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { test } from "../support/needs.ts";

Deno.test("the change that a note advises finds what it says where filters and inner rules apply as well", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\nmodules/\n",
    "dist/sub/a.js": "alpha\n",
    "modules/dep/.gitignore": "i.js\n",
    "modules/dep/i.js": "beta\n",
    "lib/other.ts": "nothing\n",
    "sub/s.ts": "sigma\n",
    "many/x/sub/1.ts": "tau\n",
    "many/y/sub/2.ts": "tau\n",
    " space/f.ts": "upsilon\n",
  });
  const workspace = await Workspace.open(t.root);
  const cases: [SearchQuery, string, SearchQuery][] = [
    [
      { pattern: "alpha", include: "dist/**/*.js" },
      'or pass {"path":"dist","include":"**/*.js"}',
      { pattern: "alpha", path: "dist", include: "**/*.js" },
    ],
    [
      { pattern: "beta" },
      'or pass {"path":"modules/dep/i.js"}',
      { pattern: "beta", path: "modules/dep/i.js" },
    ],
    [
      { pattern: "sigma", include: "sub/*.ts", path: "lib" },
      'pass {"path":"sub","include":"*.ts"}',
      { pattern: "sigma", path: "sub", include: "*.ts" },
    ],
    [
      { pattern: "sigma", exclude: "s*/*.js", include: "**/sub/*.ts", path: "lib" },
      'pass {"path":"sub/s.ts"}',
      { pattern: "sigma", path: "sub/s.ts" },
    ],
    [
      { pattern: "tau", include: "many/*/sub/*.ts", path: "lib" },
      'pass {"path":"many","include":"*/sub/*.ts"}',
      { pattern: "tau", path: "many", include: "*/sub/*.ts" },
    ],
    [
      { pattern: "upsilon", path: "lib" },
      'pass {"path":" space"}',
      { pattern: "upsilon", path: " space" },
    ],
    [
      { pattern: "gamma\\|alpha\\|sigma", path: "sub" },
      'pass {"pattern":"gamma|alpha|sigma"}',
      { pattern: "gamma|alpha|sigma", path: "sub" },
    ],
  ];
  for (const [query, advice, next] of cases) {
    const { count, notes = [] } = await search({ ...query, explain: true }, { workspace });
    assert.equal(count, 0);
    assert.ok(notes.at(-1)!.endsWith(advice), `${notes.at(-1)} / ${advice}`);
    assert.notEqual((await search(next, { workspace })).count, 0);
  }
});

Deno.test("a tool's advice is only what finds the matches, in only its own keys", async () => {
  const latin = Uint8Array.from(
    "NEEDLE d\u00e9j\u00e0 \u00e9t\u00e9\n",
    (char) => char.charCodeAt(0),
  );
  await using t = await tempTree({
    "latin.txt": latin,
    ".gitignore": "dist/\n",
    "dist/a/b.js": "",
  });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  assert.deepEqual((await grep.execute({ pattern: "needle" }) as SearchResult).notes, [
    missed("latin.txt", [{ kind: "case" }, { kind: "not_utf8" }], [
      { caseInsensitive: true, text: true },
    ], { caller: "grep" }),
  ]);
  assert.deepEqual(
    (await grep.execute({ pattern: "x", path: "latin.txt" }) as SearchResult).notes,
    [
      "latin.txt was not searched: it is not UTF-8; name its encoding with the key encoding",
    ],
  );
  const glob = new GlobTool({ workspace });
  assert.deepEqual((await glob.execute({ pattern: "dist/**/*.js" }) as SearchResult).notes, [
    missedFile("dist/a/b.js", ignoredBy("dist/", ".gitignore:1", "")[0], [
      { path: "dist", include: "**/*.js" },
    ], { caller: "glob" }),
  ]);
});

Deno.test("an encoding is named where the text was found in it, and nowhere else", async () => {
  const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  await using t = await tempTree({
    "mac.txt": bytes("int x; // \x8e\x88\x9f word\n"),
    "gbk.txt": bytes("\xd6\xd0\xce\xc4 text\n"),
    "wide.txt": bytes([..."wide text\n"].map((char) => `${char}\0`).join("")),
  });
  const workspace = await Workspace.open(t.root);
  const cases: [string, string][] = [
    [
      "\u00e9\u00e0\u00fc",
      'mac.txt is encoded in macintosh, not UTF-8; pass {"encoding":"macintosh"}',
    ],
    ["\u041e\u0418\u042f", 'mac.txt is encoded in ibm866, not UTF-8; pass {"encoding":"ibm866"}'],
    ["\u4e2d\u6587", 'gbk.txt is encoded in gbk, not UTF-8; pass {"encoding":"gbk"}'],
    // Its bytes are the same in many.
    ["word", 'mac.txt is in a file that is not UTF-8; pass {"text":true}'],
    ["wide", 'wide.txt is encoded in utf-16le, not UTF-8; pass {"encoding":"utf-16le"}'],
  ];
  for (const [pattern, told] of cases) {
    const { notes = [] } = await search({ pattern, explain: true }, { workspace });
    assert.equal(notes.at(-1), `1 match in ${told}`);
    const sent = JSON.parse(/\{.*\}$/.exec(told)![0]);
    assert.equal((await search({ pattern, ...sent }, { workspace })).count, 1, told);
    assert.doesNotMatch(notes.slice(0, -1).join(), /"encoding"/, "no other is named");
  }
  const { notes = [] } = await search({ pattern: "absent", explain: true }, { workspace });
  assert.deepEqual(notes, [
    "2 files that are not UTF-8 were not searched, the first is gbk.txt; name their encoding with " +
    "the option encoding",
  ]);
});

Deno.test("the advice for glob finds an ignored file outside of its path", async () => {
  await using t = await tempTree({ "src/lib/a.ts": "", "src/lib/b.md": "", "docs/c.md": "" });
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  for (const rule of ["lib/*", "/src/*", "src/lib", "*.ts", "src/lib/a.ts", "nothing"]) {
    await Deno.writeTextFile(t.path(".gitignore"), rule);
    for (const pattern of ["**/lib/*.ts", "src/**/*.ts", "*.ts", "A.ts", "src/lib/A.ts"]) {
      for (const asked of [{ pattern, path: "docs" }, { pattern }]) {
        const { count, notes } = await glob.execute(asked) as SearchResult;
        if (count > 0) continue;
        const { path: _, ...rest } = asked;
        const advice = /; (?:send (?<change>\{.*?\})|omit path)(?: and send (?<more>\{.*\}))?$/
          .exec(`${notes}`)!;
        assert.ok(advice, `${rule} ${JSON.stringify(asked)}: ${notes}`);
        const { change, more } = advice.groups!;
        const kept = change === undefined ? rest : { ...asked, ...JSON.parse(change) };
        const { files } = await glob.execute({
          ...kept,
          ...JSON.parse(more ?? "{}"),
        }) as FileResult;
        assert.deepEqual(
          files,
          [t.path("src/lib/a.ts")],
          `${rule} ${JSON.stringify(asked)}: ${notes}`,
        );
      }
    }
  }
});

Deno.test("a range that is none in lower case keeps no answer from coming", async () => {
  await using t = await tempTree({ "ba1.q": "" });
  const workspace = await Workspace.open(t.root);
  const { count } = await listFiles({ include: "b[Z-_]1.q" }, { workspace });
  assert.equal(count, 0);
});

Deno.test("an advised glob finds every file that differs in letter case", async () => {
  await using t = await tempTree({
    ".gitignore": "Dist/\n",
    "Dist/sub/A.ts": "",
    "Dist/sub/b.TS": "",
    "Src/a.Ts": "",
    "Src/sub/b.ts": "",
    "Src/sub/[id].tS": "",
    "lib/x.md": "",
    "lib/Y.mD": "",
  });
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const cases = [
    ["src/**/*.TS", "./lib"],
    ["src/**/*.TS", undefined],
    ["S*/su[a-c]/*.[T]S", undefined],
    ["*.MD", undefined],
    ["dist/**/*.TS", undefined],
    ["DIST/*/*.{TS,tsx}", "lib"],
    ["X.MD,Y.MD", "lib"],
  ] as const;
  for (const [pattern, path] of cases) {
    const asked = { pattern, paths: "relative", ...(path !== undefined && { path }) };
    const { count, notes } = await glob.execute(asked) as FileResult;
    assert.equal(count, 0, pattern);
    const [, files, isLeft, change] =
      /^(\d+) files, .*letter case.*; (omit path and )?send (\{.*\})$/.exec(`${notes}`) ?? [];
    assert.ok(change, `${pattern}: ${notes}`);
    const { path: _, ...rest } = asked;
    const next = { ...isLeft === undefined ? asked : rest, ...JSON.parse(change) };
    const found = await glob.execute(next) as FileResult;
    assert.equal(found.count, Number(files), `${pattern}: ${notes}`);
  }
});

Deno.test("a path with white space at its ends is to be sent as it is", {
  ignore: Deno.build.os === "windows", // has no such names
}, async () => {
  await using t = await tempTree({ ".gitignore": "i*\n", "ig ": "needle\n", " in": "noodle\n" });
  const workspace = await Workspace.open(t.root);
  const noteOf = async (pattern: string) =>
    (await search({ pattern, explain: true }, { workspace })).notes!.join();
  assert.match(await noteOf("needle"), /; pass \{"ignore":false\}, or pass \{"path":"ig "\}$/);
  await t.write({ ".gitignore": "*i*\n" });
  assert.match(await noteOf("noodle"), /; pass \{"ignore":false\}, or pass \{"path":" in"\}$/);
});

Deno.test("matches in several worktrees are not attributed to the first of them", async () => {
  await using t = await tempTree({
    "one/.git": "gitdir: /else/.git/worktrees/one\n",
    "one/a.ts": "needle\n",
    "two/.git": "gitdir: /else/.git/worktrees/two\n",
    "two/a.ts": "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  const { notes = [] } = await search({ pattern: "needle", explain: true }, { workspace });
  assert.equal(
    notes.at(-1),
    "2 matches in 2 files, the first in one/a.ts, are in git worktrees, the first in one; " +
      'pass {"path":"one"}',
  );
});

Deno.test("a page after the last entry says so, and one of nothing says why there is none", async () => {
  await using t = await tempTree({ "a.ts": "needle\nneedle\n", "b.ts": "needle\n" });
  const workspace = await Workspace.open(t.root);
  const notes = async (query: SearchQuery) => (await search(query, { workspace })).notes;
  assert.deepEqual(await notes({ pattern: "needle", offset: 7 }), [
    "offset 7 is past the last of 3 entries",
  ]);
  assert.deepEqual(await notes({ pattern: "needle", offset: 2, outputMode: "count" }), [
    "offset 2 is past the last of 2 entries",
  ]);
  assert.deepEqual(await notes({ pattern: "needle", offset: 1, include: "b.ts" }), [
    noteOf("past_end", { offset: 1, count: 1, unit: "entry" }),
  ]);
  assert.deepEqual(await notes({ pattern: "NEEDLE", include: "b.ts", offset: 1, explain: true }), [
    missed("b.ts", "case", [{ caseInsensitive: true }]),
  ]);
  assert.equal(await notes({ pattern: "needle", offset: 2 }), undefined);
});

const worktree = { kind: "worktrees", path: "wt", isOnly: true } as const;

Deno.test("an ignored directory that is a git worktree is reported as both", async () => {
  await using t = await tempTree({
    ".gitignore": "wt/\n",
    "wt/.git": "gitdir: /else/.git/worktrees/wt\n",
    "wt/a.ts": "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  const query: SearchQuery = { pattern: "needle", paths: "relative" };
  const { notes } = await search({ ...query, explain: true }, { workspace });
  assert.deepEqual(notes, [
    missed("wt/a.ts", [...ignoredBy("wt/", ".gitignore:1", "")[0], worktree], [
      { ignore: false, path: "wt" },
    ]),
  ]);
  assert.equal((await search({ ...query, ignore: false, path: "wt" }, { workspace })).count, 1);
});

Deno.test("a link to a git worktree is reported as both, since following it is not enough", async () => {
  await using t = await tempTree({
    "src/l": { symlink: "../wt" },
    "wt/.git": "gitdir: /else/.git/worktrees/wt\n",
    "wt/a.ts": "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  const query: SearchQuery = { pattern: "needle", path: "src", paths: "relative" };
  const { notes = [] } = await search({ ...query, explain: true }, { workspace });
  assert.equal(
    notes[0],
    missed("wt/a.ts", [{ kind: "symlinks", path: "src/l" }, worktree], [
      { follow: true, path: "wt" },
    ]),
  );
  assert.equal((await search({ ...query, follow: true }, { workspace })).count, 0);
  assert.equal((await search({ ...query, follow: true, path: "wt" }, { workspace })).count, 1);
});

Deno.test("with onlyMatching, matches are counted one by one, and empty ones not at all", async () => {
  await using t = await tempTree({ ".ignore": "ign.txt\n", "ign.txt": "aba\ncac\n" });
  const workspace = await Workspace.open(t.root);
  const notesOf = async (pattern: string, outputMode: SearchQuery["outputMode"] = "content") => {
    const query = {
      pattern,
      outputMode,
      exclude: ".*",
      onlyMatching: true,
      explain: "auto",
    } as const;
    const { count, notes = [] } = await search(query, { workspace });
    assert.equal(count, 0);
    return notes.filter((note) => note.includes("ign.txt")).join();
  };
  assert.equal(await notesOf("y*"), "");
  const { notes } = await search({ pattern: "y*", onlyMatching: true }, { workspace });
  assert.deepEqual(notes, [
    "onlyMatching omits empty matches, which the pattern allows",
  ]);
  assert.match(await notesOf("a"), /^3 matches in ign\.txt are excluded/);
  assert.match(await notesOf("a", "count"), /^3 matches in ign\.txt are excluded/);
  assert.match(await notesOf("y*", "file"), /^2 matches in ign\.txt are excluded/);
});

Deno.test("as many matches are told as the search that is advised finds, whatever is counted", async () => {
  await using t = await tempTree({ ".ignore": "ign.txt\n", "ign.txt": "aba\nBaB\naa\n" });
  const workspace = await Workspace.open(t.root);
  for (const multiline of [false, true]) {
    for (const onlyMatching of [false, true]) {
      for (const maxCount of [1, 2, undefined]) {
        for (const pattern of ["a", "b", "A|b"]) {
          const query = { pattern, multiline, onlyMatching, maxCount, exclude: ".*" };
          const { notes = [] } = await search({ ...query, explain: true }, { workspace });
          const { count } = await search(
            { ...query, path: "ign.txt", outputMode: onlyMatching ? "content" : "count" },
            { workspace },
          );
          const note = notes.find((note) => note.includes(" in ign.txt "));
          assert.match(note!, new RegExp(`^${count} match`), JSON.stringify(query));
        }
      }
    }
  }
});

test.slow(
  "the reasons of an empty listing end in time, however deep the files lie",
  inThreeTries(async () => {
    const deep = "a/".repeat(300);
    await using t = await tempTree({
      ...Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`${deep}${at}.txt`, ""])),
    });
    const workspace = await Workspace.open(t.root);
    const started = performance.now();
    const { count } = await listFiles({ include: "a/**/*.zzz", explain: "auto" }, { workspace });
    assertInTime(performance.now() - started, 6000, "an empty listing");
    assert.equal(count, 0);
    // Files of several directories, one of them excluded, are attributed one by one.
    await using other = await tempTree({
      "out/a.ts": "",
      "out/b/c.ts": "",
      "src/d.ts": "",
      "src/.hidden/e.ts": "",
    });
    const answer = await listFiles({
      ...{ include: "*.ts", exclude: ["out/", "src/d.ts"], hidden: false, explain: "auto" },
    }, { workspace: await Workspace.open(other.root) });
    assert.equal(answer.count, 0);
    const told = answer.notes?.join("\n") ?? "";
    assert.match(told, /3 files, the first out\/a\.ts, are excluded by /);
  }),
);

Deno.test("an ignored link is reported with everything that excludes it, followed or not", async () => {
  await using t = await tempTree({
    "b/s/x.txt": "foo\n",
    "b/y.txt": "foo\n",
    "a/l": { symlink: "../b" },
    "a/.gitignore": "l\n",
  });
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "foo", path: "a", paths: "relative", explain: "auto" } as const;
  const told = async (more: Partial<SearchQuery>) => {
    const { count, notes = [] } = await search({ ...query, ...more }, { workspace });
    assert.equal(count, 0);
    return notes[0] ?? "";
  };
  const count = async (more: Partial<SearchQuery>) =>
    (await search({ ...query, ...more }, { workspace })).count;
  const rule = 'excluded by the ignore rule "l" in a/.gitignore:1';
  const link = await told({});
  assert.ok(link.includes(rule) && link.includes("behind the symbolic link a/l"), link);
  assert.match(link, /pass \{.*"ignore":false.*\}/);
  assert.match(link, /pass \{.*"follow":true.*\}/);
  assert.equal(await count({ ignore: false, follow: true }), 2);
  const depth = await told({ follow: true, maxDepth: 1 });
  assert.ok(depth.includes(rule) && depth.includes("deeper than 1 level"), depth);
  assert.match(depth, /omit maxDepth and pass \{"ignore":false/);
  assert.equal(await count({ follow: true, ignore: false }), 2);
});

Deno.test("the reasons of an empty answer open no pipe that a link leads to", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using t = await tempTree({ "a/x.txt": "nothing\n", "a/l": { symlink: "../pipe" } });
  assert.ok((await new Deno.Command("mkfifo", { args: [t.path("pipe")] }).output()).success);
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "needle", path: "a", explain: "auto", timeout: 5000 } as const;
  const { count, notes } = await search(query, { workspace });
  assert.deepEqual([count, notes], [0, undefined]);
});
