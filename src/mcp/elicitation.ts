/**
 * The permission question as an MCP elicitation.
 *
 * Protocol 2025 lets the server ask while the call waits. Since 2026 a call is answered with its
 * question, and the client sends it again with the answer.
 *
 * @module
 */

import { inputRequired, type InputRequiredResult, type Server } from "@modelcontextprotocol/server";
import type {
  PermissionAnswer,
  PermissionRequest,
  PermissionRequester,
} from "../guard/requester.ts";
import { printable } from "../visible.ts";

const CHOICES: readonly { const: PermissionAnswer; title: string }[] = [
  { const: "allow", title: "Allow" },
  { const: "deny", title: "Deny" },
  { const: "allow-session", title: "Allow for this session" },
];

/** Longer than the tools wait: they say when it is too late. */
const REQUEST_TIMEOUT_MS = 3_600_000;

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
        const result = await server.elicitInput(question(request), {
          timeout: REQUEST_TIMEOUT_MS,
          ...(signal === undefined ? {} : { signal }),
        });
        return answerOf(result);
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        return "deny"; // a question that cannot be shown allows nothing
      }
    },
  };
}

/** Takes the answers that came with a call, and keeps the question that has none yet (protocol 2026). */
export class ReplyRequester implements PermissionRequester {
  readonly #answers: Record<string, unknown>;
  #open: PermissionRequest | undefined;

  /** @param answers the call's `inputResponses` */
  constructor(answers: Record<string, unknown> = {}) {
    this.#answers = answers;
  }

  /** Denies what is not answered, so that the call ends; {@linkcode ReplyRequester.reply} asks. */
  request(request: PermissionRequest): Promise<PermissionAnswer> {
    const key = keyOf(request);
    if (Object.hasOwn(this.#answers, key)) return Promise.resolve(answerOf(this.#answers[key]));
    this.#open = request;
    return Promise.resolve("deny");
  }

  /** The reply that asks, when something is to be asked. */
  get reply(): InputRequiredResult | undefined {
    if (this.#open === undefined) return undefined;
    return inputRequired({
      inputRequests: { [keyOf(this.#open)]: inputRequired.elicit(question(this.#open)) },
    });
  }
}

/** An answer counts for the tool and the canonical path that were asked about, and no other. */
function keyOf({ tool, resolvedPath }: PermissionRequest): string {
  return `${tool} ${resolvedPath}`;
}

function question({ tool, operation, requestedPath, resolvedPath }: PermissionRequest) {
  return {
    message: `${tool} wants to ${operation} outside the workspace\n` +
      `requested: ${printable(requestedPath)}\nresolved: ${printable(resolvedPath)}`,
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
