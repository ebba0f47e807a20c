/**
 * Where a resident search listens: one Unix socket for each set of roots and version, in a directory that
 * only its user may enter.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { isExisting, lstat, makeDirectory, openFile, readLink, realPath } from "../system/files.ts";
import {
  isGranted,
  OS,
  SOCKET_SUFFIX,
  socketDirectory,
  userId,
  workingDirectory,
} from "../system/platform.ts";
import type { Permission } from "../system/types.ts";
import { hexOf } from "../util/collections.ts";

/** Permission bits that the directory may not have. */
const OTHERS = 0o077;
/** The bits that let others or a group create names, and that which lets each remove only its own. */
const WRITABLE = 0o002;
const GROUP_WRITABLE = 0o020;
const STICKY = 0o1000;
/** Bytes of a socket's path that every system accepts. */
const MAX_PATH_BYTES = 103;
/** Milliseconds that a process waits for another that starts or ends. */
const LOCK_MS = 5000;
const LOCK_LOOK_MS = 10;

function problemOf(directory: string): string | undefined {
  const info = lstat(directory);
  if (info.isSymlink) return "is a symbolic link";
  if (!info.isDirectory) return "is not a directory";
  if (info.uid !== null && info.uid !== userId()) return "belongs to another user";
  if (info.mode !== null && (info.mode & OTHERS) !== 0) return "is open to others";
  return waysTo(directory).some(isReplaceable) ? "lies where others may replace it" : undefined;
}

/** A path, and what it becomes as each link on the way is followed. */
function* waysTo(path: string): Generator<string> {
  yield path;
  for (let end = 0; (end = path.indexOf("/", end + 1)) > 0;) {
    const link = path.slice(0, end);
    if (!isGranted({ name: "read", path: link }) || !lstat(link).isSymlink) continue;
    const target = readLink(link);
    path = (target.startsWith("/") ? target : `${directoryOf(link)}/${target}`) + path.slice(end);
    yield path;
    end = 0;
  }
}

/** Whether a user other than root may rename a directory, or one above it; looks where Deno allows it. */
function isReplaceable(directory: string): boolean {
  for (let path = directory; path !== "";) {
    path = directoryOf(path);
    const above = path || "/";
    if (!isGranted({ name: "read", path: above })) continue;
    const { gid, isSymlink, mode, uid } = lstat(above);
    if (uid !== null && uid !== 0 && uid !== userId()) return true;
    // A user's own group usually has the user's number and no other members.
    const isOwnGroup = gid === null || gid === 0 || gid === userId();
    const writable = isOwnGroup ? WRITABLE : WRITABLE | GROUP_WRITABLE;
    const bits = isSymlink ? 0 : mode ?? 0;
    if ((bits & writable) !== 0 && (bits & STICKY) === 0) return true;
  }
  return false;
}

async function socketName(roots: readonly string[], version: string): Promise<string> {
  const key = new TextEncoder().encode(JSON.stringify([version, ...roots.toSorted()]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", key));
  return `${hexOf(digest).slice(0, 32)}${SOCKET_SUFFIX}`;
}

/**
 * The roots of a command line that name the socket: canonical, each once.
 *
 * @throws when one cannot be inspected
 */
export function socketRoots(given: readonly string[]): string[] {
  return [...new Set(rootNames(given).map((root) => realPath(root)))];
}

/** The roots of a command line as absolute paths, which may lead through links. */
export function rootNames(given: readonly string[]): string[] {
  if (given.length === 0) return [workingDirectory()];
  return given.map((root) => root.startsWith("/") ? root : `${workingDirectory()}/${root}`);
}

/** The socket on which a search for these roots listens, if it exists, in a safe directory. */
export async function findSocket(
  roots: readonly string[],
  version: string,
): Promise<string | undefined> {
  const directory = socketDirectory();
  if (directory === undefined) return undefined;
  try {
    const socket = `${directory}/${await socketName(roots, version)}`;
    if (!isGranted({ name: "net", host: `unix:${socket}` })) return undefined;
    lstat(socket);
    return problemOf(directory) === undefined ? socket : undefined;
  } catch {
    return undefined;
  }
}

/** The flags of Deno that this process lacks to find the search for these roots. */
export async function lackingFlags(roots: readonly string[], version: string): Promise<string[]> {
  const path = socketDirectory();
  if (path === undefined) return isGranted({ name: "env" }) ? [] : ["--allow-env"];
  const needed: readonly [flag: string, permission: Permission][] = [
    ["--allow-read", { name: "read", path }],
    ["--allow-write", { name: "write", path }],
    ["--allow-sys=uid", { name: "sys", kind: "uid" }],
    ["--allow-net", { name: "net", host: `unix:${path}/${await socketName(roots, version)}` }],
  ];
  return needed.filter(([, permission]) => !isGranted(permission)).map(([flag]) => flag);
}

/**
 * The socket to listen on, in a directory that is created if it does not exist.
 *
 * Needs `--allow-env`, `--allow-sys=uid`, and `--allow-read` and `--allow-write` for the directory.
 *
 * @throws {PathgrepError} `search_failed` when there is no safe directory for it
 */
export async function prepareSocket(roots: readonly string[], version: string): Promise<string> {
  const directory = socketDirectory();
  if (directory === undefined) {
    throw new PathgrepError("search_failed", "there is no directory for the socket", {
      hint: OS === "windows"
        ? "on Windows Deno has no Unix sockets: use `pathgrep mcp`, which also keeps running, or WSL"
        : "set XDG_RUNTIME_DIR or HOME, and allow Deno to read them (--allow-env)",
    });
  }
  makeSocketDirectory(directory);
  const problem = problemOf(directory);
  if (problem !== undefined) {
    const detail = `the directory for the socket ${problem}: ${directory}`;
    throw new PathgrepError("search_failed", detail, {
      hint: "remove it, or set XDG_RUNTIME_DIR to a directory of your own",
    });
  }
  const socket = `${directory}/${await socketName(roots, version)}`;
  if (new TextEncoder().encode(socket).length <= MAX_PATH_BYTES) return socket;
  throw new PathgrepError("search_failed", `the path of the socket is too long: ${socket}`, {
    hint: "set XDG_RUNTIME_DIR to a shorter path",
  });
}

/**
 * Runs an action that excludes other processes from the sockets of a directory. The directory itself is
 * locked, so that no lock file remains.
 *
 * @throws {PathgrepError} `search_failed` when another process holds the lock for too long
 */
export async function locked<T>(socket: string, action: () => Promise<T>): Promise<T> {
  const directory = openFile(directoryOf(socket));
  try {
    const until = performance.now() + LOCK_MS;
    while (!directory.tryLockSync(true)) {
      if (performance.now() > until) {
        throw new PathgrepError("search_failed", `the directory of ${socket} is locked`, {
          hint: "another `pathgrep serve` has been starting or ending for seconds",
        });
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
    }
    return await action();
  } finally {
    directory.close();
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function makeSocketDirectory(directory: string): void {
  try {
    makeDirectory(directoryOf(directory), { recursive: true, mode: 0o700 });
    makeDirectory(directory, { mode: 0o700 });
  } catch (error) {
    if (isExisting(error)) return;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "set XDG_RUNTIME_DIR to a directory of your own";
    const detail = `cannot create the directory for the socket: ${reason}`;
    throw new PathgrepError("search_failed", detail, { hint }, { cause: error });
  }
}
