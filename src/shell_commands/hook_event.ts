/**
 * Reads the events of agents' hooks: whether one is about a plain search that found nothing.
 *
 * @module
 */

import { type PlainCommand, readCommand } from "./shell_words.ts";
import { OS } from "../system/platform.ts";

/** A plain search that found nothing. */
export interface EmptyShellSearch {
  hookEventName: string;
  cwd: string;
  /** The directory that the call names, from `cwd`. */
  directory: string | undefined;
  command: PlainCommand;
}

type JsonFields = Readonly<Record<string, unknown>>;

/** What may be a search, for which more is loaded. */
const SEARCH = /(?:^|\/)(?:rg|[ef]?grep|git|ugrep)$/;
/** On Windows, that of gemini-cli is none of POSIX. */
const SHELL_TOOLS = ["Bash", ...(OS === "windows" ? [] : ["run_shell_command"])];
/** A shell's tool says so of a command that fails, in Claude Code and in its documentation. */
const FAILED = /^(?:Exit code|Command exited with non-zero status code) [12]$/;
/** What a search says of a path that does not exist, of filters that leave no file, or of an odd pattern. */
const COMPLAINT = /^(?:(?:rg|ug|ugrep|[ef]?grep|git|warning|fatal|error): |Running with --debug )/;
/** A field of gemini-cli's report, behind the output. */
const FIELD = /^([A-Z][\w ]*): (.*)$/;

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
  if (command === undefined || !SEARCH.test(command.words[0]!)) return undefined;
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

function hasFoundNothing(name: string, event: JsonFields, command: PlainCommand): boolean {
  const { filters, words } = command;
  const counts = filters.length > 0
    ? filters.at(-1)![0] === "wc"
    : words.some((word) => /^-(?:[a-zA-Z]*c|-count)/.test(word));
  // Of files that hold nothing, these two print no count.
  const omitsZeros = filters.length === 0 && /(?:^|\/)(?:rg|git)$/.test(words[0]!);
  const none = counts ? /^(?:.+:)?[0\s]+$|^$/ : /^\s*$/;
  const isNone = (output: string) =>
    (!counts || omitsZeros || output.trim() !== "") &&
    output.split("\n").every((line) => none.test(line));
  const response = event["tool_response"];
  switch (name) {
    case "PostToolUse": {
      const { stdout, interrupted, backgroundTaskId } = fieldsOf(response);
      return typeof stdout === "string" && isNone(withoutComplaints(stdout)) &&
        interrupted !== true && backgroundTaskId === undefined;
    }
    case "PostToolUseFailure": {
      const { error, is_interrupt } = event;
      // Of a pipe, the status is that of its last program.
      if (typeof error !== "string" || is_interrupt === true || filters.length > 0) return false;
      const [first = "", ...rest] = error.trim().split("\n");
      return FAILED.test(first) && withoutComplaints(rest.join("\n")).trim() === "";
    }
    case "AfterTool": {
      const { llmContent } = fieldsOf(response);
      return typeof llmContent === "string" && isNoneInReport(llmContent, isNone);
    }
    default:
      return false;
  }
}

function withoutComplaints(output: string): string {
  return output.split("\n").filter((line) => !COMPLAINT.test(line)).join("\n");
}

/** Reads gemini-cli's report: `Output: …`, then fields. */
function isNoneInReport(report: string, isNone: (output: string) => boolean): boolean {
  const lines = report.replace(/<\/?untrusted_context[^>]*>/g, "").trim().split("\n");
  const start = lines.findIndex((line) => /^(?:Output|Stdout): /.test(line));
  const end = lines.findLastIndex((line) => !FIELD.test(line) || /^(?:Output|Stdout): /.test(line));
  if (start < 0) return false;
  const output = lines.slice(start, end + 1).join("\n").replace(/^\w+: /, "");
  const fields = new Map(
    lines.slice(end + 1).map((line) => FIELD.exec(line)!.slice(1) as [string, string]),
  );
  const isEnded = !/^(?:0|\(none\))$/.test(fields.get("Signal") ?? "0") ||
    (fields.get("Error") ?? "(none)") !== "(none)";
  const shown = output.trim() === "(empty)" ? "" : withoutComplaints(output);
  return !isEnded && /^[0-2]$/.test(fields.get("Exit Code") ?? "0") && isNone(shown);
}
