/**
 * What the contract's black-box tests stand on: a workspace on the real file system, the command line
 * as a real process, and the shape that every answer must have.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runHere } from "./line_runner.ts";

/** The checkout's root directory. */
export const CHECKOUT: string = fileURLToPath(new URL("../../", import.meta.url));
/** The command line's module. */
export const CLI: string = CHECKOUT + "cli.ts";
/** The library's module. */
export const MOD: string = CHECKOUT + "mod.ts";

/** What stands at a path: text, bytes, a directory (`null`) or a symlink. */
export type Entry = string | Uint8Array | null | { link: string };

/** A workspace `ws` in a directory of its own, so that siblings of it are outside and ours. */
export interface Tree extends AsyncDisposable {
  /** The canonical path of the workspace root, whose base name is `ws`. */
  readonly ws: string;
  /** The canonical directory that holds the workspace. */
  readonly base: string;
  /** The absolute path of something in the workspace (or, with `../`, beside it). */
  at(path: string): string;
  /** Adds entries. */
  add(entries: Record<string, Entry>): Promise<void>;
}

/**
 * Makes a workspace from a table of paths relative to its root; `../x` stands beside the root, `d/` is
 * an empty directory. A link target may hold `$WS` and `$BASE`.
 */
export async function tree(entries: Record<string, Entry> = {}): Promise<Tree> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "acceptance-" }));
  const ws = `${base}/ws`;
  await Deno.mkdir(ws);
  const at = (path: string): string =>
    path.startsWith("../") ? `${base}/${path.slice(3)}` : path === "" ? ws : `${ws}/${path}`;
  const self: Tree = {
    ws,
    base,
    at,
    async add(more) {
      for (const [path, entry] of Object.entries(more)) {
        const full = at(path);
        if (path.endsWith("/") || entry === null) {
          await Deno.mkdir(full, { recursive: true });
          continue;
        }
        await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
        if (typeof entry === "string") await Deno.writeTextFile(full, entry);
        else if (entry instanceof Uint8Array) await Deno.writeFile(full, entry);
        else await Deno.symlink(entry.link.replace("$WS", ws).replace("$BASE", base), full);
      }
    },
    async [Symbol.asyncDispose]() {
      // A test may have locked directories; their owner can't remove them so, unless it is root.
      await sh("chmod -R u+rwX .", base);
      await Deno.remove(base, { recursive: true });
    },
  };
  await self.add(entries);
  return self;
}

/** How the command line is run. */
export interface RunOptions {
  /** The working directory; it is the workspace when no `--workspace` is given. */
  cwd: string;
  /** Flags for Deno, such as permissions. With any, the real program is started. */
  permissions?: readonly string[];
  /** Starts the real program. @default whether an option asks for a process of its own */
  process?: boolean;
  /** What stands on stdin. @default "" */
  stdin?: string | Uint8Array;
  /** Further environment variables. */
  env?: Record<string, string>;
  /** The module that is run. @default CLI */
  module?: string;
  /** A command and its arguments to put before `deno`. */
  wrapper?: readonly string[];
  /** Milliseconds after which the process is killed and the test fails. @default 30000 */
  limit?: number;
}

/** A finished process. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  bytes: Uint8Array;
}

/** Text as UTF-8. */
export function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Writes a process's whole input; one that does not read it has its reasons. */
async function feed(stdin: WritableStream<Uint8Array>, input: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  await writer.write(input).then(() => writer.close()).catch(() => {});
}

/** Commands that own the process: its standard streams, its signals, its name. */
const LONG_RUNNING = ["mcp", "serve"];

/** Whether a command line needs a process of its own. */
function needsProcess(args: readonly string[], options: RunOptions): boolean {
  const { permissions, env, module, wrapper, limit } = options;
  return LONG_RUNNING.includes(args[0] ?? "") ||
    [permissions, env, module, wrapper, limit].some((option) => option !== undefined);
}

/** Runs a command line to its end: in this process, unless an option asks for one of its own. */
export async function run(args: readonly string[], options: RunOptions): Promise<Run> {
  if (!(options.process ?? needsProcess(args, options))) {
    const { stdin = "" } = options;
    const input = typeof stdin === "string" ? encode(stdin) : stdin.slice();
    const { code, stdout, stderr } = await runHere(args, options.cwd, input);
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, stdout: out!, stderr: err!, bytes: stdout };
  }
  const words = [
    ...(options.wrapper ?? []),
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-prompt",
    ...(options.permissions ?? ["--allow-read"]),
    options.module ?? CLI,
    ...args,
  ];
  const [program, ...rest] = words;
  assert.ok(program !== undefined);
  const child = new Deno.Command(program, {
    args: rest,
    cwd: options.cwd,
    env: { NO_COLOR: "1", ...options.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let overdue = false;
  const limit = options.limit ?? 30_000;
  const timer = setTimeout(() => {
    overdue = true;
    child.kill("SIGKILL");
  }, limit);
  const input = options.stdin ?? "";
  const feeding = feed(child.stdin, typeof input === "string" ? encode(input) : input);
  const output = await child.output();
  await feeding;
  clearTimeout(timer);
  assert.equal(overdue, false, `still running after ${limit} ms: ${args.join(" ")}`);
  return {
    code: output.code,
    stdout: new TextDecoder().decode(output.stdout),
    stderr: new TextDecoder().decode(output.stderr),
    bytes: output.stdout,
  };
}

/** One entry of content mode. */
export interface Match {
  file: string;
  line_number: number;
  line: string;
  column?: number;
  before?: string[];
  after?: string[];
  line_truncated?: boolean;
  patterns?: number[];
}

/** A result or an error, as JSON. */
export interface Answer {
  pattern?: string;
  base_path?: string;
  base_paths?: string[];
  output_mode?: string;
  files?: string[];
  matches?: Match[];
  counts?: { file: string; count: number; patterns?: number[] }[];
  count?: number;
  truncated?: boolean;
  next_offset?: number;
  total?: number;
  total_files?: number;
  total_at_least?: number;
  reduced?: string[];
  pattern_counts?: number[];
  notes?: string[];
  stats?: Record<string, unknown>;
  error?: string;
  code?: string;
  path?: string;
  resolved_path?: string;
  suggestions?: string[];
  hint?: string;
  [key: string]: unknown;
}

const RESULT_KEYS = [
  "pattern",
  "base_path",
  "base_paths",
  "output_mode",
  "files",
  "matches",
  "counts",
  "count",
  "truncated",
  "next_offset",
  "total",
  "total_files",
  "total_at_least",
  "reduced",
  "pattern_counts",
  "notes",
  "stats",
];
const MATCH_KEYS = [
  ...["file", "line_number", "line", "column", "before", "after", "line_truncated", "patterns"],
];

/** Each error code's sentence, up to where the details begin. */
export const ERROR_SENTENCES: Readonly<Record<string, RegExp>> = {
  invalid_input: /^invalid input: \S/,
  invalid_pattern: /^invalid pattern: \S/,
  permission_denied_by_policy: /^permission denied by policy: \S/,
  permission_denied_by_user: /^permission denied by user: \S/,
  path_outside_workspace: /^path resolution failed: \S+ .* escapes project root \//s,
  path_empty: /^path resolution failed: \S+ is empty$/,
  path_not_found: /^path resolution failed: Path does not exist: \//,
  path_access_denied: /^path resolution failed: Permission denied: /,
  path_unsupported:
    /^path resolution failed: (Path is neither a file nor a directory|.*is not a directory): \//,
  search_too_broad: /^search too broad: \S/,
  search_timed_out: /^search timed out after \d+ ms$/,
  search_failed: /^search failed: \S/,
  engine_unavailable: /^engine unavailable: \S/,
  cancelled: /^cancelled$/,
};

/** Holds the keys that are there against an order. */
function assertKeyOrder(value: object, order: readonly string[], what: string): void {
  const keys = Object.keys(value);
  const known = order.filter((key) => keys.includes(key));
  assert.deepEqual(keys, known, `${what}: keys and their order`);
}

/** Checks the shape of one error object; a `jsonl` row may be typed as one. */
export function assertErrorShape(row: Answer): void {
  const { type, ...answer } = row;
  assert.ok(type === undefined || type === "error");
  assert.deepEqual(Object.keys(answer).slice(0, 2), ["error", "code"]);
  const sentence = ERROR_SENTENCES[answer.code ?? ""];
  assert.ok(sentence !== undefined, `an error code of the contract: ${answer.code}`);
  assert.match(answer.error ?? "", sentence);
  if (answer.suggestions !== undefined && answer.code?.startsWith("path_")) {
    for (const suggestion of answer.suggestions) {
      assert.ok(!suggestion.startsWith("/"), `relative to the root: ${suggestion}`);
    }
  }
}

/** Checks the shape of one search result. */
export function assertResultShape(answer: Answer): void {
  assertKeyOrder(answer, RESULT_KEYS, "result");
  const lists = [answer.files, answer.matches, answer.counts].filter((list) => list !== undefined);
  assert.equal(lists.length, 1, "one list of entries");
  const expected = answer.counts
    ? answer.counts.reduce((sum, entry) => sum + entry.count, 0)
    : (answer.files ?? answer.matches ?? []).length;
  assert.equal(answer.count, expected, "count");
  for (const match of answer.matches ?? []) assertKeyOrder(match, MATCH_KEYS, "match");
  const isMarked = answer.pattern_counts === undefined ? [] : ["patterns"];
  for (const entry of answer.counts ?? []) {
    assert.deepEqual(Object.keys(entry), ["file", "count", ...isMarked]);
  }
  for (const match of answer.matches ?? []) assert.equal("patterns" in match, isMarked.length > 0);
  for (const optional of ["truncated", "notes", "base_paths", "stats", "next_offset"]) {
    if (optional in answer) {
      const value = answer[optional];
      assert.ok(value !== false && value !== null, `${optional} only with something to say`);
      if (Array.isArray(value)) assert.ok(value.length > 0, `${optional} is not empty`);
    }
  }
  assert.equal(answer.truncated === true, typeof answer.next_offset === "number");
  const isTotal = typeof answer.total === "number" && typeof answer.total_files === "number";
  assert.equal(answer.truncated === true, isTotal || typeof answer.total_at_least === "number");
}

/** Parses stdout, which must be one JSON object and nothing else. */
export function parseOne(ran: Run): Answer {
  let value: unknown;
  try {
    value = JSON.parse(ran.stdout);
  } catch {
    assert.fail(`stdout is not one JSON value (exit ${ran.code}):\n${ran.stdout}\n${ran.stderr}`);
  }
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value));
  return value as Answer;
}

/**
 * Runs a search in `json` format and holds its answer and exit status against the contract's shape.
 */
export async function answer(args: readonly string[], options: RunOptions): Promise<Answer> {
  const ran = await run(args, options);
  const parsed = parseOne(ran);
  if (parsed.error !== undefined) {
    assertErrorShape(parsed);
    assert.equal(ran.code, 2, "an error exits with 2");
  } else {
    assertResultShape(parsed);
    assert.equal(ran.code, parsed.count === 0 ? 1 : 0, `exit status for ${ran.stdout}`);
  }
  return parsed;
}

/** Runs a search that must succeed. */
export async function found(args: readonly string[], options: RunOptions): Promise<Answer> {
  const parsed = await answer(args, options);
  assert.equal(parsed.error, undefined);
  return parsed;
}

/** Runs a search that must fail with `code`. */
export async function fails(
  code: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Answer> {
  const parsed = await answer(args, options);
  assert.equal(parsed.code, code, JSON.stringify(parsed));
  return parsed;
}

/** Runs another command (`resolve`, `files`, …) and gives its JSON object, exit status checked. */
export async function command(args: readonly string[], options: RunOptions): Promise<Answer> {
  const ran = await run(args, options);
  const parsed = parseOne(ran);
  if (parsed.error !== undefined) assertErrorShape(parsed);
  assert.equal(ran.code, parsed.error === undefined ? 0 : 2, `exit status for ${ran.stdout}`);
  return parsed;
}

/** The entries of a content-mode answer as `file:line:text`, files relative to `root`. */
export function lines(result: Answer, root: string): string[] {
  assert.ok(result.matches !== undefined, JSON.stringify(result));
  return result.matches.map((m) => `${relative(m.file, root)}:${m.line_number}:${m.line}`);
}

/** The different files of an answer in order of appearance, relative to `root`. */
export function files(result: Answer, root: string): string[] {
  const all = result.files ?? (result.matches ?? result.counts ?? []).map((entry) => entry.file);
  return [...new Set(all)].map((file) => relative(file, root));
}

/** An absolute path below `root`, relative to it. */
export function relative(file: string, root: string): string {
  assert.ok(file.startsWith(`${root}/`), `${file} is below ${root}`);
  return file.slice(root.length + 1);
}

/** The prefix of a command that loses root's right to read what its mode forbids. */
export function withoutReadOverride(): string[] {
  if (Deno.uid() !== 0) return [];
  const caps = "-dac_override,-dac_read_search";
  return ["setpriv", `--bounding-set=${caps}`, `--inh-caps=${caps}`];
}

/** Deno's cache directory, for a process that gets another home. */
export async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** Runs a shell script, for what Deno has no call for (FIFOs, names that are not UTF-8). */
export async function sh(script: string, cwd: string): Promise<void> {
  const done = await new Deno.Command("sh", { args: ["-ec", script], cwd }).output();
  assert.equal(done.code, 0, new TextDecoder().decode(done.stderr));
}
