/**
 * Answers over MCP as a model reads them: one plain text, whole, within its budget, and notes that do not
 * depend on the call once a session.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { GlobTool, GrepTool, type Tool, Workspace } from "../../mod.ts";
import { wholeText } from "../../src/tools/plain_text.ts";
import type { InternalCallOptions, TextAnswer } from "../../src/tools/tool.ts";
import { assertHolds } from "../support/draw.ts";
import { rgPath } from "../support/oracles.ts";
import { CHECKOUT } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { CLIENTS, connect, type Connection } from "./clients.ts";
import { RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

type Input = Record<string, unknown>;

const FILES = {
  "src/a.ts": "export class Parser {\n  parse() {\n    return foo(1);\n  }\n}\n",
  "src/b c.ts": "foo(2);\nbar(3);\n",
  "docs/c.md": "# foo\n",
  "empty.txt": "",
};

/** What of an answer does not speak of its scope, which has tests of its own. */
function withoutScope(text: string): string {
  // On a busy machine there may be no time to look for what is not shown.
  return text.replace(/; (?:searched|listed) \d+ files?(?:; excluded: [^;\n]*)?/, "")
    .replaceAll(" (in part)", "");
}

/** What a tool answers as text, without a server; an error fails the test. */
async function textAnswer(tool: Tool, input: Input): Promise<TextAnswer> {
  const options: InternalCallOptions = { form: "text" };
  const answer = await tool.execute(input, options);
  assert.ok(!("error" in answer), JSON.stringify(answer));
  return answer as TextAnswer;
}

function open(t: Tree, ...args: string[]): Promise<Connection> {
  return connect("v1", { cwd: t.root, args: ["--workspace", t.root, ...args] });
}

async function textsOf(client: Connection, calls: [tool: string, input: Input][]) {
  const texts: string[] = [];
  for (const [tool, input] of calls) {
    const { text, structured, isError } = await client.call(tool, input);
    assert.deepEqual([structured, isError], [undefined, false], text);
    texts.push(withoutScope(text));
  }
  return texts;
}

for (const name of CLIENTS) {
  Deno.test(`the ${name} client gets each kind of answer as one plain text`, async () => {
    await using t = await tempTree(FILES);
    const args = ["--workspace", t.root, "--tools", "grep,glob,resolve_path"];
    await using client = await connect(name, { cwd: t.root, args });
    const grep = (pattern: string, more: Input = {}): [string, Input] => [
      "grep",
      { pattern, ...more },
    ];
    assert.deepEqual(
      await textsOf(client, [
        grep("foo"),
        grep("foo", { path: "src/a.ts", context: 1 }),
        grep("foo", { output_mode: "file" }),
        grep("foo", { output_mode: "count" }),
        grep("foo", { more_patterns: ["bar", "b[ax]r"] }),
        grep("Parser \\{\\n  parse", { multiline: true }),
        grep("foo", {
          only_matching: true,
          path: "src",
          paths: "absolute",
          show_function: "never",
        }),
        grep("absent"),
        grep("foo", { path: "empty.txt", output_mode: "count" }),
        grep("foo|^ |^\\}", { path: "src", invert: true }),
        grep("foo", { files_without_match: true }),
        grep(".|^$", { path: "src", files_without_match: true }),
        ["glob", { pattern: "*.ts" }],
        ["glob", { pattern: "*.rs" }],
        ["resolve_path", { path: "src/a.ts" }],
        ["resolve_path", { path: "src/a.ts:2" }],
      ]),
      [
        "docs/c.md\n1:# foo\n\nsrc/a.ts\n1=export class Parser {\n2=  parse() {\n3:    return foo(1);\n\nsrc/b c.ts\n1:foo(2);\n\n" +
        "3 matches in 3 files",
        "src/a.ts\n1=export class Parser {\n2-  parse() {\n3:    return foo(1);\n4-  }\n\n1 match in 1 file",
        "docs/c.md\nsrc/a.ts\nsrc/b c.ts\n\n3 files with matches",
        "docs/c.md:1\nsrc/a.ts:1\nsrc/b c.ts:1\n\n3 matches in 3 files",
        "docs/c.md\n1:# foo\n\nsrc/a.ts\n1=export class Parser {\n2=  parse() {\n3:    return foo(1);\n\nsrc/b c.ts\n1:foo(2);\n2:bar(3);\n\n" +
        '4 matches in 3 files\n3 for "foo", 1 for "bar", 1 for "b[ax]r"',
        "src/a.ts\n1:export class Parser {\n2:  parse() {\n\n1 match in 1 file",
        `${t.path("src/a.ts")}\n3:foo\n\n${t.path("src/b c.ts")}\n1:foo\n\n2 matches in 2 files`,
        "no matches",
        "no matches",
        "src/a.ts\n1:export class Parser {\n\nsrc/b c.ts\n2:bar(3);\n\n" +
        "2 lines without a match in 2 files",
        "empty.txt\n\n1 file without a match",
        "no files without a match\n1 file, empty.txt, is outside the searched path; " +
        "omit path",
        "src/a.ts\nsrc/b c.ts\n\n2 files",
        "no files",
        `file: ${t.path("src/a.ts")}\nrelative: src/a.ts`,
        `file: ${t.path("src/a.ts")}\nrelative: src/a.ts\n` +
        'path "src/a.ts:2" was interpreted without the line number at its end: src/a.ts',
      ],
    );
  });
}

Deno.test("pages say which they are, of how many, and how to get the next", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n".repeat(5),
    "b.txt": "needle\n".repeat(2),
    "c.txt": "needle\n",
  });
  await using client = await open(t);
  const grep = (more: Input): [string, Input] => ["grep", { pattern: "needle", ...more }];
  const a = (count: number) =>
    "a.txt\n" + [1, 2, 3, 4, 5].slice(0, count).map((n) => `${n}:needle\n`).join("");
  assert.deepEqual(
    await textsOf(client, [
      grep({ max_results: 3 }),
      grep({ max_results: 3, offset: 6 }),
      grep({ offset: 8 }),
      grep({ max_results: 2, output_mode: "file" }),
      grep({ offset: 2, output_mode: "file" }),
      grep({ max_results: 2, output_mode: "count" }),
      grep({ offset: 1, output_mode: "count" }),
      grep({ more_patterns: ["n"], offset: 7 }),
      ["glob", { pattern: "*", max_results: 1 }],
      ["glob", { pattern: "*", offset: 2 }],
    ]),
    [
      `${a(3)}\nmatches 1-3 of 8 in 3 files; next page: offset 3`,
      "b.txt\n2:needle\n\nc.txt\n1:needle\n\nmatches 7-8 of 8 in 3 files",
      "no entries on this page\noffset 8 is past the last of 8 entries",
      "a.txt\nb.txt\n\nfiles 1-2 of 3 with matches; next page: offset 2",
      "c.txt\n\nfiles 3-3 of 3 with matches",
      "a.txt:5\nb.txt:2\n\nfiles 1-2 of 3, with 8 matches in all; next page: offset 2",
      "b.txt:2\nc.txt:1\n\nfiles 2-3 of 3, with 3 matches on this page",
      'c.txt\n1:needle\n\nmatches 8-8 of 8 in 3 files\non this page 1 for "needle", 1 for "n"',
      "a.txt\n\nfiles 1-1 of 3; next page: offset 1",
      "c.txt\n\nfiles 3-3 of 3",
    ],
  );
});

test.slow("more than 1000 entries are the first page, with totals and where most are, not an error", async () => {
  await using t = await tempTree({
    "src/a.txt": "needle\n".repeat(900),
    "src/deep/b.txt": "needle\n".repeat(50),
    "tests/c.txt": "needle\n".repeat(251),
    ...Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`many/d${n % 3}/${n}.md`, "x"])),
  });
  await using client = await open(t);
  const long = { max_output_chars: 1_000_000 };
  const tail = ({ text }: { text: string }) => withoutScope(text).split("\n\n").at(-1);
  assert.equal(
    tail(await client.call("grep", { pattern: "needle", ...long })),
    "matches 1-1000 of 1201 in 3 files; next page: offset 1000\nmost in src (950), tests (251)\n" +
      "src/a.txt has more matches on later pages; path: src/a.txt shows them together",
  );
  assert.equal(
    tail(await client.call("glob", { pattern: "*.md", ...long })),
    "files 1-1000 of 1001; next page: offset 1000\nmost in many/d0 (334), many/d1 (334), many/d2 (333)",
  );
  assert.equal(
    tail(await client.call("grep", { pattern: "needle", offset: 1000, ...long })),
    "matches 1001-1201 of 1201 in 3 files",
  );
  assert.equal(
    tail(await client.call("grep", { pattern: "needle", max_results: 4 })),
    "matches 1-4 of 1201 in 3 files; next page: offset 4",
    "who asks for a page knows",
  );
  await using structured = await connect("v1", { cwd: t.root, structured: true });
  const { isError, answer } = await structured.call("grep", { pattern: "needle" });
  assert.deepEqual([isError, answer["code"]], [true, "search_too_broad"]);
});

Deno.test("what a budget drops is reported, and a line that was cut shows where", async () => {
  const line = (n: number) => `${"l".repeat(300)}needle${"r".repeat(300)}${n}\nafter\n`;
  await using t = await tempTree({
    "a.txt": Array.from({ length: 5 }, (_, n) => line(n)).join(""),
    "long.txt": "l".repeat(5000) + "needle" + "r".repeat(5000),
  });
  await using client = await open(t);
  const input = { pattern: "needle", path: "a.txt", context: 1, max_output_chars: 1000 };
  const { text } = await client.call("grep", input);
  assert.match(text, /^a\.txt\n1:…l{29}needler{83}…\n3:…/);
  assert.match(
    withoutScope(text),
    /\n\n5 matches in 1 file\nto fit max_output_chars 1000: context omitted, long lines cut to 120 characters$/,
  );
  const long = await client.call("grep", { pattern: "needle", path: "long.txt" });
  assert.match(long.text, /^long\.txt\n1:…l{500}needler+…\n\n/);
});

Deno.test("an error is the JSON object that it always was, with the reason", async () => {
  await using t = await tempTree({ ...FILES, ".env": "needle" });
  await using client = await open(t);
  for (
    const [input, code] of [
      [{ pattern: "(" }, "invalid_pattern"],
      [{ pattern: "x", path: ".env" }, "permission_denied_by_policy"],
      [{ pattern: "x", path: "nowhere" }, "path_not_found"],
      [{ pattern: "x", max_results: "ten" }, "invalid_input"],
    ] as const
  ) {
    const { isError, answer, structured } = await client.call("grep", input);
    assert.deepEqual([isError, answer["code"], structured], [true, code, undefined]);
  }
});

Deno.test("no control character of a line that encloses a match comes through", async () => {
  await using t = await tempTree({ "a.js": "function f(a\x1b[2J\u202e\r9:x) {\n  needle\n}\n" });
  const tool = new GrepTool({ workspace: await Workspace.open(t.root) });
  const { text } = await textAnswer(tool, { pattern: "needle" });
  assert.match(text, /^a\.js\n1=function f\(a\\x1b\[2J\\u202e\\r9:x\) \{\n2: {2}needle\n/);
});

Deno.test("no control character of a name, a line or a pattern comes through, but tabs do", async () => {
  await using t = await tempTree({
    "a\x1b[2J\n9 matches.md": "# A\x07\x9b\nneedle\x1b]0;x\x07\t\u202e\r!\n",
  });
  await using client = await open(t);
  for (const output_mode of ["content", "count", "file"]) {
    const patterns = { pattern: "needle", more_patterns: ["\x1b|\u202e"] };
    const show_function = "always";
    const { text } = await client.call("grep", { ...patterns, output_mode, show_function });
    // deno-lint-ignore no-control-regex -- control characters are what it is about
    assert.doesNotMatch(text, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/, output_mode);
    assert.match(text, /^a\\x1b\[2J\\n9 matches\.md/);
    assert.match(text, /\n1 for "needle", 1 for "\\x1b\|\\u202e"\nescapes such as [^\n]*$/);
    if (output_mode !== "content") continue;
    assert.match(text, /\n1=# A\\x07\\x9b\n2:needle\\x1b\]0;x\\x07\t\\u202e\\r!\n/);
  }
});

const NOTES = {
  "big.bin.txt": "noodle".repeat(200_000),
  "a.txt": "needle\n",
  "latin.txt": new Uint8Array([0x6e, 0xe9, 0x6e, 10]),
  "node_modules/p/x.txt": "needle\n",
  "sub/b.txt": "needle\n",
  "tree/.git": "gitdir: ../../.git/worktrees/tree\n",
};

test.slow("a note that does not depend on the call is reported once a session, others each time", async () => {
  await using t = await tempTree(NOTES);
  const notes = ({ text }: { text: string }) =>
    text.slice(text.lastIndexOf("\n\n")).trim().split("\n").slice(1);
  await using client = await open(t);
  const first = notes(await client.call("grep", { pattern: "needle", max_results: "5" }));
  assert.equal(first.length, 3, first.join("\n"));
  assert.match(first[0]!, /^max_results "5" was interpreted as 5/);
  const standing = first.slice(1).join("\n");
  assert.match(standing, /node_modules/);
  assert.match(standing, /1 git worktree was not searched/);
  const again = await client.call("grep", { pattern: "needle", max_results: "5" });
  assert.deepEqual(notes(again), first.slice(0, 1));
  const named = { pattern: "needle", path: "latin.txt" };
  for (let n = 0; n < 2; n++) {
    assert.match(
      (await client.call("grep", named)).text,
      /latin\.txt was not searched: it is not UTF-8/,
    );
  }
  await using other = await open(t);
  assert.deepEqual(notes(await other.call("grep", { pattern: "needle", max_results: "5" })), first);
  await using structured = await connect("v1", { cwd: t.root, structured: true });
  for (let n = 0; n < 2; n++) {
    const { answer } = await structured.call("grep", { pattern: "needle", max_results: "5" });
    assert.deepEqual((answer["notes"] as string[]).toSorted(), first.toSorted());
  }
});

Deno.test("of the notes of a session, a call in another place repeats nothing but numbers", async () => {
  await using t = await tempTree({
    "a/tree/.git": "gitdir: ../../.git/worktrees/a\n",
    "b/tree/.git": "gitdir: ../../.git/worktrees/b\n",
    "b/b.txt": "b\n",
    "a/node_modules/p/x.txt": "needle\n",
    "a/node_modules/q/x.txt": "needle\n",
    "c.txt": "needle\n",
    ".env": "A=1\n",
    "a/.env": "A=1\n",
  });
  await using client = await open(t);
  const said = async (input: Input) => {
    const { text } = await client.call("grep", input);
    return text.split("\n\n").at(-1)!.split("\n").slice(1);
  };
  const first = (await said({ pattern: "needle" })).join("\n");
  assert.match(first, /2 git worktrees were not searched/);
  assert.match(first, /matches in 2 files are in a\/node_modules/);
  assert.deepEqual(await said({ pattern: "needle", path: "a" }), []);
  assert.deepEqual(await said({ pattern: "needle", path: "a/node_modules/.." }), []);
  assert.deepEqual(await said({ pattern: "needle", path: "a", exclude: "q" }), []);
  // The scope says what is blocked.
  assert.deepEqual(await said({ pattern: "absent" }), []);
  assert.match((await client.call("grep", { pattern: "absent" })).text, / 2 blocked \(\.env\),/);
});

test.slow("of calls in parallel exactly one says what does not depend on them", async () => {
  await using t = await tempTree(NOTES);
  for (let round = 0; round < 5; round++) {
    await using server = new RawServer(t.root, ["-A"], [], undefined, "text");
    await server.initialize();
    const texts = await Promise.all(
      Array.from(
        { length: 12 },
        (_, n) =>
          server.callText("grep", {
            pattern: "needle",
            more_patterns: n % 2 ? ["absent"] : undefined,
          }),
      ),
    );
    for (const part of ["git worktree was", "no ignore file"]) {
      assert.equal(texts.filter((text) => text.includes(part)).length, 1, part);
    }
    assert.ok(texts.every((text) => text.includes("\n\n3 matches in 3 files")));
  }
});

Deno.test("a note that was cut away does not count as reported, and one that was reported takes no room", async () => {
  await using t = await tempTree({ ...NOTES, "a.txt": `needle${"x".repeat(90)}\n`.repeat(30) });
  await using client = await open(t);
  const cut = await client.call("grep", {
    pattern: "needle",
    more_patterns: Array.from({ length: 19 }, (_, n) => `needle${"|n".repeat(40)}${n}`),
    max_output_chars: 1000,
  });
  assert.ok(cut.text.length <= 1000 && !cut.text.includes("git worktree was"), cut.text);
  const short = { pattern: "needle", max_output_chars: 1500, show_function: "never" };
  const entries = ({ text }: { text: string }) =>
    text.split("\n").filter((row) => /^\d+:/.test(row));
  const first = await client.call("grep", short);
  assert.match(first.text, /1 git worktree was not searched/);
  const second = await client.call("grep", short);
  assert.ok(entries(second).length > entries(first).length + 1, `${first.text}\n${second.text}`);
});

Deno.test("an answer that is not sent has reported nothing", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(undefined, ["--allow-read"], [], t.root, "text");
  await server.initialize({ roots: {} });
  const grep = { name: "grep", arguments: { pattern: "needle" } };
  const id = await server.start("tools/call", grep);
  const roots = [{ uri: "https://example.com/" }, { uri: `file://${t.root}` }];
  const asked = await server.requestOf("roots/list");
  const messages = [
    { id: asked.id, result: { roots } },
    { method: "notifications/cancelled", params: { requestId: id } },
  ];
  await server.send(
    messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n"),
  );
  const text = await server.callText("grep", { pattern: "needle" });
  // It may have been answered before its cancellation was read.
  const isAnswered = server.messages.some((message) => message.id === id);
  assert.equal(isAnswered || text.includes("example.com"), true, text);
});

Deno.test("names of directories that are too long for a text leave room for an entry", async () => {
  const long = (n: number) => `${n}${"d".repeat(190)}`;
  await using t = await tempTree(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`${long(n % 5)}/${n}.txt`, "needle\n"]),
    ),
  );
  await using client = await open(t);
  const { text, isError } = await client.call("grep", {
    pattern: "needle",
    max_output_chars: 1000,
    paths: "relative",
  });
  assert.equal(isError, false, text);
  assert.ok(text.length <= 1000 && !text.includes("most in"));
  assert.match(
    (await client.call("grep", { pattern: "needle", max_output_chars: 3000 })).text,
    /\nmost in 0d+ \(6\), 1d/,
  );
});

Deno.test("a session's note on its roots is reported once, and again when it changes", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  let extra = "https://example.com/one";
  const roots = () => [extra, `file://${t.root}`];
  await using client = await connect("v1", { cwd: "/", roots });
  const said = async (input: Input) => (await client.call("grep", input)).text.includes(extra);
  assert.equal(await said({ pattern: "(" }), true, "an error says it too");
  assert.equal(await said({ pattern: "needle" }), false);
  assert.equal(await said({ pattern: "(" }), false);
  extra = "https://example.com/two";
  await client.rootsChanged();
  assert.equal(await said({ pattern: "needle" }), true);
  assert.equal(await said({ pattern: "needle" }), false);
});

Deno.test("a question to the user takes no note away from the answer", async () => {
  await using t = await tempTree({ ...NOTES, "../out/c.txt": "needle\n" });
  await using client = await connect("v2 of 2026", {
    cwd: t.root,
    args: ["--workspace", t.root],
    elicit: () => Promise.resolve({ action: "accept", content: { answer: "allow" } }),
  });
  const { text } = await client.call("grep", {
    pattern: "needle",
    path: "../out",
    more_paths: ["."],
  });
  assert.match(text, /1 git worktree was not searched/);
});

test.slow("pages of any budget are within it, and together they are every entry exactly once", async (t) => {
  const line = fc.tuple(
    fc.integer({ min: 0, max: 400 }),
    fc.constantFrom("x", "é", "語", "\u0001", '"', "\\", "😀", "\u009b"),
    fc.boolean(),
  ).map(([length, character, hits]) =>
    (hits ? "needle" : "hay") + character.repeat(length) + (hits ? " needle" : "")
  );
  const file = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n"));
  const call = fc.record({
    more_patterns: fc.constantFrom(undefined, ["e+ *|".repeat(30) + "needle"]),
    output_mode: fc.constantFrom("content", "file", "count"),
    context: fc.constantFrom(0, 2),
    multiline: fc.boolean(),
    paths: fc.constantFrom("absolute", "relative", undefined),
    max_results: fc.constantFrom(undefined, 7, 5000),
    response_format: fc.constantFrom("detailed", "concise", undefined),
  });
  await assertHolds(
    t,
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 8 }),
      call,
      fc.integer({ min: 1000, max: 3000 }),
      fc.nat(2),
      async (files, call, max_output_chars, odd) => {
        await using tree = await tempTree({
          ...Object.fromEntries(
            files.map((text, n) => [`${"d".repeat(1 + (n * odd * 67) % 200)}/${n}.txt`, text]),
          ),
          ...Object.fromEntries(
            Array.from({ length: odd }, (_, n) => [`latin${n}`, new Uint8Array([0xe9, 10])]),
          ),
        });
        const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
        const whole = await textAnswer(grep, {
          pattern: "needle",
          ...call,
          context: 0,
          paths: "relative",
          max_results: 100_000,
          max_output_chars: 1_000_000,
        });
        const places = (text: string) => {
          const rows = text.slice(0, text.lastIndexOf("\n\n")).split("\n");
          if (!text.includes("\n\n")) return [];
          let file = "";
          return rows.flatMap((row) => {
            if (call.output_mode !== "content") return [row];
            const number = /^(\d+)([:-])/.exec(row);
            if (number === null) file = row || file;
            return number?.[2] === ":" ? [`${file}:${number[1]}`] : [];
          }).map((row) => row.replace(`${tree.root}/`, ""));
        };
        const seen: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const answer = await textAnswer(grep, {
            pattern: "needle",
            ...call,
            offset,
            max_output_chars,
          });
          const text = wholeText(answer);
          assert.ok(text.length <= max_output_chars, `${text.length} of ${max_output_chars}`);
          const page = answer.text;
          seen.push(...places(page));
          const next: number = Number(/; next page: offset (\d+)/.exec(page)?.[1]);
          assert.ok(!(next <= offset), page);
          offset = Number.isNaN(next) ? undefined : next;
        }
        assert.deepEqual(seen, places(whole.text));
      },
    ),
    { numRuns: 120 },
  );
});

test.slow("no message has more than 4 MiB, and a text as many characters as it may", async () => {
  const lines: Record<string, string> = {
    "ascii.txt": "x".repeat(100),
    "quotes.txt": '"\\'.repeat(50),
    "controls.txt": "\x01\x1f".repeat(50),
    "wide.txt": "語".repeat(100),
    "emoji.txt": "😀".repeat(50),
  };
  await using t = await tempTree(
    Object.fromEntries(
      Object.entries(lines).map(([name, text]) => [name, `needle ${text}\n`.repeat(20_000)]),
    ),
  );
  await using server = new RawServer(t.root, ["--allow-read"], [], undefined, "text");
  await server.initialize();
  for (const path of Object.keys(lines)) {
    server.longest = 0;
    const call = { pattern: "needle", path, max_output_chars: 1_000_000, max_results: 100_000 };
    const text = await server.callText("grep", call);
    assert.ok(server.longest <= 4 << 20, `${path}: ${server.longest}`);
    assert.ok(text.length <= 1_000_000 && text.includes("; next page: offset "));
    assert.ok(text.length > 9e5 || server.longest > 3.8 * 2 ** 20, `${path}: ${text.length}`);
  }
});

Deno.test("an answer of 20 entries or more has at most 1.05 of ripgrep's characters", async () => {
  const workspace = await Workspace.open(CHECKOUT);
  const [grep, glob] = [new GrepTool({ workspace }), new GlobTool({ workspace })];
  for (const pattern of ["escapeControls", "^import .*errors", "async function", "TODO"]) {
    const input = { pattern, path: "src", show_function: "never", max_output_chars: 1_000_000 };
    const text = wholeText(await textAnswer(grep, input));
    const { stdout } = await new Deno.Command(await rgPath(), {
      args: ["--no-config", "--sort", "path", "--heading", "-n", pattern, "src"],
      cwd: CHECKOUT,
      stdin: "null",
    }).output();
    const theirs = new TextDecoder().decode(stdout);
    if (theirs.split("\n").length < 40) continue;
    assert.ok(text.startsWith(theirs.trimEnd()), pattern);
    assert.ok(text.length <= 1.05 * theirs.length, `${pattern}: ${text.length}, ${theirs.length}`);
  }
  const listed = wholeText(await textAnswer(glob, { pattern: "*.ts", path: "src" }));
  assert.match(listed, /\n\n\d+ files[^\n]*$/);
});

test("in answers of more than 20 entries, lines over 200 characters are cut around their match", async () => {
  const long = `${"l".repeat(300)}needle${"r".repeat(300)}\n`;
  await using t = await tempTree({ "20.txt": long + "needle\n".repeat(19), "21.txt": "needle\n" });
  await using client = await open(t);
  const few = await client.call("grep", { pattern: "needle", path: "20.txt" });
  assert.ok(few.text.includes(long));
  const { text } = await client.call("grep", { pattern: "needle" });
  assert.match(text, /^1:…l+needler+…$/m);
  assert.ok(!text.includes("l".repeat(120)));
  const fitting = `needle${"r".repeat(194)}\n`;
  await Deno.writeTextFile(t.path("21.txt"), fitting);
  assert.ok((await client.call("grep", { pattern: "needle" })).text.includes(fitting));
});

test("auto names what encloses matches in code alone", async () => {
  await using t = await tempTree({
    "a.md": "# Head\n\nneedle\n",
    "a.toml": "[head]\nneedle = 1\n",
    "a.ts": "function head() {\n  needle();\n}\n",
  });
  await using client = await open(t);
  const auto = (await client.call("grep", { pattern: "needle" })).text;
  assert.deepEqual(auto.match(/^\d+=.*$/gm), ["1=function head() {"]);
  const input = { pattern: "needle", show_function: "always" };
  assert.equal((await client.call("grep", input)).text.match(/^\d+=.*$/gm)?.length, 3);
});
