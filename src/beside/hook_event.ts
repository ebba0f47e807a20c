/**
 * Reads the events of agents' hooks: whether one is about a plain search that found nothing.
 *
 * @module
 */

import { type PlainCommand, readCommand } from "./shell_words.ts";

/** A plain search that found nothing. */
export interface EmptyShellSearch {
  hookEventName: string;
  cwd: string;
  /** The directory that the call names, from `cwd`. */
  directory: string | undefined;
  command: PlainCommand;
}

type JsonFields = Readonly<Record<string, unknown>>;

const SHELL_TOOLS = ["Bash", "run_shell_command"];
/** A shell's tool says so of a command that fails, in Claude Code and in its documentation. */
const FAILED =
  /^(?:Exit code|Command exited with non-zero status code|Command failed with exit code):? [12]$/;
/** What a search says of a path that does not exist, or of an odd pattern. */
const COMPLAINT = /^(?:rg|ug|ugrep|[ef]?grep|git|warning|fatal|error): /;

/** The search; nothing for every other event. */
export function emptySearchIn(text: string): EmptyShellSearch | undefined {
  const event = fieldsOf(parsed(text));
  const { hook_event_name: hookEventName, tool_name: tool, cwd } = event;
  const { command: line, dir_path, directory = dir_path, run_in_background, is_background } =
    fieldsOf(event["tool_input"]);
  if (typeof hookEventName !== "string" || typeof tool !== "string") return undefined;
  if (!SHELL_TOOLS.includes(tool) || typeof cwd !== "string" || typeof line !== "string") {
    return undefined;
  }
  if (run_in_background === true || is_background === true) return undefined;
  if (directory !== undefined && typeof directory !== "string") return undefined;
  const command = readCommand(line);
  if (command === undefined) return undefined;
  return hasFoundNothing(hookEventName, event, command)
    ? { hookEventName, cwd, directory, command }
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonFields
    : {};
}

function hasFoundNothing(name: string, event: JsonFields, { filters }: PlainCommand): boolean {
  const counts = filters.at(-1)?.[0] === "wc";
  const isNone = (output: string) => counts ? output.trim() === "0" : output.trim() === "";
  const response = event["tool_response"];
  switch (name) {
    case "PostToolUse": {
      if (typeof response === "string") return isNone(response);
      const { stdout, interrupted, isImage, backgroundTaskId } = fieldsOf(response);
      return typeof stdout === "string" && isNone(withoutComplaints(stdout)) &&
        interrupted !== true && isImage !== true && backgroundTaskId === undefined;
    }
    case "PostToolUseFailure": {
      const { error, is_interrupt } = event;
      // Of a pipe, the status is that of its last program.
      if (typeof error !== "string" || is_interrupt === true || filters.length > 0) return false;
      const [first = "", ...rest] = error.trim().split("\n");
      return FAILED.test(first) && withoutComplaints(rest.join("\n")).trim() === "";
    }
    case "AfterTool":
      return typeof fieldsOf(response)["error"] !== "object" &&
        isNoneInReport(partsText(fieldsOf(response)["llmContent"]), isNone);
    default:
      return false;
  }
}

function withoutComplaints(output: string): string {
  return output.split("\n").filter((line) => !COMPLAINT.test(line)).join("\n");
}

/** The text of a model's parts. */
function partsText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.length === 1 ? partsText(content[0]) : "";
  const { text } = fieldsOf(content);
  return typeof text === "string" ? text : "";
}

/** Reads gemini-cli's report: `Output: …`, then fields. */
function isNoneInReport(report: string, isNone: (output: string) => boolean): boolean {
  const text = report.replace(/<\/?untrusted_context[^>]*>/g, "").trim();
  const found = /(?:^|\n)(?:Output|Stdout): (?<output>[^]*?)(?<fields>(?:\n[A-Z][\w ]*: .*)*)$/
    .exec(text);
  if (found === null) return false;
  const { output = "", fields = "" } = found.groups!;
  const isEnded = /\n(?:Signal: (?!\(none\))|Error: (?!\(none\)))/.test(fields);
  const status = /\nExit Code: (.*)/.exec(fields)?.[1] ?? "0";
  const shown = output.trim() === "(empty)" ? "" : withoutComplaints(output);
  return !isEnded && /^[0-2]$/.test(status) && isNone(shown);
}
