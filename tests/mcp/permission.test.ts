/**
 * The permission question over MCP: elicitation where the client offers it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tree } from "../support/acceptance.ts";
import { CLIENTS, connect, type Elicited } from "./clients.ts";

const FILES = {
  "a.txt": "needle\n",
  "../outside/b.txt": "needle\n",
  "../outside/sub/c.txt": "x\n",
};

function choose(answer: string): Elicited {
  return { action: "accept", content: { answer } };
}

for (const name of CLIENTS) {
  Deno.test(`over the ${name} client the user allows once, allows for the session, or denies`, async () => {
    await using t = await tree(FILES);
    const asked: string[] = [];
    let reply: Elicited = choose("deny");
    await using client = await connect(name, {
      cwd: t.ws,
      args: ["--workspace", t.ws],
      elicit(message) {
        asked.push(message);
        return Promise.resolve(reply);
      },
    });
    const grep = { pattern: "needle", path: "../outside", output_mode: "file" };
    const denials: Elicited[] = [
      choose("deny"),
      choose("allow everything"),
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: {} },
    ];
    for (const denial of denials) {
      reply = denial;
      const { isError, answer } = await client.call("grep", grep);
      assert.equal(isError, true);
      assert.equal(answer["code"], "permission_denied_by_user", JSON.stringify(denial));
    }
    assert.equal(asked.length, denials.length, "each call asks once");
    assert.match(asked[0]!, /^grep wants to read outside the workspace$/m);
    assert.match(asked[0]!, /^requested: \.\.\/outside$/m);
    assert.ok(asked[0]!.includes(`resolved: ${t.at("../outside")}`));

    asked.length = 0;
    reply = choose("allow");
    for (let n = 0; n < 2; n++) {
      const { answer } = await client.call("grep", grep);
      assert.deepEqual(answer["files"], [t.at("../outside/b.txt")]);
    }
    assert.equal(asked.length, 2, "Allow is for one call");

    asked.length = 0;
    reply = choose("allow-session");
    await client.call("grep", grep);
    reply = choose("deny");
    const below = { pattern: "x", path: t.at("../outside/sub/c.txt"), output_mode: "count" };
    assert.equal((await client.call("grep", below)).answer["count"], 1);
    assert.equal((await client.call("glob", { pattern: "*", path: "../outside" })).isError, false);
    assert.equal(asked.length, 1, "Allow for this session covers what is below, for every tool");
    const beside = await client.call("resolve_path", { path: t.base });
    assert.equal(beside.answer["code"], "permission_denied_by_user", "and nothing else");
  });

  Deno.test(`a ${name} client that offers no elicitation is never asked`, async () => {
    await using t = await tree(FILES);
    await using client = await connect(name, { cwd: t.ws, args: ["--workspace", t.ws] });
    const { answer } = await client.call("grep", { pattern: "needle", path: "../outside" });
    assert.equal(answer["code"], "path_outside_workspace");
  });
}

Deno.test("with --prompt never, granted and blocked paths, nobody is asked", async () => {
  await using t = await tree({ ...FILES, ".env": "needle\n" });
  let asked = 0;
  const elicit = () => {
    asked++;
    return Promise.resolve(choose("allow"));
  };
  for (const name of ["v1", "v2 of 2026"] as const) {
    const args = ["--workspace", t.ws];
    await using client = await connect(name, { cwd: t.ws, args, elicit });
    assert.equal((await client.call("grep", { pattern: "needle" })).isError, false);
    const blocked = await client.call("grep", { pattern: "needle", path: ".env" });
    assert.equal(blocked.answer["code"], "permission_denied_by_policy");
    const outside = await client.call("grep", {
      pattern: "x",
      path: t.at("../outside/.ssh/id_rsa"),
    });
    assert.equal(outside.answer["code"], "permission_denied_by_policy");
    const never = { cwd: t.ws, args: [...args, "--prompt", "never"], elicit };
    await using quiet = await connect(name, never);
    const { answer } = await quiet.call("grep", { pattern: "needle", path: "../outside" });
    assert.equal(answer["code"], "path_outside_workspace");
  }
  assert.equal(asked, 0);
});

Deno.test("concurrent calls for one path ask once while they wait", async () => {
  await using t = await tree(FILES);
  let asked = 0;
  const answer = Promise.withResolvers<Elicited>();
  await using client = await connect("v1", {
    cwd: t.ws,
    args: ["--workspace", t.ws],
    elicit: () => {
      asked++;
      return answer.promise;
    },
  });
  const calls = Array.from(
    { length: 5 },
    () => client.call("grep", { pattern: "needle", path: "../outside", output_mode: "count" }),
  );
  // A call that needs no permission is answered meanwhile.
  assert.equal((await client.call("grep", { pattern: "needle" })).answer["count"], 1);
  answer.resolve(choose("allow"));
  for (const { answer } of await Promise.all(calls)) assert.equal(answer["count"], 1);
  assert.equal(asked, 1);
});

Deno.test("a call that is cancelled takes its question back", async () => {
  await using t = await tree(FILES);
  const shown = Promise.withResolvers<void>();
  const takenBack = Promise.withResolvers<void>();
  // The v1 client takes no cancellation of a server's first request: its number is 0.
  await using client = await connect("v2 of 2025", {
    cwd: t.ws,
    args: ["--workspace", t.ws],
    elicit: (_message, signal) => {
      shown.resolve();
      signal.addEventListener("abort", () => takenBack.resolve());
      return new Promise(() => {});
    },
  });
  const ender = new AbortController();
  const call = client.call("grep", { pattern: "needle", path: "../outside" }, {
    signal: ender.signal,
  });
  await shown.promise;
  ender.abort("enough");
  await assert.rejects(call);
  await takenBack.promise;
  assert.equal((await client.call("grep", { pattern: "needle" })).answer["count"], 1);
});

Deno.test("control characters in a path can't forge the question", async () => {
  await using t = await tree(FILES);
  let question = "";
  await using client = await connect("v1", {
    cwd: t.ws,
    args: ["--workspace", t.ws],
    elicit(message) {
      question = message;
      return Promise.resolve(choose("deny"));
    },
  });
  await client.call("grep", { pattern: "x", path: "../out\nresolved: /harmless\u202e\x1b[2J" });
  assert.equal(question.split("\n").length, 3);
  assert.match(question, /\\nresolved: \/harmless\\u202e\\x1b/);
});
