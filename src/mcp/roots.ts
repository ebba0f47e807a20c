/**
 * Which directories an MCP session is about: those of the command line, of the client, or the current
 * one.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { Guard } from "../guard/guard.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import { isWithin, pathOfFileUrl } from "../workspace/paths.ts";
import { Workspace } from "../workspace/workspace.ts";

/** What is blocked besides the table, and what is not. */
type Limits = Pick<ToolOptions, "allow" | "deny">;

/**
 * The workspace of a session.
 *
 * @param given the roots of the command line: a ceiling that the client's roots may only narrow
 * @param clientRoots the client's roots, as URIs; none when it has none
 * @param limits what is blocked below the command line's roots; a client's root that is does not count
 * @throws {PathgrepError} when a root cannot be opened, or there is none and the current directory
 * will not do
 */
export async function sessionWorkspace(
  given: readonly string[],
  clientRoots: readonly string[],
  limits: Limits,
): Promise<Workspace> {
  const wanted = clientRoots.map(pathOfFileUrl).filter((path) => path !== undefined);
  if (given.length > 0) return narrowed(await Workspace.open(given), wanted, limits);
  if (wanted.length > 0) return await openable(wanted);
  return await currentDirectory();
}

/** What the ceiling and the client's roots have in common; the ceiling when that is nothing. */
function narrowed(
  ceiling: Workspace,
  wanted: readonly string[],
  { allow = [], deny = [] }: Limits,
): Workspace {
  const guard = new Guard({ workspace: ceiling, allow, deny });
  const roots = new Set<string>();
  for (const path of wanted) {
    const root = ceiling.canonical(path);
    if (ceiling.contains(root.path)) {
      if (guard.isBlocked(path) || guard.isBlocked(root.path)) continue;
      if (root.exists && root.info.isDirectory) roots.add(root.path);
    } else {
      for (const inner of ceiling.roots) if (isWithin(root.path, inner)) roots.add(inner);
    }
  }
  return roots.size === 0 ? ceiling : ceiling.narrowedTo([...roots]);
}

/** The roots that can be opened; those that cannot are told on standard error. */
async function openable(wanted: readonly string[]): Promise<Workspace> {
  const roots: string[] = [];
  let failure: unknown;
  for (const path of wanted) {
    try {
      roots.push(...(await Workspace.open(path)).roots);
    } catch (thrown) {
      failure ??= thrown;
      console.error(
        `pathgrep: a root of the client was left out: ${PathgrepError.from(thrown).message}`,
      );
    }
  }
  if (roots.length === 0) throw failure;
  return await Workspace.open(roots);
}

async function currentDirectory(): Promise<Workspace> {
  const workspace = await Workspace.open(".");
  const [root] = workspace.roots;
  if (root === undefined || !isTooWide(root)) return workspace;
  throw new PathgrepError(
    "invalid_input",
    `no workspace was given, and the current directory ${root} is too wide for one`,
    { hint: "start the server with --workspace DIR, or in the directory of a project" },
  );
}

/** Where systems keep the home directories of their users, and some users have theirs. */
const HOMES = /^(?:[A-Za-z]:)?[\\/](?:home|Users|root|var[\\/]root)(?:[\\/][^\\/]+)?$/u;

/**
 * Whether a directory is a file system's root or a home directory. The environment is asked where that
 * is permitted; where it is not, the usual places are known.
 */
function isTooWide(directory: string): boolean {
  if (platform.dirname(directory) === directory || HOMES.test(directory)) return true;
  return ["HOME", "USERPROFILE"].some((variable) => {
    if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return false;
    const home = Deno.env.get(variable);
    if (home === undefined || home === "") return false;
    try {
      return Deno.realPathSync(home) === directory;
    } catch {
      return platform.resolve(home) === directory; // it may not be looked at, or is not there
    }
  });
}
