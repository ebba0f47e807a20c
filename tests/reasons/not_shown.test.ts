/**
 * What an answer says of matches that it does not show: each cause, what to send, and when nothing is said.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  type NotShown,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { GrepTool as InternalGrepTool } from "../../src/tools/grep_tool.ts";
import type { TextAnswer } from "../../src/tools/tool.ts";
import { sameAnswer } from "../support/engines.ts";
import { gzipOf } from "../support/gzip.ts";
import { test } from "../support/needs.ts";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

type Shown = Extract<SearchResult, { output_mode: "content" }>;
type Row = Omit<NotShown, "send"> & { send?: NotShown["send"] };

interface Case {
  cause: NotShown["cause"];
  tree: Record<string, TreeEntry>;
  first: string;
  matches: number;
  files?: number;
  /** The keys of a tool, and of the library. */
  send: Record<string, unknown>;
  library: Partial<SearchQuery>;
  shell: string;
  line: string;
  query?: { path: string };
}

const GITDIR = "gitdir: /else/.git/worktrees/wt\n";
const utf16 = (text: string) =>
  Uint8Array.from([...text].flatMap((char) => [char.charCodeAt(0), 0]));
const utf16Swapped = (text: string) =>
  Uint8Array.from([...text].flatMap((char) => [0, char.charCodeAt(0)]));

const CASES: readonly Case[] = [
  {
    cause: "ignored",
    tree: { ".ignore": "gen\n", "gen/b.ts": "needle\nneedle\n", "gen/sub/c.ts": "needle\n" },
    first: "gen/b.ts",
    matches: 3,
    files: 2,
    send: { no_ignore: true },
    library: { ignore: false },
    shell: "--no-ignore",
    line: "3 matches in ignored gen; no_ignore: true shows them",
  },
  {
    cause: "binary",
    tree: { "b.ts": "needle\0\nneedle\n" },
    first: "b.ts",
    matches: 2,
    send: { search_binary: true },
    library: { text: true },
    shell: "--text",
    line: "2 matches in b.ts (binary); search_binary: true shows them",
  },
  {
    cause: "too_large",
    tree: { "b.ts": `needle\n${"x".repeat(99).concat("\n").repeat(11_000)}` },
    first: "b.ts",
    matches: 1,
    send: { path: "b.ts" },
    library: { maxFileSize: 0 },
    shell: "--max-file-size 0",
    line: '1 match in b.ts (too large); path "b.ts" shows it',
  },
  {
    cause: "compressed",
    tree: { "b.gz": gzipOf("one\nneedle\nneedle\n") },
    first: "b.gz",
    matches: 2,
    send: { everything: true },
    library: { everything: true },
    shell: "--everything",
    line: "2 matches in b.gz (gzip); everything: true shows them",
  },
  {
    cause: "encoding",
    tree: { "b.ts": Uint8Array.from([...new TextEncoder().encode("needle "), 0xe9, 10]) },
    first: "b.ts",
    matches: 1,
    send: { search_binary: true },
    library: { text: true },
    shell: "--text",
    line: "1 match in b.ts (not UTF-8); search_binary: true shows it",
  },
  {
    cause: "encoding",
    tree: { "b.ts": utf16("a needle without a mark\n") },
    first: "b.ts",
    matches: 1,
    send: { encoding: "utf-16le" },
    library: { encoding: "utf-16le" },
    shell: "--encoding utf-16le",
    line: '1 match in b.ts (utf-16le); encoding "utf-16le" shows it',
  },
  {
    cause: "link",
    tree: { "packages/kit": { symlink: "../shared/kit" }, "shared/kit/k.ts": "needle\n" },
    query: { path: "packages" },
    first: "shared/kit/k.ts",
    matches: 1,
    send: { follow: true },
    library: { follow: true },
    shell: "--follow",
    line: "1 match in packages/kit (a link to shared/kit); follow: true shows it",
  },
  {
    cause: "worktree",
    tree: { "wt/.git": GITDIR, "wt/b.ts": "needle\n" },
    first: "wt/b.ts",
    matches: 1,
    send: { path: "wt" },
    library: { path: "wt" },
    shell: "wt",
    line: '1 match in the git worktree wt; path "wt" shows it',
  },
];

/** A tree in which the search finds something in any case. */
function treeOf({ tree, query }: Pick<Case, "tree" | "query">): Promise<Tree> {
  return tempTree({ ...tree, [`${query?.["path"] ?? "."}/a.ts`]: "needle\n" });
}

async function grepped(tree: Tree, input: Record<string, unknown>): Promise<SearchResult> {
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const answer = await grep.execute({ pattern: "needle", paths: "relative", ...input });
  assert.ok(!("error" in answer), JSON.stringify(answer));
  return answer as SearchResult;
}

/** The text of a tool's answer as MCP has it. */
async function textOf(tree: Tree, input: Record<string, unknown> = {}): Promise<string> {
  const grep = new InternalGrepTool({ workspace: await Workspace.open(tree.root) });
  const options = { form: "text" } as object;
  const answer = await grep.execute({ pattern: "needle", ...input }, options);
  const { text, notes = [] } = answer as object as TextAnswer;
  return [text, ...notes].join("\n");
}

function rowOf({ cause, matches, files = 1, first }: Case): Row {
  return { cause, matches, files, first };
}

for (const one of CASES) {
  const { cause, first, library, line, matches, query = {}, send, shell } = one;
  Deno.test(`matches not shown: ${cause} (${JSON.stringify(send)}), and what is sent shows them`, async () => {
    await using tree = await treeOf(one);
    const expected = rowOf(one);
    for (const output_mode of ["content", "file", "count"]) {
      const { scope } = await grepped(tree, { ...query, output_mode });
      assert.deepEqual(scope!.not_shown, [{ ...expected, send }], output_mode);
    }
    const shown = await grepped(tree, { ...query, ...send, output_mode: "content" });
    const found = (shown as Shown).matches;
    assert.equal(
      found.filter(({ file }) => file !== "a.ts" && !file.endsWith("/a.ts")).length,
      matches,
    );
    assert.ok(found.some(({ file }) => file === first));
    assert.equal(shown.scope!.not_shown, undefined);

    const workspace = await Workspace.open(tree.root);
    const asked = { pattern: "needle", explain: true, paths: "relative", ...query } as const;
    const answer = await search(asked, { workspace });
    assert.deepEqual(answer.not_shown, [{ ...expected, send: library }]);
    const again = await search({ ...asked, ...library, outputMode: "file" }, { workspace });
    assert.ok(again.files.includes(first));

    const args = ["--paths", "relative", "needle", ...Object.values(query) as string[]];
    const { stdout } = await pathgrep(args, { cwd: tree.root });
    const [row] = JSON.parse(stdout).not_shown;
    assert.deepEqual(row, { ...expected, send: shell });
    const sent = await pathgrep([...args, ...shell.split(" ")], { cwd: tree.root });
    assert.ok(sent.stdout.includes(`"${first}"`));

    assert.ok(
      (await textOf(tree, query)).endsWith(`\nnot shown: ${line}`),
      await textOf(tree, query),
    );
    const text = await pathgrep([...args, "--format", "text"], { cwd: tree.root });
    const start = line.slice(0, line.indexOf(";"));
    assert.match(text.stderr, /^pathgrep: note: not shown: [^\n]+; [^\n]+ shows (it|them)$/m);
    assert.ok(text.stderr.includes(`not shown: ${start}; ${shell} shows`), text.stderr);
    const rows = await pathgrep([...args, "--format", "jsonl"], { cwd: tree.root });
    const summary = JSON.parse(rows.stdout.trim().split("\n").at(-1)!);
    assert.deepEqual([summary.type, summary.not_shown], ["summary", [row]]);
  });

  Deno.test(`in an empty answer the notes say it instead of the line: ${cause} (${JSON.stringify(send)})`, async () => {
    await using tree = await tempTree(one.tree);
    const { scope, notes = [] } = await grepped(tree, query);
    assert.deepEqual(scope!.not_shown, [{ ...rowOf(one), send }]);
    assert.match(notes.join("\n"), new RegExp(`^${matches} match(es)? in `, "m"));
    assert.doesNotMatch(await textOf(tree, query), /not shown:/);
    const { stdout, stderr } = await pathgrep(
      ["needle", "--format", "text", ...Object.values(query) as string[]],
      { cwd: tree.root },
    );
    assert.equal(stdout, "");
    assert.doesNotMatch(stderr, /not shown:/);
  });
}

/** Texts that are written otherwise: what is searched for, in what, and in turn how many matches are in another form. */
const SPELLINGS: readonly {
  what: string;
  pattern: string;
  text: string;
  rows: readonly (readonly [matches: number, line: string])[];
  input?: Record<string, unknown>;
}[] = [
  {
    what: "a phrase over a line break",
    pattern: "max retries",
    text: "max retries\nmax\n  retries and max retries\nthe max\r\nretries\n",
    rows: [[2, 'across a line break: pattern "max\\s+retries", multiline: true']],
  },
  {
    what: "a phrase of three words",
    pattern: "one two\\s+three",
    text: "one two three\none\ntwo three\none two\nthree\none two  three\none\ntwo\nthree\n",
    rows: [[3, 'across a line break: pattern "one\\s+two\\s+three", multiline: true']],
  },
  {
    what: "plain text over a line break",
    pattern: "f(a, b)",
    input: { fixed_strings: true },
    text: "f(a, b)\nf(a,\n  b)\n",
    rows: [[
      1,
      'across a line break: pattern "f\\(a,\\s+b\\)", fixed_strings: false, multiline: true',
    ]],
  },
  {
    what: "no-break spaces",
    pattern: "max retries",
    text: "max retries\nmax\u00a0retries\nmax&nbsp;retries\nmax\u00a0retries and max retries\n",
    rows: [[2, "with a no-break space: pattern "]],
  },
  {
    what: "no-break spaces in several places and forms",
    pattern: "one two three",
    text:
      "one two three\none\u00a0two three\none two&#xA0;three\none&nbsp;two\u202fthree\none\\u00a0two three\n",
    rows: [[4, "with a no-break space: pattern "]],
  },
  {
    what: "repeated no-break spaces",
    pattern: "max +retries",
    text: "max  retries\nmax \u00a0 retries\nmax\u00a0&nbsp;retries\nmaxretries\n",
    rows: [[2, "with a no-break space: pattern "]],
  },
  {
    what: "a no-break space in one of many places",
    pattern: "a bc d ef g hi j",
    text: "a bc d ef g hi j\na\u00a0bc d ef g hi j\na bc d ef g hi\u00a0j\na bc d&nbsp;ef g hi j\n",
    rows: [[3, "with a no-break space: pattern "]],
  },
  {
    what: "the other normal form",
    pattern: "caf\u00e9",
    text: "caf\u00e9\ncafe\u0301\n",
    rows: [[1, 'in the Unicode normal form NFD: pattern "cafe\\u0301"']],
  },
  {
    what: "HTML entities and escapes",
    pattern: "No\u00ebl",
    text: "No\u00ebl\nNo&euml;l\nNo&#235;l\nNo&#xEB;l\n'No\\u00ebl'\n'No\\u{eb}l'\nNoel\n",
    rows: [[5, "as HTML entities or escapes: pattern "]],
  },
  {
    what: "two forms in a line, which counts once",
    pattern: "na\u00efve way",
    text: "na\u00efve way\nna&iuml;ve way na\u00efve\u00a0way\n",
    rows: [[1, "as HTML entities or escapes: pattern "]],
  },
];

for (const { what, pattern, text, rows, input = {} } of SPELLINGS) {
  Deno.test(`matches not shown: ${what}`, async () => {
    await using tree = await tempTree({ "a.txt": text, "b.txt": "other\n" });
    const call = { pattern, ...input };
    const shown = await grepped(tree, { ...call, output_mode: "content" });
    const said = shown.scope!.not_shown!;
    assert.deepEqual(
      said.map(({ send: _, ...row }) => row),
      rows.map(([matches]) => ({ cause: "form", matches, files: 1, first: "a.txt" })),
    );
    for (const { matches, send } of said) {
      const sent = await grepped(tree, { ...call, ...send as object, output_mode: "content" });
      assert.ok(sent.count >= matches, JSON.stringify(send));
      assert.notDeepEqual((sent as Shown).matches, (shown as Shown).matches);
    }
    const last = (await textOf(tree, call)).split("\n").at(-1)!;
    assert.ok(last.startsWith(`not shown: ${rows[0]![0]} match`), last);
    for (const [, line] of rows) assert.ok(last.includes(line), last);
  });

  Deno.test(`an empty answer names ${what}`, async () => {
    const isFound = (line: string) =>
      input["fixed_strings"] ? line.includes(pattern) : new RegExp(pattern, "u").test(line);
    await using tree = await tempTree({
      "a.txt": text.split("\n").filter((line) => !isFound(line)).join("\n"),
    });
    const { scope, notes = [] } = await grepped(tree, { pattern, include: "a.*", ...input });
    const { matches, send } = scope!.not_shown![0]!;
    assert.ok(matches > 0);
    const how = rows[0]![1].replace(/: pattern .*$/, "");
    assert.match(
      notes.join("\n"),
      new RegExp(`^${matches} match(es)? in a\\.txt (is|are) .*${how}; send `, "m"),
    );
    assert.ok((await grepped(tree, { pattern, ...input, ...send as object })).count > 0);
  });
}

Deno.test("no form is looked for in classes, alternatives and lines that span lines anyway", async () => {
  await using tree = await tempTree({
    "a.txt": "max retries\nx y\nmax\nretries\nx\ny\nb c\nb\nc\n\u00e9\n&eacute;\n",
  });
  for (
    const input of [
      { pattern: "max retries", multiline: true },
      { pattern: "x[ ]y" },
      { pattern: "x y|b c" },
      { pattern: "[\u00e9\u00e8]" },
      { pattern: "max (?=r)" },
    ]
  ) {
    const forms = (await grepped(tree, input)).scope!.not_shown ?? [];
    assert.deepEqual(
      forms.filter(({ send }) => (send as { multiline?: true }).multiline),
      [],
      JSON.stringify(input),
    );
    assert.ok(!JSON.stringify(forms).includes("&eacute;"), JSON.stringify(forms));
  }
});

Deno.test("at the shell and in the library another form is sent as a pattern", async () => {
  await using tree = await tempTree({ "a.txt": "max retries\nmax\nretries\n" });
  const { stdout } = await pathgrep(["max retries"], { cwd: tree.root });
  const [row] = JSON.parse(stdout).not_shown;
  assert.equal(row.send, "-e 'max\\s+retries' --multiline");
  const sent = await pathgrep(["-e", "max\\s+retries", "--multiline"], { cwd: tree.root });
  assert.equal(JSON.parse(sent.stdout).count, 2);
  const workspace = await Workspace.open(tree.root);
  const { not_shown: rows } = await search({ pattern: "max retries", explain: true }, {
    workspace,
  });
  assert.deepEqual(rows![0]!.send, { pattern: "max\\s+retries", multiline: true });
});

Deno.test("each file counts once, under the first cause that applies", async () => {
  await using tree = await tempTree({
    ".ignore": "gen\n",
    "a.ts": "needle\n",
    "gen/b.bin": "needle\0\n",
    ".h/gen/c.ts": "needle\n",
    ".h/d.ts": "needle\n",
    "link": { symlink: "gen" },
    "e.bin": "needle\0\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", explain: true, hidden: false, paths: "relative" } as const;
  const { not_shown: rows } = await search(query, { workspace });
  assert.deepEqual(rows, [
    {
      cause: "ignored",
      matches: 2,
      files: 2,
      first: ".h/gen/c.ts",
      send: { ignore: false, hidden: true, text: true },
    },
    { cause: "hidden", matches: 1, files: 1, first: ".h/d.ts", send: { hidden: true } },
    { cause: "binary", matches: 1, files: 1, first: "e.bin", send: { text: true } },
  ]);
  const { stdout } = await pathgrep(["needle", "--no-hidden"], { cwd: tree.root });
  const [ignored] = JSON.parse(stdout).not_shown;
  assert.equal(ignored.send, "--no-ignore --hidden --text");
  const sent = await pathgrep(["-l", "needle", "--no-hidden", ...ignored.send.split(" ")], {
    cwd: tree.root,
  });
  assert.equal(JSON.parse(sent.stdout).count, 5);
});

Deno.test("a file that links lead to in two ways counts by the way that less bars", async () => {
  await using tree = await tempTree({
    "docs/up": { symlink: ".." },
    "gen/a.ts": "needle\n",
    "lib/.h.ts": "needle\nneedle\n",
    "z.ts": { symlink: "lib/.h.ts" },
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", path: "docs", explain: true, hidden: false } as const;
  const { not_shown: rows } = await search({ ...query, paths: "relative" }, { workspace });
  const row = { cause: "link", matches: 3, files: 2, first: "gen/a.ts", send: { follow: true } };
  assert.deepEqual(rows, [row]);
  assert.equal((await search({ ...query, follow: true }, { workspace })).count, 3);
});

Deno.test("a link to a directory above the searched one hides nothing of what was searched", async () => {
  await using tree = await tempTree({
    "src/a.ts": "needle\n",
    "src/up": { symlink: ".." },
    "lib/b.ts": "needle\n",
  });
  const { scope } = await grepped(tree, { path: "src" });
  const row = { cause: "link", matches: 1, files: 1, first: "lib/b.ts", send: { follow: true } };
  assert.deepEqual(scope!.not_shown, [row]);
});

Deno.test("what is advised for files in a worktree and elsewhere shows all of them", async () => {
  const latin = Uint8Array.from("needle caf\u00e9\n", (letter) => letter.charCodeAt(0));
  await using tree = await tempTree({
    "a.ts": "needle\n",
    "lib/b.ts": latin,
    "wt/.git": GITDIR,
    "wt/c.ts": latin,
  });
  const { scope } = await grepped(tree, {});
  const [row, ...others] = scope!.not_shown!;
  assert.deepEqual([row!.cause, row!.matches, others], ["encoding", 2, []]);
  assert.equal((await grepped(tree, row!.send as Record<string, unknown>)).count, 2);
});

const LARGE = "x".repeat(99).concat("\n").repeat(11_000);
const IN_SEVERAL_WAYS: readonly {
  what: string;
  tree: Record<string, TreeEntry>;
  /** How many matches there are in all, and what is sent for the first row. */
  count: number;
  send: Record<string, unknown>;
}[] = [
  {
    what: "files in two encodings",
    tree: { "b.ts": utf16("a needle\n"), "c.ts": utf16Swapped("a needle\n") },
    count: 3,
    send: { everything: true },
  },
  {
    what: "an encoding and a binary file in an ignored directory",
    tree: { ".ignore": "gen\n", "gen/b.ts": utf16("a needle\n"), "gen/c.ts": "needle\0\n" },
    count: 3,
    send: { everything: true },
  },
  {
    what: "one encoding and UTF-8 in an ignored directory",
    tree: { ".ignore": "gen\n", "gen/b.ts": utf16("a needle\n"), "gen/c.ts": "needle\n" },
    count: 3,
    send: { no_ignore: true, encoding: "utf-16le" },
  },
  {
    what: "a large file in an ignored directory",
    tree: { ".ignore": "gen\n", "gen/b.ts": `needle\n${LARGE}` },
    count: 1,
    send: { path: "gen/b.ts" },
  },
  {
    what: "a large binary file in an ignored directory of a worktree",
    tree: { "wt/.git": GITDIR, "wt/.gitignore": "gen\n", "wt/gen/b.ts": `needle\0\n${LARGE}` },
    count: 1,
    send: { path: "wt/gen/b.ts", search_binary: true },
  },
  {
    what: "gzip, binary and large files in an ignored directory",
    tree: {
      ".ignore": "gen\n",
      "gen/b.gz": gzipOf(utf16("a needle\n")),
      "gen/c.ts": "needle\0\n",
      "gen/d.ts": `needle\n${LARGE}`,
    },
    count: 4,
    send: { everything: true },
  },
];

for (const { what, tree: entries, count, send } of IN_SEVERAL_WAYS) {
  Deno.test(`what is advised shows all of a row: ${what}`, async () => {
    await using tree = await tempTree({ ...entries, "a.ts": "needle\n" });
    const [row, ...others] = (await grepped(tree, {})).scope!.not_shown!;
    assert.deepEqual([row!.send, others], [send, []]);
    assert.equal((await grepped(tree, send)).count, count);
  });
}

Deno.test("a search of everything for hidden files says so, as what is given otherwise wins", async () => {
  await using tree = await tempTree({
    "a.ts": "needle\n",
    ".b.ts": utf16("a needle\n"),
    ".c.ts": utf16Swapped("a needle\n"),
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", explain: true, hidden: false } as const;
  const [row] = (await search(query, { workspace })).not_shown!;
  assert.deepEqual(row!.send, { everything: true, hidden: true });
  assert.equal((await search({ ...query, ...row!.send as object }, { workspace })).count, 3);
});

/** Searches for everything but what they exclude themselves. */
const EVERYTHING_BUT:
  readonly (readonly [given: Partial<SearchQuery>, causes: readonly string[]])[] = [
    [{}, []],
    [{ hidden: false }, ["hidden"]],
    [{ ignore: true, maxFileSize: 1000 }, ["ignored", "too_large"]],
    [{ text: false }, ["binary"]],
    [{ follow: false }, ["link"]],
  ];

for (const [given, causes] of EVERYTHING_BUT) {
  Deno.test(`a search for everything says what it excludes itself: ${JSON.stringify(given)}`, async () => {
    await using tree = await tempTree({
      "src/.ignore": "gen\n",
      "src/a.ts": "needle\n",
      "src/gen/b.ts": "needle\n",
      "src/.h.ts": "needle\n",
      "src/c.bin": "needle\0\n",
      "src/d.ts": `needle\n${LARGE}`,
      "src/e.gz": gzipOf("needle\n"),
      "src/kit": { symlink: "../kit" },
      "kit/f.ts": "needle\n",
    });
    const workspace = await Workspace.open(tree.root);
    const query = { pattern: "needle", path: "src", explain: true, everything: true, ...given };
    const { count, not_shown: rows = [] } = await search(query, { workspace });
    assert.deepEqual([rows.map(({ cause }) => cause), count], [causes, 7 - causes.length]);
    const sent = Object.assign({}, ...rows.map(({ send }) => send));
    assert.equal((await search({ ...query, ...sent }, { workspace })).count, 7);
  });
}

/** Empty answers: the line, where no note names what is in it, and what the notes name. */
const UNNAMED: readonly {
  what: string;
  tree: Record<string, TreeEntry>;
  pattern?: string;
  note: RegExp;
  line?: string;
}[] = [
  {
    what: "ignored beside ignored and binary",
    tree: { ".ignore": "gen\nout\n", "gen/a.ts": "needle\n", "gen/b.ts": "needle\0\n" },
    note: /^1 match in gen\/a\.ts /m,
    line: "not shown: 2 matches in ignored gen; no_ignore: true, search_binary: true shows them",
  },
  {
    what: "binary beside ignored and binary",
    tree: { ".ignore": "gen\n", "a.ts": "needle\0\n", "gen/b.ts": "needle\0\n" },
    note: /^1 match in a\.ts /m,
    line: "not shown: 1 match in ignored gen; no_ignore: true, search_binary: true shows it",
  },
  {
    what: "a second form",
    pattern: "un caf\u00e9",
    tree: { "a.ts": "un cafe\u0301\n", "b.ts": "un caf&eacute;\n" },
    note: /^1 match in a\.ts .*NFD/m,
    line: "not shown: 1 match as HTML entities or escapes: pattern ",
  },
  {
    what: "all of it",
    tree: { ".ignore": "gen\n", "gen/a.ts": "needle\n", "b.ts": "needle\0\n" },
    note: /^1 match in b\.ts [^]*^1 match in gen\/a\.ts /m,
  },
];

for (const { what, tree: entries, pattern = "needle", note, line } of UNNAMED) {
  Deno.test(`in an empty answer the line has what no note names: ${what}`, async () => {
    await using tree = await tempTree(entries);
    const text = await textOf(tree, { pattern });
    assert.match(text, note);
    const lines = text.split("\n").filter((one) => one.startsWith("not shown:"));
    assert.deepEqual(lines.map((one) => one.slice(0, line?.length)), line ? [line] : []);
    const { stderr } = await pathgrep([pattern, "--format", "text"], { cwd: tree.root });
    assert.equal(/^pathgrep: note: not shown: /m.test(stderr), line !== undefined, stderr);
  });
}

for (
  const text of ["les caf\u00e9s\n", "les caf&eacute;s\n", "x les caf\u00e9s\nles caf&#233;s\n"]
) {
  Deno.test(`a decomposed pattern counts each other form once: ${JSON.stringify(text)}`, async () => {
    for (const pattern of ["cafe\u0301s", "les cafe\u0301s"]) {
      for (const more of ["", `${pattern}\n`]) {
        await using tree = await tempTree({ "a.ts": text, "b.ts": more });
        const { scope, count } = await grepped(tree, { pattern });
        assert.equal(count, more === "" ? 0 : 1);
        const rows = scope!.not_shown!;
        const lines = text.trim().split("\n").length;
        assert.equal(rows.reduce((sum, { matches }) => sum + matches, 0), lines);
        for (const { send } of rows) {
          assert.ok((await grepped(tree, { pattern, ...send as object })).count > 0);
        }
      }
    }
  });
}

for (const outputMode of ["content", "file", "count"] as const) {
  for (const only_matching of [false, true]) {
    Deno.test(`matching lines are counted in every mode: ${outputMode}, ${only_matching}`, async () => {
      await using tree = await tempTree({
        ".ignore": "gen\n",
        "a.ts": "needle needle\nthe other\n",
        "gen/b.ts": "needle needle\nother other\n\nneedle\n",
        "c.ts": "no\nbreak\nno\nbreak\n",
      });
      const countOf = async (input: Record<string, unknown>) => {
        const answer = await grepped(tree, { output_mode: outputMode, only_matching, ...input });
        return [answer.count > 0, answer.scope!.not_shown?.map(({ matches }) => matches)];
      };
      assert.deepEqual(await countOf({}), [true, [2]]);
      assert.deepEqual(await countOf({ include: "b.ts" }), [false, [2]]);
      assert.deepEqual(await countOf({ pattern: "d+l|other", include: "b.ts" }), [false, [3]]);
      assert.deepEqual(await countOf({ pattern: "no break" }), [false, [2]]);
    });
  }
}

Deno.test("counts go to 1000", async () => {
  for (const [lines, more] of [[1000, {}], [1001, { more: true }]] as const) {
    await using tree = await tempTree({
      ".ignore": "gen\n",
      "a.ts": "needle\n",
      "gen/b.ts": "needle\n".repeat(lines),
    });
    const { scope } = await grepped(tree, { max_count: 1 });
    const row = { cause: "ignored", matches: 1000, ...more, files: 1, first: "gen/b.ts" };
    assert.deepEqual(scope!.not_shown, [{ ...row, send: { no_ignore: true } }]);
    assert.match(await textOf(tree), more ? /: 1000\+? matches in ignored gen/ : /: 1000 matches/);
  }
});

Deno.test("directories that everyone ignores are looked into only where nothing else is found, or there", async () => {
  await using tree = await tempTree({
    ".ignore": "node_modules\ngen\n",
    "a.ts": "needle\n",
    "node_modules/x/b.ts": "needle\nother\n",
    "gen/node_modules/c.ts": "needle\n",
    "node_modules/x/.ignore": "dist\n",
    "node_modules/x/dist/d.ts": "needle\n",
  });
  assert.equal((await grepped(tree, {})).scope!.not_shown, undefined);
  const [row] = (await grepped(tree, { pattern: "other" })).scope!.not_shown!;
  assert.deepEqual([row!.cause, row!.first], ["ignored", "node_modules/x/b.ts"]);
  const inside = await grepped(tree, { path: "node_modules/x" });
  assert.deepEqual(inside.scope!.not_shown!.map(({ first }) => first), [
    "node_modules/x/dist/d.ts",
  ]);
});

Deno.test("what is taken in directories that everyone ignores is news, and what is not taken there is none", async () => {
  await using tree = await tempTree({
    ".gitignore": "/build/\n/dist/*\n!/dist/keep.ts\n",
    "build/kept.ts": "needle\n",
    "build/x/b.ts": "needle\n",
    "dist/keep.ts": "needle\n",
    "dist/c.ts": "needle\n",
    "node_modules/d.ts": "needle\0\n",
  });
  await sh("git init -q . && git add -f build/kept.ts", tree.root);
  const rows = async (input: Record<string, unknown> = {}) =>
    (await grepped(tree, input)).scope!.not_shown?.map(({ cause, first }) => [cause, first]);
  // An index, as a rule with an exception, leads a search there; a binary file was met in it.
  assert.deepEqual(await rows(), [["binary", "node_modules/d.ts"]]);
  await tree.write({ "build/kept.ts": "", "dist/keep.ts": "", "node_modules/d.ts": "" });
  assert.deepEqual(await rows(), [["ignored", "build/x/b.ts"]]);
});

Deno.test("nothing is said of what does not match, of filters, depth, letter case and names elsewhere", async () => {
  await using tree = await tempTree({
    ".ignore": "gen\n*.log\n",
    "src/a.ts": "needle one\n",
    "gen/b.ts": "NEEDLE\nother\n",
    "c.bin": "other\0\n",
    "d.txt": Uint8Array.from([0xe9, 10]),
    "e.md": "needle\n",
    "src/deep/gen/f.ts": "needle\n",
    "gen/g.md": "needle\n",
  });
  for (
    const input of [
      { pattern: "needle one" },
      { include: "*.ts", path: "src/a.ts" },
      { path: "src/a.ts" },
      { include: "a.ts" },
    ]
  ) {
    const answer = await grepped(tree, input);
    assert.deepEqual([answer.scope!.not_shown, answer.notes ?? []], [
      undefined,
      "include" in input && "path" in input
        ? ["include filter ignored because a specific file path was provided"]
        : [],
    ], JSON.stringify(input));
  }
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", explain: true, path: "src", maxDepth: 1 } as const;
  assert.equal((await search(query, { workspace })).not_shown, undefined);
});

Deno.test("it is off where lines or files without a match are wanted, on later pages and unasked", async () => {
  await using tree = await tempTree({
    ".ignore": "gen\n",
    "a.ts": "needle\nx\n",
    "b.ts": "needle\n",
    "gen/c.ts": "needle\nx\n",
  });
  for (
    const input of [
      { invert: true },
      { files_without_match: true, pattern: "absent" },
      { pattern: "n*" },
      { max_results: 1, offset: 1 },
    ]
  ) {
    assert.equal((await grepped(tree, input)).scope!.not_shown, undefined, JSON.stringify(input));
  }
  assert.equal((await grepped(tree, { max_results: 1 })).scope!.not_shown!.length, 1);
  const workspace = await Workspace.open(tree.root);
  assert.equal((await search({ pattern: "needle" }, { workspace })).not_shown, undefined);
  const never = await pathgrep(["--explain", "never", "needle"], { cwd: tree.root });
  assert.equal(JSON.parse(never.stdout).not_shown, undefined);
});

Deno.test("glob says which names match and were excluded", async () => {
  await using tree = await tempTree({
    ".ignore": "gen\n",
    "a.ts": "",
    "gen/b.ts": "",
    "gen/c.md": "",
    "node_modules/x.ts": "",
    "wt/.git": GITDIR,
    "wt/d.ts": "",
  });
  const glob = new GlobTool({ workspace: await Workspace.open(tree.root) });
  const input = { pattern: "*.ts", exclude: "node_modules", paths: "relative" };
  const { exclude: _, ...asked } = input;
  const answer = await glob.execute(asked) as SearchResult;
  const rows = answer.scope!.not_shown!;
  assert.deepEqual(rows, [
    { cause: "ignored", matches: 1, files: 1, first: "gen/b.ts", send: { path: "gen" } },
    { cause: "worktree", matches: 1, files: 1, first: "wt/d.ts", send: { path: "wt" } },
  ]);
  for (const { first, send } of rows) {
    const sent = await glob.execute({ ...asked, ...send as object }) as { files: string[] };
    assert.deepEqual(sent.files, [first]);
  }
  // A link to a file is named by what it leads to.
  await tree.write({ "src/l.ts": { symlink: "../gen/c.md" }, "src/m.md": { symlink: "../a.ts" } });
  for (const [pattern, rows] of [["*.ts", undefined], ["*.md", undefined]] as const) {
    const { scope } = await glob.execute({ pattern, path: "src" }) as SearchResult;
    assert.deepEqual(scope!.not_shown, rows);
  }
  // To name a directory is not enough where another rule is in it.
  await tree.write({ "gen/.ignore": "b.ts\n" });
  const [row] = (await glob.execute(asked) as SearchResult).scope!.not_shown!;
  assert.deepEqual(row!.send, { path: "gen/b.ts" });
});

Deno.test("links behind links are followed, each place once", async () => {
  await using tree = await tempTree({
    "src/kit": { symlink: "../shared" },
    "src/a.ts": "needle\n",
    "shared/more": { symlink: "../../ws2" },
    "shared/up": { symlink: ".." },
    "../ws2/b.ts": "needle\nother\n",
    "../ws2/back": { symlink: "$WS/shared" },
    "../ws2/c.ts": { symlink: "$WS/lib/c.ts" },
    "lib/c.ts": "needle\n",
  });
  const grep = new GrepTool({ workspace: await Workspace.open([tree.root, tree.path("../ws2")]) });
  const input = { path: "ws/src", paths: "relative" };
  for (const [pattern, files] of [["needle", 2], ["other", 1]] as const) {
    const { scope } = await grep.execute({ ...input, pattern }) as SearchResult;
    const row = {
      cause: "link",
      matches: files,
      files,
      first: files === 1 ? "ws2/b.ts" : "ws/lib/c.ts",
    };
    assert.deepEqual(scope!.not_shown, [{ ...row, send: { follow: true } }]);
    const sent = await grep.execute({ ...input, pattern, follow: true }) as SearchResult;
    assert.equal(sent.scope!.not_shown, undefined);
    assert.equal(sent.scope!.matched, pattern === "needle" ? 3 : 1);
  }
});

Deno.test("a file that is named is searched, and missing by no link to it", async () => {
  await using tree = await tempTree({
    "src/a.ts": "needle\n",
    "lib/large.ts": `needle\n${"x\n".repeat(1 << 20)}`,
    "lib/small.ts": "needle\n",
    "src/large.ts": { symlink: "../lib/large.ts" },
    "src/small.ts": { symlink: "../lib/small.ts" },
  });
  for (const path of ["src/large.ts", "lib/large.ts"]) {
    const { count, scope } = await grepped(tree, { path: "src", more_paths: [path] });
    assert.equal(count, 2);
    assert.deepEqual(scope!.not_shown!.map(({ cause, first }) => [cause, first]), [
      ["link", "lib/small.ts"],
    ]);
  }
});

Deno.test("every engine says the same of what is not shown", async () => {
  await using tree = await tempTree({
    ".ignore": "gen\n",
    "a.ts": "needle\n",
    "gen/b.ts": "needle\n",
    "c.bin": "needle\0\n",
    "wt/.git": GITDIR,
    "wt/d.ts": "needle\n",
  });
  const answer = await sameAnswer(tree.root, { pattern: "needle", explain: true });
  assert.equal((answer as SearchResult).not_shown!.length, 3);
});

for (const cache of ["none", "verified", "watched"] as const) {
  Deno.test(`a searcher says what is not shown each time, and follows changes: ${cache}`, async () => {
    await using tree = await tempTree({
      ".ignore": "gen\n",
      "a.ts": "needle\n",
      "gen/b.ts": "needle\n",
      "c.bin": "needle\0\n",
    });
    const workspace = await Workspace.open(tree.root);
    await using searcher = new Searcher({ workspace, cache });
    const rows = async (pattern: string) => {
      const { not_shown: rows = [] } = await searcher.search({ pattern, explain: true });
      return rows.map(({ cause, matches }) => `${matches} ${cause}`);
    };
    for (let n = 0; n < 3; n++) assert.deepEqual(await rows("needle"), ["1 ignored", "1 binary"]);
    await tree.write({ "gen/b.ts": "needle\nneedle\n", "gen/e.ts": "needle\n", "c.bin": "x\0" });
    assert.deepEqual(await rows("needle"), ["3 ignored"]);
    await tree.write({ "a.ts": "", "gen/f.ts": "needle\n" });
    assert.deepEqual(await rows("needle"), ["4 ignored"], "an empty answer");
  });
}

test.slow("where more is excluded than is held, the answer says once that it looked in part", async () => {
  const names = Array.from({ length: 20_001 }, (_, at) => [`${at}.log`, at < 9 ? "needle\n" : ""]);
  await using tree = await tempTree({
    ".ignore": "*.log\n",
    "a.ts": "needle\n",
    ...Object.fromEntries(names),
  });
  const { scope } = await grepped(tree, {});
  assert.deepEqual([scope!.in_part, scope!.not_shown?.[0]?.cause], [true, "ignored"]);
  const lines = (await textOf(tree)).split("\n").slice(-2);
  assert.match(lines[0]!, /; excluded: .* \(in part\)$/);
  assert.match(lines[1]!, /^not shown: .* shows (?:it|them)$/);
  const { stderr } = await pathgrep(["needle", "--format", "text"], { cwd: tree.root });
  assert.match(stderr, /note: not shown: .* shows (?:it|them) \(in part\)$/m);
});

Deno.test("under a small budget it goes after the notes, and the answer says so", async () => {
  const name = "n".repeat(150);
  await using tree = await tempTree({
    ".ignore": "gen\n",
    "a.ts": "needle\n".repeat(200),
    [`gen/${name}.ts`]: "needle\n",
    [`${name}.bin`]: "needle\0\n",
  });
  const whole = await grepped(tree, {});
  assert.equal(whole.scope!.not_shown!.length, 2);
  const short = await grepped(tree, { max_output_chars: 1000 });
  assert.ok(JSON.stringify(short).length <= 1000);
  assert.equal(short.scope!.not_shown, undefined);
  assert.ok(short.reduced!.includes("not_shown"));
  assert.match(await textOf(tree, { max_output_chars: 1000 }), /what is not shown omitted/);
});
