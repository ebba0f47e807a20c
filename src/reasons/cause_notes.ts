/**
 * Explains why an answer is empty, and what to search for instead: one sentence per cause.
 *
 * @module
 */

import { anyCase } from "../glob/any_case.ts";
import { EXCLUDE } from "../glob/ignore_rules.ts";
import { Guard } from "../guard/guard.ts";
import { compareByBytes, isWithin, relativePath } from "../paths/paths.ts";
import { readRuleFile } from "../paths/rule_file.ts";
import { isInWorkspace } from "../paths/verification.ts";
import { innermost } from "../paths/workspace.ts";
import { dirname, relative, sep } from "../util/path.ts";
import { quotedName, shellWord } from "../util/escape.ts";
import { FILTER_KEYS, type FilterKey, type IgnoreRule } from "../scan/left.ts";
import { Walker } from "../scan/walker.ts";
import { canSend, type Change, changeAdvice, optionName } from "../search/callers.ts";
import { type Cause, MAX_NAMES, type MissedMatches, NameReading } from "./causes.ts";
import { namedRules, rulesSaid } from "../explain/answer_scope.ts";
import { escapedGlob } from "../scan/glob_places.ts";
import { directoryGlobs } from "./query_alternatives.ts";
import type { Absence } from "./absence.ts";
import type { FilterProblem } from "./filter_problem.ts";
import type { EmptySearch } from "./empty_search.ts";
import type { FilterOptions } from "../scan/file_filter.ts";

interface Reasons extends EmptySearch, Pick<Absence, "groups" | "problem"> {}

/** Groups of matches beyond these are only counted. */
const MAX_GROUPS = 8;

/** The sentences, the likely reasons first. */
export function notesOn(reasons: Reasons): string[] {
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
      : [`${found(totalsOf(rest), reasons)} are excluded for other reasons`]),
  ];
}

/** The sentence on entries that the guard blocks, of which only the number and the rules are shown. */
export function blockedNotes(
  { blocked, blockedBy, ...search }: EmptySearch & Pick<Absence, "blocked" | "blockedBy">,
): string[] {
  if (blocked === 0) return [];
  const rules = rulesSaid(namedRules(blockedBy, search));
  return blocked === 1
    ? [`1 file or directory is blocked by the guard${rules} and was not searched`]
    : [`${blocked} files or directories are blocked by the guard${rules} and were not searched`];
}

function totalsOf(groups: readonly MatchTotals[]): MatchTotals {
  return groups.reduce((a, b) => ({
    count: a.count + b.count,
    files: a.files + b.files,
    first: compareByBytes(b.first, a.first) < 0 ? b.first : a.first,
    isCut: a.isCut || b.isCut,
  }));
}

/** `2 matches in 3 files, the first in a.ts`, `2 matches in a.ts`, or without matches `1 file, a.ts`. */
function found({ count, files, first, isCut }: MatchTotals, reasons: Reasons): string {
  const { isListing, settings } = reasons;
  const least = isCut ? "at least " : "";
  const path = named(reasons, first);
  const inFiles = files === 1 ? "1 file" : `${files} files`;
  if (isListing || settings.filesWithoutMatch) {
    return `${least}${inFiles}, ${files === 1 ? "" : "the first "}${path},`;
  }
  const matches = `${least}${count === 1 ? "1 match" : `${count} matches`} in`;
  return files === 1 ? `${matches} ${path}` : `${matches} ${inFiles}, the first in ${path},`;
}

/** A path from where the caller gives paths from. */
function display({ beside, workspace }: Reasons, path: string): string {
  if (beside === undefined) return workspace.display(path);
  return relative(beside.directory, path).replaceAll(sep, "/") || ".";
}

/** The same in a sentence. */
function named(reasons: Reasons, path: string): string {
  return quotedName(display(reasons, path));
}

/** Matches, and the first file that holds one. */
type MatchTotals = Pick<MissedMatches, "count" | "files" | "first" | "isCut">;

function groupNote(missed: MissedMatches, reasons: Reasons): string {
  const { beside, caller, isListing, settings } = reasons;
  const said = beside?.said;
  const { causes, count, files } = missed;
  const isSingle = (isListing || settings.filesWithoutMatch ? files : count) === 1;
  const why = causes.map((cause) => phrase(cause, missed, reasons, isSingle)).join(" and ");
  const advice = besideAdviceOn(missed, reasons) ??
    changesFor(missed, reasons).map((change) => changeAdvice(change, caller, said));
  for (const other of missed.others ?? []) {
    const [change] = changesFor(other, reasons);
    if (change === undefined) continue;
    const what = found(other, reasons).replace(/,$/, "");
    advice.push(`${changeAdvice(change, caller, said)}, which finds ${what}`);
  }
  const end = advice.length === 0 ? "" : `; ${advice.join(", or ")}`;
  return `${found(missed, reasons)} ${why}${end}`;
}

/** Advice that only applies to another program. */
function besideAdviceOn(
  { causes }: MissedMatches,
  { caller, beside, settings, workspace }: Reasons,
): string[] | undefined {
  if (beside === undefined) return undefined;
  const kinds = causes.map(({ kind }) => kind);
  const [only] = causes;
  if (only?.kind === "reading" && causes.length === 1) return only.advice ? [only.advice] : [];
  if (caller !== "git grep" || !kinds.includes("untracked")) return undefined;
  const others = kinds.filter((kind) => kind !== "untracked" && kind !== "ignored");
  if (others.some((kind) => kind !== "case")) return [];
  // Rules that ignore what is named count there.
  const isNamed = settings.paths.length > 0 && !workspace.roots.includes(settings.paths[0]!);
  const ignored = isNamed || kinds.includes("ignored") ? " --no-exclude-standard" : "";
  return [`add --untracked${ignored}${others.length === 0 ? "" : " and -i"}`];
}

/** The predicate of matches: `are excluded by --include '*.ts'`. */
function phrase(
  cause: Cause,
  { directory, files }: MissedMatches,
  reasons: Reasons,
  isSingle: boolean,
): string {
  const { settings } = reasons;
  const are = isSingle ? "is" : "are";
  const differ = isSingle ? "differs" : "differ";
  switch (cause.kind) {
    case "include":
    case "exclude":
    case "type":
    case "typeNot":
      return `${are} excluded by ${filterSaid(cause.kind, reasons)}`;
    case "includeCase":
      return `${differ} in letter case from ${filterSaid("include", reasons)}`;
    case "case":
      return `${differ} in letter case`;
    case "form":
      return `${are} in the Unicode normal form ${cause.form}`;
    case "convention":
      return `${isSingle ? "uses" : "use"} another naming convention`;
    case "ignored":
      return `${are} excluded by ${ruleSaid(cause.rule, reasons)}`;
    case "binary":
      return `${are} in ${files === 1 ? "a binary file" : "binary files"} (with a NUL byte)`;
    case "hidden":
      return `${are} in hidden files or directories`;
    case "untracked":
      return `${are} in ${files === 1 ? "an untracked file" : "untracked files"}`;
    case "size":
      return `${are} in files over ${settings.maxFileSize} bytes`;
    case "depth":
      return `${are} deeper than ${settings.maxDepth} level${settings.maxDepth === 1 ? "" : "s"}`;
    case "link":
      return `${are} behind the symbolic link ${named(reasons, cause.path)}`;
    case "encoding":
      if (cause.label !== undefined) return `${are} encoded in ${cause.label}, not UTF-8`;
      return `${are} in ${files === 1 ? "a file that is" : "files that are"} not UTF-8`;
    case "worktree":
      return isWithin(cause.path, directory)
        ? `${are} in the git worktree ${named(reasons, cause.path)}`
        : `${are} in git worktrees, the first in ${named(reasons, cause.path)}`;
    case "elsewhere":
      return `${are} outside the searched path`;
    case "reading":
      if (cause.advice !== undefined) return `${are} found by another reading of the pattern`;
      if (directoryGlobs(settings.include.join(",")).includes(cause.change.include as string)) {
        return `${are} in directories that ${filterSaid("include", reasons)} matches`;
      }
      return `${are} found by another reading of the ${
        "include" in cause.change && reasons.caller !== "glob" ? "glob" : "pattern"
      }`;
  }
}

/** Every change by which a caller finds the matches, the best first. */
function changesFor(missed: MissedMatches, reasons: Reasons): Change[] {
  const ways = missed.causes.map((cause) =>
    changesOf(cause, missed, reasons).filter((change) => canSend(change, reasons.caller))
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
  const { job, settings, workspace } = reasons;
  const { causes, files, first } = missed;
  const globs = typeof change.include === "string" ? [change.include] : settings.include;
  const isGlobbed = "include" in change || globs.length > 0;
  const sendable = (ways: readonly (Change & { path: string })[]): Change[] => {
    const finds = (way: Change) => canSend(way, reasons.caller) && isFoundBy(way, missed, reasons);
    const found = ways.find(finds);
    return found === undefined ? [] : [{ ...found, path: toSend(display(reasons, found.path)) }];
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
      way.path === undefined && canSend(way, reasons.caller)
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
  { job, settings, isListing }: Reasons,
): boolean {
  const path = change.path as string;
  if (path === first && !isListing) return true;
  if (causes.some(({ kind }) => kind === "size") && change.maxFileSize === undefined) return false;
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
    ignore: settings.ignore && change.ignore === undefined && path !== first,
  });
  return walker.against(first)?.length === 0;
}

/** A path that is read literally: a blank one would count as absent, and a dash starts an option. */
function toSend(path: string): string {
  return /^(?:-|\s+$)/u.test(path) ? `./${path}` : path;
}

function changesOf(cause: Cause, missed: MissedMatches, reasons: Reasons): Change[] {
  const { beside, caller, workspace, isListing } = reasons;
  switch (cause.kind) {
    case "include":
    case "exclude":
    case "type":
    case "typeNot":
    case "hidden":
      return [{ [cause.kind]: undefined }];
    case "includeCase":
      return [{ include: asNamed(missed, reasons) }];
    case "case":
      return [isListing ? { include: asNamed(missed, reasons) } : { caseInsensitive: true }];
    case "form":
    case "convention":
      return [isListing ? { include: asNamed(missed, reasons) } : cause.change!];
    case "ignored":
      // Of ripgrep's rules, others may ignore a file in a directory that is named.
      return [
        { ignore: false },
        ...beside === undefined || caller === "GNU grep" ||
            caller === "rg" && missed.files === 1 && cause.path === missed.first
          ? [{ path: cause.path }]
          : [],
      ];
    case "binary":
      return [{ text: true }];
    case "size":
      return [{ maxFileSize: 0 }, { path: missed.first }];
    case "depth":
      return [{ maxDepth: undefined }];
    case "link":
      return [{ follow: true }, { path: missed.directory }];
    case "encoding":
      return [cause.label === undefined ? { text: true } : { encoding: cause.label }];
    case "worktree":
      return [{ path: cause.path }];
    case "untracked":
      return [];
    case "elsewhere":
      if (beside?.isRecursive === false) return [{ path: missed.first }];
      if (beside !== undefined && missed.directory !== beside.directory) {
        return [{ path: missed.directory }];
      }
      return workspace.roots.some((root) => root.startsWith(missed.directory))
        ? [{ path: undefined }]
        : [{ path: missed.directory }];
    case "reading":
      return isListing && missed.causes.some(({ kind }) => kind === "case" || kind === "form")
        ? [{}]
        : [cause.change];
  }
}

/**
 * The glob that was meant: in the normal form of the first file, and in the letter case of the only one
 * or, where there are several, in either.
 */
function asNamed(
  { causes, files, first, names, isCut }: MissedMatches,
  { job, settings, workspace }: Reasons,
): string {
  const isRead = (cause: Cause) => cause.kind === "reading" || cause.kind === "convention";
  const reading = causes.find(isRead)?.change.include as string;
  const form = causes.find((cause) => cause.kind === "form")?.form;
  const read = reading === undefined ? settings.include : [reading];
  const globs = form === undefined ? read : read.map((glob) => glob.normalize(form));
  const isOtherCase = causes.some(({ kind }) => kind === "case" || kind === "includeCase");
  const isName = globs.length === 1 && !/[*?[{\\/,]/u.test(globs[0]!);
  if (files > 1 && isName && !isCut && names.size <= MAX_NAMES) {
    return [...names].sort(compareByBytes).map(escapedGlob).join(",");
  }
  if (files > 1) return globs.map(isOtherCase ? anyCase : String).join(",");
  const named = isOtherCase ? globs.map((glob) => glob.toLowerCase()) : globs;
  const bases = [...job.walk.bases, ...workspace.roots];
  if (new NameReading(settings, named, bases, []).of(first)?.length === 0) return named.join(",");
  const path = relativePath(innermost(bases, first) ?? dirname(first), first);
  return escapedGlob(path);
}

/** A filter as it was given: `--include '*.ts'`, `include "*.ts"`. */
function filterSaid(key: FilterKey, { settings, caller, beside }: Reasons): string {
  if (beside !== undefined) return beside.said[key] ?? key;
  const name = optionName(key, caller) ?? key;
  const values = settings[key];
  return caller === "shell"
    ? values.map((value) => `${name} ${shellWord(value)}`).join(" ")
    : `${name} ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function problemNote({ keys, isTogether, instead }: FilterProblem, reasons: Reasons): string {
  const { caller } = reasons;
  const filters = keys.map((key) => filterSaid(key, reasons));
  const effectOf = (key: FilterKey) =>
    key === "include" || key === "type" ? "matches no file" : "excludes every file";
  const said = isTogether && keys.length > 1
    ? `${filters.join(" and ")} together match no file`
    : keys.map((key, index) => `${filters[index]} ${effectOf(key)}`).join(" and ");
  // In the globs of grep braces are no alternatives.
  const given = keys.includes("include") ? reasons.beside?.said.include ?? "" : "";
  if (caller !== "rg" && /\{[^}]*,.*\}/.test(given)) {
    return `${said}: braces are literal there; use --include for each alternative`;
  }
  if (instead === undefined) return said;
  const { include, files, count, first } = instead;
  const why = instead.why === undefined ? "" : `: ${instead.why}`;
  const what = count === 0
    ? `selects ${files === 1 ? "1 file" : `${files} files`}, but without a match: ` +
      named(reasons, first)
    : `finds ${found({ count, files, first, isCut: false }, reasons).replace(/,$/, "")}`;
  // Another program may need several globs for it.
  const advice = canSend({ include }, caller) ? changeAdvice({ include }, caller) : "drop it";
  return `${said}${why}; ${advice}, which ${what}`;
}

/** An ignore rule with its file and line, as far as they may be shown. */
function ruleSaid(rule: IgnoreRule | undefined, reasons: Reasons): string {
  const { job, settings, workspace } = reasons;
  if (rule === undefined) return "an ignore rule";
  const { file, line, pattern } = rule;
  const { allowedRoots, policy } = job.walk;
  const textOfRule = () => readRuleFile(file, allowedRoots)?.split("\n")[line - 1]?.toWellFormed();
  const isSame = () => textOfRule()?.includes(pattern) === true;
  // What is above the roots was read for this search, once.
  const isAbove = policy.above !== undefined && !allowedRoots.some((root) => isWithin(root, file));
  const isProven = isAbove || isSame() && isInWorkspace(file, job.walk, isSame);
  const { allow, deny } = settings;
  // Blocked contents are not shown, but that a repository has this file in `.git` is no secret.
  const isBlocked = new Guard({ workspace, allow, deny }).isBlocked(file);
  const isOfRepository = file.replaceAll(sep, "/").endsWith(`/${EXCLUDE}`);
  if (!isProven || isBlocked && !isOfRepository) return "an ignore rule";
  const shown = isAbove ? workspace.displayRuleFile(file) : display(reasons, file);
  const place = quotedName(`${shown}:${line}`);
  return isBlocked
    ? `a rule in ${place}`
    : `the ignore rule ${JSON.stringify(pattern)} in ${place}`;
}
