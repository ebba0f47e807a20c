/**
 * Finds the classes of a pattern in which `[` opens a class, as under JavaScript's flag `v`.
 *
 * Without that flag, and in most other engines, `[` is a character there, and patterns such as `[[(]` and
 * `\[[^[\]]*]` rely on it.
 *
 * @module
 */

/** What opens, closes or joins classes, and what neither does although it holds a bracket. */
const TOKENS = new RegExp(
  [
    /\\Q[^]*?(?:\\E|$)/,
    /\\[pPxukg]\{[^{}]*\}/,
    /\\[^]/,
    /\[:\^?[A-Za-z]+:\]/,
    // `[]` and `[^]` are hardly meant as classes within a class.
    /\[(?!\^?\])/,
    /\](?:(?<joined>&&|--)|(?<repeated>[*+?{]))?/,
    /(?<joining>&&|--)(?=\[)/,
    /[(){}]/,
  ].map(({ source }) => source).join("|"),
  "g",
);

interface OpenClass {
  at: number;
  hasClass: boolean;
  hasOperation: boolean;
  /** Whether it holds what `v` does not take there, or a repeat behind a class. */
  isDoubtful: boolean;
}

/**
 * The offsets of classes that hold classes: each `[` in them that is not escaped has its `]`, and they hold
 * an operation, or at least nothing that is more likely to follow a class than to stand in one.
 */
export function nestingClasses(pattern: string): ReadonlySet<number> {
  const nesting = new Set<number>();
  const open: OpenClass[] = [];
  for (const { 0: token, index, groups = {} } of pattern.matchAll(TOKENS)) {
    const inner = open.at(-1);
    if (token === "[") {
      open.push({ at: index, hasClass: false, hasOperation: false, isDoubtful: false });
    } else if (inner === undefined) {
      continue;
    } else if (token.startsWith("]")) {
      open.pop();
      const isSure = inner.hasOperation || !inner.isDoubtful;
      if (inner.hasClass && isSure) nesting.add(inner.at);
      const outer = open.at(-1);
      if (outer === undefined) continue;
      outer.hasClass = true;
      outer.hasOperation ||= groups["joined"] !== undefined;
      outer.isDoubtful ||= inner.isDoubtful || groups["repeated"] !== undefined;
    } else if (groups["joining"] !== undefined) {
      inner.hasOperation = true;
    } else if ("(){}".includes(token)) {
      inner.isDoubtful = true;
    }
  }
  return nesting;
}
