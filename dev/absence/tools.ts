/**
 * Asks each tool the question of a circumstance, in the words that come first, by running it.
 *
 * @module
 */

import { dirname } from "node:path";
import { connect, type Connection } from "../../tests/mcp/clients.ts";
import { hookEvent } from "../../tests/support/hook_event.ts";
import { isOnPath } from "../../tests/support/needs.ts";
import { rgPath } from "../../tests/support/oracles.ts";
import { CHECKOUT, pathgrep } from "../../tests/support/run.ts";
import { spawn, type Spawned } from "../../tests/support/spawn.ts";
import { shellWord } from "../../src/util/text.ts";
import type { Question, Tool } from "./circumstance.ts";
import type { Answer } from "./judge.ts";

/** How pathgrep runs. */
export interface Manner {
  /** Whether it has only its own time to look for reasons, not all that it needs on a busy machine. */
  hasOwnTime?: boolean;
  /** Whether commands run in this process, which has to give them that time. */
  isHere?: boolean;
}

/** Where a question is asked. */
export interface Place extends Manner {
  /** The directory in which the tools are started. */
  cwd: string;
  /** The home directory of who asks. */
  home: string;
  server: Server;
}

/** A client with `pathgrep mcp`, which is told its roots anew for every tree. */
export class Server implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #roots: string[];

  private constructor(connection: Connection, roots: string[]) {
    this.#connection = connection;
    this.#roots = roots;
  }

  static async start({ hasOwnTime }: Manner): Promise<Server> {
    const roots: string[] = [];
    const permissions = ["--allow-read", ...hasOwnTime ? [] : [AMPLE_TIME]];
    const connection = await connect("v2 of 2025", { cwd: "/", permissions, roots: () => roots });
    return new Server(connection, roots);
  }

  async grep(input: Record<string, unknown>, directory: string) {
    const root = `file://${directory}`;
    if (this.#roots[0] !== root) {
      this.#roots.splice(0, 1, root);
      await this.#connection.rootsChanged();
    }
    return await this.#connection.call("grep", input);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}

/** A tool's answer, and how it was asked. */
export interface Asked extends Answer {
  question: string;
}

/** What a model is to send. */
const PROPOSAL = /\bsend (\{.*?\})(?=$|[,.;] )/m;

const AMPLE_TIME = `--preload=${CHECKOUT}dev/absence/ample_time.ts`;

/** The types of ripgrep as globs, for tools that have no types. */
const TYPES: Readonly<Record<string, string>> = { js: "*.js" };

/** The options with which Claude Code runs what it calls `grep`: anthropics/claude-code#89496. */
const CLAUDE_CODE_GREP = [
  ...["-G", "--ignore-files", "--hidden", "-I"],
  ...["git", "svn", "hg", "bzr", "jj", "sl"].map((name) => `--exclude-dir=.${name}`),
];

const COMMANDS: Readonly<Record<"rg" | "grep" | "git grep" | "ugrep", (q: Question) => string[]>> =
  {
    "rg": (q) => ["rg", "-n", ...filters(q), q.pattern, ...q.path ? [q.path] : []],
    "grep": (q) => ["grep", "-rn", q.pattern, q.path ?? ".", ...included(q)],
    "git grep": (q) => {
      const where = [q.path ?? q.glob ?? TYPES[q.type!] ?? []].flat();
      return ["git", "grep", "-n", q.pattern, ...where.length > 0 ? ["--", ...where] : []];
    },
    "ugrep": (
      q,
    ) => ["ugrep", ...CLAUDE_CODE_GREP, "-rn", q.pattern, q.path ?? ".", ...included(q)],
  };

function filters({ glob, type }: Question): string[] {
  return [...glob ? ["-g", glob] : [], ...type ? ["-t", type] : []];
}

function included({ glob, type }: Question): string[] {
  const one = glob ?? TYPES[type!];
  return one ? [`--include=${one}`] : [];
}

/** Whether a tool is here: ripgrep is fetched from npm, the rest has to be installed. */
export function isInstalled(tool: Tool): boolean {
  return tool !== "ugrep" || isOnPath("ugrep");
}

/** Asks a tool. */
export async function ask(tool: Tool, question: Question, place: Place): Promise<Asked> {
  if (tool === "pathgrep") return await askCommand(question, place);
  if (tool === "pathgrep mcp") return await askServer(question, place);
  if (tool === "rg + hook") return await askHook(question, place);
  const { command, ended } = await run(COMMANDS[tool](question), place);
  return { question: command, ...answerOf(ended) };
}

async function run(
  words: readonly string[],
  { cwd, home }: Place,
): Promise<{ command: string; ended: Spawned }> {
  const command = words.map(shellWord).join(" ");
  const env = { ...environment(home), PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` };
  return { command, ended: await spawn("bash", ["-c", command], { cwd, env, limit: 60_000 }) };
}

/** Variables that keep a user's own settings out. */
export function environment(home: string): Record<string, string> {
  return {
    ...{ HOME: home, XDG_CONFIG_HOME: `${home}/.config`, LC_ALL: "C.UTF-8", NO_COLOR: "1" },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", RIPGREP_CONFIG_PATH: "" },
  };
}

/** That a binary file matches is no match, but says where one is. */
function answerOf({ stdout, stderr }: Spawned): Answer {
  const lines = Object.groupBy(
    stdout.split("\n"),
    (line) => /binary file .*matches/i.test(line) ? "said" : "shown",
  );
  return {
    shown: (lines.shown ?? []).join("\n"),
    said: [...lines.said ?? [], stderr].join("\n"),
  };
}

/** What was not searched is part of what was: neither does it say that something is missing, nor where. */
const SCOPE = /\b(?:was|were) not searched\b/;

async function askCommand(question: Question, place: Place): Promise<Asked> {
  const { pattern, path } = question;
  const words = [...filters(question), pattern, ...path ? [path] : []];
  const { stdout } = await start(words, place);
  const { matches = [], notes = [], not_shown: missing, error, hint, suggestions } = JSON.parse(
    stdout,
  );
  const said = [
    error,
    hint,
    suggestions,
    missing,
    ...notes.filter((note: string) => !SCOPE.test(note)),
  ];
  return {
    question: ["pathgrep", ...words].map(shellWord).join(" "),
    shown: matches.map((match: object) => JSON.stringify(match)).join("\n"),
    said: said.filter((part) => part !== undefined)
      .map((part) => typeof part === "string" ? part : JSON.stringify(part)).join("\n"),
  };
}

async function start(words: readonly string[], place: Place, stdin = ""): Promise<Spawned> {
  const { cwd, home, hasOwnTime, isHere } = place;
  if (isHere) return await pathgrep(words, { cwd, stdin });
  const permissions = ["-A", ...hasOwnTime ? [] : [AMPLE_TIME]];
  const env = { ...environment(home), DENO_DIR: await denoDirectory() };
  return await pathgrep(words, { cwd, stdin, env, permissions, limit: 60_000 });
}

let directory: Promise<string> | undefined;

function denoDirectory(): Promise<string> {
  return directory ??= spawn(Deno.execPath(), ["info", "--json"])
    .then(({ stdout }) => JSON.parse(stdout).denoDir);
}

async function askServer(question: Question, { cwd, server }: Place): Promise<Asked> {
  const { pattern, path, glob, type } = question;
  const input = { pattern, ...path && { path }, ...glob && { include: glob }, ...type && { type } };
  const { text, isError } = await server.grep(input, cwd);
  const answer = isError ? { shown: "", said: text } : parted(text);
  const [, proposal] = PROPOSAL.exec(answer.said) ?? [];
  const then = proposal && await server.grep({ ...input, ...JSON.parse(proposal) }, cwd);
  return { question: JSON.stringify(input), ...answer, ...then && { then: then.text } };
}

/** A text answer without the line that says what was searched. */
function parted(text: string): Answer {
  const lines = text.split("\n");
  const scope = lines.findIndex((line) => /^(?:no matches|\d.* match.*); searched /.test(line));
  const said = lines.slice(scope + 1).filter((line) => !SCOPE.test(line));
  return { shown: lines.slice(0, scope).join("\n"), said: said.join("\n") };
}

async function askHook(question: Question, place: Place): Promise<Asked> {
  const { command, ended } = await run(COMMANDS.rg(question), place);
  const { shown, said } = answerOf(ended);
  const { stdout } = await start(["hook"], place, hookEvent(command, place.cwd, ended));
  const more = stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  return { question: command, shown, said: `${said}\n${more}` };
}
