/**
 * Ignore rules against git and ripgrep, on random rules and on real trees.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { listFiles, search, Workspace } from "../../mod.ts";
import { IgnoreRules } from "../../src/glob/ignore_rules.ts";
import { assertHolds } from "../support/draw.ts";
import { rgPath } from "../support/oracles.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { rowsOf } from "../support/testdata.ts";
import { asGitSays, RULES, type RulesCase } from "./git_rules.ts";
import { test } from "../support/needs.ts";

const GIT_ENV = { GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C.UTF-8" };

async function run(command: string, args: string[], cwd: string, stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await spawn(command, args, { cwd, env: GIT_ENV, stdin });
  assert.ok(code <= 1, `${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function git(args: string[], cwd: string, stdin?: string): Promise<string> {
  return await run("git", ["-c", "core.excludesFile=", ...args], cwd, stdin);
}

function readIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The entries of a tree that the rules keep, directories with a slash; `.git` is passed over. */
function keptEntries(root: string): string[] {
  const kept: string[] = [];
  const walk = (directory: string, above: IgnoreRules) => {
    const at = directory === "" ? root : `${root}/${directory}`;
    const rules = above.extend(directory, {
      ".gitignore": readIfThere(`${at}/.gitignore`),
      ".rgignore": readIfThere(`${at}/.rgignore`),
      ".ignore": readIfThere(`${at}/.ignore`),
      ".git/info/exclude": readIfThere(`${at}/.git/info/exclude`),
    });
    for (const { name, isDirectory } of Deno.readDirSync(at)) {
      if (name === ".git") continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      if (rules.ignores(path, name, isDirectory)) continue;
      kept.push(isDirectory ? `${path}/` : path);
      if (isDirectory) walk(path, rules);
    }
  };
  walk("", IgnoreRules.NONE);
  return kept.sort();
}

/** Names that patterns of a few letters can hit, and names that need escapes. */
const NAMES = [
  "a",
  "b",
  "ab",
  "Ab",
  "a.b",
  "b.a",
  ".a",
  "a b",
  "b ",
  "[a]",
  "a*",
  "!a",
  "#b",
  "a\\b",
  "é",
  "bé",
  "日",
];

async function treeOfNames(): Promise<Tree> {
  const entries: Record<string, string> = {};
  for (const directory of ["", "a/", "b/", "ab/", "a/b/", "b/a/", "a/a.b/", "a/b/a/", "a.b/"]) {
    for (const name of NAMES) entries[`${directory}${name}`] = "";
  }
  for (const directory of ["a", "b", "ab", "a/b", "b/a", "a/a.b", "a/b/a", "a.b"]) {
    delete entries[directory];
  }
  return await tempTree(entries);
}

const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "a", "b", "ab", "A", ".") },
  {
    weight: 4,
    arbitrary: fc.constantFrom("*", "*", "?", "/", "/", "/", "**/", "/**", "**", "***"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "[ab]",
      "[!a]",
      "[^b]",
      "[a-z]",
      "[]a]",
      "[[:alpha:]]",
      "[b-]",
      "[a/]",
      "é",
      "[é]",
      "[^日]",
      "[à-ÿ]",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..." |\\ |\\|\\*|\\[|\\\\|!|#|[|]|{|}|,|\t|[a|[[:x:]]|[[:upper:][:punct:]]|[\\]a]|[z-a]|[!|[[:|\\/"
        .split("|"),
    ),
  },
);
const rule = fc.tuple(
  fc.constantFrom("", "", "", "!", "/", "!/", "**/", "\\!", "\\#", "#"),
  fc.array(token, { minLength: 1, maxLength: 5 }).map((tokens) => tokens.join("")),
  fc.constantFrom("", "", "", "/", " ", "/*", "/**", "\r"),
).map((parts) => parts.join(""));
const rules = fc.array(rule, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));

/** Runs a check while the tree has ignore files; those with `null` are not made. */
async function withFiles(
  tree: Tree,
  files: Readonly<Record<string, string | null>>,
  check: () => Promise<void>,
): Promise<void> {
  const made = Object.entries(files).filter((file): file is [string, string] => file[1] !== null);
  for (const [file, text] of made) Deno.writeTextFileSync(tree.path(file), text);
  try {
    await check();
  } finally {
    for (const [file] of made) Deno.removeSync(tree.path(file));
  }
}

Deno.test("git here says of each rule what is recorded of it", async () => {
  const recorded = rowsOf<RulesCase>(RULES);
  assert.deepEqual(await asGitSays(recorded), recorded);
});

test.slow("random rules at several levels ignore exactly what git check-ignore does", async (t) => {
  await using tree = await treeOfNames();
  await git(["init", "-q"], tree.root);
  const all = keptEntries(tree.root);
  const input = all.map((path) => path.replace(/\/$/, "")).join("\0");
  const args = ["check-ignore", "--no-index", "-z", "--stdin"];
  await assertHolds(
    t,
    fc.asyncProperty(rules, fc.option(rules), fc.option(rules), async (top, nested, exclude) => {
      const files = { ".gitignore": top, "a/.gitignore": nested, ".git/info/exclude": exclude };
      await withFiles(tree, files, async () => {
        const ignored = new Set((await git(args, tree.root, input)).split("\0"));
        assert.deepEqual(
          keptEntries(tree.root).filter((path) => !path.endsWith(".gitignore")),
          all.filter((path) => !ignored.has(path.replace(/\/$/, ""))),
        );
      });
    }),
    { numRuns: 400 },
  );
});

test.slow("random .rgignore, .ignore, .gitignore and exclude files rank as in ripgrep", async (t) => {
  await using tree = await treeOfNames();
  await git(["init", "-q"], tree.root);
  const rg = await rgPath();
  const args = ["--no-config", "--files", "--hidden", "--null", "--glob", "!/.git"];
  args.push("--no-ignore-parent", "--no-ignore-global");
  // What git and ripgrep read alike.
  const plain = fc.tuple(
    fc.constantFrom("", "", "!", "!", "/", "!/"),
    fc.array(fc.constantFrom("a", "b", "a.b", "*", "/"), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/"),
  ).map(([start, tokens, end]) => start + tokens.join("") + end)
    .filter((line) => !line.includes("//") && !line.includes("**"));
  const lines = fc.option(
    fc.array(plain, { minLength: 1, maxLength: 4 }).map((some) => some.join("\n")),
  );
  await assertHolds(
    t,
    fc.asyncProperty(fc.tuple(lines, lines, lines, lines, lines, lines, lines), async (texts) => {
      const files = {
        ".ignore": texts[0],
        ".gitignore": texts[1],
        "a/.ignore": texts[2],
        "a/.gitignore": texts[3],
        ".git/info/exclude": texts[4],
        ".rgignore": texts[5],
        "a/.rgignore": texts[6],
      };
      await withFiles(tree, files, async () => {
        const listed = (await run(rg, args, tree.root)).split("\0").filter((path) => path !== "");
        assert.deepEqual(
          keptEntries(tree.root).filter((path) => !path.endsWith("/")),
          listed.sort(),
        );
      });
    }),
    { numRuns: 150 },
  );
});

test.slow("rules that are not UTF-8 match bytes, as in git", async () => {
  const names = ["\ufffd.txt", "b.txt", "c.txt", "éa", "aé", "ö", "日"];
  await using tree = await tempTree(Object.fromEntries(names.map((name) => [name, ""])));
  await git(["init", "-q"], tree.root);
  const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const workspace = await Workspace.open(tree.root);
  for (
    const rules of [
      "\xff.txt\nb.txt\n\xc3\n\xff",
      "\xef\xbb\xbfb.txt\n\xff.txt",
      "\xef\xbb\xbf\xc3?\n",
      "\xc3?",
      "\xc3[\x80-\xbf]",
      "*\xa9",
      "?\xa9\r\n?\xb6\n",
      "*\n!\xc3?\n",
      "# \xff\n\xc3*\n!*\xa9 \n",
      "\xe6??\n\\\xc3\\\xa9",
      "\xe9\n".repeat(30_000),
      "\xe9".repeat(120_000),
    ]
  ) {
    await Deno.writeFile(tree.path(".gitignore"), bytes(rules));
    const listed = await git(["ls-files", "-co", "--exclude-standard", "-z"], tree.root);
    const expected = listed.split("\0").filter((path) => path !== "").sort();
    const { files } = await listFiles({ paths: "relative" }, { workspace });
    assert.deepEqual([...files].sort(), expected, rules.slice(0, 30));
  }
  await tree.write({ "è/x.txt": "needle\n" });
  await Deno.writeFile(tree.path(".gitignore"), bytes("\xc3?"));
  const { notes } = await search({ pattern: "needle", explain: true }, { workspace });
  assert.match(`${notes}`, /the ignore rule "\ufffd\?" in \.gitignore:1/);
});

Deno.test("the files kept in a repository are those of git ls-files", async () => {
  await using tree = await tempTree({
    ".gitignore": "node_modules/\n/dist\n*.log\n!keep.log\n.env*\n!.env.example\n**/tmp/*\n" +
      "docs/**/*.pdf\n\\#notes\n*~\n*.py[cod]\n/packages/*/build/\nlogs/*\n!logs/.gitkeep\n",
    ".env": "",
    ".env.example": "",
    "#notes": "",
    "dist/a.js": "",
    "src/dist/a.js": "",
    "src/a.ts": "",
    "src/a.ts~": "",
    "src/debug.log": "",
    "src/keep.log": "",
    "src/.gitignore": "/generated\n!debug.log\n*.snap\n",
    "src/generated/x.ts": "",
    "src/lib/generated/x.ts": "",
    "src/lib/x.snap": "",
    "src/lib/.gitignore": "!x.snap\n",
    "node_modules/.gitignore": "!*\n",
    "node_modules/a/index.js": "",
    "packages/one/node_modules/a.js": "",
    "packages/one/build/a.js": "",
    "packages/one/src/build/a.js": "",
    "packages/two/build": "a file, not a directory",
    "tmp/a": "",
    "src/tmp/deep/a": "",
    "docs/a.pdf": "",
    "docs/b/c/a.pdf": "",
    "docs/b/c/a.md": "",
    "logs/.gitkeep": "",
    "logs/today.txt": "",
    "tools/a.pyc": "",
    "tools/a.py": "",
    "tools/link": { symlink: "../node_modules" },
    "tools/node_modules": { symlink: "../src" },
    "naïve/日本語.txt": "",
    "naïve/.gitignore": "日本*\n",
    "caf\u00e9/x.txt": "",
  });
  await git(["init", "-q"], tree.root);
  await tree.write({ ".git/info/exclude": "café/\nsrc/lib/generated\n" });
  const listed = await git(["ls-files", "-co", "--exclude-standard", "-z"], tree.root);
  const files = listed.split("\0").filter((path) => path !== "");
  assert.deepEqual(keptEntries(tree.root).filter((path) => !path.endsWith("/")), files.sort());
  assert.ok(files.includes("src/keep.log") && !files.includes("dist/a.js"));
});
