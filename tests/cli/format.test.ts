/**
 * The format of an answer where none is named, and what text does as people and their pipes expect it:
 * it explains itself on standard error, and has no cap that nobody asked for.
 */

import assert from "node:assert/strict";
import { test, testNeeding } from "../support/needs.ts";
import { CLI, pathgrep, type Run } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILES = { "a.txt": "needle\n", "b.txt": "needle needle\n", "c.md": "other\n" };
const MANY = { "many.txt": "needle\n".repeat(1234), "more.txt": "needle\n" };

/** Runs a line, its output in a pipe or at a terminal. */
function run(tree: Tree, args: readonly string[], terminal = false): Promise<Run> {
  return pathgrep(terminal ? [...args, "--color", "never"] : args, { cwd: tree.root, terminal });
}

const isJson = ({ stdout }: Run) => stdout.startsWith("{");

for (const option of ["-0", "--null", "--heading", "-N", "--vimgrep", "--color=always", "-p"]) {
  Deno.test(`${option}, which only text has, means text unless a format is given`, async () => {
    await using tree = await tempTree(FILES);
    const plain = await run(tree, [option, "needle"]);
    const named = await run(tree, [option, "needle", "--format", "text"]);
    assert.ok(!isJson(plain), plain.stdout);
    assert.deepEqual([plain.stdout, plain.stderr], [named.stdout, named.stderr]);
    assert.equal((await run(tree, [option, "needle", "--format=auto"])).stdout, plain.stdout);
    for (const format of ["json", "jsonl"]) {
      for (const args of [["--format", format, option], [option, "--format", format]]) {
        const answer = (await run(tree, [...args, "needle"])).rows().at(-1);
        assert.equal(answer.count, 2);
        assert.match(
          answer.notes[0],
          new RegExp(`ignored: .* to text, and the format is ${format}$`),
        );
      }
    }
    if (option === "--vimgrep") return; // a list has no lines
    assert.ok(!isJson(await run(tree, ["files", option.replace("-N", "--no-line-number")])));
  });
}

Deno.test("what is no matter of text alone leaves the answer JSON", async () => {
  await using tree = await tempTree(FILES);
  const options = [
    ...["-n", "-H", "-I", "--no-heading", "--color=never", "--color=auto", "--column", "--trim"],
    ...["--no-null", "--heading --no-heading", "-N -n", "--hyperlinks=never", "--no-json"],
    ...["--null --no-null", "--vimgrep --no-vimgrep", "-l", "-c", "-o", "-C1"],
  ];
  for (const option of options) {
    const ran = await run(tree, [...option.split(" "), "needle"]);
    assert.ok(isJson(ran) && ran.json().notes === undefined, `${option}: ${ran.stdout}`);
  }
});

Deno.test("names that end with NUL can be piped on", async () => {
  await using tree = await tempTree(FILES);
  assert.equal((await run(tree, ["-l0", "needle"])).stdout, "a.txt\0b.txt\0");
  assert.equal((await run(tree, ["files", "-0", "-g", "*.md"])).stdout, "c.md\0");
  assert.equal((await run(tree, ["--files", "-0", "-g", "*.md"])).stdout, "c.md\0");
});

Deno.test("auto is text at a terminal and JSON elsewhere, in every command and for errors", async () => {
  await using tree = await tempTree(FILES);
  const lines: [args: string[], text: string][] = [
    [["needle"], "a.txt:1:needle\nb.txt:1:needle needle\n"],
    [["-l", "needle"], "a.txt\nb.txt\n"],
    [["-c", "needle"], "a.txt:1\nb.txt:1\n"],
    [["files", "-g", "*.md"], "c.md\n"],
    [["--files", "-g", "*.md"], "c.md\n"],
  ];
  for (const [args, text] of lines) {
    assert.ok(isJson(await run(tree, args)), args.join(" "));
    for (const format of [[], ["--format", "auto"]]) {
      const { stdout, stderr } = await run(tree, [...args, ...format], true);
      assert.deepEqual([stdout, stderr], [text, ""]);
    }
    assert.ok(isJson(await run(tree, [...args, "--format", "json"], true)));
  }
  const resolved = await pathgrep(["resolve", "a.txt"], { cwd: tree.root, terminal: true });
  assert.equal(resolved.stdout, `${tree.path("a.txt")}\n`);
  for (const args of [["needle", "absent.txt"], ["("], ["needle", "--bogus"], ["resolve"]]) {
    const person = await pathgrep(args, { cwd: tree.root, terminal: true });
    assert.deepEqual([person.stdout, person.code], ["", 2]);
    assert.match(person.stderr, /^pathgrep: /);
    assert.equal((await run(tree, args)).json().code.length > 0, true);
  }
});

testNeeding("script")("a real terminal gets text, and a pipe from it JSON", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const line = `'${Deno.execPath()}' run -A '${CLI}' needle --color never`;
  const at = (command: string) =>
    spawn("script", ["-qec", command, "/dev/null"], { cwd: tree.root });
  assert.equal((await at(line)).stdout, "a.txt:1:needle\r\n");
  assert.match((await at(`${line} | cat`)).stdout, /^\{"pattern"/m);
});

testNeeding("script").slow(
  "a note on --format text appears for a person whose pipe gets JSON, and for nobody else",
  async () => {
    await using tree = await tempTree(FILES);
    const pg = `pg() { '${Deno.execPath()}' run -A --quiet --no-check '${CLI}' "$@"; }`;
    const lines: [line: string, isTold: boolean][] = [
      ["pg needle | cat", true],
      ["pg -l needle > /dev/null", true],
      ["pg files | cat", true],
      ["pg needle absent.txt | cat", true],
      ["pg needle --format json | cat", false],
      ["pg needle --format text | cat", false],
      ["pg -N needle | cat", false],
      ["pg -q needle | cat", false],
      ["pg --help | cat", false],
      ["pg --type-list | cat", false],
      ["pg resolve a.txt | cat", false],
      ["pg needle 2> /dev/null | cat", false],
      ["(sleep 0.3; pg needle) | true", false],
      ["pg needle", false],
    ];
    for (const [line, isTold] of lines) {
      const { stdout } = await spawn("script", ["-qec", `${pg}; ${line}`, "/dev/null"], {
        cwd: tree.root,
      });
      assert.equal(stdout.includes("file is JSON; choose"), isTold, `${line}: ${stdout}`);
    }
  },
);

/** Values of `PATHGREP_FORMAT` and a line, with the format of its answer. */
const PREFERRED: readonly (readonly [value: string, line: string, format: string])[] = [
  ["text", "needle", "text"],
  ["text", "search needle", "text"],
  ["text", "files", "text"],
  ["text", "--files", "text"],
  ["text", "resolve a.txt", "text"],
  ["text", "needle absent.txt", "text"],
  ["jsonl", "needle", "jsonl"],
  ["jsonl", "files", "jsonl"],
  ["json", "needle", "json"],
  ["auto", "needle", "json"],
  ["", "needle", "json"],
  // An option decides.
  ["text", "needle --format json", "json"],
  ["text", "needle --format auto", "json"],
  ["text", "needle --json", "json"],
  ["json", "needle --format=text", "text"],
  ["json", "needle --heading", "text"],
  ["jsonl", "needle --color=always", "text"],
  // No other command has a default of its own.
  ["text", "doctor", "json"],
  ["text", "why -- rg needle", "json"],
  ["text", "call grep", "json"],
  ["text", "prompt x", "json"],
];

test.slow("PATHGREP_FORMAT is the default of --format of search, files and resolve", async () => {
  await using tree = await tempTree(FILES);
  for (const [PATHGREP_FORMAT, line, format] of PREFERRED) {
    const env = { PATHGREP_FORMAT };
    const ran = await pathgrep(line.split(" "), { cwd: tree.root, env, stdin: "{}" });
    const first = ran.stdout.split("\n")[0]!;
    const found = !first.startsWith("{") ? "text" : first.startsWith('{"type"') ? "jsonl" : "json";
    assert.equal(found, format, `${PATHGREP_FORMAT} ${line}: ${first}`);
    assert.doesNotMatch(ran.stdout + ran.stderr, /PATHGREP_FORMAT|was ignored/);
  }
});

test.slow("a PATHGREP_FORMAT that is no format is a note, and one that may not be read is nothing", async () => {
  await using tree = await tempTree(FILES);
  const run = (line: string, value: string, permissions = ["-A"]) =>
    pathgrep(line.split(" "), { cwd: tree.root, env: { PATHGREP_FORMAT: value }, permissions });
  for (const value of ["xml", "TEXT", "text\n", "x".repeat(9000)]) {
    for (const line of ["needle", "files", "resolve a.txt", "needle absent.txt"]) {
      const { json } = await run(line, value);
      assert.match(
        json().notes[0],
        /^PATHGREP_FORMAT=.{1,60} was ignored: it takes auto, json, jsonl or text$/,
      );
    }
    const { stdout, stderr } = await run("needle --format text", value);
    assert.deepEqual([stdout.split("\n").length, stderr], [3, ""], "nothing asks for it");
  }
  for (
    const [flag, isRead] of [["--allow-env=PATHGREP_FORMAT", true], [
      "--allow-env=HOME",
      false,
    ]] as const
  ) {
    const ran = await run("needle", "text", [`--allow-read=${tree.root}`, flag]);
    assert.deepEqual([isJson(ran), ran.stderr], [!isRead, ""]);
  }
});

Deno.test("text says on standard error why nothing was found, but not with -q", async () => {
  await using tree = await tempTree({
    ...FILES,
    ".gitignore": "dist/\n",
    "dist/x.js": "Bundle\n",
    "empty/a.txt": "",
  });
  const reasons: [args: string[], said: RegExp][] = [
    [["Needle"], /^pathgrep: note: 2 matches in 2 files, .* differ in letter case; .*\n$/],
    [["Bundle"], /note: 1 match in dist\/x\.js is excluded by the ignore rule "dist\/"/],
    [["needle", "-g", "*.md"], /note: .*--include/],
    [["needle", "empty"], /outside the searched path/],
    [["-F", "needle$"], /another reading of the pattern/],
    [["-l", "Needle"], /letter case/],
    [["-c", "Needle"], /letter case/],
    [["files", "-g", "x.js"], /note: 1 file, dist\/x\.js, is excluded/],
  ];
  // Who names a file means that one.
  const named = await run(tree, ["needle", "c.md", "--format", "text"], false);
  assert.deepEqual([named.stdout, named.stderr, named.code], ["", "", 1]);
  for (const [args, said] of reasons) {
    for (const terminal of [false, true]) {
      const ran = await run(tree, [...args, "--format", "text"], terminal);
      assert.deepEqual([ran.stdout, ran.code], ["", 1], args.join(" "));
      assert.match(ran.stderr, said);
    }
    for (const option of ["-q", "--explain=never"]) {
      const { stderr } = await run(tree, [...args, option, "--format", "text", "-t", "txt"]);
      assert.doesNotMatch(stderr, said, option);
      if (option === "-q") assert.equal(stderr, "");
    }
  }
  const absent = await run(tree, ["nowhere at all", "--format", "text", "-g", "*.md"]);
  assert.deepEqual([absent.stdout, absent.stderr], ["", ""], "a true absence needs no reason");
});

Deno.test("text in a pipe has no cap of its own, as grep has none", async () => {
  await using tree = await tempTree(MANY);
  const countOf = ({ stdout }: Run) => stdout.split("\n").length - 1;
  for (const args of [["--format", "text"], ["-N"], ["--vimgrep"], ["-o", "--format=text"]]) {
    const ran = await run(tree, ["needle", ...args]);
    assert.deepEqual([countOf(ran), ran.code, ran.stderr], [1235, 0, ""], args.join(" "));
  }
  const stdin = await pathgrep(["needle", "-", "--format=text"], {
    cwd: tree.root,
    stdin: MANY["many.txt"],
  });
  assert.equal(countOf(stdin), 1234);
  // What was asked for counts, and JSON has its cap.
  const text = (...args: string[]) => run(tree, ["needle", "--format", "text", ...args]);
  assert.match((await text("--max-results", "1000")).stderr, /found more than 1000 matches/);
  assert.match((await text("--on-overflow", "error")).stderr, /found more than 1000 matches/);
  assert.equal(countOf(await text("--on-overflow", "truncate")), 1000);
  assert.equal(countOf(await text("--max-results", "7", "--offset", "3")), 7);
  for (const format of ["json", "jsonl"]) {
    const { code, error } = (await run(tree, ["needle", "--format", format])).rows().at(-1);
    assert.equal(code, "search_too_broad", error);
  }
});

Deno.test("text at a terminal shows the first entries, how many there are and how to get all", async () => {
  await using tree = await tempTree(MANY);
  const rows = ({ stdout }: Run) => stdout.split("\n").length - 1;
  const first = await run(tree, ["needle"], true);
  assert.deepEqual([rows(first), first.code], [1000, 0]);
  assert.equal(
    first.stderr,
    "pathgrep: note: truncated: 1235 matches in 2 files in all; use --offset 1000 for the next " +
      "page, or --max-results 0 for all\n",
  );
  const next = await run(tree, ["needle", "--offset", "1000"], true);
  assert.deepEqual([rows(next), next.stderr], [235, ""]);
  const all = await run(tree, ["needle", "--max-results", "0"], true);
  assert.deepEqual([rows(all), all.stderr], [1235, ""]);
  const few = await run(tree, ["needle", "--max-results", "5"], true);
  assert.equal(rows(few), 5);
  const strict = await run(tree, ["needle", "--on-overflow", "error"], true);
  assert.deepEqual([strict.stdout, strict.code], ["", 2]);
  const short = await run(tree, ["needle", "--max-output-chars", "100"], true);
  assert.match(
    short.stderr,
    /1235 matches in 2 files in all; use --offset \d+ for the next page\n$/,
  );
  const json = await run(tree, ["needle", "--format", "json"], true);
  assert.equal(json.json().code, "search_too_broad");
});
