/**
 * Who is asked about a path outside of the workspace, and what was answered for this session.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { untilAborted } from "../util/until_aborted.ts";
import { isWithin } from "../workspace/paths.ts";

/** A path that wants a permission. */
export interface PermissionRequest {
  /** The tool that wants it, such as `grep`. */
  tool: string;
  /** The path as the caller gave it. */
  requestedPath: string;
  /** The canonical path that would be read. */
  resolvedPath: string;
  /** What would be done with it. */
  operation: "read";
  /** Ends the question. */
  signal?: AbortSignal;
}

/** `allow-session`: that canonical path and what lies below it, for the life of the process. */
export type PermissionAnswer = "allow" | "deny" | "allow-session";

/**
 * Asks the user. Implement it to put the question into your own interface.
 *
 * @example
 * ```ts
 * import type { PermissionRequester } from "@x/pathgrep";
 *
 * const denyAll: PermissionRequester = { request: () => Promise.resolve("deny") };
 * ```
 */
export interface PermissionRequester {
  /** Resolves to the user's answer; anything but an allowance denies. */
  request(request: PermissionRequest): Promise<PermissionAnswer>;
}

/** What was allowed for the life of the process. */
const sessionGrants = new Set<string>();
/** A question under way, which concurrent calls for one path share. */
interface Question {
  readonly answer: Promise<PermissionAnswer>;
  /** Ends it, once all who asked have gone. */
  readonly ender: AbortController;
  askers: number;
}

const open = new WeakMap<PermissionRequester, Map<string, Question>>();

/** Whether the user has allowed this canonical path for the session. */
export function isGrantedForSession(canonical: string): boolean {
  for (const grant of sessionGrants) {
    if (isWithin(grant, canonical)) return true;
  }
  return false;
}

/**
 * Asks for a path and remembers an allowance for the session.
 *
 * @throws {PathgrepError} `permission_denied_by_user`, `cancelled`
 */
export async function askFor(
  requester: PermissionRequester,
  request: PermissionRequest,
): Promise<void> {
  const questions = open.get(requester) ?? new Map<string, Question>();
  open.set(requester, questions);
  const key = `${request.tool}\0${request.resolvedPath}`;
  const question = questions.get(key) ?? ask(requester, request);
  questions.set(key, question);
  question.askers++;
  const close = () => {
    if (questions.get(key) === question) questions.delete(key);
  };
  let given: PermissionAnswer;
  try {
    given = await untilAborted(question.answer, request.signal);
    close();
  } catch (error) {
    const isAborted = request.signal?.aborted ?? false;
    if (--question.askers === 0 || !isAborted) close();
    if (!isAborted) throw error;
    if (question.askers === 0) question.ender.abort();
    throw new PathgrepError("cancelled", "cancelled");
  }
  if (request.signal?.aborted) throw new PathgrepError("cancelled", "cancelled");
  if (given === "allow-session") sessionGrants.add(request.resolvedPath);
  if (given !== "allow" && given !== "allow-session") {
    throw new PathgrepError("permission_denied_by_user", `read ${request.requestedPath}`, {
      path: request.requestedPath,
      hint: "search inside the workspace, or ask the user to allow the path",
    });
  }
}

/** Puts a question; it outlives the signal of the one who asks first. */
function ask(requester: PermissionRequester, request: PermissionRequest): Question {
  const ender = new AbortController();
  const { signal, ...what } = request;
  const question = { ...what, ...(signal === undefined ? {} : { signal: ender.signal }) };
  const answer = (async () => await requester.request(question))();
  return { answer, ender, askers: 0 };
}
