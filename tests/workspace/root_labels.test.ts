/**
 * Relative paths in a workspace of several roots: each names one file, and can be sent back.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, ResolvePathTool, Workspace } from "../../mod.ts";
import { rootLabels } from "../../src/workspace/workspace.ts";
import { assertSoon } from "../support/soon.ts";
import { answer } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const FILE = { "src/x.ts": "needle\n" };

/** Roots, all of them with a file `src/x.ts`, what else there is, and how the files are named. */
const CASES: [roots: string[], more: Record<string, string>, shown: string[]][] = [
  [["a/app", "b/app"], {}, ["a/app/src/x.ts", "b/app/src/x.ts"]],
  [["a/app", "b/lib"], {}, ["app/src/x.ts", "lib/src/x.ts"]],
  [["c/a/app", "c/b/app", "d/a/app"], {}, [
    "c/a/app/src/x.ts",
    "b/app/src/x.ts",
    "d/a/app/src/x.ts",
  ]],
  // One lies in another one of its name.
  [["app", "app/sub/app"], {}, ["ws/app/src/x.ts", "sub/app/src/x.ts"]],
  // A label would begin with another one.
  [["p/a/app", "q/app", "c/a"], { "c/a/app/src/x.ts": "" }, [
    "a/app/src/x.ts",
    "q/app/src/x.ts",
    "c/a/src/x.ts",
  ]],
  // A directory of the first root is called like the second root.
  [["one", "x/two"], { "one/two/src/x.ts": "needle\n" }, ["one/src/x.ts", "x/two/src/x.ts"]],
  [["one", "x/two"], { "one/two/src/x.ts": "", "one/x/two/src/x.ts": "" }, [
    "one/src/x.ts",
    "ws/x/two/src/x.ts",
  ]],
  // White space that a path begins with is dropped.
  [["a", "x/ a"], {}, ["a/src/x.ts", "x/ a/src/x.ts"]],
];

Deno.test("files of several roots have names of their own, which lead back to them", async () => {
  for (const [roots, more, shown] of CASES) {
    await using t = await tempTree();
    for (const root of roots) await t.write({ [`${root}/src/x.ts`]: FILE["src/x.ts"] });
    await t.write(more);
    const workspace = await Workspace.open(roots.map((root) => t.path(root)));
    const grep = new GrepTool({ workspace });
    const resolve = new ResolvePathTool({ workspace });
    const input = { pattern: "needle", output_mode: "file", include: "src/x.ts" };
    const { files } = await grep.execute({ ...input, paths: "relative" }) as { files: string[] };
    assert.equal(new Set(files).size, files.length, files.join());
    for (const [index, root] of roots.entries()) {
      const path = shown[index]!;
      assert.ok(files.includes(path), `${path} is one of ${files.join()}`);
      const found = await grep.execute({ pattern: "needle", path }) as { base_path: string };
      assert.equal(found.base_path, t.path(`${root}/src/x.ts`), path);
      const resolved = await resolve.execute({ path }) as { path: string; relative: string };
      assert.equal(resolved.path, t.path(`${root}/src/x.ts`));
      assert.equal(resolved.relative, path);
      const directory = path.slice(0, -"/src/x.ts".length);
      const whole = await resolve.execute({ path: directory }) as { path: string };
      assert.equal(whole.path, t.path(root), directory);
    }
  }
});

Deno.test("on the command line, files of roots of one name are distinguished as well", async () => {
  await using t = await tempTree({ "a/app/src/x.ts": "needle\n", "b/app/src/x.ts": "needle\n" });
  const roots = ["--workspace", "a/app", "--workspace", "b/app"];
  const { files } = await answer(["needle", "-l", "--paths", "relative", ...roots], {
    cwd: t.root,
  });
  assert.deepEqual(files, ["a/app/src/x.ts", "b/app/src/x.ts"]);
  for (const file of files!) {
    const { matches } = await answer(["needle", file, ...roots], { cwd: t.root });
    assert.deepEqual(matches!.map((match) => match.file), [t.path(file)]);
  }
});

Deno.test("a root whose whole path is its name keeps it, and others make room", () => {
  const labels = rootLabels(["/tmp", "/x/tmp/sub", "/y/sub"], () => false);
  assert.deepEqual([...labels.values()], ["tmp", "x/tmp/sub", "y/sub"]);
});

test.slow("many roots beside each other get distinct labels soon", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `deep/deeper/root${index}`);
  await using t = await tempTree(
    Object.fromEntries(names.map((name) => [`${name}/f.txt`, "needle\n"])),
  );
  const workspace = await Workspace.open(names.map((name) => t.path(name)));
  const started = performance.now();
  assert.equal(workspace.display(t.path("deep/deeper/root7/f.txt")), "root7/f.txt");
  assertSoon(started);
});
