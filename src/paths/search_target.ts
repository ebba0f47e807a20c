/**
 * The target of a search or a listing: everything, a directory, or a file.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import type { PathReading, Turn } from "./repairs.ts";
import type { FileInfo } from "../system/types.ts";

/** The target of a search, by `kind`: every root, a directory, or a file. */
export type ResolvedSearchTarget =
  | { kind: "all-workspaces"; roots: readonly string[] }
  | { kind: "directory"; searchDir: string; notes: readonly string[] }
  | {
    kind: "file";
    filePath: string;
    parentDir: string;
    basename: string;
    notes: readonly string[];
  };

/** Looks for existing paths that end with a missing path. */
export type EndingFinder = (given: string) => Promise<EndingsInTurn>;

/** Canonical paths that a missing path may be the end of, as a turn of the repairs reads it. */
export type EndingsInTurn = (turn: Turn) => readonly PathByEnding[];

export interface PathByEnding extends PathReading {
  /** The given segments, with `/` between them. */
  readonly ending: string;
}

/**
 * The target of an existing path.
 *
 * @throws {PathgrepError} `path_unsupported` if it is neither a file nor a directory
 */
export function targetAt(
  path: string,
  info: FileInfo,
  given: string,
  notes: readonly string[] = [],
): ResolvedSearchTarget {
  if (info.isDirectory) return { kind: "directory", searchDir: path, notes };
  if (info.isFile) {
    const parentDir = platform.dirname(path);
    return { kind: "file", filePath: path, parentDir, basename: platform.basename(path), notes };
  }
  throw new PathgrepError(
    "path_unsupported",
    `Path is neither a file nor a directory: ${path}`,
    { path: given, resolved_path: path, hint: "name a regular file or a directory" },
  );
}
