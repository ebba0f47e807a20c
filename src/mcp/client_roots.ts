/**
 * Requests a client's roots, and waits no longer than a user would.
 *
 * @module
 */

import { printable, shortened } from "../util/escape.ts";
import { turn } from "../util/turn.ts";
import type { Server } from "./sdk.ts";
import type { StandardSchemaV1 } from "./sdk_types.ts";

export interface NamedRoots {
  /** The URIs that the client named last. */
  uris: readonly string[];
  /** Why there is no newer answer, if one is due. */
  problem?: string;
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
