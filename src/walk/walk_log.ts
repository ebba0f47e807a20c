/**
 * What a walk leaves out of one directory, and by which rule, in lines for `PATHGREP_DEBUG`. What is kept
 * from agents is counted, never named: an agent may read what its shell prints.
 *
 * @module
 */

import type { RuleSource } from "../glob/rule_set.ts";
import type { DirectoryRules } from "./listing.ts";

const REPLACEMENT = "\ufffd";

/** Collects the lines of one directory. */
export class WalkLog {
  readonly #path: string;
  readonly #isWithheld: boolean;
  readonly #lines: string[] = [];
  #withheld = 0;
  #undecodable = 0;

  /**
   * @param path the directory
   * @param rules that hold in it: one that is excluded is not named either
   */
  constructor(path: string, rules: Pick<DirectoryRules, "isExcluded"> | undefined) {
    this.#path = path;
    this.#isWithheld = rules?.isExcluded ?? false;
  }

  /** Says why an entry is left out, or the directory itself if `name` is empty. */
  leaveOut(name: string, why: string, isWithheld: boolean = this.#isWithheld): this {
    if (isWithheld) this.#withheld++;
    else if (name.includes(REPLACEMENT)) this.#undecodable++;
    else this.#lines.push(`${this.#pathOf(name)}: ${why}`);
    return this;
  }

  /** Counts an entry that is kept from agents. */
  withhold(): void {
    this.#withheld++;
  }

  /** What to write; empty if everything was taken in. */
  get lines(): readonly string[] {
    const where = this.#isWithheld ? "in a directory that is kept from agents" : this.#path;
    const counted = (count: number, what: string) =>
      count === 0 ? [] : [`${where}: ${count} ${count === 1 ? "entry" : "entries"} ${what}`];
    return [
      ...this.#lines,
      ...counted(this.#withheld, "kept from agents"),
      ...counted(this.#undecodable, "whose name is not UTF-8"),
    ];
  }

  #pathOf(name: string): string {
    if (name === "") return this.#path;
    return this.#path.endsWith("/") ? this.#path + name : `${this.#path}/${name}`;
  }
}

/** A rule as it is found where it is written: `src/.gitignore:3: *.log`, `--exclude: *.log`. */
export function ruleText(source: RuleSource | undefined): string {
  if (source === undefined) return "a rule";
  const { file, line, pattern } = source;
  return `${file}${line > 0 ? `:${line}` : ""}: ${pattern}`;
}
