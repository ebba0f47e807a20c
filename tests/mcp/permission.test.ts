/**
 * The permission question over MCP: elicitation where the client offers it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { offersForms } from "../../src/mcp/elicitation.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { tempTree } from "../support/tree.ts";
import { CLIENTS, connect, type Elicited } from "./clients.ts";
import { type Message, RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

const FILES = {
  "a.txt": "needle\n",
  "../outside/b.txt": "needle\n",
  "../outside/sub/c.txt": "x\n",
};

/** What a plain text says below its entries. */
const ONE_MATCH = /\n1 match in 1 file\b/;

function choose(answer: string): Elicited {
  return { action: "accept", content: { answer } };
}

for (const name of CLIENTS) {
  test.slow(`over the ${name} client the user allows once, allows for the session, or denies`, async () => {
    await using t = await tempTree(FILES);
    const asked: string[] = [];
    let reply: Elicited = choose("deny");
    await using client = await connect(name, {
      cwd: t.root,
      args: ["--workspace", t.root],
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
    assert.ok(asked[0]!.includes(`resolved: ${t.path("../outside")}`));

    asked.length = 0;
    reply = choose("allow");
    for (let n = 0; n < 2; n++) {
      const { entries } = await client.call("grep", grep);
      assert.deepEqual(entries, [t.path("../outside/b.txt")]);
    }
    assert.equal(asked.length, 2, "Allow is for one call");

    asked.length = 0;
    reply = choose("allow-session");
    await client.call("grep", grep);
    reply = choose("deny");
    const below = { pattern: "x", path: t.path("../outside/sub/c.txt"), output_mode: "count" };
    assert.match((await client.call("grep", below)).text, ONE_MATCH);
    assert.equal((await client.call("glob", { pattern: "*", path: "../outside" })).isError, false);
    assert.equal(asked.length, 1, "Allow for this session covers what is below, for every tool");
    const beside = await client.call("glob", { pattern: "*", path: t.base });
    assert.equal(beside.answer["code"], "permission_denied_by_user", "and nothing else");
  });

  Deno.test(`a ${name} client that offers no elicitation is never asked`, async () => {
    await using t = await tempTree(FILES);
    await using client = await connect(name, { cwd: t.root, args: ["--workspace", t.root] });
    const { answer } = await client.call("grep", { pattern: "needle", path: "../outside" });
    assert.equal(answer["code"], "path_outside_workspace");
  });
}

test.slow("with --prompt never, granted and blocked paths, nobody is asked", async () => {
  await using t = await tempTree({ ...FILES, ".env": "needle\n" });
  let asked = 0;
  const elicit = () => {
    asked++;
    return Promise.resolve(choose("allow"));
  };
  for (const name of ["v1", "v2 of 2026"] as const) {
    const args = ["--workspace", t.root];
    await using client = await connect(name, { cwd: t.root, args, elicit });
    assert.equal((await client.call("grep", { pattern: "needle" })).isError, false);
    const blocked = await client.call("grep", { pattern: "needle", path: ".env" });
    assert.equal(blocked.answer["code"], "permission_denied_by_policy");
    const outside = await client.call("grep", {
      pattern: "x",
      path: t.path("../outside/.ssh/id_rsa"),
    });
    assert.equal(outside.answer["code"], "permission_denied_by_policy");
    const never = { cwd: t.root, args: [...args, "--prompt", "never"], elicit };
    await using quiet = await connect(name, never);
    const { answer } = await quiet.call("grep", { pattern: "needle", path: "../outside" });
    assert.equal(answer["code"], "path_outside_workspace");
  }
  assert.equal(asked, 0);
});

Deno.test("concurrent calls for one path ask once while they wait", async () => {
  await using t = await tempTree(FILES);
  let asked = 0;
  const answer = Promise.withResolvers<Elicited>();
  await using client = await connect("v1", {
    cwd: t.root,
    args: ["--workspace", t.root],
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
  assert.match((await client.call("grep", { pattern: "needle" })).text, ONE_MATCH);
  answer.resolve(choose("allow"));
  for (const { text } of await Promise.all(calls)) assert.match(text, ONE_MATCH);
  assert.equal(asked, 1);
});

Deno.test("a call that is cancelled takes its question back", async () => {
  await using t = await tempTree(FILES);
  const shown = Promise.withResolvers<void>();
  const takenBack = Promise.withResolvers<void>();
  // The v1 client takes no cancellation of a server's first request: its number is 0.
  await using client = await connect("v2 of 2025", {
    cwd: t.root,
    args: ["--workspace", t.root],
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
  assert.match((await client.call("grep", { pattern: "needle" })).text, ONE_MATCH);
});

Deno.test("control characters in a path can't forge the question", async () => {
  await using t = await tempTree(FILES);
  let question = "";
  await using client = await connect("v1", {
    cwd: t.root,
    args: ["--workspace", t.root],
    elicit(message) {
      question = message;
      return Promise.resolve(choose("deny"));
    },
  });
  await client.call("grep", { pattern: "x", path: "../out\nresolved: /harmless\u202e\x1b[2J" });
  assert.equal(question.split("\n").length, 3);
  assert.match(question, /\\nresolved: \/harmless\\u202e\\x1b/);
});

test.slow(
  "permission for the session lasts in the current directory, and ends when the roots change",
  async () => {
    await using t = await tempTree({ ...FILES, "sub/": null });
    const grep = { pattern: "needle", path: t.path("../outside"), output_mode: "count" };
    let asked = 0;
    const elicit = () => {
      asked++;
      return Promise.resolve(choose(asked === 1 ? "allow-session" : "deny"));
    };
    {
      await using client = await connect("v2 of 2026", { cwd: t.root, elicit });
      for (let n = 0; n < 2; n++) {
        assert.match((await client.call("grep", grep)).text, ONE_MATCH);
      }
      assert.equal(asked, 1);
    }
    asked = 0;
    let root = t.root;
    const roots = () => [`file://${root}`];
    await using client = await connect("v1", { cwd: "/", roots, elicit });
    for (let n = 0; n < 2; n++) assert.match((await client.call("grep", grep)).text, ONE_MATCH);
    assert.equal(asked, 1);
    root = t.path("sub");
    await client.rootsChanged();
    const { answer } = await client.call("grep", grep);
    assert.equal(answer["code"], "permission_denied_by_user");
    assert.equal(asked, 2);
  },
);

/** Results that are no permission, whatever they say. */
const NOT_YES: unknown[] = [
  {},
  null,
  [],
  "accept",
  7,
  { action: "accept" },
  { action: "accept", content: null },
  { action: "accept", content: "allow" },
  { action: "accept", content: ["allow"] },
  { action: "accept", content: { answer: ["allow"] } },
  { action: "accept", content: { answer: null } },
  { action: "accept", content: { answer: "Allow" } },
  { action: "accept", content: { permission: "allow" } },
  { action: "accept", answer: "allow" },
  { action: "decline", content: { answer: "allow" } },
  { action: "cancel", content: { answer: "allow-session" } },
  { action: ["accept"], content: { answer: "allow" } },
  { action: "ACCEPT", content: { answer: "allow" } },
  { content: { answer: "allow" } },
  { result: { action: "accept", content: { answer: "allow" } } },
];

const ASKING = { name: "grep", arguments: { pattern: "needle", path: "../outside" } };

/** The code of the error in a call's response, or nothing if it was answered. */
function codeOf({ result }: Message): unknown {
  const [content] = result!["content"] as { text: string }[];
  return JSON.parse(content!.text).code;
}

Deno.test("over protocol 2025 a malformed or missing answer to the question denies, at once", async () => {
  await using t = await tempTree(FILES);
  await using server = new RawServer(t.root);
  await server.initialize({ elicitation: {} });
  const replies = [
    ...NOT_YES.map((result) => ({ result })),
    {},
    { result: undefined },
    { error: null },
    { error: { code: -1, message: "no" } },
    { error: "no", result: { action: "accept", content: { answer: "allow" } } },
  ];
  for (const reply of replies) {
    const call = await server.start("tools/call", ASKING);
    const { id } = await server.requestOf("elicitation/create");
    await server.send({ jsonrpc: "2.0", id, ...reply });
    const code = codeOf(await server.response(call));
    assert.equal(code, "permission_denied_by_user", JSON.stringify(reply));
  }
  const call = await server.start("tools/call", ASKING);
  const { id } = await server.requestOf("elicitation/create");
  await server.send({
    jsonrpc: "2.0",
    id,
    result: { action: "accept", content: { answer: "allow" } },
  });
  assert.equal(codeOf(await server.response(call)), undefined);
});

/** What a client of protocol 2026 says with every call. */
const ENVELOPE = {
  [PROTOCOL_VERSION_META_KEY]: "2026-07-28",
  [CLIENT_INFO_META_KEY]: { name: "raw", version: "1" },
  [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { form: {} } },
};

Deno.test("over protocol 2026 a malformed or missing answer denies, and is not asked for again", async () => {
  await using t = await tempTree(FILES);
  await using server = new RawServer(t.root);
  const call = async (more: object = {}, name = "grep") => {
    const params = { ...ASKING, name, _meta: ENVELOPE, ...more };
    const message = await server.request("tools/call", params);
    assert.ok(message.result !== undefined, JSON.stringify(message));
    return message;
  };
  const [key] = Object.keys((await call()).result!["inputRequests"] as object);
  const yes = { action: "accept", content: { answer: "allow" } };
  const answers: object[] = [
    ...NOT_YES.map((result) => ({ [key!]: result })),
    {},
    { [`${key}/`]: yes },
    { [key!.replace("grep", "glob")]: yes },
    { [key!.replace("grep ", "")]: yes },
    { grep: yes, "../outside": yes, [t.path("../outside")]: yes },
  ];
  for (const inputResponses of answers) {
    const denied = await call({ inputResponses });
    assert.equal(denied.result!["inputRequests"], undefined, JSON.stringify(inputResponses));
    assert.equal(codeOf(denied), "permission_denied_by_user", JSON.stringify(inputResponses));
  }
  assert.equal(codeOf(await call({ inputResponses: { [key!]: yes } })), undefined);
});

Deno.test("over protocol 2026 a call with several paths outside asks about all of them at once", async () => {
  await using t = await tempTree({
    ...FILES,
    "../other/a.txt": "needle\n",
    "../third/b.txt": "x\n",
  });
  await using server = new RawServer(t.root);
  const paths = ["../outside", ".", "../other", "../third"];
  const call = async (inputResponses?: object) => {
    const input = { pattern: "needle", path: paths };
    const params = { name: "grep", arguments: input, _meta: ENVELOPE, inputResponses };
    return await server.request("tools/call", params);
  };
  const asked = (await call()).result!["inputRequests"] as Record<string, object>;
  const keys = Object.keys(asked);
  assert.equal(keys.length, 3, JSON.stringify(asked));
  const allowed = (keys: string[]) =>
    Object.fromEntries(
      keys.map((key) => [key, { action: "accept", content: { answer: "allow" } }]),
    );
  for (const missing of keys) {
    const denied = await call(allowed(keys.filter((key) => key !== missing)));
    assert.equal(codeOf(denied), "permission_denied_by_user", missing);
  }
  const [content] = (await call(allowed(keys))).result!["content"] as { text: string }[];
  assert.equal(JSON.parse(content!.text).base_paths.length, 4, content!.text);
});

Deno.test("over protocol 2026 questions don't reveal whether their file is still the same", async () => {
  await using t = await tempTree({ ...FILES, "../a b/c.txt": "x\n" });
  await using server = new RawServer(t.root);
  const keys: string[] = [];
  for (const path of ["../outside", "../outside", "../none", "../none", "../a", "../a b"]) {
    const params = { name: "grep", arguments: { pattern: "x", path }, _meta: ENVELOPE };
    const { result } = await server.request("tools/call", params);
    keys.push(...Object.keys(result!["inputRequests"] as object));
  }
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys.map((key) => key.slice(-64))).size, 6);
  const answers = { action: "accept", content: { answer: "allow" } };
  const inputResponses = Object.fromEntries(keys.map((key) => [key, answers]));
  const input = { pattern: "x", path: "../a b" };
  const params = { name: "grep", arguments: input, _meta: ENVELOPE, inputResponses };
  assert.equal(codeOf(await server.request("tools/call", params)), undefined);
});

Deno.test("an answer counts for the tool and for what stood there as it was asked about, and no other", async () => {
  await using t = await tempTree(FILES);
  await using server = new RawServer(t.root);
  const requests: string[] = [];
  for (const name of ["grep", "glob", "resolve_path"]) {
    const input = name === "resolve_path" ? { path: "../outside" } : ASKING.arguments;
    const params = { name, arguments: input, _meta: ENVELOPE };
    const { result } = await server.request("tools/call", params);
    requests.push(...Object.keys(result!["inputRequests"] as object));
  }
  assert.equal(new Set(requests).size, 3, "each tool has a question of its own");
  const inputResponses = {
    [requests[0]!]: { action: "accept", content: { answer: "allow" } },
  };
  const glob = { name: "glob", arguments: ASKING.arguments, _meta: ENVELOPE, inputResponses };
  assert.equal(codeOf(await server.request("tools/call", glob)), "permission_denied_by_user");
  const grep = { ...ASKING, _meta: ENVELOPE, inputResponses };
  Deno.renameSync(t.path("../outside"), t.path("../aside"));
  await t.write({ "../outside/secret.txt": "needle\n" });
  assert.equal(codeOf(await server.request("tools/call", grep)), "permission_denied_by_user");
  Deno.removeSync(t.path("../outside"), { recursive: true });
  Deno.renameSync(t.path("../aside"), t.path("../outside"));
  assert.equal(codeOf(await server.request("tools/call", grep)), undefined);
});

Deno.test("a question about a path of any length is short, and shows where the path ends", async () => {
  await using t = await tempTree(FILES);
  await using server = new RawServer(t.root);
  await server.initialize({ elicitation: {} });
  const path = `../${"\u202e".repeat(32_000)}/the end`;
  const call = await server.start("tools/call", {
    name: "resolve_path",
    arguments: { path, as: "search" },
  });
  const { id, params } = await server.requestOf("elicitation/create") as {
    id: number;
    params: { message: string };
  };
  assert.ok(params.message.length < 3000, `${params.message.length}`);
  assert.equal(params.message.match(/…/gu)?.length, 2);
  assert.match(params.message, /\/the end\nresolved: .*\/the end$/);
  await server.send({ jsonrpc: "2.0", id, result: { action: "decline" } });
  await server.response(call);
});

Deno.test("a client takes forms unless it names other ways to ask alone", () => {
  assert.equal(offersForms({ elicitation: {} }), true);
  assert.equal(offersForms({ elicitation: { form: {}, url: {} } }), true);
  assert.equal(offersForms({ elicitation: { url: {} } }), false);
  assert.equal(offersForms({}), false);
});
