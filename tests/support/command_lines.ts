/**
 * Runs command lines that are written as for a shell.
 *
 * @module
 */

import { pathgrep, type Run } from "./run.ts";

/**
 * What `pathgrep` does with each of these arguments, one after the other. Standard input is not for them.
 *
 * @param cwd the working directory of all
 */
export async function runLines(lines: readonly string[][], cwd: string): Promise<Run[]> {
  const ended: Run[] = [];
  for (const line of lines) ended.push(await pathgrep(line, { cwd }));
  return ended;
}

/** The words of a command line as a shell reads them, quoted by `'` or not at all. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}
