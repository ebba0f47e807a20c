/**
 * What the answers of tools cost in each form, and what the definitions of the tools cost in every
 * conversation: tables of the guide to costs.
 *
 * @module
 */

import { GrepTool, ReadFileTool, toolDefinitions, Workspace } from "../../mod.ts";
import { structuredResult } from "../../src/mcp/call_result.ts";
import { wholeText } from "../../src/tools/plain_text.ts";
import type { InternalCallOptions, TextAnswer, Tool } from "../../src/tools/tool.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { project } from "./project.ts";
import { characters, ripgrep, table } from "./tables.ts";

/** Usual calls, and ripgrep's arguments for the same. */
const CALLS: readonly (readonly [name: string, input: { pattern: string }, ...args: string[]])[] = [
  ["`class OrdersService`", { pattern: "class OrdersService" }],
  ["`parsePrice\\(`", { pattern: "parsePrice\\(" }],
  ["`TODO\\|FIXME`", { pattern: "TODO|FIXME" }],
  ["`throw new`, context 2", { pattern: "throw new", context: 2 } as { pattern: string }, "-C2"],
  ["`^import`", { pattern: "^import" }],
  ["`cartTotal`, a bundle among its files", { pattern: "cartTotal" }],
];

/** Characters per answer of `grep`: over MCP, as JSON, and with `--structured`. */
export async function toolAnswersTable(): Promise<string> {
  await using tree = await tempTree(project());
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const plain = { show_function: "never" };
  const rows = [[
    "call",
    ...["`mcp`", "without enclosing lines", "as JSON", "as concise JSON", "`mcp --structured`"],
    "`rg --heading -n`",
  ]];
  for (const [name, input, ...args] of CALLS) {
    const relative = { ...input, ...plain, paths: "relative" };
    const json = await grep.execute(relative);
    const concise = await grep.execute({ ...relative, response_format: "concise" });
    const { content, structuredContent } = structuredResult(json);
    const answers = [
      await textOf(grep, input),
      await textOf(grep, { ...input, ...plain }),
      JSON.stringify(json),
      JSON.stringify(concise),
      textIn(content) + JSON.stringify(structuredContent),
    ];
    const row = [name, ...answers.map((answer) => characters(answer, tree.root))];
    const theirs = await ripgrep(["--heading", "-n", ...args, input.pattern], tree.root);
    rows.push([...row, characters(theirs, tree.root)]);
  }
  return table(rows);
}

/** What MCP sends. */
async function textOf(tool: Tool, input: object): Promise<string> {
  const options: InternalCallOptions = { form: "text" };
  return wholeText(await tool.execute(input, options) as object as TextAnswer);
}

/** Lines of a file of some 180, by their numbers. */
const READINGS: readonly (readonly [name: string, path: string, range: string])[] = [
  ["the whole file, # lines", "src/orders.ts", "1,$"],
  ["`src/orders.ts:100-139`", "src/orders.ts:100-139", "100,139"],
];

/** Characters of lines that are read: by `read_file`, and by the commands of a shell. */
export async function readingTable(): Promise<string> {
  const sources = Object.entries(project()).filter(([path]) => /^packages.orders.src/.test(path));
  const text = sources.map(([, source]) => source).join("\n");
  await using tree = await tempTree({ "src/orders.ts": text });
  const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
  const rows = [["lines", "`mcp`", "as JSON", "`cat -n`", "`sed -n`"]];
  for (const [name, path, range] of READINGS) {
    const sed = await spawn("sed", ["-n", `${range}p`, "src/orders.ts"], { cwd: tree.root });
    const script = `cat -n src/orders.ts | sed -n '${range}p'`;
    const cat = await spawn("sh", ["-c", script], { cwd: tree.root });
    const json = JSON.stringify(await tool.execute({ path }));
    const answers = [await textOf(tool, { path }), json, cat.stdout, sed.stdout];
    const count = String(sed.stdout.split("\n").length - 1);
    const sizes = answers.map((answer) => characters(answer, tree.root));
    rows.push([name.replace("#", count), ...sizes]);
  }
  return table(rows);
}

function textIn(content: readonly { type: string }[]): string {
  return content.map((part) => "text" in part ? part.text : "").join("");
}

/** Characters of the definitions of all tools, in every form. */
export function definitionsTable(): string {
  const tools = toolDefinitions("json-schema").map(({ name }) => String(name));
  const rows = [["definitions", "all", ...tools.map((name) => `\`${name}\``)]];
  const add = (name: string, definitions: readonly object[]) => {
    const sizes = definitions.map((definition) => JSON.stringify(definition).length);
    const shown = [JSON.stringify(definitions).length, ...sizes];
    rows.push([name, ...shown.map((size) => size.toLocaleString("en"))]);
  };
  add("`mcp`", toolDefinitions("mcp"));
  add("`mcp --structured`", toolDefinitions("mcp", { structured: true }));
  for (const format of ["anthropic", "openai", "gemini"] as const) {
    add(`\`${format}\``, toolDefinitions(format));
  }
  return table(rows);
}
