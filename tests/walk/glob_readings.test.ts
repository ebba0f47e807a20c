/**
 * Globs of filters that match nothing as they stand: read as paths are read, or said to mean something else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { listFiles, search, ToolRegistry, Workspace } from "../../mod.ts";
import { ENGINES, sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

const FILES = [
  ...["docs/b.md", "f1.txt", "f2.txt", "f3.txt", "lib/core/ws/one.ts", "n01.c", "n02.c", "n10.c"],
  ...["src/a.ts", "src/deep/c.ts"],
];

async function world(...more: readonly string[]) {
  return await tempTree(Object.fromEntries([...FILES, ...more].map((file) => [file, "needle\n"])));
}

/** `ROOT` stands for the root, which is named `ws`. */
const READ: readonly [glob: string, files: readonly string[], how: string][] = [
  ["f{1..2}.txt", ["f1.txt", "f2.txt"], "was interpreted as 'f{1,2}.txt'"],
  ["f{3..2}.txt", ["f2.txt", "f3.txt"], "was interpreted as 'f{3,2}.txt'"],
  ["f{1..1}.txt", ["f1.txt"], "was interpreted as 'f1.txt'"],
  ["n{01..02}.c", ["n01.c", "n02.c"], "was interpreted as 'n{01,02}.c'"],
  ["@src/*.ts", ["src/a.ts"], "leading @"],
  ["@a.ts", ["src/a.ts"], "leading @"],
  ["file://ROOT/src/*.ts", ["src/a.ts"], "as a file URL"],
  ["~/ws/src/*.ts", ["src/a.ts"], "home directory"],
  ["$PWD/src/*.ts", ["src/a.ts"], "from the workspace root"],
  ["${workspaceFolder}/src/*.ts", ["src/a.ts"], "from the workspace root"],
  ["ws/src/*.ts", ["src/a.ts"], "own name"],
  ["a/src/*.ts", ["src/a.ts"], "prefix of a diff"],
  ["b/src/**", ["src/a.ts", "src/deep/c.ts"], "prefix of a diff"],
  ["src/*.ts:1", ["src/a.ts"], "line number"],
  ["a.ts:12:3", ["src/a.ts"], "line number"],
  ["@src/*.ts:1", ["src/a.ts"], "line number"],
  ["b/f1.txt", ["f1.txt"], "prefix of a diff"],
];

for (const [given, expected, how] of READ) {
  Deno.test(`a glob is read as a path is, with a note: ${given}`, async () => {
    await using t = await world();
    const glob = given.replaceAll("ROOT", t.root);
    const workspace = await Workspace.open(t.root);
    const tools = ToolRegistry.of({ workspace });
    const flags = ["--paths", "relative", "--format", "json"];
    const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
    const call = { pattern: "needle", output_mode: "file", paths: "relative" };
    const rest = FILES.filter((file) => !expected.includes(file));
    const answers: [Json, readonly string[]][] = [
      [{ ...await search({ ...query, include: glob }, { workspace }) }, expected],
      [{ ...await search({ ...query, exclude: glob }, { workspace }) }, rest],
      [{ ...await search({ ...query, include: `!${glob}` }, { workspace }) }, rest],
      [{ ...await listFiles({ include: glob, paths: "relative" }, { workspace }) }, expected],
      [(await pathgrep(["-l", "needle", ...flags, "-g", glob], { cwd: t.root })).json(), expected],
      [
        (await pathgrep(["-l", "needle", ...flags, "--exclude", glob], { cwd: t.root })).json(),
        rest,
      ],
      [(await pathgrep(["files", ...flags, "-g", glob], { cwd: t.root })).json(), expected],
      [await tools.execute("grep", { ...call, include: glob }) as Json, expected],
      [await tools.execute("grep", { ...call, exclude: glob }) as Json, rest],
      [await tools.execute("glob", { pattern: glob, paths: "relative" }) as Json, expected],
    ];
    for (const [answer, files] of answers) {
      assert.deepEqual(answer["files"], files, JSON.stringify(answer));
      const notes = String(answer["notes"]).replace("as '!", "as '");
      assert.ok(notes.includes(how), notes);
    }
  });
}

Deno.test("an exclude of a directory is read as a path is, too", async () => {
  await using t = await world();
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace });
  const rest = FILES.filter((file) => !file.startsWith("src/"));
  for (const exclude of ["ws/src", "ws/src/", "@src", "b/src", "$PWD/src", "src:1"]) {
    const call = { pattern: "needle", output_mode: "file", paths: "relative" };
    for (const filter of [{ exclude }, { include: `!${exclude}` }]) {
      const { files, notes } = await tools.execute("grep", { ...call, ...filter }) as Json;
      assert.deepEqual(files, rest, exclude);
      assert.match(String(notes), / was interpreted /);
    }
  }
});

Deno.test("what is left of a path is a path, not a name at any depth", async () => {
  await using t = await world();
  const workspace = await Workspace.open(t.root);
  const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
  for (const glob of ["b/one.ts", "a/*.ts", "$PWD/b.md"]) {
    const { files } = await search({ ...query, include: glob }, { workspace });
    assert.deepEqual(files, [], glob);
    const { count } = await search({ ...query, exclude: glob }, { workspace });
    assert.equal(count, FILES.length, glob);
  }
});

Deno.test("what a glob matches as it stands keeps its meaning", async () => {
  const rows: [file: string, glob: string, files: string[]][] = [
    ["a/src/x.ts", "a/src/*.ts", ["a/src/x.ts"]],
    ["@src/x.ts", "@src/*.ts", ["@src/x.ts"]],
    ["a.ts:5", "a.ts:5", ["a.ts:5"]],
    ["ws/src/x.ts", "ws/src/*.ts", ["ws/src/x.ts"]],
    ["{1..3}", "\\{1..3\\}", ["{1..3}"]],
    ["${1..3}.ts", "${1..3}.ts", ["${1..3}.ts"]],
    ["~/ws/src/x.ts", "~/ws/src/*.ts", ["~/ws/src/x.ts"]],
  ];
  for (const [file, include, files] of rows) {
    await using t = await world(file);
    const workspace = await Workspace.open(t.root);
    const query = { pattern: "needle", outputMode: "file", paths: "relative", include } as const;
    const answer = await search(query, { workspace });
    assert.deepEqual([answer.files, answer.notes], [files, undefined], include);
  }
});

Deno.test("readings of a glob hold from the root, whatever is searched, and on every engine", async () => {
  await using t = await world();
  assert.equal(ENGINES.length, 4);
  for (const include of ["$PWD/src/*.ts", "b/src/a.ts", "@src/a.ts:1"]) {
    for (const path of ["", "src"]) {
      const answer = await sameAnswer(t.root, { pattern: "needle", include, path }) as Json;
      assert.equal(answer["count"], 1, `${include} in ${path}`);
    }
  }
});

Deno.test("ranges that are none, or too long to be meant, stay as they are", async () => {
  await using t = await tempTree({ "a{1..x}": "x\n", "{1..99999}": "x\n", "a..b": "x\n" });
  const workspace = await Workspace.open(t.root);
  for (const include of ["a{1..x}", "{1..99999}", "a..b", "{a..b,}a..b"]) {
    const { files, notes } = await listFiles({ include, paths: "relative" }, { workspace });
    assert.deepEqual([files.length, notes], [1, undefined], include);
  }
});

Deno.test("a glob whose first directory is not at the root says what to send, and how many files that finds", async () => {
  await using t = await world("lib/core/ws/two.ts");
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace });
  const below = "**/core/ws/*.ts";
  for (const pattern of ["needle", "absent"]) {
    const call = { pattern, include: "core/ws/*.ts" };
    const notes = String((await tools.execute("grep", call) as Json)["notes"]);
    assert.ok(notes.includes(`send {"include":"${below}"}, which`), notes);
    assert.match(notes, / 2 files/);
  }
  const listed = await tools.execute("glob", { pattern: "core/ws/*.ts" }) as Json;
  assert.match(
    String(listed["notes"]),
    /^\*\*\/core\/ws\/\*\.ts finds 2 files, .*; send \{"pattern":"\*\*\/core\/ws\/\*\.ts"\}$/,
  );
  const shell = await pathgrep(["files", "-g", "core/ws/*.ts", "--format", "text"], {
    cwd: t.root,
  });
  assert.match(shell.stderr, /use --include '\*\*\/core\/ws\/\*\.ts'/);
  assert.equal((await tools.execute("glob", { pattern: below }) as Json)["count"], 2);
});

Deno.test("an exclude that matches nothing says what would, and a reading that excludes nothing is none", async () => {
  await using t = await world("src/[id].ts", "src/Some Name/d.ts");
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace });
  const rows: [exclude: string, use: string, files: number][] = [
    ["core/ws/*.ts", "**/core/ws/*.ts", 1],
    ["ws/", "", 0],
    ["SRC", "src", 4],
    ["*.TXT", "*.txt", 3],
    ["ts", "*.ts", 5],
    [".md", "*.md", 1],
    ["Src/Deep/*", "src/deep/*", 1],
    ["core/none/*.ts", "", 0],
    ["*.rs", "", 0],
    ["vendor", "", 0],
    ["*.ts", "", 0],
    ["one.ts", "", 0],
  ];
  for (const [exclude, use, files] of rows) {
    const count = files === 1 ? "1 file" : `${files} files`;
    const said = (mark: string, key: string) =>
      `${key} '${mark}${exclude}' excludes nothing; use '${mark}${use}', which excludes ${count}`;
    const query = { pattern: "needle", explain: true };
    const answers: [Json, string][] = [
      [await tools.execute("grep", { pattern: "needle", exclude }) as Json, said("", "exclude")],
      [
        await tools.execute("grep", { pattern: "needle", include: `!${exclude}` }) as Json,
        said("!", "include"),
      ],
      [{ ...await search({ ...query, exclude }, { workspace }) }, said("", "exclude")],
      [
        (await pathgrep(["needle", "--exclude", exclude, "--format", "json"], { cwd: t.root }))
          .json(),
        said("", "exclude"),
      ],
    ];
    for (const [{ notes }, note] of answers) {
      assert.deepEqual(notes, use === "" ? undefined : [note], exclude);
    }
  }
  const quiet = await search({ pattern: "needle", exclude: "SRC" }, { workspace });
  assert.equal(quiet.notes, undefined);
});

Deno.test("where some names differ in letter case alone, they are what is suggested", async () => {
  const rows: [files: string[], pattern: string, send: string][] = [
    [["a/shell.ts"], "Shell.ts", "shell.ts"],
    [["a/shell.ts", "b/shell.ts"], "Shell.ts", "shell.ts"],
    [["a/SHELL.ts", "b/shell.ts"], "Shell.ts", "SHELL.ts,shell.ts"],
    [["a/shELL.ts", "b/shELL.ts"], "Shell.ts", "shELL.ts"],
    [["a/shell.ts", "b/shell.tsx"], "Shell.*", "[Ss][Hh][Ee][Ll][Ll].*"],
  ];
  for (const [files, pattern, send] of rows) {
    await using t = await tempTree(Object.fromEntries(files.map((file) => [file, "x\n"])));
    const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
    const answer = await tools.execute("glob", { pattern }) as Json;
    assert.ok(
      String(answer["notes"]).endsWith(`; send {"pattern":"${send}"}`),
      `${answer["notes"]}`,
    );
    const found = await tools.execute("glob", { pattern: send }) as Json;
    assert.equal(found["count"], files.length);
  }
});
