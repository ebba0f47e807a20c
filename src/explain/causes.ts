/**
 * The causes why a search does not show a match, those that follow from a file's path alone, and matches
 * grouped by cause.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { FileFilter, type FilterOptions } from "../scan/file_filter.ts";
import type { LeftOutEntry } from "../scan/listing.ts";
import type { IgnoredBy } from "../scan/walk_rules.ts";
import { innermost } from "../paths/workspace.ts";
import { compareByBytes, isWithin, relativePath } from "../paths/paths.ts";
import { PathgrepError } from "../util/errors.ts";
import { type NormalForm, normalFormOf } from "../util/normal_form.ts";
import type { Change } from "../search/callers.ts";
import type { SearchSettings } from "../search/query.ts";

/** The options that filter files. */
export const FILTER_KEYS = ["include", "exclude", "type", "typeNot"] as const;

export type FilterKey = (typeof FILTER_KEYS)[number];

export const NO_FILTER = {
  ...{ include: [], exclude: [], type: [], typeNot: [] },
  within: undefined,
} as const;

/** Why a match is not shown. */
export type Cause =
  | {
    kind:
      | FilterKey
      | "includeCase"
      | "case"
      | "binary"
      | "hidden"
      | "size"
      | "depth"
      | "elsewhere"
      | "untracked";
  }
  | { kind: "ignored"; entry: LeftOutEntry; rule?: IgnoredBy | undefined }
  | { kind: "link" | "worktree"; entry: LeftOutEntry }
  /** `isSure`: no other encoding is as likely; otherwise the match is found in this one, too. */
  | { kind: "encoding"; label: string; isSure: boolean }
  /** A Unicode normal form that a pattern or a glob is not in. */
  | { kind: "form"; form: NormalForm; change?: Change }
  /** A naming convention that the names in a pattern or a glob are not in. */
  | { kind: "convention"; change: Change }
  /** `rank`: of several readings, the first that finds something is reported. */
  | { kind: "reading"; change: Change; rank: number; advice?: string };

/** The order in which causes are reported. */
const ORDER: readonly Cause["kind"][] = [
  ...["include", "includeCase", "exclude", "type", "typeNot", "case", "form"] as const,
  ...["convention", "binary", "ignored", "untracked", "hidden", "size", "depth", "link"] as const,
  ...["encoding", "worktree", "elsewhere", "reading"] as const,
];

/** The directory of entries outside every base. */
const NOWHERE = `${platform.sep}\0`;

/** Determines from the path of a file why a walk excludes it, ignore rules aside. */
export class PathCauses {
  readonly #bases: readonly string[];
  readonly #settings: SearchSettings;
  readonly #tellsCase: boolean;
  #anyCase: NameReading | undefined;
  /** By base. */
  readonly #filters: ReadonlyMap<
    string,
    readonly (readonly [FilterKey | "elsewhere", FileFilter])[]
  >;
  /** Which filters exclude a directory, or one above it: files come by directory. */
  #last: { base: string; directory: string; rejecting: readonly FileFilter[] } | undefined;

  /**
   * @param settings the filters, and whether hidden files count
   * @param bases the directories that paths are relative to when they are matched
   * @param tellsCase whether an include that differs in letter case is a cause of its own
   */
  constructor(settings: SearchSettings, bases: readonly string[], tellsCase = false) {
    this.#settings = settings;
    this.#bases = bases;
    this.#tellsCase = tellsCase;
    const places = [...bases, NOWHERE];
    const { includeKey, within } = settings;
    const options = [
      ...FILTER_KEYS.filter((key) => settings[key].length > 0)
        .map((key) => [key, filterOf(settings, key)] as const),
      ...within === undefined ? [] : [["elsewhere", { ...NO_FILTER, includeKey, within }] as const],
    ];
    const filters = options.map(([key, one]) => [key, FileFilter.forEach(one, places)] as const);
    this.#filters = new Map(places.map((base, index) => [
      base,
      filters.map(([key, byPlace]) => [key, byPlace[index]!] as const),
    ]));
  }

  /** The causes for a file or a directory; none: a walk includes it. */
  of(path: string, isDirectory = false): Cause[] {
    const base = innermost(this.#bases, path);
    const relative = base === undefined ? platform.basename(path) : relativePath(base, path);
    const names = relative.split("/");
    const name = names.at(-1)!;
    const filters = this.#filters.get(base ?? NOWHERE)!;
    const rejecting = this.#rejecting(base ?? NOWHERE, names.slice(0, -1));
    const rejects = (filter: FileFilter) =>
      rejecting.includes(filter) ||
      (isDirectory ? filter.prunes(relative, name) : !filter.accepts(relative, name));
    const causes: Cause[] = filters.filter(([, filter]) => rejects(filter)).map(([kind]) => ({
      kind: kind === "include" && this.#differsInCase(path) ? "includeCase" : kind,
    }));
    const { hidden, maxDepth } = this.#settings;
    if (!hidden && names.some((name) => name.startsWith("."))) causes.push({ kind: "hidden" });
    if (names.length > maxDepth) causes.push({ kind: "depth" });
    return causes;
  }

  /** Whether a path that no include matches differs from one in letter case alone. */
  #differsInCase(path: string): boolean {
    if (!this.#tellsCase) return false;
    this.#anyCase ??= new NameReading(this.#settings, this.#settings.include, this.#bases, []);
    return this.#anyCase.of(path)?.length === 1;
  }

  #rejecting(base: string, names: readonly string[]): readonly FileFilter[] {
    const directory = names.join("/");
    if (this.#last?.directory !== directory || this.#last.base !== base) {
      const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
      const rejecting = this.#filters.get(base)!.map(([, filter]) => filter)
        .filter((filter) => paths.some((path, index) => filter.prunes(path, names[index]!)));
      this.#last = { base, directory, rejecting };
    }
    return this.#last!.rejecting;
  }
}

/** A reading of the globs that say which files are searched. */
export class NameReading {
  readonly #exact: PathCauses;
  /** In lower case; nothing where a range such as `[Z-a]` runs backwards then. */
  readonly #folded: PathCauses | undefined;
  /** The same in one normal form. */
  readonly #composed: PathCauses | undefined;
  readonly #foldedComposed: PathCauses | undefined;
  readonly #causes: readonly Cause[];

  /**
   * @param include the globs as they are read
   * @param bases the directories that paths are relative to when they are matched
   * @param causes why they were not read so
   */
  constructor(
    settings: SearchSettings,
    include: readonly string[],
    bases: readonly string[],
    causes: readonly Cause[],
  ) {
    const rest = { exclude: [], type: [], typeNot: [], hidden: true, maxDepth: Infinity };
    const within = Object.entries(settings.within ?? {});
    const read = (as: (text: string) => string): PathCauses | undefined => {
      try {
        const places = settings.places
          .map(({ prefix, path }) => ({ prefix: as(prefix), path: as(path) }));
        const other = {
          ...{ ...settings, ...rest, places, include: include.map(as) },
          within: settings.within &&
            Object.fromEntries(within.map(([base, globs]) => [as(base), globs.map(as)])),
        };
        return new PathCauses(other, bases.map(as));
      } catch (error) {
        if (!(error instanceof PathgrepError)) throw error;
        return undefined;
      }
    };
    this.#exact = new PathCauses({ ...settings, ...rest, include }, bases);
    this.#folded = read((text) => text.toLowerCase());
    this.#composed = read((text) => text.normalize("NFC"));
    this.#foldedComposed = read((text) => text.normalize("NFC").toLowerCase());
    this.#causes = causes;
  }

  /** Why the globs did not match a file that they match in this reading; nothing if they do not match it. */
  of(path: string): readonly Cause[] | undefined {
    if (this.#exact.of(path).length === 0) return this.#causes;
    if (this.#folded?.of(path.toLowerCase()).length === 0) {
      return [...this.#causes, { kind: "case" }];
    }
    const form = normalFormOf(path);
    if (form === undefined) return undefined;
    const composed = path.normalize("NFC");
    const other: Cause = { kind: "form", form };
    if (this.#composed?.of(composed).length === 0) return [...this.#causes, other];
    if (this.#foldedComposed?.of(composed.toLowerCase()).length !== 0) return undefined;
    return [...this.#causes, { kind: "case" }, other];
  }
}

/** The filter that one of the options makes alone. */
export function filterOf(settings: SearchSettings, key: FilterKey): FilterOptions {
  const { includeKey, places } = settings;
  return { ...NO_FILTER, [key]: settings[key], includeKey, places };
}

/** Matches that the same causes hide. */
export interface MissedMatches {
  /** In the order in which they are reported; at least one. */
  causes: readonly Cause[];
  count: number;
  files: number;
  /** The first of the files, by path. */
  first: string;
  /** Their names, as long as they are few. */
  names: ReadonlySet<string>;
  /** The directory that holds all of them. */
  directory: string;
  /** Whether there may be more. */
  isCut: boolean;
  /** What the same causes hide in other naming conventions; most matches first. */
  others?: readonly MissedMatches[];
}

/** The most names that are sent in place of a glob. */
export const MAX_NAMES = 3;

/** Matches by their causes. */
export class MatchesByCause {
  readonly #groups = new Map<string, MissedMatches & { names: Set<string> }>();

  /** Adds the matches of one file; `isCut`: there may be more of the same. */
  add(causes: readonly Cause[], path: string, count: number, isCut: boolean): void {
    if (causes.length === 0) return; // made since the search
    const ordered = causes.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    const key = JSON.stringify(ordered.map(groupOf));
    const directory = platform.dirname(path);
    const group = this.#groups.get(key);
    if (group === undefined) {
      const names = new Set([platform.basename(path)]);
      const one = { causes: ordered, count, files: 1, first: path, names, directory, isCut };
      this.#groups.set(key, one);
      return;
    }
    group.count += count;
    group.files++;
    if (group.names.size <= MAX_NAMES) group.names.add(platform.basename(path));
    group.isCut ||= isCut;
    if (compareByBytes(path, group.first) < 0) {
      group.first = path;
      group.causes = ordered;
    }
    while (!isWithin(group.directory, path)) group.directory = platform.dirname(group.directory);
  }

  /** Whether another reading of the call has matches that nothing else hides. */
  get hasReading(): boolean {
    return this.#groups.values().some(({ causes }) =>
      causes.length === 1 && ["reading", "form", "convention"].includes(causes[0]!.kind)
    );
  }

  /** The groups in order, without those of which some causes alone hide other matches. */
  reported(): MissedMatches[] {
    const all = [...this.#groups.values()];
    const kinds = all.map(({ causes }) => new Set(causes.map(({ kind }) => kind)));
    const reported = all
      .filter((missed, index) =>
        !all.some((other, otherIndex) => {
          const [some, these] = [kinds[otherIndex]!, kinds[index]!];
          if (!some.isSubsetOf(these)) return false;
          return some.size < these.size || readingRank(other) < readingRank(missed);
        })
      )
      .sort((a, b) => compareInOrder(a, b) || compareByBytes(a.first, b.first));
    const apartFromConvention = ({ causes }: MissedMatches) =>
      JSON.stringify(
        causes.map((cause) => cause.kind === "convention" ? cause.kind : groupOf(cause)),
      );
    return [...Map.groupBy(reported, apartFromConvention).values()].map((groups) => {
      const [most, ...others] = groups.toSorted((a, b) => b.count - a.count);
      return others.length === 0 ? most! : { ...most!, others };
    });
  }
}

function readingRank({ causes }: MissedMatches): number {
  const last = causes.at(-1)!;
  return last.kind === "reading" ? last.rank : 0;
}

function compareInOrder({ causes: a }: MissedMatches, { causes: b }: MissedMatches): number {
  const index = a.findIndex(({ kind }, index) => kind !== b[index]?.kind);
  if (index < 0 || index >= b.length) return a.length - b.length;
  return ORDER.indexOf(a[index]!.kind) - ORDER.indexOf(b[index]!.kind);
}

/** The key by which matches are grouped for the report. */
function groupOf(cause: Cause): unknown {
  switch (cause.kind) {
    case "ignored":
      return [cause.kind, cause.rule?.file, cause.rule?.line];
    case "link":
      return [cause.kind, cause.entry.path];
    case "encoding":
      return [cause.kind, cause.label, cause.isSure];
    case "form":
      return [cause.kind, cause.form];
    case "convention":
    case "reading":
      return [cause.kind, cause.change];
    default:
      return cause.kind;
  }
}
