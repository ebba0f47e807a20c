/**
 * The names of the accounts that the project is published with: one task changes them everywhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import { copyCheckout } from "../support/clone.ts";
import { test } from "../support/needs.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const FILE = "npm/names.json";
/** Names that nothing has, and that are short: longer ones break JSON into lines, which stay broken. */
const OTHERS = { owner: "Wh-O", scope: "qz", package: "@vy/zq" };
const LONG = {
  owner: "An-Organisation-With-A-Long-Name",
  scope: "an-organisation-with",
  package: "@an-organisation-with-a-long-name/pathgrep",
};
/** Longer than this, with everything that is started. */
const LIMIT_MS = 240_000;

type Names = typeof OTHERS;

async function checkout(): Promise<Tree> {
  const tree = await tempTree();
  await copyCheckout(tree.root);
  await sh(
    "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm all",
    tree.root,
  );
  return tree;
}

async function rename({ root }: Tree, names: Partial<Names>, ...flags: string[]) {
  const options = Object.entries(names).flatMap(([name, value]) => [`--${name}`, value]);
  const args = ["task", "--quiet", "names", ...options, ...flags];
  return await spawn(Deno.execPath(), args, { cwd: root, limit: LIMIT_MS });
}

const changes = async ({ root }: Tree) =>
  (await spawn("git", ["status", "--porcelain"], { cwd: root })).stdout;

/** The lines that have a name, where it can be nothing else. */
async function linesWith({ root }: Tree, { owner, scope, package: npm }: Names): Promise<string> {
  const before = [
    "npx -y ",
    "npm install ",
    "npm install -g ",
    "npm view ",
    "npm trust github ",
    "from .",
    "package/",
    "node_modules/",
  ];
  const patterns = [
    String.raw`(^|[^A-Za-z_-])${owner}([^A-Za-z_-]|$)`,
    String.raw`@${scope}\\?/|jsr:@${scope}`,
    ...before.map((words) => String.raw`\b${words}${npm}([^A-Za-z.-]|$)`),
  ];
  const args = ["grep", "-nE", ...patterns.flatMap((pattern) => ["-e", pattern])];
  return (await spawn("git", args, { cwd: root })).stdout;
}

test.slow("the task leaves no old name in any file, and the way back changes nothing else", async () => {
  await using tree = await checkout();
  const names = JSON.parse(await Deno.readTextFile(tree.path(FILE))) as Names;
  assert.notEqual(await linesWith(tree, names), "", "there are some");
  const done = await rename(tree, OTHERS);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^README\.md: \d+$/m);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(tree.path(FILE))), OTHERS);
  assert.equal(await linesWith(tree, names), "");
  assert.equal(
    JSON.parse(await Deno.readTextFile(tree.path("deno.json"))).name,
    `@${OTHERS.scope}/pathgrep`,
  );
  // Manifests, links, types and format are as right as before.
  const flags = ["-A", "--quiet", "--no-check", "--lock=deno.lock", "--frozen"];
  for (
    const args of [
      ["check", "--quiet", "--lock=deno.lock", "--frozen", "npm/manifests.ts"],
      ["test", ...flags, "tests/packaging/plugin.test.ts"],
      ["test", ...flags, "--filter=/link|address/", "tests/docs/readme.test.ts"],
      ["fmt", "--check"],
    ]
  ) {
    const { code, stdout, stderr } = await spawn(Deno.execPath(), args, { cwd: tree.root });
    assert.equal(code, 0, stdout + stderr);
  }
  const back = await rename(tree, names);
  assert.equal(back.code, 0, back.stderr);
  assert.equal(await changes(tree), "");
  const long = await rename(tree, LONG);
  assert.equal(long.code, 0, long.stderr);
  const readme = ["--filter=/link|address|not yet/", "tests/docs/readme.test.ts"];
  const { code, stdout, stderr } = await spawn(Deno.execPath(), ["test", ...flags, ...readme], {
    cwd: tree.root,
  });
  assert.equal(code, 0, stdout + stderr);
});

test.slow("the task changes nothing in a dry run, nor with a name that cannot be", async () => {
  await using tree = await checkout();
  const dry = await rename(tree, OTHERS, "--dry-run");
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /^deno\.json: 1$/m);
  for (const [name, value] of [["owner", "a b"], ["scope", "@x"], ["package", "A/../b"]] as const) {
    const refused = await rename(tree, { [name]: value });
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, RegExp(`--${name} cannot be`));
  }
  assert.equal(await changes(tree), "");
});
