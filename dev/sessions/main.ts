/**
 * `deno task sessions CHECKOUTS SESSION…`: makes the calls of agents' sessions again, and counts the tokens of
 * what they read. CHECKOUTS is the directory that the agents worked in. A session has a call a line:
 * `{"command"}` for a shell, `{"tool", "arguments"}` for pathgrep's tools, whose session is also replayed with
 * mcp-ripgrep, and `sed` for what that cannot read.
 *
 * `--show 5` prints the calls with the longest answers; `--save DIR` writes each answer to a file.
 *
 * @module
 */

import "../../tests/support/patience.ts"; // A busy machine must not change what is counted.
import { parseArgs } from "node:util";
import { table } from "../cost/tables.ts";
import { type Answered, type Call, openForms, replay } from "./replay.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { show: { type: "string", default: "0" }, save: { type: "string" } },
});
const [checkouts, ...sessions] = positionals;
if (checkouts === undefined || sessions.length === 0) {
  console.error("usage: deno task sessions CHECKOUTS SESSION… [--show N] [--save DIR]");
  Deno.exit(2);
}

const KINDS = ["shell", "grep", "glob", "read_file"];
const rows = [["session", "form", "calls", "tokens", ...KINDS]];
await using forms = await openForms(checkouts);
for (const session of sessions) {
  const name = session.replace(/^.*\/|\.jsonl$/g, "");
  const lines = (await Deno.readTextFile(session)).trim().split("\n");
  const calls = lines.map((line) => JSON.parse(line) as Call);
  for (
    const form of "command" in calls[0]! ? ["rg"] as const : ["pathgrep", "mcp-ripgrep"] as const
  ) {
    const answers = await replay(calls, forms[form]);
    const sum = (kind?: string) =>
      answers.filter((answer) => (kind ?? answer.kind) === answer.kind)
        .reduce((total, { tokens }) => total + tokens, 0).toLocaleString("en");
    rows.push([name, form, String(calls.length), sum(), ...KINDS.map(sum)]);
    if (values.save !== undefined) await save(`${values.save}/${name}-${form}`, answers);
    const longest = answers.toSorted((a, b) => b.tokens - a.tokens).slice(0, Number(values.show));
    for (const { tokens, call } of longest) console.log(name, form, tokens, JSON.stringify(call));
  }
}
console.log(table(rows));

/** Writes each answer below its call. */
async function save(directory: string, answers: readonly Answered[]): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  for (const [index, { call, text }] of answers.entries()) {
    const name = String(index + 1).padStart(3, "0");
    await Deno.writeTextFile(`${directory}/${name}.txt`, `${JSON.stringify(call)}\n\n${text}`);
  }
}
