/**
 * The common part of this package's tools: a workspace, validated input, and errors as answers.
 *
 * @module
 */
import {
  type Note,
  type NoteOrText,
  placesText,
  sentences,
  standingNotes,
} from "../notes/words.ts";
import { voiceOf } from "../search/callers.ts";
import { debugFailure } from "../util/debug.ts";
import { cancelled, type ErrorAnswer, PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import { Guard } from "../guard/guard.ts";
import {
  PERMISSION_TIMEOUT,
  type PermissionRequester,
  timedRequester,
} from "../guard/requester.ts";
import { fitError } from "../answer/budget.ts";
import type { SearchQuery } from "../query/query.ts";
import type { ToolName } from "../query/query_options.ts";
import type { FileResult, SearchResult } from "../answer/result.ts";
import { runListing, runSearch } from "../search/search.ts";
import type { Audience, InternalSearchOptions, SearchOptions } from "../search/search_context.ts";
import { type IsBlocked, placesInRoots, placesRead } from "../workspace/locate.ts";
import { findInWorkspace } from "../workspace/missing_path.ts";
import type { NamedLines } from "../workspace/repairs.ts";
import { checkedPath, checkOptions, type Workspace } from "../workspace/workspace.ts";
import { jsonForm, written } from "../answer/result_builder.ts";
import { budgetIn, bytesOfText, weigherFor } from "./answer_size.ts";
import type { Fields, ToolDefinition, ValuesOf } from "./tool_definition.ts";
import { isNullWord } from "./input_normalizer.ts";
import { parseInput } from "./input_parser.ts";
import type { TextCall } from "./plain_text.ts";
import type { InternalCallOptions, ToolCallOptions } from "./tool.ts";
import { isBarredAbove, rulesAbove } from "../exclusions/exclusions.ts";
import { join } from "../util/path.ts";

/** The options of a tool. */
export interface ToolOptions {
  /** The directories that the tool never leaves. */
  workspace: Workspace;
  /** Asks the user about paths outside the workspace. @default such paths are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** Milliseconds after which an unanswered question is denied; 0: no limit. @default 120000 */
  permissionTimeout?: number | undefined;
  /** What to search with, such as a `Searcher`, which reuses its workers. @default a new search for each call */
  searcher?: {
    /** Executes one search. */
    search(query: SearchQuery, options?: Omit<SearchOptions, "workspace">): Promise<SearchResult>;
    /** Lists files. @default a new listing for each call */
    listFiles?(
      query: Omit<SearchQuery, "pattern">,
      options?: Omit<SearchOptions, "workspace">,
    ): Promise<FileResult>;
  } | undefined;
  /** Globs of paths to allow although the guard refuses them. @default none */
  allow?: readonly string[] | undefined;
  /** Globs of paths to block besides the built-in ones. @default none */
  deny?: readonly string[] | undefined;
  /** Time limit of a search in milliseconds; 0: no limit. @default 30000 */
  timeout?: number | undefined;
  /** The first notes of every answer. @default none */
  notes?: readonly string[] | undefined;
}

/** The options of the search for one call. */
export interface CallOptions extends InternalSearchOptions {
  audience: Audience;
  /** Turns the answer into plain text. @default it is JSON */
  text: TextCall | undefined;
  /** Characters of the answer, at most. */
  budget: number;
  /** The characters that an answer takes up where it goes, with the notes that it begins with. */
  sizeOf: (answer: object) => number;
}

/** Where paths lead, as shown to the user. */
interface ShownPlace {
  name: string;
  /** Whether only to files. */
  isFile: boolean;
  /** The lines that the first path names. */
  lines?: NamedLines | undefined;
}

export class ToolContext {
  readonly workspace: Workspace;
  readonly limits: Pick<ToolOptions, "allow" | "deny" | "timeout">;
  readonly #requester: PermissionRequester | undefined;
  readonly #searcher: ToolOptions["searcher"];
  readonly #notes: readonly string[];

  constructor(options: ToolOptions) {
    checkOptions(options);
    const { permissionRequester, permissionTimeout = PERMISSION_TIMEOUT } = options;
    const { allow, deny, timeout, searcher, workspace, notes = [] } = options;
    this.workspace = workspace;
    this.limits = { allow, deny, timeout };
    this.#searcher = searcher;
    this.#notes = notes;
    this.#requester = permissionRequester && timedRequester(permissionRequester, permissionTimeout);
  }

  /**
   * Checks a call's input and answers it. Never throws.
   *
   * @param run answers; gets the options as a search takes them
   */
  async answer<F extends Fields, Answer extends object>(
    { name, fields }: ToolDefinition<F>,
    input: unknown,
    options: ToolCallOptions,
    run: (values: ValuesOf<F>, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer | ErrorAnswer> {
    const voice = voiceOf(name as ToolName);
    const isPart = (options as InternalCallOptions | null)?.isPart === true;
    const ofSession = isPart ? [] : [...this.#notes, ...noteOnRulesAbove(this.workspace)];
    let notes: readonly NoteOrText[] = ofSession;
    let budget = budgetIn(undefined);
    try {
      const text = await textCall(options);
      if (text !== undefined) notes = text.standing(standingNotes(ofSession));
      notes = [...notes, ...options.notes ?? []];
      budget = budgetIn(input);
      const { values, ...read } = parseInput(name, fields, input);
      budget = budgetIn(values);
      notes = [...notes, ...read.notes];
      if (options.signal?.aborted) throw cancelled(options.signal);
      const noted = <T extends object>(answer: T) =>
        answerWithNotes(answer, sentences(notes, voice));
      const weigh = weigherFor(budget, text && bytesOfText);
      const write = text?.written ?? written;
      const call = (values: ValuesOf<F>) =>
        run(values, {
          ...options,
          permissionRequester: options.permissionRequester ?? this.#requester,
          workspace: this.workspace,
          audience: {
            ...{ caller: name as ToolName, tool: name, isAgent: true },
            form: jsonForm(weigherFor(budget)),
          },
          text,
          budget,
          sizeOf: (answer) => weigh(write(noted(answer))),
          notes,
        });
      const note = (added: Note) => notes = [...notes, added];
      const answer = noted(await this.#answerAsMeant(fields, values, call, note));
      // The server, which alone asks for text, knows that it gets it.
      return text === undefined ? answer : text.answer(answer) as object as Answer;
    } catch (thrown) {
      return errorAnswer(PathgrepError.from(thrown), sentences(notes, voice), budget);
    }
  }

  /** Answers a call; where what it names is nowhere, as what it can only mean, with a note. */
  async #answerAsMeant<F extends Fields, Answer extends object>(
    fields: F,
    given: ValuesOf<F>,
    call: (values: ValuesOf<F>) => Promise<Answer>,
    note: (added: Note) => void,
  ): Promise<Answer> {
    let values: ValuesOf<F> & { include?: unknown } = given;
    const answer = await call(values).catch(async (thrown) => {
      const { code, details } = PathgrepError.from(thrown);
      if (code !== "path_not_found") throw thrown;
      const { pathChange } = await import("./path_change.ts");
      const read = await new Slices(this.workspace.roots[0]!).run(() =>
        pathChange(this.workspace, fields, values, details.suggestions, this.#blocker())
      );
      if (read === undefined) throw thrown;
      note(read.note);
      values = { ...values, ...read.change };
      return await call(values);
    });
    const { include } = values;
    const { scope } = answer as { scope?: { searched: number } };
    if (scope?.searched !== 0 || typeof include !== "string" || !isNullWord(include)) return answer;
    note({ reason: "include_absent", values: { include } });
    return await call({ ...values, include: undefined });
  }

  /** Searches with the searcher that was given, or with one for this call. */
  search(query: SearchQuery, options: CallOptions): Promise<SearchResult> {
    const asked = askedFor(query, options, false);
    return this.#searcher?.search(...asked) ?? runSearch(...asked);
  }

  /** Lists files in the same way. */
  listFiles(
    query: Omit<SearchQuery, "pattern">,
    options: CallOptions,
  ): Promise<FileResult> {
    const asked = askedFor(query, options, true);
    return this.#searcher?.listFiles?.(...asked) ?? runListing(...asked);
  }

  /** Where paths in an input lead, as shown to the user, and whether only to files. */
  place(paths: readonly string[] = [""]): ShownPlace {
    const isBlocked = this.#blocker();
    const places = paths.map((path) => this.#placeOf(path, isBlocked));
    return {
      name: places.map(({ name }) => name).join(", "),
      isFile: places.every(({ isFile }) => isFile),
      lines: places[0]?.lines,
    };
  }

  #blocker(): IsBlocked {
    const { allow = [], deny = [] } = this.limits;
    return new Guard({ workspace: this.workspace, allow, deny }).blocker();
  }

  #placeOf(path: string, isBlocked: IsBlocked): ShownPlace {
    if (path.trim() === "") return { name: "the workspace", isFile: false };
    try {
      const given = checkedPath(path, "path");
      const { workspace } = this;
      const places = placesInRoots(workspace, given, isBlocked);
      const [asGiven] = places.found;
      const { location, others, lines } = findInWorkspace(
        workspace,
        given,
        isBlocked,
        "search",
        asGiven,
      );
      if (location.state === "found") {
        const found = places.found.length > 0 ? places.found : [location, ...others];
        return {
          name: placesText(placesRead(workspace, found, true), String),
          isFile: found.every(({ info }) => info.isFile),
          lines: lines[0],
        };
      }
    } catch {
      // The call itself will say what is wrong with it.
    }
    return { name: path.trim(), isFile: false };
  }
}

function askedFor<Query extends Partial<SearchQuery>>(
  query: Query,
  options: CallOptions,
  isListing: boolean,
): [Query, CallOptions] {
  const { text, budget } = options;
  if (text === undefined) return [query, options];
  const asked = text.ask(query, budget, isListing);
  return [asked.query, { ...options, audience: { ...options.audience, ...asked.audience } }];
}

async function textCall(options: InternalCallOptions): Promise<TextCall | undefined> {
  const { form, saidTopics } = options;
  if (form !== "text") return undefined;
  const { TextCall } = await import("./plain_text.ts");
  return new TextCall(saidTopics);
}

function errorAnswer(error: PathgrepError, notes: readonly string[], budget: number): ErrorAnswer {
  debugFailure(error);
  if (notes.length === 0) return fitError(error, budget).toJSON();
  const details = { ...error.details, notes };
  return fitError(new PathgrepError(error.code, error.message, details, error), budget).toJSON();
}

/** An answer that begins with some notes; that of a search has them already, within its budget. */
function answerWithNotes<Answer extends object>(answer: Answer, notes: readonly string[]): Answer {
  if ("base_path" in answer || notes.length === 0) return answer;
  const own: unknown[] = "notes" in answer && Array.isArray(answer.notes) ? answer.notes : [];
  return { ...answer, notes: [...notes, ...own] };
}

const MAX_NAMED = 5;
const said = new WeakSet<Workspace>();

/** Says which rule files above a workspace count, or that Deno keeps them from being read; later, nothing. */
function noteOnRulesAbove(workspace: Workspace): Note[] {
  if (said.has(workspace)) return [];
  said.add(workspace);
  const levels = rulesAbove(workspace.ruleRoots).flatMap(({ levels }) => levels);
  const files = [
    ...new Set(
      levels.flatMap(({ directory, texts }) =>
        Object.keys(texts).map((name) => workspace.displayRuleFile(join(directory, name)))
      ),
    ),
  ];
  const named = files.slice(0, MAX_NAMED);
  const notes: Note[] = [];
  if (files.length > 0) {
    const values = { files: named, more: files.length - named.length };
    notes.push({ reason: "rules_above", values });
  }
  if (isBarredAbove(workspace.roots)) notes.push({ reason: "rules_above_unread", values: {} });
  return notes;
}

/** Leaves the note out: a process that answers one call is no session. */
export function omitNoteOnRulesAbove(workspace: Workspace): void {
  said.add(workspace);
}
