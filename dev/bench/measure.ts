/**
 * Running programs side by side: wall times in pairs, peak memory, ripgrep's answers.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { buildPackage } from "../../npm/build.ts";
import { nodeDirectories } from "../../tests/support/nodes.ts";
import { rgPath } from "../../tests/support/oracles.ts";
import type { Tree } from "./trees.ts";

/** What makes ripgrep read the same files as pathgrep does. */
export const RIPGREP_FLAGS: readonly string[] = [
  ..."--no-config --hidden -g !.git --no-require-git --no-ignore-parent --no-ignore-global --json"
    .split(" "),
  ..."--max-filesize 1048576".split(" "),
];

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The command line's entry point. */
export const CLI: string = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const TIME = "/usr/bin/time";

/** The command from the sources, in Deno. */
export const IN_DENO: CommandLine = [Deno.execPath(), "run", "--no-config", "-A", CLI];

let inNode: Promise<CommandLine> | undefined;

/** The command of the npm package, built once, in the newest Node.js of the tests. */
export function inNodeJs(): Promise<CommandLine> {
  return inNode ??= (async () => {
    const directory = await Deno.makeTempDir();
    globalThis.addEventListener("unload", () => Deno.removeSync(directory, { recursive: true }));
    await buildPackage(directory);
    return [await newestNode(), `${directory}/pathgrep.cjs`];
  })();
}

async function newestNode(): Promise<string> {
  return `${(await nodeDirectories()).at(-1)}/node`;
}

/** The command lines of both programs for one pattern with its options. */
export async function commandLines(
  tree: Tree,
  pattern: readonly string[],
  file?: string,
  start: CommandLine = IN_DENO,
): Promise<[ours: CommandLine, theirs: CommandLine]> {
  // ripgrep does not look for the reasons of an empty answer.
  const answer = ["--format", "jsonl", "--max-results", "100000000", "--explain", "never"];
  const ours = [...pattern, "--workspace", tree.path, ...answer];
  const flags = file === undefined ? RIPGREP_FLAGS : ["--no-config", "--json"];
  return [
    [...start, ...ours, ...(file === undefined ? [] : [file])],
    [await rgPath(), ...flags, ...pattern, file === undefined ? tree.path : `${tree.path}/${file}`],
  ];
}

/** The command lines of both programs for the names of all files. */
export async function listingLines(
  tree: Tree,
): Promise<[ours: CommandLine, theirs: CommandLine]> {
  const answer = ["--format", "jsonl", "--max-results", "100000000", "--explain", "never"];
  const flags = RIPGREP_FLAGS.filter((flag) => !/^--json|^--max|^\d/.test(flag));
  return [
    [...IN_DENO, "files", "--workspace", tree.path, ...answer],
    [await rgPath(), "--files", ...flags, tree.path],
  ];
}

/** The command line of a program that only reads what ours reads. */
export function bareLine(tree: Tree, file?: string): CommandLine {
  const script = fileURLToPath(new URL("./bare.ts", import.meta.url));
  const path = file === undefined ? tree.path : `${tree.path}/${file}`;
  return [Deno.execPath(), "run", "-A", script, path];
}

/** Runs a program with its output in a file; wall milliseconds and the output. */
export async function run(line: CommandLine): Promise<{ ms: number; output: () => string }> {
  const file = await Deno.makeTempFile();
  const start = performance.now();
  const { code } = await new Deno.Command("sh", {
    args: ["-c", `exec "$@" > ${file}`, "sh", ...line],
    stderr: "inherit",
  }).output();
  const ms = performance.now() - start;
  if (code > 1) throw new Error(`${line.join(" ")} failed with ${code}`);
  const text = await Deno.readTextFile(file);
  await Deno.remove(file);
  return { ms, output: () => text };
}

/** The status of the server that {@linkcode withServer} starts. */
export interface ServerStatus {
  memory_bytes: number;
}

/**
 * Runs an action while `pathgrep serve` keeps a tree.
 *
 * @param action gets what asks for the server's status
 */
export async function withServer<T>(
  tree: Tree,
  action: (status: () => Promise<ServerStatus>) => Promise<T>,
): Promise<T> {
  const runtime = await Deno.makeTempDir();
  Deno.env.set("XDG_RUNTIME_DIR", runtime);
  const serve = (action: string) =>
    [
      Deno.execPath(),
      "run",
      "--no-config",
      "-A",
      CLI,
      "serve",
      action,
      "--workspace",
      tree.path,
    ] as const;
  try {
    await run(serve("--background"));
    const status = async () => JSON.parse((await run(serve("--status"))).output());
    while (!(await status()).ready);
    return await action(status);
  } finally {
    await run(serve("--stop"));
    Deno.env.delete("XDG_RUNTIME_DIR");
    await Deno.remove(runtime, { recursive: true });
  }
}

/** Peak resident size of a program in megabytes; nothing without GNU time. */
export async function peakMegabytes([program, ...args]: CommandLine): Promise<number | undefined> {
  const file = await Deno.makeTempFile();
  try {
    const command = new Deno.Command(TIME, {
      args: ["-f", "%M", "-o", file, program, ...args],
      stdout: "null",
    });
    await command.output();
    const last = (await Deno.readTextFile(file)).trim().split("\n").at(-1)!;
    return Number(last) / 1000;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    await Deno.remove(file);
  }
}

/** `path:line` of every match, from pathgrep's rows or ripgrep's. */
export function linesFound(output: string): Set<string> {
  const found = new Set<string>();
  for (const row of output.split("\n")) {
    if (row === "") continue;
    const { type, file, line_number, data } = JSON.parse(row);
    if (type === "match") found.add(`${file ?? data.path.text}:${line_number ?? data.line_number}`);
  }
  return found;
}

/** The paths of all files, from pathgrep's rows or ripgrep's lines. */
export function namesFound(output: string, { path }: Tree): Set<string> {
  const lines = output.split("\n").filter((line) => line !== "");
  const names = lines.map((line) => line.startsWith("{") ? JSON.parse(line).file : line);
  return new Set(
    names.filter((name) => name !== undefined).map((name) => name.replace(`${path}/`, "")),
  );
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A figure with so many digits after the point. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** What figures are measured on. */
export async function machine(): Promise<string> {
  const versionOf = async (program: string) => {
    const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
    return /\d\S*/.exec(new TextDecoder().decode(stdout))![0];
  };
  const [ripgrep, node] = [await versionOf(await rgPath()), await versionOf(await newestNode())];
  const system = { linux: "Linux", darwin: "macOS", windows: "Windows" }[Deno.build.os as string];
  return `${navigator.hardwareConcurrency} cores, ${system}, Deno ${Deno.version.deno}, ` +
    `Node.js ${node}, ripgrep ${ripgrep}`;
}
