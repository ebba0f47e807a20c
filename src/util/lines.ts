/**
 * Where the lines of a text start and end.
 *
 * @module
 */

/** Where the line that holds an offset starts. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line that holds an offset ends. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

/** The offset of the last line's end: an empty match beyond it is in no line. */
export function lastLineOffset(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}
