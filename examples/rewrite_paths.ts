/**
 * Paths for tools of your own: whatever a model sends, the tool gets a canonical absolute path inside the
 * workspace, or is not called at all.
 *
 *     deno run --allow-read examples/rewrite_paths.ts WORKSPACE PATH
 *
 * @module
 */
import { PathgrepError, withResolvedPaths, Workspace } from "@x/pathgrep";

const [root = ".", path = ""] = Deno.args;
const workspace = await Workspace.open(root);

/** A tool as you have it: it trusts the path that it gets. */
async function countLines({ file_path }: { file_path: string }): Promise<number> {
  return (await Deno.readTextFile(file_path)).split("\n").length - 1;
}

const guarded = withResolvedPaths(workspace, countLines, {
  required: ["file_path"],
  log: (line) => console.error(line),
});

try {
  console.log(await guarded({ file_path: path }));
} catch (error) {
  if (!(error instanceof PathgrepError)) throw error;
  console.log(JSON.stringify(error));
  Deno.exitCode = 1;
}
