/** Whatever clients and the system do to a resident search, it goes on, and commands get their answers. */
import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { numbersFrom, RUNS, seeded } from "../support/draw.ts";
import { test, testNeeding } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { encodeRequest, isAlive, Resident } from "./resident.ts";

const FILES = { "src/a.ts": "export const foo = 1;\n", "docs/c.md": "foo\nbar foo\n" };
const RUNAWAY = ["(?=(a+)+$)(a+)+\\1c", "slow.txt", "--timeout", "0"];
const SLOW = { ...FILES, "slow.txt": `${"a".repeat(30_000)}\n` };
const CLI = `${CHECKOUT}cli.ts`;

/** What takes longer hangs, however busy the machine is. */
const HANGS_MS = 120_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Processor seconds that a process has used, its threads included. */
function secondsOf(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

Deno.test("of servers that start at once one stays, and the others say so", async () => {
  await using resident = await Resident.on(FILES);
  const starts = Array.from({ length: 4 }, () => resident.command(["serve"]).spawn());
  const ended: number[] = [];
  const ending = starts.map(async (child, index) => {
    const { code, stdout } = await child.output();
    ended.push(index);
    return { code, stdout: new TextDecoder().decode(stdout) };
  });
  while (ended.length < 3) await pause(50);
  const { pid } = await resident.status();
  const [winner] = starts.keys().filter((index) => !ended.includes(index));
  assert.equal(starts[winner!]!.pid, pid);
  assert.equal((await resident.run(["serve", "--stop"])).code, 0);
  const outcomes = await Promise.all(ending);
  assert.equal(outcomes[winner!]!.code, 0);
  for (const index of ended.filter((index) => index !== winner)) {
    assert.equal(outcomes[index]!.code, 2);
    assert.match(outcomes[index]!.stdout, /runs already/);
  }
});

test.slow("a server that no client can find anymore ends, and leaves its successor alone", async () => {
  await using resident = await Resident.on(FILES);
  const first = await resident.start();
  await Deno.remove(first.socket);
  const second = await resident.start();
  assert.notEqual(second.pid, first.pid);
  while (isAlive(first.pid)) await pause(50);
  assert.equal((await resident.status()).pid, second.pid);
});

Deno.test("a root that is replaced while it is served is searched as it is now", async () => {
  await using resident = await Resident.on({ "ws/old.txt": "foo\n" });
  const ws = resident.tree.path("ws");
  await resident.start("--workspace", ws);
  await Deno.rename(ws, `${ws}.old`);
  await resident.tree.write({ "ws/new.txt": "foo new\n" });
  const { stdout } = await resident.run(["foo", "--workspace", ws, "--format", "text"]);
  assert.equal(stdout, "new.txt:1:foo new\n");
});

test.slow("roots that are given through links or several at once answer as they do alone", async () => {
  await using resident = await Resident.on({
    "one/a.txt": "foo\n",
    "two/b.txt": "foo\n",
    "link": { symlink: "one" },
  });
  const [one, two, link] = ["one", "two", "link"].map((name) => resident.tree.path(name)) as [
    string,
    string,
    string,
  ];
  await resident.start("--workspace", one);
  await resident.start("--workspace", one, "--workspace", two);
  for (
    const args of [
      ["--workspace", link, "--stats"],
      ["--workspace", "link", `${link}/a.txt`, "--stats"],
      ["--workspace", one, `${link}/a.txt`, "--stats"],
      ["--workspace", "one", "--workspace", "two", "--paths", "relative", "--stats"],
      ["--workspace", "link", "--workspace", "two", `${link}/a.txt`, `${two}/b.txt`, "--stats"],
    ]
  ) {
    const [served, alone] = await Promise.all([[], ["--resident", "never"]].map(async (more) => {
      const { stats = {}, ...answer } = JSON.parse(
        (await resident.run(["foo", ...args, ...more])).stdout,
      );
      return { resident: stats.resident, answer };
    }));
    assert.deepEqual(served!.answer, alone!.answer, args.join(" "));
    assert.equal(served!.resident, "error" in alone!.answer ? undefined : true, args.join(" "));
    assert.equal(alone!.resident, undefined);
  }
});

test.slow("a reader that closes its end ends the search, with the same status", async () => {
  const lines = `foo ${"x".repeat(90)}\n`.repeat(20_000);
  await using resident = await Resident.on({ ...SLOW, "big.txt": lines });
  await resident.start();
  const piped = async (args: string[]) => {
    const line = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", CLI, ...args];
    const { stdout } = await new Deno.Command("bash", {
      args: ["-c", '"$@" | head -1 | cut -c1-30; echo ${PIPESTATUS[0]}', "bash", ...line],
      cwd: resident.tree.root,
      env: { XDG_RUNTIME_DIR: resident.runtime },
    }).output();
    return new TextDecoder().decode(stdout);
  };
  const many = ["--max-results", "0", "big.txt"];
  for (
    const args of [
      ["foo", "--format", "text", ...many],
      ["foo", "--format", "jsonl", ...many],
      ["foo", ...many],
      ["foo", "nowhere"],
      ["files", "--format", "text"],
      // What comes after the first lines would take for ever.
      ["foo|(?=(a+)+$)(a+)+\\1c", "--format", "text", "--timeout", "0", "--sort", "none", ...many],
    ]
  ) {
    assert.equal(await piped(args), await piped([...args, "--resident", "never"]), args.join(" "));
  }
});

test.slow("a client that is killed or interrupted costs the server nothing more", async () => {
  await using resident = await Resident.on(SLOW);
  const { pid } = await resident.start();
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const client = resident.command(RUNAWAY).spawn();
    const ending = client.output();
    for (const before = secondsOf(pid); secondsOf(pid) < before + 0.3;) await pause(50);
    client.kill(signal);
    const { code } = await ending;
    assert.notEqual(code, 0);
    // What goes on uses most of a processor for the ten seconds that any piece of text may take.
    const ended = performance.now();
    for (let before = -1, now; before !== (now = secondsOf(pid)); before = now) {
      assert.ok(performance.now() - ended < 5000, `${signal}: the search goes on`);
      await pause(300);
    }
  }
});

test.slow(
  "many runaways leave a quick search quick, or to its client",
  inThreeTries(async () => {
    await using resident = await Resident.on(SLOW);
    const status = await resident.start();
    for (const runaways of [1, 3, 8, 40]) {
      using open = new DisposableStack();
      for (let client = 0; client < runaways; client++) {
        const connection = await Deno.connect({ transport: "unix", path: status.socket });
        open.use(connection);
        const workspace = status.roots;
        await connection.write(
          encodeRequest({ kind: "command", args: RUNAWAY, workspace, canAsk: false }),
        );
      }
      await pause(1000);
      const start = performance.now();
      const { code, stdout } = await resident.ask(status, ["-l", "foo", "--paths", "relative"]);
      const ms = performance.now() - start;
      if (runaways > 3) assert.equal(code, "declined");
      else assert.deepEqual(JSON.parse(stdout).files, ["docs/c.md", "src/a.ts"]);
      assertInTime(ms, 1000, `a search beside ${runaways}`);
      open.dispose();
      await pause(500);
    }
    assert.equal((await resident.ask(status, ["-q", "foo"])).code, 0);
  }),
);

test.slow("a server that is stopped is passed over, whatever size the request has", async () => {
  await using resident = await Resident.on(FILES);
  const { pid } = await resident.start();
  const input = JSON.stringify({ pattern: ["foo", ..."x".repeat(2000)].join("|").padEnd(2e6) });
  const alone = await resident.run(["call", "grep", "--resident", "never"], input);
  Deno.kill(pid, "SIGSTOP");
  try {
    assert.deepEqual(await resident.run(["call", "grep"], input), alone);
  } finally {
    Deno.kill(pid, "SIGCONT");
  }
});

testNeeding("script").slow("clients with few permissions answer, and ask for none", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const { root } = resident.tree;
  const read = `--allow-read=${root}`;
  for (
    const permissions of [
      [read],
      [read, "--allow-env"],
      ["--allow-read", "--allow-env"],
      ["--allow-read", "--allow-env", "--allow-sys"],
      ["--allow-read", "--allow-env", "--allow-sys", "--allow-write"],
      ["-A"],
    ]
  ) {
    const line = [Deno.execPath(), "run", "--quiet", "--no-check", ...permissions, CLI]
      .concat([
        "-l",
        "foo",
        "--format",
        "json",
        "--workspace",
        root,
        "--stats",
        "--paths",
        "relative",
      ]);
    const { code, stdout } = await new Deno.Command("script", {
      args: ["-qec", line.map((word) => `'${word}'`).join(" "), "/dev/null"],
      env: { XDG_RUNTIME_DIR: resident.runtime, SHELL: "/bin/sh" },
      stdin: "null",
    }).output();
    const answer = new TextDecoder().decode(stdout);
    assert.equal(code, 0, `${permissions}: ${answer}`);
    assert.doesNotMatch(answer, /requests|Allow\?/i, permissions.join(" "));
    const { files, stats } = JSON.parse(answer);
    assert.deepEqual(files, ["docs/c.md", "src/a.ts"]);
    assert.equal(stats.resident, permissions[0] === "-A" ? true : undefined, permissions.join(" "));
  }
});

test.slow("a client that may not read a part of the workspace learns nothing of it", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const { root } = resident.tree;
  await Deno.symlink(root, `${resident.runtime}/link`);
  for (const workspace of [root, `${resident.runtime}/link`]) {
    for (
      const permissions of [
        ["-A", `--deny-read=${root}/docs`],
        ["-A", `--deny-read=${root}/docs/c.md`],
        [`--allow-read=${root}/src`, "--allow-write", "--allow-env", "--allow-net", "--allow-sys"],
      ]
    ) {
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-check", "--no-prompt", ...permissions, CLI]
          .concat(["-l", "foo", "--workspace", workspace, "--stats"]),
        env: { XDG_RUNTIME_DIR: resident.runtime },
        stdin: "null",
      }).output();
      const answer = JSON.parse(new TextDecoder().decode(stdout));
      // The client's own walk names what it may not read, and only a note does.
      const { notes: _, ...shown } = answer;
      assert.doesNotMatch(JSON.stringify(shown), /c\.md"/, permissions.join(" "));
      assert.equal(answer.stats?.resident, undefined, permissions.join(" "));
    }
  }
});

Deno.test("a process that could not find the server starts none, and says what it lacks", async () => {
  await using resident = await Resident.on(FILES);
  const { root } = resident.tree;
  for (
    const [permissions, flags] of [
      [["-A", "--deny-env"], "--allow-env"],
      [["-A", "--deny-net"], "--allow-net"],
      [["-A", "--deny-sys"], "--allow-sys=uid"],
      [["-A", "--deny-run"], "--allow-run"],
      [["-A", "--deny-write"], "--allow-write"],
      [["--allow-read", "--allow-env", "--allow-sys"], "--allow-write, --allow-net, --allow-run"],
    ] as const
  ) {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--no-prompt", ...permissions, CLI]
        .concat(["serve", "--background", "--workspace", root]),
      env: { XDG_RUNTIME_DIR: resident.runtime },
      stdin: "null",
    }).output();
    assert.equal(code, 2, flags);
    const { error } = JSON.parse(new TextDecoder().decode(stdout));
    assert.equal(error, `search failed: the resident search cannot be started without ${flags}`);
  }
  assert.equal((await resident.status()).running, false);
});

testNeeding("root", "setpriv").slow(
  "a directory of sockets of another user is used by nobody",
  async () => {
    await using resident = await Resident.on(FILES);
    const { pid } = await resident.start();
    Deno.chownSync(`${resident.runtime}/pathgrep`, 65534, 65534);
    const { stdout } = await resident.run(["foo", "--stats"]);
    assert.equal(JSON.parse(stdout).stats.resident, undefined);
    const second = await resident.run(["serve"]);
    assert.equal(second.code, 2);
    assert.match(second.stdout, /belongs to another user/);
    Deno.kill(pid, "SIGTERM");
    while (isAlive(pid)) await pause(50);
    // And what another user started, that user alone uses.
    Deno.chownSync(`${resident.runtime}/pathgrep`, 0, 0);
    await Deno.chmod(resident.runtime, 0o755);
    const { socket } = await resident.start();
    const { success } = await new Deno.Command("setpriv", {
      args: ["--reuid=65534", "--regid=65534", "--clear-groups", "test", "-e", socket],
    }).output();
    assert.equal(success, false);
  },
);

testNeeding("root").slow(
  "a directory of sockets that another user may replace is used by nobody",
  async () => {
    await using resident = await Resident.on(FILES);
    const { pid } = await resident.start();
    const { runtime } = resident;
    const behind = await Deno.makeTempDir();
    const exposures: (() => void)[] = [
      () => Deno.chownSync(runtime, 65534, 65534),
      () => {
        Deno.chownSync(runtime, 0, 0);
        Deno.chmodSync(runtime, 0o777);
      },
      () => {
        Deno.chownSync(runtime, 0, 65534);
        Deno.chmodSync(runtime, 0o770);
      },
      // By the directory that a link on the way leads to.
      () => {
        Deno.chmodSync(runtime, 0o700);
        Deno.chmodSync(behind, 0o777);
        Deno.renameSync(runtime, `${behind}/runtime`);
        Deno.symlinkSync(`${behind}/runtime`, runtime);
      },
    ];
    for (const expose of exposures) {
      expose();
      const { stdout } = await resident.run(["foo", "--stats"]);
      const { count, stats } = JSON.parse(stdout);
      assert.equal(stats.resident, undefined);
      assert.equal(count, 3);
      const second = await resident.run(["serve"]);
      assert.equal(second.code, 2);
      assert.match(second.stdout, /lies where others may replace it/);
    }
    // By the directory of a link on the way that leads on, which only the user may exchange itself.
    Deno.chmodSync(behind, 0o700);
    const between = await Deno.makeTempDir();
    Deno.chmodSync(between, 0o777);
    Deno.symlinkSync(`${behind}/runtime`, `${between}/link`);
    Deno.removeSync(runtime);
    Deno.symlinkSync(`${between}/link`, runtime);
    const third = await resident.run(["serve"]);
    assert.match(third.stdout, /lies where others may replace it/);
    Deno.removeSync(runtime);
    Deno.symlinkSync(`${behind}/runtime`, runtime);
    await Deno.remove(between, { recursive: true });
    Deno.chmodSync(behind, 0o1777); // each may remove its own there
    Deno.chownSync(`${behind}/runtime`, 0, 0);
    Deno.chmodSync(`${behind}/runtime`, 0o770);
    const { stdout } = await resident.run(["foo", "--stats"]);
    assert.equal(JSON.parse(stdout).stats.resident, true);
    Deno.kill(pid, "SIGTERM");
    while (isAlive(pid)) await pause(50);
    await Deno.remove(behind, { recursive: true });
  },
);

Deno.test("a client that finds something else at the roots' paths is left to itself", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const { dev, ino } = await Deno.lstat(resident.tree.root);
  const root = `${dev}:${ino}`;
  const mounts = Deno.build.os === "linux" ? [await Deno.readLink("/proc/self/ns/mnt")] : [];
  for (
    const [view, code] of [
      [[], 0],
      [[root], 0],
      [[root, ...mounts], 0],
      [[`${dev}:${ino! + 1}`], "declined"],
      [[`${dev + 1}:${ino}`, ...mounts], "declined"],
      ...(mounts.length > 0 ? [[[root, "mnt:[1]"], "declined"]] as const : []),
    ] as const
  ) {
    const answer = await resident.ask(status, ["-q", "foo"], { view: [...view] });
    assert.equal(answer.code, code, view.join(" "));
  }
  for (const view of [1, "", [1], [null]]) {
    const answer = resident.ask(status, ["-q", "foo"], { view: view as unknown as string[] });
    assert.equal((await answer).code, "declined", JSON.stringify(view));
  }
});

Deno.test("what is made above the directory of sockets is open to no other, whatever the umask", async () => {
  await using resident = await Resident.on(FILES);
  const serve = [Deno.execPath(), "run", "-A", "--no-check", CLI, "serve", "--background"];
  const { code, stdout } = await new Deno.Command("sh", {
    args: ["-c", 'umask 0; exec "$@"', "sh", ...serve, "--workspace", resident.tree.root],
    env: { XDG_RUNTIME_DIR: `${resident.runtime}/new/runtime` },
  }).output();
  const { error, pid } = JSON.parse(new TextDecoder().decode(stdout));
  assert.equal(code, 0, error);
  Deno.kill(pid, "SIGTERM");
  while (isAlive(pid)) await pause(50);
});

test.slow("without a usable place for the socket, commands answer and serve says what is missing", async () => {
  await using resident = await Resident.on(FILES);
  const run = async (args: string[], env: Record<string, string>) => {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", CLI, ...args],
      cwd: resident.tree.root,
      env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`, ...env },
      clearEnv: true,
      stderr: "null",
    }).output();
    return { code, stdout: new TextDecoder().decode(stdout) };
  };
  const long = `${resident.runtime}/${"x".repeat(90)}`;
  await Deno.mkdir(long);
  for (
    const [env, problem] of [
      [{}, /there is no directory for the socket/],
      [{ XDG_RUNTIME_DIR: "relative", HOME: "" }, /there is no directory for the socket/],
      [{ XDG_RUNTIME_DIR: long }, /path of the socket is too long/],
      [{ XDG_RUNTIME_DIR: "/proc/nowhere" }, /cannot create the directory for the socket/],
    ] as [Record<string, string>, RegExp][]
  ) {
    assert.equal((await run(["-q", "foo"], env)).code, 0);
    for (const args of [["serve"], ["serve", "--background"]]) {
      const { code, stdout } = await run(args, env);
      assert.equal(code, 2);
      if (args.length === 1) assert.match(stdout, problem);
    }
    assert.deepEqual(await run(["serve", "--status"], env), {
      code: 1,
      stdout: '{"running":false}\n',
    });
  }
  const fallback = { XDG_RUNTIME_DIR: "relative", XDG_CACHE_HOME: resident.runtime };
  const started = await run(["serve", "--background"], fallback);
  assert.ok(JSON.parse(started.stdout).socket.startsWith(`${resident.runtime}/pathgrep/`));
  assert.equal((await run(["serve", "--stop"], fallback)).code, 0);
});

Deno.test("rows come while the search goes on", async () => {
  await using resident = await Resident.on({ ...SLOW, "a.txt": "foo\n" });
  await resident.start();
  const pattern = "foo|(?=(a+)+$)(a+)+\\1c";
  const child = resident.command([
    pattern,
    "--format",
    "jsonl",
    "--sort",
    "none",
    "--timeout",
    "8000",
  ]).spawn();
  const reader = child.stdout.getReader();
  const start = performance.now();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /^\{"type":"match","file":/);
  assert.ok(performance.now() - start < 5000);
  reader.releaseLock();
  child.kill("SIGKILL");
  await child.output();
});

test.slow(
  "requests at random, hung up at random, leave a server that answers",
  seeded(async (seed) => {
    await using resident = await Resident.on(FILES);
    const status = await resident.start();
    const words = [
      ...["foo", "src", "docs", "-l", "-c", "-i", "-q", "-C1", "--format", "text", "jsonl", "json"],
      ...["files", "search", "call", "grep", "glob", "serve", "--stop", "mcp", "doctor", "resolve"],
      ...[
        "--workspace",
        "/",
        "..",
        "-",
        "-f",
        "--engine",
        "rg",
        "git",
        "--stats",
        "--prompt",
        "auto",
      ],
      ...[
        "--allow",
        "**",
        "--deny",
        "--timeout",
        "1",
        "0",
        "--offset",
        "--max-results",
        "-e",
        "(",
        "[",
      ],
      ...["\0", "\ud800", "x".repeat(70_000), "", "--", "--help", "--version", "--type-list", "-U"],
      ...["--follow", "--sort", "modified", "--explain", "--multiline", "--json", "--pre", "-z"],
    ];
    const below = numbersFrom(seed);
    const pick = <T>(items: readonly T[]) => items[below(items.length)]!;
    const requests = 400 * RUNS;
    const ask = async () => {
      const args = Array.from({ length: below(6) }, () => pick(words));
      const request = encodeRequest({
        kind: "command",
        args,
        workspace: pick([status.roots, status.roots, [], ["/"], ["\0"]]),
        canAsk: pick([true, false]),
        stdin: pick([undefined, "", '{"pattern": "foo"}', "{".repeat(100_000)]),
      });
      const connection = await Deno.connect({ transport: "unix", path: status.socket });
      try {
        for (let rest = request; rest.length > 0;) {
          rest = rest.subarray(await connection.write(rest.subarray(0, 30_000)));
        }
        const buffer = new Uint8Array(5000);
        for (let reads = pick([0, 1, 3, 1000]); reads > 0; reads--) {
          if (await connection.read(buffer) === null) break;
          if (buffer[0] === 3 || buffer[0] === 4) break;
        }
      } catch {
        // The server has hung up on what is no request.
      }
      connection.close();
    };
    for (let made = 0; made < requests; made += 20) {
      const all = Promise.all(Array.from({ length: 20 }, ask)).then(() => true);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => timer = setTimeout(resolve, HANGS_MS, false));
      assert.ok(await Promise.race([all, late]), "every request has an end");
      clearTimeout(timer);
    }
    assert.equal((await resident.status()).pid, status.pid);
    const { code, stdout } = await resident.ask(status, ["-l", "foo", "--paths", "relative"]);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).files, ["docs/c.md", "src/a.ts"]);
  }),
);
