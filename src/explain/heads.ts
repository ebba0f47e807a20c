/**
 * Tells whether a statement opens a definition, by its text up to the bracket of its body.
 *
 * What is missing costs a line of an answer, what is wrong misleads its reader: forms are narrow.
 *
 * @module
 */

/** What a statement opens. */
export interface Opening {
  readonly kind: "type" | "function";
  /** Empty where it has none, as in `impl` and `export default`. */
  readonly name: string;
}

/** The beginning of a statement that may open something. */
export interface Opener {
  /** The statement up to the bracket, with what brackets and quotes hold taken out: `f()` for `f(a, b)`. */
  readonly text: string;
  /** What it stands in; `undefined` in a block that is no definition, or the file. */
  readonly owner: Opening | undefined;
  /** Whether it stands in nothing at all. */
  readonly isOutermost: boolean;
  /** Whether the bracket is the first character of its line. */
  readonly isApart: boolean;
  /** The columns before it. */
  readonly indent: number;
}

export type Opens = (opener: Opener) => Opening | undefined;

/** HeadWords and forms that open a definition; the first group of a form is the name. */
export interface HeadWords {
  /** What may stand before the forms, as sources of expressions, parted by spaces. */
  readonly modifiers?: string;
  readonly types?: readonly string[];
  readonly functions?: readonly string[];
}

const r = String.raw;

type HeadForm = readonly [kind: Opening["kind"], form: RegExp];

function headForms({ modifiers = "(?!)", types = [], functions = [] }: HeadWords): HeadForm[] {
  const words = `^(?:(?:${modifiers.split(" ").join("|")})\\s+)*`;
  const form = (kind: Opening["kind"]) => (source: string): HeadForm => [
    kind,
    new RegExp(`${words}(?:${source})`),
  ];
  return [...functions.map(form("function")), ...types.map(form("type"))];
}

function opened(forms: readonly HeadForm[], text: string): Opening | undefined {
  for (const [kind, form] of forms) {
    const found = form.exec(text);
    if (found !== null) return { kind, name: /\w/.test(found[1] ?? "") ? found[1]! : "" };
  }
  return undefined;
}

/** Languages whose definitions begin with a word of their own. */
export function byWords(words: HeadWords): Opens {
  const forms = headForms(words);
  return ({ text }) => opened(forms, text);
}

/** The end of a text after which an expression or a type goes on: a bracket does not open a body. */
export const UNFINISHED = /[=:<|&,(?+]$|\b(?:extends|implements|is|as|keyof)$/;
const ALIAS = /^(?:(?:export|declare)\s+)*type\s/;

/** JavaScript and what is like it: methods have no word, functions may be values. */
export function byScript(words: HeadWords, properties: HeadWords, control: string): Opens {
  const forms = headForms(words);
  const inObjects = [...forms, ...headForms(properties)];
  const functions = [
    r`\*?\s*(#?[\w$]+|\[\]|""|'')\??\s*(?:<.*>)?\s*\(\)\s*(?::(?!.*=>$).*)?$`,
  ];
  const method = headForms({ ...words, types: [], functions });
  const excluded = new Set(control.split(" "));
  return ({ text, owner, isApart }) => {
    const isUnfinished = UNFINISHED.test(text);
    if (isUnfinished && !ALIAS.test(text)) return undefined;
    // In a type, `a: () => {` is the type of a member.
    const found = opened(owner?.kind === "type" ? forms : inObjects, text);
    // Without a semicolon, a block may follow a call.
    if (found !== undefined || isUnfinished || isApart && owner?.kind !== "type") return found;
    const named = opened(method, text);
    if (named === undefined || owner?.kind === "type") return named;
    return excluded.has(named.name) ? undefined : named;
  };
}

export interface TypedWords extends HeadWords {
  /** What may follow parameters, as the source of an expression. */
  readonly tail: string;
  /** Words that a head holds only where it is none. */
  readonly control: string;
  /** Modifiers that words before the name may be although they are in `control`. */
  readonly allowed?: string;
  /** Whether a function may begin with its name outside of types. @default false */
  readonly hasBareNames?: boolean;
  /** Whether a function may hold others. @default false */
  readonly hasLocal?: boolean;
  /** A head of a member without parameters, as the source of an expression. */
  readonly property?: string;
}

/** Longer heads without parameters are none. */
const MAX_PROPERTY = 200;
const PREFIX = /^[\w\s:<>,&*~.[\]?@$()"]*$/;
const PARAMETERS = r`^(.*?(?:[\w$>\]]|\boperator\b.*?)\s*)\(\)`;
const OPERATOR = /\boperator\s*(?:\(\)|""\s*\w*|[^\w\s(]+)\s*$/;

/** Languages in which a function begins with its type and name, without a word. */
export function byTypes(words: TypedWords): Opens {
  const forms = headForms(words);
  const property = new RegExp(words.property ?? "(?!)");
  const parameters = new RegExp(`${PARAMETERS}(?:${words.tail})$`);
  return (opener) => {
    const text = withoutTemplate(opener.text);
    const found = opened(forms, text);
    if (found !== undefined) return found;
    const mayBeProperty = opener.owner?.kind === "type" && text.length <= MAX_PROPERTY;
    const [, member] = mayBeProperty ? property.exec(text) ?? [] : [];
    const [, head = ""] = member === undefined ? parameters.exec(text) ?? [] : [];
    const name = member ?? nameOf(head, opener, words);
    return name === undefined ? undefined : { kind: "function", name };
  };
}

/** The name of the function that a statement opens, by what stands before its parameters. */
function nameOf(
  head: string,
  { owner, isOutermost, indent }: Opener,
  { control, allowed = "", hasLocal = false, hasBareNames = false }: TypedWords,
): string | undefined {
  const before = head.replace(OPERATOR, "operator");
  if (before === "" || !PREFIX.test(before)) return undefined;
  const isMember = owner?.kind === "type";
  const isLocal = !isMember && !isOutermost;
  if (isLocal && !hasLocal) return undefined;
  const found = before.replace(/<[^()]*>\s*$/, "").match(/~?[\w$]+/g) ?? [];
  const excluded = control.split(" ").filter((word) =>
    isLocal || !allowed.split(" ").includes(word)
  );
  if (found.some((word) => excluded.includes(word))) return undefined;
  const name = found.at(-1) ?? "";
  if (found.length > 1) return name;
  // A constructor, or a function of old whose type is `int` or on the line before.
  const isOwn = isMember && owner.name.split("::").at(-1) === name.replace("~", "");
  return isOwn || hasBareNames && indent === 0 && !isLocal ? name : undefined;
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
