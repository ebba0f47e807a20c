/**
 * Enclosing lines in answers: keys, text, budgets, and none where there is doubt.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ContentResult, GrepTool, type MatchEntry, search, Workspace } from "../../mod.ts";
import { Encloser } from "../../src/outline/enclosing.ts";
import type { FileHit, SearchJob } from "../../src/run/job.ts";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

type Json = Record<string, unknown>;

const PARSER = `class Parser {
  first() {
    one();
    two();
  }

  second() {
    if (a) {
      one();
    }
  }
}
one();
`;

/** The numbers of the lines that enclose each entry. */
function numbers(matches: readonly MatchEntry[]): number[][] {
  return matches.map(({ enclosing = [] }) => enclosing.map(({ line_number }) => line_number));
}

async function contentOf(tree: Tree, query: Json): Promise<ContentResult> {
  const workspace = await Workspace.open(tree.root);
  return await search({ pattern: "one", ...query }, { workspace }) as ContentResult;
}

async function textOf(tree: Tree, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await pathgrep(["--format", "text", ...args], { cwd: tree.root });
  assert.equal(stderr, "");
  return stdout;
}

Deno.test("an entry says what encloses its match, outermost first, when it is asked to", async () => {
  await using tree = await tempTree({ "a.ts": PARSER });
  const { matches } = await contentOf(tree, { showFunction: "always", column: true });
  assert.deepEqual(matches[0], {
    file: tree.path("a.ts"),
    line_number: 3,
    line: "    one();",
    column: 5,
    enclosing: [{ line_number: 1, line: "class Parser {" }, {
      line_number: 2,
      line: "  first() {",
    }],
  });
  assert.deepEqual(numbers(matches), [[1, 2], [1, 7], []]);
  assert.ok(!("enclosing" in matches[2]!));
  for (const query of [{}, { showFunction: "never" }]) {
    const { matches } = await contentOf(tree, query);
    assert.ok(matches.every((entry) => !("enclosing" in entry)));
  }
});

Deno.test("other modes than content have nothing to enclose", async () => {
  await using tree = await tempTree({ "a.ts": PARSER });
  for (const outputMode of ["file", "count"]) {
    const asked = await contentOf(tree, { outputMode, showFunction: "always" });
    assert.deepEqual(asked, await contentOf(tree, { outputMode }));
  }
});

Deno.test("auto names what encloses up to thirty entries", async () => {
  const lines = (count: number) => `def f():\n${"    one\n".repeat(count)}`;
  await using tree = await tempTree({ "a.py": lines(30), "b.py": "" });
  assert.deepEqual(
    numbers((await contentOf(tree, { showFunction: "auto" })).matches),
    new Array(30).fill([1]),
  );
  await tree.write({ "b.py": "one\n" });
  const many = await contentOf(tree, { showFunction: "auto" });
  assert.deepEqual(many, await contentOf(tree, {}));
  const page = await contentOf(tree, { showFunction: "auto", maxResults: 30, offset: 0 });
  assert.deepEqual(numbers(page.matches), new Array(30).fill([1]));
  const all = await contentOf(tree, { showFunction: "always" });
  assert.deepEqual(numbers(all.matches), [...new Array(30).fill([1]), []]);
});

Deno.test("in text what encloses a match stands before it once, with = for a separator", async () => {
  await using tree = await tempTree({ "a.ts": PARSER, "b.md": "# Title\n\none\n" });
  assert.equal(
    await textOf(tree, "--show-function", "one|two"),
    "a.ts=1=class Parser {\na.ts=2=  first() {\na.ts:3:    one();\na.ts:4:    two();\n" +
      "a.ts=7=  second() {\na.ts:9:      one();\n--\na.ts:13:one();\n" +
      "b.md=1=# Title\nb.md:3:one\n",
  );
  assert.equal(
    await textOf(tree, "--show-function=always", "--heading", "two"),
    "a.ts\n1=class Parser {\n2=  first() {\n4:    two();\n",
  );
  assert.equal(
    await textOf(tree, "--show-function", "-N", "--trim", "two"),
    "a.ts=class Parser {\na.ts=first() {\na.ts:two();\n",
  );
  assert.equal(
    await textOf(tree, "--show-function", "-I", "--column", "two"),
    "1=class Parser {\n2=  first() {\n4:5:    two();\n",
  );
  assert.equal(
    await textOf(tree, "--show-function", "--color", "always", "two"),
    "\x1b[35ma.ts\x1b[0m\x1b[36m=\x1b[0m\x1b[32m1\x1b[0m\x1b[36m=\x1b[0mclass Parser {\n" +
      "\x1b[35ma.ts\x1b[0m\x1b[36m=\x1b[0m\x1b[32m2\x1b[0m\x1b[36m=\x1b[0m  first() {\n" +
      "\x1b[35ma.ts\x1b[0m\x1b[36m:\x1b[0m\x1b[32m4\x1b[0m\x1b[36m:\x1b[0m    \x1b[1;31mtwo\x1b[0m();\n",
  );
});

Deno.test("what encloses a match begins its group of lines, and is not shown twice", async () => {
  await using tree = await tempTree({ "a.ts": PARSER });
  assert.equal(
    await textOf(tree, "--show-function", "-C1", "one"),
    "a.ts=1=class Parser {\na.ts-2-  first() {\na.ts:3:    one();\na.ts-4-    two();\n--\n" +
      "a.ts=7=  second() {\na.ts-8-    if (a) {\na.ts:9:      one();\na.ts-10-    }\n--\n" +
      "a.ts-12-}\na.ts:13:one();\n",
  );
  assert.equal(
    await textOf(tree, "--show-function", "-A1", "first|if"),
    "a.ts=1=class Parser {\na.ts:2:  first() {\na.ts-3-    one();\n--\n" +
      "a.ts=7=  second() {\na.ts:8:    if (a) {\na.ts-9-      one();\n",
  );
  // A line that matches, too.
  assert.equal(
    await textOf(tree, "--show-function", "class|two"),
    "a.ts:1:class Parser {\na.ts=2=  first() {\na.ts:4:    two();\n",
  );
});

/** What follows the end of inner functions, and what has no head in between. */
const AFTER = `class Parser {
  first() {
    one();
  }
  a = one;
  b = one;
  second() {
    one();
  }
  c = one;
}
one();
one();
function third() {
  one();
}
`;

Deno.test("in text a gap stands before what the last lines with = do not enclose", async () => {
  await using tree = await tempTree({ "a.ts": AFTER });
  const lines = "1=class Parser {\n2=  first() {\n3:    one();\n--\n5:  a = one;\n6:  b = one;\n" +
    "7=  second() {\n8:    one();\n--\n10:  c = one;\n";
  const outside = "12:one();\n13:one();\n14=function third() {\n15:  one();\n";
  assert.equal(await textOf(tree, "--show-function", "-I", "one"), lines + outside);
  assert.equal(
    await textOf(tree, "--show-function", "-I", "-C1", "one"),
    "1=class Parser {\n2-  first() {\n3:    one();\n4-  }\n5:  a = one;\n6:  b = one;\n" +
      "7-  second() {\n8:    one();\n9-  }\n10:  c = one;\n11-}\n--\n12:one();\n13:one();\n" +
      "14-function third() {\n15:  one();\n16-}\n",
  );
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const { text } = await grep.execute({ pattern: "one", response_format: "concise" }) as Json;
  assert.equal(text, `a.ts\n${lines}${outside}`);
});

Deno.test("where one line encloses a match, text is what git grep -p writes", async () => {
  const functions =
    "int one(void)\n{\n\treturn 1;\n}\n\nint two(int a)\n{\n\tint b = 1;\n\n\treturn b;\n}\n";
  await using tree = await tempTree({ "a.c": functions });
  await sh("git init -q && git add .", tree.root);
  for (const args of [["return"], ["int b"], ["-v", "r"], ["-w", "b"], ["-i", "RETURN"]]) {
    const git = await new Deno.Command("git", {
      args: ["grep", "-p", "-n", ...args],
      cwd: tree.root,
    }).output();
    const theirs = new TextDecoder().decode(git.stdout);
    // git takes the last head for what encloses a line after the end of its function.
    const ours = await textOf(tree, "--show-function", ...args);
    if (args[0] !== "-v") assert.equal(ours, theirs, args.join(" "));
    else {assert.ok(
        ours.split("\n").every((line) => line === "--" || theirs.includes(line)),
        `${ours}\n${theirs}`,
      );}
  }
});

Deno.test("--show-function has a value only behind its =", async () => {
  await using tree = await tempTree({ "a.ts": PARSER, "never/b.txt": "never\n" });
  const linesOf = async (...args: string[]) => {
    const { code, stdout } = await pathgrep(["--format", "json", ...args], { cwd: tree.root });
    const { matches, error } = JSON.parse(stdout) as { matches: MatchEntry[]; error?: string };
    return { code, found: matches && numbers(matches), error };
  };
  assert.deepEqual((await linesOf("--show-function", "one", "a.ts")).found, [[1, 2], [1, 7], []]);
  assert.deepEqual((await linesOf("--show-function=auto", "two")).found, [[1, 2]]);
  assert.deepEqual((await linesOf("--show-function=never", "two")).found, [[]]);
  assert.deepEqual((await linesOf("--show-function", "--show-function=never", "two")).found, [[]]);
  // A word behind it is the pattern.
  assert.deepEqual((await linesOf("--show-function", "never")).found, [[]]);
  for (const wrong of ["yes", "", "true", "Always", "auto "]) {
    const { code, error } = await linesOf(`--show-function=${wrong}`, "two");
    assert.equal(code, 2);
    assert.match(error!, /option --show-function got ".*"; expected auto, never or always/);
  }
  for (const showFunction of [true, "yes", "", null]) {
    await assert.rejects(
      contentOf(tree, { showFunction }),
      /showFunction must be one of auto, never, always/,
    );
  }
  const help = await pathgrep(["--help"]);
  assert.match(help.stdout, /^ +--show-function\[=auto\|never\|always\]$/m);
});

Deno.test("in tools auto holds unless another word is sent", async () => {
  await using tree = await tempTree({ "a.ts": PARSER });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const call = async (more: Json) => await grep.execute({ pattern: "one", ...more }) as Json;
  const found = async (more: Json) => numbers((await call(more))["matches"] as MatchEntry[]);
  assert.deepEqual(await found({}), [[1, 2], [1, 7], []]);
  assert.deepEqual(await found({ show_function: "always" }), [[1, 2], [1, 7], []]);
  assert.deepEqual(await found({ show_function: "never" }), [[], [], []]);
  assert.deepEqual(await found({ show_function: null }), [[1, 2], [1, 7], []]);
  const text = (await call({ response_format: "concise", context: 1 }))["text"];
  assert.equal(
    text,
    "a.ts\n1=class Parser {\n2-  first() {\n3:    one();\n4-    two();\n7=  second() {\n" +
      "8-    if (a) {\n9:      one();\n10-    }\n--\n12-}\n13:one();\n",
  );
  assert.match(
    `${(await call({ show_function: "yes" }))["error"]}`,
    /show_function must be one of/,
  );
});

Deno.test("enclosing lines are the first that a budget drops, reported only if they were requested", async () => {
  const files = Object.fromEntries(
    Array.from(
      { length: 10 },
      (_, index) => [`${index}.ts`, `function f${index}() {\n${"// x\n".repeat(9)}  one();\n}\n`],
    ),
  );
  await using tree = await tempTree(files);
  const query = { pattern: "one", context: 1, onOverflow: "truncate" };
  const size = async (more: Json) =>
    JSON.stringify(await contentOf(tree, { ...query, ...more })).length;
  const [bare, whole] = [await size({}), await size({ showFunction: "always" })];
  assert.ok(whole > bare + 500);
  const budget = bare + 100;
  const auto = await contentOf(tree, { ...query, showFunction: "auto", maxOutputChars: budget });
  assert.deepEqual(auto, await contentOf(tree, query));
  // More is no error either, as nothing was asked for that is missing.
  const refusing = { ...query, onOverflow: "error", showFunction: "auto", maxOutputChars: budget };
  assert.deepEqual(await contentOf(tree, refusing), await contentOf(tree, query));
  const always = await contentOf(tree, {
    ...query,
    showFunction: "always",
    maxOutputChars: budget,
  });
  assert.deepEqual(always.reduced, ["enclosing"]);
  assert.ok(always.matches.every((entry) => !("enclosing" in entry) && entry.before?.length === 1));
  const less = await contentOf(tree, {
    ...query,
    showFunction: "always",
    maxOutputChars: bare - 100,
  });
  assert.deepEqual(less.reduced, ["enclosing", "context"]);
  const text = await pathgrep(
    [
      "--format",
      "text",
      "--show-function",
      "--max-output-chars",
      "250",
      "--on-overflow=truncate",
      "one",
    ],
    { cwd: tree.root },
  );
  assert.match(text.stderr, /--max-output-chars: enclosing lines omitted/);
  assert.doesNotMatch(text.stdout, /=/);
});

Deno.test("rows and lines that are written as they come say what encloses them, too", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`${index}/a.ts`, PARSER.replace("second", "other")]),
  );
  await using tree = await tempTree(files);
  const args = ["--max-results", "0", "--show-function", "-C1", "one"];
  const rows = (await pathgrep(["--format", "jsonl", ...args], { cwd: tree.root })).rows();
  const whole = (await pathgrep(["--format", "json", ...args], { cwd: tree.root })).json();
  const entries = rows.slice(0, -1).map((
    { type, ...entry },
  ) => (assert.equal(type, "match"), entry));
  assert.deepEqual(entries, whole.matches);
  assert.deepEqual(numbers(entries.slice(0, 3)), [[1, 2], [1, 7], []]);
  const auto = ["--show-function=auto", "one"];
  for (const format of ["jsonl", "text"]) {
    const more = await pathgrep(["--format", format, ...auto], { cwd: tree.root });
    assert.doesNotMatch(more.stdout, /enclosing|=1=/);
    const few = await pathgrep(["--format", format, ...auto, "7"], { cwd: tree.root });
    assert.match(few.stdout, /"enclosing":\[\{"line_number":1,|7\/a\.ts=1=class/);
  }
});

Deno.test("every way to match is enclosed", async () => {
  await using tree = await tempTree({ "a.ts": PARSER });
  const found = async (query: Json) => {
    const { matches } = await contentOf(tree, { showFunction: "always", ...query });
    return matches.map(({ line_number }, index) => [line_number, ...numbers(matches)[index]!]);
  };
  assert.deepEqual(await found({ pattern: "two\\(\\);\\n *\\}\\n", multiline: true }), [[4, 1, 2]]);
  assert.deepEqual(await found({ pattern: "n", onlyMatching: true }), [
    ...[[3, 1, 2], [7, 1], [9, 1, 7], [13]],
  ]);
  assert.deepEqual(await found({ pattern: "[e(]", invert: true }), [
    ...[[5, 1], [6], [10, 1, 7], [11, 1], [12]],
  ]);
  assert.deepEqual(await found({ pattern: ["two", "if"] }), [[4, 1, 2], [8, 1, 7]]);
  assert.deepEqual(await found({ pattern: "one", offset: 1, maxResults: 1, context: 3 }), [[
    9,
    1,
    7,
  ]]);
  for (const engine of ["js", "git", "grep"]) {
    assert.deepEqual(await found({ pattern: "one", engine }), [[3, 1, 2], [9, 1, 7], [13]], engine);
  }
});

Deno.test("a line that encloses is cut as long lines are", async () => {
  const long = `function f(${"a, ".repeat(40)}) {`;
  await using tree = await tempTree({ "a.ts": `${long}\n  one();\n}\n` });
  const { matches } = await contentOf(tree, { showFunction: "always", maxLineLength: 20 });
  assert.deepEqual(matches[0]!.enclosing, [{ line_number: 1, line: long.slice(0, 20) }]);
  const text = await textOf(tree, "--show-function", "-M20", "one");
  assert.equal(text, `a.ts=1=${long.slice(0, 20)}…\na.ts:2:  one();\n`);
});

Deno.test("a head of over 500 characters is named, and cut there", async () => {
  const head = `function f(${"a, ".repeat(400)}) {`;
  await using tree = await tempTree({ "a.ts": `${head}\n  one();\n}\n` });
  const { matches } = await contentOf(tree, { showFunction: "always" });
  assert.deepEqual(matches[0]!.enclosing, [{ line_number: 1, line: head.slice(0, 500) }]);
  const uncut = await contentOf(tree, { showFunction: "always", maxLineLength: 0 });
  assert.deepEqual(uncut.matches[0]!.enclosing, matches[0]!.enclosing);
  const text = await textOf(tree, "--show-function", "one");
  assert.equal(text, `a.ts=1=${head.slice(0, 500)}…\na.ts:2:  one();\n`);
});

Deno.test("the encodings that a search reads are read for what encloses, too", async () => {
  const source = "def größe():\r\n    one = 'ä'\r\n";
  const utf16 = (text: string) =>
    new Uint8Array([
      0xff,
      0xfe,
      ...[...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
    ]);
  const latin = Uint8Array.from(source, (char) => char.charCodeAt(0));
  await using tree = await tempTree({
    "utf8.py": source,
    "mark.py": `\ufeff${source}`,
    "utf16.py": utf16(source),
    "latin.py": latin,
  });
  const { matches } = await contentOf(tree, { showFunction: "always", encoding: "windows-1252" });
  assert.equal(matches.length, 4);
  for (const { enclosing } of matches) {
    assert.deepEqual(enclosing, [{ line_number: 1, line: "def größe():" }]);
  }
});

/** A file's hit as a search has found it. */
function hitOf(path: string, number: number, text: string, more: Partial<FileHit> = {}): FileHit {
  return { path, count: 1, lines: [{ number, text }], chars: 0, modified: 0, ...more };
}

async function encloserIn(tree: Tree, signal?: AbortSignal): Promise<Encloser> {
  const { roots } = await Workspace.open(tree.root);
  const job = {
    walk: { allowedRoots: roots, identities: roots.map(() => undefined) },
    lines: { maxLineLength: 2000 },
    deadline: Infinity,
    timeout: Infinity,
  } as unknown as SearchJob;
  return new Encloser(job, signal);
}

/** What is asked of the file of a hit. */
async function enclosedIn(tree: Tree, hit: FileHit, signal?: AbortSignal) {
  const encloser = await encloserIn(tree, signal);
  return encloser.enclosed(hit).lines[0]!.enclosing?.map(({ number }) => number);
}

Deno.test("a file that changed after it was searched encloses nothing", async () => {
  await using tree = await tempTree({ "a.ts": PARSER, "../outside.ts": PARSER });
  const path = tree.path("a.ts");
  assert.deepEqual(await enclosedIn(tree, hitOf(path, 3, "    one();")), [1, 2]);
  for (
    const [number, text] of [[3, "    one(1);"], [4, "    one();"], [99, "    one();"]] as const
  ) {
    assert.equal(await enclosedIn(tree, hitOf(path, number, text)), undefined);
  }
  await Deno.remove(path);
  assert.equal(await enclosedIn(tree, hitOf(path, 3, "    one();")), undefined);
  await Deno.symlink(tree.path("../outside.ts"), path);
  assert.equal(await enclosedIn(tree, hitOf(path, 3, "    one();")), undefined);
  const outside = tree.path("../outside.ts");
  assert.equal(await enclosedIn(tree, hitOf(outside, 3, "    one();")), undefined);
  await Deno.remove(path);
  await tree.write({ "a.ts": PARSER.replace("two", "\0") });
  assert.equal(await enclosedIn(tree, hitOf(path, 3, "    one();")), undefined);
});

Deno.test("nothing encloses what is too far down, of an unknown type, or from standard input", async () => {
  const far = `${"// far\n".repeat(700_000)}function f() {\n  one();\n}\n`;
  await using tree = await tempTree({ "far.ts": far, "a.unknown": PARSER, "Makefile": PARSER });
  const { matches } = await contentOf(tree, {
    showFunction: "always",
    path: ["far.ts", "a.unknown", "Makefile"],
  });
  assert.equal(matches.length, 7);
  assert.ok(matches.every((entry) => !("enclosing" in entry)));
  const stdin = await pathgrep(["--show-function", "--format", "text", "one", "-"], {
    cwd: tree.root,
    stdin: PARSER,
  });
  assert.doesNotMatch(stdin.stdout, /=/);
});

Deno.test("auto reads no more of all files together than is read of one", async () => {
  const far = `${`// ${"far ".repeat(100)}\n`.repeat(4500)}function f() {\n  one();\n}\n`;
  await using tree = await tempTree({ "1.ts": far, "2.ts": far, "3.ts": far });
  const enclosed = async (showFunction: "auto" | "always") => {
    const { matches } = await contentOf(tree, { showFunction, maxFileSize: 0 });
    return matches.map(({ enclosing = [] }) => enclosing.length);
  };
  assert.deepEqual(await enclosed("auto"), [1, 1, 0]);
  assert.deepEqual(await enclosed("always"), [1, 1, 1]);
});

Deno.test("a file of brackets alone is read in steps, so that others have their turn", async () => {
  const brackets = `${"(".repeat(65_000)}\n`.repeat(20);
  await using tree = await tempTree({ "a.rb": `${brackets}one();\n` });
  const encloser = await encloserIn(tree);
  const steps = [...encloser.steps([hitOf(tree.path("a.rb"), 21, "one();")])];
  assert.ok(steps.length >= 5, `${steps.length} steps`);
});

Deno.test("a search that is aborted looks for nothing more", async () => {
  await using tree = await tempTree({ "a.ts": `${"// one\n".repeat(20_000)}${PARSER}` });
  const hit = hitOf(tree.path("a.ts"), 20_003, "    one();");
  assert.deepEqual(await enclosedIn(tree, hit), [20_001, 20_002]);
  assert.equal(await enclosedIn(tree, hit, AbortSignal.abort()), undefined);
});
