/** Which directory is no workspace: for the whole process, HOME and the working directory change. */
import assert from "node:assert/strict";
import { sessionWorkspace } from "../../src/mcp/roots.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a home directory is too wide, also where HOME is a link to it, and what holds it", async () => {
  await using t = await tempTree({ "home/me/": null, "link": { symlink: "home" } });
  const before = { home: Deno.env.get("HOME"), directory: Deno.cwd() };
  Deno.chdir(t.path("home"));
  try {
    for (const home of ["home", "link", "home/me", "link/me", "home/me/a/b"]) {
      Deno.env.set("HOME", t.path(home));
      await assert.rejects(sessionWorkspace(undefined, { uris: [] }, {}), {
        code: "invalid_input",
      });
    }
    for (const home of ["elsewhere", "home-2", "", "/"]) {
      Deno.env.set("HOME", home.length > 1 ? t.path(home) : home);
      const { workspace } = await sessionWorkspace(undefined, { uris: [] }, {});
      assert.deepEqual(workspace.roots, [t.path("home")]);
    }
    Deno.env.set("HOME", t.path("home"));
    await t.write({ "home/.git/HEAD": "" });
    const { workspace } = await sessionWorkspace(undefined, { uris: [] }, {});
    assert.deepEqual(workspace.roots, [t.path("home")], "a repository is a project");
  } finally {
    Deno.chdir(before.directory);
    if (before.home === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", before.home);
  }
});
