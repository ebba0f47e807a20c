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

Deno.test("alternatives in parentheses are read as braces, with a note", async () => {
  await using t = await treeOf("a.ts", "a.test.ts", "b.js", "src/a.ts", "lib/x/b.ts", "a,b.md");
  const cases: [given: Given, read: string, files: string[]][] = [
    [{ include: "@(a|b).*" }, "{a,b}.*", ["a.test.ts", "a.ts", "b.js", "lib/x/b.ts", "src/a.ts"]],
    [{ include: "(src|lib)/**/*.ts" }, "{src,lib}/**/*.ts", ["lib/x/b.ts", "src/a.ts"]],
    [{ include: "*.@(js)" }, "*.js", ["b.js"]],
    [{ include: "@(src/@(a|b)|lib/*/b).ts" }, "{src/{a,b},lib/*/b}.ts", ["lib/x/b.ts", "src/a.ts"]],
    [{ include: "@(a,b|c).md" }, "{a\\,b,c}.md", ["a,b.md"]],
    [{ include: "@(src|lib)" }, "{src,lib}", []],
    [{ include: "!@(src|lib)/**" }, "!{src,lib}/**", ["a,b.md", "a.test.ts", "a.ts", "b.js"]],
    [{ exclude: "(src|lib),*.@(md|js)" }, "{src,lib}", ["a.test.ts", "a.ts"]],
  ];
  for (const [given, read, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.match(answer.notes[0]!, /^(in|ex)clude '.*' was read as '/);
    assert.ok(answer.notes[0]!.endsWith(` was read as '${read}'`), `${answer.notes}`);
  }
});

Deno.test("parentheses in names stay what they are", async () => {
  await using t = await treeOf("app/(auth)/page.tsx", "a (1).txt", "(a|b)", "a+b", "!x");
  const cases: [given: Given, files: string[]][] = [
    [{ include: "app/(auth)/*.tsx" }, ["app/(auth)/page.tsx"]],
    [{ include: "a (1).*" }, ["a (1).txt"]],
    [{ include: "\\(a\\|b\\)" }, ["(a|b)"]],
    [{ include: "[(]a[|]b[)]" }, ["(a|b)"]],
    [{ include: "a+b,\\!x" }, ["!x", "a+b"]],
    [{ exclude: "(auth)" }, ["!x", "(a|b)", "a (1).txt", "a+b"]],
    [{ include: "!\\(auth\\)/**", exclude: "app/(auth)/**" }, [
      "!x",
      "(a|b)",
      "a (1).txt",
      "a+b",
    ]],
  ];
  for (const [given, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.deepEqual(answer.notes, [], JSON.stringify(given));
  }
});

Deno.test("other extended forms are errors that name what to send", async () => {
  await using t = await treeOf("a.ts", "a.test.ts", "b.tsx", "src/c.js", "lib/d.ts");
  const cases: [include: string, send: string, files: string[]][] = [
    ["!(*.test).ts", "*.ts,!*.test.ts", ["a.ts", "lib/d.ts"]],
    ["!(src|lib)/**", "*/**,!{src,lib}/**", []],
    ["src/!(a|b).js", "src/*.js,!src/{a,b}.js", ["src/c.js"]],
    ["*.ts?(x)", "*.ts{x,}", ["a.test.ts", "a.ts", "b.tsx", "lib/d.ts"]],
    ["+(a|b).*", "{a,b}.*", ["a.test.ts", "a.ts", "b.tsx"]],
    ["**/?(*.)+(spec|test).[jt]s?(x)", "**/{*.,}{spec,test}.[jt]s{x,}", ["a.test.ts"]],
    ["*(a|b).ts", "{a,b,}.ts", ["a.ts"]],
    ["@(a|!(b|c)).ts", "{a,*}.ts,!{a,{b,c}}.ts", ["a.test.ts", "lib/d.ts"]],
  ];
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  for (const [include, send, files] of cases) {
    const answer = await glob.execute({ pattern: include }) as unknown as Record<string, string>;
    assert.equal(answer["code"], "invalid_input", include);
    assert.match(answer["error"]!, /has the extended form .\(…\), which is not supported; send '/);
    assert.ok(answer["error"]!.includes(`; send '${send}', or write \\( for`), answer["error"]!);
    assert.deepEqual((await everywhere(t, { include: send })).files, files, send);
    for (const given of [[`-g${include}`], ["--exclude", include], ["--iglob", include]]) {
      const { error, code } = (await pathgrep(["x", ...given], { cwd: t.root })).json();
      assert.equal(code, "invalid_input");
      assert.match(error, /extended form .*; send /);
    }
  }
  const excluded = (await pathgrep(["x", "--exclude", "*.!(ts|js)"], { cwd: t.root })).json();
  assert.match(excluded.error, /; send include '\*\.\{ts,js\}' to search those only, or/);
  const denied = (await pathgrep(["x", "--deny", "!(a)"], { cwd: t.root })).json();
  assert.match(denied.error, /the glob '!\(a\)' has the extended form .*; name each alternative/);
});

Deno.test("--deny and --allow read alternatives in parentheses", async () => {
  await using t = await treeOf("a.ts", "b.ts", "c.ts", "x.pem", "y.pem");
  const options = ["--deny", "@(a|b).ts", "--allow", "(x|z).pem"];
  const ran = await pathgrep(["files", "--paths", "relative", ...options], { cwd: t.root });
  assert.deepEqual(ran.json().files, ["c.ts", "x.pem"]);
});

Deno.test("groups made to take long end at once", async () => {
  await using t = await treeOf("z");
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  for (
    const pattern of [
      "@(".repeat(20_000) + "a" + ")".repeat(20_000),
      "(".repeat(60_000),
      "!(a)".repeat(15_000),
      "(a|".repeat(90) + "b" + ")".repeat(90),
      "(a|b)".repeat(10_000),
    ]
  ) {
    const started = performance.now();
    const answer = await glob.execute({ pattern });
    assert.ok("error" in answer || (answer as Answer).files.length === 0);
    assert.ok(performance.now() - started < 5_000, pattern.slice(0, 20));
  }
});
