/**
 * The table of reasons why something was not searched. A row has all that answers say of a reason: its words
 * in the scope of an answer, and the sentence on what was met, or was named, with the change that helps. To add
 * a reason, add a row.
 *
 * @module
 */

import { inForm, type Tag } from "../util/counted.ts";
import { quotedName } from "../util/escape.ts";

/** Who reads a note: how its options are called, and changed. */
export interface Voice {
  /** What comes before the name of an option: `the key `. */
  readonly kind: string;
  /** What the reader calls an option; nothing where it has none. */
  nameOf(key: string): string | undefined;
  /** Tells how to make one of some changes, of those that the reader can make; empty if there is none. */
  advice(...changes: readonly Readonly<Record<string, unknown>>[]): string;
}

/** How much was met in a walk; `isPart`: there may be more. */
interface Met {
  count: number;
  isPart: boolean;
}

/** The same, and its first path by bytes. */
interface MetAt extends Met {
  path: string;
}

export interface Row {
  /** What follows the number of files in the scope of an answer. */
  scope?: readonly [one: string, many: string];
  /** Why a file that was named was not searched. */
  named?: string;
  /** How to search a file that was named all the same. */
  change?: Readonly<Record<string, unknown>>;
  /** The sentence on those that a walk met. */
  // deno-lint-ignore no-explicit-any
  says?: ((values: any, voice: Voice) => string) | string;
}

/** A sentence on what was met, in the form for one or for many. */
function met({ count, isPart }: Met): Tag {
  return (strings, ...values) =>
    `${isPart ? "at least " : ""}${count} ${inForm(count)(strings, ...values)}`;
}

/** A way out at the end of a sentence. */
export function orInstead(advice: string): string {
  return advice && `; ${advice}`;
}

/** How to search files that are not UTF-8. */
function inEncoding(whose: "its" | "their", voice: Voice): string {
  const name = voice.nameOf("encoding");
  return name === undefined ? "" : `; name ${whose} encoding with ${voice.kind}${name}`;
}

/** In the order in which an answer's scope, and its notes, have them. */
export const LEFT_OUT = {
  ignored: {},
  hidden: {},
  filtered: {},
  symlinks: {},
  blocked: { scope: ["blocked", "blocked"] },
  binary: {
    scope: ["binary", "binary"],
    named: "it is binary (it contains a NUL byte)",
    change: { text: true },
  },
  too_large: {
    scope: ["too large", "too large"],
    named: "it is too large for a match that may span lines",
    says: ({ path, limit, ...many }: MetAt & { limit: number }, { advice }: Voice): string =>
      met(many)`file[|s] over ${limit} bytes [was|were] not searched[:|, the first is] ${
        quotedName(path) + orInstead(advice({ maxFileSize: 0 }, { path }))
      }`,
  },
  not_utf8: {
    scope: ["not UTF-8", "not UTF-8"],
    named: "it is not UTF-8",
    says: ({ path, ...many }: MetAt, voice: Voice): string =>
      met(many)`file[|s] that [is|are] not UTF-8 [was|were] not searched[:|, the first is] ${
        quotedName(path) + inEncoding(many.count === 1 ? "its" : "their", voice)
      }`,
  },
  unreadable: {
    scope: ["unreadable", "unreadable"],
    named: "it could not be read",
    says: ({ path, isName, ...many }: MetAt & { isName: boolean }): string =>
      met(
        many,
      )`[file or directory|files or directories] could not be read and [was|were] not searched[:|, the first is] ${
        (isName ? "a name that is not UTF-8 in " : "") + quotedName(path)
      }`,
  },
  vanished: {
    named: "it vanished during the search",
    says: ({ path, ...many }: MetAt): string =>
      met(many)`[file or directory|files or directories] vanished during the search` +
      (path && (many.count === 1 ? ", in " : ", the first in ") + quotedName(path)),
  },
  long_lines: {
    says: ({ path, limit, ...many }: MetAt & { limit: number }): string =>
      met(
        many,
      )`file[ has a|s have] line[|s] over ${limit} characters, which [was|were] searched only up to there[:|, the first is] ${
        quotedName(path)
      }`,
  },
  ignore_files: {
    says: ({ limit, ...many }: Met & { limit: number }): string =>
      met(many)`ignore file[|s] [was|were] not read: ${
        ruleLimit(limit)
      }; files that [it ignores|they ignore] may be in the answer`,
  },
  worktrees: {
    scope: ["git worktree", "git worktrees"],
    says: ({ paths, ...many }: Met & { paths: readonly string[] }): string =>
      met(many)`git worktree[|s] [was|were] not searched; pass [it|one] as path to search it: ${
        paths.map(quotedName).join(", ") + (many.count > paths.length ? " and others" : "")
      }`,
  },
  exclusion_files: {
    says: ({ limit, ...many }: Met & { limit: number }): string =>
      met(
        many,
      )`exclusion file[|s] [was|were] not read, so nothing beside or below [it|them] was searched: ${
        ruleLimit(limit)
      }, and each must be readable`,
  },
  exclusion_lines: {
    says: (many: Met): string =>
      met(
        many,
      )`line[|s] or file[|s] that keep[s|] paths from agents do[es|] not count: ${UNHEEDED}`,
  },
} satisfies Record<string, Row>;

const UNHEEDED =
  "`!include` in .clineignore takes a file of the workspace that is not blocked and " +
  "includes none, and .claude/settings.json and settings.local.json have to be JSON";

function ruleLimit(chars: number): string {
  return `at most ${chars} characters of them are read for a directory and those above it`;
}

type LeftOutReason = keyof typeof LEFT_OUT;

/** Why a file that the caller named was not searched. */
export function notSearched(
  { path, why, isPart }: {
    path: string;
    why: LeftOutReason;
    /** Whether the answer has entries of what comes before. */
    isPart: boolean;
  },
  voice: Voice,
): string {
  const { named = why, change }: Row = LEFT_OUT[why];
  const advice = why === "not_utf8"
    ? inEncoding("its", voice)
    : change && orInstead(voice.advice(change));
  return `${quotedName(path)} was ${isPart ? "searched only in part" : "not searched"}: ${named}` +
    (advice ?? "");
}
