/**
 * A tool as data, apart from any workspace: the one source of every dialect of definitions.
 *
 * @module
 */

import { NAMED_KINDS } from "../notes/table.ts";
import { closedObject, type Fields, type JsonSchema } from "./fields.ts";

export interface ToolDefinition<F extends Fields = Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: F;
  /** The JSON schema of its answers, errors aside. */
  readonly outputSchema: JsonSchema;
}

/** The types of an answer's keys. */
const TYPES = {
  text: { type: "string" },
  number: { type: "integer" },
  flag: { type: "boolean" },
  texts: { type: "array", items: { type: "string" } },
  numbers: { type: "array", items: { type: "integer" } },
} as const;

/** A part of an answer, from its keys and their types; `!` is after those that are always there. */
function answerShape(keys: string, others: JsonSchema = {}): JsonSchema {
  const rows = keys.split(" ").map((key) => key.split(":") as [string, keyof typeof TYPES]);
  const properties = rows.map(([key, type]) => {
    const name = key.replace("!", "");
    return [name, others[name] ?? TYPES[type]];
  });
  const required = rows.map(([key]) => key).filter((key) => key.endsWith("!"));
  return closedObject(
    Object.fromEntries(properties),
    required.map((key) => key.slice(0, -1)),
  );
}

const SENT =
  "pattern:text more_patterns:texts path:text more_paths:texts no_ignore:flag search_binary:flag " +
  "follow:flag encoding:text multiline:flag fixed_strings:flag everything:flag";
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const LEFT_OUT = answerShape(
  "ignored:texts ignored_more:number blocked:number blocked_rules:texts blocked_rules_more:number " +
    "binary:number archives:number archive_kinds:texts too_large:number not_utf8:number unreadable:number " +
    "vanished:number links:number worktrees:number names",
  { names: answerShape(NAMED_KINDS.map((kind) => `${kind}:texts`).join(" ")) },
);
const FRAME = "pattern!:text base_path!:text base_paths:texts";
const TAIL = "count!:number truncated:flag next_offset:number total total_files:number " +
  "total_at_least:number reduced:texts pattern_counts:numbers scope notes:texts";
const OF_TAIL = {
  total: { type: "integer", description: "The count without truncation." },
  scope: answerShape(
    "searched!:number matched!:number everything:flag left_out not_shown in_part:flag",
    {
      left_out: LEFT_OUT,
      not_shown: list(answerShape(
        "cause!:text matches!:number more:flag files!:number first!:text send!",
        { send: answerShape(SENT) },
      )),
    },
  ),
};

/** The answer of `grep`: one of four lists, by `output_mode`. */
export const SEARCH_OUTPUT: JsonSchema = answerShape(
  `${FRAME} output_mode! files:texts matches text counts values ${TAIL}`,
  {
    ...OF_TAIL,
    output_mode: { type: "string", enum: ["content", "file", "count", "values"] },
    matches: list(answerShape(
      "file!:text line_number!:number line!:text column:number before:texts after:texts " +
        "line_truncated:flag patterns:numbers enclosing encoding:text",
      { enclosing: list(answerShape("line_number!:number line!:text")) },
    )),
    text: { type: "string", description: "When concise, instead of a list." },
    counts: list(answerShape("file!:text count!:number patterns:numbers encoding:text")),
    values: list(answerShape("value!:text count!:number files!:number patterns:numbers")),
  },
);

/** The answer of `glob`: the shape of `grep` in file mode. */
export const LIST_OUTPUT: JsonSchema = answerShape(
  `${FRAME} output_mode! files!:texts directories:texts directories_more:number ${TAIL}`,
  { ...OF_TAIL, output_mode: { type: "string", enum: ["file"] } },
);
