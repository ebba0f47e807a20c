/**
 * Searches in parallel never see what another one reads, keeps or may read: on a searcher with a cache, in
 * `mcp`, and in `serve`. `COMPARISONS` in the environment says how many answers are compared
 * (`deno task test:parallel`: 20,000).
 */

import assert from "node:assert/strict";
import {
  GrepTool,
  PathgrepError,
  type PermissionRequest,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { RawServer } from "../mcp/raw_server.ts";
import { wholeText } from "../../src/tools/plain_text.ts";
import type { InternalCallOptions, TextAnswer } from "../../src/tools/tool.ts";
import { encodeRequest, Resident } from "../resident/resident.ts";
import { seeded } from "../support/draw.ts";
import {
  allowedIn,
  compareInParallel,
  type Face,
  type ParallelWorld,
  parallelWorld,
  type Reply,
  type Session,
} from "./parallel_searches.ts";
import { test } from "../support/needs.ts";

/** All in all; of each way to ask, its share. */
const COMPARISONS = Number(Deno.env.get("COMPARISONS") ?? 200);

/** Options of the command line by the keys of a query that stand for a switch or a value. */
const FLAGS: Readonly<Partial<Record<keyof SearchQuery, string>>> = {
  pattern: "-e",
  include: "-g",
  allow: "--allow",
  outputMode: "--output-mode",
  maxResults: "--max-results",
  onOverflow: "--on-overflow",
  offset: "--offset",
  paths: "--paths",
  caseInsensitive: "-i",
  context: "-C",
  encoding: "--encoding",
  text: "-a",
  everything: "--everything",
  multiline: "-U",
  invert: "-v",
  filesWithoutMatch: "-L",
  onlyMatching: "-o",
  column: "--column",
  maxCount: "-m",
  maxFileSize: "--max-file-size",
  sort: "--sort",
  timeout: "--timeout",
};
/** Keys of a query that the tool `grep` has. */
const KEYS: Readonly<Partial<Record<keyof SearchQuery, string>>> = {
  pattern: "pattern",
  path: "path",
  include: "include",
  outputMode: "output_mode",
  offset: "offset",
  paths: "paths",
  caseInsensitive: "case_insensitive",
  context: "context",
  multiline: "multiline",
  onlyMatching: "only_matching",
  everything: "everything",
  maxCount: "max_count",
  sort: "sort",
};
/** More entries are an error at the tool, unless it is told how many it may give. */
const TOOL_RESULTS = 300;

/** A query on the command line. */
function toArgs({ path = [], ...query }: SearchQuery): string[] {
  const args = ["--explain", "never", "--prompt", "never"];
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === false) continue;
    const flag = FLAGS[key as keyof SearchQuery];
    assert.ok(flag !== undefined, key);
    for (const one of [value].flat()) args.push(flag, ...one === true ? [] : [String(one)]);
  }
  return [...args, ...[path].flat()];
}

/** A query as a tool's input, as far as the tool has its keys. */
function toInput(query: SearchQuery): Record<string, unknown> {
  const input: Record<string, unknown> = { max_results: query.maxResults || TOOL_RESULTS };
  for (const [key, name] of Object.entries(KEYS)) {
    const value = query[key as keyof SearchQuery];
    if (value !== undefined) input[name] = value;
  }
  return input;
}

/** An answer, or an error as a reply has it. */
async function replyOf(answer: Promise<SearchResult>): Promise<Reply> {
  try {
    return await answer;
  } catch (error) {
    assert.ok(error instanceof PathgrepError);
    return error.toJSON() as Reply;
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function searcherFace(world: ParallelWorld, cache: "verified" | "watched"): Face {
  const { workspace } = world;
  return {
    fresh: (query) => replyOf(search(query, { workspace })),
    open() {
      const searcher = new Searcher({ workspace, cache });
      return {
        async ask({ query, abortAfter }) {
          const ender = new AbortController();
          if (abortAfter !== undefined) after(abortAfter).then(() => ender.abort());
          return await replyOf(searcher.search(query, { signal: ender.signal }));
        },
        [Symbol.asyncDispose]: () => searcher[Symbol.asyncDispose](),
      };
    },
  };
}

function serveFace(world: ParallelWorld): Face {
  const { workspace } = world;
  return {
    fresh: (query) => replyOf(runSearch(query, { workspace, audience: { caller: "shell" } })),
    open: () => serveSession(world),
  };
}

async function serveSession(world: ParallelWorld): Promise<Session> {
  const { base, ws } = world;
  const tree = { root: ws, base, path: (name: string) => `${ws}/${name}`, write: async () => {} };
  const resident = await Resident.over({ ...tree, async [Symbol.asyncDispose]() {} });
  const server = await resident.start(...allowedIn(world.base).map((glob) => `--allow=${glob}`));
  await world.rewrite(); // a server has read everything before anybody asks
  return {
    async ask({ query, abortAfter }) {
      const args = toArgs(query);
      if (abortAfter !== undefined) return await hangUp(server, args, abortAfter);
      const { code, stdout } = await resident.ask(server, args);
      return code === "declined" ? undefined : JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: () => resident[Symbol.asyncDispose](),
  };
}

/** Asks a server, and is gone before or while it answers. */
async function hangUp(
  { socket, roots }: { socket: string; roots: string[] },
  args: string[],
  abortAfter: number,
): Promise<undefined> {
  const connection = await Deno.connect({ transport: "unix", path: socket });
  const request = { kind: "command", args, workspace: roots, canAsk: false };
  await connection.write(encodeRequest(request));
  await after(abortAfter);
  connection.close();
}

/** What the user says to a question about a path outside: each answer is for one call. */
function answerTo(path: string, base: string): "allow" | "deny" {
  return path === base ? "deny" : "allow";
}

/**
 * A plain text as a reply: its entries, and how it calls them. Notes are said once a session, and totals
 * depend on time.
 */
function replyInText(text: string): Reply {
  const end = text.lastIndexOf("\n\n");
  const [summary] = text.slice(end + 2).split(/;|\n| of | in all/, 1);
  const entries = text.slice(0, Math.max(0, end));
  return { entries, summary, count: end < 0 ? 0 : 1 } as unknown as Reply;
}

function mcpFace({ workspace, ws, base }: ParallelWorld, form: "json" | "text"): Face {
  const permissionRequester = {
    request: ({ resolvedPath }: PermissionRequest) => Promise.resolve(answerTo(resolvedPath, base)),
  };
  return {
    async fresh(query) {
      const tool = new GrepTool({ workspace, permissionRequester });
      const options: InternalCallOptions = { form };
      const answer = await tool.execute(toInput(query), options) as object;
      const isText = form === "text" && !("error" in answer);
      return isText ? replyInText(wholeText(answer as TextAnswer)) : answer as Reply;
    },
    open: () => mcpSession(ws, base, form),
  };
}

/** Reasons are compared, too: a server is to have the time for all of them. */
const PATIENCE = new URL("../support/patience.ts", import.meta.url).pathname;

async function mcpSession(ws: string, base: string, form: "json" | "text"): Promise<Session> {
  const server = new RawServer(ws, ["-A", `--preload=${PATIENCE}`], [], undefined, form);
  await server.initialize({ elicitation: {} });
  let hasEnded = false;
  const answering = (async () => {
    for (;;) {
      const question = await server.message((message) =>
        hasEnded || message["method"] === "elicitation/create"
      );
      if (hasEnded) return;
      server.messages.splice(server.messages.indexOf(question), 1);
      const { message } = question["params"] as { message: string };
      const [, path] = /^resolved: (.*)$/m.exec(message)!;
      const result = { action: "accept", content: { answer: answerTo(path!, base) } };
      await server.send({ jsonrpc: "2.0", id: question.id, result });
    }
  })();
  return {
    async ask({ query, abortAfter }) {
      const id = await server.start("tools/call", { name: "grep", arguments: toInput(query) });
      if (abortAfter !== undefined) {
        await after(abortAfter);
        const params = { requestId: id };
        await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
        return undefined;
      }
      const response = await server.response(id);
      server.messages.splice(server.messages.indexOf(response), 1);
      const { content, isError } = response.result!;
      const { text } = (content as [{ text: string }])[0];
      return form === "text" && !isError ? replyInText(text) : JSON.parse(text);
    },
    async [Symbol.asyncDispose]() {
      hasEnded = true;
      await server.request("ping");
      await answering;
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Ways to ask, and the share of each: to start a server again and again takes most of its time. */
const FACES: Readonly<Record<string, [share: number, of: (world: ParallelWorld) => Face]>> = {
  "a verified searcher": [0.35, (world) => searcherFace(world, "verified")],
  "a watched searcher": [0.35, (world) => searcherFace(world, "watched")],
  "mcp": [0.1, (world) => mcpFace(world, "text")],
  "mcp --structured": [0.1, (world) => mcpFace(world, "json")],
  "serve": [0.1, serveFace],
};

for (const [name, [share, of]] of Object.entries(FACES)) {
  test.slow(
    `random searches in parallel on ${name} answer as each alone does`,
    seeded(async (seed) => {
      await using world = await parallelWorld();
      const least = COMPARISONS * share;
      const { compared, withEntries } = await compareInParallel(world, of(world), least, seed);
      assert.ok(compared >= least && withEntries > least / 3, `${withEntries} of ${compared}`);
    }),
  );
}
