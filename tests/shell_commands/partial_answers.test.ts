/**
 * `pathgrep hook` after a search that found something: one line on the matches that it does not show, with the
 * option of that program which shows them; and nothing in every case that is not certain.
 *
 * @module
 */

import assert from "node:assert/strict";
import { BUDGET } from "../../src/reasons/empty_search.ts";
import { everydayCommands } from "../support/everyday_commands.ts";
import { hasNeed, test } from "../support/needs.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { runInShell } from "../support/shell.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

/** What an agent gets to read after a command has printed something; nothing where nothing is printed. */
async function said(
  t: Pick<Tree, "root">,
  command: string,
  stdout: string,
  { tool_name = "run_shell_command", ...more }: { tool_name?: string } & object = {},
  args: readonly string[] = [],
): Promise<string | undefined> {
  const event = {
    hook_event_name: "PostToolUse",
    tool_name,
    cwd: t.root,
    tool_input: { command },
    tool_response: { stdout, stderr: "", interrupted: false },
    ...more,
  };
  const { code, stdout: answer, stderr } = await pathgrep(["hook", ...args], {
    cwd: t.root,
    stdin: JSON.stringify(event),
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return answer === "" ? undefined : JSON.parse(answer).hookSpecificOutput.additionalContext;
}

/** The same after the command has run in a shell. */
async function saidAfter(
  t: Pick<Tree, "root">,
  command: string,
  more?: object,
  args?: readonly string[],
) {
  const stdout = await runInShell(command, t.root);
  assert.notEqual(stdout.trim(), "", `${command} finds something`);
  return await said(t, command, stdout, more, args);
}

async function repository(
  entries: Readonly<Record<string, TreeEntry>>,
  tracked = "src",
): Promise<Tree> {
  const t = await tempTree({ "src/a.ts": "needle\n", ...entries });
  await sh(`git init -q && git add ${tracked}`, t.root);
  return t;
}

type Row = [files: Record<string, TreeEntry>, command: string, line: string];

Deno.test("what a search excludes and matches is in one line", async () => {
  const ignored = { ".gitignore": "gen/\n", "gen/b.ts": "needle\nneedle\n" };
  const rows: Row[] = [
    [ignored, "rg needle", "2 matches in ignored gen/b.ts; add -u"],
    [
      { ...ignored, "gen/c.ts": "needle\n" },
      "rg -n needle .",
      "3 matches in 2 ignored files (the first is gen/b.ts); add -u",
    ],
    [{ ".ci/x.yml": "a needle\n" }, "rg needle", "1 match in hidden .ci/x.yml; add --hidden"],
    [{ "src/b.ts": "\0\nneedle\n" }, "rg needle src", "1 match in src/b.ts (binary); add -a"],
    [
      { ...ignored, ".ci/x": "needle\n" },
      "rg needle",
      "2 matches in ignored gen/b.ts, 1 in hidden .ci/x; add -uu",
    ],
    [
      { ...ignored, ".ci/x": "needle\n", "src/b.ts": "\0\nneedle\n" },
      "rg needle",
      "2 matches in ignored gen/b.ts, 1 in hidden .ci/x, 1 in src/b.ts (binary); add -uuu",
    ],
    [
      { ".ci/x": "needle\n", "src/b.ts": "\0\nneedle\n" },
      "rg needle",
      "1 match in hidden .ci/x, 1 in src/b.ts (binary); add --hidden -a",
    ],
    [
      { ".gitignore": ".ci\n", ".ci/x": "needle\n" },
      "rg needle",
      "1 match in ignored .ci/x; add -uu",
    ],
    [
      { "lib/x.ts": "needle\n", "src/x.ts": { symlink: "../lib/x.ts" } },
      "rg needle src",
      "1 match in src/x.ts (a link to lib/x.ts); add -L",
    ],
    [
      { "lib/x.ts": "needle\n", "src/lib": { symlink: "../lib" } },
      "grep -rn needle src",
      "1 match in src/lib/x.ts (a link to lib/x.ts); add -R",
    ],
    [
      { "lib/x.ts": "needle\n", "src/lib": { symlink: "../lib" } },
      "rg -u needle src",
      "1 match in src/lib/x.ts (a link to lib/x.ts); add -L",
    ],
    [
      ignored,
      "git grep --untracked needle",
      "2 matches in ignored gen/b.ts; add --no-exclude-standard",
    ],
    [{ "b.ts": "needle\n" }, "git grep needle", "1 match in untracked b.ts; add --untracked"],
    [
      ignored,
      "git grep needle",
      "2 matches in ignored gen/b.ts; add --untracked --no-exclude-standard",
    ],
    [
      { ...ignored, "b.ts": "needle\n" },
      "git grep needle",
      "2 matches in ignored gen/b.ts, 1 in untracked b.ts; add --untracked --no-exclude-standard",
    ],
    [
      { ".gitignore": "build/\n", "build/out.js": "needle\n" },
      "rg needle",
      "1 match in ignored build/out.js; add -u",
    ],
    [
      { "src/two words.ts": "\0\nneedle\n" },
      "rg needle",
      '1 match in "src/two words.ts" (binary); add -a',
    ],
  ];
  const ugrep: Row = [
    { ".ci/x": "needle\n" },
    "ugrep -r needle .",
    "1 match in hidden .ci/x; add --hidden",
  ];
  if (hasNeed("ugrep")) rows.push(ugrep);
  for (const [files, command, line] of rows) {
    await using t = await repository(files);
    assert.equal(await saidAfter(t, command), `not shown: ${line}`, command);
  }
});

Deno.test("what everyone excludes, or the command itself, is no news", async () => {
  const ignored = (path: string, text = "needle\n") => ({
    ".gitignore": `${path}\n`,
    [path]: text,
  });
  const long = `${"x".repeat(800)} needle\n`;
  const rows: [files: Record<string, TreeEntry>, command: string][] = [
    [ignored("node_modules/x/i.js"), "rg needle"],
    [ignored(".venv/lib/i.py"), "rg needle"],
    [{ ".gitignore": "vendor/*\n", "vendor/x/i.go": "needle\n" }, "rg needle"],
    [{ "node_modules/x/i.js": "needle\n" }, "git grep needle"],
    [ignored("node_modules/x/dist/i.js"), "rg needle"],
    // A build has copies of what is shown, and lines that nobody reads.
    [{ ".gitignore": "dist\n", "dist/a.js": "needle\n", "dist/a.d.ts": "needle\n" }, "rg needle"],
    [ignored("dist/a.min.js"), "rg needle"],
    [ignored("dist/a.js.map"), "rg needle"],
    [ignored("dist/a.js", long), "rg needle"],
    // What filters leave out was not asked for.
    [ignored("gen/b.js"), "rg needle -t ts"],
    [ignored("gen/b.js"), "rg needle -g '*.ts'"],
    [ignored("gen/b.js"), "rg needle src"],
    [ignored("gen/x/b.js"), "rg -d 2 needle"],
    [{ "src/b.ts": "\0\nneedle\n" }, "grep -rnI needle src"],
    [{ "src/b.ts": "\0\nneedle\n" }, "git grep -I needle src"],
    // Of these, nothing is excluded.
    [ignored("gen/b.js"), "rg -uu needle"],
    [ignored("gen/b.js"), "grep -rn needle ."],
    [ignored("gen/b.js"), "git grep --untracked --no-exclude-standard needle"],
    [{ "src/b.ts": "\0\nneedle\n" }, "git grep needle"],
    [{ "src/b.ts": { symlink: "a.ts" } }, "rg needle"],
    // Before the NUL byte, it is searched; a picture has no words.
    [{ "src/b.ts": "needle\n\0\n" }, "rg needle src"],
    [
      { "src/b.png": Uint8Array.of(0, 0xff, ...new TextEncoder().encode("\nneedle\n")) },
      "rg needle",
    ],
    // Nothing in it matches as the pattern is written.
    [ignored("gen/b.js", "Needle\n"), "rg needle"],
    [{ ".env": "needle\n", "id_rsa": "needle\n" }, "rg needle"],
    [{ ".cursorignore": "gen\n", ...ignored("gen/b.js") }, "rg needle"],
    // These are not read, or not certain.
    [ignored("gen/b.js"), "rg -v zzz"],
    [ignored("gen/b.js"), "rg --files-without-match zzz"],
    [ignored("gen/b.js"), "rg needle src/a.ts ."],
    [ignored("gen/b.js"), "rg needle . absent 2>/dev/null || true"],
    // The ignore files above a link hold in what it leads to.
    [{ "lib/x.ts": "needle\n", "src/lib": { symlink: "../lib" } }, "rg needle src"],

    [ignored("gen/b.js"), "rg needle | cut -c1-20"],
    [ignored("gen/b.js"), "rg -I needle"],
    [ignored("gen/b.js"), "rg 'x*'"],
    [ignored("gen/b\u202e.js"), "rg needle"],
  ];
  for (const [files, command] of rows) {
    await using t = await repository(files);
    assert.equal(await saidAfter(t, command), undefined, command);
  }
});

Deno.test("pipes and what follows are read", async () => {
  await using t = await repository({ ".gitignore": "gen/\n", "gen/b.ts": "// needle\n" });
  const line = "not shown: 1 match in ignored gen/b.ts; add -u";
  const commands = [
    "rg needle | head -5",
    "rg needle | tail -n 3",
    "rg -n needle | sort",
    "rg needle | wc -l",
    "rg -c needle",
    "rg -l needle 2>/dev/null",
    "rg needle || true",
    "rg needle || echo none",
    "rg needle; echo done",
    'rg needle; echo "exit: $?"',
    "cd . && rg needle",
    "timeout 9 rg needle",
    "rg needle | grep -v test",
    "rg needle | grep -vE 'spec|\\.min\\.'",
    "rg --heading needle",
    `rg needle ${t.root}`,
    "rg needle ./",
  ];
  for (const command of commands) assert.equal(await saidAfter(t, command), line, command);
  const neighbours = [
    // It would be removed, or may be.
    "rg needle | grep -v gen",
    "rg needle | grep -v //",
    "rg needle | grep -v 'g.*n'",
    "rg needle | grep -vw gen",
    "rg needle | grep -vc a",
    "rg needle | grep a",
    "rg needle | grep -c a",
    "rg needle && echo done",
    "rg needle | xargs -n1 echo",
    "rg needle; ls",
  ];
  for (const command of neighbours) assert.equal(await saidAfter(t, command), undefined, command);
});

Deno.test("an output that this search cannot have printed gives nothing", async () => {
  await using t = await repository({ ".gitignore": "gen/\n", "gen/b.ts": "needle\n" });
  const shown = "src/a.ts:needle\n";
  const line = "not shown: 1 match in ignored gen/b.ts; add -u";
  assert.equal(await said(t, "rg needle", shown), line);
  const outputs = [
    "bash: rg: command not found\n",
    "other.ts:needle\n",
    `${shown}gen/b.ts:needle\n`,
    `${shown}Binary file gen/b.ts matches\n`,
    "needle\n",
  ];
  for (const output of outputs) assert.equal(await said(t, "rg needle", output), undefined, output);
  assert.equal(await said(t, "rg needle; echo done", shown), undefined);
  assert.equal(await said(t, "rg needle || echo src", `${shown}src\n`), undefined);
  assert.equal(await said(t, 'rg needle; echo "$?"', `${shown}2\n`), undefined);
  const failure = { hook_event_name: "PostToolUseFailure", error: `Exit code 2\n${shown}` };
  assert.equal(await said(t, "rg needle", "", failure), undefined);
  // Codex says nothing of the status where it sends the output alone.
  const codex = (tool_response: string) => ({ tool_name: "Bash", tool_response });
  assert.equal(await said(t, "rg needle", "", codex(shown)), line);
  const report = `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${shown}`;
  assert.equal(await said(t, "rg needle", "", codex(report)), line);
  assert.equal(await said(t, "rg needle", "", codex("rg: needle: not found")), undefined);
});

Deno.test("the grep of Claude Code's shell is known by what it does not print", async () => {
  await using t = await repository({ ".gitignore": "gen/\n", "gen/b.ts": "needle\n" });
  const own = { tool_name: "Bash" };
  const [shown, all] = ["src/a.ts:1:needle\n", "src/a.ts:1:needle\ngen/b.ts:1:needle\n"];
  const line = "not shown: 1 match in ignored gen/b.ts; use `command grep`";
  for (const command of ["grep -rn needle .", "grep -rn needle . | sort"]) {
    assert.equal(await said(t, command, shown, own), line, command);
    assert.equal(await said(t, command, all, own), undefined, command);
    assert.equal(await said(t, command, shown), undefined, command);
  }
  for (
    const command of [
      "grep -rn needle . | head -1",
      "command grep -rn needle .",
      "egrep -rn needle .",
    ]
  ) {
    assert.equal(await said(t, command, shown, own), undefined, command);
  }
  assert.equal(await said(t, "grep -rn needle . | wc -l", "1\n", own), undefined);
  // A host may have cut what is longer.
  assert.equal(await said(t, "grep -rn needle .", shown.repeat(2000), own), undefined);
});

Deno.test("a caller's --deny and a time that is too short leave nothing to say", async () => {
  await using t = await repository({ ".gitignore": "gen/\n", "gen/b.ts": "needle\n" });
  const line = "not shown: 1 match in ignored gen/b.ts; add -u";
  assert.equal(await saidAfter(t, "rg needle", {}, ["--deny", "a.js"]), line);
  assert.equal(await saidAfter(t, "rg needle", {}, ["--deny", "gen/**"]), undefined);
  const { hook } = BUDGET;
  BUDGET.hook = 0;
  try {
    assert.equal(await saidAfter(t, "rg needle"), undefined);
  } finally {
    BUDGET.hook = hook;
  }
});

Deno.test("beside many matches, few others are no news", async () => {
  const many = (count: number) => "needle\n".repeat(count);
  const rows = [[50, 1, true], [51, 1, false], [60, 6, true], [61, 6, false]] as const;
  for (const [shown, hidden, isNews] of rows) {
    await using t = await repository({ "src/b.ts": many(shown - 1), ".ci/x": many(hidden) });
    const answer = await saidAfter(t, "rg needle");
    assert.equal(answer !== undefined, isNews, `${hidden} beside ${shown}: ${answer}`);
  }
});

Deno.test("more than a thousand matches are not counted", async () => {
  await using t = await repository({ ".ci/x": "needle\n".repeat(1001) });
  assert.equal(
    await saidAfter(t, "rg needle"),
    "not shown: 1000+ matches in hidden .ci/x; add --hidden",
  );
});

test.slow("of everyday commands fewer than one in fifty has a line", async () => {
  await using t = await tempTree();
  await sh(
    `git -C '${CHECKOUT}' ls-files -z | (cd '${CHECKOUT}' && xargs -0 cp --parents -t '${t.root}')`,
    t.root,
  );
  await sh("git init -q && git add -A", t.root);
  const commands = everydayCommands({
    names: ["Workspace", "SearchJob", "relativePath"],
    sources: "src",
    tests: "tests",
    extension: "ts",
    type: "ts",
  });
  const lines: string[] = [];
  for (const command of commands) {
    const stdout = await runInShell(command, t.root);
    const answer = /[1-9a-z]/.test(stdout) ? await said(t, command, stdout) : undefined;
    if (answer !== undefined) lines.push(`${command}: ${answer}`);
  }
  assert.ok(commands.length >= 100 && lines.length < commands.length / 50, lines.join("\n"));
});
