/**
 * What every answer to a tool call says of its scope: what was searched, and what was excluded.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { connect } from "../mcp/clients.ts";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import {
  type AnswerScope,
  GlobTool,
  GrepTool,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { USUALLY_IGNORED } from "../../src/walk/listing.ts";
import type { InternalCallOptions, TextAnswer } from "../../src/tools/tool.ts";
import { assertHolds } from "../support/draw.ts";
import { ENGINES } from "../support/engines.ts";
import { test, testNeeding } from "../support/needs.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

type Input = Record<string, unknown>;

/** An answer of `grep`, which is as its schema says. */
async function grepped(t: Tree | Workspace, input: Input = {}): Promise<SearchResult> {
  const workspace = t instanceof Workspace ? t : await Workspace.open(t.root);
  return await answered(new GrepTool({ workspace }), { pattern: "x", ...input });
}

async function answered(tool: GrepTool | GlobTool, input: Input): Promise<SearchResult> {
  const answer = await tool.execute(input) as SearchResult;
  assert.ok("base_path" in answer, JSON.stringify(answer));
  const schema = fromJsonSchema(tool.outputSchema as Parameters<typeof fromJsonSchema>[0]);
  const { issues } = await schema["~standard"].validate(answer);
  assert.equal(issues, undefined, JSON.stringify(answer));
  return answer;
}

async function scopeIn(entries: Record<string, TreeEntry>, input: Input = {}) {
  await using t = await tempTree(entries);
  return scopeOf(await grepped(t, input));
}

/** The scope without what is not shown, which has tests of its own. */
function scopeOf({ scope }: { scope?: AnswerScope }): AnswerScope | undefined {
  const { not_shown: _, ...others } = scope!;
  return others;
}

const LATIN_1 = new Uint8Array([0x78, 0xff, 0x0a]);
const MIXED: Record<string, TreeEntry> = {
  ".gitignore": "tmp\nnode_modules\n*.log\n",
  "a.ts": "x\n",
  "b.ts": "y\n",
  "c.bin": "x\0",
  "d/deep/e.ts": "x\n",
  "d/y.log": "x\n",
  "latin.txt": LATIN_1,
  "large.txt": "x\n".repeat(1 << 20),
  "link.ts": { symlink: "$WS/a.ts" },
  "node_modules/m/index.js": "x\n",
  "node_modules/m/x.log": "x\n",
  "tmp/f": "x\n",
  "tmp/g/h.log": "x\n",
  "z.log": "x\n",
  ".env": "x\n",
  ".git/HEAD": "x\n",
};
const MIXED_SCOPE: AnswerScope = {
  searched: 4,
  matched: 2,
  left_out: {
    ignored: ["tmp", "z.log", "d/y.log"],
    ignored_more: 1,
    blocked: 1,
    blocked_rules: [".env"],
    binary: 1,
    too_large: 1,
    not_utf8: 1,
    names: { binary: ["c.bin"], too_large: ["large.txt"], not_utf8: ["latin.txt"] },
  },
};

Deno.test("a scope says how many files were searched and matched, and what was excluded", async () => {
  await using t = await tempTree(MIXED);
  for (const output_mode of ["content", "file", "count"]) {
    const answer = await grepped(t, { output_mode, paths: "absolute" });
    assert.deepEqual(scopeOf(answer), MIXED_SCOPE, output_mode);
    const keys = Object.keys(answer);
    // What the scope says is not said again.
    assert.ok(keys.at(-1) === "scope" && !("notes" in answer), `${answer.notes}`);
    assert.deepEqual(Object.keys(answer.scope!.left_out!), Object.keys(MIXED_SCOPE.left_out!));
  }
  const concise = await grepped(t, { response_format: "concise" });
  assert.deepEqual(scopeOf(concise), MIXED_SCOPE);
});

Deno.test("a scope is that of the path, filters and keys of the call", async () => {
  await using t = await tempTree(MIXED);
  assert.deepEqual(scopeOf(await grepped(t, { path: "d" })), {
    searched: 1,
    matched: 1,
    left_out: { ignored: ["d/y.log"] },
  });
  assert.deepEqual(scopeOf(await grepped(t, { path: "b.ts" })), { searched: 1, matched: 0 });
  const binary = { searched: 0, matched: 0, left_out: { binary: 1 } };
  assert.deepEqual(scopeOf(await grepped(t, { path: "c.bin" })), binary);
  assert.deepEqual(scopeOf(await grepped(t, { path: "tmp" })), {
    searched: 2,
    matched: 2,
  }, "below an ignored directory that is named, rules from above do not count");
  // What the include does not ask for is not missing.
  const scope = { searched: 3, matched: 2, left_out: { ignored: ["tmp"], ignored_more: 1 } };
  assert.deepEqual(scopeOf(await grepped(t, { include: "*.ts" })), scope);
  const { ignored: __, ignored_more: ___, ...others } = MIXED_SCOPE.left_out!;
  assert.deepEqual(scopeOf(await grepped(t, { no_ignore: true })), {
    searched: 10,
    matched: 8,
    left_out: others,
  });
});

Deno.test("the glob tool says how many files it listed", async () => {
  await using t = await tempTree(MIXED);
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const { left_out: leftOut, ...counts } = (await answered(glob, { pattern: "*.ts" })).scope!;
  assert.deepEqual(counts, { searched: 3, matched: 3 });
  assert.deepEqual(leftOut, {
    ...{ ignored: ["tmp"], ignored_more: 1 },
    ...{ links: 1, names: { links: ["link.ts"] } },
  }, "files that the glob matches");
  const page = await answered(glob, { pattern: "*.ts", max_results: 1 });
  assert.deepEqual([page.count, page.scope!.searched], [1, 3]);
});

Deno.test("without excluded files there is no left_out", async () => {
  assert.deepEqual(await scopeIn({ "a.txt": "x\n", ".git/HEAD": "" }), { searched: 1, matched: 1 });
  assert.deepEqual(await scopeIn({}), { searched: 0, matched: 0 });
});

Deno.test("what everyone ignores is named only where nothing else is ignored", async () => {
  const usual = {
    ".gitignore": "node_modules\n/dist\n/tmp\n",
    "node_modules/a.js": "x",
    "packages/a/node_modules/b.js": "x",
    "dist/c.js": "x",
  };
  assert.deepEqual((await scopeIn(usual))!.left_out, {
    ignored: ["dist", "node_modules", "packages/a/node_modules"],
  });
  assert.deepEqual((await scopeIn({ ...usual, "tmp": "x" }))!.left_out, {
    ignored: ["tmp"],
    ignored_more: 3,
  });
});

Deno.test("five names are shown, those nearest to the top first", async () => {
  const entries: Record<string, TreeEntry> = { ".gitignore": "*.tmp\n" };
  for (const usual of USUALLY_IGNORED) entries[`a/${usual}/x`] = "x";
  entries["a/.gitignore"] = [...USUALLY_IGNORED].join("\n");
  for (let at = 9; at > 0; at--) entries[`a/${at}.tmp`] = entries[`a/b/c/${at}.tmp`] = "x";
  entries["z.tmp"] = entries["y.tmp"] = "x";
  for (let at = 100; at < 350; at++) entries[`a/b/c/d/${at}.tmp`] = "x";
  assert.deepEqual((await scopeIn(entries))!.left_out, {
    ignored: ["y.tmp", "z.tmp", "a/1.tmp", "a/2.tmp", "a/3.tmp"],
    ignored_more: 6 + 9 + 250 + USUALLY_IGNORED.size,
  });
  assert.deepEqual((await scopeIn(entries, { path: "a/b/c/d" }))!.left_out, {
    ignored: [100, 101, 102, 103, 104].map((at) => `a/b/c/d/${at}.tmp`),
    ignored_more: 245,
  });
});

testNeeding("linux")(
  "a linked worktree counts, and so does what cannot be read, but no link and no depth",
  async () => {
    await using t = await tempTree({
      "a.txt": "x\n",
      "copy/.git": "gitdir: ../.git/worktrees/copy\n",
      "copy/b.txt": "x\n",
      ".git/worktrees/copy/HEAD": "",
      "link": { symlink: "$WS/copy" },
    });
    const { stderr } = await spawn("sh", ["-c", "printf x > \"$(printf 'n\\377')\""], {
      cwd: t.root,
    });
    assert.equal(stderr, "");
    assert.deepEqual(scopeOf(await grepped(t)), {
      searched: 1,
      matched: 1,
      left_out: { unreadable: 1, worktrees: 1 },
    });
  },
);

Deno.test("of what is blocked an answer has the number and the rules, never a name", async () => {
  const scope = await scopeIn({
    ".aiexclude": "secret*\n",
    ".gitignore": "secret-ignored\nplain\n",
    "secret-ignored": "x",
    "secret/a": "x",
    "plain": "x",
  });
  assert.deepEqual(scope, {
    searched: 2,
    matched: 0,
    left_out: { ignored: ["plain"], blocked: 2, blocked_rules: [".aiexclude:1"] },
  });
});

const GZIP = new Uint8Array([0x1f, 0x8b, 8, 0, 0]);
const START: Record<string, Uint8Array> = {
  "a.bz2": new TextEncoder().encode("BZh91AY\0"),
  "a.gz": GZIP,
  "a.tar": new TextEncoder().encode(`${"a".padEnd(100, "\0")}${"0\0".padEnd(157)}ustar\0`),
  "a.xz": new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
  "a.zip": new TextEncoder().encode("PK\x03\x04\x14\0"),
  "a.zst": new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0]),
};

for (const [name, start] of Object.entries(START)) {
  Deno.test(`an archive is known by its first bytes: ${name}`, async () => {
    const large = new Uint8Array(2 << 20);
    large.set(start);
    const entries = { "x.txt": "y\n", [`d/${name}`]: start, [`l/${name}`]: large };
    const names = { archives: [`d/${name}`, `l/${name}`] };
    assert.deepEqual((await scopeIn(entries))!.left_out, { archives: 2, names });
  });
}

Deno.test("files of a kind that has three at most are named, and no others", async () => {
  const kinds = {
    binary: "x\0",
    archives: GZIP,
    too_large: "y\n".repeat(1 << 20),
    not_utf8: LATIN_1,
  };
  for (const [kind, content] of Object.entries(kinds)) {
    for (const count of [1, 3, 4, 9]) {
      const paths = Array.from({ length: count }, (_, index) => `d${index}/f`);
      const entries = Object.fromEntries(paths.map((path) => [path, content]));
      const beside: Record<string, TreeEntry> = { "z.bin": "z\0", ".env": "x\0", "a.ts": "x\n" };
      const { left_out } = (await scopeIn({ ...entries, ...beside }))!;
      const isBinary = kind === "binary";
      const all = isBinary ? [...paths, "z.bin"] : paths;
      const named = all.length > 3 ? {} : { [kind]: all };
      const names = isBinary ? named : { binary: ["z.bin"], ...named };
      assert.equal(left_out![kind as "binary"], all.length);
      assert.deepEqual(left_out!.names, Object.keys(names).length > 0 ? names : undefined, kind);
    }
  }
});

testNeeding("linux")(
  "a directory that cannot be read is named, and a name that is not UTF-8 is not",
  async () => {
    await using t = await tempTree({ "a.txt": "x\n", "d/b.txt": "x\n", "e/c.txt": "x\n" });
    await spawn("sh", ["-c", "printf x > \"$(printf 'e/n\\377')\""], { cwd: t.root });
    assert.deepEqual((await grepped(t)).scope!.left_out, { unreadable: 1 });
  },
);

Deno.test("a link counts where what it leads to was not searched and could be", async () => {
  await using t = await tempTree({
    ".aiexclude": "hush\n",
    ".gitignore": "packages/ignored\n",
    "../outside/o.ts": "x\n",
    "packages/a/in.ts": "x\n",
    "packages/again": { symlink: "$WS/packages/a" },
    "packages/blocked": { symlink: "$WS/.env" },
    "packages/hushed": { symlink: "$WS/hush" },
    "packages/dead": { symlink: "$WS/absent" },
    "packages/file.ts": { symlink: "$WS/shared/kit/k.ts" },
    "packages/file.md": { symlink: "$WS/shared/kit/k.md" },
    "packages/ignored": { symlink: "$WS/shared" },
    "packages/kit": { symlink: "$WS/shared/kit" },
    "packages/loop": { symlink: "$WS/packages/loop" },
    "packages/out": { symlink: "$BASE/outside" },
    "shared/kit/k.ts": "x\n",
    "shared/kit/k.md": "x\n",
    "hush/h.ts": "x\n",
    ".env": "x\n",
  });
  const linksIn = async (input: Input) => (await grepped(t, input)).scope!.left_out?.names?.links;
  const all = ["packages/file.md", "packages/file.ts", "packages/kit"];
  assert.deepEqual(await linksIn({ path: "packages" }), all);
  assert.deepEqual((await grepped(t, { path: "packages" })).scope!.left_out!.links, 3);
  assert.deepEqual(await linksIn({ path: "packages", include: "*.ts" }), all.slice(1));
  assert.deepEqual(await linksIn({ path: "packages", exclude: "kit" }), all.slice(0, 2));
  assert.deepEqual(await linksIn({ path: "packages", follow: true }), undefined);
  assert.deepEqual(await linksIn({ path: ["packages", "shared"] }), undefined);
  assert.deepEqual(await linksIn({ path: ["packages", "shared/kit/k.ts"] }), [all[0], all[2]]);
  assert.deepEqual(await linksIn({}), undefined, "all is searched");
  // Who looks for a name finds the link, whatever it leads to.
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  const named = async (pattern: string) =>
    (await answered(glob, { pattern })).scope!.left_out?.names?.links;
  assert.deepEqual(await named("**/again"), ["packages/again"]);
  assert.deepEqual(await named("packages/k*"), ["packages/kit"]);
  assert.deepEqual(await named("k*"), ["packages/kit"]);
  assert.deepEqual(await named("packages/*.ts"), ["packages/file.ts"]);
  // Nothing tells whether there is something that may not be read.
  for (const name of ["blocked", "hushed", "dead", "loop", "out", "ignored"]) {
    assert.equal(await named(`packages/${name}`), undefined, name);
  }
});

Deno.test("a true absence has no note, nor has a named file one of what is elsewhere", async () => {
  await using t = await tempTree({
    ...MIXED,
    "packed.gz": GZIP,
    "packages/kit": { symlink: "$WS/d" },
    "NEEDLE.ts": "needle\n",
  });
  await using client = await connect("v1", { cwd: t.root, args: ["--workspace", t.root] });
  const calls: Input[] = [
    { pattern: "absent" },
    { pattern: "absent", path: "packages" },
    { pattern: "absent", path: "d", include: "*.ts" },
    { pattern: "absent", path: "a.ts" },
    // It is in another file alone, in another letter case or not.
    { pattern: "needle", path: "a.ts" },
    { pattern: "Needle", path: "a.ts" },
    { pattern: "needle", path: "a.ts", more_paths: ["b.ts"] },
    { pattern: "y", path: "a.ts", output_mode: "file" },
  ];
  for (const input of calls) {
    const { count, notes, scope } = await grepped(t, input);
    assert.deepEqual([count, notes], [0, undefined], JSON.stringify(input));
    const { text } = await client.call("grep", input);
    assert.doesNotMatch(text, /\n/, "one line, on the scope");
    assert.ok(text.includes(`; searched ${scope!.searched} file`), text);
  }
  const { text } = await client.call("grep", { pattern: "absent" });
  assert.match(
    text,
    /, 1 blocked \(\.env\), 1 binary: c\.bin, 1 archive: packed\.gz, 1 too large: large\.txt, 1 not UTF-8: latin\.txt(?: \(in part\))?$/,
  );
  assert.match(
    (await client.call("grep", { pattern: "absent", path: "packages" })).text,
    /; excluded: 1 link: packages\/kit(?: \(in part\))?$/,
  );
});

Deno.test("the line names what is few, and text shows no control character of it", async () => {
  await using t = await tempTree({ "a.ts": "x\n", "b\u202e.bin": "\0", "c, d.bin": "\0" });
  const tool = new GrepTool({ workspace: await Workspace.open(t.root) });
  const options: InternalCallOptions = { form: "text" };
  const { text, notes } = await tool.execute({ pattern: "x" }, options) as TextAnswer;
  assert.match(text, /; excluded: 2 binary: "b\\u202e\.bin" and "c, d\.bin"$/);
  assert.equal(notes!.length, 1, "on escapes");
});

interface BlockedCase {
  entries: Record<string, TreeEntry>;
  deny?: string[];
  allow?: string[];
  follow?: boolean;
  blocked: number;
  rules?: string[];
  more?: number;
}

const BLOCKED_CASES: Record<string, BlockedCase> = {
  "a name of the table": { entries: { "a/.env": "x" }, blocked: 1, rules: [".env"] },
  "a glob of the table": { entries: { "server.pem": "x" }, blocked: 1, rules: ["*.pem"] },
  "in another letter case": { entries: { "ID_RSA": "x" }, blocked: 1, rules: ["id_rsa"] },
  "with what is not seen after it": {
    entries: { ".env\u200b ": "x" },
    blocked: 1,
    rules: [".env"],
  },
  "a directory": { entries: { ".ssh/k": "x", ".ssh/l": "x" }, blocked: 1, rules: [".ssh/"] },
  "a name in a directory": {
    entries: { ".aws/credentials": "x" },
    blocked: 1,
    rules: [".aws/credentials"],
  },
  "a backup": {
    entries: { "#id_rsa#": "x", ".env.bak~": "x" },
    blocked: 2,
    rules: [".env", "id_rsa"],
  },
  "three segments": {
    entries: { ".config/gh/hosts.yml": "x" },
    blocked: 1,
    rules: [".config/gh/hosts.yml"],
  },
  "in a directory that is named like a template": {
    entries: { ".env.example/x.pem": "x" },
    blocked: 1,
    rules: ["*.pem"],
  },
  "one rule for several": {
    entries: { ".env.a": "x", ".env.b": "x" },
    blocked: 2,
    rules: [".env.*"],
  },
  "a glob of --deny": {
    entries: { "plan/x.txt": "x", "plan/y.txt": "x" },
    deny: ["plan/**"],
    blocked: 2,
    rules: ["plan/**"],
  },
  "--deny before the table": {
    entries: { ".env": "x" },
    deny: ["*env"],
    blocked: 1,
    rules: ["*env"],
  },
  "a line of an exclusion file": {
    entries: { "sub/.aiignore": "#\n\nkey*\n", "sub/key1": "x", "sub/deep/key2": "x" },
    blocked: 2,
    rules: ["sub/.aiignore:3"],
  },
  "a link that an exclusion file excludes": {
    entries: { ".aiexclude": "out\n", "out": { symlink: "$WS/a" }, "a": "x" },
    follow: true,
    blocked: 1,
    rules: [".aiexclude:1"],
  },
  "more than three": {
    entries: { "a.pem": "x", "a.key": "x", "a.p12": "x", "a.pfx": "x", ".env": "x" },
    blocked: 5,
    rules: ["*.key", "*.p12", "*.pem"],
    more: 2,
  },
  "beside what --allow lets in": {
    entries: { ".ssh/config": "x", ".ssh/key": "x" },
    allow: [".ssh/config"],
    blocked: 1,
  },
  "git's own": { entries: { ".git/HEAD": "x", "a.pem": "x" }, blocked: 1, rules: ["*.pem"] },
};

for (
  const [name, { entries, blocked, rules, more, follow, ...guard }] of Object.entries(BLOCKED_CASES)
) {
  Deno.test(`the rule of what is blocked is named: ${name}`, async () => {
    await using t = await tempTree({ "z.txt": "y\n", ...entries });
    const workspace = await Workspace.open(t.root);
    const answer = await answered(new GrepTool({ workspace, ...guard }), {
      pattern: "absent",
      ...(follow && { follow }),
    });
    assert.deepEqual(answer.scope!.left_out, {
      blocked,
      ...(rules && { blocked_rules: rules }),
      ...(more && { blocked_rules_more: more }),
    });
    assert.doesNotMatch(String(answer.notes), /blocked/, "it is said once");
  });
}

Deno.test("that a blocked file exists shows in an answer, nothing that it contains", async () => {
  const scopes = new Set<string>();
  for (const text of ["needle\n", "", "\0needle", "x\n".repeat(1 << 20)]) {
    scopes.add(
      JSON.stringify(await scopeIn({ ".env": text, "a.txt": "y\n" }, { pattern: "needle" })),
    );
  }
  const left_out = { blocked: 1, blocked_rules: [".env"] };
  assert.deepEqual([...scopes], [JSON.stringify({ searched: 1, matched: 0, left_out })]);
  const without = await scopeIn({ "a.txt": "y\n" }, { pattern: "needle" });
  assert.deepEqual(without, { searched: 1, matched: 0 });
});

Deno.test("with several roots, names begin with the root's label", async () => {
  await using t = await tempTree({
    "one/.gitignore": "tmp\n",
    "one/tmp": "x",
    "deep/er/two/.gitignore": "out\n",
    "deep/er/two/sub/out": "x",
  });
  const workspace = await Workspace.open([t.path("deep/er/two"), t.path("one")]);
  assert.deepEqual((await grepped(workspace)).scope!.left_out, {
    ignored: ["one/tmp", "two/sub/out"],
  });
  const overlapping = await grepped(workspace, { path: ["one", "one/.", "two/sub"] });
  assert.deepEqual(overlapping.scope!.left_out, { ignored: ["two/sub/out", "one/tmp"] });
});

Deno.test("what a link leads to counts once, however it is reached", async () => {
  await using t = await tempTree({
    ".gitignore": "tmp\n",
    "a/tmp": "x",
    "a/b.txt": "x\n",
    "link": { symlink: "$WS/a" },
    "other": { symlink: "$WS/a" },
  });
  assert.deepEqual(scopeOf(await grepped(t, { follow: true })), {
    searched: 2,
    matched: 1,
    left_out: { ignored: ["a/tmp"] },
  });
});

Deno.test("a page has the scope of the whole search", async () => {
  const entries: Record<string, TreeEntry> = { ".gitignore": "tmp\n", "z/tmp": "x" };
  for (let at = 0; at < 20; at++) entries[`${at}.txt`] = "x\nx\n";
  await using t = await tempTree(entries);
  const pages = await Promise.all(
    [0, 5, 30].map((offset) => grepped(t, { max_results: 5, offset })),
  );
  for (const page of pages) {
    assert.equal(page.total, 40);
    assert.deepEqual(scopeOf(page), {
      searched: 21,
      matched: 20,
      left_out: { ignored: ["z/tmp"] },
    });
  }
});

Deno.test("errors have no scope, nor have answers to a library's call", async () => {
  await using t = await tempTree(MIXED);
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  assert.ok(!("scope" in await grep.execute({ pattern: "x", path: "nowhere" })));
  assert.ok(!("scope" in await search({ pattern: "x" }, { workspace })));
});

Deno.test("long names give way where an answer has little room", async () => {
  const long = "n".repeat(200);
  const names = [1, 2, 3].map((at) => `${long}${at}.tmp`);
  await using t = await tempTree({
    ".gitignore": "*.tmp\n",
    "a.txt": "x\n".repeat(20),
    ...Object.fromEntries(names.map((name) => [name, "x"])),
  });
  const whole = await grepped(t);
  assert.deepEqual(whole.scope!.left_out, { ignored: names });
  const short = await grepped(t, { max_output_chars: 1000, paths: "relative" });
  assert.ok(JSON.stringify(short).length <= 1000);
  assert.deepEqual(short.scope, { searched: 2, matched: 1, left_out: { ignored_more: 3 } });
  assert.ok(short.count > 0);
});

for (const cache of ["verified", "watched"] as const) {
  test.slow(`a ${cache} searcher says the same of its scope each time, and follows changes`, async () => {
    await using t = await tempTree(MIXED);
    const workspace = await Workspace.open(t.root);
    await using searcher = new QuickSearcher({ workspace, cache });
    const grep = new GrepTool({ workspace, searcher });
    const scope = async () => scopeOf(await answered(grep, { pattern: "x" }));
    for (let call = 0; call < 4; call++) {
      assert.deepEqual(await scope(), MIXED_SCOPE);
      await ticked();
    }
    const changes = { "d/new.ts": "x\n", ".gitignore": "out\n*.log\n", "z.gz": GZIP };
    await t.write({ "out/f": "x", ...changes });
    await Deno.remove(t.path("node_modules"), { recursive: true });
    await Deno.remove(t.path("c.bin"));
    await ticked();
    const { binary: _, ignored_more: __, ...leftOut } = MIXED_SCOPE.left_out!;
    for (let call = 0; call < 3; call++) {
      assert.deepEqual(await scope(), {
        searched: 6,
        matched: 4,
        left_out: {
          ...leftOut,
          ignored: ["out", "z.log", "d/y.log", "tmp/g/h.log"],
          archives: 1,
          names: { archives: ["z.gz"], too_large: ["large.txt"], not_utf8: ["latin.txt"] },
        },
      });
      await ticked();
    }
  });
}

/** What a walk finds that asks git of each path. */
async function counted(t: Tree): Promise<{ searched: number; ignored: string[]; blocked: number }> {
  const git = (args: string[], stdin = "") =>
    spawn("git", ["-c", "core.excludesFile=", ...args], {
      cwd: t.root,
      env: { GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" },
      stdin,
    });
  await git(["init", "-q"]);
  const listed: { path: string; isDirectory: boolean }[] = [];
  const list = (below: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(t.path(below))) {
      if (name === ".git") continue;
      listed.push({ path: below + name, isDirectory });
      if (isDirectory) list(`${below}${name}/`);
    }
  };
  list("");
  const paths = listed.map(({ path }) => path).join("\0");
  const { stdout } = await git(["check-ignore", "--no-index", "-z", "--stdin"], paths);
  const ignored = new Set(stdout.split("\0"));
  const isAbove = (path: string, others: ReadonlySet<string>) =>
    path.split("/").some((_, at, names) => at > 0 && others.has(names.slice(0, at).join("/")));
  const blocked = new Set(listed.flatMap(({ path }) => /(^|\/)\.env$/.test(path) ? [path] : []));
  const met = listed.filter(({ path }) => !isAbove(path, ignored) && !isAbove(path, blocked));
  return {
    searched:
      met.filter(({ path, isDirectory }) =>
        !isDirectory && !ignored.has(path) && !blocked.has(path)
      ).length,
    ignored: met.filter(({ path }) => ignored.has(path) && !blocked.has(path))
      .map(({ path }) => path),
    blocked: met.filter(({ path }) => blocked.has(path)).length,
  };
}

Deno.test("random trees have the scope that a walk with git's word finds", async (t) => {
  const name = fc.constantFrom("a", "b", "c.log", "tmp", "node_modules", ".env", "build");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const rule = fc.constantFrom(
    "*.log",
    "tmp",
    "!a/tmp",
    "/b",
    "node_modules/",
    "build",
    "c*",
    "a/*",
  );
  const tree = fc.record({
    paths: fc.array(path, { minLength: 3, maxLength: 30 }),
    rules: fc.array(fc.tuple(fc.constantFrom("", "a/", "b/"), rule), { maxLength: 6 }),
  });
  await assertHolds(
    t,
    fc.asyncProperty(tree, async ({ paths, rules }) => {
      const entries: Record<string, TreeEntry> = {};
      for (const path of paths) entries[`${path}/f.txt`] = "y\n";
      for (const [at, rule] of rules) {
        entries[`${at}.gitignore`] = `${entries[`${at}.gitignore`] ?? ""}${rule}\n`;
      }
      await using tree = await tempTree(entries);
      const { searched, ignored, blocked } = await counted(tree);
      const { scope } = await grepped(tree);
      const { ignored: named = [], ignored_more: more = 0 } = scope!.left_out ?? {};
      assert.deepEqual([scope!.searched, scope!.matched], [searched, 0]);
      assert.equal(scope!.left_out?.blocked ?? 0, blocked);
      assert.equal(named.length + more, ignored.length);
      const isUsual = (path: string) => USUALLY_IGNORED.has(path.split("/").at(-1)!);
      const unusual = ignored.filter((path) => !isUsual(path));
      const depth = (path: string) => path.split("/").length;
      const first = (unusual.length > 0 ? unusual : ignored)
        .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, 5);
      assert.deepEqual(named, first);
    }),
    { numRuns: 8 },
  );
});

Deno.test("call prints the scope", async () => {
  await using t = await tempTree(MIXED);
  const stdin = JSON.stringify({ pattern: "x", output_mode: "file" });
  const { stdout } = await pathgrep(["call", "grep"], { cwd: t.root, stdin });
  assert.deepEqual(scopeOf(JSON.parse(stdout)), MIXED_SCOPE);
});

for (const engine of ENGINES) {
  Deno.test(`stats of ${engine} say how many files have a match`, async () => {
    await using t = await tempTree(MIXED);
    const workspace = await Workspace.open(t.root);
    const matched = async (query: Partial<SearchQuery>) => {
      const { stats } = await search({ pattern: "x", engine, stats: true, ...query }, {
        workspace,
      });
      assert.deepEqual(Object.keys(stats!).slice(0, 2), ["files_searched", "files_matched"]);
      assert.equal(stats!.files_searched, 4);
      return stats!.files_matched;
    };
    for (const outputMode of ["content", "file", "count"] as const) {
      assert.equal(await matched({ outputMode }), 2);
      assert.equal(await matched({ outputMode, onOverflow: "truncate", maxResults: 1 }), 2);
    }
    assert.equal(await matched({ invert: true }), 2);
    assert.equal(await matched({ outputMode: "file", filesWithoutMatch: true }), 2);
    assert.equal(await matched({ pattern: "nowhere" }), 0);
  });
}
