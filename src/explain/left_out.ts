/**
 * How much of the workspace an answer speaks for: what was searched, and what was excluded.
 *
 * @module
 */

import { escapeControls } from "../util/escape.ts";
import { basename } from "../util/path.ts";
import { type Caller, optionName } from "../search/callers.ts";
import type { AnswerScope, LeftOut } from "../search/result.ts";

/**
 * Names that ignore rules exclude in most repositories: dependencies, caches, and what a build makes. That
 * these were not searched is no news.
 */
export const USUALLY_IGNORED: readonly string[] = [
  "node_modules bower_components jspm_packages elm-stuff vendor deps Pods .bundle .pnp .yarn",
  "venv .venv virtualenv site-packages __pycache__ .eggs .tox .nox .ipynb_checkpoints .stack-work",
  ".cache .mypy_cache .pytest_cache .ruff_cache .parcel-cache .sass-cache .turbo .gradle .terraform",
  "build _build .build dist dist-newstyle target obj DerivedData .dart_tool .next .nuxt .output",
  ".svelte-kit .vercel coverage htmlcov .nyc_output .idea .DS_Store",
].join(" ").split(" ");

/** What follows the number of files that were excluded for a reason. */
const COUNTED: readonly [Exclude<keyof LeftOut, "ignored" | "ignored_more">, string, string][] = [
  ["blocked", "blocked", "blocked"],
  ["binary", "binary", "binary"],
  ["too_large", "too large", "too large"],
  ["not_utf8", "not UTF-8", "not UTF-8"],
  ["unreadable", "unreadable", "unreadable"],
  ["worktrees", "git worktree", "git worktrees"],
];

/**
 * An answer's scope in one line: `searched 340 files; left out: ignored tmp, out and 3 more (no_ignore
 * searches them), 2 binary`.
 *
 * @param caller the tool that answers: its line names only keys that it has
 */
export function scopeLine(scope: AnswerScope, caller: Caller = "grep"): string {
  const { searched, left_out: leftOut = {} } = scope;
  const files = searched === 1 ? "1 file" : `${searched} files`;
  const done = `${caller === "glob" ? "listed" : "searched"} ${files}`;
  const parts = COUNTED.flatMap(([key, one, many]) => {
    const count = leftOut[key] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const ignored = ignoredPart(leftOut, caller);
  if (ignored !== "") parts.unshift(ignored);
  return parts.length === 0 ? done : `${done}; left out: ${parts.join(", ")}`;
}

function ignoredPart({ ignored = [], ignored_more: more = 0 }: LeftOut, caller: Caller): string {
  if (ignored.length + more === 0) return "";
  if (ignored.length === 0) return `${more} ignored`;
  const names = ignored.map(escapeControls).join(", ");
  const key = optionName("ignore", caller);
  const isNews = ignored.some((path) => !isUsuallyIgnored(path));
  return `ignored ${names}${more === 0 ? "" : ` and ${more} more`}` +
    (isNews && key !== undefined ? ` (${key} searches them)` : "");
}

const usual = new Set(USUALLY_IGNORED);

function isUsuallyIgnored(path: string): boolean {
  return usual.has(basename(path));
}
