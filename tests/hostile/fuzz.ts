/**
 * `deno task fuzz [--seconds N] [--rounds N] [--seed N] [FILE…]`: runs the random tests with new seeds, for
 * so long or so often, else until it is stopped. A test that fails says how to repeat it.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { numbersFrom } from "../support/draw.ts";
import { SLOW } from "../support/needs.ts";

const TESTS = new URL("../", import.meta.url).pathname;

/** The files with tests that draw at random. */
async function* randomTests(directory: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = directory + name;
    if (isDirectory) yield* randomTests(`${path}/`);
    else if (
      name.endsWith(".test.ts") && /"\.\.\/support\/draw\.ts"/.test(await Deno.readTextFile(path))
    ) {
      yield path;
    }
  }
}

/** A filter that takes the tests of a file that draw: those that pass their context on, or have a seed. */
async function filterOf(file: string): Promise<string> {
  const test =
    /(?:Deno\.test|test\.slow)\(\s*(["`])(.*?)\1,\s*(?:(?:async )?\((?:t|context)\) =>|seeded\()/g;
  const names = [...(await Deno.readTextFile(file)).matchAll(test)].map(([, , name]) =>
    name!.replaceAll(/\\(.)/g, "$1").split(/\$\{.*?\}/)
      .map((part) =>
        part.replaceAll(/[^\w\s]/g, (char) => `\\x{${char.codePointAt(0)!.toString(16)}}`)
      )
      .join(".*")
  );
  return `/^(?:${names.join("|")})(?:${SLOW})?$/`;
}

/** Whether the random tests of a file pass with a seed. */
async function passes(file: string, seed: number): Promise<boolean> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--quiet",
      "--no-check",
      `--preload=${TESTS}support/preload.ts`,
      `--filter=${await filterOf(file)}`,
      file,
    ],
    env: { SEED: `${seed}` },
  }).output();
  if (!success) {
    for (const output of [stdout, stderr]) console.log(new TextDecoder().decode(output));
  }
  return success;
}

const { values: { seconds, rounds, seed }, positionals } = parseArgs({
  options: {
    seconds: { type: "string", default: "Infinity" },
    rounds: { type: "string", default: "Infinity" },
    seed: { type: "string", default: `${Date.now()}` },
  },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : await Array.fromAsync(randomTests(TESTS));
const nextSeed = numbersFrom(Number(seed));
const end = performance.now() + 1000 * Number(seconds);
let failures = 0;
for (let round = 1; round <= Number(rounds) && performance.now() < end; round++) {
  const drawn = nextSeed(2 ** 31);
  for (const file of files.toSorted()) {
    if (performance.now() >= end) break;
    const isRight = await passes(file, drawn);
    if (!isRight) failures++;
    console.log(`SEED=${drawn} ${file.replace(TESTS, "tests/")}: ${isRight ? "ok" : "FAILED"}`);
  }
}
console.log(`${failures} failures`);
Deno.exit(failures === 0 ? 0 : 1);
