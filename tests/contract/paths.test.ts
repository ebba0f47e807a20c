/**
 * How a path is read and held inside the workspace, and working directories.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  answer,
  command,
  fails,
  files,
  found,
  lines,
  withoutReadOverride,
} from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { testNeeding } from "../support/needs.ts";

const test = testNeeding("setpriv");

/** What `resolve` says about a path, as `relative` and whether it said a note. */
async function resolved(t: Tree, raw: string): Promise<[unknown, boolean]> {
  const result = await command(["resolve", "--", raw], { cwd: t.root });
  assert.equal(result.error, undefined, JSON.stringify(result));
  assert.equal(result.input, raw);
  return [result.relative, result.notes !== undefined];
}

Deno.test("a path may be absolute or relative, a file or a directory", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  for (const path of ["src", "./src", "src/", "src/.", "src/../src", t.path("src")]) {
    const result = await command(["resolve", path], { cwd: t.root });
    assert.equal(result.kind, "directory");
    assert.equal(result.path, t.path("src"));
    assert.equal(result.relative, "src");
    assert.equal(result.notes, undefined, path);
  }
  for (
    const path of ["src/a.ts", "./src//a.ts", t.path("src/a.ts"), t.path("absent/../src/a.ts")]
  ) {
    const result = await command(["resolve", path], { cwd: t.root });
    assert.equal(result.kind, "file");
    assert.equal(result.path, t.path("src/a.ts"));
    assert.equal(result.notes, undefined, path);
  }
});

Deno.test("an omitted, empty or blank path means all workspace roots", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "../two/b.txt": "x\n" });
  const roots = ["--workspace", t.root, "--workspace", t.path("../two")];
  for (const path of [[], [""], ["  \t"], ["\n"]]) {
    const result = await found(["x", ...path, ...roots], { cwd: "/" });
    assert.deepEqual(new Set(files(result, t.base)), new Set(["ws/a.txt", "two/b.txt"]));
    assert.deepEqual(result.base_paths, [t.root, t.path("../two")]);
    assert.equal(result.notes, undefined);
  }
});

Deno.test("white space around a path is dropped without a note", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  for (const raw of [" src/a.ts", "src/a.ts\n", "\tsrc/a.ts \r\n"]) {
    assert.deepEqual(await resolved(t, raw), ["src/a.ts", false]);
  }
});

Deno.test("a name with spaces inside is that name", async () => {
  await using t = await tempTree({ "my dir/a b.txt": "x\n" });
  assert.deepEqual(await resolved(t, "my dir/a b.txt"), ["my dir/a b.txt", false]);
});

Deno.test("containment is separator-aware", async () => {
  await using t = await tempTree({ "../ws-evil/a.txt": "x\n", "../ws.txt": "x\n", "a.txt": "x\n" });
  for (const raw of ["../ws-evil", `${t.root}-evil/a.txt`, "../ws.txt", `${t.root}.txt`]) {
    await fails("path_outside_workspace", ["x", raw], { cwd: t.root });
  }
  const result = await found(["x", `${t.base}/ws-evil/../ws/a.txt`], { cwd: t.root });
  assert.equal(result.base_path, t.path("a.txt"));
});

Deno.test("names that begin with dots are names, not a way out", async () => {
  await using t = await tempTree({ "..a/b.txt": "x\n", "...": "x\n", "c..d": "x\n" });
  for (const raw of ["..a/b.txt", "...", "c..d"]) {
    assert.deepEqual(await resolved(t, raw), [raw, false]);
  }
});

Deno.test("a workspace given through a symlink answers canonical paths", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "../alias": { symlink: "ws" } });
  const result = await found(["x", "--workspace", t.path("../alias")], { cwd: "/" });
  assert.equal(result.base_path, t.root);
  assert.deepEqual(lines(result, t.root), ["src/a.ts:1:x"]);
  const absolute = await found(
    ["x", t.path("../alias/src/a.ts"), "--workspace", t.path("../alias")],
    { cwd: "/" },
  );
  assert.equal(absolute.base_path, t.path("src/a.ts"));
});

Deno.test("symlinks may lead anywhere inside the workspace", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "rel": { symlink: "src" },
    "abs": { symlink: "$WS/src/a.ts" },
    "chain": { symlink: "rel" },
    "deep/up": { symlink: "../src/a.ts" },
    "round": { symlink: "../ws/src" },
  });
  const expected: [string, string][] = [
    ["rel", "src"],
    ["rel/a.ts", "src/a.ts"],
    ["abs", "src/a.ts"],
    ["chain/a.ts", "src/a.ts"],
    ["deep/up", "src/a.ts"],
    ["round/a.ts", "src/a.ts"],
  ];
  for (const [raw, target] of expected) {
    assert.equal((await command(["resolve", raw], { cwd: t.root })).path, t.path(target), raw);
  }
});

const OUT: Record<string, TreeEntry> = {
  "../outside/secret.txt": "TOPSECRET\n",
  "../outside/dir/more.txt": "TOPSECRET\n",
  "file": { symlink: "../outside/secret.txt" },
  "dir": { symlink: "../outside" },
  "abs": { symlink: "$BASE/outside/secret.txt" },
  "absdir": { symlink: "$BASE/outside/dir" },
  "chain": { symlink: "chain2" },
  "chain2": { symlink: "sub/chain3" },
  "sub/chain3": { symlink: "../../outside" },
  "dangling": { symlink: "../outside/not-there" },
  "absdangling": { symlink: "$BASE/nowhere/at/all" },
  "toroot": { symlink: "/" },
  "toparent": { symlink: ".." },
};

Deno.test("symlinks never lead out: file, directory, chain, absolute, relative, dangling", async () => {
  await using t = await tempTree({ ...OUT, "a.txt": "nothing\n" });
  const ways = [
    "file",
    "dir",
    "dir/secret.txt",
    "dir/dir/more.txt",
    "dir/not-there",
    "dir/not/there/at/all",
    "abs",
    "absdir",
    "absdir/more.txt",
    "chain",
    "chain/secret.txt",
    "chain/new.txt",
    "dangling",
    "dangling/below",
    "absdangling",
    "toroot",
    "toroot/etc/passwd",
    "toparent",
    "toparent/outside",
  ];
  for (const raw of ways) {
    const error = await fails("path_outside_workspace", ["TOPSECRET", raw], { cwd: t.root });
    assert.equal(
      error.error,
      `path resolution failed: path ${raw} escapes project root ${t.root}`,
    );
    assert.ok(!JSON.stringify(error).includes(t.path("../outside")), "the way out is not shown");
    assert.ok(!JSON.stringify(error).includes("nowhere"), "the way out is not shown");
  }
});

Deno.test("a walk does not go through symlinks that lead out, even with --follow", async () => {
  await using t = await tempTree({ ...OUT, "a.txt": "TOPSECRET? no\n" });
  for (const flags of [[], ["--follow"], ["--follow", "--no-ignore"]]) {
    const result = await found(["TOPSECRET", ...flags], { cwd: t.root });
    assert.deepEqual(lines(result, t.root), ["a.txt:1:TOPSECRET? no"]);
  }
});

Deno.test("a way through a link and back by .. is judged by where it leads", async () => {
  await using t = await tempTree({
    "src/deep/a.ts": "x\n",
    "link": { symlink: "src/deep" },
    "b.ts": "x\n",
    "../b.ts": "TOPSECRET\n",
  });
  const result = await answer(["TOPSECRET", "link/../../../b.ts"], { cwd: t.root });
  assert.ok(result.error !== undefined || result.count === 0);
});

test.slow("what lies outside is never probed: existing and missing look the same", async () => {
  await using t = await tempTree({
    "../yes1/file": "x\n",
    "../yes1/dir/": null,
    "../locked/file": "x\n",
    "../yes1/loop": { symlink: "loop" },
    "ln-yes": { symlink: "../yes1" },
    "ln-not": { symlink: "../not1" },
    "a.txt": "x\n",
  });
  await Deno.chmod(t.path("../locked"), 0o000);
  const commands: string[][] = [
    ["x"],
    ["resolve"],
    ["resolve", "--as", "project"],
    ["resolve", "--as", "dir"],
    ["resolve", "--as", "file"],
    ["files"],
  ];
  for (const words of commands) {
    const ask = async (path: string, label: string) => {
      const ran = await pathgrep([...words, path], { cwd: t.root, wrapper: withoutReadOverride() });
      return `${ran.code} ${ran.stdout.replaceAll(path, label)}`;
    };
    const pairs = [
      ["../yes1", "../not1"],
      ["../yes1/file", "../not1/file"],
      ["ln-yes/file", "ln-not/file"],
      ["../yes1/loop", "../yes1/none"],
      ["../yes1/dir", "../yes1/nil"],
      ["../yes1/file/below", "../not1/file/below"],
      ["../locked/file", "../missed/file"],
      ["../yes1/loop/below", "../yes1/none/below"],
      [`${t.base}/yes1/file`, `${t.base}/not1/file`],
      ["ln-yes", "ln-not"],
      ["@../yes1/file", "@../not1/file"],
      ["`../yes1/file`", "`../not1/file`"],
      [`file://${t.base}/yes1/file`, `file://${t.base}/not1/file`],
      ["../yes1/file:3", "../not1/file:3"],
      ["..\\yes1\\file", "..\\not1\\file"],
    ];
    for (const [there, missing] of words[0] === "x" ? pairs : pairs.slice(0, 4)) {
      assert.ok(there !== undefined && missing !== undefined);
      assert.equal(
        (await ask(there, "P")).replaceAll("yes1", "Q").replaceAll("locked", "Q"),
        (await ask(missing, "P")).replaceAll("not1", "Q").replaceAll("missed", "Q")
          .replaceAll("yes1", "Q"),
        `${words.join(" ")} ${there}`,
      );
    }
  }
});

test("a link whose way outside is barred or loops is outside like any other", async () => {
  await using t = await tempTree({
    "../hidden/loop": { symlink: "loop" },
    "../barred/file": "x\n",
    "loop": { symlink: "../hidden/loop" },
    "barred": { symlink: "../barred/file" },
    "long": { symlink: `../hidden/${"n".repeat(300)}` },
    "below": { symlink: "../barred/file/below" },
  });
  await Deno.chmod(t.path("../barred"), 0o000);
  for (const raw of ["loop", "loop/x", "barred", "barred/x", "long", "below"]) {
    const ran = await pathgrep(["x", raw], { cwd: t.root, wrapper: withoutReadOverride() });
    assert.equal(JSON.parse(ran.stdout).code, "path_outside_workspace", ran.stdout);
    assert.ok(!ran.stdout.includes("hidden") && !ran.stdout.includes(`${t.base}/barred`));
  }
});

Deno.test("--as project guards scope only: a missing path is returned, nothing is repaired", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "link": { symlink: "src" } });
  const project = async (raw: string) =>
    (await command(["resolve", "--as", "project", "--", raw], { cwd: t.root })).path;
  assert.equal(await project("src/a.ts"), t.path("src/a.ts"));
  assert.equal(await project("."), t.root);
  assert.equal(await project("new/b.ts"), t.path("new/b.ts"));
  assert.equal(await project("link/new.ts"), t.path("src/new.ts"));
  assert.equal(await project("src/a.ts:12"), t.path("src/a.ts:12"));
  assert.equal(await project("@src/a.ts"), t.path("@src/a.ts"));
  assert.equal(await project("`src/a.ts`"), t.path("`src/a.ts`"));
  assert.equal(await project(" src/a.ts\n"), t.path("src/a.ts"));
  const rooted = await command(["resolve", "/src/a.ts", "--as", "project"], { cwd: t.root });
  assert.equal(
    rooted.error,
    `path resolution failed: path /src/a.ts escapes project root ${t.root}`,
  );
});

Deno.test("working directory: relative first, base name of a root second and with a deprecation note", async () => {
  await using t = await tempTree({
    "packages/core/": null,
    "two/": null,
    "../two/inner/": null,
    "../three/x/": null,
  });
  const roots = [
    "--workspace",
    t.root,
    "--workspace",
    t.path("../two"),
    "--workspace",
    t.path("../three"),
  ];
  const dir = async (raw: string) =>
    await command(["resolve", raw, "--as", "dir", ...roots], { cwd: "/" });
  const inside = await dir("packages/core");
  assert.equal(inside.path, t.path("packages/core"));
  assert.equal(inside.notes, undefined);
  assert.equal((await dir("packages/")).path, t.path("packages"));
  assert.equal((await dir("packages/core/")).path, t.path("packages/core"));
  assert.equal((await dir(".")).path, t.root);
  assert.equal((await dir("./packages")).path, t.path("packages"));
  const relativeWins = await dir("two");
  assert.equal(relativeWins.path, t.path("two"));
  assert.equal(relativeWins.notes, undefined);
  const byName = await dir("three");
  assert.equal(byName.path, t.path("../three"));
  assert.match((byName.notes as string[]).join("\n"), /deprecated/i);
  assert.equal((await dir(t.path("../three/x"))).path, t.path("../three/x"));
  assert.equal((await dir("packages//core//")).path, t.path("packages/core"));
  assert.equal((await dir("ws")).path, t.root);
  assert.equal((await dir(t.root)).path, t.root);
  assert.equal((await dir("inner")).code, "path_not_found", "of the second root only");
});

Deno.test("working directory: with a separator it is never matched by name", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "../three/x/": null });
  const roots = ["--workspace", t.root, "--workspace", t.path("../three")];
  for (const raw of ["foo/three", "three/x", "./three"]) {
    const error = await command(["resolve", raw, "--as", "dir", ...roots], { cwd: "/" });
    assert.equal(error.code, "path_not_found", raw);
  }
});

Deno.test("working directory: two roots of one base name are an error naming both", async () => {
  await using t = await tempTree({ "../a/same/": null, "../b/same/": null });
  const roots = [t.root, t.path("../a/same"), t.path("../b/same")].flatMap((
    r,
  ) => ["--workspace", r]);
  const error = await command(["resolve", "same", "--as", "dir", ...roots], { cwd: "/" });
  assert.equal(error.code, "invalid_input");
  const said = JSON.stringify(error);
  assert.ok(said.includes(t.path("../a/same")) && said.includes(t.path("../b/same")), said);
});

Deno.test("working directory: it must exist, be a directory, and lie inside", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "out": { symlink: ".." } });
  const missing = await command(["resolve", "nonexistent/path", "--as", "dir"], { cwd: t.root });
  assert.ok(
    missing.error?.endsWith(`does not exist: ${t.path("nonexistent/path")}`),
    missing.error,
  );
  const code = async (raw: string) =>
    (await command(["resolve", raw, "--as", "dir"], { cwd: t.root })).code;
  assert.equal(await code("nonexistent/path"), "path_not_found");
  assert.equal(await code("nonexistent"), "path_not_found");
  assert.equal(await code("a.txt"), "path_unsupported");
  assert.equal(await code("../../etc"), "path_outside_workspace");
  assert.equal(await code("/etc"), "path_outside_workspace");
  assert.equal(await code("out"), "path_outside_workspace");
});

Deno.test("a relative path is the first workspace root's that has it", async () => {
  await using t = await tempTree({
    "both/a.txt": "x1\n",
    "../two/both/a.txt": "x2\n",
    "../two/b": "x3\n",
  });
  const roots = ["--workspace", t.root, "--workspace", t.path("../two")];
  const path = async (raw: string) =>
    (await command(["resolve", raw, ...roots], { cwd: "/" })).path;
  assert.equal(await path("both/a.txt"), t.path("both/a.txt"));
  assert.equal(await path("b"), t.path("../two/b"));
  assert.equal((await command(["resolve", "b", ...roots], { cwd: "/" })).relative, "two/b");
  const escape = await command(["resolve", "../elsewhere", ...roots], { cwd: "/" });
  assert.equal(escape.code, "path_outside_workspace");
});

Deno.test("a file name may hold a newline, quotes, a colon, a backslash or be a glob", async () => {
  const names = [
    "new\nline",
    "it's",
    'say "hi"',
    "a:b",
    "back\\slash",
    "*",
    "[x]",
    "{a,b}",
    "~",
    "$HOME",
  ];
  await using t = await tempTree(Object.fromEntries(names.map((name) => [name, "x\n"])));
  for (const name of names) {
    const result = await found(["x", name], { cwd: t.root });
    assert.deepEqual(result.matches, [{ file: t.path(name), line_number: 1, line: "x" }]);
    assert.equal(result.notes, undefined, name);
  }
});

Deno.test("what cannot be named in UTF-8 is skipped in a walk and reported as unreadable", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  await sh(`printf 'x\\n' > "$(printf 'bad\\377.txt')"; mkdir "$(printf 'dir\\377')"`, t.root);
  const result = await found(["x"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
  assert.ok((result.notes ?? []).length > 0);
  const listed = await command(["files", "--stats"], { cwd: t.root });
  assert.deepEqual(listed.files, [t.path("a.txt")]);
  assert.deepEqual(listed.notes, [
    "2 files or directories could not be read and were not searched, the first is a name that is " +
    "not UTF-8 in .",
  ]);
  assert.deepEqual(listed.stats?.["skipped"], { unreadable: 2 });
});
