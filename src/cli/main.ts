/**
 * The command line from its arguments to its exit status.
 *
 * @module
 */
import { debugFailure } from "../util/debug.ts";
import { PathgrepError } from "../util/errors.ts";
import {
  ARGUMENTS,
  exit,
  IS_DENO,
  onUncaught,
  readVariable,
  standardInput,
  VERSIONS,
} from "../system/platform.ts";
import { askResident, mayReadInput } from "./ask_resident.ts";
import type { CommandLine, Host } from "./host.ts";
import { stderr, stdout } from "./output.ts";
import { parseArguments } from "./options/argument_parser.ts";
import {
  canAsk,
  type Format,
  layoutNotes,
  preferFormat,
  type Settings,
  settledFormat,
} from "./options/settings.ts";

const FAILED = 2;
/** What completion scripts call: no command, since nobody else does. */
const COMPLETE = "__complete";
/** Commands whose answers users of ripgrep pipe on. */
const LISTED = ["search", "files"];
/** Commands whose format the environment may decide. */
const FORMATTED = [...LISTED, "resolve"];
/** For a person who wonders what `less` or `head` shows. */
const JSON_NOTE =
  "pathgrep: note: an answer to a pipe or a file is JSON; choose with --format text or json\n";

/**
 * Runs the command line of this process, and ends it.
 *
 * @param given what was read of standard input, to its end
 */
export async function runCommandLine(given?: string): Promise<never> {
  if (given !== undefined) LOCAL_HOST.stdin = () => new Blob([given]).stream();
  return exit(await main(ARGUMENTS));
}

/**
 * Runs one command line. Nothing is thrown: errors are answered in the format asked for.
 *
 * @param args the arguments after the program's name
 * @returns the exit status: 0 matches found or the work done, 1 no match, 2 error
 */
export async function main(args: readonly string[]): Promise<number> {
  let parsed: CommandLine | undefined;
  // An unhandled error must not end the program with Deno's status, 1.
  const end = async (thrown: unknown) => {
    await reportError(PathgrepError.from(thrown), parsed?.settings.format ?? "json", LOCAL_HOST);
    exit(failureStatus(parsed));
  };
  onUncaught(end);
  const status = await runLine(args, LOCAL_HOST, (line) => parsed = line);
  const isSeen = stderr.isTerminal && !stdout.closed;
  if (parsed !== undefined && isSeen && isUnaskedJson(parsed)) stderr.write(JSON_NOTE);
  return status;
}

/** Whether an answer is JSON only because standard output is no terminal. */
function isUnaskedJson({ command, settings }: CommandLine): boolean {
  const { format, givenFormat = "auto", help, quiet, typeList, version } = settings;
  return format === "json" && givenFormat === "auto" && LISTED.includes(command.name) &&
    !(help || quiet || typeList || version);
}

/**
 * Executes a command line for a host. Nothing is thrown.
 *
 * @param onParsed receives the line before the command is executed
 * @returns the exit status
 */
export async function runLine(
  args: readonly string[],
  host: Host,
  onParsed: (parsed: CommandLine) => void = () => {},
): Promise<number> {
  if (args[0] === COMPLETE) {
    const { complete } = await import("./help.ts");
    host.stdout.write(await complete(args.slice(1)));
    return 0;
  }
  let parsed: CommandLine | undefined;
  try {
    parsed = await parseArguments(args);
    const { command, settings } = parsed;
    if (FORMATTED.includes(command.name)) preferFormat(settings, host.preferredFormat);
    const wantsText = host.stdout.isTerminal || command.printsScript === true;
    settings.format = command.failureStatus === undefined
      ? settledFormat(settings, wantsText)
      : "text";
    settings.notes.push(...layoutNotes(settings));
    onParsed(parsed);
    return host.admits?.(parsed) === false ? FAILED : await runParsed(parsed, args, host);
  } catch (thrown) {
    const settings = parsed?.settings;
    const error = await withReadingNotes(PathgrepError.from(thrown), args, settings);
    await reportError(error, settings?.format ?? "json", host);
    return failureStatus(parsed);
  }
}

function failureStatus(parsed: CommandLine | undefined): number {
  return parsed?.command.failureStatus ?? FAILED;
}

async function reportError(error: PathgrepError, format: Format, host: Host): Promise<void> {
  debugFailure(error);
  const { printError } = await import("./printers/answer_printer.ts");
  printError(error, format, host);
}

/** An error, with what was read differently than it may have been meant. */
async function withReadingNotes(
  error: PathgrepError,
  args: readonly string[],
  settings: Settings | undefined,
): Promise<PathgrepError> {
  if (settings === undefined) return error;
  const { readingNotes } = await import("./options/unknown_option.ts");
  const given = readingNotes(args, settings);
  if (given.length === 0) return error;
  const { sentences } = await import("../notes/words.ts");
  const notes = sentences(given);
  return new PathgrepError(error.code, error.message, { ...error.details, notes }, error);
}

async function runParsed(
  parsed: CommandLine,
  args: readonly string[],
  host: Host,
): Promise<number> {
  const { command, settings, error } = parsed;
  if (settings.help) {
    const { helpText } = await import("./help.ts");
    host.stdout.write(helpText(command, args.includes("--help")));
    return 0;
  }
  if (settings.version) {
    const { default: manifest } = await import("../../deno.json", { with: { type: "json" } });
    host.stdout.write(`pathgrep ${manifest.version}\n`);
    return 0;
  }
  if (error !== undefined) throw error;
  checkDeno();
  if (settings.typeList) {
    const { printTypes } = await import("./printers/answer_printer.ts");
    await printTypes(settings.givenFormat ?? "auto", host.stdout);
    return 0;
  }
  const isLocal = host === LOCAL_HOST;
  const execute = (line: CommandLine, host: Host) => executeLine(line, args, host, isLocal);
  if (!isLocal || command.name !== "search" || standardInput.isTerminal()) {
    return await execute(parsed, host);
  }
  if (!mayReadInput(parsed)) return await execute(parsed, host);
  const { withPipedInput } = await import("./piped_input.ts");
  return await withPipedInput(parsed, host, execute);
}

async function executeLine(
  line: CommandLine,
  args: readonly string[],
  host: Host,
  isLocal: boolean,
): Promise<number> {
  const { command, settings, operands } = line;
  // A hook, which runs after each command of an agent's shell, asks nobody.
  if (isLocal && settings.resident === "auto" && command.name !== "hook") {
    const status = await askResident(line, args, host);
    if (status !== undefined) return status;
  }
  const { run } = await command.load();
  return await run(settings, operands, host);
}

/** @throws {PathgrepError} where Deno lacks what searches are written in: some versions would hang */
function checkDeno(): void {
  if (!IS_DENO || "getOrInsertComputed" in Map.prototype) return;
  const detail = `Deno ${VERSIONS.deno} is too old`;
  throw new PathgrepError("search_failed", detail, {
    hint: "pathgrep needs Deno 2.9 or later; `deno upgrade` installs it",
  });
}

let input: Promise<string> | undefined;

/** This process and the user at its terminal. */
const LOCAL_HOST: Host = {
  stdout,
  stderr,
  get preferredFormat() {
    return readVariable("PATHGREP_FORMAT");
  },
  async openWorkspace({ workspace }) {
    const { Workspace } = await import("../workspace/workspace.ts");
    return await Workspace.open(workspace.length > 0 ? workspace : ".");
  },
  requester(settings) {
    if (!canAsk(settings)) return undefined;
    return {
      async request(request) {
        const { askOnTerminal } = await import("./permission_prompt.ts");
        const { PERMISSION_TIMEOUT, timedRequester } = await import("../guard/requester.ts");
        const requester = timedRequester({ request: askOnTerminal }, PERMISSION_TIMEOUT);
        return await requester.request(request);
      },
    };
  },
  stdin: () => standardInput.readable,
  readInput: () => input ??= readInput(),
  run: runLine,
};

async function readInput(): Promise<string> {
  if (standardInput.isTerminal()) {
    stderr.write("pathgrep: type the tool's input as JSON, and end it with Ctrl-D\n");
  }
  return await new Response(standardInput.readable).text();
}
