/**
 * Directories exchanged at one moment: while a question is open, and before a proof is asked for.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  type PermissionAnswer,
  ReadFileTool,
  ResolvePathTool,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { canonicalPath } from "../../src/paths/canonical.ts";
import { identityOf, StandstillProof } from "../../src/paths/verification.ts";
import { answer, fails } from "../support/acceptance.ts";
import { settled, tempTree, type Tree } from "../support/tree.ts";
import { ENGINES } from "../support/engines.ts";
import { test } from "../support/needs.ts";

type Json = Record<string, unknown>;

async function parents(): Promise<Tree> {
  return await tempTree({
    "a.txt": "x\n",
    "../asked/dir/plain.txt": "x\n",
    "../other/dir/secret.txt": "x\n",
  });
}

const SWAPS: Readonly<Record<string, (t: Tree) => void>> = {
  "another directory": (t) => {
    Deno.renameSync(t.path("../asked"), t.path("../gone"));
    Deno.renameSync(t.path("../other"), t.path("../asked"));
  },
  "a link": (t) => {
    Deno.renameSync(t.path("../asked"), t.path("../gone"));
    Deno.symlinkSync(t.path("../other"), t.path("../asked"));
  },
};

for (const [name, swap] of Object.entries(SWAPS)) {
  Deno.test(`what is allowed is what stood there: ${name} in a parent's place is not`, async () => {
    for (const tool of [GlobTool, GrepTool, ReadFileTool, ResolvePathTool]) {
      await using t = await parents();
      const workspace = await Workspace.open(t.root);
      const path = t.path("../asked/dir");
      const request = (): Promise<PermissionAnswer> => {
        swap(t);
        return Promise.resolve("allow");
      };
      const input = tool === GlobTool
        ? { pattern: "*" }
        : tool === GrepTool
        ? { pattern: "x" }
        : {};
      const options = { workspace, permissionRequester: { request } };
      const shown = await new tool(options).execute({ ...input, path }) as Json;
      assert.equal(shown["code"], "path_not_found", JSON.stringify(shown));
      assert.ok(!JSON.stringify(shown).includes("secret"));
    }
  });
}

Deno.test("what took the place of a path while a question was open is not allowed for the session", async () => {
  await using t = await parents();
  const workspace = await Workspace.open(t.root);
  let questions = 0;
  const request = (): Promise<PermissionAnswer> => {
    questions++;
    SWAPS["another directory"]!(t);
    return Promise.resolve("allow-session");
  };
  const path = t.path("../asked/dir");
  const glob = new GlobTool({ workspace, permissionRequester: { request } });
  const first = await glob.execute({ pattern: "*", path }) as Json;
  assert.deepEqual([questions, first["code"]], [1, "path_not_found"]);
  const silent = await new GlobTool({ workspace }).execute({ pattern: "*", path }) as Json;
  assert.equal(
    silent["code"],
    "path_outside_workspace",
    "nobody was asked about what is there now",
  );
});

Deno.test("an answer counts for no call that found something else in the place", async () => {
  await using t = await parents();
  const workspace = await Workspace.open(t.root);
  const answers: ((answer: PermissionAnswer) => void)[] = [];
  const request = () => new Promise<PermissionAnswer>((resolve) => answers.push(resolve));
  const glob = new GlobTool({ workspace, permissionRequester: { request } });
  const call = { pattern: "*", path: t.path("../asked/dir") };
  const before = glob.execute(call) as Promise<Json>;
  while (answers.length < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  SWAPS["another directory"]!(t);
  const after = glob.execute(call) as Promise<Json>;
  // The second call asks by itself, or waits for the first answer.
  await new Promise((resolve) => setTimeout(resolve, 300));
  answers[0]!("allow");
  answers[1]?.("deny");
  assert.equal((await before)["code"], "path_not_found");
  assert.equal((await after)["code"], "permission_denied_by_user");
});

Deno.test("a question that is answered while nothing changes lets the path in", async () => {
  await using t = await parents();
  const request = () => Promise.resolve<PermissionAnswer>("allow");
  const workspace = await Workspace.open(t.root);
  const options = { workspace, permissionRequester: { request } };
  const shown = await new GlobTool(options).execute({ pattern: "*", path: "../asked/dir" }) as Json;
  assert.deepEqual(shown["files"], [t.path("../asked/dir/plain.txt")]);
});

/** What a proof says of a directory that was made before it all began. */
function doubt(root: string, directory: string, since: number, identity?: string) {
  const allowedRoots = { allowedRoots: [root], identities: [identity] };
  return new StandstillProof(since, allowedRoots, new Set([directory])).doubtAbout(directory);
}

test.slow("a standstill is proven of every directory on the way, and of the root itself", async () => {
  await using t = await tempTree({ "a/b/c/x.txt": "x\n", "../other/ws/a/b/c/x.txt": "x\n" });
  const inner = t.path("a/b/c");
  const later = Date.now() + 2000;
  const identity = identityOf(Deno.lstatSync(t.root));
  assert.equal(doubt(t.root, inner, later, identity), undefined);
  assert.equal(doubt(t.root, inner, Date.now(), identity), inner, "it was made just now");
  assert.notEqual(doubt(t.root, inner, later, "1:2:3"), undefined, "it is another root");
  await settled();
  const since = Date.now();
  assert.equal(doubt(t.root, inner, since, identity), undefined, "nothing has changed");
  // Exchanged and put back: only the two directories on the way tell.
  Deno.renameSync(t.path("a/b"), t.path("a/aside"));
  Deno.renameSync(t.path("a/aside"), t.path("a/b"));
  assert.equal(doubt(t.root, inner, since, identity), inner, "a directory on the way was away");
});

test.slow("a standstill is not proven where the root or one above it was away, or is a link", async () => {
  await using t = await tempTree({ "d/x.txt": "x\n", "../up/ws/d/x.txt": "x\n" });
  const root = t.path("../up/ws");
  await settled();
  const since = Date.now();
  Deno.renameSync(t.path("../up"), t.path("../away"));
  Deno.renameSync(t.path("../away"), t.path("../up"));
  // The root itself has stood still, and holds on to its name in the directory that was away.
  assert.equal(doubt(root, `${root}/d`, since), root);
  Deno.renameSync(t.path("../up"), t.path("../away"));
  Deno.symlinkSync(t.path("../away"), t.path("../up"));
  assert.notEqual(doubt(root, `${root}/d`, since), undefined, "it is reached by a link");
  assert.notEqual(
    doubt(root, `${root}/d`, Date.now() + 2000),
    undefined,
    "the link is no directory",
  );
});

Deno.test("no ignore rules are read through a .git or .git/info that leads out", async () => {
  for (const link of [".git", ".git/info", ".git/info/exclude"]) {
    await using t = await tempTree({
      "a.txt": "x\n",
      "../outside/info/exclude": "a.txt\n",
      "../outside/exclude": "a.txt\n",
    });
    if (link !== ".git") await t.write({ ".git/": null });
    if (link === ".git/info/exclude") await t.write({ ".git/info/": null });
    const target = link === ".git" ? "" : link === ".git/info" ? "/info" : "/exclude";
    Deno.symlinkSync(`${t.path("../outside")}${target}`, t.path(link));
    const workspace = await Workspace.open(t.root);
    assert.equal((await search({ pattern: "x" }, { workspace })).count, 1, link);
  }
});

Deno.test("a link that leads out is outside wherever it began, and so is a loop there", async () => {
  await using t = await tempTree({
    "in/out": { symlink: "$BASE/outside/back" },
    "in/loop": { symlink: "$BASE/outside/loop" },
    "../outside/back": { symlink: "$WS/in" },
    "../outside/loop": { symlink: "$BASE/outside/loop" },
  });
  // Begun above the trusted directory, it enters it on its way.
  const paths = [`${t.base}/ws/in/out/x`, `${t.base}/./ws/in/../in/out`];
  for (const path of paths) {
    const found = canonicalPath(path, [t.path("in")]);
    assert.deepEqual(found, { exists: false, path: t.path("../outside") }, path);
  }
  const loop = canonicalPath(t.path("in/loop"), [t.root]);
  assert.deepEqual(loop, { exists: false, path: t.path("../outside") });
  await fails("path_outside_workspace", ["x", "in/loop"], { cwd: t.root });
});

Deno.test("a path with white space at its edges is suggested as it can be sent", async () => {
  await using t = await tempTree({
    "dir/ name.txt": "x\n",
    "dir/name.txt ": "x\n",
    "dir/name.tx": "x\n",
  });
  const { suggestions } = await answer(["x", "name.txt"], { cwd: t.root });
  for (const path of suggestions!) {
    assert.equal((await answer(["x", path], { cwd: t.root })).count, 1, path);
  }
  const other = await tempTree({ " name.txt": "x\n", "b/name.txt ": "x\n" });
  const shown = await answer(["x", "nme.txt"], { cwd: other.root });
  assert.deepEqual(shown.suggestions, [" name.txt", "b/name.txt "]);
  await other[Symbol.asyncDispose]();
});

/** Searches a named file that is replaced before it is read, and two others. */
async function searchReplaced(
  files: Record<string, string>,
  query: Partial<SearchQuery>,
  replace: (t: Tree) => void,
) {
  await using t = await tempTree({
    "a.txt": "x\n",
    "b.txt": "x\n",
    "../asked/c.txt": "x\n",
    ...files,
  });
  const workspace = await Workspace.open(t.root);
  const request = async (): Promise<PermissionAnswer> => {
    await Deno.remove(t.path("a.txt"));
    replace(t);
    return "allow";
  };
  const asked = { pattern: "x", path: ["a.txt", "b.txt", "../asked"], ...query };
  return await search(asked, { workspace, permissionRequester: { request } });
}

Deno.test("a file that has become a socket is not searched, a note says so, and the others are", async () => {
  using sockets = new DisposableStack();
  const { count, notes } = await searchReplaced({}, {}, (t) => {
    sockets.use(Deno.listen({ transport: "unix", path: t.path("a.txt") }));
  });
  assert.equal(count, 2);
  assert.deepEqual(notes, ["a.txt was not searched: it could not be read"]);
});

for (const engine of ENGINES) {
  Deno.test(`${engine} enters no directory that has come in the place of a file, and quotes none of its rules`, async () => {
    const outside = {
      "../.ignore": "SECRET{unclosed\n",
      "../out/.ignore": "SECRET{unclosed\n",
      "../out/SECRET.txt": "x\n",
    };
    const answer = await searchReplaced(outside, { engine }, (t) => {
      Deno.symlinkSync(t.path("../out"), t.path("a.txt"));
    });
    assert.equal(answer.count, 2);
    assert.doesNotMatch(JSON.stringify(answer), /SECRET/);
  });
}
