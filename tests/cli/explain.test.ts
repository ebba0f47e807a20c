/**
 * What the command line says of an empty answer, and of what it did not search: the options to send.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const FILES = {
  ".gitignore": "dist/\n",
  "dist/a.ts": "needle\n",
  "src/[id].ts": "export\n",
  "it's/up.ts": "Wanted\n",
};
const RULE = '1 match in dist/a.ts is excluded by the ignore rule "dist/" in .gitignore:1; ' +
  "use --no-ignore, or use dist as PATH";

Deno.test("json and jsonl say why an answer is empty, with options; text does on standard error", async () => {
  await using t = await tempTree(FILES);
  const json = await pathgrep(["needle"], { cwd: t.root });
  assert.deepEqual(json.json().notes, [RULE]);
  assert.equal(json.code, 1);
  const rows = await pathgrep(["needle", "--format=jsonl"], { cwd: t.root });
  assert.deepEqual(rows.rows().at(-1).notes, [RULE]);
  for (
    const args of [["--explain=never"], ["--explain", "never", "--format=jsonl"], [
      "--explain=never",
      "--format=text",
    ]]
  ) {
    const { stdout, stderr } = await pathgrep(["needle", ...args], { cwd: t.root });
    assert.doesNotMatch(stdout + stderr, /notes?\b/);
  }
  const text = await pathgrep(["needle", "--format=text"], { cwd: t.root });
  assert.deepEqual([text.stdout, text.stderr], ["", `pathgrep: note: ${RULE}\n`]);
  const quiet = await pathgrep(["needle", "-q"], { cwd: t.root });
  assert.deepEqual([quiet.stdout, quiet.stderr, quiet.code], ["", "", 1]);
  const bad = await pathgrep(["needle", "--explain=always"], { cwd: t.root });
  assert.equal(bad.json().code, "invalid_input");
});

Deno.test("what a note tells to send can be typed", async () => {
  await using t = await tempTree(FILES);
  for (
    const [args, send, then] of [
      [["needle"], "use --no-ignore, or use dist as PATH", ["needle", "--no-ignore"]],
      [["wanted"], "use --ignore-case", ["wanted", "--ignore-case"]],
      [["export", "-g", "src/[id].ts"], "use --include 'src/\\[id\\].ts', which finds", [
        "export",
        "--include",
        "src/\\[id\\].ts",
      ]],
      [["Wanted", "src"], `use 'it'\\''s' as PATH`, ["Wanted", "it's"]],
      [["Wanted", "-d", "1"], "omit --max-depth", ["Wanted"]],
      [["(Wanted"], "fixed strings", ["-F", "Wanted"]],
      [["^Wanted$", "-F"], "omit --fixed-strings", ["^Wanted$"]],
      [["'Wanted'"], "use Wanted as PATTERN", ["Wanted"]],
    ] as const
  ) {
    const empty = await pathgrep(args, { cwd: t.root });
    assert.ok(empty.stdout.includes(JSON.stringify(send).slice(1, -1)), empty.stdout);
    assert.equal((await pathgrep(then, { cwd: t.root })).code, 0, then.join(" "));
  }
});

Deno.test("files says why it lists nothing", async () => {
  await using t = await tempTree(FILES);
  const { stdout } = await pathgrep(["files", "-g", "a.ts"], { cwd: t.root });
  assert.match(stdout, /1 file, dist\/a\.ts, is excluded by the ignore rule/);
});

Deno.test("reasons need no permission but reading, and are told of standard input by nobody", async () => {
  await using t = await tempTree(FILES);
  const { stdout } = await pathgrep(["needle"], { cwd: t.root });
  assert.deepEqual(JSON.parse(stdout).notes, [RULE]);
  const piped = await pathgrep(["needle", "-"], { cwd: t.root, stdin: "NEEDLE\n" });
  assert.equal(piped.json().notes, undefined);
});

Deno.test("a path outside the workspace: the error names the options that let it in", async () => {
  await using t = await tempTree({
    "a.ts": "",
    "../lib/b c.ts": "needle\n",
    "link": { symlink: "$BASE/lib" },
  });
  const hint = async (...args: string[]) =>
    (await pathgrep(["needle", ...args], { cwd: t.root })).json().hint as string;
  const options =
    "to search outside, name each root with --workspace DIR, or grant an absolute path " +
    "with --allow GLOB";
  for (const path of ["../lib", "../lib/b c.ts", "../none", "link"]) {
    assert.ok((await hint(path)).endsWith(`; ${options}`), await hint(path));
  }
  for (const way of [["--workspace", ".", "--workspace", "../lib"], ["--allow", `${t.base}/lib`]]) {
    const { code } = await pathgrep(["needle", "../lib", ...way], { cwd: t.root });
    assert.equal(code, 0, way.join(" "));
  }
});
