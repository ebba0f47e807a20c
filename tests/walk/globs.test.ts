/**
 * Globs as users and models write them, on every face: what is read, how, and what is said of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, listFiles, search, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

/** What a search or a listing answers. */
interface Answer {
  files: readonly string[];
  notes: readonly string[];
}

/** How globs are given. */
interface Given {
  include?: string;
  exclude?: string;
  path?: string;
}

async function treeOf(...names: readonly string[]): Promise<Tree> {
  const entries: Record<string, TreeEntry> = {};
  for (const name of names) entries[name] = name.endsWith("/") ? null : "needle\n";
  return await tempTree(entries);
}

/** The relative files, and the notes, of every face: all must agree on the files. */
async function everywhere({ root }: Tree, given: Given): Promise<Answer> {
  const workspace = await Workspace.open(root);
  const { include, exclude, path } = given;
  const common = { ...given, paths: "relative" } as const;
  const flags = [
    ...(include === undefined ? [] : [`--include=${include}`]),
    ...(exclude === undefined ? [] : [`--exclude=${exclude}`]),
  ];
  const shown = ["--paths", "relative", "--format", "json"];
  const operands = path === undefined ? [] : [path];
  const searched = await search(
    { ...common, pattern: "needle", outputMode: "file", explain: true },
    { workspace },
  );
  assert.ok(searched.output_mode === "file");
  const { files, notes = [] } = searched;
  const answers: [face: string, files: unknown][] = [
    ["shell", await pathgrep(["-l", "needle", ...flags, ...shown, ...operands], { cwd: root })],
    ["files", await pathgrep(["files", ...flags, ...shown, ...operands], { cwd: root })],
  ].map(([face, ran]) => [face as string, (ran as { json(): Answer }).json().files]);
  answers.push(["listFiles", (await listFiles(common, { workspace })).files]);
  const call = { ...given, pattern: "needle", output_mode: "file", paths: "relative" };
  answers.push(["grep", (await new GrepTool({ workspace }).execute(call) as Answer).files]);
  if (include !== undefined && exclude === undefined) {
    const input = { ...(path && { path }), pattern: include, paths: "relative" };
    answers.push(["glob", (await new GlobTool({ workspace }).execute(input) as Answer).files]);
  }
  for (const [face, found] of answers) assert.deepEqual(found, files, face);
  return { files, notes };
}

Deno.test("braces without a comma are part of a name", async () => {
  await using t = await treeOf("{{cc}}/a.py", "cc/a.py", "{id}.ts", "${x}/b", "a.js", "{a,b}");
  const cases: [given: Given, files: string[]][] = [
    [{ include: "{{cc}}/*.py" }, ["{{cc}}/a.py"]],
    [{ include: "{id}.ts" }, ["{id}.ts"]],
    [{ include: "${x}/**" }, ["${x}/b"]],
    [{ include: "{*}.ts,{{cc}}/**" }, ["{id}.ts", "{{cc}}/a.py"]],
    [{ include: "{\\{id\\},a}.{ts,js}" }, ["a.js", "{id}.ts"]],
    [{ exclude: "{{cc}}" }, ["${x}/b", "a.js", "cc/a.py", "{a,b}", "{id}.ts"]],
    [{ exclude: "{{cc}}/**,{id}*,a.js" }, ["${x}/b", "cc/a.py", "{a,b}"]],
    // As ever.
    [{ include: "*.{py,js}" }, ["a.js", "cc/a.py", "{{cc}}/a.py"]],
    [{ include: "\\{a\\,b\\}" }, ["{a,b}"]],
  ];
  for (const [given, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.deepEqual(answer.notes, [], JSON.stringify(given));
  }
});

Deno.test("an empty answer says which braces were meant", async () => {
  await using t = await treeOf("a.py", "{a,b}.md");
  const cases: [include: string, send: string][] = [
    ["*.{py}", "*.py"],
    ["{**/*.py}", "**/*.py"],
    ["{a,b}.md", "\\{a\\,b\\}.md"],
  ];
  for (const [include, send] of cases) {
    const { files, notes } = await everywhere(t, { include });
    assert.deepEqual(files, []);
    assert.ok(
      notes.join("\n").includes(`; send ${JSON.stringify({ include: send })}, `),
      `${notes}`,
    );
    assert.equal((await everywhere(t, { include: send })).files.length, 1);
  }
});

Deno.test("--deny blocks both readings of braces without a comma", async () => {
  await using t = await treeOf("a.key2", "{b}", "b", "c");
  const deny = ["--deny", "*.{key2}", "--deny", "{b}"];
  const ran = await pathgrep(["files", "--paths", "relative", ...deny], { cwd: t.root });
  assert.deepEqual(ran.json().files, ["c"]);
});
