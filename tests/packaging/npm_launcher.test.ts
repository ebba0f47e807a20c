/**
 * The npm package's launcher: which signals reach Deno, and what Deno grants each command.
 *
 * @module
 */

import assert from "node:assert/strict";
import { test, testNeeding } from "../support/needs.ts";
import { encode, spawn } from "../support/spawn.ts";
import { INITIALIZE } from "./machine.ts";
import { installedPackage, installGlobally } from "./npm_package.ts";

/** The processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter((word) => word !== "").map(Number);
}

/** Starts an MCP server, and runs an action once it has answered; then its input ends. */
async function whileServing(
  pathgrep: string,
  cwd: string,
  action: (launcher: Deno.ChildProcess, deno: number) => void | Promise<void>,
): Promise<Deno.CommandStatus> {
  const streams = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const launcher = new Deno.Command(pathgrep, { args: ["mcp"], cwd, ...streams }).spawn();
  const writer = launcher.stdin.getWriter();
  await writer.write(encode(INITIALIZE));
  const reader = launcher.stdout.getReader();
  await reader.read();
  const [deno] = await childrenOf(launcher.pid);
  await action(launcher, deno!);
  const status = await launcher.status;
  await writer.close().catch(() => {});
  await reader.cancel();
  return status;
}

function isRunning(pid: number): Promise<boolean> {
  return Deno.stat(`/proc/${pid}`).then(() => true, () => false);
}

testNeeding("linux").slow(
  "a signal ends it as it ends Deno, and the shell sees which",
  async () => {
    const { pathgrep, project } = await installedPackage();
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
      let deno = 0;
      const status = await whileServing(pathgrep, project, (launcher, child) => {
        deno = child;
        launcher.kill(signal);
      });
      assert.deepEqual([status.signal, status.code], [signal, code]);
      assert.ok(!await isRunning(deno));
    }
    // Where only Deno is ended, the same is seen.
    const ended = await whileServing(pathgrep, project, (_, deno) => Deno.kill(deno, "SIGKILL"));
    assert.equal(ended.signal, "SIGKILL");
    // Where only the launcher is ended, Deno stays until its input ends.
    let orphan = 0;
    await whileServing(pathgrep, project, (launcher, deno) => {
      orphan = deno;
      launcher.kill("SIGKILL");
    });
    const ends = performance.now() + 5000;
    while (await isRunning(orphan) && performance.now() < ends);
    assert.ok(!await isRunning(orphan));
  },
);

/** Counts the signals that it gets until a while after the first. */
const COUNTING = `
let count = 0;
let end;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  Deno.addSignalListener(signal, () => {
    count++;
    end ??= setTimeout(() => Deno.exit(40 + count), 100);
  });
}
setTimeout(() => {}, 60_000);
console.log("ready");
`;

testNeeding("linux").slow(
  "a signal that the whole process group gets, as by Ctrl-C, reaches Deno once",
  async () => {
    const { tree, pathgrep } = await installGlobally();
    await tree.write({ "prefix/lib/node_modules/pathgrep/lib/cli.js": COUNTING });
    for (const signal of ["INT", "TERM", "HUP"]) {
      for (const target of ["-", ""]) {
        const launcher = new Deno.Command("setsid", { args: [pathgrep], stdout: "piped" }).spawn();
        await launcher.stdout.getReader().read();
        await spawn("bash", ["-c", `kill -s ${signal} -- ${target}${launcher.pid}`]);
        const { code } = await launcher.status;
        assert.equal(code, 41, `SIG${signal} to ${target === "" ? "the launcher" : "the group"}`);
      }
    }
  },
);

/** Tries what Deno may forbid, and writes the names of what it grants. */
const TRYING = `
const runtime = "RUNTIME";
const tries = {
  read: () => Deno.lstatSync("/"),
  write: () => Deno.mkdirSync("/"),
  "write sockets": () => Deno.mkdirSync(runtime),
  "read PATH": () => Deno.env.get("PATH"),
  "read RIPGREP_CONFIG_PATH": () => Deno.env.get("RIPGREP_CONFIG_PATH"),
  "read SECRET": () => Deno.env.get("SECRET"),
  "run git": () => new Deno.Command("git", { args: ["--version"] }).outputSync(),
  "run grep": () => new Deno.Command("grep", { args: ["--version"] }).outputSync(),
  "run sh": () => new Deno.Command("sh", { args: ["-c", "true"] }).outputSync(),
  "open sockets": () => Deno.connect({ transport: "unix", path: runtime + "/a.sock" }),
  net: () => Deno.connect({ hostname: "127.0.0.1", port: 1 }),
  uid: () => Deno.uid(),
  hostname: () => Deno.hostname(),
  ffi: () => Deno.dlopen("/nonexistent.so", {}),
  npm: () => import("npm:zod@3.0.0"),
  remote: () => import("https://jsr.io/a.js"),
};
const granted = [];
for (const [name, attempt] of Object.entries(tries)) {
  const error = await (async () => attempt())().catch((error) => error);
  const isRefused = error instanceof Deno.errors.NotCapable || /--no-(npm|remote)/.test(error);
  if (!isRefused) granted.push(name);
}
console.log(granted.join("\\n"));
`;

testNeeding("linux", "script").slow(
  "Deno grants what a command needs, and no more",
  async (t) => {
    const { tree, run, pathgrep } = await installGlobally();
    await tree.write({
      "prefix/lib/node_modules/pathgrep/lib/cli.js": TRYING.replace(
        "RUNTIME",
        tree.path("runtime/pathgrep"),
      ),
      "runtime/pathgrep/a.sock": "",
      "empty/": null,
      "project/.cache/pathgrep/a.sock": "",
    });
    const variables = ["read PATH", "read RIPGREP_CONFIG_PATH"];
    const reading = ["read", ...variables];
    const asking = ["read", "write sockets", ...variables, "open sockets", "uid"];
    const served: [args: string, granted: string[]][] = [
      ["needle", asking],
      ["search needle", asking],
      ["files", asking],
      ["call grep", asking],
      ["needle -e --engine=rg --engine=grep", [
        ...asking.slice(0, 4),
        "run grep",
        ...asking.slice(4),
      ]],
      ["doctor", [...asking.slice(0, 4), "run git", "run grep", ...asking.slice(4)]],
      ["-i doctor", asking],
      ["mcp", reading],
      ["why -- rg needle", reading],
      ["hook", reading],
      ["resolve a.txt", reading],
      ["tools", []],
      ["--workspace mcp --format=text tools", []],
      ["prompt", []],
      ["completions bash", []],
      ["__complete --sor", []],
    ];
    const alone: typeof served = [
      ["needle", reading],
      ["needle --engine git", [...reading, "run git"]],
      ["doctor", [...reading, "run git", "run grep"]],
    ];
    const env = { SECRET: "x", XDG_RUNTIME_DIR: tree.path("runtime") };
    const rows = [
      ...served.map((row) => [env, ...row] as const),
      // Where no server has run, or the environment names no place for one.
      ...alone.map((row) => [{ ...env, XDG_RUNTIME_DIR: tree.path("empty") }, ...row] as const),
      [{ XDG_RUNTIME_DIR: "", XDG_CACHE_HOME: ".cache", HOME: "" }, "needle", reading] as const,
    ];
    for (const [env, args, granted] of rows) {
      await t.step(args, async () => {
        const { stdout, stderr } = await run(args.split(" "), { env });
        assert.deepEqual(stdout.trim().split("\n"), granted.length > 0 ? granted : [""], stderr);
      });
    }
    const all = await run(["serve"], { env });
    assert.deepEqual(all.stdout.trim().split("\n").slice(0, 14).at(-1), "ffi");
    for (const [command, isGranted] of [["needle", true], ["mcp", false]] as const) {
      const { stdout } = await spawn("script", ["-qec", `'${pathgrep}' ${command}`, "/dev/null"]);
      assert.equal(stdout.includes("hostname"), isGranted);
    }
  },
);

test.slow("each command works with what it is granted", async () => {
  const { run, tree, project } = await installedPackage();
  await tree.write({ "project/.gitignore": "ignored\n", "project/ignored": "needle\n" });
  const event = {
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "rg Needle" },
    tool_response: { stdout: "", stderr: "" },
    cwd: project,
  };
  const rows: [args: string, output: RegExp, stdin?: string][] = [
    ["needle --paths relative", /"file":"a.txt"/],
    ["files --paths relative", /"a.txt"/],
    ["call grep", /"count":1/, '{"pattern": "needle"}'],
    ["resolve A.txt --field x", /"suggestions":\["a.txt"\]/],
    ["why -- rg needle", /ignored/],
    ["hook", /"additionalContext":".*letter case/, JSON.stringify(event)],
    ["tools", /"name": "grep"/],
    ["prompt", /path/],
    ["completions bash", /complete /],
    ["completions zsh", /compdef/],
    ["completions fish", /complete /],
    ["__complete --sor", /^--sort\t/m],
    ["needle --engine git --stats", /"engine":"git"/],
    ["needle --engine grep --stats", /"engine":"grep"/],
    ["serve --status", /"running":false/],
    ["--format json --workspace=. serve --status", /"running":false/],
  ];
  for (const [args, output, stdin] of rows) {
    const { stdout, stderr } = await run(args.split(" "), { stdin });
    assert.match(stdout, output, args + stderr);
    assert.equal(stderr, "", args);
  }
  const preferred = await run(["-c", "needle"], { env: { PATHGREP_FORMAT: "text" } });
  assert.equal(preferred.stdout, "a.txt:1\n");
  const { permissions, engines, warnings } = JSON.parse((await run(["doctor"])).stdout);
  assert.equal(warnings, undefined, "the launcher decides what is granted, not its caller");
  assert.equal(engines.git.available, true);
  assert.deepEqual(permissions, {
    read: "granted",
    ...{ write: "prompt", run: "prompt", env: "prompt", net: "prompt", sys: "prompt" },
    ...{ ffi: "prompt", import: "prompt" },
  });
  const configured = await run(["why", "--", "rg", "needle"], {
    env: { RIPGREP_CONFIG_PATH: "x" },
  });
  assert.equal(configured.code, 2, "what rg would read as its options is not known");
});
