/**
 * Explains why an answer is empty, and what to search for instead: one note for the matches of each cause.
 *
 * @module
 */

import { anyCase, escapedGlob } from "../glob/glob_paths.ts";
import { EXCLUDE } from "../glob/ignore_rules.ts";
import { Guard } from "../guard/guard.ts";
import { LEFT_OUT, type Row } from "../notes/table.ts";
import type { HidingCause, Note, ReasonValues } from "../notes/words.ts";
import { compareByBytes, dirname, isWithin, relative, relativePath, sep } from "../util/path.ts";
import { readRuleFile } from "../exclusions/rule_file.ts";
import { inPlace } from "../paths/verification.ts";
import { innermost } from "../workspace/workspace.ts";
import { FILTER_KEYS, type FilterOptions, type IgnoreRule } from "../walk/listing.ts";
import { Walker } from "../walk/walker.ts";
import type { Change } from "../query/query.ts";
import { type Cause, MAX_NAMES, type MissedMatches, NameReading } from "./causes.ts";
import { namedRules } from "./answer_scope.ts";
import { directoryGlobs } from "./query_alternatives.ts";
import type { Absence } from "./absence.ts";
import type { FilterProblem } from "./filter_problem.ts";
import type { EmptySearch } from "./empty_search.ts";

interface Reasons extends EmptySearch, Pick<Absence, "groups" | "problem"> {}

/** Groups of matches beyond these are only counted. */
const MAX_GROUPS = 8;

/** The likely reasons first. */
export function notesOn(reasons: Reasons): Note[] {
  const { groups, problem } = reasons;
  const instead = problem?.instead;
  const isInclude = ({ kind }: Cause) => kind === "include" || kind === "includeCase";
  // The note on filters names the glob that finds these matches.
  const isReported = ({ causes }: MissedMatches) => !instead?.count || !causes.every(isInclude);
  const reported = groups.filter(isReported);
  const rest = reported.slice(MAX_GROUPS).flatMap((one) => [one, ...one.others ?? []]);
  return [
    ...(problem === undefined ? [] : [problemNote(problem, reasons)]),
    ...reported.slice(0, MAX_GROUPS).map((missed) => groupNote(missed, reasons)),
    ...(rest.length === 0
      ? []
      : [{ reason: "missed_besides", values: totals(sumOf(rest), reasons) } as const]),
  ];
}

/** The note on entries that the guard blocks, of which only the number and the rules are shown. */
export function blockedNotes(
  { blocked, blockedBy, ...search }: EmptySearch & Pick<Absence, "blocked" | "blockedBy">,
): Note[] {
  if (blocked === 0) return [];
  const { blocked_rules: rules = [], blocked_rules_more: more = 0 } = namedRules(
    blockedBy,
    search.workspace,
  );
  return [{ reason: "blocked", values: { count: blocked, rules, more } }];
}

/** Matches, and the first file that holds one. */
type MatchTotals = Pick<MissedMatches, "count" | "files" | "first" | "isCut">;

function sumOf(groups: readonly MatchTotals[]): MatchTotals {
  return groups.reduce((a, b) => ({
    count: a.count + b.count,
    files: a.files + b.files,
    first: compareByBytes(b.first, a.first) < 0 ? b.first : a.first,
    isCut: a.isCut || b.isCut,
  }));
}

/** As notes have them. */
function totals({ count, files, first, isCut }: MatchTotals, reasons: Reasons) {
  const { query } = reasons;
  const isOfFiles = query.isListing || query.filesWithoutMatch;
  return { ...!isOfFiles && { count }, files, path: shownPath(reasons, first), isPart: isCut };
}

/** A path from where the caller gives paths from. */
export function shownPath(
  { beside, workspace }: Pick<EmptySearch, "beside" | "workspace">,
  path: string,
): string {
  if (beside === undefined) return workspace.display(path);
  return relative(beside.directory, path).replaceAll(sep, "/") || ".";
}

function groupNote(missed: MissedMatches, reasons: Reasons): Note {
  const advice = besideAdviceOn(missed, reasons);
  const others = (missed.others ?? []).flatMap((other) =>
    changesFor(other, reasons).slice(0, 1)
      .map((change) => ({ ...totals(other, reasons), change }))
  );
  const causes = missed.causes.map((cause) => causeInNote(cause, missed, reasons));
  const changes = advice === undefined ? changesFor(missed, reasons) : [];
  const [{ kind, given }] = causes as [HidingCause];
  const isOfGlob = kind === "reading" && given === undefined && causes.length === 1;
  if (isOfGlob && reasons.query.isListing && reasons.beside === undefined) {
    const glob = String(missed.causes[0]!.change!.include);
    return { reason: "glob_finds", values: { ...totals(missed, reasons), glob, changes } };
  }
  const values = {
    ...totals(missed, reasons),
    causes,
    changes,
    ...(advice && { advice }),
    ...(others.length > 0 && { others }),
  };
  return { reason: "missed", values };
}

/** Advice that only applies to another program. */
function besideAdviceOn(
  { causes }: MissedMatches,
  { beside }: Reasons,
): string[] | undefined {
  if (beside === undefined) return undefined;
  const kinds = causes.map(({ kind }) => kind);
  const [only] = causes;
  if (only?.kind === "reading" && causes.length === 1) return only.advice ? [only.advice] : [];
  if (!kinds.includes("untracked")) return undefined;
  const others = kinds.filter((kind) => kind !== "untracked" && kind !== "ignored");
  if (others.some((kind) => kind !== "case")) return [];
  const ignored = kinds.includes("ignored") ? " --no-exclude-standard" : "";
  return [`add --untracked${ignored}${others.length === 0 ? "" : " and -i"}`];
}

/** A cause, with the values of its row of the table. */
function causeInNote(
  { kind, path, rule, isTracked, label, form, how, change = {}, advice }: Cause,
  { directory }: MissedMatches,
  reasons: Reasons,
): HidingCause {
  const { include, includeKey, maxDepth, maxFileSize, ...filters } = reasons.query;
  const isGlob = advice === undefined && "include" in change;
  const isOfDirectory = isGlob && directoryGlobs(include.join(",")).includes(`${change.include}`);
  switch (kind) {
    case "exclude":
    case "type":
    case "typeNot":
      return { kind, given: { [kind]: filters[kind] } };
    case "include":
    case "includeCase":
      return { kind, given: { include } };
    case "ignored":
      return { kind, ...ruleShown(rule, reasons), ...(isTracked && { isTracked }) };
    case "reading":
      return {
        ...{ kind, of: isGlob && includeKey === "include" ? "glob" : "pattern" },
        ...(isOfDirectory && { given: { include } }),
      };
    default:
      return {
        ...{ kind, label, form, how, most: maxDepth, limit: maxFileSize },
        ...(path && { path: shownPath(reasons, path), isOnly: isWithin(path, directory) }),
      };
  }
}

/** Every change by which a caller finds the matches, the best first. */
function changesFor(missed: MissedMatches, reasons: Reasons): Change[] {
  const ways = missed.causes.map((cause) =>
    changesOf(cause, missed, reasons).filter((change) => reasons.voice.canSend(change))
  );
  if (ways.length === 1) {
    return ways[0]!.flatMap((change) =>
      change.path === undefined ? [change] : changeOfPath(change, [change.path], missed, reasons)
    );
  }
  if (ways.some((changes) => changes.length === 0)) return [];
  const best = ways.map(([change]) => change!);
  const change: Change = Object.assign({}, ...best);
  // As a rule, the path of the last cause leads past those of the others.
  const paths = best.flatMap(({ path }) => path ?? []).toReversed();
  return paths.length === 0 ? [change] : changeOfPath(change, paths, missed, reasons);
}

/** A change to the first of some absolute paths, or to the only file, that finds the matches. */
function changeOfPath(
  change: Change,
  paths: readonly unknown[],
  missed: MissedMatches,
  reasons: Reasons,
): Change[] {
  const { job, query, workspace } = reasons;
  const { causes, files, first } = missed;
  const globs = typeof change.include === "string" ? [change.include] : query.include;
  const isGlobbed = "include" in change || globs.length > 0;
  const sendable = (ways: readonly (Change & { path: string })[]): Change[] => {
    const finds = (way: Change) => reasons.voice.canSend(way) && isFoundBy(way, missed, reasons);
    const found = ways.find(finds);
    return found === undefined ? [] : [{ ...found, path: toSend(shownPath(reasons, found.path)) }];
  };
  for (const path of [...paths, ...(files === 1 ? [first] : [])] as string[]) {
    const base = innermost([...job.walk.bases, ...workspace.roots], path);
    const above = `${relativePath(base ?? path, path)}/`;
    const below = globs.map((glob) => {
      const start = [above, anyCase(above)].find((start) => glob.startsWith(start)) ?? "";
      return glob.slice(start.length) || glob;
    });
    // A glob with a slash is matched against paths from the directory that is searched.
    const ways = [{ ...change, path }, { ...change, path, include: below.join(",") }];
    const found = sendable(ways.slice(0, isGlobbed ? 2 : 1));
    if (found.length > 0) return found;
  }
  const isElsewhere = causes.some(({ kind }) => kind === "elsewhere");
  // Without a path, a cause that only a path overcomes would still hide the matches.
  const needsPath = causes.some((cause) =>
    cause.kind !== "elsewhere" &&
    !changesOf(cause, missed, reasons).some((way) =>
      way.path === undefined && reasons.voice.canSend(way)
    )
  );
  if (isElsewhere && !needsPath && reasons.beside === undefined) {
    return [{ ...change, path: undefined }];
  }
  if (files > 1 || !isGlobbed) return [];
  const names = globs.map((glob) => glob.slice(glob.lastIndexOf("/", glob.length - 2) + 1));
  return sendable([{ ...change, path: first, include: names.join(",") }]);
}

/** Whether a search with a change, whose path is absolute, reaches the first file. */
function isFoundBy(
  change: Change,
  { causes, first }: MissedMatches,
  { job, query }: Reasons,
): boolean {
  const path = change.path as string;
  if (path === first && !query.isListing) return true;
  if (causes.some(({ kind }) => kind === "too_large") && change.maxFileSize === undefined) {
    return false;
  }
  const filter: Partial<FilterOptions> = {};
  for (const key of FILTER_KEYS) if (key in change) filter[key] = [];
  if (typeof change.include === "string") filter.include = [change.include];
  const base = path === first ? dirname(first) : path;
  const walker = new Walker({
    ...job.walk,
    bases: [base],
    asked: 1,
    filter: { ...job.walk.filter, ...filter },
    ...("hidden" in change && { hidden: true }),
    ...("maxDepth" in change && { maxDepth: Infinity }),
    ignore: query.ignore && change.ignore === undefined && path !== first,
  });
  return walker.against(first)?.length === 0;
}

/** A path that is read literally: a blank one would count as absent, and a dash starts an option. */
function toSend(path: string): string {
  return /^(?:-|\s+$)/u.test(path) ? `./${path}` : path;
}

function changesOf(cause: Cause, missed: MissedMatches, reasons: Reasons): readonly Change[] {
  const { beside } = reasons;
  const { change, changes }: Row = LEFT_OUT[cause.kind];
  const { path = "", label, change: meant = {} } = cause;
  return changes?.({
    ...missed,
    ...{ path, label, change: meant, isListing: reasons.query.isListing },
    isEnough: beside === undefined || beside.readsNamed === "all" ||
      beside.readsNamed === "file" && missed.files === 1 && path === missed.first,
    beyond: () => beyond(missed, reasons),
    meant: () => asNamed(missed, reasons),
  }) ?? (change === undefined ? [] : [change]);
}

/** The path that leads to matches beyond those that were searched; none: the whole workspace. */
function beyond({ directory, first }: MissedMatches, { beside, workspace }: Reasons) {
  if (beside?.isRecursive === false) return first;
  if (beside !== undefined && directory !== beside.directory) return directory;
  return workspace.roots.some((root) => root.startsWith(directory)) ? undefined : directory;
}

/**
 * The glob that was meant: in the normal form of the first file, and in the letter case of the only one
 * or, where there are several, in either.
 */
function asNamed(
  { causes, files, first, names, isCut }: MissedMatches,
  { job, query, workspace }: Reasons,
): string {
  const isRead = (cause: Cause) => cause.kind === "reading" || cause.kind === "convention";
  const reading = causes.find(isRead)?.change?.include as string;
  const form = causes.find((cause) => cause.kind === "form")?.form;
  const read = reading === undefined ? query.include : [reading];
  const globs = form === undefined ? read : read.map((glob) => glob.normalize(form));
  const isOtherCase = causes.some(({ kind }) => kind === "case" || kind === "includeCase");
  const isName = globs.length === 1 && !/[*?[{\\/,]/u.test(globs[0]!);
  if (files > 1 && isName && !isCut && names.size <= MAX_NAMES) {
    return [...names].sort(compareByBytes).map(escapedGlob).join(",");
  }
  if (files > 1) return globs.map(isOtherCase ? anyCase : String).join(",");
  const named = isOtherCase ? globs.map((glob) => glob.toLowerCase()) : globs;
  const bases = [...job.walk.bases, ...workspace.roots];
  if (new NameReading(query, named, bases, []).of(first)?.length === 0) return named.join(",");
  const path = relativePath(innermost(bases, first) ?? dirname(first), first);
  return escapedGlob(path);
}

function problemNote({ keys, isTogether, instead, barred }: FilterProblem, reasons: Reasons): Note {
  const { beside, query } = reasons;
  const values: ReasonValues<"matches_no_file"> = {
    filters: Object.fromEntries(keys.map((key) => [key, query[key]])),
    isTogether,
    barred,
    hasBraces: keys.includes("include") && beside?.hasBraces === true,
    ...(instead && {
      instead: {
        ...{ ...instead.why, include: instead.include, count: instead.count, files: instead.files },
        path: shownPath(reasons, instead.first),
      },
    }),
  };
  return { reason: "matches_no_file", values };
}

/** An ignore rule with its file and line, as far as they may be shown. */
function ruleShown(
  rule: IgnoreRule | undefined,
  reasons: Reasons,
): { file?: string; pattern?: string } {
  const { job, query, workspace } = reasons;
  if (rule === undefined) return {};
  const { file, line, pattern } = rule;
  const { allowedRoots, policy } = job.walk;
  const textOfRule = () => readRuleFile(file, allowedRoots)?.split("\n")[line - 1]?.toWellFormed();
  const isSame = () => textOfRule()?.includes(pattern) === true;
  // What is above the roots was read for this search, once.
  const isAbove = policy.above !== undefined && !allowedRoots.some((root) => isWithin(root, file));
  const isProven = isAbove || inPlace([file], job, isSame).length > 0;
  const { allow, deny } = query;
  // Blocked contents are not shown, but that a repository has this file in `.git` is no secret.
  const isBlocked = new Guard({ workspace, allow, deny }).isBlocked(file);
  const isOfRepository = file.replaceAll(sep, "/").endsWith(`/${EXCLUDE}`);
  if (!isProven || isBlocked && !isOfRepository) return {};
  const shown = isAbove ? workspace.displayRuleFile(file) : shownPath(reasons, file);
  return { file: `${shown}:${line}`, ...!isBlocked && { pattern } };
}
