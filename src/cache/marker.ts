/**
 * A file by which a watch detects which changes the system has already reported.
 *
 * @module
 */

import { makeTemporaryFile, openFile, realPath, removeFile } from "../system/files.ts";
import type { FileHandle } from "../system/types.ts";

/**
 * A file that is watched and then unlinked: nobody else can change it, and nothing is left behind
 * however the process ends.
 */
export class Marker {
  /** The canonical path that it had, by which its changes are reported. */
  readonly path: string;
  readonly #file: FileHandle;
  #isClosed = false;
  /** Whether a change is yet to be reported. */
  #isAwaited = true;
  #reported = Promise.withResolvers<boolean>();
  /** Whether the last change was reported. The first is the loss of its name. */
  #last: Promise<boolean> = this.#reported.promise;

  /** Makes the file in a directory; in the temporary one, if none is given. */
  constructor(directory: string | undefined) {
    const options = directory === undefined ? {} : { dir: directory };
    let path: string | undefined;
    try {
      path = makeTemporaryFile({ prefix: "pathgrep-", ...options });
      this.path = realPath(path);
      this.#file = openFile(this.path, { write: true });
    } catch (error) {
      if (path !== undefined) remove(path);
      throw new Error(`cannot create a file in scratch: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Unlinks the file; never throws, since that would hide why a watch could not start. */
  unlink(): void {
    remove(this.path);
  }

  /**
   * Changes the file once its last change was reported, since the system merges two at once. Resolves
   * to whether the change was reported; never, when the report was lost.
   */
  change(): Promise<boolean> {
    return this.#last = this.#last.then(() => this.touch()).catch(() => false);
  }

  /** Changes the file at once. Resolves to whether that was reported, or a change before it. */
  touch(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    if (!this.#isAwaited) this.#reported = Promise.withResolvers();
    this.#isAwaited = true;
    this.#file.utimeSync(0, 0);
    return this.#reported.promise;
  }

  hear(): void {
    this.#isAwaited = false;
    this.#reported.resolve(true);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reported.resolve(false);
    this.#file.close();
  }
}

function remove(path: string): void {
  try {
    removeFile(path);
  } catch {
    // It is gone with its directory.
  }
}
