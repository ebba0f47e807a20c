/**
 * The scope of an answer: what was searched, and what was excluded.
 *
 * @module
 */

import { LEFT_OUT, NAMED_KINDS, rulesText, type Voice } from "../notes/table.ts";
import { counted, escapeControls, quotedName } from "../util/text.ts";
import { basename, compareByBytes, isWithin, relativePath, sep, withSlash } from "../util/path.ts";
import { entryAt, inPlace } from "../paths/verification.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type BlockedBy, USUALLY_IGNORED } from "../walk/listing.ts";
import { FileFilter } from "../walk/file_filter.ts";
import {
  type EngineReport,
  MAX_NAMED_FILES,
  type SearchJob,
  type SkippedKind,
} from "../run/job.ts";
import { UNDECODABLE_NAME } from "../run/skip_report.ts";
import { Walker } from "../walk/walker.ts";
import type { AnswerScope, LeftOut, NamesLeftOut } from "../answer/result.ts";

type BlockedRulesNamed = Pick<LeftOut, "blocked_rules" | "blocked_rules_more">;

/** The rules that an answer names. */
const MAX_NAMED_RULES = 3;

/** The scope of an answer to a search that was finished. */
export function scopeOf(
  report: EngineReport,
  matched: number,
  { workspace, job, isListing, isWhole }: {
    workspace: Workspace;
    job: SearchJob;
    isListing: boolean;
    isWhole: boolean;
  },
): AnswerScope {
  const isEverything = job.further?.isAsked === true;
  const { archives, filesSearched, skipped, ignored, gits } = report;
  const named = ignored.filter(({ isUsual }) => isUsual === ignored[0]!.isUsual);
  const ignoredNames = named.map(({ path }) => workspace.display(path));
  const { too_large, not_utf8, unreadable, vanished, worktrees } = skipped;
  const links = unsearchedLinks(report.links, job, isListing);
  const blocked = skipped.blocked - gits;
  const counts = {
    ignored_more: skipped.ignored - ignoredNames.length,
    blocked,
    ...(blocked > 0 && namedRules(report.blockedBy.values(), workspace)),
    ...{ binary: skipped.binary - archives, archives, too_large, not_utf8, unreadable, vanished },
    ...{ links: links.length, worktrees },
    ...(isEverything && moreOf(report)),
  };
  const names = namesOfFew({ ...report.firstSkipped, links }, counts, workspace);
  const leftOut: LeftOut = {
    ...(ignoredNames.length > 0 && { ignored: ignoredNames }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(Object.keys(names).length > 0 && { names }),
  };
  return {
    searched: filesSearched,
    matched,
    ...(isEverything && {
      everything: isWhole && Object.keys(leftOut).length === 0 && skipped.exclusion_files === 0,
    }),
    ...(Object.keys(leftOut).length > 0 && { left_out: leftOut }),
  };
}

/** The names of each kind of which an answer names all: that are few, and can be spelled. */
function namesOfFew(
  paths: Partial<Record<SkippedKind | "links", readonly string[]>>,
  counts: LeftOut,
  workspace: Workspace,
): NamesLeftOut {
  const named = NAMED_KINDS.flatMap((kind) => {
    const all = (paths[kind] ?? []).filter((path) => !path.endsWith(UNDECODABLE_NAME));
    if (all.length === 0 || all.length !== counts[kind] || all.length > MAX_NAMED_FILES) return [];
    const shown = (path: string) =>
      path.endsWith(sep)
        ? withSlash(workspace.display(path.slice(0, -1)))
        : workspace.display(path);
    return [[kind, all.map(shown)]];
  });
  return Object.fromEntries(named);
}

/**
 * Links that were not followed although what they lead to was asked for, and was not searched: in a listing, links
 * that are named as it asks. They are proven last, once it is known where they lead.
 */
function unsearchedLinks(links: readonly string[], job: SearchJob, isListing: boolean): string[] {
  if (links.length === 0 || job.walk.follow) return [];
  const { walk, files } = job;
  const walker = new Walker(walk);
  const filters = FileFilter.forEach(walk.filter, walk.bases);
  const isLeft = (path: string) => {
    const base = walk.bases.findIndex((base) => isWithin(base, path));
    const target = base < 0 ? undefined : walker.linkTarget(path);
    if (!target?.exists) return false;
    const { isDirectory, isFile } = target.info;
    const isSearched = files.includes(target.path) ||
      walk.bases.some((base) => isWithin(base, target.path));
    const below = relativePath(walk.bases[base]!, path);
    const filter = filters[base]!;
    const isAsked = isDirectory
      ? filter.names(below, basename(path)) || !isSearched && !filter.prunes(below, basename(path))
      : isFile && filter.accepts(below, basename(path));
    return isAsked && (isListing || !isSearched) &&
      walker.ignoredBy(path, isDirectory, base) === undefined;
  };
  return inPlace(links.filter(isLeft), job, (path) => entryAt(path)?.isSymlink === true);
}

/** The first of the directories that a finder names beside files. */
export function namedDirectories(
  { directories, directoriesNamed }: EngineReport,
  display: (path: string) => string,
): { names: string[]; more: number } {
  const names = directories.map((path) => withSlash(display(path)));
  return { names, more: directoriesNamed - directories.length };
}

/** What a search for everything counts as left out besides. */
function moreOf({ archives, archiveKinds, skipped }: EngineReport) {
  const { hidden, symlinks: links, unreadable, special, damaged, long_lines } = skipped;
  return {
    ...{ hidden, links, archives: archives + skipped.archives },
    unreadable: unreadable + special + damaged + long_lines,
    ...(archiveKinds.size > 0 && { archive_kinds: [...archiveKinds].sort() }),
  };
}

/** The first of the rules that block something, as they may be shown; nothing where none is known. */
export function namedRules(
  blockedBy: Iterable<BlockedBy>,
  workspace: Workspace,
): BlockedRulesNamed {
  const shown = ({ file, rule }: BlockedBy) =>
    file === undefined ? rule : workspace.displayRuleFile(file) + rule;
  const rules = [...new Set(Array.from(blockedBy, shown))].sort(compareByBytes);
  if (rules.length === 0) return {};
  const named = rules.slice(0, MAX_NAMED_RULES);
  return { blocked_rules: named, blocked_rules_more: rules.length - named.length };
}

/**
 * An answer's scope in one line: `searched 340 files; excluded: ignored tmp, out and 3 more (no_ignore
 * searches them), 2 binary`.
 *
 * @param voice speaks to the reader: the line names only keys that it has
 */
export function scopeLine(scope: AnswerScope, isListing: boolean, voice: Voice): string {
  const { searched, everything, left_out: leftOut = {} } = scope;
  const files = counted(searched, "file");
  const [done, left] = everything === undefined
    ? [`${isListing ? "listed" : "searched"} ${files}`, "excluded"]
    : [`searched everything it may (${files})`, "not looked at"];
  const parts = Object.entries(LEFT_OUT).flatMap(([key, row]) => {
    const count = leftOut[key as "blocked"] ?? 0;
    if (count === 0 || !("scope" in row)) return [];
    const [one, many] = row.scope;
    const names = leftOut.names?.[key as "binary"] ?? [];
    const end = key === "blocked"
      ? rulesText(leftOut.blocked_rules ?? [], leftOut.blocked_rules_more ?? 0)
      : names.length > 0
      ? `: ${listed(names)}`
      : "";
    const kinds = key === "archives" ? leftOut.archive_kinds : undefined;
    return [counted(count, one, many) + (kinds ? ` (${kinds.join(", ")})` : "") + end];
  });
  const ignored = ignoredPart(leftOut, voice);
  if (ignored !== "") parts.unshift(ignored);
  const inPart = scope.in_part ? " (in part)" : "";
  return (parts.length === 0 ? done : `${done}; ${left}: ${parts.join(", ")}`) + inPart;
}

/** `a, b and c` */
function listed(names: readonly string[]): string {
  const shown = names.map((name) => escapeControls(quotedName(name)));
  return [shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" and ");
}

function ignoredPart({ ignored = [], ignored_more: more = 0 }: LeftOut, voice: Voice): string {
  if (ignored.length + more === 0) return "";
  if (ignored.length === 0) return `${more} ignored`;
  const names = ignored.map((name) => escapeControls(quotedName(name))).join(", ");
  const key = voice.nameOf("ignore");
  const isNews = ignored.some((path) => !USUALLY_IGNORED.has(basename(path)));
  return `ignored ${names}${more === 0 ? "" : ` and ${more} more`}` +
    (isNews && key !== undefined ? ` (${key} searches them)` : "");
}
