/**
 * What opens a definition in the languages that are known, by the ends of file names.
 *
 * Only words and forms that can hardly mean anything else are listed: what is missing costs a line of an
 * answer, what is wrong misleads its reader.
 *
 * @module
 */

import type { Lexis, LongText } from "./code_lexer.ts";

/** What a line opens. */
export type Opening = "type" | "function";

/** The beginning of a statement that may open something. */
export interface Opener {
  /** The code of its first line. */
  readonly head: string;
  /** The code before the bracket that opens its body, on the bracket's line. */
  readonly before: string;
  /** The columns before its first line. */
  readonly indent: number;
  /** What it stands in: the file itself, a definition, or another block. */
  readonly owner: "file" | Opening | "block";
}

export interface CodeLanguage {
  /** Whether brackets say what is in a body, or indentation alone. */
  readonly structure: "braces" | "indentation";
  readonly lexis: Lexis;
  readonly opens: (opener: Opener) => Opening | undefined;
  /** A line of a text or comment that makes it doubtful: it is data, or code that was misread. */
  readonly looksLike: RegExp;
  /** A line that goes on with a statement although it is not indented. */
  readonly goesOn: RegExp;
  /** A line that is neither a statement nor a part of one, besides `case`. */
  readonly label?: RegExp;
}

/** What begins a section: its level, from 0, and how many lines back its first line is. */
export type Sections = (
  text: string,
  before: string,
) => { level: number; back: number } | undefined;

export type SourceLanguage =
  | CodeLanguage
  | { readonly structure: "sections"; readonly newSections: () => Sections };

/** What any number of modifiers may stand before. */
function afterWords(modifiers: string, form: string): RegExp {
  return new RegExp(`^(?:(?:${modifiers.split(" ").join("|")})\\s+)*(?:${form})`);
}

const ALL_BRACKETS = "{}()[]";
const C_COMMENT: LongText = { open: String.raw`\/\*`, close: "*/" };
const NESTED_COMMENT: LongText = { ...C_COMMENT, nests: true };
const TRIPLE: LongText = { open: `"""`, close: `"""`, escapes: true };
const TRIPLE_SINGLE: LongText = { open: "'''", close: "'''", escapes: true };
const C_LIKE = {
  comment: String.raw`\/\/`,
  long: [C_COMMENT],
  quotes: `"`,
  hasCharacters: true,
  brackets: ALL_BRACKETS,
} as const satisfies Lexis;
const HASH = String.raw`(?<![^\s;(])#`;
const GOES_ON = /^(?:(?:where|throws|extends|implements|with)\b|[:.?,=&|>]|->)/;

/** A text of the lines up to one that holds its name. */
function heredoc(open: string, close = String.raw`^\s*$1\s*$`): LongText {
  return { open, close, isHeredoc: true };
}

/** Words that a line begins with, or holds before a bracket, which is then no head of a method. */
const CONTROL = new Set(
  ("if for foreach while switch catch do else try return new throw synchronized using lock fixed " +
    "sizeof case goto delete assert await yield when match guard with unless until function " +
    "typeof in of elif elseif checked unchecked unsafe finally co_return co_await defer go select")
    .split(" "),
);

const SCRIPT_MODIFIERS =
  "export default declare abstract async public private protected static override readonly get set accessor";
const SCRIPT_TYPE = afterWords(
  SCRIPT_MODIFIERS,
  String.raw`class(?:\s|\{|$)|interface\s+\w|(?:const\s+)?enum\s+\w|namespace\s+\w|` +
    String.raw`module\s+["\w]|global\s*\{|type\s+[\w$]+[^=]*=`,
);
const SCRIPT_FUNCTION = afterWords(
  SCRIPT_MODIFIERS,
  String.raw`function\b\s*(?:\*\s*)?(?:[\w$]|\(|<|$)`,
);
const SCRIPT_METHOD = afterWords(
  SCRIPT_MODIFIERS,
  String.raw`(?:\*\s*)?(#?[\w$]+|\[[^\]]*\]|""|'')\??\s*(?:<[^(]*>)?\s*\(`,
);
/** A name that is given a value: a variable, a field, a property. */
const SCRIPT_NAME = afterWords(
  SCRIPT_MODIFIERS,
  String.raw`(?:const|let|var)\s+[\w$]+\s*[=:]|#?[\w$][\w$.]*\s*[=:](?![=>])|(?:""|'')\s*:`,
);
const SCRIPT_VALUE = /[=:]\s*(?:async\s+)?(?:function\b|class\b)/;
/** The parameters of a function with an arrow come right after the name or its type, or on a line of their own. */
const PARAMETERS = "\\s*(?:async\\b\\s*)?(?:\\(|<|[\\w$]+\\s*=>|$)";
const SCRIPT_ASSIGNED = new RegExp(`(?<![=!<>])=(?![=>])${PARAMETERS}`);
const SCRIPT_PROPERTY = new RegExp(`^(?!(?:export\\s+)?(?:const|let|var)\\s)[^=:]*:${PARAMETERS}`);
const SCRIPT_PARAMETERS_LINE = /^(?:(?:async\b\s*)?[<()}\]]|(?:async\s+)?[\w$]+\s*=>)/;

function scriptOpens({ head, before, owner }: Opener): Opening | undefined {
  if (SCRIPT_TYPE.test(head)) return "type";
  if (SCRIPT_FUNCTION.test(head)) return "function";
  const isArrow = before.endsWith("=>");
  if (SCRIPT_NAME.test(head)) {
    if (isArrow) {
      const isWhole = head.startsWith(before) || SCRIPT_PARAMETERS_LINE.test(before);
      const hasParameters = SCRIPT_ASSIGNED.test(head) || SCRIPT_PROPERTY.test(head);
      return isWhole && hasParameters ? "function" : undefined;
    }
    const value = SCRIPT_VALUE.exec(head)?.[0];
    if (value !== undefined) return value.endsWith("class") ? "type" : "function";
    return undefined;
  }
  if (isArrow) return /^export\s+default\b/.test(head) ? "function" : undefined;
  // Without a semicolon, a block may follow a call.
  if (before === "" && (owner !== "type" || !/\)(?:\s*:.*)?$/.test(head))) return undefined;
  if (/[=,(&|?:+]$/.test(before)) return undefined;
  const name = SCRIPT_METHOD.exec(head)?.[1];
  return name !== undefined && !CONTROL.has(name) ? "function" : undefined;
}

const SCRIPT: CodeLanguage = {
  structure: "braces",
  lexis: {
    comment: String.raw`\/\/`,
    long: [C_COMMENT, { open: "`", close: "`", escapes: true, interpolates: true }],
    quotes: `"'`,
    hasRegExps: true,
    brackets: ALL_BRACKETS,
  },
  opens: scriptOpens,
  looksLike: new RegExp(
    `${SCRIPT_FUNCTION.source}|^(?:export\\s+)?(?:class|interface|enum|(?:const|let|var)\\s+[\\w$]+\\s*=.*=>)\\b`,
  ),
  goesOn: GOES_ON,
};

const C_TYPE = afterWords(
  "public private protected internal static final abstract sealed partial data export " +
    "typedef unsafe readonly ref file strictfp non-sealed base interface mixin inline virtual new",
  String.raw`(class|struct|union|enum|@?interface|record|namespace|mixin|extension)\b(.*)`,
);
const C_HEAD = /^[\w\s:<>,&*~.[\]?@$]*[\w>]\s*$/;
const C_PROPERTY =
  /^(?:(?:public|private|protected|internal|static|virtual|override|abstract|new|readonly|required|sealed)\s+)+[\w<>[\],.? ]+$/;

/** Languages in which a function begins with its type and name, without a keyword. */
function cOpens({ head, before, indent, owner }: Opener): Opening | undefined {
  const text = withoutTemplate(head);
  const [, word, rest = ""] = C_TYPE.exec(text) ?? [];
  if (word !== undefined && (word === "record" || !/[=(]/.test(rest.replace(/\{.*/, "")))) {
    return "type";
  }
  if (/[=,(|&?]$/.test(before)) return undefined;
  const open = text.indexOf("(");
  if (open < 0) {
    return owner === "type" && C_PROPERTY.test(text.replace(/\s*\{.*/, ""))
      ? "function"
      : undefined;
  }
  const prefix = text.slice(0, open).replace(/\boperator\s*\S+\s*$/, "operator");
  if (!C_HEAD.test(prefix)) return undefined;
  const found = prefix.match(/[\w~]+/g) ?? [];
  if (found.some((word) => CONTROL.has(word))) return undefined;
  if (owner === "function") return undefined;
  if (found.length > 1) return "function";
  // A constructor, or a function of old whose type is `int` or on the line before.
  return owner === "type" || owner === "file" && indent === 0 ? "function" : undefined;
}

/** A head without the parameters of its template. */
function withoutTemplate(head: string): string {
  if (!/^template\s*</.test(head)) return head;
  let depth = 0;
  for (let at = head.indexOf("<"); at < head.length; at++) {
    if (head[at] === "<") depth++;
    else if (head[at] === ">" && --depth === 0) return head.slice(at + 1).trimStart();
  }
  return head;
}

const C_LOOKS =
  /^(?:(?:public|private|protected|static|export)\s+)*(?:class|struct|enum|interface|namespace)\s+\w+[^;]*\{|^(?:(?:public|private|protected|static|final|void|int|char|bool)\s+)+\w+\s*\(/;

function cLike(lexis: Partial<Lexis>): CodeLanguage {
  return {
    structure: "braces",
    lexis: { ...C_LIKE, ...lexis },
    opens: cOpens,
    looksLike: C_LOOKS,
    goesOn: GOES_ON,
  };
}

const C: CodeLanguage = {
  ...cLike({
    long: [C_COMMENT, { open: String.raw`\bu?8?[LRU]?R"(\w*)\(`, close: `)$1"` }],
    hasDirectives: true,
  }),
  label: /^(?:(?:public|private|protected|signals|Q_SIGNALS)(?:\s+\w+)?|[A-Za-z_]\w*)\s*:$/,
};

/** Java has fewer texts, and no line that begins with `#`. */
const C_SHARP = cLike({
  long: [C_COMMENT, TRIPLE, { open: String.raw`\$?@\$?"`, close: `"`, doubles: true }],
  hasDirectives: true,
});
const DART = cLike({
  long: [C_COMMENT, TRIPLE, TRIPLE_SINGLE],
  quotes: `"'`,
  hasCharacters: false,
});

/** For a jump: it stands where its function begins. */
const JUMP_LABEL = /^[A-Za-z_]\w*\s*:$/;

const CSS: CodeLanguage = {
  structure: "braces",
  lexis: {
    comment: String.raw`(?<!:)\/\/`,
    long: [C_COMMENT],
    quotes: `"'`,
    brackets: ALL_BRACKETS,
  },
  opens: ({ before }) => before === "" ? undefined : "type",
  looksLike: /\{$/,
  goesOn: /^$/,
};

const FENCE = /^ {0,3}(?:[-*+]\s+|\d+[.)]\s+|>\s?)*\s*(`{3,}|~{3,})/;
const MATTER_END = /^(?:---|\.\.\.)\s*$/;
const COMMENT_END = /-->(?!.*<!--)/;

/** Headings by `#`, and those that are underlined. */
function markdownSections(): Sections {
  let isFirst = true;
  /** What ends the front matter, the code or the comment that a line is in. */
  let end: RegExp | undefined;
  return (text, before) => {
    const mayBeMatter = isFirst;
    isFirst = false;
    if (end !== undefined) {
      if (end.test(text)) end = undefined;
      return undefined;
    }
    const [, fence] = FENCE.exec(text) ?? [];
    const hasComment = fence === undefined && text.includes("<!--");
    if (mayBeMatter && /^---\s*$/.test(text)) end = MATTER_END;
    else if (fence !== undefined) end = new RegExp(`^[\\s>]*${fence}[\`~]*\\s*$`);
    else if (hasComment && !COMMENT_END.test(text)) end = COMMENT_END;
    if (end !== undefined || hasComment) return undefined;
    // An indented one is in a list, which may end before the next heading.
    const [, hashes] = /^(#{1,6})(?:\s|$)/.exec(text) ?? [];
    if (hashes !== undefined) return { level: hashes.length - 1, back: 0 };
    const [, underline] = /^ {0,3}(={2,}|-{2,})\s*$/.exec(text) ?? [];
    const isTitle = /^[^\s\-=#>|*+`~<:]/.test(before) && !/^\d+[.)]\s/.test(before);
    if (underline === undefined || !isTitle) return undefined;
    return { level: underline.startsWith("=") ? 0 : 1, back: 1 };
  };
}

/** `[section]` lines, which do not nest. */
function bracketSections(): Sections {
  return (text) =>
    /^(?:\[[^[\]]+\]|\[\[[^[\]]+\]\])\s*(?:[#;].*)?$/.test(text)
      ? { level: 0, back: 0 }
      : undefined;
}

/** A language whose definitions begin with words. */
interface WordLanguage extends Partial<Lexis> {
  /** The ends of file names. */
  readonly ends: string;
  /** @default "indentation" */
  readonly structure?: CodeLanguage["structure"];
  /** What may stand before the words, parted by spaces. */
  readonly modifiers?: string;
  /** The forms of types and functions, as sources of expressions. */
  readonly types?: string;
  readonly functions?: string;
}

const BRACES = { ...C_LIKE, structure: "braces" } as const;

const WORD_LANGUAGES: readonly WordLanguage[] = [
  {
    ends: "py pyi pyx pxd pyw",
    long: [TRIPLE, TRIPLE_SINGLE],
    modifiers: "async cdef cpdef",
    types: String.raw`class\s+\w`,
    functions: String.raw`def\s+\w`,
  },
  {
    ends: "go",
    ...BRACES,
    long: [C_COMMENT, { open: "`", close: "`" }],
    types: String.raw`type\s+\w+.*\b(?:struct|interface)\b`,
    functions: String.raw`func\s+(?:\([^()]*\)\s*)?\w|(?:var\s+)?[\w.]+\s*:?=\s*func\b`,
  },
  {
    ends: "rs",
    ...BRACES,
    long: [
      NESTED_COMMENT,
      { open: String.raw`\bb?r(#*)"`, close: `"$1` },
      { open: `"`, close: `"`, escapes: true },
    ],
    quotes: "",
    modifiers: String.raw`pub(?:\([^()]*\))? const unsafe async default extern(?:\s*"")?`,
    types: String.raw`(?:struct|enum|union|trait|mod)\s+\w|impl\b|macro_rules!`,
    functions: String.raw`fn\s+\w`,
  },
  {
    ends: "kt kts",
    ...BRACES,
    long: [NESTED_COMMENT, TRIPLE],
    modifiers:
      "public private protected internal open abstract final sealed data inner enum annotation " +
      "companion override inline suspend operator infix tailrec external expect actual value fun",
    types: String.raw`(?:class|interface)\b|object\s+\w|companion\s+object\b`,
    functions: String.raw`fun\s+\S|constructor\s*\(`,
  },
  {
    ends: "swift",
    ...BRACES,
    long: [NESTED_COMMENT, TRIPLE],
    modifiers: String
      .raw`public private fileprivate(?:\(set\))? internal open final static class override ` +
      "mutating nonmutating convenience required indirect lazy nonisolated dynamic package distributed",
    types: String.raw`(?:class|struct|enum|protocol|extension|actor)\s+\w`,
    functions: String.raw`func\s+\S|init[?!]?\s*[<(]|deinit\b|subscript\s*[<(]`,
  },
  {
    ends: "php php3 php4 php5 phtml",
    structure: "braces",
    comment: String.raw`\/\/|#(?!\[)`,
    long: [C_COMMENT, heredoc(String.raw`<<<\s*["']?([A-Za-z_]\w*)["']?`, String.raw`^\s*$1\b`)],
    modifiers: "public private protected static final abstract readonly",
    types: String.raw`(?:class|interface|trait|enum|namespace)\s+\w`,
    functions: String.raw`function\s+&?\w`,
  },
  {
    ends: "rb rake gemspec ru cr",
    comment: HASH,
    long: [
      { open: String.raw`^=begin\b`, close: "=end" },
      heredoc("<<[~-]?[\"'`]?([A-Z_]\\w*)[\"'`]?"),
    ],
    hasRegExps: true,
    brackets: "()[]",
    modifiers: "private protected public private_class_method module_function",
    types: String.raw`(?:class|module)\s+\S`,
    functions: String.raw`def\s+\S`,
  },
  {
    ends: "sh bash zsh ksh",
    comment: HASH,
    long: [heredoc(
      String.raw`<<-?\s*["'\\]?([A-Z_][A-Z_0-9]*\b)["']?|<<-?["'\\]?([A-Za-z_]\w*)["']?`,
    )],
    brackets: "",
    functions: String.raw`(?:function\s+)?[\w:.-]+\s*\(\s*\)|function\s+[\w:.-]+`,
  },
  {
    ends: "lua",
    comment: String.raw`--(?!\[=*\[)`,
    long: [{ open: String.raw`(?:--)?\[(=*)\[`, close: "]$1]" }],
    brackets: "(){}",
    modifiers: "local",
    functions: String.raw`function\s+\w|[\w.]+\s*=\s*function\b`,
  },
  {
    ends: "ex exs",
    long: [
      TRIPLE,
      TRIPLE_SINGLE,
      { open: String.raw`~[a-zA-Z]\/`, close: "/", escapes: true },
      { open: String.raw`~[a-zA-Z]\|`, close: "|", escapes: true },
    ],
    types: String.raw`(?:defmodule|defimpl|defprotocol)\s`,
    functions: String.raw`(?:def|defp|defmacro|defmacrop)\s`,
  },
  {
    ends: "scala sc sbt",
    ...C_LIKE,
    long: [NESTED_COMMENT, TRIPLE],
    brackets: "()[]",
    modifiers: String
      .raw`private(?:\[\w+\])? protected(?:\[\w+\])? final sealed abstract override implicit ` +
      "lazy inline transparent open case opaque infix package",
    types: String.raw`(?:class|object|trait|enum|extension)\b`,
    functions: String.raw`def\s`,
  },
  {
    ends: "proto",
    ...BRACES,
    types: String.raw`(?:message|service|enum|extend|oneof)\s+\w`,
    functions: String.raw`rpc\s+\w`,
  },
];

function byWords(language: WordLanguage): CodeLanguage {
  const { structure = "indentation", modifiers = "(?!)", types = "(?!)", functions = "(?!)" } =
    language;
  const type = afterWords(modifiers, types);
  const called = afterWords(modifiers, functions);
  return {
    structure,
    lexis: { comment: "#", quotes: `"'`, brackets: ALL_BRACKETS, ...language },
    opens: ({ head }) => type.test(head) ? "type" : called.test(head) ? "function" : undefined,
    looksLike: afterWords(modifiers, `${types}|${functions}`),
    goesOn: GOES_ON,
    label: JUMP_LABEL,
  };
}

const TABLE: readonly [ends: string, SourceLanguage][] = [
  ["js jsx mjs cjs ts tsx mts cts", SCRIPT],
  ["c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc cu cuh ino", C],
  ["java cs", C_SHARP],
  ["dart groovy gradle", DART],
  ...WORD_LANGUAGES.map((language): [string, CodeLanguage] => [language.ends, byWords(language)]),
  ["css scss less", CSS],
  ["md markdown mdx mkd", { structure: "sections", newSections: markdownSections }],
  [
    "toml ini cfg conf desktop service gitconfig editorconfig",
    { structure: "sections", newSections: bracketSections },
  ],
];

const LANGUAGES: ReadonlyMap<string, SourceLanguage> = new Map(
  TABLE.flatMap(([ends, language]) =>
    ends.split(" ").map((end): [string, SourceLanguage] => [end, language])
  ),
);

/** The language of a file, by the end of its name. */
export function languageOf(path: string): SourceLanguage | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1] ?? "";
  return LANGUAGES.get(extension) ?? LANGUAGES.get(extension.toLowerCase());
}
