/**
 * `pathgrep doctor` on permissions: the smallest set, and what is granted beyond it; and its text.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLI, pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

async function doctor(tree: Tree, permissions: readonly string[], ...args: string[]) {
  const { code, json } = await pathgrep(["doctor", "--workspace", tree.path("ws"), ...args], {
    permissions: ["--no-prompt", ...permissions],
  });
  assert.equal(code, 0);
  return json();
}

/** The flags of a command line, without its program. */
function flagsOf(line: string): string[] {
  const [deno, run, ...rest] = line.split(" ");
  assert.deepEqual([deno, run, rest.pop()], ["deno", "run", CLI]);
  return rest;
}

test.slow("doctor has nothing to warn of where no more is granted than it says", async () => {
  await using tree = await tempTree({ "ws/a.txt": "needle\n" });
  for (const engine of ["auto", "js", "git", "grep"]) {
    const before = await doctor(tree, [`--allow-read=${tree.path("ws")}`], "--engine", engine);
    const flags = flagsOf(before.least_privilege);
    const report = await doctor(tree, flags, "--engine", engine);
    assert.equal(report.warnings, undefined, report.warnings);
    const { code, stdout } = await pathgrep(
      ["needle", "--workspace", tree.path("ws"), "--engine", engine],
      { permissions: flags },
    );
    assert.equal(code, 0, stdout);
  }
});

Deno.test("of a path with a comma, which Deno takes for two, the directory above is what can be granted", async () => {
  await using tree = await tempTree({ "x/w,s/a.txt": "needle\n", "x/w/b.txt": "needle\n" });
  const workspace = ["--workspace", tree.path("x/w,s")];
  const report = await pathgrep(["doctor", ...workspace], { permissions: ["--no-prompt", "-A"] });
  const flags = flagsOf(report.json().least_privilege);
  assert.deepEqual(flags.slice(-1), [`--allow-read=${tree.path("x")}`]);
  const { code } = await pathgrep(["needle", ...workspace], { permissions: flags });
  assert.equal(code, 0);
  const refused = await pathgrep(["needle", ...workspace], {
    permissions: ["--no-prompt", `--allow-read=${tree.path("x/w,s")}`],
  });
  assert.equal(refused.json().hint, `start it again with --allow-read=${tree.path("x")}`);
});

test.slow("where ripgrep comes from npm, doctor says what it needs, and the error which program", async () => {
  await using tree = await tempTree({ "ws/a.txt": "needle\n", "empty/": null });
  const env = { PATH: tree.path("empty") };
  const ask = async (args: string[], permissions: string[]) => {
    const { json } = await pathgrep([...args, "--workspace", tree.path("ws"), "--engine", "rg"], {
      permissions,
      env,
    });
    return json();
  };
  const { engines, least_privilege, warnings } = await ask(["doctor"], ["-A"]);
  assert.deepEqual(engines.rg, {
    available: true,
    source: "npm",
    needs: "--allow-env, --allow-read and --allow-run",
  });
  assert.ok(warnings.every((warning: string) => !warning.startsWith("--allow-run")));
  const flags = flagsOf(least_privilege);
  assert.equal((await ask(["needle"], flags)).count, 1);
  assert.equal((await ask(["doctor"], flags)).warnings, undefined);
  for (const flag of flags.filter((flag: string) => flag.startsWith("--allow"))) {
    const { code } = await ask(["needle"], flags.filter((other: string) => other !== flag));
    assert.ok(["engine_unavailable", "path_access_denied"].includes(code), flag);
  }
  // The name alone does not name the program: PATH has none.
  const { error } = await ask(["needle"], [
    "--no-prompt",
    "--allow-read",
    "--allow-env",
    "--allow-run=rg",
  ]);
  const [, path] = error.match(
    /^engine unavailable: rg is not permitted; start Deno with --allow-run=(\S+), or use the js engine$/,
  );
  const named = flags.map((flag: string) => flag === "--allow-run" ? `${flag}=${path}` : flag);
  assert.equal((await ask(["needle"], named)).count, 1);
});

Deno.test("doctor warns of each permission that is granted beyond the smallest set", async () => {
  await using tree = await tempTree({ "ws/a.txt": "needle\n" });
  const read = `--allow-read=${tree.path("ws")}`;
  for (
    const [permissions, warning] of [
      [
        ["--allow-read"],
        /^--allow-read is granted for every path; --allow-read=\/.*\/ws is enough$/,
      ],
      [[`--allow-read=${tree.root}`], /^--allow-read is granted for more than the workspace; /],
      [[read, "--allow-write"], /^--allow-write is granted for everything; only `serve`, /],
      [[read, "--allow-net"], /^--allow-net is granted for everything; only `serve` /],
      [
        [read, "--allow-run"],
        /^--allow-run is granted for every program; the engine js runs none$/,
      ],
      [[read, "--allow-env"], /^--allow-env is granted for every variable; /],
      [[read, "--allow-sys"], /^--allow-sys is granted for everything; /],
      [[read, "--allow-ffi"], /^--allow-ffi is granted for everything; nothing uses it$/],
    ] as const
  ) {
    const { warnings } = await doctor(tree, permissions);
    assert.equal(warnings.length, 1, permissions.join(" "));
    assert.match(warnings[0], warning);
  }
  const some = ["--allow-read", "--allow-run", "--allow-net", "--allow-sys", "--allow-env"];
  const most = await doctor(tree, some, "--engine", "git");
  assert.equal(most.warnings.length, some.length);
  assert.ok(
    most.warnings.includes("--allow-run is granted for every program; --allow-run=git is enough"),
  );
});

test.slow("of -A, with which README installs it, doctor says one sentence", async () => {
  await using tree = await tempTree({ "ws/a.txt": "needle\n" });
  for (const engine of ["auto", "git", "grep"]) {
    const { warnings } = await doctor(tree, ["-A"], "--engine", engine);
    assert.deepEqual(warnings, [
      "Deno grants everything (-A); a search needs no more than least_privilege grants",
    ]);
  }
});

test.slow("the line of least privilege is a command: a search's arguments follow it", async () => {
  await using tree = await tempTree({ "w s/it's/a.txt": "needle\n" });
  for (const root of ["w s", "w s/it's"]) {
    const workspace = tree.path(root);
    for (const engine of ["js", "grep"]) {
      const report = await pathgrep(["doctor", "--workspace", workspace, "--engine", engine]);
      const { least_privilege: line } = report.json();
      assert.ok(line.endsWith(` ${CLI}`), line);
      const search = `${line} --format text --engine ${engine} needle`;
      const found = await spawn("sh", ["-c", search], { cwd: workspace });
      assert.match(found.stdout, /a\.txt:1:needle\n$/, found.stderr);
    }
  }
});

test.slow("doctor in text is lines, and says the same", async () => {
  await using tree = await tempTree({ "ws/a.txt": "", "other\x1b[2J/b.txt": "" });
  const args = ["--workspace", tree.path("ws"), "--workspace", tree.path("other\x1b[2J")];
  const read = `--allow-read=${tree.root}`;
  const permissions = ["--no-prompt", read, "--allow-run=git", "--allow-env=PATH"];
  const run = (...format: string[]) => pathgrep(["doctor", ...args, ...format], { permissions });
  const report = (await run()).json();
  const { code, stdout, stderr } = await run("--format", "text");
  assert.deepEqual([code, stderr], [0, ""]);
  for (
    const line of [
      /^versions: pathgrep [\d.]+, deno [\d.]+, v8 /m,
      /^engines:\n {2}js: available\n {2}rg: not available: .*--allow-run=rg/m,
      RegExp(`^ {2}git: ${report.engines.git.version}`, "m"),
      /^workers: 0\nresident:\n {2}running: false\n/m,
      /^permissions: read prompt, .*env prompt/m,
      /^ {4}- \/.*\/other\\x1b\[2J\n {2}readable: true\n/m,
      /^least_privilege: deno run --no-config --no-prompt --allow-read=/m,
      /^warnings:\n {2}- --allow-read is granted for more than the workspace; /m,
    ]
  ) assert.match(stdout, line);
  assert.ok(!stdout.includes("{"), "no JSON");
  assert.match((await run("--format", "jsonl")).stdout, /^\{"versions".*\}\n$/);
});

Deno.test("doctor says how many workers there are: none where they may not be read", async () => {
  await using tree = await tempTree({ "ws/a.txt": "" });
  const read = `--allow-read=${tree.path("ws")}`;
  assert.equal((await doctor(tree, [read])).workers, 0);
  const source = CLI.replace(/cli\.ts$/, "src");
  // A worker that may read a part of the source only would fail.
  assert.equal((await doctor(tree, [`${read},${source}/parallel`])).workers, 0);
  const cores = Math.min(navigator.hardwareConcurrency, 8);
  assert.equal((await doctor(tree, [`${read},${source}`])).workers, cores - 1);
});

Deno.test("doctor reports without any permission what is missing", async () => {
  await using tree = await tempTree({ "a.txt": "" });
  const { code, json } = await pathgrep(["doctor", "--workspace", tree.root], { permissions: [] });
  assert.equal(code, 0);
  const report = json() as { workspace: unknown; least_privilege: string };
  assert.deepEqual(report.workspace, { roots: [tree.root], readable: false });
  assert.ok(report.least_privilege.includes(`--allow-read=${tree.root}`));
});

Deno.test("doctor says which rule files above the workspace count, or that it may not look", async () => {
  await using tree = await tempTree({
    "ws/a/b/c.txt": "needle\n",
    "ws/a/.aiexclude": "*.key\n",
    "ws/.git/HEAD": "ref: refs/heads/main\n",
    "ws/.git/info/exclude": "*.log\n",
    "ws/.gitignore": "*.log\n",
    "ws/own/.git": "gitdir: ../.git/modules/own\n",
    ".gitignore": "*\n",
  });
  const ask = async (root: string, ...permissions: string[]) => {
    const { json } = await pathgrep(["doctor", "--workspace", tree.path(root)], {
      permissions: ["--no-prompt", ...permissions],
    });
    const { workspace, rule_files = [], notes } = json();
    type Row = { path: string; kind: string };
    const above = rule_files
      .filter(({ path }: Row) => !path.startsWith(`${tree.path(root)}/`))
      .map(({ path, kind }: Row) => `${kind} ${path.slice(tree.root.length + 1)}`);
    return [workspace.repositories_above, above, notes];
  };
  assert.deepEqual(await ask("ws/a/b", "--allow-read"), [
    [tree.path("ws")],
    ["ignore ws/.gitignore", "ignore ws/.git/info/exclude", "guard ws/a/.aiexclude"],
    undefined,
  ]);
  assert.deepEqual(await ask("ws", "--allow-read"), [undefined, [], undefined]);
  assert.deepEqual(await ask("ws/own", "--allow-read"), [undefined, [], undefined]);
  const [repositories, above, notes] = await ask("ws/a/b", `--allow-read=${tree.path("ws/a/b")}`);
  assert.deepEqual([repositories, above], [undefined, []]);
  assert.match(
    `${notes}`,
    /^rule files above the workspace, if there are any, do not apply: (?:Deno|Node\.js) may/,
  );
  assert.ok(!`${notes}`.includes(tree.base));
  assert.deepEqual(await ask("ws", `--allow-read=${tree.path("ws")}`), [undefined, [], undefined]);
});
