/**
 * The files of an answer that lie in dependencies, of which few answers have any.
 *
 * @module
 */

import type { FileHit, SearchJob } from "../searcher/job.ts";
import { sep } from "../util/path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Caller } from "./callers.ts";
import type { SearchSettings } from "./query.ts";

const PART = `${sep}node_modules${sep}`;

/** Remembers which files of an answer lie in dependencies. */
export class MetDependencies {
  readonly #paths = new Set<string>();

  /** Takes a file of the answer. */
  readonly meet = ({ path }: FileHit): void => {
    if (path.includes(PART)) this.#paths.add(path);
  };

  /** What the answer says of them; see `dependency_notes.ts`. */
  async notes(
    settings: SearchSettings,
    job: SearchJob,
    isListing: boolean,
    { workspace, caller = "library" }: { workspace: Workspace; caller?: Caller | undefined },
  ): Promise<string[]> {
    if (this.#paths.size === 0) return [];
    const { dependencyNotes } = await import("./dependency_notes.ts");
    return dependencyNotes(this.#paths, settings, job, workspace, caller, isListing);
  }
}
