/**
 * Loaded before each file of tests by `deno task test`: what cannot hold on this system is ignored, and
 * its name says why; a test that hangs fails; and there is time enough to explain an empty answer.
 *
 * @module
 */

import "./patience.ts";

/** Tests by `folder/file.test.ts: name`, and why they are for other systems. */
const NOT_HERE: Readonly<Partial<Record<typeof Deno.build.os, readonly [RegExp, string][]>>> = {
  darwin: [
    [/^cache\/tree_watch\./, "only Linux tells pathgrep of every change"],
    [/^hostile\/floods\.|^mcp\/session\..*: a session of hundreds/, "memory is read in /proc"],
    [/^hostile\/(attacks|races|random)\./, "the world that is attacked has /proc in it"],
    [/^alone\/spawn_safety\./, "processes are looked at in /proc"],
    [/^answer\/limits\..*: a walk of the whole file system/, "the files of /proc are meant"],
    [/^contract\/odd_trees\./, "names that are not UTF-8, or differ in letter case only"],
  ],
  windows: [
    [
      // What is left reads patterns, globs, paths and texts, and no files.
      /^(?!(util\/path|paths\/(paths|systems)\.|regex(?!\/(ripgrep|long_line_memory|overshoot))|glob|walk\/(filter|ignore)\.|read\/byte_search\.|cache\/trigram_index\.))/,
      "paths have slashes, files have modes, and links need no right",
    ],
  ],
};

/** A test that takes longer hangs, and fails: a run has to end. The slowest takes one and a half. */
const DEADLINE_MS = 5 * 60_000;

const rows = NOT_HERE[Deno.build.os] ?? [];
const file = Deno.mainModule.slice(new URL("../", import.meta.url).href.length);
const { test } = Deno;
type Body = (t: Deno.TestContext) => void | Promise<void>;

function testHere(
  name: string,
  ...rest: [Body] | [Omit<Deno.TestDefinition, "name" | "fn">, Body]
) {
  const [options, fn] = rest.length === 1 ? [{}, rest[0]] : rest;
  const reason = rows.find(([tests]) => tests.test(`${file}: ${name}`))?.[1];
  if (reason === undefined) test({ timeout: DEADLINE_MS, ...options, name, fn });
  else test.ignore(`${name} (not on ${Deno.build.os}: ${reason})`, fn);
}

Object.assign(Deno, { test: Object.assign(testHere, test) });
