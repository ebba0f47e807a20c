/**
 * What an answer advises to send for the matches that it does not show: put into the same call, it shows each of
 * them, whatever hides them and whatever the call had said otherwise.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ContentResult, GrepTool, search, type SearchQuery, Workspace } from "../../mod.ts";
import { gzipOf } from "../support/gzip.ts";
import { test } from "../support/needs.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

const wide = (text: string) =>
  Uint8Array.from([...text].flatMap((char) => [char.charCodeAt(0), 0]));
const swapped = (text: string) =>
  Uint8Array.from([...text].flatMap((char) => [0, char.charCodeAt(0)]));
const GITDIR = "gitdir: /else/.git/worktrees/wt\n";
const LARGE = `needle\n${"x".repeat(99).concat("\n").repeat(11_000)}`;

interface Hidden {
  /** In the order in which they apply. */
  cause: string;
  tree: Record<string, TreeEntry>;
  /** The files below `src` that hold a match each. */
  files: readonly string[];
}

/** What hides a match, below `src`; the first of each kind is combined with all others. */
const HIDDEN: readonly Hidden[] = [
  { cause: "ignored", tree: { "src/gen/a.ts": "needle\n" }, files: ["src/gen/a.ts"] },
  { cause: "hidden", tree: { "src/.h.ts": "needle\n" }, files: ["src/.h.ts"] },
  { cause: "binary", tree: { "src/b.ts": "needle\0\n" }, files: ["src/b.ts"] },
  { cause: "too_large", tree: { "src/large.ts": LARGE }, files: ["src/large.ts"] },
  { cause: "compressed", tree: { "src/p.gz": gzipOf("needle\n") }, files: ["src/p.gz"] },
  { cause: "encoding", tree: { "src/w.ts": wide("a needle\n") }, files: ["src/w.ts"] },
  {
    cause: "link",
    tree: { "kit/k.ts": "needle\n", "src/kit": { symlink: "../kit" } },
    files: ["kit/k.ts"],
  },
  {
    cause: "worktree",
    tree: { "src/wt/.git": GITDIR, "src/wt/w.ts": "needle\n" },
    files: ["src/wt/w.ts"],
  },
  {
    cause: "ignored",
    tree: {
      "src/gen/b.ts": "needle\0\n",
      "src/gen/.h.ts": "needle\n",
      "src/gen/large.ts": LARGE,
      "src/gen/p.gz": gzipOf("needle\n"),
    },
    files: ["src/gen/b.ts", "src/gen/.h.ts", "src/gen/large.ts", "src/gen/p.gz"],
  },
  {
    cause: "hidden",
    tree: { "src/.d/w.ts": wide("a needle\n"), "src/.d/s.ts": swapped("a needle\n") },
    files: ["src/.d/w.ts", "src/.d/s.ts"],
  },
  { cause: "compressed", tree: { "src/w.gz": gzipOf(wide("a needle\n")) }, files: ["src/w.gz"] },
  {
    cause: "encoding",
    tree: { "src/s.ts": swapped("a needle\n"), "src/w.ts": wide("a needle\n") },
    files: ["src/s.ts", "src/w.ts"],
  },
];
const ORDER = [
  ...["ignored", "hidden", "binary", "too_large", "compressed", "encoding", "link", "worktree"],
];

/** Calls that say themselves what is to be searched; what everything includes does not change that. */
const QUERIES: Record<string, Partial<SearchQuery>> = {
  "nothing said": {},
  "hidden: false": { hidden: false },
  "encoding: gbk": { encoding: "gbk" },
  "all said": { hidden: false, ignore: true, text: false, follow: false, maxFileSize: 2000 },
};

function casesOf(of: readonly Hidden[]): Hidden[][] {
  const pairs = of.flatMap((one, at) => of.slice(at + 1).map((other) => [one, other]));
  return [...of.map((one) => [one]), ...pairs, [...of]];
}

const treeOf = (hidden: readonly Hidden[]) =>
  tempTree({
    ".ignore": "gen\n",
    "src/a.ts": "needle\n",
    ...Object.assign({}, ...hidden.map(({ tree }) => tree)),
  });

/** What is shown besides what is shown anyway. */
const filesOf = (answer: object) =>
  new Set(
    (answer as ContentResult).matches.map(({ file }) => file).filter((file) => file !== "src/a.ts"),
  );

/** Where hidden files are searched, what they are read as applies. */
const causeOf = ({ cause }: Hidden, { hidden = true }: Partial<SearchQuery>) =>
  cause === "hidden" && hidden ? "encoding" : cause;

const filesOfAll = (hidden: readonly Hidden[]) => new Set(hidden.flatMap(({ files }) => files));

for (const [name, said] of Object.entries(QUERIES)) {
  test.slow(`what is sent shows each match that is not shown: ${name}`, async () => {
    for (const hidden of casesOf(HIDDEN)) {
      await using tree = await treeOf(hidden);
      const workspace = await Workspace.open(tree.root);
      const query = { pattern: "needle", path: "src", paths: "relative", ...said } as const;
      const answer = await search({ ...query, explain: true }, { workspace });
      const shown = filesOf(answer);
      const rows = answer.not_shown ?? [];
      for (const cause of ORDER) {
        const isFirst = (one: Hidden) => causeOf(one, said) === cause;
        const files = filesOfAll(hidden.filter(isFirst)).difference(shown);
        const row = rows.find((row) => row.cause === cause);
        const which = `${JSON.stringify([...files])}: ${JSON.stringify(row)}`;
        assert.deepEqual([row?.files ?? 0, row?.matches ?? 0], [files.size, files.size], which);
        if (row === undefined) continue;
        const sent = await search({ ...query, ...row.send as object }, { workspace });
        assert.deepEqual(files.difference(filesOf(sent)), new Set(), which);
        const { everything, ...others } = row.send as Partial<SearchQuery>;
        const isSaid = (key: string) => Object.hasOwn(said, key);
        if (everything) assert.ok(Object.keys(others).every(isSaid), `more than needed: ${which}`);
      }
    }
  });
}

for (
  const said of [
    {},
    { no_ignore: false, follow: false, search_binary: false },
    { encoding: "gbk" },
    { everything: false, encoding: "utf-8" },
  ]
) {
  test.slow(`what a tool is told to send shows all of it: ${JSON.stringify(said)}`, async () => {
    await using tree = await treeOf(HIDDEN);
    const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
    const call = { pattern: "needle", path: "src", paths: "relative", ...said };
    const answer = await grep.execute(call) as ContentResult;
    const shown = filesOf(answer);
    const found = new Set(shown);
    for (const { files, send } of answer.scope!.not_shown!) {
      const sent = filesOf(await grep.execute({ ...call, ...send as object }));
      assert.ok(sent.difference(shown).size >= files, JSON.stringify(send));
      for (const file of sent) found.add(file);
    }
    assert.deepEqual(found, filesOfAll(HIDDEN));
  });
}

for (const said of [[], ["--no-hidden", "--max-file-size", "2000"], ["--encoding", "gbk"]]) {
  test.slow(`what the command line is told to add shows all of it: ${said.join(" ")}`, async () => {
    await using tree = await treeOf(HIDDEN);
    const args = ["needle", "src", ...said];
    const ask = (...more: string[]) => pathgrep([...args, ...more], { cwd: tree.root });
    const json = async (...more: string[]) => (await ask("--paths", "relative", ...more)).json();
    const answer = await json();
    for (const { first, send } of answer.not_shown) {
      assert.ok(filesOf(await json(...send.split(" "))).has(first), send);
    }
    const { stderr } = await ask("--format", "text");
    const [, options] = /^pathgrep: note: not shown: .*; (.*) shows them$/m.exec(stderr)!;
    assert.deepEqual(filesOf(await json(...options!.split(" "))), filesOfAll(HIDDEN), options);
    const isNeeded = (option: string) =>
      /^--(?:everything|hidden|max-file-size|no-encoding)$|^0$/.test(option);
    assert.ok(options!.split(" ").every(isNeeded), options);
  });
}
