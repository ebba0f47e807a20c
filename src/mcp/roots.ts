/**
 * The workspace of an MCP session: that of the command line, the client's roots, or the current directory,
 * which is the client's own where it names that.
 * The client is asked for its roots, and not waited for longer than a user would wait.
 *
 * @module
 */

import { printable, shortened } from "../util/text.ts";
import { type Note, sentences } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import { Guard } from "../guard/guard.ts";
import type { ToolOptions } from "../tools/tool_context.ts";
import { isWithin, pathOfFileUrl } from "../util/path.ts";
import { checkedPath, Workspace } from "../workspace/workspace.ts";
import { isTooWide } from "../workspace/wide_directory.ts";
import { turn } from "../util/pulse.ts";
import type { Server, StandardSchemaV1 } from "./sdk.ts";

export interface NamedRoots {
  /** The URIs that the client named last. */
  uris: readonly string[];
  /** Why there is no newer answer, if one is due. */
  problem?: string;
  /** The URI of the directory that a client without roots is in, if a call names it. */
  directory?: string | undefined;
}

/** What Codex puts into a call for servers that ask for it: it starts those of plugins elsewhere. */
export const CODEX_STATE = "codex/sandbox-state-meta";

/** What the `_meta` of a call names. */
export function namedIn(meta: object | undefined): NamedRoots {
  const { sandboxCwd } = Object(Object(meta)[CODEX_STATE]) as { sandboxCwd?: unknown };
  return { uris: [], directory: typeof sandboxCwd === "string" ? sandboxCwd : undefined };
}

/** Milliseconds that calls wait for a client's roots: some declare them and never answer. */
const PATIENCE_MS = 2000;
/** After that, a late answer still counts. */
const ANSWER_MS = 3_600_000;
/** Characters of a client's error that are shown. */
const MAX_REASON = 200;

/** Accepts any URIs in a list of roots: the SDK's own check fails the whole list. */
const ROOT_URIS: StandardSchemaV1<unknown, string[]> = {
  "~standard": {
    version: 1,
    vendor: "pathgrep",
    validate(list: unknown) {
      const { roots } = Object(list) as { roots?: unknown };
      if (!Array.isArray(roots)) return { issues: [{ message: "there is no list of roots" }] };
      const uris = roots.map((root) => (Object(root) as { uri?: unknown }).uri);
      return { value: uris.map((uri) => typeof uri === "string" ? uri : "") };
    },
  },
};

export class ClientRoots {
  readonly #server: Server;
  readonly #inputEnd: AbortSignal;
  #named: readonly string[] = [];
  /** The latest request; nothing if a new one is due. */
  #asked: Promise<NamedRoots> | undefined;

  /** @param inputEnd aborts when the client can answer no more */
  constructor(server: Server, inputEnd: AbortSignal) {
    this.#server = server;
    this.#inputEnd = inputEnd;
  }

  /** The roots that the client has now. Never fails, and asks once, unless the answer is an error. */
  async list(): Promise<NamedRoots> {
    const asked = this.#asked ??= this.#ask();
    const named = await asked;
    if (named.problem === undefined) return named;
    // An answer that came just before the call is still being read.
    await turn();
    return this.#asked ?? named;
  }

  onChange(): void {
    this.#asked = undefined;
  }

  #ask(): Promise<NamedRoots> {
    const { promise, resolve } = Promise.withResolvers<NamedRoots>();
    const giveUp = (problem: string) => resolve({ uris: this.#named, problem });
    const timer = setTimeout(
      () => giveUp(`no answer within ${PATIENCE_MS / 1000} seconds`),
      PATIENCE_MS,
    );
    const onEnd = () => giveUp("the connection has ended");
    if (this.#inputEnd.aborted) onEnd();
    this.#inputEnd.addEventListener("abort", onEnd);
    const request = { method: "roots/list" } as const;
    this.#server.request(request, ROOT_URIS, { timeout: ANSWER_MS }).then((uris) => {
      const named = { uris };
      if (this.#asked === promise) { // the answer to a later request supersedes this one
        this.#named = uris;
        this.#asked = Promise.resolve(named);
      }
      resolve(named);
    }, (thrown) => {
      if (this.#asked === promise) this.#asked = undefined;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      giveUp(shortened(printable(reason), MAX_REASON));
    });
    promise.then(() => {
      clearTimeout(timer);
      this.#inputEnd.removeEventListener("abort", onEnd);
    });
    return promise;
  }
}

/** The most roots named in the notes of one answer. */
const MAX_NOTES = 3;

/** The most roots of a client that are inspected: more would block the server. */
const MAX_ROOTS = 100;

type Limits = Pick<ToolOptions, "allow" | "deny">;

export interface SessionWorkspace {
  workspace: Workspace;
  /** Notes on the client's roots that were ignored. */
  notes: readonly string[];
}

/**
 * The workspace of a session. A client that does not name its roots, though it declares them, keeps
 * those that it named last; if it has named none, it is served like one that has none.
 *
 * @param ceiling the command line's, which the client's roots may only narrow
 * @param limits what is blocked below the ceiling, client's roots included
 * @throws {PathgrepError} when a root of the ceiling has been replaced, when none of the client's can be
 * opened, or when there is none and the current directory is too broad
 */
export async function sessionWorkspace(
  ceiling: Workspace | undefined,
  { uris, problem, directory }: NamedRoots,
  limits: Limits,
): Promise<SessionWorkspace> {
  if (problem === undefined) return await workspaceOf(ceiling, uris, limits, directory);
  try {
    const { workspace, notes } = await workspaceOf(ceiling, uris, limits);
    const [root = "", ...more] = workspace.roots;
    const reason = uris.length === 0 ? "client_roots_none" : "client_roots_kept";
    const values = { problem, root, more: more.length };
    return { workspace, notes: sentences([{ reason, values }, ...notes]) };
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    const notes = sentences([
      { reason: "client_roots_unnamed", values: { problem } },
      ...(error.details["notes"] as string[] | undefined) ?? [],
    ]);
    throw new PathgrepError(error.code, error.message, { ...error.details, notes }, error);
  }
}

async function workspaceOf(
  ceiling: Workspace | undefined,
  clientRoots: readonly string[],
  limits: Limits,
  directory?: string,
): Promise<SessionWorkspace> {
  if (ceiling !== undefined) {
    // The ceiling is verified to be what was opened, both before and after looking into it.
    ceiling.checkRoots();
    const session = narrowed(ceiling, clientRoots, limits);
    ceiling.checkRoots();
    return session;
  }
  if (clientRoots.length > 0) return await openable(clientRoots);
  return { workspace: await currentDirectory(directory), notes: [] };
}

/** The intersection of the ceiling and the client's roots; the ceiling when that is empty. */
function narrowed(
  ceiling: Workspace,
  clientRoots: readonly string[],
  { allow = [], deny = [] }: Limits,
): SessionWorkspace {
  const isBlocked = new Guard({ workspace: ceiling, allow, deny }).blocker();
  const roots = new Set<string>();
  const excluded = new ExcludedRoots(clientRoots.length);
  for (const uri of clientRoots.slice(0, MAX_ROOTS)) {
    try {
      const path = pathOfRoot(uri);
      const root = ceiling.canonical(path, (step) => isBlocked(step) !== false);
      if (!ceiling.contains(root.path)) {
        for (const inner of ceiling.roots) if (isWithin(root.path, inner)) roots.add(inner);
      } else if ([path, root.path].some((each) => isBlocked(each) !== false)) {
        excluded.add(uri, "it is blocked");
      } else if (root.exists && root.info.isDirectory) roots.add(root.path);
      else excluded.add(uri, "it is not a directory");
    } catch (thrown) {
      excluded.add(uri, PathgrepError.from(thrown).message);
    }
  }
  const { notes } = excluded;
  if (roots.size > 0) return { workspace: ceiling.narrowedTo([...roots]), notes };
  if (notes.length === 0) return { workspace: ceiling, notes };
  return {
    workspace: ceiling,
    notes: sentences([...notes, { reason: "all_of_workspace", values: {} }]),
  };
}

/**
 * The roots that can be opened.
 *
 * @throws {PathgrepError} when none can: another directory is not what the client meant
 */
async function openable(clientRoots: readonly string[]): Promise<SessionWorkspace> {
  const roots: string[] = [];
  const excluded = new ExcludedRoots(clientRoots.length);
  let failure: unknown;
  for (const uri of clientRoots.slice(0, MAX_ROOTS)) {
    try {
      roots.push(...(await Workspace.open(pathOfRoot(uri))).roots);
    } catch (thrown) {
      failure ??= thrown;
      excluded.add(uri, PathgrepError.from(thrown).message);
    }
  }
  if (roots.length > 0) return { workspace: await Workspace.open(roots), notes: excluded.notes };
  const error = PathgrepError.from(failure);
  throw new PathgrepError(error.code, error.message, {
    ...error.details,
    hint: "open a local directory in the client, or start the server with --workspace DIR",
    notes: excluded.notes,
  }, error);
}

/** @throws {PathgrepError} `invalid_input` when a root has no path on this machine */
function pathOfRoot(uri: string): string {
  const path = pathOfFileUrl(uri);
  if (path === undefined) {
    throw new PathgrepError(
      "invalid_input",
      "the client's root is not a file: URL of this machine",
    );
  }
  checkedPath(path, "the client's root");
  return path;
}

class ExcludedRoots {
  readonly #notes: Note[] = [];
  readonly #unread: number;

  /** @param count of the client's roots */
  constructor(count: number) {
    this.#unread = Math.max(0, count - MAX_ROOTS);
  }

  add(uri: string, reason: string): void {
    this.#notes.push({
      reason: "client_root_ignored",
      values: { uri: shortened(printable(uri), 200), why: reason },
    });
  }

  /** One note for each, and one for the rest if there are too many. */
  get notes(): string[] {
    const named = this.#notes.slice(0, MAX_NOTES);
    const unnamed = this.#notes.length - named.length + this.#unread;
    const rest = { reason: "client_roots_ignored", values: { count: unnamed } } as const;
    return sentences(unnamed === 0 ? named : [...named, rest]);
  }
}

async function currentDirectory(uri?: string): Promise<Workspace> {
  const workspace = await Workspace.open(uri === undefined ? "." : pathOfRoot(uri));
  const [root] = workspace.roots;
  if (root === undefined || !isTooWide(root)) return workspace;
  throw new PathgrepError(
    "invalid_input",
    `no workspace was given, and the current directory ${root} is too broad for one`,
    { hint: "start the server with --workspace DIR, or in the directory of a project" },
  );
}
