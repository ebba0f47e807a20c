/**
 * What an answer costs the agent that reads it, and what becomes of its calls: the tables of the README.
 *
 * @module
 */

import assert from "node:assert/strict";
import { rgPath } from "../support/oracles.ts";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";
import { openShop, type Outcome } from "./make_call.ts";
import { project } from "./project.ts";
import { SLIPS } from "./malformed_calls.ts";

/** A root of usual length, whatever that of the temporary directory is. */
const ROOT = "/home/you/project";

/** Usual searches, in the words of both programs. */
const QUERIES: readonly (readonly [name: string, ...args: string[]])[] = [
  ["where a class is: `class OrdersService`", "class OrdersService"],
  ["who uses a function: `parsePrice\\(`", "parsePrice\\("],
  ["in one file: `throw new`", "throw new", "packages/orders/src/service.ts"],
  ["what is left to do: `TODO\\|FIXME`", "TODO|FIXME"],
  ["errors, in context: `-C 2 'throw new'`", "-C2", "throw new"],
  ["every import: `^import`", "^import"],
  ["a name that a bundle has: `cartTotal`", "cartTotal"],
  ["what is not there: `cartTotals`", "cartTotals"],
];

/** Ways to ask for an answer. */
const FORMS: readonly (readonly [name: string, ...args: string[]])[] = [
  ["json", "--format", "json"],
  ["json, relative", "--format", "json", "--paths", "relative"],
  ["jsonl, relative", "--format", "jsonl", "--paths", "relative"],
  ["text", "--format", "text"],
  ["file mode", "-l", "--paths", "relative"],
  ["count mode", "-c", "--paths", "relative"],
];
const RG_FORMS: typeof FORMS = [["`rg --json`", "--json"], ["`rg -n`", "-n", "--no-heading"]];

/** Characters per answer, a row for each query. */
export async function answersTable(): Promise<string> {
  await using tree = await tempTree(project());
  const rows: string[][] = [["search", ...[...FORMS, ...RG_FORMS].map(([name]) => name)]];
  for (const [name, ...query] of QUERIES) {
    const row = [name];
    for (const [, ...form] of FORMS) {
      const { code, stdout, stderr } = await pathgrep([...form, ...query], { cwd: tree.root });
      assert.ok(code < 2, stdout + stderr);
      row.push(characters(stdout, tree.root));
    }
    for (const [, ...form] of RG_FORMS) {
      row.push(characters(await ripgrep([...form, ...query], tree.root), tree.root));
    }
    rows.push(row);
  }
  return table(rows);
}

async function ripgrep(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(await rgPath(), {
    args: ["--no-config", "--sort", "path", ...args],
    cwd,
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(code < 2, err);
  // How long it took is not always as many digits.
  const elapsed = '{"secs":0,"nanos":100000,"human":"0.000100s"}';
  return out!.replace(/(?<="elapsed(?:_total)?":)\{[^}]*\}/g, elapsed);
}

/** How many an answer has, with its root in the place of the temporary one. */
function characters(answer: string, root: string): string {
  return answer.replaceAll(root, ROOT).length.toLocaleString("en");
}

const OUTCOMES: readonly Outcome[] = ["at once", "note", "fix", "no fix"];

/** What becomes of calls that are not quite right, a row for each kind. */
export async function slipsTable(): Promise<string> {
  await using shop = await openShop();
  const kinds = Object.entries(SLIPS);
  const sums = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
  const rows: string[][] = [
    [
      "what is wrong",
      "calls",
      "answered at once",
      "answered, with a note",
      "told what to send",
      "left alone",
    ],
  ];
  for (const [kind, slips] of kinds) {
    const counts = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
    for (const slip of slips) {
      const outcome = shop.outcome(slip, await shop.call(slip.tool, slip.input));
      for (const tally of [counts, sums]) tally.set(outcome, tally.get(outcome)! + 1);
    }
    rows.push([kind, ...[slips.length, ...counts.values()].map(String)]);
  }
  const all = kinds.flatMap(([, slips]) => slips).length;
  rows.push(["all", ...[all, ...sums.values()].map(String)]);
  return table(rows);
}

/** A table whose first column is text and whose others are numbers. */
function table([head, ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(head!.map((_, column) => column === 0 ? "---" : "---:"));
  return [line(head!), rule, ...rows.map(line)].join("\n");
}
