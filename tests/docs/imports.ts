/**
 * The modules of the package and what each imports, as Deno sees them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { listItems } from "./markdown.ts";

const FOLDER = `file://${CHECKOUT}`;

/** What each module imports, for its values or for its types alone. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** The modules that the entries need, by path from the checkout. */
export async function importsOf(...entries: string[]): Promise<ImportGraph> {
  const found = new Map<string, Set<string>>();
  for (const entry of entries) {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: CHECKOUT,
      stderr: "inherit",
    }).output();
    assert.equal(code, 0);
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
      modules: {
        specifier: string;
        dependencies?: Record<"code" | "type", { specifier?: string } | undefined>[];
      }[];
    };
    for (const { specifier, dependencies = [] } of modules) {
      if (!isOurs(specifier)) continue;
      const targets = dependencies.flatMap(({ code, type }) => [code?.specifier, type?.specifier]);
      found.set(pathOf(specifier), new Set(targets.filter(isOurs).map(pathOf)));
    }
  }
  return found;
}

function isOurs(specifier: string | undefined): specifier is string {
  return specifier?.startsWith(FOLDER) === true && specifier.endsWith(".ts");
}

function pathOf(specifier: string): string {
  return specifier.slice(FOLDER.length);
}

/** An entry of the map in `docs/architecture.md`. */
export interface Floor {
  /** The files and folders that it is about. */
  places: string[];
  /** What it is for. */
  purpose: string;
}

/** The entries of the map. */
export function floorsOf(page: string): Floor[] {
  const map = page.split("## The map")[1]!.split("\n## ")[0]!;
  return listItems(map).map(({ terms, text }) => ({
    places: terms.flatMap(alternativesOf),
    purpose: text,
  }));
}

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function alternativesOf(path: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(",").map((name) => before + name + after);
}

/** The floor of a file, from 0: the one that names it or, the most precisely, a folder that it is in. */
export function floorOf(file: string, floors: readonly Floor[]): number {
  const places = floors.flatMap(({ places }, floor) => places.map((place) => ({ place, floor })));
  const fitting = places.filter(({ place }) =>
    place === file || place.endsWith("/") && file.startsWith(place)
  );
  assert.ok(fitting.length > 0, `${file} is on the map`);
  return fitting.sort((a, b) => b.place.length - a.place.length)[0]!.floor;
}

/** The files that a query passes, from the numbered list of the page. */
export function stepsOf(page: string): string[] {
  return [...page.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file!);
}
