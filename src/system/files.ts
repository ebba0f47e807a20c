/**
 * Files and directories, their changes as the system reports them, and the kinds of errors that they give. Where
 * nothing else is said, a function throws an error of the system.
 *
 * @module
 */

import type { ErrorKind } from "./node/files.ts";
import { mayRead } from "./platform.ts";
import { node } from "./runtime.ts";
import type { DirEntry, FileHandle, FileInfo, FileWatcher } from "./types.ts";

/** What a path itself names, which may be a link. */
export const lstat: (path: string) => FileInfo = node?.files.lstat ?? Deno.lstatSync;
/** What a path leads to. */
export const stat: (path: string) => FileInfo = node?.files.stat ?? Deno.statSync;
export const realPath: (path: string) => string = node?.files.realPath ?? Deno.realPathSync;
export const readLink: (path: string) => string = node?.files.readLink ?? Deno.readLinkSync;
export const readDirectory: (path: string) => Iterable<DirEntry> = node?.files.readDirectory ??
  Deno.readDirSync;

/** The entries of a directory; none where it cannot be listed, or Deno would have to ask. */
export function entriesIfAny(directory: string): DirEntry[] {
  try {
    return mayRead(directory) ? [...readDirectory(directory)] : [];
  } catch {
    return [];
  }
}

/** Opens a file; for reading, unless something else is asked for. */
export const openFile: (path: string, options?: { write: true }) => FileHandle =
  node?.files.openFile ?? Deno.openSync;
export const openFileAsync: (path: string) => Promise<FileHandle> = node?.files.openFileAsync ??
  Deno.open;
export const readFile: (path: string) => Uint8Array<ArrayBuffer> = node?.files.readFile ??
  Deno.readFileSync;
export const readTextFile: (path: string) => string = node?.files.readTextFile ??
  Deno.readTextFileSync;

export const makeDirectory: (path: string, options: { recursive?: boolean; mode: number }) => void =
  node?.files.makeDirectory ?? Deno.mkdirSync;
/** Makes an empty file of an unused name, in the system's own directory for such files unless in `dir`. */
export const makeTemporaryFile: (options: { prefix: string; dir?: string }) => string =
  node?.files.makeTemporaryFile ?? Deno.makeTempFileSync;
export const changeMode: (path: string, mode: number) => void = node?.files.changeMode ??
  Deno.chmodSync;
export const removeFile: (path: string) => void = node?.files.removeFile ?? Deno.removeSync;

/** What a path names, which may be a link; nothing if it does not exist or cannot be accessed. */
export function infoAt(path: string): FileInfo | undefined {
  try {
    return node === undefined ? lstat(path) : node.files.infoAt(path);
  } catch {
    return undefined;
  }
}

type ErrorTest = (error: unknown) => boolean;

function isA(...kinds: readonly ErrorKind[]): ErrorTest {
  return (error) =>
    node?.files.isOfKind(error, kinds) ??
      kinds.some((kind) => error instanceof Deno.errors[kind]);
}

export const isNotFound: ErrorTest = isA("NotFound");
/** Whether nothing has the path, nor can have. */
export const isMissing: ErrorTest = isA("NotFound", "NotADirectory");
export const isExisting: ErrorTest = isA("AlreadyExists");
/** Whether the system refused. */
export const isPermissionDenied: ErrorTest = isA("PermissionDenied");
/** Whether the runtime refused, which lacks a permission. */
export const isNotPermitted: ErrorTest = isA("NotCapable");
/** Whether a name is not UTF-8. */
export const isUndecodable: ErrorTest = isA("InvalidData");
export const isLinkLoop: ErrorTest = isA("FilesystemLoop");
/** Whether a stream that does not block takes nothing at present. */
export const isWouldBlock: ErrorTest = isA("WouldBlock");
/** Whether nobody reads what is written. */
export const isBrokenPipe: ErrorTest = isA("BrokenPipe", "ConnectionReset");

export function isSystemError(error: unknown): boolean {
  if (node !== undefined) return node.files.isSystemError(error);
  // Deno has neither a class nor a code for some errors, such as that of opening a socket.
  return error instanceof Error &&
    (error.name in Deno.errors || "code" in error && /^E[A-Z]+$/.test(String(error.code)) ||
      / \(os error \d+\)/.test(error.message));
}

export function notFound(): Error {
  return node?.files.errorOf("NotFound") ?? new Deno.errors.NotFound();
}

export function brokenPipe(): Error {
  return node?.files.errorOf("BrokenPipe") ?? new Deno.errors.BrokenPipe();
}

/** Watches paths, but of directories only their own entries. */
export function watch(paths: readonly string[]): FileWatcher {
  return Deno.watchFs([...paths], { recursive: false });
}

const REPLACEMENT = "\ufffd";

/**
 * Tells, for the entries of one directory, whether a path opens the entry that was listed. Call it
 * once for each entry: several undecodable names can give the same path, which counts only once.
 */
export class UndecodableNames {
  #taken: Set<string> | undefined;

  /**
   * Whether the path names an entry of the listed type, and no earlier entry had the same path.
   *
   * @param prefix the directory's path with a separator at its end
   */
  opens(prefix: string, entry: DirEntry): boolean {
    if (!entry.name.includes(REPLACEMENT)) return true;
    const path = prefix + entry.name;
    if (this.#taken?.has(path) || !isOfType(path, entry)) return false;
    (this.#taken ??= new Set()).add(path);
    return true;
  }
}

function isOfType(path: string, { isFile, isDirectory, isSymlink }: DirEntry): boolean {
  try {
    const info = lstat(path);
    return info.isFile === isFile && info.isDirectory === isDirectory &&
      info.isSymlink === isSymlink;
  } catch {
    return false;
  }
}
