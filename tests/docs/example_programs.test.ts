/**
 * The programs in `examples/`, each run as its first lines say.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CHECKOUT, CLI } from "../support/run.ts";
import { spawn, type SpawnOptions } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test as plain } from "../support/needs.ts";

const EXAMPLES = `${CHECKOUT}examples/`;
const FILES = {
  "ws/src/a.ts": "// TODO: more\none\n",
  "shared/b.ts": "TODO\n",
  "other/c.ts": "TODO\n",
};

async function run(permissions: string, name: string, args: string[], options: SpawnOptions = {}) {
  const flags = ["run", "--quiet", "--no-prompt", "--config", `${CHECKOUT}deno.json`, permissions];
  return await spawn(Deno.execPath(), [...flags, EXAMPLES + name, ...args], options);
}

Deno.test("the example of path rewriting calls its tool with canonical paths, or not at all", async () => {
  await using tree = await tempTree(FILES);
  const ws = tree.path("ws");
  const read = await run("--allow-read", "rewrite_paths.ts", [ws, "src/../src/a.ts\n"]);
  assert.equal(read.stdout, "2\n", read.stderr);
  assert.match(read.stderr, /Resolved path .* to '.*\/ws\/src\/a\.ts'/);
  const outside = await run("--allow-read", "rewrite_paths.ts", [ws, "../other/c.ts"]);
  assert.equal(outside.code, 1);
  assert.equal(JSON.parse(outside.stdout).code, "path_outside_workspace");
});

Deno.test("the example of a permission requester lets in what was agreed to, and nothing else", async () => {
  await using tree = await tempTree(FILES);
  const [ws, shared] = [tree.path("ws"), tree.path("shared")];
  const ask = async (path: string) => {
    const args = [ws, shared, "TODO", path];
    const { stdout, stderr } = await run("--allow-read", "permission_requester.ts", args);
    assert.match(stderr, /^grep: \//);
    return JSON.parse(stdout);
  };
  assert.equal((await ask("../shared/b.ts")).count, 1);
  assert.equal((await ask("../other/c.ts")).code, "permission_denied_by_user");
});

Deno.test("the example of an MCP client lists the tools and calls one", async () => {
  await using tree = await tempTree(FILES);
  const { stdout, stderr } = await run("-A", "mcp_client.ts", [tree.path("ws"), "TODO"]);
  const [tools, file, line] = stdout.split("\n");
  assert.equal(tools, "grep glob read_file", stderr);
  assert.deepEqual([file, line], ["src/a.ts", "1:// TODO: more"]);
});

Deno.test("the example of least privilege searches with nothing but the permission to read", async () => {
  await using tree = await tempTree(FILES);
  const { code, stdout, stderr } = await spawn(
    "sh",
    [`${EXAMPLES}least_privilege.sh`, tree.path("ws"), "TODO"],
    { env: { PATHGREP: CLI } },
  );
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).count, 1);
});

plain.slow(
  "the example of a pre-commit hook refuses what holds a marker, and lets the rest pass",
  async () => {
    await using tree = await tempTree({ "repo/a b.txt": "one\n", "bin/": null });
    await tree.write({
      "bin/pathgrep": `#!/bin/sh\nexec '${Deno.execPath()}' run -A '${CLI}' "$@"\n`,
    });
    await Deno.chmod(tree.path("bin/pathgrep"), 0o755);
    const env = {
      PATH: `${tree.path("bin")}:${Deno.env.get("PATH")}`,
      ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a" },
      GIT_COMMITTER_EMAIL: "a@b",
    };
    const git = (...args: string[]) => spawn("git", args, { cwd: tree.path("repo"), env });
    await git("init", "--quiet");
    const hook = tree.path("repo/.git/hooks/pre-commit");
    await Deno.mkdir(tree.path("repo/.git/hooks"), { recursive: true });
    await Deno.copyFile(`${EXAMPLES}pre-commit`, hook);
    await Deno.chmod(hook, 0o755);
    await git("add", ".");
    const first = await git("commit", "--quiet", "-m", "one");
    assert.equal(first.code, 0, first.stderr);
    await Deno.writeTextFile(tree.path("repo/a b.txt"), "one\n// DO NOT COMMIT\n");
    await git("add", ".");
    const second = await git("commit", "--quiet", "-m", "two");
    assert.equal(second.code, 1);
    assert.match(second.stdout + second.stderr, /a b\.txt:2:.*DO NOT COMMIT[^]*commit refused/);
    await git("reset", "--quiet", "--hard");
    const marked = new TextEncoder().encode("DO NOT COMMIT\n");
    for (
      const [name, bytes] of [
        ["-", marked],
        [" lead", marked],
        ["a.txt ", marked],
        ["latin1", Uint8Array.of(...marked, 0xe9)],
        ['quo"te', marked],
      ] as const
    ) {
      await tree.write({ [`repo/${name.trim()}${name === "-" ? "x" : ""}`]: "one\n" });
      await Deno.writeFile(tree.path(`repo/${name}`), bytes);
      await git("add", ".");
      assert.notEqual((await git("commit", "--quiet", "-m", "more")).code, 0, JSON.stringify(name));
      await git("reset", "--quiet", "--hard");
    }
    // A file whose name is that of another but for what is dropped, or cannot be read, at its end.
    for (
      const end of [
        "\\x85",
        "\\u00a0",
        "\\u1680",
        "\\u2003",
        "\\u2028",
        "\\u3000",
        "\\ufeff",
        "\\xff",
      ]
    ) {
      const script =
        `printf 'DO NOT COMMIT\\n' > $'a${end}'; printf 'x\\n' > a; printf 'x\\n' > $'a\\ufffd'`;
      await spawn("bash", ["-c", script], { cwd: tree.path("repo"), env: { LC_ALL: "C.UTF-8" } });
      await git("add", ".");
      const { code, stderr } = await git("commit", "--quiet", "-m", "more");
      assert.match(`${code} ${stderr}`, /^1 commit refused: a name (?:ends in|is not)/m, end);
      await git("reset", "--quiet", "--hard");
    }
    // Another may have the name that git quotes.
    for (
      const [name, quoted] of [["a\tb", '"a\\tb"'], ["a\\b", '"a\\\\b"'], [
        'a"b',
        '"a\\"b"',
      ]] as const
    ) {
      await tree.write({ [`repo/${name}`]: "DO NOT COMMIT\n" });
      await git("add", ".");
      await tree.write({ [`repo/${quoted}`]: "x\n" });
      const { code, stderr } = await git("commit", "--quiet", "-m", "more");
      assert.match(`${code} ${stderr}`, /^1 commit refused: a name has a quote/m, name);
      await Deno.remove(tree.path(`repo/${quoted}`));
      await git("reset", "--quiet", "--hard");
    }
    await tree.write({ "repo/fine": "one\n", "repo/with a blank": "two\n", "repo/café": "é\n" });
    await git("add", ".");
    assert.equal((await git("commit", "--quiet", "-m", "three")).code, 0);
  },
);

type HookGroups = readonly [{ readonly hooks: readonly [{ readonly command: string }] }];

/** The command of a hook, run by a shell as the agents do. */
async function runHook(
  settings: string,
  event: { hook_event_name: string; tool_name: string } & Record<string, unknown>,
  project: string,
) {
  const { hooks } = JSON.parse(await Deno.readTextFile(EXAMPLES + settings));
  const [{ matcher, hooks: [{ command, type }] }] = hooks[event.hook_event_name];
  assert.deepEqual([matcher, type], [event.tool_name, "command"]);
  await using bin = await tempTree({
    "pathgrep": `#!/bin/sh\nexec '${Deno.execPath()}' run -A --no-config '${CLI}' "$@"\n`,
  });
  await Deno.chmod(bin.path("pathgrep"), 0o755);
  const env = {
    PATH: `${bin.root}:${Deno.env.get("PATH")}`,
    CLAUDE_PROJECT_DIR: project,
    GEMINI_PROJECT_DIR: project,
  };
  const stdin = JSON.stringify({ ...event, cwd: project });
  const { code, stdout, stderr } = await spawn("sh", ["-c", command], { cwd: project, env, stdin });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).hookSpecificOutput;
}

Deno.test("the hooks for Claude Code, Codex and gemini-cli say why a search found nothing", async () => {
  await using tree = await tempTree(FILES);
  const tool_input = { command: "rg -n todo src" };
  const claude = { tool_name: "Bash", tool_input };
  const events = [
    ["claude_code_hook/settings.json", {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_response: { stdout: "" },
    }],
    ["codex_hook/hooks.json", { ...claude, hook_event_name: "PostToolUse", tool_response: "" }],
    ["claude_code_hook/settings.json", {
      ...claude,
      hook_event_name: "PostToolUseFailure",
      error: "Exit code 1",
    }],
    ["gemini_cli_hook/settings.json", {
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_input,
      tool_response: { llmContent: "Output: (empty)\nExit Code: 1" },
    }],
  ] as const;
  for (const [example, event] of events) {
    const answer = await runHook(example, event, tree.path("ws"));
    assert.equal(answer.hookEventName, event.hook_event_name);
    assert.match(answer.additionalContext, /1 match in src\/a\.ts differs in letter case; add -i$/);
  }
});

Deno.test("the hooks' command lines end with 0 where pathgrep cannot start", async () => {
  await using tree = await tempTree({ "bin/pathgrep": "#!/bin/sh\nexit 2\n", "none/": null });
  await Deno.chmod(tree.path("bin/pathgrep"), 0o755);
  const files = ["claude_code_hook/settings.json", "codex_hook/hooks.json"];
  for (const file of [...files, "gemini_cli_hook/settings.json"]) {
    const { hooks } = JSON.parse(await Deno.readTextFile(EXAMPLES + file));
    for (const [{ hooks: [{ command }] }] of Object.values(hooks) as HookGroups[]) {
      for (const path of ["bin", "none"]) {
        const { code } = await spawn("/bin/sh", ["-c", command], {
          env: { PATH: tree.path(path) },
        });
        assert.equal(code, 0, command);
      }
    }
  }
});

Deno.test("Claude Code starts one hook, and only for what may be a search", async () => {
  const path = `${EXAMPLES}claude_code_hook/settings.json`;
  const { hooks } = JSON.parse(await Deno.readTextFile(path));
  const programs = ["rg", "grep", "egrep", "fgrep", "git grep", "git --no-pager grep", "ugrep"];
  for (const event of ["PostToolUse", "PostToolUseFailure"]) {
    const [{ matcher, hooks: handlers }, ...others] = hooks[event];
    assert.deepEqual([matcher, others], ["Bash", []]);
    const rules = handlers.map((handler: { if: string }) => handler.if);
    assert.deepEqual(rules, programs.map((program) => `Bash(${program} *)`));
    assert.equal(new Set(handlers.map((one: { command: string }) => one.command)).size, 1);
  }
});

Deno.test("every program in examples/ has a test", async () => {
  const test = await Deno.readTextFile(new URL(import.meta.url));
  const services = ["agent_loop", "node", "dev.pathgrep.serve.plist", "pathgrep-serve@.service"];
  for await (const { name } of Deno.readDir(EXAMPLES)) {
    assert.ok(services.includes(name) || test.split(name).length > 1, `${name} is run`);
  }
});
