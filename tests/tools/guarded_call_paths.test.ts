/** What a search may not read, no tool gets a path to: names, exclusion files, `allow` and `deny`. */
import assert from "node:assert/strict";
import {
  type PathgrepError,
  resolveToolCallPaths,
  resolveWorkingDirectory,
  search,
  type ToolCallPathOptions,
  withResolvedPaths,
  Workspace,
} from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILES = {
  ".aiignore": "vault/\n",
  ".env": "needle\n",
  ".git/config": "needle\n",
  ".kube/config": "needle\n",
  ".docker/config.json": "needle\n",
  "vault/a.txt": "needle\n",
  "data.sqlite": "needle\n",
  "sub/server.pem": "needle\n",
  "link": { symlink: ".env" },
  "src/a.ts": "needle\n",
  "../outside/b.txt": "needle\n",
  "../outside/.env": "needle\n",
  "../outside/link": { symlink: ".env" },
};

type Limits = Pick<ToolCallPathOptions, "allow" | "deny">;

/** What becomes of a path: what a call gets for it, or the code of the error. */
async function resolved(t: Tree, path: string, options: ToolCallPathOptions): Promise<string> {
  const workspace = await Workspace.open(t.root);
  return await resolveToolCallPaths(workspace, { file_path: path }, options)
    .then(({ file_path }) => file_path, ({ code }) => code);
}

async function searched(t: Tree, path: string, limits: Limits): Promise<string> {
  const workspace = await Workspace.open(t.root);
  return await search({ pattern: "needle", path, ...limits }, { workspace })
    .then(({ base_path }) => base_path, ({ code }) => code);
}

const PATHS = [
  ...[".env", ".git/config", ".kube/config", ".docker/config.json", "vault/a.txt", "data.sqlite"],
  ...["sub/server.pem", "link", "src/a.ts", "../outside/b.txt", "../outside/.env"],
  "../outside/link",
];

Deno.test("a call's path is refused where a search of it is, with the same allow and deny", async () => {
  await using t = await tempTree(FILES);
  const limits: Limits[] = [
    {},
    { deny: ["*.sqlite"] },
    { deny: ["src"] },
    { allow: [".env"] },
    { allow: ["*.pem", "vault", ".kube/config"] },
    { allow: ["**"], deny: ["vault"] },
    { allow: [".git", ".git/**"] },
    { allow: [`${t.base}/outside/**`] },
    { allow: [`${t.base}/outside`], deny: ["b.txt"] },
  ];
  let refusals = 0;
  for (const options of limits) {
    for (const path of PATHS) {
      const expected = await searched(t, path, options);
      for (const each of [{}, { mustExist: true }, { repair: true }]) {
        const outcome = await resolved(t, path, { ...options, ...each });
        const said = `${path} with ${JSON.stringify({ ...options, ...each })}`;
        assert.equal(outcome, expected, said);
        if (outcome === "permission_denied_by_policy") refusals++;
      }
    }
  }
  assert.ok(refusals > 100, `${refusals} refusals`);
});

Deno.test("a blocked name is refused whatever the field, there or not, and the tool is not called", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  let calls = 0;
  const tool = withResolvedPaths(workspace, (_: object) => calls++, {
    fields: ["file_path", "path", "dir_path", "edits.file_path"],
    deny: ["private"],
  });
  const blocked = ["src/.env.local", "new/id_rsa", ".ssh/new", ".pypirc", "a.jks", "private/a"];
  for (const path of [...blocked, `${t.root}/.netrc`, " .env\n", "src/../.env", "link"]) {
    for (
      const params of [
        { file_path: path },
        { path: ["src/a.ts", path] },
        { dir_path: path },
        { edits: [{ file_path: path }] },
      ]
    ) {
      await assert.rejects(tool(params), (error: PathgrepError) => {
        assert.equal(error.code, "permission_denied_by_policy", JSON.stringify(params));
        assert.equal(error.details["input"], params);
        return true;
      });
    }
  }
  assert.equal(calls, 0);
});

Deno.test("a path outside that allow names may be written to, and has to exist only when asked", async () => {
  await using t = await tempTree(FILES);
  const allow = [t.path("../outside/**")];
  const absent = t.path("../outside/new.txt");
  assert.equal(await resolved(t, absent, { allow }), absent);
  assert.equal(await resolved(t, absent, { allow, mustExist: true }), "path_not_found");
  assert.equal(await resolved(t, absent, {}), "path_outside_workspace");
  assert.equal(await resolved(t, t.path("../other.txt"), { allow }), "path_outside_workspace");
});

Deno.test("what the user allowed to be read for the session does not let a tool's path out", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const permissionRequester = { request: () => Promise.resolve("allow-session" as const) };
  const path = "../outside/b.txt";
  await search({ pattern: "needle", path }, { workspace, permissionRequester });
  assert.equal((await search({ pattern: "needle", path }, { workspace })).count, 1);
  await assert.rejects(resolveToolCallPaths(workspace, { path }), {
    code: "path_outside_workspace",
  });
});

Deno.test("names like blocked ones pass, and so do blocked ones where scope alone is guarded", async () => {
  await using t = await tempTree(FILES);
  const workspace = await Workspace.open(t.root);
  const paths = [".env.example", "config", "kube/config", ".docker/daemon.json", "a.jks.md"];
  for (const path of paths) {
    assert.equal(await resolved(t, path, {}), t.path(path));
  }
  assert.equal((await resolveWorkingDirectory(workspace, ".kube")).path, t.path(".kube"));
  const blank = { file_path: " ", text: ".env" };
  assert.deepEqual(await resolveToolCallPaths(workspace, blank), blank);
});
