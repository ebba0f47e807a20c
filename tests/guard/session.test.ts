/** "Allow for this session" counts for the `Workspace` that the user was asked about, and no other. */
import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  Guard,
  type PermissionAnswer,
  type PermissionRequester,
  ResolvePathTool,
  search,
  Searcher,
  Workspace,
} from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";

type Json = Record<string, unknown>;

/** A user who always gives one answer. */
class User implements PermissionRequester {
  asked = 0;
  readonly #answer: PermissionAnswer;

  constructor(answer: PermissionAnswer) {
    this.#answer = answer;
  }

  request(): Promise<PermissionAnswer> {
    this.asked++;
    return Promise.resolve(this.#answer);
  }
}

const FILES = {
  "a.txt": "",
  "sub/": null,
  "../other/": null,
  "../outside/b.txt": "needle\n",
  "../outside/sub/c.txt": "needle\n",
};

const QUERY = { pattern: "needle", path: "../outside" };

/** A workspace in which the user has allowed `outside` for the session. */
async function allowed(t: Tree): Promise<Workspace> {
  const workspace = await Workspace.open(t.root);
  const permissionRequester = new User("allow-session");
  assert.equal((await search(QUERY, { workspace, permissionRequester })).count, 2);
  return workspace;
}

/** What other workspaces of the process make of the path: each asks for itself. */
const OTHERS: readonly (readonly [string, (t: Tree) => string[]])[] = [
  ["another directory", (t) => [t.path("../other")]],
  ["the same directory, opened again", (t) => [t.root]],
  ["a directory in it", (t) => [t.path("sub")]],
  ["several directories, the same one among them", (t) => [t.path("../other"), t.root]],
];

for (const [name, roots] of OTHERS) {
  Deno.test(`a session's permission does not count in another workspace: ${name}`, async () => {
    await using t = await tempTree(FILES);
    await allowed(t);
    const workspace = await Workspace.open(roots(t));
    const path = t.path("../outside");
    const user = new User("deny");
    const options = { workspace, permissionRequester: user };
    await assert.rejects(search({ pattern: "needle", path }, options), {
      code: "permission_denied_by_user",
    });
    await using searcher = new Searcher({ workspace });
    await assert.rejects(searcher.search({ pattern: "needle", path }), {
      code: "path_outside_workspace",
    });
    const calls: [tool: GrepTool | GlobTool | ResolvePathTool, input: object][] = [
      [new GrepTool(options), { pattern: "needle", path: `${path}/b.txt` }],
      [new GlobTool(options), { pattern: "*", path }],
      [new ResolvePathTool(options), { path: `${path}/sub` }],
    ];
    for (const [tool, input] of calls) {
      const answer = await tool.execute(input) as Json;
      assert.equal(answer["code"], "permission_denied_by_user", tool.name);
    }
    assert.equal(user.asked, 1 + calls.length);
    assert.equal(await new Guard({ workspace }).check(path, "read"), "pending");
  });
}

Deno.test("a session's permission counts for every tool and guard over its workspace", async () => {
  await using t = await tempTree(FILES);
  const workspace = await allowed(t);
  const user = new User("deny");
  const options = { workspace, permissionRequester: user };
  const grep = await new GrepTool(options).execute(QUERY) as Json;
  assert.equal(grep["count"], 2);
  const listed = await new GlobTool({ workspace }).execute({ pattern: "*", path: "../outside" });
  assert.equal((listed as Json)["count"], 2);
  const { kind } = await new ResolvePathTool(options).execute({ path: "../outside/sub" }) as Json;
  assert.equal(kind, "directory");
  await using searcher = new Searcher({ workspace });
  assert.equal((await searcher.search({ ...QUERY, path: "../outside/sub" })).count, 1);
  assert.equal(await new Guard({ workspace }).check("../outside/new", "read"), "granted");
  assert.equal(user.asked, 0);
});

Deno.test("of two workspaces that ask one user at once, each asks its own question", async () => {
  await using t = await tempTree(FILES);
  const answers: PermissionAnswer[] = ["allow-session", "deny"];
  const asked: PermissionAnswer[] = [];
  const both = Promise.withResolvers<void>();
  const permissionRequester: PermissionRequester = {
    async request() {
      const answer = answers[asked.length]!;
      if (asked.push(answer) === 2) both.resolve();
      await both.promise;
      return answer;
    },
  };
  const workspaces = [await Workspace.open(t.root), await Workspace.open(t.path("../other"))];
  const outcomes = await Promise.all(workspaces.map(async (workspace) => {
    const query = { pattern: "needle", path: t.path("../outside") };
    return await search(query, { workspace, permissionRequester })
      .then(({ count }) => count, ({ code }) => code);
  }));
  assert.deepEqual(outcomes.toSorted(), [2, "permission_denied_by_user"]);
  const guards = workspaces.map((workspace) => new Guard({ workspace }));
  const states = guards.map((guard) => guard.check(t.path("../outside"), "read"));
  assert.deepEqual((await Promise.all(states)).toSorted(), ["granted", "pending"]);
});
