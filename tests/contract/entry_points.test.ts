/**
 * The ways in.
 *
 * @module
 */

import assert from "node:assert/strict";
import { answer, command, fails, files, found, lines, parseOne } from "../support/acceptance.ts";
import { CHECKOUT, CLI, MOD, pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

Deno.test("running mod.ts as the main module runs the command line", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const [viaMod, viaCli] = await Promise.all([
    pathgrep(["needle"], { cwd: t.root, module: MOD }),
    pathgrep(["needle"], { cwd: t.root, module: CLI }),
  ]);
  assert.equal(viaMod.code, 0);
  assert.equal(viaMod.stdout, viaCli.stdout);
  const missing = await pathgrep(["absent"], { cwd: t.root, module: MOD });
  assert.equal(missing.code, 1);
});

Deno.test("importing mod.ts evaluates no command line code and needs no permission", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    "agent.ts": `import * as pathgrep from "${new URL(`file://${MOD}`)}";
console.log(typeof pathgrep.search, Deno.args.length);
`,
  });
  const ran = await pathgrep(["needle", "--format", "json"], {
    cwd: t.root,
    module: t.path("agent.ts"),
    permissions: [`--config=${CHECKOUT}deno.json`],
  });
  assert.equal(ran.stdout, "function 3\n");
  assert.equal(ran.stderr, "");
  assert.equal(ran.code, 0);
});

test.slow("read access to the workspace is all that a search needs", async () => {
  await using t = await tempTree({
    "src/a.ts": "const needle = 1;\n",
    "src/sub/b.ts": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n",
    "c.txt": "the needle\n",
    ".gitignore": "ignored\n",
    "ignored": "needle\n",
  });
  const least = { cwd: "/", permissions: [`--allow-read=${t.root}`] };
  const all = { cwd: "/", permissions: ["-A"] };
  const queries = [
    ["needle"],
    ["needle", "-l", "-g", "*.ts"],
    ["NEEDLE", "-i", "-C1", "src"],
    ["^(a+)+$"],
    ["needle", "src/a.ts", "--engine", "js"],
  ];
  for (const query of queries) {
    // What is not shown depends on the time that a search takes.
    const args = [...query, "--explain", "never", "--workspace", t.root];
    const [narrow, wide] = await Promise.all([pathgrep(args, least), pathgrep(args, all)]);
    assert.equal(narrow.stdout, wide.stdout);
    assert.equal(narrow.code, wide.code);
    assert.equal(narrow.stderr, "");
    assert.equal(parseOne(narrow).error, undefined, narrow.stdout);
  }
});

test.slow("a tree of many files is searched whole with read access to it alone", async () => {
  await using t = await tempTree({});
  for (let d = 0; d < 30; d++) {
    const entries: Record<string, string> = {};
    for (let f = 0; f < 60; f++) {
      entries[`d${d}/f${f}.txt`] = `${"filler\n".repeat(200)}needle ${d} ${f}\n`;
    }
    await t.write(entries);
  }
  const result = await found(["needle", "--workspace", t.root, "--max-results", "5000"], {
    cwd: "/",
    permissions: [`--allow-read=${t.root}`],
  });
  assert.equal(result.count, 1800);
  const all = lines(result, t.root);
  assert.equal(new Set(all).size, 1800);
  const byPath = files(result, t.root);
  assert.deepEqual(byPath, [...byPath].sort(), "in the order of the paths");
});

test.slow("errors and the other commands need no more than the workspace either", async () => {
  await using t = await tempTree({ "src/a.ts": "needle\n" });
  const least = { cwd: t.root, permissions: [`--allow-read=${t.root}`] };
  await fails("path_not_found", ["needle", "absent"], least);
  await fails("path_outside_workspace", ["needle", "../outside"], least);
  await fails("invalid_pattern", ["(needle"], least);
  await fails("invalid_input", ["needle", "--no-such-option"], least);
  const resolved = await command(["resolve", "src/a.ts"], least);
  assert.equal(resolved.path, t.path("src/a.ts"));
  const listed = await command(["files"], least);
  assert.deepEqual(listed.files, [t.path("src/a.ts")]);
  const doctor = await pathgrep(["doctor"], least);
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr);
  assert.equal(doctor.stderr, "");
  for (
    const args of [
      ["needle", "--format=jsonl", "--stats", "-C1", "--column"],
      ["needle", "src/a.ts", "--format=text"],
      ["(?i)NEEDLE", "-l", "-t", "ts", "--sort", "modified"],
      ["-U", "n[^]*e"],
      ["-F", "needle"],
    ]
  ) {
    const { code, stdout, stderr } = await pathgrep(args, least);
    assert.deepEqual([code, stderr], [0, ""], `${args.join(" ")}: ${stdout}`);
  }
  const piped = await found(["needle", "-"], { ...least, stdin: "needle\n" });
  assert.equal(piped.matches?.[0]?.file, "(stdin)");
});

Deno.test("a refusal by Deno itself says which flag is missing", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const none = await answer(["needle", "--workspace", t.root], { cwd: "/", permissions: [] });
  assert.equal(none.code, "path_access_denied");
  assert.match(none.error ?? "", /--allow-(?:fs-)?read/);
  assert.match(none.hint ?? "", /--allow-(?:fs-)?read=/);
});

Deno.test("deno.json names the package, its two entry points and a compile task", async () => {
  const config = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  assert.equal(config.name, "@x/pathgrep");
  assert.equal(config.exports["."], "./mod.ts");
  assert.equal(config.exports["./cli"], "./cli.ts");
  assert.match(JSON.stringify(config.tasks.compile), /deno compile/);
});
