/**
 * What the answers of tools cost in each form, and what the definitions of the tools cost in every
 * conversation: tables of the guide to costs, and its picture.
 *
 * @module
 */

import { GrepTool, toolDefinitions, Workspace } from "../../mod.ts";
import { structuredResult } from "../../src/mcp/server.ts";
import { wholeText } from "../../src/tools/plain_text.ts";
import type { InternalCallOptions, TextAnswer, Tool } from "../../src/tools/tool.ts";
import { dotPlot } from "../../tests/support/plot.ts";
import { tempTree } from "../../tests/support/tree.ts";
import { project } from "./project.ts";
import type { Measure } from "./measures.ts";
import { atUsualRoot, ripgrep, table } from "./tables.ts";

/** Usual calls, and ripgrep's arguments for the same. */
const CALLS: readonly (readonly [name: string, input: { pattern: string }, ...args: string[]])[] = [
  ["`class OrdersService`", { pattern: "class OrdersService" }],
  ["`parsePrice\\(`", { pattern: "parsePrice\\(" }],
  ["`TODO\\|FIXME`", { pattern: "TODO|FIXME" }],
  ["`throw new`, context 2", { pattern: "throw new", context: 2 } as { pattern: string }, "-C2"],
  ["`^import`", { pattern: "^import" }],
  ["`cartTotal`, a bundle among its files", { pattern: "cartTotal" }],
];

const FORMS = ["`mcp`", "without enclosing lines", "files only", "as JSON", "as concise JSON"];
const OTHERS = ["`mcp --structured`", "`rg --heading -n`", "`rg --json`"];

/** Each call's name with its answers: those of `grep` in each form, and ripgrep's. */
export async function usualAnswers(): Promise<readonly (readonly string[])[]> {
  await using tree = await tempTree(project());
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const rows = [];
  for (const [name, input, ...args] of CALLS) {
    const plain = { ...input, show_function: "never" };
    const relative = { ...plain, paths: "relative" };
    const json = await grep.execute(relative);
    const { content, structuredContent } = structuredResult(json);
    const { pattern } = input;
    const answers = [
      await textOf(grep, input),
      await textOf(grep, plain),
      await textOf(grep, { pattern, output_mode: "file" }),
      JSON.stringify(json),
      JSON.stringify(await grep.execute({ ...relative, response_format: "concise" })),
      textIn(content) + JSON.stringify(structuredContent),
      await ripgrep(["--heading", "-n", ...args, pattern], tree.root),
      await ripgrep(["--json", ...args, pattern], tree.root),
    ];
    rows.push([name, ...answers.map((answer) => atUsualRoot(answer, tree.root))]);
  }
  return rows;
}

/** How long these answers are. */
export function answersTable(
  rows: readonly (readonly string[])[],
  measure: Measure,
): string {
  return table([
    ["call", ...FORMS, ...OTHERS],
    ...rows.map(([name, ...answers]) => [name!, ...answers.map((text) => shown(measure(text)))]),
  ]);
}

/** Draws the table: an agent's text and JSON beside ripgrep's. */
export function drawAnswers(markdown: string): string {
  const [head, , ...rows] = markdown.trim().split("\n").map((row) =>
    row.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim())
  );
  const drawn = ["`mcp`", "as JSON", "`rg --heading -n`", "`rg --json`"];
  return dotPlot({
    title: "Tokens per answer",
    description: "Over MCP, an answer has hardly more tokens than ripgrep's text, and far fewer " +
      "where a line is long; as JSON, it has fewer than that of ripgrep.",
    source: "searches of a TypeScript project of 58 files; rg -n with --heading",
    axis: "tokens (logarithmic)",
    columns: [
      { name: "MCP", mark: "dot", format: shown },
      { name: "JSON", mark: "diamond", format: shown },
      { name: "rg -n", mark: "ring", format: shown },
      { name: "rg --json", mark: "lozenge", format: shown },
    ],
    groups: [{
      name: "",
      rows: rows.map((cells) => ({
        name: cells[0]!.replace(/`|\\(?=\|)/g, "").replace(/,.*bundle.*/, ", in a bundle"),
        values: drawn.map((name) => Number(cells[head!.indexOf(name)]!.replaceAll(",", ""))),
      })),
    }],
  });
}

/** What MCP sends. */
async function textOf(tool: Tool, input: object): Promise<string> {
  const options: InternalCallOptions = { form: "text" };
  return wholeText(await tool.execute(input, options) as object as TextAnswer);
}

function textIn(content: readonly { type: string }[]): string {
  return content.map((part) => "text" in part ? part.text : "").join("");
}

/** How long the definitions of all tools are, in every form. */
export function definitionsTable(measure: Measure): string {
  const tools = toolDefinitions("json-schema").map(({ name }) => String(name));
  const rows = [["definitions", "all", ...tools.map((name) => `\`${name}\``)]];
  const add = (name: string, definitions: readonly object[]) => {
    const sizes = definitions.map((definition) => measure(JSON.stringify(definition)));
    rows.push([name, ...[measure(JSON.stringify(definitions)), ...sizes].map(shown)]);
  };
  add("`mcp`", toolDefinitions("mcp"));
  add("`mcp --structured`", toolDefinitions("mcp", { structured: true }));
  for (const format of ["anthropic", "openai", "gemini"] as const) {
    add(`\`${format}\``, toolDefinitions(format));
  }
  return table(rows);
}

function shown(size: number): string {
  return size.toLocaleString("en");
}
