/**
 * Braces without a comma, which are ordinary characters here and in shells, but hold their one
 * alternative in ripgrep.
 *
 * @module
 */

import { globTokens } from "./glob_parser.ts";

/**
 * A glob without its braces that hold no comma, as ripgrep reads it: `*.ts` for `*.{ts}`.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function withoutLoneBraces(glob: string): string {
  if (!glob.includes("{")) return glob;
  const tokens = globTokens(glob);
  const open: { index: number; hasComma: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "{") open.push({ index, hasComma: false });
    else if (token === "," && open.length > 0) open.at(-1)!.hasComma = true;
    else if (token === "}") {
      const group = open.pop();
      if (group?.hasComma === false) tokens[group.index] = tokens[index] = "";
    }
  }
  return tokens.join("");
}
