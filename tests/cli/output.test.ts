/**
 * What the command line writes, where, and with which exit status.
 *
 * @module
 */
import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { CLI, pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const test = testNeeding("perl");

const FILES = {
  "src/a.ts": "zero\none foo\ntwo\nthree foo\nfour\nfive\nsix\nseven foo\n",
  "src/b.ts": "foo\n",
  "c.md": "nothing\n",
};

Deno.test("text with -U numbers every line of a match", async () => {
  await using tree = await tempTree(FILES);
  const { stdout } = await pathgrep(
    ["-U", "-A1", "foo\\ntwo\\nthree", "--format", "text"],
    { cwd: tree.root },
  );
  assert.equal(
    stdout,
    "src/a.ts:2:one foo\nsrc/a.ts:3:two\nsrc/a.ts:4:three foo\nsrc/a.ts-5-four\n",
  );
});

Deno.test("text does not show a column that was not asked for, and says what was cut", async () => {
  await using tree = await tempTree({ "a.txt": `${"x".repeat(50)}foo${"y".repeat(50)}\n` });
  const { stdout, stderr } = await pathgrep(
    ["foo", "--max-line-length", "20", "--format", "text"],
    { cwd: tree.root },
  );
  assert.match(stdout, /^a\.txt:1:…x*foo.*…\n$/);
  assert.match(stderr, /1 long line was cut/);
});

Deno.test("control and direction characters are visible in text and escaped in JSON", async () => {
  const name = "evil\x1b[31m\u202e\n.txt";
  await using tree = await tempTree({ [name]: "foo \x1b]0;title\x07 \x9b31m \u2066 tab\t.\n" });
  const text = await pathgrep(["foo", "--format", "text"], { cwd: tree.root });
  assert.equal(
    text.stdout,
    "evil\\x1b[31m\\u202e\\n.txt:1:foo \\x1b]0;title\\x07 \\x9b31m \\u2066 tab\t.\n",
  );
  const { stdout, json } = await pathgrep(["foo"], { cwd: tree.root });
  // deno-lint-ignore no-control-regex -- none of these may be there
  assert.ok(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]/.test(stdout));
  assert.equal(json().matches[0].file, tree.path(name));
  assert.equal(json().matches[0].line, "foo \x1b]0;title\x07 \x9b31m \u2066 tab\t.");
});

Deno.test("an error in text is two lines at most: what is wrong, and what to do", async () => {
  await using tree = await tempTree(FILES);
  const failures: [args: string[], said: RegExp][] = [
    [["foo("], /^pathgrep: invalid pattern: [^\n]*\n {2}[^\n]*fixed[^\n]*\n$/],
    [
      ["foo", "src/bb.ts"],
      /^pathgrep: \/\S+ does not exist\n {2}did you mean src\/b\.ts\?\n$/,
    ],
    [["foo", "--max-results=1"], /^pathgrep: search too broad: [^\n]*\n {2}[^\n]*\n$/],
    [["foo", "--bogus"], /^pathgrep: invalid input: [^\n]*\n( {2}[^\n]*\n)?$/],
  ];
  for (const [args, said] of failures) {
    const { code, stderr, stdout } = await pathgrep([...args, "--format=text"], { cwd: tree.root });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, said);
  }
});

Deno.test("an error in text has no line of its own for what is in a name", async () => {
  await using tree = await tempTree(FILES);
  const { stderr } = await pathgrep(["foo", "a\nb\x1b[2J", "--format", "text"], { cwd: tree.root });
  // deno-lint-ignore no-control-regex -- none but the last may be there
  assert.match(stderr, /^[^\n\x1b]*a\\nb\\x1b\[2J does not exist\n {2}[^\n\x1b]*\n$/);
});

Deno.test("a closed standard output ends the program quietly, with the search's status", async () => {
  const line = "foo ".repeat(50) + "\n";
  await using tree = await tempTree({ "a.txt": line.repeat(5000) });
  for (const format of ["json", "jsonl", "text"]) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", CLI, "foo", `--format=${format}`, "--max-results=9999"],
      cwd: tree.root,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    assert.equal(await stderr, "", format);
    assert.equal((await child.status).code, 0, format);
  }
});

Deno.test("a large answer is written whole", async () => {
  await using tree = await tempTree({ "a.txt": `${"x".repeat(400)} foo\n`.repeat(9000) });
  for (const format of ["json", "jsonl"]) {
    const { stdout } = await pathgrep(
      ["foo", `--format=${format}`, "--max-results=9000", "--max-file-size=0"],
      { cwd: tree.root },
    );
    assert.equal(stdout.split("foo").length - 1, 9001, format);
    assert.ok(stdout.endsWith("}\n"), format);
  }
});

Deno.test("an answer that cannot be written is an error on standard error, with status 2", async () => {
  await using tree = await tempTree(FILES);
  for (const format of ["json", "jsonl", "text"]) {
    const { code, stderr } = await new Deno.Command("sh", {
      args: [
        "-c",
        `exec "$0" run -A "$1" foo --format=${format} > /dev/full`,
        Deno.execPath(),
        CLI,
      ],
      cwd: tree.root,
      stdin: "null",
    }).output();
    assert.equal(code, 2, format);
    assert.match(new TextDecoder().decode(stderr), /^pathgrep: search failed: [^\n]+\n$/, format);
  }
});

test("a slow reader of a non-blocking standard output gets the answer whole", async () => {
  await using tree = await tempTree({ "a.txt": `${"x".repeat(400)} foo\n`.repeat(2000) });
  const nonBlocking = "use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK); exec @ARGV";
  for (const format of ["json", "jsonl"]) {
    const search = ["run", "-A", CLI, "foo", `--format=${format}`, "--max-results=2000"];
    const child = new Deno.Command("perl", {
      args: ["-e", nonBlocking, Deno.execPath(), ...search],
      cwd: tree.root,
      stdin: "null",
      stdout: "piped",
    }).spawn();
    let answer = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      answer += piece;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.equal((await child.status).code, 0, format);
    const rows = answer.trimEnd().split("\n").map((row) => JSON.parse(row));
    assert.equal(rows.at(-1).count, 2000, format);
    assert.equal(answer.split(" foo").length - 1, 2000, format);
  }
});

Deno.test("--vimgrep shows the columns of a line's matches, also where the first is empty or trimmed", async () => {
  await using tree = await tempTree({ "a.txt": "bar foo foo\n", "b.txt": "   \u00e9 b\n" });
  const columnsOf = async (...args: string[]) => {
    const { stdout } = await pathgrep(["--vimgrep", ...args], { cwd: tree.root });
    return stdout.trimEnd().split("\n");
  };
  const foo = ["a.txt:1:5:bar foo foo", "a.txt:1:9:bar foo foo"];
  assert.deepEqual(await columnsOf("(?:foo|)", "a.txt"), foo);
  assert.deepEqual(await columnsOf("(foo)?", "a.txt"), foo);
  assert.deepEqual(await columnsOf("x*", "a.txt"), ["a.txt:1:1:bar foo foo"]);
  const blank = [1, 2, 3, 6].map((column) => `b.txt:1:${column}:\u00e9 b`);
  assert.deepEqual(await columnsOf("--trim", "\\s", "b.txt"), blank);
  assert.deepEqual(await columnsOf("--trim", "-o", "[^\\s]", "b.txt"), [
    "b.txt:1:4:\u00e9",
    "b.txt:1:7:b",
  ]);
  const args = ["--trim", "--color", "always", "--format", "text", "  +\u00e9|b", "b.txt"];
  const { stdout } = await pathgrep(args, { cwd: tree.root });
  assert.ok(stdout.endsWith("\x1b[1;31m\u00e9\x1b[0m \x1b[1;31mb\x1b[0m\n"), stdout);
});

Deno.test("a budget counts lines as they are trimmed, in every format", async () => {
  await using tree = await tempTree({ "a.txt": `${" ".repeat(300)}needle\n`.repeat(20) });
  for (const [format, chars] of [["text", 600], ["jsonl", 3000], ["json", 3000]] as const) {
    const { stdout, stderr } = await pathgrep([
      ...["--trim", "--format", format, "--max-output-chars", `${chars}`],
      ...["--on-overflow", "truncate", "needle"],
    ], { cwd: tree.root });
    assert.equal(stdout.split("needle").length - 1, format === "text" ? 20 : 21, stdout);
    assert.equal(stderr, "");
  }
});

Deno.test("an error in a pattern names options of the shell, whatever the layout", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  for (const pattern of ["fo\\o", "foo(", "a || b", "[z-a]", "a{2,1}"]) {
    const plain = await pathgrep(["--format", "text", pattern], { cwd: tree.root });
    assert.match(plain.stderr, /^pathgrep: invalid pattern: /);
    for (const layout of [["--color", "always"], ["--vimgrep"], ["-p"], ["-o", "--vimgrep"]]) {
      const { code, stderr } = await pathgrep([...layout, pattern], { cwd: tree.root });
      assert.deepEqual({ code, stderr }, { code: 2, stderr: plain.stderr }, pattern);
    }
  }
});

Deno.test("--vimgrep shows the first match of a line that is cut, and says that there may be others", async () => {
  await using tree = await tempTree({ "l.txt": `${"0".repeat(30)} needle ${"0".repeat(30)}\n` });
  const { stdout, stderr } = await pathgrep(["--vimgrep", "-M", "20", "needle|\\W$"], {
    cwd: tree.root,
  });
  assert.equal(stdout, "l.txt:1:32:…0000 needle 00000000…\n");
  assert.match(stderr, /only the first match of 1 line is shown: .*cut off/);
});

Deno.test("--vimgrep shows the first match of a line whose rows would be too long together", async () => {
  await using tree = await tempTree({ "l.txt": `${"a".repeat(30_000)}\n`.repeat(5) + "aa\n" });
  const { code, stdout, stderr } = await pathgrep(["--vimgrep", "-M", "0", "a"], {
    cwd: tree.root,
  });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.length, 5 * (30_000 + "l.txt:1:1:\n".length) + 2 * "l.txt:6:1:aa\n".length);
  assert.match(stderr, /only the first match of 5 lines is shown: .* too many/);
});

Deno.test("--vimgrep with -U has a row for each match, and no note unless rows are missing", async () => {
  const long = `${"a".repeat(30_000)}\n`;
  await using tree = await tempTree({ "l.txt": "foo foo x\nfoo\n", "m.txt": long });
  const run = (...args: string[]) => pathgrep(["-U", "--vimgrep", ...args], { cwd: tree.root });
  const each = await run("foo");
  assert.equal(each.stdout, "l.txt:1:1:foo foo x\nl.txt:1:5:foo foo x\nl.txt:2:1:foo\n");
  assert.equal(each.stderr, "");
  assert.equal((await run("-o", "foo")).stderr, "");
  const tooMany = await run("-M", "0", "a", "m.txt");
  assert.equal(tooMany.stdout, `m.txt:1:1:${long}`);
  assert.match(tooMany.stderr, /only the first match of 1 line is shown: .* too many/);
});
