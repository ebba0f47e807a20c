/** Which of a client's roots count, and what is said of the others. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { sessionWorkspace } from "../../src/mcp/roots.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tempTree } from "../support/tree.ts";

const uri = (path: string) => pathToFileURL(path).href;

Deno.test("of many ignored roots some are named, and the others counted", async () => {
  await using t = await tempTree({ "a/x.txt": "" });
  const missing = Array.from({ length: 6 }, (_, n) => uri(t.path(`missing${n}`)));
  const { workspace, notes } = await sessionWorkspace(
    undefined,
    { uris: [...missing, uri(t.path("a"))] },
    {},
  );
  assert.deepEqual(workspace.roots, [t.path("a")]);
  assert.equal(notes.length, 4);
  assert.match(notes[2]!, /missing2/);
  assert.equal(notes[3], "3 more roots of the client were ignored");
});

Deno.test("a root that is no directory does not narrow the workspace", async () => {
  await using t = await tempTree({ "a/x.txt": "" });
  const { workspace, notes } = await sessionWorkspace(await Workspace.open(t.root), {
    uris: [uri(t.path("a/x.txt"))],
  }, {});
  assert.deepEqual(workspace.roots, [t.root]);
  assert.match(notes.join("\n"), /it is not a directory\nthe workspace is all of --workspace$/);
});

Deno.test("a root that is blocked does not count, by its own name or by that of a link to it", async () => {
  await using t = await tempTree({
    "plain/": null,
    ".ssh": { symlink: "plain" },
    "sub/.gnupg/": null,
    "link": { symlink: "sub/.gnupg" },
    "sub/.gnupg/back": { symlink: "../../plain" },
    "through": { symlink: "sub/.gnupg/back" },
  });
  for (const path of [".ssh", "link", "sub/.gnupg", "through"]) {
    const { workspace, notes } = await sessionWorkspace(await Workspace.open(t.root), {
      uris: [uri(t.path(path))],
    }, {});
    assert.deepEqual(workspace.roots, [t.root], path);
    assert.match(notes.join("\n"), /it is blocked/);
  }
});

Deno.test("of endlessly many roots the first are looked at, and the others counted", async () => {
  await using t = await tempTree({ "a/x.txt": "" });
  const missing = Array.from({ length: 3000 }, (_, n) => uri(t.path(`missing${n}`)));
  const roots = [uri(t.path("a")), ...missing];
  for (const ceiling of [undefined, await Workspace.open(t.root)]) {
    const { workspace, notes } = await sessionWorkspace(ceiling, { uris: roots }, {});
    assert.deepEqual(workspace.roots, [t.path("a")]);
    assert.equal(notes.at(-1), "2997 more roots of the client were ignored");
  }
  const { notes } = await sessionWorkspace(
    undefined,
    { uris: [...Array(1500)].map(() => uri(t.path("a"))) },
    {},
  );
  assert.deepEqual(notes, ["1400 more roots of the client were ignored"]);
});
