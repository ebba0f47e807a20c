/**
 * `pathgrep hook`: tell an agent why a search in its shell found nothing, or what it does not show.
 *
 * @module
 */
import { searchIn, type ShellSearch } from "../../shell_commands/hook_event.ts";
import type { ForeignSearch } from "../../shell_commands/command_line.ts";
import type { Surroundings } from "../../shell_commands/foreign_search.ts";
import { debugFailure } from "../../util/debug.ts";
import { PathgrepError } from "../../util/errors.ts";
import { escapedLines } from "../../util/text.ts";
import { processorTime } from "../../system/platform.ts";
import { isAbsolute, resolve } from "../../util/path.ts";
import type { Guard } from "../../guard/guard.ts";
import { BUDGET } from "../../reasons/empty_search.ts";
import { type Host, refuseOperands, type RunCommand } from "../host.ts";
import { eventText } from "../hook_start.ts";
import type { Settings } from "../options/settings.ts";

/** The least part of a processor that is counted on, beside other processes. */
const MAX_SLOWDOWN = 8;
/** Characters of the answer. */
const MAX_CONTEXT_CHARS = 1500;
const HEADING = "pathgrep on this empty search:";

/** Answers one event, or writes nothing; the status is 0 whatever comes in. */
export const run: RunCommand = async (settings, operands, host) => {
  refuseOperands("hook", operands);
  const ender = new AbortController();
  const { promise: late, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), BUDGET.hookEnd);
  try {
    const answer = await Promise.race([hookAnswer(settings, host, ender.signal), late]);
    if (answer !== undefined) host.stdout.write(JSON.stringify(answer) + "\n");
  } catch (thrown) {
    debugFailure(PathgrepError.from(thrown));
  } finally {
    clearTimeout(timer);
    ender.abort();
  }
  return 0;
};

async function hookAnswer(settings: Settings, host: Host, signal: AbortSignal) {
  const text = await eventText(host.stdin());
  const search = text === undefined ? undefined : searchIn(text);
  if (search === undefined) return undefined;
  const additionalContext = await contextOf(search, settings, host, signal);
  if (additionalContext === undefined) return undefined;
  return { hookSpecificOutput: { hookEventName: search.hookEventName, additionalContext } };
}

async function contextOf(
  search: ShellSearch,
  settings: Settings,
  host: Host,
  signal: AbortSignal,
): Promise<string | undefined> {
  const start = [performance.now(), processorTime()] as const;
  const { command, unmatched } = search;
  const { sentences } = await import("../../notes/words.ts");
  const { voiceOf } = await import("../../search/callers.ts");
  if (unmatched !== undefined) {
    const note = { reason: "not_expanded", values: { glob: unmatched } } as const;
    return asList(sentences([note], voiceOf("shell")));
  }
  const { readCommandLine } = await import("../../shell_commands/command_line.ts");
  const foreign = readCommandLine(command.words);
  const place = await placeOf(search, settings, host);
  if (place === undefined) return undefined;
  const where = { ...place, signal };
  if (search.output === undefined) return asList(await reasonsFor(foreign, search, where));
  const { partialAnswerLine } = await import("../../shell_commands/partial_answer.ts");
  const { command: { filters }, mayBeOwnGrep: isOwnGrep, output } = search;
  const timeout = timeLeft(BUDGET.hook, start);
  const line = await partialAnswerLine(foreign, { ...where, timeout }, {
    output,
    filters,
    isOwnGrep,
  });
  return line !== undefined && line.length <= MAX_CONTEXT_CHARS ? line : undefined;
}

/** What is left of a time since then, in milliseconds; where others keep the machine busy, it is longer. */
function timeLeft(time: number, [started, before]: readonly [wall: number, work: number]): number {
  const passed = performance.now() - started;
  const slowdown = passed / (processorTime() - before || 1);
  return Math.max(1, Math.round(time * Math.min(MAX_SLOWDOWN, Math.max(1, slowdown)) - passed));
}

/** Where a search has run; nothing where that is not known, or the shell has replaced a glob there. */
async function placeOf(
  { command, cwd, directory }: ShellSearch,
  settings: Settings,
  host: Host,
) {
  const workspace = await workspaceAt(cwd, settings, host);
  if (workspace === undefined) return undefined;
  const { allow, deny } = settings.query;
  const { Guard } = await import("../../guard/guard.ts");
  const guard = new Guard({ workspace, allow, deny });
  const start = directoryIn(workspace, guard, cwd, directory);
  const from = start && directoryIn(workspace, guard, start, command.directory);
  if (from === undefined) return undefined;
  if (command.globs.length > 0) {
    const { mayExpand } = await import("../../shell_commands/shell_words.ts");
    if (command.globs.some(({ pattern }) => mayExpand(pattern, from, guard))) return undefined;
  }
  return { workspace, directory: from, allow, deny };
}

async function reasonsFor(
  foreign: ForeignSearch,
  { mayBeOwnGrep }: ShellSearch,
  where: Surroundings,
): Promise<readonly string[]> {
  const { sentences } = await import("../../notes/words.ts");
  const { voiceOf } = await import("../../search/callers.ts");
  const { asOwnGrep } = await import("../../shell_commands/foreign_search.ts");
  const { missedBy } = await import("../../shell_commands/missed.ts");
  const asked = mayBeOwnGrep ? asOwnGrep(foreign) : foreign;
  const { notes, shown } = await missedBy(asked, { ...where, forReasons: BUDGET.hookReasons });
  // What finds something is not the search that was made.
  if (shown.size > 0) return [];
  const isSkipped = mayBeOwnGrep &&
    notes.some(({ reason, values }) =>
      reason === "matches_no_file" && values.barred?.includes("ignored") === true ||
      reason === "missed" &&
        values.causes.some((cause) =>
          cause.kind === "binary" || cause.kind === "ignored" && cause.pattern !== undefined
        )
    );
  if (isSkipped) notes.push({ reason: "own_grep", values: {} });
  return sentences(notes, voiceOf(foreign.caller, foreign.said));
}

type EventWorkspace = Awaited<ReturnType<Host["openWorkspace"]>>;

/** The workspace that the command line names, or the event's directory unless that is nobody's project. */
async function workspaceAt(
  cwd: string,
  settings: Settings,
  host: Host,
): Promise<EventWorkspace | undefined> {
  if (!isAbsolute(cwd)) return undefined;
  if (settings.workspace.length > 0) return await host.openWorkspace(settings);
  const workspace = await host.openWorkspace({ ...settings, workspace: [cwd] });
  const { isTooWide } = await import("../../workspace/wide_directory.ts");
  return workspace.roots.some(isTooWide) ? undefined : workspace;
}

/** A directory of the workspace, from another one, in which a shell that keeps its directory may be already. */
function directoryIn(
  workspace: EventWorkspace,
  guard: Guard,
  from: string,
  given: string | undefined,
): string | undefined {
  const found = guard.follow(resolve(from, given ?? "."));
  if (found.state === "blocked") return undefined; // whether or not it exists
  const isFound = found.state === "found" && found.info.isDirectory;
  if (given === undefined || isAbsolute(given)) return isFound ? found.path : undefined;
  const name = given.replace(/^(?:\.\.?\/)+|\/+$/g, "");
  const mayBeThere = name === ".." || from.endsWith(`/${name}`);
  if (isFound) return mayBeThere && found.path !== from ? undefined : found.path;
  return mayBeThere && !given.includes("..") && workspace.contains(from) ? from : undefined;
}

/** The notes that have room; nothing without any. */
function asList(notes: readonly string[]): string | undefined {
  const lines = [HEADING];
  const shown = escapedLines(notes);
  // What has no room is left out from the end, but not what says how to read the rest.
  const last = shown.length > notes.length ? shown.pop() : undefined;
  let room = MAX_CONTEXT_CHARS - HEADING.length - (last === undefined ? 0 : last.length + 3);
  for (const note of shown) {
    const line = `- ${note}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  if (last !== undefined && lines.length > 1) lines.push(`- ${last}`);
  return lines.length === 1 ? undefined : lines.join("\n");
}
