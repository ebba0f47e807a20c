/**
 * File types by the names that people and models give them: languages, extensions, other spellings.
 *
 * @module
 */

import type { NoteOn } from "../notes/words.ts";
import { distance } from "../util/closest.ts";
import { PathgrepError } from "../util/errors.ts";
import { typeGlobs, typeNames } from "./file_types.ts";

/** The name in messages of the option that includes or excludes types. */
export type TypeField = "type" | "type-not";

/** Other names of types, in lower case, without spaces, hyphens and underscores. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    asm: "assembler assembly",
    bat: "batchfile",
    clojure: "clojurescript",
    cpp: "c++ cc cplusplus cxx",
    cs: "c#",
    css: "css3",
    docker: "dockerfile",
    elisp: "el emacslisp",
    elixir: "exs",
    erlang: "erl",
    fsharp: "f#",
    go: "golang",
    graphql: "gql",
    haskell: "lhs",
    html: "htm html5 xhtml",
    js: "cjs ecmascript es6 javascript javascriptreact jsx mjs node nodejs",
    jupyter: "ipynb notebook",
    kotlin: "kt kts",
    make: "gnumake makefile",
    md: "mdx",
    objc: "objectivec",
    objcpp: "objectivec++ objectivecpp",
    perl: "pl perl5",
    protobuf: "proto proto3",
    ps: "powershell ps1 pwsh",
    py: "python2 python3 py3",
    r: "rlang",
    rst: "restructuredtext",
    ruby: "rb",
    rust: "rs rustlang",
    sh: "bash shell shellscript",
    sql: "mysql postgres postgresql sqlite",
    tex: "latex",
    tf: "hcl terraform",
    ts: "cts mts tsx typescriptreact",
    txt: "plaintext text",
    vb: "vbnet visualbasic",
    vim: "vimrc viml",
    vue: "vuejs",
    yaml: "yml",
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

/** The longest extension, and the most suggestions. */
const MAX_EXTENSION = 20;
const MAX_NEAR = 5;

/**
 * Reads values of an option that takes types, each of which may be a list: as globs, one of which the name of
 * a file of these types matches, and notes on what was read differently than given.
 *
 * @throws {PathgrepError} `invalid_input` for a type that is not known, with those that look like it
 */
export function readTypes(
  lists: readonly string[],
  field: TypeField,
): { globs: string[]; notes: NoteOn<"type_read">[] } {
  const globs = new Set<string>();
  const notes: NoteOn<"type_read">[] = [];
  for (const given of lists.flatMap((list) => list.split(",")).map((name) => name.trim())) {
    const names = readAs(given) === undefined ? given.split(/[\s;|]+/u) : [given];
    const isList = names.length > 1 && names.every((name) => readAs(name) !== undefined);
    for (const name of isList ? names : [given]) {
      const reading = readAs(name);
      if (reading === undefined) throw unknownType(name);
      const { type, extension } = reading;
      // No more is excluded than was named: `tsx` does not exclude `*.ts`.
      const isExtension = type === undefined || field === "type-not" && extension !== undefined;
      const own = isExtension ? [`*.${extension}`] : typeGlobs(type);
      for (const glob of own) globs.add(glob);
      if (!isExtension && type === name) continue;
      const values = { field, type: name, read: isExtension ? `*.${extension}` : type };
      notes.push({ reason: "type_read", values });
    }
  }
  return { globs: [...globs], notes };
}

type TypeReading = { type: string; extension?: string | undefined } | {
  type?: undefined;
  extension: string;
};

/** What is meant by the name of a type, where that is known. */
export function readAs(given: string): TypeReading | undefined {
  const types = typeNames();
  if (types.includes(given)) return { type: given };
  const name = given.toLowerCase().replace(/^\*?\./u, "");
  if (types.includes(name)) return { type: name };
  const word = name.replace(/[\s_-]+/gu, "");
  const type = ALIASES.get(word) ?? (types.includes(word) ? word : undefined);
  const extension = extensionIn(name, type === undefined ? types : [type]);
  if (type !== undefined) return { type, extension };
  return extension === undefined ? undefined : { extension };
}

/** A name as an extension, if one of some types has it. */
function extensionIn(name: string, types: readonly string[]): string | undefined {
  if (name.length > MAX_EXTENSION || !/^\w+$/u.test(name)) return undefined;
  return types.some((type) => typeGlobs(type).includes(`*.${name}`)) ? name : undefined;
}

function unknownType(given: string): PathgrepError {
  const near = nearestTypes(given);
  const error = new PathgrepError(
    "invalid_input",
    `unknown file type '${given}'; ${near.length > 0 ? `similar: ${near.join(", ")}; ` : ""}` +
      "`pathgrep --type-list` lists all",
  );
  return near.length > 0 ? error.with({ suggestions: near }) : error;
}

/** Types with a name like that, the likeliest first. */
function nearestTypes(given: string): string[] {
  const wanted = given.toLowerCase().replace(/^\*?\./u, "").replace(/[\s_-]+/gu, "").slice(0, 40);
  const names = new Map([...ALIASES, ...typeNames().map((name) => [name, name] as const)]);
  const near = [...names].flatMap(([name, type]) => {
    const slips = distance(wanted, name);
    if (slips <= Math.min(2, Math.floor(wanted.length / 2))) return [{ type, slips }];
    // Names that differ only by missing or additional letters come last.
    return beginAlike(wanted, name) ? [{ type, slips: 10 + slips }] : [];
  });
  const sorted = near.sort((a, b) => a.slips - b.slips);
  return [...new Set(sorted.map(({ type }) => type))].slice(0, MAX_NEAR);
}

/** Whether one is letters of the other in order from the first (`js`, `javascript`). */
function beginAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 2 || short[0] !== long[0]) return false;
  let next = 0;
  for (const letter of long) if (letter === short[next]) next++;
  return next === short.length;
}
