/**
 * The table of reasons why something was not searched. A row has all that answers say of a reason: its words
 * in the scope of an answer, and the sentence on what was met, or was named, with the change that helps. To add
 * a reason, add a row.
 *
 * @module
 */

import { counted } from "../util/counted.ts";
import { quotedName } from "../util/escape.ts";

/** Who reads a note: how its options are called, and changed. */
export interface Voice {
  /** The option, as sentences name it: `--text`, `the key text`; nothing where the reader has none. */
  named(key: string): string | undefined;
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

interface Row {
  /** What follows the number of files in the scope of an answer. */
  scope?: readonly [one: string, many: string];
  /** Why a file that was named was not searched. */
  named?: string;
  /** How to search a file that was named all the same. */
  change?: Readonly<Record<string, unknown>>;
  /** The sentence on those that a walk met. */
  // deno-lint-ignore no-explicit-any
  says?: (values: any, voice: Voice) => string;
}

function met({ count, isPart }: Met, one: string, many: string): string {
  return `${isPart ? "at least " : ""}${counted(count, one, many)}`;
}

/** A way out at the end of a sentence. */
export function orInstead(advice: string): string {
  return advice && `; ${advice}`;
}

/** How to search files that are not UTF-8: in the encoding of the first, if that is known. */
function inEncoding(whose: "its" | "their", voice: Voice, label: string | undefined): string {
  if (label !== undefined) return orInstead(voice.advice({ encoding: label }));
  const name = voice.named("encoding");
  return name === undefined ? "" : `; name ${whose} encoding with ${name}`;
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
    says: (values: MetAt & { limit: number }, { advice }) => {
      const path = quotedName(values.path) +
        orInstead(advice({ maxFileSize: 0 }, { path: values.path }));
      const over = `over ${values.limit} bytes`;
      return met(
        values,
        `file ${over} was not searched: ${path}`,
        `files ${over} were not searched, the first is ${path}`,
      );
    },
  },
  not_utf8: {
    scope: ["not UTF-8", "not UTF-8"],
    named: "it is not UTF-8",
    says: (values: MetAt & { label: string | undefined }, voice) => {
      const [its, their] = (["its", "their"] as const).map((whose) =>
        quotedName(values.path) + inEncoding(whose, voice, values.label)
      );
      return met(
        values,
        `file that is not UTF-8 was not searched: ${its}`,
        `files that are not UTF-8 were not searched, the first is ${their}`,
      );
    },
  },
  unreadable: {
    scope: ["unreadable", "unreadable"],
    named: "it could not be read",
    says: (values: MetAt & { isName: boolean }) => {
      const path = `${values.isName ? "a name that is not UTF-8 in " : ""}${
        quotedName(values.path)
      }`;
      return met(
        values,
        `file or directory could not be read and was not searched: ${path}`,
        `files or directories could not be read and were not searched, the first is ${path}`,
      );
    },
  },
  vanished: {
    named: "it vanished during the search",
    says: (values: MetAt) => {
      const place = values.path && quotedName(values.path);
      return met(
        values,
        `file or directory vanished during the search${place && `, in ${place}`}`,
        `files or directories vanished during the search${place && `, the first in ${place}`}`,
      );
    },
  },
  long_lines: {
    says: (values: MetAt & { limit: number }) => {
      const [path, over] = [quotedName(values.path), `over ${values.limit} characters`];
      return met(
        values,
        `file has a line ${over}, which was searched only up to there: ${path}`,
        `files have lines ${over}, which were searched only up to there, the first is ${path}`,
      );
    },
  },
  ignore_files: {
    says: (values: Met & { limit: number }) => {
      const limit = ruleLimit(values.limit);
      return met(
        values,
        `ignore file was not read: ${limit}; files that it ignores may be in the answer`,
        `ignore files were not read: ${limit}; files that they ignore may be in the answer`,
      );
    },
  },
  worktrees: {
    scope: ["git worktree", "git worktrees"],
    says: (values: Met & { paths: readonly string[] }) => {
      const more = values.count > values.paths.length ? " and others" : "";
      const paths = values.paths.map(quotedName).join(", ") + more;
      return met(
        values,
        `git worktree was not searched; pass it as path to search it: ${paths}`,
        `git worktrees were not searched; pass one as path to search it: ${paths}`,
      );
    },
  },
  exclusion_files: {
    says: (values: Met & { limit: number }) => {
      const limit = `${ruleLimit(values.limit)}, and each must be readable`;
      return met(
        values,
        `exclusion file was not read, so nothing beside or below it was searched: ${limit}`,
        `exclusion files were not read, so nothing beside or below them was searched: ${limit}`,
      );
    },
  },
  exclusion_lines: {
    says: (values: Met) =>
      met(
        values,
        `line or file that keeps paths from agents does not count: ${UNHEEDED}`,
        `lines or files that keep paths from agents do not count: ${UNHEEDED}`,
      ),
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
  { path, why, isPart, label }: {
    path: string;
    why: LeftOutReason;
    /** Whether the answer has entries of what comes before. */
    isPart: boolean;
    /** Its likely encoding. */
    label: string | undefined;
  },
  voice: Voice,
): string {
  const { named = why, change }: Row = LEFT_OUT[why];
  const advice = why === "not_utf8" || label !== undefined
    ? inEncoding("its", voice, label)
    : change && orInstead(voice.advice(change));
  return `${quotedName(path)} was ${isPart ? "searched only in part" : "not searched"}: ${named}` +
    (advice ?? "");
}
