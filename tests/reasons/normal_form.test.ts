/** Text, names and paths in another Unicode normal form than the call: what the answer says of it. */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  type PathgrepError,
  ResolvePathTool,
  resolveTextSearchTarget,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

/** Files of a Mac, and one of another system. */
const FILES = {
  "nfd/cafe\u0301.txt": "un cafe\u0301 noir\n",
  "nfd/de\u0301p/x.ts": "x\n",
  "nfc/th\u00e9.txt": "un th\u00e9 vert\n",
  "ko.txt": "\u1112\u1161\u11ab\n",
};

Deno.test("a pattern in another normal form than the text is explained, and the advised one finds it", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const cases: [SearchQuery, RegExp][] = [
    [{ pattern: "caf\u00e9 noir" }, /^1 match in nfd\/.* is in the Unicode normal form NFD; pass /],
    [{ pattern: "the\u0301 vert" }, /^1 match in nfc\/.* is in the Unicode normal form NFC; pass /],
    [
      { pattern: "caf\u00e9 noir", fixedStrings: true },
      /form NFD; omit fixedStrings and pass/,
    ],
    [{ pattern: "caf\\xe9 noir" }, /form NFD/],
    [{ pattern: "caf[\u00e8\u00e9x]+ noir" }, /form NFD/],
    [{ pattern: "caf\u00e9? noir" }, /form NFD/],
    [{ pattern: "\ud55c" }, /^1 match in ko.txt .*form NFD/],
    [{ pattern: ["CAF\u00c9", "absent"] }, /differs in letter case and is in .*form NFD/],
    [{ pattern: "caf\u00e9 noir", wholeWord: true }, /form NFD/],
  ];
  for (const [query, note] of cases) {
    const { notes = [] } = await search({ ...query, explain: true }, { workspace });
    assert.match(notes.join("\n"), note, JSON.stringify(query));
    const sent = JSON.parse(/pass (\{.*\})/.exec(notes[0]!)![1]!);
    const { fixedStrings: _, ...rest } = query;
    assert.equal((await search({ ...rest, ...sent }, { workspace })).count, 1, notes[0]);
  }
});

Deno.test("a normal form is no reason where it hides nothing", async () => {
  await using tree = await tempTree({ ...FILES, "e.txt": "cafe noir, [\u0301]\n" });
  const workspace = await Workspace.open(tree.root);
  for (
    const pattern of ["caf\u00e9 blanc", "caf[^\u00e9] blanc", "th\u00e8", "absent", "caf\\u00e"]
  ) {
    const query = { pattern, explain: true };
    const { notes = [] } = await search(query, { workspace }).catch(() => ({ notes: [] }));
    assert.doesNotMatch(notes.join(), /normal form/, pattern);
  }
  const { notes = [] } = await search({ pattern: "cafe\u0301", explain: true }, { workspace });
  assert.deepEqual(notes, []);
});

Deno.test("a glob in another normal form than a name is explained in each place for one", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const glob = async (pattern: string) =>
    await new GlobTool({ workspace }).execute({ pattern }) as { notes?: string[]; count: number };
  for (
    const [pattern, sent] of [
      ["**/caf\u00e9.*", "**/cafe\u0301.*"],
      ["d\u00e9p/*.ts", "**/de\u0301p/*.ts"],
      ["x\u00e9p/*.ts", undefined],
      ["nfd/d\u00e9p/*.ts", "nfd/de\u0301p/*.ts"],
      ["the\u0301.txt", "th\u00e9.txt"],
      ["CAF\u00c9.txt", "cafe\u0301.txt"],
      ["caf[\u00e9x].txt", "nfd/cafe\u0301.txt"],
    ] as const
  ) {
    const { notes = [] } = await glob(pattern);
    if (sent === undefined) {
      assert.doesNotMatch(notes.join(), /normal form/, pattern);
      continue;
    }
    assert.match(
      notes[0] ?? "",
      /is in the Unicode normal form NF[CD](?: and is found by another reading of the pattern)?; send/,
      pattern,
    );
    assert.deepEqual(JSON.parse(/send (\{.*\})/.exec(notes[0]!)![1]!), { pattern: sent });
    assert.equal((await glob(sent)).count, 1, sent);
  }
  const { notes = [] } = await new GrepTool({ workspace })
    .execute({ pattern: "noir", include: "caf\u00e9.txt" }) as { notes?: string[] };
  assert.match(
    notes[0]!,
    /^include "café\.txt" matches no file: names are in the Unicode normal form NFD; send .* finds 1 match/,
  );
  const { stdout, stderr } = await pathgrep(
    ["--format", "json", "-g", "caf\u00e9.txt", "noir"],
    { cwd: tree.root },
  );
  assert.match(stdout + stderr, /normal form NFD; use --include 'cafe\u0301\.txt'/);
});

Deno.test("a path in another normal form than a name is explained by every tool", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const found = "nfd/cafe\u0301.txt";
  const path = "nfd/caf\u00e9.txt";
  const answers = [
    await new GrepTool({ workspace }).execute({ pattern: "x", path }),
    await new GlobTool({ workspace }).execute({ pattern: "*", path }),
    await new ResolvePathTool({ workspace }).execute({ path }),
    (await resolveTextSearchTarget(workspace, path).catch((error: PathgrepError) =>
      error
    ) as PathgrepError).toJSON(),
    JSON.parse((await pathgrep(["resolve", path], { cwd: tree.root })).stdout),
  ] as { suggestions?: string[]; hint?: string; code?: string }[];
  for (const { code, suggestions, hint } of answers) {
    assert.equal(code, "path_not_found");
    assert.deepEqual(suggestions, [found]);
    assert.match(hint!, /normal form NFD, with "e\\u0301" for "é"$/);
  }
  for (
    const [given, suggestion, form] of [
      ["nfc/the\u0301.txt", "nfc/th\u00e9.txt", "NFC"],
      ["nfd/d\u00e9p", "nfd/de\u0301p", "NFD"],
      ["nfd/d\u00e9p/x.ts", "nfd/de\u0301p/x.ts", "NFD"],
    ]
  ) {
    const { suggestions, hint } = await new ResolvePathTool({ workspace })
      .execute({ path: given! }) as { suggestions?: string[]; hint?: string };
    assert.ok(suggestions?.includes(suggestion!), given);
    assert.match(hint!, new RegExp(`normal form ${form}`));
  }
  const { hint } = await new ResolvePathTool({ workspace })
    .execute({ path: "nfd/cafx.txt" }) as { hint?: string };
  assert.doesNotMatch(hint!, /normal form/);
});

Deno.test("each caller gets the normal form reported, and its advice works", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const json = async (...args: string[]) =>
    JSON.parse((await pathgrep(["--format", "json", ...args], { cwd: tree.root })).stdout);
  for (
    const [args, options] of [[["caf\u00e9 noir"], []], [["-F", "caf\u00e9 noir"], []], [
      ["-w", "the\u0301 vert"],
      ["-w"],
    ]]
  ) {
    const [note] = (await json(...args!)).notes as string[];
    const sent = /use '?(.*?)'? as PATTERN/.exec(note!)![1]!;
    assert.match(note!, /^1 match in .* is in the Unicode normal form NF[CD]; /);
    assert.equal((await json(...options!, sent)).count, 1, note);
  }
  const tool = new GrepTool({ workspace });
  const answer = await tool.execute({ pattern: "caf\u00e9 noir" }) as { notes: string[] };
  const change = JSON.parse(/send (\{.*\})$/.exec(answer.notes[0]!)![1]!);
  assert.equal((await tool.execute(change) as { count: number }).count, 1);
  const [note] = (await json("--files", "-g", "caf\u00e9.*")).notes as string[];
  const glob = /form NFD; use --include '(.*)'$/.exec(note!)![1]!;
  assert.equal((await json("--files", "-g", glob)).count, 1, note);
});
