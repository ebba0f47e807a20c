/** Counts of matches, also of those without a character, and the exit status of lists. */

import assert from "node:assert/strict";
import { type CountResult, GrepTool, search, Workspace } from "../../mod.ts";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const FILES = { "a.txt": "abc\n\nxx\n", "b.txt": "xyx\n" };

Deno.test("--count-matches counts what ripgrep counts where a pattern can match nothing", async () => {
  await using tree = await tempTree(FILES);
  const rg = await rgPath();
  const patterns = ["q*", "^", "$", "\\b", "(?=x)", "y?q*", "^|q", "x|$", "(?:abc|)"];
  for (const options of [["--count-matches"], ["-c", "-o"], ["-U", "--count-matches"]]) {
    for (const pattern of patterns.slice(0, options[0] === "-U" ? -3 : undefined)) {
      const args = [...options, pattern, "a.txt"];
      const ours = await pathgrep([...args, "--format", "text"], { cwd: tree.root });
      const { stdout, code } = await new Deno.Command(rg, {
        args: ["--no-config", "-H", ...args, ...(pattern.includes("?=") ? ["-P"] : [])],
        cwd: tree.root,
      }).output();
      const expected = [new TextDecoder().decode(stdout), code];
      // Behind a match, an empty one counts in JavaScript alone.
      if (/x\||abc/.test(pattern)) assert.notEqual(ours.stdout, expected[0], args.join(" "));
      else assert.deepEqual([ours.stdout, ours.code], expected, args.join(" "));
    }
  }
});

Deno.test("empty matches are counted alike in the library, in tools and on every engine", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const counted = [8, 4];
  const query = { pattern: "q*", outputMode: "count", onlyMatching: true } as const;
  for (const multiline of [false, true]) {
    const result = await search({ ...query, multiline }, { workspace }) as CountResult;
    const { counts, count, notes } = result;
    assert.deepEqual([counts.map(({ count }) => count), count, notes], [counted, 12, undefined]);
  }
  const input = { pattern: "q*", output_mode: "count", only_matching: true };
  const answer = await new GrepTool({ workspace }).execute(input) as { count: number };
  assert.equal(answer.count, 12);
  for (const engine of ["js", "rg", "git", "grep"]) {
    const ran = await pathgrep(["--count-matches", "q*", "--engine", engine], { cwd: tree.root });
    assert.deepEqual([ran.json().count, ran.code], [12, 0], engine);
  }
  // Of several patterns, each counts where a match of it starts.
  for (const multiline of [[], ["-U"]]) {
    const args = ["--count-matches", "-e", "x", "-e", "q*", ...multiline];
    const { pattern_counts, count } = (await pathgrep(args, { cwd: tree.root })).json();
    assert.deepEqual([count, pattern_counts], [12, [4, 12]]);
  }
});

Deno.test("matched texts leave out empty ones, and lines are counted as ever", async () => {
  await using tree = await tempTree(FILES);
  const json = async (...args: string[]) => {
    const ran = await pathgrep(args, { cwd: tree.root });
    return { ...ran.json(), code: ran.code };
  };
  const none = await json("-o", "q*");
  assert.deepEqual([none.count, none.code], [0, 1]);
  assert.match(none.notes.join(), /omits empty matches/);
  assert.equal((await json("-o", "x*")).count, 3);
  assert.equal((await json("-c", "q*")).count, 4);
  assert.equal((await json("-lo", "q*")).count, 2);
  assert.equal((await json("--count-matches", "x")).count, 4);
  assert.equal((await json("-v", "--count-matches", "x")).count, 2);
  const absent = await json("--count-matches", "absent");
  assert.deepEqual([absent.count, absent.code], [0, 1]);
});

Deno.test("a list without a file ends with 1, as ripgrep's --files does", async () => {
  await using tree = await tempTree({ ...FILES, "empty/.ignore": "*\n" });
  const statusOf = async (...args: string[]) => (await pathgrep(args, { cwd: tree.root })).code;
  for (const list of [["files"], ["--files"]]) {
    for (
      const args of [
        ["-g", "*.zz"],
        ["-t", "rust"],
        ["empty"],
        ["-q", "-g", "*.zz"],
        [
          "--format=jsonl",
          "-g*.zz",
        ],
        ["--format=text", "-g*.zz"],
        ["--offset", "9"],
      ]
    ) {
      assert.equal(await statusOf(...list, ...args), 1, [...list, ...args].join(" "));
    }
    for (const args of [[], ["-q"], ["-g", "a.*"], ["b.txt"]]) {
      assert.equal(await statusOf(...list, ...args), 0, [...list, ...args].join(" "));
    }
    assert.equal(await statusOf(...list, "absent"), 2);
  }
  const glob = await pathgrep(["call", "glob"], { cwd: tree.root, stdin: '{"pattern":"*.zz"}' });
  assert.deepEqual([glob.json().count, glob.code], [0, 0], "a tool's answer is none either way");
});

test.slow("-q ends at the first file, however many a list or a search has", async () => {
  const many = Array.from({ length: 1001 }, (_, index) => [`${index}.txt`, "x\n"]);
  await using tree = await tempTree(Object.fromEntries(many));
  for (const args of [["files", "-q"], ["--files", "-q"], ["-q", "x"], ["-lq", "x"]]) {
    const { code, stdout, stderr } = await pathgrep(args, { cwd: tree.root });
    assert.deepEqual([code, stdout, stderr], [0, "", ""], args.join(" "));
  }
});
