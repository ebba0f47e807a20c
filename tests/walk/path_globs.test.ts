/**
 * Globs that are given as paths: every directory and file that one matches is searched, on every face and
 * by every engine.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { search, ToolRegistry, Workspace } from "../../mod.ts";
import { Glob } from "../../src/glob/glob.ts";
import { assertHolds } from "../support/draw.ts";
import { ENGINES, sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

const WORLD = {
  ...{ "src/a/x.ts": "needle\n", "src/b/y.md": "needle\n", "src/z.ts": "needle\n" },
  ...{ "docs/5.md": "needle\n", "docs/6.md": "needle\n", "docs/deep/7.md": "needle\n" },
  ...{ "lib/core/ws/one.ts": "needle\n", "f1.txt": "needle\n", "f2.txt": "needle\n" },
  ...{ "f3.txt": "needle\n", "app/[id]/page.ts": "needle\n", "app/i/page.ts": "needle\n" },
  ...{ ".gitignore": "/out\n", "out/o.ts": "needle\n", ".env": "needle\n" },
};

const SRC = ["src/a/x.ts", "src/b/y.md", "src/z.ts"];
const DOCS = ["docs/5.md", "docs/6.md", "docs/deep/7.md"];

/** `ROOT` stands for the root, which is named `ws`. */
const READ: readonly [path: string, files: readonly string[], how?: string][] = [
  ["{src/a,docs/5.md}", ["docs/5.md", "src/a/x.ts"]],
  ["{src,docs}", [...DOCS, ...SRC]],
  ["{src,docs}/", [...DOCS, ...SRC]],
  ["ROOT/{src,docs}", [...DOCS, ...SRC]],
  ["src/*", SRC],
  ["src/*/", ["src/a/x.ts", "src/b/y.md"]],
  ["./src/?", ["src/a/x.ts", "src/b/y.md"]],
  ["*/a", ["src/a/x.ts"]],
  ["**/core", ["lib/core/ws/one.ts"]],
  ["lib/**/*.ts", ["lib/core/ws/one.ts"]],
  ["*.txt", ["f1.txt", "f2.txt", "f3.txt"]],
  ["do?s", DOCS],
  ["f{1..2}.txt", ["f1.txt", "f2.txt"]],
  ["f[13].txt", ["f1.txt", "f3.txt"]],
  ["docs/{5..6}.md", ["docs/5.md", "docs/6.md"]],
  ["@(src/a|docs/deep)", ["docs/deep/7.md", "src/a/x.ts"]],
  ["{src,none}", SRC, "; nothing matches none"],
  // Without ignore rules only what is named itself.
  ["out/*.ts", ["out/o.ts"]],
  ["app/*/page.ts", ["app/[id]/page.ts", "app/i/page.ts"]],
  // readings that paths have
  ["@src/*", SRC, "leading @"],
  ["'src/*'", SRC, "quotes"],
  ["file://ROOT/src/*", SRC, "as a file URL"],
  ["~/ws/src/*", SRC, "home directory"],
  ["$PWD/src/*", SRC, "from the workspace root"],
  ["ws/src/*", SRC, "own name"],
  ["a/src/*", SRC, "prefix of a diff"],
  ["b/src/*", SRC, "prefix of a diff"],
  ["src/*.ts:1", ["src/z.ts"], "line number"],
  ["/src/*", SRC, "from the workspace root"],
  ["/{src/a,docs/5.md}", ["docs/5.md", "src/a/x.ts"], "from the workspace root"],
];

for (const [given, expected, how = ""] of READ) {
  Deno.test(`a path that is a glob is searched wherever it matches: ${given}`, async () => {
    await using t = await tempTree(WORLD);
    const path = given.replaceAll("ROOT", t.root);
    const workspace = await Workspace.open(t.root);
    const tools = ToolRegistry.of({ workspace });
    const flags = ["--paths", "relative", "--format", "json"];
    const library = await search(
      { pattern: "needle", path, outputMode: "file", paths: "relative" },
      {
        workspace,
      },
    );
    const call = { paths: "relative" };
    const answers: Json[] = [
      { ...library },
      (await pathgrep(["-l", "needle", ...flags, "--", path], { cwd: t.root })).json(),
      (await pathgrep(["files", ...flags, "--", path], { cwd: t.root })).json(),
      await tools.execute("grep", {
        ...{ ...call, pattern: "needle", output_mode: "file", path },
      }) as Json,
      await tools.execute("glob", { ...call, pattern: "*", path }) as Json,
    ];
    for (const answer of answers) {
      assert.deepEqual([answer["files"], answer["error"]], [expected, undefined]);
      const [note] = (answer["notes"] as string[]).filter((note) => note.includes("as a glob"));
      assert.ok(note?.startsWith(`path ${JSON.stringify(path)} was interpreted `), note);
      assert.ok(String(answer["notes"]).includes(how), String(answer["notes"]));
    }
  });
}

Deno.test("a glob that leads out and matches nothing from the root is outside, and says what to send", async () => {
  await using t = await tempTree(WORLD);
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace });
  const rows: [path: string, hint: string][] = [
    ["/src/*.zz", "no file matches it; list what is there (the glob tool)"],
    ["/core/ws/*", "no file matches it; send **/core/ws/*, which finds 1 file"],
    [
      "/etc/*",
      "use a path inside the workspace, relative to its root, or omit it to search everything",
    ],
    [
      "/etc/{passwd,group}",
      "use a path inside the workspace, relative to its root, or omit it to search everything",
    ],
    [
      "../*",
      "use a path inside the workspace, relative to its root, or omit it to search everything",
    ],
  ];
  for (const [path, hint] of rows) {
    const { code, hint: said } = await tools.execute("grep", { pattern: "needle", path }) as Json;
    assert.deepEqual([code, said], ["path_outside_workspace", hint], path);
  }
});

Deno.test("an include, and other paths, count beside a path that is a glob", async () => {
  await using t = await tempTree(WORLD);
  const workspace = await Workspace.open(t.root);
  const rows: [query: Json, files: string[]][] = [
    [{ path: "src/*", include: "*.ts" }, ["src/a/x.ts", "src/z.ts"]],
    [{ path: "{src,docs}", exclude: "*.md" }, ["src/a/x.ts", "src/z.ts"]],
    [{ path: ["docs/d*", "src"] }, ["docs/deep/7.md", ...SRC]],
    [{ path: ["*.txt", "src/*.ts"] }, ["f1.txt", "f2.txt", "f3.txt", "src/z.ts"]],
    [{ path: ["src/*.ts", "src"] }, SRC],
    [{ path: ["src", "src/*.ts"] }, SRC],
    [{ path: "out/**", ignore: false, include: "*.ts" }, ["out/o.ts"]],
  ];
  for (const [query, files] of rows) {
    const answer = await search({
      ...{ pattern: "needle", outputMode: "file", paths: "relative" },
      ...query,
    }, { workspace });
    assert.deepEqual((answer as unknown as Json)["files"], files, JSON.stringify(query));
  }
});

Deno.test("every engine searches the same for a path that is a glob", async () => {
  await using t = await tempTree(WORLD);
  assert.equal(ENGINES.length, 4);
  for (const path of ["{src/a,docs/5.md}", "src/*", "*.txt"]) {
    const answer = await sameAnswer(t.root, { pattern: "needle", path }) as Json;
    assert.ok(Number(answer["count"]) >= 2, path);
  }
});

Deno.test("a glob as path that matches nothing is an error, which says where it would match", async () => {
  await using t = await tempTree(WORLD);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const rows: [path: string, hint: RegExp][] = [
    ["core/ws/*.ts", /^no file matches it; send \*\*\/core\/ws\/\*\.ts, which finds 1 file$/],
    ["deep/[67].md", /^no file matches it; send \*\*\/deep\/\[67\]\.md, which finds 1 file$/],
    ["*.toml", /^no file matches it; list what is there \(the glob tool\)$/],
    ["src/*.rs", /^no file matches it; list what is there/],
    [".en*", /^no file matches it; list what is there/],
  ];
  for (const [path, hint] of rows) {
    for (const tool of ["grep", "glob"]) {
      const answer = await tools.execute(tool, { pattern: "needle", path }) as Json;
      assert.equal(answer["code"], "path_not_found", path);
      assert.match(String(answer["hint"]), hint, path);
    }
    const { code, json } = await pathgrep(["needle", path], { cwd: t.root });
    assert.equal(code, 2);
    assert.doesNotMatch(JSON.stringify(json()), /include|\.env/);
  }
  const sent = await tools.execute("grep", { pattern: "needle", path: "**/core/ws/*.ts" }) as Json;
  assert.equal(sent["count"], 1);
});

Deno.test("matches outside a glob as path are said to be elsewhere", async () => {
  await using t = await tempTree({ "src/a.ts": "other\n", "src/b.md": "needle\n" });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const answer = await tools.execute("grep", { pattern: "needle", path: "src/*.ts" }) as Json;
  assert.match(String(answer["notes"]), /1 match in src\/b\.md is outside the searched path/);
});

Deno.test("a glob leads out of no workspace, and to nothing that is blocked", async () => {
  await using t = await tempTree({
    ...WORLD,
    "../beside/x.ts": "needle\n",
    "link": { symlink: "../beside" },
  });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const paths = [
    "../beside/*.ts",
    "../*/x.ts",
    "{src,../beside}",
    `${t.base}/beside/*`,
    "link/*.ts",
  ];
  for (const path of [...paths, "{link/x.ts,../beside/x.ts}", ".e*", "{.env,src}"]) {
    const answer = await tools.execute("grep", { pattern: "needle", path }) as Json;
    assert.match(String(answer["code"]), /^p(ath|ermission)_/, `${path} ${JSON.stringify(answer)}`);
  }
});

test.slow("random globs as paths take what a naive match takes, and what is below it", async (t) => {
  const names = ["d", "e", "de", "c.ts"];
  const entries: Record<string, string> = {};
  for (const one of names.slice(0, 3)) {
    for (const two of names) {
      if (two === "c.ts") entries[`${one}/c.ts`] = "needle\n";
      else for (const three of ["c.ts", "d.md"]) entries[`${one}/${two}/${three}`] = "needle\n";
    }
  }
  await using tree = await tempTree(entries);
  const workspace = await Workspace.open(tree.root);
  const segment = fc.constantFrom(
    "d",
    "e",
    "d*",
    "?",
    "*",
    "**",
    "{d,e}",
    "c.ts",
    "*.{ts,md}",
    "[de]",
  );
  const globs = fc.array(segment, { minLength: 2, maxLength: 3 }).map((parts) => parts.join("/"))
    .filter((glob) => /[*?{[]/u.test(glob));
  const property = fc.asyncProperty(globs, async (path) => {
    const glob = Glob.parse(path);
    const expected = Object.keys(entries).filter((file) =>
      file.split("/").some((_, end, all) => glob.matches(all.slice(0, end + 1).join("/")))
    ).sort();
    const query = { pattern: "needle", path, outputMode: "file", paths: "relative" } as const;
    const files = await search(query, { workspace }).then(({ files }) => files, (error) => {
      assert.equal(error.code, "path_not_found", path);
      return [];
    });
    assert.deepEqual(files, expected, path);
  });
  await assertHolds(t, property, { numRuns: 60 });
});
