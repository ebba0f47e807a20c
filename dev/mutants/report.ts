/**
 * What became of mutants, in words.
 *
 * @module
 */

import type { Outcome } from "./copy.ts";
import type { Mutant } from "./draw.ts";

/** Why survivors are harmless: by folder and function, by rule or by rule and number. */
export type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A mutant that was tried. */
export interface Tried {
  readonly mutant: Mutant;
  readonly outcome: Outcome["outcome"];
}

/** Why no test can notice a mutant. A reason for a function that is gone is never looked up. */
export function reasonFor({ folder, within, rule, id }: Mutant, reasons: Reasons) {
  const known = reasons[`${folder} ${within}`];
  return known?.[`${rule} ${id.split(" ").at(-1)}`] ?? known?.[rule];
}

/** A mutant in three lines. */
export function shown({ file, line, id, before, after }: Mutant): string {
  return `${file}:${line} ${id.slice(file.length + 1)}\n  - ${before}\n  + ${after}`;
}

/** The survivors, and a row per folder. */
export function report(tried: readonly Tried[], reasons: Reasons): string {
  const survivors = tried.filter(({ outcome }) => outcome === "lived").map(({ mutant }) => {
    const reason = reasonFor(mutant, reasons);
    return shown(mutant) + (reason === undefined ? "" : `\n  harmless: ${reason}`);
  });
  const rows = [...Map.groupBy(tried, ({ mutant }) => mutant.folder)].map(row(reasons));
  const head = "folder            drawn noticed    %  with a reason  without";
  const all = row(reasons)(["all", tried]);
  return [...survivors.map((text) => `lived: ${text}`), "", head, ...rows, all].join("\n");
}

function row(reasons: Reasons) {
  return ([folder, tried]: [string, readonly Tried[]]): string => {
    const lived = tried.filter(({ outcome }) => outcome === "lived");
    const harmless = lived.filter(({ mutant }) => reasonFor(mutant, reasons) !== undefined).length;
    const noticed = tried.length - lived.length;
    const cells: [string | number, number][] = [
      [tried.length, 6],
      [noticed, 8],
      [Math.round(100 * noticed / tried.length), 5],
      [harmless, 15],
      [lived.length - harmless, 9],
    ];
    return folder.padEnd(17) + cells.map(([cell, width]) => `${cell}`.padStart(width)).join("");
  };
}
