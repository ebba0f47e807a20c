/** What one client asks, sends or leaves unread costs the others nothing. */
import assert from "node:assert/strict";
import type { Request } from "../../src/resident/protocol.ts";
import { encodeRequest, Resident } from "./resident.ts";
import { test } from "../support/needs.ts";

const FILES = { "src/a.ts": "export const foo = 1;\n", "docs/c.md": "foo\nbar foo\n" };
/** An answer of four megabytes: more than a socket holds. */
const LONG = { ...FILES, "long.txt": `foo ${"x".repeat(100_000)}\n`.repeat(40) };
const LONG_ANSWER = ["foo", "long.txt", "--max-line-length", "0", "--format", "text"];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Status = Awaited<ReturnType<Resident["start"]>>;

/** Connects, and sends a request without reading its answer. */
async function send(status: Status, request: Partial<Request & { kind: "command" }>) {
  const connection = await Deno.connect({ transport: "unix", path: status.socket });
  const whole = { kind: "command", workspace: status.roots, canAsk: false, ...request };
  let bytes = encodeRequest(whole);
  while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
  return connection;
}

/** The kinds of the frames of an answer: 0 accepted, 1 stdout, 3 exit status, 4 declined. */
async function kindsOf(connection: Deno.UnixConn): Promise<number[]> {
  const bytes = await new Response(connection.readable).bytes();
  const kinds: number[] = [];
  for (let at = 0; at < bytes.length;) {
    kinds.push(bytes[at]!);
    at += 5 + new DataView(bytes.buffer).getUint32(at + 1);
  }
  return kinds;
}

/** Asks until the server has time for it: where others search, it may leave that to its client. */
async function answerOf(resident: Resident, status: Status, args: readonly string[]) {
  for (;;) {
    const { code, stdout } = await resident.ask(status, args);
    if (code !== "declined") return { code, stdout };
  }
}

test.slow("clients that don't read their answers keep nobody from the turn that they had", async () => {
  await using resident = await Resident.on(LONG);
  const status = await resident.start();
  const open = [];
  for (let pager = 0; pager < 8; pager++) {
    open.push(await send(status, { args: LONG_ANSWER }));
    assert.equal((await answerOf(resident, status, ["-q", "foo", "src"])).code, 0);
  }
  // Each gets its answer when it reads on.
  for (const connection of open) {
    const { length, [length - 1]: last } = await kindsOf(connection);
    assert.deepEqual([length > 4, last], [true, 3]);
  }
});

test.slow("however many clients ask at once, the server answers a few of them at a time", async () => {
  const line = `foo ${"x".repeat(400_000)}\n`;
  await using resident = await Resident.on({ ...FILES, "wide.txt": line.repeat(25) });
  const status = await resident.start();
  const args = ["foo", "wide.txt", "--max-line-length", "0", "--format", "text"];
  const open = await Promise.all(Array.from({ length: 100 }, () => send(status, { args })));
  let most = 0;
  for (let count = 0; count < 10; count++) {
    assert.equal((await answerOf(resident, status, ["-q", "foo", "src"])).code, 0);
    most = Math.max(most, (await resident.status()).memory_bytes);
  }
  for (const connection of open) connection.close();
  // Each answer of ten megabytes takes several times that while it is made.
  assert.ok(most < 800e6, `${Math.round(most / 1e6)} MB`);
});

test.slow("answers that nobody reads make room for those that are read", async () => {
  const line = `foo ${"x".repeat(400_000)}\n`;
  await using resident = await Resident.on({ ...FILES, "wide.txt": line.repeat(100) });
  const status = await resident.start();
  const args = ["foo", "wide.txt", "--format", "text", "--max-line-length", "0"];
  const open = [];
  for (let sent = 0; sent < 8; sent++) { // 320 MB, more than is held
    open.push(await send(status, { args }));
    assert.equal((await answerOf(resident, status, ["-q", "foo", "src"])).code, 0);
  }
  await pause(1100);
  const { code, stdout } = await answerOf(resident, status, args);
  assert.deepEqual([code, stdout.length > 40e6], [0, true]);
  for (const connection of open) connection.close();
});

test.slow("a request that comes byte by byte takes no more memory than it has bytes", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const open = await Promise.all(
    Array.from({ length: 20 }, () => Deno.connect({ transport: "unix", path: status.socket })),
  );
  const byte = new Uint8Array([0x61]);
  try {
    for (let sent = 0; sent < 2000; sent++) {
      await Promise.all(open.map((connection) => connection.write(byte)));
      await pause(0); // so that the server reads each by itself
    }
  } catch (error) {
    // It waits some seconds for a request.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
  const { memory_bytes } = await resident.status();
  for (const connection of open) connection.close();
  const grown = (memory_bytes - status.memory_bytes) / 2 ** 20;
  assert.ok(grown < 200, `${grown} MiB for 40 kB`);
});

test.slow("a command line or input of very many words or characters is left to its client", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const many = <T>(word: T) => Array.from({ length: 100_000 }, () => word);
  for (
    const request of [
      { args: ["foo", ...many("src")] },
      { args: many(["-e", "foo"]).flat() },
      { args: ["foo", "-g", "{a,b,c}{d,e,f}*".repeat(5000)] },
      { args: ["foo", ...many("").slice(-499).flatMap(() => ["-g", "{a,b,c}*".repeat(50)])] },
      { args: ["-q", "foo"], workspace: many(status.roots[0]) },
      { args: ["call", "grep"], stdin: "[".repeat(1_000_000) },
    ]
  ) {
    assert.deepEqual(await kindsOf(await send(status, request)), [0, 4]);
  }
});

Deno.test("a client that names other roots learns nothing about them", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const { tree } = resident;
  await tree.write({ "link": { symlink: "link" } });
  const [root] = status.roots;
  for (
    const workspace of [
      ["/etc"],
      ["/nonexistent"],
      ["/etc/hostname"],
      [tree.path("link")],
      [tree.path("src")],
      [tree.path("src/a.ts")],
      [root, "/etc"],
      [root, "/nonexistent"],
      ["\0"],
      [""],
      [],
    ]
  ) {
    const connection = await send(status, { args: ["-q", "foo"], workspace });
    assert.deepEqual(await kindsOf(connection), [0, 4], JSON.stringify(workspace));
  }
});

test.slow("a request of more than 4 MiB is refused as soon as it has more", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const request = { args: ["call", "grep"], stdin: '{"pattern": "foo"}'.padEnd(5 << 20) };
  const refused = send(status, request).then(kindsOf);
  await assert.rejects(
    refused,
    (error) =>
      error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset,
  );
});
