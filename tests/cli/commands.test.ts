/**
 * The commands besides the search.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLI, pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("call names an unknown tool before it asks for input", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["call", "nosuch"], { cwd: tree.root });
  assert.equal(code, 2);
  assert.match(json().error, /^invalid input: unknown tool "nosuch"/);
});

Deno.test("resolve takes one path", async () => {
  for (const args of [["resolve"], ["resolve", "a", "b"]]) {
    const { code, json } = await pathgrep(args);
    assert.equal(code, 2);
    assert.equal(json().code, "invalid_input");
    assert.match(json().hint, /usage: pathgrep resolve PATH/);
  }
});

Deno.test("resolve in text writes the path alone, and notes on standard error", async () => {
  await using tree = await tempTree({ "src/a.ts": "" });
  const { stdout, stderr } = await pathgrep(["resolve", "@src/a.ts", "--format", "text"], {
    cwd: tree.root,
  });
  assert.equal(stdout, `${tree.path("src/a.ts")}\n`);
  assert.match(stderr, /^pathgrep: note: .*\n$/);
});

Deno.test("files that lists nothing ends with 1", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["files"], { cwd: tree.root });
  assert.equal(code, 1);
  assert.deepEqual(json().files, []);
});

Deno.test("doctor runs nothing that is not permitted, and says which flag is missing", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["doctor", "--workspace", tree.root], {
    permissions: [`--allow-read=${tree.root}`, "--no-prompt"],
  });
  assert.equal(code, 0);
  const { engines, permissions, least_privilege } = json();
  assert.equal(engines.js.available, true);
  for (const name of ["rg", "git", "grep"]) {
    assert.equal(engines[name].available, false);
    assert.match(engines[name].hint, new RegExp(`--allow-run=${name}`));
  }
  assert.notEqual(permissions.run, "granted");
  const flags = `--no-config --no-prompt --allow-read=${tree.root}`;
  assert.equal(least_privilege, `deno run ${flags} ${CLI}`);
});

Deno.test("serve does one thing at a time", async () => {
  await using tree = await tempTree();
  const actions = ["--background", "--status", "--stop"];
  for (const one of actions) {
    for (const other of actions.filter((action) => action !== one)) {
      const { code, json } = await pathgrep(["serve", one, other], { cwd: tree.root });
      assert.equal(code, 2);
      assert.equal(
        json().error,
        "invalid input: serve takes one of --background, --status and --stop, " +
          `got ${one} ${other}`,
      );
    }
  }
  const env = { XDG_RUNTIME_DIR: tree.root };
  const lines = [
    "--status",
    "--stop",
    "--status --status",
    "--background --no-background --status",
  ];
  for (const args of lines.map((line) => line.split(" "))) {
    const { code, json } = await pathgrep(["serve", ...args], { cwd: tree.root, env });
    assert.deepEqual([code, json()], [1, { running: false }]);
  }
});

Deno.test("only commands that a resident search answers take --resident", async () => {
  await using tree = await tempTree({ "a.txt": "x\n" });
  for (const command of ["mcp", "serve", "resolve", "doctor", "tools", "prompt", "completions"]) {
    const options = { cwd: tree.root, process: false };
    const args = [command, "--resident", "never", "--format", "json"];
    if (command === "tools") args.length = 3; // its formats are those of definitions
    const { code, stdout } = await pathgrep(args, options);
    assert.equal(code, 2);
    assert.match(
      JSON.parse(stdout).error,
      RegExp(`--resident does not belong to the command ${command}, but to search, files, call$`),
    );
  }
  for (const args of [["search", "x"], ["files"], ["call", "grep"]]) {
    const options = { cwd: tree.root, stdin: '{"pattern":"x"}' };
    const { code } = await pathgrep([...args, "--resident", "never"], options);
    assert.equal(code, 0);
  }
});

Deno.test("the list of types is JSON where that is asked for", async () => {
  const { stdout: text } = await pathgrep(["--type-list"]);
  for (const args of [["--format", "text"], ["files"], ["files", "--format=text"]]) {
    assert.equal((await pathgrep([...args, "--type-list"])).stdout, text, args.join(" "));
  }
  const lines = text.trimEnd().split("\n");
  for (
    const args of [["--type-list", "--format", "json"], ["files", "--format=json", "--type-list"]]
  ) {
    const { count, types } = (await pathgrep(args)).json();
    assert.equal(count, lines.length);
    assert.deepEqual(
      types.map(({ name, globs }: { name: string; globs: string[] }) =>
        `${name}: ${globs.join(", ")}`
      ),
      lines,
    );
  }
  const rows = (await pathgrep(["--type-list", "--format", "jsonl"])).rows();
  assert.equal(rows.length, lines.length);
  assert.deepEqual(rows[0], {
    type: "file_type",
    name: lines[0]!.split(": ")[0],
    globs: lines[0]!.split(": ")[1]!.split(", "),
  });
});
