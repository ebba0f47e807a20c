/**
 * Labels the roots of a workspace in relative paths.
 *
 * @module
 */

import * as platform from "../util/path.ts";

/**
 * A label for each of several roots: its base name, with as many directories above it as distinguish it
 * from the other roots and from what is in them. No label is a prefix of another, so that a
 * relative path that begins with a label leads to one root.
 *
 * @param roots canonical paths, each once
 * @param isTaken whether a path below a root exists or may exist: a label of that name is ambiguous
 */
export function rootLabels(
  roots: readonly string[],
  isTaken: (root: string, below: string) => boolean,
): Map<string, string> {
  const labels = roots.map((root) => new Label(root));
  const isInRoot = (label: Label) =>
    roots.some((root) =>
      platform.join(root, label.text) !== label.root && isTaken(root, label.text)
    );
  for (let isDone = false; !isDone;) {
    // All at once: of two labels that are the same, both change.
    const ambiguous = labels.flatMap((label) => {
      const rivals = labels.filter((other) => other !== label && other.beginsWith(label.text));
      // White space that a path begins with is dropped.
      const isMisread = label.text !== label.text.trimStart();
      return rivals.length > 0 || isMisread || isInRoot(label) ? [{ label, rivals }] : [];
    });
    isDone = true;
    for (const { label, rivals } of ambiguous) {
      // A label that is the whole path already cannot change; the others have to.
      const extended = label.extend() ? [label] : rivals.filter((rival) => rival.extend());
      if (extended.length > 0) isDone = false;
    }
  }
  return new Map(labels.map(({ root, text }) => [root, text]));
}

class Label {
  readonly root: string;
  readonly #segments: readonly string[];
  #length = 1;

  constructor(root: string) {
    this.root = root;
    this.#segments = root.split(platform.sep).filter((segment) => segment !== "");
  }

  get text(): string {
    return this.#segments.slice(-this.#length).join("/");
  }

  beginsWith(other: string): boolean {
    return this.text === other || this.text.startsWith(`${other}/`);
  }

  /** Adds the directory above; `false` if there is none. */
  extend(): boolean {
    if (this.#length >= this.#segments.length) return false;
    this.#length++;
    return true;
  }
}
