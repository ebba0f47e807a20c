/**
 * `pathgrep why`: what it says of other programs' searches, and that they find what it says once they are
 * changed as it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep, PATIENCE } from "../support/run.ts";
import { rgPath } from "../support/oracles.ts";
import { testNeeding } from "../support/needs.ts";
import { sh, spawn } from "../support/spawn.ts";
import { ignoredBy, missed, noteOf } from "../support/notes.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

const FILES: Record<string, TreeEntry> = {
  ".gitignore": "dist/\n*.log\n",
  "src/config.ts": "export function ParseConfig() {}\nconst MAX_SIZE = 42;\n",
  "src/plain.txt": "alpha\nfoo(bar)\ngamma\n",
  "dist/out.js": "built = true;\n",
  "debug.log": "kept in spite of the rules\n",
  ".github/ci.yml": "runs-on: ubuntu\n",
  "blob.dat": "\0\ndeeply buried\n",
  "big.txt": `${"x".repeat(2000)}\nfar down\n`,
  "loose.md": "not tracked\n",
  ".hidden.log": "doubly gone\n",
  "latin.txt": new Uint8Array([...new TextEncoder().encode("grand caf"), 0xe9, 10]),
};

async function repository(): Promise<Tree> {
  const t = await tempTree(FILES);
  await sh("git init -q && git add -f .gitignore src debug.log .github blob.dat big.txt", t.root);
  return t;
}

/** Whether a program finds something in a file. */
async function finds([name = "", ...args]: readonly string[], file: string, root: string) {
  const program = name === "rg" ? await rgPath() : name;
  const env = { LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", RIPGREP_CONFIG_PATH: "" };
  const { stdout } = await spawn(program, args, { cwd: root, env });
  return stdout.includes(file);
}

const CASE = { caseInsensitive: true };
const DIST = ignoredBy("dist/", ".gitignore:1", "")[0];
const READING = [{ kind: "reading", of: "pattern" }] as const;

/** A search, the note on it, and the same search as the note would have it, with the file it finds. */
const CASES: readonly (readonly [search: string[], note: string, then: string[], file: string])[] =
  [
    [
      ["rg", "-n", "parseConfig", "src"],
      missed("src/config.ts", "case", [CASE], { caller: "rg" }),
      ["rg", "-n", "parseConfig", "src", "-i"],
      "ParseConfig",
    ],
    [
      ["rg", "-S", "maxSize"],
      missed("src/config.ts", "convention", [{ pattern: "MAX_SIZE" }], { caller: "rg" }),
      ["rg", "-S", "MAX_SIZE"],
      "src/config.ts",
    ],
    [
      ["rg", "built"],
      missed("dist/out.js", DIST, [{ ignore: false }], { caller: "rg" }),
      ["rg", "built", "--no-ignore"],
      "dist/out.js",
    ],
    [
      // Git tracks it, which ripgrep does not ask.
      ["rg", "in spite"],
      missed(
        "debug.log",
        [{ kind: "ignored", file: ".gitignore:2", pattern: "*.log", isTracked: true }],
        [{ ignore: false }, { path: "debug.log" }],
        { caller: "rg" },
      ),
      ["rg", "in spite", "debug.log", "-H"],
      "debug.log",
    ],
    [
      ["rg", "ubuntu"],
      missed(".github/ci.yml", "hidden", [{ hidden: true }], { caller: "rg" }),
      ["rg", "ubuntu", "--hidden"],
      ".github/ci.yml",
    ],
    [
      ["rg", "buried"],
      missed("blob.dat", "binary", [{ text: true }], { caller: "rg" }),
      ["rg", "buried", "-a"],
      "blob.dat",
    ],
    [
      ["rg", "--max-filesize=1K", "far down"],
      missed("big.txt", [{ kind: "too_large", limit: 1024 }], [{ maxFileSize: 0 }, {
        path: "big.txt",
      }], { caller: "rg" }),
      ["rg", "far down"],
      "big.txt",
    ],
    [
      ["rg", "-g", "*.TS", "ParseConfig"],
      "-g '*.TS' matches no file: letter case matters; use -g '*.ts', which finds 1 match in src/config.ts",
      ["rg", "-g", "*.ts", "ParseConfig"],
      "src/config.ts",
    ],
    [
      ["rg", "alpha\\|omega"],
      missed("src/plain.txt", READING, [], { advice: ["write | + ( ) { } without a backslash"] }),
      ["rg", "alpha|omega"],
      "src/plain.txt",
    ],
    [
      ["grep", "-rn", "alpha|omega", "."],
      missed("src/plain.txt", READING, [], { advice: ["add -E"] }),
      ["grep", "-rn", "alpha|omega", ".", "-E"],
      "src/plain.txt",
    ],
    [
      ["grep", "-rnE", "= \\d+", "src"],
      missed("src/config.ts", READING, [], { advice: ["use -P"] }),
      ["grep", "-rnP", "= \\d+", "src"],
      "src/config.ts",
    ],
    [
      ["grep", "-rIn", "buried", "."],
      missed("blob.dat", "binary", [{ text: true }], { caller: "rg" }),
      ["grep", "-rn", "buried", ".", "-a"],
      "blob.dat",
    ],
    [
      ["grep", "-rn", "--include=*.{ts,js}", "ParseConfig", "."],
      "--include='*.{ts,js}' matches no file: braces are literal there; use --include for each alternative",
      ["grep", "-rn", "--include=*.ts", "--include=*.js", "ParseConfig", "."],
      "src/config.ts",
    ],
    [
      ["rg", "doubly"],
      missed(".hidden.log", [...ignoredBy("*.log", ".gitignore:2", "")[0], { kind: "hidden" }], [{
        ignore: false,
        hidden: true,
      }], { caller: "rg" }),
      ["rg", "doubly", "--no-ignore", "--hidden"],
      ".hidden.log",
    ],
    [
      ["rg", "Deeply", "blob.dat"],
      missed("blob.dat", "case", [CASE], { caller: "rg" }),
      ["rg", "-Hi", "Deeply", "blob.dat"],
      "blob.dat",
    ],
    [
      ["rg", "-e=gAmma"],
      missed("src/plain.txt", "case", [CASE], { caller: "rg" }),
      ["rg", "-i", "-e=gAmma"],
      "src/plain.txt",
    ],
    [
      ["rg", "caf\u00e9"],
      missed("latin.txt", [{ kind: "not_utf8", label: "windows-1252" }], [{
        encoding: "windows-1252",
      }], { caller: "rg" }),
      ["rg", "caf\u00e9", "-E", "windows-1252"],
      "latin.txt",
    ],
    [
      ["grep", "-rn", "--exclude-dir=src", "gamma", "."],
      "1 match in src/plain.txt is excluded by --exclude-dir=src; omit --exclude-dir",
      ["grep", "-rn", "gamma", "."],
      "src/plain.txt",
    ],
    [
      ["git", "grep", "-n", "built", "dist"],
      missed("dist/out.js", [...DIST, { kind: "untracked" }], [], {
        advice: ["add --untracked --no-exclude-standard"],
      }),
      ["git", "grep", "-n", "--untracked", "--no-exclude-standard", "built", "dist"],
      "dist/out.js",
    ],
    [
      ["git", "grep", "-n", "not tracked"],
      missed("loose.md", "untracked", [], { advice: ["add --untracked"] }),
      ["git", "grep", "-n", "--untracked", "not tracked"],
      "loose.md",
    ],
    [
      ["git", "grep", "-n", "built"],
      missed("dist/out.js", [...DIST, { kind: "untracked" }], [], {
        advice: ["add --untracked --no-exclude-standard"],
      }),
      ["git", "grep", "-n", "--untracked", "--no-exclude-standard", "built"],
      "dist/out.js",
    ],
  ];

for (const [search, note, then, file] of CASES) {
  Deno.test(`${search.join(" ")}: what is advised finds it`, async () => {
    await using t = await repository();
    const { code, json, stdout } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.equal(code, 0, stdout);
    const { notes } = json();
    assert.ok(notes.includes(note), `${stdout}${note}`);
    assert.equal(await finds(search, file, t.root), false);
    assert.equal(await finds(then, file, t.root), true);
  });
}

Deno.test("a path that does not exist comes with those that are meant", async () => {
  await using t = await repository();
  const { code, json } = await pathgrep(["why", "rg", "alpha", "src/plan.txt"], { cwd: t.root });
  assert.equal(code, 0);
  assert.deepEqual(json().notes, [
    noteOf("path_missing", { path: "src/plan.txt", similar: ["src/plain.txt"] }),
  ]);
});

Deno.test("what ignores a file is said by each program's own rules", async () => {
  const untracked = "and is in an untracked file; add --untracked --no-exclude-standard";
  const cases: [files: Record<string, TreeEntry>, search: string[], notes: string[]][] = [
    // git reads no .ignore, whatever that says.
    [
      { ".gitignore": "*.log\n", ".ignore": "!e.log\n", "e.log": "needle\n" },
      ["git", "grep", "needle"],
      [`1 match in e.log is excluded by the ignore rule "*.log" in .gitignore:1 ${untracked}`],
    ],
    [
      { ".gitignore": "b\n", ".ignore": "b\n", b: "needle\n" },
      ["git", "grep", "needle"],
      [`1 match in b is excluded by the ignore rule "b" in .gitignore:1 ${untracked}`],
    ],
    [
      { ".ignore": "src\n", "src/a.ts": "needle\n" },
      ["git", "grep", "needle", "src"],
      ["1 match in src/a.ts is in an untracked file; add --untracked"],
    ],
    // What is in a directory that is named is under rules of the directories above.
    [
      { ".gitignore": "dist/\n*.log\n", "dist/a.js": "NEEDLE\n", "dist/b.log": "needle\n" },
      ["rg", "needle", "dist"],
      [
        "1 match in dist/a.js differs in letter case; add -i",
        '1 match in dist/b.log is excluded by the ignore rule "*.log" in .gitignore:2; add --no-ignore, or search dist/b.log',
      ],
    ],
    // A glob is stronger than what ignores or hides a file.
    [{ ".gitignore": "*.log\n", "a.log": "needle\n" }, ["rg", "-g", "*.log", "nothing"], []],
    [{ ".gitignore": "*.log\n", "a.log": "needle\n" }, ["rg", "-g", "*.log", "needle"], []],
    [{ ".a.ts": "needle\n" }, ["rg", "-g", "*.ts", "needle"], []],
    // Words of -P are those of ASCII.
    [
      { "d/a.txt": "\u00e9 \u00e9\n" },
      ["grep", "-rwP", "\\s", "--exclude-dir=d", "."],
      ["1 match in d/a.txt is excluded by --exclude-dir=d; omit --exclude-dir"],
    ],
    [{ ".a.ts": "needle\n" }, ["rg", "-t", "ts", "needle"], []],
    [{ ".ignore": "!.d\n", ".d/a": "needle\n" }, ["rg", "needle"], []],
    [
      { ".d/a.ts": "needle\n" },
      ["rg", "-g", "*.ts", "needle"],
      [
        "-g '*.ts' matches no file that is not hidden",
        "1 match in .d/a.ts is in hidden files or directories; add --hidden",
      ],
    ],
  ];
  for (const [files, search, notes] of cases) {
    await using t = await tempTree({ ...files, "first.txt": "x\n" });
    await sh("git init -q && git add first.txt", t.root);
    const { json } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.deepEqual(json().notes, notes, search.join(" "));
  }
});

testNeeding("ugrep")("ugrep reads the ignore files that it meets, if it is told to", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\ndist/\n/top.js\nout\n",
    ".ignore": "*.md\n",
    "src/.gitignore": "/placed.ts\nold/\n",
    "a.log": "needle log\n",
    "dist/f.js": "needle dist\n",
    "top.js": "needle top\n",
    "notes.md": "needle notes\n",
    "out/g.js": "needle out\n",
    "src/placed.ts": "needle placed\n",
    "src/old/h.ts": "needle old\n",
    "src/b.log": "needle below\n",
  });
  const at = (rule: string, line: string) =>
    `is excluded by the ignore rule "${rule}" in ${line}; add --no-ignore-files`;
  const cases: [args: string[], note: string | undefined, finds: string[]][] = [
    [["needle log", "."], `1 match in a.log ${at("*.log", ".gitignore:1")}`, []],
    [["needle dist", "."], `1 match in dist/f.js ${at("dist/", ".gitignore:2")}`, []],
    [
      ["needle top", "."],
      `1 match in top.js ${at("/top.js", ".gitignore:3")}`,
      [],
    ],
    [["needle old", "src"], `1 match in src/old/h.ts ${at("old/", "src/.gitignore:2")}`, []],
    // Rules above the path do not count.
    [["needle below", "src"], undefined, ["src/b.log"]],
    [["needle dist", "dist"], undefined, ["dist/f.js"]],
    [["needle notes", "."], undefined, ["notes.md"]],
    [["--no-ignore-files", "needle log", "."], undefined, ["a.log"]],
    // Of these, it depends on the version.
    [["needle out", "."], undefined, ["out/g.js"]],
    [["needle placed", "."], undefined, ["src/placed.ts"]],
  ];
  for (const [args, note, finds] of cases) {
    const command = ["ugrep", "-rl", "--ignore-files", ...args];
    const { json } = await pathgrep(["why", "--", ...command], { cwd: t.root });
    const { notes } = json();
    assert.deepEqual(notes, note === undefined ? [] : [note], `${args}`);
    const { stdout } = await spawn("ugrep", command.slice(1), { cwd: t.root });
    assert.deepEqual(stdout.split("\n").filter(Boolean), finds, `${args}`);
    const all = await spawn("ugrep", [...command.slice(1), "--no-ignore-files"], { cwd: t.root });
    assert.notEqual(all.stdout, "", "what is advised finds it");
  }
  const named = ["ugrep", "-r", "--ignore-files=.ignore", "needle notes", "."];
  const { json } = await pathgrep(["why", "--", ...named], { cwd: t.root });
  assert.deepEqual(json().notes, [
    `1 match in notes.md ${at("*.md", ".ignore:1")}`,
  ]);
});

Deno.test("without a repository ripgrep reads no .gitignore, but .ignore", async () => {
  await using t = await tempTree({
    ".gitignore": "a.txt\n",
    ".ignore": "b.txt\n",
    "a.txt": "needle\n",
    "b.txt": "needle\n",
    "nested/.gitignore": "c.txt\n",
    "nested/c.txt": "needle\n",
  });
  const why = async () => (await pathgrep(["why", "rg", "needle"], { cwd: t.root })).json().notes;
  const rule = (path: string, file: string) =>
    `1 match in ${path} is excluded by the ignore rule "${
      path.replace(/.*\//, "")
    }" in ${file}:1; ` +
    `add --no-ignore, or search ${path}`;
  assert.deepEqual(await why(), [rule("b.txt", ".ignore")]);
  await sh("git init -q nested", t.root);
  assert.deepEqual(await why(), [
    rule("b.txt", ".ignore"),
    rule("nested/c.txt", "nested/.gitignore"),
  ]);
  await sh("rm -rf nested && git init -q", t.root);
  assert.deepEqual(await why(), [rule("a.txt", ".gitignore"), rule("b.txt", ".ignore")]);
});

Deno.test("`..` behind a link is above where that leads", async () => {
  await using t = await tempTree({
    "deep/in/a.txt": "x\n",
    "deep/out/b.txt": "Needle\n",
    "out/c.txt": "Needle\n",
    link: { symlink: "deep/in" },
    outside: { symlink: "/etc" },
  });
  const why = async (path: string) =>
    (await pathgrep(["why", "rg", "needle", path], { cwd: t.root })).json();
  const differs = (path: string) => [`1 match in ${path} differs in letter case; add -i`];
  assert.deepEqual((await why("link/../out")).notes, differs("deep/out/b.txt"));
  assert.deepEqual((await why("deep/../out")).notes, differs("out/c.txt"));
  assert.match((await why("absent/../out")).notes[0], /^absent\/\.\.\/out does not exist/);
  assert.match((await why("outside/../out")).error, /a path outside the workspace/);
});

Deno.test("another reading or form is named only where it finds what the search does not", async () => {
  const cases: [text: string, search: string[]][] = [
    // A carriage return before the end of a line keeps $ from matching there.
    ["foo\r\n", ["rg", "-F", "foo$"]],
    ["foo\r\n", ["rg", "foo$"]],
    ["foo\r\n", ["grep", "-rF", "foo$", "."]],
    // The search finds these files.
    ["caf\u00e9 cafe\u0301\n", ["rg", "caf\u00e9"]],
    ["caf\u00e9\ncafe\u0301\n", ["grep", "-r", "caf\u00e9", "."]],
    ["FOO_BAR fooBar\n", ["rg", "fooBar"]],
  ];
  for (const [text, search] of cases) {
    await using t = await tempTree({ "a.txt": text });
    const { json } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.deepEqual(json().notes, [], search.join(" "));
  }
});

Deno.test("a text that is written otherwise is found after each program's search", async () => {
  const utf16 = Uint8Array.from([..."wide open\n"].flatMap((char) => [char.charCodeAt(0), 0]));
  await using t = await tempTree({
    "blank.md": "the time\u00a0limit\n",
    "data.json": '"C\\u00f4te"\n',
    "entity.html": "caf&eacute;\n",
    "phrase.md": "the max\nretries\n",
    "wide.txt": utf16,
  });
  await sh("git init -q && git add .", t.root);
  const cases: [pattern: string, file: string, cause: Parameters<typeof missed>[1]][] = [
    ["time limit", "blank.md", [{ kind: "spelling", how: "with a no-break space" }]],
    ["C\u00f4te", "data.json", [{ kind: "spelling", how: "as HTML entities or escapes" }]],
    ["caf\u00e9", "entity.html", [{ kind: "spelling", how: "as HTML entities or escapes" }]],
    ["max retries", "phrase.md", [{ kind: "spelling", how: "across a line break" }]],
    ["wide open", "wide.txt", [{ kind: "not_utf8", label: "utf-16le" }]],
  ];
  for (const [pattern, file, causes] of cases) {
    for (
      const search of [["rg", pattern], ["grep", "-rn", pattern, "."], ["git", "grep", pattern]]
    ) {
      const { json } = await pathgrep(["why", "--", ...search], { cwd: t.root });
      const isRead = file === "wide.txt" && search[0] === "rg";
      const note = missed(file, causes, isRead ? [{ encoding: "utf-16le" }] : [], { caller: "rg" });
      assert.deepEqual(json().notes, [note], search.join(" "));
      assert.equal(await finds(search, file, t.root), false);
      if (isRead) assert.equal(await finds([...search, "-E", "utf-16le"], "wide", t.root), true);
    }
  }
});

Deno.test("a pattern that matches every line leaves none to -v", async () => {
  await using t = await tempTree({ "a.txt": "foo\n\nbar baz\n" });
  const cases: [search: string[], isSaid: boolean][] = [
    [["rg", "-v", ".*"], true],
    [["rg", "-v", "x*"], true],
    [["rg", "-v", "^"], true],
    [["grep", "-rv", "-e", "foo", "-e", "b*", "."], true],
    [["grep", "-rvE", "(x?|y)$", "."], false],
    [["rg", "-v", "^$"], false],
    [["rg", "-v", "\\b"], false],
    [["rg", "-vx", "x*"], false],
    [["rg", "-vw", "x*"], false],
    [["rg", "-v", ".+"], false],
    [["rg", "-v", "foo"], false],
  ];
  const all = "the pattern matches every line, so -v leaves none";
  for (const [search, isSaid] of cases) {
    const { json } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.equal(json().notes?.includes(all) === true, isSaid, search.join(" "));
    if (isSaid) assert.equal(await finds([...search, "-H"], "a.txt", t.root), false);
  }
});

Deno.test("a command may be one word, as it is typed", async () => {
  await using t = await repository();
  const note = missed("src/config.ts", "case", [CASE], { caller: "rg" });
  const cases: [command: string, note: string][] = [
    ["rg -n parseConfig src", note],
    [" grep -rn 'parseConfig' . --include=*.ts --exclude-dir=node_modules | head -3 || true", note],
    ["cd src && timeout 5 rg parseConfig; echo done", note.replace("src/", "")],
    ["git --no-pager grep -n parseConfig", note],
  ];
  for (const [command, note] of cases) {
    const { json } = await pathgrep(["why", command], { cwd: t.root });
    assert.deepEqual(json().notes, [note], command);
  }
});

Deno.test("a file type that is not ripgrep's is named: ripgrep fails there", async () => {
  await using t = await repository();
  const cases: [words: string[], advice: string][] = [
    [["-t", "tsx"], "-t tsx; use -t ts"],
    [["-trs"], "-t rs; use -t rust"],
    [["--type=golang", "-Tc++"], "--type=golang; use --type=go"],
    [["-t", "svg"], "-t svg; use -t svg"],
    [["-t", "nothing"], "-t nothing; `rg --type-list` lists them"],
  ];
  for (const [words, advice] of cases) {
    const isKnown = words.includes("svg");
    const { json } = await pathgrep(["why", "--", "rg", ...words, "x"], { cwd: t.root });
    const [note] = json().notes;
    const own = `rg has no file type of that name and fails: ${advice}`;
    assert.equal(note, isKnown ? "-t svg matches no file" : own, words.join(" "));
    const { stderr } = await spawn(await rgPath(), [...words, "x"], { cwd: t.root });
    assert.equal(stderr.includes("unrecognized file type"), !isKnown, words.join(" "));
  }
});

Deno.test("a repository to which nothing was added yet tracks no file", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await sh("git init -q", t.root);
  const why = (...words: string[]) =>
    pathgrep(["why", "git", "grep", ...words, "needle"], { cwd: t.root });
  const { json } = await why();
  assert.deepEqual(json().notes, [
    missed("a.txt", "untracked", [], { advice: ["add --untracked"] }),
  ]);
  assert.equal((await why("--untracked")).code, 1, "then git finds it");
  await sh("git config grep.lineNumber true", t.root);
  assert.match((await why()).stdout, /a grep section in git's configuration is not supported/);
  await Deno.remove(t.path(".git/HEAD"));
  assert.match((await why()).stdout, /a repository whose index is not in the workspace/);
});

Deno.test("ripgrep's ends of lines are those of UTF-16, too", async () => {
  const text = (end: string) => Uint8Array.from(`\xff\xfe${[...`bar${end}`].join("\0")}\0`, byte);
  const byte = (char: string) => char.charCodeAt(0);
  await using t = await tempTree({ ".u.ts": text("\n"), "v.ts": text("\r\n") });
  const why = async (...words: string[]) =>
    (await pathgrep(["why", "rg", ...words], { cwd: t.root })).json().notes;
  assert.deepEqual(await why("bar$"), [
    missed(".u.ts", "hidden", [{ hidden: true }], { caller: "rg" }),
  ]);
  // Of the other file, a carriage return keeps ripgrep from it.
  assert.deepEqual(await why("-x", "BAR"), [
    missed(".u.ts", [{ kind: "case" }, { kind: "hidden" }], [{ ...CASE, hidden: true }], {
      caller: "rg",
    }),
  ]);
});

Deno.test("behind `--` git grep reads paths and globs alone", async () => {
  await using t = await repository();
  const absent = noteOf("path_missing", { path: "src/plan.txt", similar: ["src/plain.txt"] });
  for (
    const [words, notes] of [
      [["alpha", "--", "src/plan.txt"], [absent]],
      [["alpha", "--", "src", "src/plan.txt"], [absent]],
      [["-e", "alpha", "--", "src/plan.txt"], [absent]],
    ] as const
  ) {
    const { json } = await pathgrep(["why", "git", "grep", ...words], { cwd: t.root });
    assert.deepEqual(json().notes.slice(0, 1), notes, words.join(" "));
  }
  const globs = ["why", "git", "grep", "ALPHA", "--", "*.ts", "*.txt"];
  assert.match(
    (await pathgrep(globs, { cwd: t.root })).stdout,
    /plain\.txt differs in letter case/,
  );
});

Deno.test("without a note the status is 1, and in text each note is a line", async () => {
  await using t = await repository();
  const none = await pathgrep(["why", "--", "rg", "nowhere at all"], { cwd: t.root });
  assert.deepEqual([none.code, none.json()], [1, { notes: [] }]);
  const text = ["why", "--format", "text", "rg", "parseConfig"];
  const one = await pathgrep(text, { cwd: t.root });
  assert.equal(one.stdout, "1 match in src/config.ts differs in letter case; add -i\n");
  const empty = await pathgrep(["why", "--format=text", "rg", "nowhere"], { cwd: t.root });
  assert.deepEqual([empty.code, empty.stdout], [1, ""]);
});

Deno.test("nothing is said where the other program has rules of its own", async () => {
  const worktree = "git -c user.name=a -c user.email=a@b.c commit -qm a && " +
    "git worktree add -q tree && rm a.txt";
  const nested = "git init -q b && git rm -rq --cached b";
  const cases: [files: Record<string, TreeEntry>, search: string[], also?: string][] = [
    // It finds these.
    [{ ".gitignore": "!.ci\n", ".ci/a.yml": "needle\n" }, ["rg", "needle"]],
    [{ "a.txt": new Uint8Array([110, 101, 101, 100, 108, 101, 32, 0xe9, 10]) }, ["rg", "needle"]],
    [{ ".ignore": "a.txt\n", "a.txt": "needle\n" }, ["git", "grep", "needle"]],
    [{ "a.txt": "\u00e9needle\n" }, ["git", "grep", "-w", "needle"]],
    [{ ".d/a.ts": "needle\n" }, ["rg", "-g", "**/*", "needle"]],
    [{ ".d/a.ts": "needle\n", ".gitignore": "a.ts\n" }, ["rg", "-uu", "needle"]],
    [{ "a.txt": "needle\n" }, ["rg", "needle"], worktree],
    // What is advised elsewhere would not find these.
    [{ "a.txt": "x\n", "b.dat": "\0needle\n" }, ["rg", "needle", "a.txt"]],
    [{ "a.txt": new Uint8Array([110, 101, 0xe9, 10]) }, ["rg", "n[e]."]],
    [{ "a.txt": "needle 1\n" }, ["grep", "-rE", "-e", "needle \\d", "-e", "x\\d", "."]],
    [{ "a.txt": new Uint8Array([0xff, 0xfe, 78, 0, 10, 0]) }, ["grep", "-r", "n", "."]],
    [{ "a.txt": "NEEDLE\r\n" }, ["rg", "needle$"]],
    [{ "a.txt": "NEEDLE\r\n" }, ["grep", "-rx", "needle", "."]],
    [{ "a.txt": "\u00a0NEEDLE\n" }, ["grep", "-r", "\\sneedle", "."]],
    [{ "a.txt": "\u00e9NEEDLE\n" }, ["rg", "\\bneedle"]],
    [{ "a.txt": "\u00e9NEEDLE\n" }, ["grep", "-rP", "\\Wneedle", "."]],
    [{ "a.txt": "\ufeffNEEDLE\n" }, ["git", "grep", "--untracked", "-vi", "."]],
    [{ "a.txt": "x\n", "b/a.txt": "needle\n" }, ["git", "grep", "needle"], nested],
  ];
  for (const [files, search, also = "true"] of cases) {
    await using t = await tempTree(files);
    await sh(`git init -q && git add -A && ${also}`, t.root);
    const { code, stdout } = await pathgrep(["why", "--", ...search], { cwd: t.root });
    assert.deepEqual([code, stdout], [1, '{"notes":[]}\n'], search.join(" "));
  }
});

Deno.test("a search that finds something is told what it excludes, not what it means", async () => {
  await using t = await tempTree({
    "a.ts": "needle\n",
    "b.js": "needle\n",
    ".c.ts": "needle\n",
    "d.ts": "Needle\n",
  });
  const { json } = await pathgrep(["why", "rg", "-g", "!*.js", "needle"], { cwd: t.root });
  assert.deepEqual(json().notes, [
    "1 match in d.ts differs in letter case; add -i",
    "1 match in .c.ts is in hidden files or directories; add --hidden",
  ]);
});

Deno.test("what cannot be read exactly is left alone, and the part is named", async () => {
  await using t = await repository();
  await t.write({ link: { symlink: "src" } });
  const cases: [command: string[], part: RegExp][] = [
    [["rg", "--pre", "cat", "x"], /--pre is not supported/],
    [["rg", "-z", "x"], /-z is not supported/],
    [["rg", "--hid", "x"], /--hid is not supported/],
    [["rg", "-f", "list", "x"], /-f is not supported/],
    [["rg", "-U", "x"], /-U is not supported/],
    [["rg", "(?x) a", "."], /\(\?x in the pattern is not supported/],
    [["rg", "a(?=b)"], /\(\?= in the pattern is not supported/],
    [["rg", "[a&&b]"], /&& in the pattern is not supported/],
    [["rg", "x", "-g", "/src/**"], /-g \/src\/\*\* is not supported/],
    [["rg", "x", "src", "-g", "src/*.ts"], /the place in .* is not supported/],
    [["rg", "x", "-"], /standard input is not supported/],
    [["rg", "x", "/etc"], /a path outside the workspace, is not supported/],
    [["rg", "x", "../other"], /a path outside the workspace, is not supported/],
    [["rg", "-m0", "x"], /-m 0 is not supported/],
    [["rg", "-A", "foo", "bar"], /-A foo is not supported/],
    [["rg", "--files"], /--files is not supported/],
    [["rg", "x", "-A"], /-A without a value is not supported/],
    [["grep", "x", "src"], /the directory src without -r is not supported/],
    [["grep", "x"], /standard input is not supported/],
    [["grep", "-rf", "list", "."], /-f is not supported/],
    [["grep", "-rz", "x", "."], /-z is not supported/],
    [["./rg", "x"], /\.\/rg is not supported/],
    [["grep", "-r", "--exclude-dir=src", "x", "src"], /--exclude-dir=src with a path of that name/],
    [["grep", "-r", "--exclude-dir=s*", "x", "./src"], /--exclude-dir='s\*' with a path of that/],
    [["grep", "-r", "--exclude-dir=[.]", "x", "."], /--exclude-dir='\[\.\]' with a path of that/],
    [["rg", "-g", "[!a]*.ts", "x"], /-g \[!a\]\*\.ts is not supported/],
    [["rg", "-g", "a[", "x"], /-g a\[ is not supported/],
    [
      ["grep", "-r", "--include=[[:alpha:]]", "x", "."],
      /--include \[\[:alpha:\]\] is not supported/,
    ],
    [["git", "--git-dir=x", "grep", "x"], /a git command other than `git grep`/],
    [["rg x | xargs rm"], /more than one plain search is not supported/],
    [["rg x src/*.ts"], /the glob src\/\*\.ts without quotes is not supported/],
    [["rg x -g b?g.txt"], /the glob b\?g\.txt without quotes is not supported/],
    [["cd lib && rg x"], /cd lib is not supported/],
    [["cd .git && rg x"], /cd \.git is not supported/],
    [["cd .. && rg x"], /cd \.\. is not supported/],
    [["ls -l"], /ls is not supported/],
    [["grep", "-r", "--incl=*.ts", "x", "."], /--incl is not supported/],
    [["grep", "-r", "[[.a.]]", "."], /\[\. in the pattern is not supported/],
    [["grep", "-rE", "a**", "."], /a repetition of a repetition/],
    [["grep", "-rP", "\\Kx", "."], /\\K in the pattern is not supported/],
    [["grep", "-r", "--include=*.ts", "--exclude=a.ts", "x", "."], /--include with --exclude/],
    [["git", "grep", "x", "HEAD"], /HEAD, which may be a revision, is not supported/],
    [["git", "grep", "x", "HEAD", "--", "src"], /HEAD, which may be a revision/],
    [["git", "grep", "-e", "x", "HEAD", "--", "src"], /HEAD, which may be a revision/],
    [["git", "grep", "--", "x", "HEAD"], /HEAD, which may be a revision/],
    [["git", "grep", "x", "src", "--", "src"], /src, which may be a revision/],
    [["git", "grep", "--cached", "x"], /--cached is not supported/],
    [["git", "grep", "x", "-i"], /-i after an operand is not supported/],
    [["git", "grep", "x", "--", ":(top)src"], /the pathspec :\(top\)src is not supported/],
    [["git", "grep", "x", "link"], /link, a symbolic link, is not supported/],
    [["rg", "-F", "-P", "x"], /-P with another syntax is not supported/],
    [["rg", "-g", "*.ts", "-tjs", "x"], /a type with a glob is not supported/],
    [["rg", "a||b"], /an empty alternative in the pattern is not supported/],
    [["rg", "foo("], /an unbalanced parenthesis in the pattern is not supported/],
    [["grep", "-rE", "(|a)", "."], /an empty alternative in the pattern is not supported/],
    [["grep", "-rE", "a|", "."], /an empty alternative in the pattern is not supported/],
    [["rg", "a{,2}"], /\{,N\} in the pattern is not supported/],
    [["grep", "-r", "-E", "-F", "x", "."], /-F with another syntax is not supported/],
    [["egrep", "-rP", "x", "."], /-P with another syntax is not supported/],
    [["grep", "-rP", "-e", "x", "-e", "y", "."], /more than one pattern with -P is not supported/],
    [["grep", "-r", "(o)\\1", "."], /\\1 without its group in the pattern is not supported/],
    [["grep", "-r", "--exclude=a*", "x", "."], /--exclude a\* is not supported/],
    [["ugrep", "-rx", "^x", "."], /an escape or a class in a ugrep pattern is not supported/],
    [["ugrep", "-r", "x*", "."], /a pattern that an empty line matches is not supported/],
    [["git", "grep", "--untracked", "x", "dist"], /--untracked with a path is not supported/],
    [["grep", "--include=*.ts", "x", "big.txt"], /a glob with a named file is not supported/],
    [["rg", "a++"], /a repetition of a repetition/],
    [["rg", "a{3,1}"], /a\{3,1\}|quantifier|range|order/],
    [["git", "grep", "-i", "\\d"], /d with -i is not supported/],
    [["ugrep", "-r", "--ignore-files=list", "x", "."], /--ignore-files=list is not supported/],
    [
      ["ugrep", "-r", "--ignore-files", "--ignore-files=.ignore", "x", "."],
      /--ignore-files=\.ignore is/,
    ],
    [["ugrep", "-r", "--ignore-files", "--exclude-dir=a", "x", "."], /=a with --ignore-files is/],
    [["ugrep", "-rij", "X", "."], /-i with -j is not supported/],
    [["git", "log"], /a git command other than `git grep` is not supported/],
    [["ugrep", "-r", "\\d", "."], /an escape or a class in a ugrep pattern is not supported/],
    [["ls"], /ls is not supported/],
    [["constructor"], /constructor is not supported/],
    [[], /an empty command is not supported/],
  ];
  for (const [command, part] of cases) {
    const { code, stdout } = await pathgrep(["why", "--", ...command], { cwd: t.root });
    assert.equal(code, 2, `${command.join(" ")}: ${stdout}`);
    assert.match(JSON.parse(stdout).error, part, command.join(" "));
  }
});

Deno.test("ripgrep's configuration file changes what it searches: then nothing is said", async () => {
  await using t = await repository();
  const env = { RIPGREP_CONFIG_PATH: "/dev/null" };
  const run = async (...command: string[]) =>
    await pathgrep(["why", "--", ...command], { cwd: t.root, env, permissions: ["-A", PATIENCE] });
  const refused = await run("rg", "parseConfig");
  assert.equal(refused.code, 2);
  assert.match(refused.json().error, /RIPGREP_CONFIG_PATH/);
  assert.equal((await run("rg", "--no-config", "parseConfig")).code, 0);
  assert.equal((await run("grep", "-r", "parseConfig", ".")).code, 0);
});

Deno.test("what git's configuration says of grep is not guessed", async () => {
  await using t = await repository();
  await sh("git config grep.patternType perl", t.root);
  const { code, json } = await pathgrep(["why", "git", "grep", "parseConfig"], { cwd: t.root });
  assert.equal(code, 2);
  assert.match(json().error, /git's configuration is not supported/);
});

Deno.test("what the guard blocks is in no note", async () => {
  await using t = await tempTree({ ".env": "SECRET=needle\n", "secret.pem": "needle\n" });
  const { code, stdout } = await pathgrep(["why", "rg", "needle"], { cwd: t.root });
  assert.deepEqual([code, JSON.parse(stdout)], [1, { notes: [] }]);
  const named = await pathgrep(["why", "rg", "needle", ".env"], { cwd: t.root });
  assert.equal(named.code, 2);
  assert.match(named.json().error, /permission denied by policy/);
});

Deno.test("paths are those that the caller's --allow and --deny leave", async () => {
  await using t = await tempTree({
    ".env": "needle\n",
    "secret/acquisition.txt": "plan\n",
    "docs/roadmap.txt": "plan\n",
  });
  const why = async (options: string[], ...command: string[]) => {
    const { json } = await pathgrep(["why", ...options, "--", ...command], { cwd: t.root });
    return json().notes ?? json().code;
  };
  const deny = ["--deny", "secret/**"];
  const missing = ["rg", "plan", "acquisition.txt"];
  assert.deepEqual(await why(deny, ...missing), ["acquisition.txt does not exist"]);
  assert.deepEqual(await why([], ...missing), [
    "acquisition.txt does not exist; search secret/acquisition.txt",
  ]);
  const misspelt = ["rg", "plan", "secret/acquisitoin.txt"];
  assert.equal(await why(deny, ...misspelt), "permission_denied_by_policy");
  assert.deepEqual(await why([], ...misspelt), [
    "secret/acquisitoin.txt does not exist; similar paths: secret/acquisition.txt",
  ]);
  assert.equal(await why([], "rg", "NEEDLE", ".env"), "permission_denied_by_policy");
  assert.deepEqual(await why(["--allow", ".env"], "rg", "NEEDLE", ".env"), [
    "1 match in .env differs in letter case; add -i",
  ]);
});
