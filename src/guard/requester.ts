/**
 * Asks the user about a path outside the workspace, and remembers answers for the session.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import { untilAborted } from "../util/pulse.ts";
import { isWithin } from "../util/path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { valueAt } from "../util/collections.ts";

/** A request to read a path outside the workspace. */
export interface PermissionRequest {
  /** The tool that would read it, such as `grep`. */
  tool: string;
  /** The path as the caller gave it. */
  requestedPath: string;
  /** The canonical path that would be read. */
  resolvedPath: string;
  /** What the tool would do with it. */
  operation: "read";
  /** Cancels the question. */
  signal?: AbortSignal;
}

/**
 * `allow-session` allows the canonical path and everything below it, for every tool over the same
 * `Workspace`, as long as that is in use. It allows nothing in another workspace of the process.
 */
export type PermissionAnswer = "allow" | "deny" | "allow-session";

/**
 * Asks the user for permissions; implement it to ask in your own interface.
 *
 * @example
 * ```ts
 * import type { PermissionRequester } from "@x/pathgrep";
 *
 * const denyAll: PermissionRequester = { request: () => Promise.resolve("deny") };
 * ```
 */
export interface PermissionRequester {
  /** Resolves to the user's answer; any other value denies. */
  request(request: PermissionRequest): Promise<PermissionAnswer>;
}

/** Denies now what it will ask later, so that all questions of a call are asked together. */
export interface DeferringRequester extends PermissionRequester {
  readonly isDeferring: boolean;
}

/** Whether a denial is not an answer yet, because the question is still to be asked. */
export function isDeferred(requester: PermissionRequester, denial: unknown): boolean {
  return "isDeferring" in requester && requester.isDeferring === true &&
    denial instanceof PathgrepError && denial.code === "permission_denied_by_user";
}

/** An open question, which concurrent calls for one path share. */
interface Question {
  readonly answer: Promise<PermissionAnswer>;
  /** Cancels the question once nobody waits for it any more. */
  readonly controller: AbortController;
  askers: number;
}

/** The questions and answers about one workspace: an answer must not count for another. */
interface WorkspaceAnswers {
  /** Canonical paths that are allowed as long as the workspace lives. */
  readonly grants: Set<string>;
  readonly open: WeakMap<PermissionRequester, Map<string, Question>>;
}

const answersOf = new WeakMap<Workspace, WorkspaceAnswers>();

function answersIn(workspace: Workspace): WorkspaceAnswers {
  return valueAt(answersOf, workspace, () => ({ grants: new Set(), open: new WeakMap() }));
}

export function isGrantedForSession(workspace: Workspace, canonical: string): boolean {
  return answersIn(workspace).grants.values().some((grant) => isWithin(grant, canonical));
}

export function grantForSession(workspace: Workspace, canonical: string): void {
  answersIn(workspace).grants.add(canonical);
}

/**
 * @param identity of the present file: a call that found another one asks its own question
 * @returns whether it is allowed for the session
 * @throws {PathgrepError} `permission_denied_by_user`, `cancelled`
 */
export async function askFor(
  workspace: Workspace,
  requester: PermissionRequester,
  request: PermissionRequest,
  identity: string | undefined,
): Promise<boolean> {
  const questions = valueAt(answersIn(workspace).open, requester, () => new Map());
  const key = JSON.stringify([request.tool, request.resolvedPath, identity]);
  const question = valueAt(questions, key, () => openQuestion(requester, request));
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
    if (question.askers === 0) question.controller.abort();
    throw cancelled(request.signal);
  }
  if (request.signal?.aborted) throw cancelled(request.signal);
  if (given !== "allow" && given !== "allow-session") {
    throw new PathgrepError("permission_denied_by_user", `read ${request.requestedPath}`, {
      path: request.requestedPath,
      hint: "search inside the workspace, or ask the user to allow the path",
    });
  }
  return given === "allow-session";
}

/** Opens a question that outlives the signal of the first caller. */
function openQuestion(requester: PermissionRequester, request: PermissionRequest): Question {
  const controller = new AbortController();
  const { signal, ...what } = request;
  const question = { ...what, ...(signal === undefined ? {} : { signal: controller.signal }) };
  const answer = (async () => await requester.request(question))();
  return { answer, controller, askers: 0 };
}

/** Milliseconds until an unanswered question is denied, by default. */
export const PERMISSION_TIMEOUT = 120_000;

/** A requester whose questions are denied after a number of milliseconds; 0: never. */
export function timedRequester(
  requester: PermissionRequester,
  milliseconds: number,
): PermissionRequester {
  if (milliseconds === 0) return requester;
  return {
    async request(request) {
      const controller = new AbortController();
      const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
      const timer = setTimeout(() => {
        resolve("deny");
        controller.abort(); // takes the question off the screen
      }, milliseconds);
      const signal = request.signal === undefined
        ? controller.signal
        : AbortSignal.any([request.signal, controller.signal]);
      try {
        return await Promise.race([requester.request({ ...request, signal }), promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
