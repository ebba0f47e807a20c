/** Who is asked about a path outside, how often, and what an answer that comes late is worth. */
import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionRequester,
  Workspace,
} from "../../mod.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { withTimeFor } from "../support/soon.ts";

type Json = Record<string, unknown>;

/** A user who answers only when the test says so. */
class User implements PermissionRequester {
  readonly asked: PermissionRequest[] = [];
  readonly #answers: PromiseWithResolvers<PermissionAnswer>[] = [];

  request(request: PermissionRequest): Promise<PermissionAnswer> {
    this.asked.push(request);
    this.#answers.push(Promise.withResolvers());
    return this.#answers.at(-1)!.promise;
  }

  /** Answers every question so far. */
  answer(answer: PermissionAnswer): void {
    for (const { resolve } of this.#answers) resolve(answer);
  }
}

/** Milliseconds after which a question that has not come fails a test. */
const PATIENCE = 10_000;

/** Waits until the user has been asked that often, and lets whoever wants to join in do so. */
async function asked(user: User, times: number): Promise<void> {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  const until = performance.now() + PATIENCE;
  while (user.asked.length < times && performance.now() < until) await turn();
  for (let turns = 0; turns < 20; turns++) await turn();
}

async function outside(): Promise<Tree> {
  return await tempTree({ "../outside/b.txt": "needle\n", "../outside-too/c.txt": "needle\n" });
}

async function toolsOf(t: Tree, permissionRequester: PermissionRequester, permissionTimeout = 0) {
  const options = {
    workspace: await Workspace.open(t.root),
    permissionRequester,
    permissionTimeout,
  };
  const grep = new GrepTool(options);
  const search = (path: string, signal?: AbortSignal) =>
    grep.execute({ pattern: "needle", path }, signal === undefined ? {} : { signal }) as Promise<
      Json
    >;
  return { search, glob: new GlobTool(options) };
}

Deno.test("two tools that want one path at once ask each for itself", async () => {
  await using t = await outside();
  const user = new User();
  const { search, glob } = await toolsOf(t, user);
  const calls = [search("../outside"), glob.execute({ pattern: "*", path: "../outside" })];
  await asked(user, 2);
  assert.deepEqual(user.asked.map(({ tool }) => tool).sort(), ["glob", "grep"]);
  user.answer("allow");
  for (const answer of await Promise.all(calls) as Json[]) assert.equal(answer["count"], 1);
});

Deno.test("a question stays open as long as one of those who asked waits for it", async () => {
  await using t = await outside();
  const user = new User();
  const { search } = await toolsOf(t, user);
  const [one, two] = [new AbortController(), new AbortController()];
  const gone = search("../outside", one.signal);
  const stays = search("../outside", two.signal);
  await asked(user, 1);
  one.abort();
  assert.equal((await gone)["code"], "cancelled");
  assert.equal(user.asked[0]!.signal?.aborted, false);
  const joins = search("../outside");
  await asked(user, 1);
  assert.equal(user.asked.length, 1);
  user.answer("allow");
  assert.equal((await stays)["count"], 1);
  assert.equal((await joins)["count"], 1);
});

Deno.test("a question ends for the user too once all who asked have gone", async () => {
  await using t = await outside();
  for (const permissionTimeout of [0, 60_000]) {
    const user = new User();
    const { search } = await toolsOf(t, user, permissionTimeout);
    const enders = [new AbortController(), new AbortController()];
    const calls = enders.map(({ signal }) => search("../outside", signal));
    await asked(user, 1);
    for (const ender of enders) ender.abort();
    for (const answer of await Promise.all(calls)) assert.equal(answer["code"], "cancelled");
    assert.deepEqual(user.asked.map(({ signal }) => signal?.aborted), [true]);
    const again = search("../outside");
    await asked(user, 2);
    assert.equal(user.asked.length, 2, "the next call asks anew");
    user.answer("deny");
    await again;
  }
});

Deno.test("anything but an allowance denies", async () => {
  await using t = await outside();
  for (const answer of ["deny", "Allow", "yes", "", undefined, true, { allow: true }]) {
    const { search } = await toolsOf(t, {
      request: () => Promise.resolve(answer as PermissionAnswer),
    });
    assert.equal((await search("../outside"))["code"], "permission_denied_by_user", `${answer}`);
  }
});

Deno.test("without a time limit a question waits for its answer; with one, a late failure harms nobody", async () => {
  await using t = await outside();
  const later = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const patient = await toolsOf(t, {
    async request() {
      await later(20);
      return "allow";
    },
  });
  assert.equal((await patient.search("../outside"))["count"], 1);
  const hasty = await toolsOf(t, {
    async request() {
      await later(20);
      throw new Error("nobody is there any more");
    },
  }, 5);
  assert.equal((await hasty.search("../outside"))["code"], "permission_denied_by_user");
  await later(30); // a rejection that nobody heard of would fail the test
});

Deno.test("nobody is asked about a link outside that leads to what is blocked", async () => {
  await using t = await tempTree({
    "../outside/l": { symlink: ".ssh/key" },
    "../outside/.ssh/key": "needle\n",
  });
  const user = new User();
  const { search } = await toolsOf(t, user);
  const { code } = await search("../outside/l");
  assert.equal(code, "permission_denied_by_policy");
  assert.equal(user.asked.length, 0);
});

Deno.test("what is granted outside is refused where it leads to what is blocked", async () => {
  await using t = await tempTree({
    "../outside/l": { symlink: ".ssh/key" },
    "../outside/.ssh/key": "needle\n",
    "../outside/plain.txt": "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  const grep = new GrepTool({ workspace, allow: [t.path("../outside")] });
  const ask = async (path: string) => await grep.execute({ pattern: "needle", path }) as Json;
  assert.equal((await ask("../outside/plain.txt"))["count"], 1);
  assert.equal((await ask("../outside/l"))["code"], "permission_denied_by_policy");
});

Deno.test("an open question does not use up the time limit", async () => {
  await using t = await outside();
  const workspace = await Workspace.open(t.root);
  await withTimeFor(async (timeout) => {
    const user = new User();
    const grep = new GrepTool({
      workspace,
      permissionRequester: user,
      permissionTimeout: 0,
      timeout,
    });
    const answer = grep.execute({ pattern: "needle", path: "../outside" }) as Promise<Json>;
    await asked(user, 1);
    await new Promise((resolve) => setTimeout(resolve, 1.2 * timeout));
    user.answer("allow");
    assert.equal((await answer)["count"], 1, JSON.stringify(await answer));
  });
});
