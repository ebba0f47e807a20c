/**
 * A workspace with a resident search of its own.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  callResident,
  type CommandRequest,
  type Request,
  type VersionedRequest,
} from "../../src/resident/protocol.ts";
import manifest from "../../deno.json" with { type: "json" };
import { CHECKOUT } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const CLI = `${CHECKOUT}cli.ts`;
const decoder = new TextDecoder();

type SpawnEnv = Record<string, string>;

/** A request as the client of this version sends it. */
export function encodeRequest(request: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(
    `${JSON.stringify({ version: manifest.version, ...request })}\n`,
  );
}

/** A workspace, and a directory of sockets of its own. */
export class Resident implements AsyncDisposable {
  readonly tree: Tree;
  readonly runtime: string;

  private constructor(tree: Tree, runtime: string) {
    this.tree = tree;
    this.runtime = runtime;
  }

  static async on(files: Parameters<typeof tempTree>[0]): Promise<Resident> {
    return await Resident.over(await tempTree(files));
  }

  /** On a tree that is there; it goes with the server. */
  static async over(tree: Tree): Promise<Resident> {
    return new Resident(tree, await Deno.makeTempDir({ prefix: "pg_" }));
  }

  command(args: readonly string[], cwd = this.tree.root, env: SpawnEnv = {}): Deno.Command {
    return new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", CLI, ...args],
      cwd,
      env: { XDG_RUNTIME_DIR: this.runtime, NO_COLOR: "1", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
  }

  async run(args: readonly string[], stdin = "", env: SpawnEnv = {}) {
    const child = this.command(args, this.tree.root, env).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** Starts a server and waits until it has read everything. */
  async start(...args: string[]) {
    const { code, stdout, stderr } = await this.run(["serve", "--background", ...args]);
    assert.equal(code, 0, stdout + stderr);
    for (let status = JSON.parse(stdout);; status = await this.status(args)) {
      assert.ok(status.running, "the server has ended before it was ready");
      if (status.ready) return status;
    }
  }

  /** What the server of a status answers to a command; `declined` where it leaves it to its client. */
  async ask(
    { socket, roots }: { socket: string; roots: string[] },
    args: readonly string[],
    more: Partial<CommandRequest> & Pick<VersionedRequest, "version"> = {},
  ) {
    const output = { stdout: "", stderr: "" };
    // A frame may end in the middle of a character.
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const command = { args: [...args], workspace: roots, canAsk: false };
    const request: Request = { kind: "command", ...command, ...more };
    const onOutput = (stream: "stdout" | "stderr", bytes: Uint8Array) => {
      output[stream] += decoders[stream].decode(bytes, { stream: true });
      return true;
    };
    const code = await callResident(socket, { request, timeout: 60_000, onOutput });
    return { code: code ?? "declined", ...output };
  }

  /** @param args of the server that is meant */
  async status(args: readonly string[] = []) {
    return JSON.parse((await this.run(["serve", "--status", ...args])).stdout);
  }

  /** Waits until no server runs. */
  async ended(): Promise<void> {
    while ((await this.status()).running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(["serve", "--stop"]).catch(() => {});
    await Deno.remove(this.runtime, { recursive: true });
    await this.tree[Symbol.asyncDispose]();
  }
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    // A child of nobody may stay as a zombie where no init process reaps it.
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
