/**
 * What becomes of calls, what keys may be called, and which names are blocked: tables of the guides.
 *
 * @module
 */

import assert from "node:assert/strict";
import { toolDefinitions } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { keysReadAs } from "../../src/tools/aliases.ts";
import { BACKUP_NAMES, HARMLESS_NAMES, SENSITIVE_NAMES } from "../../src/exclusions/sensitive.ts";
import { rgPath } from "../../tests/support/oracles.ts";
import { openShop, type Outcome } from "./make_call.ts";
import { MALFORMED_CALLS } from "./malformed_calls.ts";

/** A root of usual length, whatever that of the temporary directory is. */
const ROOT = "/home/you/project";

/** What ripgrep writes, sorted. */
export async function ripgrep(args: readonly string[], cwd: string): Promise<string> {
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

/** An answer with a usual root in the place of the temporary one. */
export function atUsualRoot(answer: string, root: string): string {
  return answer.replaceAll(root, ROOT);
}

const OUTCOMES: readonly Outcome[] = ["at once", "note", "fix", "no fix"];

/** What becomes of calls that are not quite right, a row for each kind. */
export async function malformedCallsTable(): Promise<string> {
  await using shop = await openShop();
  const kinds = Object.entries(MALFORMED_CALLS);
  const sums = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
  const rows: string[][] = [
    [
      "what is wrong",
      "calls",
      "answered at once",
      "answered, with a note",
      "corrected",
      "no help",
    ],
  ];
  for (const [kind, calls] of kinds) {
    const counts = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
    for (const call of calls) {
      const outcome = shop.outcome(call, await shop.call(call.tool, call.input));
      for (const tally of [counts, sums]) tally.set(outcome, tally.get(outcome)! + 1);
    }
    rows.push([kind, ...[calls.length, ...counts.values()].map(String)]);
  }
  const all = kinds.flatMap(([, calls]) => calls).length;
  rows.push(["all", ...[all, ...sums.values()].map(String)]);
  return table(rows);
}

/** What else the keys of the tools may be called, an item for each. */
export function keysList(): string {
  const rows = new Map<string, string[]>();
  for (const { name, inputSchema } of toolDefinitions("json-schema", { tools: OWN_TOOL_NAMES })) {
    const keys = Object.keys((inputSchema as { properties: object }).properties);
    if (name === "read_file") keys.push("end_line"); // read, and in no schema
    for (const [key, names] of Object.entries(keysReadAs(String(name), keys))) {
      const isOwn = key === "pattern" ||
        name === "read_file" && ["offset", "limit", "end_line"].includes(key);
      const row = isOwn ? `${key} of ${name}` : key;
      if (names.length > 0) rows.set(row, [...new Set([...rows.get(row) ?? [], ...names])]);
    }
  }
  return [...rows].map(([row, names]) => `- ${row.replace(/^\w+/, "`$&`")}: ${code(names)}`)
    .join("\n");
}

/** Which names are blocked, an item for each kind. */
export function blockedNamesList(): string {
  return [
    ...Object.entries(SENSITIVE_NAMES).map(([what, names]) => `- ${what}: ${code(names)}`),
    `- backups of them: ${code(BACKUP_NAMES)}, where \`*\` is one of these names`,
    `- not templates and declarations, without values: ${code(HARMLESS_NAMES)}`,
  ].join("\n");
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A table whose first column is text and whose others are numbers. */
export function table([head, ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(head!.map((_, column) => column === 0 ? "---" : "---:"));
  return [line(head!), rule, ...rows.map(line)].join("\n");
}
