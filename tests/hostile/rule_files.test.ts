/**
 * Rule files that try to show, to block or to hang what they must not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Guard, listFiles, search, Workspace } from "../../mod.ts";
import { test } from "../support/needs.ts";
import { assertInTime } from "../support/soon.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

const SETTINGS = ".claude/settings.json";

function denying(...deny: string[]): string {
  return JSON.stringify({ permissions: { deny } });
}

/** Which of these names are blocked: if one is, lines of another file became rules. */
async function blocked(tree: Tree, names: readonly string[], allow: string[] = []) {
  const workspace = await Workspace.open(tree.path("ws"));
  const guard = new Guard({ workspace, allow });
  const { files } = await listFiles({ paths: "relative", allow }, { workspace });
  return names.filter((name) => {
    const isBlocked = guard.isBlocked(name);
    assert.equal(files.includes(name), !isBlocked, name);
    return isBlocked;
  });
}

Deno.test("no line of what is outside or blocked becomes a rule, by a link or an include", async () => {
  const secret = "a.txt\n";
  const settings = denying("Read(a.txt)");
  for (
    const [name, files] of Object.entries<Record<string, TreeEntry>>({
      "an include that leads out": { "ws/.clineignore": "!include ../out/rules\n" },
      "an include by an absolute path": { "ws/.clineignore": "!include OUT/rules\n" },
      "an include of a link out": {
        "ws/.clineignore": "!include rules\n",
        "ws/rules": { symlink: "../out/rules" },
      },
      "an include below a link out": {
        "ws/.clineignore": "!include way/rules\n",
        "ws/way": { symlink: "../out" },
      },
      "an include of .env": { "ws/.clineignore": "!include .env\n", "ws/.env": secret },
      "an include of a link to .env": {
        "ws/.clineignore": "!include rules\n",
        "ws/rules": { symlink: ".env" },
        "ws/.env": secret,
      },
      "an include of what another rule excludes": {
        "ws/.clineignore": "!include secret\n",
        "ws/.aiignore": "/secret\n",
        "ws/secret": secret,
      },
      "an include of itself": { "ws/.clineignore": "!include .clineignore\n" },
      "an include of a directory": { "ws/.clineignore": "!include .\n" },
      "settings that are a link out": { [`ws/${SETTINGS}`]: { symlink: "../../out/s.json" } },
      "a directory of settings that is a link out": {
        "ws/.claude": { symlink: "../out/claude" },
      },
      "settings that are a link to what is excluded": {
        [`ws/${SETTINGS}`]: { symlink: "../secret/s.json" },
        "ws/secret/s.json": settings,
        "ws/.aiignore": "/secret/\n",
      },
      "settings in a link to what is excluded": {
        "ws/.claude": { symlink: "secret" },
        "ws/secret/settings.json": settings,
        "ws/.aiignore": "/secret/\n",
      },
      "settings that are a directory": { [`ws/${SETTINGS}/x`]: "" },
    })
  ) {
    await using base = await tempTree();
    await using tree = await tempTree({
      ...Object.fromEntries(
        Object.entries(files).map(([path, entry]) => [
          path,
          typeof entry === "string" ? entry.replace("OUT", base.path("ws/../out")) : entry,
        ]),
      ),
      "ws/a.txt": "n\n",
      "out/rules": secret,
      "out/s.json": settings,
      "out/claude/settings.json": settings,
    });
    await base.write({ "out/rules": secret });
    assert.deepEqual(await blocked(tree, ["a.txt"]), [], name);
  }
});

Deno.test("that --allow lets a blocked file in makes its lines no rules", async () => {
  await using tree = await tempTree({
    "ws/.clineignore": "!include .env\n",
    "ws/.env": "a.txt\n",
    "ws/a.txt": "n\n",
  });
  assert.deepEqual(await blocked(tree, ["a.txt"], [".env"]), []);
});

Deno.test("a link to what settings deny, or to a name of the table, is as blocked", async () => {
  await using tree = await tempTree({
    [`ws/${SETTINGS}`]: denying("Read(./vault/**)"),
    "ws/vault/a.txt": "n\n",
    "ws/prod.env": "n\n",
    "ws/link.txt": { symlink: "vault/a.txt" },
    "ws/other.txt": { symlink: "prod.env" },
  });
  const workspace = await Workspace.open(tree.path("ws"));
  for (const path of ["link.txt", "other.txt", "vault/new.txt", "VAULT/../vault/a.txt"]) {
    const denied = { code: "permission_denied_by_policy" };
    await assert.rejects(search({ pattern: "n", path }, { workspace }), denied, path);
  }
  assert.equal((await search({ pattern: "^n$", follow: true }, { workspace })).count, 0);
});

test.slow("settings that are too large, and more includes than are read, keep everything from agents", async () => {
  for (
    const files of [
      { [`ws/${SETTINGS}`]: `{"x": "${"y".repeat(1 << 20)}"}` },
      { [`ws/${SETTINGS}`]: denying(...Array(40_000).fill("Read(bbbb)")) },
      { "ws/.clineignore": "!include rules\n".repeat(40), "ws/rules": "x\n" },
      { "ws/.clineignore": "!include rules\n!include rules\n", "ws/rules": "x\n".repeat(60_000) },
    ]
  ) {
    await using tree = await tempTree({ ...files as Record<string, string>, "ws/a.txt": "n\n" });
    assert.deepEqual(await blocked(tree, ["a.txt"]), ["a.txt"]);
  }
});

test.slow("settings that are deep, or hold patterns made to hang, are read and matched in time", async () => {
  const stars = `${"**/a*".repeat(30)}b`;
  const many = `${"**/".repeat(9000)}b`;
  for (
    const text of [
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      denying(`Read(${"*a".repeat(2000)})`, `Read(${stars})`, `Read(//${stars})`),
      denying(`Read(//${many})`, `Read(~/${many})`),
      denying(...Array(5000).fill(`Read(//*/*/${"?*".repeat(5)})`)),
      `{"permissions": {"deny": ["Read(b)"]}, "x": "${'\\"'.repeat(200_000)}"}`,
    ]
  ) {
    const name = "a".repeat(200);
    await using tree = await tempTree({ [`ws/${SETTINGS}`]: text, [`ws/a/a/${name}`]: "n\n" });
    const started = performance.now();
    await blocked(tree, []);
    const workspace = await Workspace.open(tree.path("ws"));
    new Guard({ workspace }).isBlocked(`a/a/${name}`);
    assertInTime(performance.now() - started, 4500, text.slice(0, 60));
  }
});
