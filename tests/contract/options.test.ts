/**
 * Every option of the table.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fails, files, found, lines, parseOne } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

Deno.test("-g and --include choose files, ! and --exclude exclude files", async () => {
  await using t = await tempTree({
    "a.ts": "x\n",
    "b.js": "x\n",
    "c.md": "x\n",
    "d/e.ts": "x\n",
    "d/e.test.ts": "x\n",
  });
  const list = async (...args: string[]) =>
    files(await found(["x", "-l", ...args], { cwd: t.root }), t.root);
  assert.deepEqual(await list("-g", "*.ts"), ["a.ts", "d/e.test.ts", "d/e.ts"]);
  assert.deepEqual(await list("--include=*.md", "-g*.js"), ["b.js", "c.md"]);
  assert.deepEqual(await list("-g", "!*.ts"), ["b.js", "c.md"]);
  assert.deepEqual(await list("--exclude", "*.ts"), ["b.js", "c.md"]);
  assert.deepEqual(await list("-g", "*.ts", "--exclude", "*.test.ts"), ["a.ts", "d/e.ts"]);
  assert.deepEqual(await list("-g", "*.ts", "-g", "!*.test.ts"), ["a.ts", "d/e.ts"]);
  assert.deepEqual(await list("--glob", "*.md"), ["c.md"]);
});

Deno.test("-t and -T take ripgrep's file types by name", async () => {
  await using t = await tempTree({ "a.ts": "x\n", "b.py": "x\n", "c.md": "x\n", "d.rs": "x\n" });
  const list = async (...args: string[]) =>
    files(await found(["x", "-l", ...args], { cwd: t.root }), t.root);
  assert.deepEqual(await list("-t", "ts"), ["a.ts"]);
  assert.deepEqual(await list("-tpy", "--type=rust"), ["b.py", "d.rs"]);
  assert.deepEqual(await list("-T", "md"), ["a.ts", "b.py", "d.rs"]);
  assert.deepEqual(await list("--type-not", "ts", "-Tpy", "-Trust"), ["c.md"]);
  await fails("invalid_input", ["x", "-t", "nosuchtype"], { cwd: t.root });
  const typeList = await pathgrep(["--type-list"], { cwd: t.root });
  assert.equal(typeList.code, 0);
  assert.match(typeList.stdout, /\bpy\b/);
  assert.match(typeList.stdout, /\*\.rs\b/);
});

Deno.test("--output-mode chooses among content, file and count, and -l and -c are short for two", async () => {
  await using t = await tempTree({ "a.txt": "x\nx\n", "b.txt": "x\n", "c.txt": "y\n" });
  const byDefault = await found(["x"], { cwd: t.root });
  assert.equal(byDefault.output_mode, "content");
  assert.equal(byDefault.count, 3);
  assert.deepEqual(await found(["x", "--output-mode", "content"], { cwd: t.root }), byDefault);
  for (const flag of [["-l"], ["--output-mode", "file"], ["--files-with-matches"]]) {
    const result = await found(["x", ...flag], { cwd: t.root });
    assert.equal(result.output_mode, "file");
    assert.deepEqual(result.files, [t.path("a.txt"), t.path("b.txt")]);
    assert.equal(result.count, 2);
  }
  for (const flag of [["-c"], ["--output-mode=count"], ["--count"]]) {
    const result = await found(["x", ...flag], { cwd: t.root });
    assert.equal(result.output_mode, "count");
    assert.deepEqual(result.counts, [
      { file: t.path("a.txt"), count: 2 },
      { file: t.path("b.txt"), count: 1 },
    ]);
    assert.equal(result.count, 3);
  }
  await fails("invalid_input", ["x", "--output-mode", "lines"], { cwd: t.root });
});

Deno.test("--engine takes auto and js, and a name that is no engine is refused", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const [auto, js] = await Promise.all([
    pathgrep(["x", "--engine", "auto"], { cwd: t.root }),
    pathgrep(["x", "--engine=js"], { cwd: t.root }),
  ]);
  assert.equal(auto.code, 0);
  assert.equal(auto.stdout, js.stdout);
  const bad = await fails("invalid_input", ["x", "--engine", "ack"], { cwd: t.root });
  assert.match(bad.error ?? "", /ack/);
});

Deno.test("the matching options do what their letters and long names say", async () => {
  await using t = await tempTree({
    "a.txt": "foo\nFOO\nfood\nfoo bar\nf.o\n",
  });
  const numbers = async (...args: string[]) => {
    const result = await found(args, { cwd: t.root });
    return (result.matches ?? []).map((match) => match.line_number);
  };
  assert.deepEqual(await numbers("foo"), [1, 3, 4]);
  for (const i of ["-i", "--ignore-case"]) {
    assert.deepEqual(await numbers(i, "foo"), [1, 2, 3, 4]);
  }
  for (const s of ["-S", "--smart-case"]) {
    assert.deepEqual(await numbers(s, "foo"), [1, 2, 3, 4]);
    assert.deepEqual(await numbers(s, "FOO"), [2]);
  }
  for (const f of ["-F", "--fixed-strings"]) assert.deepEqual(await numbers(f, "f.o"), [5]);
  for (const w of ["-w", "--word-regexp"]) assert.deepEqual(await numbers(w, "foo"), [1, 4]);
  for (const v of ["-v", "--invert-match"]) assert.deepEqual(await numbers(v, "foo"), [2, 5]);
  for (const x of ["-x", "--line-regexp"]) assert.deepEqual(await numbers(x, "foo"), [1]);
  for (const u of ["-U", "--multiline"]) assert.deepEqual(await numbers(u, "foo\\nFOO"), [1]);
});

Deno.test("-A, -B and -C give the lines around each match", async () => {
  await using t = await tempTree({ "a.txt": "1\n2\n3\nhit\n5\n6\n7\n" });
  const first = async (...args: string[]) => {
    const match = (await found(["hit", ...args], { cwd: t.root })).matches?.[0];
    return [match?.before, match?.after];
  };
  assert.deepEqual(await first(), [undefined, undefined]);
  assert.deepEqual(await first("-A", "2"), [undefined, ["5", "6"]]);
  assert.deepEqual(await first("-B", "1"), [["3"], undefined]);
  assert.deepEqual(await first("-C", "1"), [["3"], ["5"]]);
  assert.deepEqual(await first("--after-context=1"), [undefined, ["5"]]);
  assert.deepEqual(await first("--before-context", "2"), [["2", "3"], undefined]);
  assert.deepEqual(await first("--context", "9"), [["1", "2", "3"], ["5", "6", "7"]]);
  assert.deepEqual(await first("-C1", "-A2"), [["3"], ["5", "6"]]);
});

Deno.test("context does not change what the file and count modes answer", async () => {
  await using t = await tempTree({ "a.txt": "1\nhit\n3\n" });
  const [plain, context] = await Promise.all([
    pathgrep(["hit", "-c"], { cwd: t.root }),
    pathgrep(["hit", "-c", "-C2"], { cwd: t.root }),
  ]);
  assert.equal(plain.stdout, context.stdout);
});

Deno.test("-m bounds the matches of each file", async () => {
  await using t = await tempTree({ "a.txt": "x1\nx2\nx3\n", "b.txt": "x1\n" });
  for (const flag of [["-m", "2"], ["-m2"], ["--max-count", "2"], ["--max-count=2"]]) {
    const result = await found(["x", ...flag], { cwd: t.root });
    assert.deepEqual(lines(result, t.root), ["a.txt:1:x1", "a.txt:2:x2", "b.txt:1:x1"]);
  }
  const counts = await found(["x", "-c", "-m1"], { cwd: t.root });
  assert.equal(counts.count, 2);
});

Deno.test("1000 entries are an answer and 1001 are an error", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(1000) });
  assert.equal((await found(["x"], { cwd: t.root })).count, 1000);
  await t.write({ "b.txt": "x\n" });
  const error = await fails("search_too_broad", ["x"], { cwd: t.root });
  assert.equal(error.error, "search too broad: found more than 1000 matches");
});

Deno.test("--max-results caps the entries of every output mode", async () => {
  await using t = await tempTree({ "a.txt": "x\nx\n", "b.txt": "x\n", "c.txt": "x\n" });
  const cwd = { cwd: t.root };
  assert.equal((await found(["x", "--max-results", "4"], cwd)).count, 4);
  const content = await fails("search_too_broad", ["x", "--max-results", "3"], cwd);
  assert.equal(content.error, "search too broad: found more than 3 matches");
  assert.equal((await found(["x", "-l", "--max-results", "3"], cwd)).count, 3);
  await fails("search_too_broad", ["x", "-l", "--max-results", "2"], cwd);
  assert.equal((await found(["x", "-c", "--max-results", "3"], cwd)).counts?.length, 3);
  await fails("search_too_broad", ["x", "-c", "--max-results", "2"], cwd);
});

Deno.test("--on-overflow truncate gives the first entries in order and where to go on", async () => {
  await using t = await tempTree({ "a.txt": "x1\nx2\n", "b.txt": "x3\n", "c.txt": "x4\n" });
  const args = ["x", "--max-results", "3", "--on-overflow", "truncate"];
  const result = await found(args, { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:x1", "a.txt:2:x2", "b.txt:1:x3"]);
  assert.equal(result.truncated, true);
  assert.equal(result.next_offset, 3);
  const fits = await found(["x", "--max-results", "4", "--on-overflow", "truncate"], {
    cwd: t.root,
  });
  assert.equal(fits.count, 4);
  assert.ok(!("truncated" in fits) && !("next_offset" in fits));
  await fails("search_too_broad", ["x", "--max-results", "3", "--on-overflow", "error"], {
    cwd: t.root,
  });
});

Deno.test("--offset skips entries, implies truncation, and the pages joined are the whole", async () => {
  await using t = await tempTree({
    "a.txt": "x\n".repeat(5),
    "b/c.txt": "x\n".repeat(3),
    "d.txt": "x\n",
  });
  const whole = lines(await found(["x"], { cwd: t.root }), t.root);
  assert.equal(whole.length, 9);
  const pages: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page = await found(["x", "--max-results", "4", "--offset", `${offset}`], { cwd: t.root });
    pages.push(...lines(page, t.root));
    if (page.truncated) assert.equal(page.next_offset, pages.length);
    offset = page.next_offset;
  }
  assert.deepEqual(pages, whole);
  const names = await found(["x", "-l", "--max-results", "1", "--offset", "1"], { cwd: t.root });
  assert.deepEqual(files(names, t.root), ["b/c.txt"]);
  assert.equal(names.next_offset, 2);
});

Deno.test("files over --max-file-size are skipped in a walk with a note, and 0 is no limit", async () => {
  await using t = await tempTree({
    "at-limit.txt": `x${" ".repeat(1048575)}`,
    "big1.txt": `x${" ".repeat(1048576)}`,
    "big2.txt": `x${" ".repeat(2000000)}`,
  });
  const cwd = { cwd: t.root };
  const byDefault = await found(["x", "-l"], cwd);
  assert.deepEqual(files(byDefault, t.root), ["at-limit.txt"]);
  assert.ok(
    byDefault.notes?.includes(
      "2 files over 1048576 bytes were not searched, the first is big1.txt; " +
        "use --max-file-size 0, or use big1.txt as PATH",
    ),
  );
  const unlimited = await found(["x", "-l", "--max-file-size", "0"], cwd);
  assert.deepEqual(files(unlimited, t.root), ["at-limit.txt", "big1.txt", "big2.txt"]);
  assert.equal(unlimited.notes, undefined);
  const between = await found(["x", "-l", "--max-file-size", "1048577"], cwd);
  assert.deepEqual(files(between, t.root), ["at-limit.txt", "big1.txt"]);
});

Deno.test("a file named as the path is searched whatever its size", async () => {
  const filler = "filler line of a large file\n".repeat(200_000);
  await using t = await tempTree({ "big.log": `${filler}needle at the end` });
  const result = await found(["needle", "big.log"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["big.log:200001:needle at the end"]);
  const counted = await found(["filler", "-c", "big.log"], { cwd: t.root });
  assert.equal(counted.count, 200_000);
});

Deno.test("lines over --max-line-length are cut around the match, and 0 is no limit", async () => {
  const line = `${"a".repeat(3000)}needle${"b".repeat(3000)}`;
  await using t = await tempTree({ "a.txt": `${line}\nshort needle\n` });
  const cut = (await found(["needle"], { cwd: t.root })).matches;
  assert.equal(cut?.[0]?.line_truncated, true);
  assert.equal(cut?.[0]?.column, 3001);
  assert.ok((cut?.[0]?.line.length ?? 0) <= 2010, "about 2000 characters");
  assert.ok((cut?.[0]?.line.length ?? 0) >= 1900, "about 2000 characters");
  assert.match(cut?.[0]?.line ?? "", /needle/);
  assert.deepEqual(Object.keys(cut?.[1] ?? {}), ["file", "line_number", "line"]);
  const whole = await found(["needle", "--max-line-length", "0"], { cwd: t.root });
  assert.equal(whole.matches?.[0]?.line, line);
  assert.equal(whole.matches?.[0]?.line_truncated, undefined);
  const narrow = await found(["needle", "--max-line-length=20"], { cwd: t.root });
  assert.match(narrow.matches?.[0]?.line ?? "", /needle/);
  assert.equal(narrow.matches?.[1]?.line, "short needle");
});

Deno.test("--max-output-chars is a budget for the whole answer", async () => {
  await using t = await tempTree({ "a.txt": "needle in a line\n".repeat(100) });
  const all = await found(["needle"], { cwd: t.root });
  assert.equal(all.count, 100);
  const over = await fails("search_too_broad", ["needle", "--max-output-chars", "3000"], {
    cwd: t.root,
  });
  assert.match(over.error ?? "", /answer exceeds 3000 characters/);
  const pages: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const ran = await pathgrep(
      ["needle", "--max-output-chars", "3000", "--on-overflow", "truncate", "--offset"].concat(
        `${offset}`,
      ),
      { cwd: t.root },
    );
    assert.ok(ran.stdout.trimEnd().length <= 3000, `${ran.stdout.length} characters`);
    const page = parseOne(ran);
    assert.ok((page.matches?.length ?? 0) > 0);
    pages.push(...lines(page, t.root));
    assert.equal(page.truncated === true, pages.length < 100);
    offset = page.next_offset;
  }
  assert.deepEqual(pages, lines(all, t.root));
  for (const format of ["json", "jsonl"]) {
    for (const budget of [400, 777, 1500, 5000]) {
      const args = ["needle", `--max-output-chars=${budget}`, "--on-overflow=truncate"];
      const ran = await pathgrep([...args, "--format", format], { cwd: t.root });
      assert.ok(ran.stdout.length <= budget, `${format}: ${ran.stdout.length} over ${budget}`);
    }
  }
});

Deno.test("--max-depth bounds the directory levels", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "d/b.txt": "x\n", "d/e/c.txt": "x\n" });
  const list = async (depth: string) =>
    files(await found(["x", "-l", "--max-depth", depth], { cwd: t.root }), t.root);
  assert.deepEqual(await list("1"), ["a.txt"]);
  assert.deepEqual(await list("2"), ["a.txt", "d/b.txt"]);
  assert.deepEqual(await list("9"), ["a.txt", "d/b.txt", "d/e/c.txt"]);
});

test.slow("--timeout ends a search that cannot end itself", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(60)}b\n` });
  const error = await fails("search_timed_out", ["^(a+)+\\1$", "--timeout", "700"], {
    cwd: t.root,
    limit: 20_000,
  });
  assert.equal(error.error, "search timed out after 700 ms");
  assert.ok(Number.isInteger(error.files_searched));
  assert.ok((error.hint ?? "").length > 0);
  const none = await found(["a", "--timeout", "0"], { cwd: t.root });
  assert.equal(none.count, 1);
});

Deno.test("--sort path is by bytes of the path", async () => {
  const names = ["A.txt", "_.txt", "a-b.txt", "a.txt", "a/b.txt", "b.txt", "é.txt", "～.txt"];
  const emoji = "\u{1F600}.txt";
  await using t = await tempTree(
    Object.fromEntries([...names, emoji].map((name) => [name, "x\n"])),
  );
  for (const args of [["x", "-l"], ["x", "-l", "--sort", "path"], ["x"], ["x", "-c"]]) {
    assert.deepEqual(files(await found(args, { cwd: t.root }), t.root), [...names, emoji]);
  }
  const unordered = files(await found(["x", "-l", "--sort", "none"], { cwd: t.root }), t.root);
  assert.deepEqual(new Set(unordered), new Set([...names, emoji]));
});

Deno.test("--sort modified puts the newest first", async () => {
  await using t = await tempTree({ "a.txt": "x\nx\n", "b.txt": "x\n", "d/c.txt": "x\n" });
  await Deno.utime(t.path("a.txt"), 2000, 2000);
  await Deno.utime(t.path("b.txt"), 3000, 3000);
  await Deno.utime(t.path("d/c.txt"), 1000, 1000);
  const byTime = await found(["x", "-l", "--sort", "modified"], { cwd: t.root });
  assert.deepEqual(files(byTime, t.root), ["b.txt", "a.txt", "d/c.txt"]);
  const first = await found(
    ["x", "--sort=modified", "--max-results=2", "--on-overflow=truncate"],
    { cwd: t.root },
  );
  assert.deepEqual(lines(first, t.root), ["b.txt:1:x", "a.txt:1:x"]);
  await fails("invalid_input", ["x", "--sort", "size"], { cwd: t.root });
});

Deno.test("--no-hidden, --no-ignore and --follow change what the walk meets", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\n",
    ".hidden": "x\n",
    ".github/w.yml": "x\n",
    ".git/config": "x\n",
    "a.log": "x\n",
    "b.txt": "x\n",
    "d/c.txt": "x\n",
    "link.txt": { symlink: "b.txt" },
    "dlink": { symlink: "d" },
  });
  const list = async (...args: string[]) =>
    files(await found(["x", "-l", ...args], { cwd: t.root }), t.root);
  const usual = [".github/w.yml", ".hidden", "b.txt", "d/c.txt"];
  assert.deepEqual(await list(), usual);
  assert.deepEqual(await list("--hidden"), usual);
  assert.deepEqual(await list("--no-hidden"), ["b.txt", "d/c.txt"]);
  assert.deepEqual(await list("--no-ignore"), [
    ".github/w.yml",
    ".hidden",
    "a.log",
    ...usual.slice(2),
  ]);
  assert.deepEqual(await list("--follow"), usual, "canonical paths, each file once");
});

Deno.test("--column adds the column of the first match", async () => {
  await using t = await tempTree({ "a.txt": "\u{1F600}é needle needle\n" });
  const plain = await found(["needle"], { cwd: t.root });
  assert.deepEqual(Object.keys(plain.matches?.[0] ?? {}), ["file", "line_number", "line"]);
  const result = await found(["needle", "--column"], { cwd: t.root });
  assert.equal(result.matches?.[0]?.column, 4);
});

Deno.test("--format text prints file:line:text with relative paths", async () => {
  await using t = await tempTree({ "a.txt": "x1\ny\nx2\n", "d/b.txt": "x: 3\n" });
  const text = (...args: string[]) => pathgrep(["x", "--format", "text", ...args], { cwd: t.root });
  const content = await text();
  assert.equal(content.stdout, "a.txt:1:x1\na.txt:3:x2\nd/b.txt:1:x: 3\n");
  assert.equal(content.code, 0);
  assert.equal(content.stderr, "");
  assert.equal((await text("-l")).stdout, "a.txt\nd/b.txt\n");
  assert.equal((await text("-c")).stdout, "a.txt:2\nd/b.txt:1\n");
  assert.equal((await text("d")).stdout, "d/b.txt:1:x: 3\n");
  assert.equal((await text("d/b.txt")).stdout, "d/b.txt:1:x: 3\n");
  assert.equal((await text("d/b.txt", "--column")).stdout, "d/b.txt:1:1:x: 3\n");
  const absolute = await text("d/b.txt", "--paths", "absolute");
  assert.equal(absolute.stdout, `${t.path("d/b.txt")}:1:x: 3\n`);
  const none = await pathgrep(["absent", "--format", "text"], { cwd: t.root });
  assert.equal(none.stdout, "");
  assert.equal(none.code, 1);
});

Deno.test("--format text marks context lines with dashes and parts groups as grep does", async () => {
  await using t = await tempTree({ "a.txt": "1\nhit\n3\n4\n5\n6\nhit\n8\n" });
  const ran = await pathgrep(["hit", "--format", "text", "-C1"], { cwd: t.root });
  assert.equal(
    ran.stdout,
    "a.txt-1-1\na.txt:2:hit\na.txt-3-3\n--\na.txt-6-6\na.txt:7:hit\na.txt-8-8\n",
  );
  const merged = await pathgrep(["hit", "--format", "text", "-C3"], { cwd: t.root });
  assert.equal(
    merged.stdout,
    "a.txt-1-1\na.txt:2:hit\na.txt-3-3\na.txt-4-4\na.txt-5-5\na.txt-6-6\na.txt:7:hit\na.txt-8-8\n",
  );
  const before = await pathgrep(["hit", "--format", "text", "-B2"], { cwd: t.root });
  assert.equal(
    before.stdout,
    "a.txt-1-1\na.txt:2:hit\n--\na.txt-5-5\na.txt-6-6\na.txt:7:hit\n",
  );
  const after = await pathgrep(["hit", "--format", "text", "-A5"], { cwd: t.root });
  assert.equal(after.stdout, merged.stdout.slice("a.txt-1-1\n".length));
  await t.write({ "b.txt": "hit\n" });
  const two = await pathgrep(["hit", "--format", "text", "-C1"], { cwd: t.root });
  assert.equal(two.stdout, `${ran.stdout}--\nb.txt:1:hit\n`);
});

Deno.test("--format text puts notes and errors on stderr", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const noted = await pathgrep(["x", "a.txt", "-g", "*.md", "--format", "text"], { cwd: t.root });
  assert.equal(noted.stdout, "a.txt:1:x\n");
  assert.match(
    noted.stderr,
    /^pathgrep: note: include filter ignored because a specific file path was provided\n$/,
  );
  const failed = await pathgrep(["x", "../outside", "--format", "text"], { cwd: t.root });
  assert.equal(failed.stdout, "");
  assert.match(
    failed.stderr,
    new RegExp(`^pathgrep: path \\.\\./outside escapes project root ${t.root}\n`),
  );
  assert.equal(failed.code, 2);
});

Deno.test("--format json is one JSON object", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const [plain, json] = await Promise.all([
    pathgrep(["x"], { cwd: t.root }),
    pathgrep(["x", "--format", "json"], { cwd: t.root }),
  ]);
  assert.equal(plain.stdout, json.stdout);
  assert.match(plain.stdout, /^\{[^\n]*\}\n$/);
  assert.equal(plain.stderr, "");
  await fails("invalid_input", ["x", "--format", "xml"], { cwd: t.root });
});

Deno.test("--paths relative answers relative to the workspace root", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "../two/b.ts": "x\n" });
  const one = await found(["x", "src", "--paths", "relative"], { cwd: t.root });
  assert.equal(one.matches?.[0]?.file, "src/a.ts");
  const list = await found(["x", "-l", "--paths=relative"], { cwd: t.root });
  assert.deepEqual(list.files, ["src/a.ts"]);
  const two = await found(
    ["x", "-l", "--paths=relative", "--workspace", t.root, "--workspace", t.path("../two")],
    { cwd: "/" },
  );
  assert.deepEqual(new Set(two.files), new Set(["ws/src/a.ts", "two/b.ts"]));
  const absolute = await found(["x", "--paths", "absolute"], { cwd: t.root });
  assert.equal(absolute.matches?.[0]?.file, t.path("src/a.ts"));
});

Deno.test("--stats says what was searched and what was skipped", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "b.bin": "x\0\n",
    ".gitignore": "c.md\n",
    "c.md": "x\n",
  });
  const result = await found(["x", "--stats"], { cwd: t.root });
  const stats = result.stats ?? {};
  assert.equal(stats.engine, "js");
  assert.equal(typeof stats.elapsed_ms, "number");
  assert.equal(typeof stats.bytes, "number");
  assert.equal(typeof stats.files_searched, "number");
  assert.match(JSON.stringify(stats), /binary/);
  assert.equal((await found(["x"], { cwd: t.root })).stats, undefined);
});
