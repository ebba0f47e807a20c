/**
 * Reads a shell command that is one plain search, without expanding anything: whatever a shell would
 * replace is not read at all.
 *
 * @module
 */

/** One command, and what its output is piped through. */
export interface PlainCommand {
  /** The operand of a `cd` before it. */
  directory: string | undefined;
  words: string[];
  /** The programs behind it, which show a part of the output, or count it. */
  filters: string[][];
}

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
    String.raw`"(?<double>(?:[^"\\$\`\0]|\\[^\0]|${DOLLAR}|\$(?="))*)"`,
    String.raw`\\(?<escaped>[^\0])`,
    String.raw`(?<operator>\||&&)`,
    String.raw`(?<redirection>2>(?:&1|>?[ \t]*/dev/null)(?=[ \t|]|$))`,
    String.raw`(?<plain>[^ \t'"\\|&>$\`*?[\]{}~#()<;\n\0]|${DOLLAR})`,
  ].join("|"),
  "y",
);

type Token = { word: string } | { operator: string };

/** The command, if it is one plain search or listing that a shell would run as it stands. */
export function readCommand(text: string): PlainCommand | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const tokens = tokensOf(text.trim());
  if (tokens === undefined) return undefined;
  const [first, ...stages] = splitAt(tokens, "|");
  const parts = splitAt(first!, "&&");
  const lists = [...parts, ...stages].map(plainWords);
  if (lists.some((words) => words === undefined || words.length === 0)) return undefined;
  const [start, ...rest] = lists as string[][];
  const filters = rest.slice(parts.length - 1);
  if (!filters.every(isFilter)) return undefined;
  if (parts.length === 1) return { directory: undefined, words: start!, filters };
  const isCd = parts.length === 2 && start!.length === 2 && start![0] === "cd" &&
    !/^-|^$/.test(start![1]!);
  return isCd ? { directory: start![1]!, words: rest[0]!, filters } : undefined;
}

function splitAt(tokens: readonly Token[], operator: string): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if ("operator" in token && token.operator === operator) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The words; nothing where an operator is left among them. */
function plainWords(tokens: readonly Token[]): string[] | undefined {
  if (tokens.some((token) => "operator" in token)) return undefined;
  return tokens.map((token) => (token as { word: string }).word);
}

/** Whether a program shows nothing exactly where nothing comes in, or counts. */
function isFilter([program, ...args]: readonly string[]): boolean {
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
    default:
      return false;
  }
}

/** Nothing where the text is more than words and the operators of a plain search. */
function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) tokens.push({ word });
    word = undefined;
  };
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const part = PART.exec(text)?.groups;
    if (part === undefined) return undefined;
    const { single, double, escaped, operator, redirection, plain } = part;
    const quoted = single ?? double?.replace(/\\(?:\n|([$\`"\\]))/g, "$1");
    const added = quoted ?? escaped?.replace("\n", "") ?? plain;
    if (redirection !== undefined && word !== undefined) return undefined;
    if (added === undefined) endWord();
    else if (added !== "" || quoted !== undefined) word = (word ?? "") + added;
    if (operator !== undefined) tokens.push({ operator });
  }
  endWord();
  return tokens;
}
