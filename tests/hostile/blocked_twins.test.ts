/**
 * Two workspaces that differ in nothing but what is blocked and what lies outside: no answer tells them
 * apart.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  resolveTextSearchTarget,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { drawn, RUNS, seeded } from "../support/draw.ts";
import { ENGINES } from "../support/engines.ts";
import { test } from "../support/needs.ts";

const SAME: Record<string, TreeEntry> = {
  "ws/src/a.ts": "export const foo = 1;\n",
  "ws/docs/b.md": "hello\n",
  "ws/.gitignore": "out\n",
  "ws/.aiexclude": "private/\n*.secret\n",
  "ws/.git/HEAD": "ref: refs/heads/main\n",
  "ws/out/c.txt": "foo\n",
  "ws/src/in": { symlink: "../private/p.txt" },
  "ws/src/env": { symlink: "../.env" },
  "ws/src/out": { symlink: "../../outside/o.txt" },
  "ws/src/away": { symlink: "../../outside" },
};
const BLOCKED = [".env", "id_rsa", "a.pem", "out/.env.local", "private/p.txt", "src/x.secret"];
const utf16 = (text: string) =>
  new Uint8Array([0xff, 0xfe, ...[...text].flatMap((letter) => [letter.charCodeAt(0), 0])]);

/** What is blocked and what lies outside, in three ways. */
const TWINS: readonly Record<string, TreeEntry>[] = [
  {
    ...Object.fromEntries(BLOCKED.map((name) => [`ws/${name}`, "alpha foo secret\n"])),
    "ws/private/.gitignore": "*\n",
    "outside/o.txt": "foo\n",
    "outside/.aiexclude": "*\n",
  },
  {
    ...Object.fromEntries(BLOCKED.map((name, index) => [
      `ws/${name}`,
      [utf16("alpha\n"), "beta\n".repeat(300_000), "\0alpha", ""][index % 4]!,
    ])),
    "ws/private/.aiexclude": "!p.txt\n",
    "ws/private/more/q.txt": "alpha\n",
  },
  {
    ...Object.fromEntries(BLOCKED.map((name) => [`ws/${name}`, "ALPHA\n"])),
    "outside": "a file\n",
  },
];

const pattern = fc.constantFrom("alpha", "ALPHA", "beta", "secret", "foo", "absent", "", "^");
const path = fc.constantFrom(
  ...BLOCKED,
  ...["", "src", "out", "private", ".git", "src/in", "src/env", "src/out", "src/away", "p.txt"],
  ...[
    "src/away/o.txt",
    "src/away/none",
    "../outside",
    "../outside/o.txt",
    "o.txt",
    ".enw",
    ".env:1",
  ],
  ...["private/q.txt", "private/more", "privat/p.txt", "id_rs", ".env/x", "src/out/x", "`.env`"],
);
const glob = fc.constantFrom(
  "*.pem",
  ".env*",
  "private/**",
  "**/p.txt",
  "*",
  "{src,out}/**",
  "!src/**",
);
const flag = fc.constantFrom(undefined, true);
const calls = fc.oneof(
  fc.tuple(
    fc.constant("grep"),
    fc.record({
      pattern,
      path,
      include: fc.option(glob, { nil: undefined }),
      output_mode: fc.constantFrom("content", "file", "count"),
      case_insensitive: flag,
      no_ignore: flag,
      follow: flag,
      multiline: flag,
      max_results: fc.constantFrom(undefined, 1, 5),
      sort: fc.constantFrom("path", "modified"),
    }),
  ),
  fc.tuple(fc.constant("glob"), fc.record({ pattern: glob, path })),
  fc.tuple(fc.constant("read_file"), fc.record({ path, encoding: fc.constantFrom("", "gbk") })),
  fc.tuple(fc.constant("resolve_path"), fc.record({ path })),
);
const queries = fc.record({
  pattern,
  path: fc.option(path, { nil: undefined }),
  engine: fc.constantFrom(...ENGINES),
  ignore: fc.constantFrom(undefined, false),
  invert: flag,
  text: flag,
  follow: flag,
  onOverflow: fc.constant("truncate" as const),
});

/** What a workspace answers to everything. */
async function answersIn(
  tree: Tree,
  inputs: readonly [string, object][],
  asked: readonly SearchQuery[],
): Promise<string[]> {
  const time = new Date(1_700_000_000_000);
  for (const name of ["a.ts", "../docs/b.md", "../out/c.txt"]) {
    await Deno.utime(tree.path(`ws/src/${name}`), time, time);
  }
  const workspace = await Workspace.open(tree.path("ws"));
  const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const answers: object[] = [];
  for (const [name, input] of inputs) answers.push(await tools.execute(name, input));
  for (const query of asked) {
    const whole = { ...query, stats: true, explain: true };
    answers.push(await searcher.search(whole).catch((error) => error.toJSON()));
  }
  return answers.map((answer) =>
    JSON.stringify(answer).replaceAll(tree.root, "").replace(/"(?:threads|elapsed_ms)":[\d.]+/g, "")
  );
}

test.slow(
  "no answer depends on what blocked files hold, nor on what lies outside",
  seeded(async (seed) => {
    const inputs = drawn(calls, seed, 200 * RUNS) as [string, object][];
    const asked = drawn(queries, seed, 100 * RUNS);
    let first: string[] | undefined;
    for (const twin of TWINS) {
      await using tree = await tempTree({ ...SAME, ...twin });
      const answers = await answersIn(tree, inputs, asked);
      first ??= answers;
      for (const [index, answer] of answers.entries()) {
        assert.equal(answer, first[index], JSON.stringify([...inputs, ...asked][index]));
      }
    }
    assert.ok(first!.some((answer) => answer.includes('"line_number"')), "some find something");
  }),
);

Deno.test("no reading of a path reveals whether what `deny` blocks exists", async () => {
  await using tree = await tempTree({ "src/a.ts": "", "vault/secret.txt": "x\n" });
  const workspace = await Workspace.open(tree.root);
  const tools = ToolRegistry.of({ workspace, deny: ["vault", "vault/**"] }, {
    tools: OWN_TOOL_NAMES,
  });
  const forms = ["<NAME>", "[x](NAME)", "‹NAME›", "src/a.ts, NAME", "`NAME`", "NAME:3", "./NAME "];
  for (const form of forms) {
    for (const tool of ["grep", "read_file", "resolve_path", "glob"]) {
      const [there, absent] = await Promise.all(["secret", "nobody"].map(async (name) => {
        const path = form.replace("NAME", `vault/${name}.txt`);
        const input = /^g/.test(tool) ? { pattern: "x", path } : { path };
        const answer = JSON.stringify(await tools.execute(tool, input));
        return answer.replaceAll(name, "it");
      }));
      assert.equal(there, absent, `${tool} ${form}`);
    }
  }
});

Deno.test("what a blocked file holds is no rule", async () => {
  const answers = await Promise.all(["found", "hidden"].map(async (word) => {
    await using tree = await tempTree({
      "src/hidden.txt": "needle\n",
      "src/.git": "gitdir: ../.ssh/worktrees/q\n",
      ".ssh/info/exclude": `${word}.txt\n`,
      "vault/t": `${word}.txt\n`,
      ".aiignore": { symlink: "vault/t" },
    });
    const workspace = await Workspace.open(tree.root);
    const deny = ["vault", "vault/**"];
    const query = { pattern: "needle", paths: "relative", deny } as const;
    const tools = ToolRegistry.of({ workspace, deny }, { tools: OWN_TOOL_NAMES });
    return JSON.stringify([
      await search(query, { workspace }),
      await search({ ...query, path: "src" }, { workspace }),
      await tools.execute("resolve_path", { path: "src/hidden.txt" }),
    ]).replaceAll(tree.root, "");
  }));
  assert.equal(answers[0], answers[1]);
  assert.match(answers[0]!, /"count":1/);
});

Deno.test("what a secret file holds is no rule where nobody guards, either", async () => {
  const answers = await Promise.all(["a.txt", "b.txt"].map(async (word) => {
    await using tree = await tempTree({
      ".aiignore": { symlink: ".ssh/k" },
      ".ssh/k": `${word}\n`,
      "a.txt": "",
    });
    const workspace = await Workspace.open(tree.root);
    const error = await resolveTextSearchTarget(workspace, "a.txx").catch((error) => error);
    return error.details.suggestions;
  }));
  assert.deepEqual(answers, [["a.txt"], ["a.txt"]]);
});

/** What leads through a blocked, excluded or outside place, and what is there in either twin. */
const THROUGH: readonly [what: string, Record<string, TreeEntry>, Record<string, TreeEntry>][] = [
  [
    "a link to a link in .ssh",
    { "ws/x": { symlink: ".ssh/l" }, "ws/docs/x": { symlink: "../.ssh/l/a.ts" } },
    { "ws/.ssh/l": { symlink: "../src" } },
  ],
  [
    "a link out of a directory in .ssh",
    { "ws/x": { symlink: ".ssh/l/../../src" }, "ws/docs/more/deep/d.txt": "" },
    { "ws/.ssh/l": { symlink: "../docs/more/deep" } },
  ],
  [
    "a link into a directory in .ssh and up again",
    { "ws/x": { symlink: ".ssh/d/../../src" }, "ws/.ssh/q": "" },
    { "ws/.ssh/d/q": "" },
  ],
  [
    "a link to a link in an excluded directory",
    {
      "ws/x": { symlink: "private/l" },
      "ws/docs/x": { symlink: "../private/l" },
      "ws/.aiignore": "private/\n",
    },
    { "ws/private/l": { symlink: "../src" } },
  ],
  [
    "an exclusion file that is a link to a link in .ssh",
    { "ws/src/.aiignore": { symlink: "../.ssh/k" }, "ws/docs/rules": "b.txt\n" },
    { "ws/.ssh/k": { symlink: "../docs/rules" } },
  ],
  [
    "an exclusion file that is a link to what another one excludes",
    { "ws/.aiexclude": "private/\n", "ws/src/.aiignore": { symlink: "../private/p" } },
    { "ws/private/p": "b.txt\n" },
  ],
  [
    "an exclusion file that leads out and back in",
    { "ws/src/.aiignore": { symlink: "../../out/k" }, "ws/docs/rules": "b.txt\n" },
    { "out/k": { symlink: "../ws/docs/rules" } },
  ],
  [
    "a link .git/info to .ssh",
    { "ws/.git/info": { symlink: "../.ssh" } },
    { "ws/.ssh/exclude": "b.txt\n" },
  ],
  [
    "a link .git/info that leads out and back in",
    { "ws/.git/info": { symlink: "../../out" }, "ws/docs/exclude": "b.txt\n" },
    { "out": { symlink: "ws/docs" } },
  ],
  [
    "a file .git that names a link to .ssh",
    {
      "ws/src/.git": "gitdir: ../link.git/worktrees/q\n",
      "ws/link.git": { symlink: ".ssh" },
    },
    { "ws/.ssh/info/exclude": "b.txt\n" },
  ],
  [
    "a file .git that names an excluded repository",
    { "ws/src/.git": "gitdir: ../private/x.git/worktrees/q\n", "ws/.aiignore": "private/\n" },
    { "ws/private/x.git/info/exclude": "b.txt\n" },
  ],
  [
    "a link out that leads through .ssh there",
    { "ws/x": { symlink: "../outside/.ssh/../k" }, "outside/q": "" },
    { "outside/.ssh/q": "" },
  ],
  [
    "a link outside to .ssh",
    { "ws/x": { symlink: "../outside/l" }, "outside/q": "" },
    { "outside/l": { symlink: ".ssh/q" } },
  ],
];

for (const [what, same, there] of THROUGH) {
  test.slow(`no answer depends on what is behind ${what}`, async () => {
    const twins = await Promise.all([there, {}].map(async (twin) => {
      await using tree = await tempTree({
        "ws/src/a.ts": "needle\n",
        "ws/src/b.txt": "needle\n",
        "ws/docs/c.txt": "needle\n",
        "ws/.git/HEAD": "ref: refs/heads/main\n",
        ...same,
        ...twin,
      });
      const workspace = await Workspace.open(tree.path("ws"));
      const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
      const answers: [string, object][] = [];
      for (const path of [undefined, "src", "x", "x/a.ts", "docs/x", "src/b.txt", "../outside/l"]) {
        answers.push([`resolve ${path}`, await tools.execute("resolve_path", { path })]);
        for (const engine of ENGINES) {
          for (const follow of [false, true]) {
            const query = { pattern: "needle", path, engine, follow };
            const answer = await search(query, { workspace }).catch((error) => error.toJSON());
            answers.push([JSON.stringify(query), answer]);
          }
        }
      }
      return answers.map(([asked, answer]) =>
        `${asked}: ${JSON.stringify(answer).replaceAll(tree.root, "")}`
      );
    }));
    assert.deepEqual(twins[0], twins[1]);
    assert.match(twins[0]!.join(), /src\/b\.txt/, "its rules do not count");
  });
}

Deno.test("no answer depends on where an absolute link in .ssh leads", async () => {
  const codes = await Promise.all(["src", "docs", "../outside", "missing"].map(async (target) => {
    await using tree = await tempTree({
      "ws/src/a.ts": "needle\n",
      "ws/docs/b.md": "",
      "ws/.ssh/q": "",
      "ws/x": { symlink: ".ssh/l" },
      "outside/c.ts": "needle\n",
    });
    await Deno.symlink(tree.path(`ws/${target}`), tree.path("ws/.ssh/l"));
    const workspace = await Workspace.open(tree.path("ws"));
    const query = { pattern: "needle", path: "x" };
    return (await search(query, { workspace }).catch((error) => error.toJSON())).code;
  }));
  assert.deepEqual(new Set(codes), new Set(["permission_denied_by_policy"]));
});

async function explained(query: SearchQuery, workspace: Workspace): Promise<SearchResult> {
  return await search({ ...query, explain: true }, { workspace });
}

/** What differs in what is kept from agents, of which a part may be let in. */
const KEPT: readonly [what: string, ...(readonly [string, TreeEntry])[]][] = [
  [
    "where an excluded link leads",
    ...["../src", "../src/a.ts", "../nothing", "../../outside"].map((target) =>
      ["docs/y.secret", { symlink: target }] as const
    ),
  ],
  ["an ignore file", ["private/.gitignore", "b*\n"], ["private/.gitignore", "x*\n"]],
  ["a file .git", ["private/.git", "gitdir: /x/y.git/worktrees/q\n"], ["private/.git", "x\n"]],
];

for (const [what, ...twins] of KEPT) {
  test.slow(`no answer depends on ${what}, which is blocked`, async () => {
    const answers = await Promise.all(twins.map(async (twin) => {
      await using tree = await tempTree({
        ".aiexclude": "*.secret\nprivate/\n",
        "src/a.ts": "needle\n",
        "docs/c.txt": "hay\n",
        "private/open/b.txt": "needle\n",
        ...Object.fromEntries([twin]),
      });
      const workspace = await Workspace.open(tree.root);
      const answers: object[] = [];
      for (const engine of ENGINES) {
        for (const path of [undefined, "docs"]) {
          for (const follow of [false, true]) {
            const query = { pattern: "needle", path, follow, engine, allow: ["private/open/**"] };
            answers.push(await explained(query, workspace));
          }
        }
      }
      return JSON.stringify(answers).replaceAll(tree.root, "");
    }));
    for (const answer of answers) assert.equal(answer, answers[0]);
    assert.match(answers[0]!, /private\/open\/b\.txt/);
  });
}

Deno.test("a link into an excluded directory leads to what is allowed there", async () => {
  await using tree = await tempTree({
    ".aiignore": "private/\n",
    "private/open/a.txt": "needle\n",
    "x": { symlink: "private/open/a.txt" },
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", path: "x" };
  await assert.rejects(search(query, { workspace }), { code: "permission_denied_by_policy" });
  assert.equal((await search({ ...query, allow: ["private/open"] }, { workspace })).count, 1);
});

/** Two roots, the second of which is told apart or reached by what is behind a link in the first. */
const TWO_ROOTS: readonly [what: string, Record<string, TreeEntry>, Record<string, TreeEntry>][] = [
  ["a link out", { "top/x/ws/y": { symlink: "../../out" }, "top/out/q": "" }, {
    "top/out/ws/b.ts": "",
  }],
  ["a link to .ssh", { "top/x/ws/y": { symlink: ".ssh" } }, { "top/x/ws/.ssh/ws/b.ts": "" }],
  ["an excluded directory", { "top/x/ws/.aiignore": "y/*\n", "top/x/ws/y/q": "" }, {
    "top/x/ws/y/ws/b.ts": "",
  }],
  ["a directory of .ssh in .ssh", { "top/x/.ssh/y/q": "" }, { "top/x/.ssh/y/.ssh/b.ts": "" }],
  ["a link of the same name", { "top/x/ws/lib": { symlink: ".ssh" } }, {
    "top/x/ws/.ssh/b.ts": "",
  }],
];

for (const [what, same, there] of TWO_ROOTS) {
  Deno.test(`no path of a second root depends on what is behind ${what}`, async () => {
    const twins = await Promise.all([there, {}].map(async (twin) => {
      await using tree = await tempTree({
        "top/x/ws/a.ts": "needle\n",
        "top/y/ws/lib/b.ts": "needle\n",
        "top/x/.ssh/a.ts": "needle\n",
        "top/y/.ssh/lib/b.ts": "needle\n",
        ...same,
        ...twin,
      });
      const name = what.endsWith(".ssh in .ssh") ? ".ssh" : "ws";
      const roots = [tree.path(`top/x/${name}`), tree.path(`top/y/${name}`)];
      const workspace = await Workspace.open(roots);
      const tools = ToolRegistry.of({ workspace }, { tools: OWN_TOOL_NAMES });
      const answers = [
        await search({ pattern: "needle", paths: "relative" }, { workspace }),
        await tools.execute("glob", { pattern: "**/b.ts", paths: "relative" }),
        await tools.execute("resolve_path", { path: "b.tz" }),
        await tools.execute("resolve_path", { path: "lib/b.tz" }),
      ];
      // An answer does say how many entries are blocked.
      const isShown = (key: string) => key !== "left_out";
      return answers.map((answer) =>
        JSON.stringify(answer, (key, value) => isShown(key) ? value : undefined)
          .replaceAll(tree.root, "")
      );
    }));
    assert.deepEqual(twins[0], twins[1]);
    assert.match(twins[0]!.join(), /lib\/b\.ts/);
  });
}
