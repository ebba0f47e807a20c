/**
 * Beside other tools that agents search with: MCP servers, each called through the official client, and
 * `csearch`, whose index is made once and not kept up to date.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { rgPath } from "../../tests/support/oracles.ts";
import { CLI, type CommandLine, commandLines, median, run, withServer } from "./measure.ts";
import { otherServers, type Tree } from "./trees.ts";

/** Names in few files and in none, alternations, classes: an answer fits one call. */
const PATTERNS = [
  "isPlainObject",
  "parseISO",
  "TODO|FIXME",
  "function\\s+\\w+Error",
  "not_in_any_of_these_files",
];
/** A glob whose files are few. */
const GLOB = "**/*parseISO*";
/** Milliseconds that a server has to finish what its first answers began. */
const SETTLE_MS = 10_000;

/** One line of the table. */
interface Row {
  name: string;
  other: string;
  ratios: number[];
  ours: number[];
  theirs: number[];
}

/** A server and its client. */
interface Session extends AsyncDisposable {
  /** Milliseconds of a call. */
  time(tool: string, input: Record<string, unknown>): Promise<number>;
  pid: number;
}

async function session(line: CommandLine, env: Record<string, string> = {}): Promise<Session> {
  const [command, ...args] = line;
  const all = { ...Deno.env.toObject(), ...env };
  const transport = new StdioClientTransport({ command, args, env: all, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return {
    pid: transport.pid!,
    async time(name, input) {
      const start = performance.now();
      const { isError, content } = await client.callTool({ name, arguments: input });
      if (isError) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
      return performance.now() - start;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Times two actions in turn. */
async function inPairs(
  row: Row,
  pairs: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<void> {
  await ours();
  await theirs();
  for (let pair = 0; pair < pairs; pair++) {
    row.ours.push(await ours());
    row.theirs.push(await theirs());
    row.ratios.push(row.ours.at(-1)! / row.theirs.at(-1)!);
  }
}

/** Calls of `pathgrep mcp` beside those of other servers. */
async function servers({ path, files }: Tree, pairs: number): Promise<[Row[], string]> {
  const { ripgrep, filesystem } = await otherServers();
  const directory = (await rgPath()).replace(/\/[^/]*$/, "");
  const withRg = { PATH: `${directory}:${Deno.env.get("PATH")}` };
  await using ours = await session([
    Deno.execPath(),
    "run",
    "--no-config",
    "-A",
    CLI,
    "mcp",
    "--workspace",
    path,
  ]);
  await using rg = await session(["node", ripgrep], withRg);
  await using names = await session(["node", filesystem, path]);
  const grep = emptyRow(`MCP \`grep\`, ${files} files`, "`search` of mcp-ripgrep");
  const limits = { max_results: 100_000, max_output_chars: 1_000_000 };
  await ours.time("grep", { pattern: PATTERNS[0], ...limits });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  for (const pattern of PATTERNS) {
    await inPairs(
      grep,
      pairs,
      () => ours.time("grep", { pattern, ...limits }),
      () => rg.time("search", { pattern, path }),
    );
  }
  const glob = emptyRow(`MCP \`glob\`, ${files} files`, "`search_files` of the filesystem server");
  await inPairs(
    glob,
    pairs,
    () => ours.time("glob", { pattern: GLOB }),
    () => names.time("search_files", { path, pattern: GLOB }),
  );
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const [held, theirs] = [ours, names].map(({ pid }) => residentMegabytes(pid));
  const memory =
    `At rest after these calls on ${files} files \`pathgrep mcp\` holds ${held} MB, the ` +
    `filesystem server ${theirs} MB.`;
  return [[grep, glob], memory];
}

/** Whole commands with `serve` beside `csearch`; nothing where that is not installed. */
async function csearch(tree: Tree, pairs: number): Promise<Row[]> {
  const directory = await Deno.makeTempDir();
  Deno.env.set("CSEARCHINDEX", `${directory}/index`);
  try {
    await run(["cindex", tree.path]);
    const row = emptyRow(`command with \`serve\`, ${tree.files} files`, "`csearch`");
    await withServer(tree, async () => {
      for (const pattern of PATTERNS) {
        const [ours] = await commandLines(tree, [pattern]);
        await inPairs(
          row,
          pairs,
          async () => (await run(ours)).ms,
          async () => (await run(["csearch", "-n", pattern])).ms,
        );
      }
    });
    return [row];
  } catch (error) {
    if (String(error).includes("failed with 127")) return [];
    throw error;
  } finally {
    Deno.env.delete("CSEARCHINDEX");
    await Deno.remove(directory, { recursive: true });
  }
}

function emptyRow(name: string, other: string): Row {
  return { name, other, ratios: [], ours: [], theirs: [] };
}

/** What a process and its threads hold, in megabytes. */
function residentMegabytes(pid: number): string {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return (Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024 / 1e6).toFixed(0);
}

/** The table. */
export async function besideOthers(tree: Tree, pairs: number): Promise<string> {
  const [rows, memory] = await servers(tree, pairs);
  rows.push(...await csearch(tree, pairs));
  const lines = rows.map(({ name, other, ratios, ours, theirs }) => {
    const spread = `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`;
    const figures = [median(ratios).toFixed(2), spread];
    for (const times of [ours, theirs]) figures.push(median(times).toFixed(0));
    return `| ${[name, other, ...figures].join(" | ")} |`;
  });
  const head = "| | beside | time / the other's | spread | ms | the other's |";
  return [head, "| --- | --- | ---: | --- | ---: | ---: |", ...lines, "", memory].join("\n");
}
