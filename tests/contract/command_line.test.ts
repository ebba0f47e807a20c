/**
 * Commands, operands, habits of ripgrep and grep, exit status.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  answer,
  assertErrorShape,
  command,
  files,
  found,
  lines,
  parseOne,
} from "../support/acceptance.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { encode } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("search is the default command and can be named", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const [plain, named] = await Promise.all([
    pathgrep(["needle"], { cwd: t.root }),
    pathgrep(["search", "needle"], { cwd: t.root }),
  ]);
  assert.equal(plain.code, 0);
  assert.equal(plain.stdout, named.stdout);
});

Deno.test("a first argument that names a command is that command, and -e, search or -- gets round it", async () => {
  await using t = await tempTree({ "a.txt": "list of files\n", "b.txt": "other\n" });
  const asCommand = await command(["files"], { cwd: t.root });
  assert.deepEqual(files(asCommand, t.root), ["a.txt", "b.txt"]);
  for (const args of [["-e", "files"], ["search", "files"], ["--", "files"]]) {
    const result = await found(args, { cwd: t.root });
    assert.equal(result.pattern, "files");
    assert.deepEqual(lines(result, t.root), ["a.txt:1:list of files"]);
  }
});

Deno.test("with -e any of the patterns matches, pattern echoes all, and every operand is a path", async () => {
  await using t = await tempTree({ "a.txt": "one\ntwo\nthree\n", "b.txt": "one\n" });
  const result = await found(["-e", "one", "a.txt", "--regexp", "three"], { cwd: t.root });
  assert.equal(result.pattern, "one\nthree");
  assert.equal(result.base_path, t.path("a.txt"));
  assert.deepEqual(lines(result, t.root), ["a.txt:1:one", "a.txt:3:three"]);
  const joined = await found(["-eone", "--regexp=two", "b.txt"], { cwd: t.root });
  assert.deepEqual(lines(joined, t.root), ["b.txt:1:one"]);
});

Deno.test("each -e pattern is a pattern of its own, whatever the others hold", async () => {
  await using t = await tempTree({ "a.txt": "ab\nxx\ncd\nCD\nxy\n" });
  const result = await found(["-e", "a|b", "-e", "(.)\\1", "-e", "(?i)cd"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:ab", "a.txt:2:xx", "a.txt:3:cd", "a.txt:4:CD"]);
});

Deno.test("-- ends the options, and a pattern may begin with a dash after -e", async () => {
  await using t = await tempTree({ "a.txt": "run -x now\n", "-dash.txt": "-x\n" });
  const dashed = await found(["--", "-x", "a.txt"], { cwd: t.root });
  assert.equal(dashed.pattern, "-x");
  assert.deepEqual(lines(dashed, t.root), ["a.txt:1:run -x now"]);
  const valued = await found(["-e", "-x", "--", "-dash.txt"], { cwd: t.root });
  assert.deepEqual(lines(valued, t.root), ["-dash.txt:1:-x"]);
  for (const joined of ["-e-x", "--regexp=-x"]) {
    const result = await found([joined, "a.txt"], { cwd: t.root });
    assert.equal(result.pattern, "-x", joined);
  }
});

Deno.test("options may stand before, between and after the operands", async () => {
  await using t = await tempTree({ "src/a.ts": "Needle\n" });
  for (
    const args of [["-i", "needle", "src"], ["needle", "-i", "src"], ["needle", "src", "-i"]]
  ) {
    assert.deepEqual(lines(await found(args, { cwd: t.root }), t.root), ["src/a.ts:1:Needle"]);
  }
});

Deno.test("--workspace moves the workspace, and relative paths follow it", async () => {
  await using t = await tempTree({ "src/a.ts": "needle\n", "../elsewhere/src/b.ts": "needle\n" });
  const result = await found(["needle", "src", "--workspace", t.root], {
    cwd: t.path("../elsewhere"),
  });
  assert.deepEqual(files(result, t.root), ["src/a.ts"]);
  assert.equal(result.base_path, t.path("src"));
  const relativeRoot = await found(["needle", `--workspace=../ws`], {
    cwd: t.path("../elsewhere"),
  });
  assert.equal(relativeRoot.base_path, t.root);
});

Deno.test("several workspaces are searched together, and a relative path means every one that has it", async () => {
  await using t = await tempTree({
    "a.txt": "needle a\n",
    "shared.txt": "needle first\n",
    "../two/b.txt": "needle b\n",
    "../two/shared.txt": "needle second\n",
    "../two/only/c.txt": "needle c\n",
  });
  const roots = ["--workspace", t.root, "--workspace", t.path("../two")];
  const all = await found(["needle", ...roots], { cwd: "/" });
  assert.equal(all.base_path, t.root);
  assert.deepEqual(all.base_paths, [t.root, t.path("../two")]);
  assert.deepEqual(
    new Set(files(all, t.base)),
    new Set([
      "two/b.txt",
      "two/only/c.txt",
      "two/shared.txt",
      "ws/a.txt",
      "ws/shared.txt",
    ]),
  );
  const shared = await found(["needle", "shared.txt", ...roots], { cwd: "/" });
  assert.deepEqual(
    new Set(lines(shared, t.base)),
    new Set([
      "ws/shared.txt:1:needle first",
      "two/shared.txt:1:needle second",
    ]),
  );
  assert.deepEqual(shared.notes, [
    'path "shared.txt" was resolved in each root that has it: ws/shared.txt, two/shared.txt',
  ]);
  const second = await found(["needle", "only", ...roots], { cwd: "/" });
  assert.deepEqual(lines(second, t.base), ["two/only/c.txt:1:needle c"]);
});

Deno.test("every command answers --help and --version on stdout", async () => {
  await using t = await tempTree({});
  for (const name of [[], ["search"], ["resolve"], ["files"], ["doctor"]]) {
    const help = await pathgrep([...name, "--help"], { cwd: t.root });
    assert.equal(help.code, 0, name.join());
    assert.match(help.stdout, /--workspace/);
    assert.equal(help.stderr, "");
    const version = await pathgrep([...name, "--version"], { cwd: t.root });
    assert.equal(version.code, 0, name.join());
    assert.match(version.stdout, /\d+\.\d+\.\d+/);
  }
  const { version } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  for (const args of [["-V"], ["files", "--version"]]) {
    assert.equal((await pathgrep(args, { cwd: t.root })).stdout, `pathgrep ${version}\n`);
  }
});

Deno.test("the help names every option of the contract", async () => {
  await using t = await tempTree({});
  const help = (await pathgrep(["--help"], { cwd: t.root })).stdout;
  const options = "--include --exclude --type --type-not --type-list --output-mode --engine " +
    "--max-count --max-results --on-overflow --offset --max-file-size --max-line-length " +
    "--max-output-chars --max-depth --timeout --sort --no-hidden --no-ignore --follow --column " +
    "--format --paths --stats --allow --deny --prompt --workspace --help --version";
  for (const option of options.split(" ")) {
    assert.ok(help.includes(option), option);
  }
  for (const letter of "g t T l c i S F w v U x A B C m".split(" ")) {
    assert.match(help, new RegExp(`(^|[\\s,])-${letter}\\b`, "m"));
  }
  for (const shown of ["-g, --include GLOB", "--on-overflow error|truncate", "resolve PATH"]) {
    assert.ok(help.includes(shown), shown);
  }
  assert.match(help, /Examples:/);
  assert.ok(!help.includes("--no-config"));
});

Deno.test("joined short options work", async () => {
  await using t = await tempTree({ "a.txt": "0\nX\n2\n" });
  const result = await found(["-iC1", "x"], { cwd: t.root });
  assert.deepEqual(result.matches?.[0]?.before, ["0"]);
  assert.deepEqual(result.matches?.[0]?.after, ["2"]);
  assert.equal((await found(["-iF", "x"], { cwd: t.root })).count, 1);
  assert.equal((await found(["-ilg*.txt", "x"], { cwd: t.root })).count, 1);
  assert.equal((await found(["-inex"], { cwd: t.root })).pattern, "x");
  for (const options of [["-i", "-C=1"], ["-i1"], ["-i", "-A1", "-B", "1"]]) {
    const { matches } = await found([...options, "x"], { cwd: t.root });
    assert.deepEqual([matches?.[0]?.before, matches?.[0]?.after], [["0"], ["2"]]);
  }
});

Deno.test("grep's and ripgrep's usual no-ops change nothing", async () => {
  await using t = await tempTree({ "a.txt": "x+y\nxxy\n" });
  const plain = (await pathgrep(["x+y"], { cwd: t.root })).stdout;
  const noOps = [
    ["-n"],
    ["-H"],
    ["-E"],
    ["-P"],
    ["-nHE"],
    ["-nHEPI"],
    ["--hidden"],
    ["--no-heading"],
    ["--color", "never"],
    ["--color=auto"],
    ["--line-number", "--with-filename"],
    ["--extended-regexp"],
    ["--perl-regexp"],
  ];
  for (const noOp of noOps) {
    const ran = await pathgrep([...noOp, "x+y"], { cwd: t.root });
    assert.equal(ran.stdout, plain, noOp.join(" "));
  }
});

Deno.test("-r and -R do nothing and say so in a note", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const flag of ["-r", "-R", "--recursive"]) {
    const result = await found([flag, "x", "."], { cwd: t.root });
    assert.equal(result.pattern, "x");
    assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
    assert.equal(result.notes?.length, 1, flag);
    const letter = flag === "-R" ? "-R" : "-r";
    assert.ok(result.notes?.[0]?.startsWith(`${letter} was ignored`), result.notes?.[0]);
  }
  const joined = await found(["-rn", "x"], { cwd: t.root });
  assert.equal(joined.count, 1);
  const counted = await found(["-r", "x", "--stats"], { cwd: t.root });
  assert.deepEqual(Object.keys(counted).slice(-3), ["count", "notes", "stats"]);
});

Deno.test("-o gives the matched parts only", async () => {
  await using t = await tempTree({ "a.txt": "ab12cd345\nnone\n" });
  for (const flag of ["-o", "--only-matching"]) {
    const text = await pathgrep([flag, "[0-9]+", "--format", "text"], { cwd: t.root });
    assert.equal(text.stdout, "a.txt:1:12\na.txt:1:345\n");
    const json = await found([flag, "[0-9]+"], { cwd: t.root });
    assert.deepEqual(lines(json, t.root), ["a.txt:1:12", "a.txt:1:345"]);
  }
});

Deno.test("--files-without-match lists the files that hold no match", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "b.txt": "y\n", "c.txt": "" });
  const result = await found(["x", "--files-without-match"], { cwd: t.root });
  assert.deepEqual(files(result, t.root), ["b.txt", "c.txt"]);
  assert.deepEqual(files(await found(["-L", "x"], { cwd: t.root }), t.root), ["b.txt", "c.txt"]);
});

Deno.test("-q prints nothing and answers by exit status", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const flag of ["-q", "--quiet"]) {
    const hit = await pathgrep([flag, "x"], { cwd: t.root });
    assert.deepEqual([hit.code, hit.stdout], [0, ""]);
    const miss = await pathgrep([flag, "absent"], { cwd: t.root });
    assert.deepEqual([miss.code, miss.stdout], [1, ""]);
    assert.deepEqual([hit.stderr, miss.stderr], ["", ""]);
  }
  for (const format of ["jsonl", "text"]) {
    for (const [pattern, status] of [["x", 0], ["absent", 1]] as const) {
      const { code, stdout, stderr } = await pathgrep(["-q", pattern, "--format", format], {
        cwd: t.root,
      });
      assert.deepEqual([code, stdout, stderr], [status, "", ""], `${format} ${pattern}`);
    }
  }
  const broken = await pathgrep(["-q", "(x"], { cwd: t.root });
  assert.equal(broken.code, 2);
});

Deno.test("filters do not count for stdin, which a note says", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const filters = ["-g", "*.ts", "--exclude", "*.md", "-t", "rust"];
  const cases = [
    [["-"], "ignored because a specific file path was provided"],
    [
      [".", "-"],
      "ignored for (stdin) because a specific file path was provided; it applies in the directories",
    ],
  ] as const;
  for (const [paths, said] of cases) {
    const result = await found(["needle", ...filters, ...paths], {
      cwd: t.root,
      stdin: "needle\n",
    });
    assert.deepEqual(result.matches, [{ file: "(stdin)", line_number: 1, line: "needle" }]);
    assert.deepEqual(
      result.notes,
      ["include", "exclude", "type"].map((name) => `${name} filter ${said}`),
    );
  }
});

Deno.test("a path of - reads stdin as the file (stdin)", async () => {
  await using t = await tempTree({ "a.txt": "needle in a file\n" });
  const result = await found(["needle", "-"], { cwd: t.root, stdin: "one\ntwo needle\r\nthree" });
  assert.deepEqual(result.matches, [{ file: "(stdin)", line_number: 2, line: "two needle" }]);
  const both = await found(["needle", "a.txt", "-"], { cwd: t.root, stdin: "needle" });
  assert.deepEqual(both.matches?.map(({ file }) => file).sort(), ["(stdin)", t.path("a.txt")]);
  const listed = await found(["needle", "-l", "-"], { cwd: t.root, stdin: "needle" });
  assert.deepEqual(listed.files, ["(stdin)"]);
  const text = await pathgrep(["needle", "-", "--format", "text"], {
    cwd: t.root,
    stdin: "a needle",
  });
  assert.equal(text.stdout, "(stdin):1:a needle\n");
  const none = await answer(["absent", "-"], { cwd: t.root, stdin: "text" });
  assert.equal(none.count, 0);
  const utf16 = new Uint8Array([0xff, 0xfe, ...[..."needle"].flatMap((c) => [c.charCodeAt(0), 0])]);
  assert.equal((await found(["^needle$", "-"], { cwd: t.root, stdin: utf16 })).count, 1);
});

Deno.test("without a path, stdin is searched if it has something to read", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const ask = async (args: readonly string[], stdin: string) => {
    const { base_path, count } = await found(args, { cwd: t.root, stdin, process: true });
    return `${count} in ${base_path}`;
  };
  assert.equal(await ask(["needle"], "needle from stdin\n"), "1 in (stdin)");
  assert.equal(await ask(["needle", "."], "needle from stdin\n"), `1 in ${t.root}`);
  assert.equal(await ask(["needle"], ""), `1 in ${t.root}`);
});

Deno.test("the exit status is 0 with a match, 1 without, 2 on an error, in every format", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const format of ["json", "jsonl", "text"]) {
    for (const [pattern, status] of [["x", 0], ["absent", 1], ["(", 2]] as const) {
      const ran = await pathgrep([pattern, "--format", format], { cwd: t.root });
      assert.equal(ran.code, status, `${format} ${pattern}`);
      if (format !== "text") assert.equal(ran.stderr, "", `${format} ${pattern}`);
    }
  }
});

Deno.test("an argument error is one JSON object on stdout too, and a line on stderr for text", async () => {
  await using t = await tempTree({});
  const json = await pathgrep(["x", "--bogus"], { cwd: t.root });
  assertErrorShape(parseOne(json));
  assert.equal(json.code, 2);
  const jsonl = await pathgrep(["x", "--bogus", "--format", "jsonl"], { cwd: t.root });
  assertErrorShape(parseOne(jsonl));
  assert.equal(parseOne(jsonl)["type"], "error");
  assert.deepEqual([json.stderr, jsonl.stderr], ["", ""]);
  const text = await pathgrep(["x", "--bogus", "--format", "text"], { cwd: t.root });
  assert.equal(text.stdout, "");
  assert.match(text.stderr, /^pathgrep: invalid input: unknown option --bogus\n.*\n$/);
  assert.equal(text.code, 2);
});

Deno.test("resolve answers how a path is read, as a search, file, dir or project path", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  const cwd = { cwd: t.root };
  const file = await command(["resolve", "src/../src/a.ts"], cwd);
  assert.deepEqual(file, {
    input: "src/../src/a.ts",
    path: t.path("src/a.ts"),
    kind: "file",
    relative: "src/a.ts",
  });
  assert.deepEqual(Object.keys(file), ["input", "path", "kind", "relative"]);
  const directory = await command(["resolve", "src", "--as", "search"], cwd);
  assert.equal(directory.kind, "directory");
  assert.equal(directory.relative, "src");
  assert.equal((await command(["resolve", "src", "--as", "dir"], cwd)).path, t.path("src"));
  assert.equal(
    (await command(["resolve", "src/a.ts", "--as", "file"], cwd)).path,
    t.path("src/a.ts"),
  );
  assert.equal(
    (await command(["resolve", "new.ts", "--as", "project"], cwd)).path,
    t.path("new.ts"),
  );
  assert.equal((await command(["resolve", ""], cwd)).kind, "all-workspaces");
  assert.deepEqual(
    await command(["resolve", " "], cwd),
    { input: " ", path: t.root, kind: "all-workspaces", relative: "." },
  );
  const bad = await command(["resolve", "src", "--as", "folder"], cwd);
  assert.equal(bad.code, "invalid_input");
});

Deno.test("resolve --as file wants a file and --as dir a directory", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  const cwd = { cwd: t.root };
  const notFile = await pathgrep(["resolve", "src", "--as", "file"], cwd);
  assert.equal(notFile.code, 2, notFile.stdout);
  assert.equal(parseOne(notFile).code, "path_unsupported");
  assert.match(parseOne(notFile).error ?? "", /Path is not a file: /);
  const notDirectory = await command(["resolve", "src/a.ts", "--as", "dir"], cwd);
  assert.equal(notDirectory.code, "path_unsupported");
  assert.ok(notDirectory.error?.endsWith(`: Path is not a directory: ${t.path("src/a.ts")}`));
});

Deno.test("resolve --field names the field in errors", async () => {
  await using t = await tempTree({});
  const cwd = { cwd: t.root };
  const escaped = await command(
    ["resolve", "../x", "--as", "project", "--field", "file_path"],
    cwd,
  );
  assert.equal(
    escaped.error,
    `path resolution failed: file_path ../x escapes project root ${t.root}`,
  );
  const byDefault = await command(["resolve", "../x", "--as", "project"], cwd);
  assert.equal(byDefault.error, `path resolution failed: path ../x escapes project root ${t.root}`);
  for (const as of ["search", "file", "dir"]) {
    assert.equal((await command(["resolve", "../x", "--as", as], cwd)).error, byDefault.error, as);
  }
  const empty = await command(["resolve", " ", "--as", "project", "--field=target_dir"], cwd);
  assert.equal(empty.error, "path resolution failed: target_dir is empty");
  assert.equal(empty.code, "path_empty");
});

Deno.test("files lists what a search would read, in file-mode shape", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\n",
    "a.txt": "x\n",
    "b.log": "x\n",
    "d/c.txt": "x\n",
    ".env": "x\n",
  });
  const cwd = { cwd: t.root };
  const all = await command(["files"], cwd);
  assert.deepEqual(files(all, t.root), [".gitignore", "a.txt", "d/c.txt"]);
  assert.equal(all.count, 3);
  assert.equal(all.output_mode, "file");
  assert.equal(all.base_path, t.root);
  assert.deepEqual(files(await command(["files", "d"], cwd), t.root), ["d/c.txt"]);
  assert.deepEqual(files(await command(["files", "a.txt", "d"], cwd), t.root), [
    "a.txt",
    "d/c.txt",
  ]);
  assert.deepEqual(files(await command(["files", "-g", "*.txt"], cwd), t.root), [
    "a.txt",
    "d/c.txt",
  ]);
  assert.equal((await command(["files", "../x"], cwd)).code, "path_outside_workspace");
  const text = await pathgrep(["files", "--format", "text"], cwd);
  assert.equal(text.stdout, ".gitignore\na.txt\nd/c.txt\n");
  const typed = await pathgrep(["files", "d", "-ttxt", "--format", "text"], cwd);
  assert.equal(typed.stdout, "d/c.txt\n");
});

Deno.test("doctor is one JSON object about engines, permissions, workspace and versions", async () => {
  await using t = await tempTree({});
  const ran = await pathgrep(["doctor"], { cwd: t.root });
  assert.equal(ran.code, 0);
  const report = parseOne(ran);
  const text = JSON.stringify(report);
  for (const word of ["js", "rg", "git", "grep", "read", t.root, Deno.version.deno]) {
    assert.ok(text.includes(word), word);
  }
  assert.equal(ran.stderr, "");
  const { versions, engines, permissions, workspace } = JSON.parse(ran.stdout);
  assert.equal(versions.deno, Deno.version.deno);
  assert.deepEqual(Object.keys(engines), ["js", "rg", "git", "grep"]);
  assert.equal(engines.js.available, true);
  assert.equal(permissions.read, "granted");
  assert.deepEqual(workspace, { roots: [t.root], readable: true });
});

Deno.test("the last of contradicting values wins", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const result = await found(["x", "--output-mode", "count", "-l"], { cwd: t.root });
  assert.equal(result.output_mode, "file");
  const mode = async (...args: string[]) =>
    (await found([...args, "x"], { cwd: t.root })).output_mode;
  assert.equal(await mode("-l", "-c"), "count");
  assert.equal(await mode("-lc", "--output-mode", "content"), "content");
});

Deno.test("text that is not ASCII passes through arguments and answers unchanged", async () => {
  await using t = await tempTree({ "ünï/日本.txt": "naïve \u{1F600} Straße\n" });
  const result = await found(["naïve \u{1F600}", "ünï"], { cwd: t.root });
  assert.equal(result.pattern, "naïve \u{1F600}");
  assert.deepEqual(lines(result, t.root), ["ünï/日本.txt:1:naïve \u{1F600} Straße"]);
  const ran = await pathgrep(["naïve", "--format", "text"], { cwd: t.root });
  assert.deepEqual(ran.bytes, encode("ünï/日本.txt:1:naïve \u{1F600} Straße\n"));
});
