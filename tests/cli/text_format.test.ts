/**
 * The text format as users of grep expect it, and how much of an answer fits a budget.
 *
 * @module
 */
import assert from "node:assert/strict";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { ESCAPES_NOTE } from "../../src/util/text.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILES = {
  "src/a.ts": "zero\none foo\ntwo\nthree foo\nfour\nfive\nsix\nseven foo\n",
  "src/b.ts": "foo\nbar\n",
  "src/gap.ts": "foo\none\ntwo\nfoo\n",
  "src/odd name:3.ts": "a foo\n\n\u0085 foo \u202e\n",
};

/** What GNU grep writes for the same search. */
async function grep(tree: Tree, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("grep", {
    args: ["-r", "--color=never", ...args],
    cwd: tree.root,
    env: { LC_ALL: "C.UTF-8" },
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("a file at a time, text is what GNU grep writes", async () => {
  await using tree = await tempTree(FILES);
  for (const file of ["src/a.ts", "src/b.ts", "src/gap.ts"]) {
    for (
      const options of [
        [],
        ["-A1"],
        ["-B1"],
        ["-C1"],
        ["-C2"],
        ["-C9"],
        ["-v"],
        ["-vC1"],
        ["-m1", "-A3"],
        ["-o"],
        ["-i", "-w", "-B3"],
      ]
    ) {
      const { stdout } = await pathgrep([...options, "--format", "text", "foo", file], {
        cwd: tree.root,
      });
      // grep takes a file that is named alone for known.
      const expected = await grep(tree, "-nH", ...options, "-e", "foo", file);
      assert.equal(stdout, expected, `${options.join(" ")} ${file}`);
    }
    const list = await pathgrep(["-l", "--format", "text", "foo", file], { cwd: tree.root });
    assert.equal(list.stdout, await grep(tree, "-l", "-e", "foo", file));
    const count = await pathgrep(["-c", "--format", "text", "foo", file], { cwd: tree.root });
    assert.equal(count.stdout, await grep(tree, "-cH", "-e", "foo", file));
  }
});

Deno.test("with headings, text is what ripgrep writes", async () => {
  await using tree = await tempTree(FILES);
  const rg = await rgPath();
  const files = ["src/a.ts", "src/b.ts"];
  for (const options of [[], ["-A1"], ["-C1", "--column"], ["-m1", "-B2"], ["-c"], ["-l"]]) {
    const ours = await pathgrep([...options, "--heading", "--format", "text", "foo", ...files], {
      cwd: tree.root,
    });
    const { stdout } = await new Deno.Command(rg, {
      args: ["--no-config", "--heading", "-n", "--sort", "path", ...options, "foo", ...files],
      cwd: tree.root,
    }).output();
    assert.equal(ours.stdout, new TextDecoder().decode(stdout), options.join(" "));
  }
  const plain = await pathgrep(["--heading", "--no-heading", "--format", "text", "foo"], {
    cwd: tree.root,
  });
  assert.match(plain.stdout, /^src\/a\.ts:\d+:/);
});

Deno.test("a truncated answer in text says on standard error how to go on", async () => {
  await using tree = await tempTree(FILES);
  const page = async (offset: number) =>
    await pathgrep(["foo", "--max-results", "2", `--offset=${offset}`, "--format", "text"], {
      cwd: tree.root,
    });
  const first = await page(0);
  assert.equal(first.stdout, "src/a.ts:2:one foo\nsrc/a.ts:4:three foo\n");
  assert.equal(
    first.stderr,
    "pathgrep: note: truncated: 8 matches in 4 files in all; use --offset 2 for the next page, " +
      "or --max-results 0 for all\n",
  );
  assert.equal(first.code, 0);
  const last = await page(6);
  assert.equal(last.stdout.split("\n").length - 1, 2);
  assert.equal(last.stderr, `pathgrep: note: ${ESCAPES_NOTE}\n`);
});

Deno.test("--max-output-chars counts what the format writes to standard output", async () => {
  await using tree = await tempTree(FILES);
  for (const format of ["json", "jsonl", "text"]) {
    for (const options of [["-C1"], ["-l"], ["--column", "-o"]]) {
      const run = async (...more: string[]) => {
        const args = ["foo", "--format", format, ...options, ...more];
        return await pathgrep(args, { cwd: tree.root });
      };
      const whole = (await run()).stdout;
      const exact = await run("--max-output-chars", String(whole.length + 60));
      assert.equal(exact.stdout, whole, `${format} ${options}: there is room for all of it`);
      const less = await run(
        ...["--max-output-chars", String(whole.length - 1), "--on-overflow", "truncate"],
      );
      assert.equal(less.code, 0, less.stdout);
      assert.ok(less.stdout.length < whole.length, `${format} ${options}: ${less.stdout}`);
      if (format === "text") {
        const [first] = less.stdout.split("\n");
        assert.ok(whole.split("\n").includes(first!), first);
        const said = options[0] === "-C1"
          ? /note: --max-output-chars: context omitted\n/
          : /note: --max-output-chars: more entries on the next page\n.*: truncated: .*; use --offset/;
        assert.match(less.stderr, said);
        const fits = await run("--max-output-chars", String(whole.length));
        assert.equal(fits.stdout, whole, `${options}: in text nothing but entries counts`);
      }
      const over = await run("--max-output-chars", String(whole.length - 1));
      assert.equal(over.code, 2);
      assert.match(over.stdout + over.stderr, /answer exceeds \d+ characters/);
    }
  }
});
