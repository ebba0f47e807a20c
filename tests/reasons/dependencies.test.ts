/**
 * Matches in a `node_modules` that no ignore file of the workspace names come with the way to leave it out.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, listFiles, search, type SearchQuery, Workspace } from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { test } from "../support/needs.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";

const FILES = {
  "app/a.js": "n\n",
  "app/node_modules/p/i.js": "n\nn\n",
  "app/node_modules/q/node_modules/r/i.js": "n\n",
  "app/lib/b.js": "n\n",
};

/** The notes that all engines give. */
async function notes(root: string, query: Partial<SearchQuery> = {}): Promise<unknown> {
  const answer = await sameAnswer(root, { pattern: "n", ...query });
  return (answer as { notes?: string[] }).notes?.join("\n");
}

const rest = '; pass {"exclude":"node_modules"} to exclude it';

test("a search below the directory with the ignore file reports a node_modules that nothing ignores", async () => {
  await using tree = await tempTree({ ".gitignore": "node_modules/\n", ...FILES });
  const said =
    "matches in 2 files are in node_modules, which no ignore file of the workspace names";
  for (const outputMode of ["content", "file", "count"] as const) {
    assert.equal(await notes(tree.path("app"), { outputMode }), said + rest);
  }
  const page = { maxResults: 2, onOverflow: "truncate" } as const;
  assert.equal(
    await notes(tree.path("app"), page),
    undefined,
    "the page ends before the dependencies",
  );
  assert.match(
    String(await notes(tree.path("app"), { ...page, offset: 2 })),
    /^matches in 1 file /,
  );
  assert.equal(await notes(tree.path("app"), { exclude: "node_modules" }), undefined);
  assert.equal(await notes(tree.root), undefined, "its .gitignore is read here");
  assert.equal(await notes(tree.root, { path: "app" }), undefined);
  const { code } = await spawn("git", ["init", "-q"], { cwd: tree.root });
  assert.equal(code, 0);
  assert.equal(await notes(tree.path("app")), undefined, "and from below its repository, too");
});

test("each caller learns how to exclude it, in its own words", async () => {
  await using tree = await tempTree({ ...FILES, "other/node_modules/x.js": "n\n" });
  const text = await pathgrep(["n", "-l", "--format", "text"], { cwd: tree.root });
  assert.equal(
    text.stderr,
    "pathgrep: note: matches in 3 files are in 2 node_modules that no ignore file of the workspace " +
      "names, the first is app/node_modules; use --exclude node_modules to exclude them\n",
  );
  const without = await pathgrep(["n", "-l", "--exclude", "node_modules", "--format", "text"], {
    cwd: tree.root,
  });
  assert.deepEqual([without.stdout, without.stderr], ["app/a.js\napp/lib/b.js\n", ""]);
  const files = await pathgrep(["files", "app", "--format", "text"], { cwd: tree.root });
  assert.match(files.stderr, /note: 2 files are in app\/node_modules, which no ignore file/);
  const workspace = await Workspace.open(tree.root);
  const grepped = await new GrepTool({ workspace }).execute({ pattern: "n" }) as {
    notes?: string[];
  };
  assert.match(String(grepped.notes), /send {"exclude":"node_modules"} to exclude them$/);
  const excluding = await new GrepTool({ workspace }).execute({ pattern: "n", exclude: "other" });
  assert.match(
    String((excluding as { notes?: string[] }).notes),
    /send {"exclude":"other,node_modules"} to exclude it$/,
    "a key takes the place of what it held",
  );
  const shell = await pathgrep(["n", "--exclude", "other"], { cwd: tree.root });
  assert.match(String(shell.json().notes), /use --exclude node_modules to exclude it/);
  const glob = new GlobTool({ workspace });
  const globbed = await glob.execute({ pattern: "*.js" }) as { notes?: string[] };
  assert.match(
    String(globbed.notes),
    /^3 files are in 2 .*; send {"pattern":"\*\.js,!node_modules"} /,
  );
  const again = await glob.execute({ pattern: "*.js,!node_modules" }) as {
    count: number;
    notes?: string[];
  };
  assert.deepEqual([again.count, again.notes], [2, undefined]);
});

test("an answer that is flooded says how many matches dependencies hold", async () => {
  await using tree = await tempTree(FILES);
  const broad = async (query: Partial<SearchQuery>) =>
    String((await sameAnswer(tree.root, { pattern: "n", ...query }) as { hint: string }).hint);
  assert.match(
    await broad({ maxResults: 3 }),
    /, or exclude node_modules \(which holds 3 of them\)/,
  );
  assert.doesNotMatch(await broad({ maxResults: 1, exclude: "node_modules" }), /node_modules/);
  const workspace = await Workspace.open(tree.root);
  const globbed = await new GlobTool({ workspace }).execute({ pattern: "*.js", max_results: 1 });
  assert.ok(!("error" in globbed), "a tool's answer is cut instead");
  const listed = await listFiles({ maxResults: 1 }, { workspace }).catch((error) => error);
  assert.match(listed.toJSON().hint, /, or exclude node_modules \(which holds 2 of them\)/);
});

test("whoever names dependencies, or wants ignored files, wants them", async () => {
  await using tree = await tempTree({ ...FILES, "node_modules": "n\n" });
  for (
    const query of [
      { path: "app/node_modules" },
      { path: "app/node_modules/q" },
      { path: "app/node_modules/p/i.js" },
      { path: ["app/lib", "app/node_modules/p/i.js"] },
      { include: "**/node_modules/**" },
      { ignore: false },
      { path: "app/lib" },
    ]
  ) {
    const answer = String(await notes(tree.root, query));
    assert.doesNotMatch(answer, /no ignore file/, JSON.stringify(query));
  }
  const workspace = await Workspace.open(tree.path("app/node_modules"));
  assert.equal((await search({ pattern: "n" }, { workspace })).notes, undefined);
});

test("an ignore file that names a node_modules, if only to keep it, is enough", async () => {
  await using tree = await tempTree(FILES);
  for (const rules of ["!node_modules\n", "app/*\n!app/node_modules/\n", "node_modules\n"]) {
    await tree.write({ ".gitignore": rules });
    assert.doesNotMatch(String(await notes(tree.root)), /no ignore file/, rules);
  }
  await tree.write({ ".gitignore": "node_modules_old\n*.log\n" });
  assert.match(String(await notes(tree.root)), /no ignore file/);
  // What git tracks of an ignored one is found, and was named.
  await tree.write({ ".gitignore": "node_modules\n" });
  for (const args of [["init", "-q"], ["add", "-f", "app/node_modules/p"]]) {
    const { code, stderr } = await spawn("git", args, { cwd: tree.root });
    assert.equal(code, 0, stderr);
  }
  const answer = await sameAnswer(tree.root, { pattern: "n", include: "*.js" }) as {
    count: number;
    notes?: string[];
  };
  assert.deepEqual([answer.count, answer.notes], [4, undefined]);
});
