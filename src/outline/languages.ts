/**
 * What the recogniser knows of each language, by the ends of file names: where its code is, and the words
 * and forms that open a definition.
 *
 * Only words and forms that can hardly mean anything else are listed.
 *
 * @module
 */

import type { Lexis, LongText } from "./code_lexer.ts";
import { byScript, byTypes, byWords, type HeadWords, type Opens } from "./heads.ts";

const r = String.raw;

export interface CodeLanguage extends Lexis {
  /** Whether brackets say what is in a body, or indentation alone. */
  readonly structure: "braces" | "indentation";
  readonly opens: Opens;
  /** A line that goes on with a statement although it is not indented. */
  readonly goesOn?: RegExp;
  /** A line that is neither a statement nor a part of one, besides `case`. */
  readonly label?: RegExp;
  /** A line in a type that may be indented as its head is. */
  readonly outdented?: RegExp;
  /** Whether a line of its own closes a definition, as `end` does. @default false */
  readonly closes?: boolean;
  /** The end of a line or statement after which an expression is the body. */
  readonly arrow?: RegExp;
  /** A statement after which a brace is not its body, besides those that are not finished. */
  readonly part?: RegExp;
  /** A definition in round brackets, by the code before its own. */
  readonly inner?: RegExp;
  /** Words before a round bracket that holds statements, which they begin. */
  readonly group?: RegExp;
  /** A function whose parameters are declared on the lines before its body: its first line, and those. */
  readonly oldHead?: readonly [head: RegExp, declaration: RegExp];
}

/** Languages with headings or sections. */
export type SectionLanguage =
  | { readonly structure: "markdown" }
  | Lexis & { readonly structure: "sections" };

export type SourceLanguage = CodeLanguage | SectionLanguage;

const ALL_BRACKETS = "{}()[]";
const ESCAPED = r`\\.`;
const C_COMMENT: LongText = { open: r`\/\*`, close: r`\*\/`, isComment: true };
const NESTED_COMMENT: LongText = { ...C_COMMENT, nest: r`\/\*` };
const TRIPLE: LongText = { open: `"""`, close: `"""`, skip: ESCAPED };
const TRIPLE_SINGLE: LongText = { open: "'''", close: "'''", skip: ESCAPED };
const HASH = r`(?<![^\s;(])#.*`;

/** A text of the lines up to one that holds its name. */
function heredoc(open: string, close = r`^\s*$1\s*$`): LongText {
  return { open, close, isHeredoc: true };
}

const BRACES = {
  structure: "braces",
  comment: r`\/\/.*`,
  long: [C_COMMENT],
  quotes: `"`,
  hasCharacters: true,
  brackets: ALL_BRACKETS,
  goesOn: /^(?:(?:where|throws|extends|implements|with)\b|[:?,=&|>]|\.(?!\.)|->)/,
  /** For a jump: it stands where its function begins. */
  label: /^[A-Za-z_]\w*\s*:$/,
} as const satisfies Partial<CodeLanguage>;

const INDENTED = {
  structure: "indentation",
  comment: HASH,
  quotes: `"'`,
  brackets: ALL_BRACKETS,
} as const satisfies Partial<CodeLanguage>;

const ARROW = /=>\s*$/;

/** A name that is given a value, and its type. */
const VARIABLE = r`(?:(?:const|let|var)\s+)?(#?[\w$][\w$.]*)\s*(?::.*?)?(?<![=!<>])=(?![=>])\s*`;
const PROPERTY = r`([\w$]+|""|'')\s*:\s*`;
const SIGNATURE = r`\s*(?:<.*>)?\s*\(\)(?:\s*:.*)?$`;
const FUNCTION = r`(?:async\s+)?function\b\s*\*?\s*[\w$]*` + SIGNATURE;
/** Its parameters come right after the name or its type. */
const ARROW_FUNCTION =
  r`(?=.*=>$)(?:(?:async\b\s*)?(?:<[^=()]*>)?\s*(?:\(\)(?:\s*:.*)?|[\w$]+)\s*=>\s*)+$`;

const SCRIPT_WORDS: HeadWords = {
  modifiers:
    "export default declare abstract async public private protected static override readonly get set accessor",
  types: [
    r`class\b(?!\s*[=:(.,?])(?:\s+(?!(?:extends|implements)\b)([\w$]+))?`,
    r`interface\s+([\w$]+)`,
    r`(?:const\s+)?enum\s+([\w$]+)$`,
    r`(?:namespace|module)\s+([\w$.]+|""|'')$`,
    r`(global)$`,
    r`type\s+([\w$]+)\s*(?:<.*>)?\s*=`,
    VARIABLE + r`class\b`,
  ],
  functions: [
    r`function\b\s*\*?\s*([\w$]*)` + SIGNATURE,
    r`return\s+(?:async\s+)?function\s*\*?\s*([\w$]+)` + SIGNATURE,
    VARIABLE + r`(?:[\w$.]+\s*=\s*)*` + FUNCTION,
    VARIABLE + ARROW_FUNCTION,
  ],
};
const SCRIPT_PROPERTIES: HeadWords = {
  functions: [PROPERTY + FUNCTION, PROPERTY + ARROW_FUNCTION],
};

const C_TYPE_MODIFIERS =
  "public private protected internal static final abstract sealed partial data typedef unsafe readonly " +
  "ref file strictfp non-sealed base interface mixin inline virtual new export extern const";
const JAVA_BASES = r`(?:<.*>)?(?:\s+(?:extends|implements|permits)\s.*)?$`;
const CONTROL = "if for while switch catch else do return throw case new assert";
const C_SHARP_MODIFIERS =
  "public|private|protected|internal|static|virtual|override|abstract|new|readonly|required|sealed|event|unsafe|extern|partial";
/** What may follow the parameters of C++: qualifiers, a type, and what initialises members. */
const C_TAIL =
  r`(?:\s*(?:const|noexcept(?:\(\))?|override|final|volatile|mutable|throw\(\)|try|&|` +
  r`__attribute__\s*\(\)|\[\]|[A-Z_][A-Z_0-9]+(?:\(\))?)(?!\w))*` +
  r`(?:\s*->\s*[\w:<>,*& ()]+)?(?:\s*requires\s[^{}]*)?` +
  r`(?:\s*:(?!:)\s*(?:[\w:]+(?:<[^()]*>)?\s*(?:\(\)|\{\})(?:\.\.\.)?\s*,?\s*)+)?` +
  // Parameters of old.
  r`(?:\s+[\w\s*,[\]()]+;)*`;

const BRACE_LANGUAGES: Readonly<Record<string, Partial<CodeLanguage> & { opens: Opens }>> = {
  "js jsx mjs cjs ts tsx mts cts": {
    long: [C_COMMENT, { open: "`", close: "`", skip: ESCAPED, interpolates: true }],
    quotes: `"'`,
    hasCharacters: false,
    hasRegExps: true,
    opens: byScript(SCRIPT_WORDS, SCRIPT_PROPERTIES, "if for while switch catch function"),
    arrow: ARROW,
    inner:
      /(?:^|[\s(,:=[])(?:async\s+)?function\s*\*?\s*([\w$]+)\s*\([^()]*\)(?:\s*:\s*[\w<>[\]$.|\s]+)?\s*$/,
  },
  "c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc cu cuh ino": {
    long: [C_COMMENT, { open: r`\bu?8?[LRU]?R"(\w*)\(`, close: r`\)$1"` }],
    directive: r`^\s*#`,
    opens: byTypes({
      modifiers: C_TYPE_MODIFIERS,
      types: [
        r`(?:class|struct|union|enum(?:\s+(?:class|struct))?)\b(?:\s+(?:\w+\s*\(\)|\[\]))*` +
        r`(?:\s+(?:[A-Z_][A-Z_0-9]+\s+)?([\w:]+)(?:<.*>)?(?:\s+final)?)?\s*(?::(?!:).*)?$`,
        r`namespace(?:\s+(?:[A-Z_][A-Z_0-9]+\s+)?([\w:]+))?$`,
        r`extern\s*""$`,
      ],
      tail: C_TAIL,
      control: "if for while switch catch else do return case goto",
      hasBareNames: true,
    }),
    label: /^(?:(?:public|private|protected|signals|Q_SIGNALS)(?:\s+\w+)?|[A-Za-z_]\w*)\s*:$/,
    part: /\)\s*(?:noexcept\s*)?:(?!:).*[\w>]$/,
    oldHead: [
      /^(?:\w+[\s*]+)*\w+\s*\(\)(?:\s+[\w\s*,[\]()]+;)*$/,
      /^(?:\w+[\s*]+)+[\w\s*,[\]()]+;$/,
    ],
  },
  "java": {
    long: [C_COMMENT, TRIPLE],
    opens: byTypes({
      modifiers: C_TYPE_MODIFIERS,
      types: [
        r`(?:class|@?interface|enum)\s+([\w$]+)` + JAVA_BASES,
        r`record\s+([\w$]+)(?:<.*>)?\s*\(\)` + JAVA_BASES,
      ],
      tail: r`(?:\[\])*(?:\s*throws\s[\w.,\s]+)?`,
      control: CONTROL,
      hasLocal: true,
    }),
  },
  "cs": {
    long: [C_COMMENT, TRIPLE, { open: r`\$?@\$?"`, close: `"`, skip: `""` }],
    directive: r`^\s*#`,
    opens: byTypes({
      modifiers: C_TYPE_MODIFIERS,
      types: [
        r`(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?)\s+(?!(?:switch|with|is|as|new)\b)(\w+)` +
        r`(?:<.*>)?\s*(?:\(\))?\s*(?::.*)?(?:\s*where\s.*)?$`,
        r`namespace\s+([\w.]+)$`,
      ],
      property: `^(?:(?:${C_SHARP_MODIFIERS})\\s+)+` +
        r`[\w<>[\],.?*() ]*?\s(?:[\w.<>]+\.)?(\w+)\s*(?:\[\])?\s*(?:=>)?$`,
      tail: r`(?:\s*:\s*(?:base|this)\s*\(\))?(?:\s*where\s.*?)?(?:\s*=>)?`,
      control: `${CONTROL} foreach lock using fixed goto checked unchecked unsafe is as`,
      allowed: "new unsafe",
      hasLocal: true,
    }),
    arrow: ARROW,
  },
  "dart": {
    long: [C_COMMENT, TRIPLE, TRIPLE_SINGLE],
    quotes: `"'`,
    hasCharacters: false,
    opens: byTypes({
      modifiers: C_TYPE_MODIFIERS,
      types: [
        r`(?:class|mixin|enum|extension)\s+(?:class\s+|type\s+(?:const\s+)?)?(\w+)(?:<.*>)?\s*(?:\(\))?` +
        r`(?:\s*(?:extends|with|implements|on)\s.*)?$`,
      ],
      property: r`^(?:[\w<>?,.\s]+\s)?get\s+(\w+)(?:\s+(?:async|sync)\*?)?\s*(?:=>)?$`,
      tail: r`(?:\s*:(?!:)[^{}]*)?(?:\s*(?:async|sync)\*?)?(?:\s*=>)?`,
      control: `${CONTROL} await`,
      hasLocal: true,
    }),
    arrow: ARROW,
  },
  "groovy gradle": {
    long: [C_COMMENT, TRIPLE, TRIPLE_SINGLE],
    quotes: `"'`,
    hasCharacters: false,
    opens: byTypes({
      modifiers: C_TYPE_MODIFIERS,
      types: [r`(?:class|@?interface|trait|enum|record)\s+(\w+)(?:\(\))?` + JAVA_BASES],
      tail: r`(?:\s*throws\s[\w.,\s]+)?`,
      control: CONTROL,
      hasLocal: true,
    }),
  },
  "go": {
    long: [C_COMMENT, { open: "`", close: "`" }],
    opens: byWords({
      types: [r`type\s+(\w+)\b.*\b(?:struct|interface)$`],
      functions: [
        r`func\s+(?:\(\)\s*)?(\w+)(?!.*\b(?:struct|interface)$)`,
        r`(?:var\s+)?([\w.]+)(?:\s+func\(\)[^=]*)?\s*:?=\s*func\b(?!.*\b(?:struct|interface)$)`,
      ],
    }),
    group: /^(?:type|var)$/,
    part: /\b(?:struct|interface)$/,
  },
  "rs": {
    long: [
      NESTED_COMMENT,
      { open: r`\bb?c?r(#*)"`, close: `"$1` },
      { open: `"`, close: `"`, skip: ESCAPED },
    ],
    quotes: "",
    opens: byWords({
      modifiers: r`pub(?:\(\))? const unsafe async default extern(?:\s*"")?`,
      types: [
        r`(?:struct|enum|union|trait|mod)\s+(\w+)`,
        r`impl\b(?!\s*=)(?:.*?\bfor\s+)?\s*(?:<.*?>\s*)?([\w:]*)`,
        r`macro_rules!\s*(\w+)`,
      ],
      functions: [r`fn\s+(\w+)`],
    }),
  },
  "kt kts": {
    long: [NESTED_COMMENT, TRIPLE],
    opens: byWords({
      modifiers:
        "public private protected internal open abstract final sealed data inner enum annotation " +
        "companion override inline suspend operator infix tailrec external expect actual value fun",
      types: [
        r`(?:class|interface)\s+([\w$]+|\x60.*?\x60)`,
        r`object\s+(\w+)`,
        r`companion\s+(object)\b`,
      ],
      functions: [
        r`fun\s+(?:<.*?>\s*)?(?:[^=]*?\.)?(\w+|\x60[^\x60]*\x60)\s*\(\)`,
        r`(constructor)\s*\(\)`,
      ],
    }),
    arrow: /(?<![=!<>+*/%-])=\s*$/,
  },
  "swift": {
    long: [NESTED_COMMENT, TRIPLE, {
      open: r`^\s*#if\s+false\b`,
      close: r`^\s*#(?:endif|else|elseif)\b`,
      nest: r`^\s*#if\b`,
    }],
    directive: r`^\s*#(?:if|else|elseif|endif|warning|error|sourceLocation)\b`,
    opens: byWords({
      modifiers: r`public private fileprivate(?:\(\))? internal open final static class override ` +
        "mutating nonmutating convenience required indirect lazy nonisolated dynamic package distributed",
      types: [
        r`(?:class|struct|enum|protocol|extension|actor)\s+(?!(?:func|var|let|subscript|override)\b)([\w.]+)`,
      ],
      functions: [
        r`func\s+([^\s(<]+|[<=>]+)\s*(?:<.*>)?\s*\(\)`,
        r`(init)[?!]?\s*(?:<.*>)?\s*\(\)`,
        r`(deinit)$`,
        r`(subscript)\s*(?:<.*>)?\s*\(\)`,
      ],
    }),
  },
  "php php3 php4 php5 phtml": {
    first: { open: "", close: r`<\?(?:php\b|=|hh\b)` },
    comment: r`(?:\/\/|#(?!\[)).*?(?=\?>|$)`,
    long: [
      C_COMMENT,
      { open: r`\?>`, close: r`<\?(?:php\b|=|(?!xml)(?=\s))` },
      heredoc(r`<<<\s*["']?([A-Za-z_]\w*)["']?`, r`^\s*$1\b`),
    ],
    quotes: `"'`,
    spanning: `"'`,
    hasCharacters: false,
    opens: byWords({
      modifiers: "public private protected static final abstract readonly",
      types: [r`(?:class|interface|trait|enum|namespace)\s+([\w\\]+)`],
      functions: [r`function\s+&?\s*(\w+)\s*\(\)`],
    }),
  },
  "proto": {
    opens: byWords({
      types: [r`(?:message|service|enum|extend|oneof)\s+([\w.]+)`],
      functions: [r`rpc\s+(\w+)`],
    }),
  },
  "css scss less": {
    comment: r`(?<!:)\/\/.*`,
    quotes: `"'`,
    hasCharacters: false,
    opens: ({ text }) => text === "" ? undefined : { kind: "type", name: text },
    goesOn: /^$/,
  },
};

const INDENTED_LANGUAGES: Readonly<Record<string, Partial<CodeLanguage> & { opens: Opens }>> = {
  "py pyi pyx pxd pyw": {
    long: [TRIPLE, TRIPLE_SINGLE],
    opens: byWords({
      modifiers: "async cdef cpdef",
      types: [r`class\s+(\w+)`],
      functions: [r`def\s+(\w+)`],
    }),
  },
  "rb rake gemspec ru cr": {
    long: [
      { open: r`^=begin\b`, close: "^=end", isComment: true },
      { open: "^__END__$", close: "(?!)" },
      { open: r`(?<=[=(,]\s*)\/$`, close: r`^\s*\/` },
      heredoc(r`<<[~-]?(?:"([^"]+)"|'([^']+)'|\x60([^\x60]+)\x60|([A-Z_]\w*))|<<[~-]([a-z]\w*)`),
      {
        open: r`(?<![\w)\]}])%[qQwWiIrsx][([{<|!/]|(?<![\w)\]}]\s?)%[([{<](?!\s)`,
        close: "$c",
        nest: "$o",
        skip: ESCAPED,
      },
    ],
    spanning: `"'`,
    skip: r`(?<![\w)\]}])\?["'#/\x60](?!\w)`,
    hasRegExps: "words",
    brackets: "()[]",
    opens: byWords({
      modifiers: "private protected public private_class_method module_function",
      types: [r`class\s+(<<\s*\w+|[A-Z][\w:]*)`, r`module\s+([A-Z][\w:]*)`],
      // Whatever is called with it: `memoize def f`.
      functions: [r`(?:[a-z_]\w*[ (]\s*)?def\s+(?:[\w.]+\.)?([^\s(;.]+)`],
    }),
    goesOn: /^(?:rescue|ensure|else|elsif|when|in)\b/,
    outdented: /^(?:private|protected|public)$/,
    closes: true,
  },
  "sh bash zsh ksh": {
    long: [heredoc(
      r`(?<![<(]|\(\(.*)<<-?\s*(?:"([^"]+)"|'([^']+)'|\\?([A-Z_]\w*\b))|(?<![<(]|\(\(.*)<<-?\\?([A-Za-z_][\w.-]*)`,
    )],
    spanning: `"'`,
    skip: r`\\.|\$'(?:[^'\\]|\\.)*'|'[^'\\]*\\'`,
    brackets: "",
    closes: true,
    opens: byWords({
      functions: [r`(?:function\s+)?([\w:.-]+)\s*\(\s*\)`, r`function\s+([\w:.-]+)`],
    }),
  },
  "lua": {
    comment: r`--(?!\[=*\[).*`,
    long: [{ open: r`(?:--)?\[(=*)\[`, close: r`\]$1\]` }],
    brackets: "(){}",
    closes: true,
    opens: byWords({
      modifiers: "local",
      functions: [r`function\s+([\w.:]+)`, r`([\w.]+)\s*=\s*function\b`],
    }),
  },
  "ex exs": {
    long: [
      { open: `(?:~[a-zA-Z]+)?"""`, close: `"""`, skip: ESCAPED },
      { open: "(?:~[a-zA-Z]+)?'''", close: "'''", skip: ESCAPED },
      { open: r`~[a-zA-Z]+[([{<|/"']`, close: "$c", skip: ESCAPED },
    ],
    spanning: `"`,
    skip: r`(?<![\w)\]}])\?\\?["'#]`,
    opens: byWords({
      types: [r`(?:defmodule|defimpl|defprotocol)\s+([\w.]+)`],
      functions: [r`(?:def|defp|defmacro|defmacrop)\s+(?![=|])([^\s(,]*)`],
    }),
    goesOn: /^(?:rescue|after|catch|else)\b/,
    closes: true,
  },
  "scala sc sbt": {
    ...BRACES,
    structure: "indentation",
    long: [NESTED_COMMENT, TRIPLE],
    brackets: "()[]",
    opens: byWords({
      modifiers:
        r`private(?:\[\w+\])? protected(?:\[\w+\])? final sealed abstract override implicit ` +
        "lazy inline transparent open case opaque infix package",
      types: [r`(?:class|object|trait|enum)\s+([\w$]+|\x60.*?\x60)`, r`(extension)\s*[[(]`],
      functions: [r`def\s+([^\s([:=]+)`],
    }),
  },
};

const CODE = (base: Partial<CodeLanguage>, rows: typeof BRACE_LANGUAGES) =>
  Object.entries(rows).map(([ends, row]): [string, SourceLanguage] => [
    ends,
    { ...base, ...row } as CodeLanguage,
  ]);

const TABLE: readonly [ends: string, SourceLanguage][] = [
  ...CODE(BRACES, BRACE_LANGUAGES),
  ...CODE(INDENTED, INDENTED_LANGUAGES),
  ["md markdown mdx mkd", { structure: "markdown" }],
  ["toml", {
    structure: "sections",
    comment: "#.*",
    long: [TRIPLE, TRIPLE_SINGLE],
    quotes: `"'`,
    brackets: "[]{}",
  }],
  [
    "ini cfg conf desktop service gitconfig editorconfig",
    { structure: "sections", comment: "^[#;].*", quotes: "", brackets: "" },
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

/** Whether a language has definitions, not only sections. */
export function isCode({ structure }: SourceLanguage): boolean {
  return structure === "braces" || structure === "indentation";
}
