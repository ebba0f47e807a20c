/**
 * What a team keeps from its agents: files with the semantics of ignore files, as strong as the guard's
 * own table.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  type FileResult,
  GlobTool,
  Guard,
  listFiles,
  PathgrepError,
  resolveToolCallPaths,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { test } from "../support/needs.ts";

const EXCLUSION_FILES = [
  ".aiexclude",
  ".aiignore",
  ".cursorignore",
  ".geminiignore",
  ".codeiumignore",
  ".clineignore",
  ".rooignore",
  ".continueignore",
  ".agentignore",
  ".gooseignore",
  ".qwenignore",
  ".kilocodeignore",
  ".aiderignore",
  ".augmentignore",
];

/** The files that a search finds, on every engine and with what is ignored. */
async function found(tree: Tree, query: Partial<SearchQuery> = {}): Promise<string[]> {
  const asked = { pattern: "needle", outputMode: "file", paths: "relative", ...query } as const;
  const { files } = await sameAnswer(tree.root, asked) as FileResult;
  const workspace = await Workspace.open(tree.root);
  const regardless = await search({ ...asked, ignore: false }, { workspace }) as FileResult;
  assert.deepEqual(regardless.files, files, "no_ignore lifts nothing");
  const listed = await listFiles({ ...query, paths: "relative" }, { workspace });
  const needles = listed.files.filter((file) => !file.split("/").pop()!.startsWith("."));
  assert.deepEqual(needles, files, "what is listed");
  return files;
}

/** What a search of a path is refused with. */
async function refusal(tree: Tree, path: string, query: Partial<SearchQuery> = {}) {
  const workspace = await Workspace.open(tree.root);
  const error = await search({ pattern: "needle", path, ...query }, { workspace })
    .catch((error) => error);
  assert.ok(error instanceof PathgrepError, `${path} is refused`);
  return error.toJSON() as { code: string; error: string; hint: string };
}

async function excludes(tree: Tree, path: string, by: string): Promise<void> {
  const { code, error, hint } = await refusal(tree, path);
  assert.equal(code, "permission_denied_by_policy");
  assert.equal(error, `permission denied by policy: path ${path} is excluded by ${by}`);
  assert.match(hint, /have the user allow it$/);
  const guard = new Guard({ workspace: await Workspace.open(tree.root) });
  assert.equal(await guard.check(path, "read"), "denied");
  if (!path.includes("link")) assert.equal(guard.isBlocked(path), true);
}

test.slow("each exclusion file keeps what it names from searches, walked and named", async () => {
  for (const name of EXCLUSION_FILES) {
    await using tree = await tempTree({
      [name]: "# kept from agents\n\nsecrets/\n*.sqlite\n/top.txt\n",
      "a.txt": "needle\n",
      "top.txt": "needle\n",
      "sub/top.txt": "needle\n",
      "sub/b.sqlite": "needle\n",
      "sub/secrets/c.txt": "needle\n",
    });
    assert.deepEqual(await found(tree), ["a.txt", "sub/top.txt"], name);
    await excludes(tree, "top.txt", `${name}:5`);
    await excludes(tree, "sub/b.sqlite", `${name}:4`);
    await excludes(tree, "sub/secrets", `${name}:3`);
    await excludes(tree, "sub/secrets/c.txt", `${name}:3`);
    await excludes(tree, "sub/secrets/missing", `${name}:3`);
  }
});

Deno.test("exclusion files count at every level, with negation, and each name for itself", async () => {
  await using tree = await tempTree({
    ".aiignore": "*.txt\n!keep.txt\nx/*\n!x/y.md\n",
    ".aiexclude": "!*.txt\n",
    ".cursorignore": "!*.txt\n",
    "a.txt": "needle\n",
    "keep.txt": "needle\n",
    "x/y.md": "needle\n",
    "x/z.md": "needle\n",
    "sub/.aiignore": "!a.txt\nkeep.txt\n",
    "sub/a.txt": "needle\n",
    "sub/keep.txt": "needle\n",
    "sub/deep/.rooignore": "/keep.*\n",
    "sub/deep/keep.md": "needle\n",
    "sub/deep/a.txt": "needle\n",
    "sub/deep/keep.txt": "needle\n",
  });
  const all = ["keep.txt", "sub/a.txt", "sub/deep/a.txt", "x/y.md"];
  assert.deepEqual(await found(tree), all);
  assert.deepEqual(await found(tree, { path: "sub/deep" }), ["sub/deep/a.txt"]);
  await excludes(tree, "a.txt", ".aiignore:1");
  await excludes(tree, "sub/keep.txt", "sub/.aiignore:2");
  await excludes(tree, "sub/deep/keep.md", "sub/deep/.rooignore:1");
  for (const path of all) {
    const workspace = await Workspace.open(tree.root);
    assert.equal((await search({ pattern: "needle", path }, { workspace })).count, 1, path);
  }
});

test.slow("--allow lets in what exclusion files keep out, --deny wins", async () => {
  await using tree = await tempTree({
    ".aiexclude": "secrets/\n*.sqlite\nall/**\n",
    "secrets/a.txt": "needle\n",
    "secrets/deep/b.txt": "needle\n",
    "all/c.txt": "needle\n",
    "d.sqlite": "needle\n",
  });
  const cases: [allow: string[], files: string[]][] = [
    [["secrets"], ["secrets/a.txt", "secrets/deep/b.txt"]],
    [["secrets/"], ["secrets/a.txt", "secrets/deep/b.txt"]],
    [["secrets/**"], ["secrets/a.txt", "secrets/deep/b.txt"]],
    [[`${tree.root}/secrets/**`], ["secrets/a.txt", "secrets/deep/b.txt"]],
    [["secrets/a.txt"], ["secrets/a.txt"]],
    [["secrets/deep"], ["secrets/deep/b.txt"]],
    [["**/b.txt"], ["secrets/deep/b.txt"]],
    [["*.sqlite"], ["d.sqlite"]],
    [["all"], ["all/c.txt"]],
    [["c.txt"], ["all/c.txt"]],
    // A name lifts no directory above it.
    [["a.txt"], []],
  ];
  for (const [allow, files] of cases) {
    assert.deepEqual(await found(tree, { allow }), files, allow.join());
    const guard = new Guard({ workspace: await Workspace.open(tree.root), allow });
    for (const path of ["secrets/a.txt", "secrets/deep/b.txt", "all/c.txt", "d.sqlite"]) {
      assert.equal(guard.isBlocked(path), !files.includes(path), `${path} with ${allow}`);
    }
    if (files.length === 0) continue;
    assert.deepEqual(await found(tree, { allow, path: files.at(-1)! }), [files.at(-1)]);
    assert.deepEqual(await found(tree, { allow, deny: ["*.txt", "*.sqlite"] }), []);
  }
});

Deno.test("at the shell the refusal names the file and line, and says --allow", async () => {
  await using tree = await tempTree({
    ".aiignore": "vault/\n",
    "vault/a.txt": "needle\n",
  });
  for (const args of [["needle", "vault/a.txt"], ["files", "vault"], ["resolve", "vault/a.txt"]]) {
    const ran = await pathgrep([...args, "--format", "json"], { cwd: tree.root });
    assert.equal(ran.code, 2, args.join(" "));
    const { code, error, hint } = ran.json();
    assert.equal(code, "permission_denied_by_policy", args.join(" "));
    assert.match(error, /excluded by \.aiignore:1$/);
    assert.match(hint, /--allow/);
  }
  const allowed = await pathgrep(["needle", "vault/a.txt", "--allow", "vault"], { cwd: tree.root });
  assert.equal(allowed.json().count, 1);
});

Deno.test("tools, suggestions and the paths of other tools' calls keep to exclusion files", async () => {
  await using tree = await tempTree({
    ".geminiignore": "vault/\n",
    "vault/treasure.txt": "needle\n",
    "src/other.txt": "needle\n",
  });
  const workspace = await Workspace.open(tree.root);
  const registry = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  const ask = async (tool: string, input: object) =>
    await registry.execute(tool, input) as Record<string, unknown>;
  for (
    const [tool, input] of [
      ["grep", { pattern: "needle", path: "vault" }],
      ["glob", { pattern: "*", path: "vault/treasure.txt" }],
      ["read_file", { path: "vault/treasure.txt" }],
      ["read_file", { path: "vault/treasure.txt:1" }],
      ["resolve_path", { path: "vault/treasure.txt" }],
      ["resolve_path", { path: "vault", as: "dir" }],
      ["resolve_path", { path: "vault/new.txt", as: "project" }],
    ] as const
  ) {
    const answer = await ask(tool, input);
    assert.equal(answer["code"], "permission_denied_by_policy", JSON.stringify([tool, input]));
    assert.match(String(answer["error"]), /\.geminiignore:1$/);
  }
  assert.equal((await ask("grep", { pattern: "needle" }))["count"], 1);
  assert.deepEqual(
    (await new GlobTool({ workspace }).execute({ pattern: "**/*.txt" }) as FileResult)
      .files.map((file) => file.slice(tree.root.length + 1)),
    ["src/other.txt"],
  );
  // Neither the name nor what resembles it is told.
  for (
    const path of ["treasure.txt", "src/treasure.txt", "treasure.md", "src/vaults/treasure.txt"]
  ) {
    const answer = await ask("grep", { pattern: "needle", path });
    assert.equal(answer["code"], "path_not_found", path);
    assert.doesNotMatch(JSON.stringify(answer["suggestions"] ?? []), /treasure\.txt/);
  }
  await assert.rejects(
    resolveToolCallPaths(workspace, { file_path: "vault/treasure.txt" }),
    (error: PathgrepError) =>
      error.code === "permission_denied_by_policy" && /\.geminiignore:1$/.test(error.message),
  );
  const allowed = await resolveToolCallPaths(
    workspace,
    { file_path: "vault/treasure.txt" },
    { allow: ["vault"] },
  );
  assert.equal(allowed.file_path, tree.path("vault/treasure.txt"));
});

Deno.test("a link to what is excluded shows nothing, and an exclusion file may be a link", async () => {
  await using tree = await tempTree({
    ".aiignore": { symlink: "rules/shared" },
    "rules/shared": "vault/\n",
    "vault/a.txt": "needle\n",
    "vault/.gitignore": "",
    "b/link": { symlink: "../vault" },
    "b/link.txt": { symlink: "../vault/a.txt" },
    "b/.aiignore": "inner/x.txt\n",
    "b/inner/x.txt": "needle\n",
    "b/inner/y.txt": "needle\n",
    "c/link": { symlink: "../b/inner" },
  });
  const followed = await sameAnswer(tree.root, {
    pattern: "needle",
    follow: true,
    outputMode: "file",
    paths: "relative",
  }) as FileResult;
  assert.deepEqual(followed.files, ["b/inner/y.txt"]);
  for (const path of ["b/link", "b/link/a.txt", "b/link.txt"]) {
    await excludes(tree, path, ".aiignore:1");
  }
  await excludes(tree, "c/link/x.txt", "b/.aiignore:1");
});

Deno.test("in a directory that a link leads to the exclusion files above it count", async () => {
  await using tree = await tempTree({
    "lib/.aiignore": "secret.txt\n",
    "lib/sub/secret.txt": "needle\n",
    "lib/sub/open.txt": "needle\n",
    "docs/x": { symlink: "../lib/sub" },
  });
  for (const path of ["docs", "docs/x", undefined]) {
    assert.deepEqual(await found(tree, { path, follow: true }), ["lib/sub/open.txt"], path);
  }
});

Deno.test("an exclusion file that leads outside, or to a secret, is not read", async () => {
  await using outside = await tempTree({ "rules": "*.txt\n", "dir/.aiignore": "*.txt\n" });
  await using tree = await tempTree({
    ".env": "b.txt\n",
    ".aiignore": { symlink: `${outside.root}/rules` },
    ".rooignore": { symlink: ".env" },
    ".clineignore": null,
    ".aiexclude": { symlink: "nowhere" },
    ".continueignore": { symlink: ".continueignore" },
    "a.txt": "needle\n",
    "b.txt": "needle\n",
    "out": { symlink: `${outside.root}/dir` },
  });
  assert.deepEqual(await found(tree), ["a.txt", "b.txt"]);
  assert.equal((await refusal(tree, "out/a.txt")).code, "path_outside_workspace");
});

Deno.test("what a rule for directories says of a place outside is the same whatever is there", async () => {
  await using outside = await tempTree({ "file/vault": "", "directory/vault/x": "" });
  await using tree = await tempTree({
    ".aiignore": "vault/\n",
    "a": { symlink: `${outside.root}/file` },
    "b": { symlink: `${outside.root}/directory` },
    "c": { symlink: `${outside.root}/nothing` },
  });
  const codes = await Promise.all(
    ["a", "b", "c"].map(async (link) => (await refusal(tree, `${link}/vault`)).code),
  );
  assert.equal(new Set(codes).size, 1, codes.join());
});

Deno.test("an exclusion file that cannot be read keeps all beside and below it from agents", async () => {
  await using tree = await tempTree({
    "a.txt": "needle\n",
    "big/.aiignore": "never*\n".repeat(20_000),
    "big/b.txt": "needle\n",
    "big/sub/c.txt": "needle\n",
  });
  assert.deepEqual(await found(tree), ["a.txt"]);
  const { notes } = await sameAnswer(tree.root, { pattern: "needle" }) as SearchResult;
  assert.equal(notes?.length, 1);
  assert.match(notes![0]!, /^1 exclusion file was not read, so nothing beside or below it/);
  const { code, error } = await refusal(tree, "big/sub/c.txt");
  assert.equal(code, "permission_denied_by_policy");
  assert.match(
    error,
    /excluded, because big\/\.aiignore is too large, is not UTF-8 or UTF-16, or cannot be read$/,
  );
  assert.deepEqual(await found(tree, { allow: ["big"] }), ["a.txt", "big/b.txt", "big/sub/c.txt"]);
});

/** Text as Windows PowerShell's `>` writes it. */
function utf16(text: string, isBigEndian = false): Uint8Array {
  const units = [...`\ufeff${text}`].map((unit) => unit.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => {
    const [low, high] = [unit & 0xff, unit >> 8];
    return isBigEndian ? [high, low] : [low, high];
  }));
}

Deno.test("an exclusion file in UTF-16 counts, and one that is not text excludes everything", async () => {
  await using tree = await tempTree({
    "little/.aiignore": utf16("a.txt\r\n"),
    "little/a.txt": "needle\n",
    "little/b.txt": "needle\n",
    "big/.aiexclude": utf16("a.txt\n", true),
    "big/a.txt": "needle\n",
    "big/b.txt": "needle\n",
    // The second line was added in UTF-16, which a first line in UTF-8 does not tell.
    "mixed/.cursorignore": new Uint8Array([...Buffer.from("b.txt\n"), ...utf16("a.txt").slice(2)]),
    "mixed/a.txt": "needle\n",
    "mixed/b.txt": "needle\n",
    // An editor on Windows wrote "für" in windows-1252.
    "old/.geminiignore": new Uint8Array([...Buffer.from("f"), 0xfc, ...Buffer.from("r/\n")]),
    "old/für/a.txt": "needle\n",
  });
  assert.deepEqual(await found(tree), ["big/b.txt", "little/b.txt"]);
  await excludes(tree, "little/a.txt", "little/.aiignore:1");
  await excludes(tree, "big/a.txt", "big/.aiexclude:1");
  for (
    const [path, file] of [["mixed/a.txt", ".cursorignore"], ["old/für/a.txt", ".geminiignore"]]
  ) {
    const { error } = await refusal(tree, path!);
    assert.match(
      error,
      /excluded, because (?:mixed|old)\/\.\w+ is too large, is not UTF-8 or UTF-16, or cannot be read$/,
    );
    assert.ok(error.includes(file!), error);
  }
});

Deno.test("an exclusion file that is a link which cannot be followed keeps everything from agents", async () => {
  for (const rules of ["f\u{fffd}", `${"src/../".repeat(580)}rules`]) {
    await using tree = await tempTree({ "src/a.txt": "needle\n", "rules": "src/\n" });
    const link = rules.startsWith("f") ? "$'f\\xff'" : rules;
    const script = `cp rules $'f\\xff'; ln -s ${link} .aiexclude`;
    await new Deno.Command("bash", { args: ["-c", script], cwd: tree.root }).output();
    assert.deepEqual(await found(tree), [], rules.slice(0, 9));
    assert.equal((await refusal(tree, "src/a.txt")).code, "permission_denied_by_policy");
  }
});

Deno.test("an exclusion file that Deno denies keeps everything from agents, and so does a link to one", async () => {
  await using tree = await tempTree({
    "src/a.txt": "needle\n",
    "one/.aiexclude": "a.txt\n",
    "one/src/a.txt": "needle\n",
    "two/rules/r": "a.txt\n",
    "two/.aiexclude": { symlink: "rules/r" },
    "two/src/a.txt": "needle\n",
  });
  for (const [root, denied] of [["one", ".aiexclude"], ["two", "rules"]]) {
    const workspace = tree.path(root!);
    const permissions = ["-A", `--deny-read=${workspace}/${denied}`, "--no-prompt"];
    const walked = await pathgrep(["needle", "--workspace", workspace], { permissions });
    const { count, notes } = JSON.parse(walked.stdout);
    assert.equal(count, 0, walked.stdout);
    assert.match(notes.join(), /1 exclusion file was not read, so nothing beside or below it/);
    const named = ["needle", "src/a.txt", "--workspace", workspace];
    const { stdout } = await pathgrep(named, { permissions });
    assert.equal(JSON.parse(stdout).code, "permission_denied_by_policy", stdout);
  }
  // Of what Deno denies as a whole, that is said.
  const permissions = ["-A", `--deny-read=${tree.path("src")}`, "--no-prompt"];
  const { stdout } = await pathgrep(["needle", "src", "--workspace", tree.root], { permissions });
  assert.equal(JSON.parse(stdout).code, "path_access_denied", stdout);
});

test.slow(
  "slow rules of an exclusion file end at the time limit, and a named path soon",
  inThreeTries(async () => {
    const rule = "?*".repeat(20);
    let rules = "";
    for (let index = 0; rules.length < 130_000; index++) rules += `${rule}${index}\n`;
    const name = "ab".repeat(115);
    const files = Array.from({ length: 600 }, (_, at): [string, TreeEntry] => [`${at}${name}`, ""]);
    await using tree = await tempTree({ ".cursorignore": rules, ...Object.fromEntries(files) });
    const started = performance.now();
    assert.equal((await refusal(tree, ".", { timeout: 500 })).code, "search_timed_out");
    const walked = performance.now();
    assertInTime(walked - started, 4500, "the walk");
    const guard = new Guard({ workspace: await Workspace.open(tree.root) });
    assert.equal(guard.isBlocked(`sub/${name}/${name}/${name}/${name}/${name}x`), true);
    const named = performance.now() - walked;
    assertInTime(named, 4500, "the named path");
  }),
);

test.slow("exclusion files of a walk on several threads, and above a searched directory, count", async () => {
  const entries: Record<string, TreeEntry> = { ".aiexclude": "hidden*\n" };
  for (let index = 0; index < 900; index++) {
    entries[`d${index % 30}/e${index % 7}/f${index}.txt`] = "needle\n";
    entries[`d${index % 30}/e${index % 7}/hidden${index}.txt`] = "needle\n";
    entries[`d${index % 30}/.aiignore`] = "*8.txt\n";
  }
  await using tree = await tempTree(entries);
  const kept = Object.keys(entries).filter((file) => /f\d*[0-79]\.txt$/.test(file)).sort();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  for (let round = 0; round < 3; round++) {
    const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
    const { files } = await searcher.search({ ...query, maxResults: 5000 }) as FileResult;
    assert.deepEqual(files, kept);
  }
  assert.deepEqual(
    await found(tree, { path: "d3/e3" }),
    kept.filter((file) => file.startsWith("d3/e3/")),
  );
});

for (const cache of ["verified", "watched"] as const) {
  Deno.test(`a ${cache} searcher heeds exclusion files that come, change and go`, async () => {
    await using outside = await tempTree();
    await using tree = await tempTree({ "a.txt": "needle\n", "s/b.txt": "needle\n", "shared": "" });
    await ticked();
    await using searcher = new QuickSearcher({
      workspace: await Workspace.open(tree.root),
      cache,
      scratch: outside.root,
    });
    const files = async () => {
      const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
      return (await searcher.search(query) as FileResult).files.join(" ");
    };
    assert.equal(await files(), "a.txt s/b.txt");
    assert.equal(await files(), "a.txt s/b.txt");
    await tree.write({ ".aiignore": "s/\n" });
    assert.equal(await files(), "a.txt");
    await ticked();
    assert.equal(await files(), "a.txt");
    await tree.write({ ".aiignore": "a*\n" });
    assert.equal(await files(), "s/b.txt");
    await Deno.remove(tree.path(".aiignore"));
    assert.equal(await files(), "a.txt s/b.txt");
    await Deno.symlink("../shared", tree.path("s/.rooignore"));
    assert.equal(await files(), "a.txt s/b.txt");
    await ticked();
    assert.equal(await files(), "a.txt s/b.txt");
    await tree.write({ "shared": "b.*\n" });
    assert.equal(await files(), "a.txt");
  });
}

Deno.test("in a part of a workspace the exclusion files above it count", async () => {
  await using tree = await tempTree({
    ".aiignore": "part/secret.txt\n",
    "part/secret.txt": "needle\n",
    "part/a.txt": "needle\n",
  });
  const whole = await Workspace.open(tree.root);
  const workspace = whole.narrowedTo([tree.path("part")]);
  const { files } = await listFiles({ paths: "relative" }, { workspace });
  assert.deepEqual(files, ["a.txt"]);
  const error = await search({ pattern: "needle", path: "secret.txt" }, { workspace })
    .catch((error) => error);
  assert.equal(error.code, "permission_denied_by_policy");
  assert.match(error.message, /excluded by \.\.\/\.aiignore:1$/);
});

Deno.test("a name that is not UTF-8 in an excluded directory stays unknown", async () => {
  await using tree = await tempTree({ ".aiignore": "v\ufffd/\n", "a.txt": "needle\n" });
  const bytes = Array.from(
    new TextEncoder().encode(`${tree.root}/v`),
    (byte) => `\\x${byte.toString(16)}`,
  ).join("");
  const made = await new Deno.Command("bash", {
    args: ["-c", `mkdir $'${bytes}\\xff' && echo needle > $'${bytes}\\xff/b.txt'`],
  }).output();
  assert.equal(made.code, 0);
  assert.deepEqual(await found(tree), ["a.txt"]);
});

Deno.test("least privilege is enough to read exclusion files", async () => {
  await using tree = await tempTree({
    ".aiignore": "*.md\n",
    "a.md": "needle\n",
    "b.txt": "needle\n",
  });
  const permissions = ["--no-prompt", `--allow-read=${tree.root}`];
  const walked = await pathgrep(["needle", "-l"], { cwd: tree.root, permissions });
  assert.deepEqual(walked.json().files, [tree.path("b.txt")]);
  const named = await pathgrep(["needle", "a.md"], { cwd: tree.root, permissions });
  assert.equal(named.json().code, "permission_denied_by_policy");
});
