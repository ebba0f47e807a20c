/**
 * What one checkout answers to the cases: command lines by processes of its own, tool calls by a process that
 * imports its `mod.ts`, and MCP calls by its server.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { TextLineStream } from "./lines.ts";
import { spawn } from "../../tests/support/spawn.ts";
import type { Case } from "./cases.ts";

/** An answer as far as it does not depend on the machine. */
export type Recorded = {
  readonly exit?: number;
  readonly stdout: string;
  readonly stderr?: string;
};

/** The answers, in the order of the cases. */
export async function answersOf(
  checkout: string,
  world: string,
  cases: readonly Case[],
  onProgress: (answered: number) => void = () => {},
): Promise<Recorded[]> {
  const caller = new URL("tool_calls.ts", import.meta.url).pathname;
  await using tools = new Lines([
    ...programOf(checkout).slice(0, -1),
    caller,
    `${checkout}/mod.ts`,
    world,
  ]);
  await using servers = new Servers(checkout, world);
  const answers: Recorded[] = [];
  for (const [index, one] of cases.entries()) {
    answers.push(
      one.by === "command"
        ? await commandAnswer(checkout, world, one)
        : one.by === "tool"
        ? { stdout: await tools.ask(JSON.stringify(one)) }
        : await servers.call(one),
    );
    onProgress(index + 1);
  }
  return answers;
}

/** The command line of a checkout, with time for all reasons of an empty answer where it can be given. */
function programOf(checkout: string): string[] {
  const patience = `${checkout}/tests/support/patience.ts`;
  const preload = existsSync(patience) ? [`--preload=${patience}`] : [];
  return ["run", "-A", "--no-config", ...preload, `${checkout}/cli.ts`];
}

async function commandAnswer(
  checkout: string,
  world: string,
  { workspace, args }: Case & { by: "command" },
): Promise<Recorded> {
  const { code, stdout, stderr } = await spawn(
    Deno.execPath(),
    [...programOf(checkout), ...args],
    { cwd: `${world}/${workspace}`, limit: 60_000 },
  );
  return { exit: code, stdout, stderr };
}

/** A program that answers each line with a line. */
class Lines implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(args: readonly string[], cwd?: string) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      ...(cwd === undefined ? {} : { cwd }),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream()).getReader();
  }

  async ask(line: string): Promise<string> {
    await this.tell(line);
    const { value, done } = await this.#lines.read();
    if (done) throw new Error(`no answer to ${line}`);
    return value;
  }

  async tell(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${line}\n`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
  }
}

/** An MCP server for each workspace. */
class Servers implements AsyncDisposable {
  readonly #servers = new Map<string, Lines>();
  readonly #checkout: string;
  readonly #world: string;
  #id = 0;

  constructor(checkout: string, world: string) {
    this.#checkout = checkout;
    this.#world = world;
  }

  async call({ workspace, tool, input }: Case & { by: "tool" | "mcp" }): Promise<Recorded> {
    const server = await this.#serverOf(workspace);
    const params = { name: tool, arguments: input };
    const answer = JSON.parse(await server.ask(this.#request("tools/call", params)));
    return { stdout: JSON.stringify(answer.result ?? answer.error) };
  }

  async #serverOf(workspace: string): Promise<Lines> {
    const running = this.#servers.get(workspace);
    if (running !== undefined) return running;
    const directory = `${this.#world}/${workspace}`;
    const server = new Lines(
      [...programOf(this.#checkout), "mcp", "--workspace", directory],
      directory,
    );
    this.#servers.set(workspace, server);
    await server.ask(this.#request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "recorder", version: "1" },
    }));
    await server.tell(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return server;
  }

  #request(method: string, params: object): string {
    return JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers.values()) await server[Symbol.asyncDispose]();
  }
}
