/**
 * Random workspaces in which much is excluded from a search, for every reason that there is, and random
 * calls on them. What is drawn is plain data, so that a smaller case can be made of one that fails.
 *
 * @module
 */

import { encodingTable } from "../support/encodings.ts";
import { gzipOf } from "../support/gzip.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { numbersFrom } from "../support/draw.ts";
import type { SearchQuery } from "../../mod.ts";

/** A workspace. All paths are relative to the directory that holds its roots. */
export interface Drawn {
  /** Base names of the roots. */
  roots: string[];
  files: DrawnFile[];
  /** From path to target; `$BASE` stands for the directory above the roots. */
  links: [path: string, target: string][];
  /** Ignore files and exclusion files, by path. */
  rules: [path: string, lines: string[]][];
  repositories: { path: string; tracked: string[] }[];
  /** Directories that are linked worktrees. */
  worktrees: string[];
  /** Globs for `deny`. */
  deny: string[];
}

/** A file, its text, and how that is stored: the last three are what {@linkcode textOf} adds to it. */
export interface DrawnFile {
  path: string;
  lines: string[];
  coding?: string;
  isPacked?: true;
  detail?: "mark" | "crlf" | "NUL" | "late NUL" | "large" | "large NUL" | "large late NUL";
}

/** A call, by whom, in the terms of the library; of `glob`, the pattern is one of names. */
export interface DrawnCall {
  caller: "tool" | "tool of a searcher" | "glob" | "library" | "shell";
  query: SearchQuery & { pattern: string | string[] };
}

/** A workspace and what is asked in it. */
export interface DrawnCase {
  drawn: Drawn;
  calls: DrawnCall[];
}

/** Files over it are too large, whoever searches; calls of the library may have a lower limit. */
export const MAX_FILE_SIZE = 1 << 20;
const FILLER = `${"filler ".repeat(9)}\n`;
/** More entries than there are. */
export const ALL = 1_000_000;
/** In each directory that was drawn, a file that no ignore rule names by itself. */
export const PROBE = "zz_probe";
/** Encodings that are no UTF, and a line in each that makes it no UTF-8. */
const OTHER_CODINGS: Readonly<Record<string, string>> = {
  gbk: "这是一个文件",
  shift_jis: "これはファイルです",
  "windows-1252": "naïve façade",
  "windows-1251": "это просто файл",
};
/** Text that none of the lines contains. */
const NOISE = ["const x = 1;", "lorem ipsum", "return;", "", "other words here"];

/** What is searched for: patterns, how a line has it, and how in other forms. */
const WANTED: readonly {
  patterns: readonly SearchQuery["pattern"][];
  isFixed?: true;
  exact?: string;
  forms?: readonly string[];
}[] = [
  { patterns: ["maxRetries", "maxR\\w+"], exact: "let maxRetries = 3;" },
  {
    patterns: ["max retries"],
    exact: "the max retries are 3",
    forms: ["the max\u00a0retries are 3", "the max\nretries are 3"],
  },
  {
    patterns: ["caf\u00e9", "un caf\u00e9 ?"],
    exact: "un caf\u00e9 noir",
    forms: ["e\u0301", "&eacute;", "&#233;", "&#xE9;", "\\u00e9"].map((e) => `un caf${e} noir`),
  },
  { patterns: ["cafe\u0301s"], exact: "les cafe\u0301s", forms: ["les caf\u00e9s"] },
  {
    patterns: ["配置"],
    exact: "x = 配置; // 文件",
    forms: ["x = \\u914d\\u7f6e;", "x = &#37197;&#32622;"],
  },
  { patterns: ["設定"], exact: "この設定は便利です" },
  { patterns: ["привет"], exact: "// привет, как дела" },
  { patterns: ["foo(bar).*"], isFixed: true, exact: "foo(bar).*;" },
  { patterns: [["maxRetries", "caf\u00e9"]] },
  { patterns: ["zq absent", "zqAbsent"] },
];
type Wanted = (typeof WANTED)[number];

const DIRECTORIES = [
  ...["src", "src/app", "src/gen", "lib", "lib/deep/down", "packages/core", "packages/kit/src"],
  ...["build", "gen/more", "out", "node_modules/dep/lib", "gen/node_modules/x", ".config", "docs"],
  ...["日本", "secret", "src/private", "vault/in", "wt", "wt/sub", "sub module"],
];
const EXTENSIONS = ["ts", "ts", "js", "md", "txt", "log", "gen.ts", "sec"];
const IGNORE_LINES = [
  ...["*.log", "gen/", "/build", "!keep*", "*.txt", "node_modules/", "out", "**/app/*.md", "!*.md"],
  ...["src/gen/*.ts", "# note", "*.gen.ts", "!*.gen.ts", "lib/**/down/", "!/lib/deep/", "keep*"],
  ...["/src/private/", "packages/*/src", "!gen/", "?1*", "!?1?.*", "*.gz", ".config/", "wt/"],
];
/** Exclusion files, with the rules that they have. */
const EXCLUSIONS: [name: string, lines: string[]][] = [
  [".aiignore", ["secret/", "*.sec"]],
  [".cursorignore", ["private/"]],
  ["src/.aiexclude", ["/private"]],
];
/** Files that are blocked in every workspace. */
const BLOCKED = [
  ".env",
  ".env.local",
  "a.pem",
  "b.key",
  "id_rsa",
  ".npmrc",
  ".ssh/config",
  "x.env",
];
const STORAGES: readonly Omit<DrawnFile, "path" | "lines">[] = [
  ...(["mark", "crlf", "NUL", "NUL", "late NUL", "large", "large NUL", "large late NUL"] as const)
    .map((detail) => ({ detail })),
  ...["utf-16le", "utf-16be", ...Object.keys(OTHER_CODINGS)].map((coding) => ({ coding })),
  ...["utf-16le", "utf-16be"].map((coding) => ({ coding, detail: "mark" as const })),
  ...[{}, {}, { detail: "NUL" as const }].map((one) => ({ ...one, isPacked: true as const })),
];

/** Draws the same for the same seed. */
class Draws {
  readonly below: (limit: number) => number;

  constructor(seed: number) {
    this.below = numbersFrom(seed);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True in one of so many cases. */
  chance(one: number): boolean {
    return this.below(one) === 0;
  }

  some<T>(count: number, one: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => one(index));
  }
}

/** Draws a workspace and calls on it. */
export function drawCase(seed: number): DrawnCase {
  const draws = new Draws(seed);
  const { below } = draws;
  const roots = draws.chance(5) ? ["ws", "two"] : ["ws"];
  const place = () => `${draws.pick(roots)}${draws.chance(4) ? "" : `/${draws.pick(DIRECTORIES)}`}`;
  // Few things are looked for in one workspace, so that most calls find several of them.
  const wanted = draws.some(1 + below(3), () => draws.pick(WANTED));
  const files = draws.some(4 + below(22), (index): DrawnFile => {
    const storage = draws.chance(3) ? draws.pick(STORAGES) : {};
    const start = draws.chance(8) ? "." : draws.chance(8) ? "keep" : "";
    const name = `${start}f${index}.${draws.pick(EXTENSIONS)}${storage.isPacked ? ".gz" : ""}`;
    const lines = linesFor(draws.pick(wanted), storage.coding, draws);
    return { path: `${place()}/${name}`, lines, ...storage };
  });
  if (draws.chance(40)) {
    const lines = draws.some(990 + below(20), () => draws.pick(wanted).exact ?? "");
    files.push({ path: `${place()}/many.ts`, lines, detail: draws.pick(["NUL", "mark"]) });
  }
  for (const path of new Set(draws.some(below(4), () => `${place()}/${draws.pick(BLOCKED)}`))) {
    files.push({ path, lines: linesFor(draws.pick(wanted), undefined, draws) });
  }
  const drawn: Drawn = {
    ...{ roots, files, links: [], repositories: drawRepositories(files, draws) },
    rules: drawRules(roots, place, draws),
    worktrees: draws.chance(5) ? [draws.pick(["ws/wt", "ws/out", "ws/src/app"])] : [],
    deny: draws.chance(5) ? ["vault", "vault/**"] : [],
  };
  // That of a worktree's repository counts there, which ripgrep does not know.
  const mayExclude = drawn.worktrees.length === 0 &&
    drawn.repositories.some(({ path }) => path === "ws");
  if (mayExclude && draws.chance(3)) {
    drawn.rules.push(["ws/.git/info/exclude", [draws.pick(IGNORE_LINES)]]);
  }
  for (let count = below(5); count > 0; count--) drawn.links.push(drawLink(drawn, draws));
  return { drawn, calls: draws.some(3, () => drawCall(drawn, wanted, draws)) };
}

/** A few lines: some with what is looked for, in a form or not, as far as they can be stored so. */
function linesFor({ exact, forms = [] }: Wanted, coding: string | undefined, draws: Draws) {
  const texts = draws.chance(3) ? [] : draws.chance(4) ? forms : exact ?? [];
  // One form a file: how several are counted is another question.
  const text = texts.length === 0 ? undefined : draws.pick([texts].flat());
  const lines = draws.some(1 + draws.below(6), () => {
    const line = text !== undefined && draws.chance(2) ? text : draws.pick(NOISE);
    return isEncodable(line, coding) ? line : "plain words";
  });
  return [...lines, ...[OTHER_CODINGS[coding ?? ""] ?? []].flat()];
}

function drawRules(roots: readonly string[], place: () => string, draws: Draws): Drawn["rules"] {
  const ignoring = draws.some(draws.below(4), (): Drawn["rules"][number] => {
    const where = draws.chance(2) ? draws.pick(roots) : place();
    const name = draws.pick([".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore"]);
    const lines = draws.some(1 + draws.below(5), () => draws.pick(IGNORE_LINES));
    return [`${where}/${name}`, lines];
  });
  const rules = new Map(ignoring);
  if (draws.chance(3)) {
    const [name, lines] = draws.pick(EXCLUSIONS);
    rules.set(`${draws.pick(roots)}/${name}`, lines);
  }
  return [...rules];
}

function drawRepositories(files: readonly DrawnFile[], draws: Draws): Drawn["repositories"] {
  const places = [["ws", 2], ["ws/packages/core", 6], ["ws/sub module", 6]] as const;
  return places.filter(([, one]) => draws.chance(one)).map(([path]) => ({
    path,
    tracked: files.map(({ path }) => path)
      .filter((file) => file.startsWith(`${path}/`) && draws.chance(4)),
  }));
}

function drawLink({ files, links, roots }: Drawn, draws: Draws): Drawn["links"][number] {
  const root = draws.pick(roots);
  const place = draws.pick(["", "", "src/", "lib/", "docs/", "build/"]);
  const path = `${root}/${place}l${links.length}${draws.pick(["", ".ts"])}`;
  if (draws.chance(8)) {
    return [
      path,
      draws.pick(["$BASE/outside", "$BASE/outside/o.ts", "..", ".", "nowhere", "$BASE"]),
    ];
  }
  const { path: file } = draws.pick(files);
  const directory = () => directoryOf(draws.pick(files).path);
  const targets = [file, directory(), directory(), directory(), draws.pick(links)?.[0]];
  return [path, `$BASE/${draws.pick(targets) ?? root}`];
}

function drawCall(drawn: Drawn, wanted: readonly Wanted[], draws: Draws): DrawnCall {
  const directories = drawn.files.map(({ path }) => directoryOf(path));
  if (draws.chance(8)) {
    const pattern = draws.pick(["**/*.ts", "**/*.{log,md,gz}", "**/*.absent"]);
    const path = draws.chance(3) && { path: draws.pick(directories) };
    return { caller: "glob", query: { pattern, ...path, outputMode: "file" } };
  }
  const { patterns, isFixed } = draws.pick(wanted);
  const links = drawn.links.map(([path]) => path);
  const besideLinks = [...links, ...links, ...links].map(directoryOf);
  const places = [...directories, draws.pick(drawn.files).path, ...links, ...besideLinks];
  const paths = () =>
    draws.chance(4) ? [draws.pick(places), draws.pick(places)] : draws.pick(places);
  const filters = [{ include: "*.ts" }, { exclude: "*.md" }, { include: "*.{log,md,gz}" }];
  const callers = ["tool", "tool", "library", "shell"] as const;
  // Of a searcher, threads take a while to start.
  const caller = draws.chance(12) ? "tool of a searcher" : draws.pick(callers);
  const isTool = caller.startsWith("tool");
  const query = {
    pattern: draws.pick(patterns) as string | string[],
    ...(isFixed && { fixedStrings: true }),
    ...(draws.chance(3) && { path: paths() }),
    ...(draws.chance(6) && draws.pick(filters)),
    outputMode: draws.pick(["content", "content", "file", "count"]),
    ...(draws.chance(4) && { caseInsensitive: true }),
    ...(draws.chance(8) && { multiline: true }),
    ...(draws.chance(8) && { ignore: false }),
    ...(draws.chance(2) && { paths: "relative" as const }),
    ...(!isTool && draws.chance(2) && { hidden: false }),
    ...(!isTool && draws.chance(4) && { maxFileSize: 200 }),
    maxResults: caller === "tool" && draws.chance(8) ? 1 : ALL,
  };
  return { caller, query: query as DrawnCall["query"] };
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The whole text of a file, with what its storage adds. */
export function textOf({ lines, isPacked, detail = "mark" }: DrawnFile): string {
  const end = detail === "crlf" ? "\r\n" : "\n";
  const text = lines.map((line) => line.replaceAll("\n", end) + end).join("");
  const large = FILLER.repeat(Math.ceil((MAX_FILE_SIZE + 1) / FILLER.length));
  switch (detail) {
    case "NUL":
      // A stray one in a line that may match.
      return isPacked ? `\0${text}` : text.replace(end, `\0${end}`);
    case "late NUL":
      return `${FILLER.repeat(1000)}${text}\0\n`;
    case "large NUL":
      return `\0\n${text}${large}`;
    case "large late NUL":
      return `${large}${text}\0\n`;
    default:
      return detail === "large" ? large + text : text;
  }
}

/** The bytes of a file. */
export function bytesOf(file: DrawnFile): Uint8Array {
  const text = (file.detail === "mark" ? "\ufeff" : "") + textOf(file);
  const bytes = encodeAs(text, file.coding);
  return file.isPacked ? gzipOf(bytes) : bytes;
}

function encodeAs(text: string, coding?: string): Uint8Array {
  if (coding === undefined) return new TextEncoder().encode(text);
  if (coding.startsWith("utf-16")) {
    const units = new DataView(new ArrayBuffer(2 * text.length));
    for (let at = 0; at < text.length; at++) {
      units.setUint16(2 * at, text.charCodeAt(at), coding === "utf-16le");
    }
    return new Uint8Array(units.buffer);
  }
  const table = encodingTable(coding);
  return Uint8Array.from([...text].flatMap((character) => table.get(character)!));
}

function isEncodable(text: string, coding = ""): boolean {
  if (!(coding in OTHER_CODINGS)) return true;
  const table = encodingTable(coding);
  return [...text].every((character) => table.has(character));
}

/** Makes the workspace on disk. */
export async function build(drawn: Drawn): Promise<Tree> {
  const entries: Record<string, TreeEntry> = { "../outside/o.ts": "let maxRetries, caf\u00e9;\n" };
  for (const root of drawn.roots) entries[`../${root}/${PROBE}`] = "probe\n";
  for (const file of drawn.files) {
    const names = file.path.split("/");
    for (let depth = 2; depth < names.length; depth++) {
      entries[`../${names.slice(0, depth).join("/")}/${PROBE}`] = "probe\n";
    }
    entries[`../${file.path}`] = bytesOf(file);
  }
  for (const [path, lines] of drawn.rules) entries[`../${path}`] = `${lines.join("\n")}\n`;
  const tree = await tempTree(entries);
  const git = drawn.repositories.map(({ path, tracked }) => {
    const there = tracked.filter((file) => drawn.files.some(({ path }) => path === file));
    const words = there.map((file) => `'${file.slice(path.length + 1)}'`).join(" ");
    const add = words && `git add -f ${words} 2>/dev/null || true`;
    return `mkdir -p '${path}'; (cd '${path}'; git init -q --template= .; ${add})`;
  });
  if (git.length > 0) await sh(git.join("\n"), tree.base);
  for (const [index, path] of drawn.worktrees.entries()) {
    const directory = `ws/.git/worktrees/w${index}`;
    await tree.write({
      [`../${directory}/HEAD`]: "ref: refs/heads/w\n",
      [`../${path}/.git`]: `gitdir: ${tree.base}/${directory}\n`,
    });
  }
  for (const [path, target] of drawn.links) {
    // Its directory may be another link, or it is there.
    await tree.write({ [`../${path}`]: { symlink: target } }).catch(() => {});
  }
  return tree;
}
