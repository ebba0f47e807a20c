/**
 * Every error code through the command line, its shape and its words.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type Answer,
  answer,
  assertErrorShape,
  command,
  fails,
  parseOne,
  withoutReadOverride,
} from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { encode, sh } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { testNeeding } from "../support/needs.ts";

const test = testNeeding("setpriv");
const MOD = new URL("../../mod.ts", import.meta.url);

Deno.test("invalid_input: a missing or empty pattern", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const args of [[], [""], ["search"], ["-i"], ["-e", ""]]) {
    const error = await fails("invalid_input", args, { cwd: t.root });
    assert.match(error.error ?? "", /pattern/i, args.join(" "));
  }
  const missing = await fails("invalid_input", [], { cwd: t.root });
  assert.equal(missing.error, "invalid input: pattern is missing");
  assert.match(missing.hint ?? "", /PATTERN/);
});

Deno.test("invalid_input: an unknown option is named", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const option of ["--includes=*.ts", "--frobnicate", "--max-result=3"]) {
    const error = await fails("invalid_input", ["x", option], { cwd: t.root });
    assert.ok(error.error?.includes(option.split("=")[0] ?? ""), error.error);
  }
  const near = await fails("invalid_input", ["x", "--max-result=3"], { cwd: t.root });
  assert.match(JSON.stringify(near), /--max-results/);
  const abbreviated = await fails("invalid_input", ["x", "--max-cou=3"], { cwd: t.root });
  assert.match(abbreviated.error ?? "", /did you mean --max-count\?/);
  const misspelt = await fails("invalid_input", ["x", "--incldue", "*.ts"], { cwd: t.root });
  assert.equal(
    misspelt.error,
    "invalid input: unknown option --incldue (did you mean --include?)",
  );
  assert.match(misspelt.hint ?? "", /--help/);
});

Deno.test("invalid_input: a value of the wrong type names the option, what came and what is accepted", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const numeric = "-m -A -B -C --max-results --offset --max-file-size --max-line-length " +
    "--max-output-chars --max-depth --timeout";
  for (const option of numeric.split(" ")) {
    const error = await fails("invalid_input", ["x", option, "lots"], { cwd: t.root });
    assert.match(error.error ?? "", /lots/, option);
    const accepted = option === "--max-file-size"
      ? /bytes, also with K, M or G$/
      : /; expected a whole number from [01]$/;
    assert.ok(error.error?.startsWith(`invalid input: option ${option} got "lots"`), error.error);
    assert.match(error.error ?? "", accepted, option);
  }
  for (const bad of ["-1", "1.5", "1e3x", "", "1e3"]) {
    const error = await fails("invalid_input", ["x", `--max-results=${bad}`], { cwd: t.root });
    assert.equal(
      error.error,
      `invalid input: option --max-results got "${bad}"; expected a whole number from 0`,
    );
  }
});

Deno.test("invalid_input: an option without its value", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const option of ["--include", "-m", "--format", "-e"]) {
    const error = await fails("invalid_input", ["x", option], { cwd: t.root });
    assert.ok(error.error?.includes(option), error.error);
  }
  const number = await fails("invalid_input", ["x", "--max-count"], { cwd: t.root });
  assert.equal(
    number.error,
    "invalid input: option --max-count needs a value: a whole number from 1",
  );
  const joined = await fails("invalid_input", ["x", "-iA"], { cwd: t.root });
  assert.match(joined.error ?? "", /option -A needs a value/);
});

Deno.test("invalid_input: a bad enum value is shown with those that are accepted", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const enums: [string, string[]][] = [
    ["--output-mode", ["file", "content", "count"]],
    ["--engine", ["auto", "js", "rg", "git", "grep"]],
    ["--on-overflow", ["error", "truncate"]],
    ["--sort", ["path", "modified", "none"]],
    ["--format", ["json", "jsonl", "text"]],
    ["--paths", ["absolute", "relative"]],
    ["--prompt", ["auto", "never"]],
  ];
  for (const [option, values] of enums) {
    const error = await fails("invalid_input", ["x", option, "wrong"], { cwd: t.root });
    const said = JSON.stringify(error);
    for (const word of [option, "wrong", ...values]) assert.ok(said.includes(word), said);
    assert.ok(error.error?.startsWith(`invalid input: option ${option} got "wrong"; expected `));
  }
});

Deno.test("invalid_input: a bad glob is quoted", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const glob of ["[", "{a,b", "*.{ts"]) {
    for (const option of ["--include", "--exclude"]) {
      const error = await fails("invalid_input", ["x", option, glob], { cwd: t.root });
      assert.ok(error.error?.includes(glob), error.error);
    }
  }
});

Deno.test("invalid_pattern: the reason is given and the pattern echoed", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const pattern of ["(", "a)", "[a", "*a", "(?<n>a)(?<n>b)", "a{2,1}", "(?P<n"]) {
    const error = await fails("invalid_pattern", [pattern], { cwd: t.root });
    assert.equal(error.pattern, pattern);
    assert.ok((error.error ?? "").length > "invalid pattern: ".length + 5);
  }
  const order = await fails("invalid_pattern", ["[z-a]"], { cwd: t.root });
  assert.match(order.error ?? "", /out of order/);
});

Deno.test("invalid_pattern: a hint offers fixed strings where the text reads as literal", async () => {
  await using t = await tempTree({ "a.txt": "foo(1)\n" });
  for (const pattern of ["foo(", "arr[0", "console.log("]) {
    const error = await fails("invalid_pattern", [pattern], { cwd: t.root });
    assert.match(error.hint ?? "", /-F|fixed/, pattern);
  }
});

Deno.test("a pattern that a search never reaches is judged all the same", async () => {
  await using t = await tempTree({ "empty/": null });
  await fails("invalid_pattern", ["(", "empty"], { cwd: t.root });
});

Deno.test("path_outside_workspace: the words, with the raw path and the root", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "../ws-evil/a.txt": "x\n" });
  for (
    const raw of [
      "..",
      "../ws-evil",
      "../ws-evil/a.txt",
      "/",
      "/etc",
      `${t.root}/../x`,
      `${t.root}-evil`,
    ]
  ) {
    const error = await fails("path_outside_workspace", ["x", raw], { cwd: t.root });
    assert.equal(
      error.error,
      `path resolution failed: path ${raw} escapes project root ${t.root}`,
    );
  }
});

Deno.test("path_outside_workspace: suggestions when a trailing part of the path is in the workspace", async () => {
  await using t = await tempTree({ "src/deep/a.ts": "x\n" });
  const foreign = "/home/somebody/project/src/deep/a.ts";
  const error = await fails("path_outside_workspace", ["x", foreign], { cwd: t.root });
  assert.ok(error.suggestions?.includes("src/deep/a.ts"), JSON.stringify(error));
  const other = await fails("path_outside_workspace", ["x", "/home/somebody/zzz"], { cwd: t.root });
  assert.equal(other.suggestions?.length ?? 0, 0);
});

Deno.test("path_empty: an empty project path", async () => {
  await using t = await tempTree({});
  for (const raw of ["", "   ", "\n"]) {
    const ran = await pathgrep(["resolve", raw, "--as", "project"], { cwd: t.root });
    const error = parseOne(ran);
    assertErrorShape(error);
    assert.equal(error.code, "path_empty");
    assert.equal(error.error, "path resolution failed: path is empty");
    assert.equal(ran.code, 2);
  }
  for (const as of ["file", "dir"]) {
    const error = await command(["resolve", "", "--as", as], { cwd: t.root });
    assert.equal(error.code, "path_empty", as);
    assert.equal(error.error, "path resolution failed: path is empty", as);
  }
});

Deno.test("path_not_found: the words, the input and the resolved path", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  const error = await fails("path_not_found", ["x", "src/./absent/b.ts"], { cwd: t.root });
  const resolved = t.path("src/absent/b.ts");
  assert.equal(error.error, `path resolution failed: Path does not exist: ${resolved}`);
  assert.equal(error.path, "src/./absent/b.ts");
  assert.equal(error.resolved_path, resolved);
  assert.equal(error.suggestions?.length ?? 0, 0);
});

Deno.test("path_not_found: below a file there is nothing (ENOTDIR)", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  const error = await fails("path_not_found", ["x", "src/a.ts/b"], { cwd: t.root });
  assert.equal(
    error.error,
    `path resolution failed: Path does not exist: ${t.path("src/a.ts/b")}`,
  );
});

test("path_access_denied: a directory that may not be entered (EACCES)", async () => {
  await using t = await tempTree({ "locked/a.txt": "x\n", "locked/d/": null });
  await Deno.chmod(t.path("locked"), 0o000);
  const error = await fails("path_access_denied", ["x", "locked/a.txt"], {
    cwd: t.root,
    wrapper: withoutReadOverride(),
  });
  assert.equal(
    error.error,
    `path resolution failed: Permission denied: ${t.path("locked/a.txt")}`,
  );
  for (const path of ["locked/d", "locked/absent"]) {
    const denied = await fails("path_access_denied", ["x", path], {
      cwd: t.root,
      wrapper: withoutReadOverride(),
    });
    assert.equal(denied.error, `path resolution failed: Permission denied: ${t.path(path)}`);
  }
});

test("path_access_denied: the resolved path is shown whole, and the given one, by whatever resolves it", async () => {
  await using t = await tempTree({ "locked/in/f.txt": "x\n" });
  await Deno.chmod(t.path("locked"), 0o000);
  for (const as of ["search", "file", "dir", "project"]) {
    const error = await command(["resolve", "--as", as, "locked/in/f.txt"], {
      cwd: t.root,
      wrapper: withoutReadOverride(),
    });
    assert.deepEqual(
      [error.code, error.error, error.path, error.resolved_path],
      [
        "path_access_denied",
        `path resolution failed: Permission denied: ${t.path("locked/in/f.txt")}`,
        "locked/in/f.txt",
        t.path("locked/in/f.txt"),
      ],
      as,
    );
  }
});

Deno.test("path_access_denied: a permission that was revoked is not an empty answer", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", "../two/b.txt": "needle\n" });
  const two = t.path("../two");
  const program = `
    import { Guard, listFiles, search, Searcher, Workspace } from "${MOD}";
    import assert from "node:assert/strict";
    const [ws, two] = Deno.args;
    const revoke = (...paths) => {
      for (const path of paths) Deno.permissions.revokeSync({ name: "read", path });
    };
    const isDenied = ({ code, message }) =>
      code === "path_access_denied" && message.includes("--allow-read=");
    const workspace = await Workspace.open(ws);
    const roots = await Workspace.open([ws, two]);
    await using searcher = new Searcher({ workspace, cache: "verified" });
    const query = { pattern: "needle" };
    await searcher.search(query);
    if (Deno.permissions.querySync({ name: "read", path: "/" }).state === "granted") {
      revoke(undefined);
    } else {
      revoke(two);
      const { count, notes } = await search(query, { workspace: roots });
      assert.equal(count, 1);
      assert.match(notes[0], /^1 file or directory (vanished|could not be read)/);
      const one = await search({ ...query, path: "a.txt" }, { workspace: roots });
      assert.equal(one.count, 1);
      await assert.rejects(search({ ...query, path: two }, { workspace: roots }), isDenied);
    }
    revoke(ws, two);
    await assert.rejects(search(query, { workspace }), isDenied);
    await assert.rejects(search(query, { workspace: roots }), isDenied);
    await assert.rejects(search({ ...query, path: "a.txt" }, { workspace }), isDenied);
    await assert.rejects(listFiles({}, { workspace }), isDenied);
    await assert.rejects(searcher.search(query), isDenied);
    await assert.rejects(new Guard({ workspace }).check("a.txt", "read"), isDenied);`;
  const script = `data:text/javascript,${encodeURIComponent(program)}`;
  for (const permission of ["-A", `--allow-read=${t.root},${two}`]) {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--no-prompt", permission, script, t.root, two],
      stderr: "piped",
    }).output();
    assert.ok(success, `${permission}: ${new TextDecoder().decode(stderr)}`);
  }
});

Deno.test("path_access_denied: the runtime's own refusal says which flag is missing", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "../two/b.txt": "x\n" });
  const error = await fails(
    "path_access_denied",
    ["x", "--workspace", t.root, "--workspace", t.path("../two")],
    { cwd: "/", permissions: [`--allow-read=${t.root}`] },
  );
  assert.match(error.error ?? "", /--allow-(?:fs-)?read/);
});

Deno.test("path_unsupported: a FIFO, a socket and a symlink loop end at once", async () => {
  await using t = await tempTree({ "loop": { symlink: "loop2" }, "loop2": { symlink: "loop" } });
  await sh("mkfifo pipe", t.root);
  const listener = Deno.listen({ transport: "unix", path: t.path("sock") });
  try {
    for (const name of ["pipe", "sock", "loop"]) {
      const error = await fails("path_unsupported", ["x", name], { cwd: t.root, limit: 15_000 });
      assert.equal(
        error.error,
        `path resolution failed: Path is neither a file nor a directory: ${t.path(name)}`,
      );
    }
  } finally {
    listener.close();
  }
});

Deno.test("search_too_broad: a hint with narrower calls and where the matches are", async () => {
  await using t = await tempTree({
    "many/a.txt": "x\n".repeat(30),
    "few/b.txt": "x\n".repeat(5),
  });
  const error = await fails("search_too_broad", ["x", "--max-results", "10"], { cwd: t.root });
  assert.equal(error.error, "search too broad: found more than 10 matches");
  assert.ok((error.hint ?? "").length > 0);
  assert.match(JSON.stringify(error.top_directories), /many/);
  assert.equal(error.pattern, "x");
});

Deno.test("engine_unavailable: an engine that may not be run is named with a way to get it", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const engine of ["rg", "git", "grep"]) {
    const error = await fails("engine_unavailable", ["x", "--engine", engine], {
      cwd: t.root,
      permissions: ["--allow-read"],
    });
    assert.ok(error.error?.includes(engine), error.error);
    assert.match(JSON.stringify(error), /--allow-(?:run|child-process)/);
  }
});

Deno.test("an error says the same whatever the output mode, in json and jsonl", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const errors: Answer[] = [];
  for (const flags of [[], ["-l"], ["-c"], ["--format", "jsonl"]]) {
    const { type: _, ...error } = await answer(["x", "absent", ...flags], { cwd: t.root });
    errors.push(error);
  }
  for (const error of errors) assert.deepEqual(error, errors[0]);
});

Deno.test("a path that no system call would take is an error like any other", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  for (const raw of ["n".repeat(300), "d/".repeat(3000) + "x", "\u{202e}bidi", "a\nb"]) {
    const error = await answer(["x", raw], { cwd: t.root });
    assert.ok(error.error !== undefined, raw.slice(0, 20));
  }
});

Deno.test("text errors are a line on stderr that cannot drive the terminal", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const ran = await pathgrep(["x", "absent\u001b[31mname", "--format", "text"], { cwd: t.root });
  assert.equal(ran.code, 2);
  assert.equal(ran.stdout, "");
  assert.match(ran.stderr, /^pathgrep: .*absent\\x1b\[31mname does not exist\n/);
  assert.ok(!encode(ran.stderr).includes(0x1b), "control characters do not reach the terminal");
});

Deno.test("in text, an error on a path begins with the path, where JSON has the category", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "sub/": null });
  const cases: [args: string[], json: string, text: string][] = [
    [["x", "no"], "Path does not exist: /ws/no", "/ws/no does not exist"],
    [["x", "c: d"], "Path does not exist: /ws/c: d", "/ws/c: d does not exist"],
    [["x", "a.txt/b"], "Path does not exist: /ws/a.txt/b", "/ws/a.txt/b does not exist"],
    [
      ["resolve", "--as", "dir", "a.txt"],
      "Path is not a directory: /ws/a.txt",
      "/ws/a.txt is not a directory",
    ],
    [["resolve", "--as", "file", "sub"], "Path is not a file: /ws/sub", "/ws/sub is not a file"],
    [["x", "../b"], "path ../b escapes project root /ws", "path ../b escapes project root /ws"],
  ];
  for (const [args, json, text] of cases) {
    const named = (line: string) => line.replaceAll("/ws", t.root);
    const { error } = await answer(args, { cwd: t.root });
    assert.equal(error, named(`path resolution failed: ${json}`));
    const ran = await pathgrep([...args, "--format", "text"], { cwd: t.root });
    assert.deepEqual([ran.code, ran.stdout], [2, ""]);
    assert.equal(ran.stderr.split("\n")[0], named(`pathgrep: ${text}`));
  }
});

Deno.test("messages never hold file contents", async () => {
  await using t = await tempTree({ "secret.txt": "S3CR3T-CONTENT\n".repeat(20) });
  for (
    const args of [
      ["S3CR3T", "--max-results", "5"],
      ["S3CR3T", "--max-output-chars", "100"],
      ["S3CR3T", "absent"],
      ["(", "secret.txt"],
    ]
  ) {
    const ran = await pathgrep(args, { cwd: t.root });
    assert.equal(ran.code, 2);
    assert.ok(!ran.stdout.includes("S3CR3T-CONTENT"));
    assert.ok(!ran.stderr.includes("S3CR3T-CONTENT"));
  }
});
