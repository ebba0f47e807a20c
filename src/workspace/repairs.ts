/**
 * Repairs paths that do not exist as given: undoes the ways in which models misspell them.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { asGivenAndTrimmed, pathOfFileUrl } from "./paths.ts";
import type { Workspace } from "./workspace.ts";

/** One way to repair a path. */
interface Repair {
  /** What the repair does, as the note words it. */
  readonly said: string;
  /** Whether it spells the same path in another way. @default false */
  readonly isSpelling?: true;
  /** The repaired path, or several, perhaps in other words; none if the repair does not apply. */
  readonly read: (
    path: string,
    workspace: Workspace,
  ) => string | readonly (string | RepairedPath)[] | undefined;
}

const UNQUOTED: Repair = {
  said: "without the surrounding quotes, backticks or leading @",
  isSpelling: true,
  read: (path) => {
    const unquoted = /^(?<quote>["'`])(?<inner>.+)\k<quote>$/su.exec(path)?.groups?.["inner"];
    return unquoted ?? /^@(?<rest>.+)$/su.exec(path)?.groups?.["rest"];
  },
};

/** The repairs in the order in which they are tried. To add one, add an entry. */
const REPAIRS: readonly Repair[] = [
  UNQUOTED,
  {
    said: "as a file URL",
    read: pathOfFileUrl,
  },
  {
    said: "without the line number at its end",
    isSpelling: true,
    // Of `a:1:2`, first `a:1` and then `a`.
    read: (path) =>
      [/^(?<file>.+):\d+:?$/su, /^(?<file>.+?):\d+(?::\d+)?:?$/su].flatMap((form) =>
        form.exec(path)?.groups?.["file"] ?? []
      ),
  },
  UNQUOTED, // a line number may follow the quotes
  {
    said: "with / between the segments",
    isSpelling: true,
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
      const below = (root: string, name: string) => {
        const isNamed = relative === name || relative.startsWith(name + "/");
        return name !== "" && isNamed ? [platform.join(root, relative.slice(name.length))] : [];
      };
      const byName = workspace.roots.flatMap((root) => below(root, platform.basename(root)));
      if (workspace.roots.length === 1) return byName;
      // Labels as our answers show them come first: each leads to one root, and is read as it is.
      return [
        ...[...workspace.labels].flatMap(([root, label]) => below(root, label))
          .map((path) => ({ path, said: "" })),
        ...byName.map((path) => ({
          path,
          said: "from the workspace root of that name",
          isOneOfSeveral: true as const,
        })),
      ];
    },
  },
];

/** A repaired path, and what the note says about it: nothing if it was given as answers show it. */
export interface RepairedPath {
  path: string;
  said: string;
  /** Of several roots of one name: all that have the path are meant. @default the first one is */
  isOneOfSeveral?: true;
}

/** The end of a path, and the words that say how the path was read. */
export interface Ending {
  segments: readonly string[];
  said: string;
}

/** The segments that a relative path may be the end of, likely ones first; none for an absolute one. */
export function endingsOf(path: string, workspace: Workspace): Ending[] {
  const asGiven = asGivenAndTrimmed(path).map((path) => ({ path, said: "" }));
  const forms = [...asGiven, ...repairCandidates(path, workspace, true)];
  return forms.flatMap(({ path, said }) => {
    if (platform.isAbsolute(path)) return [];
    const segments = platform.normalize(path).split(platform.sep)
      .filter((segment) => segment !== "" && segment !== ".");
    return segments.length === 0 || segments.includes("..") ? [] : [{ segments, said }];
  });
}

/**
 * All repaired forms of a path: by each repair alone, in order, then by two at a time, and so on.
 *
 * @param spellings whether to apply only repairs that spell the same path in another way
 */
export function* repairCandidates(
  path: string,
  workspace: Workspace,
  spellings = false,
): Generator<RepairedPath> {
  const readings = asGivenAndTrimmed(path);
  let forms: (RepairedPath & { next: number })[] = readings
    .map((path) => ({ path, said: "", next: 0 }));
  const seen = new Set<string>(readings);
  while (forms.length > 0) {
    const further: typeof forms = [];
    for (const form of forms) {
      for (let index = form.next; index < REPAIRS.length; index++) {
        const repair = REPAIRS[index]!;
        if (spellings && !repair.isSpelling) continue;
        for (const other of [repair.read(form.path, workspace) ?? []].flat()) {
          const reading = typeof other === "string" ? { path: other, said: repair.said } : other;
          const { path, isOneOfSeveral } = reading;
          if (path.trim() === "" || seen.has(path)) continue;
          seen.add(path);
          const said = [form.said, reading.said].filter((words) => words !== "").join(", ");
          further.push({ path, said, next: index + 1 });
          yield { path, said, ...(isOneOfSeveral && { isOneOfSeveral }) };
        }
      }
    }
    forms = further;
  }
}
