/**
 * What is suggested for a path that leads nowhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  PathgrepError,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  Workspace,
} from "../../mod.ts";
import { command } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

/** What the error about a path says to do. */
async function advice(ws: string, path: string): Promise<[suggestions: unknown, hint: unknown]> {
  const workspace = await Workspace.open(ws);
  const { suggestions, hint } = await refusal(resolveTextSearchTarget(workspace, path));
  return [suggestions, hint];
}

/** The error that a call ends with, as it is sent. */
async function refusal(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (thrown) {
    return PathgrepError.from(thrown).toJSON();
  }
  assert.fail("it was answered");
}

Deno.test("paths that stand in a text are suggested where it has no other reading", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "docs/": null,
  });
  const texts: [text: string, suggestions: string[]][] = [
    ["src docs", ["src", "docs"]],
    ["./src/,docs/", ["src", "docs"]],
    ["the file (src/a.ts)", ["src/a.ts"]],
    ["src/a.ts: // needle", ["src/a.ts"]],
    ["src/a.ts/Class", ["src/a.ts"]],
  ];
  for (const [text, suggestions] of texts) {
    assert.deepEqual((await advice(t.root, text))[0], suggestions, text);
  }
});

Deno.test("what stands in a text is suggested only if it is in the workspace and not blocked", async () => {
  await using t = await tempTree({
    "../beside.txt": "x\n",
    "link": { symlink: "../beside.txt" },
    ".env": "x\n",
    "src/a.ts": "x\n",
  });
  for (
    const text of ["link zz", "../beside.txt zz", "..%2Fbeside.txt", ".env zz", ". zz", "/ zz"]
  ) {
    assert.equal((await advice(t.root, text))[0], undefined, text);
  }
  assert.equal((await advice(t.root, `${"src/a.ts ".repeat(500)}zz`))[0], undefined);
});

Deno.test("a glob given as a path is answered with the path and the glob", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "../beside/b.ts": "x\n" });
  const send = (path: string, include: string) =>
    `a path cannot be a glob: ${path} and ${include} as include (as pattern, with the glob tool)`;
  assert.equal((await advice(t.root, "src/**/*.ts"))[1], send("use src as path", "**/*.ts"));
  assert.equal((await advice(t.root, "*.{ts,md}"))[1], send("omit the path", "*.{ts,md}"));
  assert.match(String((await advice(t.root, "absent/*.ts"))[1]), /^list what is there/);
  assert.match(String((await advice(t.root, "../beside/*.ts"))[1]), /^use a path inside/);
});

Deno.test("a path gets the same suggestions in whatever form it is written", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "src/utils/paths.ts": "x\n",
    "lib/b.rs": "x\n",
  });
  const plain: [path: string, suggestions: string[]][] = [
    ["src/A.ts", ["src/a.ts"]],
    ["src/a.js", ["src/a.ts"]],
    ["src/a", ["src/a.ts"]],
    ["src/utils/pahts.ts", ["src/utils/paths.ts"]],
    ["src/utlis/paths.ts", ["src/utils/paths.ts"]],
    ["B.rs", ["lib/b.rs"]],
    ["LIB", ["lib"]],
    ["src/a.ts/Class", ["src/a.ts"]],
  ];
  for (const [path, suggestions] of plain) {
    for (
      const written of [
        path,
        `${t.root}/${path}`,
        `${t.root}/./src/../${path}`,
        `ws/${path}`,
        `file://${t.root}/${path}`,
        `\`${path}\``,
        `"${path}"`,
        `@${path}`,
        `${path}:12`,
        `${path}:12:5`,
        `${t.root}/${path}:12`,
        path.replaceAll("/", "\\"),
        `"ws\\${path.replaceAll("/", "\\")}:3"`,
        `${path}#L3-L5`,
        `<${t.root}/${path}>`,
        `[x](${path})`,
      ]
    ) {
      assert.deepEqual((await advice(t.root, written))[0], suggestions, written);
    }
  }
});

Deno.test("what is suggested follows links in the path and other names of the root", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "link": { symlink: "src" },
    "../alias": { symlink: "ws" },
  });
  assert.deepEqual((await advice(t.root, "link/A.ts"))[0], ["src/a.ts"]);
  assert.deepEqual((await advice(t.path("../alias"), t.path("../alias/src/a.js")))[0], [
    "src/a.ts",
  ]);
});

Deno.test("tool calls and working directories get the suggestions of a search", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "src/utils/paths.ts": "x\n" });
  const workspace = await Workspace.open(t.root);
  for (const path of ["src/A.ts", t.path("src/A.ts"), "`src/a`", "@src/a.ts", "src/a.ts:3"]) {
    const call = resolveToolCallPaths(workspace, { file_path: path }, { mustExist: true });
    assert.deepEqual((await refusal(call))["suggestions"], ["src/a.ts"], path);
  }
  for (const path of ["src/utlis", t.path("src/Utils"), "`src/utils`", "@utils", "ws/src/util"]) {
    const { code, suggestions } = await refusal(resolveWorkingDirectory(workspace, path));
    assert.deepEqual([code, suggestions], ["path_not_found", ["src/utils"]], path);
  }
});

Deno.test("an absolute path outside is no path inside: its own parts decide, nothing there is read", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "../beside/src/A.ts": "x\n" });
  for (
    const path of [
      t.path("../beside/src/A.ts"),
      t.path("../absent/src/A.ts"),
      `${t.root}-2/src/A.ts`,
    ]
  ) {
    const error = await refusal(resolveTextSearchTarget(await Workspace.open(t.root), path));
    assert.deepEqual([error["code"], error["suggestions"]], ["path_outside_workspace", undefined]);
  }
  for (const path of [t.path("../beside/src/a.ts:3"), `file://${t.base}/beside/src/a.ts`]) {
    assert.deepEqual((await advice(t.root, path))[0], ["src/a.ts"], path);
  }
});

Deno.test("a path outside is answered with its part that is inside, by whatever resolves it", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "src/b.sqlite": "x\n", "sub/.env": "x\n" });
  const workspace = await Workspace.open(t.root);
  const tool = new ResolvePathTool({ workspace });
  const path = "/home/o/src/a.ts";
  const errors = [
    await command(["resolve", "--as", "project", path], { cwd: t.root }),
    await tool.execute({ path, as: "project" }) as Record<string, unknown>,
    await refusal(resolveProjectPath(t.root, path)),
    await refusal(resolveToolCallPaths(workspace, { file_path: path })),
    await refusal(resolveToolCallPaths(workspace, { file_path: path }, { mustExist: true })),
    await refusal(resolveToolCallPaths(workspace, { file_path: path }, { repair: true })),
  ];
  for (const { code, suggestions, hint } of errors) {
    assert.deepEqual([code, suggestions], ["path_outside_workspace", ["src/a.ts"]]);
    assert.equal(hint, "use one of the suggestions");
  }
  for (const blocked of ["/home/o/sub/.env", "/home/o/src/b.sqlite"]) {
    for (const as of ["search", "file", "dir", "project"]) {
      const args = ["resolve", "--deny", "*.sqlite", "--as", as, blocked];
      assert.equal((await command(args, { cwd: t.root })).suggestions, undefined, args.join(" "));
    }
  }
});

Deno.test("a glob is answered with the glob however it is written, and never with one of its files", async () => {
  await using t = await tempTree({
    "src/app/a.ts": "x\n",
    "src/app/b.ts": "x\n",
    "src/x.md": "x\n",
    "@types/node/c.ts": "x\n",
  });
  const said = (path: string, include: string) =>
    `a path cannot be a glob: ${path} and ${include} as include (as pattern, with the glob tool)`;
  const cases: [path: string, hint: string][] = [
    ["*.md", said("omit the path", "*.md")],
    ["src/app/*.ts", said("use src/app as path", "*.ts")],
    ["src/app/?.ts", said("use src/app as path", "?.ts")],
    ["src/*/a.ts", said("use src as path", "*/a.ts")],
    ["src/app/{a,c}.ts", said("use src/app as path", "{a,c}.ts")],
    ['"src/**/*.ts"', said("use src as path", "**/*.ts")],
    ["'*.ts'", said("omit the path", "*.ts")],
    ["@src/**", said("use src as path", "**")],
    ["@types/**", said("use @types as path", "**")],
    ["ws/src/**/*.ts", said("use src as path", "**/*.ts")],
    ["ws/**/*.ts", said("omit the path", "**/*.ts")],
    ["/src/**/*.ts", said("use src as path", "**/*.ts")],
    ["/*.ts", said("omit the path", "*.ts")],
    [`${t.root}/src/**/*.ts`, said("use src as path", "**/*.ts")],
    [`${t.root}/**`, said("omit the path", "**")],
    [`file://${t.root}/src/*.md`, said("use src as path", "*.md")],
    ["src\\**\\*.ts", said("use src as path", "**/*.ts")],
    ["`src\\app\\*.ts`", said("use src/app as path", "*.ts")],
  ];
  for (const [path, hint] of cases) {
    assert.deepEqual(await advice(t.root, path), [undefined, hint], path);
  }
  assert.deepEqual((await advice(t.root, "scr/*.md"))[0], undefined);
  assert.match(String((await advice(t.root, "absent\\*.ts"))[1]), /^list what is there/);
});

Deno.test("a text that only looks like a glob keeps its suggestions", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "src/[id].ts": "x\n" });
  const texts: [text: string, suggestion: string][] = [
    ["src/a.ts?raw", "src/a.ts"],
    ["src/a.ts: const { b, c } = d ? e : f * g;", "src/a.ts"],
    ["src/[ID].ts", "src/[id].ts"],
  ];
  for (const [text, suggestion] of texts) {
    const [suggestions, hint] = await advice(t.root, text);
    assert.equal((suggestions as string[])[0], suggestion, text);
    assert.match(String(hint), /^use one of the suggestions/, text);
  }
});
