/**
 * The words of notes: `testdata/notes.golden` has the sentence for each reason, for the shell, the library and a
 * tool. `GOLDEN=write deno test -A --no-check tests/notes` writes it anew; other tests hold reasons and values.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type HidingCause,
  type Note,
  type Reason,
  type ReasonValues,
  worded,
} from "../../src/notes/words.ts";
import { voiceOf } from "../../src/search/callers.ts";
import { CHECKOUT } from "../support/run.ts";

const GOLDEN = `${CHECKOUT}testdata/notes.golden`;
const CALLERS = ["shell", "library", "grep"] as const;

const one = { count: 1, isPart: false };
const three = { count: 3, isPart: true };

const given = { include: ["*.ts", "a b"] };
/** What each cause may be about: at least one of each kind. */
const CAUSES_BY_KIND: {
  [K in HidingCause["kind"]]: readonly (HidingCause & { kind: K })[];
} = {
  include: [{ kind: "include", given }],
  includeCase: [{ kind: "includeCase", given }],
  exclude: [{ kind: "exclude", given: { exclude: ["a"] } }],
  type: [{ kind: "type", given: { type: ["ts"] } }],
  typeNot: [{ kind: "typeNot", given: { typeNot: ["ts"] } }],
  case: [{ kind: "case" }],
  form: [{ kind: "form", form: "NFD" }],
  spelling: [{ kind: "spelling", how: "across a line break" }],
  convention: [{ kind: "convention" }],
  binary: [{ kind: "binary" }],
  ignored: [
    { kind: "ignored" },
    { kind: "ignored", file: ".git/info/exclude:1" },
    { kind: "ignored", file: ".gitignore:1", pattern: "[a|b]" },
    { kind: "ignored", file: ".gitignore:1", pattern: "a", isTracked: true },
  ],
  untracked: [{ kind: "untracked" }],
  hidden: [{ kind: "hidden" }],
  too_large: [{ kind: "too_large", limit: 1048576 }],
  compressed: [{ kind: "compressed" }],
  depth: [{ kind: "depth", most: 1 }, { kind: "depth", most: 2 }],
  symlinks: [{ kind: "symlinks", path: "a b" }],
  not_utf8: [{ kind: "not_utf8" }, { kind: "not_utf8", label: "gbk" }],
  worktrees: [
    { kind: "worktrees", path: "w t", isOnly: true },
    { kind: "worktrees", path: "wt", isOnly: false },
  ],
  elsewhere: [{ kind: "elsewhere" }],
  reading: [{ kind: "reading", of: "glob" }, { kind: "reading", of: "glob", given }],
};
const CAUSES: readonly HidingCause[] = Object.values(CAUSES_BY_KIND).flat();
const WHY_INSTEAD = [
  ...(["brackets", "from_start", "directories", "case", "convention"] as const)
    .map((why) => ({ why })),
  { why: "form", form: "NFC" } as const,
];

/** What each note may be about. */
const SAMPLES: { [R in Reason]: readonly ReasonValues<R>[] } = {
  too_large: [
    { ...one, path: "a.gz", limit: Infinity },
    { ...three, path: "a.gz", limit: Infinity },
    { ...one, path: "a b.log", limit: 1048576 },
    { ...three, path: "a.log", limit: 1048576 },
  ],
  not_utf8: [
    { ...one, path: "a.txt" },
    { ...three, path: "a.txt" },
  ],
  unreadable: [
    { ...one, path: "a", isName: false },
    { ...three, path: "a", isName: false },
    { ...one, path: "src", isName: true },
  ],
  vanished: [{ ...one, path: "" }, { ...one, path: "src" }, { ...three, path: "src" }],
  damaged: [{ ...one, path: "a.gz" }, { ...three, path: "a.gz" }],
  read_unpacked: [{}],
  read_binary: [{}],
  read_in_encoding: [
    { encoding: "gbk", others: [] },
    { encoding: "windows-1252", others: ["windows-1250"] },
    { encoding: "euc-kr", others: ["gbk", "big5"] },
  ],
  read_in_part: [{ lines: 1, isDamaged: true }, { lines: 2, isDamaged: false }],
  long_lines: [
    { ...one, path: "a.json", limit: 16777216 },
    { ...three, path: "a.json", limit: 16777216 },
  ],
  ignore_files: [{ ...one, limit: 131072 }, { ...three, limit: 131072 }],
  worktrees: [{ ...one, paths: ["wt"] }, { ...three, paths: ["w t", "wt"] }],
  exclusion_files: [{ ...one, limit: 131072 }, { ...three, limit: 131072 }],
  exclusion_lines: [one, three],
  not_searched: [
    { path: "a b", why: "binary", isPart: false },
    { path: "a", why: "not_utf8", isPart: false },
    { path: "a", why: "too_large", isPart: false },
    { path: "a", why: "unreadable", isPart: true },
    { path: "a.gz", why: "too_large", isPart: true },
    { path: "a.gz", why: "damaged", isPart: true },
    { path: "a.zip", why: "archives", isPart: true },
    { path: "a", why: "vanished", isPart: false },
  ],
  blocked: [
    { count: 1, rules: [], more: 0 },
    { count: 2, rules: [".env", "a b"], more: 1 },
  ],
  missed: [
    ...CAUSES.flatMap((cause) => [
      { count: 1, files: 1, path: "a b.ts", causes: [cause], changes: [] },
      { count: 3, files: 2, path: "a.ts", isPart: true, causes: [cause], changes: [] },
    ]),
    {
      ...{ files: 1, path: "a.ts", causes: [{ kind: "case" }, { kind: "hidden" }] },
      changes: [{ include: "a.ts", hidden: undefined }, { path: "a.ts" }],
    },
    {
      ...{ files: 2, path: "a.ts", causes: [{ kind: "convention" }] },
      changes: [{ pattern: "a_b" }],
      others: [{ count: 1, files: 1, path: "b.ts", change: { pattern: "aB" } }],
    },
    {
      ...{ count: 1, files: 1, path: "a.ts", causes: [{ kind: "untracked" }] },
      ...{ changes: [], advice: ["add --untracked"] },
    },
  ],
  glob_finds: [
    { glob: "**/src/*.ts", files: 2, path: "a", changes: [{ include: "**/src/*.ts" }] },
    { glob: "*.ts", files: 1, path: "a b", isPart: true, changes: [] },
  ],
  missed_besides: [
    { count: 1, files: 1, path: "a" },
    { count: 9, files: 2, path: "a", isPart: true },
  ],
  matches_no_file: [
    { filters: { include: ["*.tsx"] }, isTogether: false, hasBraces: false },
    {
      ...{ filters: { typeNot: ["ts"], exclude: ["*"] }, isTogether: false, hasBraces: false },
    },
    { filters: { type: ["ts"], exclude: ["*.ts"] }, isTogether: true, hasBraces: false },
    {
      filters: { include: ["a"] },
      isTogether: false,
      barred: ["ignored", "hidden"],
      hasBraces: false,
    },
    { filters: { include: ["*.{a,b}"] }, isTogether: false, hasBraces: true },
    ...WHY_INSTEAD.map((why) => ({
      ...{ filters: { include: ["a"] }, isTogether: false, hasBraces: false },
      instead: { include: "b", count: 2, files: 1, path: "b.ts", ...why },
    })),
    {
      ...{ filters: { include: ["a"] }, isTogether: false, hasBraces: false },
      instead: { include: "b", count: 0, files: 2, path: "b.ts" },
    },
  ],
  excludes_nothing: [
    { field: "exclude", glob: "src/a", instead: "**/src/a", files: 1 },
    { field: "include", glob: "!A", instead: "!a", files: 2 },
  ],
  path_missing: [
    { path: "a b" },
    { path: "a", instead: "src/a" },
    { path: "a", similar: ["aa", "a b"] },
  ],
  type_unknown: [{ given: "-t tsx", instead: "-t ts" }, { given: "-T x" }],
  every_line: [{}],
  not_expanded: [{ glob: "--include=*.ts" }],
  own_grep: [{}],
  place_not_searched: [{ path: "b c", why: "it is blocked" }],
  root_blocked: [{ root: "a b", why: "it is blocked in another root" }],
  root_in_part: [{ root: "a b", why: "it is blocked in another root" }],
  workspace_blocked: [{ why: "it is blocked in another root" }],
  workspace_in_part: [{ why: "it is blocked in another root" }],
  dependencies: [
    {
      ...{ files: 1, directories: 1, isListing: false, path: "node_modules" },
      changes: [{ exclude: "node_modules" }],
    },
    {
      ...{ files: 2, directories: 2, isListing: true, path: "a b/node_modules" },
      changes: [{ include: "*,!node_modules" }],
    },
  ],
  path_read: [
    { path: "@a.ts:3", by: ["unquoted", "line"], places: ["src/a.ts"], more: 0, takesAll: true },
    { path: "a", by: ["root_name"], places: ["a", "b c"], more: 2, takesAll: true },
    { path: "a", by: ["file_url", "backslashes"], places: ["a", "b"], more: 0, takesAll: false },
    ...([
      ["from_root", "own_name", "link_target", "angle_brackets", "lines", "line_text"],
      ["escaped_blanks", "percent", "home", "second_root", "diff_prefix", "only_ending"],
      ["glob", "lines_of_text"],
    ] as const).map((by) => ({ path: "x", by, places: ["a"], more: 0, takesAll: true })),
  ],
  path_in_roots: [
    { path: "a", places: ["x/a", "y/a"], more: 0, takesAll: true },
    { path: "a", places: ["x/a", "y/a"], more: 0, takesAll: false },
  ],
  path_as_glob: [{ path: "*.ts", by: ["glob"] }],
  path_as_globs: [{ path: "@{a,b}.ts", by: ["unquoted", "glob"], missing: ["b.ts"] }],
  path_absent: [{ path: "null" }],
  several_paths: [{ path: "a b", count: 2 }],
  root_by_name: [{ field: "dir_path", path: "b", root: "/a/b" }],
  rules_above: [{ files: ["../.gitignore"], more: 0 }, { files: ["../.ignore"], more: 2 }],
  filter_ignored: [{ filter: "include" }],
  filter_ignored_for: [{ filter: "type", path: "a b.ts", more: 2 }],
  glob_read: [{ field: "include", glob: "@src/*", by: ["unquoted"], read: "src/*" }],
  glob_extended: [{ field: "include", glob: "*.@(a|b)", read: "*.{a,b}" }],
  glob_outside: [{ field: "exclude", glob: "../*" }, { field: "exclude", glob: "x".repeat(201) }],
  glob_placed: [
    {
      field: "include",
      glob: "src/*",
      read: [{ glob: "/*", path: "/w/src" }, { glob: "a/*", path: "/v/src" }],
    },
  ],
  glob_from_searched: [{ field: "include", glob: "/a/*" }],
  braces_in_names: [{ field: "exclude", glob: "{a}", instead: "a" }],
  quotes_in_names: [{ field: "exclude", glob: "'a'", instead: "a" }],
  backslashes: [{ field: "include", glob: "!a\\b", instead: "!a/b" }],
  not_from_root: [{ field: "exclude", glob: "src/a", instead: "a" }],
  type_read: [{ field: "type-not", type: "tsx", read: "*.tsx" }],
  include_absent: [{ include: "null" }],
  never_spans_lines: [{}],
  spellings: [{ read: [["\\A", "^"], ["(?#…)", "no characters"]] }],
  empty_class: [{ text: "[a&&b]" }],
  nested_class: [{ text: "[[a]b]" }],
  empty_brackets: [{}],
  class_of_letters: [{ text: ":alpha:]" }],
  two_characters: [{ text: "&&" }],
  empty_alternative: [{}],
  spaced_repeat: [{ text: "{1, 2}", repeat: "{1,2}" }],
  ascii_boundary: [{ letter: "é" }],
  dollar: [{}],
  line_end: [{}],
  escaped_bar: [{}],
  patterns_not_told_apart: [{ most: 1000 }],
  empty_matches: [{}],
  context_limit: [{ lines: 1000, most: 500 }],
  past_end: [{ offset: 9, count: 1, unit: "line" }, { offset: 9, count: 5, unit: "entry" }],
  unfit_inverted: [{ engine: "rg" }],
  unfit_without_match: [{ engine: "rg" }],
  unfit_no_literal: [{ engine: "rg" }],
  workers_lost: [{}],
  not_watched: [{ problem: "too many directories" }],
  tool_read: [{ tool: '"Grep"', read: "grep" }],
  input_json: [{}],
  input_list: [{}],
  input_wrapped: [{ key: "args" }],
  input_as_key: [{ key: "pattern" }],
  key_absent: [{ key: "note" }],
  key_ignored: [{ key: "reason", why: "it is a comment" }],
  key_read: [{ key: "glob", read: "include" }],
  key_and_value_read: [
    { key: "head_limit", read: "max_results", value: 5 },
    { key: "head_limit", read: "max_results", value: Number.MAX_SAFE_INTEGER },
    { key: "filter", read: "include", value: undefined },
  ],
  key_as_lines: [{ key: "range", first: 3, last: 9 }],
  key_as_lines_from: [{ key: "range", first: 3 }],
  meaning_of_key: [{ key: "end_line", meaning: "the last line" }],
  value_read: [{ key: "context", given: "3", read: 3 }, {
    key: "type",
    given: "null",
    read: undefined,
  }],
  pattern_line_break: [{}],
  format_ignored: [{ format: "a b" }],
  layout_ignored: [
    { options: ["--heading"], format: "json" },
    { options: ["--heading", "--null"], format: "jsonl" },
  ],
  recursive: [{}],
  dereference: [{}],
  json: [{}],
  as_pattern: [{ word: "serch", advice: "the command is search" }],
  as_command: [{ word: "files" }],
  replacement_character: [{}],
  joined_pattern: [{ argument: "-ie=x y", before: "-i", pattern: "=x y" }],
  encoding_not_extended: [{ label: "latin1" }],
  empty_pattern: [{ file: "p.txt" }],
  empty_patterns: [{ file: "p.txt", count: 2 }],
  rules_above_unread: [{}],
  client_roots_unnamed: [{ problem: "it timed out" }],
  client_roots_none: [{ problem: "it timed out", root: "/w", more: 0 }],
  client_roots_kept: [{ problem: "it timed out", root: "/w", more: 2 }],
  all_of_workspace: [{}],
  client_root_ignored: [{ uri: "http://a", why: "it is blocked" }],
  client_roots_ignored: [{ count: 3 }],
  outline_unknown: [{}],
  outline_generated: [{ lines: 2, chars: 90_000 }],
  outline_doubted: [{ count: 1 }, { count: 3 }],
  path_order: [{ most: 10_000 }],
  file_in_rounds: [{ path: "src/a b.ts" }],
};

/** The sentence on a note, once where all callers have the same. */
function sentencesOn(note: Note): string[] {
  const all = CALLERS.map((caller) => worded(note, voiceOf(caller)));
  if (new Set(all).size === 1) return [all[0]!];
  return all.map((sentence, index) => `${CALLERS[index]}: ${sentence}`);
}

Deno.test("each reason has the sentences that are written down for it", async () => {
  const parts = Object.entries(SAMPLES).map(([reason, samples]) => {
    const sentences = samples.flatMap((values) => sentencesOn({ reason, values } as Note));
    return `${reason}\n${sentences.map((sentence) => `  ${sentence}\n`).join("")}`;
  });
  const text = parts.join("\n");
  if (Deno.env.get("GOLDEN") === "write") await Deno.writeTextFile(GOLDEN, text);
  assert.equal(text, await Deno.readTextFile(GOLDEN));
});
