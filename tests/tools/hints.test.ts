/** What errors and notes tell a caller to do has the names that this caller knows. */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, ResolvePathTool, search, Workspace } from "../../mod.ts";
import { answer } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

const TREE = { "src/a.ts": "needle\nneedle\n", "lib/b.ts": "needle\n", ".env": "needle\n" };

/** A flag, or a command of the command line. */
const AT_SHELL = /(?:^|[\s(`'])--?[a-z]|`?pathgrep [a-z]+/i;

Deno.test("a tool's errors name no flags and no commands of the command line", async () => {
  await using t = await tempTree({ ...TREE, "many.txt": "x\n".repeat(1100) });
  const workspace = await Workspace.open(t.root);
  const tools = {
    grep: new GrepTool({ workspace }),
    glob: new GlobTool({ workspace }),
    resolve_path: new ResolvePathTool({ workspace }),
  };
  const calls: [tool: keyof typeof tools, input: object, code: string][] = [
    ["grep", { pattern: "needle", path: ".env" }, "permission_denied_by_policy"],
    ["grep", { pattern: "needle", path: "zzzz" }, "path_not_found"],
    ["grep", { pattern: "needle", path: "../out" }, "path_outside_workspace"],
    ["grep", { pattern: "x" }, "search_too_broad"],
    ["glob", { pattern: "*", path: "zzzz" }, "path_not_found"],
    ["glob", { pattern: "*", path: ".env" }, "permission_denied_by_policy"],
    ["resolve_path", { path: ".env", as: "project" }, "permission_denied_by_policy"],
    ["resolve_path", { path: "*.py", as: "file" }, "path_not_found"],
    ["resolve_path", { path: "zzzz", as: "dir" }, "path_not_found"],
  ];
  for (const [tool, input, code] of calls) {
    const answered = await tools[tool].execute(input) as Record<string, unknown>;
    assert.equal(answered["code"], code, JSON.stringify(answered));
    assert.equal(typeof answered["hint"], "string", JSON.stringify(answered));
    assert.doesNotMatch(String(answered["hint"]), AT_SHELL, JSON.stringify(input));
  }
  const { hint } = await tools.grep.execute({ pattern: "x" }) as { hint: string };
  assert.match(hint, /page with max_results and offset/);
});

Deno.test("the library's errors name its own options", async () => {
  await using t = await tempTree({
    "many.txt": "x\n".repeat(1100),
    "long.txt": "y".repeat(1800),
  });
  const workspace = await Workspace.open(t.root);
  const tooMany = search({ pattern: "x" }, { workspace });
  await assert.rejects(tooMany, ({ details }) => /maxResults and offset$/.test(details.hint));
  const tooLong = search({ pattern: "y", maxOutputChars: 1000 }, { workspace });
  await assert.rejects(tooLong, ({ details }) => /raise maxOutputChars$/.test(details.hint));
  const { notes } = await search({ pattern: "z*", onlyMatching: true }, { workspace });
  assert.match(`${notes}`, /^onlyMatching omits/);
});

Deno.test("at the shell, errors name flags and commands", async () => {
  await using t = await tempTree({
    ...TREE,
    "many.txt": "x\n".repeat(1100),
    "long.txt": "y".repeat(1800),
  });
  const cases: [args: string[], hint: RegExp][] = [
    [["needle", ".env"], /^search elsewhere, or have the user allow it with --allow$/],
    [["needle", ".git/config", "--allow", ".git/config"], /^search elsewhere$/],
    [["needle", "a.ts", "--deny", "a.ts", "--allow", "a.ts"], /^search elsewhere$/],
    [["needle", "../.env", "--allow", "/**"], /^search elsewhere$/],
    [["needle", "zzzz"], /^list what is there \(`pathgrep files`\), or omit the path/],
    [["needle", "../out"], /name each root with --workspace DIR, or grant .* --allow GLOB$/],
    [["x"], /page with --max-results N --on-overflow truncate, then --offset N$/],
    [["y", "--max-output-chars", "1000"], /raise --max-output-chars$/],
    [["resolve", "--as", "dir", "zzzz"], /^list what is there \(`pathgrep files`\)$/],
    [["resolve", "--as", "project", ".env"], /allow it with --allow$/],
  ];
  for (const [args, hint] of cases) {
    assert.match((await answer(args, { cwd: t.root })).hint ?? "", hint, `${args}`);
  }
});

Deno.test("notes and hints on patterns name options as the caller does", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace });
  const cases: [pattern: string, shell: string, tool: string, library: string][] = [
    ["foo(", "fixed strings (--fixed-strings)", "fixed strings (fixed_strings)", "(fixedStrings)"],
    ["foo)", "fixed strings (--fixed-strings)", "fixed strings (fixed_strings)", "(fixedStrings)"],
    ["a\\nb", "--multiline", "multiline", "multiline"],
    ["[\\n]b", "--multiline", "multiline", "multiline"],
    ["\\bé", "--word-regexp", "whole_word", "wholeWord"],
  ];
  for (const [pattern, shell, tool, library] of cases) {
    const said = ({ hint, notes }: { hint?: unknown; notes?: unknown }) => `${hint} ${notes}`;
    const [atShell, inTool] = [
      said(await answer([pattern], { cwd: t.root })),
      said(await grep.execute({ pattern })),
    ];
    const inLibrary = await search({ pattern }, { workspace }).then(said, (e) => said(e.details));
    assert.ok(atShell.includes(`use ${shell}`), atShell);
    assert.ok(inTool.includes(`use ${tool}`) && !AT_SHELL.test(inTool), inTool);
    assert.ok(inLibrary.includes(library), inLibrary);
  }
});
