/**
 * The rule files above the root: they count up to where its repository begins, as git and ripgrep have it in
 * a sub-directory, and every search sees them as they are.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type FileResult, listFiles, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { assertHolds } from "../support/draw.ts";
import { sameAnswer } from "../support/engines.ts";
import { test } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

type Entries = Record<string, TreeEntry>;

const GIT: Entries = { "../.git/HEAD": "ref: refs/heads/main\n" };
const GIT_ENV = { GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C.UTF-8" };

/** The files in which every engine finds `needle`. */
async function found(root: string, query: Partial<SearchQuery> = {}): Promise<string[]> {
  const asked = { pattern: "needle", outputMode: "file", paths: "relative", ...query } as const;
  return (await sameAnswer(root, asked) as FileResult).files;
}

/** What is left of `a.txt`, `b.log` and `sub/c.txt` in a root named `ws`. */
const CASES: { about: string; entries: Entries; left: string[]; query?: Partial<SearchQuery> }[] = [
  {
    about: "each kind of ignore file",
    entries: { ...GIT, "../.gitignore": "*.log\n", "../.ignore": "/ws/sub/\n" },
    left: ["a.txt"],
  },
  {
    about: ".rgignore before .ignore",
    entries: { ...GIT, "../.ignore": "*.txt\n", "../.rgignore": "!a.txt\n" },
    left: ["a.txt", "b.log"],
  },
  {
    about: "the repository's exclude file",
    entries: { ...GIT, "../.git/info/exclude": "*.log\n" },
    left: ["a.txt", "sub/c.txt"],
  },
  {
    about: "the root's own rules after those above",
    entries: { ...GIT, "../.gitignore": "*.log\n", ".gitignore": "!b.log\n" },
    left: ["a.txt", "b.log", "sub/c.txt"],
  },
  {
    about: "a repository that is a file .git, whose other directories are not looked at",
    entries: {
      "../.git": "gitdir: ../elsewhere\n",
      "../.gitignore": "*.log\n",
      "../elsewhere/info/exclude": "*\n",
    },
    left: ["a.txt", "sub/c.txt"],
  },
  {
    about: "nothing where the root holds .git",
    entries: { ...GIT, "../.gitignore": "*\n", "../.aiexclude": "*\n", ".git/HEAD": "" },
    left: ["a.txt", "b.log", "sub/c.txt"],
  },
  {
    about: "nothing where no directory above holds .git",
    entries: { "../.gitignore": "*\n", "../.ignore": "*\n", "../.aiexclude": "*\n" },
    left: ["a.txt", "b.log", "sub/c.txt"],
  },
  {
    about: "nothing with --no-ignore, but for exclusion files",
    entries: { ...GIT, "../.gitignore": "*.txt\n", "../.aiexclude": "*.log\n" },
    left: ["a.txt", "sub/c.txt"],
    query: { ignore: false },
  },
  ...["/ws/", "ws", "*", "**/ws/", "w?"].map((rule) => ({
    about: `no rule that names the root: ${rule}`,
    entries: { ...GIT, "../.gitignore": `*.log\n${rule}\n`, "ws/x.txt": "needle\n" },
    left: ["a.txt", "sub/c.txt", "ws/x.txt"],
  })),
  {
    about: "a rule for all that is in the root, which does not name it",
    entries: { ...GIT, "../.gitignore": "/ws/*\n!/ws/sub/\n" },
    left: ["sub/c.txt"],
  },
  {
    about: "a rule that names the root and is taken back",
    entries: { ...GIT, "../.gitignore": "*\n!*/\n!*.txt\n" },
    left: ["a.txt", "sub/c.txt"],
  },
  {
    about: "a directory that is named, whatever is said of it",
    entries: { ...GIT, "../.gitignore": "/ws/sub\n" },
    left: ["sub/c.txt"],
    query: { path: "sub" },
  },
  {
    about: "not in a repository below the root",
    entries: { ...GIT, "../.gitignore": "*.txt\n", "sub/.git/HEAD": "" },
    left: ["b.log", "sub/c.txt"],
  },
  {
    about: "links, pipes and directories in the place of rule files",
    entries: {
      ...GIT,
      "../rules": "*\n",
      "../.gitignore": { symlink: "rules" },
      "../.ignore/x": "*\n",
      "../.aiexclude": { symlink: "rules" },
      "../.cursorignore": { symlink: "../rules" },
    },
    left: ["a.txt", "b.log", "sub/c.txt"],
  },
  {
    about: "a link from one exclusion file to another beside it",
    entries: { ...GIT, "../.aiexclude": "*.log\n", "../.cursorignore": { symlink: ".aiexclude" } },
    left: ["a.txt", "sub/c.txt"],
  },
];

for (const { about, entries, left, query } of CASES) {
  Deno.test(`rules above the root: ${about}`, async () => {
    const needle = "needle\n";
    await using t = await tempTree({ "a.txt": needle, "b.log": needle, "sub/c.txt": needle });
    await t.write(entries);
    // The rule files themselves hold none.
    assert.deepEqual(await found(t.root, query), left);
  });
}

Deno.test("rules count from two levels above, and a rule for the level between does not", async () => {
  await using t = await tempTree({
    "../.git/HEAD": "",
    "../.gitignore": "/ws/pkg/app/*.log\n/ws\npkg/\n",
    ".gitignore": "*.tmp\n/pkg/app\n",
    "pkg/.ignore": "*.md\n",
    ...Object.fromEntries(
      ["a.txt", "b.log", "c.tmp", "d.md"].map((name) => [`pkg/app/${name}`, "needle\n"]),
    ),
  });
  assert.deepEqual(await found(t.path("pkg/app")), ["a.txt"]);
});

Deno.test("several roots have the rules above each, and those in others", async () => {
  await using t = await tempTree({
    "../.git/HEAD": "",
    "../.gitignore": "*.log\n",
    "one/a.log": "needle\n",
    "one/a.txt": "needle\n",
    "two/.git/HEAD": "",
    "two/.gitignore": "*.tmp\n",
    "two/in/b.log": "needle\n",
    "two/in/b.tmp": "needle\n",
    "link/to": { symlink: "$WS/two/in" },
  });
  const workspace = await Workspace.open([t.path("one"), t.path("two/in"), t.path("link")]);
  for (const follow of [false, true]) {
    const { files } = await listFiles({ paths: "relative", follow }, { workspace });
    assert.deepEqual(files, ["one/a.txt", "in/b.log"]);
  }
});

Deno.test("the index above is not read: what it lists is ignored like the rest", async () => {
  await using t = await tempTree({ "../.gitignore": "*.log\n", "a.log": "needle\n" });
  for (const args of [["init", "-q"], ["add", "-f", "ws/a.log"]]) {
    assert.equal((await spawn("git", args, { cwd: t.base, env: GIT_ENV })).code, 0);
  }
  assert.deepEqual(await found(t.root), []);
  const workspace = await Workspace.open(t.base);
  const { files } = await listFiles({ paths: "relative", include: "*.log" }, { workspace });
  assert.deepEqual(files, ["ws/a.log"], "from where it may be read");
});

Deno.test("an answer names a rule above by its file and line, and nothing else there", async () => {
  await using t = await tempTree({
    ...GIT,
    "../.gitignore": "# one\n*.log\n",
    "../private/x.txt": "needle\n",
    "a.log": "needle\n",
  });
  const { json } = await pathgrep(["needle"], { cwd: t.root });
  const { notes } = json();
  assert.match(`${notes}`, /excluded by the ignore rule "\*\.log" in \.\.\/\.gitignore:2/);
  assert.ok(!`${notes}`.includes(t.base) && !`${notes}`.includes("private"), `${notes}`);
  const why = await pathgrep(["why", "--", "rg", "needle"], { cwd: t.root });
  assert.match(why.stdout, /the ignore rule .*\.log.* in \.\.\/\.gitignore:2/);
});

for (const cache of ["none", "verified", "watched"] as const) {
  test.slow(`a searcher with the cache ${cache} sees each change above the root`, async () => {
    await using t = await tempTree({ "a.txt": "needle\n", "b.log": "needle\n" });
    await using searcher = new Searcher({ workspace: await Workspace.open(t.root), cache });
    const files = async () => {
      const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
      const answers = [await searcher.search(query), await searcher.search(query)];
      assert.deepEqual(answers[0]!.files, answers[1]!.files);
      return answers[1]!.files;
    };
    const steps: [change: () => Promise<unknown>, left: string[]][] = [
      [() => t.write({ "../.gitignore": "*.log\n" }), ["a.txt", "b.log"]],
      [() => t.write(GIT), ["a.txt"]],
      [() => t.write({ "../.gitignore": "*.txt\n" }), ["b.log"]],
      [() => t.write({ "../.ignore": "!a.txt\n" }), ["a.txt", "b.log"]],
      [() => t.write({ "../.aiexclude": "b.*\n" }), ["a.txt"]],
      [() => Deno.remove(t.path("../.aiexclude")), ["a.txt", "b.log"]],
      [() => Deno.remove(t.path("../.ignore")), ["b.log"]],
      [() => Deno.remove(t.path("../.git"), { recursive: true }), ["a.txt", "b.log"]],
    ];
    assert.deepEqual(await files(), ["a.txt", "b.log"]);
    for (const [index, [change, left]] of steps.entries()) {
      await change();
      assert.deepEqual(await files(), left, `step ${index}`);
    }
  });
}

test.slow("threads have the rules above", async () => {
  const names = Array.from({ length: 3000 }, (_, at) => `d${at % 60}/f${at}`);
  await using t = await tempTree({
    ...GIT,
    "../.gitignore": "*.log\n",
    "../.aiexclude": "d7/\n",
    ...Object.fromEntries(names.flatMap((name) => [
      [`${name}.txt`, "needle\n".repeat(200)],
      [`${name}.log`, "needle\n"],
    ])),
  });
  await using searcher = new Searcher({ workspace: await Workspace.open(t.root) });
  const query = { pattern: "(a?){9}needl[e]", outputMode: "file", paths: "relative" } as const;
  const { files, stats } = await searcher.search({ ...query, maxResults: 0, stats: true });
  assert.ok(files.every((file) => file.endsWith(".txt") && !file.startsWith("d7/")));
  assert.equal(files.length, 3000 - 50);
  assert.ok(stats !== undefined);
});

const line = fc.tuple(
  fc.constantFrom("", "", "!", "/", "!/"),
  fc.array(fc.constantFrom("a", "b", "s", "a.b", "*", "/", "**/"), { minLength: 1, maxLength: 4 }),
  fc.constantFrom("", "/"),
).map(([start, tokens, end]) => start + tokens.join("") + end)
  .filter((text) => !/\/\/|\*\*\*|^!?\/?$/.test(text));
const rules = fc.option(
  fc.array(line, { minLength: 1, maxLength: 4 }).map((some) => some.join("\n")),
  { nil: "" },
);

async function treeOfLevels(): Promise<Tree> {
  const names = ["a", "b", "a.b", "s/a", "s/b/a", "a1/b", "a1/s/a.b", "b1/a"];
  const entries = names.flatMap((name) => [[`s/${name}`.replace("s/s/b", "s/t/b"), "needle\n"]]);
  const t = await tempTree(Object.fromEntries(entries));
  assert.equal((await spawn("git", ["init", "-q"], { cwd: t.root, env: GIT_ENV })).code, 0);
  return t;
}

test.slow("random rules above ignore what git and ripgrep ignore in the sub-directory", async (test) => {
  await using t = await treeOfLevels();
  const rg = await rgPath();
  const run = async (program: string, args: string[], cwd: string) => {
    const { code, stdout, stderr } = await spawn(program, args, { cwd, env: GIT_ENV });
    assert.ok(code <= 1, stderr);
    return stdout.split("\0").filter((path) => path !== "" && !/(^|\/)\./.test(path)).sort();
  };
  const root = t.path("s");
  await assertHolds(
    test,
    fc.asyncProperty(rules, rules, rules, async (top, own, exclude) => {
      await t.write({ ".gitignore": top, "s/.gitignore": own, ".git/info/exclude": exclude });
      const named = await run("git", ["check-ignore", "--no-index", "s"], t.root);
      if (named.length > 0) return; // then rules of it do not count
      const listed = await listFiles({ paths: "relative", hidden: false }, {
        workspace: await Workspace.open(root),
      });
      const list = ["-c", "core.excludesFile=", "ls-files", "-co", "--exclude-standard", "-z"];
      const files = [...listed.files].sort();
      assert.deepEqual(files, await run("git", list, root), "git");
      const asked = ["--no-config", "--files", "--null", "--no-ignore-global"];
      assert.deepEqual(files, await run(rg, asked, root), "ripgrep");
    }),
    { numRuns: 150 },
  );
});
