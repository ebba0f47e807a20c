/**
 * Which directories an MCP session may read: `--workspace`, the client's roots, the current directory.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempTree } from "../support/tree.ts";
import { connect, type Connection } from "./clients.ts";
import { RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

const NEEDLE = { pattern: "needle", output_mode: "file", paths: "absolute" };

/** The files of the answer, or the error. */
async function found(client: Connection): Promise<unknown> {
  const result = await client.call("grep", NEEDLE);
  return result.isError ? result.answer : result.entries;
}

test.slow("without --workspace the client's roots are the workspace, and changes are followed", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", "../two words/b.txt": "needle\n" });
  let roots = [`file://${t.root}`];
  for (const name of ["v1", "v2 of 2025"] as const) {
    roots = [`file://${t.root}`];
    await using client = await connect(name, { cwd: "/", roots: () => roots });
    assert.deepEqual(await found(client), [t.path("a.txt")]);
    roots = [`file://${t.base}/two%20words`];
    await client.rootsChanged();
    assert.deepEqual(await found(client), [t.path("../two words/b.txt")]);
    roots = [`file://${t.root}`, `file://${t.base}/two%20words`];
    await client.rootsChanged();
    assert.deepEqual(await found(client), [t.path("../two words/b.txt"), t.path("a.txt")]);
  }
});

test.slow("a search under way ends with the roots it began with when they change", async () => {
  await using t = await tempTree({ "../two/b.txt": "needle\n" });
  for (let n = 0; n < 20; n++) {
    await t.write(Object.fromEntries(
      Array.from({ length: 50 }, (_, f) => [`d${n}/f${f}.txt`, "hay\n".repeat(500)]),
    ));
  }
  await t.write({ "z.txt": "needle\n" });
  let roots = [`file://${t.root}`];
  await using client = await connect("v1", { cwd: "/", roots: () => roots });
  const running = client.call("grep", NEEDLE);
  // The first call has asked for the roots by the time that another one is answered.
  assert.equal((await client.call("glob", { pattern: "z.txt" })).isError, false);
  roots = [`file://${t.base}/two`];
  await client.rootsChanged();
  assert.deepEqual(await found(client), [t.path("../two/b.txt")]);
  assert.deepEqual((await running).entries, [t.path("z.txt")]);
});

Deno.test("--workspace is a ceiling: the client's roots may narrow it and never widen it", async () => {
  await using t = await tempTree({
    "src/a.txt": "needle\n",
    "b.txt": "needle\n",
    "../two/c.txt": "needle\n",
    "out": { symlink: "$BASE/two" },
  });
  let roots: string[] = [];
  await using client = await connect("v1", {
    cwd: "/",
    args: ["--workspace", t.root],
    roots: () => roots,
  });
  const whole = [t.path("b.txt"), t.path("src/a.txt")];
  const cases: [string[], string[]][] = [
    [[], whole],
    [[`file://${t.root}/src`], [t.path("src/a.txt")]],
    [[`file://${t.base}`], whole],
    [["file:///"], whole],
    [[`file://${t.base}/two`], whole],
    [[`file://${t.root}/out`], whole],
    [[`file://${t.root}/absent`], whole],
    [[`file://${t.root}/src/../../two`], whole],
    [[`file://${t.root}/src`, `file://${t.base}/two`], [t.path("src/a.txt")]],
    [["https://example.com/", "not a uri", "file://elsewhere/src"], whole],
  ];
  for (const [given, expected] of cases) {
    roots = given;
    await client.rootsChanged();
    assert.deepEqual(await found(client), expected, JSON.stringify(given));
    const { answer } = await client.call("grep", { ...NEEDLE, path: t.path("../two") });
    assert.equal(answer["code"], "path_outside_workspace", JSON.stringify(given));
  }
});

test.slow("--workspace is the directory that stood there when the server started", async () => {
  await using t = await tempTree({
    "../up/ws/sub/a.txt": "needle\n",
    "../other/ws/sub/secret.txt": "needle\n",
  });
  const [up, other, aside] = ["up", "other", "aside"].map((name) => `${t.base}/${name}`);
  const exchange = () => {
    Deno.renameSync(up!, aside!);
    Deno.renameSync(other!, up!);
  };
  const ceiling = `${up}/ws`;
  for (const roots of [undefined, [`file://${ceiling}`], [`file://${ceiling}/sub`]]) {
    for (const name of ["v1", "v2 of 2026"] as const) {
      await using client = await connect(name, {
        cwd: "/",
        args: ["--workspace", ceiling],
        ...(roots === undefined || name !== "v1" ? {} : { roots: () => roots }),
      });
      if (roots !== undefined) assert.deepEqual(await found(client), [`${ceiling}/sub/a.txt`]);
      exchange();
      if (name === "v1" && roots !== undefined) await client.rootsChanged();
      for (const input of [{ ...NEEDLE }, { ...NEEDLE, path: "sub" }]) {
        const { answer } = await client.call("grep", input);
        assert.doesNotMatch(JSON.stringify(answer), /secret/);
        assert.match(String(answer["error"]), /has been replaced by another directory/);
      }
      Deno.renameSync(up!, other!);
      Deno.renameSync(aside!, up!);
      assert.deepEqual(await found(client), [`${ceiling}/sub/a.txt`]);
    }
  }
});

Deno.test("what is blocked below --workspace stays so, whatever the client's roots", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    ".git/config": "needle\n",
    ".aws/credentials": "needle\n",
    ".aws/b.txt": "needle\n",
    "alias": { symlink: ".git" },
    "conf/c.txt": "needle\n",
    "conf/k.txt": "needle\n",
    "conf/conf/.env": "needle\n",
    "secret/d.txt": "needle\n",
  });
  let roots: string[] = [];
  await using client = await connect("v1", {
    cwd: "/",
    args: [
      ...["--workspace", t.root, "--deny", "secret", "--deny", "conf/k.txt"],
      ...["--allow", "conf/.env"],
    ],
    roots: () => roots,
  });
  const whole = [t.path(".aws/b.txt"), t.path("a.txt"), t.path("conf/c.txt")];
  const cases: [string, string[]][] = [
    [".git", whole],
    ["alias", whole],
    ["secret", whole],
    [".aws", [t.path(".aws/b.txt")]],
    ["conf", [t.path("conf/c.txt")]],
  ];
  for (const [given, expected] of cases) {
    roots = [`file://${t.root}/${given}`];
    await client.rootsChanged();
    assert.deepEqual(await found(client), expected, given);
  }
  for (const path of ["k.txt", "conf/.env", t.path(".aws/credentials")]) {
    const { answer } = await client.call("grep", { ...NEEDLE, path });
    assert.equal(answer["code"], "permission_denied_by_policy", path);
  }
});

Deno.test("a root of the client that can't be opened is ignored, and none that can is an error", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  let roots = [`file://${t.base}/absent`, `file://${t.root}`];
  await using client = await connect("v1", { cwd: t.root, roots: () => roots });
  assert.deepEqual(await found(client), [t.path("a.txt")]);
  roots = [`file://${t.base}/absent`];
  await client.rootsChanged();
  const { isError, answer } = await client.call("grep", NEEDLE);
  assert.equal(isError, true);
  assert.equal(answer["code"], "path_not_found");
  roots = [`file://${t.root}`];
  await client.rootsChanged();
  assert.deepEqual(await found(client), [t.path("a.txt")], "and a change brings it back");
});

test.slow("with neither, the current directory is the workspace, in both protocol eras", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  for (const name of ["v1", "v2 of 2026"] as const) {
    await using client = await connect(name, {
      cwd: t.root,
      permissions: [`--allow-read=${t.root}`],
    });
    assert.deepEqual(await found(client), [t.path("a.txt")]);
  }
  await using client = await connect("v1", { cwd: t.root, roots: () => [] });
  assert.deepEqual(await found(client), [t.path("a.txt")], "also with an empty list of roots");
});

test.slow("the current directory is refused when it is the root or a home directory", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const permissions = ["--allow-read", "--allow-env=HOME,USERPROFILE"]; // as documented
  const home = { cwd: t.root, permissions, env: { HOME: t.root } };
  for (const options of [{ cwd: "/" }, home]) {
    await using client = await connect("v1", options);
    for (const tool of ["grep", "glob", "resolve_path"]) {
      const { isError, answer } = await client.call(tool, { pattern: "needle", path: "." });
      assert.equal(isError, true);
      assert.equal(answer["code"], "invalid_input");
      assert.match(String(answer["error"]), /current directory .* too broad/);
      assert.match(String(answer["hint"]), /--workspace/);
    }
  }
  await using named = await connect("v1", { ...home, args: ["--workspace", t.root] });
  assert.deepEqual(await found(named), [t.path("a.txt")], "given by name it is taken");
});

/** Roots that are no directory of this machine, and what is said of them. */
const NO_ROOTS = [
  "https://example.com/project",
  "file://elsewhere/project",
  "vscode-remote://ssh-remote/project",
  "not a uri",
  "",
  "/tmp",
  "file:///with%00nul",
  "file:///not%ffutf8",
  `file:///${"long/".repeat(10_000)}`,
];

/** A session whose client answers with any list of roots at all. */
async function sessionWithRoots(cwd: string, workspace?: string) {
  const server = new RawServer(workspace, ["--allow-read"], [], cwd);
  await server.initialize({ roots: { listChanged: true } });
  return {
    server,
    /** The answer to a call after the roots have changed to the given ones. */
    async call(roots: unknown, name = "grep", input: object = NEEDLE) {
      await server.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      const id = await server.start("tools/call", { name, arguments: input });
      const request = await server.requestOf("roots/list");
      await server.send({ jsonrpc: "2.0", id: request.id, result: { roots } });
      const { result } = await server.response(id);
      return JSON.parse((result!["content"] as { text: string }[])[0]!.text);
    },
  };
}

Deno.test("a root that is not a file: URL of this machine is ignored, and every answer says so", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", "../two/b.txt": "needle\n" });
  const { server, call } = await sessionWithRoots(t.base);
  await using _server = server;
  for (const uri of NO_ROOTS) {
    const roots = [{ uri }, { uri: `file://${t.root}` }];
    const { files, notes } = await call(roots);
    assert.deepEqual(files, [t.path("a.txt")], uri);
    assert.equal(notes.length, 1);
    assert.match(notes[0], /^a root of the client was ignored: .*: /u);
    assert.ok(notes[0].length < 500);
    const { notes: ofError } = await call(roots, "resolve_path", { path: "absent" });
    assert.deepEqual(ofError, notes, "an error says so too");
    const { notes: ofPath } = await call(roots, "resolve_path", { path: "a.txt:1" });
    assert.deepEqual(ofPath.slice(0, 1), notes);
  }
  for (const root of [null, 5, {}, [], { uri: 5 }, { uri: ["file:///tmp"] }]) {
    const { files, notes } = await call([root, { uri: `file://${t.root}` }]);
    assert.deepEqual(files, [t.path("a.txt")], JSON.stringify(root));
    assert.equal(notes.length, 1);
  }
  const many = Array.from({ length: 1000 }, (_, n) => ({ uri: `https://example.com/${n}` }));
  const { notes } = await call([...many, { uri: `file://${t.root}` }]);
  assert.ok(notes.length < 6, "not every one of a thousand");
  assert.match(notes.at(-1), /99\d more/);
  assert.equal((await call([{ uri: `file://${t.root}` }])).notes, undefined);
});

Deno.test("when no root of the client remains, that is an error, and no other directory is searched", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const { server, call } = await sessionWithRoots(t.root);
  await using _server = server;
  for (const uri of NO_ROOTS) {
    const { files, code, hint, notes } = await call([{ uri }]);
    assert.equal(files, undefined, uri);
    assert.match(code, /^(?:invalid_input|path_not_found)$/);
    assert.match(hint, /--workspace/);
    assert.match(notes[0], /ignored/);
  }
  assert.deepEqual(
    (await call([])).files,
    [t.path("a.txt")],
    "a client without roots is another case",
  );
  const { files, notes } = await call("none");
  assert.deepEqual(files, [t.path("a.txt")], "nor has one that answers nonsense named another");
  assert.match(notes[0], /did not name its roots \(.*there is no list of roots/);
});

Deno.test("below --workspace, ignored roots are reported, and so is that all of it is searched", async () => {
  await using t = await tempTree({
    "a.txt": "needle\n",
    "src/b.txt": "needle\n",
    ".git/config": "",
  });
  const { server, call } = await sessionWithRoots("/", t.root);
  await using _server = server;
  for (const uri of [...NO_ROOTS, `file://${t.root}/absent`, `file://${t.root}/.git`]) {
    const { files, notes } = await call([{ uri }]);
    assert.deepEqual(files, [t.path("a.txt"), t.path("src/b.txt")], uri);
    assert.match(notes[0], /ignored/);
    assert.match(notes[1], /all of --workspace/);
    const narrowed = await call([{ uri }, { uri: `file://${t.root}/src` }]);
    assert.deepEqual(narrowed.files, [t.path("src/b.txt")]);
    assert.equal(narrowed.notes.length, 1);
  }
});

Deno.test("a directory that holds home directories is too wide, also where no variable says so", async () => {
  for (const cwd of ["/home", "/root"]) {
    if (!(await Deno.stat(cwd).catch(() => undefined))?.isDirectory) continue;
    await using client = await connect("v1", { cwd });
    const { answer } = await client.call("resolve_path", { path: "." });
    assert.equal(answer["code"], "invalid_input", cwd);
    assert.match(String(answer["error"]), /too broad/);
  }
});
