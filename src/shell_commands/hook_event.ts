/**
 * Reads the events of agents' hooks: whether one is about a plain search, and what that has printed.
 *
 * @module
 */

import { type PlainCommand, readCommand, STATUS } from "./shell_words.ts";
import { OS } from "../system/platform.ts";

/** A plain search in a shell. */
export interface ShellSearch {
  hookEventName: string;
  cwd: string;
  /** The directory that the call names, from `cwd`. */
  directory: string | undefined;
  command: PlainCommand;
  /** Whether its `grep` may be that of Claude Code's shell. */
  mayBeOwnGrep: boolean;
  /** The glob that no name matches, for which zsh has not run it. */
  unmatched: string | undefined;
  /** What it has printed, if it found something. */
  output: string | undefined;
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
/** What zsh says in place of running a command. */
const NO_MATCHES = /^(?:zsh|\(eval\)):(?:\d+:)? no matches found: (.+)$/;
/** A field of gemini-cli's report, behind the output. */
const FIELD = /^([A-Z][\w ]*): (.*)$/;
/** The fields of Codex's report, before the output. */
const CODEX_HEAD =
  /^(?:(?:Chunk ID|Exit code|Wall time|Process exited with code|Total output lines|Original token count)\b.*\n)+(?:Final output|Output):(?:\n|$)/;

/** The search; nothing for every other event. */
export function searchIn(text: string): ShellSearch | undefined {
  const event = fieldsOf(parsed(text));
  const call = callIn(event);
  if (call === undefined) return undefined;
  const { line, ...where } = call;
  const command = readCommand(line);
  if (command === undefined || !SEARCH.test(command.words[0]!)) return undefined;
  const printed = printedIn(event, command);
  if (printed === undefined) return undefined;
  const [, unmatched = ""] = NO_MATCHES.exec(printed.trim()) ?? [];
  const isNotRun = command.globs.some(({ word }) => word === unmatched);
  if (!isNotRun && !command.globs.every(({ isInOption }) => isInOption)) return undefined;
  const isNone = isNotRun || isEmpty(withoutComplaints(printed), command);
  const output = isNone ? undefined : foundIn(printed, event, command);
  // What removes lines may have removed all.
  const mayBeRemoved = command.filters.some(([program]) => program === "grep");
  if (isNone ? mayBeRemoved : output === undefined) return undefined;
  const mayBeOwnGrep = event["tool_name"] === "Bash" && !command.isProgram &&
    command.words[0] === "grep" && typeof event["tool_response"] !== "string";
  return {
    ...where,
    command,
    mayBeOwnGrep,
    unmatched: isNotRun ? unmatched : undefined,
    output,
  };
}

/** The call of a shell that has ended. */
function callIn(event: JsonFields) {
  const { hook_event_name: hookEventName, tool_name: tool, cwd } = event;
  const { command: line, dir_path, directory = dir_path, run_in_background, is_background } =
    fieldsOf(event["tool_input"]);
  if (typeof hookEventName !== "string" || !SHELL_TOOLS.some((name) => name === tool)) {
    return undefined;
  }
  if (typeof cwd !== "string" || typeof line !== "string") return undefined;
  if (run_in_background === true || is_background === true) return undefined;
  if (directory !== undefined && typeof directory !== "string") return undefined;
  return { hookEventName, cwd, line, directory };
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

/** What a command has printed, if it has come to its end as a search does: the form shows the host. */
function printedIn(event: JsonFields, command: PlainCommand): string | undefined {
  const { hook_event_name: name, tool_response: response } = event;
  if (name === "PostToolUseFailure") return failedOutput(event, command);
  if (name !== "PostToolUse" && name !== "AfterTool") return undefined;
  if (typeof response === "string") return codexOutput(response);
  const { stdout, stderr = "", interrupted, backgroundTaskId, llmContent } = fieldsOf(response);
  if (typeof llmContent === "string") return reportedOutput(llmContent);
  if (typeof stdout !== "string" || interrupted === true || backgroundTaskId !== undefined) {
    return undefined;
  }
  return stdout === "" && NO_MATCHES.test(String(stderr).trim()) ? String(stderr) : stdout;
}

function failedOutput({ error, is_interrupt }: JsonFields, { after, filters }: PlainCommand) {
  if (typeof error !== "string" || is_interrupt === true) return undefined;
  // Of a pipe, the status is that of its last program.
  if (filters.length > 0 || after !== undefined) return undefined;
  const [first = "", ...rest] = error.trim().split("\n");
  return FAILED.test(first) ? rest.join("\n") : reportedOutput(error);
}

/** Whether an output is that of a search which found nothing, and of what is printed after it. */
function isEmpty(output: string, { after, filters, words }: PlainCommand): boolean {
  const counts = filters.length > 0
    ? filters.at(-1)![0] === "wc"
    : words.some((word) => /^-(?:[a-zA-Z]*c|-count)/.test(word));
  // Of files that hold nothing, these two print no count.
  const omitsZeros = filters.length === 0 && /(?:^|\/)(?:rg|git)$/.test(words[0]!);
  const none = counts ? /^(?:.+:)?[0\s]+$|^$/ : /^\s*$/;
  const isNone = (text: string) =>
    (!counts || omitsZeros || text.trim() !== "") &&
    text.split("\n").every((line) => none.test(line));
  if (after === undefined || after.text.trim() === "") return isNone(output);
  const status = filters.length > 0 ? "[0-2]" : "[12]";
  const text = after.text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(STATUS, status);
  const printed = new RegExp(`(?:^|\\n)[ \\t]*${text}\\s*$`).exec(output);
  if (printed !== null && isNone(output.slice(0, printed.index))) return true;
  // The status of a pipe is that of its last program, which does not fail.
  return after.isConditional && filters.length > 0 && isNone(output);
}

/** The output of a search that found something and has succeeded; nothing if it may be another one's. */
function foundIn(
  output: string,
  { hook_event_name: name }: JsonFields,
  { after, filters }: PlainCommand,
): string | undefined {
  if (name === "PostToolUseFailure") return undefined;
  if (filters.at(-1)?.[0] === "wc" && !/[1-9]/.test(output)) return undefined;
  const text = after?.text.trim().replaceAll(STATUS, "0") ?? "";
  if (text === "") return output;
  const end = output.trimEnd();
  if (after!.isConditional) return end.endsWith(text) ? undefined : output;
  return end.endsWith(`\n${text}`) ? end.slice(0, -text.length) : undefined;
}

function withoutComplaints(output: string): string {
  return output.split("\n").filter((line) => !COMPLAINT.test(line)).join("\n");
}

/** Reads what Codex sends: a report that ends with the output, or the output alone. */
function codexOutput(response: string): string | undefined {
  const head = CODEX_HEAD.exec(response)?.[0] ?? "";
  const [, code = "0"] = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(head) ?? [];
  return /^[0-2]$/.test(code) ? response.slice(head.length) : undefined;
}

/** Reads gemini-cli's report, which qwen-code sends, too: `Output: …`, then fields. */
function reportedOutput(report: string): string | undefined {
  const lines = report.replace(/<\/?untrusted_context[^>]*>/g, "").trim().split("\n");
  const start = lines.findIndex((line) => /^(?:Output|Stdout): /.test(line));
  const end = lines.findLastIndex((line) => !FIELD.test(line) || /^(?:Output|Stdout): /.test(line));
  if (start < 0) return undefined;
  const output = lines.slice(start, end + 1).join("\n").replace(/^\w+: /, "");
  const fields = new Map(
    lines.slice(end + 1).map((line) => FIELD.exec(line)!.slice(1) as [string, string]),
  );
  const isEnded = !/^(?:0|\(none\))$/.test(fields.get("Signal") ?? "0") ||
    (fields.get("Error") ?? "(none)") !== "(none)";
  if (isEnded || !/^[0-2]$/.test(fields.get("Exit Code") ?? "0")) return undefined;
  return output.trim() === "(empty)" ? "" : output;
}
