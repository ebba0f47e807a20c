/**
 * The table of repairs: how a path that does not exist as given can be read. The command line, the
 * library and the tools use the same rows, in the same order, with the same notes.
 *
 * A repair applies only to a path that does not exist as given, and only if what it reads exists in
 * the workspace and is not blocked: it never changes what an existing name means.
 *
 * @module
 */

import type { RepairName } from "../notes/words.ts";
import * as platform from "../util/path.ts";
import { asGivenAndTrimmed, pathOfFileUrl, percentDecoded } from "../util/path.ts";
import type { PathUse } from "./locate.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Repairs take two turns. At the end of each, the only path of the workspace that ends with the given
 * segments is tried: what the second turn removes may belong to a name (`docs/a%20b.md` for
 * `a%20b.md`), and `b/lib.rs` is `crates/b/lib.rs` rather than `lib.rs` in a diff.
 */
export type Turn = 1 | 2;
export const TURNS: readonly Turn[] = [1, 2];

/** Lines that a path names, as `a.ts:10-20` does; without a last line, all from the first one on. */
export interface NamedLines {
  readonly first: number;
  readonly last?: number | undefined;
}

/** A repaired path, and the lines named by the dropped part. */
interface RepairedPath {
  readonly path: string;
  readonly lines?: NamedLines | undefined;
}

/** One way to repair a path: a row of the table. */
interface Repair {
  /** Its name in notes. @default none is needed: answers show such paths */
  readonly name?: RepairName;
  /** Whether the segments stay the same, so that they may end a longer path. @default false */
  readonly isSpelling?: true;
  /** Whether it may hit another file than intended: not for tools that write. @default false */
  readonly isGuess?: true;
  /** Whether all of its paths that exist are used, not only the first. @default false */
  readonly isOneOfSeveral?: true;
  /** Whether globs of filters are read so, too. @default false */
  readonly isOfGlobs?: true;
  /** The repaired paths; none if the repair does not apply. */
  readonly read: (
    path: string,
    workspace: Workspace,
  ) => string | readonly (string | RepairedPath)[] | undefined;
}

/** The repairs of each turn in the order in which they are tried. To add one, add a row. */
export const REPAIRS: readonly (readonly Repair[])[] = [[
  {
    name: "unquoted",
    isSpelling: true,
    read: inside(/^(?<quote>["'`])(?<path>.+)\k<quote>$/su),
  },
  { name: "unquoted", ...{ isSpelling: true, isOfGlobs: true }, read: inside(/^@(?<path>.+)$/su) },
  {
    name: "file_url",
    isOfGlobs: true,
    read: (url) => {
      const path = pathOfFileUrl(url);
      const lines = namedLines(/#L(?<first>\d+)(?:-L?(?<last>\d+))?$/u.exec(url)?.groups);
      return path === undefined ? undefined : [{ path, lines }];
    },
  },
  {
    name: "line",
    ...{ isSpelling: true, isOfGlobs: true },
    // Of `a:1:2`, first `a:1` and then `a`.
    read: inside(
      /^(?<path>.+):(?<first>\d+):?$/su,
      /^(?<path>.+?):(?<first>\d+)(?::\d+)?:?$/su,
    ),
  },
  {
    name: "backslashes",
    isSpelling: true,
    read: (path) => path.includes("\\") ? path.replace(/\\+/gu, "/") : undefined,
  },
  {
    name: "from_root",
    // `/.` and `/a/..` are `/`: outside.
    read: (path) => platform.normalize(path) === platform.sep ? undefined : belowSlash(path),
  },
  {
    name: "own_name",
    isOfGlobs: true,
    read: (path, { roots }) =>
      roots.length === 1 ? belowRoot(path, [[roots[0]!, platform.basename(roots[0]!)]]) : undefined,
  },
  {
    // A label, as answers show it, leads to one root.
    read: (path, workspace) =>
      workspace.roots.length > 1 ? belowRoot(path, [...workspace.labels]) : undefined,
  },
  {
    name: "root_name",
    isOneOfSeveral: true,
    read: (path, { roots }) =>
      roots.length > 1
        ? belowRoot(path, roots.map((root) => [root, platform.basename(root)]))
        : undefined,
  },
], [
  {
    name: "link_target",
    isSpelling: true,
    read: inside(/^\[[^\]]*\]\((?<path>[^()]+)\)$/su),
  },
  { name: "angle_brackets", isSpelling: true, read: inside(/^<(?<path>[^<>]+)>$/su) },
  {
    name: "lines",
    isSpelling: true,
    read: inside(
      /^(?<path>.+?)#L(?<first>\d+)(?:-L?(?<last>\d+))?$/su,
      /^(?<path>.+?):L?(?<first>\d+)-L?(?<last>\d+)$/su,
    ),
  },
  {
    name: "line_text",
    isSpelling: true,
    read: inside(/^(?<path>(?:[A-Za-z]:(?=[\\/]))?[^:]+):(?<first>\d+):.+$/su),
  },
  {
    name: "escaped_blanks",
    isSpelling: true,
    read: (path) => path.replace(/\\(?=[ ()[\]&'"])/gu, ""),
  },
  { name: "percent", isSpelling: true, read: percentDecoded },
  {
    name: "from_root",
    isOfGlobs: true,
    read: inside(
      /^(?:\$\{workspace(?:Folder|Root)\}|<workspace root>|\$\{?PWD\}?)\/(?<path>.+)$/su,
    ),
  },
  {
    name: "home",
    isOfGlobs: true,
    read: (path, { roots }) => belowHome(path, roots),
  },
  {
    name: "second_root",
    read: (path, { roots }) =>
      roots.filter((root) => path.startsWith(root + root + platform.sep))
        .map((root) => path.slice(root.length)),
  },
  {
    name: "diff_prefix",
    ...{ isGuess: true, isOfGlobs: true },
    read: inside(/^[ab]\/(?<path>.+)$/su),
  },
]];

/**
 * Reads what stands in a path as its group `path`, by each of the forms that the path has, and the lines in
 * its groups `first` and `last`.
 */
function inside(...forms: readonly RegExp[]): (path: string) => readonly RepairedPath[] {
  return (given) =>
    forms.flatMap((form) => {
      const { path, ...groups } = form.exec(given)?.groups ?? {};
      return path === undefined ? [] : [{ path, lines: namedLines(groups) }];
    });
}

function namedLines({ first, last }: Record<string, string | undefined> = {}) {
  if (first === undefined) return undefined;
  return { first: Number(first), last: last === undefined ? undefined : Number(last) };
}

const belowSlash = inside(/^\/+(?<path>[^/].*)$/su);

/** A relative path that begins with the name of a root, below that root. */
function belowRoot(
  path: string,
  names: readonly (readonly [root: string, name: string])[],
): string[] {
  const relative = path.replace(/^(?:\.\/+)+/u, "");
  return names.flatMap(([root, name]) => {
    const isNamed = relative === name || relative.startsWith(name + "/");
    return name !== "" && isNamed ? [platform.join(root, relative.slice(name.length))] : [];
  });
}

/** A path from the home directory, below the roots that lie where it leads. */
function belowHome(path: string, roots: readonly string[]): string[] {
  const segments = /^(?:~|\$\{?HOME\}?)\/(?<path>.+)$/su.exec(path)?.groups?.["path"]?.split("/") ??
    [];
  return roots.flatMap((root) => {
    const above = `${root.replaceAll(platform.sep, "/")}/`;
    const isWay = (_: string, end: number) =>
      above.endsWith(`/${segments.slice(0, end + 1).join("/")}/`);
    const end = segments.findLastIndex(isWay) + 1;
    return end === 0 ? [] : [platform.join(root, ...segments.slice(end))];
  });
}

/** A reading of a path, and how the path was read, as far as that needs a note. */
export interface PathReading {
  readonly path: string;
  readonly by: readonly RepairName[];
  /** The lines that the path names: of each repair that drops some. */
  readonly lines: readonly NamedLines[];
  /** Whether each of the readings that say the same is meant. @default the first that exists */
  readonly isOneOfSeveral?: true | undefined;
  /** Whether it is a guess, which counts only if it exists. @default it also counts if it is blocked */
  readonly isGuess?: true | undefined;
}

/** The most readings of a turn: real paths need fewer repairs, and each reading is looked up. */
const MAX_READINGS = 100;

/**
 * The repaired readings of a path that a turn adds: by each row alone, in order, then by two rows, and
 * so on, whichever is inside the other.
 *
 * @param use what the path is for: no guesses where a tool may write
 */
export function readingsOf(
  given: string,
  workspace: Workspace,
  turn: Turn,
  use: PathUse = "search",
): readonly PathReading[] {
  const isRisky = use === "project" || use === "dir";
  return added(given, workspace, turn, ({ isGuess }) => !isGuess || !isRisky);
}

/** The readings that a glob has as a path has them. */
export function globReadingsOf(glob: string, workspace: Workspace): readonly PathReading[] {
  return TURNS.flatMap((turn) =>
    added(glob, workspace, turn, ({ isOfGlobs }) => isOfGlobs === true)
  );
}

/**
 * The ends of paths that a relative path may be, likely ones first, with `/` between the segments; none
 * for an absolute path.
 */
export function endingsOf(given: string, workspace: Workspace, turn: Turn): readonly PathReading[] {
  const asGiven = readingsAsGiven(given);
  const spelled = added(given, workspace, turn, ({ isSpelling }) => isSpelling === true);
  return (turn === 1 ? [...asGiven, ...spelled] : spelled).flatMap((reading) => {
    const { path } = reading;
    if (platform.isAbsolute(path)) return [];
    const segments = platform.normalize(path).split(platform.sep)
      .filter((segment) => segment !== "" && segment !== ".");
    return segments.length === 0 || segments.includes("..")
      ? []
      : [{ ...reading, path: segments.join("/") }];
  });
}

function readingsAsGiven(given: string): Repaired[] {
  const untouched = { by: [], lines: [], repairs: [] };
  return asGivenAndTrimmed(given).map((path) => ({ path, ...untouched }));
}

type Repaired = PathReading & { readonly repairs: readonly Repair[] };

/** What the repairs of a turn, with those of the turn before it, add to the readings. */
function added(
  given: string,
  workspace: Workspace,
  turn: Turn,
  applies: (repair: Repair) => boolean,
): readonly PathReading[] {
  let readings = readingsAsGiven(given);
  let before = 0;
  for (let last = 1; last <= turn; last++) {
    before = readings.length;
    readings = repaired(readings, workspace, REPAIRS.slice(0, last).flat().filter(applies));
  }
  return readings.slice(before);
}

/** Readings, and after them all that repairs make of them, each repair used once at most. */
function repaired(
  known: readonly Repaired[],
  workspace: Workspace,
  repairs: readonly Repair[],
): Repaired[] {
  const readings = [...known];
  const seen = new Set(readings.map(({ path }) => path));
  const most = known.length + MAX_READINGS;
  for (const reading of readings) { // which grow meanwhile
    for (const repair of repairs) {
      if (reading.repairs.includes(repair)) continue;
      for (const found of [repair.read(reading.path, workspace) ?? []].flat()) {
        const { path, lines }: RepairedPath = typeof found === "string" ? { path: found } : found;
        if (path.trim() === "" || seen.has(path)) continue;
        if (readings.length === most) return readings;
        seen.add(path);
        readings.push({
          path,
          by: repair.name === undefined ? reading.by : [...reading.by, repair.name],
          lines: lines === undefined ? reading.lines : [...reading.lines, lines],
          isOneOfSeveral: reading.isOneOfSeveral ?? repair.isOneOfSeveral,
          isGuess: reading.isGuess ?? repair.isGuess,
          repairs: [...reading.repairs, repair],
        });
      }
    }
  }
  return readings;
}

/** Looks for existing paths that end with a missing path. */
export type EndingFinder = (given: string) => Promise<EndingsInTurn>;

/** Canonical paths that a missing path may be the end of, as a turn of the repairs reads it. */
export type EndingsInTurn = (turn: Turn) => readonly PathByEnding[];

export interface PathByEnding extends PathReading {
  /** The given segments, with `/` between them. */
  readonly ending: string;
}
