/**
 * The readings that repair a path, and the suggestions when none does.
 *
 * @module
 */

import assert from "node:assert/strict";
import { answer, command, fails, found, lines } from "../support/acceptance.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** What `resolve` says about a path, as `relative` and whether it said a note. */
async function resolved(t: Tree, raw: string): Promise<[unknown, boolean]> {
  const result = await command(["resolve", "--", raw], { cwd: t.root });
  assert.equal(result.error, undefined, JSON.stringify(result));
  assert.equal(result.input, raw);
  return [result.relative, result.notes !== undefined];
}

Deno.test("repair: quotes, backticks and a leading @ are dropped with a note", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  for (const raw of ['"src/a.ts"', "'src/a.ts'", "`src/a.ts`", "@src/a.ts", "@src"]) {
    const [path, noted] = await resolved(t, raw);
    assert.equal(path, raw === "@src" ? "src" : "src/a.ts");
    assert.ok(noted, raw);
  }
  const result = await found(["x", "@src/a.ts"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["src/a.ts:1:x"]);
  assert.equal(result.base_path, t.path("src/a.ts"));
  assert.equal(result.notes?.length, 1);
});

Deno.test("repair: a file URL is read with a note, escapes decoded", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "a b%.ts": "x\n" });
  assert.deepEqual(await resolved(t, `file://${t.root}/src/a.ts`), ["src/a.ts", true]);
  assert.deepEqual(await resolved(t, `file://${t.root}/a%20b%25.ts`), ["a b%.ts", true]);
  const outside = `file://${t.base}/outside.txt`;
  const error = await answer(["x", outside], { cwd: t.root });
  assert.ok(error.error !== undefined);
});

Deno.test("repair: a trailing :LINE or :LINE:COL is dropped with a note", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  assert.deepEqual(await resolved(t, "src/a.ts:12"), ["src/a.ts", true]);
  assert.deepEqual(await resolved(t, "src/a.ts:12:5"), ["src/a.ts", true]);
  assert.deepEqual(await resolved(t, t.path("src/a.ts:7")), ["src/a.ts", true]);
  assert.deepEqual(await resolved(t, "src/a.ts:12:"), ["src/a.ts", true]);
  await fails("path_not_found", ["x", "src/a.ts:twelve"], { cwd: t.root });
});

Deno.test("repair: quotes and :LINE are dropped together, whichever stands inside", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  for (const quote of ['"', "'", "`"]) {
    for (const place of [":3", ":3:7"]) {
      for (const raw of [`${quote}src/a.ts${place}${quote}`, `${quote}src/a.ts${quote}${place}`]) {
        assert.deepEqual(await resolved(t, raw), ["src/a.ts", true], raw);
      }
    }
  }
});

Deno.test("repair: of :LINE:COL as much is dropped as has to be", async () => {
  await using t = await tempTree({ "a:12": "x\n", "b": "x\n", "b:3": "x\n" });
  assert.deepEqual(await resolved(t, "a:12:5"), ["a:12", true]);
  assert.deepEqual(await resolved(t, "a:12:5:7"), ["a:12", true]);
  assert.deepEqual(await resolved(t, "b:3:4"), ["b:3", true]);
  assert.deepEqual(await resolved(t, "b:4:3"), ["b", true]);
  await fails("path_not_found", ["x", "a:5:5"], { cwd: t.root });
});

Deno.test("repair: backslashes are read as separators with a note", async () => {
  await using t = await tempTree({ "src/sub/a.ts": "x\n" });
  assert.deepEqual(await resolved(t, "src\\sub\\a.ts"), ["src/sub/a.ts", true]);
  assert.deepEqual(await resolved(t, ".\\src\\sub"), ["src/sub", true]);
  assert.deepEqual(await resolved(t, "src\\"), ["src", true]);
  assert.deepEqual(await resolved(t, "src\\sub\\"), ["src/sub", true]);
});

Deno.test("repair: a leading / is the workspace root, with a note, but / alone is outside", async () => {
  await using t = await tempTree({ "zz-src/a.ts": "x\n" });
  assert.deepEqual(await resolved(t, "/zz-src/a.ts"), ["zz-src/a.ts", true]);
  assert.deepEqual(await resolved(t, "/zz-src"), ["zz-src", true]);
  await fails("path_outside_workspace", ["x", "/"], { cwd: t.root });
  await fails("path_outside_workspace", ["x", "/zz-absent"], { cwd: t.root });
});

Deno.test("repair: a leading copy of the root's own base name is dropped with a note", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n" });
  assert.deepEqual(await resolved(t, "ws/src/a.ts"), ["src/a.ts", true]);
  assert.deepEqual(await resolved(t, "ws/src"), ["src", true]);
});

Deno.test("a path that exists as given is never repaired", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "a.ts": "x\n",
    "a.ts:12": "x\n",
    "@src/a.ts": "x\n",
    "`a.ts`": "x\n",
    "'a.ts'": "x\n",
    "src\\a.ts": "x\n",
    "ws/a.ts": "x\n",
  });
  for (const raw of ["a.ts:12", "@src/a.ts", "@src", "`a.ts`", "'a.ts'", "src\\a.ts", "ws/a.ts"]) {
    assert.deepEqual(await resolved(t, raw), [raw, false]);
  }
});

Deno.test("the readings are tried in order and the first that exists is used", async () => {
  await using t = await tempTree({
    "m:3": "x\n",
    "@m": "x\n",
    "d\\f": "x\n",
    "d/f:3": "x\n",
  });
  assert.deepEqual(await resolved(t, "@m:3"), ["m:3", true], "the @ before the line number");
  assert.deepEqual(await resolved(t, "d\\f:3"), ["d\\f", true], "line number before backslashes");
});

Deno.test("each reading goes through the same checks", async () => {
  await using t = await tempTree({
    "../outside.txt": "TOPSECRET\n",
    "link": { symlink: "../outside.txt" },
    ".env": "TOPSECRET=1\n",
  });
  const raws = [
    "@../outside.txt",
    "`../outside.txt`",
    "link:3",
    "@link",
    "..\\outside.txt",
    "/../outside.txt",
    "ws/../../outside.txt",
    `file://${t.base}/outside.txt`,
    "@.env",
    "`.env`",
    ".env:1",
    ".\\.env",
    "/.env",
    "ws/.env",
    `file://${t.root}/.env`,
  ];
  for (const raw of raws) {
    const error = await answer(["TOPSECRET", raw], { cwd: t.root });
    assert.ok(error.error !== undefined, raw);
    assert.ok(!JSON.stringify(error).includes("TOPSECRET=1"));
  }
});

Deno.test("an ambiguous short name is never guessed: suggestions list the full paths", async () => {
  await using t = await tempTree({
    "crates/tools/src/lib.rs": "x\n",
    "crates/agent/src/lib.rs": "x\n",
    "crates/core/src/lib.rs": "x\n",
    "crates/core/src/main.rs": "x\n",
  });
  const error = await fails("path_not_found", ["x", "lib.rs"], { cwd: t.root });
  assert.deepEqual(
    new Set(error.suggestions),
    new Set([
      "crates/tools/src/lib.rs",
      "crates/agent/src/lib.rs",
      "crates/core/src/lib.rs",
    ]),
  );
  for (const suggestion of error.suggestions ?? []) {
    assert.equal((await found(["x", suggestion], { cwd: t.root })).count, 1);
  }
  assert.deepEqual(await resolved(t, "agent/src/lib.rs"), ["crates/agent/src/lib.rs", true]);
});

Deno.test("suggestions know misspellings, letter case, and the stem with another or no extension", async () => {
  await using t = await tempTree({
    "src/utils.ts": "x\n",
    "src/config": "x\n",
    "docs/ReadMe.md": "x\n",
  });
  const cases: [string, string][] = [
    ["src/utlis.ts", "src/utils.ts"],
    ["src/util.ts", "src/utils.ts"],
    ["SRC/Utils.ts", "src/utils.ts"],
    ["docs/README.md", "docs/ReadMe.md"],
    ["src/utils.js", "src/utils.ts"],
    ["src/utils", "src/utils.ts"],
    ["src/config.json", "src/config"],
  ];
  for (const [raw, suggestion] of cases) {
    const error = await fails("path_not_found", ["x", raw], { cwd: t.root });
    assert.ok(error.suggestions?.includes(suggestion), `${raw}: ${error.suggestions}`);
  }
});

Deno.test("suggestions never name what the guard blocks or what lies outside", async () => {
  await using t = await tempTree({
    "sub/.env": "x\n",
    "keys/id_rsa": "x\n",
    ".git/HEAD": "x\n",
    "../outside/target.txt": "x\n",
    "out": { symlink: "../outside" },
  });
  for (const raw of ["sub/.enw", "id_rsb", "HEAD", "target.txt", "nowhere/target.txt"]) {
    const error = await answer(["x", raw], { cwd: t.root });
    assert.ok(error.error !== undefined);
    assert.equal(error.suggestions?.length ?? 0, 0, `${raw}: ${error.suggestions}`);
  }
});
