/**
 * Who is asked about paths outside of the workspace: a list of directories that somebody has agreed to,
 * in place of a person.
 *
 *     deno run --allow-read examples/permission_requester.ts WORKSPACE AGREED PATTERN PATH
 *
 * @module
 */
import { GrepTool, type PermissionRequester, Workspace } from "@x/pathgrep";

const [root = ".", agreed = ".", pattern = "", path = "."] = Deno.args;
const shared = await Workspace.open(agreed);

const permissionRequester: PermissionRequester = {
  async request({ tool, resolvedPath }) {
    const answer = await shared.isPathWithin(resolvedPath) ? "allow-session" : "deny";
    console.error(`${tool}: ${resolvedPath}: ${answer}`);
    return answer;
  },
};

const tool = new GrepTool({ workspace: await Workspace.open(root), permissionRequester });
console.log(JSON.stringify(await tool.execute({ pattern, path })));
