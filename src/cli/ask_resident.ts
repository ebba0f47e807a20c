/**
 * Hands a command line to the resident search of its workspace, if one runs.
 *
 * @module
 */
import type { ClientTerminal } from "../resident/protocol.ts";
import { isDebugging } from "../util/debug.ts";
import type { CommandLine, Host } from "./host.ts";
import { isPiped } from "./output.ts";
import { canAsk, type Settings } from "./options/settings.ts";
import { readDirectory } from "../system/files.ts";
import {
  isGranted,
  NO_COLOR,
  permissionStatus,
  SOCKET_SUFFIX,
  socketDirectory,
} from "../system/platform.ts";
import type { Permission } from "../system/types.ts";

const COMMANDS = ["search", "files", "call"];
/** The operand that stands for standard input. */
export const STDIN = "-";

/** Whether a command line reads nothing but the workspace, with the engine that is resident. */
export function isShareable({ command, settings, operands, error }: CommandLine): boolean {
  const { engine = "auto" } = settings.query;
  return error === undefined && COMMANDS.includes(command.name) &&
    !settings.help && !settings.version && !settings.typeList &&
    (engine === "auto" || engine === "js") &&
    !operands.includes(STDIN) && !settings.patternFiles.includes(STDIN);
}

/** Whether a command line searches standard input if that has something to read. */
export function mayReadInput({ command, operands, settings }: CommandLine): boolean {
  const { listFiles, patternFiles, query } = settings;
  const patterns = query.pattern.length + patternFiles.length > 0 ? 0 : 1;
  return command.name === "search" && !listFiles && operands.length === patterns &&
    !patternFiles.includes(STDIN);
}

/** Whether a resident search may be running: the sockets' directory has some, and needs no question. */
function mayBeRunning(): boolean {
  try {
    const path = socketDirectory();
    if (path === undefined) return false;
    const isUsable = isGranted(
      { name: "read", path },
      { name: "write", path },
      { name: "sys", kind: "uid" },
    );
    return isUsable &&
      Array.from(readDirectory(path)).some(({ name }) => name.endsWith(SOCKET_SUFFIX));
  } catch {
    return false;
  }
}

async function residentSocket(workspace: readonly string[]): Promise<string | undefined> {
  if (!mayBeRunning()) return undefined;
  const { default: manifest } = await import("../../deno.json", { with: { type: "json" } });
  const { findSocket, socketRoots } = await import("../resident/socket.ts");
  try {
    return await findSocket(socketRoots(workspace), manifest.version);
  } catch {
    return undefined; // a root does not exist, which the command itself explains
  }
}

/** Whether Deno lets this process read all that the server may show. */
async function mayReadServed({ workspace, query }: Settings): Promise<boolean> {
  const { rootNames, socketRoots } = await import("../resident/socket.ts");
  const scopes: Permission[] = query.allow.length > 0
    ? [{ name: "read" }] // what `--allow` names lies anywhere
    : [...rootNames(workspace), ...socketRoots(workspace)].map((path) => ({ name: "read", path }));
  const mayRead = scopes.every((scope) => {
    const { state, partial } = permissionStatus(scope);
    return state === "granted" && !partial;
  });
  if (!mayRead || isGranted({ name: "read" })) return mayRead;
  const { isBarredAbove } = await import("../exclusions/exclusions.ts");
  return !isBarredAbove(socketRoots(workspace));
}

/** The status if no resident search is running. */
export const NOT_RUNNING: string = JSON.stringify({ running: false }) + "\n";
/** Milliseconds that a command may take unless `--timeout` says otherwise. */
const DEFAULT_TIMEOUT = 30_000;
/** Longer than a server takes to decline: one that ended midway has used up some of the time. */
const DECLINE_MS = 1500;
/** Milliseconds that a request without a search may take. */
const CONTROL_MS = 10_000;

/** The answer of the resident search of these roots; nothing when none runs. */
export async function controlResident(
  kind: "status" | "stop",
  { workspace }: Settings,
): Promise<string | undefined> {
  const socket = await residentSocket(workspace);
  if (socket === undefined) return undefined;
  const { callResident } = await import("../resident/protocol.ts");
  let answer = "";
  const onOutput = (_: string, bytes: Uint8Array) => {
    answer += new TextDecoder().decode(bytes);
    return true;
  };
  const status = await callResident(socket, { request: { kind }, timeout: CONTROL_MS, onOutput });
  return status === undefined ? undefined : answer;
}

async function terminalOf(
  { format }: Settings,
  host: Host,
): Promise<{ terminal?: ClientTerminal }> {
  const stdout = host.stdout.isTerminal;
  const stderr = host.stderr.isTerminal && (stdout || !isPiped()); // for progress alone
  if (!stdout && !stderr) return {};
  const terminal = { stdout, stderr, noColor: NO_COLOR };
  if (!stdout || format !== "text") return { terminal };
  const origin = (await import("./printers/hyperlink.ts")).linkOrigin();
  return { terminal: { ...terminal, ...(origin === undefined ? {} : { linkOrigin: origin }) } };
}

/**
 * Asks the resident search. Its time until it ends or fails counts for the time limit.
 *
 * @returns the exit status; nothing when none runs, or it leaves the work to the caller
 */
export async function askResident(
  line: CommandLine,
  args: readonly string[],
  host: Host,
): Promise<number | undefined> {
  if (!isShareable(line) || isDebugging()) return undefined; // what is debugged is this process
  const { command, settings, operands } = line;
  const socket = await residentSocket(settings.workspace);
  if (socket === undefined || !await mayReadServed(settings)) return undefined;
  const isCall = command.name === "call";
  if (isCall && !command.choices?.includes(operands[0] ?? "")) return undefined;
  const { callResident, viewOf } = await import("../resident/protocol.ts");
  const { rootNames, socketRoots } = await import("../resident/socket.ts");
  const { timeout = DEFAULT_TIMEOUT } = settings.query;
  const input = isCall ? { stdin: await host.readInput() } : {};
  const asked = performance.now(); // after the input, which may take any time
  const status = await callResident(socket, {
    request: {
      kind: "command",
      args: [...args],
      workspace: rootNames(settings.workspace),
      view: viewOf(socketRoots(settings.workspace)),
      canAsk: canAsk(settings),
      ...host.preferredFormat === undefined ? {} : { format: host.preferredFormat },
      ...input,
      ...(host.note === undefined ? {} : { note: host.note }),
      ...await terminalOf(settings, host),
    },
    timeout: timeout === 0 ? Infinity : timeout,
    onOutput: (stream, bytes) => {
      host[stream].writeBytes(bytes);
      return !host.stdout.closed;
    },
  });
  const spent = Math.trunc(performance.now() - asked);
  if (status === undefined && spent > DECLINE_MS) settings.spent += spent;
  return status;
}
