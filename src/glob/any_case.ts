/**
 * Globs whose letters match in either case: for `--iglob`, as ripgrep has it, and for suggestions.
 *
 * @module
 */

/** A class, an escaped character or any other character. */
const PART = /\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]|\\.|./gsu;
const CHARACTER = /\\.|./gsu;
/** A range of characters, a class like `[:alpha:]`, or one character, in a class. */
const RANGE = /\[:[a-z]+:\]|(?<from>\\.|.)-(?<to>\\.|[^\]])|\\.|./gsu;

/** A glob that matches what another does, in either case of its letters, whichever that one has. */
export function anyCase(glob: string): string {
  // Behind the last bracket no class is closed; to look for one there from each that opens takes long.
  const end = glob.lastIndexOf("]") + 1;
  return glob.slice(0, end).replace(PART, partOf) + glob.slice(end).replace(CHARACTER, partOf);
}

function partOf(part: string): string {
  if (part.startsWith("[") && part.length > 1) return classOf(part);
  const character = part.startsWith("\\") ? part.slice(1) : part;
  const other = otherCase(character);
  return other === undefined ? part : `[${[character, other].sort().join("")}]`;
}

function classOf(part: string): string {
  const start = /^\[[!^]?\]?/u.exec(part)![0];
  const inner = part.slice(start.length, -1).replace(RANGE, (item, from?: string, to?: string) => {
    if (from === undefined || to === undefined) return item + (otherCase(item) ?? "");
    const [otherFrom, otherTo] = [otherCase(from), otherCase(to)];
    return otherFrom === undefined || otherTo === undefined
      ? item
      : `${item}${otherFrom}-${otherTo}`;
  });
  return `${start}${inner}]`;
}

/** A letter in its other case; nothing for what has none of one character. */
function otherCase(character: string): string | undefined {
  const lower = character.toLowerCase();
  const other = lower === character ? character.toUpperCase() : lower;
  return other !== character && [...other].length === 1 ? other : undefined;
}
