/**
 * A server that lives: hostile input, cancellation, the end of its input, and hundreds of calls.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLI } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

/** A tree that takes a while to search with a pattern that no literal narrows. */
async function largeTree() {
  const t = await tempTree();
  for (let d = 0; d < 20; d++) {
    await t.write(Object.fromEntries(
      Array.from({ length: 50 }, (_, f) => [`d${d}/f${f}.txt`, `${"ab".repeat(200)}\n`.repeat(40)]),
    ));
  }
  return t;
}

Deno.test("what is no request does no harm, and nothing but protocol is on stdout", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await using server = new RawServer(t.root);
  await server.initialize();
  const lines = [
    "",
    "garbage",
    "{",
    "null",
    "[]",
    "42",
    '"text"',
    "{}",
    "[".repeat(5000),
    '{"jsonrpc":"1.0","id":900,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"grep"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
    '{"jsonrpc":"2.0","id":901,"result":{}}',
    '{"jsonrpc":"2.0","id":902,"error":{"code":1,"message":"x"}}',
    "\u0000\u0001\ufeff",
  ];
  for (const line of lines) await server.send(line);
  const malformed: [method: string, params: unknown][] = [
    ["no/such/method", {}],
    ["tools/call", undefined],
    ["tools/call", { name: 5 }],
    ["tools/list", { cursor: 7 }],
  ];
  for (const [method, params] of malformed) {
    const { error, result } = await server.request(method, params);
    assert.equal(result, undefined, method);
    assert.ok(error !== undefined && error.message.length > 0);
  }
  // The model sees what is wrong with its arguments.
  for (const wrong of [[1], "pattern", 7]) {
    const { error, result } = await server.request("tools/call", {
      name: "grep",
      arguments: wrong,
    });
    assert.equal(error, undefined);
    assert.equal((result as { isError: boolean }).isError, true, JSON.stringify(wrong));
  }
  assert.equal((await server.call("grep", { pattern: "needle" }))["count"], 1);
  assert.equal(await server.end(), 0);
});

test.slow("a cancelled call is not answered, its work stops, and the server goes on", async () => {
  await using t = await largeTree();
  await using server = new RawServer(t.root);
  await server.initialize();
  const isProgress = (message: Record<string, unknown>) =>
    message["method"] === "notifications/progress";
  // A call may be answered before its cancellation is read: then another is made.
  let unanswered = false;
  for (let attempt = 0; attempt < 10 && !unanswered; attempt++) {
    const reported = server.messages.filter(isProgress).length;
    const id = await server.start("tools/call", {
      name: "grep",
      arguments: { pattern: "(?=(a|b)+c)(a|b)+d", output_mode: "count" },
      _meta: { progressToken: `p${attempt}` },
    });
    while (server.messages.filter(isProgress).length === reported) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await server.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "enough" },
    });
    assert.equal((await server.call("resolve_path", { path: "d1" }))["kind"], "directory");
    // Ends only when the process comes to rest.
    for (let before = -1; before !== cpuTicks(server.pid); before = cpuTicks(server.pid)) {
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    unanswered = !server.messages.some((message) => message.id === id);
  }
  assert.ok(unanswered, "no answer");
});

Deno.test("at the end of its input the server answers what was asked, and exits with 0", async () => {
  await using t = await tempTree({ "a.txt": `${"needle ".repeat(100)}\n`.repeat(900) });
  const server = new RawServer(t.root);
  await server.initialize();
  const ids = [];
  for (let n = 0; n < 5; n++) {
    const call = { name: "grep", arguments: { pattern: "needle" } };
    ids.push(await server.start("tools/call", call));
  }
  assert.equal(await server.end(), 0);
  for (const id of ids) {
    const { structuredContent } = (await server.response(id)).result as {
      structuredContent: { count: number; total: number };
    };
    assert.equal(structuredContent.total, 900);
    assert.ok(structuredContent.count > 100, `${structuredContent.count} entries`);
  }
});

test.slow("the server exits when its client leaves in the middle of a long call", async () => {
  await using t = await largeTree();
  const server = new RawServer(t.root);
  await server.initialize();
  await server.start("tools/call", {
    name: "grep",
    arguments: { pattern: "(?=(a|b)+c)(a|b)+d", output_mode: "count" },
  });
  assert.equal(await server.end(), 0);
});

Deno.test("the server exits when nobody reads what it writes, though its input goes on", async () => {
  await using t = await tempTree({});
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", CLI, "mcp", "--workspace", t.root],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(20_000),
  }).spawn();
  await child.stdout.cancel();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
  const { signal } = await child.status;
  await writer.abort();
  assert.equal(signal, null, "it did not end");
});

Deno.test("a workspace that can't be opened ends the server with 2, and stdout stays empty", async () => {
  await using t = await tempTree({});
  const server = new RawServer(t.path("absent"));
  assert.equal(await server.end(), 2);
  assert.match(server.stderr, /absent does not exist/);
  assert.deepEqual(server.messages, []);
});

test.slow("a session of hundreds of calls, hostile ones among them, keeps its answers and its memory", async () => {
  await using t = await tempTree({
    "src/a.ts": "export const needle = 1;\n",
    "src/long.txt": `${"a".repeat(50_000)}!\n`,
    "many.txt": "needle in the hay\n".repeat(3000),
    "binary.dat": new Uint8Array([0, 1, 2, 110, 101]),
    ".env": "needle\n",
    "out": { symlink: "/etc" },
  });
  await using server = new RawServer(t.root, [`--allow-read=${t.root}`]);
  await server.initialize();
  const hostile: [name: string, input: unknown, code: string | undefined][] = [
    ["grep", { pattern: "(a+)+$", path: "src/long.txt", output_mode: "count" }, undefined],
    ["grep", { pattern: "(a|a)*b|(x+x+)+y" }, undefined],
    ["grep", { pattern: "a".repeat(100_000) }, "invalid_input"],
    ["grep", Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, n])), "invalid_input"],
    ["grep", { pattern: "(".repeat(2000) }, "invalid_pattern"],
    ["grep", { pattern: "[z-a]" }, "invalid_pattern"],
    ["grep", { pattern: "needle", path: "out/passwd" }, "path_outside_workspace"],
    ["grep", { pattern: "needle", path: "/etc/passwd" }, "path_outside_workspace"],
    ["grep", { pattern: "needle", path: "../".repeat(500) }, "path_outside_workspace"],
    ["grep", { pattern: "needle", path: "a\0b" }, "invalid_input"],
    ["grep", { pattern: "needle", path: ".env" }, "permission_denied_by_policy"],
    ["grep", { pattern: "needle", include: "{a,b}".repeat(200) }, undefined],
    ["grep", { pattern: "needle", include: `${"a*".repeat(100)}b` }, undefined],
    ["grep", { pattern: "needle", path: "many.txt" }, "search_too_broad"],
    ["grep", { pattern: "needle", max_results: 1e308 }, "invalid_input"],
    ["grep", { pattern: "needle", offset: -1 }, "invalid_input"],
    ["grep", { pattern: "needle", constructor: { path: "/" } }, "invalid_input"],
    ["grep", { pattern: ["needle", {}] }, "invalid_input"],
    ["grep", { pattern: "needle", toString: 1 }, "invalid_input"],
    ["glob", { pattern: "**/".repeat(300) + "*" }, undefined],
    ["glob", { pattern: "[" }, "invalid_input"],
    ["resolve_path", { path: "x".repeat(10_000) }, "path_not_found"],
    ["resolve_path", { path: "x".repeat(100_000) }, "invalid_input"],
    ["__proto__", {}, "invalid_input"],
    ["constructor", {}, "invalid_input"],
  ];
  const round = async () => {
    const answers = await Promise.all(hostile.map(([name, input]) => server.call(name, input)));
    for (const [index, [name, input, code]] of hostile.entries()) {
      const call = `${name} ${JSON.stringify(input).slice(0, 100)}`;
      assert.equal(answers[index]!["code"], code, `${call}: ${answers[index]!["error"]}`);
      assert.ok(JSON.stringify(answers[index]).length < 400_000, call);
    }
    const page = await server.call("grep", {
      pattern: "needle",
      max_results: 1000,
      offset: 1,
      max_output_chars: 1_000_000,
    });
    assert.equal(page["count"], 1000);
    const { matches } = await server.call("grep", { pattern: "needle = 1" }) as {
      matches: { file: string }[];
    };
    assert.deepEqual(matches.map(({ file }) => file), [t.path("src/a.ts")]);
    server.messages.length = 0;
  };
  // By the middle it holds what it will: up to there V8 still grows its heap, which is no leak.
  const rounds = 120;
  let warm = 0;
  for (let n = 1; n <= rounds; n++) {
    await round();
    if (n === rounds / 2) warm = residentMegabytes(server.pid);
  }
  const end = residentMegabytes(server.pid);
  assert.ok(end < 400, `${end} MB resident`);
  assert.ok(end < warm + 80, `${warm} MB grew to ${end} MB`);
  assert.equal(await server.end(), 0);
});

/** The processor time that a process has used. */
function cpuTicks(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function residentMegabytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s*(\d+) kB/.exec(status)![1]) / 1024;
}
