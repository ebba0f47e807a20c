/**
 * Where the lines of a text start and end.
 *
 * @module
 */

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

/** The offset of the last line's end: an empty match beyond it is in no line. */
export function lastLineOffset(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}

/**
 * The lines of an entry. A matched text that goes up to the start of a line has no part of that one.
 *
 * @param onlyMatching whether the entry is a matched text
 */
export function linesShown(line: string, onlyMatching: boolean): string[] {
  const lines = line.split("\n");
  return onlyMatching && lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Text, the lines of which begin without white space. */
export function trimmedText(text: string): string {
  return text.replace(/(?<=^|\n)[ \t\v\f\r]+/g, "");
}
