/**
 * Settles the format of an answer that a command line does not name.
 *
 * @module
 */
import type { Format, Settings, TextStyle } from "./settings.ts";

/**
 * The format that was asked for; else text, if an option lays out text or a person reads, and JSON for
 * programs.
 *
 * @param isTerminal whether standard output is a terminal
 */
export function settledFormat({ givenFormat, text }: Settings, isTerminal: boolean): Format {
  if (givenFormat !== "auto") return givenFormat;
  return isTerminal || layoutIn(text).length > 0 ? "text" : "json";
}

/** What to say of options that lay out text where a format without a layout was asked for. */
export function layoutNotes({ givenFormat, text }: Settings): string[] {
  const layout = givenFormat === "auto" || givenFormat === "text" ? [] : layoutIn(text);
  if (layout.length === 0) return [];
  const [were, they] = layout.length === 1 ? ["was", "it lays"] : ["were", "they lay"];
  return [`${layout.join(" and ")} ${were} ignored: ${they} out text, and this is ${givenFormat}`];
}

/**
 * The options in use that only text has. `--color never` is what a pipe has anyway, and `-I` also grep's
 * for leaving out binary files, as a search does: neither asks for text.
 */
function layoutIn(text: TextStyle): string[] {
  const options: [isUsed: boolean, option: string][] = [
    [text.nul, "--null"],
    [text.heading, "--heading"],
    [text.everyMatch, "--vimgrep"],
    [!text.lineNumber, "--no-line-number"],
    [text.color === "always", "--color always"],
  ];
  return options.filter(([isUsed]) => isUsed).map(([, option]) => option);
}
