/** The guide for users of ripgrep: each command line in its list and its tables is run beside ripgrep. */

import assert from "node:assert/strict";
import { FOREIGN_OPTIONS } from "../../src/cli/options/option_table.ts";
import { CHECKOUT } from "../support/run.ts";
import { spawn, type Spawned } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { runLines, wordsOf } from "../support/command_lines.ts";
import { rgPath } from "../support/oracles.ts";
import { examples } from "./markdown.ts";
import { test } from "../support/needs.ts";

const GUIDE = await Deno.readTextFile(`${CHECKOUT}docs/ripgrep.md`);

/** The cells of each row below a heading or, in a section with several tables, below a sentence. */
function rowsAfter(place: string): string[][] {
  const [, text] = GUIDE.split(`\n${place}\n`);
  assert.ok(text !== undefined, place);
  const [table] = /^\|(?:.*\n\|)*.*$/m.exec(text)!;
  return table.split("\n").slice(2).map((row) => row.split(/(?<!\\)\|/).slice(1, -1));
}

/** What stands between backquotes. */
function codeIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!);
}

/** The files of the guide. */
async function exampleTree(): Promise<Tree> {
  const tree = await tempTree({});
  const [setup] = examples(GUIDE, "docs/ripgrep.md").run;
  const { code } = await spawn("sh", ["-c", setup!.text], { cwd: tree.root });
  assert.equal(code, 0);
  return tree;
}

async function ripgrep(tree: Tree, line: string): Promise<Spawned> {
  const usual = "--no-config --no-require-git --hidden --sort=path -nH --no-heading --color=never";
  return await spawn(await rgPath(), [...usual.split(" "), ...wordsOf(line)], { cwd: tree.root });
}

function answersIn(tree: Tree, lines: readonly string[]): Promise<Spawned[]> {
  return runLines(lines.map((line) => ["--format", "text", ...wordsOf(line)]), tree.root);
}

test.slow("what the guide says is the same as ripgrep's is, to the byte", async () => {
  await using tree = await exampleTree();
  const lines = codeIn(
    GUIDE.split("\n## The same\n")[1]!.split("\n## ")[0]!.split("\n- patterns:")[1]!,
  );
  assert.ok(lines.length > 80, `${lines.length} command lines`);
  const answers = await answersIn(tree, lines);
  for (const [index, line] of lines.entries()) {
    const { code, stdout, stderr } = answers[index]!;
    const expected = await ripgrep(tree, line);
    assert.deepEqual([stdout, code], [expected.stdout, expected.code], `${line}: ${stderr}`);
  }
});

Deno.test("the same lines come in the order that the guide says of each program", async () => {
  const [, theirs, ours] =
    /`--sort path` it is by [^`]*,\s+(`.*` before `.*`); here .*, (`.*` before `.*`)\.$/m.exec(
      GUIDE,
    )!;
  const files = codeIn(ours!);
  await using tree = await tempTree(Object.fromEntries(files.map((file) => [file, "todo\n"])));
  const lines = (names: string[]) => names.map((name) => `${name}:1:todo\n`).join("");
  const [answer] = await answersIn(tree, ["todo"]);
  assert.equal(answer!.stdout, lines(files));
  assert.equal((await ripgrep(tree, "todo")).stdout, lines(codeIn(theirs!)));
});

Deno.test("what the guide says is another answer than ripgrep's is one", async () => {
  await using tree = await exampleTree();
  const lines = rowsAfter("These command lines give another answer:")
    .map(([cell]) => codeIn(cell!)[0]!);
  assert.ok(lines.length > 15, `${lines.length} command lines`);
  const answers = await answersIn(tree, lines);
  for (const [index, line] of lines.entries()) {
    const { code, stdout } = answers[index]!;
    const expected = await ripgrep(tree, line);
    assert.notDeepEqual([stdout, code], [expected.stdout, expected.code], line);
  }
  const said = (line: string) => answers[lines.indexOf(line)]!.stderr;
  assert.match(said("-r DONE todo"), /-r was ignored: .*nothing is replaced/);
  assert.match(said("-E latin1 todo"), /--encoding latin1 names an encoding/);
  assert.match(said("-M 8 todo"), /cut around the match/);
  assert.match(said("here data.bin"), /use --text/);
});

Deno.test("each option of another program that is refused has an error that says what to do instead", async () => {
  const refused = FOREIGN_OPTIONS.options.flatMap((option) =>
    "instead" in option ? [{ option: `--${option.name}`, instead: option.instead }] : []
  );
  assert.ok(refused.length > 20, `${refused.length} options`);
  for (const name of codeIn(GUIDE.split("\n## What is refused\n")[1]!.split(", for example")[0]!)) {
    assert.ok(refused.some(({ option }) => option === name), name);
  }
  await using tree = await tempTree({});
  const answers = await runLines(refused.map(({ option }) => [option, "x"]), tree.root);
  for (const [index, { option, instead }] of refused.entries()) {
    const { code, stdout } = answers[index]!;
    const error = `invalid input: option ${option} is not supported: ${instead}`;
    assert.deepEqual([code, JSON.parse(stdout)], [2, { error, code: "invalid_input" }]);
  }
});
