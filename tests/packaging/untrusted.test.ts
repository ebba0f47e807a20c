/**
 * The documented commands, started in directories that nobody vouches for: neither a `deno.json` nor a
 * `package.json` nor anything beside them takes the place of the package, gets in its way, or is written.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import type { TreeEntry } from "../support/tree.ts";
import { snapshot, UNTRUSTED } from "./directories.ts";
import { INITIALIZE, type Machine, machine, SPECIFIER } from "./machine.ts";
import { publishedPackage } from "./registry.ts";
import { test } from "../support/needs.ts";

/** Searches, takes ripgrep from npm and serves MCP; nothing in the project changes. */
async function assertWorks(user: Machine, command: readonly string[]): Promise<void> {
  const project = user.tree.path("project");
  const before = snapshot(project);
  // ripgrep has to come from npm.
  const env = { PATH: `${user.tree.path("bin")}:${user.tree.path("no-rg")}` };
  for (
    const [args, stdin] of [
      [["needle", "a.txt", "--format", "text"]],
      [["needle", "a.txt", "--format", "text", "--engine", "rg"]],
      [["mcp"], INITIALIZE],
    ] as const
  ) {
    const { code, stdout, stderr } = await user.run([...command, ...args], stdin, env);
    const said = `${args.join(" ")}: ${stdout}${stderr}`;
    assert.equal(code, 0, said);
    if (args[0] === "needle") assert.equal(stdout, "a.txt:1:needle\n", said);
    else assert.equal(JSON.parse(stdout).result.serverInfo.name, "pathgrep");
  }
  assert.deepEqual(snapshot(project), before);
}

/** Puts other files into the project. */
async function refill(user: Machine, files: Record<string, TreeEntry>): Promise<void> {
  await Deno.remove(user.tree.path("project"), { recursive: true });
  for (const [path, entry] of Object.entries({ "a.txt": "needle\n", ...files })) {
    await user.tree.write({ [`project/${path}`]: entry });
  }
}

test.slow("the documented commands obey nothing in the directory they start in, nor change it", async (t) => {
  await using registry = await publishedPackage();
  await using user = await machine(registry);
  const root = user.tree.path("root");
  const install = [
    "deno",
    "install",
    "-g",
    "-A",
    "-n",
    "pathgrep",
    "--root",
    root,
    `${SPECIFIER}/cli`,
  ];
  assert.equal((await user.run(install)).code, 0);
  const published = ["deno", "run", "--no-config", "-A", `${SPECIFIER}/cli`];
  const commands = [
    published,
    ["deno", "run", "--no-config", "-A", SPECIFIER],
    [`${root}/bin/pathgrep`],
    ["deno", "run", "-A", `${CHECKOUT}cli.ts`],
  ];
  for (const [name, files] of Object.entries(UNTRUSTED)) {
    await t.step(`in a directory with ${name}`, async () => {
      await refill(user, files);
      await Promise.all(commands.map((command) => assertWorks(user, command)));
    });
  }
  const hostile = UNTRUSTED["a hostile import map"]!;
  await t.step("below a directory with a hostile import map", async () => {
    await refill(user, {});
    await user.tree.write(hostile);
    await assertWorks(user, published);
  });
  await t.step("without --no-config that import map runs code of the directory", async () => {
    await refill(user, hostile);
    await user.run(["deno", "run", "-A", SPECIFIER, "needle"]);
    assert.ok(snapshot(user.tree.path("project")).includes("PLANTED: "));
  });
});

test.slow("in a project with a package.json, what needs npm says to add --no-config", async () => {
  await using registry = await publishedPackage();
  await using user = await machine(registry, { "a.txt": "needle\n", "package.json": "{}" });
  const env = { PATH: user.tree.path("bin") };
  const command = ["deno", "run", "-A", SPECIFIER];
  const served = await user.run([...command, "mcp"], INITIALIZE, env);
  assert.equal(served.code, 2);
  assert.equal(served.stdout, "");
  assert.match(
    served.stderr,
    /^pathgrep: search failed: npm:.*\n {2}add --no-config to deno run, /,
  );
  const searched = await user.run([...command, "needle", "--engine", "rg"], "", env);
  assert.equal(searched.code, 2, searched.stdout);
  assert.equal(searched.json().code, "engine_unavailable");
  assert.match(searched.json().hint, /; add --no-config to deno run, /);
  // What needs no package works as it is.
  assert.equal((await user.run([...command, "needle", "a.txt"])).json().count, 1);
  const called = await user.run([...command, "call", "grep"], '{"pattern": "needle"}');
  assert.equal(called.json().count, 1, called.stdout);
});

test.slow("an agent in a project with a package.json imports the library and calls its tools", async () => {
  await using registry = await publishedPackage();
  const agent = (specifier: string) =>
    `import { search, ToolRegistry, Workspace } from "${specifier}";
const workspace = await Workspace.open(".");
const query = { pattern: "needle", path: "a.txt" };
const { count } = await search(query, { workspace });
const answer = await ToolRegistry.of({ workspace }).execute("grep", query);
console.log(count, "count" in answer && answer.count);
`;
  await using user = await machine(registry, {
    "a.txt": "needle\n",
    "package.json": JSON.stringify({ name: "app", dependencies: {} }),
    "published.ts": agent(SPECIFIER),
    "clone.ts": agent(`${CHECKOUT}mod.ts`),
  });
  for (const name of ["published.ts", "clone.ts"]) {
    const ran = await user.run(["deno", "run", "--no-prompt", "--allow-read=.", name]);
    assert.equal(ran.stdout, "1 1\n", ran.stderr);
  }
  assert.deepEqual(user.npmPackages(), []);
});

Deno.test("every command with jsr: in documents, docstrings, help and doctor has --no-config", async () => {
  const documents = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "mod.ts", "cli.ts"];
  for await (const { name } of Deno.readDir(`${CHECKOUT}docs`)) documents.push(`docs/${name}`);
  const texts = await Promise.all(documents.map((path) => Deno.readTextFile(CHECKOUT + path)));
  const { stdout: help } = await pathgrep(["--help"]);
  const commands = [...help.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name!);
  assert.ok(commands.includes("mcp"));
  for (const name of commands) texts.push((await pathgrep([name, "--help"])).stdout);
  for (const shell of ["bash", "zsh", "fish"]) {
    texts.push((await pathgrep(["completions", shell])).stdout);
  }
  // The sentences that say why it is there need not have it.
  const paths = texts.join("\n").replaceAll("`deno run jsr:@x/pathgrep/cli` obeys", "");
  const runs = [...paths.matchAll(/"run", .*jsr:.*|\brun\b[^\n`]* jsr:[^\n`]*/g)].map(([run]) =>
    run
  );
  assert.ok(runs.length >= 15, runs.join("\n"));
  assert.deepEqual(runs.filter((run) => !/--no-config/.test(run)), []);
  const { least_privilege } = (await pathgrep(["doctor"], { cwd: CHECKOUT })).json();
  assert.match(least_privilege, /^deno run --no-config /);
});
