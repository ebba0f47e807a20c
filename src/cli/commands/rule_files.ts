/**
 * The rule files of a directory, as `pathgrep doctor` lists them.
 *
 * @module
 */
import { EXCLUSION_FILES, IGNORE_FILES, type RuleTexts } from "../../glob/ignore_rules.ts";
import { Exclusions } from "../../paths/exclusions.ts";
import type { RulesAbove } from "../../paths/rules_above.ts";
import { RuleSourceReader } from "../../scan/rule_sources.ts";
import { join, resolve } from "../../util/path.ts";

/** A rule file that counts, or why it does not. */
export interface RuleFile {
  path: string;
  /** Whether its rules are for ignoring, or for the guard. */
  kind: "ignore" | "guard";
  problem?: string;
}

const FILES = [...IGNORE_FILES, ...EXCLUSION_FILES];

/** @param roots canonical directories, from which rule files count */
export function ruleFilesIn(directory: string, roots: readonly string[]): RuleFile[] {
  const exclusions = new Exclusions({ roots });
  const options = { allowedRoots: roots, exclusionRoots: roots, files: FILES };
  const isWithheld = (path: string) => exclusions.withholds(path);
  const reader = new RuleSourceReader(
    { ...options, ignore: true, ignoresTracked: true },
    isWithheld,
  );
  return rowsOf(directory, reader.read(directory, FILES).texts);
}

/** Those of the directories above roots. */
export function ruleFilesAbove(above: readonly RulesAbove[]): RuleFile[] {
  const rows = above.flatMap(({ levels }) => levels)
    .flatMap(({ directory, texts }) => rowsOf(directory, texts));
  return [...new Map(rows.map((row) => [row.path, row])).values()];
}

function rowsOf(directory: string, texts: RuleTexts): RuleFile[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (text === undefined) return [];
    const kind = EXCLUSION_FILES.includes(name) ? "guard" : "ignore";
    const bad = text === null
      ? "it is too large, is not text, or cannot be read"
      : typeof text === "string"
      ? undefined
      : problemIn(text.filter(({ pattern }) => pattern === ""), name);
    return [{ path: resolve(join(directory, name)), kind, ...(bad && { problem: bad }) }];
  });
}

function problemIn(unheeded: readonly { line: number }[], name: string): string | undefined {
  if (unheeded.length === 0) return undefined;
  return name.endsWith(".json")
    ? "it is not JSON"
    : `line ${unheeded[0]!.line} does not include a file of the workspace that is not blocked`;
}
