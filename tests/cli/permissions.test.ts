/**
 * What the command line needs from Deno: to read the workspace, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

Deno.test("what Deno denies in the workspace is told of as what could not be read", async () => {
  await using tree = await tempTree({ "a.ts": "foo\n", "src/b.ts": "foo\n", "src/more/c.ts": "" });
  const note = "1 file or directory could not be read and was not searched";
  for (const denied of ["src", "src/b.ts", "src/more"]) {
    const permissions = ["-A", `--deny-read=${tree.path(denied)}`, "--no-prompt"];
    for (const args of [["foo"], ["files"]]) {
      const { stdout } = await pathgrep([...args, "--workspace", tree.root], { permissions });
      const { notes } = JSON.parse(stdout);
      assert.equal(notes?.[0]?.slice(0, note.length), note, `${args} ${denied}: ${stdout}`);
    }
  }
});

/** Everything below a directory: what it is, and when it was last changed. */
function snapshot(directory: string): string[] {
  const { mtime, size, mode } = Deno.lstatSync(directory);
  const own = `${directory} ${mtime!.getTime()} ${size} ${mode}`;
  const names = Deno.lstatSync(directory).isDirectory ? [...Deno.readDirSync(directory)] : [];
  return [own, ...names.flatMap(({ name }) => snapshot(`${directory}/${name}`))].sort();
}

test.slow("a command that may write anywhere leaves nothing behind", async () => {
  await using tree = await tempTree({
    "ws/src/a.ts": "foo (b)\n",
    "ws/.gitignore": "x\n",
    "home/.cache/": null,
    "runtime/": null,
    "temporary/": null,
  });
  await new Deno.Command("git", { args: ["init", "-q"], cwd: tree.path("ws") }).output();
  const env = {
    DENO_DIR: JSON.parse(
      new TextDecoder().decode(
        (await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output()).stdout,
      ),
    ).denoDir,
    HOME: tree.path("home"),
    XDG_CACHE_HOME: tree.path("home/.cache"),
    XDG_RUNTIME_DIR: tree.path("runtime"),
    TMPDIR: tree.path("temporary"),
  };
  const clientInfo = { name: "test", version: "1" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const session = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "grep", arguments: { pattern: "foo" } } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const before = snapshot(tree.root);
  for (
    const args of [
      ["foo"],
      ["foo", "--engine", "git", "--stats"],
      ["foo", "--engine", "grep"],
      ["(?i)FOO", "-l", "--sort", "modified", "--format", "text"],
      ["fool", "--explain", "auto"],
      ["foo", "missing.ts"],
      ["files"],
      ["resolve", "a.ts"],
      ["doctor"],
      ["serve", "--status"],
      ["call", "grep"],
      ["mcp"],
    ]
  ) {
    const stdin = { call: '{"pattern": "foo"}', mcp: `${session.join("\n")}\n` }[args[0]!] ?? "";
    const { stdout } = await pathgrep(args, { cwd: tree.path("ws"), env, stdin });
    assert.ok(args[0] !== "mcp" || stdout.includes("foo (b)"), stdout);
    const scratch = `${tree.path("temporary")} `;
    // The watch of `mcp` makes its file there, and removes it at once.
    const kept = (entries: string[]) =>
      entries.filter((entry) => args[0] !== "mcp" || !entry.startsWith(scratch));
    assert.deepEqual(kept(snapshot(tree.root)), kept(before), args.join(" "));
  }
});

Deno.test("without permission for the current directory, too, the error is an object", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["foo"], {
    cwd: tree.root,
    permissions: ["--no-prompt"],
  });
  assert.equal(code, 2);
  assert.equal(json().code, "path_access_denied");
});

test.slow("what a flag of Deno's denies is an error that names that flag, not one that is missing", async () => {
  await using tree = await tempTree({ "sub/deep/a.txt": "foo\n", "b.txt": "foo\n" });
  const grants = [`--allow-read=${tree.root}`, "--allow-read", "-A"];
  const refusals = [
    { denied: "sub", path: "sub/deep/a.txt", resolved: "sub/deep/a.txt", grants },
    { denied: "sub/deep/a.txt", path: "sub/deep/a.txt", resolved: "sub/deep/a.txt", grants },
    { denied: "", path: "", resolved: "", grants },
    // What is granted by name is not denied by the flag without one.
    { denied: undefined, path: "b.txt", resolved: "", grants: ["--allow-read", "-A"] },
  ];
  const full = (path: string) => path === "" ? tree.root : tree.path(path);
  for (const { denied, path, resolved, grants } of refusals) {
    const denial = denied === undefined ? "--deny-read" : `--deny-read=${full(denied)}`;
    for (const grant of grants) {
      const { code, json } = await pathgrep(["foo", path, "--workspace", tree.root], {
        permissions: ["--no-prompt", grant, denial],
      });
      assert.equal(code, 2);
      const sentence = `Permission denied: ${full(resolved)} (Deno denies it: ${denial})`;
      assert.equal(json().error, `path resolution failed: ${sentence}`);
      assert.equal(json().code, "path_access_denied");
      assert.match(json().hint, /start it again without that flag/);
    }
  }
});
