/**
 * What may be read, what is blocked and who is asked.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as library from "../../mod.ts";
import {
  type Answer,
  answer,
  command,
  fails,
  files,
  found,
  lines,
  parseOne,
} from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

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
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  ".PgPass",
  ".htpasswd",
  ".vault-token",
  ".kube/config",
  ".Kube/Config",
  ".docker/config.json",
  "release.jks",
  "RELEASE.JKS",
  "debug.keystore",
  ".keystore",
  "prod.env",
  "PROD.ENV",
  "app.staging.env",
  ".dev.vars",
  ".vault_pass",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "terraform.tfstate.1718000000.backup",
  "secrets.kdbx",
  "server.ppk",
  "AuthKey_1.p8",
  "_netrc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".config/gh/hosts.yml",
  ".Config/GH/Hosts.yml",
  ".s3cfg",
  ".boto",
  ".dockercfg",
  ".my.cnf",
  "application_default_credentials.json",
  ".azure/accessTokens.json",
  ".azure/accesstokens.json",
  ".azure/azureProfile.json",
  ".azure/msal_token_cache.bin",
  ".azure/msal_token_cache.json",
  ".bash_history",
  ".zsh_history",
  // Backups, and backups of them.
  ...[".env", "id_rsa", "server.pem", "prod.env", ".netrc", ".dev.vars"].flatMap((name) => [
    ...[`${name}~`, `${name}.bak`, `${name}.old`, `${name}.orig`, `${name}.swp`],
    ...[`.${name}.swp`, `#${name}#`, `${name.toUpperCase()}.BAK`, `${name}.bak~`],
  ]),
  ".aws/credentials.bak",
  ".aws/#credentials#",
  ".aws~/credentials",
  ".config/gh/.hosts.yml.swp",
  ".ssh.old/config",
  ".git.bak/config",
  "terraform.tfstate~",
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
  ".gitconfig",
  ".git-credentials.md",
  ".pypirc.example",
  ".pgpass.txt",
  ".htaccess",
  "htpasswd",
  "vault-token",
  ".kube/cache.json",
  ".kube/config.d/a.yml",
  "kube/config",
  "config",
  ".docker/Dockerfile",
  ".docker/daemon.json",
  "docker/config.json",
  "config.json",
  "keystore",
  "jks",
  "release.jks.md",
  "keystore.txt",
  ...["d.ts", "dist", "defaults", "schema", "tpl", "md"].map((end) => `.env.${end}`),
  ".env.local.dist",
  ".env.D.TS",
  ...["example", "sample", "template", "default", "defaults", "dist"].map((name) => `${name}.env`),
  "Example.env",
  "app.example.env",
  "prod.env.ts",
  "prodenv",
  "dev.vars",
  "vault_pass",
  "main.tf",
  "tfstate",
  "terraform.tfstate.md",
  "kdbx",
  "p8",
  "netrc",
  ".cargo/config.toml",
  "cargo/credentials",
  ".gem/specs",
  "gh/hosts.yml",
  ".config/hosts.yml",
  ".config/gh/config.yml",
  ".config/other/hosts.yml",
  "s3cfg",
  ".boto.md",
  "my.cnf",
  "credentials.json",
  "azure/accessTokens.json",
  ".azure/config",
  "bash_history",
  ".history",
  "notes.txt~",
  "a.ts.orig",
  ".a.ts.swp",
  "#a.ts#",
  "environment.bak",
  "~",
  "old",
  ".swp",
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
  await using t = await tempTree({ ...everywhere(BLOCKED), "a.txt": "TOPSECRET\n" });
  const engine = ["--engine", "grep"];
  for (const flags of [[], ["--no-ignore"], ["--follow"], ["-g", "*"], engine, ["sub"]]) {
    const result = await found(["TOPSECRET", ...flags], { cwd: t.root });
    const expected = flags[0] === "sub" ? [] : ["a.txt:1:TOPSECRET"];
    assert.deepEqual(lines(result, t.root), expected);
  }
  assert.deepEqual(files(await command(["files"], { cwd: t.root }), t.root), ["a.txt"]);
});

Deno.test("an include cannot bring a blocked file back", async () => {
  await using t = await tempTree({ ".env": "TOPSECRET\n", "a.pem": "TOPSECRET\n", "b.txt": "x\n" });
  const result = await found(["TOPSECRET", "-g", ".env", "-g", "*.pem"], { cwd: t.root });
  assert.equal(result.count, 0);
});

Deno.test("naming a blocked path is denied by policy, before existence", async () => {
  await using t = await tempTree({ "a.txt": "x\n", ".env": "TOPSECRET\n", "sub/": null });
  const workspace = await library.Workspace.open(t.root);
  for (const name of BLOCKED) {
    for (const path of [name, `sub/${name}`, t.path(`absent/${name}`), `../outside/${name}`]) {
      await assert.rejects(
        library.search({ pattern: "TOPSECRET", path }, { workspace }),
        (error: unknown) =>
          error instanceof library.PathgrepError && error.code === "permission_denied_by_policy",
        path,
      );
    }
  }
  await t.write({ "one1.pem": "TOPSECRET\n" });
  const existing = await fails("permission_denied_by_policy", ["x", "one1.pem"], { cwd: t.root });
  const missing = await fails("permission_denied_by_policy", ["x", "two2.pem"], { cwd: t.root });
  assert.equal(
    JSON.stringify(existing).replaceAll("one1", "_"),
    JSON.stringify(missing).replaceAll("two2", "_"),
  );
});

Deno.test("harmless look-alikes are searched, in a walk and by name", async () => {
  await using t = await tempTree(everywhere(HARMLESS));
  const workspace = await library.Workspace.open(t.root);
  const walked = await found(["TOPSECRET", "-l"], { cwd: t.root });
  assert.deepEqual(new Set(files(walked, t.root)), new Set(Object.keys(everywhere(HARMLESS))));
  for (const path of Object.keys(everywhere(HARMLESS))) {
    const result = await library.search({ pattern: "TOPSECRET", path }, { workspace });
    assert.equal(result.count, 1, path);
  }
});

Deno.test("a blocked directory is denied by name, with everything below it", async () => {
  await using t = await tempTree({
    ".git/hooks/a": "x\n",
    ".ssh/a": "x\n",
    ".gnupg/a": "x\n",
    "sub/.git/b": "x\n",
    "worktree/.git": "gitdir: elsewhere\n",
  });
  const denied = [".git", ".git/", ".git/hooks", ".git/hooks/a", ".ssh", ".gnupg", "sub/.git/b"];
  for (const path of [...denied, "worktree/.git", "sub/../.git", "./.GIT"]) {
    await fails("permission_denied_by_policy", ["x", path], { cwd: t.root });
  }
});

Deno.test("the name of a workspace blocks nothing in it, unless another root holds it", async () => {
  await using t = await tempTree({
    ".kube/config": "x\n",
    ".kube/cache/.kube/config": "x\n",
    ".docker/config.json": "x\n",
  });
  for (const [directory, name] of [[".kube", "config"], [".docker", "config.json"]] as const) {
    const listed = await command(["files"], { cwd: t.path(directory) });
    assert.deepEqual(files(listed, t.path(directory)), [name]);
  }
  const workspace = await library.Workspace.open([t.path(".kube"), t.root]);
  assert.equal((await library.search({ pattern: "x" }, { workspace })).count, 0);
});

Deno.test("a link to a blocked file is as blocked as the file", async () => {
  await using t = await tempTree({
    ".env": "TOPSECRET\n",
    "notes.txt": { symlink: ".env" },
    ".git/config": "TOPSECRET\n",
    "repo": { symlink: ".git" },
  });
  for (const path of ["notes.txt", "repo", "repo/config"]) {
    await fails("permission_denied_by_policy", ["TOPSECRET", path], { cwd: t.root });
  }
  const followed = await found(["TOPSECRET", "--follow"], { cwd: t.root });
  assert.equal(followed.count, 0);
});

Deno.test("the resolve command denies blocked paths too", async () => {
  await using t = await tempTree({ ".env": "x\n" });
  const error = await command(["resolve", ".env"], { cwd: t.root });
  assert.equal(error.code, "permission_denied_by_policy");
  const allowed = await command(["resolve", ".env", "--allow", ".env"], { cwd: t.root });
  assert.equal(allowed.path, t.path(".env"));
});

Deno.test("what is blocked is denied whatever it is resolved as, there or not", async () => {
  await using t = await tempTree({
    ".env": "x\n",
    ".ssh/": null,
    ".git/": null,
    "priv/": null,
    "config": { symlink: ".env" },
    "keys": { symlink: ".ssh" },
    "sub/": null,
    "../priv/": null,
  });
  const workspace = await library.Workspace.open([t.root, t.path("../priv")]);
  const tool = new library.ResolvePathTool({ workspace, deny: ["priv"] });
  const blocked = [
    ...[".env", ".ssh", ".ssh/", ".git", "priv", "priv/", "config", "keys", "keys/new"],
    ...["sub/.env", "new/.env", ".ssh/new", "priv/new", t.path("priv"), "../outside/.env"],
  ];
  for (const as of ["search", "file", "dir", "project"]) {
    for (const path of blocked) {
      assert.deepEqual(await tool.execute({ path, as }), {
        error: `permission denied by policy: path ${path} is blocked or sensitive`,
        code: "permission_denied_by_policy",
        path,
        // `--allow` never lets in `.git`, what is denied, or a sensitive name outside.
        hint: /git|priv|outside/.test(path)
          ? "search elsewhere"
          : "search elsewhere, or have the user allow it",
      }, `${path} as ${as}`);
    }
  }
  const misspelt = await tool.execute({ path: "prvi", as: "dir" }) as Answer;
  assert.equal(misspelt.code, "path_not_found");
  assert.equal(misspelt.suggestions, undefined);
  const denied = await command(
    ["resolve", "priv", "--as", "dir", "--deny", "priv", "--field", "dir_path"],
    { cwd: t.root },
  );
  assert.equal(
    denied.error,
    "permission denied by policy: dir_path priv is blocked or sensitive",
  );
  const allowed = await command(
    ["resolve", ".ssh", "--as", "dir", "--allow", ".ssh"],
    { cwd: t.root },
  );
  assert.equal(allowed.path, t.path(".ssh"));
});

Deno.test("the library's path functions guard scope only", async () => {
  await using t = await tempTree({ ".ssh/": null });
  const workspace = await library.Workspace.open(t.root);
  assert.equal(await library.resolveProjectPath(t.root, ".env"), t.path(".env"));
  const { path } = await library.resolveWorkingDirectory(workspace, ".ssh");
  assert.equal(path, t.path(".ssh"));
});

Deno.test("--deny blocks more names, in a walk and by name", async () => {
  await using t = await tempTree({ "a.secret": "x\n", "d/b.secret": "x\n", "c.txt": "x\n" });
  const walked = await found(["x", "--deny", "*.secret"], { cwd: t.root });
  assert.deepEqual(files(walked, t.root), ["c.txt"]);
  for (const path of ["a.secret", "d/b.secret", "absent.secret"]) {
    await fails("permission_denied_by_policy", ["x", path, "--deny=*.secret"], { cwd: t.root });
  }
  const two = await found(["x", "--deny", "*.secret", "--deny", "c.*"], { cwd: t.root });
  assert.equal(two.count, 0);
});

Deno.test("--deny of a directory name blocks what is in it", async () => {
  await using t = await tempTree({ "private/a.txt": "x\n", "b.txt": "x\n" });
  const walked = await found(["x", "--deny", "private"], { cwd: t.root });
  assert.deepEqual(files(walked, t.root), ["b.txt"]);
  await fails("permission_denied_by_policy", ["x", "private/a.txt", "--deny", "private"], {
    cwd: t.root,
  });
});

Deno.test("--allow unblocks matching names in the workspace, .git never, and --deny wins", async () => {
  await using t = await tempTree({
    ".env": "x\n",
    "test.pem": "x\n",
    "other.key": "x\n",
    ".git/config": "x\n",
  });
  const pem = await found(["x", "--allow", "*.pem"], { cwd: t.root });
  assert.deepEqual(files(pem, t.root), ["test.pem"]);
  assert.equal((await found(["x", "test.pem", "--allow", "*.pem"], { cwd: t.root })).count, 1);
  assert.equal((await found(["x", ".env", "--allow", ".env"], { cwd: t.root })).count, 1);
  const both = await found(["x", "--allow", "*.pem", "--deny", "test.*"], { cwd: t.root });
  assert.equal(both.count, 0);
  await fails("permission_denied_by_policy", ["x", "test.pem", "--allow=*.pem", "--deny=*.pem"], {
    cwd: t.root,
  });
  for (const glob of [".git", ".git/**", "**/.git/**", "*", "**"]) {
    const walked = await found(["x", "--allow", glob], { cwd: t.root });
    assert.ok(!files(walked, t.root).some((file) => file.startsWith(".git/")), glob);
    await fails("permission_denied_by_policy", ["x", ".git/config", "--allow", glob], {
      cwd: t.root,
    });
  }
});

Deno.test("--allow of all that is in directories of a name allows no file of that name", async () => {
  await using t = await tempTree({ "venv/.env/lib.py": "x\n", "app/.env": "x\n" });
  const answer = await found(["x", "--allow", "**/.env/**"], { cwd: t.root });
  assert.deepEqual(files(answer, t.root), ["venv/.env/lib.py"]);
  await fails("permission_denied_by_policy", ["x", "app/.env", "--allow=**/.env/**"], {
    cwd: t.root,
  });
});

Deno.test("--allow with an absolute glob grants outside paths", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "../library/b.txt": "x\n",
    "../library/sub/c.txt": "x\n",
    "../library/.env": "x\n",
    "../other/d.txt": "x\n",
    "../library\\x": "x\n",
  });
  const library = t.path("../library");
  const allow = ["--allow", library, "--allow", `${library}/**`];
  const file = await found(["x", `${library}/b.txt`, ...allow], { cwd: t.root });
  assert.deepEqual(file.matches, [{ file: `${library}/b.txt`, line_number: 1, line: "x" }]);
  const directory = await found(["x", "-l", library, ...allow], { cwd: t.root });
  assert.deepEqual(directory.files, [`${library}/b.txt`, `${library}/sub/c.txt`]);
  assert.equal(directory.base_path, library);
  const viaDots = await found(["x", "-l", "../library", ...allow], { cwd: t.root });
  assert.deepEqual(viaDots.files, directory.files);
  await fails("path_outside_workspace", ["x", "../other/d.txt", ...allow], { cwd: t.root });
  await fails("path_outside_workspace", ["x", "../library\\x", ...allow], { cwd: t.root });
  await fails("permission_denied_by_policy", ["x", `${library}/b.txt`, ...allow, "--deny=b.txt"], {
    cwd: t.root,
  });
});

Deno.test("a pending path without a terminal is outside the workspace, whatever --prompt says", async () => {
  await using t = await tempTree({ "../outside/a.txt": "x\n" });
  for (const flags of [[], ["--prompt", "auto"], ["--prompt", "never"]]) {
    const ran = await pathgrep(["x", "../outside/a.txt", ...flags], { cwd: t.root, limit: 15_000 });
    assert.equal(parseOne(ran).code, "path_outside_workspace");
    assert.equal(ran.code, 2);
  }
});

/** What a requester was asked. */
type Request = Parameters<library.PermissionRequester["request"]>[0];

/** A requester that keeps its questions and always gives one answer. */
function requester(reply: "allow" | "deny" | "allow-session"): {
  asked: Request[];
  request: library.PermissionRequester["request"];
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
  await using t = await tempTree({ "../outside/a.txt": "x\n", "a.txt": "x\n" });
  const workspace = await library.Workspace.open(t.root);
  const permissionRequester = requester("allow");
  const options = { workspace, permissionRequester };
  const result = await library.search({ pattern: "x", path: "../outside" }, options);
  assert.equal(result.count, 1);
  assert.equal(result.base_path, t.path("../outside"));
  const { tool, requestedPath, resolvedPath, operation } = permissionRequester.asked[0] ?? {};
  assert.equal(requestedPath, "../outside");
  assert.equal(resolvedPath, t.path("../outside"));
  assert.equal(operation, "read");
  assert.ok(typeof tool === "string" && tool !== "");
  await library.search({ pattern: "x", path: "../outside" }, options);
  assert.equal(permissionRequester.asked.length, 2, "Allow holds for one call");
});

Deno.test("Deny is permission_denied_by_user and nothing is searched", async () => {
  await using t = await tempTree({ "../outside/a.txt": "x\n" });
  const workspace = await library.Workspace.open(t.root);
  const permissionRequester = requester("deny");
  await assert.rejects(
    library.search({ pattern: "x", path: "../outside/a.txt" }, { workspace, permissionRequester }),
    (error: unknown) => {
      assert.ok(error instanceof library.PathgrepError);
      assert.equal(error.code, "permission_denied_by_user");
      const json = error.toJSON() as { error: string };
      assert.match(json.error, /^permission denied by user: \S/);
      return true;
    },
  );
  assert.equal(permissionRequester.asked.length, 1);
});

Deno.test("Allow for this session covers that canonical path and below, and no more", async () => {
  await using t = await tempTree({
    "../outside/sub/a.txt": "x\n",
    "../outside/sub2/a.txt": "x\n",
    "../outside/b.txt": "x\n",
  });
  const workspace = await library.Workspace.open(t.root);
  const always = requester("allow-session");
  const session = { workspace, permissionRequester: always };
  await library.search({ pattern: "x", path: "../outside/sub" }, session);
  await library.search({ pattern: "x", path: "../outside/sub" }, session);
  await library.search({ pattern: "x", path: t.path("../outside/sub/a.txt") }, session);
  assert.equal(always.asked.length, 1);
  const never = requester("deny");
  for (const path of ["../outside", "../outside/b.txt", "../outside/sub2"]) {
    await assert.rejects(
      library.search({ pattern: "x", path }, { workspace, permissionRequester: never }),
    );
  }
  assert.equal(never.asked.length, 3);
});

Deno.test("granted and denied paths are never asked about", async () => {
  await using t = await tempTree({ "a.txt": "x\n", ".env": "x\n", "../outside/.env": "x\n" });
  const workspace = await library.Workspace.open(t.root);
  const permissionRequester = requester("allow");
  const options = { workspace, permissionRequester };
  await library.search({ pattern: "x" }, options);
  await library.search({ pattern: "x", path: "a.txt" }, options);
  for (const path of [".env", "../outside/.env", ".git", "../outside/id_rsa"]) {
    await assert.rejects(
      library.search({ pattern: "x", path }, options),
      (error: unknown) =>
        error instanceof library.PathgrepError && error.code === "permission_denied_by_policy",
    );
  }
  assert.deepEqual(permissionRequester.asked, []);
});

Deno.test("an allowed outside directory keeps its blocked names blocked", async () => {
  await using t = await tempTree({ "../outside/a.txt": "x\n", "../outside/.env": "x\n" });
  const workspace = await library.Workspace.open(t.root);
  const result = await library.search(
    { pattern: "x", path: "../outside" },
    { workspace, permissionRequester: requester("allow") },
  );
  assert.equal(result.count, 1);
});

Deno.test("an aborted question ends the search as cancelled", async () => {
  await using t = await tempTree({ "../outside/a.txt": "x\n" });
  const workspace = await library.Workspace.open(t.root);
  const controller = new AbortController();
  const permissionRequester: library.PermissionRequester = {
    request(question) {
      return new Promise((_, reject) => {
        question.signal?.addEventListener("abort", () => reject(question.signal?.reason));
        controller.abort();
      });
    },
  };
  await assert.rejects(
    library.search(
      { pattern: "x", path: "../outside/a.txt" },
      { workspace, permissionRequester, signal: controller.signal },
    ),
    (error: unknown) => error instanceof library.PathgrepError && error.code === "cancelled",
  );
});

Deno.test("a blocked name that is only part of a search's pattern is no path", async () => {
  await using t = await tempTree({ "a.txt": "see .env and id_rsa\n" });
  const result = await answer(["\\.env|id_rsa"], { cwd: t.root });
  assert.equal(result.count, 1);
});

Deno.test("a hard link to a blocked file has no blocked name: it is a file like any other", async () => {
  await using t = await tempTree({ ".env": "needle\n" });
  await Deno.link(t.path(".env"), t.path("settings.txt"));
  assert.deepEqual(files(await answer(["needle", "-l"], { cwd: t.root }), t.root), [
    "settings.txt",
  ]);
  await fails("permission_denied_by_policy", ["needle", ".env"], { cwd: t.root });
});

Deno.test("a permission for the session that comes with or after an abort is not remembered", async () => {
  await using t = await tempTree();
  const workspace = await library.Workspace.open(t.root);
  // The abort comes before the answer, with it, or on the answer's way to the search.
  for (const steps of [-1, 0, 1, 2]) {
    await t.write({ [`../outside/${steps}.txt`]: "x\n" });
    const query = { pattern: "x", path: `../outside/${steps}.txt` };
    const controller = new AbortController();
    const permissionRequester: library.PermissionRequester = {
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
    await assert.rejects(library.search(query, options), { code: "cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await assert.rejects(
      library.search(query, { workspace }),
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
  await using t = await tempTree(
    Object.fromEntries([...blocked, "a\\.env", "a.txt"].map((name) => [name, "needle\n"])),
  );
  const workspace = await library.Workspace.open(t.root);
  const guard = new library.Guard({ workspace });
  for (const name of blocked) assert.ok(guard.isBlocked(name), JSON.stringify(name));
  const { files: listed } = await library.listFiles({}, { workspace });
  assert.deepEqual(listed, [t.path("a.txt")]);
});

Deno.test("a path of more segments than are followed is blocked, without a look at each", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const guard = new library.Guard({ workspace: await library.Workspace.open(t.root) });
  assert.equal(guard.isBlocked("a/".repeat(300)), false);
  // To hold 100,000 against exclusion rules takes more memory than there is.
  assert.equal(guard.isBlocked("a/".repeat(100_000)), true);
  assert.equal(guard.isBlocked("../".repeat(100_000) + "x"), false);
});

Deno.test("--deny holds for an absolute glob that leads to the workspace through a link", async () => {
  await using t = await tempTree({
    "secret/a.txt": "needle\n",
    "[x]/b.txt": "needle\n",
    "c.txt": "needle\n",
  });
  const alias = `${t.root}-alias`;
  await Deno.symlink(t.root, alias);
  const denied: [string, string[]][] = [
    ["secret", ["[x]/b.txt", "c.txt"]],
    ["secret/", ["[x]/b.txt", "c.txt"]],
    ["secret/*", ["[x]/b.txt", "c.txt"]],
    ["sec*/**", ["[x]/b.txt", "c.txt"]],
    ["./secret/../c.txt", ["[x]/b.txt", "secret/a.txt"]],
    ["**/[ac].txt", ["[x]/b.txt"]],
    ["none/*", ["[x]/b.txt", "c.txt", "secret/a.txt"]],
  ];
  for (const root of [t.root, alias]) {
    const workspace = await library.Workspace.open(root);
    for (const [glob, left] of denied) {
      const deny = [`${alias}/${glob}`];
      const { files: listed } = await library.listFiles({ deny }, { workspace });
      assert.deepEqual(listed, left.map((file) => t.path(file)), glob);
    }
  }
  const inner = await library.Workspace.open(t.path("[x]"));
  await Deno.symlink(t.path("[x]"), `${alias}-inner`);
  const { count } = await library.listFiles({ deny: [`${alias}-inner/b*`] }, { workspace: inner });
  assert.equal(count, 0);
});
