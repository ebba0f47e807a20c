/** A resident search answers as the command itself does, for its user alone, and is never in the way. */
import assert from "node:assert/strict";
import { callResident } from "../../src/resident/protocol.ts";
import { encodeRequest, isAlive, Resident } from "./resident.ts";
import { sh } from "../support/spawn.ts";
import { numbersFrom, seeded } from "../support/draw.ts";
import { assertInTime, inThreeTries, withTimeFor } from "../support/soon.ts";
import { test } from "../support/needs.ts";

const FILES = {
  "src/a.ts": "export const foo = 1;\n// TODO: more\n",
  "src/b.ts": "const Foo = 2;\n",
  "docs/c.md": "foo\nbar foo\n\n",
  ".gitignore": "out\n",
  "out/d.ts": "foo\n",
  ".env": "foo=secret\n",
};

test.slow("start, status and stop say what they did", async () => {
  await using resident = await Resident.on(FILES);
  assert.deepEqual(await resident.run(["serve", "--status"]), {
    code: 1,
    stdout: '{"running":false}\n',
    stderr: "",
  });
  assert.deepEqual(await resident.run(["serve", "--stop"]), {
    code: 1,
    stdout: '{"running":false}\n',
    stderr: "",
  });
  const status = await resident.start();
  const { running, roots, socket, version, ready, files, ...rest } = status;
  assert.deepEqual([running, roots, ready, files], [true, [resident.tree.root], true, 4]);
  assert.deepEqual(Object.keys(rest), ["pid", "memory_bytes"]);
  assert.ok(socket.startsWith(`${resident.runtime}/pathgrep/`) && /^\d+\.\d+\.\d+/.test(version));
  assert.equal(Deno.lstatSync(`${resident.runtime}/pathgrep`).mode! & 0o777, 0o700);
  assert.equal(Deno.lstatSync(socket).mode! & 0o777, 0o600);
  const again = JSON.parse((await resident.run(["serve", "--background"])).stdout);
  assert.equal(again.pid, status.pid);
  await resident.tree.write({ "new.ts": "" });
  assert.equal((await resident.status()).files, 5);
  const second = await resident.run(["serve"]);
  assert.equal(second.code, 2);
  assert.match(second.stdout, /runs already/);
  assert.equal((await resident.run(["serve", "--stop"])).code, 0);
  await resident.ended();
  assert.deepEqual([...Deno.readDirSync(`${resident.runtime}/pathgrep`)], []);
});

test.slow("roots are served in any order, and none that is gone", async () => {
  await using resident = await Resident.on(FILES);
  const { root } = resident.tree;
  const [src, docs, gone] = ["src", "docs", "gone"].map((name) => `--workspace=${root}/${name}`);
  const { pid } = await resident.start(src!, docs!);
  assert.equal((await resident.status([docs!, src!])).pid, pid);
  for (const roots of [[src!, docs!], [docs!, src!]]) {
    const args = ["foo", "--paths=relative", ...roots];
    const own = JSON.parse((await resident.run([...args, "--resident=never"])).stdout);
    const { stats: { resident: isResident }, ...rest } = JSON.parse(
      (await resident.run([...args, "--stats"])).stdout,
    );
    assert.deepEqual(rest, own);
    assert.equal(isResident, true);
  }
  assert.equal((await resident.run(["serve", "--stop", docs!, src!])).code, 0);

  const none = { code: 1, stderr: "" };
  const status = await resident.run(["serve", "--status", gone!]);
  assert.deepEqual(status, { ...none, stdout: '{"running":false}\n' });
  assert.deepEqual(await resident.run(["serve", "--stop", gone!]), status);
  const { code, stdout } = await resident.run(["serve", "--background", gone!]);
  assert.deepEqual([code, JSON.parse(stdout).code], [2, "path_not_found"]);
});

test.slow("answers are the same byte for byte, errors included", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const input = '{"pattern": "foo", "path": "docs", "context": 1}';
  const commands: [string[], string?][] = [
    [["foo"]],
    [["search", "-i", "foo", "src", "--format", "jsonl"]],
    [["foo", "--format", "text", "-C1"]],
    [["--show-function", "foo"]],
    [["--show-function=auto", "-C1", "--format", "text", "foo"]],
    [["-c", "foo", "--paths", "relative"]],
    [["-l", "nothing"]],
    [["foo", "missing"]],
    [["foo", "missing", "--format", "text"]],
    [["foo("]],
    [["foo", ".env"]],
    [["foo", "/etc/hostname"]],
    [["foo", "/etc", "--allow", "/etc/hostname"]],
    [["foo", "--max-results", "1"]],
    [["foo", "--max-results", "1", "--on-overflow", "truncate"]],
    [["-q", "foo"]],
    [["-q", "nothing"]],
    [["--bogus", "foo"]],
    [["foo", "--workspace", "src"]],
    [["foo", "--workspace", "nowhere"]],
    [["foo", "--deny", "docs"]],
    [["foo", "--engine", "grep"]],
    [["foo", "-"], "foo\n"],
    [["-f", "-", "docs"], "bar\n"],
    [["files"]],
    [["files", "src", "--format", "text"]],
    [["call", "grep"], input],
    [["call", "grep"], '{"pattern": 1'],
    [["call", "glob"], '{"pattern": "*.ts"}'],
    [["call", "resolve_path"], '{"path": "a.ts"}'],
    [["call", "nothing"]],
    [["--help"]],
    [["--version"]],
  ];
  for (const [args, stdin] of commands) {
    const own = await resident.run(
      [...args, "--resident", "never"].filter((arg) =>
        !["--help", "--version"].includes(args[0]!) || !["--resident", "never"].includes(arg)
      ),
      stdin,
    );
    assert.deepEqual(await resident.run(args, stdin), own, args.join(" "));
  }
  const { stdout } = await resident.run(["foo", "--stats"]);
  assert.equal(JSON.parse(stdout).stats.resident, true);
  const alone = await resident.run(["foo", "--stats", "--resident", "never"]);
  assert.equal(JSON.parse(alone.stdout).stats.resident, undefined);
});

test.slow("a server leaves what a client of another version wants to that client", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  assert.equal((await resident.ask(status, ["foo"])).code, 0);
  for (const version of ["0.0.1", `${status.version}-x`, ""]) {
    assert.deepEqual(await resident.ask(status, ["foo"], { version }), {
      code: "declined",
      stdout: "",
      stderr: "",
    });
    const request = { kind: "stop", version } as const;
    const call = { request, timeout: 10_000, onOutput: () => assert.fail("it wrote something") };
    assert.equal(await callResident(status.socket, call), undefined);
  }
  const connection = await Deno.connect({ transport: "unix", path: status.socket });
  const unversioned = { kind: "command", args: ["foo"], workspace: status.roots, canAsk: false };
  await connection.write(new TextEncoder().encode(`${JSON.stringify(unversioned)}\n`));
  assert.equal(await new Response(connection.readable).text(), "");
  assert.equal((await resident.status()).pid, status.pid);
});

test.slow("the format is that of the client's environment, not of the server's", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  for (const PATHGREP_FORMAT of ["text", "jsonl", "xml", "x".repeat(40_000)]) {
    for (const args of [["foo"], ["files"], ["foo", "-0"], ["foo", "--format=json"]]) {
      const own = await resident.run([...args, "--resident=never"], "", { PATHGREP_FORMAT });
      assert.deepEqual(await resident.run(args, "", { PATHGREP_FORMAT }), own, args.join(" "));
    }
  }
});

test.slow("a budget holds for what a resident search adds to the stats, too", async () => {
  await using resident = await Resident.on({ "a.txt": "needle\n".repeat(20) });
  await resident.start();
  const args = ["needle", "--stats", "--paths", "relative", "--on-overflow", "truncate"];
  for (let budget = 700; budget < 760; budget += 10) {
    const { stdout } = await resident.run([...args, "--max-output-chars", `${budget}`]);
    assert.equal(JSON.parse(stdout).stats.resident, true);
    assert.ok(stdout.length <= budget, `${stdout.length} characters with ${budget}`);
    const own = await resident.run([
      ...args,
      "--max-output-chars",
      `${budget}`,
      "--resident=never",
    ]);
    assert.ok(own.stdout.length <= budget);
  }
});

test.slow("the very next command knows of every change", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const { tree } = resident;
  const lines = async () => {
    const { stdout } = await resident.run(["foo", "--paths", "relative", "--stats"]);
    const { matches, stats } = JSON.parse(stdout);
    assert.ok(stats.resident);
    return matches.map(({ file, line }: { file: string; line: string }) => `${file}: ${line}`);
  };
  const first = await lines();
  assert.deepEqual(first, [
    "docs/c.md: foo",
    "docs/c.md: bar foo",
    "src/a.ts: export const foo = 1;",
  ]);
  await tree.write({ "src/new.ts": "foo new\n" });
  assert.deepEqual(await lines(), [...first, "src/new.ts: foo new"]);
  await tree.write({ ".gitignore": "out\nnew.ts\n" });
  assert.deepEqual(await lines(), first);
  await Deno.rename(tree.path("docs"), tree.path("moved"));
  assert.ok((await lines()).includes("moved/c.md: foo"));
  const { mtime, atime } = await Deno.stat(tree.path("src/a.ts"));
  await tree.write({ "src/a.ts": "export const fox = 1;\n// TODO: more\n" });
  await Deno.utime(tree.path("src/a.ts"), atime!, mtime!);
  assert.ok(!(await lines()).some((line: string) => line.startsWith("src/a.ts")));
});

test.slow("it ends when it is not used, when its workspace is gone, and by signals", async () => {
  await using idle = await Resident.on(FILES);
  const { pid } = await idle.start("--idle", "0.02");
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));

  for (const isReplaced of [false, true]) {
    await using gone = await Resident.on(FILES);
    const { pid } = await gone.start();
    await Deno.remove(gone.tree.root, { recursive: true });
    if (isReplaced) await Deno.mkdir(gone.tree.root);
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
    await Deno.mkdir(gone.tree.root, { recursive: true });
  }

  const changes = [
    ["SIGTERM", ""],
    // With such a name the watch ends, so that nothing of it holds up the end of the process.
    ["SIGINT", "touch $(printf 'x\\377')"],
    // The system's thread waits at it, and the end of the watch for that thread.
    ["SIGINT", "mkfifo pipe"],
    ["SIGTERM", "rm README.md; mkfifo README.md"],
  ] as const;
  for (const [signal, change] of changes) {
    await using ended = await Resident.on({ ...FILES, "README.md": "x\n" });
    const { pid, socket } = await ended.start();
    if (change !== "") await sh(`${change}; sleep 0.2`, ended.tree.root);
    Deno.kill(pid, signal);
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.throws(() => Deno.lstatSync(socket), Deno.errors.NotFound);
  }
});

test.slow("a server that was killed leaves nothing in the way of commands or of the next one", async () => {
  await using resident = await Resident.on(FILES);
  const { pid, socket } = await resident.start();
  Deno.kill(pid, "SIGKILL");
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(Deno.lstatSync(socket));
  assert.equal((await resident.status()).running, false);
  assert.equal((await resident.run(["-q", "foo"])).code, 0);
  assert.notEqual((await resident.start()).pid, pid);
});

test.slow(
  "a server that ends in the middle of a search leaves its client the rest of the time limit",
  inThreeTries(async () => {
    await using resident = await Resident.on({ "slow.txt": "a".repeat(30_000) });
    const { pid } = await resident.start();
    const started = performance.now();
    const killed = new Promise((resolve) => setTimeout(resolve, 1700))
      .then(() => Deno.kill(pid, "SIGKILL"));
    const slow = ["(?=(a+)+$)(a+)+\\1c", "--timeout", "2000"];
    const { code, stdout } = await resident.run(slow);
    const took = performance.now() - started;
    await killed;
    assert.deepEqual([code, JSON.parse(stdout).code], [2, "search_timed_out"]);
    // With the whole limit anew it would take 3.7 s.
    assertInTime(took, 3200, "the search");
  }),
);

test.slow("the time that its input takes is not counted as a server's that leaves a call to its client", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  await withTimeFor(async (limit) => {
    // The server was not started with this allowance.
    const args = ["call", "grep", "--timeout", `${limit}`, "--allow", "/none/at/all"];
    const child = resident.command(args).spawn();
    const writer = child.stdin.getWriter();
    await new Promise((resolve) => setTimeout(resolve, 1.5 * limit));
    await writer.write(new TextEncoder().encode('{"pattern":"bar","path":"docs"}'));
    await writer.close();
    const { stdout } = await child.output();
    assert.equal(JSON.parse(new TextDecoder().decode(stdout)).count, 1);
  }, 800);
});

test.slow("a server answers where a pipe is left alone, with the same note as the command itself", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const answer = async (...more: string[]) => {
    const child = resident.command(["foo", "--stats", ...more]).spawn();
    const { stdout } = await child.output();
    await child.stdin.close().catch(() => {});
    return JSON.parse(new TextDecoder().decode(stdout));
  };
  const { stats, ...served } = await answer();
  const { stats: own, ...expected } = await answer("--resident", "never");
  assert.deepEqual(served, expected);
  assert.match(served.notes.join("\n"), /^nothing came through the pipe .* within 50 ms, .*$/);
  assert.deepEqual([stats.resident, own.resident], [true, undefined]);
  assert.equal(JSON.parse((await resident.run(["foo"], "")).stdout).notes, undefined);
});

test.slow("a server that does not answer is passed over", async () => {
  await using resident = await Resident.on(FILES);
  const { pid } = await resident.start();
  Deno.kill(pid, "SIGSTOP");
  try {
    assert.equal((await resident.run(["-q", "foo"])).code, 0);
  } finally {
    Deno.kill(pid, "SIGCONT");
  }
});

test.slow("a directory of sockets that others may enter is used by nobody", async () => {
  for (
    const [spoil, problem] of [
      [(path: string) => Deno.mkdirSync(path, { mode: 0o755 }), /is open to others/],
      [(path: string) => Deno.symlinkSync("/tmp", path), /is a symbolic link/],
      [(path: string) => Deno.writeTextFileSync(path, ""), /is not a directory/],
      [
        (path: string) => {
          Deno.mkdirSync(path, { mode: 0o700 });
          Deno.chmodSync(`${path}/..`, 0o777);
        },
        /lies where others may replace it/,
      ],
    ] as const
  ) {
    await using resident = await Resident.on(FILES);
    spoil(`${resident.runtime}/pathgrep`);
    const { code, stdout } = await resident.run(["serve"]);
    assert.equal(code, 2);
    assert.match(stdout, problem);
    assert.equal((await resident.run(["-q", "foo"])).code, 0);
  }
});

test.slow(
  "garbage, half requests, huge ones and many clients leave the server as it was",
  seeded(async (seed) => {
    await using resident = await Resident.on(FILES);
    const { socket, pid } = await resident.start();
    const workspace = [resident.tree.root];
    const connect = () => Deno.connect({ transport: "unix", path: socket });
    const open: Deno.UnixConn[] = [];
    const send = async (bytes: Uint8Array) => {
      const connection = await connect();
      open.push(connection);
      for (let rest = bytes; rest.length > 0;) {
        try {
          rest = rest.subarray(await connection.write(rest));
        } catch {
          return; // the server has hung up, as it should
        }
      }
    };
    const encode = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    const below = numbersFrom(seed);
    await send(Uint8Array.from({ length: 5000 }, () => below(256)));
    await send(new TextEncoder().encode("{"));
    await send(new Uint8Array(8 << 20).fill(0x61));
    for (
      const value of [null, [], {}, { kind: "command" }, {
        kind: "command",
        args: [1],
        workspace,
        canAsk: true,
      }]
    ) {
      await send(encode(value));
      await send(encodeRequest({ ...value }));
    }
    for (const args of [["serve", "--stop"], ["mcp"], ["foo", "/etc", "--allow", "/etc/**"]]) {
      await send(encodeRequest({ kind: "command", args, workspace, canAsk: false }));
    }
    for (let client = 0; client < 500; client++) open.push(await connect());
    const { stdout } = await resident.run(["foo", "--stats"]);
    assert.equal(JSON.parse(stdout).stats.resident, true);
    for (const connection of open) connection.close();
    assert.equal((await resident.status()).pid, pid);
  }),
);

Deno.test("a client learns nothing of what its server may not show", async () => {
  await using resident = await Resident.on(FILES);
  const { socket } = await resident.start();
  const workspace = [resident.tree.root];
  const outside = await Deno.makeTempDir();
  await Deno.writeTextFile(`${outside}/secret.txt`, "foo outside\n");
  const commands = [
    ["foo", outside],
    ["foo", outside, "--allow", `${outside}/**`],
    ["foo", ".env", "--allow", ".env"],
    ["foo", "--workspace", outside],
    ["files", outside, "--workspace", "/"],
    ["-f", `${outside}/secret.txt`],
  ];
  for (const args of commands) {
    const connection = await Deno.connect({ transport: "unix", path: socket });
    await connection.write(encodeRequest({ kind: "command", args, workspace, canAsk: false }));
    const answer = await new Response(connection.readable).text();
    assert.ok(!/foo outside|foo=secret|secret\.txt"\]/.test(answer), `${args}: ${answer}`);
  }
  await Deno.remove(outside, { recursive: true });
});

test.slow("one client's runaway leaves another's search as quick as it was", async () => {
  await using resident = await Resident.on({ ...FILES, "slow.txt": `${"a".repeat(30_000)}\n` });
  await resident.start();
  const slow = resident.command(["(?=(a+)+$)(a+)+\\1c", "slow.txt", "--timeout", "20000"]).spawn();
  let hasEnded = false;
  const ending = slow.output().then(() => hasEnded = true);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal((await resident.run(["-q", "foo"])).code, 0);
  assert.equal(hasEnded, false);
  slow.kill("SIGKILL");
  await ending;
});
