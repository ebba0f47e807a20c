/**
 * The language of ignore rules against `git ls-files -co --exclude-standard`: many random ignore files,
 * each in a directory of its own, in one repository, so that one process of git reads all of them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type FileResult, listFiles, Workspace } from "../../mod.ts";
import { numbersFrom, RUNS, seeded } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

/** What each ignore file is about: names that rules of a few letters can hit, at several depths. */
const PATHS = [
  ..."a|b|c|ab|ba|bb|A|a.b|b.a|.a|a b|[a]|a]|a*|!a|#b|a\\b|é|a-b|^".split("|"),
  ..."d/a|d/b|d/ab|d/d/a|d/d/ab|d/é|ad/a|ad/b|ad/d/a|ad/d/bb|ad/ab/a|bd/a|bd/ad/a|bd/d/d/b".split(
    "|",
  ),
  ..."a.d/a|a.d/d/a|d b/a|e/a/b/a|e/ab/b|e/b/ab|e/d/a/d/a".split("|"),
];

/** What patterns are made of; those that stand more than once are drawn more often. */
const PIECES = [
  ..."a|b|a|b|d|d|e|ab|ad|bd|A|.|c".split("|"),
  ..."*|*|?|/|/|/|**|**|**/|/**|/**/|***|**d|a**|d**".split("|"),
  ..."[ab]|[!a]|[^b]|[a-c]|[]a]|[a/]|[[:alpha:]]|[!/]|é|[é]|[à-ÿ]|[a-]|[!]]|[.]".split("|"),
  ..." |\\ |\\|\\*|\\[|\\/|\\a|!|#|[|]|{a,b}|,|\t|[a|[[:x:]]|[\\]a]|[z-a]|[[:|^|-".split("|"),
];
const STARTS = [
  ..."|||||!|!|/|!/|**/|/**/|\\!|\\#|#| |a**/|d**/|/a**|/d**/|d/a**|!a**|!/d**|b**/".split("|"),
];
const ENDS = "||||/|/*|/**|**|**/|**/a|**/b| |\\ |\r|/ ".split("|");

const MAX_RULES = 5;

/**
 * Draws ignore files until there are enough rules, and compares what they leave.
 *
 * @param width ignore files that stand side by side
 */
async function assertReadAsGit(seed: number, wanted: number, width: number): Promise<void> {
  const next = numbersFrom(seed);
  const one = (texts: readonly string[]) => texts[next(texts.length)]!;
  const rule = () =>
    one(STARTS) + Array.from({ length: 1 + next(5) }, () => one(PIECES)).join("") + one(ENDS);
  const entries: Record<string, TreeEntry> = {};
  for (let file = 0; file < width; file++) {
    for (const path of PATHS) entries[`${file}/${path}`] = "";
  }
  await using tree = await tempTree(entries);
  const git = async (args: string[], stdin = "") => {
    const env = { GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C.UTF-8" };
    const { code, stdout, stderr } = await spawn("git", args, { cwd: tree.root, env, stdin });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await git(["init", "-q"]);
  // In every other directory git tracks some files.
  const tracked = Object.keys(entries).filter((path) => parseInt(path) % 2 === 1 && next(6) === 0);
  await git(
    ["update-index", "--add", "-z", "--stdin"],
    tracked.map((path) => `${path}\0`).join(""),
  );
  const workspace = await Workspace.open(tree.root);
  let rules = 0;
  while (rules < wanted) {
    const texts = Array.from({ length: width }, () => {
      return Array.from({ length: 1 + next(MAX_RULES) }, rule);
    });
    const nested = texts.map(() => next(3) === 0 ? [rule(), rule()] : []);
    for (const [file, lines] of texts.entries()) {
      rules += lines.length + nested[file]!.length;
      Deno.writeTextFileSync(tree.path(`${file}/.gitignore`), lines.join("\n"));
      Deno.writeTextFileSync(tree.path(`${file}/d/.gitignore`), nested[file]!.join("\n"));
    }
    const asked = { paths: "relative", maxResults: 0 } as const;
    const { files }: FileResult = await listFiles(asked, { workspace });
    const listed = await git(["ls-files", "-co", "--exclude-standard", "-z"]);
    const ours = Map.groupBy(files, (path) => path.slice(0, path.indexOf("/")));
    const theirs = Map.groupBy(listed.split("\0"), (path) => path.slice(0, path.indexOf("/")));
    for (const [file, lines] of texts.entries()) {
      const [here, there] = [ours, theirs].map((by) => by.get(String(file))?.sort() ?? []);
      assert.deepEqual(here, there, JSON.stringify({ ".gitignore": lines, "d/": nested[file] }));
    }
  }
}

test.slow(
  "random ignore files leave what git lists as tracked or as not ignored",
  seeded((seed) => assertReadAsGit(seed, 250, 10)),
);

test.slow(
  "thousands of random ignore rules, and more in a longer run, mean what they mean to git",
  seeded((seed) => assertReadAsGit(seed + 1, 4_000 * RUNS, 40)),
);
