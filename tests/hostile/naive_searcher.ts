/**
 * A plain and slow searcher, which knows every match of a workspace and why a search does not show it.
 *
 * It walks by every way there is, links too, reads every text as it was drawn, and matches line by line. What
 * ignore rules exclude it asks ripgrep, and what git tracks it knows.
 *
 * @module
 */

import type { SearchQuery } from "../../mod.ts";
import { ripgrepFiles } from "../support/changes.ts";
import {
  bytesOf,
  type Drawn,
  type DrawnCall,
  type DrawnFile,
  MAX_FILE_SIZE,
  PROBE,
  textOf,
} from "./random_workspace.ts";

/** In the order of the contract: a file counts for the first that applies. */
const CAUSES = [
  ...["ignored", "hidden", "binary", "too_large", "compressed", "encoding", "link"] as const,
  "worktree",
] as const;
export type Cause = (typeof CAUSES)[number];

/** Names that everyone ignores, as far as they are drawn. */
const USUAL = new Set(["node_modules", "build"]);
const BLOCKED_NAMES = /^(\.git|\.env|\.env\..*|.*\.env|.*\.pem|.*\.key|id_rsa|\.npmrc|\.ssh)$/;

/** A file that the search excluded, with what matches in it. */
export interface MissingFile {
  path: string;
  /** Numbers of the matching lines. */
  lines: number[];
  /** One of these is why; more than one where several ways lead to it. */
  causes: ReadonlySet<Cause>;
  /** It counts only where nothing was found: it lies in a directory that everyone ignores. */
  isUsual: boolean;
  /** A filter excludes it by its own name, and a link to it has another one: it may count. */
  isOptional: boolean;
}

/** Everything that there is to find. */
export interface Everything {
  shown: ReadonlyMap<string, readonly number[]>;
  missing: readonly MissingFile[];
  /** In searched files, the number of lines that match in another form; `most`: with forms that only together do. */
  forms: { least: number; most: number };
  /** Files that were not named, and have nothing like a match: no note is about them. */
  silent: readonly string[];
}

/** A way to a file, from a directory that is searched: there may be several. */
interface Way {
  path: string;
  base: string;
  isLinked: boolean;
  isInWorktree: boolean;
}

export class NaiveSearcher {
  readonly #drawn: Drawn;
  /** The directory above the roots. */
  readonly #above: string;
  readonly #roots: string[];
  readonly #files: ReadonlyMap<string, DrawnFile>;
  /** By directory, what is searched below it if it is named. */
  readonly #taken = new Map<string, Set<string>>();

  private constructor(drawn: Drawn, above: string) {
    this.#drawn = drawn;
    this.#above = above;
    this.#roots = drawn.roots.map((root) => `${above}/${root}`);
    const rules = drawn.rules.map(([path, lines]): DrawnFile => ({ path, lines }));
    this.#files = new Map(
      [...drawn.files, ...rules].map((file) => [`${above}/${file.path}`, file]),
    );
  }

  static async of(drawn: Drawn, above: string): Promise<NaiveSearcher> {
    const searcher = new NaiveSearcher(drawn, above);
    for (const root of searcher.#roots) await searcher.#askRipgrep(root);
    return searcher;
  }

  async #askRipgrep(top: string): Promise<void> {
    if (this.#taken.has(top)) return;
    const taken = new Set(await ripgrepFiles(top));
    const byGit = new Set(await ripgrepFiles(top, ["--no-ignore-vcs"]));
    const { repositories, worktrees } = this.#drawn;
    // What git's rules above a repository say does not count in it, which ripgrep knows only in repositories.
    const nested = [...repositories.map(({ path }) => path), ...worktrees]
      .map((path) => `${this.#above}/${path}`).filter((path) => path !== top && isIn(top, path));
    for (const repository of nested.filter((path) => taken.has(`${path}/${PROBE}`))) {
      for (const path of await ripgrepFiles(repository)) if (byGit.has(path)) taken.add(path);
    }
    for (const path of repositories.flatMap(({ tracked }) => tracked)) {
      if (byGit.has(`${this.#above}/${path}`)) taken.add(`${this.#above}/${path}`);
    }
    this.#taken.set(top, taken);
  }

  /** The roots, or the directories and files that a query names; nothing where one is blocked or nowhere. */
  basesOf({ path }: SearchQuery): string[] | undefined {
    const paths = [path ?? []].flat();
    if (paths.length === 0) return this.#roots;
    const bases = paths.map((path) => this.#placeOf(`${this.#above}/${path}`));
    return bases.includes(undefined) ? undefined : [...new Set(bases as string[])];
  }

  /** What a path leads to, where that may be read. */
  #placeOf(path: string): string | undefined {
    try {
      const real = Deno.realPathSync(path);
      return this.#roots.some((root) => isIn(root, real)) && !this.isBlocked(real)
        ? real
        : undefined;
    } catch {
      return undefined;
    }
  }

  isBlocked(real: string): boolean {
    const path = real.slice(this.#above.length + 1);
    const [, ...names] = path.split("/");
    if (names.some((name) => BLOCKED_NAMES.test(name))) return true;
    if (this.#drawn.deny.length > 0 && names.includes("vault")) return true;
    return this.#drawn.rules.some(([file, lines]) => {
      const [, place = "", name = ""] = /^(.*\/)(.*)$/.exec(file)!;
      const isExclusion = [".aiignore", ".cursorignore", ".aiexclude"].includes(name);
      if (!isExclusion || !path.startsWith(place)) return false;
      const below = path.slice(place.length).split("/");
      return lines.some((line) => {
        if (line.startsWith("*")) return below.some((name) => name.endsWith(line.slice(1)));
        if (line.startsWith("/")) return below[0] === line.slice(1);
        return below.includes(line.slice(0, -1)); // no file has such a name
      });
    });
  }

  /** Everything that a call is about. */
  async find({ caller, query }: DrawnCall): Promise<Everything> {
    const isListing = caller === "glob";
    const filters = isListing ? { include: query.pattern } : query;
    const bases = this.basesOf(query)!;
    const shown = new Map<string, number[]>();
    const [missing, silent]: [MissingFile[], string[]] = [[], []];
    const forms = { least: 0, most: 0 };
    for (const [path, all] of await this.#waysBelow(bases)) {
      const file = this.#files.get(path);
      // A finder shows what a link to a file leads to, by that name.
      const names = (way: Way) => isListing ? [way.path, path] : [way.path];
      const passing = all.filter((way) =>
        way.path === way.base || names(way).every((name) => passes(filters, name))
      );
      // Links to what is reached without them add nothing.
      const plain = passing.filter(({ isLinked }) => !isLinked);
      const ways = plain.length > 0 ? plain : passing;
      if (file === undefined || ways.length === 0) continue; // a probe, or what git wrote
      const text = textOf(file);
      const lines = isListing ? [0] : matchesIn(text, query);
      const content = isListing ? [] : contentCauses(file, query, bases.includes(path));
      const causes = this.#causesOf(ways, query, content);
      if (!isListing && !bases.includes(path) && !isLike(text, query)) silent.push(path);
      if (causes === undefined) {
        if (lines.length > 0) shown.set(path, lines);
        const other = isListing ? forms : formsIn(text, query);
        forms.least += other.least;
        forms.most += other.most;
      } else if (lines.length > 0) {
        const isOptional = plain.length === 0 && all.some(({ isLinked }) => !isLinked);
        const isUsual = !bases.some((base) => isUsualPath(`${base}/`.slice(this.#above.length))) &&
          ways.every((way) =>
            this.#placeCauses(way, query).length > 0 &&
            isUsualPath(way.path.slice(way.base.length))
          );
        missing.push({ path, lines, causes, isUsual, isOptional });
      }
    }
    return { shown, missing, forms, silent };
  }

  /** By file, all ways to it from some directories and files. */
  async #waysBelow(bases: readonly string[]): Promise<Map<string, Way[]>> {
    const ways = new Map<string, Way[]>();
    const walk = (way: Way, real: string, above: readonly string[]) => {
      if (!Deno.statSync(real).isDirectory) {
        ways.set(real, [...ways.get(real) ?? [], way]);
        return;
      }
      if (above.includes(real)) return;
      const isWorktree = this.#drawn.worktrees.some((path) => `${this.#above}/${path}` === real);
      const isInWorktree = way.isInWorktree || isWorktree && !bases.includes(real);
      for (const { name, isSymlink } of Deno.readDirSync(real)) {
        const own = `${real}/${name}`;
        const target = this.isBlocked(own) ? undefined : this.#placeOf(own);
        if (target === undefined) continue;
        const path = `${way.path}/${name}`;
        const isLinked = way.isLinked || isSymlink;
        walk({ path, base: way.base, isLinked, isInWorktree }, target, [...above, real]);
      }
    };
    for (const base of bases) {
      if (Deno.statSync(base).isDirectory) await this.#askRipgrep(this.#topOf(base));
      walk({ path: base, base, isLinked: false, isInWorktree: false }, base, []);
    }
    return ways;
  }

  /** The directory that ignore rules count from: one that is ignored itself counts none from above. */
  #topOf(base: string): string {
    const root = this.#roots.find((root) => isIn(root, base))!;
    return base === root || this.#taken.get(root)!.has(`${base}/${PROBE}`) ? root : base;
  }

  /** Why a file is not searched, which is one of these; nothing where it is. */
  #causesOf(
    ways: readonly Way[],
    query: SearchQuery,
    content: readonly Cause[],
  ): Set<Cause> | undefined {
    const causes = new Set<Cause>();
    for (const way of ways) {
      const place = this.#placeCauses(way, query);
      const first = firstOf([...place, ...content]);
      if (first === undefined) return undefined;
      causes.add(first);
      // Which rules hold where a link leads is another question.
      if (way.isLinked) {
        [...place, firstOf([...content, "link"])!].forEach((one) => causes.add(one));
      }
    }
    return causes;
  }

  /** What is against the place of a file. */
  #placeCauses({ path, base, isLinked, isInWorktree }: Way, query: SearchQuery): Cause[] {
    if (path === base) return [];
    const isIgnored = isLinked
      ? this.#drawn.rules.length > 0
      : !this.#taken.get(this.#topOf(base))!.has(path);
    const isHidden = path.slice(base.length).includes("/.");
    return [
      ...isIgnored && query.ignore !== false ? ["ignored" as const] : [],
      ...isHidden && query.hidden === false ? ["hidden" as const] : [],
      ...isLinked ? ["link" as const] : [],
      ...isInWorktree ? ["worktree" as const] : [],
    ];
  }
}

/** What is against a file wherever it is. */
function contentCauses(file: DrawnFile, query: SearchQuery, isNamed: boolean): Cause[] {
  const { coding = "", isPacked, detail } = file;
  const bytes = bytesOf(file);
  const isLarge = !isNamed && bytes.length > (query.maxFileSize ?? MAX_FILE_SIZE);
  const isUtf16 = coding.startsWith("utf-16");
  const isBinary = isPacked ? detail === "NUL" : !isUtf16 && bytes.includes(0);
  const isOther = isUtf16 ? detail !== "mark" : coding !== "";
  return [
    ...isBinary ? ["binary" as const] : [],
    ...isLarge ? ["too_large" as const] : [],
    ...isPacked ? ["compressed" as const] : [],
    ...isOther ? ["encoding" as const] : [],
  ];
}

function firstOf(causes: readonly Cause[]): Cause | undefined {
  return CAUSES.find((cause) => causes.includes(cause));
}

function isIn(directory: string, path: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

/** Whether a directory on the way has a name that everyone ignores. */
function isUsualPath(path: string): boolean {
  return path.split("/").slice(0, -1).some((name) => USUAL.has(name));
}

/** Globs of names, as they are drawn: `*.ts`, `*.{a,b}`. */
function passes({ include, exclude }: Pick<SearchQuery, "include" | "exclude">, path: string) {
  const matches = (glob: unknown) =>
    String(glob).replace(/^(?:\*\*\/)?\*\.|[{}]/g, "").split(",")
      .some((ending) => path.endsWith(`.${ending}`));
  return (exclude === undefined || !matches(exclude)) &&
    (include === undefined || matches(include));
}

/** Whether a line matches. Most lines are the same, so that answers are kept. */
function matcherOf({ pattern, fixedStrings, caseInsensitive }: SearchQuery) {
  const expressions = [pattern].flat().map((text) => {
    const source = fixedStrings ? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : text;
    return new RegExp(source, caseInsensitive ? "iu" : "u");
  });
  const known = new Map<string, boolean>();
  return (line: string): boolean =>
    known.getOrInsertComputed(line, () => expressions.some((one) => one.test(line)));
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n").map((line) => line.replace(/\r$/, ""));
}

/** The numbers of the lines that match. */
function matchesIn(text: string, query: SearchQuery): number[] {
  const matches = matcherOf(query);
  return linesOf(text).flatMap((line, index) => matches(line) ? [index + 1] : []);
}

/** Whether there is a match in any letter case, naming convention and form. */
function isLike(text: string, query: SearchQuery): boolean {
  const any = { ...query, caseInsensitive: true };
  const joined = (text: string) => text.replace(/[\s_-]/g, "").toLowerCase();
  // Of an expression, the letters that it begins with.
  const words = [query.pattern].flat().map((pattern) => /^[\p{L}\p{M}\s]*/u.exec(pattern)![0]);
  return matchesIn(text, any).length > 0 || formsIn(text, any).most > 0 ||
    words.some((word) => word !== "" && joined(text).includes(joined(word)));
}

const ENTITIES: Readonly<Record<string, string>> = { eacute: "\u00e9", nbsp: "\u00a0" };

/** One form each, as the text of a line is read for it. */
const FORMS: readonly ((line: string) => string)[] = [
  (line) => line.normalize("NFC"),
  (line) => line.normalize("NFD"),
  (line) => line.replace(/\u00a0/g, " "),
  (line) => line.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
  (line) =>
    line.replace(
      /&#(x?)(\w+);/gi,
      (_, hex, code) => String.fromCodePoint(parseInt(code, hex ? 16 : 10)),
    ),
  (line) => line.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole),
];

/** How many lines match in another form than they are asked for, and how many phrases are broken over a line. */
function formsIn(text: string, query: SearchQuery): { least: number; most: number } {
  const matches = matcherOf(query);
  const inAll = (line: string) => FORMS.reduce((read, form) => form(read), line);
  const broken = query.multiline ? 0 : brokenIn(text, query);
  let [least, most] = [broken, broken];
  for (const [line, { length }] of Map.groupBy(linesOf(text), (line) => line)) {
    if (matches(line)) continue;
    const isForm = FORMS.some((form) => matches(form(line)));
    if (isForm) least += length;
    if (isForm || matches(inAll(line)) || matches(inAll(line).normalize("NFC"))) most += length;
  }
  return { least, most };
}

/** The phrases that a line break stands in. */
function brokenIn(text: string, { pattern, caseInsensitive }: SearchQuery): number {
  const phrases = [pattern].flat().filter((one) => /^[\w ]+$/u.test(one) && one.includes(" "));
  return phrases.reduce((sum, phrase) => {
    const broken = new RegExp(phrase.replaceAll(" ", "\\s+"), caseInsensitive ? "giu" : "gu");
    return sum + [...text.matchAll(broken)].filter(([match]) => match.includes("\n")).length;
  }, 0);
}
