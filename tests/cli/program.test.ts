/**
 * The real program, started once for each command and each set of permissions: it answers as the same
 * line does in this process, where most other tests run their lines.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const FILES = {
  "src/a.ts": "// TODO one\nexport const a = 1;\n",
  "src/b.ts": "no match\n// TODO two\n",
  "docs/guide.md": "TODO three\n",
  "patterns.txt": "TODO\n",
  ".gitignore": "ignored/\n",
  "ignored/c.ts": "// TODO four\n",
};

/** Command lines with what they read, under all permissions. */
const LINES: readonly (readonly [args: readonly string[], stdin?: string])[] = [
  [["TODO"]],
  [["TODO", "src", "--format", "jsonl"]],
  [["TODO", "--format", "text"]],
  [["TODO", "--format", "text", "--heading", "--color=always"]],
  [["-l", "TODO", "--paths", "relative"]],
  [["-c", "TODO", "src"]],
  [["-q", "TODO"]],
  [["absent"]],
  [["("]],
  [["TODO", "../outside"]],
  [["TODO", "--no-such-option"]],
  [["TODO", "-"], "a TODO on standard input\n"],
  [["-f", "-"], "TODO\n"],
  [["-f", "patterns.txt", "src"]],
  [["files", "src"]],
  [["resolve", "src/a.ts"]],
  [["resolve", "a.ts", "--as", "file", "--format", "text"]],
  [["call", "grep"], '{"pattern":"TODO","path":"src"}'],
  [["call", "glob"], '{"pattern":"**/*.md"}'],
  [["call", "resolve_path"], '{"path":"src"}'],
  [["call", "grep"], "{"],
  [["tools"]],
  [["tools", "--format", "anthropic"]],
  [["prompt"]],
  [["completions", "bash"]],
  [["completions", "zsh"]],
  [["completions", "fish"]],
  [["completions", "tcsh"]],
  [["doctor"]],
  [["--help"]],
  [["-h"]],
  [["serve", "--help"]],
  [["mcp", "--help"]],
  [["--version"]],
  [["--type-list"]],
];

for (const [args, stdin] of LINES) {
  Deno.test(`the program answers as its line does: ${args.join(" ")}`, async () => {
    await using tree = await tempTree(FILES);
    const options = { cwd: tree.root, stdin };
    const [program, line] = [
      await pathgrep(args, { ...options, process: true }),
      await pathgrep(args, { ...options, process: false }),
    ];
    assert.deepEqual(
      [program.code, program.stdout, program.stderr],
      [line.code, line.stdout, line.stderr],
    );
    assert.equal(program.stdout + program.stderr === "", args.includes("-q"));
  });
}

/** Permissions, each with a line that needs no more. */
const PERMISSIONS: readonly (readonly [flags: readonly string[], args: readonly string[]])[] = [
  [["--allow-read=."], ["TODO", "src"]],
  [["--allow-read=."], ["files"]],
  [["--allow-read"], ["TODO", "--stats"]],
  [["--allow-read=.", "--allow-run=grep", "--allow-env=PATH"], ["TODO", "--engine", "grep"]],
  [["--allow-read=.", "--allow-run=git", "--allow-env=PATH"], ["TODO", "--engine", "git"]],
  [[], ["tools"]],
  [[], ["--version"]],
];

for (const [flags, args] of PERMISSIONS) {
  const name = `${args.join(" ")} with ${flags.join(" ") || "no permission"}`;
  Deno.test(`the program answers as its line does: ${name}`, async () => {
    await using tree = await tempTree(FILES);
    const [program, line] = [
      await pathgrep(args, { cwd: tree.root, permissions: ["--no-prompt", ...flags] }),
      await pathgrep(args, { cwd: tree.root, process: false }),
    ];
    const isTimed = args.includes("--stats");
    const shown = (
      { code, stdout, stderr }: typeof line,
    ) => [code, isTimed ? JSON.parse(stdout).count : stdout, stderr];
    assert.deepEqual(shown(program), shown(line));
    assert.equal(program.code, 0);
  });
}

Deno.test("a Deno that is too old is named, before what it lacks makes a search fail or hang", async () => {
  await using tree = await tempTree({
    "older.js": "delete Map.prototype.getOrInsertComputed;\n",
    "a.txt": "TODO\n",
  });
  const permissions = ["-A", `--preload=${tree.path("older.js")}`];
  const options = { cwd: tree.root, permissions };
  const { code, json } = await pathgrep(["TODO"], options);
  assert.equal(code, 2);
  assert.deepEqual(json(), {
    error: `search failed: Deno ${Deno.version.deno} is too old`,
    code: "search_failed",
    hint: "pathgrep needs Deno 2.9 or later; `deno upgrade` installs it",
  });
  const help = await pathgrep(["--version"], options);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
});
