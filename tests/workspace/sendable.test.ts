/**
 * A suggestion can be sent as it is: it is of the kind that was asked for, and leads where it says
 * also where there are several roots.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  PathgrepError,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  Workspace,
} from "../../mod.ts";
import { type Answer, command } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

/** Resolves a path that leads nowhere, sends each suggestion, and gives the error. */
async function followed(args: readonly string[], path: string, cwd: string): Promise<Answer> {
  const error = await command(["resolve", ...args, "--", path], { cwd });
  assert.equal(error.suggestions === undefined, !error.hint?.includes("suggestion"), error.hint);
  for (const suggestion of error.suggestions ?? []) {
    const { error: refused } = await command(
      ["resolve", ...args, "--", suggestion],
      { cwd },
    );
    assert.equal(refused, undefined, `${args.join(" ")} ${path} -> ${suggestion}`);
  }
  return error;
}

Deno.test("for a directory, directories are suggested, and the one that holds a file", async () => {
  await using t = await tempTree({
    "crates/a/src/lib.rs": "",
    "crates/b/src/lib.rs": "",
    "src/utils/x.ts": "",
    "src/utils/y.ts": "",
    "src/utilz.ts": "",
    "top.md": "",
    "src/named/a.ts": "",
  });
  const cases: [path: string, code: string, suggestions: string[]][] = [
    ["lib.rs", "path_not_found", ["crates/a/src", "crates/b/src"]],
    ["x.ts", "path_not_found", ["src/utils"]],
    ["src/util", "path_not_found", ["src/utils"]],
    ["Top.md", "path_not_found", ["."]],
    ["a.ts", "path_not_found", ["src/named", "crates/a"]],
    ["src/utils/x.ts:3", "path_not_found", ["src/utils"]],
    ["/home/u/other/src/utils/x.ts", "path_outside_workspace", ["src/utils"]],
    ["/home/u/other/src/utils", "path_outside_workspace", ["src/utils"]],
  ];
  for (const [path, code, suggestions] of cases) {
    const error = await followed(["--as", "dir"], path, t.root);
    assert.deepEqual([error.code, error.suggestions], [code, suggestions], path);
  }
});

Deno.test("for a file, only files are suggested", async () => {
  await using t = await tempTree({ "src/utils/x.ts": "", "src/util.ts": "", "lib/": null });
  const cases: [path: string, suggestions: string[] | undefined][] = [
    ["src/util", ["src/util.ts"]],
    ["Lib", undefined],
    ["src lib src/util.ts", ["src/util.ts"]],
    ["/home/u/other/lib", undefined],
    ["/home/u/other/src/util.ts", ["src/util.ts"]],
  ];
  for (const [path, suggestions] of cases) {
    assert.deepEqual(
      (await followed(["--as", "file"], path, t.root)).suggestions,
      suggestions,
      path,
    );
  }
});

Deno.test("what is neither a file nor a directory is suggested to nobody", async () => {
  await using t = await tempTree({ "src/": null });
  await new Deno.Command("mkfifo", { args: [t.path("src/pipe")] }).output();
  for (const as of ["search", "file", "dir"]) {
    assert.equal((await followed(["--as", as], "pipe", t.root)).suggestions, undefined);
  }
});

Deno.test("with several roots a suggestion leads to the root that it is about", async () => {
  await using t = await tempTree({
    "both/alpha.ts": "",
    "../B/both/alpha.ts": "",
    "../B/sub/file.ts": "",
    "../B/sub/deep/g.ts": "",
  });
  const roots = ["--workspace", t.root, "--workspace", t.path("../B")];
  const cases: [as: string, path: string, suggestions: string[]][] = [
    ["dir", "sub", ["../B/sub"]],
    ["dir", "file.ts", ["../B/sub"]],
    ["dir", "sub/dep", ["../B/sub/deep"]],
    ["dir", "BOTH", ["both", "../B/both"]],
    ["dir", "/home/o/sub", ["../B/sub"]],
    ["file", "FILE.ts", ["sub/file.ts"]],
    ["search", "alpha.ts", ["both/alpha.ts", "../B/both/alpha.ts"]],
    ["project", "/home/o/sub/file.ts", ["sub/file.ts"]],
  ];
  for (const [as, path, suggestions] of cases) {
    const error = await followed(["--as", as, ...roots], path, t.root);
    assert.deepEqual(error.suggestions, suggestions, `${as} ${path}`);
  }
});

Deno.test("with several roots a glob is sent apart with a path that leads to its root", async () => {
  await using t = await tempTree({ "src/": null, "../B/src/a.ts": "", "../B/sub/b.ts": "" });
  const roots = ["--workspace", t.root, "--workspace", t.path("../B")];
  const sent = async (path: string) =>
    (await followed(roots, path, t.root)).hint?.split(" and ")[0];
  assert.equal(await sent("sub/*.ts"), "a path cannot be a glob: use sub as path");
  assert.equal(
    await sent(`${t.base}/B/src/*.ts`),
    "a path cannot be a glob: use ../B/src as path",
  );
  assert.equal(await sent("B/*.ts"), "a path cannot be a glob: use ../B as path");
  assert.equal(await sent("*.ts"), "a path cannot be a glob: omit the path");
});

Deno.test("no hint advises omitting a path that is required", async () => {
  await using t = await tempTree({ "src/a.ts": "" });
  const workspace = await Workspace.open(t.root);
  for (const path of ["zzz", "/zzz", "*.ts", "src/*.ts", ".env"]) {
    for (const as of ["file", "dir", "project"]) {
      const { hint, error } = await command(["resolve", "--as", as, path], { cwd: t.root });
      if (error !== undefined) {
        assert.doesNotMatch(hint ?? "", /omit|leave|include/, `${as} ${path}`);
      }
    }
    const call = resolveToolCallPaths(workspace, { file_path: path }, { mustExist: true });
    const hint = await call.then(() => assert.fail(), (error: PathgrepError) => error.details.hint);
    assert.doesNotMatch(String(hint), /omit|leave|include/, path);
  }
  assert.match((await command(["resolve", "zzz"], { cwd: t.root })).hint ?? "", /omit the path/);
});

Deno.test("a tool call's relative path belongs to the first root that has it", async () => {
  await using t = await tempTree({ "both.ts": "", "../B/both.ts": "", "../B/sub/file.ts": "" });
  const workspace = await Workspace.open([t.root, t.path("../B")]);
  const cases: [path: string, resolved: string][] = [
    ["sub/file.ts", t.path("../B/sub/file.ts")],
    ["both.ts", t.path("both.ts")],
    ["sub/new.ts", t.path("sub/new.ts")],
    ["./sub", t.path("../B/sub")],
  ];
  const roots = ["--workspace", t.root, "--workspace", t.path("../B")];
  for (const [path, place] of cases) {
    for (const options of [{}, { repair: true }]) {
      assert.deepEqual(
        await resolveToolCallPaths(workspace, { file_path: path, path: [path] }, options),
        { file_path: place, path: [place] },
      );
    }
    const project = await command(["resolve", "--as", "project", path, ...roots], { cwd: "/" });
    assert.equal(project.path, place);
  }
  assert.equal(
    (await command(["resolve", "--as", "project", "./sub", ...roots], { cwd: "/" })).kind,
    "directory",
  );
  assert.deepEqual(
    await resolveToolCallPaths(workspace, { file_path: "sub/file.ts" }, { mustExist: true }),
    { file_path: t.path("../B/sub/file.ts") },
  );
});

Deno.test("a tool call's working directory starts at the first root only", async () => {
  await using t = await tempTree({ "src/": null, "../B/sub/in/": null });
  const workspace = await Workspace.open([t.root, t.path("../B")]);
  for (const field of ["dir_path", "working_dir"]) {
    const params = { [field]: "sub/in" };
    for (const options of [{}, { repair: true }]) {
      const { [field]: place } = await resolveToolCallPaths(workspace, params, options);
      assert.equal(place, t.path("sub/in"));
    }
    for (const repair of [false, true]) {
      const call = resolveToolCallPaths(workspace, params, { mustExist: true, repair });
      const error = await call.then(() => assert.fail(), PathgrepError.from);
      assert.deepEqual(error.details.suggestions, ["../B/sub/in"]);
    }
  }
  const nested = await resolveToolCallPaths(
    workspace,
    { steps: [{ dir_path: "sub/in" }] },
    { fields: ["steps.dir_path"] },
  );
  assert.deepEqual(nested, { steps: [{ dir_path: t.path("sub/in") }] });
  assert.equal(
    (await resolveWorkingDirectory(workspace, t.path("../B/sub"))).path,
    t.path("../B/sub"),
  );
});
