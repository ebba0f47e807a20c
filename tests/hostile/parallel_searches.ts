/**
 * Random searches in parallel over one cache, each answer beside that of a fresh search.
 *
 * Every line of the world names its file, so that bytes of one file under another's name show. Files are of
 * every encoding, smaller and larger than a read and than a slice of time; some patterns are slow enough to
 * pause inside a file. Some searches may read what the guard keeps from the others; some are cancelled, hung
 * up on, or run out of time.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { settled, tempTree } from "../support/tree.ts";
import { drawn } from "../support/draw.ts";
import { gzipOf } from "../support/gzip.ts";

/** A search of the rounds. */
export interface Asked {
  query: SearchQuery;
  /** Milliseconds after which the caller loses interest. */
  abortAfter?: number | undefined;
  /** Whether the query's `timeout` may end it. */
  isTimed: boolean;
}

/** What came of it: its answer, an error, or nothing, where nobody waited for one or was to have one. */
export type Reply = SearchResult | { code: string; partial?: SearchResult } | undefined;

/** One way to ask. */
export interface Face {
  /** What a search that shares nothing with others answers. */
  fresh(query: SearchQuery): Promise<Reply>;
  /** Opens something that is asked over one cache, which is empty. */
  open(): Session | Promise<Session>;
}

/** Is asked. */
export interface Session extends AsyncDisposable {
  ask(asked: Asked): Promise<Reply>;
}

/** The world, once its files may be cached. */
export interface ParallelWorld extends AsyncDisposable {
  readonly ws: string;
  readonly workspace: Workspace;
  /** The directory that holds the workspace and others. */
  readonly base: string;
  /** Writes the files again that are decoded whole, so that no cache has them, and waits until one may. */
  rewrite(): Promise<void>;
}

/** Queries that are drawn from in a run; each has one fresh answer. */
const QUERIES = 40;
/** Rounds over one cache before a new one begins, cold. */
const ROUNDS_PER_CACHE = 4;

/** The lines of a file, each with the file's name. */
function linesOf(name: string, lines: number, text: (line: number) => string): string {
  return Array.from({ length: lines }, (_, line) => `${name} ${line} ${text(line)}\n`).join("");
}

const plain = (line: number) => line % 7 === 0 ? "a needle of words" : "confidential words";
const slow = (line: number) => `${"ab".repeat(8 + line % 9)}x ${line % 3 === 0 ? "needle" : "hay"}`;
const wide = (line: number) => line % 5 === 0 ? "Nadel für 世界 needle" : "Wörter über Wörter";

function utf16(text: string, isLittle: boolean, mark = "\ufeff"): Uint8Array {
  const units = `${mark}${text}`.split("");
  const bytes = new Uint8Array(2 * units.length);
  const view = new DataView(bytes.buffer);
  units.forEach((unit, at) => view.setUint16(2 * at, unit.charCodeAt(0), isLittle));
  return bytes;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** Makes the world. */
export async function parallelWorld(): Promise<ParallelWorld> {
  const files: Record<string, string | Uint8Array> = {};
  for (let at = 0; at < 6; at++) {
    files[`src/u${at}.txt`] = utf16(linesOf(`U${at}`, 4000, slow), at % 2 === 0);
    files[`src/deep/s${at}.ts`] = linesOf(`S${at}`, 20 + 40 * at, plain);
    files[`m${at}.md`] = linesOf(`M${at}`, 3000, at % 2 === 0 ? plain : wide);
    files[`slow${at}.txt`] = linesOf(`L${at}`, 800 * (at + 1), slow);
    files[`lib/l${at}.c`] = latin1(linesOf(`C${at}`, 300, () => "caf\xe9 needle na\xefve words"));
  }
  // Not text, unless their encoding is named: UTF-16 without a mark, GBK (你好), Shift_JIS (ファイル).
  files["lib/w0.c"] = utf16(linesOf("W0", 2000, slow), true, "");
  files["lib/w1.c"] = utf16(linesOf("W1", 2000, wide), false, "");
  files["lib/g0.c"] = latin1(linesOf("G0", 900, () => "\xc4\xe3\xba\xc3 needle words"));
  files["lib/j0.c"] = latin1(linesOf("J0", 900, () => "\x83t\x83@\x83C\x83\x8b needle words"));
  // As large as is read and cached at once, a byte more, and in several pieces.
  const large = linesOf("B0", 40_000, plain);
  files["big/b0.md"] = large.slice(0, 1 << 20);
  files["big/b1.md"] = large.slice(0, (1 << 20) + 1).replaceAll("B0", "B1");
  files["big/b2.log"] = large.replaceAll("B0", "B2");
  files["big/b3.log"] = utf16(large.slice(0, 1 << 20).replaceAll("B0", "B3"), true);
  files["big/b4.gz"] = gzipOf(large.replaceAll("B0", "B4"), 1);
  files["big/w.gz"] = gzipOf(utf16(linesOf("Z0", 4000, wide), true), 1);
  files["lib/g.gz"] = gzipOf(latin1(linesOf("Z1", 4000, () => "caf\xe9 needle words")), 1);
  files["one_line.txt"] = `O0 ${"ab".repeat(50_000)}x needle\n`;
  files["crlf.txt"] = linesOf("R0", 400, (line) => plain(line) + "\r");
  files["data.bin"] = latin1(linesOf("D0", 400, plain) + "\0");
  files["src/.env"] = linesOf("ENV", 900, (line) => `API_KEY=${line} needle secret words`);
  files[".env.local"] = utf16(linesOf("ENVL", 900, () => "API_KEY needle secret words"), true);
  files["keys/a.pem"] = linesOf("PEM", 20_000, () => "needle secret words");
  files["../open/o0.txt"] = linesOf("OPEN", 9000, (line) => `${slow(line)} outside`);
  files["../open/o1.txt"] = utf16(linesOf("OPENU", 1500, slow), false);
  // Rules that mean something else where they are read from another root, or by who may read more.
  for (const place of ["pkg", "../open/sub"]) {
    files[`${place}/.aiignore`] = "/keys/private.txt\n";
    files[`${place}/.gitignore`] = "/build/out.txt\n";
    files[`${place}/keys/private.txt`] = linesOf("PRIVATE", 9, plain);
    files[`${place}/keys/public.txt`] = linesOf("PUBLIC", 9, plain);
    files[`${place}/build/out.txt`] = linesOf("BUILT", 9, plain);
  }
  files[".aiignore"] = "kept/\n";
  files["kept/.gitignore"] = "log.txt\n";
  files["kept/sub/log.txt"] = linesOf("KEPTLOG", 9, plain);
  files["kept/sub/b.txt"] = linesOf("KEPT", 9, plain);
  const t = await tempTree(files);
  await settled();
  return {
    ws: t.root,
    workspace: await Workspace.open(t.root),
    base: t.base,
    async rewrite() {
      for (const [path, bytes] of Object.entries(files)) {
        if (!(bytes instanceof Uint8Array) || !path.startsWith("src/")) continue;
        const { atime, mtime } = await Deno.stat(t.path(path));
        await Deno.writeFile(t.path(path), bytes);
        await Deno.utime(t.path(path), atime!, mtime!); // answers are in the order of times, too
      }
      await settled();
    },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const QUICK = [
  "needle",
  "confidential|needle",
  "[A-Z]+\\d? \\d+ c",
  "caf",
  "API_KEY",
  "Nadel",
  "zq",
];
const SLOW = [
  "(?:(?:a|b)+)+$",
  "(a|b)*?x needle$",
  "[^q]*needle$",
  "(?=.*hay)(?:ab)+x",
  "\\bx\\b.*y$",
];

/** Where a search looks, and what it may read there besides. */
function placesIn(base: string): Pick<SearchQuery, "path" | "allow">[] {
  const open = `${base}/open`;
  const paths = [
    undefined,
    "src",
    "big",
    "pkg",
    ["src/u0.txt", "m1.md"],
    "src/u1.txt",
    "big/b2.log",
  ];
  const allowing = [[".env", ".env.*"], ["*.pem"], ["kept"], ["kept/sub"]];
  return [
    ...paths.flatMap((path) => [{ path, allow: [] }, { path, allow: [".env", ".env.*"] }]),
    ...allowing.map((allow) => ({ path: undefined, allow })),
    ...allowing.map((allow) => ({ path: ["kept/sub", "."], allow })),
    { path: "kept/sub", allow: ["kept"] },
    { path: "kept/sub", allow: ["kept/sub"] },
    { path: "keys/a.pem", allow: ["*.pem"] },
    { path: "keys/a.pem", allow: [] },
    { path: open, allow: [] },
    { path: open, allow: [open, `${open}/**`] },
    { path: `${open}/sub`, allow: [open, `${open}/**`] },
    { path: [open, "src"], allow: [open, `${open}/**`] },
    { path: base, allow: [base, `${base}/**`] },
  ];
}

/** Every glob that a search of {@linkcode placesIn} may give. */
export function allowedIn(base: string): string[] {
  return [...new Set(placesIn(base).flatMap(({ allow = [] }) => allow))];
}

/** Random searches of a world. */
function searches(base: string): fc.Arbitrary<Asked> {
  const pattern = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<string | string[]>(...QUICK) },
    { weight: 3, arbitrary: fc.constantFrom<string | string[]>(...SLOW) },
    { weight: 1, arbitrary: fc.constant<string | string[]>(["needle", "words$"]) },
  );
  const query: fc.Arbitrary<SearchQuery> = fc.record({
    pattern,
    outputMode: fc.constantFrom("content", "file", "count"),
    maxResults: fc.constant(0),
    paths: fc.constantFrom("relative", "absolute"),
    place: fc.constantFrom(...placesIn(base)),
    include: fc.constantFrom(undefined, undefined, "*.txt", "*.md", "*.{c,ts}", ".env*", "*.log"),
    caseInsensitive: fc.boolean(),
    context: fc.constantFrom(0, 0, 0, 2),
    encoding: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      {
        weight: 2,
        arbitrary: fc.constantFrom("latin1", "utf-16le", "utf-16be", "gbk", "shift_jis"),
      },
    ),
    text: fc.constantFrom(undefined, false, false, true),
    everything: fc.constantFrom(false, false, true),
    multiline: fc.constantFrom(false, false, false, true),
    invert: fc.constantFrom(false, false, false, false, true),
    onlyMatching: fc.constantFrom(false, false, false, true),
    column: fc.boolean(),
    maxCount: fc.constantFrom(undefined, undefined, 3),
    maxFileSize: fc.constantFrom(undefined, undefined, 0, 100_000),
    sort: fc.constantFrom("path", "path", "modified"),
    filesWithoutMatch: fc.constantFrom(false, false, true),
  }).map(({ onlyMatching, filesWithoutMatch, place, ...query }) => ({
    ...query,
    ...place,
    ...(query.outputMode === "file" && !query.invert ? { filesWithoutMatch } : {}),
    // Every line of a file with context around each would be most of the run.
    ...(query.invert ? { context: 0, maxCount: 3 } : {}),
    ...(onlyMatching && query.outputMode !== "file" && !query.invert ? { onlyMatching } : {}),
  }));
  const capped = fc.record({ query, at: fc.nat(50) }).map(({ query, at }) => ({
    query: { ...query, maxResults: 1 + at, onOverflow: "truncate", offset: at % 3 } as SearchQuery,
    isTimed: false,
  }));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ query, isTimed: fc.constant(false) }) },
    { weight: 2, arbitrary: capped },
    {
      weight: 1,
      arbitrary: fc.record({ query, timeout: fc.integer({ min: 1, max: 60 }) }).map((
        { query, timeout },
      ) => ({ query: { ...query, timeout }, isTimed: true })),
    },
    {
      weight: 1,
      arbitrary: fc.record({ query, isTimed: fc.constant(false), abortAfter: fc.nat(40) }),
    },
  );
}

/** Of an answer, what does not depend on how long something took. */
function lasting(reply: Reply): unknown {
  if (reply === undefined || "code" in reply) return { code: reply?.code };
  const {
    stats: _,
    total: _1,
    total_files: _2,
    total_at_least: _3,
    pattern_counts,
    notes,
    ...rest
  } = reply as SearchResult & Record<string, unknown>;
  return {
    ...rest,
    ...(rest.truncated ? {} : { pattern_counts }),
    notes: notes?.filter((note) => !note.includes("not watched")),
  };
}

/** Whether reasons, or matches that are not shown, were looked for as long as there was time. */
function isCutShort(reply: Reply): boolean {
  const { notes = [], in_part, scope } = Object(reply) as Partial<SearchResult>;
  return Boolean(in_part ?? scope?.in_part) || notes.some((note) => note.startsWith("at least "));
}

/** Two answers are the same; what says otherwise is short, whatever their length. */
function assertSame(reply: Reply, expected: Reply, what: string): void {
  const isTimed = [reply, expected].some(isCutShort);
  const [got, wanted] = [reply, expected].map((one) => {
    const { notes, scope, not_shown, in_part, ...rest } = Object(lasting(one));
    const found = { notes, scope, not_shown, in_part };
    return JSON.stringify(isTimed ? rest : { ...rest, ...found }, null, 1);
  });
  if (got === wanted) return;
  const lines = wanted!.split("\n");
  const at = got!.split("\n").findIndex((line, index) => line !== lines[index]);
  const around = (text: string) => text.split("\n").slice(Math.max(0, at - 3), at + 5).join("\n");
  assert.fail(`${what}\ngot: …${around(got!)}…\nfresh: …${around(wanted!)}…`);
}

/** What identifies an entry, and how much of it there is. */
function* entriesOf(result: SearchResult): Generator<[entry: string, count: number]> {
  if ("counts" in result) {
    for (const { file, count } of result.counts) yield [file, count];
  } else if ("files" in result) {
    for (const file of result.files) yield [file, 1];
  } else if ("matches" in result) {
    for (const { file, line_number, line } of result.matches) {
      yield [JSON.stringify([file, line_number, line]), 1];
    }
  }
}

/** Nothing that was found until time ran out is wrong. */
function assertPart(partial: SearchResult, whole: Reply, what: string): void {
  assert.ok(whole !== undefined && !("code" in whole), what);
  const known = new Map<string, number>();
  for (const [entry, count] of entriesOf(whole)) known.set(entry, (known.get(entry) ?? 0) + count);
  for (const [entry, count] of entriesOf(partial)) {
    assert.ok(count <= (known.get(entry) ?? 0), `${what}: ${entry} ${count}`);
  }
}

/**
 * Asks for answers in parallel until so many have been compared, a third of which has entries.
 *
 * @param comparisons how many answers to compare at least
 * @param seed of what is asked, and when
 * @returns how many were compared, and how many of these have entries
 */
export async function compareInParallel(
  world: ParallelWorld,
  face: Face,
  comparisons: number,
  seed: number,
): Promise<{ compared: number; withEntries: number }> {
  /** Which are asked at once. */
  const batch = fc.array(fc.nat(QUERIES - 1), { minLength: 1, maxLength: 9 });
  let compared = 0;
  let withEntries = 0;
  // How many are cut off depends on the machine.
  const isEnough = () => compared >= comparisons && withEntries > comparisons / 3;
  for (let draw = 0; !isEnough(); draw++) {
    assert.ok(draw <= comparisons, "nearly nothing is answered");
    const queries = drawn(searches(world.base), seed + draw, QUERIES);
    const fresh = new Map<string, Promise<Reply>>();
    const freshOf = ({ query, isTimed }: Asked): Promise<Reply> => {
      const asked: SearchQuery = isTimed ? { ...query, timeout: 0 } : query;
      const key = JSON.stringify(asked);
      const known = fresh.get(key) ?? face.fresh(asked);
      fresh.set(key, known);
      return known;
    };
    const batches = drawn(batch, seed + draw, 4 * ROUNDS_PER_CACHE);
    for (let at = 0; at < batches.length && !isEnough(); at += ROUNDS_PER_CACHE) {
      await using session = await face.open();
      for (const asked of batches.slice(at, at + ROUNDS_PER_CACHE)) {
        const round = [SLOW_IN_UTF16, ...asked.map((at) => queries[at % queries.length]!)];
        // The fresh answers come first: nothing else may run beside what is compared.
        for (const one of round) await freshOf(one);
        const replies = await Promise.all(round.map((one) => session.ask(one)));
        for (const [index, reply] of replies.entries()) {
          const one = round[index]!;
          const what = `draw ${draw}: ${JSON.stringify(one)}`;
          const expected = await freshOf(one);
          if (reply === undefined) continue;
          compared++;
          if ("code" in reply) {
            if (one.abortAfter !== undefined && reply.code === "cancelled") continue;
            if (one.isTimed && reply.code === "search_timed_out") {
              if (reply.partial !== undefined) assertPart(reply.partial, expected, what);
              continue;
            }
          }
          assertSame(reply, expected, what);
          if ("count" in reply && reply.count > 0) withEntries++;
        }
      }
    }
  }
  return { compared, withEntries };
}

/** Is part of every round: it pauses inside files that are decoded whole, and others read meanwhile. */
const SLOW_IN_UTF16: Asked = {
  query: { pattern: "(a|b)*?x needle$", include: "u*.txt", outputMode: "count", maxResults: 0 },
  isTimed: false,
};
