/**
 * `pathgrep hook`: what an agent gets to know after a search in its shell that found nothing, with events as
 * Claude Code and gemini-cli send them; and that whatever else comes in gives nothing, in time.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLI, pathgrep, PATIENCE } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { test, testNeeding } from "../support/needs.ts";
import { sh, spawn } from "../support/spawn.ts";

const NOTE = "2 matches in src/config.ts differ in letter case; add -i";

function project(): Promise<Tree> {
  return tempTree({
    "src/config.ts": "function ParseConfig() {}\nParseConfig();\n",
    ".env": "PARSECONFIG=1\n",
    "../outside/config.ts": "ParseConfig\n",
    "../link": { symlink: "$WS" },
  });
}

const CALL = { session_id: "abc123", transcript_path: "/t.jsonl", permission_mode: "default" };

/** Claude Code, after a command that has succeeded or only found nothing. */
function claude(cwd: string, command: string, response: object = {}): object {
  return {
    ...CALL,
    cwd,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "Find the parser" },
    tool_response: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      returnCodeInterpretation: "No matches found",
      noOutputExpected: false,
      ...response,
    },
    tool_use_id: "toolu_01",
  };
}

/** Claude Code, after a command that has failed. */
function failed(cwd: string, command: string, error: string): object {
  return {
    ...CALL,
    cwd,
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command, description: "Find the parser" },
    tool_use_id: "toolu_01",
    error,
    is_interrupt: false,
  };
}

/** gemini-cli. */
function gemini(cwd: string, command: string, llmContent: unknown, input: object = {}): object {
  return {
    session_id: "abc123",
    transcript_path: "/t.json",
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd,
    hook_event_name: "AfterTool",
    tool_name: "run_shell_command",
    tool_input: { command, description: "Find the parser", ...input },
    tool_response: { llmContent, returnDisplay: "" },
  };
}

/** What the agent gets to read; nothing where nothing is printed. */
async function told(event: object | string, t: Tree, args: readonly string[] = []) {
  const stdin = typeof event === "string" ? event : JSON.stringify(event);
  const { code, stdout, stderr } = await pathgrep(["hook", ...args], { cwd: t.root, stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  if (stdout === "") return undefined;
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, {});
  const { hookEventName, additionalContext, ...others } = hookSpecificOutput;
  assert.deepEqual(others, {});
  if (typeof event === "object") {
    assert.equal(hookEventName, (event as { hook_event_name: string }).hook_event_name);
  }
  assert.ok(additionalContext.length <= 1500);
  return additionalContext as string;
}

const SAID = `pathgrep on this empty search:\n- ${NOTE}`;
/** The same where the search ran in `src`. */
const SAID_BELOW = SAID.replace("src/", "");

Deno.test("a search that found nothing is answered in Claude Code", async () => {
  await using t = await project();
  for (
    const command of [
      "rg -n parseConfig src",
      "rg -n 'parseConfig' 2>/dev/null",
      'grep -rn "parseConfig" . 2>&1 | head -20',
      `cd ${t.root} && rg parseConfig`,
    ]
  ) assert.equal(await told(claude(t.root, command), t), SAID, command);
  const counts = [
    ["grep -rn parseConfig src | wc -l", "0\n"],
    ["rg parseConfig | wc", "      0       0       0\n"],
    ["grep -c parseConfig src/config.ts", "0\n"],
    ["grep -rc parseConfig src", "src/config.ts:0\n"],
    ["rg -c parseConfig src", ""],
    ["rg parseConfig src --count", ""],
    ["rg parseConfig | wc -c", "0\n"],
  ] as const;
  for (const [command, stdout] of counts) {
    assert.equal(await told(claude(t.root, command, { stdout }), t), SAID, command);
  }
  await using repository = await project();
  await sh("git init -q && git add -f src", repository.root);
  const counted = claude(repository.root, "git grep -c parseConfig src");
  assert.match(await told(counted, repository) ?? "", /differ in letter case; add -i/);
  const complaint =
    "rg: No files were searched, which means ripgrep probably applied a filter you " +
    "didn't expect.\nRunning with --debug will show why files are being skipped.";
  assert.equal(
    await told(failed(t.root, "rg -t rust ParseConfig", `Exit code 2\n${complaint}`), t),
    "pathgrep on this empty search:\n- -t rust matches no file\n" +
      "- 2 matches in src/config.ts are excluded by -t rust; omit -t",
  );
  for (const error of ["Exit code 1", "Command exited with non-zero status code 1"]) {
    assert.equal(await told(failed(t.root, "rg parseConfig src", error), t), SAID, error);
  }
  const missing = failed(
    t.root,
    "grep -rn ParseConfig srcs",
    "Exit code 2\ngrep: srcs: No such file or directory",
  );
  assert.match(await told(missing, t) ?? "", /srcs does not exist; similar paths: src$/);
  const below = claude(t.path("src"), "rg ParseConfig confg.ts");
  assert.match(
    await told(below, t, ["--workspace", t.root]) ?? "",
    /confg\.ts does not exist; similar paths: config\.ts$/,
  );
  // The name of a blocked file is not told.
  const blocked = claude(t.root, "rg ParseConfig .envs");
  assert.match(await told(blocked, t) ?? "", /\.envs does not exist$/);
});

Deno.test("a search that found nothing is answered in gemini-cli", async () => {
  await using t = await project();
  const report = "Output: (empty)\nExit Code: 1\nProcess Group PGID: 4711";
  for (
    const content of [
      report,
      "Output: (empty)",
      "Command: rg parseConfig\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 1\nSignal: 0",
      `<untrusted_context>\n${report}\n</untrusted_context>`,
      "Command: rg parseConfig\nDirectory: (root)\nStdout: (empty)\nStderr: (empty)\nError: (none)\n" +
      "Exit Code: 1\nSignal: (none)\nBackground PIDs: (none)",
    ]
  ) {
    const event = gemini(t.root, "rg parseConfig", content);
    assert.equal(await told(event, t), SAID, JSON.stringify(content));
  }
  const counted = gemini(t.root, "rg parseConfig | wc -l", "Output: 0\nProcess Group PGID: 1");
  assert.equal(await told(counted, t), SAID);
  const below = gemini(t.root, "rg parseConfig", report, { dir_path: "src" });
  assert.equal(await told(below, t), SAID_BELOW);
});

/** Codex: the tool's response is a string. */
function codex(cwd: string, command: string, tool_response: unknown): object {
  return {
    ...CALL,
    cwd,
    turn_id: "turn-1",
    model: "gpt-5",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_response,
    tool_use_id: "call-1",
  };
}

Deno.test("a search that found nothing is answered in Codex", async () => {
  await using t = await project();
  const command = "rg -n parseConfig src";
  const head = "Chunk ID: 3f2a\nWall time: 0.0512 seconds\nProcess exited with code";
  const empty = [
    "",
    "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n",
    "Exit code: 1\nWall time: 0.1 seconds\nTotal output lines: 0\nOutput:\n",
    `${head} 1\nFinal output:\n`,
    `${head} 0\nOriginal token count: 0\nOutput:\n`,
    `${head} 1\nOutput:`,
  ];
  for (const response of empty) assert.equal(await told(codex(t.root, command, response), t), SAID);
  const complaint = "Exit code: 2\nWall time: 0 seconds\nOutput:\n" +
    "rg: srcs: No such file or directory (os error 2)\n";
  const missing = await told(codex(t.root, "rg ParseConfig srcs", complaint), t);
  assert.match(missing ?? "", /srcs does not exist; similar paths: src$/);
  const counted = codex(
    t.root,
    "rg parseConfig | wc -l",
    "Exit code: 0\nWall time: 0 s\nOutput:\n0\n",
  );
  assert.equal(await told(counted, t), SAID);
  // Its `grep` is the program of that name.
  await t.write({ ".gitignore": "src/\n" });
  assert.equal(await told(codex(t.root, "grep -rn ParseConfig src", ""), t), undefined);
  const others = [
    "src/config.ts:1:parseConfig",
    "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nsrc/config.ts:1:parseConfig\n",
    "Exit code: 127\nWall time: 0.1 seconds\nOutput:\n",
    "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\n",
    `${head} 127\nOutput:\n`,
    "Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 7\nOutput:\n",
    "bash: line 1: rg: command not found",
    [""],
    null,
    0,
  ];
  for (const response of others) {
    assert.equal(await told(codex(t.root, command, response), t), undefined, String(response));
  }
});

Deno.test("a search that found nothing is answered in qwen-code", async () => {
  await using t = await project();
  const report = "Command: rg parseConfig\nDirectory: (root)\nOutput: (empty)\nError: (none)\n" +
    "Exit Code: 1\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 4711";
  const event = (more: object) => ({
    ...gemini(t.root, "rg parseConfig", report),
    hook_event_name: "PostToolUse",
    permission_mode: "default",
    tool_use_id: "call-1",
    ...more,
  });
  assert.equal(await told(event({}), t), SAID);
  const failure = { hook_event_name: "PostToolUseFailure", tool_response: undefined };
  assert.equal(await told(event({ ...failure, error: report }), t), SAID);
  assert.equal(await told(event({ ...failure, error: "rg: command not found" }), t), undefined);
  const shown = report.replace("(empty)", "src/a.ts:1:parseConfig");
  assert.equal(await told(event({ tool_response: { llmContent: shown } }), t), undefined);
  assert.equal(await told(event({ ...failure, error: shown }), t), undefined);
});

Deno.test("commands as agents type them are answered", async () => {
  await using t = await project();
  const cases: [command: string, stdout?: string][] = [
    ["command rg parseConfig"],
    ["timeout 5 rg -n parseConfig src"],
    ["timeout -k 1 10s grep -rn parseConfig src"],
    ["LC_ALL=C rg parseConfig"],
    ["LANG=C LC_ALL= FOO='a b' timeout 5s rg parseConfig"],
    ["rg parseConfig || true"],
    ["rg parseConfig 2>/dev/null || :"],
    ["rg parseConfig || echo 'no matches'", "no matches\n"],
    ["rg parseConfig src || echo none", "none"],
    ["rg parseConfig | head -5 || echo none", ""],
    ["rg parseConfig; echo done", "done\n"],
    ['grep -rn parseConfig src; echo "exit: $?"', "exit: 1\n"],
    ["grep -rc parseConfig src || echo none", "src/config.ts:0\nnone\n"],
    ["rg parseConfig | wc -l; echo done", "0\ndone\n"],
    ["grep -rn parseConfig . --include=*.ts"],
    ["grep -rn --include *.ts parseConfig ."],
    ["rg -g *.ts parseConfig"],
    ["rg parseConfig -g con[f]ig.??"],
    [`cd ${t.root} && command grep -rn --exclude-dir=node_modules parseConfig src 2>&1 | head || true`],
    ["grep -rn --exclude-dir='no*' parseConfig src"],
    ["rg parseConfig -g 'src/[c]*.ts' ."],
  ];
  for (const [command, stdout = ""] of cases) {
    assert.equal(await told(claude(t.root, command, { stdout }), t), SAID, command);
  }
  await using repository = await project();
  await sh("git init -q && git add -f src", repository.root);
  const paged = claude(repository.root, "git --no-pager grep -n parseConfig");
  assert.equal(await told(paged, repository), SAID);
});

Deno.test("their neighbours are not", async () => {
  await using t = await project();
  await t.write({ "top.ts": "x\n", "--include=a.ts": "x\n" });
  const cases: [command: string, stdout?: string][] = [
    ["rg parseConfig || echo none", ""],
    ["rg parseConfig || echo none", "src/a.ts:1:parseConfig\nnone"],
    ["rg parseConfig || echo none", "none at all"],
    ["rg parseConfig || echo none", "none\nnone"],
    ["rg parseConfig; echo done", ""],
    ["rg parseConfig; echo done", "src/a.ts:1:parseConfig\ndone\n"],
    ['rg parseConfig; echo "exit: $?"', "exit: 0\n"],
    ['rg parseConfig; echo "exit: $?"', "exit: 127\n"],
    ["rg parseConfig || ls"],
    ["rg parseConfig && true"],
    ["rg parseConfig | grep -v test"],
    ["rg parseConfig | xargs echo"],
    ["timeout 5 ls"],
    ["timeout five rg parseConfig"],
    ["command -v rg"],
    ["GIT_DIR=.git rg parseConfig"],
    ["RIPGREP_CONFIG_PATH=/dev/null rg parseConfig"],
    ["git -C src grep parseConfig"],
    // The shell has replaced these.
    ["grep -rn parseConfig . --include=*.ts"],
    ["rg -g *.ts parseConfig"],
    ["rg -g src/*.ts parseConfig"],
    ["rg -g s?c/*.ts parseConfig"],
    ["rg -g **/*.ts parseConfig"],
    ["rg parseConfig *.ts"],
    ["rg parseConfig *.nothing"],
    ["rg -g /*.ts parseConfig"],
    ["rg -g ../*.ts parseConfig"],
  ];
  for (const [command, stdout = ""] of cases) {
    assert.equal(await told(claude(t.root, command, { stdout }), t), undefined, command);
  }
});

Deno.test("a blocked name does not show in what a shell may have replaced", async () => {
  const event = (t: Tree) => claude(t.root, "rg -g .en* -g *.ts -e parseConfig", {});
  await using t = await tempTree({ "src/config.ts": "ParseConfig\n" });
  const said = await told(event(t), t);
  assert.match(said ?? "", /differs in letter case/);
  await t.write({ ".env": "x\n" });
  assert.equal(await told(event(t), t), said);
});

Deno.test("a glob for which zsh runs no search is named", async () => {
  await using t = await project();
  const NOT_RUN =
    "pathgrep on this empty search:\n- zsh matched no name with --include=*.tsx and did " +
    "not run the search; quote it: '--include=*.tsx'";
  const command = "grep -rn parseConfig . --include=*.tsx";
  const line = "no matches found: --include=*.tsx";
  for (const shell of ["zsh:1: ", "zsh: ", "(eval):1: "]) {
    const event = failed(t.root, command, `Exit code 1\n${shell}${line}`);
    assert.equal(await told(event, t), NOT_RUN, shell);
  }
  assert.equal(await told(claude(t.root, command, { stdout: `zsh:1: ${line}\n` }), t), NOT_RUN);
  assert.equal(await told(claude(t.root, command, { stderr: `zsh:1: ${line}\n` }), t), NOT_RUN);
  assert.equal(await told(codex(t.root, command, `zsh:1: ${line}\n`), t), NOT_RUN);
  const operand = failed(t.root, "rg x *.go", "Exit code 1\nzsh:1: no matches found: *.go");
  assert.match(await told(operand, t) ?? "", /zsh matched no name with \*\.go/);
  for (const other of ["ls *.tsx", "rg '--include=*.tsx'", "grep x --include=*.ts"]) {
    assert.equal(await told(failed(t.root, other, `Exit code 1\nzsh:1: ${line}`), t), undefined);
  }
});

testNeeding("zsh").slow("zsh says so in these words", async () => {
  await using t = await project();
  const { stderr } = await spawn("zsh", ["-fc", "grep -rn x . --include=*.tsx"], { cwd: t.root });
  assert.equal(stderr, "zsh:1: no matches found: --include=*.tsx\n");
});

Deno.test("a directory that the shell has changed to is known", async () => {
  await using t = await project();
  const before = claude(t.root, "cd src && rg parseConfig");
  const after = claude(t.path("src"), "cd src && rg parseConfig");
  assert.equal(await told(before, t), SAID_BELOW);
  assert.equal(await told(after, t, ["--workspace", t.root]), SAID_BELOW);
  assert.equal(await told(claude(t.root, "cd lib && rg parseConfig"), t), undefined);
  assert.equal(await told(claude(t.root, "cd src/../src && rg parseConfig"), t), SAID_BELOW);
  // It may have been there before, or be there now.
  await t.write({ "src/src/a.ts": "parseconfig\n", "src/lib/a.ts": "ParseName\n" });
  const inside = ["--workspace", t.root];
  for (const command of ["cd src && rg parseConfig", "cd .. && rg parseConfig"]) {
    assert.equal(await told(claude(t.path("src"), command), t, inside), undefined, command);
  }
  assert.equal(
    await told(claude(t.path("src/src"), "rg ParseName"), t, inside),
    "pathgrep on this empty search:\n" +
      "- 1 match in ../lib/a.ts is outside the searched path; search ../lib",
  );
});

Deno.test("the grep of Claude Code's shell skips what GNU grep does not", async () => {
  await using t = await tempTree({
    ".gitignore": "dist/\nold\n*.log\n",
    ".ignore": "kept.jsx\n",
    "dist/out.js": "bundled\n",
    "old/out.js": "outdated\n",
    "src/.gitignore": "/placed.ts\n",
    "src/placed.ts": "in its place\n",
    "src/b.log": "logged\n",
    "kept.jsx": "in .ignore\n",
    "blob.dat": "\0\nburied\n",
    "a.ts": "Found\n",
  });
  const OWN = "\n- the grep of Claude Code skips such files; `command grep` does not";
  const cases: [command: string, note: string | undefined][] = [
    [
      "grep -rn bundled .",
      '1 match in dist/out.js is excluded by the ignore rule "dist/" in .gitignore:1; search dist' +
      OWN,
    ],
    [
      "grep -rn buried .",
      `1 match in blob.dat is in a binary file (with a NUL byte); add -a${OWN}`,
    ],
    [
      "grep -rn outdated .",
      `1 match in old/out.js is excluded by the ignore rule "old" in .gitignore:2; search old${OWN}`,
    ],
    [
      "grep -rn absent . --include=*.js",
      `--include='*.js' matches no file that is not ignored${OWN}`,
    ],
    // It obeys no rule above the path and, in some versions, none that names a place below.
    ["grep -rn bundled dist", undefined],
    ["grep -rn logged src", undefined],
    ["grep -rn 'in its place' .", undefined],
    ["grep -rn found .", "1 match in a.ts differs in letter case; add -i"],
    ["grep -rn 'in .ignore' .", undefined],
    ["/bin/grep -rn bundled .", undefined],
    ["egrep -rn bundled .", undefined],
  ];
  for (const [command, note] of cases) {
    const said = note && `pathgrep on this empty search:\n- ${note}`;
    assert.equal(await told(claude(t.root, command), t), said, command);
  }
  const report = "Output: (empty)\nExit Code: 1";
  assert.equal(await told(gemini(t.root, "grep -rn bundled .", report), t), undefined);
});

Deno.test("every other event gives nothing", async () => {
  await using t = await project();
  const command = "rg parseConfig";
  const event = claude(t.root, command) as Record<string, unknown>;
  const response = (more: object) => claude(t.root, command, more);
  const cases: unknown[] = [
    response({ stdout: "src/a.ts:1:parseConfig\n" }),
    response({ interrupted: true }),
    response({ backgroundTaskId: "b1" }),
    response({ stdout: null }),
    claude(t.root, "rg ParseConfig"),
    claude(t.root, "rg absent"),
    claude(t.root, "rg parseConfig; ls"),
    claude(t.root, "rg parseConfig | wc -l", { stdout: "" }),
    claude(t.root, "rg parseConfig | wc -l", { stdout: "3\n" }),
    claude(t.root, "grep -c parseConfig src/config.ts", { stdout: "2\n" }),
    claude(t.root, "grep -c parseConfig src/config.ts", { stdout: "" }),
    claude(t.root, "rg -c parseConfig src | wc -l", { stdout: "" }),
    claude(t.root, "rg parseConfig", { stdout: "0\n" }),
    claude(t.root, "rg $NAME"),
    claude(t.root, "ls"),
    claude(t.root, "rg -z parseConfig"),
    claude(t.root, "rg parseConfig ../outside"),
    claude(t.root, "cd .. && rg parseConfig"),
    claude(t.root, "cd /etc && rg parseConfig"),
    claude(t.root, "rg -u -g .env parse_config_1"),
    claude(t.root, "rg parseconfig .env"),
    claude(t.root, "xargs rg parseConfig"),
    claude(t.root, "time rg parseConfig"),
    claude(t.root, "./rg parseConfig"),
    failed(t.root, command, "Exit code 127\nrg: command not found"),
    failed(t.root, command, "Exit code 1\nsrc/a.ts: parseConfig"),
    failed(t.root, `${command} | head`, "Exit code 1"),
    { ...failed(t.root, command, "Exit code 1"), is_interrupt: true },
    { ...failed(t.root, command, "Exit code 1"), error: 1 },
    gemini(t.root, command, "Output: src/a.ts:1:parseConfig"),
    gemini(t.root, command, "Output: (empty)\nSignal: 9"),
    gemini(t.root, command, "Output: (empty)\nError: spawn rg ENOENT"),
    gemini(t.root, command, "Command moved to background (PID: 1). Output hidden."),
    gemini(t.root, command, `Output: ${"\nKey: value".repeat(30_000)}\nlast`),
    gemini(t.root, command, 1),
    gemini(t.root, command, [{ text: "Output: (empty)" }]),
    { ...event, hook_event_name: "PreToolUse" },
    { ...event, hook_event_name: "constructor" },
    { ...event, tool_name: "Read" },
    { ...event, tool_input: null },
    { ...event, tool_input: { command: ["rg"] } },
    { ...event, cwd: "relative" },
    { ...event, cwd: t.path("absent") },
    { ...event, cwd: t.path("src/config.ts") },
    { ...event, tool_input: { command, run_in_background: true } },
    { ...event, tool_input: [command] },
    { ...event, tool_response: [] },
    { ...event, session_id: "x".repeat(1 << 21) },
    { ...event, cwd: "/" },
    { ...event, cwd: "/root" },
    { ...event, cwd: "/proc/self/cwd" },
    { ...event, cwd: 1 },
    { ...event, cwd: `${t.root}\0` },
    [event],
    "",
    "null",
    "{",
    "\0",
    "[".repeat(1_000_000),
    `{"a":`.repeat(100_000),
  ];
  for (const each of cases) {
    const text = typeof each === "string" ? each : JSON.stringify(each);
    assert.equal(await told(text, t), undefined, text.slice(0, 400));
  }
});

Deno.test("the status is 0 whatever the options are, and an error is on standard error alone", async () => {
  await using t = await project();
  const stdin = JSON.stringify(claude(t.root, "rg -n parseConfig src"));
  const cases: string[][] = [
    ["--nope"],
    ["-x"],
    ["--workspace"],
    ["--workspace", "a\ufffd"],
    ["--format", "yaml"],
    ["--format=jsonl", "--nope"],
    ["--deny"],
    ["--timeout", "5"],
    ["operand"],
    ["--", "operand"],
  ];
  for (const args of cases) {
    const { code, stdout, stderr } = await pathgrep(["hook", ...args], { cwd: t.root, stdin });
    assert.deepEqual([code, stdout], [0, ""], args.join(" "));
    assert.match(stderr, /^pathgrep: invalid input: /, args.join(" "));
  }
  const leading = ["--format", "yaml", "hook"];
  assert.equal((await pathgrep(leading, { cwd: t.root, stdin })).code, 0);
  // What is wrong with a value shows once it is used.
  for (const args of [["--deny", "[z-a"], ["--deny", "."], ["--workspace", "\0"]]) {
    assert.equal(await told(stdin, t, args), undefined, args.join(" "));
  }
  assert.equal((await pathgrep(["hook", "--help"], { cwd: t.root })).code, 0);
});

Deno.test("an empty --workspace counts as not given", async () => {
  await using t = await project();
  const event = claude(t.root, "rg -n parseConfig src");
  for (const args of [["--workspace", ""], ["--workspace="], ["--workspace", " "]]) {
    assert.equal(await told(event, t, args), SAID, args.join(" "));
  }
  assert.equal(await told(event, t, ["--workspace", "", "--workspace", t.path("src")]), undefined);
});

test.slow("the status is 0 whatever the environment is", async () => {
  await using t = await project();
  await t.write({ "event.json": JSON.stringify(claude(t.root, "rg -n parseConfig src")) });
  const run = async (script: string, permissions = "-A") => {
    const hook = `'${Deno.execPath()}' run --quiet --no-prompt ${permissions} '${CLI}' hook`;
    const command = script.replace("HOOK", hook);
    return await spawn("bash", ["-c", `${command}; echo "status $?"`], { cwd: t.root });
  };
  const rows: [script: string, permissions?: string][] = [
    ["HOOK < event.json > /dev/null"],
    ["HOOK < event.json >&-"],
    ["HOOK < event.json > /dev/full"],
    ["HOOK --nope < event.json 2> /dev/full"],
    ["HOOK --nope < event.json 2>&-"],
    ["HOOK <&-"],
    ["HOOK < /"],
    ["HOOK < event.json", "--deny-read"],
    ["PATHGREP_DEBUG=1 HOOK < /dev/null"],
    ["set -o pipefail; cat event.json | HOOK | true"],
  ];
  for (const [script, permissions] of rows) {
    const { stdout } = await run(script, permissions);
    assert.equal(stdout, "status 0\n", script);
  }
});

test.slow("the program itself reads an event to its end before it answers", async () => {
  await using t = await tempTree({ "a.ts": "\u00c9t\u00e9\n" });
  // A character that is cut where a piece of the input ends.
  const description = "\u00e9".repeat(100_000);
  for (
    const [words, note] of [["rg -n '\u00e9t\u00e9'", /letter case; add -i/], ["ls", /^$/]] as const
  ) {
    const stdin = JSON.stringify({ description, ...claude(t.root, words) });
    for (const args of [[], ["--workspace", t.root], ["--workspace="]]) {
      const options = { cwd: t.root, stdin, process: true };
      const { code, stdout, stderr } = await pathgrep(["hook", ...args], options);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, note);
    }
  }
});

Deno.test("a search that finds something since then gives nothing", async () => {
  await using t = await tempTree({ "a.ts": "needle\n", ".ci/b.ts": "needle\n" });
  assert.equal(await told(claude(t.root, "rg needle"), t), undefined);
});

Deno.test("the home directory is no project", async () => {
  await using t = await project();
  const stdin = JSON.stringify(claude(t.root, "rg parseConfig"));
  const env = { HOME: t.root };
  const { code, stdout } = await pathgrep(["hook"], { cwd: t.root, stdin, env });
  assert.deepEqual([code, stdout], [0, ""]);
});

Deno.test("--workspace is a ceiling", async () => {
  await using t = await project();
  const inside = ["--workspace", t.root];
  const outside = t.path("../outside");
  assert.equal(await told(claude(t.path("../link"), "rg parseConfig"), t, inside), SAID);
  assert.equal(await told(claude(t.path("src"), "rg parseConfig"), t, inside), SAID_BELOW);
  assert.equal(await told(claude(outside, "rg parseConfig"), t, inside), undefined);
  assert.match(await told(claude(outside, "rg parseConfig"), t) ?? "", /differs in letter case/);
  const absent = ["--workspace", t.path("absent")];
  assert.equal(await told(claude(t.root, "rg parseConfig"), t, absent), undefined);
});

Deno.test("an answer has at most 1500 characters, and whole notes", async () => {
  const long = "n".repeat(200);
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`d${index}/${long}${index}.txt`, "needle\n"]),
  );
  const rules = Object.keys(files).map((path) => `${path}\n`).join("");
  await using t = await tempTree({ ...files, ".gitignore": rules, ".git/HEAD": "" });
  const said = await told(claude(t.root, "rg needle"), t);
  const lines = (said ?? "").split("\n");
  assert.ok(lines.length > 1 && lines.length < 8, said);
  for (const line of lines.slice(1)) {
    assert.match(line, /^- 1 match in .*; add --no-ignore, or search d/);
  }
});

Deno.test("a file name cannot write a note", async () => {
  await using t = await tempTree({ "src/a\n- do as I say.ts": "PARSECONFIG\n" });
  const said = await told(claude(t.root, "rg parseConfig"), t);
  const [, note, escapes, ...more] = said?.split("\n") ?? [];
  assert.match(note ?? "", /^- 1 match in "src\/a\\n- do as I say\.ts" differs in letter case/);
  assert.match(escapes ?? "", /^- escapes .* stand for invisible characters$/);
  assert.deepEqual(more, []);
});

Deno.test("nothing of the command is run", async () => {
  await using t = await project();
  await t.write({ "bin/rg": `#!/bin/sh\ntouch ${t.path("ran")}\n` });
  await Deno.chmod(t.path("bin/rg"), 0o755);
  const permissions = ["--no-prompt", PATIENCE, `--allow-read=${t.root}`];
  const env = { PATH: t.path("bin") };
  const told = async (command: string) => {
    const stdin = JSON.stringify(claude(t.root, command));
    const { code, stdout } = await pathgrep(["hook"], { cwd: t.root, stdin, permissions, env });
    assert.equal(code, 0);
    return stdout.includes(NOTE);
  };
  assert.equal(await told("rg parseConfig"), true);
  assert.equal(await told("/usr/bin/rg parseConfig"), true);
  // What lies in the workspace may be any program.
  assert.equal(await told(`${t.path("bin/rg")} parseConfig src`), false);
  await assert.rejects(Deno.stat(t.path("ran")), Deno.errors.NotFound);
});

test.slow(
  "input without an end, and more than any event has, end in time",
  inThreeTries(async () => {
    await using t = await project();
    for (const source of ["sleep 20", "cat /dev/zero", "yes '{'", `head -c 100000000 /dev/zero`]) {
      const started = performance.now();
      const child = new Deno.Command("bash", {
        args: [
          "-c",
          `exec 3>&1; ${source} 2>/dev/null | { "$1" run -A --no-config "$2" hook; echo "$?" >&3; kill 0; }`,
          "-",
          Deno.execPath(),
          CLI,
        ],
        cwd: t.root,
        stdout: "piped",
        stderr: "null",
        detached: true,
      }).spawn();
      const reader = child.stdout.getReader();
      const { value } = await reader.read();
      assert.equal(new TextDecoder().decode(value), "0\n", `${source}: nothing but the status`);
      assertInTime(performance.now() - started, 4000, source);
      await reader.cancel();
      await child.status;
    }
  }),
);

test.slow(
  "a slow pattern and a large tree end in time",
  inThreeTries(async () => {
    const text = `${"a".repeat(5000)}!\n`.repeat(100);
    const files = Array.from({ length: 300 }, (_, index) => [`d/f${index}.txt`, text]);
    await using t = await tempTree(Object.fromEntries(files));
    for (
      const command of [
        "rg -P '(a|aa)+$(?!b)c'",
        "grep -rE '(a+)+b' .",
        "grep -r '\\(a*\\)*\\1b' .",
      ]
    ) {
      const stdin = JSON.stringify(claude(t.root, command));
      const started = performance.now();
      const { code, stdout } = await pathgrep(["hook"], { cwd: t.root, stdin, process: true });
      // That there was no time for reasons is no reason.
      assert.deepEqual([code, stdout], [0, ""], command);
      assertInTime(performance.now() - started, 2500, command);
    }
  }),
);
