/**
 * The causes why a search does not show a match, readings of globs, and matches grouped by cause.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { FileFilter, filterOf } from "../walk/file_filter.ts";
import { LEFT_OUT } from "../notes/table.ts";
import type { HidingCause } from "../notes/words.ts";
import type { FileHit } from "../run/job.ts";
import type { FilterOptions, IgnoreRule, Left } from "../walk/listing.ts";
import { innermost } from "../workspace/workspace.ts";
import { compareByBytes, isWithin, relativePath } from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { type NormalForm, normalFormOf } from "../util/text.ts";
import type { Change } from "../query/query.ts";

/** Why a match is not shown. */
export interface Cause {
  readonly kind: HidingCause["kind"];
  /** The ignored file, or directory above it; the link; the worktree. */
  readonly path?: string;
  readonly rule?: IgnoreRule | undefined;
  /** Whether git tracks what the rule ignores. */
  readonly isTracked?: boolean;
  /** An encoding in which the text was found; otherwise its ASCII characters alone were read. */
  readonly label?: string | undefined;
  /** A Unicode normal form that a pattern or a glob is not in. */
  readonly form?: NormalForm;
  /** Another form of the pattern or the glob. */
  readonly change?: Change;
  /** How a text is written otherwise, and the patterns for it alone. */
  readonly how?: string;
  readonly counted?: readonly string[];
  /** Of several forms, the first that finds something is reported. */
  readonly rank?: number;
  readonly advice?: string;
}

/** The order in which causes are reported. */
const ORDER = Object.keys(LEFT_OUT);

/** The cause that a reason against a file is. */
export function causeOf({ reason, path, by }: Left, file: string): Cause {
  const kind = reason as Cause["kind"];
  if (kind === "ignored") return { kind, path: path ?? file, rule: by as IgnoreRule | undefined };
  if (kind === "symlinks" || kind === "worktrees") return { kind, path: path! };
  return kind === "not_utf8" ? { kind, label: by as string | undefined } : { kind };
}

/** The path by which a search that follows links would have reached a file. */
export function askedPath({ path, left = [] }: Pick<FileHit, "path" | "left">): string {
  const link = left.find(({ reason }) => reason === "symlinks");
  const target = link?.by as string | undefined;
  // Another link may lead on from there.
  return target !== undefined && isWithin(target, path)
    ? link!.path! + path.slice(target.length)
    : path;
}

/** The filters of a search, for paths below its bases. */
export class PathFilter {
  readonly #bases: readonly string[];
  /** By base, and of what is outside every base. */
  readonly #filters: readonly FileFilter[];

  constructor(options: FilterOptions, bases: readonly string[]) {
    this.#bases = bases;
    this.#filters = FileFilter.forEach(options, [...bases, NOWHERE]);
  }

  takes(path: string): boolean {
    const base = innermost(this.#bases, path);
    const filter = this.#filters.at(base === undefined ? -1 : this.#bases.indexOf(base))!;
    if (filter.acceptsAll) return true;
    const relative = base === undefined ? platform.basename(path) : relativePath(base, path);
    const names = relative.split("/");
    const isPruned = names.slice(0, -1).some((name, index) =>
      filter.prunes(names.slice(0, index + 1).join("/"), name)
    );
    return !isPruned && filter.accepts(relative, names.at(-1)!);
  }
}

/** The directory of entries outside every base. */
const NOWHERE = `${platform.sep}\0`;

/** A reading of the globs that say which files are searched. */
export class NameReading {
  readonly #exact: PathFilter;
  /** In lower case; nothing where a range such as `[Z-a]` runs backwards then. */
  readonly #folded: PathFilter | undefined;
  /** The same in one normal form. */
  readonly #composed: PathFilter | undefined;
  readonly #foldedComposed: PathFilter | undefined;
  readonly #causes: readonly Cause[];

  /**
   * @param include the globs as they are read
   * @param bases the directories that paths are relative to when they are matched
   * @param causes why they were not read so
   */
  constructor(
    query: FilterOptions,
    include: readonly string[],
    bases: readonly string[],
    causes: readonly Cause[],
  ) {
    const within = Object.entries(query.within ?? {});
    // Of directories that a finder names, the files are looked for.
    const asOfFiles = { ...query, includeKey: "include" as const };
    const read = (as: (text: string) => string): PathFilter | undefined => {
      try {
        const places = query.places
          ?.map(({ prefix, path }) => ({ prefix: as(prefix), path: as(path) })) ?? [];
        const other = {
          ...filterOf(asOfFiles, "include"),
          places,
          include: include.map(as),
          within: query.within &&
            Object.fromEntries(within.map(([base, globs]) => [as(base), globs.map(as)])),
        };
        return new PathFilter(other, bases.map(as));
      } catch (error) {
        if (!(error instanceof PathgrepError)) throw error;
        return undefined;
      }
    };
    this.#exact = new PathFilter({ ...filterOf(asOfFiles, "include"), include }, bases);
    this.#folded = read((text) => text.toLowerCase());
    this.#composed = read((text) => text.normalize("NFC"));
    this.#foldedComposed = read((text) => text.normalize("NFC").toLowerCase());
    this.#causes = causes;
  }

  /** Why the globs did not match a file that they match in this reading; nothing if they do not match it. */
  of(path: string): readonly Cause[] | undefined {
    if (this.#exact.takes(path)) return this.#causes;
    if (this.#folded?.takes(path.toLowerCase())) return [...this.#causes, { kind: "case" }];
    const form = normalFormOf(path);
    if (form === undefined) return undefined;
    const composed = path.normalize("NFC");
    const other: Cause = { kind: "form", form };
    if (this.#composed?.takes(composed)) return [...this.#causes, other];
    if (!this.#foldedComposed?.takes(composed.toLowerCase())) return undefined;
    return [...this.#causes, { kind: "case" }, other];
  }
}

/** Matches that the same causes hide. */
export interface MissedMatches {
  /** In the order in which they are reported; at least one. */
  causes: readonly Cause[];
  count: number;
  files: number;
  /** The first of the files, by path. */
  first: string;
  paths: ReadonlySet<string>;
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
  readonly #groups = new Map<
    string,
    MissedMatches & { names: Set<string>; paths: Set<string> }
  >();

  /** Adds the matches of one file; `isCut`: there may be more of the same. */
  add(causes: readonly Cause[], path: string, count: number, isCut: boolean): void {
    if (causes.length === 0) return; // made since the search
    const ordered = causes.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    const key = JSON.stringify(ordered.map(groupOf));
    const directory = platform.dirname(path);
    const group = this.#groups.get(key);
    if (group?.paths.has(path)) return; // links may lead to it more than once
    if (group === undefined) {
      const names = new Set([platform.basename(path)]);
      const paths = new Set([path]);
      const one = { causes: ordered, count, files: 1, first: path, paths, names, directory, isCut };
      this.#groups.set(key, one);
      return;
    }
    group.count += count;
    group.files++;
    group.paths.add(path);
    if (group.names.size <= MAX_NAMES) group.names.add(platform.basename(path));
    group.isCut ||= isCut;
    if (compareByBytes(path, group.first) < 0) {
      group.first = path;
      group.causes = ordered;
    }
    while (!isWithin(group.directory, path)) group.directory = platform.dirname(group.directory);
  }

  /** The groups without less likely forms of the pattern than one that hides matches alone. */
  #likely(): MissedMatches[] {
    const all = [...this.#groups.values()];
    const ranks = all.flatMap(({ causes: [cause, ...others] }) =>
      others.length > 0 ? [] : cause!.kind === "convention" ? -1 : rankOf(cause!) ?? []
    );
    const likeliest = Math.min(...ranks);
    return all.filter(({ causes }) => causes.every((cause) => (rankOf(cause) ?? -1) <= likeliest));
  }

  /** The groups in order, without those of which some causes alone hide other matches. */
  reported(): MissedMatches[] {
    const all = this.#likely();
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

/** How many other forms of a pattern come before one in likelihood; nothing for another cause. */
function rankOf(cause: Cause): number | undefined {
  return cause.rank;
}

function readingRank({ causes }: MissedMatches): number {
  const last = causes.at(-1)!;
  return last.kind === "reading" ? last.rank ?? 0 : 0;
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
      return [cause.kind, cause.rule?.file, cause.rule?.line, cause.isTracked];
    case "symlinks":
      return [cause.kind, cause.path];
    case "not_utf8":
      return [cause.kind, cause.label];
    case "form":
      return [cause.kind, cause.form];
    case "spelling":
      return [cause.kind, cause.how];
    case "convention":
    case "reading":
      return [cause.kind, cause.change];
    default:
      return cause.kind;
  }
}
