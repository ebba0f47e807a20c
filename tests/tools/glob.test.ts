/**
 * The tool `glob` as a finder of files and directories: of every size, with directories beside the files or, for a
 * pattern that ends in a slash, alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { type FileResult, GlobTool, listFiles, Workspace } from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

type Input = Record<string, unknown>;

async function listed(t: Tree | Workspace, input: Input, more = {}): Promise<FileResult> {
  const workspace = t instanceof Workspace ? t : await Workspace.open(t.root);
  const tool = new GlobTool({ workspace, ...more });
  const answer = await tool.execute({ paths: "relative", ...input }) as FileResult;
  assert.ok("base_path" in answer, JSON.stringify(answer));
  const schema = fromJsonSchema(tool.outputSchema as Parameters<typeof fromJsonSchema>[0]);
  const { issues } = await schema["~standard"].validate(answer);
  assert.equal(issues, undefined, JSON.stringify(answer));
  return answer;
}

const TREE: Record<string, TreeEntry> = {
  ".gitignore": "out\n",
  "a.ts": "x",
  "big.bin": "x\n".repeat(1 << 20),
  "docs/a.md": "x",
  "docs/src/b.md": "x",
  "empty/": null,
  "next.js/c.ts": "x",
  "out/src/d.ts": "x",
  "packages/one/src/e.ts": "x",
  "packages/one/src/deep/f.ts": "x",
  "packages/two/g.ts": "x",
};

const CASES: [pattern: string, files: string[], directories?: string[]][] = [
  ["*.bin", ["big.bin"]],
  ["packages/*", [], ["packages/one/", "packages/two/"]],
  ["docs/*", ["docs/a.md"], ["docs/src/"]],
  ["./*", [".gitignore", "a.ts", "big.bin"], ["docs/", "empty/", "next.js/", "packages/"]],
  ["src", [], ["docs/src/", "packages/one/src/"]],
  ["src/", [], ["docs/src/", "packages/one/src/"]],
  ["*/", [], [
    ...["docs/", "docs/src/", "empty/", "next.js/", "packages/", "packages/one/"],
    ...["packages/one/src/", "packages/one/src/deep/", "packages/two/"],
  ]],
  ["packages/*/", [], ["packages/one/", "packages/two/"]],
  ["packages/**/,!two/", [], [
    ...["packages/one/", "packages/one/src/", "packages/one/src/deep/"],
  ]],
  ["packages/*/,a.*", ["a.ts", "docs/a.md"], ["packages/one/", "packages/two/"]],
  ["e*", ["packages/one/src/e.ts"], ["empty/"]],
  ["EMPTY/", []],
  ["out/", []],
  ["out/*", []],
  ["absent/", []],
  // Globs of an extension are about files.
  ["**/*.js", []],
  ["*.{js,md}", ["docs/a.md", "docs/src/b.md"]],
  ["packages/**/*.ts", [
    ...["packages/one/src/deep/f.ts", "packages/one/src/e.ts", "packages/two/g.ts"],
  ]],
  ["*.js/", [], ["next.js/"]],
  ["next.js", [], ["next.js/"]],
];

for (const [pattern, files, directories] of CASES) {
  Deno.test(`${pattern} finds files of every size, and directories`, async () => {
    await using t = await tempTree(TREE);
    const answer = await listed(t, { pattern });
    assert.deepEqual([answer.files, answer.directories], [files, directories]);
    const isOfDirectories = pattern.endsWith("/");
    assert.equal(answer.count, (isOfDirectories ? directories ?? [] : files).length);
    assert.equal(answer.directories_more, undefined);
    if (directories !== undefined) assert.equal(answer.notes, undefined, "it is not empty");
    assert.deepEqual(
      (await listed(t, { pattern, paths: "absolute" })).directories,
      directories?.map((path) => t.path(path)),
    );
  });
}

Deno.test("a glob whose first directory is not at the root comes with the one to send, and how many files that finds", async () => {
  await using t = await tempTree({ ...TREE, "packages/one/src/h.js": "x" });
  const cases: [input: Input, glob: string, finds: string][] = [
    [{ pattern: "src/**/*.ts" }, "**/src/**/*.ts", "2 files, the first packages/one/src/deep/f.ts"],
    [{ pattern: "src/*.js" }, "**/src/*.js", "1 file, packages/one/src/h.js"],
    [{ pattern: "src/*.{ts,js}" }, "**/src/*.{ts,js}", "2 files, the first packages/one/src/e.ts"],
    [{ pattern: "one/src/*.ts" }, "**/one/src/*.ts", "1 file, packages/one/src/e.ts"],
  ];
  for (const [input, glob, finds] of cases) {
    const { files, notes } = await listed(t, input);
    assert.deepEqual([files, notes], [[], [
      `${glob} finds ${finds}; send ${JSON.stringify({ pattern: glob })}`,
    ]]);
    const sent = await listed(t, { pattern: glob });
    assert.equal(`${sent.count} ${sent.count === 1 ? "file" : "files"}`, finds.split(",")[0]);
  }
});

Deno.test("a listing of the library, of what a search would read, has no directories and no large files", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(t.root);
  const listing = await listFiles({ include: "docs/,*.bin", paths: "relative" }, { workspace });
  assert.deepEqual(listing.files, ["docs/a.md", "docs/src/b.md"]);
  assert.ok(!("directories" in listing));
});

Deno.test("beside files fifty directories are named, on the first page; alone they are the entries", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `d${index + 100}/`);
  const files = ["da", "db", "dc"];
  await using t = await tempTree(
    Object.fromEntries([...names.map((name) => [name, null]), ...files.map((file) => [file, "x"])]),
  );
  const beside = await listed(t, { pattern: "d*" });
  assert.deepEqual(beside.directories, names.slice(0, 50));
  assert.deepEqual([beside.directories_more, beside.files], [10, files]);
  const page = await listed(t, { pattern: "d*", max_results: 2 });
  assert.deepEqual([page.files, page.directories_more, page.total], [files.slice(0, 2), 10, 3]);
  const last = await listed(t, { pattern: "d*", offset: page.next_offset });
  assert.deepEqual([last.files, last.directories], [files.slice(2), undefined]);
  const pages: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { directories, total, next_offset }: FileResult = await listed(t, {
      ...{ pattern: "d*/", max_results: 25, offset },
    });
    pages.push(...directories!);
    assert.equal(total, next_offset === undefined ? undefined : 60);
    offset = next_offset;
  }
  assert.deepEqual(pages, names);
});

Deno.test("directories keep to the budget of an answer", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `${"n".repeat(90)}${index + 100}`);
  await using t = await tempTree(
    Object.fromEntries(names.flatMap((name) => [[`${name}/`, null], [`${name}.n`, "x"]])),
  );
  for (const max_output_chars of [1000, 1500, 4000, 12_000]) {
    for (const pattern of ["n*", "n*/"]) {
      const answer = await listed(t, { pattern, max_output_chars });
      assert.ok(JSON.stringify(answer).length <= max_output_chars);
      const { directories = [], directories_more = 0, total } = answer;
      assert.equal(
        pattern === "n*" ? directories.length + directories_more : total ?? answer.count,
        60,
      );
      assert.ok(answer.count > 0);
    }
  }
});

Deno.test("no blocked directory is named, and one of which a part is allowed is not either", async () => {
  await using t = await tempTree({
    ".aiexclude": "secret*\n",
    "a/.ssh/config": "x",
    "a/.ssh/key": "x",
    "a/secret/b": "x",
    "a/secrets/": null,
    "a/plan/x": "x",
    ".git/objects/": null,
  });
  const workspace = await Workspace.open(t.root);
  for (const pattern of ["**/", "**", "a/*", ".ssh/", "secret*/", ".git/", "plan"]) {
    const guard = { allow: [".ssh/config"], deny: ["plan"] };
    const answer = JSON.stringify(await listed(workspace, { pattern }, guard));
    const { directories = [] } = JSON.parse(answer);
    assert.deepEqual(directories.filter((name: string) => name !== "a/"), [], pattern);
  }
});

Deno.test("a link to a directory is no directory, and each directory is named once", async () => {
  await using t = await tempTree({
    "a/b/c": "x",
    "link": { symlink: "$WS/a" },
    "one/a/": null,
    "two/a/": null,
  });
  assert.deepEqual((await listed(t, { pattern: "*/" })).directories, [
    ...["a/", "a/b/", "one/", "one/a/", "two/", "two/a/"],
  ]);
  const paths = ["a", ".", "one", "./one/"];
  assert.deepEqual((await listed(t, { pattern: "a/,b/", path: paths })).directories, [
    ...["a/", "a/b/", "one/a/", "two/a/"],
  ]);
  assert.deepEqual((await listed(t, { pattern: "b", path: paths })).directories, ["a/b/"]);
  const roots = await Workspace.open([t.path("one"), t.path("two")]);
  assert.deepEqual((await listed(roots, { pattern: "a" })).directories, ["one/a/", "two/a/"]);
  assert.deepEqual((await listed(roots, { pattern: "two/*/" })).directories, ["two/a/"]);
});

Deno.test("directories that globs given as paths lead to are listed as files are", async () => {
  await using t = await tempTree(TREE);
  const answer = await listed(t, { pattern: "src/", path: "packages/*" });
  assert.deepEqual(answer.directories, ["packages/one/src/"]);
});

Deno.test("the text names directories before the summary, and pages of directories alone", async () => {
  await using t = await tempTree({ ...TREE, "docs/a\u202e/": null });
  await using client = await connect("v1", { cwd: t.root, args: ["--workspace", t.root] });
  const text = async (input: Input) =>
    (await client.call("glob", input)).text.replace("; excluded: ignored out", "");
  assert.equal(
    await text({ pattern: "packages/*/src/*" }),
    "packages/one/src/e.ts\n\ndirectories: packages/one/src/deep/\n1 file",
  );
  assert.equal(
    await text({ pattern: "packages/*" }),
    "directories: packages/one/, packages/two/\nno files",
  );
  assert.equal(
    await text({ pattern: "packages/*/" }),
    "packages/one/\npackages/two/\n\n2 directories",
  );
  assert.equal(
    await text({ pattern: "packages/**/", max_results: 2 }),
    "packages/one/\npackages/one/src/\n\ndirectories 1-2 of 4; next page: offset 2",
  );
  assert.match(await text({ pattern: "docs/*" }), /directories: "docs\/a\\u202e\/", docs\/src\//);
});

const SEGMENTS = ["x", "y", "z.d"];
const path = fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 4 });

test.slow("what a naive walk finds is found, in pages of any size", async (t) => {
  const pattern = fc.record({
    segments: fc.array(fc.constantFrom(...SEGMENTS, "*", "?", "**"), {
      minLength: 1,
      maxLength: 3,
    }),
    isOfDirectories: fc.boolean(),
  });
  await assertHolds(
    t,
    fc.asyncProperty(
      fc.array(path, { maxLength: 12 }),
      pattern,
      fc.integer({ min: 1, max: 4 }),
      async (paths, { segments, isOfDirectories }, max_results) => {
        // Each path is a directory; what is below one makes it one that is not empty.
        const names = paths.map((segments) => segments.join("/"));
        const entries = names.flatMap((name) => [[`${name}/`, null], [`${name}/f`, "x"]]);
        await using tree = await tempTree(Object.fromEntries(entries));
        const glob = segments.join("/") + (isOfDirectories ? "/" : "");
        const all = new Set(
          paths.flatMap((segments) => segments.map((_, end) => segments.slice(0, end + 1))).map(
            (segments) => segments.join("/"),
          ),
        );
        const rule = matcherOf(segments);
        const directories = [...all].filter((name) => rule.test(name)).sort()
          .map((name) => `${name}/`);
        const files = [...new Set(names)].map((name) => `${name}/f`)
          .filter((name) => !isOfDirectories && rule.test(name)).sort();
        const answers: FileResult[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          answers.push(await listed(tree, { pattern: glob, max_results, offset }));
          offset = answers.at(-1)!.next_offset;
        }
        assert.deepEqual(answers.flatMap((answer) => answer.files), files, glob);
        const found = answers.flatMap((answer) => answer.directories ?? []);
        const isOfExtension = segments.at(-1)!.startsWith("*.");
        assert.deepEqual(found.sort(), isOfExtension ? [] : directories.sort(), glob);
      },
    ),
    { numRuns: 150 },
  );
});

/** A glob of plain segments as an expression. */
function matcherOf(segments: readonly string[]): RegExp {
  const parts = segments.map((segment) =>
    segment === "**"
      ? "**"
      : segment.replaceAll(".", "\\.").replaceAll("*", "[^/]*").replaceAll("?", "[^/]")
  );
  let text = segments.length === 1 && segments[0] !== "**" ? "(?:.*/)?" : "";
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    text += part !== "**" ? part + (isLast ? "" : "/") : isLast ? ".+" : "(?:.*/)?";
  }
  return new RegExp(`^${text}$`);
}

for (const cache of ["verified", "watched"] as const) {
  test.slow(`a ${cache} searcher names the directories that are there`, async () => {
    await using t = await tempTree(TREE);
    const workspace = await Workspace.open(t.root);
    await using searcher = new QuickSearcher({ workspace, cache });
    const find = async (pattern: string) => {
      const answer = await listed(workspace, { pattern }, { searcher });
      return [answer.files, answer.directories];
    };
    for (let round = 0; round < 3; round++) {
      for (const [pattern, ...found] of CASES) {
        assert.deepEqual(await find(pattern), [found[0], found[1]], pattern);
      }
      await ticked();
    }
    await t.write({ "packages/three/": null, "docs/src/more/": null });
    await Deno.remove(t.path("packages/two"), { recursive: true });
    await ticked();
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await find("packages/*"), [[], ["packages/one/", "packages/three/"]]);
      assert.deepEqual(await find("src/*/"), [[], undefined]);
      assert.deepEqual(await find("docs/src/*/"), [[], ["docs/src/more/"]]);
      await ticked();
    }
  });
}
