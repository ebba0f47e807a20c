/**
 * Finds the mutants of a source tree, and draws some of them.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Place } from "./rules.ts";

/** The source with one place changed. */
export interface Mutant extends Place {
  /** What names it from one run to the next: file, function, rule, and which of these it is. */
  readonly id: string;
  /** The folder, such as `src/guard`. */
  readonly folder: string;
  /** The file, from the root of the checkout. */
  readonly file: string;
  readonly line: number;
  /** The lines that it changes, as one. */
  readonly before: string;
  readonly after: string;
}

/** The file with the mutant in it. */
export function mutated(source: string, { range: [start, end], replacement }: Place): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/**
 * Finds every mutant.
 *
 * @param root the checkout, ending in a slash
 * @param below the files or folders to change
 */
export async function findMutants(root: string, ...below: string[]): Promise<Mutant[]> {
  const config = new URL("lint.json", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["lint", "--json", "--config", config, ...below],
    cwd: root,
    stderr: "inherit",
  }).output();
  const { diagnostics, errors } = JSON.parse(new TextDecoder().decode(stdout)) as {
    diagnostics: { filename: string; message: string }[];
    errors: unknown[];
  };
  if (errors.length > 0) throw new Error(`not parsed: ${JSON.stringify(errors[0])}`);
  const files = Map.groupBy(diagnostics, ({ filename }) => filename.slice(`file://${root}`.length));
  return [...files].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([file, found]) => {
    const places = found.map(({ message }) => JSON.parse(message) as Place);
    return mutantsOf(file, Deno.readTextFileSync(root + file), places);
  });
}

function mutantsOf(file: string, source: string, places: readonly Place[]): Mutant[] {
  const counts = new Map<string, number>();
  return places.toSorted((a, b) => a.range[0] - b.range[0]).map((place) => {
    const name = `${file} ${place.within} ${place.rule}`;
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const first = source.lastIndexOf("\n", place.range[0] - 1) + 1;
    const last = source.indexOf("\n", place.range[1]);
    const change = mutated(source, place);
    return {
      ...place,
      id: `${name} ${nth}`,
      folder: file.slice(0, file.indexOf("/", "src/".length)),
      file,
      line: source.slice(0, place.range[0]).split("\n").length,
      before: asLine(source.slice(first, last)),
      after: asLine(change.slice(first, last + change.length - source.length)),
    };
  });
}

function asLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/**
 * Draws mutants. Every folder gives at least one, then as many as its share of all; in a folder the
 * rules take turns, so that strings do not outnumber the rest. A smaller draw is part of a larger one,
 * and an edit elsewhere leaves it as it was.
 */
export function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const folders = [...Map.groupBy(mutants, ({ folder }) => folder).values()].map((found) => ({
    waiting: inTurns(found, seed),
    size: found.length,
    drawn: [] as Mutant[],
  }));
  for (let left = Math.min(count, mutants.length); left > 0; left--) {
    const open = folders.filter(({ drawn, size }) => drawn.length < size);
    const due = open.reduce((a, b) => b.size / b.drawn.length > a.size / a.drawn.length ? b : a);
    due.drawn.push(due.waiting[due.drawn.length]!);
  }
  return folders.flatMap(({ drawn }) => drawn);
}

/** Shuffles mutants by their names, and takes one of each rule in turn. */
function inTurns(mutants: readonly Mutant[], seed: number): Mutant[] {
  const rank = ({ id }: Mutant) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => a.rank < b.rank ? -1 : 1);
  const turns = [...Map.groupBy(ranked, ({ mutant }) => mutant.rule).values()]
    .flatMap((ofRule) => ofRule.map((one, turn) => ({ ...one, turn })));
  return turns.sort((a, b) => a.turn - b.turn || (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}
