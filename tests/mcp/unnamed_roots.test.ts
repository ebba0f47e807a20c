/** Clients that declare roots and do not name them, in time or at all. */
import assert from "node:assert/strict";
import { test } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { tempTree } from "../support/tree.ts";
import { type Message, RawServer } from "./raw_server.ts";

const FILES = { "a.txt": "needle\n", "../two/b.txt": "needle\n", "../two/sub/c.txt": "needle\n" };
const ROOTS = { roots: { listChanged: true } };
const CHANGED = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
const NEEDLE = { pattern: "needle", output_mode: "file" };

type Answer = { files?: string[]; notes?: string[]; code?: string; error?: string; hint?: string };

/** What a call answers. */
async function answered(server: RawServer, id: number): Promise<Answer> {
  const { result } = await server.response(id);
  return JSON.parse((result!["content"] as { text: string }[])[0]!.text);
}

const grep = (server: RawServer, input: object = NEEDLE) =>
  server.start("tools/call", { name: "grep", arguments: input });

async function reply(server: RawServer, { id }: Message, ...directories: string[]): Promise<void> {
  const roots = directories.map((path) => ({ uri: `file://${path}` }));
  await server.send({ jsonrpc: "2.0", id, result: { roots } });
}

test.slow(
  "a client that never names its roots waits once, and is served from the current directory",
  inThreeTries(async () => {
    await using t = await tempTree(FILES);
    await using server = new RawServer(undefined, ["--allow-read"], [], t.root);
    await server.initialize(ROOTS);
    const started = performance.now();
    const first = await grep(server);
    const question = await server.requestOf("roots/list");
    assert.ok((await server.request("ping")).result !== undefined, "others are answered meanwhile");
    const { files, notes } = await answered(server, first);
    const waited = performance.now() - started;
    assert.ok(waited > 1900 && waited < 8000, `${waited} ms`);
    assert.deepEqual(files, [t.path("a.txt")]);
    assert.deepEqual(notes, [
      "the client did not name its roots (no answer within 2 seconds); " +
      `the workspace is ${t.root}`,
    ]);
    const again = performance.now();
    for (const path of [undefined, "a.txt", "absent.txt"]) {
      const answer = await answered(server, await grep(server, { ...NEEDLE, path }));
      assert.deepEqual(answer.notes?.slice(0, 1), notes, "errors say so, too");
    }
    assertInTime(performance.now() - again, 1900, "three calls that need not wait");
    assert.equal(server.messages.filter(({ method }) => method === "roots/list").length, 0);

    await reply(server, question, `${t.base}/two`);
    const named = await answered(server, await grep(server));
    assert.deepEqual(named.files, [t.path("../two/b.txt"), t.path("../two/sub/c.txt")]);
    assert.equal(named.notes, undefined, "until it does");

    // It has named some: they stay when it does not name the new ones.
    await server.send(CHANGED);
    const later = await answered(server, await grep(server));
    assert.deepEqual(later.files, named.files);
    assert.match(later.notes![0]!, /did not name its roots .*; the workspace is still \S+\/two$/);
  }),
);

test.slow("a client that never names its roots is served from --workspace", async () => {
  await using t = await tempTree(FILES);
  await using server = new RawServer(t.path("../two"), ["--allow-read"], [], t.root);
  await server.initialize(ROOTS);
  const first = await grep(server);
  const question = await server.requestOf("roots/list");
  const { files, notes } = await answered(server, first);
  assert.deepEqual(files, [t.path("../two/b.txt"), t.path("../two/sub/c.txt")]);
  assert.match(notes![0]!, /did not name its roots .*; the workspace is \S+\/two$/);
  await reply(server, question, `${t.base}/two/sub`);
  const named = await answered(server, await grep(server));
  assert.deepEqual(named, { ...named, files: [t.path("../two/sub/c.txt")] });
  assert.equal(named.notes, undefined);
});

test.slow("a directory that is too wide stays refused where a client names no roots", async () => {
  await using server = new RawServer(undefined, ["--allow-read"], [], "/");
  await server.initialize(ROOTS);
  const { code, error, hint, notes } = await answered(server, await grep(server));
  assert.equal(code, "invalid_input");
  assert.match(error!, /current directory \/ is too broad/);
  assert.match(hint!, /--workspace/);
  assert.deepEqual(notes, ["the client did not name its roots (no answer within 2 seconds)"]);
});

test.slow(
  "a client that answers with errors is asked each time, and what it was allowed stays",
  async () => {
    await using t = await tempTree(FILES);
    await using server = new RawServer(undefined, ["--allow-read"], [], t.root);
    await server.initialize({ ...ROOTS, elicitation: {} });
    const outside = { ...NEEDLE, path: "../two/sub" };
    for (let n = 0; n < 3; n++) {
      const id = await grep(server, outside);
      const question = await server.requestOf("roots/list");
      const error = { code: -32601, message: "Method not found\u202e" };
      await server.send({ jsonrpc: "2.0", id: question.id, error });
      if (n === 0) {
        const asked = await server.requestOf("elicitation/create");
        const result = { action: "accept", content: { answer: "allow-session" } };
        await server.send({ jsonrpc: "2.0", id: asked.id, result });
      }
      const { files, notes } = await answered(server, id);
      assert.deepEqual(files, [t.path("../two/sub/c.txt")]);
      assert.match(notes![0]!, /\(.*Method not found\\u202e\); the workspace is \S+\/ws$/);
    }
    const id = await grep(server);
    await reply(server, await server.requestOf("roots/list"), t.path("../two"));
    const { files, notes } = await answered(server, id);
    assert.deepEqual(files, [t.path("../two/b.txt"), t.path("../two/sub/c.txt")]);
    assert.equal(notes, undefined);
  },
);

test.slow("a client that has left answers no question: its call is answered all the same", async () => {
  await using t = await tempTree(FILES);
  const server = new RawServer(undefined, ["--allow-read"], [], t.root);
  await server.initialize(ROOTS);
  const id = await grep(server);
  await server.requestOf("roots/list");
  assert.equal(await server.end(), 0);
  const { files, notes } = await answered(server, id);
  assert.deepEqual(files, [t.path("a.txt")]);
  assert.match(notes![0]!, /the connection has ended/);
});

test.slow(
  "a client without roots is not asked; one that answers within the time is waited for",
  async () => {
    await using t = await tempTree(FILES);
    {
      await using server = new RawServer(undefined, ["--allow-read"], [], t.root);
      await server.initialize({});
      const answer = await answered(server, await grep(server));
      assert.deepEqual(answer.files, [t.path("a.txt")]);
      assert.equal(answer.notes, undefined);
      assert.equal(server.messages.filter(({ method }) => method === "roots/list").length, 0);
    }
    await using server = new RawServer(undefined, ["--allow-read"], [], t.root);
    await server.initialize(ROOTS);
    const id = await grep(server);
    const question = await server.requestOf("roots/list");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await reply(server, question, t.path("../two"));
    const answer = await answered(server, id);
    assert.deepEqual(answer.files, [t.path("../two/b.txt"), t.path("../two/sub/c.txt")]);
    assert.equal(answer.notes, undefined);
  },
);
