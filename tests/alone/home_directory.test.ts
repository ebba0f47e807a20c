/** Which directory is no workspace: for the whole process, HOME and the working directory change. */
import assert from "node:assert/strict";
import { sessionWorkspace } from "../../src/mcp/roots.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("a home directory is too wide, also where HOME is a link to it", async () => {
  await using t = await tempTree({ "home/": null, "link": { symlink: "home" } });
  const before = { home: Deno.env.get("HOME"), directory: Deno.cwd() };
  Deno.chdir(t.path("home"));
  try {
    for (const home of ["home", "link"]) {
      Deno.env.set("HOME", t.path(home));
      await assert.rejects(sessionWorkspace(undefined, { uris: [] }, {}), {
        code: "invalid_input",
      });
    }
    Deno.env.set("HOME", t.path("elsewhere"));
    const { workspace } = await sessionWorkspace(undefined, { uris: [] }, {});
    assert.deepEqual(workspace.roots, [t.path("home")]);
  } finally {
    Deno.chdir(before.directory);
    if (before.home === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", before.home);
  }
});
