/**
 * Messages of any size and shape: what the server sends can be read by every client, and what it gets
 * does not end it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLI } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";
import { CLIENTS, connect } from "./clients.ts";
import { RawServer } from "./raw_server.ts";
import { test, testNeeding } from "../support/needs.ts";

const MIB = 1024 * 1024;

/** Lines that take more bytes in JSON than they have characters, and again as text in JSON. */
const LINES: Record<string, string> = {
  "ascii.txt": "x".repeat(1900),
  "quotes.txt": '"\\'.repeat(950),
  "controls.txt": "\x01\x1f".repeat(950),
  "wide.txt": "語".repeat(1900),
  "emoji.txt": "😀".repeat(1900),
};

/** Lines in a file: as many as make an answer of more than 10 MiB of the one that grows most. */
const LINE_COUNT = 450;

/** Files of such lines, and others with long paths. */
async function longTree() {
  const t = await tempTree(
    Object.fromEntries(
      Object.entries(LINES).map(([name, text]) => [
        name,
        Array.from({ length: LINE_COUNT }, (_, n) => `needle ${n} ${text}\n`).join(""),
      ]),
    ),
  );
  const deep = Array.from({ length: 14 }, () => "\x01".repeat(240)).join("/");
  await t.write(Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`names/${deep}/${n}.long`, ""]),
  ));
  return t;
}

type Entries = { line: string }[];

for (const name of CLIENTS) {
  test.slow(`the ${name} client gets long answers page by page, as long as it asked for`, async () => {
    await using t = await longTree();
    const args = ["--workspace", t.root];
    await using client = await connect(name, { cwd: t.root, args, structured: true });
    for (const path of ["controls.txt"]) {
      const lines: string[] = [];
      for (let offset = 0, more = true; more;) {
        const input = { pattern: "needle", path, max_results: 1000, offset };
        const { answer, structured, isError } = await client.call("grep", input);
        assert.ok(JSON.stringify(answer).length <= 40_000);
        assert.equal(isError, false, `${path}: ${JSON.stringify(answer).slice(0, 200)}`);
        assert.deepEqual(structured, answer);
        const matches = answer["matches"] as Entries;
        assert.equal(answer["count"], matches.length);
        lines.push(...matches.map(({ line }) => line));
        more = answer["truncated"] === true;
        if (more) assert.equal(answer["next_offset"], offset + matches.length);
        offset += matches.length;
      }
      assert.equal(lines.length, LINE_COUNT, path);
      assert.ok(lines.every((line, n) => line.startsWith(`needle ${n} `)), path);
    }
    const { answer } = await client.call("grep", { pattern: "needle", path: "controls.txt" });
    assert.deepEqual(answer["reduced"], ["lines", "entries"]);
    const long = { pattern: "*.long", max_output_chars: 1_000_000 };
    const paged = await client.call("glob", long);
    assert.deepEqual([paged.answer["truncated"], paged.answer["total"]], [true, 200]);
    assert.ok(Number(paged.answer["next_offset"]) > 10);
    const after = await client.call("grep", { pattern: "absent" });
    assert.equal(after.answer["count"], 0, "the session goes on");
  });
}

test.slow("no message has more than 4 MiB, however many characters an answer may have", async () => {
  await using t = await longTree();
  await using server = new RawServer(t.root);
  await server.initialize();
  for (const path of Object.keys(LINES)) {
    for (const response_format of ["detailed", "concise"]) {
      server.longest = 0;
      const call = { pattern: "needle", path, max_output_chars: 1_000_000, response_format };
      const answer = await server.call("grep", call);
      const what = `${path}, ${response_format}: ${server.longest} bytes`;
      assert.ok(server.longest <= 4 * MIB, what);
      // It is as long as it may be, in characters or in bytes.
      const characters = JSON.stringify(answer).length;
      assert.ok(
        answer["truncated"] !== true || characters > 9e5 || server.longest > 3.8 * MIB,
        what,
      );
      assert.ok(answer["count"]! as number > 100, what);
    }
  }
  server.longest = 0;
  const long = "n".repeat(9 * MIB);
  const quoted = '"'.repeat(4 * MIB);
  const inputs: [tool: string, input: object][] = [
    ["grep", { pattern: long, fixed_strings: true }],
    ["grep", { pattern: quoted, fixed_strings: true, max_results: 5 }],
    ["grep", { pattern: "x", path: long }],
    ["grep", { pattern: "x", include: long }],
    ["grep", { pattern: "x", type: long }],
    ["grep", { pattern: "x", [long]: 1 }],
    ["grep", { pattern: "x", output_mode: quoted }],
    ["glob", { pattern: long }],
    ["resolve_path", { path: quoted }],
    [long, {}],
    ["names", {}],
    // One entry with its context is longer than a message.
    ["grep", { pattern: "needle 225", path: "controls.txt", context: 450, max_results: 1 }],
  ];
  for (const [tool, input] of inputs) await server.call(tool, input);
  assert.ok(server.longest <= 4 * MIB, `${server.longest} bytes`);
  // A client that names its own call so has to live with an error.
  const call = { name: "grep", arguments: { pattern: "absent" } };
  await server.send({ jsonrpc: "2.0", id: long, method: "tools/call", params: call });
  assert.ok((await server.response(null)).error !== undefined);
  for (const malformed of [{ jsonrpc: "1.0", method: "ping" }, { method: "ping", params: 3 }]) {
    await server.send({ jsonrpc: "2.0", id: long, ...malformed });
    assert.ok((await server.response(null)).error !== undefined);
  }
  await server.send({ jsonrpc: "2.0", id: "x".repeat(3 * MIB), method: long });
  const params = { ...call, _meta: { progressToken: long } };
  assert.ok((await server.request("tools/call", params)).result !== undefined);
  assert.ok((await server.request("tools/list")).result !== undefined);
  assert.ok(server.longest <= 4 * MIB, `${server.longest} bytes`);
  assert.equal(await server.end(), 0);
});

test.slow("a line of more than 10 MiB is answered with a parse error, and the session goes on", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  await server.initialize();
  const call = (pattern: string, id: number) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "resolve_path", arguments: { path: pattern } },
    });
  const room = 10 * MIB - call("", 900).length;
  await server.send(call("x".repeat(room), 900));
  assert.ok((await server.response(900)).result !== undefined, "10 MiB are read");
  await server.send(call("x".repeat(room + 1), 901));
  assert.equal((await server.response(null)).error?.code, -32700);
  assert.equal((await server.call("grep", { pattern: "needle" }))["count"], 1);
  assert.ok(!server.messages.some(({ id }) => id === 901));
  // Many long lines at once are each no longer than they are.
  await server.send([1, 2, 3].map((n) => call("y".repeat(6 * MIB), 910 + n)).join("\n"));
  for (const id of [911, 912, 913]) assert.ok((await server.response(id)).result !== undefined);
});

test.slow("a line without an end is refused once, and takes no memory", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  await server.initialize();
  const piece = new Uint8Array(4 * MIB).fill(97);
  for (let n = 0; n < 100; n++) await server.write(piece);
  assert.equal((await server.response(null)).error?.code, -32700);
  await server.write(new TextEncoder().encode("\n"));
  assert.equal((await server.call("grep", { pattern: "needle" }))["count"], 1);
  assert.equal(server.messages.filter(({ id }) => id === null).length, 1);
  const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
  const peak = Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) / 1024;
  assert.ok(peak < 300, `${peak} MB`);
});

Deno.test("bytes that are no message are answered with an error, and the session goes on", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  await server.initialize();
  const lines: [line: string | number[], code: number | undefined][] = [
    ["garbage", -32700],
    ["{", -32700],
    [[0xff, 0xfe, 0x00], -32700],
    [
      [...new TextEncoder().encode('{"jsonrpc":"2.0","id":7,"method":"'), 0xc3, 0x28, 0x22, 0x7d],
      -32700,
    ],
    ["[".repeat(100_000), -32700],
    ["null", -32600],
    ["[]", -32600],
    ["{}", -32600],
    ["", undefined],
    ["  \t", undefined],
    ["\r", undefined],
  ];
  for (const [line, code] of lines) {
    server.messages.length = 0;
    await server.write(
      typeof line === "string" ? new TextEncoder().encode(line) : new Uint8Array(line),
    );
    await server.write(new Uint8Array([10]));
    assert.equal((await server.call("grep", { pattern: "needle" }))["count"], 1);
    const refused = server.messages.filter(({ id }) => id === null);
    assert.deepEqual(refused.map(({ error }) => error?.code), code === undefined ? [] : [code]);
  }
  await server.send({ jsonrpc: "1.0", id: 950, method: "tools/list" });
  assert.equal((await server.response(950)).error?.code, -32600, "the caller need not wait");
  // A message may come in pieces, even in the middle of a character, and two in one piece.
  const bytes = new TextEncoder().encode(
    [960, 961].map((id) =>
      JSON.stringify({ jsonrpc: "2.0", id, method: "ping", params: { é: "語" } }) + "\n"
    )
      .join(""),
  );
  for (const byte of bytes) await server.write(new Uint8Array([byte]));
  assert.deepEqual((await server.response(961)).result, {});
  // Half a message is all that comes.
  await server.write(bytes.subarray(0, 20));
  assert.equal(await server.end(), 0);
});

/** A server whose input and output are bare. */
function startServer(workspace: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", CLI, "mcp", "--workspace", workspace],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** So many calls, as they are sent; those of `tools/list` have long answers. */
function manyCalls(count: number, method: string): Uint8Array {
  const calls = Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method }));
  return new TextEncoder().encode(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
}

/** The memory of a server once it has not grown for a second, as while it waits for somebody to read. */
async function megabytesOf({ pid }: Deno.ChildProcess): Promise<number> {
  let megabytes = 0;
  for (let calm = 0; calm < 4 && megabytes < 400;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const now = Number(/VmRSS:\s*(\d+) kB/.exec(status)![1]) / 1024;
    calm = now > megabytes + 1 ? 0 : calm + 1;
    megabytes = Math.max(megabytes, now);
  }
  return megabytes;
}

testNeeding("linux").slow(
  "a client that reads no answers is not read from, until it reads",
  async () => {
    await using t = await tempTree({});
    const child = startServer(t.root);
    const CALLS = 40_000;
    const PAUSE_AT = 32 * 1024 * 1024;
    const initialize = {
      jsonrpc: "2.0",
      id: "first",
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    };
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${JSON.stringify(initialize)}\n`));
    const writing = writer.write(manyCalls(CALLS, "tools/list"));
    let megabytes = await megabytesOf(child);
    let answers = 0;
    let bytesRead = 0;
    for await (const bytes of child.stdout) {
      // What waits must not come all at once as soon as there is room for some of it.
      if (bytesRead < PAUSE_AT && (bytesRead += bytes.length) >= PAUSE_AT) {
        megabytes = Math.max(megabytes, await megabytesOf(child));
      }
      for (let at = -1; (at = bytes.indexOf(10, at + 1)) >= 0;) answers++;
      if (answers === CALLS + 1) await writing.then(() => writer.close());
    }
    await child.status;
    assert.ok(megabytes < 400, `${megabytes} MB`);
  },
);

testNeeding("linux").slow("nor are short answers kept without end", async () => {
  await using t = await tempTree({});
  const child = startServer(t.root);
  const writer = child.stdin.getWriter();
  const writing = writer.write(manyCalls(150_000, "ping")).catch(() => {});
  const megabytes = await megabytesOf(child);
  child.kill();
  await Promise.all([child.status, child.stdout.cancel(), writing]);
  assert.ok(megabytes < 400, `${megabytes} MB`);
});

test.slow("the end of the input ends the server, also where nobody reads its answers", async () => {
  await using t = await tempTree({});
  for (const calls of [200, 4000]) {
    const child = startServer(t.root);
    const writer = child.stdin.getWriter();
    await writer.write(manyCalls(calls, "tools/list"));
    const started = performance.now();
    await writer.close();
    await child.status;
    assertSoon(started);
    await child.stdout.cancel();
  }
});
