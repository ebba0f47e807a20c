/** Columns in text count bytes, and `--vimgrep` has a row for each match, as ripgrep has them. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";

/** Standard output of both programs. */
async function bothOf(cwd: string, args: readonly string[]): Promise<[own: string, rg: string]> {
  const own = await pathgrep(["--format", "text", ...args], { cwd });
  const rg = await spawn(await rgPath(), ["--no-config", "-nH", "--sort=path", ...args], { cwd });
  assert.doesNotMatch(own.stderr, /only the first match/, args.join(" "));
  return [own.stdout, rg.stdout.replaceAll(/^\.\//gm, "")];
}

const PIECES = ["foo", "bar", "é", "日本", "😀", "a", " ", "\t", "\n", "\n\n", "foo\n"];
const LAYOUTS = [
  ["--vimgrep"],
  ["--column"],
  ["--vimgrep", "-o"],
  ["--column", "-o"],
  ["--vimgrep", "-C1"],
  ["--vimgrep", "-U"],
  ["--vimgrep", "-U", "-C1"],
  ["--vimgrep", "-i"],
  ["--vimgrep", "-x"],
];
const PATTERNS = ["foo", "foo|a", "o", "[^a-z\\s]", "é|本", "foo.*bar", "bar$", "^."];
/** With `-U` alone. */
const SPANNING = ["foo\\n", "o\\n+b", "foo\\nfoo|foo", "(?s)f.*?b", "\\n."];

test.slow("columns and rows of drawn texts are those of ripgrep", async (t) => {
  const drawn = fc.tuple(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 20 }),
    fc.constantFrom(...LAYOUTS),
    fc.nat(),
  );
  await using tree = await tempTree({});
  const property = fc.asyncProperty(drawn, async ([pieces, layout, pick]) => {
    await Deno.writeTextFile(tree.path("t.txt"), pieces.join(""));
    const patterns = layout.includes("-U") ? [...PATTERNS, ...SPANNING] : PATTERNS;
    const [own, rg] = await bothOf(tree.root, [...layout, patterns[pick % patterns.length]!]);
    assert.equal(own, rg, layout.join(" "));
  });
  await assertHolds(t, property, { numRuns: 300 });
});

test("columns count bytes in text, and code points in JSON", async () => {
  await using tree = await tempTree({ "a.txt": "é😀 foo é foo\nfoo\n" });
  const layouts = [["--column"], ["--vimgrep"], ["--vimgrep", "-U"], ["--vimgrep", "-U", "-m1"]];
  for (const layout of layouts) {
    const [own, rg] = await bothOf(tree.root, [...layout, "foo"]);
    assert.equal(own, rg);
    assert.match(own, /^a\.txt:1:8:/);
  }
  const cut = await pathgrep(["--column", "-M", "5", "foo$", "--format=text"], { cwd: tree.root });
  assert.match(cut.stdout, /^a\.txt:1:15:…/);
  const json = await pathgrep(["--column", "foo"], { cwd: tree.root });
  assert.equal(json.json().matches[0].column, 4);
});

test("-x with an empty pattern finds empty lines, as grep and ripgrep do", async () => {
  await using tree = await tempTree({ "a.txt": "a\n\n \n\nb", "b.txt": "a\n" });
  const lines = [["-x", ""], ["-x", "-e", "", "-e", "b"], ["-x", "-F", ""], [
    "--vimgrep",
    "-x",
    "",
  ]];
  for (const args of lines) {
    const [own, rg] = await bothOf(tree.root, args);
    assert.equal(own, rg, args.join(" "));
  }
  const { code, stdout } = await pathgrep(["--format=text", ""], { cwd: tree.root });
  assert.deepEqual([code, stdout], [2, ""]);
});
