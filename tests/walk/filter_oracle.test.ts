/**
 * Include and exclude globs against `rg --files -g`, on random globs.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { FileFilter } from "../../src/walk/file_filter.ts";
import { assertHolds } from "../support/draw.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** The files below a directory that a filter takes, as a walk asks it. */
function taken(root: string, filter: FileFilter): string[] {
  const files: string[] = [];
  const walk = (directory: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${root}/${directory}`)) {
      const path = directory + name;
      if (isDirectory) {
        if (!filter.prunes(path, name)) walk(`${path}/`);
      } else if (filter.accepts(path, name)) files.push(path);
    }
  };
  walk("");
  return files.sort();
}

const NAMES = ["a", "b", "ab.ts", "a.ts", "b.js", ".a", "a b", "a,b", "[a]", "a{b"];

async function treeOfNames(): Promise<Tree> {
  const entries: Record<string, string> = {};
  for (const directory of ["", "a/", "b/", "a/b/", "b/a/", "a/a.ts/", "a/b/a/", "c/d/"]) {
    for (const name of NAMES) entries[`${directory}${name}`] = "";
  }
  for (const directory of ["a", "b", "a/b", "b/a", "a/a.ts", "a/b/a"]) delete entries[directory];
  return await tempTree(entries);
}

/** What our globs and ripgrep's have in common. */
const plain = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "ab", ".ts", ".js") },
  { weight: 4, arbitrary: fc.constant("*") },
  { weight: 2, arbitrary: fc.constantFrom("?", "[ab]", "[a-c.]", "[]a]", "[,]") },
  { weight: 1, arbitrary: fc.constantFrom("c", "d", " ", "\\*", "\\[", "\\{", "\\,") },
);
const word = fc.array(plain, { minLength: 1, maxLength: 2 }).map((tokens) => tokens.join(""))
  .filter((text) => !text.includes("**"));
const { braces } = fc.letrec<{ braces: string; branch: string }>((tie) => ({
  // Braces around one alternative are ordinary here, and are none in ripgrep.
  braces: fc.array(tie("branch"), { minLength: 2, maxLength: 3 })
    .map((branches) => `{${branches.join(",")}}`),
  branch: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    word,
    fc.tuple(word, tie("braces")).map((parts) => parts.join("")),
    fc.tuple(word, word).map((parts) => parts.join("/")),
  ),
}));
const segment = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 2, arbitrary: fc.constant("**") },
  { weight: 2, arbitrary: fc.tuple(word, braces).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: braces },
);
const glob = fc.tuple(
  fc.constantFrom("", "", "", "!", "!", "/", "!/"),
  fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/")),
).chain(([start, body]) =>
  // A slash at the end of an include takes what is below, which ripgrep's does not.
  fc.constantFrom(start + body, start.startsWith("!") ? `${start}${body}/` : start + body)
).filter((text) => !/^!?\/? | $/.test(text));

test.slow("random globs take exactly the files that rg --files -g lists", async (t) => {
  await using tree = await treeOfNames();
  const rg = await rgPath();
  await assertHolds(
    t,
    fc.asyncProperty(fc.array(glob, { minLength: 1, maxLength: 4 }), async (globs) => {
      const args = ["--files", "--no-config", "--no-ignore", "--hidden", "--null"];
      const { stdout, stderr } = await new Deno.Command(rg, {
        args: [...args, ...globs.map((text) => `--glob=${text}`)],
        cwd: tree.root,
      }).output();
      assert.equal(new TextDecoder().decode(stderr), "");
      const listed = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
      const filter = FileFilter.compile({
        include: globs,
        includeKey: "include",
        exclude: [],
        type: [],
        typeNot: [],
      });
      assert.deepEqual(taken(tree.root, filter), listed.sort());
    }),
    { numRuns: 400 },
  );
});
