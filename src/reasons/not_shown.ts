/**
 * The matches that an answer does not show, by the first reason that hides them, each with the smallest change
 * that shows them.
 *
 * @module
 */

import { inPlace } from "../explain/answer_scope.ts";
import { compareByBytes } from "../paths/paths.ts";
import type { FileHit } from "../scan/job.ts";
import { USUALLY_IGNORED } from "../scan/left.ts";
import { type PassStart, PassTurn } from "../scan/listing.ts";
import {
  type Caller,
  canSend,
  type Change,
  EVERYTHING,
  sentAs,
  sentInWords,
} from "../search/callers.ts";
import { MAX_ITEMS } from "../search/query_options.ts";
import type { NotShown } from "../search/result.ts";
import { quotedName } from "../util/escape.ts";
import { sep } from "../util/path.ts";
import { valueAt } from "../util/maps.ts";
import { type Cause, causeOf } from "./causes.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { EmptySearch } from "./empty_search.ts";
import { FurtherPass } from "./further_pass.ts";

/** What an answer says of matches that it does not show. */
export interface MissingMatches {
  rows: readonly MissingRow[];
  /** Whether there was no time for all of them. */
  isInPart: boolean;
}

interface MissingRow {
  said: NotShown;
  change: Change;
  /** Where they are, in words: `in ignored build/gen`. */
  where: string;
}

/** Matches beyond these are not counted. */
const MAX_MATCHES = 1000;

interface Kind {
  cause: NotShown["cause"];
  /** How one place is named, and several files. */
  one: (place: string, detail: string) => string;
  many: string;
}

/** In the order of likelihood: a file counts for the first that applies. */
const KINDS: Readonly<Partial<Record<Cause["kind"], Kind>>> = {
  ignored: { cause: "ignored", one: (place) => `in ignored ${place}`, many: "ignored files" },
  hidden: { cause: "hidden", one: (place) => `in hidden ${place}`, many: "hidden files" },
  binary: { cause: "binary", one: (place) => `in ${place} (binary)`, many: "binary files" },
  too_large: { cause: "too_large", one: (place) => `in ${place} (too large)`, many: "large files" },
  compressed: { cause: "compressed", one: (place) => `in ${place} (gzip)`, many: "gzip files" },
  not_utf8: {
    cause: "encoding",
    one: (place, label) => `in ${place} (${label || "not UTF-8"})`,
    many: "files that are not UTF-8",
  },
  symlinks: {
    cause: "link",
    one: (place, target) => `in ${place} (a link${target && ` to ${target}`})`,
    many: "files behind links",
  },
  worktrees: {
    cause: "worktree",
    one: (place) => `in the git worktree ${place}`,
    many: "files of git worktrees",
  },
};
const ORDER = Object.keys(KINDS) as Cause["kind"][];

/** Files of one row. */
interface Group {
  matches: number;
  files: Set<string>;
  /** Every reason against any of them. */
  causes: Map<string, Cause>;
  /** What names where they are, and what else is said of it. */
  places: Map<string, string>;
}

/** Collects matches by the first reason that hides them. */
export class MissingByCause {
  readonly #search: EmptySearch;
  readonly #known = new Set<string>();
  readonly #groups = new Map<Cause["kind"], Group>();

  constructor(search: EmptySearch) {
    this.#search = search;
  }

  /** Adds the matches of a file that was excluded; nothing where other reasons hide them, such as a filter. */
  add({ path, count, left = [] }: FileHit): void {
    const causes = left.map((one) => causeOf(one, path));
    const kinds = causes.map(({ kind }) => kind);
    const kind = ORDER.find((kind) => kinds.includes(kind));
    if (kind === undefined || !kinds.every((kind) => ORDER.includes(kind))) return;
    if (this.#known.has(path)) return; // links may lead to it more than once
    this.#known.add(path);
    const group = valueAt(
      this.#groups,
      kind,
      () => ({ matches: 0, files: new Set(), causes: new Map(), places: new Map() }),
    );
    group.matches += count;
    group.files.add(path);
    for (const cause of causes) group.causes.set(JSON.stringify(cause), cause);
    const cause = causes.find((cause) => cause.kind === kind)!;
    const place = "path" in cause ? cause.path : path;
    const link = left.find(({ reason }) => reason === "symlinks");
    const detail = kind === "not_utf8"
      ? (cause as { label?: string }).label ?? ""
      : kind === "symlinks"
      ? link!.by as string
      : "";
    group.places.set(place, detail);
  }

  rows(): MissingRow[] {
    return ORDER.flatMap((kind) => {
      const group = this.#groups.get(kind);
      return group === undefined ? [] : [this.#rowOf(KINDS[kind]!, group)];
    });
  }

  #rowOf(kind: Kind, group: Group): MissingRow {
    const { settings, workspace, caller } = this.#search;
    const first = [...group.files].reduce((a, b) => compareByBytes(b, a) < 0 ? b : a);
    const change = this.#changeFor(group);
    return {
      said: {
        cause: kind.cause,
        matches: Math.min(group.matches, MAX_MATCHES),
        ...(group.matches > MAX_MATCHES && { more: true as const }),
        files: group.files.size,
        first: settings.relativePaths ? workspace.display(first) : first,
        send: sentAs(change, caller),
      },
      change,
      where: this.#whereIs(kind, group, first),
    };
  }

  #whereIs(kind: Kind, { files, places }: Group, first: string): string {
    const { job, workspace } = this.#search;
    const named = (path: string) => quotedName(workspace.display(path));
    const [[place, detail]] = places as unknown as [[string, string]];
    // The directory above a file is proven with it; the link that leads to it is not.
    const isShown = kind.cause !== "link" || inPlace([place], job).length > 0;
    if (places.size === 1 && isShown) {
      return kind.one(named(place), kind.cause === "link" ? named(detail) : detail);
    }
    const what = files.size === 1 ? "a file that is not searched" : `${files.size} ${kind.many}`;
    return `in ${what} (${files.size === 1 ? "" : "the first is "}${named(first)})`;
  }

  /** The smallest change that shows all of them. */
  #changeFor({ causes, files, places }: Group): Change {
    const { caller, workspace } = this.#search;
    const changes = [...causes.values()]
      .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
      .map((cause) => changeOf(cause, workspace));
    const change = merged(changes);
    if (change !== undefined && canSend(change, caller)) return change;
    if (EVERYTHING !== undefined && canSend(EVERYTHING, caller)) return EVERYTHING;
    // What is named is searched although it is hidden, ignored or large.
    const { text, encoding } = Object.assign({}, ...changes);
    const named = [...places.keys()].every((place) => !files.has(place)) ? places.keys() : files;
    const paths = [...named].sort(compareByBytes).slice(0, MAX_ITEMS)
      .map((path) => workspace.display(path));
    return {
      path: paths.length === 1 ? paths[0]! : paths,
      ...(text && { text }),
      ...(encoding && { encoding }),
    };
  }
}

/** How a search finds what one reason hides. */
function changeOf(cause: Cause, workspace: Workspace): Change {
  switch (cause.kind) {
    case "ignored":
      return { ignore: false };
    case "hidden":
      return { hidden: true };
    case "binary":
      return { text: true };
    case "too_large":
      return { maxFileSize: 0 };
    case "symlinks":
      return { follow: true };
    case "worktrees":
      return { path: workspace.display(cause.path!) };
    case "not_utf8":
      return cause.label === undefined ? { text: true } : { encoding: cause.label };
    default: // what is compressed
      return EVERYTHING ?? {};
  }
}

/** One change for several; nothing where they differ in an option, or one excludes what another finds. */
function merged(changes: readonly Change[]): Change | undefined {
  const all: Record<string, unknown> = {};
  for (const change of changes) {
    for (const [key, value] of Object.entries(change)) {
      if (key in all && all[key] !== value) return undefined;
      all[key] = value;
    }
  }
  const isMixed = "encoding" in all && changes.some(({ text }) => text);
  return isMixed ? undefined : all as Change;
}

/** Where a pass looks beside matches: not in what everyone ignores, unless the search itself is there. */
export function startsBesideMatches({ excluded, isUsualPlace }: ExcludedPlaces): PassStart[] {
  return excluded.filter(({ turn }) => isUsualPlace || turn !== PassTurn.UsuallyIgnored);
}

interface ExcludedPlaces {
  excluded: readonly PassStart[];
  isUsualPlace: boolean;
}

/** Whether a search was asked for in a directory that everyone ignores. */
export function isUsualPlace({ job: { files, walk }, workspace }: EmptySearch): boolean {
  const isUsual = (path: string) =>
    workspace.display(path).split(/[\\/]/u).some((name) => USUALLY_IGNORED.has(name));
  return [...walk.bases, ...files.map((path) => path.slice(0, path.lastIndexOf(sep)))].some(
    isUsual,
  );
}

/**
 * Looks for the matches that an answer with matches does not show.
 *
 * @throws {PathgrepError} `cancelled`
 */
export async function missingIn(search: EmptySearch): Promise<MissingMatches> {
  const { excluded = [], isExcludedCut = false } = search.report ?? {};
  const missing = new MissingByCause(search);
  const entersUsual = isUsualPlace(search);
  const starts = startsBesideMatches({ excluded, isUsualPlace: entersUsual });
  const pass = new FurtherPass(search);
  try {
    if (starts.length > 0) {
      for (const hit of (await pass.excluded(starts, entersUsual)).hits) missing.add(hit);
    }
    return { rows: missing.rows(), isInPart: pass.isInPart || isExcludedCut };
  } finally {
    pass.close();
  }
}

/** The line that says what is not shown; nothing where there is nothing to say. */
export function notShownLine(
  { rows, isInPart }: MissingMatches,
  { caller, isListing }: Pick<EmptySearch, "caller" | "isListing">,
): string | undefined {
  if (rows.length === 0) return undefined;
  const [one, many] = isListing ? ["file", "files"] : ["match", "matches"];
  const sendOf = ({ change }: MissingRow) => sentInWords(change, caller);
  const parts = rows.map(({ said: { matches, more }, where }, index) => {
    const unit = index > 0 ? "" : ` ${matches === 1 ? one : many}`;
    return `${matches}${more ? "+" : ""}${unit} ${where}`;
  });
  const change = rows.length === 1 ? rows[0]!.change : changeForAll(rows, caller);
  const text = change !== undefined
    ? `${parts.join(", ")}; ${sentInWords(change, caller)} shows ${
      rows.length === 1 && rows[0]!.said.matches === 1 ? "it" : "them"
    }`
    : parts.map((part, index) => `${part}: ${sendOf(rows[index]!)}`).join("; ");
  return `not shown: ${text}${isInPart ? " (in part)" : ""}`;
}

/** One change that shows all rows, if there is one. */
function changeForAll(rows: readonly MissingRow[], caller: Caller): Change | undefined {
  if (EVERYTHING !== undefined && canSend(EVERYTHING, caller)) return EVERYTHING;
  const change = merged(rows.map(({ change }) => change));
  return change?.path === undefined ? change : undefined;
}
