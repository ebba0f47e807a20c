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
import { isWithin, pathOfFileUrl } from "../paths/paths.ts";
import { checkedPath, Workspace } from "../paths/workspace.ts";
import { printable, shortened } from "../util/escape.ts";
import { isGranted } from "../util/permissions.ts";
import type { NamedRoots } from "./client_roots.ts";

/** Roots that are named in the notes of one answer, at most. */
const MAX_NOTES = 3;

/** Roots of a client that are looked at, at most: to look up more keeps a server from answering. */
const MAX_ROOTS = 100;

/** What is blocked besides the table, and what is not. */
type Limits = Pick<ToolOptions, "allow" | "deny">;

/** The workspace of a session, and what the client is to know about it. */
export interface SessionWorkspace {
  workspace: Workspace;
  /** Sentences: which of the client's roots were left out, and why. */
  notes: readonly string[];
}

/**
 * The workspace of a session. A client that does not name its roots, though it declares them, keeps
 * those that it named last; if it has named none, it is served like one that has none.
 *
 * @param ceiling that of the command line, which the client's roots may only narrow
 * @param named the client's roots
 * @param limits what is blocked below the command line's roots; a client's root that is does not count
 * @throws {PathgrepError} when a root of the ceiling has been replaced, when none of the client's can be
 * opened, or when there is none and the current directory will not do
 */
export async function sessionWorkspace(
  ceiling: Workspace | undefined,
  { uris, problem }: NamedRoots,
  limits: Limits,
): Promise<SessionWorkspace> {
  if (problem === undefined) return await workspaceOf(ceiling, uris, limits);
  const unnamed = `the client did not name its roots (${problem})`;
  try {
    const { workspace, notes } = await workspaceOf(ceiling, uris, limits);
    const [first, ...more] = workspace.roots;
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    const still = uris.length === 0 ? "" : "still ";
    return {
      workspace,
      notes: [`${unnamed}; the workspace is ${still}${first}${others}`, ...notes],
    };
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    const notes = [unnamed, ...(error.details["notes"] as string[] | undefined) ?? []];
    throw new PathgrepError(error.code, error.message, { ...error.details, notes }, error);
  }
}

async function workspaceOf(
  ceiling: Workspace | undefined,
  clientRoots: readonly string[],
  limits: Limits,
): Promise<SessionWorkspace> {
  if (ceiling !== undefined) {
    // The ceiling is verified to be what was opened, both before and after looking into it.
    ceiling.checkRoots();
    const session = narrowed(ceiling, clientRoots, limits);
    ceiling.checkRoots();
    return session;
  }
  if (clientRoots.length > 0) return await openable(clientRoots);
  return { workspace: await currentDirectory(), notes: [] };
}

/** What the ceiling and the client's roots have in common; the ceiling when that is nothing. */
function narrowed(
  ceiling: Workspace,
  clientRoots: readonly string[],
  { allow = [], deny = [] }: Limits,
): SessionWorkspace {
  const isBlocked = new Guard({ workspace: ceiling, allow, deny }).blocker();
  const roots = new Set<string>();
  const leftOut = new LeftOutRoots(clientRoots.length - MAX_ROOTS);
  for (const uri of clientRoots.slice(0, MAX_ROOTS)) {
    try {
      const path = pathOfRoot(uri);
      const root = ceiling.canonical(path, (step) => isBlocked(step) !== false);
      if (!ceiling.contains(root.path)) {
        for (const inner of ceiling.roots) if (isWithin(root.path, inner)) roots.add(inner);
      } else if ([path, root.path].some((each) => isBlocked(each) !== false)) {
        leftOut.add(uri, "it is blocked");
      } else if (root.exists && root.info.isDirectory) roots.add(root.path);
      else leftOut.add(uri, "it is no directory");
    } catch (thrown) {
      leftOut.add(uri, PathgrepError.from(thrown).message);
    }
  }
  if (roots.size > 0) return { workspace: ceiling.narrowedTo([...roots]), notes: leftOut.notes };
  return { workspace: ceiling, notes: leftOut.notesWith("the workspace is all of --workspace") };
}

/**
 * The roots that can be opened.
 *
 * @throws {PathgrepError} when none can: another directory is not what the client meant
 */
async function openable(clientRoots: readonly string[]): Promise<SessionWorkspace> {
  const roots: string[] = [];
  const leftOut = new LeftOutRoots(clientRoots.length - MAX_ROOTS);
  let failure: unknown;
  for (const uri of clientRoots.slice(0, MAX_ROOTS)) {
    try {
      roots.push(...(await Workspace.open(pathOfRoot(uri))).roots);
    } catch (thrown) {
      failure ??= thrown;
      leftOut.add(uri, PathgrepError.from(thrown).message);
    }
  }
  if (roots.length > 0) return { workspace: await Workspace.open(roots), notes: leftOut.notes };
  const error = PathgrepError.from(failure);
  throw new PathgrepError(error.code, error.message, {
    ...error.details,
    hint: "open a local directory in the client, or start the server with --workspace DIR",
    notes: leftOut.notes,
  }, error);
}

/**
 * The path of a client's root.
 *
 * @throws {PathgrepError} `invalid_input` when it has none on this machine
 */
function pathOfRoot(uri: string): string {
  const path = pathOfFileUrl(uri);
  if (path === undefined) {
    throw new PathgrepError("invalid_input", "the client's root is no file: URL of this machine");
  }
  checkedPath(path, "the client's root");
  return path;
}

/** The client's roots that were left out. */
class LeftOutRoots {
  readonly #notes: string[] = [];
  readonly #unread: number;

  /** @param unread how many were not looked at, if any */
  constructor(unread: number) {
    this.#unread = Math.max(0, unread);
  }

  add(uri: string, reason: string): void {
    this.#notes.push(
      `a root of the client was left out: ${shortened(printable(uri), 200)}: ${reason}`,
    );
  }

  /** A sentence for each, and one for those that are too many to name. */
  get notes(): string[] {
    const named = this.#notes.slice(0, MAX_NOTES);
    const unnamed = this.#notes.length - named.length + this.#unread;
    if (unnamed === 0) return named;
    return [
      ...named,
      `${unnamed} more roots of the client were left out`,
    ];
  }

  /** {@linkcode LeftOutRoots.notes} and what follows from them, if there are any. */
  notesWith(consequence: string): string[] {
    return this.notes.length === 0 ? [] : [...this.notes, consequence];
  }
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
    if (!isGranted({ name: "env", variable })) return false;
    const home = Deno.env.get(variable);
    if (home === undefined || home === "") return false;
    try {
      return Deno.realPathSync(home) === directory;
    } catch {
      return platform.resolve(home) === directory; // it may not be looked at, or is not there
    }
  });
}
