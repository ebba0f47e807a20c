/**
 * Who may influence a search through rule files above its root: the user and root, and nobody else; and what
 * hostile files there can do.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, ToolRegistry, Workspace } from "../../mod.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { test, testNeeding } from "../support/needs.ts";
import { connect } from "../mcp/clients.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

const [USER, OTHER] = [54_321, 54_322];
const NAMES = ["a.txt", "b.log", "c.md"];
const FILES = Object.fromEntries(NAMES.map((name) => [`home/work/${name}`, "needle\n"]));

/** A tree that others may enter, and a directory in it that belongs to the user. */
async function shared(entries: Record<string, TreeEntry>, owners: Record<string, number>) {
  const t = await tempTree({ ...FILES, ...entries });
  for (const path of [t.base, t.root]) await Deno.chmod(path, 0o755);
  const own = { "home/work": USER, ...owners };
  for (const [path, uid] of Object.entries(own)) await chown(t.path(path), uid);
  return t;
}

async function mkfifo(path: string): Promise<void> {
  assert.ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
}

async function chown(path: string, uid: number): Promise<void> {
  const { code } = await new Deno.Command("chown", { args: ["-h", `${uid}`, path] }).output();
  assert.equal(code, 0);
}

/** The names that a user finds from `home/work`. */
async function foundBy(uid: number, t: Tree, permissions = ["-A"]): Promise<string[]> {
  const program = `
    import { listFiles, Workspace } from "${CHECKOUT}mod.ts";
    const workspace = await Workspace.open("${t.path("home/work")}");
    const { files } = await listFiles({ paths: "relative" }, { workspace });
    console.log(JSON.stringify(files));`;
  const bundle = `${t.base}/program.js`;
  await Deno.writeTextFile(`${t.base}/program.ts`, program);
  const deno = Deno.execPath();
  const made = await new Deno.Command(deno, {
    args: ["bundle", "--quiet", "--output", bundle, `${t.base}/program.ts`],
    cwd: CHECKOUT,
  }).output();
  assert.ok(made.success, new TextDecoder().decode(made.stderr));
  const { stdout, stderr } = await new Deno.Command("setpriv", {
    args: [`--reuid=${uid}`, "--clear-groups", deno, "run", "--no-config", "--no-prompt"]
      .concat(permissions, bundle),
    cwd: t.path("home/work"),
    env: { DENO_DIR: `${t.base}/none`, HOME: "/nonexistent" },
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return JSON.parse(new TextDecoder().decode(stdout));
}

const RULES = { "home/.git/HEAD": "", "home/.ignore": "*.log\n", "home/.aiexclude": "*.md\n" };
const OWN = { home: USER, "home/.git": USER, "home/.ignore": USER, "home/.aiexclude": USER };

/** Who owns what above the root, and what is left there. */
const OWNERS: { about: string; owners: Record<string, number>; left: string[] }[] = [
  { about: "the user's own", owners: OWN, left: ["a.txt"] },
  { about: "root's", owners: {}, left: ["a.txt"] },
  {
    about: "another user's files in a directory of root's",
    owners: { "home/.ignore": OTHER, "home/.aiexclude": OTHER },
    left: NAMES,
  },
  { about: "another user's .git", owners: { ...OWN, "home/.git": OTHER }, left: NAMES },
  { about: "another user's directory", owners: { ...OWN, home: OTHER }, left: NAMES },
  {
    about: "one file of another user",
    owners: { ...OWN, "home/.ignore": OTHER },
    left: ["a.txt", "b.log"],
  },
];

for (const { about, owners, left } of OWNERS) {
  testNeeding("root", "setpriv").slow(`rules above count by who owns them: ${about}`, async () => {
    await using t = await shared(RULES, owners);
    assert.deepEqual(await foundBy(USER, t), left);
    // Where Deno does not tell who the user is, the owner of the root stands for the user.
    assert.deepEqual(await foundBy(USER, t, ["--allow-read"]), left);
  });
}

testNeeding("root", "setpriv").slow("another user's .git hides no rules further up", async () => {
  const entries = { ".git/HEAD": "", ".aiexclude": "*.md\n", "home/.git/HEAD": "" };
  await using t = await shared(entries, { "home/.git": OTHER });
  assert.deepEqual(await foundBy(USER, t), ["a.txt", "b.log"]);
});

test("pipes and links in the place of rule files above are passed over, without waiting", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", "../.git/HEAD": "", "../x": "*\n" });
  for (const name of [".gitignore", ".aiexclude", ".ignore"]) await mkfifo(t.path(`../${name}`));
  await t.write({ "../.cursorignore": { symlink: "x" }, "../.aiignore": { symlink: ".aiignore" } });
  const workspace = await Workspace.open(t.root);
  const { count } = await search({ pattern: "needle", timeout: 5000 }, { workspace });
  assert.equal(count, 1);
});

test("of too large a file above, ignore rules do not count and an exclusion file blocks", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    "../.git/HEAD": "",
    "../.ignore": "*.txt\n".repeat(30_000),
  });
  const { json } = await pathgrep(["needle", "-l"], { cwd: t.root });
  assert.deepEqual(json().files, [t.path("a.txt")]);
  assert.match(`${json().notes}`, /ignore file/);
  await t.write({ "../.aiexclude": "*.md\n".repeat(30_000) });
  const refused = await pathgrep(["needle", "-l"], { cwd: t.root });
  assert.equal(refused.code, 2);
  assert.match(refused.json().error, /excluded, because \.\.\/\.aiexclude is too large/);
});

test("an exclusion file above that names the root blocks it, and every call says so", async () => {
  for (const rule of ["/ws/", "ws", "*", "/ws/../ws\n/ws"]) {
    await using t = await tempTree({
      "src/a.txt": "needle\n",
      "../.git/HEAD": "",
      "../.aiexclude": `${rule}\n`,
    });
    const by = /excluded by \.\.\/\.aiexclude:\d$/;
    for (
      const args of [["needle"], ["needle", "."], ["needle", "src/*"], ["needle", "src/a.txt"], [
        "files",
      ]]
    ) {
      const { code, json } = await pathgrep(args, { cwd: t.root });
      assert.equal(code, 2, args.join(" "));
      assert.equal(json().code, "permission_denied_by_policy");
      assert.match(json().error, by);
    }
    const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
    const calls: [string, object][] = [
      ["grep", { pattern: "needle" }],
      ["glob", { pattern: "**" }],
      ["read_file", { path: "src/a.txt" }],
      ["grep", { pattern: "needle" }],
    ];
    for (const [tool, input] of calls) {
      const answer = await registry.execute(tool, input);
      assert.match("error" in answer ? `${answer.error}` : "", by, tool);
    }
    // What the user allows is searched, with a note.
    const { json } = await pathgrep(["needle", "-l", "--allow", "src/**"], { cwd: t.root });
    assert.deepEqual(json().files, [t.path("src/a.txt")]);
    assert.match(
      `${json().notes}`,
      /the workspace was searched only in part: it is excl/,
    );
  }
});

test("of several roots, one that is excluded from above is left out with a note", async () => {
  await using t = await tempTree({
    "a/x.txt": "needle\n",
    "b/y.txt": "needle\n",
    "../.git/HEAD": "",
    "../.aiexclude": "/ws/b\n",
  });
  const workspace = await Workspace.open([t.path("a"), t.path("b")]);
  for (const path of [undefined, "."]) {
    const query = { pattern: "needle", paths: "relative", outputMode: "file", path } as const;
    const { files, notes } = await search(query, { workspace });
    assert.deepEqual(files, ["a/x.txt"]);
    assert.match(
      `${notes}`,
      /b.* was not searched: it is excluded by [ab]\/\.\.\/\.\.\/\.aiexclude:1/,
    );
  }
});

test("a session says once which files above count", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    "../.git/HEAD": "",
    "../.gitignore": "*.log\n",
    "../.aiexclude": "*.key\n",
    "../private.txt": "needle\n",
  });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const notes: string[] = [];
  for (const tool of ["grep", "glob", "grep"]) {
    const answer = await registry.execute(tool, { pattern: "*".repeat(+(tool === "glob")) + "a" });
    notes.push(`${(answer as { notes?: string[] }).notes ?? []}`);
  }
  const said = "rule files above the workspace apply: ../.aiexclude, ../.gitignore";
  assert.deepEqual(notes.map((note) => note.includes(said)), [true, false, false]);
  assert.ok(!notes.join().includes("private") && !notes.join().includes(t.base));
});

test.slow("an MCP session that may not read above says so once, and asks nothing", async () => {
  await using t = await tempTree({
    "a.log": "needle\n",
    "../.git/HEAD": "",
    "../.gitignore": "*.log\n",
  });
  const args = ["--workspace", t.root];
  const texts = async (permissions: string[]) => {
    await using client = await connect("v1", { cwd: t.root, args, permissions });
    const calls = [await client.call("grep", { pattern: "needle" })];
    calls.push(await client.call("grep", { pattern: "needle" }));
    return calls.map(({ text }) => text);
  };
  const [first, second] = await texts([`--allow-read=${t.root}`]);
  assert.match(first!, /a\.log/);
  assert.match(
    first!,
    /rule files above the workspace, if there are any, do not apply: (?:Deno|Node\.js) may not/,
  );
  assert.doesNotMatch(second!, /rule files above/);
  const read = await texts(["--allow-read"]);
  assert.match(read[0]!, /rule files above the workspace apply: \.\.\/\.gitignore$/m);
  assert.doesNotMatch(read[1]!, /rule files above the workspace apply/);
});
