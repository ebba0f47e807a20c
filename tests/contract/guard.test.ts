/**
 * What may be read, what is blocked and who is asked.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as pathgrep from "../../mod.ts";
import {
  type Answer,
  answer,
  command,
  fails,
  files,
  found,
  lines,
  parseOne,
  run,
  tree,
} from "../support/acceptance.ts";

const BLOCKED = [
  ".git/config",
  ".env",
  ".env.local",
  ".env.production",
  ".ENV",
  ".Env.Local",
  ".env.example.local",
  "server.pem",
  "SERVER.PEM",
  "private.key",
  "store.p12",
  "store.pfx",
  "id_rsa",
  "ID_RSA",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".ssh/config",
  ".SSH/known_hosts",
  ".gnupg/pubring.kbx",
  ".aws/credentials",
  ".netrc",
  ".npmrc",
];

const HARMLESS = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".ENV.EXAMPLE",
  ".env.local.example",
  ".env.production.sample",
  ".env.test.template",
  ".envrc",
  ".github/x.yml",
  ".gitignore.txt",
  "env",
  "server.pem.txt",
  "keys.txt",
  "key",
  "id_rsa.pub",
  "my_id_rsa",
  ".aws/config",
  "aws/credentials",
  "credentials",
  "ssh/config",
  "npmrc",
];

/** The given names at the root and two levels down, each file holding `TOPSECRET`. */
function everywhere(names: readonly string[]): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const name of names) {
    entries[name] = "TOPSECRET\n";
    entries[`sub/deep/${name}`] = "TOPSECRET\n";
  }
  return entries;
}

Deno.test("a walk skips every blocked name, at any depth and in any letter case", async () => {
  await using t = await tree({ ...everywhere(BLOCKED), "a.txt": "TOPSECRET\n" });
  for (const flags of [[], ["--no-ignore"], ["--follow"], ["-g", "*"], ["sub"]]) {
    const result = await found(["TOPSECRET", ...flags], { cwd: t.ws });
    const expected = flags[0] === "sub" ? [] : ["a.txt:1:TOPSECRET"];
    assert.deepEqual(lines(result, t.ws), expected);
  }
  assert.deepEqual(files(await command(["files"], { cwd: t.ws }), t.ws), ["a.txt"]);
});

Deno.test("an include cannot bring a blocked file back", async () => {
  await using t = await tree({ ".env": "TOPSECRET\n", "a.pem": "TOPSECRET\n", "b.txt": "x\n" });
  const result = await found(["TOPSECRET", "-g", ".env", "-g", "*.pem"], { cwd: t.ws });
  assert.equal(result.count, 0);
});

Deno.test("naming a blocked path is denied by policy, before existence", async () => {
  await using t = await tree({ "a.txt": "x\n", ".env": "TOPSECRET\n", "sub/": null });
  const workspace = await pathgrep.Workspace.open(t.ws);
  for (const name of BLOCKED) {
    for (const path of [name, `sub/${name}`, t.at(`absent/${name}`), `../outside/${name}`]) {
      await assert.rejects(
        pathgrep.search({ pattern: "TOPSECRET", path }, { workspace }),
        (error: unknown) =>
          error instanceof pathgrep.PathgrepError && error.code === "permission_denied_by_policy",
        path,
      );
    }
  }
  await t.add({ "one1.pem": "TOPSECRET\n" });
  const existing = await fails("permission_denied_by_policy", ["x", "one1.pem"], { cwd: t.ws });
  const missing = await fails("permission_denied_by_policy", ["x", "two2.pem"], { cwd: t.ws });
  assert.equal(
    JSON.stringify(existing).replaceAll("one1", "_"),
    JSON.stringify(missing).replaceAll("two2", "_"),
  );
});

Deno.test("harmless look-alikes are searched, in a walk and by name", async () => {
  await using t = await tree(everywhere(HARMLESS));
  const workspace = await pathgrep.Workspace.open(t.ws);
  const walked = await found(["TOPSECRET", "-l"], { cwd: t.ws });
  assert.deepEqual(new Set(files(walked, t.ws)), new Set(Object.keys(everywhere(HARMLESS))));
  for (const path of Object.keys(everywhere(HARMLESS))) {
    const result = await pathgrep.search({ pattern: "TOPSECRET", path }, { workspace });
    assert.equal(result.count, 1, path);
  }
});

Deno.test("a blocked directory is denied by name, with everything below it", async () => {
  await using t = await tree({
    ".git/hooks/a": "x\n",
    ".ssh/a": "x\n",
    ".gnupg/a": "x\n",
    "sub/.git/b": "x\n",
    "worktree/.git": "gitdir: elsewhere\n",
  });
  const denied = [".git", ".git/", ".git/hooks", ".git/hooks/a", ".ssh", ".gnupg", "sub/.git/b"];
  for (const path of [...denied, "worktree/.git", "sub/../.git", "./.GIT"]) {
    await fails("permission_denied_by_policy", ["x", path], { cwd: t.ws });
  }
});

Deno.test("a link to a blocked file is as blocked as the file", async () => {
  await using t = await tree({
    ".env": "TOPSECRET\n",
    "notes.txt": { link: ".env" },
    ".git/config": "TOPSECRET\n",
    "repo": { link: ".git" },
  });
  for (const path of ["notes.txt", "repo", "repo/config"]) {
    await fails("permission_denied_by_policy", ["TOPSECRET", path], { cwd: t.ws });
  }
  const followed = await found(["TOPSECRET", "--follow"], { cwd: t.ws });
  assert.equal(followed.count, 0);
});

Deno.test("the resolve command denies blocked paths too", async () => {
  await using t = await tree({ ".env": "x\n" });
  const error = await command(["resolve", ".env"], { cwd: t.ws });
  assert.equal(error.code, "permission_denied_by_policy");
  const allowed = await command(["resolve", ".env", "--allow", ".env"], { cwd: t.ws });
  assert.equal(allowed.path, t.at(".env"));
});

Deno.test("what is blocked is denied whatever it is resolved as, there or not", async () => {
  await using t = await tree({
    ".env": "x\n",
    ".ssh/": null,
    ".git/": null,
    "priv/": null,
    "config": { link: ".env" },
    "keys": { link: ".ssh" },
    "sub/": null,
    "../priv/": null,
  });
  const workspace = await pathgrep.Workspace.open([t.ws, t.at("../priv")]);
  const tool = new pathgrep.ResolvePathTool({ workspace, deny: ["priv"] });
  const blocked = [
    ...[".env", ".ssh", ".ssh/", ".git", "priv", "priv/", "config", "keys", "keys/new"],
    ...["sub/.env", "new/.env", ".ssh/new", "priv/new", t.at("priv"), "../outside/.env"],
  ];
  for (const as of ["search", "file", "dir", "project"]) {
    for (const path of blocked) {
      assert.deepEqual(await tool.execute({ path, as }), {
        error: `permission denied by policy: path ${path} is blocked or sensitive`,
        code: "permission_denied_by_policy",
        path,
        hint: "search elsewhere, or have the user allow it with --allow",
      }, `${path} as ${as}`);
    }
  }
  const misspelt = await tool.execute({ path: "prvi", as: "dir" }) as Answer;
  assert.equal(misspelt.code, "path_not_found");
  assert.equal(misspelt.suggestions, undefined);
  const denied = await command(
    ["resolve", "priv", "--as", "dir", "--deny", "priv", "--field", "dir_path"],
    { cwd: t.ws },
  );
  assert.equal(
    denied.error,
    "permission denied by policy: dir_path priv is blocked or sensitive",
  );
  const allowed = await command(
    ["resolve", ".ssh", "--as", "dir", "--allow", ".ssh"],
    { cwd: t.ws },
  );
  assert.equal(allowed.path, t.at(".ssh"));
});

Deno.test("the library's path functions guard scope only", async () => {
  await using t = await tree({ ".ssh/": null });
  const workspace = await pathgrep.Workspace.open(t.ws);
  assert.equal(await pathgrep.resolveProjectPath(t.ws, ".env"), t.at(".env"));
  const { path } = await pathgrep.resolveWorkingDirectory(workspace, ".ssh");
  assert.equal(path, t.at(".ssh"));
});

Deno.test("--deny blocks more names, in a walk and by name", async () => {
  await using t = await tree({ "a.secret": "x\n", "d/b.secret": "x\n", "c.txt": "x\n" });
  const walked = await found(["x", "--deny", "*.secret"], { cwd: t.ws });
  assert.deepEqual(files(walked, t.ws), ["c.txt"]);
  for (const path of ["a.secret", "d/b.secret", "absent.secret"]) {
    await fails("permission_denied_by_policy", ["x", path, "--deny=*.secret"], { cwd: t.ws });
  }
  const two = await found(["x", "--deny", "*.secret", "--deny", "c.*"], { cwd: t.ws });
  assert.equal(two.count, 0);
});

Deno.test("--deny of a directory name blocks what is in it", async () => {
  await using t = await tree({ "private/a.txt": "x\n", "b.txt": "x\n" });
  const walked = await found(["x", "--deny", "private"], { cwd: t.ws });
  assert.deepEqual(files(walked, t.ws), ["b.txt"]);
  await fails("permission_denied_by_policy", ["x", "private/a.txt", "--deny", "private"], {
    cwd: t.ws,
  });
});

Deno.test("--allow unblocks matching names in the workspace, .git never, and --deny wins", async () => {
  await using t = await tree({
    ".env": "x\n",
    "test.pem": "x\n",
    "other.key": "x\n",
    ".git/config": "x\n",
  });
  const pem = await found(["x", "--allow", "*.pem"], { cwd: t.ws });
  assert.deepEqual(files(pem, t.ws), ["test.pem"]);
  assert.equal((await found(["x", "test.pem", "--allow", "*.pem"], { cwd: t.ws })).count, 1);
  assert.equal((await found(["x", ".env", "--allow", ".env"], { cwd: t.ws })).count, 1);
  const both = await found(["x", "--allow", "*.pem", "--deny", "test.*"], { cwd: t.ws });
  assert.equal(both.count, 0);
  await fails("permission_denied_by_policy", ["x", "test.pem", "--allow=*.pem", "--deny=*.pem"], {
    cwd: t.ws,
  });
  for (const glob of [".git", ".git/**", "**/.git/**", "*", "**"]) {
    const walked = await found(["x", "--allow", glob], { cwd: t.ws });
    assert.ok(!files(walked, t.ws).some((file) => file.startsWith(".git/")), glob);
    await fails("permission_denied_by_policy", ["x", ".git/config", "--allow", glob], {
      cwd: t.ws,
    });
  }
});

Deno.test("--allow of all that is in directories of a name allows no file of that name", async () => {
  await using t = await tree({ "venv/.env/lib.py": "x\n", "app/.env": "x\n" });
  const answer = await found(["x", "--allow", "**/.env/**"], { cwd: t.ws });
  assert.deepEqual(files(answer, t.ws), ["venv/.env/lib.py"]);
  await fails("permission_denied_by_policy", ["x", "app/.env", "--allow=**/.env/**"], {
    cwd: t.ws,
  });
});

Deno.test("--allow with an absolute glob grants outside paths", async () => {
  await using t = await tree({
    "a.txt": "x\n",
    "../library/b.txt": "x\n",
    "../library/sub/c.txt": "x\n",
    "../library/.env": "x\n",
    "../other/d.txt": "x\n",
    "../library\\x": "x\n",
  });
  const library = t.at("../library");
  const allow = ["--allow", library, "--allow", `${library}/**`];
  const file = await found(["x", `${library}/b.txt`, ...allow], { cwd: t.ws });
  assert.deepEqual(file.matches, [{ file: `${library}/b.txt`, line_number: 1, line: "x" }]);
  const directory = await found(["x", "-l", library, ...allow], { cwd: t.ws });
  assert.deepEqual(directory.files, [`${library}/b.txt`, `${library}/sub/c.txt`]);
  assert.equal(directory.base_path, library);
  const viaDots = await found(["x", "-l", "../library", ...allow], { cwd: t.ws });
  assert.deepEqual(viaDots.files, directory.files);
  await fails("path_outside_workspace", ["x", "../other/d.txt", ...allow], { cwd: t.ws });
  await fails("path_outside_workspace", ["x", "../library\\x", ...allow], { cwd: t.ws });
  await fails("permission_denied_by_policy", ["x", `${library}/b.txt`, ...allow, "--deny=b.txt"], {
    cwd: t.ws,
  });
});

Deno.test("a pending path without a terminal is outside the workspace, whatever --prompt says", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n" });
  for (const flags of [[], ["--prompt", "auto"], ["--prompt", "never"]]) {
    const ran = await run(["x", "../outside/a.txt", ...flags], { cwd: t.ws, limit: 15_000 });
    assert.equal(parseOne(ran).code, "path_outside_workspace");
    assert.equal(ran.code, 2);
  }
});

/** What a requester was asked. */
type Request = Parameters<pathgrep.PermissionRequester["request"]>[0];

/** A requester that keeps its questions and always gives one answer. */
function requester(reply: "allow" | "deny" | "allow-session"): {
  asked: Request[];
  request: pathgrep.PermissionRequester["request"];
} {
  const asked: Request[] = [];
  return {
    asked,
    request(question) {
      asked.push(question);
      return Promise.resolve(reply);
    },
  };
}

Deno.test("a pending path asks the requester, and Allow searches it", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n", "a.txt": "x\n" });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const permissionRequester = requester("allow");
  const options = { workspace, permissionRequester };
  const result = await pathgrep.search({ pattern: "x", path: "../outside" }, options);
  assert.equal(result.count, 1);
  assert.equal(result.base_path, t.at("../outside"));
  const { tool, requestedPath, resolvedPath, operation } = permissionRequester.asked[0] ?? {};
  assert.equal(requestedPath, "../outside");
  assert.equal(resolvedPath, t.at("../outside"));
  assert.equal(operation, "read");
  assert.ok(typeof tool === "string" && tool !== "");
  await pathgrep.search({ pattern: "x", path: "../outside" }, options);
  assert.equal(permissionRequester.asked.length, 2, "Allow holds for one call");
});

Deno.test("Deny is permission_denied_by_user and nothing is searched", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n" });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const permissionRequester = requester("deny");
  await assert.rejects(
    pathgrep.search({ pattern: "x", path: "../outside/a.txt" }, { workspace, permissionRequester }),
    (error: unknown) => {
      assert.ok(error instanceof pathgrep.PathgrepError);
      assert.equal(error.code, "permission_denied_by_user");
      const json = error.toJSON() as { error: string };
      assert.match(json.error, /^permission denied by user: \S/);
      return true;
    },
  );
  assert.equal(permissionRequester.asked.length, 1);
});

Deno.test("Allow for this session covers that canonical path and below, and no more", async () => {
  await using t = await tree({
    "../outside/sub/a.txt": "x\n",
    "../outside/sub2/a.txt": "x\n",
    "../outside/b.txt": "x\n",
  });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const always = requester("allow-session");
  const session = { workspace, permissionRequester: always };
  await pathgrep.search({ pattern: "x", path: "../outside/sub" }, session);
  await pathgrep.search({ pattern: "x", path: "../outside/sub" }, session);
  await pathgrep.search({ pattern: "x", path: t.at("../outside/sub/a.txt") }, session);
  assert.equal(always.asked.length, 1);
  const never = requester("deny");
  for (const path of ["../outside", "../outside/b.txt", "../outside/sub2"]) {
    await assert.rejects(
      pathgrep.search({ pattern: "x", path }, { workspace, permissionRequester: never }),
    );
  }
  assert.equal(never.asked.length, 3);
});

Deno.test("granted and denied paths are never asked about", async () => {
  await using t = await tree({ "a.txt": "x\n", ".env": "x\n", "../outside/.env": "x\n" });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const permissionRequester = requester("allow");
  const options = { workspace, permissionRequester };
  await pathgrep.search({ pattern: "x" }, options);
  await pathgrep.search({ pattern: "x", path: "a.txt" }, options);
  for (const path of [".env", "../outside/.env", ".git", "../outside/id_rsa"]) {
    await assert.rejects(
      pathgrep.search({ pattern: "x", path }, options),
      (error: unknown) =>
        error instanceof pathgrep.PathgrepError && error.code === "permission_denied_by_policy",
    );
  }
  assert.deepEqual(permissionRequester.asked, []);
});

Deno.test("an allowed outside directory keeps its blocked names blocked", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n", "../outside/.env": "x\n" });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const result = await pathgrep.search(
    { pattern: "x", path: "../outside" },
    { workspace, permissionRequester: requester("allow") },
  );
  assert.equal(result.count, 1);
});

Deno.test("an aborted question ends the search as cancelled", async () => {
  await using t = await tree({ "../outside/a.txt": "x\n" });
  const workspace = await pathgrep.Workspace.open(t.ws);
  const controller = new AbortController();
  const permissionRequester: pathgrep.PermissionRequester = {
    request(question) {
      return new Promise((_, reject) => {
        question.signal?.addEventListener("abort", () => reject(question.signal?.reason));
        controller.abort();
      });
    },
  };
  await assert.rejects(
    pathgrep.search(
      { pattern: "x", path: "../outside/a.txt" },
      { workspace, permissionRequester, signal: controller.signal },
    ),
    (error: unknown) => error instanceof pathgrep.PathgrepError && error.code === "cancelled",
  );
});

Deno.test("a blocked name that is only part of a search's pattern is no path", async () => {
  await using t = await tree({ "a.txt": "see .env and id_rsa\n" });
  const result = await answer(["\\.env|id_rsa"], { cwd: t.ws });
  assert.equal(result.count, 1);
});

Deno.test("a hard link to a blocked file has no blocked name: it is a file like any other", async () => {
  await using t = await tree({ ".env": "needle\n" });
  await Deno.link(t.at(".env"), t.at("settings.txt"));
  assert.deepEqual(files(await answer(["needle", "-l"], { cwd: t.ws }), t.ws), ["settings.txt"]);
  await fails("permission_denied_by_policy", ["needle", ".env"], { cwd: t.ws });
});

Deno.test("an allowance for the session that comes with or after an abort is not kept", async () => {
  await using t = await tree();
  const workspace = await pathgrep.Workspace.open(t.ws);
  // The abort comes before the answer, with it, or on the answer's way to the search.
  for (const steps of [-1, 0, 1, 2]) {
    await t.add({ [`../outside/${steps}.txt`]: "x\n" });
    const query = { pattern: "x", path: `../outside/${steps}.txt` };
    const controller = new AbortController();
    const permissionRequester: pathgrep.PermissionRequester = {
      async request() {
        if (steps < 0) {
          controller.abort();
          await new Promise((resolve) => setTimeout(resolve, 5));
        } else {
          const before = Promise.resolve();
          (async () => {
            for (let step = 0; step < steps; step++) await before;
            controller.abort();
          })();
        }
        return "allow-session";
      },
    };
    const options = { workspace, permissionRequester, signal: controller.signal };
    await assert.rejects(pathgrep.search(query, options), { code: "cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await assert.rejects(
      pathgrep.search(query, { workspace }),
      { code: "path_outside_workspace" },
      `an abort ${steps} steps after the answer`,
    );
  }
});

Deno.test("what a shell or a file system may drop from the end of a blocked name leaves it blocked", async () => {
  const ends = ["\n", "\t", " ", "\r\n", ".", " .", "\u00a0", "\u200b", "\u202e", "\ufeff", "\x7f"];
  // What no reader sees, in names of letters and marks of their own.
  ends.push("\u034f", "\u115f", "\u17b4", "\u2800", "\u3164", "\ufe0f", "\uffa0", "\u{e0100}");
  ends.push("\u2d7f", "\u{1107f}", "\u{11f02}", "\u{16fe4}", "\u{1d159}");
  const names = [".env", "id_rsa", "x.pem", ".netrc", ".ssh"];
  const blocked = names.flatMap((name) => ends.map((end) => name + end));
  await using t = await tree(
    Object.fromEntries([...blocked, "a\\.env", "a.txt"].map((name) => [name, "needle\n"])),
  );
  const workspace = await pathgrep.Workspace.open(t.ws);
  const guard = new pathgrep.Guard({ workspace });
  for (const name of blocked) assert.ok(guard.isBlocked(name), JSON.stringify(name));
  const { files: listed } = await pathgrep.listFiles({}, { workspace });
  assert.deepEqual(listed, [t.at("a.txt")]);
});

Deno.test("a path of more segments than are followed is blocked, without a look at each", async () => {
  await using t = await tree({ "a.txt": "needle\n" });
  const guard = new pathgrep.Guard({ workspace: await pathgrep.Workspace.open(t.ws) });
  assert.equal(guard.isBlocked("a/".repeat(300)), false);
  // To hold 100,000 against exclusion rules takes more memory than there is.
  assert.equal(guard.isBlocked("a/".repeat(100_000)), true);
  assert.equal(guard.isBlocked("../".repeat(100_000) + "x"), false);
});

Deno.test("--deny holds for an absolute glob that leads to the workspace through a link", async () => {
  await using t = await tree({
    "secret/a.txt": "needle\n",
    "[x]/b.txt": "needle\n",
    "c.txt": "needle\n",
  });
  const alias = `${t.ws}-alias`;
  await Deno.symlink(t.ws, alias);
  const denied: [string, string[]][] = [
    ["secret", ["[x]/b.txt", "c.txt"]],
    ["secret/", ["[x]/b.txt", "c.txt"]],
    ["secret/*", ["[x]/b.txt", "c.txt"]],
    ["sec*/**", ["[x]/b.txt", "c.txt"]],
    ["./secret/../c.txt", ["[x]/b.txt", "secret/a.txt"]],
    ["**/[ac].txt", ["[x]/b.txt"]],
    ["none/*", ["[x]/b.txt", "c.txt", "secret/a.txt"]],
  ];
  for (const root of [t.ws, alias]) {
    const workspace = await pathgrep.Workspace.open(root);
    for (const [glob, left] of denied) {
      const deny = [`${alias}/${glob}`];
      const { files: listed } = await pathgrep.listFiles({ deny }, { workspace });
      assert.deepEqual(listed, left.map((file) => t.at(file)), glob);
    }
  }
  const inner = await pathgrep.Workspace.open(t.at("[x]"));
  await Deno.symlink(t.at("[x]"), `${alias}-inner`);
  const { count } = await pathgrep.listFiles({ deny: [`${alias}-inner/b*`] }, { workspace: inner });
  assert.equal(count, 0);
});
