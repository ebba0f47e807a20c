/**
 * Reads what a team keeps from its agents in a directory: exclusion files with what they include, and in a
 * root the settings of Claude Code.
 *
 * @module
 */

import { Glob } from "../glob/glob.ts";
import {
  MAX_RULE_CHARS,
  type RuleLine,
  ruleLines,
  type RuleText,
  SETTINGS_FILES,
} from "../glob/ignore_rules.ts";
import * as platform from "../util/path.ts";
import { realPath } from "../system/files.ts";
import { mayRead, readVariable } from "../system/permissions.ts";
import { isWithin, relativePath } from "./paths.ts";
import { readIncludedFile, readRuleFile } from "./rule_file.ts";
import { valueAt } from "../util/maps.ts";

/** Each file that is included counts at least this much of {@linkcode MAX_RULE_CHARS}: 32 are the most. */
const MIN_INCLUDED_CHARS = MAX_RULE_CHARS / 32;

const EVERYTHING = "/**";

/**
 * Returns the rules of an exclusion file, as {@linkcode readRuleFile} does.
 *
 * @param directory canonical
 * @param roots canonical directories; settings count in these alone
 * @param isBlocked whether the lines of a file must not become rules
 * @param includes whether other files may be included
 */
export function readExclusionFile(
  directory: string,
  name: string,
  roots: readonly string[],
  isBlocked: (path: string) => boolean,
  includes = true,
): RuleText {
  const isSettings = SETTINGS_FILES.includes(name);
  if (isSettings && !roots.includes(directory)) return undefined;
  const text = readRuleFile(platform.join(directory, name), roots, isBlocked, directory);
  if (typeof text !== "string") return text;
  if (isSettings) return deniedReads(text, directory);
  if (name !== ".clineignore" || !text.includes("!include ")) return text;
  return withIncluded(text, directory, (file) => {
    return includes ? readIncludedFile(file, roots, isBlocked) : undefined;
  });
}

/** The rules of a file and of those that it includes, one level deep; `null` if they are too many. */
function withIncluded(
  text: string,
  directory: string,
  read: (file: string) => string | null | undefined,
): RuleLine[] | null {
  let left = MAX_RULE_CHARS;
  const lines: RuleLine[] = [];
  for (const rule of ruleLines(text)) {
    const name = includedBy(rule);
    const file = name && platform.resolve(directory, name);
    const included = file && left > 0 ? read(file) : undefined;
    if (file !== undefined) left -= Math.max(included?.length ?? 0, MIN_INCLUDED_CHARS);
    if (left < 0) return null;
    if (file === undefined) lines.push(rule);
    else if (typeof included !== "string") lines.push({ ...rule, pattern: "" });
    else {
      const from = platform.relative(directory, file).replaceAll(platform.sep, "/");
      for (const line of ruleLines(included)) {
        const pattern = includedBy(line) === undefined ? line.pattern : "";
        lines.push({ ...line, pattern, file: from });
      }
    }
  }
  return lines;
}

function includedBy({ pattern }: RuleLine): string | undefined {
  return /^!include +(?<name>.+)$/su.exec(pattern)?.groups?.["name"];
}

/** The rules `Read(PATH)` that settings deny, as those of an ignore file in the root. */
function deniedReads(json: string, root: string): RuleLine[] {
  let denied: unknown;
  try {
    denied = JSON.parse(json)?.permissions?.deny;
  } catch {
    return [{ line: 1, pattern: "" }];
  }
  if (!Array.isArray(denied)) return [];
  const lines = linesOfStrings(json);
  return denied.flatMap((rule: unknown) => {
    const path = typeof rule === "string" ? /^Read\((.+)\)$/su.exec(rule)?.[1] : undefined;
    // These deny the tool, not paths.
    if (path === undefined || path === "**" || path === "*") return [];
    const line = lines.get(rule as string) ?? 1;
    return patternsIn(root, path).map((pattern) => ({ line, pattern }));
  });
}

/** On which line each string stands in JSON, the first time after `"deny"`. */
function linesOfStrings(json: string): Map<string, number> {
  const lines = new Map<string, number>();
  const start = json.indexOf('"deny"', json.indexOf('"permissions"'));
  let line = 1;
  let end = 0;
  for (const { 0: quoted, index } of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gsu)) {
    line += json.slice(end, index).split("\n").length - 1;
    end = index;
    if (index > start) valueAt(lines, JSON.parse(quoted), () => line);
  }
  return lines;
}

/** A path of a rule of Claude Code's, as patterns of an ignore file in the root. */
function patternsIn(root: string, path: string): string[] {
  if (path.startsWith("//")) return patternsBelow(platform.parse(root).root, path, root);
  if (/^~(?:\/|$)/u.test(path)) {
    return homesFor(root).flatMap((home) => patternsBelow(home, path.slice(1), root));
  }
  const pattern = path.replace(/^(?:\.\/+)+/u, "");
  return [["", ".", "/"].includes(pattern) ? EVERYTHING : pattern];
}

/** Where `~` may lead: a home that cannot be looked up may be any directory above the root. */
function homesFor(root: string): string[] {
  const homes = ["HOME", "USERPROFILE"].flatMap((variable) => readVariable(variable) || []);
  if (homes.length > 0 && homes.every(mayRead)) return homes.map(whereItIs);
  for (let path = root; !homes.includes(path); path = platform.dirname(path)) homes.push(path);
  return homes;
}

function whereItIs(path: string): string {
  try {
    return realPath(path);
  } catch {
    return platform.resolve(path);
  }
}

/** A pattern that starts at one directory, as patterns that start at another. */
function patternsBelow(from: string, pattern: string, root: string): string[] {
  const segments = pattern.split("/").filter((segment, index, all) =>
    segment !== "" && segment !== "." && (segment !== "**" || all[index - 1] !== "**")
  );
  const asPattern = (rest: readonly string[]) =>
    rest.length === 0 ? EVERYTHING : `/${rest.join("/")}${pattern.endsWith("/") ? "/" : ""}`;
  if (!isWithin(from, root)) {
    if (!isWithin(root, from)) return [];
    const names = relativePath(root, from).replace(/[*?[\]\\!#]/gu, "\\$&").split("/");
    return [asPattern([...names, ...segments])];
  }
  const names = from === root ? [] : relativePath(from, root).split("/");
  /** How many segments the directories so far may have matched. */
  let matched = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const count of matched) { // also those that are added
      const segment = segments[count];
      if (segment === undefined) return [EVERYTHING]; // it names a directory above
      if (segment === "**") {
        matched.add(count + 1);
        next.add(count);
      } else if (Glob.parse(segment, { dialect: "gitignore" }).matches(name)) next.add(count + 1);
    }
    matched = next;
  }
  return Array.from(matched, (count) => asPattern(segments.slice(count)));
}
