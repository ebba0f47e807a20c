/**
 * `read_file` over MCP: numbered lines as plain text, within their characters, and others' calls beside it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { test } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { ESCAPES_NOTE } from "../../src/util/text.ts";
import { tempTree } from "../support/tree.ts";
import { CLIENTS, connect } from "./clients.ts";
import { RawServer } from "./raw_server.ts";

const NUMBERS = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);

for (const client of CLIENTS) {
  Deno.test(`the ${client} client reads lines with their numbers, and pages and lines of a path`, async () => {
    await using t = await tempTree({
      "src/a.ts": NUMBERS.map((line) => `${line}\n`).join(""),
      "empty.txt": "",
      "long.txt": `${"x".repeat(2001)}\nb\x1b[2J\n`,
    });
    await using connection = await connect(client, { cwd: t.root });
    const read = async (input: Record<string, unknown>) => {
      const { text, isError } = await connection.call("read_file", input);
      assert.equal(isError, false, text);
      return text;
    };
    const rows = (first: number, last: number) =>
      NUMBERS.slice(first - 1, last).map((line, index) => `${first + index}:${line}\n`).join("");
    assert.equal(
      await read({ path: "src/a.ts", offset: 3, limit: 2 }),
      `${rows(3, 4)}\nsrc/a.ts: lines 3-4 of 200; next page: offset 5`,
    );
    assert.equal(
      await read({ path: `${t.root}/src/a.ts:199-200` }),
      `${rows(199, 200)}\nsrc/a.ts: lines 199-200 of 200`,
    );
    // Whoever names the last line wants no more.
    assert.equal(
      await read({ path: "src/a.ts:120-121" }),
      `${rows(120, 121)}\nsrc/a.ts: lines 120-121 of 200`,
    );
    assert.equal(
      await read({ path: "src/a.ts:120", limit: 2 }),
      `${rows(120, 121)}\nsrc/a.ts: lines 120-121 of 200; next page: path src/a.ts:122`,
    );
    assert.equal(await read({ path: "src/a.ts" }), `${rows(1, 200)}\nsrc/a.ts: 200 lines`);
    assert.equal(await read({ path: "empty.txt" }), "empty.txt: no lines");
    assert.equal(
      await read({ path: "src/a.ts", offset: 201 }),
      "src/a.ts: no lines of 200\noffset 201 is past the last of 200 lines",
    );
    assert.equal(
      await read({ path: "long.txt" }),
      `1:${"x".repeat(2000)}…\n2:b\\x1b[2J\n\nlong.txt: 2 lines\n${ESCAPES_NOTE}\n` +
        "line 1 was cut after 2000 characters; grep shows the rest around a match",
    );
    // Of a directory, its listing.
    assert.equal(await read({ path: "src" }), "src/a.ts\n\n1 file");
    assert.equal(
      await read({ path: ".", limit: 1 }),
      "empty.txt\n\ndirectories: src/\nfiles 1-1 of 2; next page: offset 2",
    );
    assert.equal(await read({ path: ".", offset: 2 }), "long.txt\n\nfiles 2-2 of 2");
  });
}

Deno.test("a text of lines keeps to its characters, and the pages have every line once", async () => {
  const lines = Array.from({ length: 900 }, (_, at) => `${at} ${"\x1bé".repeat(at % 40)}`);
  await using t = await tempTree({ "a.txt": lines.join("\n") });
  await using connection = await connect("v2 of 2026", { cwd: t.root });
  for (const max_output_chars of [1000, 4000]) {
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const { text } = await connection.call("read_file", {
        path: "a.txt",
        offset,
        max_output_chars,
      });
      assert.ok(text.length <= max_output_chars, `${text.length}`);
      seen.push(...text.slice(0, text.indexOf("\n\n")).split("\n"));
      const next: string | undefined = / offset (\d+)$/m.exec(text)?.[1];
      assert.ok(next === undefined || text.length > max_output_chars * 0.7, `${text.length}`);
      offset = next === undefined ? undefined : Number(next);
    }
    const expected = lines.map((line, at) => `${at + 1}:${line.replaceAll("\x1b", "\\x1b")}`);
    assert.deepEqual(seen, expected);
  }
});

Deno.test("the next page of lines that a path names is a path that can be sent", async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `${at + 1} ${"x".repeat(40)}`);
  await using t = await tempTree({ "src/a.txt": lines.join("\n") });
  await using connection = await connect("v2 of 2026", { cwd: t.root });
  for (const [named, last] of [["src/a.txt:120-190", 190], ["src/a.txt:250", 300]] as const) {
    const seen: string[] = [];
    const texts: string[] = [];
    for (let path: string | undefined = named; path !== undefined;) {
      const { text, isError } = await connection.call("read_file", {
        path,
        max_output_chars: 1000,
      });
      assert.equal(isError, false, text);
      assert.ok(text.length <= 1000, `${text.length}`);
      texts.push(text);
      seen.push(...text.slice(0, text.indexOf("\n\n")).split("\n"));
      path = /; next page: path (\S+)$/.exec(text)?.[1];
    }
    assert.ok(texts.length > 2);
    assert.match(texts.at(-1)!, /: lines \d+-\d+ of 300$/);
    const first = Number(/:(\d+)/.exec(named)![1]);
    assert.deepEqual(seen, lines.slice(first - 1, last).map((line, at) => `${first + at}:${line}`));
  }
});

Deno.test("a next page can be sent: with names that the text escapes, or that a path with lines means otherwise", async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
  const text = lines.join("\n");
  const names = ["a.ts", "a.ts:5", "b\n.ts", " c .ts", "d\x1b[1m.ts", "@e.ts", '"f".ts', "g\\h.ts"];
  const files = Object.fromEntries(names.map((name) => [name, text]));
  await using t = await tempTree({ ...files, "a.ts:7-10": "other" });
  await using connection = await connect("v2 of 2026", { cwd: t.root });
  /** Reads pages until the text names no next one; `keep` is sent again with each. */
  const pages = async (keep: Record<string, unknown>, first: Record<string, unknown>) => {
    const seen: string[] = [];
    const said: string[] = [];
    for (let call: Record<string, unknown> | undefined = first; call !== undefined;) {
      const { text, isError } = await connection.call("read_file", { ...keep, ...call });
      assert.equal(isError, false, text);
      seen.push(...text.slice(0, text.indexOf("\n\n")).split("\n"));
      const form = /; next page: (?:path (.+)|offset (\d+)(?:, limit (\d+))?(, with.*)?)$/mu;
      const [, path, offset, limit, isWithout] = form.exec(text) ?? [];
      said.push(path ?? offset ?? "");
      const same: unknown = isWithout
        ? String(call["path"]).replace(/:[\d-]+$/u, "")
        : call["path"];
      call = path !== undefined
        ? { path }
        : offset === undefined
        ? undefined
        : { path: same, offset: Number(offset), ...(limit ? { limit: Number(limit) } : {}) };
    }
    assert.ok(said.length > 1);
    return { seen, said };
  };
  const numbered = (first: number, last = 12) =>
    lines.slice(first - 1, last).map((line, at) => `${first + at}:${line}`);
  for (const path of names) {
    assert.deepEqual((await pages({ limit: 2 }, { path })).seen, numbered(1));
    assert.deepEqual((await pages({ limit: 2 }, { path: `${path}:3` })).seen, numbered(3));
  }
  const { said } = await pages({ limit: 2 }, { path: "a.ts:3" });
  assert.deepEqual(said, ["5", "7", "9", "11", ""], "a.ts:5 is another file");
  await Deno.writeTextFile(
    t.path("long.ts"),
    lines.map((line) => line.padEnd(400, ".")).join("\n"),
  );
  const cut = async (keep: Record<string, unknown>, first: Record<string, unknown>) => {
    const { seen } = await pages({ ...keep, max_output_chars: 1200 }, {
      path: "long.ts",
      ...first,
    });
    return seen.map((line) => Number.parseInt(line));
  };
  const to = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  assert.deepEqual(await cut({}, { path: "long.ts:3-9" }), to(3, 9));
  assert.deepEqual(await cut({ end_line: 9 }, { path: "long.ts:3" }), to(3, 9));
  assert.deepEqual(await cut({ end_line: 99 }, { path: "long.ts:3" }), to(3, 12));
  assert.deepEqual(await cut({ end_line: 9 }, {}), to(1, 9));
  // A limit is that of a page: one that is cut again goes on past it.
  assert.deepEqual((await cut({}, { view_range: [3, 9] })).slice(0, 7), to(3, 9));
});

test.slow(
  "pings are answered while a large file is read, and a call that is cancelled ends",
  inThreeTries(async () => {
    await using t = await tempTree({});
    using file = Deno.openSync(t.path("large.txt"), { write: true, create: true });
    const piece = new TextEncoder().encode(`${"0123456789".repeat(6)}\n`.repeat(100_000));
    for (let written = 0; written < 600 * 1e6; written += piece.length) file.writeSync(piece);
    await using server = new RawServer(t.root, ["-A"]);
    await server.initialize();
    await server.callText("read_file", { path: "large.txt", limit: 1 });
    const isAnswered = (id: number) => server.messages.some((message) => message.id === id);
    const start = () =>
      server.start("tools/call", { name: "read_file", arguments: { path: "large.txt", limit: 1 } });
    const reading = await Promise.all([start(), start()]);
    let pings = 0;
    for (; !reading.every(isAnswered); pings++) {
      const started = performance.now();
      await server.request("ping");
      assertInTime(performance.now() - started, 1000, "a ping");
    }
    assert.ok(pings > 10, `${pings} pings beside it`);
    const cancelled = await start();
    await server.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: cancelled },
    });
    await server.request("ping");
    const next = performance.now();
    await server.callText("grep", { pattern: "absent", include: "*.none" });
    assertInTime(performance.now() - next, 1000, "the next call");
    assert.equal(isAnswered(cancelled), false, "what is cancelled is not answered");
  }),
);
