/**
 * Globs as users and models write them, on every face: what is read, how, and what is said of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, listFiles, search, Workspace } from "../../mod.ts";
import { ENGINES } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

/** What a search or a listing answers. */
interface Answer {
  files: readonly string[];
  directories?: readonly string[];
  notes: readonly string[];
}

/** How globs are given. */
interface Given {
  include?: string;
  exclude?: string;
  path?: string;
  type?: string;
}

async function treeOf(...names: readonly string[]): Promise<Tree> {
  const entries: Record<string, TreeEntry> = {};
  for (const name of names) entries[name] = name.endsWith("/") ? null : "needle\n";
  return await tempTree(entries);
}

/** The relative files, and the notes, of every face: all must agree on the files. */
async function everywhere({ root }: Tree, given: Given): Promise<Answer> {
  const workspace = await Workspace.open(root);
  const { include, exclude, path, type } = given;
  const common = { ...given, paths: "relative" } as const;
  const flags = [
    ...(include === undefined ? [] : [`--include=${include}`]),
    ...(exclude === undefined ? [] : [`--exclude=${exclude}`]),
    ...(type === undefined ? [] : [`--type=${type}`]),
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
    const listed = await new GlobTool({ workspace }).execute(input) as Answer;
    // What is a directory by its slash or dot is named itself.
    const isOfDirectories = /[/.]$/.test(include) && (listed.directories?.length ?? 0) > 0;
    answers.push(["glob", isOfDirectories ? files : listed.files]);
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
    [{ exclude: "{{cc}}/**,\\{id\\}*,a.js" }, ["${x}/b", "cc/a.py", "{a,b}"]],
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
      notes.join("\n").includes(`; pass ${JSON.stringify({ include: send })}, `),
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

Deno.test("absolute globs in the workspace match, and say how they were read", async () => {
  await using t = await treeOf("s/a", "s/deep/b.ts", "c.ts", "lib/d.ts", "lib/s/e");
  const { root } = t;
  const cases: [given: Given, read: string, files: string[]][] = [
    [{ include: `${root}/s/**` }, "'s/**'", ["s/a", "s/deep/b.ts"]],
    [{ include: `${root}/*.ts` }, "'/*.ts'", ["c.ts"]],
    [{ include: `${root}/**/*.ts` }, "'**/*.ts'", ["c.ts", "lib/d.ts", "s/deep/b.ts"]],
    [{ include: `${root}//lib/./../s/` }, "'/s/'", ["s/a", "s/deep/b.ts"]],
    [{ include: `!${root}/s/**` }, "'!s/**'", ["c.ts", "lib/d.ts", "lib/s/e"]],
    [{ exclude: `${root}/s/**` }, "'s/**'", ["c.ts", "lib/d.ts", "lib/s/e"]],
    [{ exclude: `${root}/s` }, "'/s'", ["c.ts", "lib/d.ts", "lib/s/e"]],
    [{ exclude: `${root}/lib/` }, "'/lib/'", ["c.ts", "s/a", "s/deep/b.ts"]],
    [{ include: `${root}/**/*.ts`, path: "s" }, "'**/*.ts'", ["s/deep/b.ts"]],
    [{ include: `${root}/s/*/*.ts`, path: "s/deep" }, "'s/*/*.ts'", ["s/deep/b.ts"]],
    [{ exclude: `${root}/s/deep`, path: "s" }, "'s/deep'", ["s/a"]],
    [{ exclude: `${root}/s/**`, path: "s/deep" }, "'s/**'", []],
    [{ include: `${root}/{s,lib}/*` }, "'{s,lib}/*'", ["lib/d.ts", "s/a"]],
  ];
  for (const [given, read, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.ok(
      answer.notes[0]!.endsWith(` was interpreted as ${read} in ${root}`),
      `${answer.notes}`,
    );
  }
  const both = await everywhere(t, { include: `{${root}/s,${root}/lib}/*` });
  assert.deepEqual(both.files, ["lib/d.ts", "s/a"]);
  assert.match(both.notes[0]!, / was interpreted as 's\/\*' in .* and 'lib\/\*' in /);
  const iglob = ["files", "--paths", "relative", "--iglob", `!${root}/S/**`];
  const ran = await pathgrep(iglob, { cwd: root });
  assert.deepEqual(ran.json().files, ["c.ts", "lib/d.ts", "lib/s/e"]);
  for (const given of [{ include: `${root}/lib/*` }, { exclude: `${root}/lib/*` }]) {
    const { notes } = await everywhere(t, { ...given, path: "s" });
    assert.match(notes[0]!, /clude '.*' matches nothing: globs do not reach outside the searched/);
  }
});

Deno.test("an absolute glob matches in a root whose name is no plain text, or by a link to it", async () => {
  await using t = await tempTree({ "[p]{q}/s/a": "needle\n", "../way": { symlink: "$WS/[p]{q}" } });
  const inner = { ...t, root: t.path("[p]{q}") };
  for (const root of [inner.root, `${t.base}/way`, inner.root.replace(/[[\]{}]/g, "\\$&")]) {
    assert.deepEqual((await everywhere(inner, { include: `${root}/s/*` })).files, ["s/a"]);
    assert.deepEqual((await everywhere(inner, { exclude: `${root}/s/*` })).files, []);
  }
});

Deno.test("globs that are no paths of the workspace begin at the searched directory", async () => {
  await using t = await treeOf("s/a", "etc/s/b", "c");
  const cases: [given: Given, files: string[], notes: RegExp][] = [
    [
      { include: "/etc/*/b" },
      ["etc/s/b"],
      /^include '.*' was interpreted as a path from the searched/,
    ],
    [
      { include: "!/etc/*/b" },
      ["c", "s/a"],
      /^include '!.*' was interpreted as a path from the searched/,
    ],
    [
      { exclude: "/etc/*/b" },
      ["c", "s/a"],
      /^exclude '.*' was interpreted as a path from the searched/,
    ],
    [
      { exclude: `${t.base}/other/*` },
      ["c", "etc/s/b", "s/a"],
      /^exclude .* was interpreted as a path/,
    ],
    [{ exclude: "../s/*" }, ["c", "etc/s/b", "s/a"], /^exclude '..\/s\/\*' matches nothing: /],
    [{ include: "/s/*" }, ["s/a"], /was interpreted as a path from the searched directory$/],
    [{ include: "/c" }, ["c"], /^$/],
    [{ exclude: "/s" }, ["c", "etc/s/b"], /^$/],
  ];
  for (const [given, files, notes] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.match(answer.notes.join("\n"), notes);
  }
});

Deno.test("an exclude that excludes nothing as it is written says what to use", async () => {
  await using t = await treeOf("src/gen/a", "src/b.log", "lib/lib/c", "lib/d");
  const cases: [given: Given, send: string | undefined, files: string[]][] = [
    [{ exclude: "src/gen/**", path: "src" }, "gen/**", ["src/b.log", "src/gen/a"]],
    [{ exclude: "./src/gen", path: "src" }, "gen", ["src/b.log", "src/gen/a"]],
    [{ include: "!src/gen/**", path: "src" }, "!gen/**", ["src/b.log", "src/gen/a"]],
    [{ exclude: "*.{log}", path: "src" }, "*.log", ["src/b.log", "src/gen/a"]],
    [{ include: "!{gen}", path: "src" }, "!gen", ["src/b.log", "src/gen/a"]],
    [{ exclude: "gen\\a", path: "src" }, "gen/a", ["src/b.log", "src/gen/a"]],
    [{ include: "!src\\\\gen\\\\*", path: "src" }, "!src/gen/*", ["src/b.log", "src/gen/a"]],
    // What is there, what may be, names of templates, and what needs a backslash.
    [{ exclude: "gen\\*,\\[gen\\]", path: "src" }, undefined, ["src/b.log", "src/gen/a"]],
    [{ exclude: "lib/lib/**", path: "lib/lib" }, "**", ["lib/lib/c"]],
    [{ exclude: "lib/c", path: "lib" }, undefined, ["lib/d", "lib/lib/c"].slice(0, 1)],
    [{ exclude: "gen/**", path: "src" }, undefined, ["src/b.log"]],
    [{ exclude: "{{gen}},${gen}", path: "src" }, undefined, ["src/b.log", "src/gen/a"]],
  ];
  for (const [given, send, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    if (send === undefined) assert.deepEqual(answer.notes, []);
    else {assert.match(
        answer.notes[0]!,
        / excludes (nothing: globs start|names with(out)? these (braces|backslashes)).*; use '/,
      );}
    if (send !== undefined) assert.ok(answer.notes[0]!.endsWith(`; use '${send}'`));
  }
});

Deno.test("a glob that finds nothing is no error where another reading of it is malformed", async () => {
  await using t = await treeOf("a.ts");
  const tool = new GlobTool({ workspace: await Workspace.open(t.root) });
  for (const pattern of ["{}", "{},b", "b;", "|b", "]\\[]", "{b; c,d}"]) {
    const answer = await tool.execute({ pattern });
    assert.ok(!("error" in answer), JSON.stringify(answer));
  }
});

Deno.test("an exclude in quotes, which a tool drops, says what to use", async () => {
  await using t = await treeOf("gen/a");
  const workspace = await Workspace.open(t.root);
  for (
    const [given, send] of [
      [{ exclude: "'gen/**'" }, "gen/**"],
      [{ exclude: "`gen`" }, "gen"],
      [{ include: '!"gen"' }, "!gen"],
      [{ exclude: "'gen" }, undefined],
      [{ exclude: "gen's'" }, undefined],
    ] as const
  ) {
    const { files, notes } = await listFiles({ ...given, paths: "relative" }, { workspace });
    assert.deepEqual([files, notes?.length], [["gen/a"], send && 1]);
    if (send !== undefined) assert.ok(notes![0]!.endsWith(`with these quotes; use '${send}'`));
  }
});

Deno.test("an exclude that is negated twice is refused, in an include as well", async () => {
  await using t = await treeOf("src/a", "!src");
  const workspace = await Workspace.open(t.root);
  const listed = (given: Given) => listFiles({ ...given, paths: "relative" }, { workspace });
  for (
    const [given, said] of [
      [{ include: "!!src/**" }, "include '!!src/**' begins with '!!'; remove one, or write"],
      [{ include: "src,!!src" }, "include '!!src' begins with '!!'; remove one, or write"],
      [{ exclude: "!!src" }, "exclude '!!src' begins with '!!'"],
      [{ exclude: "!src" }, "exclude '!src' begins with a '!'; remove it, or write"],
    ] as const
  ) {
    await assert.rejects(listed(given), (error: Error) => error.message.includes(said));
  }
  for (const given of [{ include: "!\\!src" }, { exclude: "\\!src" }]) {
    assert.deepEqual((await listed(given)).files, ["src/a"]);
  }
});

Deno.test("a glob that begins with a root's label means that root", async () => {
  await using t = await treeOf("A/x.ts", "A/s/y.ts", "B/x.ts", "B/s/A/z.ts");
  const workspace = await Workspace.open([t.path("A"), t.path("B")]);
  const listed = async (query: Given) =>
    (await listFiles({ ...query, paths: "relative" }, { workspace })).files;
  const searched = async (query: Given) => {
    const asked = { ...query, pattern: "needle", outputMode: "file", paths: "relative" } as const;
    const { notes, ...answer } = await search(asked, { workspace });
    assert.ok(answer.output_mode === "file");
    return [answer.files, notes ?? []];
  };
  const cases: [given: Given, files: string[], notes: string[]][] = [
    [{ include: "A/**" }, ["A/s/y.ts", "A/x.ts"], [
      `include 'A/**' was interpreted as '/**' in ${t.path("A")}`,
    ]],
    [{ include: "{A,B}/*.ts" }, ["A/x.ts", "B/x.ts"], [
      `include '{A,B}/*.ts' was interpreted as '/*.ts' in ${t.path("A")} and '/*.ts' in ${
        t.path("B")
      }`,
    ]],
    [{ include: "!A/**" }, ["B/s/A/z.ts", "B/x.ts"], [
      `include '!A/**' was interpreted as '!/**' in ${t.path("A")}`,
    ]],
    [{ exclude: "B/s/**" }, ["A/s/y.ts", "A/x.ts", "B/x.ts"], [
      `exclude 'B/s/**' was interpreted as 's/**' in ${t.path("B")}`,
    ]],
    [{ include: `${t.path("A")}/*` }, ["A/x.ts"], [
      `include '${t.path("A")}/*' was interpreted as '/*' in ${t.path("A")}`,
    ]],
    // Names, and what is no label.
    [{ exclude: "A" }, ["A/s/y.ts", "A/x.ts", "B/x.ts"], []],
    [{ include: "s/*.ts" }, ["A/s/y.ts"], []],
    [{ include: "*/*.ts" }, ["A/s/y.ts"], []],
  ];
  for (const [given, files, notes] of cases) {
    assert.deepEqual(await listed(given), files, JSON.stringify(given));
    assert.deepEqual(await searched(given), [files, notes]);
  }
  // Where the root is not searched, the label is a name below what is.
  assert.deepEqual(await listed({ include: "A/*.ts", path: "B/s" }), ["B/s/A/z.ts"]);
});

Deno.test("slashes and dots in globs are read as in paths", async () => {
  await using t = await treeOf("s/a.ts", "s/x/b.ts", "a.ts", "t/c.ts", "...", "a..b/d.ts");
  const cases: [given: Given, files: string[]][] = [
    [{ include: "s//*.ts" }, ["s/a.ts"]],
    [{ include: "s/./*.ts" }, ["s/a.ts"]],
    [{ include: "s/x/../*.ts" }, ["s/a.ts"]],
    [{ include: "s/../*.ts" }, ["a.ts"]],
    [{ include: ".//s/.//x/" }, ["s/x/b.ts"]],
    [{ include: "{s/,t/}/*.ts" }, ["s/a.ts", "t/c.ts"]],
    [{ include: "{.,s}/*.ts" }, ["a.ts", "s/a.ts"]],
    [{ include: "s/{,x/}*.ts" }, ["s/a.ts", "s/x/b.ts"]],
    [{ include: "{s,t/../s}/{x,.}/*" }, ["s/a.ts", "s/x/b.ts"]],
    [{ include: "s/." }, ["s/a.ts", "s/x/b.ts"]],
    [{ include: "s/x/.." }, ["s/a.ts", "s/x/b.ts"]],
    [{ include: "*/../t/*" }, ["t/c.ts"]],
    [{ exclude: "s//x,./t/./c.ts,a..b" }, ["...", "a.ts", "s/a.ts"]],
    [{ include: "!t/../s/**" }, ["...", "a..b/d.ts", "a.ts", "t/c.ts"]],
    // As ever.
    [{ include: "..." }, ["..."]],
    [{ include: "a..b/*" }, ["a..b/d.ts"]],
    [{ include: "./*.ts" }, ["a.ts"]],
    [{ include: "[.]..,**/x/*" }, ["...", "s/x/b.ts"]],
  ];
  for (const [given, files] of cases) {
    const answer = await everywhere(t, given);
    assert.deepEqual(answer.files, files, JSON.stringify(given));
    assert.deepEqual(answer.notes, [], JSON.stringify(given));
  }
  for (const include of ["s/../../*.ts", "../ws/*.ts", "{../s,..}/*"]) {
    const { files, notes } = await everywhere(t, { include });
    assert.deepEqual(files, []);
    assert.match(notes[0]!, /matches nothing: globs do not reach outside the searched directory/);
  }
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
    assert.match(answer.notes[0]!, /^(in|ex)clude '.*' was interpreted as '/);
    assert.ok(answer.notes[0]!.endsWith(` was interpreted as '${read}'`), `${answer.notes}`);
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

Deno.test("other extended forms are errors that name what to use", async () => {
  await using t = await treeOf("a.ts", "a.test.ts", "b.tsx", "src/c.js", "lib/d.ts");
  const cases: [include: string, send: string, files: string[]][] = [
    ["!(*.test).ts", "*.ts,!*.test.ts", ["a.ts", "lib/d.ts"]],
    ["!(src|lib)/**", "*/**,!{src,lib}/**", []],
    ["src/!(a|b).js", "src/*.js,!src/{a,b}.js", ["src/c.js"]],
    ["*.ts?(x)", "*.ts{x,}", ["a.test.ts", "a.ts", "b.tsx", "lib/d.ts"]],
    ["+(a|b).*", "{a,b}.*", ["a.test.ts", "a.ts", "b.tsx"]],
    ["**/?(*.)+(spec|test).[jt]s?(x)", "**/{*.,}{spec,test}.[jt]s{x,}", ["a.test.ts"]],
    ["*(a|b).ts", "{a,b,}.ts", ["a.ts"]],
    ["@(a|!(b|c)).ts", "{a,*}.ts,!{b,c}.ts", ["a.test.ts", "a.ts", "lib/d.ts"]],
    ["@(a|@(x|!(b|d))).ts", "{a,{x,*}}.ts,!{b,d}.ts", ["a.test.ts", "a.ts"]],
    ["@(src|!(a)b)/!(c).js", "{src,*b}/*.js,!ab/*.js,!{src,*b}/c.js", []],
  ];
  const glob = new GlobTool({ workspace: await Workspace.open(t.root) });
  for (const [include, send, files] of cases) {
    const answer = await glob.execute({ pattern: include }) as unknown as Record<string, string>;
    assert.equal(answer["code"], "invalid_input", include);
    assert.match(answer["error"]!, /has the extended form .\(…\), which is not supported; use '/);
    const once = /[+*]\(/.test(include) ? ", which matches the repeated part once" : "";
    const advice = `; use '${send}'${once}, or write \\( for`;
    assert.ok(answer["error"]!.includes(advice), answer["error"]!);
    assert.deepEqual((await everywhere(t, { include: send })).files, files, send);
    for (const given of [[`-g${include}`], ["--exclude", include], ["--iglob", include]]) {
      const { error, code } = (await pathgrep(["x", ...given], { cwd: t.root })).json();
      assert.equal(code, "invalid_input");
      assert.match(error, /extended form .*; use /);
    }
  }
  const { error: nested } = (await pathgrep(["x", "-g!(a|!(b))"], { cwd: t.root })).json();
  assert.match(
    nested,
    /extended form !\(…\), .*; write each alternative as a glob of its own, or write/,
  );
  const excluded = (await pathgrep(["x", "--exclude", "*.!(ts|js)"], { cwd: t.root })).json();
  assert.match(excluded.error, /; use include '\*\.\{ts,js\}' to search those only, or/);
  const denied = (await pathgrep(["x", "--deny", "!(a)"], { cwd: t.root })).json();
  assert.match(
    denied.error,
    /the glob '!\(a\)' has the extended form .*; write each alternative as a glob of its own/,
  );
});

Deno.test("--deny and --allow read alternatives in parentheses", async () => {
  await using t = await treeOf("a.ts", "b.ts", "c.ts", "x.pem", "y.pem");
  const options = ["--deny", "@(a|b).ts", "--allow", "(x|z).pem"];
  const ran = await pathgrep(["files", "--paths", "relative", ...options], { cwd: t.root });
  assert.deepEqual(ran.json().files, ["c.ts", "x.pem"]);
});

Deno.test("an empty answer says that an include differs in letter case, on every face", async () => {
  await using t = await treeOf("src/a.tsx", "src/b.tsx", "Lib/C.go", "lib.go");
  await t.write({ "lib.go": "hay\n" });
  const workspace = await Workspace.open(t.root);
  const cases: [include: string, notes: RegExp, files: number][] = [
    [
      "*.TSX",
      /'\*\.TSX' matches no file: letter case matters; use --include '\*\.tsx', which finds 2/,
      2,
    ],
    ["SRC/*.TSX", /matches no file: letter case matters; use --include 'src\/\*\.tsx', which/, 2],
    [
      "lib/*.go",
      /matches no file: letter case matters; use --include '\[Ll\].*', which finds 1/,
      1,
    ],
    [
      "*.RS,*.TSX",
      /matches no file: letter case matters; use --include '\*\.rs,\*\.tsx', which/,
      2,
    ],
    ["l*.go,c*.go", /^1 match in Lib\/C\.go differs in letter case from --include /, 1],
    [`${t.root}/SRC/*`, /letter case matters; use --include '.*', which finds 2 matches/, 2],
  ];
  for (const [include, expected, files] of cases) {
    const ran = await pathgrep(["needle", "-g", include, "--format", "json"], { cwd: t.root });
    const { count, notes } = ran.json();
    assert.equal(count, 0);
    const note = notes.find((note: string) => expected.test(note));
    assert.ok(note !== undefined, `${include}: ${notes.join("\n")}`);
    const [, quoted, plain] = /use --include (?:'(.*?)'|(\S+?))(?:, which|$)/.exec(note)!;
    const send = quoted ?? plain!;
    const next = await everywhere(t, { include: send });
    assert.ok(next.files.length >= files, send);
  }
  const call = { pattern: "needle", include: "*.TSX" };
  const { notes } = await new GrepTool({ workspace }).execute(call) as Answer;
  assert.match(notes[0]!, /letter case matters; send \{"include":"\*\.tsx"\}, which finds 2/);
  const absent = await new GrepTool({ workspace }).execute({
    ...call,
    pattern: "absent",
  }) as Answer;
  assert.match(
    absent.notes[0]!,
    /; send \{"include":"\*\.tsx"\}, which selects 2 files, but without/,
  );
  // A filter that matches no file in any letter case.
  const none = await new GrepTool({ workspace }).execute({ ...call, include: "*.RS" }) as Answer;
  assert.equal(none.notes[0], 'include "*.RS" matches no file');
});

Deno.test("globs that match directories only say so, and what to use", async () => {
  await using t = await treeOf("packages/a/x.ts", "packages/b/y/z.ts", "apps/web/m.ts", "top.md");
  const workspace = await Workspace.open(t.root);
  const [glob, grep] = [new GlobTool({ workspace }), new GrepTool({ workspace })];
  const cases: [include: string, send: string, files: number][] = [
    ["packages/*", "packages/*/**", 2],
    ["packages/{a,b}", "packages/{a,b}/**", 2],
    ["./packages/*", "./packages/*/**", 2],
    ["pack*", "**/pack*/**", 2],
    ["packages/*,apps/*", "packages/*/**,apps/*/**", 3],
    ["apps", "apps/**", 1],
    ["web", "**/web/**", 1],
    ["*/*/y", "*/*/y/**", 1],
  ];
  for (const [include, send, files] of cases) {
    const found = await grep.execute({ pattern: "needle", include }) as Answer;
    assert.ok(
      found.notes[0]!.startsWith(
        `include ${JSON.stringify(include)} matches no file: it matches directories only; ` +
          `send {"include":${JSON.stringify(send)}}, which finds ${files} match`,
      ),
      found.notes.join("\n"),
    );
    const listed = await glob.execute({ pattern: include }) as Answer;
    assert.deepEqual([listed.files, listed.notes], [[], undefined]);
    assert.ok(listed.directories!.length > 0, "the tool glob names them");
    assert.equal((await everywhere(t, { include: send })).files.length, files);
  }
  const empty = await grep.execute({ pattern: "absent", include: "packages/*" }) as Answer;
  assert.match(
    empty.notes[0]!,
    /directories only; send \{.*\}, which selects 2 files, but without a/,
  );
  // Files beside the directories, and what is not there at all.
  assert.deepEqual((await glob.execute({ pattern: "*" }) as Answer).notes, undefined);
  assert.deepEqual((await glob.execute({ pattern: "none/*" }) as Answer).notes, undefined);
  const none = await grep.execute({ pattern: "absent", include: "none/*" }) as Answer;
  assert.deepEqual(none.notes, ['include "none/*" matches no file']);
});

Deno.test("types are read by the names of languages and by extensions, with a note", async () => {
  const names = [
    "a.ts",
    "a.tsx",
    "b.go",
    "c.js",
    "c.jsx",
    "d.py",
    "e.scss",
    "e.css",
    "f.cc",
    "g.sh",
  ];
  await using t = await treeOf(...names, "h.yml", "Makefile", "x.properties", "X.java");
  const cases: [type: string, read: string, files: string[]][] = [
    ["tsx", "ts", ["a.ts", "a.tsx"]],
    ["golang", "go", ["b.go"]],
    ["javascript", "js", ["c.js", "c.jsx"]],
    ["python3", "py", ["d.py"]],
    ["C++", "cpp", ["f.cc"]],
    ["TypeScript", "typescript", ["a.ts", "a.tsx"]],
    ["JavaScript React", "js", ["c.js", "c.jsx"]],
    [".py", "py", ["d.py"]],
    ["*.yml", "yaml", ["h.yml"]],
    ["bash", "sh", ["g.sh"]],
    ["Makefile", "make", ["Makefile"]],
    // Of several types or not the first of its own: that extension alone.
    ["scss", "*.scss", ["e.scss"]],
    ["properties", "*.properties", ["x.properties"]],
  ];
  for (const [type, read, files] of cases) {
    const answer = await everywhere(t, { type });
    assert.deepEqual(answer.files, files, type);
    assert.deepEqual(answer.notes, [`type '${type}' was interpreted as ${read}`]);
  }
  const several = await everywhere(t, { type: "tsx|golang, sh" });
  assert.deepEqual(several.files, ["a.ts", "a.tsx", "b.go", "g.sh"]);
  assert.deepEqual(several.notes, [
    "type 'tsx' was interpreted as ts",
    "type 'golang' was interpreted as go",
  ]);
  // As ever.
  for (const type of ["ts", "css", "all", "c"]) {
    assert.deepEqual((await everywhere(t, { type })).notes.filter((note) => /read/.test(note)), []);
  }
  const without = ["files", "--paths", "relative", "-T", "tsx", "-T", "golang"];
  const { files, notes } = (await pathgrep(without, { cwd: t.root })).json();
  assert.ok(files.includes("a.ts") && !files.includes("a.tsx") && !files.includes("b.go"));
  assert.deepEqual(notes, [
    "type-not 'tsx' was interpreted as *.tsx",
    "type-not 'golang' was interpreted as go",
  ]);
});

Deno.test("an unknown type is an error with the likeliest types first", async () => {
  await using t = await treeOf("a.ts");
  const cases: [type: string, suggestions: RegExp][] = [
    ["pyhton", /^python/],
    ["javascrpt", /^js,java$/],
    ["typescrpt", /^typescript,/],
    ["golnag", /^go\b/],
    ["yamll", /^yaml\b/],
  ];
  for (const [type, expected] of cases) {
    const { error, code, suggestions } = (await pathgrep(["x", "-t", type], { cwd: t.root }))
      .json();
    assert.equal(code, "invalid_input");
    assert.ok(error.includes(`unknown file type '${type}'; similar: `), error);
    assert.match(suggestions.join(","), expected);
  }
});

Deno.test("every engine searches the same files for a glob, and says the same", async () => {
  await using t = await treeOf("{{cc}}/a.py", "src/a.ts", "src/b.test.ts", "lib/c.tsx");
  const workspace = await Workspace.open(t.root);
  const queries: Given[] = [
    { include: "{{cc}}/*,@(src|lib)/*" },
    { include: "src//*.ts", exclude: `${t.root}/src/b*` },
    { include: `!${t.root}/src/**`, type: "tsx" },
    { include: "SRC/*.TS" },
  ];
  for (const query of queries) {
    const answers = [];
    for (const engine of ENGINES) {
      const asked = { ...query, pattern: "needle", outputMode: "file", explain: true } as const;
      const result = await search({ ...asked, engine }, { workspace });
      assert.ok(result.output_mode === "file");
      const notes = (result.notes ?? []).filter((note) => !note.startsWith("engine "));
      answers.push({ files: result.files, notes });
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  }
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
