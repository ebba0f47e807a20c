/**
 * Numbers and names the groups of a pattern, and resolves backreferences to them.
 *
 * @module
 */

import type { PatternNode } from "./ast.ts";
import type { PatternText } from "./pattern_text.ts";
import { valueAt } from "../util/collections.ts";

/** A backreference whose groups are filled in once the whole pattern is parsed. */
interface Backreference {
  readonly type: "backreference";
  readonly ids: number[];
  readonly fold: boolean;
}

export class GroupTable {
  /** Names of groups that can take part in the same match as what comes next. */
  names: ReadonlySet<string> = new Set();
  /** The id of the next group. */
  nextId: number;
  readonly #text: PatternText;
  readonly #firstId: number;
  readonly #idsByName = new Map<string, number[]>();
  readonly #references: { node: Backreference; group: number | string; at: number }[] = [];

  constructor(text: PatternText, firstId: number) {
    this.#text = text;
    this.#firstId = firstId;
    this.nextId = firstId;
  }

  get count(): number {
    return this.nextId - this.#firstId;
  }

  /**
   * Opens a group and returns its id.
   *
   * @throws {PathgrepError} `invalid_pattern` where a group of the same name can take part too
   */
  open(at: number, name?: string): number {
    const id = this.nextId++;
    if (name !== undefined) {
      if (this.names.has(name)) this.#text.fail(`two groups are named \`${name}\``, at);
      this.names = this.names.union(new Set([name]));
      valueAt(this.#idsByName, name, () => []).push(id);
    }
    return id;
  }

  /** A backreference to a group by number or name; the group may open later. */
  refer(group: number | string, at: number, fold: boolean): PatternNode {
    const node: Backreference = { type: "backreference", ids: [], fold };
    this.#references.push({ node, group, at });
    return node;
  }

  /**
   * Resolves all backreferences, once all groups are known.
   *
   * @throws {PathgrepError} `invalid_pattern` for a group that does not exist
   */
  resolveReferences(): void {
    const { count } = this;
    for (const { node, group, at } of this.#references) {
      if (typeof group === "string") {
        const ids = this.#idsByName.get(group);
        if (ids === undefined) this.#text.fail(`there is no group named \`${group}\``, at);
        node.ids.push(...ids);
      } else {
        if (group < 1 || group > count) {
          const groups = count === 0 ? "no group" : count === 1 ? "1 group" : `${count} groups`;
          this.#text.failAsLiteral(
            `there is no group ${group} to refer to: the pattern has ${groups}`,
            at,
            `\\\\${group}`,
          );
        }
        node.ids.push(this.#firstId + group - 1);
      }
    }
  }
}
