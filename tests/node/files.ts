/**
 * Which tests run on Node.js.
 *
 * @module
 */

import { SLOW } from "../support/needs.ts";

/** The folders of tests that run on Node.js. */
const FOLDERS = [
  ...["answer", "contract", "exclusions", "glob", "guard", "hostile", "outline", "paths", "query"],
  ...["reasons", "regex", "run", "search", "shell_commands", "tools", "workspace"],
];

/** Files in folders of which the rest needs more that is Deno's. */
const FILES = ["cli/output.test.ts", "read/encoding.test.ts"];

/** Files and tests in them that do not, by `folder/file: name`, and why. */
const NOT_ON_NODE: readonly (readonly [tests: RegExp, why: string])[] = [
  [/watch/, "only Deno watches"],
  [/^hostile\/parallel_searches\..* on serve /, "only Deno serves"],
  [
    /^(?:paths\/systems|run\/failures|reasons\/budget|outline\/enclosing_sources)\./,
    "they replace what Deno has",
  ],
  [
    /Deno (?:itself )?denies|~ is HOME where that may be read/,
    "what Node.js cannot deny is denied",
  ],
  [/^hostile\/attacks.*beside a readable workspace/, "programs are found where PATH may be read"],
  [/^cache\/cache\..*: (?:what has changed within|a file is another's)/, "the clock is Deno's"],
  [/^(?:tools\/agent_loop\.|query\/query_options\..*documented)/, "a program of Deno's is run"],
  [/^search\/(?:unreadable_targets|abort)\./, "a module of Deno is run"],
  [/^hostile\/exchanged_answers\..*standstill/, "the clock is Deno's"],
  [/^contract\/command_line\.: doctor is one JSON object/, "versions and permissions are Deno's"],
  [/^contract\/entry_points\.: (?:running|importing) mod\.ts/, "the package's own tests import it"],
  [/^contract\/errors\.: .* a permission that was revoked/, "Node.js takes none back"],
  [/^contract\/library\.: isPathWithin answers false below/, "a module of Deno is run"],
  [/^outline\/outline\..*project's sources/, "Deno's parser is asked"],
  [/^hostile\/floods\.: ignore files made to exhaust/, "a module of Deno is run"],
  [/^hostile\/undecodable_names\..*current directory/, "Node.js starts in none of such a name"],
  [/^regex\/classes\.: a class is what V8 takes/, "V8 of Node.js 22 takes [a--_] for another"],
  [/^util\/errors\.: an error about a path has what Deno threw/, "a module of Deno is run"],
  [/^util\/errors\.: .* worker keeps its stack/, "stacks are of a bundle"],
];

/** Those that do not in Bun, besides. */
const NOT_IN_BUN: readonly (readonly [tests: RegExp, why: string])[] = [
  [
    /^contract\/command_line\.: each -e pattern|^run\/(?:random|filter_engine)\.|^run\/conformance\..*(?:backreference|groups of their own)|^contract\/search_rules\.: patterns are regular/,
    "patterns that refer back are refused",
  ],
  [/^contract\/options\.: --timeout ends a search that cannot/, "such a pattern is refused"],
  [
    /^contract\/(?:entry_points\.: a refusal by|errors\.: (?:path_access_denied: the runtime|engine_unavailable)|search_rules\.: rule files above)/,
    "Bun denies nothing",
  ],
];

/** Slow tests that run, too. */
const SLOW_ON_NODE =
  /^(?:hostile\/(?:attacks|parallel_searches|exchanged_\w+)|run\/random|regex\/(?:ripgrep|letter_case)|read\/\w*oracle|contract\/\w+)/;

/** What runs for each change: it shows that answers are the same, and that the guard is. */
const ON_EACH = /^(?:contract|exclusions|guard|run)\/|^hostile\/(?:attacks|parallel_searches)\./;

/** What takes longest of it, and starts other programs: the oldest version alone runs that. */
const ON_OLDEST = /^hostile\/attacks.*: every attack fails on every engine/;

/** The same for Bun, where each test costs the change about as much again. */
const IN_BUN = /^(?:contract|exclusions|guard|run)\//;

/** They are started first, so that no core waits for the last of them. */
const LONG = /^hostile\/(?:attacks|parallel_searches|exchanged_\w+|undecodable_names)\./;

export function isOnEach(file: string): boolean {
  return ON_EACH.test(file);
}

export function isInBun(file: string): boolean {
  return IN_BUN.test(file);
}

export function takesLong(file: string): boolean {
  return LONG.test(file);
}

/** The name that stands for Bun where versions of Node.js do. */
export const BUN = "bun";

/** Where a test runs: the oldest version has more to run than others. */
export type Place = "oldest" | "other" | typeof BUN;

/** How many tests the docs say that each version runs at least. */
export async function inDocs(): Promise<Partial<Record<string, number>>> {
  const text = await Deno.readTextFile(new URL("../../docs/library.md", import.meta.url));
  const counts = [...text.matchAll(/over ([\d,]+) in (?:Node\.js (\d+)|Bun)/g)];
  return Object.fromEntries(
    counts.map(([, count, version = BUN]) => [version, Number(count!.replaceAll(",", ""))]),
  );
}

/** Whether a test, or a file, runs on Node.js, or in Bun. */
export function isOnNode(file: string, name = "", place: Place = "oldest"): boolean {
  const test = `${file.replace(/test\.ts$/, "")}: ${name}`;
  if (place !== "oldest" && ON_OLDEST.test(test)) return false;
  if (place === BUN && NOT_IN_BUN.some(([tests]) => tests.test(test))) return false;
  if (name.endsWith(SLOW) && !SLOW_ON_NODE.test(test)) return false;
  return !NOT_ON_NODE.some(([tests]) => tests.test(test));
}

/** The files of tests that run on Node.js. */
export async function testsOnNode(): Promise<string[]> {
  const found = [...FILES];
  for (const folder of FOLDERS) {
    for await (const { name } of Deno.readDir(new URL(`../${folder}`, import.meta.url))) {
      const file = `${folder}/${name}`;
      if (name.endsWith(".test.ts") && isOnNode(file)) found.push(file);
    }
  }
  return found.sort();
}
