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

const C_COMMENT: LongText = { open: String.raw`\/\*`, close: "*/" };
const NESTED_COMMENT: LongText = { ...C_COMMENT, nests: true };
const C_LIKE: Lexis = {
  comment: String.raw`\/\/`,
  long: [C_COMMENT],
  quotes: `"`,
  hasCharacters: true,
  brackets: "{}()[]",
};
const TRIPLE: LongText = { open: `"""`, close: `"""`, escapes: true };
const GOES_ON = /^(?:where\b|throws\b|extends\b|implements\b|with\b|[:.?,=&|>]|->)/;

function anyWord(list: string): string {
  return `(?:${list.trim().split(/\s+/).join("|")})`;
}

/** A language whose definitions begin with words; `types` and `functions` are sources of expressions. */
function byWords(
  structure: CodeLanguage["structure"],
  lexis: Lexis,
  { modifiers = "", types, functions }: { modifiers?: string; types?: string; functions?: string },
): CodeLanguage {
  const before = modifiers === "" ? "^" : `^(?:${anyWord(modifiers)}\\s+)*`;
  const type = types === undefined ? undefined : new RegExp(`${before}(?:${types})`);
  const called = functions === undefined ? undefined : new RegExp(`${before}(?:${functions})`);
  const looksLike = new RegExp(
    [type, called].flatMap((form) => form === undefined ? [] : form.source).join("|"),
  );
  const opens = ({ head }: Opener) =>
    type?.test(head) ? "type" : called?.test(head) ? "function" : undefined;
  return { structure, lexis, opens, looksLike, goesOn: GOES_ON };
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
const SCRIPT_TYPE = new RegExp(
  `^(?:${
    anyWord(SCRIPT_MODIFIERS)
  }\\s+)*(?:class(?:\\s|\\{|$)|interface\\s+\\w|(?:const\\s+)?enum\\s+\\w|` +
    `namespace\\s+\\w|module\\s+["\\w]|global\\s*\\{|type\\s+[\\w$]+[^=]*=)`,
);
const SCRIPT_FUNCTION = new RegExp(
  `^(?:${anyWord(SCRIPT_MODIFIERS)}\\s+)*function\\b\\s*(?:\\*\\s*)?(?:[\\w$]|\\(|<|$)`,
);
const SCRIPT_METHOD = new RegExp(
  `^(?:${
    anyWord(SCRIPT_MODIFIERS)
  }\\s+)*(?:\\*\\s*)?(#?[\\w$]+|\\[[^\\]]*\\]|""|'')\\??\\s*(?:<[^(]*>)?\\s*\\(`,
);
/** A name that is given a value: a variable, a field, a property. */
const SCRIPT_NAME = new RegExp(
  `^(?:${
    anyWord(SCRIPT_MODIFIERS)
  }\\s+)*(?:(?:const|let|var)\\s+[\\w$]+\\s*[=:]|#?[\\w$][\\w$.]*\\s*[=:](?![=>])|` +
    `(?:""|'')\\s*:)`,
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
    brackets: "{}()[]",
  },
  opens: scriptOpens,
  looksLike: new RegExp(
    `${SCRIPT_FUNCTION.source}|^(?:export\\s+)?(?:class|interface|enum|(?:const|let|var)\\s+[\\w$]+\\s*=.*=>)\\b`,
  ),
  goesOn: GOES_ON,
};

const C_MODIFIERS =
  "public private protected internal static final abstract sealed partial data export " +
  "typedef unsafe readonly ref file strictfp non-sealed base interface mixin inline virtual new";
const C_TYPE = new RegExp(
  `^(?:${
    anyWord(C_MODIFIERS)
  }\\s+)*(class|struct|union|enum|@?interface|record|namespace|mixin|extension)\\b(.*)`,
);
const C_HEAD = /^[\w\s:<>,&*~.[\]?@$]*[\w>]\s*$/;
const C_PROPERTY =
  /^(?:(?:public|private|protected|internal|static|virtual|override|abstract|new|readonly|required|sealed)\s+)+[\w<>[\],.? ]+$/;

/** Languages whose functions have no word of their own: a type, a name and parameters. */
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

function cLike(lexis: Partial<Lexis>, label?: RegExp): CodeLanguage {
  return {
    structure: "braces",
    lexis: { ...C_LIKE, ...lexis },
    opens: cOpens,
    looksLike: C_LOOKS,
    goesOn: GOES_ON,
    ...(label && { label }),
  };
}

const C = cLike(
  {
    long: [C_COMMENT, { open: String.raw`\bu?8?[LRU]?R"(\w*)\(`, close: `)$1"` }],
    hasDirectives: true,
  },
  /^(?:(?:public|private|protected|signals|Q_SIGNALS)(?:\s+\w+)?|[A-Za-z_]\w*)\s*:$/,
);

const HASH = String.raw`(?<![^\s;(])#`;
const SCRIPT_HASH: Lexis = { comment: HASH, quotes: `"'`, brackets: "" };

const GO = byWords("braces", {
  ...C_LIKE,
  long: [C_COMMENT, { open: "`", close: "`" }],
}, {
  types: String.raw`type\s+\w+.*\b(?:struct|interface)\b`,
  functions: String.raw`func\s+(?:\([^()]*\)\s*)?\w|(?:var\s+)?[\w.]+\s*:?=\s*func\b`,
});

const RUST = byWords("braces", {
  ...C_LIKE,
  long: [
    NESTED_COMMENT,
    { open: String.raw`\bb?r(#*)"`, close: `"$1` },
    { open: `"`, close: `"`, escapes: true },
  ],
  quotes: "",
}, {
  modifiers: String.raw`pub(?:\([^()]*\))? const unsafe async default extern(?:\s*"")?`,
  types: String.raw`(?:struct|enum|union|trait|mod)\s+\w|impl\b|macro_rules!`,
  functions: String.raw`fn\s+\w`,
});

const KOTLIN = byWords("braces", { ...C_LIKE, long: [NESTED_COMMENT, TRIPLE] }, {
  modifiers:
    "public private protected internal open abstract final sealed data inner enum annotation companion " +
    "override inline suspend operator infix tailrec external expect actual value fun",
  types: String.raw`(?:class|interface)\b|object\s+\w|companion\s+object\b`,
  functions: String.raw`fun\s+\S|constructor\s*\(`,
});

const SWIFT = byWords("braces", { ...C_LIKE, long: [NESTED_COMMENT, TRIPLE] }, {
  modifiers: String
    .raw`public private fileprivate(?:\(set\))? internal open final static class override mutating ` +
    "nonmutating convenience required indirect lazy nonisolated dynamic package distributed",
  types: String.raw`(?:class|struct|enum|protocol|extension|actor)\s+\w`,
  functions: String.raw`func\s+\S|init[?!]?\s*[<(]|deinit\b|subscript\s*[<(]`,
});

const PHP = byWords("braces", {
  comment: String.raw`\/\/|#(?!\[)`,
  long: [
    C_COMMENT,
    {
      open: String.raw`<<<\s*["']?([A-Za-z_]\w*)["']?`,
      close: String.raw`^\s*$1\b`,
      isHeredoc: true,
    },
  ],
  quotes: `"'`,
  brackets: "{}()[]",
}, {
  modifiers: "public private protected static final abstract readonly",
  types: String.raw`(?:class|interface|trait|enum|namespace)\s+\w`,
  functions: String.raw`function\s+&?\w`,
});

const PYTHON = byWords("indentation", {
  comment: "#",
  long: [
    { open: `[rRbBuUfF]{0,2}"""`, close: `"""`, escapes: true },
    { open: "[rRbBuUfF]{0,2}'''", close: "'''", escapes: true },
  ],
  quotes: `"'`,
  brackets: "{}()[]",
}, {
  modifiers: "async cdef cpdef",
  types: String.raw`class\s+\w`,
  functions: String.raw`def\s+\w`,
});

const RUBY_HEREDOC: LongText = {
  open: String.raw`<<[~-]?["'` + "`" + String.raw`]?([A-Z_]\w*)["'` + "`]?",
  close: String.raw`^\s*$1\s*$`,
  isHeredoc: true,
};
const RUBY = byWords("indentation", {
  comment: HASH,
  long: [{ open: "^=begin\\b", close: "=end" }, RUBY_HEREDOC],
  quotes: `"'`,
  hasRegExps: true,
  brackets: "()[]",
}, {
  modifiers: "private protected public private_class_method module_function",
  types: String.raw`(?:class|module)\s+\S`,
  functions: String.raw`def\s+\S`,
});

const PERL = byWords("indentation", {
  ...SCRIPT_HASH,
  long: [{ open: String.raw`^=[a-z]\w*`, close: "=cut" }, {
    open: String.raw`<<~?["']?([A-Z_]\w*)["']?`,
    close: String.raw`^\s*$1\s*$`,
    isHeredoc: true,
  }],
}, {
  functions: String.raw`(?:sub|method)\s+\w`,
  types: String.raw`(?:package|class|role)\s+[\w:]+\s*\{`,
});

const SHELL = byWords("indentation", {
  ...SCRIPT_HASH,
  long: [{
    open: String.raw`<<-?\s*["'\\]?([A-Z_][A-Z_0-9]*\b)["']?|<<-?["'\\]?([A-Za-z_]\w*)["']?`,
    close: String.raw`^\s*$1\s*$`,
    isHeredoc: true,
  }],
}, { functions: String.raw`(?:function\s+)?[\w:.-]+\s*\(\s*\)|function\s+[\w:.-]+` });

const LUA = byWords("indentation", {
  comment: String.raw`--(?!\[=*\[)`,
  long: [{ open: String.raw`(?:--)?\[(=*)\[`, close: "]$1]" }],
  quotes: `"'`,
  brackets: "(){}",
}, {
  modifiers: "local",
  functions: String.raw`function\s+\w|[\w.]+\s*=\s*function\b`,
});

const ELIXIR = byWords("indentation", {
  comment: "#",
  long: [
    TRIPLE,
    { open: "'''", close: "'''", escapes: true },
    { open: String.raw`~[a-zA-Z]\/`, close: "/", escapes: true },
    { open: String.raw`~[a-zA-Z]\|`, close: "|", escapes: true },
  ],
  quotes: `"'`,
  brackets: "(){}[]",
}, {
  types: String.raw`(?:defmodule|defimpl|defprotocol)\s`,
  functions: String.raw`(?:def|defp|defmacro|defmacrop)\s`,
});

const JULIA = byWords("indentation", {
  comment: "#",
  long: [{ open: "#=", close: "=#" }, TRIPLE],
  quotes: `"`,
  hasCharacters: true,
  brackets: "(){}[]",
}, {
  types: String.raw`(?:module|baremodule|struct|mutable\s+struct)\s`,
  functions: String.raw`(?:function|macro)\s`,
});

const SCALA = byWords("indentation", {
  ...C_LIKE,
  long: [NESTED_COMMENT, TRIPLE],
  brackets: "()[]",
}, {
  modifiers: String
    .raw`private(?:\[\w+\])? protected(?:\[\w+\])? final sealed abstract override implicit lazy inline ` +
    "transparent open case opaque infix package",
  types: String.raw`(?:class|object|trait|enum|extension)\b`,
  functions: String.raw`def\s`,
});

const ZIG = byWords("braces", C_LIKE, {
  modifiers: "pub export inline noinline extern",
  types: String.raw`const\s+\w+\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union|opaque)\b`,
  functions: String.raw`fn\s+\w`,
});

const R = byWords("braces", { comment: "#", quotes: `"'`, brackets: "{}()[]" }, {
  functions: String.raw`[\w.$@]+\s*(?:<<?-|=)\s*function\b`,
});

const PROTO = byWords("braces", C_LIKE, {
  types: String.raw`(?:message|service|enum|extend|oneof)\s+\w`,
  functions: String.raw`rpc\s+\w`,
});

const CSS: CodeLanguage = {
  structure: "braces",
  lexis: { comment: String.raw`(?<!:)\/\/`, long: [C_COMMENT], quotes: `"'`, brackets: "{}()[]" },
  opens: ({ before }) => before === "" ? undefined : "type",
  looksLike: /\{$/,
  goesOn: /^$/,
};

/** Headings by `#`, and those that are underlined. */
function markdownSections(): Sections {
  let fence = "";
  let inComment = false;
  let line = 0;
  let inMatter = false;
  return (text, before) => {
    const first = line++ === 0;
    if (first && /^---\s*$/.test(text)) inMatter = true;
    else if (inMatter) {
      inMatter = !/^(?:---|\.\.\.)\s*$/.test(text);
      return undefined;
    }
    if (inMatter) return undefined;
    const [, mark = ""] = /^ {0,3}(?:[-*+]\s+|\d+[.)]\s+|>\s?)*\s*(`{3,}|~{3,})/.exec(text) ?? [];
    if (fence !== "") {
      if (mark.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(text)) fence = "";
      return undefined;
    }
    if (mark !== "" && !inComment) {
      fence = mark;
      return undefined;
    }
    if (inComment || text.includes("<!--")) {
      inComment = text.lastIndexOf("-->") < text.lastIndexOf("<!--") ||
        inComment && !text.includes("-->");
      return undefined;
    }
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
    /^\[[^[\]]+\]\s*(?:[#;].*)?$|^\[\[[^[\]]+\]\]\s*(?:#.*)?$/.test(text)
      ? { level: 0, back: 0 }
      : undefined;
}

const TABLE: readonly [extensions: string, SourceLanguage][] = [
  ["js jsx mjs cjs ts tsx mts cts", SCRIPT],
  ["c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc cu cuh ino", C],
  ["java", cLike({ long: [TRIPLE, C_COMMENT] })],
  [
    "cs",
    cLike({
      long: [C_COMMENT, TRIPLE, { open: String.raw`\$?@\$?"`, close: `"`, doubles: true }],
      hasDirectives: true,
    }),
  ],
  [
    "dart",
    cLike({
      long: [C_COMMENT, TRIPLE, { open: "'''", close: "'''" }],
      quotes: `"'`,
      hasCharacters: false,
    }),
  ],
  [
    "groovy gradle",
    cLike({
      long: [C_COMMENT, TRIPLE, { open: "'''", close: "'''" }],
      quotes: `"'`,
      hasCharacters: false,
    }),
  ],
  ["go", GO],
  ["rs", RUST],
  ["kt kts", KOTLIN],
  ["swift", SWIFT],
  ["php php3 php4 php5 phtml", PHP],
  ["py pyi pyx pxd pyw", PYTHON],
  ["rb rake gemspec ru cr", RUBY],
  ["pl pm t", PERL],
  ["sh bash zsh ksh", SHELL],
  ["lua", LUA],
  ["ex exs", ELIXIR],
  ["jl", JULIA],
  ["scala sc sbt", SCALA],
  ["zig", ZIG],
  ["r R", R],
  ["proto", PROTO],
  ["css scss less", CSS],
  ["md markdown mdx mkd", { structure: "sections", newSections: markdownSections }],
  ["toml ini cfg conf desktop service gitconfig editorconfig", {
    structure: "sections",
    newSections: bracketSections,
  }],
];

const LANGUAGES: ReadonlyMap<string, SourceLanguage> = new Map(
  TABLE.flatMap(([extensions, language]) =>
    extensions.split(" ").map((extension): [string, SourceLanguage] => [extension, language])
  ),
);

/** The language of a file, by the end of its name. */
export function languageOf(path: string): SourceLanguage | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1] ?? "";
  return LANGUAGES.get(extension) ?? LANGUAGES.get(extension.toLowerCase());
}
