/**
 * Reports what a walk leaves out of one directory: counts, what a search for the reasons of an empty answer
 * looks at, and lines for `PATHGREP_DEBUG`. In these, what is kept from agents is counted, never named: an
 * agent may read what its shell prints.
 *
 * @module
 */

import type { RuleSource } from "../glob/rule_set.ts";
import { type LeftOutEntry, noWalkSkips, type WalkListing, type WalkSkips } from "./listing.ts";

/** Why an entry is left out. */
export interface Skip {
  /** What it counts as. @default nothing */
  readonly reason?: keyof WalkSkips | undefined;
  /** The reason in a log. @default it is not mentioned */
  readonly detail?: string | undefined;
  /** Whether its name is kept from agents. @default false */
  readonly isWithheld?: boolean;
}

/** An entry, or with an empty name the directory itself. */
export interface SkippedEntry {
  readonly name: string;
  readonly path: string;
  readonly isDirectory: boolean;
  /** Where it leads, if it is a link that was followed. */
  readonly target?: string | undefined;
  /** Whether its path opens it. */
  readonly isNamed: boolean;
}

const REPLACEMENT = "\ufffd";

/** Collects what is left out of a directory. */
export class DirectoryReport {
  /** By reason. */
  readonly skips: WalkSkips = noWalkSkips();
  readonly #path: string;
  readonly #isExcluded: boolean;
  readonly #leftOut: LeftOutEntry[] | undefined;
  readonly #log: string[] | undefined;
  #withheld = 0;
  #undecodable = 0;

  /** @param isExcluded whether the directory is kept from agents, and so not named either */
  constructor(
    path: string,
    isExcluded: boolean,
    { tellsLeftOut, isLogged }: { tellsLeftOut?: boolean; isLogged?: boolean },
  ) {
    this.#path = path;
    this.#isExcluded = isExcluded;
    this.#leftOut = tellsLeftOut ? [] : undefined;
    this.#log = isLogged ? [] : undefined;
  }

  /** Adds an entry that is left out. */
  add(entry: SkippedEntry, { reason, detail, isWithheld = false }: Skip): void {
    if (reason !== undefined) this.skips[reason]++;
    if (this.#leftOut !== undefined) this.#addLeftOut(entry, reason);
    if (isWithheld) this.#withheld++;
    else if (detail === undefined) return;
    else if (entry.name.includes(REPLACEMENT)) this.#undecodable++;
    else this.#log?.push(`${entry.path}: ${detail}`);
  }

  #addLeftOut({ isDirectory, isNamed, path, target }: SkippedEntry, reason: Skip["reason"]): void {
    const isTold = reason === "blocked" ||
      isNamed && (reason === "ignored" || reason === "symlinks");
    if (!isTold) return;
    const place = target === undefined ? { path } : { path: target, link: path };
    this.#leftOut!.push({ ...place, isDirectory, reason });
  }

  /** All of it, as a listing has it. */
  get parts(): Pick<WalkListing, "skips" | "leftOut" | "log"> {
    const { skips } = this;
    return {
      skips,
      ...(this.#leftOut && { leftOut: this.#leftOut }),
      ...(this.#log && { log: this.#lines(this.#log) }),
    };
  }

  #lines(named: readonly string[]): string[] {
    const where = this.#isExcluded ? "in a directory that is kept from agents" : this.#path;
    const counted = (count: number, what: string) =>
      count === 0 ? [] : [`${where}: ${count} ${count === 1 ? "entry" : "entries"} ${what}`];
    return [
      ...named,
      ...counted(this.#withheld, "kept from agents"),
      ...counted(this.#undecodable, "whose name is not UTF-8"),
    ];
  }
}

/** A rule as it is found where it is written: `src/.gitignore:3: *.log`, `--exclude: *.log`. */
export function ruleText(source: RuleSource | undefined): string {
  if (source === undefined) return "a rule";
  const { file, line, pattern } = source;
  return `${file}${line > 0 ? `:${line}` : ""}: ${pattern}`;
}
