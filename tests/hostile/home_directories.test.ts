/**
 * Where clients without a project start a server: in a home directory, or in one that holds them. `mcp` and
 * `hook` refuse it also where HOME may not be read, unless it is a repository or is named.
 */

import assert from "node:assert/strict";
import { isTooWide } from "../../src/workspace/wide_directory.ts";
import { RawServer } from "../mcp/raw_server.ts";
import { test } from "../support/needs.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** Home directories and what holds them, by their place alone. */
const PLACES = [
  ...["/", "/home", "/home/me", "/Users", "/Users/me", "/root", "/var/root", "/private/var/root"],
  ...["/var/home", "/var/home/me", "/var/roothome", "/usr/home/me", "/export/home"],
  ...["/export/home/me", "/nfs/home/me", "/net/home/me", "/srv/home/me", "/mnt/home/me"],
  ...[
    "/data/home/me",
    "/System/Volumes/Data/Users/me",
    "/System/Volumes/Data/home",
    "/var/lib",
    "/var/lib/jenkins",
  ],
  ...["/var/lib/gitlab-runner", "/var/jenkins_home", "/mnt/c", "/mnt/c/Users", "/mnt/d/Users/me"],
  ...["/mnt/c/users/ME", "/data/data/com.termux/files", "/data/data/com.termux/files/home"],
  "/data/user/0/com.termux/files/home",
];

/** Projects in such places, and in others that are named like them. */
const PROJECTS = [
  ...["/home/me/ws", "/Users/me/ws", "/root/ws", "/var/home/me/ws", "/export/home/me/ws", "/mnt"],
  ...["/mnt/c/src", "/mnt/c/Users/me/ws", "/mnt/data", "/mnt/data/Users", "/data", "/data/ws"],
  ...["/data/data/com.termux/files/home/ws", "/var/lib/jenkins/workspace", "/var/www", "/srv/www"],
  ...["/workspace", "/workspaces/home", "/ws/home/me", "/app/root", "/homes/me", "/usr/src/app"],
];

Deno.test("a home directory is known by its place", () => {
  assert.deepEqual(PLACES.filter((directory) => !isTooWide(directory)), []);
  assert.deepEqual(PROJECTS.filter(isTooWide), []);
});

/** What lies in a directory, and whether it is taken for a home directory. */
const CONTENTS: readonly (readonly [names: string, isHome: boolean])[] = [
  [".bashrc .profile .cache/", true],
  [".bashrc .profile .bash_logout .bash_history", true],
  [".profile .ssh/ .config/", true],
  [".zshrc .zsh_history .config/ Desktop/ Downloads/", true],
  [".CFUserTextEncoding Library/ Documents/", true],
  ["NTUSER.DAT AppData/ Desktop/", true],
  [".bashrc .profile .ssh/ .config/ .cache/ .local/ .gitignore README.md", true],
  // A repository.
  [".bashrc .profile .ssh/ .config/ .cache/ .local/ .git/", false],
  [".bashrc .profile .ssh/ .config/ .cache/ .local/ .git", false],
  // What projects have, tools that take them for a home directory leave, and dotfiles.
  ["", false],
  [".cache/ .config/ .local/", false],
  [".profile .cache/", false],
  [".ssh/ .cache/ .config/ Documents/ Library/", false],
  [".bashrc .profile .zshrc .vimrc .gitconfig .config/", false],
];

const SEARCHED = { "src/config.ts": "ParseConfig();\n" };

function treeOf(names: string): Promise<Tree> {
  const marks = names.split(" ").filter((name) => name !== "");
  return tempTree({
    ...SEARCHED,
    ...Object.fromEntries(marks.map((name) => [name, name.endsWith("/") ? null : ""])),
  });
}

/** What the hook says of a search in a directory. */
async function hooked(t: Tree, args: readonly string[] = []): Promise<string> {
  const stdin = JSON.stringify({
    cwd: t.root,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "rg parseConfig" },
    tool_response: { stdout: "", stderr: "", interrupted: false },
  });
  const { code, stdout } = await pathgrep(["hook", ...args], { cwd: t.root, stdin });
  assert.equal(code, 0);
  return stdout;
}

for (const [names, isHome] of CONTENTS) {
  Deno.test(`the hook ${isHome ? "refuses" : "explains"} a search among ${names || "files"}`, async () => {
    await using t = await treeOf(names);
    const said = /1 match in src\/config\.ts differs in letter case/;
    if (isHome) assert.equal(await hooked(t), "");
    else assert.match(await hooked(t), said);
    assert.match(await hooked(t, ["--workspace", t.root]), said, "named, it is taken");
  });
}

/** What a server without a client's roots answers in a directory. */
async function served(cwd: string, workspace?: string): Promise<Record<string, unknown>> {
  await using server = new RawServer(workspace, ["--allow-read"], [], cwd);
  await server.initialize();
  return await server.call("grep", { pattern: "ParseConfig", max_results: 1 });
}

test.slow("the server refuses them where HOME may not be read, unless they are named", async () => {
  for (const [names, isHome] of CONTENTS.filter((_, index) => index % 3 === 0)) {
    await using t = await treeOf(names);
    const { code, error, count } = await served(t.root);
    assert.deepEqual([code, count], isHome ? ["invalid_input", undefined] : [undefined, 1], names);
    if (!isHome) continue;
    assert.match(String(error), /current directory .* is too broad/);
    assert.equal((await served(t.root, t.root))["count"], 1);
  }
  for (const directory of ["/", "/home"]) {
    assert.equal((await served(directory))["code"], "invalid_input", directory);
  }
});
