/**
 * What the command line needs from Deno: to read the workspace, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("reading the workspace is all the permission that any command needs", async () => {
  await using tree = await tempTree({ "src/a.ts": "foo (b)\n", ".gitignore": "x\n" });
  const permissions = [`--allow-read=${tree.root}`, "--no-prompt"];
  for (
    const args of [
      ["foo"],
      ["foo", "--format=jsonl", "--stats", "-C1", "--column"],
      ["foo", "src/a.ts", "--format=text"],
      ["(?i)FOO", "-l", "-t", "ts", "-g", "*.ts", "--sort", "modified"],
      ["(f+o+)+", "-c", "-w"],
      ["-U", "foo[^]*b"],
      ["-F", "foo (", "--engine", "js"],
      ["files"],
      ["resolve", "src/a.ts:1"],
      ["doctor"],
    ]
  ) {
    const { code, stdout, stderr } = await pathgrep([...args, "--workspace", tree.root], {
      permissions,
    });
    assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    assert.equal(stderr, "", args.join(" "));
  }
});

Deno.test("standard input needs no further permission", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["foo", "-", "--workspace", tree.root], {
    permissions: [`--allow-read=${tree.root}`, "--no-prompt"],
    stdin: "foo\n",
  });
  assert.equal(code, 0);
  assert.equal(json().matches[0].file, "(stdin)");
});

Deno.test("a workspace that Deno may not read is an error that names the flag", async () => {
  await using tree = await tempTree();
  const { code, stderr, json } = await pathgrep(["foo", "--workspace", tree.root], {
    permissions: ["--no-prompt"],
  });
  assert.equal(code, 2);
  assert.equal(stderr, "");
  assert.equal(json().code, "path_access_denied");
  assert.match(json().hint, /--allow-read=/);
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

Deno.test("what a flag of Deno's denies is an error that names that flag, not one that is missing", async () => {
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
