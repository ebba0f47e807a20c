/**
 * How a command line was read where that may not be what was meant; added to its error.
 *
 * @module
 */
import type { ParsedArguments } from "./argument_parser.ts";

/** Joined letters up to `-E`, and what follows it. */
const LETTER_E = /^-[A-Za-z0-9.]*?E=?(?<attached>.*)$/s;

/** The notes on a command line that came to an error. */
export function readingNotes(args: readonly string[], { settings }: ParsedArguments): string[] {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const labels = options.flatMap((argument, index) => {
    const attached = LETTER_E.exec(argument)?.groups?.["attached"];
    const label = attached === "" ? options[index + 1] : attached;
    return label !== undefined && isEncoding(label) ? [label] : [];
  });
  const notes = labels.map((label) =>
    `-E takes no value: it is grep's, for extended patterns; --encoding ${label} names an encoding`
  );
  return [...settings.notes, ...notes];
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label) !== undefined;
  } catch {
    return false;
  }
}
