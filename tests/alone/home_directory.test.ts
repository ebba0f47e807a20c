/** Which directory is no workspace: for the whole process, variables and the working directory change. */
import assert from "node:assert/strict";
import { sessionWorkspace } from "../../src/mcp/roots.ts";
import { tempTree } from "../support/tree.ts";

for (const variable of ["HOME", "USERPROFILE"]) {
  Deno.test(`what holds the directory of ${variable} is too wide, also where that is a link`, async () => {
    await using t = await tempTree({ "home/me/": null, "link": { symlink: "home" } });
    const before = { home: Deno.env.get(variable), directory: Deno.cwd() };
    Deno.chdir(t.path("home"));
    try {
      for (const home of ["home", "link", "home/me", "link/me", "home/me/a/b"]) {
        Deno.env.set(variable, t.path(home));
        await assert.rejects(sessionWorkspace(undefined, { uris: [] }, {}), {
          code: "invalid_input",
        });
      }
      for (const home of ["elsewhere", "home-2", "", "/"]) {
        Deno.env.set(variable, home.length > 1 ? t.path(home) : home);
        const { workspace } = await sessionWorkspace(undefined, { uris: [] }, {});
        assert.deepEqual(workspace.roots, [t.path("home")]);
      }
      Deno.env.set(variable, t.path("home"));
      await t.write({ "home/.git/HEAD": "" });
      const { workspace } = await sessionWorkspace(undefined, { uris: [] }, {});
      assert.deepEqual(workspace.roots, [t.path("home")], "a repository is a project");
    } finally {
      Deno.chdir(before.directory);
      if (before.home === undefined) Deno.env.delete(variable);
      else Deno.env.set(variable, before.home);
    }
  });
}
