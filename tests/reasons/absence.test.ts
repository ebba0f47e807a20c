/**
 * Why an answer is empty: every cause alone and in pairs, what is told to send, and what is not told.
 *
 * @module
 */

import assert from "node:assert/strict";
import { listFiles, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { filteredBy, ignoredBy, missed, missedFile, noteOf } from "../support/notes.ts";
import type { ReasonValues } from "../../src/notes/words.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { answerOf, comparable, ENGINES } from "../support/engines.ts";
import { assertInTime, assertSoon, inThreeTries } from "../support/soon.ts";
import { test } from "../support/needs.ts";

/** A file with a match, and the query that does not find it. */
interface Case {
  path: string;
  text: string;
  query: SearchQuery & { pattern: string };
  others: Record<string, TreeEntry>;
  /** Whether the text is written in another encoding than UTF-8. */
  encode?: boolean;
}

/** A cause: what hides the match, and what is said of it. */
interface Hiding {
  hide(one: Case): void;
  says: RegExp;
}

const CAUSES: Record<string, Hiding> = {
  "an include filter": {
    hide: ({ query }) => query.include = "*.md",
    says: /excluded by include "\*\.md"/,
  },
  "an exclude filter": {
    hide: ({ query }) => query.exclude = "f.*",
    says: /excluded by exclude "f\.\*"/,
  },
  "a type": { hide: ({ query }) => query.type = "md", says: /excluded by type "md"/ },
  "an excluded type": {
    hide: ({ query }) => query.typeNot = "ts",
    says: /excluded by typeNot "ts"/,
  },
  "the letter case": {
    hide: ({ query }) => query.pattern = query.pattern.toUpperCase(),
    says: /differs in letter case/,
  },
  "an ignore rule": {
    // One of a .gitignore would not count in a worktree.
    hide: ({ others }) => others[".ignore"] = "# built\n\nf.ts\n",
    says: /excluded by the ignore rule "f\.ts" in \.ignore:3/,
  },
  "a hidden directory": {
    hide(one) {
      one.path = one.path.replace(/(?=f\.ts$)/, ".h/");
      one.query.hidden = false;
    },
    says: /in hidden files or directories/,
  },
  "its size": {
    hide(one) {
      one.text += "x\n".repeat(2000);
      one.query.maxFileSize = 3000;
    },
    says: /in a file over 3000 bytes/,
  },
  "its depth": {
    hide(one) {
      one.path = one.path.replace(/(?=(\.h\/)?f\.ts$)/, "a/b/");
      one.query.maxDepth = 1;
    },
    says: /deeper than 1 level\b/,
  },
  "its encoding": {
    hide: (one) => one.encode = true,
    says: /in a file that is not UTF-8/,
  },
  "a place that was not searched": {
    hide(one) {
      one.path = `lib/${one.path}`;
      one.others["src/other.ts"] = "nothing\n";
      one.query.path = "src";
    },
    says: /outside the searched path/,
  },
  "another reading of the pattern": {
    hide(one) {
      one.text = `needle[0]\n${one.text}`;
      one.query.pattern = one.query.pattern.replace(/(?<=needle)/i, "[0]");
    },
    says: /found by another reading of the pattern/,
  },
  "a git worktree": {
    hide(one) {
      one.path = one.path.replace(/(?=(a\/b\/)?(\.h\/)?f\.ts$)/, "wt/");
      one.others[one.path.replace(/(?<=wt\/).*/, ".git")] = "gitdir: /else/.git/worktrees/wt\n";
    },
    says: /in the git worktree (lib\/)?wt\b/,
  },
};

function hiddenBy(...causes: Hiding[]): Case {
  const one: Case = {
    path: "f.ts",
    text: "needle\n",
    query: { pattern: "needle", explain: true },
    // Filters and types match some file.
    others: { "other.md": "nothing\n", "lib/other.ts": "nothing\n" },
  };
  for (const { hide } of causes) hide(one);
  return one;
}

async function explained(one: Case) {
  const text = one.encode
    ? Uint8Array.from(`${one.text}d\u00e9j\u00e0 \u00e9t\u00e9\n`, (char) => char.charCodeAt(0))
    : one.text;
  const t = await tempTree({ ...one.others, [one.path]: text });
  const workspace = await Workspace.open(t.root);
  const ask = (query: SearchQuery) => search({ ...query, paths: "relative" }, { workspace });
  const { count, notes = [] } = await ask(one.query);
  assert.equal(count, 0);
  return { t, ask, notes };
}

/** The query changed as a note advises. */
function followed(query: SearchQuery, note: string): SearchQuery {
  const advice = note.slice(note.indexOf("; ") + 2).split(", or ")[0]!;
  const left = /omit (.*?)(?= and pass |$)/.exec(advice)?.[1]?.split(" and ") ?? [];
  const sent = /pass (\{.*\})$/.exec(advice)?.[1] ?? "{}";
  const rest = Object.entries(query).filter(([key]) => !left.includes(key));
  return { ...Object.fromEntries(rest), ...JSON.parse(sent) };
}

for (const [name, cause] of Object.entries(CAUSES)) {
  Deno.test(`an empty answer names ${name}, with count, first path and the change to make`, async () => {
    const one = hiddenBy(cause);
    const { t, ask, notes } = await explained(one);
    await using _ = t;
    const told = notes.filter((note) => !/^1 (file|git worktree)/.test(note));
    assert.equal(told.length, 1, notes.join("\n"));
    assert.match(told[0]!, cause.says);
    assert.ok(told[0]!.startsWith(`1 match in ${one.path} `), told[0]);
    const { count } = await ask(followed(one.query, told[0]!));
    assert.equal(count, 1, `${told[0]} is followed`);
  });
}

for (const [index, [name, cause]] of Object.entries(CAUSES).entries()) {
  Deno.test(`${name} and any other cause that hide a match together are both reported`, async () => {
    for (const [otherName, other] of Object.entries(CAUSES).slice(index + 1)) {
      const one = hiddenBy(cause, other);
      const { t, ask, notes } = await explained(one);
      await using _ = t;
      const said = `${name} and ${otherName}: ${notes.join("\n")}`;
      const told = notes.filter((note) => note.startsWith("1 match in"));
      assert.equal(told.length, 1, said);
      assert.match(told[0]!, cause.says, said);
      assert.match(told[0]!, other.says, said);
      const query = followed(one.query, told[0]!);
      assert.equal((await ask(query)).count, 1, `${said}\n${JSON.stringify(query)}`);
    }
  });
}

async function notesOf(
  entries: Record<string, TreeEntry>,
  query: SearchQuery,
): Promise<readonly string[] | undefined> {
  await using t = await tempTree(entries);
  const workspace = await Workspace.open(t.root);
  const { count, notes } = await search({ explain: true, ...query }, { workspace });
  assert.equal(count, 0);
  return notes;
}

Deno.test("a cause that hides a match alone is reported without those that another one needs", async () => {
  const notes = await notesOf({
    ".gitignore": "dist/\n",
    "dist/a.ts": "needle\n",
    "dist/b.ts": "NEEDLE\n",
  }, { pattern: "needle" });
  assert.deepEqual(notes, [
    missed("dist/a.ts", ...ignoredBy("dist/", ".gitignore:1", "dist")),
  ]);
});

Deno.test("matches are counted by cause and rule, the first by path, in the order of the causes", async () => {
  const notes = await notesOf({
    ".gitignore": "dist/\n*.log\n",
    "z.js": "needle\n",
    "dist/deep/b.ts": "needle\nneedle\n",
    "dist/a.ts": "needle\n",
    "x.log": "needle\n",
    "up.ts": "Needle\n",
    "lib/.ignore": "*.gen.ts\n",
    "lib/a.gen.ts": "needle\n",
  }, { pattern: "needle", include: ["*.ts", "*.log"] });
  assert.deepEqual(notes, [
    missed("z.js", ...filteredBy("include", "*.ts", "*.log")),
    missed("up.ts", "case", [{ caseInsensitive: true }]),
    missed("dist/a.ts", ...ignoredBy("dist/", ".gitignore:1", "dist"), { count: 3, files: 2 }),
    missed("lib/a.gen.ts", ...ignoredBy("*.gen.ts", "lib/.ignore:1", "lib/a.gen.ts")),
    missed("x.log", ...ignoredBy("*.log", ".gitignore:2", "x.log")),
  ]);
});

Deno.test("what lies behind a symbolic link is reported, with the link and the path to name", async () => {
  const notes = await notesOf({
    "src/a.ts": "nothing\n",
    "lib/b.ts": "needle\n",
    "src/link": { symlink: "$WS/lib" },
    "src/out": { symlink: "$BASE" },
    "../secret.ts": "needle\n",
  }, { pattern: "needle", path: "src" });
  assert.deepEqual(notes, [
    missed("lib/b.ts", [{ kind: "symlinks", path: "src/link" }], [{ follow: true }, {
      path: "lib",
    }]),
    missed("lib/b.ts", "elsewhere", [{ path: "lib" }]),
  ]);
});

Deno.test("an ignored link is reported with the rule for its own name, and each file once", async () => {
  const notes = await notesOf({
    "src/.ignore": "gen*\n",
    "src/a.ts": "nothing\n",
    "lib/b.ts": "needle\n",
    "src/gen": { symlink: "$WS/lib" },
    "src/gen.ts": { symlink: "$WS/lib/b.ts" },
    "src/gen2.ts": { symlink: "$WS/lib/b.ts" },
  }, { pattern: "needle", path: "src", follow: true });
  assert.deepEqual(notes, [
    missed("lib/b.ts", ...ignoredBy("gen*", "src/.ignore:1", "lib/b.ts")),
    missed("lib/b.ts", "elsewhere", [{ path: "lib" }]),
  ]);
});

Deno.test("a filter that matches no file is reported, and the glob that was meant", async () => {
  const entries = { "src/[id].ts": "needle\n", "src/b.ts": "needle\n" };
  const problem = (
    filters: Record<string, readonly string[]>,
    more: Partial<ReasonValues<"matches_no_file">> = {},
  ) => noteOf("matches_no_file", { filters, isTogether: false, hasBraces: false, ...more });
  const include = "src/[id].ts";
  const instead = { include: "src/\\[id\\].ts", why: "brackets", files: 1, path: include } as const;
  for (const [pattern, count] of [["needle", 1], ["absent", 0]] as const) {
    assert.deepEqual(await notesOf(entries, { pattern, include }), [
      problem({ include: [include] }, { instead: { ...instead, count } }),
    ]);
  }
  const ask = (query: Partial<SearchQuery>) => notesOf(entries, { pattern: "absent", ...query });
  assert.deepEqual(await ask({ include: "*.tsx" }), [problem({ include: ["*.tsx"] })]);
  assert.deepEqual(await ask({ include: "*.ts", exclude: "src" }), [problem({ exclude: ["src"] })]);
  const both = { pattern: "absent", include: "*.ts", exclude: "{\\[,b}*" };
  assert.deepEqual(await notesOf({ ...entries, "c.md": "" }, both), [
    problem({ include: ["*.ts"], exclude: ["{\\[,b}*"] }, { isTogether: true }),
  ]);
  assert.deepEqual(await ask({ pattern: "needle", type: "py" }), [
    problem({ type: ["py"] }),
    missed(include, ...filteredBy("type", "py"), { count: 2, files: 2 }),
  ]);
});

Deno.test("nothing is reported where nothing exists", async () => {
  const entries = {
    ".gitignore": "dist/\n",
    "dist/a.ts": "x\n",
    ".h/a.ts": "x\n",
    "a.ts": "x\n",
    "src/b.ts": "x\n",
    "bin.ts": new Uint8Array([0, 110]),
  };
  const queries: SearchQuery[] = [
    { pattern: "absent" },
    { pattern: "absent[0]|(b)", include: "*.ts", path: "src" },
    { pattern: "absent", hidden: false, maxDepth: 1, type: "ts" },
    { pattern: "absent", path: "a.ts" },
  ];
  for (const query of queries) {
    assert.equal(await notesOf(entries, query), undefined, JSON.stringify(query));
  }
  assert.deepEqual(await notesOf({}, { pattern: "absent", include: "*.rs" }), undefined);
});

Deno.test("lines and files without a match are not searched in another letter case", async () => {
  const query = { pattern: "x", include: "*.ts" };
  const files = { ...query, outputMode: "file", filesWithoutMatch: true } as const;
  // In any letter case there would be none of the latter.
  for (const text of ["y\n", "X\n"]) {
    const entries = { "a.ts": "x\n", "b.md": text };
    const isExcluded = filteredBy("include", "*.ts");
    assert.deepEqual(await notesOf(entries, { ...query, invert: true }), [
      missed("b.md", ...isExcluded),
    ]);
    assert.deepEqual(await notesOf(entries, files), [missedFile("b.md", ...isExcluded)]);
  }
});

Deno.test("a hidden file at the deepest level that is searched is not too deep", async () => {
  const entries = { ".a.ts": "x\n", "b/.c.ts": "", "d.ts": "" };
  const [note, ...more] = await notesOf(entries, { pattern: "x", hidden: false, maxDepth: 1 }) ??
    [];
  assert.deepEqual(more, []);
  assert.match(note!, /in hidden files/);
  assert.doesNotMatch(note!, /level/);
});

Deno.test("a pattern that matches less in any letter case is also held as it stands", async () => {
  assert.deepEqual(
    await notesOf({ "a.md": "xA\n", "b.ts": "\n" }, { pattern: "x[^a]", include: "*.ts" }),
    [missed("a.md", ...filteredBy("include", "*.ts"))],
  );
});

Deno.test("of blocked files only their number and the rules are reported, whatever they contain", async () => {
  const answers = new Set<string>();
  for (const text of ["needle\n", "nothing\n", "NEEDLE[0]\n".repeat(500)]) {
    const entries = { ".env": text, "src/id_rsa": text, ".ssh/config": text, ".git/config": text };
    const notes = await notesOf({ "a.ts": "x\n", ...entries }, { pattern: "needle[0]" });
    answers.add(JSON.stringify(notes));
    // What a filter leaves out anyway is not counted.
    const query = { pattern: "needle", include: "*.ts" };
    assert.deepEqual(await notesOf({ "a.ts": "x\n", ".env": text }, query), undefined);
  }
  assert.deepEqual([...answers], [
    JSON.stringify([
      noteOf("blocked", { count: 3, rules: [".env", ".ssh/", "id_rsa"], more: 0 }),
    ]),
  ]);
});

Deno.test("the text of a rule is not quoted where its file is blocked", async () => {
  const entries = {
    "a/hidden1.ts": "needle\n",
    "b/c.ts": "needle\n",
    ".aiignore": ".ignore\n",
    ".ignore": "hidden*\n",
    ".git/info/exclude": "#\nb/*.ts\n",
  };
  assert.deepEqual(await notesOf(entries, { pattern: "needle" }), [
    missed("a/hidden1.ts", "ignored", [{ ignore: false }, { path: "a/hidden1.ts" }]),
    missed("b/c.ts", [{ kind: "ignored", file: ".git/info/exclude:2" }], [
      { ignore: false },
      { path: "b/c.ts" },
    ]),
    noteOf("blocked", { count: 1, rules: [".aiignore:1"], more: 0 }),
  ]);
  const denied = { "x.ts": "needle\n", ".gitignore": "x*\n" };
  const [note] = (await notesOf(denied, { pattern: "needle", deny: [".gitignore"] }))!;
  assert.match(note!, /is excluded by an ignore rule;/);
});

Deno.test("nothing is explained unless requested, nor for a page after the last, nor for a search that finds something", async () => {
  await using t = await tempTree({ "a.ts": "needle\n" });
  const workspace = await Workspace.open(t.root);
  const ask = async (query: SearchQuery) => (await search(query, { workspace })).notes;
  assert.equal(await ask({ pattern: "NEEDLE" }), undefined);
  assert.equal(await ask({ pattern: "NEEDLE", explain: false }), undefined);
  assert.equal(await ask({ pattern: "NEEDLE", explain: "never" }), undefined);
  assert.equal((await ask({ pattern: "NEEDLE", explain: "auto" }))?.length, 1);
  assert.deepEqual(await ask({ pattern: "needle", offset: 1, explain: true }), [
    noteOf("past_end", { offset: 1, count: 1, unit: "entry" }),
  ]);
  assert.equal(await ask({ pattern: "needle", explain: true }), undefined);
  await assert.rejects(search({ pattern: "x", explain: "always" as "auto" }, { workspace }), {
    code: "invalid_input",
    message: /^explain must be one of auto, never, got "always"$/,
  });
});

Deno.test("a listing that is empty says why", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\n",
    "dist/a.js": "",
    "src/B.ts": "",
    "src/[id].ts": "",
    "src/.h.css": "",
  });
  const workspace = await Workspace.open(t.root);
  const told = async (query: SearchQuery | Omit<SearchQuery, "pattern">) =>
    (await listFiles({ ...query, explain: true }, { workspace })).notes;
  assert.deepEqual(await told({ include: "*.js" }), [
    missedFile("dist/a.js", ...ignoredBy("dist/", ".gitignore:1", "dist")),
  ]);
  assert.deepEqual(await told({ include: "b.ts" }), [
    missedFile("src/B.ts", "case", [{ include: "src/B.ts" }]),
  ]);
  assert.deepEqual(await told({ include: "src/[id].ts" }), [
    'src/\\[id\\].ts finds 1 file, src/[id].ts; pass {"include":"src/\\\\[id\\\\].ts"}',
  ]);
  assert.deepEqual(await told({ include: "*.css", hidden: false }), [
    missedFile("src/.h.css", "hidden", [{ hidden: undefined }]),
  ]);
  assert.deepEqual(await told({ include: "*.ts", path: "dist" }), [
    missedFile("src/B.ts", "elsewhere", [{ path: "src" }], { files: 2 }),
  ]);
  assert.equal(await told({ include: "*.rs" }), undefined);
});

Deno.test(
  "every engine reports the same reasons",
  inThreeTries(async () => {
    await using t = await tempTree({
      ".gitignore": "dist/\n",
      "dist/a.ts": "needle\n",
      "up.ts": "NEEDLE\n",
      "other.js": "needle\n",
      "big.ts": "needle\n".repeat(1000),
    });
    const query = { pattern: "needle", include: "*.ts", maxFileSize: 3000, explain: true } as const;
    const answers = [];
    for (const engine of ENGINES) answers.push(await answerOf(engine, t.root, query));
    const [first, ...others] = answers.map(comparable);
    for (const other of others) assert.deepEqual(other, first);
    assert.equal((first as { notes: string[] }).notes.length, 5, JSON.stringify(first));
  }),
);

Deno.test("a searcher with a cache reports the same reasons", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\n",
    "dist/a.ts": "needle\n",
    "up.ts": "NEEDLE\n",
  });
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "needle", explain: true } as const;
  const { notes } = await search(query, { workspace });
  assert.equal(notes?.length, 2);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  for (let round = 0; round < 3; round++) {
    assert.deepEqual((await searcher.search(query)).notes, notes);
  }
});

/** A file that only reasons come to, which takes longer than there is time for. */
const SLOW = {
  "a.txt": "x\n",
  ".gitignore": "slow.txt\n",
  "slow.txt": `${"a".repeat(40)}!\n`.repeat(20_000),
};
const SLOW_PATTERN = "^(a+)+\\1$";

test.slow("the look for reasons ends in time, without a word; what it has found is a lower bound", async () => {
  const { ".gitignore": _, "slow.txt": slow, ...rest } = SLOW;
  await using t = await tempTree({
    ...rest,
    ".gitignore": "b.txt\nnode_modules\n",
    "b.txt": "aaaa\n",
    "node_modules/slow.txt": slow,
  });
  const workspace = await Workspace.open(t.root);
  for (const timeout of [300, 30_000]) {
    const started = performance.now();
    const query = { pattern: SLOW_PATTERN, explain: true, timeout };
    const { count, notes } = await search(query, { workspace });
    assertSoon(started);
    assert.equal(count, 0);
    assert.deepEqual(notes, [
      'at least 1 match in b.txt is excluded by the ignore rule "b.txt" in .gitignore:1; ' +
      'pass {"ignore":false}, or pass {"path":"b.txt"}',
    ]);
  }
});

test.slow(
  "the look for reasons ends at the time limit, also where it may take longer",
  inThreeTries(async () => {
    const line = `${"a".repeat(20)}!\n`;
    const took = async (lines: number, query: Partial<SearchQuery>) => {
      await using t = await tempTree({ ...SLOW, "a.txt": line.repeat(lines) });
      const workspace = await Workspace.open(t.root);
      const started = performance.now();
      await search({ pattern: SLOW_PATTERN, ...query }, { workspace }).catch((error) => {
        // The machine is slower than it was: there was no time left to look for reasons.
        assert.equal(error.code, "search_timed_out");
        return assertInTime(Infinity, 0, "the search alone");
      });
      return performance.now() - started;
    };
    let lines = 1;
    while (await took(lines, { explain: "never" }) < 500) lines *= 2;
    const again = await took(lines, { explain: "never" });
    const alone = Math.min(again, await took(lines, { explain: "never" }));
    // It may take as long as the search did, but for the limit.
    const timeout = Math.round(1.4 * alone);
    assertInTime(
      await took(lines, { explain: true, timeout }),
      1.75 * alone,
      "the look for reasons",
    );
  }),
);

Deno.test("an abort during the search for reasons cancels the search", async () => {
  await using t = await tempTree(SLOW);
  const workspace = await Workspace.open(t.root);
  const started = performance.now();
  const signal = AbortSignal.timeout(150);
  const running = search({ pattern: SLOW_PATTERN, explain: true }, { workspace, signal });
  await assert.rejects(running, { code: "cancelled" });
  assertSoon(started);
});

/** The longest that other work waits while a search goes on, in milliseconds. */
async function longestWait(search: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 10);
  await search;
  clearInterval(timer);
  return Math.max(longest, performance.now() - last);
}

test.slow(
  "reasons are looked for in turns: many files in other encodings keep nobody waiting",
  inThreeTries(async () => {
    const text = new Uint8Array(66_000);
    for (let at = 0; at < text.length; at += 2) {
      text[at] = 0xb0 + at * 7 % 39;
      text[at + 1] = 0xa1 + at * 11 % 93;
    }
    const files = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`${index}.txt`, text]),
    );
    await using t = await tempTree(files);
    const workspace = await Workspace.open(t.root);
    const searching = search({ pattern: "needle", explain: "auto" }, { workspace });
    assertInTime(await longestWait(searching), 5000, "the longest wait");
    const { count, notes } = await searching;
    assert.equal(count, 0);
    assert.match(String(notes), /1500 files that are not UTF-8 were not searched/);
  }),
);

test.slow(
  "reasons are looked for in time where there are many patterns",
  inThreeTries(async () => {
    await using t = await tempTree({ "a.txt": "hay\n" });
    const letters = (index: number) =>
      Array.from({ length: 38 }, (_, at) => "abcdef"[(index * 31 + at * at * 7) % 6]).join("");
    const pattern = Array.from(
      { length: 990 },
      (_, index) => ` (${letters(index)}|${letters(index + 500)})`,
    );
    const workspace = await Workspace.open(t.root);
    const searching = search({ pattern, explain: "auto" }, { workspace });
    assertInTime(await longestWait(searching), 5000, "the longest wait");
    assert.equal((await searching).count, 0);
  }),
);
