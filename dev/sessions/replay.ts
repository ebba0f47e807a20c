/**
 * Makes the calls of a session again.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { wholeText } from "../../src/tools/plain_text.ts";
import type { InternalCallOptions, TextAnswer } from "../../src/tools/tool.ts";
import { otherServers } from "../bench/trees.ts";
import { tokens } from "../cost/measures.ts";
import { rgPath } from "../../tests/support/oracles.ts";
import { type RipgrepCall, ripgrepCalls, shellCommand } from "./mcp_ripgrep.ts";

/** A call of `grep`, `glob` or `read_file`. */
export interface ToolCall {
  tool: string;
  arguments: Record<string, unknown>;
}

/** What an agent typed. */
export type Call = { command: string } | ToolCall;

/** What it read then. */
export interface Answered {
  call: Call;
  /** `shell` or the tool. */
  kind: string;
  text: string;
  tokens: number;
}

/** Answers a call as one way to search does. */
export type Form = (call: Call) => Promise<string>;

/** Characters after which hosts cut what a tool or a command says. */
const CUT = 30_000;

/** Every way to search. */
export interface Forms extends AsyncDisposable {
  rg: Form;
  pathgrep: Form;
  "mcp-ripgrep": Form;
}

/** The answers to a session's calls, in order. */
export async function replay(calls: readonly Call[], form: Form): Promise<Answered[]> {
  const answers = [];
  for (const call of calls) {
    const text = (await form(call)).slice(0, CUT);
    const kind = "tool" in call ? call.tool : "shell";
    answers.push({ call, kind, text, tokens: tokens(text) });
  }
  return answers;
}

/** Opens the directory that the agents worked in. */
export async function openForms(checkouts: string): Promise<Forms> {
  const root = await Deno.realPath(checkouts);
  const directory = (await rgPath()).replace(/\/[^/]*$/, "");
  const env = { ...Deno.env.toObject(), PATH: `${directory}:${Deno.env.get("PATH")}` };
  const registry = ToolRegistry.of({ workspace: await Workspace.open(root) });
  let server: Promise<Client> | undefined;
  const shell = async (command: string): Promise<string> => {
    // `rg` without a path would search a pipe as standard input.
    const { stdout, stderr } = await new Deno.Command("bash", {
      args: ["-c", command],
      cwd: root,
      env,
      stdin: "null",
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  const askRipgrep = async ({ name, input }: RipgrepCall): Promise<string> => {
    server ??= startMcpRipgrep(root, env);
    const { content } = await (await server).callTool({ name, arguments: input });
    return content.map((part) => "text" in part ? part.text : "").join("");
  };
  return {
    rg: (call) => shell((call as { command: string }).command),
    async pathgrep(call) {
      const { tool, arguments: input } = call as ToolCall;
      const options: InternalCallOptions = { form: "text" };
      const answer = await registry.execute(tool, input, options);
      return "error" in answer ? JSON.stringify(answer) : wholeText(answer as object as TextAnswer);
    },
    async "mcp-ripgrep"(call) {
      const asked = call as ToolCall;
      if (asked.tool === "read_file") return await shell(shellCommand(asked.arguments));
      const texts = [];
      for (const each of ripgrepCalls(asked)) texts.push(await askRipgrep(each));
      return texts.join("\n");
    },
    async [Symbol.asyncDispose]() {
      await (await server)?.close();
    },
  };
}

async function startMcpRipgrep(cwd: string, env: Record<string, string>): Promise<Client> {
  const args = [(await otherServers()).ripgrep];
  const client = new Client({ name: "sessions", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: "node", args, cwd, env, stderr: "ignore" }),
  );
  return client;
}
