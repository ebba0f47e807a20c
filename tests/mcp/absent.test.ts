/**
 * What some clients send for what is absent: the session goes on as if it were.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempTree } from "../support/tree.ts";
import { CLIENTS, connect } from "./clients.ts";
import { RawServer } from "./raw_server.ts";

const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

Deno.test("null in place of params, arguments, cursor and _meta is absent, in every kind of message", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  const call = { name: "grep", arguments: { pattern: "needle" } };
  const requests: [method: string, params: unknown, same: unknown][] = [
    ["initialize", { ...CLIENT, _meta: null }, CLIENT],
    ["ping", null, undefined],
    ["ping", { _meta: null }, {}],
    ["tools/list", null, undefined],
    ["tools/list", { cursor: null }, {}],
    ["tools/list", { cursor: null, _meta: null }, {}],
    ["tools/call", { ...call, _meta: null }, call],
    ["tools/call", { ...call, _meta: { progressToken: null } }, call],
    ["tools/call", { name: "grep", arguments: null }, { name: "grep" }],
    ["tools/call", null, undefined],
    ["resources/list", null, undefined],
  ];
  let id = 100;
  const answerTo = async (method: string, params: unknown) => {
    await server.send({ jsonrpc: "2.0", id: ++id, method, params });
    const { result, error } = await server.response(id);
    return { result, error };
  };
  for (const [method, params, same] of requests) {
    const answer = await answerTo(method, params);
    const isCall = method === "tools/call" && params !== null;
    if (isCall || ["initialize", "ping", "tools/list"].includes(method)) {
      assert.ok(answer.result !== undefined, JSON.stringify([method, params, answer]));
    }
    assert.deepEqual(answer, await answerTo(method, same), JSON.stringify([method, params]));
  }
  server.messages.length = 0;
  for (const params of [null, { _meta: null }]) {
    await server.send({ jsonrpc: "2.0", method: "notifications/initialized", params });
    await server.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 9, reason: null, ...params },
    });
  }
  assert.deepEqual((await answerTo("ping", null)).result, {});
  assert.equal(server.messages.length, 1, "a notification gets no answer");
  // What is neither absent nor an object is refused as before.
  for (const params of [[], 5, "x"]) {
    assert.equal((await answerTo("ping", params)).error?.code, -32600);
  }
});

Deno.test("arguments may be a JSON string, and what is no input is an error of the tool", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  await server.initialize();
  const answerTo = async (input: unknown) => {
    const params = { name: "grep", arguments: input };
    const { result } = await server.request("tools/call", params);
    const [{ text }] = result!["content"] as [{ text: string }];
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { notes, ...read } = await answerTo('{"pattern":"needle"}');
  assert.match(String(notes), /the input was parsed from a string of JSON/);
  assert.deepEqual(read, await answerTo({ pattern: "needle" }));
  for (const input of [null, "", "[]", "needle two", "{", [], 5, true, [{ pattern: "needle" }]]) {
    const { code, error } = await answerTo(input);
    assert.equal(code, "invalid_input", JSON.stringify(input));
    assert.match(String(error), /pattern is missing/);
  }
});

for (const name of CLIENTS) {
  Deno.test(`the ${name} client's placeholders are read as absent`, async () => {
    await using t = await tempTree({ "a.txt": "needle\n" });
    await using client = await connect(name, { cwd: t.root });
    const placeholders = {
      path: "",
      include: "null",
      type: "null",
      encoding: "null",
      max_count: 0,
    };
    const empty = { unknown: null, cursor: "", filters: [], max_results: 0, offset: 0 };
    const { text, isError } = await client.call("grep", {
      pattern: "needle",
      ...placeholders,
      ...empty,
    });
    assert.equal(isError, false, text);
    assert.ok(text.startsWith("a.txt\n1:needle\n\n1 match in 1 file; searched 1 file\n"), text);
    const read = await client.call("read_file", { path: "a.txt", offset: 0, limit: 0, lines: [] });
    assert.ok(read.text.startsWith("1:needle\n\na.txt: 1 line\n"), read.text);
  });
}
