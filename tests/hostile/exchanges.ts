/**
 * Calls on a tree in which another process exchanges one directory for another all the while.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  GlobTool,
  GrepTool,
  listFiles,
  PathgrepError,
  ReadFileTool,
  ResolvePathTool,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { gzipOf } from "../support/gzip.ts";
import { CHECKOUT } from "../support/run.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

/** What is exchanged: a directory of the workspace for a link out of it, or one above the root. */
export const EXCHANGES = ["a directory for a link", "above the root"] as const;
/** One of them. */
export type Exchange = (typeof EXCHANGES)[number];

/** What came of some calls. */
export interface ExchangeReport {
  calls: number;
  /** Calls that showed something of the workspace. */
  found: number;
  /** What was shown from outside, and by which call. */
  leaks: string[];
}

/** Files of the directory that is exchanged, and of the one that comes in its place. */
const FILES = 12;
/** Entries outside that are excluded, for each reason; in the workspace there are none. */
const EXCLUDED = 4;
/** Files of the workspace, where its directory is seen under both names: each is its own for a while. */
const MOST_FILES = 1 + 7 * FILES;
/** Directories that something may vanish from: one counts once, however many files it had. */
const DIRECTORIES = 10;
/** Stands in names and contents of all that lies outside, and nowhere else. */
const SECRET = "SECRET";

/** What is asked of a workspace, and shows whether an answer comes from its double. */
interface Subject {
  makeTree: () => Promise<Tree>;
  calls: readonly Call[];
  /** What answers have of the workspace itself. */
  own: RegExp;
  isLeak: (shown: string) => boolean;
}

/** A workspace whose parent, or a directory in it, has a double outside. */
async function twoWorlds(): Promise<Tree> {
  const entries: Record<string, string> = {};
  for (const [at, word] of [["../home/project", "PLAIN"], ["../double/project", SECRET]] as const) {
    entries[`${at}/top.txt`] = `x ${word}\n`;
    for (let file = 0; file < FILES; file++) {
      entries[`${at}/d/${file}.txt`] = `x ${word}\n`;
      entries[`${at}/d/${word}${file}.txt`] = `x ${word}\n`;
      entries[`${at}/d/${word}sub/${file}.txt`] = `x ${word}\n`;
      entries[`${at}/calm${file % 3}/${file}.txt`] = `x ${word}\n`;
    }
    if (word !== SECRET) continue;
    for (let file = 0; file < 5; file++) entries[`${at}/d/${file}.txt`] = "x".repeat(5000);
    entries[`${at}/d/.gitignore`] = "#\n".repeat(100_000);
    entries[`${at}/d/.ignore`] = "*.tmp*\n";
    for (let file = 0; file < 2 * MOST_FILES; file++) entries[`${at}/d/${file}.more`] = "x\n";
    for (let file = 0; file < EXCLUDED; file++) {
      entries[`${at}/d/kept/${word}.tmp${file}`] = "x\n";
      entries[`${at}/d/kept/${file}.pem`] = "x\n";
      entries[`${at}/d/bytes${file}`] = "x\0";
    }
  }
  return await tempTree(entries);
}

type Call = (workspace: Workspace, round: number) => Promise<unknown>;

const BASE = { maxFileSize: 4000, onOverflow: "truncate", stats: true } as const;
const CALLS: readonly Call[] = [
  (workspace, round) => {
    const query: SearchQuery = {
      ...BASE,
      pattern: "x",
      outputMode: (["content", "file", "count"] as const)[round % 3]!,
      path: ["", "d", "", "d/3.txt"][(round >> 2) % 4]!,
      sort: round % 7 === 0 ? "modified" : "path",
      multiline: round % 5 === 0,
      follow: round % 11 === 0,
    };
    return search(query, { workspace });
  },
  (workspace, round) => listFiles({ ...BASE, path: round % 3 === 0 ? "d" : "" }, { workspace }),
  (workspace, round) =>
    new GlobTool({ workspace }).execute({ pattern: round % 2 === 0 ? "**/*.txt" : "*/*" }),
  (workspace, round) => {
    const path = [
      "d/SECRE3.txt",
      "d/SECRET3.txt",
      "SECRET3.txt",
      "d/SECRETsub",
      "d/3.tx",
    ][round % 5]!;
    return new ResolvePathTool({ workspace }).execute({ path });
  },
  (workspace, round) =>
    new GrepTool({ workspace }).execute({
      pattern: "x",
      path: round % 2 === 0 ? "d" : "SECRET1.txt",
    }),
  (workspace, round) => {
    const path = ["d/3.txt", "d", "d/PLAIN3.txt", "d/SECRET3.txt", "SECRET3.txt"][round % 5]!;
    return new ReadFileTool({ workspace }).execute({ path });
  },
  // Files without a match are counted only, and so is what is excluded.
  async (workspace, round) => {
    const query: SearchQuery = {
      ...BASE,
      pattern: "no_such_word",
      path: round % 2 === 0 ? "d" : "",
    };
    const { stats, notes } = await search(query, { workspace });
    return { stats, notes };
  },
  (workspace, round) =>
    new GrepTool({ workspace }).execute({
      pattern: round % 2 === 0 ? "x" : "no_such_word",
      output_mode: "count",
      path: round % 3 === 0 ? "d" : "",
    }),
];

/** The matches of an excluded file outside; in the workspace, each has one. */
const MANY = 500;
/** Matches of the workspace for one reason, where its directory is seen under both names. */
const MOST_MATCHES = 2 * 2 * FILES;

/** The same with matches in what a search excludes, or written in another form. */
async function twoWorldsExcluded(): Promise<Tree> {
  const entries: Record<string, TreeEntry> = {};
  for (const [at, word, times] of [["home", "PLAIN", 1], ["double", SECRET, MANY]] as const) {
    const d = `../${at}/project/d`;
    const lines = (text: string) => `${text} ${word}\n`.repeat(times);
    entries[`../${at}/project/.ignore`] = "*.tmp\ntmp/\n";
    entries[`../${at}/project/top.txt`] = "x y\n";
    entries[`${d}/kit`] = { symlink: `kit${word}` };
    for (let file = 0; file < FILES; file++) {
      entries[`${d}/${file}.txt`] = lines("x\ny");
      entries[`${d}/${word}${file}.tmp`] = lines("x y");
      entries[`${d}/tmp/${file}.txt`] = lines("x y");
      entries[`${d}/${file}.bin`] = lines("\0x y");
      entries[`${d}/${file}.gz`] = gzipOf(lines("x y"));
      entries[`${d}/${file}.large`] = lines("x y") + "\n".repeat(4000);
    }
  }
  return await tempTree(entries);
}

const NOT_SHOWN_CALLS: readonly Call[] = [
  ...["x y", "x.y", "x y [PS]"].flatMap((pattern): Call[] => [
    async (workspace, round) => {
      const path = ["", "d", "d/tmp"][round % 3]!;
      const output_mode = ["content", "file", "count"][(round >> 2) % 3];
      const grep = new GrepTool({ workspace });
      const answer = await grep.execute({ pattern, path, output_mode }) as SearchResult;
      // The rest of the scope is not verified.
      return { ...answer, scope: answer.scope?.not_shown };
    },
    async (workspace, round) => {
      const path = round % 2 === 0 ? "d" : "";
      const query: SearchQuery = { ...BASE, pattern, explain: true, stats: false, path };
      return await search({ ...query, include: round % 3 === 0 ? "*.txt" : [] }, { workspace });
    },
  ]),
  async (workspace, round) => {
    const pattern = ["**/*.tmp", "tmp/*", "*.gz"][round % 3]!;
    const { scope } = await new GlobTool({ workspace }).execute({ pattern }) as SearchResult;
    return { scope: scope?.not_shown };
  },
];

const SUBJECTS = {
  "what is shown": { makeTree: twoWorlds, calls: CALLS, own: /top\.txt|calm|PLAIN/, isLeak },
  "what is said not to be shown": {
    makeTree: twoWorldsExcluded,
    calls: NOT_SHOWN_CALLS,
    own: /"cause":/,
    isLeak: (shown) => {
      const counts = shown.matchAll(/"(?:matches|files)":(\d+)|(\d+) match(?:es)? in /g);
      return shown.includes(SECRET) || shown.includes("/double") ||
        [...counts].some(([, json, words]) => Number(json ?? words) > MOST_MATCHES);
    },
  },
} as const satisfies Record<string, Subject>;

/** What calls are about. */
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[];

/** Makes calls while directories are exchanged, and says what of the outside they showed. */
export async function exchange(
  kind: Exchange,
  calls: number,
  subject: keyof typeof SUBJECTS,
): Promise<ExchangeReport> {
  const { makeTree, calls: CALLS, own, isLeak }: Subject = SUBJECTS[subject];
  await using t = await makeTree();
  const project = t.path("../home/project");
  const [one, other] = {
    "a directory for a link": [`${project}/d`, `${project}/aside`],
    "above the root": [t.path("../home"), t.path("../double")],
  }[kind];
  if (kind === "a directory for a link") await Deno.symlink(t.path("../double/project/d"), other!);
  const workspace = await Workspace.open(project);
  const report: ExchangeReport = { calls: 0, found: 0, leaks: [] };
  const pauses = [0, 20, 200, 2000];
  for (const pause of pauses) {
    await using _exchanger = await startExchanger(one!, other!, pause);
    for (let call = 0; call < calls / pauses.length; call++) {
      const round = Math.floor(call / CALLS.length);
      const shown = await outcome(CALLS[call % CALLS.length]!(workspace, round));
      report.calls++;
      if (own.test(shown)) report.found++;
      if (isLeak(shown)) report.leaks.push(`pause ${pause}, call ${call}: ${shown.slice(0, 1000)}`);
    }
  }
  return report;
}

/**
 * Whether an answer shows what lies outside: its names, its lines, how many lines match. Numbers of files
 * searched and excluded are not verified.
 */
function isLeak(shown: string): boolean {
  const vanished = Number(/(\d+) (?:files|directories|file) or \w+ vanished/.exec(shown)?.[1] ?? 0);
  const matched = Number(/"(?:matched|files_matched)":(\d+)/.exec(shown)?.[1] ?? 0);
  if (matched > MOST_FILES || vanished > DIRECTORIES) return true;
  return shown.includes(SECRET) || /"ignored":\[|over 4000 bytes|\/double/.test(shown);
}

/** An answer or error as text, without what the caller had sent. */
async function outcome(call: Promise<unknown>): Promise<string> {
  let answer: Record<string, unknown>;
  try {
    answer = { ...await call as object };
  } catch (error) {
    if (!(error instanceof PathgrepError)) throw error;
    answer = error.toJSON();
  }
  const { error: _, pattern: __, input: ___, path, resolved_path: ____, ...shown } = answer;
  // A path that was sent comes back in errors; in an answer it says that something stands there.
  return JSON.stringify("kind" in answer ? { ...shown, path } : shown);
}

/**
 * Exchanges two names until it is disposed of.
 *
 * @param pause microseconds at most between two exchanges
 * @param seconds after which it ends by itself: changes without pause can hold up a watch that begins
 */
export async function startExchanger(
  one: string,
  other: string,
  pause: number,
  seconds = 600,
): Promise<AsyncDisposable> {
  const child = new Deno.Command("perl", {
    args: [`${CHECKOUT}tests/hostile/exchanger.pl`, one, other, `${pause}`, `${seconds}`],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  assert.equal((await reader.read()).done, false, "the exchanger has started");
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}
