/**
 * `pathgrep serve`: keep a workspace ready, and answer command lines about it on a socket.
 *
 * @module
 */
import manifest from "../../../deno.json" with { type: "json" };
import { SearchCache } from "../../cache/search_cache.ts";
import { WorkerPool } from "../../run/worker_pool.ts";
import {
  Declined,
  type Reply,
  ResidentServer,
  type ResidentStatus,
} from "../../resident/resident_server.ts";
import { lackingFlags, prepareSocket, socketRoots } from "../../resident/socket.ts";
import type { ClientTerminal, CommandRequest } from "../../resident/protocol.ts";
import { isSameView, viewOf } from "../../resident/protocol.ts";
import { runSearch } from "../../search/search.ts";
import { isNotFound, lstat } from "../../system/files.ts";
import { atWork } from "../../system/heap.ts";
import {
  addSignalListener,
  IS_COMPILED,
  IS_DENO,
  isGranted,
  mainModule,
  PID,
  removeSignalListener,
  residentBytes,
  RUNTIME,
  runtimePath,
  startProgram,
} from "../../system/platform.ts";
import type { SignalName } from "../../system/types.ts";
import { PathgrepError } from "../../util/errors.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { controlResident, isShareable, NOT_RUNNING } from "../ask_resident.ts";
import { type Host, refuseOperands, type RunCommand } from "../host.ts";
import type { Settings } from "../options/settings.ts";
import { Output } from "../output.ts";

/** Megabytes of the cache unless `--cache-mb` says otherwise. */
const CACHE_MB = 128;
/** A text that no file holds: searching for it reads, and so caches, every file. */
const NOWHERE = "\u{e0fe}\u{e0ff}\u{e0fe}\u{e0fd}";
/** Bytes of an answer sent at once. */
const PIECE_BYTES = 1 << 16;
/** Milliseconds that a server in the background may take to start. */
const START_MS = 15_000;
const LOOK_MS = 20;
/** Milliseconds that a status waits for a new count of the files. */
const COUNT_MS = 2000;

export const run: RunCommand = async (settings, operands, host) => {
  refuseOperands("serve", operands);
  if (settings.query.deny.length > 0) {
    throw new PathgrepError("invalid_input", "serve takes no --deny: each search has its own");
  }
  const [action, ...others] = settings.serve;
  if (!IS_DENO && (action === undefined || action === "background")) {
    throw new PathgrepError("invalid_input", `serve needs Deno, and this is ${RUNTIME}`, {
      hint: `deno run --no-config -A jsr:@x/pathgrep/cli serve; searches in ${RUNTIME} then ask it`,
    });
  }
  if (action === undefined) return await runServer(settings, host);
  if (others.length > 0) {
    const given = settings.serve.map((each) => `--${each}`).join(" ");
    const detail = `serve takes one of --background, --status and --stop, got ${given}`;
    throw new PathgrepError("invalid_input", detail);
  }
  switch (action) {
    case "background":
      await host.openWorkspace(settings); // says what is wrong with it
      await checkPermissions(settings, "started");
      return await start(settings, host);
    case "status": {
      const status = await control("status", settings);
      host.stdout.write(status ?? NOT_RUNNING);
      return status === undefined ? 1 : 0;
    }
    case "stop": {
      const answer = await control("stop", settings);
      host.stdout.write(answer ?? NOT_RUNNING);
      return answer === undefined ? 1 : 0;
    }
  }
};

/** The server's answer; nothing where none runs, or a root is gone, with which a server ends. */
async function control(kind: "status" | "stop", settings: Settings): Promise<string | undefined> {
  try {
    await checkPermissions(settings, "found");
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  return await controlResident(kind, settings);
}

/** @throws {PathgrepError} when this process may not find the server or, where wanted, start it */
async function checkPermissions(
  { workspace }: Settings,
  wanted: "started" | "found",
): Promise<void> {
  const lacking = await lackingFlags(socketRoots(workspace), manifest.version);
  if (wanted === "started" && !isGranted({ name: "run" })) lacking.push("--allow-run");
  if (lacking.length === 0) return;
  const detail = `the resident search cannot be ${wanted} without ${lacking.join(", ")}`;
  throw new PathgrepError("search_failed", detail, {
    hint: "run it again with -A and without Deno's --deny flags",
  });
}

/** Starts a server that outlives this process, unless one runs, and prints its status. */
async function start(settings: Settings, host: Host): Promise<number> {
  const printStatus = async () => { // returns whether one runs
    const status = await controlResident("status", settings);
    host.stdout.write(status ?? "");
    return status !== undefined;
  };
  if (await printStatus()) return 0;
  const { workspace, cacheMb, idle, query: { allow } } = settings;
  const program = IS_COMPILED
    ? []
    : ["run", "--no-config", "--no-lock", "--no-prompt", "-A", mainModule()];
  const child = startProgram(runtimePath(), {
    args: [
      ...[...program, "serve", `--idle=${idle}`],
      ...(cacheMb === undefined ? [] : [`--cache-mb=${cacheMb}`]),
      ...socketRoots(workspace).map((root) => `--workspace=${root}`),
      ...allow.map((glob) => `--allow=${glob}`),
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  });
  child.unref();
  let ended: number | undefined;
  child.status.then(({ code }) => ended = code);
  for (const until = performance.now() + START_MS; performance.now() < until;) {
    if (await printStatus()) return 0;
    if (ended !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (ended === undefined) child.kill();
  throw new PathgrepError("search_failed", "the resident search did not start", {
    hint: "run `pathgrep serve` in the foreground to see why",
  });
}

async function runServer(settings: Settings, host: Host): Promise<number> {
  const workspace = await host.openWorkspace(settings);
  const { allow } = settings.query;
  const socket = await prepareSocket(socketRoots(settings.workspace), manifest.version);
  const cache = new SearchCache((settings.cacheMb ?? CACHE_MB) * 2 ** 20);
  const pool = new WorkerPool({ isKept: true, store: cache });
  let files: number | undefined;
  let counting: Promise<number> | undefined;
  const count = async () => files = await readAll(workspace, pool).catch(() => files ?? 0);
  const recount = () => counting ??= count().finally(() => counting = undefined);
  const lastCount = async () => {
    await new Promise((resolve) => setTimeout(resolve, COUNT_MS));
    return files ?? 0;
  };
  const status = async (): Promise<ResidentStatus> => ({
    running: true,
    pid: PID,
    roots: workspace.roots,
    socket,
    version: manifest.version,
    ready: files !== undefined,
    files: files === undefined ? 0 : await Promise.race([recount(), lastCount()]),
    memory_bytes: residentBytes(),
  });
  const server = await ResidentServer.start({
    socket,
    idle: settings.idle * 60_000,
    status,
    checkWorkspace: () => {
      workspace.checkRoots();
      for (const root of workspace.roots) lstat(root); // throws where it is gone
    },
    run: async (request, reply) => {
      using _work = atWork();
      const { run } = host;
      return await answerClient(request, reply, { served: workspace, allow, pool, run });
    },
  });
  const stop = () => server.stop();
  const signals: SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) addSignalListener(signal, stop);
  host.stderr.write(`pathgrep: serving ${workspace.roots.join(", ")} on ${socket}\n`);
  cache.follow(workspace.roots).then(recount);
  await server.ended;
  for (const signal of signals) removeSignalListener(signal, stop);
  pool.close();
  await cache.close();
  return 0;
}

/** Reads every file once, so that it is cached; returns how many there are. */
async function readAll(workspace: Workspace, pool: WorkerPool): Promise<number> {
  using _work = atWork();
  const query = { pattern: NOWHERE, fixedStrings: true, outputMode: "count", stats: true } as const;
  const { stats } = await runSearch({ ...query, timeout: 0 }, { pool, workspace });
  return stats?.files_searched ?? 0;
}

/** The terminal of a client that names none. */
const NO_TERMINAL: ClientTerminal = { stdout: false, stderr: false, noColor: true };

/**
 * Executes a client's command line with the client as its host.
 *
 * @throws {Declined} when only the client itself can
 */
async function answerClient(
  { args, workspace, view = [], stdin, format, note, canAsk, terminal = NO_TERMINAL }:
    CommandRequest,
  reply: Reply,
  { served, allow, pool, run }: {
    served: Workspace;
    allow: readonly string[];
    pool: WorkerPool;
    run: Host["run"];
  },
): Promise<number> {
  let isDeclined = false;
  const decline = (): never => {
    isDeclined = true;
    throw new Declined();
  };
  const output = (stream: "stdout" | "stderr") =>
    new Output({
      isTerminal: () => terminal[stream],
      pieceBytes: PIECE_BYTES,
      writeSync: (bytes) => {
        if (!isDeclined) reply.write(stream, bytes);
        return bytes.length;
      },
    });
  const status = await run(args, {
    ...{ terminal, pool, signal: reply.signal, preferredFormat: format, note },
    stdout: output("stdout"),
    stderr: output("stderr"),
    // A client may not lift the guard for anything that the server was not started for.
    admits(line) {
      isDeclined = !isShareable(line) ||
        !line.settings.query.allow.every((glob) => allow.includes(glob));
      return !isDeclined;
    },
    openWorkspace: async () => await openServed(served, workspace, view) ?? decline(),
    // Only the client can ask its user.
    requester: () => canAsk ? { request: async () => await decline() } : undefined,
    // A command line that reads standard input is not shareable, so it never gets here.
    stdin: decline,
    readInput: () => Promise.resolve(stdin ?? ""),
    run: decline,
  });
  if (isDeclined) throw new Declined();
  return status;
}

/** The served workspace by the names that a client has for its roots; nothing if those are others. */
async function openServed(
  served: Workspace,
  roots: readonly string[],
  view: readonly string[],
): Promise<Workspace | undefined> {
  // Saying what is wrong with other directories would reveal whether they exist.
  const opened = await Workspace.open(roots).catch(() => undefined);
  served.checkRoots();
  const isServed = opened?.roots.toSorted().join("\0") === served.roots.toSorted().join("\0");
  return isServed && isSameView(view, viewOf(opened!.roots)) ? opened : undefined;
}
