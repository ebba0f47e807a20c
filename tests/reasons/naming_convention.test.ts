/** Names in another naming convention than the call: what the answer says of it. */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  listFiles,
  search,
  type SearchQuery,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { filteredBy, ignoredBy, missed, missedFile } from "../support/notes.ts";
import { pathgrep } from "../support/run.ts";
import { memoryTree, tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";

const FILES = {
  "src/a.py": "parse_config(1)\nx = parse_config(2)\nparse_url, HTTP_server\n",
  "src/b.ts": "parseIds(utf8Decode);\nclass FetchAll {}\nv2Api\n",
  "src/c.rs": "const MAX_SIZE: usize = 1; IPV4_ADDRESS\n",
  "src/d.css": ".nav-bar {}\n--parse-config\n",
  "README.md": "How to load plugins: retry count\n",
  "h.txt": "Content-Type: text/plain\n",
};

/** Every call that a note advises, with the number and the place of what it says it finds. */
function advised(note: string): { sent: Partial<SearchQuery>; count: number; file?: string }[] {
  const first = /^(\d+) (?:match(?:es)? in|file,) ([^ ,]+)/.exec(note)!;
  const others = [...note.matchAll(/which finds (\d+) (?:match(?:es)? in|file,) ([^ ,]+)/g)];
  const found = [first, ...others].map(([, count, file]) => ({
    count: Number(count),
    file: file!,
  }));
  const sent = [...note.matchAll(/pass (\{.*?\})(?=,|$)/g)].map(([, json]) => JSON.parse(json!));
  assert.equal(sent.length, found.length, note);
  return sent.map((sent, index) => ({ sent, ...found[index]! }));
}

Deno.test("names in another convention are reported, and each advised pattern finds that many", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const cases: [SearchQuery, string[]][] = [
    [{ pattern: "parseConfig" }, ["parse_config", "parse-config"]],
    [{ pattern: "ParseConfig" }, ["parse_config", "parse-config"]],
    [{ pattern: "PARSE CONFIG" }, ["parse_config", "parse-config"]],
    [{ pattern: "\\bparseConfig\\b" }, ["\\bparse_config\\b", "\\bparse-config\\b"]],
    [{ pattern: "parseConfig", caseInsensitive: true }, ["parse_config", "parse-config"]],
    [{ pattern: "(?i)parseConfig" }, ["(?i)parse_config", "(?i)parse-config"]],
    [{ pattern: "parseConfig", wholeWord: true }, ["parse_config", "parse-config"]],
    [{ pattern: "parseConfig", wholeLine: true }, []],
    [{ pattern: "parseConfig\\(" }, ["parse_config\\("]],
    [{ pattern: "^parseConfig\\(\\d\\)$" }, ["^parse_config\\(\\d\\)$"]],
    [{ pattern: "x = parseConfig(", fixedStrings: true }, ["x = parse_config("]],
    [{ pattern: "parseConfig|maxSize" }, [
      "parse_config|max_size",
      "PARSE_CONFIG|MAX_SIZE",
      "parse-config|max-size",
    ]],
    [{ pattern: "parseURL" }, ["parse_url"]],
    [{ pattern: "parseUrl" }, ["parse_url"]],
    [{ pattern: "IPv4Address" }, ["IPV4_ADDRESS"]],
    [{ pattern: "parse_ids" }, ["parseIds"]],
    [{ pattern: "parseIDs\\(utf8_decode" }, ["parseIds\\(utf8Decode"]],
    [{ pattern: "v2_api" }, ["v2Api"]],
    [{ pattern: "fetch_all" }, ["FetchAll"]],
    [{ pattern: "max-size" }, ["MAX_SIZE"]],
    [{ pattern: "max\\-size" }, ["MAX_SIZE"]],
    [{ pattern: "navBar" }, ["nav-bar"]],
    [{ pattern: "_nav_bar|\\.navBar" }, ["_nav-bar|\\.nav-bar"]],
    [{ pattern: "retryCount" }, ["retry count"]],
    [{ pattern: "loadPlugins", outputMode: "count" }, ["load plugins"]],
    [{ pattern: "parseConfig", outputMode: "file", include: "*.py" }, ["parse_config"]],
    [{ pattern: "parseConfig", onlyMatching: true }, ["parse_config", "parse-config"]],
    [{ pattern: "parseConfig|parseUrl", maxCount: 1 }, [
      "parse_config|parse_url",
      "parse-config|parse-url",
    ]],
    [{ pattern: "parseConfig.*\n.*parseConfig", multiline: true }, [
      "parse_config.*\n.*parse_config",
    ]],
  ];
  for (const [query, patterns] of cases) {
    const said = JSON.stringify(query);
    const { count, notes = [] } = await search({ ...query, explain: true }, { workspace });
    assert.equal(count, 0, said);
    const [note, ...more] = notes.filter((note) => note.includes("naming convention"));
    if (patterns.length === 0) {
      assert.equal(note, undefined, said);
      continue;
    }
    assert.deepEqual(more, [], said);
    const calls = advised(note!);
    assert.deepEqual(calls.map(({ sent }) => sent.pattern), patterns, note);
    const counts = calls.map(({ count }) => count);
    assert.deepEqual(counts, counts.toSorted((a, b) => b - a), note);
    for (const { sent, count, file } of calls) {
      const next = await search(
        { ...query, ...sent, outputMode: "count", paths: "relative" },
        { workspace },
      );
      assert.equal(next.count, count, `${note}: ${JSON.stringify(sent)}`);
      assert.equal("counts" in next && next.counts[0]!.file, file, note);
    }
  }
});

Deno.test("of several patterns, each is sent in the same naming convention", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: ["parseConfig", "parseURL", "absent"], explain: true };
  const { notes = [] } = await search(query, { workspace });
  assert.deepEqual(notes, [
    missed("src/a.py", "convention", [{ pattern: ["parse_config", "parse_url", "absent"] }], {
      count: 3,
      others: [{
        ...{ count: 1, files: 1, path: "src/d.css" },
        change: { pattern: ["parse-config", "parse-url", "absent"] },
      }],
    }),
  ]);
  // A tool takes the first as one text, and the others in a key of their own.
  const grep = new GrepTool({ workspace });
  const input = { pattern: "parseConfig", more_patterns: ["parseURL", "absent"] };
  const answer = await grep.execute(input) as { notes: string[] };
  const sent = JSON.parse(/send (\{.*?\}), or/.exec(answer.notes[0]!)![1]!);
  assert.deepEqual(sent, { pattern: "parse_config", more_patterns: ["parse_url", "absent"] });
  assert.equal((await grep.execute({ ...input, ...sent }) as { count: number }).count, 3);
});

Deno.test("another naming convention is reported with the other causes that hide a match", async () => {
  await using tree = await tempTree({
    ...FILES,
    ".gitignore": "dist/\n",
    "dist/x.js": "build_tree\n",
    "bin.dat": new Uint8Array(Buffer.from("raw_bytes\0")),
  });
  const workspace = await Workspace.open(tree.root);
  const convention = { kind: "convention" } as const;
  const cases: [SearchQuery, string][] = [
    [
      { pattern: "contentType" },
      missed("h.txt", [{ kind: "case" }, convention], [
        { caseInsensitive: true, pattern: "content-type" },
      ]),
    ],
    [
      { pattern: "buildTree" },
      missed("dist/x.js", [convention, ...ignoredBy("dist/", ".gitignore:1", "")[0]], [
        { pattern: "build_tree", ignore: false },
      ]),
    ],
    [
      { pattern: "navBar", include: "*.ts" },
      missed("src/d.css", [...filteredBy("include", "*.ts")[0], convention], [
        { include: undefined, pattern: "nav-bar" },
      ]),
    ],
    [
      { pattern: "navBar", path: "dist" },
      missed("src/d.css", [convention, { kind: "elsewhere" }], [
        { pattern: "nav-bar", path: "src" },
      ]),
    ],
  ];
  for (const [query, expected] of cases) {
    const { notes = [] } = await search({ ...query, explain: true }, { workspace });
    assert.equal(notes.length, 1, notes.join("\n"));
    assert.equal(notes[0], expected);
    const { include: _, ...rest } = query;
    const sent = JSON.parse(/pass (\{.*\})$/.exec(notes[0]!)![1]!);
    assert.equal((await search({ ...rest, ...sent }, { workspace })).count, 1, notes[0]);
  }
});

Deno.test("naming conventions are not mentioned where only a part looks like a name, or nothing exists", async () => {
  await using tree = await tempTree({
    ...FILES,
    "e.txt":
      "b_foo bfoo-bar f-oo_bar x64 x8664 page2 script extensions foo bar v_x dx d_x foo_barbaz\n",
  });
  const workspace = await Workspace.open(tree.root);
  for (
    const pattern of [
      "absentName",
      "absent",
      "parseConfigs",
      "x[fooBar]{7}",
      "[[a-c]fooBar]{7}y",
      "(?<fooBar>absent)",
      "(?P<fooBar>absent)\\k<fooBar>",
      "\\p{Script_Extensions=Greek}",
      "\\d_xy",
      "x86_64",
      "page_2",
      "foo_bar-baz",
      "parse.*_Url",
      "foo(?:Bar)",
    ]
  ) {
    const { count, notes } = await search({ pattern, explain: true }, { workspace });
    assert.equal(count, 0, pattern);
    assert.doesNotMatch(String(notes), /naming convention/, pattern);
  }
  for (
    const query of [{ invert: true }, { filesWithoutMatch: true, outputMode: "file" }] as const
  ) {
    const { notes } = await search(
      { pattern: "parseConfig|[^]", explain: true, ...query },
      { workspace },
    );
    assert.doesNotMatch(String(notes), /naming convention/);
  }
});

Deno.test("names of files in another convention are reported with globs to use", async () => {
  await using tree = await tempTree({
    "src/foo-bar.ts": "needle\n",
    "src/foo-bar.test.ts": "needle\n",
    "src/foo_bar.ts": "",
    "my-lib/HttpServer.tsx": "needle\n",
    "my_app/load_all.py": "",
  });
  const workspace = await Workspace.open(tree.root);
  const glob = async (pattern: string) =>
    await new GlobTool({ workspace }).execute({ pattern }) as { count: number; notes?: string[] };
  for (
    const [pattern, ...globs] of [
      ["*fooBar*.ts", "*foo-bar*.ts", "*foo_bar*.ts"],
      ["**/{fooBar,x}.ts", "**/{foo_bar,x}.ts", "**/{foo-bar,x}.ts"],
      ["my-lib/http_server.*", "my-lib/HttpServer.*"],
      ["myLib/http-server.tsx"],
      ["myApp/loadAll.py", "my_app/load_all.py"],
      ["absentName.ts"],
      ["[fooBar].ts"],
      ["!fooBar.ts"],
    ]
  ) {
    const { notes = [] } = await glob(pattern!);
    const [note, ...more] = notes.filter((note) => note.includes("another naming convention"));
    assert.deepEqual(more, []);
    const calls = note === undefined ? [] : note.split(/(?<=\}), (?:or )?/)
      .flatMap((part) => /send (\{.*\})/.exec(part)?.[1] ?? []);
    assert.deepEqual(calls.map((call) => JSON.parse(call).pattern).toSorted(), globs.toSorted());
    if (note === undefined) continue;
    assert.match(
      note,
      /^(\d) files?, (the first )?\S+, uses? another naming convention; send /,
    );
    for (const pattern of globs) assert.ok((await glob(pattern)).count > 0, pattern);
  }
  const { notes = [] } = await glob("*fooBar*.ts");
  assert.deepEqual(notes, [
    missedFile("src/foo-bar.test.ts", "convention", [{ include: "*foo-bar*.ts" }], {
      ...{ files: 2, caller: "glob" },
      others: [{ files: 1, path: "src/foo_bar.ts", change: { include: "*foo_bar*.ts" } }],
    }),
  ]);
  const { notes: listed } = await listFiles({ include: "loadAll.py", explain: true }, {
    workspace,
  });
  assert.deepEqual(listed, [
    missedFile("my_app/load_all.py", "convention", [{ include: "load_all.py" }]),
  ]);
  const searched = await new GrepTool({ workspace })
    .execute({ pattern: "needle", include: "fooBar*.ts" }) as { notes: string[] };
  assert.match(
    searched.notes[0]!,
    /^include "fooBar\*\.ts" matches no file: names use another convention; send \{"include":"foo-bar\*\.ts"\}, which finds 2 matches in 2 files/,
  );
});

Deno.test("the shell and the tools give advice in their own words", async () => {
  await using tree = await tempTree(FILES);
  const text = await pathgrep(["--format", "text", "\\bfetch_all\\b"], { cwd: tree.root });
  assert.equal(text.code, 1);
  assert.match(
    text.stderr,
    /1 match in src\/b\.ts uses another naming convention; use '\\bFetchAll\\b' as PATTERN/,
  );
  const found = await pathgrep(["--format", "text", "\\bFetchAll\\b"], { cwd: tree.root });
  assert.equal(found.stdout.split("\n").length, 2);
  const registry = ToolRegistry.of({ workspace: await Workspace.open(tree.root) });
  const answer = await registry.execute("grep", { pattern: "fetch_all" }) as { notes: string[] };
  assert.match(answer.notes[0]!, /; send \{"pattern":"FetchAll"\}$/);
  const quiet = await pathgrep(["--explain", "never", "fetch_all"], { cwd: tree.root });
  assert.doesNotMatch(quiet.stdout + quiet.stderr, /convention/);
});

Deno.test("blocked files and those outside show nothing of their naming conventions", async () => {
  await using tree = await tempTree({
    ".env": "secret_key\n",
    "../beside/x.ts": "secret_key\n",
    "a.ts": "x\n",
  });
  const workspace = await Workspace.open(tree.root);
  const { notes = [] } = await search({ pattern: "secretKey", explain: true }, { workspace });
  assert.deepEqual(notes, [
    "1 file or directory is blocked by the guard (.env) and was not searched",
  ]);
});

test.slow(
  "other conventions in more files than are counted leave room for the other causes",
  inThreeTries(async () => {
    const prose = Array.from({ length: 2100 }, (_, index) => [`a/${index}.md`, "load all\n"]);
    await using tree = await memoryTree({ ...Object.fromEntries(prose), "b.ts": "LOADALL\n" });
    const workspace = await Workspace.open(tree.root);
    // Files in path order: without a pass of its own, b.ts would not be met.
    const query = { pattern: "loadAll", explain: true, sort: "path" } as const;
    const { notes = [] } = await search(query, { workspace });
    if (notes.length < 2) assertInTime(Infinity, 500, "the look for reasons");
    const [inCase, inConvention] = notes;
    assert.equal(inCase, missed("b.ts", "case", [{ caseInsensitive: true }]));
    assert.match(
      inConvention!,
      /^(?:at least )?\d+ matches in .* use another naming convention; /,
    );
  }),
);
