/**
 * Reads a shell command that is one plain search, without expanding anything: whatever a shell would
 * replace is not read at all, but for a glob in an option, which it replaces only where a name matches: then the
 * command is not the one that was written.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import { readDirectory } from "../system/files.ts";
import { join } from "../util/path.ts";

/** One command, and what its output is piped through. */
export interface PlainCommand {
  /** The operand of a `cd` before it. */
  directory: string | undefined;
  words: string[];
  /** The programs behind it, which show or remove a part of the output, or count it. */
  filters: string[][];
  /** Words that a shell replaces where names match them. */
  globs: ShellGlob[];
  /** Whether it is the program of that name, even where the shell has a function of the same name. */
  isProgram: boolean;
  /** What is printed after it. */
  after: Echo | undefined;
}

/** A word with a glob that is not quoted. */
export interface ShellGlob {
  word: string;
  /** The word, with a backslash before what is quoted. */
  pattern: string;
  isInOption: boolean;
}

/** An `echo` behind a search; `true` is one without text. */
export interface Echo {
  /** With {@linkcode STATUS} for `$?`. */
  text: string;
  /** Whether it runs only if the command before it fails. */
  isConditional: boolean;
}

/** Stands for `$?`: no command holds it. */
export const STATUS = "\0";
/** Longer commands are not read. */
const MAX_CHARS = 20_000;
/** A dollar sign that begins no expansion. */
const DOLLAR = String.raw`\$(?![\w@*#?$!({["'-])`;
/**
 * A part of a command; where a shell would replace or interpret more than these, it is not read. Of what
 * it redirects, errors alone leave the results where they are.
 */
const PART = new RegExp(
  [
    String.raw`(?<blank>[ \t]+)`,
    String.raw`'(?<single>[^'\0]*)'`,
    String.raw`"(?<double>(?:[^"\\$\`\0]|\\[^\0]|\$\?|${DOLLAR}|\$(?="))*)"`,
    String.raw`\\(?<escaped>[^\0])`,
    String.raw`(?<operator>\|\|?|&&|;)`,
    String.raw`(?<redirection>2>(?:&1|>?[ \t]*/dev/null)(?=[ \t|;]|$))`,
    String.raw`(?<status>\$\?)`,
    String.raw`(?<glob>[*?[\]])`,
    String.raw`(?<plain>[^ \t'"\\|&>$\`*?[\]{}~#()<;\n\0]|${DOLLAR})`,
  ].join("|"),
  "y",
);
const GLOB_CHARS = /[\\*?[\]]/g;
/** Options whose value, the next word, is a glob. */
const GLOB_OPTIONS = ["-g", "--glob", "--iglob", "--include", "--exclude", "--exclude-dir"];
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;
/** Variables that change what is found, or which program is run. */
const TELLING = /^(?:GIT_.*|LD_.*|DYLD_.*|.*_CONFIG_.*|GREP_OPTIONS|POSIXLY_CORRECT|PATH|HOME)$/;
const TIMEOUT_OPTION =
  /^-(?:-foreground|-preserve-status|[ks]\w+|-(?:kill-after|signal)=\w+|[ks])$/;
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

interface Word {
  word: string;
  pattern: string;
  isGlob: boolean;
  /** How many of its first characters are not quoted. */
  bare: number;
}
const NO_WORD: Word = { word: "", pattern: "", isGlob: false, bare: 0 };
type Token = Word | { operator: string };

/** The command, if it is one plain search or listing that a shell would run as it stands. */
export function readCommand(text: string): PlainCommand | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const tokens = tokensOf(text.trim());
  if (tokens === undefined) return undefined;
  const [pipeline, last, ...more] = splitAt(tokens, "||", ";");
  const after = last && echoOf(last);
  const [first, ...stages] = splitAt(pipeline!.tokens, "|");
  const filters = stages.map(({ tokens }) => plainWords(tokens));
  const parts = splitAt(first!.tokens, "&&");
  const cd = parts.length > 1 ? cdTarget(parts.shift()!.tokens) : { directory: undefined };
  const command = withoutPrefix(onlyWords(parts.shift()!.tokens));
  const isRead = more.length + parts.length === 0 &&
    (last === undefined) === (after === undefined) &&
    filters.every(isFilter);
  if (!isRead || cd === undefined || command === undefined) return undefined;
  const { isProgram, words } = command;
  const globs = words.flatMap(({ isGlob, pattern, word }, index) => {
    const isInOption = word.startsWith("-") || GLOB_OPTIONS.includes(words[index - 1]?.word ?? "");
    return isGlob ? [{ word, pattern, isInOption }] : [];
  });
  return {
    ...cd,
    words: words.map(({ word }) => word),
    filters: filters as string[][],
    globs,
    isProgram,
    after,
  };
}

/** Where a `cd` leads; nothing for other commands. */
function cdTarget(tokens: readonly Token[]): { directory: string } | undefined {
  const [program, directory = "", ...more] = plainWords(tokens) ?? [];
  const isCd = program === "cd" && more.length === 0 && !/^-|^$/.test(directory);
  return isCd ? { directory } : undefined;
}

/** The parts of a list, each with the operator before it. */
function splitAt(tokens: readonly Token[], ...operators: string[]) {
  const parts: { operator: string; tokens: Token[] }[] = [{ operator: "", tokens: [] }];
  for (const token of tokens) {
    if ("operator" in token && operators.includes(token.operator)) {
      parts.push({ operator: token.operator, tokens: [] });
    } else parts.at(-1)!.tokens.push(token);
  }
  return parts;
}

/** The words; none where an operator is among them. */
function onlyWords(tokens: readonly Token[]): Word[] {
  return tokens.every((token) => "word" in token) ? tokens as Word[] : [];
}

/** The words as texts; nothing either where a shell may replace one. */
function plainWords(tokens: readonly Token[]): string[] | undefined {
  const found = onlyWords(tokens);
  return found.some(({ isGlob }) => isGlob) ? undefined : found.map(({ word }) => word);
}

/** What an `echo` or a `true` prints; nothing for other commands. */
function echoOf({ operator, tokens }: { operator: string; tokens: Token[] }): Echo | undefined {
  const [program, ...rest] = plainWords(tokens) ?? [];
  const isConditional = operator === "||";
  if (program === "true" || program === ":") {
    return rest.length === 0 ? { text: "", isConditional } : undefined;
  }
  if (rest[0] === "-n") rest.shift();
  const text = rest.join(" ");
  const isText = program === "echo" && !text.includes("\\") && !rest[0]?.startsWith("-");
  return isText ? { text, isConditional } : undefined;
}

/** The words behind variables, `command` and `timeout`; nothing where these change what is found. */
function withoutPrefix(given: readonly Word[]): { words: Word[]; isProgram: boolean } | undefined {
  const words = [...given];
  while (isAssignment(words[0])) {
    if (changesSearch(words.shift()!.word, given)) return undefined;
  }
  const rest = words.length;
  while (words[0]?.word === "command") words.shift();
  if (words[0]?.word === "timeout") {
    words.shift();
    while (TIMEOUT_OPTION.test(words[0]?.word ?? "")) {
      words.splice(0, /^-[ks]$/.test(words[0]!.word) ? 2 : 1);
    }
    if (!DURATION.test(words.shift()?.word ?? "")) return undefined;
  }
  const isRead = /^[^-]/.test(words[0]?.word ?? "") &&
    !words.some(({ word }) => word.includes(STATUS));
  return isRead ? { words, isProgram: words.length < rest } : undefined;
}

/** Not where its name is quoted: that is the name of a program. */
function isAssignment({ word, bare }: Word = NO_WORD): boolean {
  const [, name = ""] = ASSIGNMENT.exec(word) ?? [];
  return name !== "" && bare > name.length;
}

/** Whether a variable changes what is found; bytes instead of characters do so only beyond ASCII. */
function changesSearch(assignment: string, words: readonly Word[]): boolean {
  if (TELLING.test(assignment.slice(0, assignment.indexOf("=")))) return true;
  const isOfBytes = /^(?:LC_ALL|LC_CTYPE|LANG)=(?:C|POSIX)$/.test(assignment);
  return isOfBytes && words.some(({ word }) => /[^\0-\x7f]/.test(word));
}

/** Whether a program shows nothing exactly where nothing comes in, or counts, or removes lines. */
function isFilter(words: readonly string[] | undefined): boolean {
  const [program, ...args] = words ?? [];
  const given = args.join(" ");
  switch (program) {
    case "head":
    case "tail":
      return /^(?:-(?:[nc] ?)?[1-9]\d*)?$/.test(given) ||
        /^--(?:lines|bytes)=[1-9]\d*$/.test(given);
    case "wc":
      return /^(?:-[clmwL]+ ?|--(?:lines|words|bytes|chars) ?)*$/.test(given);
    case "sort":
      return /^(?:-(?:[bdfghinruV]+|k ?[\d.,bdfghinrV]+|t ?\S) ?)*$/.test(given);
    case "grep":
      return removedLines(words!) !== undefined;
    default:
      return false;
  }
}

/** Texts with a line that `grep -v` may remove, too many rather than too few; nothing for other commands. */
export function removedLines([program, ...args]: readonly string[]): RegExp | undefined {
  const options = args.filter((arg) => arg.startsWith("-"));
  const patterns = args.filter((arg) => !arg.startsWith("-"));
  const given = options.join("");
  const isRead = program === "grep" && /^(?:-[EFeivw]+)+$/.test(given) && given.includes("v") &&
    patterns.length === Math.max(1, given.split("e").length - 1);
  const texts = patterns.flatMap((pattern) => pattern.split(/\\?\|/))
    .map((text) => text.replace(/^\^|\$$/g, "").replace(/\\([./-])/g, "$1"));
  if (!isRead || texts.some((text) => /[\\^$*+?()[\]{}]/.test(text))) return undefined;
  return new RegExp(texts.join("|"), "i");
}

/** Nothing where the text is more than words and the operators of a plain search. */
function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let word: Word | undefined;
  const endWord = () => {
    if (word !== undefined) tokens.push(word);
    word = undefined;
  };
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const part = PART.exec(text)?.groups;
    if (part === undefined) return undefined;
    const { operator, redirection } = part;
    if (redirection !== undefined && word !== undefined) return undefined;
    const added = partOfWord(part);
    if (added === undefined) endWord();
    else if (added.word !== "" || added.isQuoted) {
      const { bare, isGlob, pattern, word: before } = word ?? NO_WORD;
      word = {
        word: before + added.word,
        pattern: pattern + added.pattern,
        isGlob: isGlob || added.isGlob,
        bare: bare + (part["plain"] !== undefined && bare === before.length ? 1 : 0),
      };
    }
    if (operator !== undefined) tokens.push({ operator });
  }
  endWord();
  return tokens;
}

/** What a part adds to a word; nothing where it ends it. */
function partOfWord({ single, double, escaped, status, glob, plain }: Record<string, string>) {
  const inQuotes = single ?? double?.replace(
    /\\(?:\n|([$\`"\\]))|\$\?/g,
    (all, char) => all === "$?" ? STATUS : char ?? "",
  );
  const quoted = inQuotes ?? escaped?.replace("\n", "");
  const word = quoted ?? (status === undefined ? glob ?? plain : STATUS);
  if (word === undefined) return undefined;
  const pattern = quoted?.replace(GLOB_CHARS, "\\$&") ?? word;
  return { word, pattern, isGlob: glob !== undefined, isQuoted: inQuotes !== undefined };
}

/** A part of a path as a shell's glob, read so that it matches too much rather than too little. */
export function shellGlob(pattern: string): RegExp {
  const source = pattern.replace(
    /\\(.)|\*+|\?|\[[!^]?\]?[^\]]+\]|[^]/g,
    (part, escaped) =>
      part.startsWith("*")
        ? ".*"
        : part === "?"
        ? "."
        : escaped === undefined && part.length > 1
        ? "."
        : (escaped ?? part).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"),
  );
  return new RegExp(`^${source}$`, "su");
}

/**
 * Whether names in a directory may match a glob there. What the guard blocks counts as absent, so that the
 * answer does not depend on it.
 *
 * @param pattern a path, with a backslash before what is quoted
 */
export function mayExpand(pattern: string, directory: string, guard: Guard): boolean {
  if (pattern.startsWith("/")) return true;
  return hasMatch(pattern.split("/"), directory, guard);
}

function hasMatch([part, ...rest]: readonly string[], directory: string, guard: Guard): boolean {
  if (part === undefined) return true;
  if (part === "..") return true; // elsewhere, which is not looked at
  const found = guard.follow(directory);
  if (found.state === "outside") return true;
  if (found.state !== "found" || !found.info.isDirectory) return false;
  const name = shellGlob(part);
  return entryNames(found.path, guard).some((entry) => {
    const isMatch = (!entry.startsWith(".") || part.startsWith(".")) && name.test(entry);
    if (!isMatch || part.includes("**")) return isMatch;
    return rest.length === 0 || hasMatch(rest, join(directory, entry), guard);
  });
}

function entryNames(directory: string, guard: Guard): string[] {
  try {
    return [".", ...[...readDirectory(directory)].map(({ name }) => name)]
      .filter((name) => !guard.isBlocked(join(directory, name)));
  } catch {
    return [];
  }
}
