/**
 * Other readings of a path that does not exist as given: the ways in which models misspell one.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { pathOfFileUrl } from "./paths.ts";
import type { Workspace } from "./workspace.ts";

/** One way to read a path differently. */
interface Repair {
  /** What was done, as the note says it. */
  readonly said: string;
  /** The other reading, or several; none where the path gives no reason for it. */
  readonly read: (path: string, workspace: Workspace) => string | readonly string[] | undefined;
}

/** The readings in the order in which they are tried. To add one, add an entry. */
const REPAIRS: readonly Repair[] = [
  {
    said: "without the surrounding quotes, backticks or leading @",
    read: (path) => {
      const unquoted = /^(?<quote>["'`])(?<inner>.+)\k<quote>$/su.exec(path)?.groups?.["inner"];
      return unquoted?.trim() ?? /^@(?<rest>.+)$/su.exec(path)?.groups?.["rest"];
    },
  },
  {
    said: "as a file URL",
    read: pathOfFileUrl,
  },
  {
    said: "without the line number at its end",
    // Of `a:1:2`, first `a:1` and then `a`.
    read: (path) =>
      [/^(?<file>.+):\d+:?$/su, /^(?<file>.+?):\d+(?::\d+)?:?$/su].flatMap((form) =>
        form.exec(path)?.groups?.["file"] ?? []
      ),
  },
  {
    said: "with / between the segments",
    read: (path) => path.includes("\\") ? path.replace(/\\+/gu, "/") : undefined,
  },
  {
    said: "from the workspace root",
    read: (path) => {
      const rest = /^\/+(?<rest>[^/].*)$/su.exec(path)?.groups?.["rest"];
      // `/.` and `/a/..` are `/`: outside.
      return rest === undefined || platform.normalize(`/${rest}`) === platform.sep
        ? undefined
        : rest;
    },
  },
  {
    said: "without the workspace root's own name at its start",
    read(path, workspace) {
      const relative = path.replace(/^(?:\.\/+)+/u, "");
      return workspace.roots.flatMap((root) => {
        const name = platform.basename(root);
        const isNamed = relative === name || relative.startsWith(name + "/");
        return name !== "" && isNamed ? [platform.join(root, relative.slice(name.length))] : [];
      });
    },
  },
];

/** Another reading of a path, and the words that say what was done. */
export interface Reading {
  path: string;
  said: string;
}

/** Every other reading of a path: each repair alone in order, then two at a time, and so on. */
export function* otherReadings(path: string, workspace: Workspace): Generator<Reading> {
  let readings: (Reading & { next: number })[] = [{ path, said: "", next: 0 }];
  const seen = new Set([path]);
  while (readings.length > 0) {
    const further: typeof readings = [];
    for (const reading of readings) {
      for (let index = reading.next; index < REPAIRS.length; index++) {
        const repair = REPAIRS[index]!;
        const said = reading.said === "" ? repair.said : `${reading.said}, ${repair.said}`;
        for (const other of [repair.read(reading.path, workspace) ?? []].flat()) {
          if (other === "" || seen.has(other)) continue;
          seen.add(other);
          further.push({ path: other, said, next: index + 1 });
          yield { path: other, said };
        }
      }
    }
    readings = further;
  }
}
