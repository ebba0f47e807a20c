/**
 * Files and directories in Node.js.
 *
 * Node.js replaces bytes of a name that are not UTF-8, as Deno does in a listing. Where a link leads is
 * asked for as bytes, so that such a name is an error, and not another one.
 *
 * @module
 */

import type { Stats } from "node:fs";
import type { DirEntry, FileHandle, FileInfo } from "../types.ts";
import { builtin } from "./builtin.ts";

const fs = builtin("node:fs");

/** The codes of each kind of error, by Deno's name for the kind. */
const CODES = {
  NotFound: ["ENOENT"],
  NotADirectory: ["ENOTDIR"],
  AlreadyExists: ["EEXIST"],
  PermissionDenied: ["EACCES", "EPERM"],
  NotCapable: ["ERR_ACCESS_DENIED"],
  InvalidData: ["EILSEQ"],
  FilesystemLoop: ["ELOOP"],
  WouldBlock: ["EAGAIN"],
  BrokenPipe: ["EPIPE"],
  ConnectionReset: ["ECONNRESET"],
  ConnectionRefused: ["ECONNREFUSED"],
} as const;

export type ErrorKind = keyof typeof CODES;

export function isOfKind(error: unknown, kinds: readonly ErrorKind[]): boolean {
  const code = codeOf(error);
  return kinds.some((kind) => (CODES[kind] as readonly string[]).includes(code));
}

export function isSystemError(error: unknown): boolean {
  return /^E[A-Z\d]+$|^ERR_ACCESS_DENIED$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((Object(error) as { code?: unknown }).code);
}

export function errorOf(kind: ErrorKind): Error {
  return Object.assign(new Error(kind), { code: CODES[kind][0] });
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(name: Uint8Array): string {
  try {
    return strict.decode(name);
  } catch {
    throw errorOf("InvalidData");
  }
}

function infoOf(stats: Stats): FileInfo {
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
    size: stats.size,
    mtime: stats.mtime,
    ctime: stats.ctime,
    birthtime: stats.birthtime,
    dev: stats.dev,
    ino: stats.ino,
    mode: stats.mode,
    nlink: stats.nlink,
    uid: stats.uid,
    gid: stats.gid,
  };
}

export function lstat(path: string): FileInfo {
  return infoOf(fs.lstatSync(path));
}

/** What a path names; costs no error where that is nothing. */
export function infoAt(path: string): FileInfo | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats && infoOf(stats);
}

export function stat(path: string): FileInfo {
  return infoOf(fs.statSync(path));
}

export function realPath(path: string): string {
  return decoded(fs.realpathSync.native(path, "buffer"));
}

export function readLink(path: string): string {
  return decoded(fs.readlinkSync(path, "buffer"));
}

export function readDirectory(path: string): DirEntry[] {
  return fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFile: entry.isFile(),
    isDirectory: entry.isDirectory(),
    isSymlink: entry.isSymbolicLink(),
  }));
}

export function openFile(path: string, options?: { write: true }): FileHandle {
  return new OpenFile(fs.openSync(path, options === undefined ? "r" : "r+"));
}

export function openFileAsync(path: string): Promise<FileHandle> {
  return new Promise((resolve, reject) => {
    fs.open(path, (error, file) => error ? reject(error) : resolve(new OpenFile(file)));
  });
}

class OpenFile implements FileHandle {
  readonly #file: number;
  /** Where it is read, once that is not where the system is: Node.js cannot seek. */
  #at: number | null = null;

  constructor(file: number) {
    this.#file = file;
  }

  readSync(buffer: Uint8Array): number | null {
    const read = fs.readSync(this.#file, buffer, 0, buffer.length, this.#at);
    if (this.#at !== null) this.#at += read;
    return read === 0 && buffer.length > 0 ? null : read;
  }

  seekSync(offset: number): number {
    const stats = fs.fstatSync(this.#file);
    if (!stats.isFile() && !stats.isBlockDevice()) throw new Error("only files can be sought");
    return this.#at = offset;
  }

  statSync(): FileInfo {
    return infoOf(fs.fstatSync(this.#file));
  }

  utimeSync(accessed: number, modified: number): void {
    fs.futimesSync(this.#file, accessed, modified);
  }

  /** Node.js has no locks; nothing that takes one runs there. */
  tryLockSync(): boolean {
    return false;
  }

  close(): void {
    fs.closeSync(this.#file);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A buffer of Node.js would be sliced as a view. */
export function readFile(path: string): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = fs.readFileSync(path);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

export function readTextFile(path: string): string {
  return fs.readFileSync(path, "utf-8");
}

export function makeDirectory(path: string, options: { recursive?: boolean; mode: number }): void {
  fs.mkdirSync(path, options);
}

export function makeTemporaryFile({ prefix, dir }: { prefix: string; dir?: string }) {
  const path = `${dir ?? builtin("node:os").tmpdir()}/${prefix}${crypto.randomUUID()}`;
  fs.closeSync(fs.openSync(path, "wx", 0o600));
  return path;
}

export const changeMode = fs.chmodSync;
export const removeFile = fs.unlinkSync;
