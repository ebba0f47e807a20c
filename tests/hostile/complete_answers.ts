/**
 * Holds answers against everything that there is to find: what is shown and what is said not to be are all.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import type { InternalCallOptions, TextAnswer } from "../../src/tools/tool.ts";
import { pathgrep } from "../support/run.ts";
import { wordsOf } from "../support/command_lines.ts";
import type { Answer } from "../support/acceptance.ts";
import type { Tree } from "../support/tree.ts";
import { ALL, build, type Drawn, type DrawnCall, type DrawnCase } from "./random_workspace.ts";
import { type Cause, type Everything, type MissingFile, NaiveSearcher } from "./naive_searcher.ts";

/** A row of what an answer says is not shown. */
interface Row {
  cause: Cause | "form";
  matches: number;
  more?: true;
  files: number;
  first: string;
  send: Record<string, unknown> | string;
}

/** How often each kind of answer, and each cause in one, was compared. */
export class Tally extends Map<string, number> {
  add(what: string): void {
    this.set(what, this.of(what) + 1);
  }

  of(what: string): number {
    return this.get(what) ?? 0;
  }
}

const MAX_MATCHES = 1000;
/** An answer is asked for again where the machine left no time to look for all. */
const MAX_ATTEMPTS = 3;

async function compareAnswers({ drawn, calls }: DrawnCase, tally: Tally): Promise<void> {
  await using tree = await build(drawn);
  const naive = await NaiveSearcher.of(drawn, tree.base);
  await using asker = await Asker.on(tree, drawn);
  for (const call of calls) {
    const answer = await asker.ask(call);
    try {
      if (naive.basesOf(call.query) === undefined) {
        assert.ok(answer.error !== undefined, "what is blocked or not there is an error");
      } else {
        const all = await naive.find(call);
        await new Comparison({ tree, asker, call, answer, all, tally }).compare();
      }
    } catch (error) {
      const text = `${(error as Error).message}\n${JSON.stringify(answer)}`;
      throw new Error(
        `${JSON.stringify({ drawn, calls: [call] })}\n${text}`.replaceAll(tree.base, ""),
      );
    }
  }
}

/** Compares each answer of a case; where one differs, the error is that of a smaller case. */
export async function compareCase(one: DrawnCase, tally: Tally): Promise<void> {
  const failure = (one: DrawnCase, tally = new Tally()) =>
    compareAnswers(one, tally).then(() => undefined, (error: Error) => error);
  let error = await failure(one, tally);
  if (error === undefined) return;
  let least = one;
  const tryLess = async (less: DrawnCase) => {
    const other = await failure(less);
    if (other !== undefined) [least, error] = [less, other];
  };
  for (const call of one.calls) await tryLess({ ...least, calls: [call] });
  for (const key of ["links", "rules", "repositories", "worktrees", "files", "deny"] as const) {
    for (const part of one.drawn[key]) {
      const others = (least.drawn[key] as unknown[]).filter((other) => other !== part);
      await tryLess({ ...least, drawn: { ...least.drawn, [key]: others } });
    }
  }
  throw error;
}

const KEYS: Readonly<Partial<Record<keyof SearchQuery, [tool: string, flag: string]>>> = {
  pattern: ["pattern", "-e"],
  path: ["path", ""],
  include: ["include", "--include"],
  exclude: ["exclude", "--exclude"],
  outputMode: ["output_mode", "--output-mode"],
  caseInsensitive: ["case_insensitive", "-i"],
  fixedStrings: ["fixed_strings", "-F"],
  multiline: ["multiline", "-U"],
  ignore: ["no_ignore", "--no-ignore"],
  hidden: ["", "--no-hidden"],
  maxFileSize: ["", "--max-file-size"],
  paths: ["paths", "--paths"],
  maxResults: ["max_results", "--max-results"],
};

/** Asks as each kind of caller. */
class Asker implements AsyncDisposable {
  readonly #tree: Tree;
  readonly #drawn: Drawn;
  readonly #workspace: Workspace;
  /** Made when it is asked for: its threads take a while to start. */
  #searcher: Searcher | undefined;

  private constructor(tree: Tree, drawn: Drawn, workspace: Workspace) {
    this.#tree = tree;
    this.#drawn = drawn;
    this.#workspace = workspace;
  }

  static async on(tree: Tree, drawn: Drawn): Promise<Asker> {
    const roots = drawn.roots.map((root) => `${tree.base}/${root}`);
    return new Asker(tree, drawn, await Workspace.open(roots));
  }

  async ask(call: DrawnCall, change: Row["send"] = {}): Promise<Answer> {
    const more = Object.keys(change).length > 0 ? { maxResults: ALL } : {};
    const query = { ...this.#located(call), ...more };
    for (let attempt = 1;; attempt++) {
      const answer = await this.#answerTo(call, query, change);
      if (attempt === MAX_ATTEMPTS || !isInPart(answer)) return answer;
    }
  }

  async #answerTo({ caller }: DrawnCall, query: SearchQuery, change: Row["send"]): Promise<Answer> {
    const { deny } = this.#drawn;
    if (caller === "library") {
      const whole = { explain: true, deny, ...query, ...change as object } as SearchQuery;
      const answer = search(whole, { workspace: this.#workspace });
      return await answer.catch((error) => error.toJSON()) as unknown as Answer;
    }
    if (caller === "shell") {
      const words = typeof change === "string"
        ? wordsOf(change)
        : Object.keys(change).map((key) => `--${key}`);
      return (await this.#run(query, ["--format", "json", ...words])).json();
    }
    return await this.#toolFor(caller).execute(inputOf(query, caller, change)) as unknown as Answer;
  }

  /** What an answer says in text besides its entries; to a program, none does. */
  async text(call: DrawnCall): Promise<string> {
    const { caller } = call;
    const query = this.#located(call);
    if (caller === "library") return "";
    if (caller === "shell") return (await this.#run(query, ["--format", "text"])).stderr;
    const options: InternalCallOptions = { form: "text" };
    const answer = await this.#toolFor(caller).execute(inputOf(query, caller), options);
    const { text, notes = [], standing_notes: standing = [] } = answer as unknown as TextAnswer;
    return [text, ...notes, ...standing.map(({ text }) => text)].join("\n");
  }

  #located({ query }: DrawnCall): SearchQuery {
    const path = [query.path ?? []].flat().map((path) => `${this.#tree.base}/${path}`);
    return { ...query, ...(path.length > 0 && { path }) };
  }

  #toolFor(caller: DrawnCall["caller"]): GlobTool | GrepTool {
    const workspace = this.#workspace;
    const options = { workspace, deny: this.#drawn.deny };
    if (caller === "glob") return new GlobTool(options);
    if (caller === "tool") return new GrepTool(options);
    this.#searcher ??= new Searcher({ workspace, cache: "verified" });
    return new GrepTool({ ...options, searcher: this.#searcher });
  }

  #run({ path = [], ...query }: SearchQuery, more: readonly string[]) {
    const { base } = this.#tree;
    const options = Object.entries(query).flatMap(([key, value]) => {
      const [, flag] = KEYS[key as keyof SearchQuery]!;
      return [value].flat().flatMap((one) =>
        one === true || one === false ? [flag] : [flag, `${one}`]
      );
    });
    const roots = this.#drawn.roots.flatMap((root) => ["--workspace", `${base}/${root}`]);
    const denied = this.#drawn.deny.flatMap((glob) => ["--deny", glob]);
    const words = ["--prompt", "never", ...options, ...[path].flat(), ...roots, ...denied, ...more];
    return pathgrep(words, { cwd: `${base}/ws` });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#searcher?.[Symbol.asyncDispose]();
  }
}

/** A query as a tool's input, with a change. */
function inputOf(
  query: SearchQuery,
  caller: DrawnCall["caller"],
  change: Row["send"] = {},
): object {
  const input: Record<string, unknown> = { max_output_chars: 1_000_000 };
  for (const [key, value] of Object.entries(query)) {
    const [name] = KEYS[key as keyof SearchQuery]!;
    if (!Array.isArray(value)) input[name] = name.startsWith("no_") ? !value : value;
    else {
      input[name] = value[0];
      if (value.length > 1) input[`more_${name}s`] = value.slice(1);
    }
  }
  if (caller === "glob") delete input["output_mode"];
  return { ...input, ...change as object };
}

/** The part of an answer that says what is not shown. */
function scopeOf(answer: Answer): { not_shown?: Row[]; in_part?: true } {
  return (answer["scope"] ?? answer) as ReturnType<typeof scopeOf>;
}

function isInPart(answer: Answer): boolean {
  return scopeOf(answer).in_part === true;
}

/** What is compared. */
interface Compared {
  tree: Tree;
  asker: Asker;
  call: DrawnCall;
  answer: Answer;
  all: Everything;
  tally: Tally;
}

class Comparison {
  readonly #tree: Tree;
  readonly #asker: Asker;
  readonly #call: DrawnCall;
  readonly #answer: Answer;
  readonly #all: Everything;
  readonly #tally: Tally;
  readonly #rows: readonly Row[];
  /** What may count as missing in this answer, and what has to. */
  readonly #missing: readonly MissingFile[];
  readonly #certain: readonly MissingFile[];
  readonly #isEmpty: boolean;

  constructor({ tree, asker, call, answer, all, tally }: Compared) {
    this.#tree = tree;
    this.#asker = asker;
    this.#call = call;
    this.#answer = answer;
    this.#all = all;
    this.#tally = tally;
    this.#rows = scopeOf(answer).not_shown ?? [];
    this.#isEmpty = answer.count === 0;
    this.#missing = all.missing.filter(({ isUsual }) => this.#isEmpty || !isUsual);
    this.#certain = isInPart(answer) ? [] : this.#missing.filter((one) => !one.isOptional);
  }

  async compare(): Promise<void> {
    const { error, total_files: files, truncated } = this.#answer;
    assert.equal(error, undefined);
    const [entries, expected] = [this.#entries(this.#answer), this.#expected([])];
    const isShown = (entry: string) => !truncated || entries.includes(entry);
    assert.deepEqual(entries, expected.filter(isShown), "what is shown");
    if (truncated) assert.equal(files, this.#all.shown.size, "the files there are");
    this.#tally.add(this.#isEmpty ? "empty" : "with matches");
    if (isInPart(this.#answer)) this.#tally.add("in part");
    for (const { cause } of this.#rows) this.#tally.add(cause);
    this.#compareFiles();
    this.#compareForms();
    for (const row of this.#rows) await this.#compareSent(row);
    if (this.#call.caller !== "glob") await this.#compareEverything();
    this.#compareNotes();
    if (this.#isEmpty && this.#rows.length > 0) await this.#compareText();
  }

  /** Shown and not shown are all, each file once, for a reason that it has. */
  #compareFiles(): void {
    const rows = this.#rows.filter(({ cause }) => cause !== "form");
    const causes = rows.map(({ cause }) => cause);
    assert.equal(new Set(causes).size, causes.length, "one row a cause");
    for (const { cause, files, matches, more, first } of rows) {
      const own = this.#missing.filter(({ causes }) => causes.has(cause as Cause));
      this.#assertWithin(files, [], own, ({ length }) => length);
      this.#assertWithin(matches, [], own, sumOfLines);
      assert.ok(own.some(({ path }) => path === this.#absolute(first)), `${cause}: ${first}`);
      assert.ok(
        !more || matches === MAX_MATCHES && sumOfLines(own) > MAX_MATCHES,
        `${cause}: more`,
      );
    }
    const sum = (key: "files" | "matches") => rows.reduce((sum, row) => sum + row[key], 0);
    this.#assertWithin(sum("files"), this.#certain, this.#missing, ({ length }) => length);
    const certain = rows.some(({ more }) => more) ? [] : this.#certain;
    this.#assertWithin(sum("matches"), certain, this.#missing, sumOfLines);
  }

  #assertWithin(
    said: number,
    least: readonly MissingFile[],
    most: readonly MissingFile[],
    count: (files: readonly MissingFile[]) => number,
  ): void {
    const wanted = most.map(({ causes, ...rest }) => ({ ...rest, causes: [...causes] }));
    const isWithin = said >= count(least) && said <= count(most);
    assert.ok(
      isWithin,
      `${said}, not ${count(least)} to ${count(most)}: ${JSON.stringify(wanted)}`,
    );
  }

  #compareForms(): void {
    const rows = this.#rows.filter(({ cause }) => cause === "form");
    const said = rows.reduce((sum, { matches }) => sum + matches, 0);
    const { least, most } = this.#all.forms;
    const isWithin = said <= most && (said >= least || isInPart(this.#answer));
    assert.ok(isWithin, `${said} in other forms, not ${least} to ${most}`);
  }

  /** What is advised shows what the row is about. */
  async #compareSent({ cause, matches, files, send }: Row): Promise<void> {
    const answer = await this.#asker.ask(this.#call, send);
    const sent = JSON.stringify(send);
    assert.equal(answer.error, undefined, `${sent} is a call: ${answer.hint}`);
    const entries = this.#entries(answer);
    const own = this.#missing.filter(({ causes }) => causes.has(cause as Cause));
    const before = this.#entries(this.#answer);
    // Another form may exclude the one that was asked for.
    const shown = cause === "form"
      ? entries.filter((entry) =>
        !before.includes(entry) || this.#call.query.outputMode !== "content"
      )
      : this.#expected(own, new Map()).filter((entry) => entries.includes(entry));
    const least = this.#call.query.outputMode === "content" ? matches : files;
    assert.ok(shown.length >= least, `${cause}: ${sent} shows ${entries.join(" ")}`);
  }

  /** With `everything`, all is shown but other forms. */
  async #compareEverything(): Promise<void> {
    const { hidden, maxFileSize } = this.#call.query;
    if (hidden === false || maxFileSize !== undefined) return; // what is given wins
    const answer = await this.#asker.ask(this.#call, { everything: true });
    const entries = this.#entries(answer);
    const optional = this.#all.missing.filter(({ isOptional }) => isOptional);
    const mayLack = new Set(this.#expected(optional, new Map()));
    const isShown = (entry: string) => !mayLack.has(entry) || entries.includes(entry);
    assert.deepEqual(entries, this.#expected(this.#all.missing).filter(isShown), "everything");
  }

  /** No note is about an excluded file without a match. */
  #compareNotes(): void {
    const { caller, query } = this.#call;
    // Tools say in the scope what was skipped; linked worktrees are named in any case.
    const isSkip = caller === "library" || caller === "shell"
      ? / (?:was|were) not searched/
      : /^\d+ git worktree/;
    const text = (this.#answer.notes ?? []).filter((note) => !isSkip.test(note)).join("\n");
    const named = [query.path ?? []].flat().join("\n");
    for (const path of this.#all.silent) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const isSaid = /f\d/.test(name) && text.includes(name) && !named.includes(name);
      assert.ok(!isSaid, `${name} has no match: ${text}`);
    }
  }

  /** In the text of an empty answer each row is named: in a note, or in the line on what is not shown. */
  async #compareText(): Promise<void> {
    const text = await this.#asker.text(this.#call);
    if (text === "" || text.includes("(in part)")) return;
    const [line = ""] = /not shown: .*/.exec(text) ?? [];
    const notes = text.replace(line, "");
    const parts = line.replace("not shown: ", "").split(/[,;] /);
    for (const { cause, matches, first } of this.#rows) {
      const isInLine = parts.some((part) =>
        part.startsWith(`${matches}`) && IN_LINE[cause].test(part)
      );
      const path = this.#absolute(first).slice(this.#tree.base.length + 1);
      const isNamed = notes.includes(path.replace(/^ws\//, ""));
      assert.ok(isInLine || isNamed, `${cause}: ${first} is named: ${text}`);
    }
  }

  /** The entries of an answer, as far as modes have them in common with the naive searcher. */
  #entries({ files, counts, matches = [] }: Answer): string[] {
    const name = (file: string) => this.#absolute(file).slice(this.#tree.base.length);
    const entries = files?.map(name) ??
      counts?.map(({ file, count }) => `${name(file)}: ${count}`) ??
      matches.map(({ file, line_number }) => `${name(file)}:${line_number}`);
    return entries.sort();
  }

  /** The entries that an answer has to have which shows some files besides those that are shown. */
  #expected(files: readonly MissingFile[], shown = this.#all.shown): string[] {
    const mode = this.#call.query.outputMode;
    const more = files.map(({ path, lines }) => [path, lines] as const);
    return [...shown, ...more].flatMap(([path, lines]) => {
      const name = path.slice(this.#tree.base.length);
      return mode === "file"
        ? [name]
        : mode === "count"
        ? [`${name}: ${lines.length}`]
        : lines.map((line) => `${name}:${line}`);
    }).sort();
  }

  #absolute(shown: string): string {
    if (shown.startsWith("/")) return shown;
    const isOne = !/^(?:ws|two)\//.test(shown);
    return `${this.#tree.base}/${isOne ? "ws/" : ""}${shown}`;
  }
}

function sumOfLines(files: readonly MissingFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** How the line on what is not shown has each cause. */
const IN_LINE: Readonly<Record<Row["cause"], RegExp>> = {
  ignored: /ignored/,
  hidden: /hidden/,
  binary: /binary/,
  too_large: /large/,
  compressed: /gzip/,
  encoding: /not UTF-8|\((?:utf-16|gbk|shift_jis|windows|\w+-\d)/,
  link: /link/,
  worktree: /worktree/,
  form: /across|normal form|escapes|no-break/,
};
