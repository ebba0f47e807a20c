/**
 * Requirements that the tools began with and no other test of them holds; those of searching and
 * resolving are in `tests/contract/`.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  GrepTool,
  ToolRegistry,
  withResolvedPaths,
  WORKING_DIRECTORY_DESCRIPTION,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

Deno.test("the description of a working directory names every form that it may have", () => {
  assert.equal(
    WORKING_DIRECTORY_DESCRIPTION,
    '(OPTIONAL) Directory to run the command in. Provide a workspace directory name (e.g., "packages"), ' +
      'a relative path (e.g., "src/utils"), or an absolute path within the workspace.',
  );
});

Deno.test("an error is sent back to the model with its pattern and path", async () => {
  await using t = await tempTree({});
  const grep = new GrepTool({ workspace: await Workspace.open(t.root) });
  const answer = await grep.execute({ pattern: "x", path: "absent" }) as Json;
  assert.match(String(answer["error"]), /^path resolution failed: Path does not exist: .*absent$/);
  assert.deepEqual([answer["pattern"], answer["path"]], ["x", "absent"]);
});

Deno.test("every tool answers an ambiguous short path with all full paths", async () => {
  await using t = await tempTree({ "crates/tools/src/lib.rs": "", "crates/agent/src/lib.rs": "" });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(t.root) }, {
    tools: OWN_TOOL_NAMES,
  });
  for (
    const [tool, input] of [["grep", { pattern: "x", path: "lib.rs" }], ["resolve_path", {
      path: "lib.rs",
    }]] as const
  ) {
    const answer = await registry.execute(tool, input) as Json;
    assert.equal(answer["code"], "path_not_found");
    assert.deepEqual(answer["suggestions"], ["crates/agent/src/lib.rs", "crates/tools/src/lib.rs"]);
  }
});

Deno.test("a wrapped tool may have several path fields, some of which must exist", async () => {
  await using t = await tempTree({ "a.ts": "", "src/": null });
  const workspace = await Workspace.open(t.root);
  const run = withResolvedPaths(workspace, (params: object) => params, {
    fields: ["working_dir", "files"],
    mustExist: ["files"],
  });
  assert.deepEqual(await run({ working_dir: "new", files: ["a.ts", "src"] }), {
    working_dir: t.path("new"),
    files: [t.path("a.ts"), t.path("src")],
  });
  await assert.rejects(run({ files: ["a.ts", "gone.ts"] }), { code: "path_not_found" });
});

Deno.test("the error for a path outside reads the same for every field", async () => {
  await using t = await tempTree({});
  const run = withResolvedPaths(await Workspace.open(t.root), (params: object) => params);
  for (const field of ["file_path", "path", "dir_path", "working_dir"]) {
    await assert.rejects(run({ [field]: "../x" }), {
      message: `${field} ../x escapes project root ${t.root}`,
    });
  }
});
