/**
 * The permission question as an MCP elicitation.
 *
 * Protocol 2025 lets the server ask while the call waits. Since 2026 a call is answered with its
 * question, and the client sends it again with the answer.
 *
 * @module
 */

import type {
  DeferringRequester,
  PermissionAnswer,
  PermissionRequest,
  PermissionRequester,
} from "../guard/requester.ts";
import { printable, shortened } from "../util/text.ts";
import { identityAt } from "../paths/verification.ts";
import { inputRequired, type InputRequiredResult, type Server } from "./sdk.ts";
import { hexOf } from "../util/collections.ts";

const CHOICES: readonly { const: PermissionAnswer; title: string }[] = [
  { const: "allow", title: "Allow" },
  { const: "deny", title: "Deny" },
  { const: "allow-session", title: "Allow for this session" },
];

/** Longer than the tools wait: they report when it is too late. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** Columns of a path in a question, at most. */
const MAX_PATH_COLUMNS = 1000;

/** Whether the capabilities of a client let it show forms. Naming no mode means forms. */
export function offersForms(
  capabilities: { elicitation?: Record<string, unknown> | undefined } | undefined,
): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined &&
    (elicitation["form"] !== undefined || elicitation["url"] === undefined);
}

/** Asks while the call waits (protocol 2025). */
export function pushRequester(server: Server): PermissionRequester {
  return {
    async request(request) {
      const { signal } = request;
      try {
        const options = signal === undefined ? {} : { signal };
        return answerOf(
          await server.elicitInput(question(request), { timeout: REQUEST_TIMEOUT_MS, ...options }),
        );
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        return "deny"; // a question that cannot be shown allows nothing
      }
    },
  };
}

/** Uses the answers that came with a call, or collects the questions of one without (protocol 2026). */
export class ReplyRequester implements DeferringRequester {
  readonly #answers: Record<string, unknown> | undefined;
  readonly #questions: Record<string, ReturnType<typeof inputRequired.elicit>> = {};
  readonly #nonce = crypto.randomUUID();

  /** @param answers the call's `inputResponses`; none when nothing was asked yet */
  constructor(answers: Record<string, unknown> | undefined) {
    this.#answers = answers;
  }

  get isDeferring(): boolean {
    return this.#answers === undefined;
  }

  /**
   * Denies what is not answered, so that the call ends; {@linkcode ReplyRequester.reply} then asks.
   * A call that comes with answers is not asked again: a missing answer denies.
   */
  async request(request: PermissionRequest): Promise<PermissionAnswer> {
    if (this.#answers === undefined) {
      const key = await answerKey(request, this.#nonce);
      this.#questions[key] = inputRequired.elicit(question(request));
      return "deny";
    }
    const start = answerKeyStart(request);
    const end = start.length + this.#nonce.length;
    const key = Object.keys(this.#answers).find((key) =>
      key.startsWith(start) && key.length === end + DIGEST_CHARS
    );
    const isOurs = key !== undefined &&
      key === await answerKey(request, key.slice(start.length, end));
    return isOurs ? answerOf(this.#answers[key]) : "deny";
  }

  /** The reply that asks, if there are questions. */
  get reply(): InputRequiredResult | undefined {
    const inputRequests = this.#questions;
    return Object.keys(inputRequests).length === 0 ? undefined : inputRequired({ inputRequests });
  }
}

/** Keeps clients from making or reading digests. */
const SALT = crypto.randomUUID();
const DIGEST_CHARS = 64;

/**
 * An answer counts for the tool, the canonical path, and the file that was there then, which the client
 * does not learn.
 *
 * @param nonce a different one for each reply: otherwise equal keys would reveal that the file is the same
 */
async function answerKey(request: PermissionRequest, nonce: string): Promise<string> {
  const { tool, resolvedPath } = request;
  const asked = JSON.stringify([SALT, nonce, tool, resolvedPath, identityAt(resolvedPath)]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(asked));
  return `${answerKeyStart(request)}${nonce}${hexOf(new Uint8Array(digest))}`;
}

function answerKeyStart({ tool, resolvedPath }: PermissionRequest): string {
  return `${tool} ${resolvedPath} `;
}

function question({ tool, operation, requestedPath, resolvedPath }: PermissionRequest) {
  const shown = (path: string) => shortened(printable(path), MAX_PATH_COLUMNS);
  return {
    message: `${tool} wants to ${operation} outside the workspace\n` +
      `requested: ${shown(requestedPath)}\nresolved: ${shown(resolvedPath)}`,
    requestedSchema: {
      type: "object" as const,
      properties: {
        answer: {
          type: "string" as const,
          title: "Permission",
          enum: CHOICES.map((choice) => choice.const),
          enumNames: CHOICES.map((choice) => choice.title),
        },
      },
      required: ["answer"],
    },
  };
}

/** Anything but an accepted form with one of the choices denies. */
function answerOf(result: unknown): PermissionAnswer {
  const { action, content } = Object(result) as Record<string, unknown>;
  const { answer } = Object(content) as Record<string, unknown>;
  const choice = CHOICES.find((choice) => choice.const === answer);
  return action === "accept" && choice !== undefined ? choice.const : "deny";
}
