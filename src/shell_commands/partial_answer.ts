/**
 * What the search of another program does not show though it has found something: the matches in files that it
 * excludes by its own rules, in one line with the option that shows them. Where anything is in doubt, nothing.
 *
 * @module
 */

import { inPlace } from "../paths/verification.ts";
import { compareByBytes, relativePath, sep } from "../util/path.ts";
import { innermost } from "../workspace/workspace.ts";
import { readPlainFile } from "../exclusions/rule_file.ts";
import { shownPath } from "../reasons/cause_notes.ts";
import { askedPath, type Cause, causeOf } from "../reasons/causes.ts";
import { FurtherPass } from "../reasons/further_pass.ts";
import { KINDS, MAX_MATCHES } from "../reasons/not_shown.ts";
import { isNullable } from "../regex/ast.ts";
import { loadMatcher } from "../regex/matcher.ts";
import type { EngineReport, FileHit } from "../run/job.ts";
import { BUILD_OUTPUT, type PassStart, PassTurn, USUALLY_IGNORED } from "../walk/listing.ts";
import { LineSearcher } from "../read/line_searcher.ts";
import { Guard } from "../guard/guard.ts";
import { scan } from "../search/scan.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import { isEscaped, quotedName } from "../util/text.ts";
import type { ForeignSearch } from "./command_line.ts";
import {
  asOwnGrep,
  type ForeignRun,
  type Operands,
  operandsOf,
  prepareForeign,
  type Surroundings,
} from "./foreign_search.ts";
import { removedLines } from "./shell_words.ts";

/** What a search has printed, and what that was piped through. */
export interface Printed {
  output: string;
  filters: readonly (readonly string[])[];
  /** Whether the search is that of Claude Code's `grep`, unless the whole output says otherwise. */
  isOwnGrep: boolean;
}

/** The options that show what a cause hides. What has none is not reported. */
type Options = Readonly<Partial<Record<Cause["kind"], string>>>;

const OPTIONS: Readonly<Record<ForeignSearch["caller"], Options>> = {
  rg: { ignored: "-u", hidden: "--hidden", binary: "-a", symlinks: "-L" },
  "git grep": { untracked: "--untracked", ignored: "--untracked --no-exclude-standard" },
  "GNU grep": { symlinks: "-R" },
  ugrep: { ignored: "--no-ignore-files", hidden: "--hidden" },
};
/** What Claude Code's `grep` excludes, the program of that name does not. */
const OTHER_GREP = "`command grep`";
/** In the order in which they are reported: how one place is named, and several. */
const PLACES = new Map<Cause["kind"], readonly [one: string, many: string]>([
  ...[...KINDS].map(([kind, [, , one, many]]) => [kind, [one, many]] as const),
  ["untracked", ["untracked {place}", "untracked files"]],
]);
/** Bytes of a file in which more than its matches count. */
const MAX_BYTES = 1 << 20;
/** What no one reads: lines that are longer on average, and the maps of what was built. */
const MAX_LINE_BYTES = 200;
const GENERATED = /\.(?:map|min\.\w+)$/;
/**
 * Whoever gets to see many matches looks for no other one in a hidden file: beyond so many, those that are not
 * shown are worth a line if they are this part of them. Of 500 everyday commands, 18 had a line without it.
 */
const FEW = 50;
const WORTH = 0.1;
/** Characters of an output, beyond which an agent's host may show a part. */
const MAX_OUTPUT_CHARS = 20_000;

/** A file with matches that are not shown. */
interface HiddenFile {
  hit: FileHit;
  causes: readonly Cause[];
}

/**
 * The line on what a search does not show; nothing if there is no such thing, or that is not certain in time.
 *
 * @throws {PathgrepError} `invalid_input` or `invalid_pattern` for what is not read, every `path_…` and
 * `permission_…` code, `search_timed_out`, `cancelled`
 */
export async function partialAnswerLine(
  foreign: ForeignSearch,
  where: Surroundings & { timeout: number },
  printed: Printed,
): Promise<string | undefined> {
  const started = performance.now();
  const { workspace, allow = [], deny = [] } = where;
  const operands = operandsOf(foreign, where, new Guard({ workspace, allow, deny }));
  if (!mayBePartial(foreign, operands)) return undefined;
  const pool = new WorkerPool();
  try {
    const own = printed.isOwnGrep ? asOwnGrep(foreign) : foreign;
    const { search: run, shown } = await prepareForeign(own, where, operands, pool);
    if (isNullable(run.job.plan.locate.tree)) return undefined;
    const { collector, report } = await scan({ ...run, job: { ...run.job, wantsExcluded: true } });
    if (report === undefined || report.isExcludedCut) return undefined;
    const search = { ...run, report };
    const hits = collector.handOut();
    // Of a binary file, the program named `grep` may have told on standard error.
    const options = printed.isOwnGrep ? { ignored: OTHER_GREP } : OPTIONS[foreign.caller];
    const hiddenIn = (hits: readonly FileHit[]) =>
      hits.flatMap((hit) => hiddenBy(search, hit, options));
    const untracked = hiddenIn(hits);
    if (!isPrintedBy(search, shown, printed)) return undefined;
    const time = where.timeout - (performance.now() - started);
    const hidden = await withExcluded(untracked, search, hiddenIn, time);
    const names = printedNames(printed.output, where.directory);
    // Then the program that has run, or its configuration, is another one.
    if (hidden.some(({ hit }) => names.has(shownPath(search, askedPath(hit))))) return undefined;
    await loadMatcher(search.job.plan);
    const lacking = hidden.filter((one) => isLacking(one, search, printed));
    const found = matchesIn(hits.filter(({ path }) => shown.has(path)));
    const isNews = found <= FEW || matchesIn(lacking.map(({ hit }) => hit)) >= found * WORTH;
    if (lacking.length === 0 || !isNews) return undefined;
    return lineOn(lacking, search, options, foreign.untracked ? ["--untracked"] : []);
  } finally {
    pool.close();
  }
}

/** Whether a search may show some of what matches: of a file that is named, it shows all. */
function mayBePartial(
  { query, unknownTypes }: ForeignSearch,
  { absent, files }: Operands,
): boolean {
  const isRead = unknownTypes.length + absent.length + files === 0;
  return isRead && !query.invert && !query.filesWithoutMatch;
}

function matchesIn(hits: readonly FileHit[]): number {
  return hits.reduce((sum, { count }) => sum + count, 0);
}

/** Whether an output is that of this search, as far as it shows. */
function isPrintedBy(
  search: ForeignRun,
  shown: ReadonlySet<string>,
  { output, filters, isOwnGrep }: Printed,
): boolean {
  const programs = filters.map(([program]) => program);
  const isWhole = !programs.some((program) => /^(?:head|tail|wc)$/.test(program!)) &&
    output.length <= MAX_OUTPUT_CHARS;
  if (isOwnGrep && !isWhole) return false;
  if (programs.includes("wc")) return shown.size > 0;
  const names = printedNames(output, search.beside.directory);
  return [...shown].some((path) => names.has(shownPath(search, path)));
}

/** What lines of an output may begin with that are names of files. */
function printedNames(output: string, directory: string): Set<string> {
  const above = `${directory.replaceAll(sep, "/")}/`;
  return new Set(
    output.split("\n").flatMap((line) => {
      const bare = line.replace(/^(?:Binary file |\w+: )?(?:\.\/)?/, "");
      const text = bare.startsWith(above) ? bare.slice(above.length) : bare;
      const ends = text.matchAll(/[-:=\0 ]|$/g);
      return Array.from(ends, ({ index }) => text.slice(0, index));
    }),
  );
}

/** A file with its causes, if there are any, and options overcome them. */
function hiddenBy({ beside }: ForeignRun, hit: FileHit, options: Options): HiddenFile[] {
  const { left = [], path } = hit;
  const causes = beside.causesOf(left.map((one) => causeOf(one, path)), path);
  const isHidden = causes.length > 0 && causes.every(({ kind }) => kind in options);
  return isHidden ? [{ hit, causes }] : [];
}

/**
 * All files that match and are not shown; none if there was no time to look at what is excluded. In directories
 * that everyone ignores there are others, of which one in build output may be news.
 */
async function withExcluded(
  untracked: readonly HiddenFile[],
  search: ForeignRun & { report: EngineReport },
  hiddenIn: (hits: readonly FileHit[]) => HiddenFile[],
  time: number,
): Promise<HiddenFile[]> {
  const { job: { walk }, report, workspace } = search;
  const usualNames = ({ hit: { path } }: HiddenFile) =>
    relativePath(innermost(walk.bases, path) ?? workspace.rootOf(path)!, path).split("/")
      .slice(0, -1).filter((name) => USUALLY_IGNORED.has(name));
  const isBuilt = (one: HiddenFile) => usualNames(one).every((name) => BUILD_OUTPUT.has(name));
  const pass = new FurtherPass(search, time);
  const excluded = async (starts: readonly PassStart[], entersUsual: boolean) => {
    const found = starts.length === 0 ? [] : (await pass.excluded(starts, entersUsual)).hits;
    return pass.isInPart ? [] : hiddenIn(found);
  };
  const [starts, usual] = [false, true].map((isUsual) =>
    report.excluded.filter(({ turn }) => (turn === PassTurn.UsuallyIgnored) === isUsual)
  );
  try {
    const all = [...untracked, ...await excluded(starts!, false)];
    const hidden = all.filter((one) => usualNames(one).length === 0);
    if (pass.isInPart || hidden.length > 0) return pass.isInPart ? [] : hidden;
    const built = usual!.flatMap(({ only = [], ...start }) => {
      const names = only.filter((name) => BUILD_OUTPUT.has(name));
      return names.length > 0 ? [{ ...start, only: names }] : [];
    });
    const [one, ...more] = [...all, ...await excluded(built, true)].filter(isBuilt);
    // A build has copies of what is shown.
    const isNews = one !== undefined && more.length === 0 && hasShortLines(one.hit.path, search);
    return isNews && !pass.isInPart ? [one] : [];
  } finally {
    pass.close();
  }
}

/** Whether people may read a file. */
function hasShortLines(path: string, { workspace }: ForeignRun): boolean {
  const bytes = readPlainFile(path, workspace.roots, MAX_BYTES);
  if (bytes === undefined || GENERATED.test(path)) return false;
  const lines = bytes.reduce((count, byte) => byte === 0x0a ? count + 1 : count, 1);
  return bytes.length <= lines * MAX_LINE_BYTES;
}

/** Whether the output would have had the matches of a file. */
function isLacking(one: HiddenFile, search: ForeignRun, { filters }: Printed): boolean {
  const { path, left = [] } = one.hit;
  const link = left.find(({ reason }) => reason === "symlinks");
  // In a linked directory, the ignore files above the link hold; it is not proven with what it leads to.
  const isCertain = link === undefined || (link.by === path || !search.query.ignore) &&
      inPlace([link.path!], search.job).length > 0;
  if (!isCertain) return false;
  const removed = filters.flatMap((words) => removedLines(words) ?? []);
  const isBinary = isHiddenBy("binary", one);
  if (removed.length === 0 && !isBinary) return true;
  const bytes = readPlainFile(path, search.workspace.roots, MAX_BYTES);
  const text = new TextDecoder().decode(bytes);
  const isRemoved = removed.some((lines) =>
    lines.test(shownPath(search, path)) || lines.test(text)
  );
  if (bytes === undefined || isRemoved) return false;
  if (!isBinary) return true;
  // A picture, too, has bytes that look like a word.
  if (text.includes("\ufffd")) return false;
  // Up to the NUL byte, it is searched.
  const { plan, lines } = search.job;
  const searcher = new LineSearcher({ ...plan, each: [] }, { ...lines, mode: "file" });
  searcher.start();
  searcher.feed(text.split("\0", 1)[0]!, true);
  return searcher.count === 0;
}

/** The matches by cause, and the options that show all of them; nothing where a name could mislead. */
function lineOn(
  hidden: readonly HiddenFile[],
  search: ForeignRun,
  options: Options,
  given: readonly string[],
): string | undefined {
  const files = new Map(hidden.map((one) => [one.hit.path, one])); // links may lead to one again
  const kinds = [...PLACES.keys()].filter((kind) => hidden.some((one) => isHiddenBy(kind, one)));
  const groups = Map.groupBy(
    [...files.values()].sort((a, b) => compareByBytes(askedPath(a.hit), askedPath(b.hit))),
    (one) => kinds.findIndex((kind) => isHiddenBy(kind, one)),
  );
  const places = [...groups].sort(([a], [b]) => a - b).map(([kind, group], index) => {
    const count = matchesIn(group.map(({ hit }) => hit));
    const number = count > MAX_MATCHES ? `${MAX_MATCHES}+` : `${count}`;
    const unit = index > 0 ? "" : count === 1 ? " match" : " matches";
    return `${number}${unit} ${whereIs(group, kinds[kind]!, search)}`;
  });
  const needed = kinds.flatMap((kind) => options[kind]!.split(" "));
  const all = [...new Set(needed).difference(new Set(given))].join(" ");
  const short = all.replace("-u --hidden -a", "-uuu").replace("-u --hidden", "-uu");
  const advice = all === OTHER_GREP ? `use ${all}` : `add ${short}`;
  const line = `not shown: ${places.join(", ")}; ${advice}`;
  return isEscaped(line) ? undefined : line;
}

function isHiddenBy(kind: Cause["kind"], { causes }: HiddenFile): boolean {
  return causes.some((cause) => cause.kind === kind);
}

function whereIs(group: readonly HiddenFile[], kind: Cause["kind"], search: ForeignRun): string {
  const [one, many] = PLACES.get(kind)!;
  const [{ hit }] = group as [HiddenFile];
  const named = (path: string) => quotedName(shownPath(search, path));
  const first = named(askedPath(hit));
  if (group.length > 1) return `in ${group.length} ${many} (the first is ${first})`;
  const values = { place: first, detail: named(hit.path) };
  return `in ${one.replace(/\{(\w+)\}/g, (_, key: "place") => values[key])}`;
}
